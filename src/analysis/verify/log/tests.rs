//! What is said of a program whose log is held to a golden one.

use super::{AskedFor, compare_runs, look_again, verify_log};
use crate::analysis::outcome::Verdict;
use std::io::Write;

use crate::replay::{ForeignLines, LogOptions, LogSource, LogSpill};

const PLAIN: &str = "{\"step\":0,\"hash\":\"1\"}\n{\"step\":1,\"hash\":\"2\"}\n{\"step\":2,\"hash\":\"3\"}\n";

fn log(text: &str) -> LogSource {
    let mut spill = LogSpill::default();
    spill.write_all(text.as_bytes()).expect("memory takes all");
    LogSource::of_spill("a.log", spill, LogOptions::default()).expect("memory takes all")
}

/// The verdict on a run that prints this, the step named, how far it was compared, and the notes.
fn verified(golden: &str, printed: &str) -> (Verdict, Option<u32>, Option<u32>, String) {
    let found = verify_log(&log(golden), &log(printed), AskedFor::Everything).found;
    (found.verdict, found.first.map(|first| first.step), found.steps, found.notes.join("; "))
}

#[test]
fn every_recorded_checkpoint_has_to_come_again() {
    assert_eq!(verified(PLAIN, PLAIN), (Verdict::Same, None, Some(2), String::new()));
    let (verdict, step, steps, _) = verified(PLAIN, &PLAIN.replace("\"2\"", "\"9\""));
    assert_eq!((verdict, step, steps), (Verdict::Diverged, Some(1), Some(1)));
    let without = |line: &str| PLAIN.replace(line, "");
    for (printed, step, note) in [
        (without("{\"step\":1,\"hash\":\"2\"}\n"), 1, "did not print: 1, the first of them step 1"),
        (without("{\"step\":2,\"hash\":\"3\"}\n"), 2, "it ends after step 1, the recording goes on to step 2"),
        (format!("{PLAIN}{{\"step\":9,\"hash\":\"3\"}}\n"), 3, "it goes on to step 9, the recording ends after step 2"),
    ] {
        let (verdict, first, _, notes) = verified(PLAIN, &printed);
        assert_eq!((verdict, first), (Verdict::Diverged, Some(step)), "{printed}");
        assert!(notes.contains(note), "{notes}");
    }
    // What cannot be compared is not the same.
    let told = PLAIN.replace("\"hash\":\"2\"", "\"objects\":[{\"name\":\"a\",\"hash\":\"1\"}]");
    let (verdict, _, _, notes) = verified(PLAIN, &told);
    assert!(verdict == Verdict::Diverged && notes.contains("could not be compared"), "{notes}");
    // More of a step is not another run.
    let staged = PLAIN.replace("{\"step\":1,", "{\"step\":1,\"stage\":\"a\",\"hash\":\"7\"}\n{\"step\":1,");
    let (verdict, _, _, notes) = verified(PLAIN, &staged);
    assert!(verdict == Verdict::Same && notes.contains("were not compared: 1"), "{notes}");
    assert_eq!(verified(&staged, PLAIN).0, Verdict::Diverged);
}

/// What a golden has that was skipped is told of, however well the rest agrees.
#[test]
fn lines_of_a_golden_that_were_skipped_are_noted() {
    let mut spill = LogSpill::default();
    spill.write_all(format!("<<<<<<< mine\n{PLAIN}").as_bytes()).expect("memory takes all");
    let options = LogOptions { foreign: ForeignLines::SkipAll, ..LogOptions::default() };
    let golden = LogSource::of_spill("a.log", spill, options).expect("memory takes all");
    let found = verify_log(&golden, &log(PLAIN), AskedFor::Everything).found;
    assert_eq!(found.verdict, Verdict::Same);
    assert_eq!(found.notes, ["a.log: line 1 is none of a hash log and was skipped"]);
}

