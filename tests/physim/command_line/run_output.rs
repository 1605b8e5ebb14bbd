//! Where `physim run` writes, and where it refuses to.

use std::process::Stdio;
use std::time::Duration;

use physim::replay::{read_strict, read_strict_bytes};

use crate::support::folder::Folder;
use crate::support::program::{command, physim};
use crate::support::scenes::FLIGHT;

fn flight() -> Folder {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    folder
}

#[test]
fn a_dash_streams_the_replay_and_nothing_else() {
    let folder = flight();
    physim(&folder, &["run", "flight.ron", "-o", "flight.mcap"]).exits(0);
    let ran = physim(&folder, &["run", "flight.ron", "-o", "-"]).exits(0);
    assert_eq!(ran.bytes, folder.read("flight.mcap"));
    assert!(ran.stderr.contains("final hash"), "{}", ran.stderr);
    let ran = physim(&folder, &["run", "flight.ron", "-o", "-", "--format", "json"]).exits(0);
    assert!(read_strict_bytes(&ran.bytes).is_ok());
    assert!(ran.stderr.starts_with("{\"schema\":1,"), "{}", ran.stderr);
}

#[test]
fn a_file_that_is_no_replay_is_not_replaced() {
    let folder = flight();
    let ran = physim(&folder, &["run", "flight.ron", "-o", "flight.ron"]).exits(2);
    assert!(ran.stderr.contains("is not a replay"), "{}", ran.stderr);
    assert_eq!(folder.read("flight.ron"), FLIGHT.as_bytes());
    folder.write("notes.txt", "mine");
    physim(&folder, &["run", "flight.ron", "-o", "notes.txt", "--force"]).exits(0);
    assert!(read_strict(&folder.path("notes.txt")).is_ok());
    // A replay, even one that is damaged, is replaced; so is an empty file.
    folder.write("a.mcap", &folder.read("notes.txt")[..200]);
    physim(&folder, &["run", "flight.ron", "-o", "a.mcap"]).exits(0);
    folder.write("empty", "");
    physim(&folder, &["run", "flight.ron", "-o", "empty"]).exits(0);
}

#[test]
fn outputs_that_cannot_be_are_usage_errors() {
    let folder = flight();
    std::fs::create_dir(folder.path("there")).expect("a folder");
    for (output, answer) in [("there", "does not name a file"), ("missing/a.mcap", "the folder missing does not exist")]
    {
        let ran = physim(&folder, &["run", "flight.ron", "-o", output]).exits(2);
        assert!(ran.stderr.contains(answer), "{}", ran.stderr);
        assert_eq!(ran.stdout(), "");
    }
    assert_eq!(folder.names(), ["flight.ron", "there"]);
}

#[test]
fn a_wrong_scene_leaves_no_file() {
    let folder = Folder::new();
    folder.write("wrong.ron", "(version: 1, name: \"wrong\", bodies: [(name: \"a\", mass: Total(-1))])");
    let ran = physim(&folder, &["run", "wrong.ron", "-o", "a.mcap"]).exits(2);
    assert!(ran.stderr.contains("wrong.ron:1:"), "{}", ran.stderr);
    assert_eq!((ran.stdout().as_str(), folder.names()), ("", vec!["wrong.ron".to_owned()]));
    for scene in ["missing.ron", "."] {
        physim(&folder, &["run", scene]).exits(2);
    }
}

#[test]
fn the_replay_of_a_scene_written_twice_is_the_same() {
    let folder = flight();
    for name in ["a.mcap", "b.mcap"] {
        physim(&folder, &["run", "flight.ron", "-o", name]).exits(0);
    }
    assert_eq!(folder.read("a.mcap"), folder.read("b.mcap"));
}

#[test]
#[cfg(unix)]
fn a_link_or_a_device_is_not_replaced() {
    let folder = flight();
    folder.write("target", "");
    std::os::unix::fs::symlink(folder.path("target"), folder.path("link.mcap")).expect("a link");
    let ran = physim(&folder, &["run", "flight.ron", "-o", "link.mcap", "--force"]).exits(2);
    assert!(ran.stderr.contains("is a link or a device"), "{}", ran.stderr);
    assert_eq!(folder.names(), ["flight.ron", "link.mcap", "target"]);
}

