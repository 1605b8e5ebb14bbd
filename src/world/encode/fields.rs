//! The fields of what is no table: of the world as a whole, and of contacts, whose points vary in number.
//!
//! Every struct is taken apart in full, without `..` and `_`: a new field does not compile until it is led past the
//! visitor here. A test holds this file to that.

use crate::collision::manifold::{FeatureId, MAX_POINTS};
use crate::dynamics::contact::{Contact, WarmStartPoint};
use crate::dynamics::recycling::PairPose;
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

/// The fields of a [`Contact`]: of its points those that count.
pub fn visit_contact<S: Scalar, V: FieldVisitor + ?Sized>(contact: &mut Contact<S>, visitor: &mut V) {
    let Contact { a, b, piece, count, points, twist_impulse, rolling_impulse, found_at } = contact;
    a.visit("a", visitor);
    b.visit("b", visitor);
    visit_u32(visitor, "piece", piece);
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
    visit_pair_pose(found_at, visitor);
}

/// How the bodies of a contact lay when its manifold was found, if it keeps that.
fn visit_pair_pose<S: Scalar, V: FieldVisitor + ?Sized>(pose: &mut Option<PairPose<S>>, visitor: &mut V) {
    let mut keeps = pose.is_some();
    keeps.visit("keeps_manifold", visitor);
    *pose = keeps.then(|| pose.unwrap_or(PairPose::NOWHERE));
    let Some(PairPose { centre_offset, orientations: [orientation_a, orientation_b] }) = pose else { return };
    visitor.enter("found_at", None);
    centre_offset.visit("centre_offset", visitor);
    orientation_a.visit("orientation_a", visitor);
    orientation_b.visit("orientation_b", visitor);
    visitor.leave();
}
