//! Hash logs as engines write them: long ones, ones of a rollback, ones with other lines, several at once.

use std::fmt::Write;

use physim::analysis::diff::DiffOptions;
use physim::analysis::run_source::{RunSource, diff_sources};
use physim::replay::{FieldRecord, LogOptions, LogSource};

use crate::support::folder::Folder;
use crate::support::program::{Ran, physim, physim_with_input, search_path};

/// A log of hashes in which a step, and all that follow, may be others.
fn hashes(steps: u32, other_from: Option<u32>) -> String {
    (0..steps).fold(String::new(), |mut text, step| {
        let other = u32::from(other_from.is_some_and(|from| step >= from));
        writeln!(text, "{{\"step\":{step},\"hash\":\"{:08x}\"}}", step.wrapping_mul(2_654_435_761) ^ other)
            .expect("a text");
        text
    })
}

/// A log of units, of which one is off by a bit from a step on.
fn units(steps: u32, count: u32, other_from: Option<u32>) -> String {
    (0..steps).fold(String::new(), |mut text, step| {
        let unit = |number: u32| {
            let other = u32::from(number == 3 && other_from.is_some_and(|from| step >= from));
            let x = f32::from_bits((1.5_f32 + number as f32).to_bits() + other);
            format!(
                r#"{{"name":"unit {number}","fields":{{"x":{{"value":{x},"bits":"{:08x}","type":"f32"}},"v":[{step},{number}]}}}}"#,
                x.to_bits()
            )
        };
        let units: Vec<String> = (0..count).map(unit).collect();
        let hash = u32::from(other_from.is_some_and(|from| step >= from)) + 2 * step;
        writeln!(text, r#"{{"step":{step},"hash":"{hash:x}","objects":[{}]}}"#, units.join(",")).expect("a text");
        text
    })
}

/// The most memory that comparing two files takes beyond what was taken before, in bytes.
fn most_memory(folder: &Folder, resimulated: bool) -> u64 {
    let source = |name: &str| {
        let options = LogOptions { resimulated, ..LogOptions::default() };
        RunSource::Log(LogSource::of_file(name, folder.path(name), options))
    };
    let taken = allocation_counter::measure(|| {
        let diff = diff_sources(&source("a.log"), &source("b.log"), DiffOptions::default()).expect("two logs");
        assert!(diff.first.is_some());
    });
    taken.bytes_max
}

#[test]
fn memory_does_not_grow_with_a_log() {
    let folder = Folder::new();
    let measure = |steps: u32| {
        folder.write("a.log", hashes(steps, None));
        // Nearly all of it differs, so that much could be kept.
        folder.write("b.log", hashes(steps, Some(10)));
        (most_memory(&folder, false), most_memory(&folder, true))
    };
    let (short, long) = (measure(1_000), measure(100_000));
    assert!(long.0 < short.0 + 4096, "{} bytes for 1 000 lines, {} for 100 000", short.0, long.0);
    // 24 bytes a step and as much again while the list of them grows, and 8 for what is kept of it, of the two logs.
    let allowed = 2 * 100_000 * (3 * 24 + 8);
    assert!(long.1 < short.1 + allowed, "{} bytes for 1 000 lines, {} for 100 000", short.1, long.1);
    let measure = |steps: u32| {
        folder.write("a.log", units(steps, 50, None));
        folder.write("b.log", units(steps, 50, Some(10)));
        most_memory(&folder, false)
    };
    let (short, long) = (measure(100), measure(2_000));
    assert!(long < short + 16_384, "{short} bytes for 100 steps, {long} for 2 000");
}

/// Of the step in which two logs differ each is held once, not once more for whoever takes a closer look.
#[test]
fn a_step_that_differs_is_held_once() {
    let folder = Folder::new();
    let (objects, fields) = (64_u64, 1_000);
    let list: Vec<String> = (0..fields).map(|field| format!(r#""{field:04}":"{field:04}""#)).collect();
    let all: Vec<String> =
        (0..objects).map(|object| format!(r#"{{"name":"{object}","fields":{{{}}}}}"#, list.join(","))).collect();
    for (name, hash) in [("a.log", 1), ("b.log", 2)] {
        folder.write(name, format!("{{\"step\":0,\"hash\":\"{hash}\",\"objects\":[{}]}}\n", all.join(",")));
    }
    // Names, values and bits as short as these take nothing beside a field of 80 bytes; beside both steps there is a line, which grows by
    // doubling, and one object more.
    assert_eq!(size_of::<FieldRecord>(), 80);
    let held = 2 * objects * fields * size_of::<FieldRecord>() as u64;
    let line = folder.read("a.log").len() as u64;
    let most = most_memory(&folder, false);
    assert!(most < held + 3 * line + held / objects, "{most} bytes, {held} for both steps and {line} for a line");
}

#[test]
fn window_and_max_are_obeyed_and_ulps_are_those_of_floats() {
    let folder = Folder::new();
    let a = units(40, 6, None);
    folder.write("a.log", &a);
    folder.write("b.log", units(40, 6, Some(7)));
    let json = physim(&folder, &["diff", "a.log", "b.log", "--window", "4", "--format", "json"]).exits(1).json();
    let first = &json["first"];
    assert_eq!(
        (&first["step"], &first["object"], &first["field"]),
        (&7.into(), &"unit 3".into(), &"x".into()),
        "{json}"
    );
    assert_eq!((&first["ulps"], &first["objects"]), (&1.into(), &1.into()), "{json}");
    assert_eq!(json["spread"].as_array().map(Vec::len), Some(5), "step 7 and 4 more: {json}");
    // Arrays are compared value by value, and no distance is told of what has no type.
    let other: String = a.lines().map(|line| line.replace(",2]", ",9]").replace(",4]", ",8]") + "\n").collect();
    folder.write("c.log", other.replace("\"hash\":\"", "\"hash\":\"1"));
    let json = physim(&folder, &["diff", "a.log", "c.log", "--max", "2", "--format", "json"]).exits(1).json();
    let fields: Vec<String> = json["first"]["fields"]
        .as_array()
        .expect("fields")
        .iter()
        .map(|field| format!("{} {}", field["object"].as_str().unwrap_or("-"), field["field"].as_str().unwrap_or("-")))
        .collect();
    assert_eq!(fields, ["unit 2 v[1]", "unit 4 v[1]"], "{json}");
    assert_eq!(
        (&json["first"]["ulps"], &json["first"]["a"]["value"]),
        (&serde_json::Value::Null, &"2".into()),
        "{json}"
    );
    let text = physim(&folder, &["diff", "a.log", "c.log", "--max", "1"]).exits(1).stdout();
    assert!(text.contains("v[1]") && !text.contains("ulp\n") && !text.contains("distance"), "{text}");
    // Integers with bits are not told apart in ulps either.
    let line = |value: u32| {
        format!(
            "{{\"step\":0,\"objects\":[{{\"name\":\"n\",\"fields\":{{\"count\":{{\"value\":{value},\"bits\":\"{value:08x}\"}}}}}}]}}\n"
        )
    };
    folder.write("d.log", line(7));
    folder.write("e.log", line(9));
    let json = physim(&folder, &["diff", "d.log", "e.log", "--format", "json"]).exits(1).json();
    assert_eq!(json["first"]["ulps"], serde_json::Value::Null, "{json}");
}

#[test]
fn a_difference_that_heals_is_told() {
    let folder = Folder::new();
    let a = hashes(20, None);
    // It comes back once: healed is what stays the same to the end.
    let differs = |step: usize| (5..9).contains(&step) || step == 11;
    let other = |(step, line): (usize, &str)| {
        let line = if differs(step) { line.replace("\"hash\":\"", "\"hash\":\"f") } else { line.to_owned() };
        line + "\n"
    };
    let b: String = a.lines().enumerate().map(other).collect();
    folder.write("a.log", a);
    folder.write("b.log", b);
    let json = physim(&folder, &["diff", "a.log", "b.log", "--format", "json"]).exits(1).json();
    assert_eq!((&json["first"]["step"], &json["healed_at"]), (&5.into(), &12.into()), "{json}");
}

#[test]
fn of_steps_that_are_simulated_again_the_last_telling_counts() {
    let folder = Folder::new();
    let line = |step: u32, x: u32| {
        format!("{{\"step\":{step},\"hash\":\"{x}\",\"objects\":[{{\"name\":\"ball\",\"fields\":{{\"x\":{x}}}}}]}}\n")
    };
    let lines = |told: &[(u32, u32)]| told.iter().map(|(step, x)| line(*step, *x)).collect::<String>();
    folder.write("server.log", lines(&[(0, 0), (1, 10), (2, 20), (3, 30), (4, 40)]));
    // It goes back twice; what it first says of step 2 is a prediction that was wrong.
    folder.write("client.log", lines(&[(0, 0), (1, 10), (1, 10), (2, 21), (3, 31), (2, 20), (3, 30), (4, 40)]));
    let refused = physim(&folder, &["diff", "server.log", "client.log"]).exits(3);
    assert!(refused.stderr.contains("client.log, line 3: another checkpoint of step 1"), "{}", refused.stderr);
    assert!(refused.stderr.contains("--resimulated"), "{}", refused.stderr);
    let ran = physim(&folder, &["diff", "server.log", "client.log", "--resimulated"]).exits(0).stdout();
    let note = "client.log: 3 steps were simulated again; rollback changed step 2 first, as line 4 tells it and line 6 tells it \
                again: object ball, field x, 21 became 20";
    assert!(ran.contains(note), "{ran}");
    assert!(!ran.contains("server.log:"), "it never goes back: {ran}");
    // A final telling that differs is a difference, of the step in which it does.
    folder.write("wrong.log", lines(&[(0, 0), (1, 10), (2, 20), (3, 30), (2, 20), (3, 33), (4, 40)]));
    let json =
        physim(&folder, &["diff", "server.log", "wrong.log", "--resimulated", "--format", "json"]).exits(1).json();
    assert_eq!((&json["first"]["step"], &json["first"]["b"]["value"]), (&3.into(), &"33".into()), "{json}");
    // What was told of later steps before it went back is void.
    folder.write("void.log", lines(&[(0, 0), (1, 10), (2, 20), (3, 30), (4, 41), (5, 51), (4, 40)]));
    physim(&folder, &["diff", "server.log", "void.log", "--resimulated"]).exits(0);
    // Stages belong to the telling they stand in.
    let staged = |hash: &str| {
        format!("{{\"step\":1,\"stage\":\"move\",\"hash\":\"{hash}\"}}\n{{\"step\":1,\"hash\":\"{hash}\"}}\n")
    };
    folder.write("a.log", format!("{}{}", staged("x"), staged("y")));
    folder.write("b.log", staged("y"));
    let ran = physim(&folder, &["diff", "a.log", "b.log", "--resimulated"]).exits(0).stdout();
    assert!(
        ran.contains("a.log: 1 step was simulated again; rollback changed step 1 first") && ran.contains("stage move"),
        "{ran}"
    );
    // Through a pipe, too.
    let client = folder.read("client.log");
    let ran = physim_with_input(&folder, &["diff", "server.log", "-", "--resimulated"], &client).exits(0).stdout();
    assert!(ran.contains("3 steps were simulated again"), "{ran}");
}

#[test]
fn other_lines_are_named_or_skipped() {
    let folder = Folder::new();
    let log = hashes(3, None);
    folder.write("a.log", &log);
    folder.write("b.log", format!("engine 1.2 starts\n{log}{{\"level\":\"info\",\"text\":\"bye\"}}\n{{ no JSON\n"));
    let refused = physim(&folder, &["diff", "a.log", "b.log"]).exits(3);
    assert!(refused.stderr.contains("b.log: line 1 is none of a hash log, and line 2"), "{}", refused.stderr);
    assert!(refused.stderr.contains("--lenient"), "{}", refused.stderr);
    let ran = physim(&folder, &["diff", "a.log", "b.log", "--lenient"]).exits(0).stdout();
    assert!(ran.contains("b.log: 3 lines are none of a hash log and were skipped, the first of them line 1"), "{ran}");
    folder.write("c.log", format!("{log}what?\n"));
    let refused = physim(&folder, &["diff", "a.log", "c.log"]).exits(3);
    assert!(
        refused.stderr.contains("c.log, line 4: expected a JSON object") && refused.stderr.contains("--lenient"),
        "{}",
        refused.stderr
    );
    // What has a step and is wrong is an error in any case, and so is a file without any checkpoint.
    folder.write("d.log", format!("{log}{{\"step\":3,\"hsah\":\"1\"}}\n"));
    let refused = physim(&folder, &["diff", "a.log", "d.log", "--lenient"]).exits(3);
    assert!(refused.stderr.contains("d.log, line 4: column"), "{}", refused.stderr);
    folder.write("e.log", "hello\n");
    let refused = physim(&folder, &["diff", "a.log", "e.log", "--lenient"]).exits(3);
    assert!(refused.stderr.contains("no checkpoint of a run in it among 1 other lines"), "{}", refused.stderr);
}

#[test]
fn of_several_logs_the_odd_one_out_is_told() {
    let folder = Folder::new();
    folder.write("mine.log", units(12, 5, None));
    folder.write("theirs.log", units(12, 5, Some(4)));
    folder.write("server.log", units(12, 5, None));
    let names = ["diff", "mine.log", "theirs.log", "server.log"];
    insta::assert_snapshot!(physim(&folder, &names).exits(1).stdout());
    let json = physim(&folder, &[names.as_slice(), &["--format", "json"]].concat()).exits(1).json();
    assert_eq!((&json["inputs"][1]["diverges_at"], &json["majority"][1]), (&4.into(), &"server.log".into()), "{json}");
    assert_eq!((&json["first"]["object"], &json["b"]), (&"unit 3".into(), &"theirs.log".into()), "{json}");
    folder.write("theirs.log", units(12, 5, None));
    let same = physim(&folder, &names).exits(0).stdout();
    assert!(same.ends_with("same: all 3 agree in every step\n"), "{same}");
    folder.write("a.log", hashes(9, None));
    folder.write("b.log", hashes(9, Some(3)));
    folder.write("c.log", hashes(9, None).replace("\"hash\":\"", "\"hash\":\"c"));
    let split = physim(&folder, &["diff", "a.log", "b.log", "c.log"]).exits(1).stdout();
    assert!(split.contains("c.log  diverges at step 0") && split.contains("group 2 at step 3"), "{split}");
    assert!(
        physim(&folder, &["diff", "a.log", "b.log", "c.log", "--tolerance", "1"])
            .exits(2)
            .stderr
            .contains("--tolerance")
    );
}

#[test]
fn what_cannot_be_compared_is_never_the_same() {
    let folder = Folder::new();
    let hash = |step: u32| format!("{{\"step\":{step},\"hash\":\"{step}\"}}\n");
    let objects = |step: u32| format!("{{\"step\":{step},\"objects\":[{{\"name\":\"ball\",\"hash\":\"{step}\"}}]}}\n");
    folder.write("a.log", (0..6).map(hash).collect::<String>());
    folder.write("later.log", (7..9).map(hash).collect::<String>());
    folder.write(
        "mixed.log",
        (0..6).map(|step| if step == 1 || step > 3 { objects(step) } else { hash(step) }).collect::<String>(),
    );
    // Not one step in common.
    let refused = physim(&folder, &["diff", "a.log", "later.log"]).exits(2);
    assert!(
        refused.stderr.contains("nothing was compared") && !refused.stdout().contains("same"),
        "{}",
        refused.stderr
    );
    // Some steps in other terms.
    let ran = physim(&folder, &["diff", "a.log", "mixed.log"]).exits(2).stdout();
    let note = "3 checkpoints could not be compared, in steps 1, 4 to 5: in step 1 the first tells a hash, the second objects; log \
                the same on both sides";
    assert!(ran.contains("cannot say: nothing that both tell alike differs") && ran.contains(note), "{ran}");
    assert!(!ran.contains("same:"), "{ran}");
    let json = physim(&folder, &["diff", "a.log", "mixed.log", "--format", "json"]).exits(2).json();
    assert_eq!((&json["verdict"], &json["first"]), (&"failed".into(), &serde_json::Value::Null), "{json}");
    physim(&folder, &["diff", "a.log", "mixed.log", "--bisect-exit"]).exits(125);
    // A difference is told whatever else could not be compared.
    let mixed = String::from_utf8(folder.read("mixed.log")).expect("a text");
    folder.write("other.log", mixed.replace("\"hash\":\"2\"", "\"hash\":\"9\""));
    let json = physim(&folder, &["diff", "a.log", "other.log", "--format", "json"]).exits(1).json();
    assert_eq!(json["first"]["step"], 2, "{json}");
    // Of several.
    folder.write("again.log", folder.read("a.log"));
    let ran = physim(&folder, &["diff", "a.log", "again.log", "mixed.log"]).exits(2).stdout();
    assert!(ran.contains("3 checkpoints of mixed.log could not be compared with others, in steps 1, 4 to 5"), "{ran}");
    let ran = physim(&folder, &["diff", "a.log", "again.log", "later.log"]).exits(2).stdout();
    assert!(ran.contains("later.log  no step is in another one") && ran.contains("cannot say"), "{ran}");
    // A program that is bisected.
    let refused = physim(&folder, &["bisect", "--exec", "cat a.log", "--exec", "cat mixed.log"]).exits(2);
    assert!(refused.stderr.contains("in step 1 the first tells a hash"), "{}", refused.stderr);
    // A golden has to come again.
    let json = physim(&folder, &["verify", "--exec", "cat mixed.log", "a.log", "--no-new", "--format", "json"])
        .exits(1)
        .json();
    assert_eq!((&json["verdict"], &json["first"]["step"]), (&"diverged".into(), &1.into()), "{json}");
}

#[test]
fn stages_in_another_order_are_a_difference() {
    let folder = Folder::new();
    let stage = |stage: &str| format!("{{\"step\":3,\"stage\":\"{stage}\",\"hash\":\"{stage}\"}}\n");
    let log =
        |stages: &[&str]| stages.iter().map(|name| stage(name)).collect::<String>() + "{\"step\":3,\"hash\":\"e\"}\n";
    folder.write("a.log", log(&["input", "move", "collide"]));
    folder.write("b.log", log(&["input", "collide", "move"]));
    let ran = physim(&folder, &["diff", "a.log", "b.log"]).exits(1).stdout();
    let order = "the same stages in another order; first at place 1, counted from 0: a has move, b has collide";
    assert!(ran.contains(order) && ran.contains("diverged at step 3"), "{ran}");
    let json = physim(&folder, &["diff", "a.log", "b.log", "--format", "json"]).exits(1).json();
    assert_eq!((&json["first"]["order"]["of"], &json["first"]["stage"]), (&"stages".into(), &"move".into()), "{json}");
    physim(&folder, &["verify", "--exec", "cat b.log", "a.log", "--no-new"]).exits(1);
}

#[test]
fn a_log_that_ends_in_the_middle_of_a_rollback_is_said_to() {
    let folder = Folder::new();
    let lines = |steps: &[u32]| {
        steps.iter().map(|step| format!("{{\"step\":{step},\"hash\":\"{step}\"}}\n")).collect::<String>()
    };
    folder.write("whole.log", lines(&[0, 1, 2, 3, 4, 3, 4, 5]));
    folder.write("cut.log", lines(&[0, 1, 2, 3, 4, 5, 3, 4]));
    folder.write("again.log", folder.read("whole.log"));
    let told = |names: &[&str], status| {
        physim(&folder, &[&["diff"], names, &["--resimulated"]].concat()).exits(status).stdout()
    };
    let note = "cut.log: it ends in the middle of a rollback: it went back from step 5, and the last step that it simulated again is \
                4; what it told of later steps does not count";
    let ran = told(&["whole.log", "cut.log"], 1);
    assert!(ran.contains(note) && !ran.contains("whole.log: it ends"), "{ran}");
    assert!(told(&["whole.log", "again.log", "cut.log"], 1).contains(note));
    assert!(!told(&["whole.log", "whole.log"], 0).contains("in the middle"));
    // Also where it had never told of the step to which it went back.
    folder.write("gap.log", lines(&[0, 1, 4, 5, 3]));
    assert!(
        told(&["gap.log", "gap.log"], 0)
            .contains("it went back from step 5, and the last step that it simulated again is 3")
    );
}

#[test]
fn what_is_no_log_is_told_as_what_it_is() {
    let folder = Folder::new();
    let log = hashes(3, None);
    folder.write("a.log", &log);
    let utf_16: Vec<u8> = [0xfeff].into_iter().chain(log.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    folder.write("wide.log", &utf_16);
    folder.write("wide.txt", &utf_16);
    folder.write("program.log", b"\x7fELF\x02\x01\x01\0\0\0\xff\xfe");
    for name in ["wide.log", "wide.txt"] {
        let refused = physim(&folder, &["diff", "a.log", name]).exits(3);
        assert!(refused.stderr.contains("line 1: this is UTF-16 text, and hash logs are UTF-8"), "{}", refused.stderr);
        let refused = physim(&folder, &["diff", "a.log", name, "--lenient"]).exits(3);
        assert!(refused.stderr.contains("this is UTF-16 text"), "{}", refused.stderr);
    }
    let refused = physim(&folder, &["diff", "a.log", "program.log"]).exits(3);
    assert!(
        refused.stderr.contains("program.log, line 1: this is binary, and hash logs are text"),
        "{}",
        refused.stderr
    );
    let ran = physim(&folder, &["verify", "--exec", "cat wide.log", "a.log", "--no-new"]).exits(2).stdout();
    assert!(ran.contains("this is UTF-16 text"), "{ran}");
    let ran = physim(&folder, &["verify", "--exec", "cat a.log", "wide.log", "--no-new"]).exits(3).stdout();
    assert!(ran.contains("this is UTF-16 text"), "{ran}");
}

/// What only one log tells is not compared, stages too, and that is said.
#[test]
fn stages_of_one_log_alone_are_told() {
    let folder = Folder::new();
    let plain = hashes(3, None);
    let staged: String = plain
        .lines()
        .map(|line| {
            let step = line.split([':', ',']).nth(1).expect("a step");
            format!("{{\"step\":{step},\"stage\":\"solve\",\"hash\":\"1\"}}\n{line}\n")
        })
        .collect();
    let steps = plain.lines().count();
    folder.write("a.log", &plain);
    folder.write("b.log", staged);
    folder.write("c.log", &plain);
    let note = format!(
        "only b.log tells stage solve of step 0 ({steps} checkpoints in all), a.log does not: compared is what both tell"
    );
    for words in [&["a.log", "b.log"][..], &["b.log", "a.log"]] {
        let ran = physim(&folder, &[&["diff"], words].concat()).exits(0).stdout();
        assert!(ran.contains("\nsame: "), "{ran}");
        assert!(ran.contains(&note), "{ran}");
    }
    let ran = physim(&folder, &["diff", "a.log", "b.log", "c.log"]).exits(0).stdout();
    assert!(ran.contains("only b.log tells stage solve of step 0, a.log does not"), "{ran}");
}

/// A value of megabytes, and one that does something to a terminal, beside their bits.
#[test]
fn values_and_bits_are_shown_as_other_texts_are() {
    let folder = Folder::new();
    let log = |value: &str, bits: &str| {
        format!(r#"{{"step":0,"objects":[{{"name":"a","fields":{{"x":{{"value":"{value}","bits":"{bits}"}}}}}}]}}"#)
            + "\n"
    };
    folder.write("a.log", log("1", "00"));
    folder.write("b.log", log("\\u001b[31mred", "01"));
    let shown = physim(&folder, &["diff", "a.log", "b.log"]).exits(1).stdout();
    assert!(shown.contains("\\u{1b}[31mred") && !shown.contains('\u{1b}'), "{shown}");
    folder.write("b.log", log(&"9".repeat(3 << 20), &"f".repeat(3 << 20)));
    for words in [&["diff", "a.log", "b.log"][..], &["verify", "--no-new", "--exec", "cat b.log", "a.log"]] {
        let shown = physim(&folder, words).exits(1).stdout();
        assert!(shown.len() < 32 << 10 && shown.contains(" bytes ...]"), "{words:?}: {} bytes", shown.len());
    }
}

/// What has no end is given up before it takes much memory, or all of the disk.
#[cfg(target_os = "linux")]
#[test]
fn streams_without_an_end_are_refused() {
    let folder = Folder::new();
    folder.write("a.log", "{\"step\":0,\"hash\":\"1\"}\n");
    for (line, expected) in [
        ("physim diff /dev/zero a.log", "/dev/zero: the replay is not a physim replay"),
        ("physim diff - a.log < /dev/zero", "<stdin>: the replay is not a physim replay"),
        ("physim show - < /dev/zero", "<stdin>: the replay is not a physim replay"),
        (
            "(printf '{'; tr '\\0' 'x' < /dev/zero) | physim diff - a.log",
            "line 1: more than 16777216 bytes in one line",
        ),
    ] {
        let shell = format!("ulimit -v 600000; ulimit -f 200000; export PATH='{}'; {line}", search_path().display());
        let ran = std::process::Command::new("sh").args(["-c", &shell]).current_dir(folder.root()).output();
        let ran = Ran::from(ran.expect("a shell")).exits(3);
        assert!(ran.stderr.contains(expected), "{line}: {ran:?}");
    }
}
