//! Every body that a run can have: those of step 0 and those that its inputs spawn.

use std::collections::BTreeSet;

use crate::analysis::rerun::RerunError;
use crate::math::{Scalar, ScalarTask};
use crate::replay::Replay;
use crate::scene::input::parse_input_line;
use crate::scene::model::Action;
use crate::scene::nearest::nearest;
use crate::session::Session;
use crate::session::playback::PlaybackError;

/// The names of all bodies that a run can have: those of step 0 by id, then those that inputs spawn, in their order.
///
/// # Errors
/// When the scene or an input inside the replay cannot be read.
pub fn roster(replay: &Replay) -> Result<Vec<String>, RerunError> {
    let mut names = replay.header.scalar.dispatch(FirstNames(replay))?;
    let mut known: BTreeSet<String> = names.iter().cloned().collect();
    for (number, recorded) in (1..).zip(&replay.inputs) {
        let input = parse_input_line("inputs of the replay", number, &recorded.text)
            .map_err(|error| PlaybackError::Input { step: recorded.step, error })?;
        if let Action::Spawn(body) = input.action
            && known.insert(body.name.clone())
        {
            names.push(body.name);
        }
    }
    Ok(names)
}

struct FirstNames<'a>(&'a Replay);

impl ScalarTask for FirstNames<'_> {
    type Output = Result<Vec<String>, RerunError>;

    fn run<S: Scalar>(self) -> Self::Output {
        let session = Session::<S>::of_replay(self.0, 1)?;
        Ok(session.world().bodies().name.iter().map(ToString::to_string).collect())
    }
}

/// What to add to an error about a body that is not there: the name that may have been meant, or a few of those that are.
#[must_use]
pub fn name_hint(wanted: &str, names: &[String]) -> String {
    if let Some(name) = nearest(wanted, names.iter().map(String::as_str)) {
        return format!("; did you mean {name:?}?");
    }
    let few: Vec<String> = names.iter().take(5).map(|name| format!("{name:?}")).collect();
    let more = if names.len() > few.len() { ", ..." } else { "" };
    if few.is_empty() { "; it has no bodies".to_owned() } else { format!("; it has {}{more}", few.join(", ")) }
}
