//! Errors with `--format json`: one object on standard output, the text for people on standard error all the same.

use crate::support::folder::Folder;
use crate::support::program::{Ran, physim};
use crate::support::scenes::FLIGHT;

/// The error object, after what holds for all of them.
#[track_caller]
fn error(ran: &Ran) -> serde_json::Value {
    let json = ran.json();
    assert_eq!(json["schema"], 1, "{ran:?}");
    assert_eq!(json["exit_status"], ran.status, "{ran:?}");
    let error = &json["error"];
    for key in ["kind", "message", "file", "line", "column", "problems"] {
        assert!(error.get(key).is_some(), "{key} in {error}");
    }
    assert!(!ran.stderr.is_empty() && !ran.stdout().contains('\u{1b}'), "{ran:?}");
    assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{error}");
    error.clone()
}

#[test]
fn every_command_says_its_errors_as_json() {
    let folder = Folder::new();
    folder.write("scene.ron", FLIGHT);
    folder.write("text.mcap", "no replay");
    physim(&folder, &["run", "scene.ron", "-o", "a.mcap"]).exits(0);
    for (arguments, status, kind, part) in [
        (["run", "missing.ron"].as_slice(), 2, "scene", "there is no such file"),
        (&["verify", "missing.mcap"], 2, "usage", "there is no such file"),
        (&["verify", "."], 0, "", ""),
        (&["diff", "a.mcap", "text.mcap"], 3, "unreadable", "this is not a replay"),
        (&["show", "text.mcap"], 3, "unreadable", "is not a physim replay"),
        (&["show", "a.mcap", "--step", "99"], 2, "no_such_step", "steps 0 to 12"),
        (&["show", "a.mcap", "--body", "bal"], 2, "no_such_body", "did you mean \"ball\"?"),
        (&["bisect", "missing.ron", "--axis", "threads=1,2"], 2, "", ""),
        (&["stress", "missing.ron"], 2, "scene", "there is no such file"),
        (&["trace", "missing.mcap", "--steps", "1"], 2, "usage", "there is no such file"),
        (&["minimize", "missing.ron", "--test", "false"], 2, "", ""),
        (&["accept", "missing.mcap"], 2, "", ""),
        (&["run", "scene.ron", "--steps", "1e3"], 2, "usage", "did you mean 1000?"),
        (&["run", "scene.ron", "--frobnicate"], 2, "usage", "--frobnicate"),
        (&["run"], 2, "usage", "<SCENE>"),
    ] {
        if status == 0 {
            continue;
        }
        for format in [["--format", "json"].as_slice(), &["--format=json"]] {
            let ran = physim(&folder, &[arguments, format].concat()).exits(status);
            let error = error(&ran);
            assert!(kind.is_empty() || error["kind"] == kind, "{arguments:?}: {error}");
            assert!(error["message"].as_str().is_some_and(|message| message.contains(part)), "{arguments:?}: {error}");
        }
        let plain = physim(&folder, arguments).exits(status);
        assert!(!plain.stdout().contains("\"error\""), "{plain:?}");
    }
}

#[test]
fn a_wrong_scene_has_file_line_and_column() {
    let folder = Folder::new();
    folder.write(
        "scene.ron",
        "(\n    version: 1,\n    name: \"a\",\n    bodies: [(name: \"b\", shape: Sphere(0.5))],\n)\n",
    );
    let error = error(&physim(&folder, &["run", "scene.ron", "--format", "json"]).exits(2));
    assert_eq!((&error["file"], &error["line"], &error["column"]), (&"scene.ron".into(), &4.into(), &40.into()));
    let problem = &error["problems"][0];
    assert_eq!(problem["expected"], "expected `Sphere(radius: 0.5)`");
    assert_eq!((&problem["line"], &problem["column"]), (&4.into(), &40.into()));
    // All problems are there, and each with its own place.
    folder.write("scene.ron", "(version: 1, name: \"a\", bodies: [\n(name: \"b\", shape: Sphere(radius: -1)),\n(name: \"b\", shape: Sphere(radius: 1))])");
    let json = physim(&folder, &["run", "scene.ron", "--format", "json"]).exits(2).json();
    let problems = json["error"]["problems"].as_array().expect("a list");
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert_eq!((&problems[0]["line"], &problems[1]["line"]), (&2.into(), &3.into()), "{problems:?}");
}

#[test]
fn the_status_in_json_is_that_of_the_process() {
    let folder = Folder::new();
    let ran = physim(&folder, &["verify", "--bisect-exit", "missing.mcap", "--format", "json"]).exits(125);
    error(&ran);
}
