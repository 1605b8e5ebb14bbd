//! Programs whose runs differ only in what they tell: no value is another one, so that what compares values finds nothing.

#![cfg(unix)]

use crate::support::folder::Folder;
use crate::support::program::physim;

const LOG: &str = "{\"step\":0,\"hash\":\"1\"}\n{\"step\":1,\"hash\":\"2\",\"objects\":[{\"name\":\"p\",\"fields\":{\"x\":{\"value\":1,\"bits\":\"01\"}}}]}\n";

/// The log that the first run alone prints, and what it tells beyond the others.
fn first_runs() -> [(String, &'static str); 3] {
    [
        (
            LOG.replace("\"bits\":\"01\"", "\"bits\":\"01\",\"type\":\"fixed\""),
            "the type fixed of field x of object p of step 1",
        ),
        (
            LOG.replace("{\"step\":1", "{\"step\":1,\"stage\":\"solve\",\"hash\":\"7\"}\n{\"step\":1"),
            "stage solve of step 1",
        ),
        (LOG.replace("\"hash\":\"1\"", "\"hash\":\"1\",\"objects\":[]"), "the objects of step 0"),
    ]
}

/// A folder with a program of which the first run is another one.
fn racing(first: &str) -> Folder {
    let folder = Folder::new();
    folder.write("a.log", LOG);
    folder.write("first.log", first);
    folder.write("rest.log", LOG);
    folder
}

const RACE: &str = "if [ -f ran ]; then cat rest.log; else touch ran; cat first.log; fi";

#[test]
fn what_one_run_tells_alone_is_said_and_both_are_left() {
    for (first, what) in first_runs() {
        let folder = racing(&first);
        let words = ["verify", "--new-dir", "new", "--repeat", "2", "--exec", RACE, "a.log", "--format", "json"];
        let json = physim(&folder, &words).exits(1).json();
        assert_eq!((&json["verdict"], &json["repeats"]), (&"diverged".into(), &false.into()), "{json}");
        let step = &what[what.len() - 1..];
        let note = format!(
            "it does not repeat: runs 1 and 2 differ from each other at step {step} (only run 1 tells {what}), with nothing changed"
        );
        let told = json["notes"][0].as_str().expect("a note");
        assert!(told.starts_with(&note), "{told}");
        let notes = json["notes"].to_string();
        assert!(!notes.contains("physim bisect"), "it would find nothing: {notes}");
        assert!(!notes.contains("physim diff a.log"), "the golden is as what was left: {notes}");
        let diff = ["diff", "new/a.log.race", "new/a.log.other.race"];
        assert!(notes.contains(&format!("; it is for looking only: physim {}", diff.join(" "))), "{notes}");
        let shown = physim(&folder, &diff).stdout();
        assert!(!shown.contains("same at every step") && shown.contains("note: "), "{shown}");
        // The next run takes both away.
        let words = ["verify", "--new-dir", "new", "--exec", "cat a.log", "a.log"];
        physim(&folder, &words).exits(0);
        assert!(!folder.path("new/a.log.race").exists() && !folder.path("new/a.log.other.race").exists());
    }
}

#[test]
fn without_a_golden_it_is_said_too() {
    for (first, what) in first_runs() {
        let folder = racing(&first);
        let words = ["verify", "--new-dir", "new", "--exec", RACE, "none.log", "--format", "json"];
        let json = physim(&folder, &words).exits(2).json();
        let notes = json["notes"].to_string();
        assert!(
            notes.contains(&format!("shown is how run 2 differs from the first (only the first tells {what})")),
            "{notes}"
        );
        assert!(!notes.contains("physim bisect"), "{notes}");
        assert!(notes.contains("physim diff new/none.log.race new/none.log.other.race"), "{notes}");
    }
}

/// That a run ends later is found by whatever compares two of them.
#[test]
fn a_run_that_ends_later_is_looked_for_in_more_of_them() {
    let folder = racing(&format!("{LOG}{{\"step\":2,\"hash\":\"3\"}}\n"));
    let words = ["verify", "--new-dir", "new", "--exec", RACE, "a.log", "--format", "json"];
    let notes = physim(&folder, &words).exits(1).json()["notes"].to_string();
    assert!(notes.contains("differ from each other at step 2 (only run 1 tells the end of step 2), "), "{notes}");
    assert!(
        notes.contains("next: physim bisect --exec ") && notes.contains("physim diff a.log new/a.log.race"),
        "{notes}"
    );
    assert!(!folder.path("new/a.log.other.race").exists());
    std::fs::remove_file(folder.path("ran")).expect("it was run");
    physim(&folder, &["bisect", "--exec", RACE, "--axis", "repeat=3"]).exits(1);
}
