//! A command that is run on each candidate; its exit status is what must stay.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use crate::analysis::minimize::{Answer, Candidate, Oracle, plain_run};
use crate::session::record::RunPlan;

use crate::cli::failure::Failure;
use crate::cli::minimize::refusal::does_not_repeat;
use crate::cli::process::{Finished, Limits, ProcessFailure, can_start_programs, run_command};
use crate::cli::temporary_folder::TemporaryFolder;
use crate::report::number::counted;
use crate::report::run::{quoted, shell_word};
use crate::report::style::printable;

/// The most that the command may write to standard output, in bytes. Nobody reads it.
const OUTPUT_BYTES: usize = 64 << 20;
/// The statuses by which a shell says that it could not run a command.
const NOT_RUN: [i32; 2] = [126, 127];
/// What shells add to the number of a signal to make an exit status of it.
const SIGNAL_STATUS: i32 = 128;

/// The command and what is expected of it.
pub struct CommandOracle {
    /// The command line, with `{}` for the scene's file.
    template: String,
    limits: Limits,
    /// The status that must stay, once that is known.
    expected: Option<i32>,
    folder: TemporaryFolder,
    /// The name of the file that the command is given.
    file_name: String,
    /// What is made smaller, for messages.
    what: &'static str,
    /// Tests that came to no exit status, and what became of the last of them.
    pub failures: (u64, String),
}

impl CommandOracle {
    /// The oracle of a command line, for scenes.
    pub fn new(template: &str, expected: Option<i32>, time: Duration) -> Result<Self, Failure> {
        Self::of(template, expected, time, "candidate.ron".to_owned(), "scene")
    }

    /// The oracle of a command line, for files of this name.
    pub fn of(
        template: &str,
        expected: Option<i32>,
        time: Duration,
        file_name: String,
        what: &'static str,
    ) -> Result<Self, Failure> {
        if !template.contains("{}") {
            let example = "such as --test './my_engine {}'";
            return Err(Failure::Usage(format!("--test: `{{}}` must stand where the {what} belongs, {example}")));
        }
        // Where there are no programs, there may be no folder for temporary files either.
        can_start_programs().map_err(|failure| Failure::Usage(format!("--test: {failure}")))?;
        let folder = TemporaryFolder::new("minimize")?;
        let limits = Limits { time, output_bytes: OUTPUT_BYTES };
        Ok(Self {
            template: template.to_owned(),
            limits,
            expected,
            folder,
            file_name,
            what,
            failures: (0, String::new()),
        })
    }

    /// The status that must stay.
    pub const fn expected(&self) -> Option<i32> {
        self.expected
    }

    /// The command line for a file, for people.
    pub fn line_for(&self, path: &Path) -> String {
        self.template.replace("{}", &quoted(&path.display().to_string()))
    }

    /// What the command says of the whole scene, asked so many times: this must stay. Where it says it in some runs only,
    /// each scene has to be asked about more than once.
    pub fn ask_first(&mut self, text: &[u8], asked: u32, is_repeated: bool) -> Result<(), Failure> {
        let finished = self.run(text).map_err(|failure| Failure::Usage(format!("--test: {failure}")))?;
        let mut statuses = vec![Some(finished.status)];
        statuses.extend((1..asked).map(|_| self.run(text).ok().map(|finished| finished.status)));
        let failing = statuses.iter().flatten().copied().find(|status| *status != 0);
        let expected = self.expected.or(failing);
        let shown = statuses.iter().filter(|status| expected.is_some() && **status == expected).count();
        if shown == 0 {
            return Err(self.refused(&statuses));
        }
        if self.expected.is_none() && expected.is_some_and(|status| NOT_RUN.contains(&status)) {
            let words = printable(finished.stderr_tail.trim().lines().next_back().unwrap_or("no such program"));
            let status = expected.unwrap_or_default();
            return Err(Failure::Usage(format!(
                "--test: the command gives {status} for the whole {}, by which a shell says that it cannot run it \
                 ({words}); is its path right?",
                self.what
            )));
        }
        if shown < statuses.len() && !is_repeated {
            let status = expected.unwrap_or_default();
            return Err(does_not_repeat(shown, statuses.len(), &format!(", which end with status {status}")));
        }
        self.expected = expected;
        Ok(())
    }

    /// Why the whole scene does not show it in any of its runs.
    fn refused(&self, statuses: &[Option<i32>]) -> Failure {
        let given = statuses.iter().flatten().copied().collect::<BTreeSet<i32>>();
        let given = given.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
        let why = match self.expected {
            Some(expected) => {
                format!(
                    ", and --expect asks for {expected}: nothing to minimise; try the command on the {} by hand",
                    self.what
                )
            }
            None => {
                ": nothing to minimise; it must fail where it sees what is looked for, or name another status with \
                     --expect"
                    .to_owned()
            }
        };
        let tries = counted(statuses.len() as u64, "run", "runs");
        Failure::Usage(format!("--test: the command gives {given} for the whole {}, in {tries}{why}", self.what))
    }

    /// Whether the command says of a file what it says of the whole one.
    pub fn shows(&mut self, content: &[u8]) -> bool {
        match self.run(content) {
            Ok(finished) => Some(finished.status) == self.expected,
            Err(failure) => {
                self.failures = (self.failures.0 + 1, failure.to_string());
                false
            }
        }
    }

    /// Runs the command on a file. Where a signal ended it, its status is that which a shell makes of the signal.
    fn run(&self, content: &[u8]) -> Result<Finished, ProcessFailure> {
        let path = self.folder.path(&self.file_name);
        std::fs::write(&path, content).map_err(|error| ProcessFailure::CannotStart {
            program: "the command".to_owned(),
            reason: format!("{} cannot be written: {error}", path.display()),
        })?;
        let line = self.template.replace("{}", &shell_word(path.as_os_str()).to_string_lossy());
        match run_command(&line, &self.limits) {
            Err(ProcessFailure::Killed { signal: Some(signal), stderr_tail }) => {
                Ok(Finished { status: SIGNAL_STATUS + signal, stdout: Vec::new(), stderr_tail })
            }
            other => other,
        }
    }
}

impl Oracle for CommandOracle {
    fn ask(&mut self, candidate: &Candidate, _: &mut dyn FnMut() -> bool) -> Answer {
        let shows = self.shows(candidate.scene.to_canonical_ron().as_bytes());
        if shows { Answer::Shows { step: None } } else { Answer::Hides }
    }

    fn knows_step(&self) -> bool {
        false
    }

    fn run_of(&self, candidate: &Candidate) -> RunPlan {
        plain_run(&candidate.scene)
    }
}
