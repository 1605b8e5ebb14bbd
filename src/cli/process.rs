//! Other programs: started with a time limit and a limit on what they print, and ended with all that they started.

use std::ffi::OsStr;
use std::fmt::{Display, Formatter};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use crate::report::style::printable;

/// The longest end of standard error that is kept.
const STDERR_TAIL: usize = 4096;
/// How long to wait between two looks at a program that has closed its output and still runs.
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);
/// How long output may still come after the program itself has ended: from programs it left behind.
const AFTER_THE_END: Duration = Duration::from_millis(200);

/// How many parts of the output may wait to be heard: a program that writes faster than that waits.
const PARTS_WAITING: usize = 16;

/// What a program may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long it may run.
    pub time: Duration,
    /// How much it may write to standard output, in bytes.
    pub output_bytes: usize,
}

/// A program that ended by itself.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its exit code.
    pub status: i32,
    /// All it wrote to standard output.
    pub stdout: Vec<u8>,
    /// The end of what it wrote to standard error.
    pub stderr_tail: String,
}

/// How a program ended by itself whose output was heard on the way.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Its exit code.
    pub status: i32,
    /// The end of what it wrote to standard error.
    pub stderr_tail: String,
}

/// Hears each part of what a program writes to standard output as it comes, whatever becomes of the program.
pub type Hear<'a> = &'a mut dyn FnMut(&[u8]);

/// Why a program did not end by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessFailure {
    /// This build cannot start programs at all.
    Unsupported,
    /// It could not be started.
    CannotStart { program: String, reason: String },
    /// Something outside ended it.
    Killed { signal: Option<i32>, stderr_tail: String },
    /// It ran longer than it may, and was ended.
    TimedOut { time: Duration, stderr_tail: String },
    /// It wrote more than it may, and was ended.
    TooMuchOutput { limit: usize },
    /// Its output could not be read.
    Unreadable { reason: String },
}

/// Whether this build can start other programs at all.
pub const fn can_start_programs() -> Result<(), ProcessFailure> {
    if cfg!(target_family = "wasm") { Err(ProcessFailure::Unsupported) } else { Ok(()) }
}

impl Display for ProcessFailure {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unsupported => formatter.write_str("unsupported here: this build cannot start other programs"),
            Self::CannotStart { program, reason } => {
                write!(formatter, "cannot start {program}: {reason}; is it installed, and is its path right?")
            }
            Self::Killed { signal: Some(signal), stderr_tail } => {
                write!(formatter, "the command crashed: it was ended by signal {signal}{}", said(stderr_tail))
            }
            Self::Killed { signal: None, stderr_tail } => {
                write!(formatter, "the command crashed: it ended without an exit code{}", said(stderr_tail))
            }
            Self::TimedOut { time, stderr_tail } => {
                let seconds = time.as_secs_f64();
                write!(
                    formatter,
                    "the command still ran after {seconds} s and was ended; give it longer with --time-limit{}",
                    said(stderr_tail)
                )
            }
            Self::TooMuchOutput { limit } => {
                write!(formatter, "the command wrote more than {limit} bytes to standard output and was ended")
            }
            Self::Unreadable { reason } => write!(formatter, "the output of the command cannot be read: {reason}"),
        }
    }
}

/// The last line that a program wrote on stderr, if any.
fn said(stderr_tail: &str) -> String {
    match stderr_tail.trim().lines().next_back() {
        None => String::new(),
        Some(last) => format!("; the last line on stderr: {}", printable(last)),
    }
}

/// Runs a command line through the shell of the system.
///
/// # Errors
/// When it cannot be started, crashes, or passes its limits; what it started is then ended too.
pub fn run_command(command_line: &str, limits: &Limits) -> Result<Finished, ProcessFailure> {
    collected(&mut |hear| hear_command(OsStr::new(command_line), None, limits, hear))
}

