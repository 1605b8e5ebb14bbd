//! `physim diff`.

use crate::support::folder::Folder;
use crate::support::program::{physim, physim_with_input};
use crate::support::scenes::FLIGHT;

/// A run, the same run on two threads, and one in which a velocity is one place off after step 6.
fn runs() -> Folder {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    physim(&folder, &["run", "flight.ron", "-o", "a.mcap"]).exits(0);
    physim(&folder, &["run", "flight.ron", "-o", "two.mcap", "--threads", "2"]).exits(0);
    let fault = "ulp@6,section=bodies,object=ball,field=linear_velocity.x,ulps=3";
    physim(&folder, &["run", "flight.ron", "-o", "b.mcap", "--fault", fault, "--steps", "11"]).exits(0);
    folder
}

#[test]
fn the_first_difference_for_people() {
    let folder = runs();
    let ran = physim(&folder, &["diff", "a.mcap", "b.mcap", "--window", "2"]).exits(1);
    insta::assert_snapshot!(ran.stdout());
    assert_eq!(ran.stderr, "");
}

#[test]
fn the_first_difference_in_json() {
    let folder = runs();
    let ran = physim(&folder, &["diff", "a.mcap", "b.mcap", "--window", "1", "--format", "json"]).exits(1);
    assert_eq!(ran.stdout().lines().count(), 1);
    insta::assert_snapshot!(serde_json::to_string_pretty(&ran.json()).expect("text"));
}

#[test]
fn the_bits_are_those_of_the_values() {
    // 64 m/s in 32.32 fixed point is 64 * 2^32 = 0x4000000000, and three places above that.
    let folder = runs();
    let first = physim(&folder, &["diff", "a.mcap", "b.mcap", "--format", "json"]).exits(1).json()["first"].take();
    assert_eq!(first["a"]["bits"], format!("{:016x}", 64_u64 << 32));
    assert_eq!(first["b"]["bits"], format!("{:016x}", (64_u64 << 32) + 3));
    assert_eq!((&first["step"], &first["ulps"]), (&6.into(), &3.into()));
}

#[test]
fn runs_that_agree_are_the_same_whatever_the_settings() {
    let folder = runs();
    let ran = physim(&folder, &["diff", "a.mcap", "two.mcap"]).exits(0);
    insta::assert_snapshot!(ran.stdout());
    let json = physim(&folder, &["diff", "a.mcap", "a.mcap", "--format", "json"]).exits(0).json();
    assert_eq!(json["verdict"], "same");
    assert!(json["first"].is_null() && json["settings"] == serde_json::json!([]), "{json}");
}

#[test]
fn other_scalars_are_said_first() {
    let folder = runs();
    physim(&folder, &["run", "flight.ron", "-o", "f32.mcap", "--scalar", "f32"]).exits(0);
    let json = physim(&folder, &["diff", "a.mcap", "f32.mcap", "--format", "json"]).exits(1).json();
    assert_eq!(json["settings"][0], serde_json::json!({"key": "scalar", "a": "fixed", "b": "f32"}));
    assert!(json["first"]["object"].is_null() && json["first"]["a"].is_null(), "{json}");
}

#[test]
fn damage_wins_over_a_difference() {
    let folder = runs();
    let b = folder.read("b.mcap");
    folder.write("cut.mcap", &b[..b.len() - 40]);
    let ran = physim(&folder, &["diff", "a.mcap", "cut.mcap", "--format", "json"]).exits(3);
    assert_eq!((&ran.json()["verdict"], &ran.json()["first"]["step"]), (&"damaged".into(), &6.into()));
    physim(&folder, &["diff", "a.mcap", "flight.ron"]).exits(3);
}

#[test]
fn one_side_may_come_through_a_pipe() {
    let folder = runs();
    let ran = physim_with_input(&folder, &["diff", "a.mcap", "-"], &folder.read("two.mcap")).exits(0);
    assert!(ran.stdout().contains("b  <stdin>\n"), "{}", ran.stdout());
    physim(&folder, &["diff", "-", "-"]).exits(2);
}

#[test]
fn missing_files_and_folders_are_usage_errors() {
    let folder = runs();
    for (a, b) in [("a.mcap", "missing.mcap"), ("missing.mcap", "a.mcap"), (".", "a.mcap")] {
        let ran = physim(&folder, &["diff", a, b]).exits(2);
        assert!(ran.stdout().is_empty() && ran.stderr.starts_with("error: "), "{ran:?}");
    }
    physim(&folder, &["diff", "a.mcap"]).exits(2);
    physim(&folder, &["diff", "a.mcap", "b.mcap", "--window", "-1"]).exits(2);
}

#[test]
fn ladders_tell_scenes_of_one_name_apart_and_where_they_begin() {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    folder.write("other.ron", FLIGHT.replace("mass: Total(2)", "mass: Total(3)"));
    let ladder = |scene: &str| {
        physim(&folder, &["run", scene, "-o", "run.mcap"]).exits(0);
        physim(&folder, &["ladder", "run.mcap"]).exits(0).stdout()
    };
    let (mine, theirs) = (ladder("flight.ron"), ladder("other.ron"));
    folder.write("mine.txt", &mine);
    folder.write("theirs.txt", &theirs);
    let compared = physim(&folder, &["diff", "mine.txt", "theirs.txt"]).exits(1).stdout();
    assert!(compared.contains("scene text"), "{compared}");
    folder.write("chat.txt", format!("hi Ann,\nhere is mine:\n{mine}"));
    let refused = physim(&folder, &["diff", "chat.txt", "theirs.txt"]).exits(3).stderr;
    assert!(refused.contains("a ladder begins on line 3; give it alone"), "{refused}");
}
