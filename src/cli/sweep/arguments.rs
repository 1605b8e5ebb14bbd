//! What `physim sweep` is told.

use std::num::NonZeroU32;
use std::path::PathBuf;

use crate::analysis::sweep::RESULT_COLUMNS;
use crate::analysis::sweep::merge::Shard;
use crate::math::ScalarKind;
use clap::{Args, ValueEnum};

use crate::cli::failure::Failure;
use crate::cli::options::{Listed, available_threads, listed, parse_scalar, parse_threads};
use crate::cli::plot::LogAxes;
use crate::cli::source::is_dash;

const EXAMPLES: &str = "\
Examples:
  physim sweep scenes/stack_20.ron --set solver.iterations=1,4,8,50
  physim sweep scenes/stack_20.ron --set solver.iterations=1,4,8 --set scalar=fixed,f32 --body 'box[19]'
  physim sweep game.ron --set gravity.1=-9.81,-1.62 --set 'solver.correction=Soft(hertz: 30),Soft(hertz: 90)' -o game.csv
  physim sweep game.ron --matrix settings.csv -o game.jsonl        a run for each row
  physim sweep game.ron --set seed=1,2,3 --plot seeds.svg --what largest_overlap
  physim sweep game.ron --set dt=1/60,1/120 --shard 2/5 -o part2.csv
  physim sweep game.ron --set dt=1/60,1/120 --merge parts/ -o all.csv

Every combination is a run; the last key changes fastest. A file is written row by row: the same command goes on with it
after an interruption. docs/sweep.md has the columns, and recipes for GNU parallel, CI matrices and Slurm arrays.

Exit status: 0 all runs are in the table, also those that stopped on an error (column `stopped`); 1 with --merge where
runs are missing; 2 wrong usage or settings, or it cannot be written.";

/// Run a scene under every combination of settings: one table
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SweepArguments {
    /// The scene, a file in RON; `-` is standard input
    #[arg(value_name = "SCENE")]
    pub(super) scene: PathBuf,

    /// A key of the scene and its values, separated by commas outside of brackets and quotes; may be repeated
    #[arg(long, value_name = "KEY=VALUE,...")]
    pub(super) set: Vec<String>,

    /// Settings as a table: its first line has the keys, each further line is a combination
    #[arg(long, value_name = "FILE.csv")]
    pub(super) matrix: Option<PathBuf>,

    /// Tell how far these bodies end from where they were, and how fast: a name, or a pattern with `*` and `?`; may be repeated
    #[arg(long, value_name = "PATTERN")]
    pub(super) body: Vec<String>,

    /// How many steps each run takes [default: the scene's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=1_000_000_000))]
    pub(super) steps: Option<u32>,

    /// The number type to compute in: fixed, f32 or f64 [default: the scene's]
    #[arg(long, value_name = "SCALAR", value_parser = parse_scalar)]
    pub(super) scalar: Option<ScalarKind>,

    /// Further inputs of every run, one RON record on each line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(super) inputs: Option<PathBuf>,

    /// How many runs at once, each on one thread [default: as many as the machine has cores]
    #[arg(long, visible_alias = "threads", value_name = "N", value_parser = parse_threads)]
    jobs: Option<NonZeroU32>,

    /// Write the table into this file, row by row; the same command goes on with what is there
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// The form of the table: text, csv or json (an object on each line) [default: by the file's ending, otherwise text]
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    pub(super) format: Option<SweepFormat>,

    /// Begin anew, whatever the output holds
    #[arg(long)]
    pub(super) force: bool,

    /// Take each Nth run only, from the Kth on: several machines share a sweep
    #[arg(long, value_name = "K/N", value_parser = parse_shard, allow_hyphen_values = true)]
    pub(super) shard: Option<Shard>,

    /// Run nothing: join these tables of the same sweep, or all in a folder; may be repeated
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., conflicts_with_all = ["shard", "record", "jobs"])]
    pub(super) merge: Vec<PathBuf>,

    /// Record each run in this folder, as NUMBER.mcap
    #[arg(long, value_name = "DIR")]
    pub(super) record: Option<PathBuf>,

    /// Draw a result against the first setting that changes
    #[arg(long, value_name = "FILE.svg")]
    pub(super) plot: Option<PathBuf>,

    /// Which result to draw [default: energy_drift]
    #[arg(long, value_name = "COLUMN", requires = "plot", value_parser = columns(), hide_possible_values = true)]
    pub(super) what: Option<String>,

    /// Which axes of the picture are logarithmic: x, y or xy
    #[arg(long, value_enum, value_name = "AXES", requires = "plot", hide_possible_values = true)]
    log: Option<LogAxes>,
}

/// The form of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SweepFormat {
    Text,
    Csv,
    Json,
}

/// A parser of columns: any text, for those of bodies have the names of bodies.
fn columns() -> Listed<String> {
    let names = RESULT_COLUMNS.into_iter().chain(["ms_per_step"]).filter(|name| *name != "hash");
    listed(names.collect(), |text| Ok(text.to_owned()))
}

fn parse_shard(text: &str) -> Result<Shard, String> {
    Shard::parse(text).ok_or_else(|| "expected K/N with K from 1 to N, such as 2/5".to_owned())
}

impl SweepArguments {
    /// How many runs go on at once.
    pub(super) fn jobs(&self) -> NonZeroU32 {
        self.jobs.unwrap_or_else(available_threads)
    }

    /// Which axes of the picture are logarithmic.
    pub(super) const fn log_axes(&self) -> (bool, bool) {
        match self.log {
            None => (false, false),
            Some(LogAxes::X) => (true, false),
            Some(LogAxes::Y) => (false, true),
            Some(LogAxes::Xy) => (true, true),
        }
    }

    /// The file of the table, if it goes into one.
    pub(super) fn file(&self) -> Option<&std::path::Path> {
        self.output.as_deref().filter(|path| !is_dash(path))
    }

    /// The form of the table.
    pub(super) fn chosen_format(&self) -> Result<SweepFormat, Failure> {
        let Some(file) = self.file() else { return Ok(self.format.unwrap_or(SweepFormat::Text)) };
        let ending = file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let by_ending = match ending.as_deref() {
            Some("csv") => Some(SweepFormat::Csv),
            Some("json" | "jsonl" | "ndjson") => Some(SweepFormat::Json),
            _ => None,
        };
        let shown = file.display();
        match self.format.or(by_ending) {
            Some(SweepFormat::Text) => Err(Failure::Usage(format!(
                "-o {shown}: a file is csv or json, so that it can be gone on with; for the text write `> {shown}`"
            ))),
            Some(format) => Ok(format),
            None => Err(Failure::Usage(format!("-o {shown}: its ending says no format; give --format csv or json"))),
        }
    }

    /// Refuses what cannot be meant.
    pub(super) fn check(&self) -> Result<(), Failure> {
        if self.set.is_empty() && self.matrix.is_none() {
            return Err(Failure::Usage(
                "nothing is swept: give --set KEY=VALUE,VALUE,... or --matrix FILE.csv".to_owned(),
            ));
        }
        if self.matrix.as_deref().is_some_and(is_dash) {
            return Err(Failure::Usage("--matrix: the table comes from a file".to_owned()));
        }
        self.chosen_format().map(|_| ())
    }
}