/// Runs a command line through the shell of the system, in a folder if one is given, and hears what it prints.
///
/// # Errors
/// As [`run_command`].
pub fn hear_command(
    command_line: &OsStr,
    folder: Option<&Path>,
    limits: &Limits,
    hear: Hear<'_>,
) -> Result<Ended, ProcessFailure> {
    if cfg!(windows) {
        let mut command = Command::new("cmd");
        pass_on_windows(&mut command, command_line);
        folder.map(|folder| command.current_dir(folder));
        return drive(command, "cmd", limits, hear);
    }
    hear_program("sh", &[OsStr::new("-c"), command_line], folder, limits, hear)
}

/// Runs a program with its arguments, without a shell.
///
/// # Errors
/// As [`run_command`].
pub fn run_program(program: &str, arguments: &[&str], limits: &Limits) -> Result<Finished, ProcessFailure> {
    collected(&mut |hear| hear_program(program, arguments, None, limits, hear))
}

/// Runs a program with its arguments, without a shell, in a folder if one is given, and hears what it prints.
///
/// # Errors
/// As [`run_command`].
pub fn hear_program<A: AsRef<OsStr>>(
    program: &str,
    arguments: &[A],
    folder: Option<&Path>,
    limits: &Limits,
    hear: Hear<'_>,
) -> Result<Ended, ProcessFailure> {
    let mut command = Command::new(program);
    command.args(arguments);
    folder.map(|folder| command.current_dir(folder));
    drive(command, program, limits, hear)
}

/// Keeps all that a run prints.
fn collected(run: &mut dyn FnMut(Hear<'_>) -> Result<Ended, ProcessFailure>) -> Result<Finished, ProcessFailure> {
    let mut stdout = Vec::new();
    let Ended { status, stderr_tail } = run(&mut |part| stdout.extend_from_slice(part))?;
    Ok(Finished { status, stdout, stderr_tail })
}

/// Hands a command line to `cmd` as it is: it has rules of its own for quotes.
#[cfg(windows)]
fn pass_on_windows(command: &mut Command, command_line: &OsStr) {
    use std::os::windows::process::CommandExt;
    command.raw_arg("/C").raw_arg(command_line);
}

#[cfg(not(windows))]
fn pass_on_windows(command: &mut Command, command_line: &OsStr) {
    command.arg("/C").arg(command_line);
}

/// Gives a program a process group of its own, so that it can be ended with all that it started.
#[cfg(unix)]
fn in_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn in_group(_command: &mut Command) {}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    status.signal()
}

#[cfg(not(unix))]
fn signal_of(_status: ExitStatus) -> Option<i32> {
    None
}

/// What the threads that read tell.
enum Heard {
    /// A part of standard output.
    Output(Vec<u8>),
    /// A part of standard error.
    Error(Vec<u8>),
    /// A stream is at its end, or broke.
    End(Result<(), String>),
}

fn drive(mut command: Command, program: &str, limits: &Limits, hear: Hear<'_>) -> Result<Ended, ProcessFailure> {
    can_start_programs()?;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    in_group(&mut command);
    let child = command
        .spawn()
        .map_err(|error| ProcessFailure::CannotStart { program: program.to_owned(), reason: error.to_string() })?;
    let guardian = guardian_of(&child);
    let mut running = Running { child, guardian, ended: false };
    let result = listen(&mut running, limits, hear);
    running.end();
    result
}

/// A program that is ended with its group when it is not waited for to its end.
struct Running {
    child: Child,
    guardian: Option<Child>,
    ended: bool,
}

impl Running {
    /// Ends whatever is left of the program and of what it started.
    fn end(&mut self) {
        match self.guardian.take() {
            Some(guardian) => call(guardian),
            None => end_group(&self.child),
        }
        if !self.ended {
            let _ = self.child.kill();
            let _ = self.child.wait();
            self.ended = true;
        }
    }

    /// How it ended, if it has.
    fn look(&mut self) -> Result<Option<ExitStatus>, ProcessFailure> {
        let looked = self.child.try_wait();
        let status = looked.map_err(|error| ProcessFailure::Unreadable { reason: error.to_string() })?;
        self.ended |= status.is_some();
        Ok(status)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.ended || self.guardian.is_some() {
            self.end();
        }
    }
}

