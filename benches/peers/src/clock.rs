//! Time as it passes, or as this thread had it.

use std::time::Instant;

/// Nanoseconds that this thread has run, as its first number.
const THREAD_TIME: &str = "/proc/thread-self/schedstat";

/// Which time is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Time as it passes.
    Wall,
    /// Time in which this thread ran: what others do on the machine counts less. Linux only, and for one thread.
    Thread,
}

/// A time that has begun.
pub enum Start {
    Wall(Instant),
    Thread(f64),
}

impl Clock {
    /// What the time is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall-clock time",
            Self::Thread => "time of the thread",
        }
    }

    /// Begins.
    pub fn start(self) -> Result<Start, String> {
        match self {
            Self::Wall => Ok(Start::Wall(Instant::now())),
            Self::Thread => thread_seconds().map(Start::Thread),
        }
    }
}

impl Start {
    /// The seconds since.
    pub fn seconds(&self) -> Result<f64, String> {
        match self {
            Self::Wall(start) => Ok(start.elapsed().as_secs_f64()),
            Self::Thread(start) => Ok(thread_seconds()? - start),
        }
    }
}

fn thread_seconds() -> Result<f64, String> {
    let text = std::fs::read_to_string(THREAD_TIME).map_err(|error| format!("{THREAD_TIME}: {error}"))?;
    let nanoseconds = text.split_whitespace().next().and_then(|number| number.parse::<f64>().ok());
    nanoseconds.map(|number| number * 1e-9).ok_or_else(|| format!("{THREAD_TIME}: no number in it"))
}
