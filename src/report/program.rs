//! What this program is called in the commands that reports propose.
//!
//! The command line finds it out once, from its environment, and leaves it here. Messages that end up on another machine
//! say plain `physim`: errors that replays keep, scenes that are handed on, advice for whoever has the other replay.

use std::sync::OnceLock;

/// The name that everybody knows.
pub const PLAIN_NAME: &str = "physim";

static NAME: OnceLock<String> = OnceLock::new();

/// From now on this program is called so, as a shell takes it.
pub fn call(name: String) {
    // Called once, at the start of the process.
    let _ = NAME.set(name);
}

/// A command of this program, to be pasted into a shell: `arguments` are words of a shell already.
pub fn command(arguments: &str) -> String {
    let name = NAME.get().map_or(PLAIN_NAME, String::as_str);
    format!("{name} {arguments}")
}
