//! A replay that did not hold on threads, looked at again: is it the build, what the threads do, or does it not repeat?

use crate::analysis::verify::{Ended, Ran, Verification};
use crate::parallel::{Parallelism, Scheduling};
use crate::replay::Replay;

/// Runs the replay again plainly on one thread and, where that comes out another way, as before; says what follows from it.
///
/// Two different runs that diverge in the same way need no third: it repeats, and threads have no part in it.
pub(super) fn look_again(
    replay: &Replay,
    first: Ran,
    parallelism: Parallelism,
    run: &mut dyn FnMut(Parallelism) -> Ran,
) -> Verification {
    let plainly = Parallelism::plain(1);
    if first.ended == Ended::Held || (parallelism.scheduling, parallelism.threads) == (Scheduling::Plain, 1) {
        return first.found;
    }
    let plain = run(plainly);
    if plain.ended == first.ended {
        return Verification { repeats: Some(true), ..first.found };
    }
    let first = Ran { found: Verification { is_explained: true, ..first.found }, ..first };
    let again = run(parallelism);
    if again.ended != first.ended {
        let once = if plain.ended == Ended::Held { "; on one thread it was the same" } else { "" };
        let found = Verification { repeats: Some(false), ..first.found };
        return found.note(format!(
            "it does not repeat: two equal runs differ from each other, one {}, one {}{once}",
            first.ended, again.ended
        ));
    }
    if plain.ended == Ended::Held {
        let found = Verification { repeats: Some(true), ..first.found };
        return found
            .note("on one thread it is the same: what the threads do reaches the result")
            .note(format!("next: {}", proposal(replay)));
    }
    let plain_again = run(plainly);
    let repeats = plain_again.ended == plain.ended;
    let note = if repeats {
        format!("on one thread it differs in another way, {}: what the threads do reaches the result", plain.ended)
    } else {
        format!(
            "it does not repeat: two equal runs on one thread differ from each other, one {}, one {}",
            plain.ended, plain_again.ended
        )
    };
    Verification { repeats: Some(repeats), ..first.found }.note(note)
}

/// The command that searches for the number of threads that matters.
fn proposal(replay: &Replay) -> String {
    let header = &replay.header;
    let mut words = vec![format!("--scalar={}", header.scalar), format!("--steps={}", header.steps)];
    words.extend(header.overrides.iter().map(|set| format!("--set={set}")));
    words.extend(replay.perturbations.iter().map(|planted| format!("--fault={}", planted.fault)));
    let is_plain = |word: &str| word.chars().all(|letter| letter.is_alphanumeric() || "/._-=@,:+".contains(letter));
    let start = "physim bisect";
    let axis = "--axis threads=1,2,3,8";
    match header.scene_file.as_deref().filter(|scene| is_plain(scene)) {
        Some(scene) if words.iter().all(|word| is_plain(word)) => format!("{start} {scene} {axis} {}", words.join(" ")),
        _ => format!("{start} SCENE {axis}, with the scene and the options that the replay was recorded with"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::look_again;
    use crate::analysis::outcome::Verdict;
    use crate::analysis::verify::{Ended, Ran, Verification};
    use crate::parallel::{Parallelism, Scheduling};
    use crate::replay::{Replay, ReplayWriter, read_strict_bytes};
    use crate::scene;
    use crate::session::record::{RunPlan, record};

    fn replay() -> Replay {
        let text = "(version: 1, name: \"one\", steps: 2, bodies: [(name: \"ball\", shape: Sphere(radius: 1))])";
        let scene = scene::parse("test scene", text).unwrap_or_else(|error| panic!("{error}"));
        let plan = RunPlan { scene_file: Some("one.ron".to_owned()), ..RunPlan::new(Arc::new(scene)) };
        let mut open = |header: &_, scene: &str, _| ReplayWriter::new("memory", Vec::new(), header, scene).map(Some);
        let (_, bytes) = record(&plan, &mut open, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
        read_strict_bytes(&bytes.unwrap_or_default()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A run that diverges after a step in a state of this digest; 0 is one that holds.
    fn ran(digest: u8) -> Ran {
        let ended = if digest == 0 { Ended::Held } else { Ended::Parts { step: 7, root: [digest; 32] } };
        Ran { found: Verification::new(Verdict::Diverged), ended }
    }

    /// The notes when the first run, the one on one thread, and those after it end so.
    fn notes(first: u8, others: &[u8]) -> (Vec<String>, Vec<u32>) {
        let parallelism = Parallelism { scheduling: Scheduling::Scrambled { seed: 1 }, ..Parallelism::plain(5) };
        let mut asked = Vec::new();
        let found = look_again(&replay(), ran(first), parallelism, &mut |parallelism| {
            asked.push(parallelism.threads);
            ran(others[asked.len() - 1])
        });
        (found.notes, asked)
    }

    #[test]
    fn what_holds_or_parts_alike_on_one_thread_is_not_looked_at_further() {
        assert_eq!(notes(0, &[]), (vec![], vec![]));
        assert_eq!(notes(1, &[1]), (vec![], vec![1]));
    }

    #[test]
    fn a_difference_on_threads_alone_is_theirs_and_says_what_to_do() {
        let (notes, asked) = notes(1, &[0, 1]);
        assert_eq!(asked, [1, 5]);
        assert_eq!(notes[0], "on one thread it is the same: what the threads do reaches the result");
        assert_eq!(notes[1], "next: physim bisect one.ron --axis threads=1,2,3,8 --scalar=fixed --steps=2");
    }

    #[test]
    fn equal_runs_that_differ_do_not_repeat_and_nothing_is_blamed() {
        for others in [[0, 2].as_slice(), &[0, 0], &[2, 3], &[2, 1, 3], &[2, 1, 0]] {
            let (notes, _) = notes(1, others);
            assert!(notes.len() == 1 && notes[0].starts_with("it does not repeat"), "{others:?}: {notes:?}");
            assert!(!notes[0].contains("reaches the result"), "{notes:?}");
        }
    }

    #[test]
    fn one_thread_may_differ_in_another_way_each_time() {
        let (notes, _) = notes(1, &[2, 1, 2]);
        assert!(notes[0].contains("differs in another way"), "{notes:?}");
    }
}
