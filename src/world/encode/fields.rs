//! The fields of what is no table: of the world as a whole, and of contacts, whose points vary in number.
//!
//! Every struct is taken apart in full, without `..` and `_`: a new field does not compile until it is led past the
//! visitor here. A test holds this file to that.

use crate::collision::manifold::{FeatureId, MAX_POINTS};
use crate::dynamics::collider::ColliderKey;
use crate::dynamics::contact::{Contact, WarmStartPoint};
use crate::math::{Scalar, Vec3};
use crate::state::Field;
use crate::state::visitor::{FieldVisitor, visit_scalar, visit_u32, visit_vec3};

/// The state that belongs to no single object.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Globals<S> {
    /// The step whose state this is; 0 before the first.
    pub step: u32,
    /// Gravity in m/s^2.
    pub gravity: Vec3<S>,
    /// The id of the next spawned body.
    pub next_body_id: u32,
}

/// The last step whose state can be gone on from.
const LAST_STEP: u32 = u32::MAX - (1 << 24);

/// The fields of [`Globals`].
pub fn visit_globals<S: Scalar, V: FieldVisitor + ?Sized>(globals: &mut Globals<S>, visitor: &mut V) {
    let Globals { step, gravity, next_body_id } = globals;
    visit_u32(visitor, "step", step);
    // Every state has a next one, and many after it: a run is long over before its steps are used up.
    if *step > LAST_STEP {
        visitor.refuse("step");
        *step = 0;
    }
    visit_vec3(visitor, "gravity", gravity);
    visit_u32(visitor, "next_body_id", next_body_id);
}

fn visit_key<V: FieldVisitor + ?Sized>(key: &mut ColliderKey, name: &'static str, visitor: &mut V) {
    key.visit(name, visitor);
}

/// The fields of a [`Contact`]: of its points those that count.
pub fn visit_contact<S: Scalar, V: FieldVisitor + ?Sized>(contact: &mut Contact<S>, visitor: &mut V) {
    let Contact { a, b, count, points, twist_impulse, rolling_impulse } = contact;
    visit_key(a, "a", visitor);
    visit_key(b, "b", visitor);
    visit_u32(visitor, "count", count);
    if *count as usize > MAX_POINTS {
        visitor.refuse("number of contact points");
        *count = 0;
    }
    for (index, point) in points.iter_mut().enumerate().take(*count as usize) {
        let WarmStartPoint { feature, normal_impulse, tangent_impulse } = point;
        let FeatureId(feature) = feature;
        visitor.enter("points", Some(index as u32));
        visit_u32(visitor, "feature", feature);
        visit_scalar(visitor, "normal_impulse", normal_impulse);
        visit_vec3(visitor, "tangent_impulse", tangent_impulse);
        visitor.leave();
    }
    visit_scalar(visitor, "twist_impulse", twist_impulse);
    visit_vec3(visitor, "rolling_impulse", rolling_impulse);
}