#[test]
fn a_partial_of_other_content_is_kept() {
    let folder = flight();
    folder.write("a.mcap.partial", "my notes");
    let ran = physim(&folder, &["run", "flight.ron", "-o", "a.mcap"]).exits(2);
    assert!(ran.stderr.contains("a.mcap.partial exists and is not a replay"), "{}", ran.stderr);
    assert_eq!(folder.read("a.mcap.partial"), b"my notes");
}

#[test]
fn two_runs_cannot_write_one_file() {
    let folder = flight();
    let mut first = command(&folder, &["run", "flight.ron", "--steps", "100000000", "-o", "a.mcap"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("physim runs");
    while std::fs::metadata(folder.path("a.mcap.partial")).map_or(0, |metadata| metadata.len()) == 0 {
        std::thread::sleep(Duration::from_millis(1)); // until the first run holds the file
    }
    let second = physim(&folder, &["run", "flight.ron", "-o", "a.mcap"]);
    first.kill().expect("the first run is killed");
    first.wait().expect("the first run is gone");
    let second = second.exits(2);
    assert!(second.stderr.contains("another run is writing it"), "{}", second.stderr);
    // The lock went with the run: what it left is replaced.
    physim(&folder, &["run", "flight.ron", "-o", "a.mcap"]).exits(0);
    assert!(read_strict(&folder.path("a.mcap")).is_ok());
}

#[test]
fn a_hash_log_of_others_is_not_replaced() {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    let run = |words: &[&str]| physim(&folder, &[&["run", "flight.ron", "--hash-log", "a.log"], words].concat());
    run(&[]).exits(0);
    // Its own is, with a trace in it too.
    run(&["--trace", "0..2", "--states"]).exits(0);
    run(&[]).exits(0);
    let own = String::from_utf8(folder.read("a.log")).expect("a text");
    for other in
        ["{\"step\":0,\"hash\":\"9af3c1\"}\n".to_owned(), format!("# reason: the first\n{own}"), "{\"step\"".to_owned()]
    {
        folder.write("a.log", &other);
        let ran = run(&[]).exits(2);
        let said = "a.log exists and is not a hash log of physim run; choose another name, or replace it with --force";
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
        assert_eq!(folder.read("a.log"), other.as_bytes());
    }
    run(&["--force"]).exits(0);
    assert_eq!(folder.read("a.log"), own.as_bytes());
}

/// A cone and a cylinder that spin at 300 rad/s part and meet again within a step, and have new rows each time.
#[test]
fn what_meets_again_within_a_step_is_traced_once() {
    let folder = Folder::new();
    folder.write(
        "spin.ron",
        "(version: 1, name: \"spin\", steps: 4, gravity: (0, 0, 0), bodies: [
            (name: \"cone\", position: CentreOfMass(0, -0.1148, 0.3660), orientation: Quaternion(0.478161976, 0.0825323953, -1.28723656, -0.0806505232),
                linear_velocity: (25, 0, 0), angular_velocity: (163.060617, 214.864775, 131.317797), shape: Cone(half_height: 1.5, radius: 0.252546639)),
            (name: \"can\", position: CentreOfMass(3.2, 0.0406, -0.2806), orientation: Quaternion(-0.69105693, -0.425157502, 1.54354155, 0.234024244),
                linear_velocity: (-25, 0, 0), angular_velocity: (-213.415082, -202.50233, -58.7095316), shape: Cylinder(half_height: 1.5, radius: 1.5)),
        ])",
    );
    physim(&folder, &["run", "spin.ron", "--trace", "1..4", "--trace-output", "spin.trace"]).exits(0);
}

/// Where a run was killed before it had written a byte, its next run goes on as if nothing stood there.
#[test]
fn an_empty_file_is_in_nobodys_way() {
    let folder = Folder::new();
    folder.write("fall.ron", "(version: 1, name: \"fall\", bodies: [(name: \"ball\", shape: Sphere(radius: 0.5))])");
    folder.write("fall.trace.partial", "");
    physim(&folder, &["run", "fall.ron", "--steps", "2", "--trace", "1", "--trace-output", "fall.trace"]).exits(0);
    folder.write("fall.trace.partial", "mine");
    let refused =
        physim(&folder, &["run", "fall.ron", "--steps", "2", "--trace", "1", "--trace-output", "fall.trace"]).exits(2);
    assert!(refused.stderr.contains("fall.trace.partial exists and is not a trace"), "{}", refused.stderr);
}
