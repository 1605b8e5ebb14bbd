//! A run of another program whose output may be of any length: what it prints goes to a temporary file where it is long.

use std::io::Write;
use std::time::Duration;

use crate::replay::LogSpill;

use crate::cli::process::{Ended, Hear, Limits, ProcessFailure};

/// A program that ended by itself, and what it printed.
pub struct SpilledRun {
    /// Its exit code.
    pub status: i32,
    /// What it wrote to standard output.
    pub output: LogSpill,
    /// The end of what it wrote to standard error.
    pub stderr_tail: String,
}

/// What a program may take: as much output as there is room for.
pub const fn limits(seconds: u32) -> Limits {
    Limits { time: Duration::from_secs(seconds as u64), output_bytes: usize::MAX }
}

/// Makes a run, and keeps what it prints; `hear` hears it too. The output is given back however the run ended.
pub fn spilled(
    run: impl FnOnce(Hear<'_>) -> Result<Ended, ProcessFailure>,
    hear: &mut dyn FnMut(&[u8]),
) -> (LogSpill, Result<Ended, ProcessFailure>) {
    let mut output = LogSpill::default();
    let mut refused = None;
    let ended = run(&mut |part| {
        if refused.is_none() {
            refused = output.write_all(part).err();
        }
        hear(part);
    });
    match refused {
        None => (output, ended),
        Some(error) => {
            let reason =
                format!("there is no room for it among the temporary files: {error}; set TMPDIR to another folder");
            (LogSpill::default(), Err(ProcessFailure::Unreadable { reason }))
        }
    }
}

/// A run that has to come to its end.
///
/// # Errors
/// As those of [`crate::cli::process`], and where there is no room for what it prints.
pub fn whole_run(run: impl FnOnce(Hear<'_>) -> Result<Ended, ProcessFailure>) -> Result<SpilledRun, ProcessFailure> {
    let (output, ended) = spilled(run, &mut |_| {});
    let Ended { status, stderr_tail } = ended?;
    Ok(SpilledRun { status, output, stderr_tail })
}
