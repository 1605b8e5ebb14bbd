//! How long a thread has been busy, which is less than the time that passes where others keep the machine busy too.

use std::time::{Duration, Instant};

/// Nanoseconds that this thread has run, as its first number.
const THREAD_TIME: &str = "/proc/thread-self/schedstat";

/// A time that has begun.
pub struct BusyTime {
    start: Instant,
    had: Option<Duration>,
}

impl BusyTime {
    /// Begins.
    pub fn start() -> Self {
        Self { start: Instant::now(), had: time_of_thread() }
    }

    /// How long this thread has run since; where the system does not tell, the time that has passed.
    pub fn elapsed(&self) -> Duration {
        let since = |had: Duration| time_of_thread()?.checked_sub(had);
        self.had.and_then(since).unwrap_or_else(|| self.start.elapsed())
    }
}

fn time_of_thread() -> Option<Duration> {
    let text = std::fs::read_to_string(THREAD_TIME).ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
