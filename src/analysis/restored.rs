//! What a restore can show by itself: bytes that cannot be read back, and parts of the state that are not in the bytes.

use crate::math::Scalar;
use crate::world::encode::State;
use crate::world::encode::table::{ObjectName, Objects};
use crate::world::encode::visitor::DecodeError;

/// Reads a state back from its own bytes; the first object that is then not what it was, if there is one.
///
/// The bytes of both are the same, so only what is not encoded can differ.
///
/// # Errors
/// When the bytes cannot be read.
pub fn first_not_encoded<S: Scalar>(state: &State<S>, bytes: &[u8]) -> Result<Option<ObjectName>, DecodeError> {
    let read = State::<S>::decode(bytes)?;
    Ok(differing_row(state, &read).and_then(|row| name_of_row(state, row)))
}

/// The number of the first row, over all sections, that is another. What is not equal to itself holds a NaN, and tells
/// nothing.
fn differing_row<S: Scalar>(a: &State<S>, b: &State<S>) -> Option<usize> {
    fn first<T: PartialEq>(a: &[T], b: &[T]) -> Option<usize> {
        #[expect(clippy::eq_op, reason = "a row with a NaN is not equal to itself")]
        let differs = |(a, b): (&T, &T)| a == a && b == b && a != b;
        a.iter().zip(b).position(differs)
    }
    let (bodies, colliders) = (1 + a.bodies.len(), 1 + a.bodies.len() + a.colliders.len());
    let globals = first(&[a.globals], &[b.globals]);
    let in_bodies = || first(&a.bodies, &b.bodies).map(|row| 1 + row);
    let in_colliders = || first(&a.colliders, &b.colliders).map(|row| bodies + row);
    let in_contacts = || first(&a.contacts, &b.contacts).map(|row| colliders + row);
    globals.or_else(in_bodies).or_else(in_colliders).or_else(in_contacts)
}

fn name_of_row<S: Scalar>(state: &State<S>, row: usize) -> Option<ObjectName> {
    let (mut number, mut found) = (0, None);
    state.clone().for_each_object(&mut |name, _, _| {
        if number == row {
            found = Some(name);
        }
        number += 1;
    });
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::first_not_encoded;
    use crate::scene;
    use crate::session::record::RunPlan;
    use crate::world::encode::State;

    #[test]
    fn what_is_not_in_the_bytes_is_named_by_its_object() {
        let text = "(version: 1, name: \"two\", bodies: [
            (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"ball\", position: Origin(0, 0.25, 0), shape: Sphere(radius: 0.5))])";
        let plan = RunPlan::new(Arc::new(scene::parse("test scene", text).unwrap_or_else(|error| panic!("{error}"))));
        let mut session = plan.session::<f64>().unwrap_or_else(|error| panic!("{error}"));
        session.advance(&mut ()).unwrap_or_else(|error| panic!("{error}"));
        let (mut state, bytes) = (session.world().state(), session.encoded().bytes.clone());
        assert_eq!(first_not_encoded(&state, &bytes), Ok(None));
        // As if the part that changes were not among the bytes.
        state.contacts[0].points[0].normal_impulse += 1.0;
        let named =
            |state: &State<f64>| first_not_encoded(state, &bytes).map(|found| found.map(|name| name.to_string()));
        assert_eq!(named(&state), Ok(Some("contacts ball#0 | floor#0".to_owned())));
        state.bodies[1].gravity_scale = 2.0;
        assert_eq!(named(&state), Ok(Some("bodies floor".to_owned())));
        let cut = first_not_encoded(&state, &bytes[..bytes.len() - 1]);
        assert!(cut.is_err(), "{cut:?}");
    }
}
