//! The built program, as a shell would start it.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::folder::Folder;

/// What a command left behind.
#[derive(Debug)]
pub struct Ran {
    /// Its exit status.
    pub status: i32,
    /// Standard output, byte by byte.
    pub bytes: Vec<u8>,
    /// Standard error.
    pub stderr: String,
}

impl Ran {
    /// Standard output as a text.
    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Standard output as one JSON value.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    /// Asserts the exit status.
    #[track_caller]
    pub fn exits(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{self:#?}");
        self
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code().expect("an exit status: the program was killed or panicked"),
            bytes: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// The search path of a shell in which `physim` is the program under test.
pub fn search_path() -> OsString {
    let own = Path::new(env!("CARGO_BIN_EXE_physim")).parent().map(Path::to_owned);
    let others = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(own.into_iter().chain(std::env::split_paths(&others))).expect("a search path")
}

/// The program in a folder, apart from the environment of whoever runs the tests. It is on the search path: what it
/// proposes to run is `physim ...`.
pub fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_physim"));
    command.env("PATH", search_path());
    command.current_dir(folder.root()).args(arguments).stdin(Stdio::null());
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "CI"] {
        command.env_remove(variable);
    }
    command
}

/// Runs the program.
pub fn physim(folder: &Folder, arguments: &[&str]) -> Ran {
    command(folder, arguments).output().expect("the program starts").into()
}

/// Runs the program with bytes on its standard input.
pub fn physim_with_input(folder: &Folder, arguments: &[&str], input: &[u8]) -> Ran {
    let mut child = command(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let feeder = std::thread::spawn(move || {
        // A program that ends early leaves the rest unread.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the program ends");
    feeder.join().expect("the input is written");
    output.into()
}
