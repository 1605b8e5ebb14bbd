//! What runs that somebody else makes are asked, and what they tell.

use crate::analysis::bisect::search::Choice;
use crate::replay::LogSource;

/// What a run is to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Its whole log.
    Whole,
    /// Its whole log, with all that can be told of this step.
    Step(u32),
}

/// What a run told.
#[derive(Clone, Debug)]
pub struct Told {
    /// Its log, of which nothing is wrong.
    pub log: LogSource,
    /// What else there is to say of it.
    pub remark: Option<String>,
}

/// Runs a condition; `None` when it can tell no more of a step than its whole log does. An error ends the search.
pub type Run<'a> = &'a mut dyn FnMut(&Choice, Ask) -> Result<Option<Told>, String>;
