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

/// Two balls whose middles are 0.9 m apart, of 1 m; within 5 mm nothing is said.
#[test]
fn bodies_that_begin_in_each_other_are_told_of() {
    let folder = Folder::new();
    let scene = |apart: f64| {
        format!(
            "(version: 1, name: \"near\", steps: 2, bodies: [(name: \"a\", shape: Sphere(radius: 0.5)),
                (name: \"b\", position: Origin({apart}, 0, 0), shape: Sphere(radius: 0.5))])"
        )
    };
    folder.write("deep.ron", scene(0.9));
    folder.write("near.ron", scene(0.996));
    let told = |name: &str| physim(&folder, &["check", name]).exits(0).stdout();
    assert!(
        told("deep.ron").contains("  note: a#0 and b#0 overlap by 0.100 m at step 0: solids that start"),
        "{}",
        told("deep.ron")
    );
    assert!(!told("near.ron").contains("note"), "{}", told("near.ron"));
}

/// Two cubes of 1 m as one solid, corner in corner or side by side.
#[test]
fn a_solid_whose_surfaces_cross_is_told_of() {
    let folder = Folder::new();
    let cubes = |apart: [f64; 3]| {
        let corner = |number: usize, axis: usize| (number >> axis & 1) as f64;
        let place = |number: usize, at: [f64; 3]| {
            let [x, y, z] = [0, 1, 2].map(|axis| at[axis] + corner(number, axis));
            format!("({x}, {y}, {z})")
        };
        let points: Vec<String> =
            [[0.0; 3], apart].iter().flat_map(|&at| (0..8).map(move |number| place(number, at))).collect();
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let of = |first: usize| {
            faces.into_iter().flat_map(move |[a, b, c, d]| {
                [[a, b, c], [a, c, d]].map(|triangle| triangle.map(|corner| first + corner))
            })
        };
        let triangles: Vec<String> = of(0).chain(of(8)).map(|[a, b, c]| format!("({a}, {b}, {c})")).collect();
        format!(
            "(version: 1, name: \"cubes\", steps: 1, bodies: [(name: \"a\", shape: Decomposed(points: [{}], triangles: [{}]))])",
            points.join(", "),
            triangles.join(", ")
        )
    };
    for (apart, crosses) in [([0.5, 0.5, 0.5], true), ([1.5, 0.0, 0.0], false), ([1.0, 0.5, 0.0], false)] {
        folder.write("cubes.ron", cubes(apart));
        let told = physim(&folder, &["check", "cubes.ron"]).exits(0).stdout();
        let note = "note: bodies.a.shape: two parts overlap, and what they have in common is weighed twice";
        assert_eq!(told.contains(note), crosses, "{apart:?}: {told}");
    }
}

/// A folder of scenes is walked as one of goldens is: what is left alone, and might have been meant, is said.
#[cfg(unix)]
#[test]
fn what_is_left_alone_in_a_folder_of_scenes_is_named() {
    let folder = Folder::new();
    for scene in ["set/a.ron", "other/b.ron"] {
        folder.write(scene, FLIGHT);
    }
    folder.write("set/physim.ron", "(version: 1, programs: [])");
    std::os::unix::fs::symlink("../other", folder.path("set/linked")).expect("a link");
    let made = std::process::Command::new("mkfifo").arg(folder.path("set/p.ron")).status();
    assert!(made.is_ok_and(|status| status.success()));
    let linked = "set/linked is a link to a folder, which is not followed: name it too, where it is meant";
    let pipe = "set/p.ron is a pipe or a device, no plain file: it was passed over";
    for words in [&["check", "set"][..], &["bench", "set", "--steps", "2", "--warm-up", "0", "--rounds", "1"]] {
        let ran = physim(&folder, words).exits(0);
        assert!(ran.stderr.contains(linked) && ran.stderr.contains(pipe), "{words:?}: {}", ran.stderr);
    }
    // One that leads nowhere cannot be said to be right.
    std::os::unix::fs::symlink("gone.ron", folder.path("set/z.ron")).expect("a link");
    let ran = physim(&folder, &["check", "set"]);
    assert!(ran.status != 0 && ran.stderr.contains("set/z.ron"), "{ran:#?}");
}
