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
    if let Some(byte) = read.encode().first_difference(bytes) {
        return Err(NotReadBack::OtherBytes { byte });
    }
    first_other(world, &read).map_or(Ok(()), Err)
}

/// The first object of a world that is not the same in a state with the same bytes.
fn first_other<S: Scalar>(world: &World<S>, read: &State<S>) -> Option<NotReadBack> {
    let (bodies, colliders) = (world.bodies(), world.colliders());
    let rows = [
        (Section::World, is_other(&world.globals(), &read.globals).then_some(0)),
        (Section::Bodies, first_other_row((0..bodies.len()).map(|index| bodies.row(index)), &read.bodies)),
        (Section::Colliders, first_other_row((0..colliders.len()).map(|index| colliders.row(index)), &read.colliders)),
        (Section::Joints, first_other_row(world.joints().iter().cloned(), &read.joints)),
        (Section::Contacts, first_other_row(world.contacts().iter().copied(), &read.contacts)),
    ];
    let (section, row) = rows.into_iter().find_map(|(section, row)| Some((section, row?)))?;
    let names = object_bytes(&world.state()).into_iter().map(|object| object.name);
    let name = names.filter(|name| name.section == section).nth(row);
    let object = name.map_or_else(|| "an object".to_owned(), |name| name.object);
    Some(NotReadBack::Lost { section: section.name(), object })
}

fn first_other_row<T: PartialEq + Debug>(was: impl ExactSizeIterator<Item = T>, read: &[T]) -> Option<usize> {
    let count = was.len();
    let differing = was.zip(read).position(|(a, b)| is_other(&a, b));
    differing.or_else(|| (count != read.len()).then_some(count.min(read.len())))
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
        let session = session();
        let world = session.world();
        let lost = |section, object: &str| Some(NotReadBack::Lost { section, object: object.to_owned() });
        let was = world.state();
        assert_eq!(first_other(world, &was), None);
        let mut read = was.clone();
        read.bodies[0].angular_damping += 0.25;
        assert_eq!(first_other(world, &read), lost("bodies", "ball"));
        let mut read = was.clone();
        read.colliders[1].surface.friction += 0.25;
        assert_eq!(first_other(world, &read), lost("colliders", "floor#0"));
        let mut read = was.clone();
        read.contacts.clear();
        assert_eq!(first_other(world, &read), lost("contacts", "ball#0 | floor#0"));
        let mut nan = was;
        nan.bodies[0].position.x = f64::NAN;
        let mut world = world.twin().unwrap_or_else(|| panic!("the scene makes a world"));
        world.restore(nan.clone());
        assert_eq!(first_other(&world, &nan), None);
    }
}
