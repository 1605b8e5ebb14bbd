//! Every body that a run can have: those of step 0 and those that its inputs spawn.

use std::collections::BTreeSet;

use crate::analysis::rerun::RerunError;
use crate::dynamics::body::BodyKind;
use crate::math::{Scalar, ScalarTask};
use crate::replay::Replay;
use crate::scene::input::parse_input_line;
use crate::scene::model::Action;
use crate::scene::nearest::nearest;
use crate::session::Session;
use crate::session::playback::PlaybackError;

/// A body that a run can have.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// How it takes part; a body that inputs spawn counts as one that moves.
    pub kind: BodyKind,
}

/// All bodies that a run can have: those of step 0 by id, then those that inputs spawn, in their order.
///
/// # Errors
/// When the scene or an input inside the replay cannot be read.
pub fn members(replay: &Replay) -> Result<Vec<Member>, RerunError> {
    let mut members = replay.header.scalar.dispatch(FirstMembers(replay))?;
    let mut known: BTreeSet<String> = members.iter().map(|member| member.name.clone()).collect();
    for (number, recorded) in (1..).zip(&replay.inputs) {
        let input = parse_input_line("inputs of the replay", number, &recorded.text)
            .map_err(|error| PlaybackError::Input { step: recorded.step, error })?;
        if let Action::Spawn(body) = input.action
            && known.insert(body.name.clone())
        {
            members.push(Member { name: body.name, kind: BodyKind::Dynamic });
        }
    }
    Ok(members)
}

/// The names of all bodies that a run can have, in the order of [`members`].
///
/// # Errors
/// As [`members`].
pub fn roster(replay: &Replay) -> Result<Vec<String>, RerunError> {
    Ok(members(replay)?.into_iter().map(|member| member.name).collect())
}

struct FirstMembers<'a>(&'a Replay);

impl ScalarTask for FirstMembers<'_> {
    type Output = Result<Vec<Member>, RerunError>;

    fn run<S: Scalar>(self) -> Self::Output {
        let session = Session::<S>::of_replay(self.0, 1)?;
        let bodies = session.world().bodies();
        let members = bodies.name.iter().zip(&bodies.kind);
        Ok(members.map(|(name, &kind)| Member { name: name.to_string(), kind }).collect())
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
