//! The commands of physim, as someone with a bug would type them, and what they answer.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long a command may take before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a command answered.
#[derive(Debug)]
pub struct Answer {
    /// Its exit status; none where it was killed.
    pub status: Option<i32>,
    /// The lines of JSON that it wrote.
    pub lines: Vec<Value>,
    /// Standard error.
    pub complaint: String,
}

impl Answer {
    /// The one object of JSON, where there is one.
    pub fn object(&self) -> Option<&Value> {
        self.lines.first().filter(|value| value.is_object())
    }
}

/// A build of physim, run where the copied scenes and replays are.
pub struct Tool<'a> {
    /// The program.
    pub program: PathBuf,
    /// Where it runs.
    pub folder: &'a Path,
}

impl Tool<'_> {
    /// Runs a command to its end.
    pub fn ask<A: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Answer {
        match self.run(arguments) {
            Ok(answer) => answer,
            Err(error) => Answer { status: None, lines: Vec::new(), complaint: error },
        }
    }

    fn run<A: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Result<Answer, String> {
        let mut command = Command::new(&self.program);
        command.current_dir(self.folder).args(arguments).stdin(Stdio::null());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let reader = |stream: Option<Box<dyn Read + Send>>| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                stream.map(|mut stream| stream.read_to_end(&mut bytes));
                String::from_utf8_lossy(&bytes).into_owned()
            })
        };
        let out = reader(stdout.map(|stream| Box::new(stream) as Box<dyn Read + Send>));
        let err = reader(stderr.map(|stream| Box::new(stream) as Box<dyn Read + Send>));
        let started = Instant::now();
        let status = loop {
            match child.try_wait().map_err(|error| error.to_string())? {
                Some(status) => break status.code(),
                None if started.elapsed() > PATIENCE => {
                    child.kill().map_err(|error| error.to_string())?;
                    child.wait().map_err(|error| error.to_string())?;
                    break None;
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let out = out.join().unwrap_or_default();
        let lines = out.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Ok(Answer { status, lines, complaint: err.join().unwrap_or_default() })
    }

    /// The hashes of a run, step by step; fewer where it stops.
    pub fn hashes(&self, scene: &str, options: &[String]) -> Vec<String> {
        let mut arguments = vec!["run".to_owned(), scene.to_owned(), "--hash-log".to_owned(), "-".to_owned()];
        arguments.extend_from_slice(options);
        let hash = |line: &Value| Some(line.get("hash")?.as_str()?.to_owned());
        self.ask(arguments).lines.iter().filter_map(hash).collect()
    }
}

/// The first step at which two runs differ; a run that ends earlier differs there.
pub fn parting(a: &[String], b: &[String]) -> Option<u32> {
    let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    (common < a.len().max(b.len())).then_some(common as u32)
}
