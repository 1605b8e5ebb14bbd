//! How hash logs are read, as arguments that several commands have.

use clap::Args;

use crate::replay::{EmptyLists, ForeignLines, LogOptions};

/// Options for hash logs.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct LogArguments {
    /// In hash logs steps may come again, as where a rollback simulates them again: the last line of a step counts, and the first
    /// change is reported
    #[arg(long)]
    pub resimulated: bool,

    /// Skip lines of hash logs that are none, and count them
    #[arg(long)]
    pub lenient: bool,
}

impl LogArguments {
    /// For a file, which is meant to be a hash log.
    pub const fn for_files(self) -> LogOptions {
        let foreign = if self.lenient { ForeignLines::SkipAll } else { ForeignLines::Refuse };
        LogOptions { foreign, resimulated: self.resimulated, empty_lists: EmptyLists::OfAllSteps }
    }

    /// For what a program prints, which may say other things too.
    pub const fn for_programs(self) -> LogOptions {
        let foreign = if self.lenient { ForeignLines::SkipAll } else { ForeignLines::Skip };
        LogOptions { foreign, resimulated: self.resimulated, empty_lists: EmptyLists::OfAllSteps }
    }
}
