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
fn standard_input_is_checked_too() {
    let folder = Folder::new();
    let ran = physim_with_input(&folder, &["check", "-"], FLIGHT.as_bytes()).exits(0);
    assert!(ran.stdout().starts_with("<stdin>: ok\n"), "{}", ran.stdout());
}

#[test]
fn no_scene_is_a_usage_error() {
    physim(&Folder::new(), &["check"]).exits(2);
}