/// Ends the group of a program as soon as nobody can write to its standard input any more: when it is called, and when
/// this process ends in whatever way. An interrupt from the terminal does not reach it in a group of its own.
fn guardian_of(child: &Child) -> Option<Child> {
    if !cfg!(unix) {
        return None;
    }
    let mut command = Command::new("sh");
    command.args(["-c", "read -r _; kill -s KILL -- \"-$1\"", "physim-guardian", &child.id().to_string()]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    in_group(&mut command);
    command.spawn().ok()
}

/// Has a guardian do its work, and waits until it is done.
fn call(mut guardian: Child) {
    drop(guardian.stdin.take());
    let _ = guardian.wait();
}

/// Ends every program of a group. `kill` is a program everywhere on Unix, and calling the system would be unsafe code.
fn end_group(child: &Child) {
    if cfg!(windows) {
        let identifier = child.id().to_string();
        let _ = quiet("taskkill", &["/T", "/F", "/PID", &identifier]);
    } else {
        let group = format!("-{}", child.id());
        let _ = quiet("kill", &["-KILL", "--", &group]);
    }
}

fn quiet(program: &str, arguments: &[&str]) -> std::io::Result<ExitStatus> {
    Command::new(program).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()
}

/// Reads what a program writes until it ends or passes a limit.
fn listen(running: &mut Running, limits: &Limits, hear: Hear<'_>) -> Result<Ended, ProcessFailure> {
    let (sender, heard) = sync_channel(PARTS_WAITING);
    if let Some(stdout) = running.child.stdout.take() {
        read_on(stdout, sender.clone(), Heard::Output);
    }
    if let Some(stderr) = running.child.stderr.take() {
        read_on(stderr, sender, Heard::Error);
    }
    let mut kept = Kept::default();
    let mut deadline = now() + limits.time;
    let mut status = None;
    while kept.hear(&heard, deadline, limits.output_bytes, hear)? {
        if status.is_none() {
            status = running.look()?;
            if status.is_some() {
                deadline = now() + AFTER_THE_END;
            }
        }
        if now() >= deadline {
            break;
        }
    }
    while status.is_none() && now() < deadline {
        status = running.look()?;
        std::thread::sleep(if status.is_none() { BETWEEN_LOOKS } else { Duration::ZERO });
    }
    let stderr_tail = String::from_utf8_lossy(&kept.stderr).into_owned();
    let Some(status) = status else {
        return Err(ProcessFailure::TimedOut { time: limits.time, stderr_tail });
    };
    match status.code() {
        Some(status) => Ok(Ended { status, stderr_tail }),
        None => Err(ProcessFailure::Killed { signal: signal_of(status), stderr_tail }),
    }
}

/// What has been read so far.
#[derive(Default)]
struct Kept {
    /// Bytes of standard output.
    heard: usize,
    stderr: Vec<u8>,
}

impl Kept {
    /// Takes the next part of either stream, waiting a little for it; false when both are at their end.
    fn hear(
        &mut self,
        heard: &Receiver<Heard>,
        deadline: Instant,
        limit: usize,
        hear: Hear<'_>,
    ) -> Result<bool, ProcessFailure> {
        let patience = deadline.saturating_duration_since(now()).min(Duration::from_millis(20));
        match heard.recv_timeout(patience) {
            Ok(Heard::Output(part)) => {
                self.heard += part.len();
                if self.heard > limit {
                    return Err(ProcessFailure::TooMuchOutput { limit });
                }
                hear(&part);
            }
            Ok(Heard::Error(part)) => {
                self.stderr.extend(part);
                let surplus = self.stderr.len().saturating_sub(STDERR_TAIL);
                self.stderr.drain(..surplus);
            }
            Ok(Heard::End(Err(reason))) => return Err(ProcessFailure::Unreadable { reason }),
            Ok(Heard::End(Ok(()))) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(false),
        }
        Ok(true)
    }
}

/// Reads a stream in a thread of its own, which ends with the stream or when nobody listens any more.
fn read_on(mut stream: impl Read + Send + 'static, sender: SyncSender<Heard>, heard: fn(Vec<u8>) -> Heard) {
    std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        let end = loop {
            match stream.read(&mut buffer) {
                Ok(0) => break Ok(()),
                Ok(length) => {
                    if sender.send(heard(buffer[..length].to_vec())).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error.to_string()),
            }
        };
        let _ = sender.send(Heard::End(end));
    });
}

