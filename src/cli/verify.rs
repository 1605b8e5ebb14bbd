//! `physim verify`: do recorded replays still reproduce?

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use crate::analysis::Verdict;
use crate::analysis::verify::{Verification, verify_file, verify_replay_with};
use crate::math::lanes::LanePath;
use crate::parallel::{Parallelism, Scheduling};
use crate::replay::Recovered;
use clap::{Args, ValueEnum};

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::new_golden::{note_stale, write_new};
use crate::cli::options::{BisectExit, available_threads, lane_paths, parse_threads};
use crate::cli::replays::{EXTENSION, Shard, find_replays, parse_shard, read_replay, status_of};
use crate::cli::source::{is_dash, is_scene, name_of};
use crate::report::console::Console;
use crate::report::program::command;
use crate::report::progress::Progress;
use crate::report::run::quoted;
use crate::report::verify::{Format, Reporter, VerifiedReplay};

const EXAMPLES: &str = "\
Examples:
  physim verify billiards.mcap
  physim verify replays/                                   every replay in a folder
  physim verify replays/ --format junit > report.xml       for CI
  physim verify replays/ --shard hash:1/4                  one of four machines
  physim verify long.mcap --threads 8                      the same bits on 8 threads?
  git bisect run physim verify --bisect-exit replays/      which commit broke them?

A replay that is named is read even if its run was killed (NAME.partial), as far as it goes.
Beside one that differs, what this build gives is written as NAME.new, for `physim accept`; not
where CI is set in the environment, nor with --no-new or --bisect-exit.

Exit status: 0 all hold, 1 one differs or has other semantics, 3 one is damaged or unreadable.";

/// Run replays again and compare every step
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct VerifyArguments {
    /// Replays, or folders: all *.mcap in them and in the folders below; `-` is standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// How many threads work: on several replays at once, or on a single one [default: as many replays at once as there
    /// are processors, each on 1, 2, 3 and 8 threads in turn]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<NonZeroU32>,

    /// The vectors to work with: scalar, sse2, avx2, avx512 or neon; never changes a result [default: the widest that this machine
    /// has]
    #[arg(long, value_name = "PATH", value_parser = lane_paths(), hide_possible_values = true)]
    lanes: Option<LanePath>,

    /// How to write the results: text, json (one object per line and replay), junit or github
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = VerifyFormat::Text, hide_possible_values = true)]
    format: VerifyFormat,

    /// Take the M-th of N parts of the replays, chosen by the hash of their file names
    #[arg(long, value_name = "hash:M/N", value_parser = parse_shard)]
    shard: Option<Shard>,

    /// Write no NAME.new beside a replay that does not hold
    #[arg(long)]
    no_new: bool,

    #[command(flatten)]
    pub bisect: BisectExit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum VerifyFormat {
    Text,
    Json,
    Junit,
    Github,
}

/// The work that the arguments mean.
struct Request {
    replays: Vec<PathBuf>,
    /// Threads that each take a replay at a time.
    workers: usize,
    /// Threads within each replay: never a plain run, so that what they do wrong shows.
    parallelism: Parallelism,
    format: Format,
    shard: Option<String>,
    /// Whether what this build gives is recorded beside a replay that does not hold.
    write_new: bool,
}

impl VerifyArguments {
    fn into_request(self) -> Result<Request, Failure> {
        let all = find_replays(&self.paths)?;
        let found = all.len();
        let replays: Vec<PathBuf> =
            all.into_iter().filter(|path| self.shard.is_none_or(|shard| shard.takes(path))).collect();
        let threads = self.threads.unwrap_or_else(available_threads).get();
        let workers = u32::try_from(replays.len()).unwrap_or(u32::MAX).clamp(1, threads);
        let shard = self
            .shard
            .map(|Shard { index, count }| format!("shard {index} of {count}: {} of {found} replays", replays.len()));
        Ok(Request {
            workers: workers as usize,
            parallelism: Parallelism {
                threads: threads / workers,
                scheduling: match self.threads {
                    None => Scheduling::ScrambledInTurn { seed: SEED },
                    Some(_) => Scheduling::Scrambled { seed: SEED },
                },
                lanes: self.lanes.unwrap_or_else(LanePath::widest),
            },
            format: match self.format {
                VerifyFormat::Text => Format::Text,
                VerifyFormat::Json => Format::Json,
                VerifyFormat::Junit => Format::Junit,
                VerifyFormat::Github => Format::Github,
            },
            shard,
            replays,
            write_new: !self.no_new && !self.bisect.bisect_exit && !is_continuous_integration(),
        })
    }
}

