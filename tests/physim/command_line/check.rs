//! `physim check`.

use crate::support::folder::Folder;
use crate::support::program::{physim, physim_with_input};
use crate::support::scenes::{DROP, FLIGHT};

#[test]
fn a_right_scene_in_short() {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    let ran = physim(&folder, &["check", "drop.ron"]).exits(0);
    insta::assert_snapshot!(ran.stdout());
    assert_eq!(ran.stderr, "");
}

#[test]
fn every_scene_is_checked_and_the_worst_counts() {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    folder.write("wrong.ron", "(\n    version: 1,\n    name: \"wrong\",\n    bodys: [],\n)\n");
    let ran = physim(&folder, &["check", "wrong.ron", "missing.ron", "flight.ron"]).exits(2);
    insta::assert_snapshot!(ran.stderr);
    assert!(ran.stdout().starts_with("flight.ron: ok\n"), "{}", ran.stdout());
}

#[test]
fn a_folder_means_all_its_scenes() {
    let folder = Folder::new();
    folder.write("levels/flight.ron", FLIGHT);
    folder.write("levels/low/drop.ron", DROP);
    folder.write("levels/low/wrong.ron", "(\n    version: 1,\n    name: \"wrong\",\n    bodys: [],\n)\n");
    folder.write("levels/notes.txt", "no scene");
    folder.write("empty/notes.txt", "no scene");
    let ran = physim(&folder, &["check", "levels", "empty"]).exits(2);
    let stdout = ran.stdout();
    let right: Vec<&str> = stdout.lines().filter(|line| line.ends_with(": ok")).collect();
    assert_eq!(right, ["levels/flight.ron: ok", "levels/low/drop.ron: ok"]);
    for told in ["levels/low/wrong.ron:4:5", "empty: there is no scene (*.ron) in this folder"] {
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    }
}

#[test]
fn standard_input_is_checked_too() {
    let folder = Folder::new();
    let ran = physim_with_input(&folder, &["check", "-"], FLIGHT.as_bytes()).exits(0);
    assert!(ran.stdout().starts_with("<stdin>: ok\n"), "{}", ran.stdout());
}

#[test]
fn no_scene_is_a_usage_error() {
    physim(&Folder::new(), &["check"]).exits(2);
}

/// `sqrt(2) / (2 pi)` of 600 substeps a second is 135 Hz.
#[test]
fn contacts_too_stiff_for_their_substeps_are_told_of() {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    folder.write("stiff.ron", DROP.replace("steps: 40,", "steps: 40, solver: Impulse(correction: Soft(hertz: 140)),"));
    let told = "contacts are too stiff to come to rest: with solver.substeps 10 and solver.relax_iterations 1";
    let ran = physim(&folder, &["check", "stiff.ron"]).exits(0);
    assert!(ran.stdout().contains(&format!("  note: {told}")), "{}", ran.stdout());
    let ran = physim(&folder, &["run", "stiff.ron"]).exits(0);
    assert!(ran.stderr.contains(&format!("warning: {told}")), "{}", ran.stderr);
    for calm in [&["run", "drop.ron"][..], &["run", "stiff.ron", "--set", "solver.correction.hertz=None"]] {
        let ran = physim(&folder, calm).exits(0);
        assert!(!ran.stderr.contains("too stiff"), "{}", ran.stderr);
    }
}

#[test]
fn joints_whose_points_are_apart_at_the_start_are_told_of() {
    let folder = Folder::new();
    let joint =
        "joints: [(name: \"hook\", kind: Spherical, a: \"ball\", anchor_a: (0, 0, 0), anchor_b: (0, 9, 0))], bodies:";
    folder.write("apart.ron", DROP.replacen("bodies:", joint, 1));
    let told = "the two points of joint \"hook\" are ";
    let ran = physim(&folder, &["check", "apart.ron"]).exits(0);
    assert!(ran.stdout().contains(&format!("  note: {told}")), "{}", ran.stdout());
    let ran = physim(&folder, &["run", "apart.ron"]).exits(0);
    assert!(ran.stderr.contains(&format!("warning: {told}")), "{}", ran.stderr);
    let ran = physim(&folder, &["run", "apart.ron", "--set", "joints.hook.anchor_b=None"]).exits(0);
    assert!(!ran.stderr.contains("hook"), "{}", ran.stderr);
}