#[expect(clippy::disallowed_methods, reason = "the time limit of another program; no result depends on it")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Duration;

    use super::{Limits, ProcessFailure, now, run_command, run_program};

    const LIMITS: Limits = Limits { time: Duration::from_secs(20), output_bytes: 1 << 20 };
    const SHORT: Limits = Limits { time: Duration::from_millis(300), ..LIMITS };

    #[test]
    fn a_command_gives_its_code_its_output_and_the_end_of_its_errors() {
        let finished = run_command("printf 'a b'; printf '%05000d' 7 >&2; exit 7", &LIMITS).expect("it ends");
        assert_eq!((finished.status, finished.stdout.as_slice()), (7, b"a b".as_slice()));
        assert_eq!(finished.stderr_tail.len(), 4096);
        assert!(finished.stderr_tail.ends_with('7'));
        let finished = run_program("printf", &["%s|", "a b", "$c"], &LIMITS).expect("it ends");
        assert_eq!((finished.status, finished.stdout.as_slice()), (0, b"a b|$c|".as_slice()));
    }

    #[test]
    fn output_need_be_no_text() {
        let finished = run_command("printf '\\377\\000\\200'", &LIMITS).expect("it ends");
        assert_eq!(finished.stdout, [255, 0, 128]);
    }

    #[test]
    fn what_is_not_there_cannot_start() {
        let failure = run_program("/no/such/program", &[], &LIMITS).expect_err("there is none");
        assert!(matches!(failure, ProcessFailure::CannotStart { .. }), "{failure}");
        assert_eq!(run_command("/no/such/program", &LIMITS).expect("the shell ends").status, 127);
    }

    #[test]
    fn a_crash_is_told_with_its_signal() {
        let failure = run_command("echo why >&2; kill -SEGV $$", &LIMITS).expect_err("it crashes");
        assert!(matches!(failure, ProcessFailure::Killed { signal: Some(11), .. }), "{failure}");
        assert!(failure.to_string().ends_with("signal 11; the last line on stderr: why"), "{failure}");
        let failure = run_command("printf \"don't \\\\033[1m\" >&2; kill -SEGV $$", &LIMITS).expect_err("it crashes");
        assert!(failure.to_string().ends_with("the last line on stderr: don't \\u{1b}[1m"), "{failure}");
    }

    #[test]
    fn a_hang_ends_with_all_that_it_started() {
        let marker = std::env::temp_dir().join(format!("physim-grandchild-{}", std::process::id()));
        let line = format!("(sleep 1; touch {0}) & (sleep 1; touch {0}) ; sleep 30", marker.display());
        let start = now();
        let failure = run_command(&line, &SHORT).expect_err("it hangs");
        assert!(matches!(failure, ProcessFailure::TimedOut { .. }), "{failure}");
        assert!(start.elapsed() < Duration::from_secs(5));
        std::thread::sleep(Duration::from_millis(1500));
        assert!(!marker.exists(), "a grandchild outlived the command");
    }

    #[test]
    fn a_program_left_behind_does_not_hold_up_the_command() {
        let start = now();
        let finished = run_command("sleep 30 & echo done", &LIMITS).expect("the command itself ends");
        assert_eq!((finished.status, finished.stdout.as_slice()), (0, b"done\n".as_slice()));
        assert!(start.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn closing_the_output_is_no_end() {
        let failure = run_command("exec >&- 2>&-; sleep 30", &SHORT).expect_err("it hangs");
        assert!(matches!(failure, ProcessFailure::TimedOut { .. }), "{failure}");
    }

    #[test]
    fn endless_output_is_cut_off() {
        let failure = run_command("yes", &LIMITS).expect_err("it writes too much");
        assert_eq!(failure, ProcessFailure::TooMuchOutput { limit: 1 << 20 });
    }
}
