//! The arguments of `physim verify`, and the work that they mean.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Mutex;

use crate::math::lanes::LanePath;
use crate::parallel::{Parallelism, Scheduling};
use clap::{Args, ValueEnum};

use crate::cli::failure::Failure;
use crate::cli::log_arguments::LogArguments;
use crate::cli::new_golden::NewPlace;
use crate::cli::options::{BisectExit, available_threads, lane_paths, parse_threads, parse_whole};
use crate::cli::replays::{Shard, parse_shard};
use crate::cli::verify::kept_goldens::KeptGoldens;
use crate::cli::verify::outputs::{OutputFile, check_is_no_output, check_outputs, parse_output};
use crate::cli::verify::subjects::{Subject, find_subjects};
use crate::report::verify::Format;

const EXAMPLES: &str = "\
Examples:
  physim verify billiards.mcap
  physim verify replays/                                   every replay in a folder
  physim verify replays/ --output junit:report.xml         for CI: text here, JUnit there
  physim verify replays/ --shard hash:1/4                  one of four machines
  physim verify long.mcap --threads 8                      the same bits on 8 threads?
  git bisect run physim verify --bisect-exit replays/      which commit broke them?

Any engine that prints a hash log (docs/hash-log.md), held to a recorded one:
  physim verify --exec './game --seed 7' goldens/seed_7.log
  physim verify --exec './game --level {name}' goldens/    one run for each *.log in there
  physim verify physim.ron                                 programs and goldens from a list

Where there is no golden log yet, the program is run twice and its log left as NAME.new, for
`physim accept`. What a program prints may as well be recorded by hand: ./game > NAME.

A replay that is named is read even if its run was killed (NAME.partial), as far as it goes.
Beside a golden that does not hold, what came out here is left as NAME.new, for `physim accept`; not
where CI is set in the environment, nor with --no-new or --bisect-exit. --new-dir leaves it in
another folder, in CI too. In CI, and with --new-dir, the difference is told in full.

Exit status: 0 all hold, 1 one differs or has other semantics, 2 a program failed or has no golden
yet, 3 a golden is damaged or unreadable.";

/// How long each run of a program may take where nothing is said of it, in seconds: with `bisect` as with `verify`.
pub const TIME_LIMIT: u32 = 60;

/// Run replays, or other programs, again and compare every step
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct VerifyArguments {
    /// Replays, lists of programs, or folders: all *.mcap and physim.ron in them and in the folders below; with --exec golden
    /// hash logs, or folders of *.log; `-` is a replay on standard input
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,

    /// Run this through the shell, and compare the hash log that it prints with PATH; {name} and {golden} stand for name and
    /// path of each golden
    #[arg(long, value_name = "COMMAND")]
    pub(super) exec: Option<String>,

    /// How often each program is run, to see whether it repeats itself; one that differs is run twice in any case, and three more
    /// times where its runs differ
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_whole::<1, 1000>)]
    repeat: u32,

    /// How long each run of a program may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = TIME_LIMIT, value_parser = parse_whole::<1, { u32::MAX }>)]
    time_limit: u32,

    /// How many threads work: on several replays at once, or on a single one; and how many programs run at once [default:
    /// as many replays at once as there are processors, each on 1, 2, 3 and 8 threads in turn; one program at a time]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<NonZeroU32>,

    /// The vectors to work with: scalar, sse2, avx2, avx512 or neon; never changes a result [default: the widest that this machine
    /// has]
    #[arg(long, value_name = "PATH", value_parser = lane_paths(), hide_possible_values = true)]
    lanes: Option<LanePath>,

    /// How to write the results: text, json (one object per line and golden), junit or github
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = VerifyFormat::Text, hide_possible_values = true)]
    format: VerifyFormat,

    /// Write the results into a file as well, in this format; may be repeated
    #[arg(long, value_name = "FORMAT:FILE", value_parser = parse_output)]
    output: Vec<OutputFile>,

    /// Replace the files of --output even if they are of another kind
    #[arg(long)]
    force: bool,

    /// Take the M-th of N parts of the goldens, chosen by the hash of their file names
    #[arg(long, value_name = "hash:M/N", value_parser = parse_shard)]
    shard: Option<Shard>,

    /// Leave no NAME.new beside a golden that does not hold
    #[arg(long, conflicts_with = "new_dir")]
    no_new: bool,

    /// Leave each NAME.new in this folder instead, under the path of its golden; where CI is set too
    #[arg(long, value_name = "DIR")]
    new_dir: Option<PathBuf>,

    #[command(flatten)]
    logs: LogArguments,

    #[command(flatten)]
    pub bisect: BisectExit,
}

