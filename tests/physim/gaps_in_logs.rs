//! Logs and traces that tell of some steps only: what is said of a difference is no more than these show.

use crate::support::folder::Folder;
use crate::support::program::physim;

/// A line for each of these steps, with the same stages; the hashes of `other_from` on are others.
fn staged(steps: &[u32], other_from: u32) -> String {
    let line = |&step: &u32| {
        let mark = if step >= other_from { "x" } else { "" };
        let stage =
            |stage: &str| format!("{{\"step\":{step},\"stage\":\"{stage}\",\"hash\":\"{mark}{step}{stage}\"}}\n");
        [stage("move"), stage("solve"), format!("{{\"step\":{step},\"hash\":\"{mark}{step}\"}}\n")].concat()
    };
    steps.iter().map(line).collect()
}

/// The run diverged in step 10; a trace of step 20 shows only that it has by then.
#[test]
fn a_trace_of_a_later_step_names_no_stage_beside_a_replay() {
    let folder = Folder::new();
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/billiards.ron");
    let fault = "ulp@10,object=cue_ball,field=linear_velocity.x";
    physim(&folder, &["run", scene, "--steps", "40", "-o", "a.mcap"]).exits(0);
    physim(&folder, &["run", scene, "--steps", "40", "--fault", fault, "-o", "b.mcap"]).exits(0);
    for states in [&["--states"][..], &[]] {
        let trace = [&["trace", "b.mcap", "--steps", "20", "-o", "b20.trace", "--force"], states].concat();
        physim(&folder, &trace).exits(0);
        for sides in [["a.mcap", "b20.trace"], ["b20.trace", "a.mcap"]] {
            let json = physim(&folder, &["diff", sides[0], sides[1], "--format", "json"]).exits(1).json();
            assert_eq!((&json["first"]["step"], &json["first"]["stage"]), (&20.into(), &serde_json::Value::Null));
            assert!(json["notes"].to_string().contains("may have diverged before step 20"), "{json}");
        }
    }
    // Of the step itself, with the one before it, the stage is known.
    physim(&folder, &["trace", "b.mcap", "--steps", "9..10", "--states", "-o", "b10.trace"]).exits(0);
    let json = physim(&folder, &["diff", "a.mcap", "b10.trace", "--format", "json"]).exits(1).json();
    assert_eq!((&json["first"]["step"], &json["first"]["stage"]), (&10.into(), &"finish".into()), "{json}");
}

#[test]
fn after_a_gap_no_stage_is_named() {
    let folder = Folder::new();
    folder.write("a.log", staged(&[0, 3, 8], u32::MAX));
    folder.write("b.log", staged(&[0, 3, 8], 8));
    let diff = physim(&folder, &["diff", "a.log", "b.log", "--format", "json"]).exits(1).json();
    let verify = physim(&folder, &["verify", "--no-new", "--exec", "cat b.log", "a.log", "--format", "json"]);
    let verify = verify.exits(1).json();
    for found in [&diff, &verify] {
        assert_eq!(
            (&found["first"]["step"], &found["first"]["stage"]),
            (&8.into(), &serde_json::Value::Null),
            "{found}"
        );
        assert!(found["notes"].to_string().contains("after step 3 the two differ"), "{found}");
    }
    assert!(verify["notes"].to_string().contains("the same at step 3, not at step 8"), "{verify}");
    // Where the step before is the same it came up in that stage.
    folder.write("a.log", staged(&[0, 3, 7, 8], u32::MAX));
    folder.write("b.log", staged(&[0, 3, 7, 8], 8));
    let json = physim(&folder, &["diff", "a.log", "b.log", "--format", "json"]).exits(1).json();
    assert_eq!(json["first"]["stage"], "move", "{json}");
}

