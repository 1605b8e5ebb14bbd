//! A command that is run on each candidate; its exit status is what must stay.

use std::path::{Path, PathBuf};
use std::time::Duration;

use physim::analysis::minimize::{Candidate, Oracle, Verdict, plain_run};
use physim::session::record::RunPlan;

use crate::cli::failure::Failure;
use crate::cli::process::{Limits, ProcessFailure, run_command};
use crate::report::run::quoted;

/// The most that the command may write to standard output, in bytes. Nobody reads it.
const OUTPUT_BYTES: usize = 64 << 20;
/// What shells add to the number of a signal to make an exit status of it.
const SIGNAL_STATUS: i32 = 128;

/// The command and what is expected of it.
pub struct CommandOracle {
    /// The command line, with `{}` for the scene's file.
    template: String,
    limits: Limits,
    /// The status that must stay, once that is known.
    pub expected: Option<i32>,
    folder: Folder,
    /// Tests that came to no exit status, and what became of the last of them.
    pub failures: (u64, String),
}

/// A folder of our own for candidates, which goes when it is dropped.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl CommandOracle {
    /// The oracle of a command line.
    pub fn new(template: &str, expected: Option<i32>, time: Duration) -> Result<Self, Failure> {
        if !template.contains("{}") {
            let example = "such as --test './my_engine {}'";
            return Err(Failure::Usage(format!("--test: `{{}}` must stand where the scene's file belongs, {example}")));
        }
        let folder = std::env::temp_dir().join(format!("physim-minimize-{}", std::process::id()));
        std::fs::create_dir_all(&folder)
            .map_err(|error| Failure::Usage(format!("{}: cannot create this folder: {error}", folder.display())))?;
        let limits = Limits { time, output_bytes: OUTPUT_BYTES };
        Ok(Self {
            template: template.to_owned(),
            limits,
            expected,
            folder: Folder(folder),
            failures: (0, String::new()),
        })
    }

    /// The command line for a file.
    pub fn line_for(&self, path: &Path) -> String {
        self.template.replace("{}", &quoted(&path.display().to_string()))
    }

    /// What the command says of a scene: its exit status, or that of a shell where a signal ended it.
    pub fn status_of(&self, text: &str) -> Result<i32, String> {
        let path = self.folder.0.join("candidate.ron");
        std::fs::write(&path, text).map_err(|error| format!("{}: cannot write it: {error}", path.display()))?;
        match run_command(&self.line_for(&path), &self.limits) {
            Ok(finished) => Ok(finished.status),
            Err(ProcessFailure::Killed { signal: Some(signal), .. }) => Ok(SIGNAL_STATUS + signal),
            Err(failure) => Err(failure.to_string()),
        }
    }
}

impl Oracle for CommandOracle {
    fn ask(&mut self, candidate: &Candidate, _: &mut dyn FnMut() -> bool) -> Verdict {
        match self.status_of(&candidate.scene.to_canonical_ron()) {
            Ok(status) if Some(status) == self.expected => Verdict::Shows { step: None },
            Ok(_) => Verdict::Hides,
            Err(message) => {
                self.failures = (self.failures.0 + 1, message);
                Verdict::Hides
            }
        }
    }

    fn knows_step(&self) -> bool {
        false
    }

    fn run_of(&self, candidate: &Candidate) -> RunPlan {
        plain_run(&candidate.scene)
    }
}