/// Names of objects alone cannot be compared with others, but two that print the same do repeat.
#[test]
fn what_cannot_be_compared_repeats_where_it_is_the_same() {
    let names = PLAIN.replace("\"hash\":\"1\"", "\"objects\":[{\"name\":\"unit\"}]");
    assert_eq!(compare_runs(&log(&names), &log(&names)).found.verdict, Verdict::Same);
    let other = names.replace("unit", "other");
    assert_eq!(compare_runs(&log(&names), &log(&other)).found.verdict, Verdict::Diverged);
}

/// That an object is there is all that such a golden guards; a program that tells more of it tells that as well.
#[test]
fn names_alone_have_come_again_where_more_is_told_of_them() {
    let told = |keys: &str| format!("{{\"step\":0,\"objects\":[{{\"name\":\"unit\"{keys}}}]}}\n");
    let [names, hash, fields] = ["", ",\"hash\":\"1\"", ",\"fields\":{\"x\":1}"].map(told);
    for (more, what) in [(&hash, "the hash"), (&fields, "the fields")] {
        let what = format!("{what} of object unit of step 0");
        let note = format!("beyond the golden it tells {what}, which was not compared");
        assert_eq!(verified(&names, more), (Verdict::Same, None, Some(0), note));
        let (verdict, step, _, notes) = verified(more, &names);
        assert_eq!((verdict, step), (Verdict::Diverged, Some(0)), "the golden's is lost: {notes}");
        // Of two runs neither may tell more.
        assert_eq!(compare_runs(&log(&names), &log(more)).found.verdict, Verdict::Diverged);
    }
    assert_eq!(verified(&names, &names.replace("unit", "other")).0, Verdict::Diverged);
    assert_eq!(verified(&hash, &fields).0, Verdict::Diverged, "these have nothing in common");
}

/// The golden tells less than the program, of which two runs differ in what is beyond it.
#[test]
fn a_race_beyond_the_golden_is_not_the_same() {
    let run =
        |hash: u32| log(&PLAIN.replacen('{', &format!("{{\"step\":0,\"stage\":\"a\",\"hash\":\"{hash}\"}}\n{{"), 1));
    let (golden, first, again) = (log(PLAIN), run(1), run(2));
    let mut found = verify_log(&golden, &first, AskedFor::Everything).found;
    assert_eq!(found.verdict, Verdict::Same);
    let compared = compare_runs(&first, &again);
    look_again(&mut found, (&golden, AskedFor::Everything), compared, (&again, 2));
    assert_eq!(found.sides, Some(["first run", "run 2"].map(str::to_owned)));
    assert_eq!((found.verdict, found.repeats), (Verdict::Diverged, Some(false)));
    assert_eq!(found.first.map(|first| first.step), Some(0));
}

#[test]
fn evidence_that_only_the_golden_has_was_not_verified() {
    let ball = "\"objects\":[{\"name\":\"ball\",\"hash\":\"7\",\"fields\":{\"x\":{\"value\":1,\"bits\":\"3f800000\",\"type\":\"f32\"}}}]";
    let full = PLAIN.replace("\"}\n", &format!("\",{ball}}}\n"));
    assert_eq!(verified(&full, &full), (Verdict::Same, None, Some(2), String::new()));
    for (less, what) in [
        (full.replace("\"hash\":\"2\",", ""), "the hash of step 1"),
        (full.replacen(",\"hash\":\"7\"", "", 1), "the hash of object ball of step 0"),
        (
            full.replace(",\"fields\":{\"x\":{\"value\":1,\"bits\":\"3f800000\",\"type\":\"f32\"}}", ""),
            "the fields of object ball of step 0 (3 checkpoints in all)",
        ),
        (
            full.replace(",\"bits\":\"3f800000\",\"type\":\"f32\"", ""),
            "the bits of field x of object ball of step 0 (3 checkpoints in all)",
        ),
        (
            full.replace(",\"type\":\"f32\"", ""),
            "the type f32 of field x of object ball of step 0 (3 checkpoints in all)",
        ),
        (PLAIN.to_owned(), "the objects of step 0 (3 checkpoints in all)"),
    ] {
        let (verdict, step, _, notes) = verified(&full, &less);
        let at = what.rsplit_once("step ").and_then(|(_, at)| at.get(..1)?.parse().ok());
        assert_eq!((verdict, step), (Verdict::Diverged, at), "{less}");
        assert_eq!(
            notes,
            format!(
                "it does not tell {what}, which the golden tells: that was not verified; if it is meant so, accept the new log"
            )
        );
        // The other way round it was verified all the same.
        let (verdict, step, _, notes) = verified(&less, &full);
        assert_eq!((verdict, step), (Verdict::Same, None), "{less}");
        assert_eq!(notes, format!("beyond the golden it tells {what}, which was not compared"));
        // Of two equal runs neither tells more.
        for [one, other] in [[&full, &less], [&less, &full]] {
            let compared = compare_runs(&log(one), &log(other)).found;
            assert_eq!((compared.verdict, compared.first.map(|first| first.step)), (Verdict::Diverged, at));
        }
    }
}