/// The formats by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VerifyFormat {
    Text,
    Json,
    Junit,
    Github,
}

impl VerifyFormat {
    /// As the report knows it.
    pub const fn format(self) -> Format {
        match self {
            Self::Text => Format::Text,
            Self::Json => Format::Json,
            Self::Junit => Format::Junit,
            Self::Github => Format::Github,
        }
    }
}

/// The work that the arguments mean.
pub struct Request {
    /// What is verified, in order.
    pub subjects: Vec<Subject>,
    /// Threads that each take a golden at a time.
    pub workers: usize,
    /// Threads within each replay: never a plain run, so that what they do wrong shows.
    pub parallelism: Parallelism,
    /// How the results are written to standard output.
    pub format: Format,
    /// Where else they are written.
    pub outputs: Vec<OutputFile>,
    /// What the goldens are called together.
    pub things: &'static str,
    /// Which part of all it is.
    pub shard: Option<String>,
    /// Where what came out here is left.
    pub new_place: NewPlace,
    /// Whether CI is what keeps new results back.
    pub is_kept_back_by_ci: bool,
    /// Whether nobody will look further on this machine, so that all is told at once.
    pub in_full: bool,
    /// How often each program is run, at least.
    pub repeat: u32,
    /// How long each run of a program may take, in seconds.
    pub time_limit: u32,
    /// How hash logs are read.
    pub logs: LogArguments,
    /// Held by whoever runs a program, where they run one at a time: they may write the same files.
    pub one_program: Option<Mutex<()>>,
    /// All goldens as they are before the first program runs.
    pub kept: KeptGoldens,
}

impl Request {
    /// How to get at what came out here, where CI is why nothing is left of it.
    pub fn how_to_keep(&self) -> Option<String> {
        self.is_kept_back_by_ci.then(|| {
            "what came out here is not kept, for CI is set: --new-dir DIR writes it into a folder, for upload"
                .to_owned()
        })
    }
}

/// What the order of work within each replay follows from.
const SEED: u64 = 0;

impl VerifyArguments {
    /// Finds what is to be verified, and refuses what cannot be done before anything is run; tells what is left alone in
    /// folders.
    pub fn into_request(self, tell: &mut dyn FnMut(&str)) -> Result<Request, Failure> {
        self.output.iter().try_for_each(OutputFile::remove_earlier)?;
        let all = find_subjects(&self.paths, self.exec.as_deref(), tell)?;
        let found = all.len();
        let things =
            if all.iter().all(|subject| matches!(subject, Subject::Replay(_))) { "replays" } else { "goldens" };
        let subjects: Vec<Subject> = all
            .into_iter()
            .filter(|subject| self.shard.is_none_or(|shard| shard.takes(&subject.shard_name())))
            .collect();
        let threads = self.threads.unwrap_or_else(available_threads).get();
        let workers = u32::try_from(subjects.len()).unwrap_or(u32::MAX).clamp(1, threads);
        let shard = self
            .shard
            .map(|Shard { index, count }| format!("shard {index} of {count}: {} of {found} {things}", subjects.len()));
        let in_ci = is_continuous_integration();
        let in_full = in_ci || self.new_dir.is_some();
        let is_kept_back_by_ci = in_ci && self.new_dir.is_none() && !self.no_new && !self.bisect.bisect_exit;
        if let Some(folder) = &self.new_dir {
            check_is_no_output(folder, &self.output)?;
        }
        let new_place = match self.new_dir {
            Some(folder) => NewPlace::folder(folder)?,
            None if self.no_new || self.bisect.bisect_exit || in_ci => NewPlace::Nowhere,
            None => NewPlace::Beside,
        };
        check_outputs(&self.output, &subjects, &self.paths, &new_place, self.force)?;
        let kept = KeptGoldens::of(&subjects, &new_place, self.threads.is_some() && workers > 1);
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
            format: self.format.format(),
            outputs: self.output,
            shard,
            things,
            subjects,
            new_place,
            is_kept_back_by_ci,
            in_full: in_full && !self.bisect.bisect_exit,
            repeat: self.repeat,
            time_limit: self.time_limit,
            logs: self.logs,
            kept,
            one_program: self.threads.is_none().then(|| Mutex::new(())),
        })
    }
}

/// Whether nobody is there to look at a new result: what services that run tests say of themselves.
fn is_continuous_integration() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty())
}