#[test]
fn logs_that_begin_late_are_whole_from_there() {
    let folder = Folder::new();
    let log = |steps: std::ops::Range<u32>| -> String {
        steps.map(|step| format!("{{\"step\":{step},\"hash\":\"{step}\"}}\n")).collect()
    };
    folder.write("a.log", log(100..104));
    folder.write("b.log", log(100..102));
    folder.write("c.log", log(102..104));
    let text = physim(&folder, &["diff", "a.log", "b.log"]).exits(1).stdout();
    assert!(text.contains("the last steps are 103 and 101"), "{text}");
    // One of another window is a part of it.
    let text = physim(&folder, &["diff", "a.log", "c.log"]).exits(0).stdout();
    assert!(text.contains("compared: 2 of 4 steps"), "{text}");
}

#[test]
fn what_could_not_be_compared_has_not_healed() {
    let folder = Folder::new();
    let log = |lines: &[&str]| lines.iter().map(|line| format!("{{{line}}}\n")).collect::<String>();
    let healed = |a: &[&str], b: &[&str]| {
        folder.write("a.log", log(a));
        folder.write("b.log", log(b));
        physim(&folder, &["diff", "a.log", "b.log", "--format", "json"]).exits(1).json()
    };
    let [zero, one, other] = [r#""step":0,"hash":"1""#, r#""step":1,"hash":"a""#, r#""step":1,"hash":"b""#];
    let [unlike, two] = [r#""step":2,"objects":[]"#, r#""step":2,"hash":"2""#];
    let json = healed(&[zero, one, unlike], &[zero, other, two]);
    assert_eq!(json["healed_at"], serde_json::Value::Null, "{json}");
    let three = r#""step":3,"hash":"3""#;
    let json = healed(&[zero, one, two, three], &[zero, other, two]);
    assert_eq!(json["healed_at"], 2, "{json}");
    assert!(json["notes"].to_string().contains("the last steps are 3 and 2"), "{json}");
}

/// What a program tells that is asked for more of the step obeys the same rule: what the first run showed of the steps before it counts.
#[cfg(unix)]
#[test]
fn after_a_gap_no_stage_is_named_by_a_run_that_is_asked_for_more() {
    let folder = Folder::new();
    let ends = |log: &str| -> String {
        log.lines().filter(|line| !line.contains("stage")).map(|line| format!("{line}\n")).collect()
    };
    for (steps, stage) in [(&[0, 3, 8][..], serde_json::Value::Null), (&[0, 3, 7, 8], "move".into())] {
        let now = staged(steps, 8);
        folder.write("a.log", staged(steps, u32::MAX));
        folder.write("now.log", &now);
        folder.write("ends.log", ends(&now));
        let game = "[ {from} -gt 0 ] && cat now.log || cat ends.log";
        let words = ["verify", "--no-new", "--exec", game, "a.log", "--format", "json"];
        let json = physim(&folder, &words).exits(1).json();
        let told = json["notes"].to_string();
        assert_eq!((&json["first"]["step"], &json["first"]["stage"]), (&8.into(), &stage), "{json}");
        assert_eq!(
            told.contains("so no stage is named: they may have diverged before step 8"),
            stage.is_null(),
            "{json}"
        );
    }
}

/// A run that starts behind the steps does not come to them.
#[test]
fn a_trace_is_started_before_its_steps() {
    let folder = Folder::new();
    folder.write("flight.ron", crate::support::scenes::FLIGHT);
    physim(&folder, &["run", "flight.ron", "-o", "a.mcap"]).exits(0);
    let trace = |steps: &str, from: &str| {
        physim(&folder, &["trace", "a.mcap", "--steps", steps, "--from", from, "-o", "a.trace", "--force"])
    };
    for (steps, from) in [("1..2", "11"), ("2..3", "2"), ("0", "1")] {
        let refused = trace(steps, from).exits(2).stderr;
        assert!(refused.contains(&format!("--from {from}: ")) && refused.contains("start at step "), "{refused}");
    }
    for (steps, from) in [("1..2", "0"), ("2..3", "1"), ("0", "0")] {
        trace(steps, from).exits(0);
    }
}
