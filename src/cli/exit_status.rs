//! What the program says to the shell.

use std::process::ExitCode;

/// How a command ended. The greater one wins where a command handles several files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitStatus {
    /// Done; or everything compared is the same.
    Done,
    /// Something differs.
    Differs,
    /// Something was recorded under other semantics.
    OtherSemantics,
    /// Wrong usage, a wrong scene, or a run that stopped on an error.
    Failed,
    /// A replay is damaged or cannot be read.
    Damaged,
}

/// What `git bisect run` takes as "this commit cannot be tested", so that it tries one near it.
const CANNOT_SAY: u8 = 125;

impl ExitStatus {
    /// The number for a shell.
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Differs | Self::OtherSemantics => 1,
            Self::Failed => 2,
            Self::Damaged => 3,
        }
    }

    /// The number for `git bisect run`, to which every number from 1 to 127 but one is a bad commit: only a difference
    /// makes a commit bad, and what says nothing about it must not.
    pub const fn code_for_git_bisect(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Differs => 1,
            Self::OtherSemantics | Self::Failed | Self::Damaged => CANNOT_SAY,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status.code())
    }
}

#[cfg(test)]
mod tests {
    use super::ExitStatus;

    const ALL: [ExitStatus; 5] =
        [ExitStatus::Done, ExitStatus::Differs, ExitStatus::OtherSemantics, ExitStatus::Failed, ExitStatus::Damaged];

    #[test]
    fn the_greater_status_has_the_greater_number() {
        assert!(ALL.is_sorted());
        assert_eq!(ALL.map(ExitStatus::code), [0, 1, 1, 2, 3]);
    }

    #[test]
    fn git_takes_only_a_difference_for_a_bad_commit() {
        assert_eq!(ALL.map(ExitStatus::code_for_git_bisect), [0, 1, 125, 125, 125]);
    }
}