#[test]
fn a_program_that_is_asked_for_hashes_has_to_tell_those() {
    let full = PLAIN.replace("\"}\n", "\",\"objects\":[{\"name\":\"ball\",\"fields\":{\"x\":1}}]}\n");
    let found = |golden: &str, printed: &str| verify_log(&log(golden), &log(printed), AskedFor::Hashes).found;
    let held = found(&full, PLAIN);
    assert_eq!(held.verdict, Verdict::Same);
    assert_eq!(
        held.notes,
        [
            "the golden tells the objects of step 0 (3 checkpoints in all), which the program, not asked for it, does not: compared are the hashes that both tell"
        ]
    );
    let lost = found(&full, &full.replace("\"hash\":\"2\",", ""));
    assert_eq!((lost.verdict, lost.first.map(|first| first.step)), (Verdict::Diverged, Some(1)), "{:?}", lost.notes);
}

#[test]
fn a_golden_that_is_cut_off_is_damaged_whatever_comes() {
    let cut = &PLAIN[..PLAIN.len() - 4];
    assert_eq!(verified(cut, PLAIN), (Verdict::Damaged, None, Some(1), String::new()));
    let (verdict, step, ..) = verified(cut, &PLAIN.replace("\"2\"", "\"9\""));
    assert_eq!((verdict, step), (Verdict::Damaged, Some(1)));
}

#[test]
fn two_equal_runs_say_whether_it_repeats() {
    let (golden, other) = (log(PLAIN), log(&PLAIN.replace("\"3\"", "\"9\"")));
    let again = |second: &LogSource| {
        let mut found = verify_log(&golden, &other, AskedFor::Everything).found;
        look_again(&mut found, (&golden, AskedFor::Everything), compare_runs(&other, second), (second, 2));
        (found.repeats, found.is_explained, found.notes.first().cloned().unwrap_or_default())
    };
    assert_eq!((again(&other).0, again(&other).1), (Some(true), false));
    let (repeats, is_explained, note) = again(&golden);
    assert_eq!((repeats, is_explained), (Some(false), true));
    assert_eq!(
        note,
        "it does not repeat: runs 1 and 2 differ from each other at step 2, with nothing changed between them: a race, uninitialised \
         memory, or something from outside, such as a clock, gets in"
    );
    // The one that parts earlier tells most.
    let earlier = log(&PLAIN.replace("\"2\"", "\"9\""));
    let mut found = verify_log(&golden, &other, AskedFor::Everything).found;
    assert!(look_again(&mut found, (&golden, AskedFor::Everything), compare_runs(&other, &earlier), (&earlier, 2)));
    assert_eq!((found.verdict, found.first.map(|first| first.step)), (Verdict::Diverged, Some(1)));
    let mut found = verify_log(&golden, &golden, AskedFor::Everything).found;
    let compared = compare_runs(&golden, &other);
    let is_told = look_again(&mut found, (&golden, AskedFor::Everything), compared, (&other, 2));
    assert!(is_told, "it held the first time");
    assert_eq!((found.verdict, found.repeats), (Verdict::Diverged, Some(false)));
}
