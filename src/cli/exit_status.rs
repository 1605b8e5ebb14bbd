//! What the program says to the shell.

use std::process::ExitCode;

/// How a command ended. The greater one wins where a command handles several files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitStatus {
    /// Done; or everything compared is the same.
    Done = 0,
    /// Something differs, or was recorded under other semantics.
    Differs = 1,
    /// Wrong usage, a wrong scene, or a run that stopped on an error.
    Failed = 2,
    /// A replay is damaged or cannot be read.
    Damaged = 3,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::ExitStatus;

    #[test]
    fn the_order_is_that_of_the_numbers() {
        let all = [ExitStatus::Done, ExitStatus::Differs, ExitStatus::Failed, ExitStatus::Damaged];
        assert!(all.is_sorted());
        assert_eq!(all.map(|status| status as u8), [0, 1, 2, 3]);
    }
}
