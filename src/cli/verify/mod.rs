//! `physim verify`: do recorded goldens still reproduce? [`arguments`] says what is asked for, [`subjects`] what that means,
//! [`replay`] and [`program`] verify one golden, [`kept_golden`] and [`kept_goldens`] see whether programs
//! leave goldens alone, [`first_golden`] makes one where there is none, [`closer`] says more of a difference, [`leaving`] leaves what came out, [`race`] looks closer at one that does not repeat, [`outputs`] are the files that results go to, [`earlier_results`] knows
//! those of an earlier run.

mod arguments;
mod closer;
mod earlier_results;
mod first_golden;
mod golden_log;
mod kept_golden;
mod kept_goldens;
mod leaving;
mod outputs;
mod program;
mod race;
mod replay;
mod subjects;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Instant;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::replays::status_of;
use crate::cli::verify::arguments::Request;
use crate::cli::verify::subjects::Subject;
use crate::parallel::thread_builder;
use crate::report::console::Console;
use crate::report::progress::Progress;
use crate::report::verify::{Reporter, VerifiedGolden};

pub use arguments::{TIME_LIMIT, VerifyArguments};
pub use subjects::LOG_EXTENSION;

/// Runs the command. The results come in the order of the goldens, whichever is done first.
pub fn execute(arguments: VerifyArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let request = arguments.into_request(&mut |what| console.warning(what))?;
    let names: Vec<String> = request.subjects.iter().map(Subject::name).collect();
    let reporter = |format| Reporter::new(format, &names, request.shard.clone());
    let mut shown = reporter(request.format);
    let mut written: Vec<(Reporter, String)> =
        request.outputs.iter().map(|output| (reporter(output.format), String::new())).collect();
    let mut status = ExitStatus::Done;
    let progress = Progress::new(request.subjects.len() as u64, request.things);
    let start = now();
    verify_all(&request, &progress, &mut |number, golden| {
        status = status.max(status_of(golden.verdict()));
        let text = shown.add(&golden);
        written.iter_mut().for_each(|(reporter, text)| text.push_str(&reporter.add(&golden)));
        progress.suspend(|| console.result(&text));
        progress.reached(number as u64 + 1);
    });
    progress.finish();
    let elapsed = start.elapsed();
    console.result(&shown.finish(elapsed));
    for ((reporter, text), output) in written.into_iter().zip(&request.outputs) {
        output.write(&(text + &reporter.finish(elapsed)))?;
    }
    Ok(status)
}

/// Verifies all goldens and hands them over in their order.
fn verify_all(request: &Request, progress: &Progress, take: &mut dyn FnMut(usize, VerifiedGolden)) {
    let verify = |subject: &Subject| verify_one(subject, request, progress);
    let verify_in_turn = |take: &mut dyn FnMut(usize, VerifiedGolden)| {
        request.subjects.iter().enumerate().for_each(|(number, subject)| take(number, verify(subject)));
    };
    // Where there are no threads, not even the code that would start one may be linked.
    if request.workers == 1 || cfg!(target_family = "wasm") {
        return verify_in_turn(take);
    }
    let (sender, receiver) = channel();
    let (verify, next_to_do) = (&verify, &AtomicUsize::new(0));
    // These are not threads of a pool: one of those, while it waited for threads of another, would begin a second replay.
    std::thread::scope(|scope| {
        for _ in 0..request.workers {
            let sender = sender.clone();
            let work = move || {
                while let Some((number, subject)) = take_next(next_to_do, &request.subjects) {
                    // Nobody is left to listen only when the program is on its way out.
                    let _ = sender.send((number, verify(subject)));
                }
            };
            // Where the machine gives no more of them, those that it gave do it all.
            if thread_builder(request.workers).spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (number, golden) in receiver {
            waiting.insert(number, golden);
            while let Some(golden) = waiting.remove(&next) {
                take(next, golden);
                next += 1;
            }
        }
    });
    // Nothing is left unless it gave none.
    while let Some((number, subject)) = take_next(next_to_do, &request.subjects) {
        take(number, verify(subject));
    }
}

/// The next golden that no thread has taken yet.
fn take_next<'a>(next: &AtomicUsize, subjects: &'a [Subject]) -> Option<(usize, &'a Subject)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    subjects.get(number).map(|subject| (number, subject))
}

/// Verifies one golden, and takes the time.
fn verify_one(subject: &Subject, request: &Request, progress: &Progress) -> VerifiedGolden {
    let _one_program = match (subject, &request.one_program) {
        (Subject::Program(_), Some(one)) => Some(one.lock().unwrap_or_else(std::sync::PoisonError::into_inner)),
        _ => None,
    };
    let start = now();
    let golden = match subject {
        Subject::Replay(path) => match request.kept.changed(path) {
            Some(found) => VerifiedGolden::new(subject.name(), Ok(found)),
            None => replay::verify(path, request, progress),
        },
        Subject::Program(program) => program::verify(program, request, progress),
    };
    VerifiedGolden { seconds: start.elapsed().as_secs_f64(), ..golden }
}

#[expect(clippy::disallowed_methods, reason = "reported beside the results, of which none depends on it")]
fn now() -> Instant {
    Instant::now()
}
