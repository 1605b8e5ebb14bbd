//! Whether a state can be read back from its encoding, and is then the state that it was.

use std::fmt::Debug;

use crate::math::Scalar;
use crate::world::World;
use crate::world::encode::reader::DecodeError;
use crate::world::encode::table::object_bytes;
use crate::world::encode::{Section, State};

/// What is wrong with an encoding.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotReadBack {
    /// It cannot be read.
    #[error("it cannot be read back: {0}")]
    Refused(#[from] DecodeError),
    /// What was read has other bytes.
    #[error("read back and encoded again, it differs from byte {byte} on")]
    OtherBytes {
        /// The first byte that differs.
        byte: usize,
    },
    /// What was read has the same bytes and is another state.
    #[error(
        "read back, it is another state although it has the same bytes: the encoding leaves out something of {object} in section \
         {section}"
    )]
    Lost {
        /// The section of the first object that is another.
        section: &'static str,
        /// That object.
        object: String,
    },
}

impl NotReadBack {
    /// The section in which something is missing, where that is known.
    #[must_use]
    pub const fn section(&self) -> Option<&'static str> {
        match self {
            Self::Lost { section, .. } => Some(section),
            Self::Refused(_) | Self::OtherBytes { .. } => None,
        }
    }
}

/// Reads the state of a world back from its bytes, and compares it with the world.
///
/// # Errors
/// What is wrong with them.
pub fn read_back<S: Scalar>(bytes: &[u8], world: &World<S>) -> Result<(), NotReadBack> {
    let read = State::<S>::decode(bytes)?;
    let again = read.encode().to_bytes();
    let byte = bytes.iter().zip(&again).position(|(a, b)| a != b);
    if let Some(byte) = byte.or_else(|| (bytes.len() != again.len()).then_some(bytes.len().min(again.len()))) {
        return Err(NotReadBack::OtherBytes { byte });
    }
    first_other(&world.state(), &read).map_or(Ok(()), Err)
}

/// The first object of two states with the same bytes that is not the same.
fn first_other<S: Scalar>(was: &State<S>, read: &State<S>) -> Option<NotReadBack> {
    let (section, row) = if is_other(&was.globals, &read.globals) {
        (Section::World, Some(0))
    } else if let Some(row) = first_other_row(&was.bodies, &read.bodies) {
        (Section::Bodies, Some(row))
    } else if let Some(row) = first_other_row(&was.colliders, &read.colliders) {
        (Section::Colliders, Some(row))
    } else if let Some(row) = first_other_row(&was.joints, &read.joints) {
        (Section::Joints, Some(row))
    } else {
        (Section::Contacts, first_other_row(&was.contacts, &read.contacts))
    };
    let names = object_bytes(was).into_iter().map(|object| object.name).filter(|name| name.section == section);
    let object = names.into_iter().nth(row?).map_or_else(|| "an object".to_owned(), |name| name.object);
    Some(NotReadBack::Lost { section: section.name(), object })
}

fn first_other_row<T: PartialEq + Debug>(was: &[T], read: &[T]) -> Option<usize> {
    let differing = was.iter().zip(read).position(|(a, b)| is_other(a, b));
    differing.or_else(|| (was.len() != read.len()).then_some(was.len().min(read.len())))
}

/// Whether two values differ; a NaN, which equals nothing, is not a difference from itself.
fn is_other<T: PartialEq + Debug>(a: &T, b: &T) -> bool {
    a != b && format!("{a:?}") != format!("{b:?}")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{NotReadBack, first_other, read_back};
    use crate::scene;
    use crate::session::Session;
    use crate::session::record::RunPlan;

    fn session() -> Session<f64> {
        let text = "(version: 1, name: \"two\", steps: 9, bodies: [
            (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"ball\", position: Origin(0, 0.5, 0), shape: Sphere(radius: 0.5))])";
        let scene = scene::parse("test scene", text).unwrap_or_else(|error| panic!("{error}"));
        let plan = RunPlan::new(Arc::new(scene));
        let mut session = plan.session().unwrap_or_else(|error| panic!("{error}"));
        session.advance(&mut ()).unwrap_or_else(|error| panic!("{error}"));
        session
    }

    #[test]
    fn a_sound_state_is_read_back() {
        let session = session();
        assert_eq!(read_back(&session.encoded().to_bytes(), session.world()), Ok(()));
    }

    #[test]
    fn bytes_that_are_no_state_are_refused() {
        let session = session();
        let bytes = session.encoded().to_bytes();
        let cut = read_back(&bytes[..bytes.len() - 1], session.world());
        assert!(matches!(cut, Err(NotReadBack::Refused(_))), "{cut:?}");
    }

    #[test]
    fn what_the_encoding_leaves_out_is_named() {
        let was = session().world().state();
        let lost = |section, object: &str| Some(NotReadBack::Lost { section, object: object.to_owned() });
        assert_eq!(first_other(&was, &was.clone()), None);
        let mut read = was.clone();
        read.bodies[0].angular_damping += 0.25;
        assert_eq!(first_other(&was, &read), lost("bodies", "ball"));
        let mut read = was.clone();
        read.colliders[1].surface.friction += 0.25;
        assert_eq!(first_other(&was, &read), lost("colliders", "floor#0"));
        let mut read = was.clone();
        read.contacts.clear();
        assert_eq!(first_other(&was, &read), lost("contacts", "ball#0 | floor#0"));
        let mut nan = was;
        nan.bodies[0].position.x = f64::NAN;
        assert_eq!(first_other(&nan, &nan.clone()), None);
    }
}