/// Whether nobody is there to look at a new result: what services that run tests say of themselves.
fn is_continuous_integration() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty())
}

/// What the order of work within each replay follows from.
const SEED: u64 = 0;

/// Runs the command. The results come in the order of the replays, whichever is done first.
pub fn execute(arguments: VerifyArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let request = arguments.into_request()?;
    let names: Vec<String> = request.replays.iter().map(|path| name_of(path)).collect();
    let mut reporter = Reporter::new(request.format, &names, request.shard.clone());
    let mut status = ExitStatus::Done;
    let progress = Progress::new(request.replays.len() as u64, "replays");
    verify_all(&request, &progress, &mut |number, replay| {
        status = status.max(status_of_replay(&replay));
        let text = reporter.add(&replay);
        progress.suspend(|| console.result(&text));
        progress.reached(number as u64 + 1);
    });
    progress.finish();
    console.result(&reporter.finish());
    Ok(status)
}

fn status_of_replay(replay: &VerifiedReplay) -> ExitStatus {
    replay.result.as_ref().map_or(ExitStatus::Damaged, |found| status_of(found.verdict))
}

/// Verifies all replays and hands them over in their order.
fn verify_all(request: &Request, progress: &Progress, take: &mut dyn FnMut(usize, VerifiedReplay)) {
    let verify = |path: &Path| verify_one(path, request, progress);
    let verify_in_turn = |take: &mut dyn FnMut(usize, VerifiedReplay)| {
        request.replays.iter().enumerate().for_each(|(number, path)| take(number, verify(path)));
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
            scope.spawn(move || {
                while let Some((number, path)) = take_next(next_to_do, &request.replays) {
                    // Nobody is left to listen only when the program is on its way out.
                    let _ = sender.send((number, verify(path)));
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (number, replay) in receiver {
            waiting.insert(number, replay);
            while let Some(replay) = waiting.remove(&next) {
                take(next, replay);
                next += 1;
            }
        }
    });
}

/// The next replay that no thread has taken yet.
fn take_next<'a>(next: &AtomicUsize, replays: &'a [PathBuf]) -> Option<(usize, &'a Path)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    replays.get(number).map(|path| (number, path.as_path()))
}

fn verify_one(path: &Path, request: &Request, progress: &Progress) -> VerifiedReplay {
    let (name, parallelism) = (name_of(path), request.parallelism);
    let mut say = |step: u32, of: u32| progress.say(|| format!("{name}: step {step} of {of}"));
    let mut result = if is_dash(path) {
        verify_standard_input(path, parallelism, &mut say)
    } else {
        verify_file(path, parallelism, &mut say).map_err(|error| error.to_string())
    };
    let mut new = None;
    if let Ok(found) = &mut result {
        if !found.is_replay && is_scene(path) {
            found.damage = Some(scene_for_a_replay(&name));
        }
        if request.write_new {
            let mut say = |step: u32| progress.say(|| format!("{name}.new: step {step}"));
            new = write_new(path, found, &mut say).map(|path| path.display().to_string());
        }
        note_stale(path, found);
    }
    VerifiedReplay { name, result, new }
}

/// What is said of a scene where a replay is expected.
fn scene_for_a_replay(name: &str) -> String {
    let replay = Path::new(name).with_extension(EXTENSION).display().to_string();
    let [scene, replay] = [name, &replay].map(quoted);
    let (record, verify) = (command(&format!("run {scene} -o {replay}")), command(&format!("verify {replay}")));
    format!("it is a scene, not a replay; record a run of it first, `{record}`, then `{verify}`")
}

/// Verifies what comes through a pipe, as far as it is sound.
fn verify_standard_input(
    path: &Path,
    parallelism: Parallelism,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Verification, String> {
    let Recovered { replay, damage } = read_replay(path).map_err(|failure| failure.to_string())?;
    let mut found = verify_replay_with(&replay, parallelism, progress);
    if let Some(damage) = damage {
        found.verdict = Verdict::Damaged;
        found.damage = Some(format!("{} is damaged: {damage}", name_of(path)));
    }
    Ok(found)
}
