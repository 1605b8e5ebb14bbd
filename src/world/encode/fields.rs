//! The fields of every object of the state, in canonical order: the one list that hash, snapshot, restore and diff use.
//!
//! Every struct is taken apart in full, without `..` and `_`: a new field does not compile until it is led past the
//! visitor here. A test holds this file to that.

use std::sync::Arc;

use crate::collision::broad_phase::FatAabb;
use crate::collision::manifold::{FeatureId, MAX_POINTS};
use crate::dynamics::body::{Body, BodyKind};
use crate::dynamics::collider::{Collider, ColliderKey, CombineRule, Surface};
use crate::dynamics::contact::{Contact, WarmStartPoint};
use crate::dynamics::joint::{Joint, JointKind};
use crate::dynamics::recycling::PairPose;
use crate::geometry::{Aabb, Inertia, Shape, ShapeKind};
use crate::math::{Pose, Scalar, Scaled, Vec3};
use crate::world::encode::visitor::{
    FieldVisitor, visit_i32, visit_quat, visit_scalar, visit_sym_mat3, visit_tag, visit_u32, visit_vec3,
};

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

/// Largest magnitude of a binary exponent. Lengths, masses and inertias are decimals of at most 38 digits on either side
/// of the point, so that no quotient or product of a few of them comes near it; twice as much is far from overflow.
const MAX_EXPONENT: i32 = 1 << 14;

/// The last step whose state can be gone on from.
const LAST_STEP: u32 = u32::MAX - (1 << 24);

/// Whether a state can have this binary exponent.
#[must_use]
pub const fn is_sound_exponent(exponent: i32) -> bool {
    -MAX_EXPONENT <= exponent && exponent <= MAX_EXPONENT
}

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

/// The fields of a [`Body`].
pub fn visit_body<S: Scalar, V: FieldVisitor + ?Sized>(body: &mut Body<S>, visitor: &mut V) {
    let Body {
        id,
        name,
        kind,
        position,
        orientation,
        linear_velocity,
        angular_velocity,
        centre,
        inverse_mass,
        inertia,
        linear_damping,
        angular_damping,
        gravity_scale,
    } = body;
    visit_u32(visitor, "id", id);
    if let Some(text) = visitor.text("name", name) {
        *name = Arc::from(text);
    }
    match BodyKind::from_u8(visit_tag(visitor, "kind", *kind as u8)) {
        Some(known) => *kind = known,
        None => visitor.refuse("body kind"),
    }
    visit_vec3(visitor, "position", position);
    visit_quat(visitor, "orientation", orientation);
    visit_vec3(visitor, "linear_velocity", linear_velocity);
    visit_vec3(visitor, "angular_velocity", angular_velocity);
    visit_vec3(visitor, "centre", centre);
    visit_scaled(inverse_mass, "inverse_mass", visitor);
    visit_inertia(inertia, visitor);
    visit_scalar(visitor, "linear_damping", linear_damping);
    visit_scalar(visitor, "angular_damping", angular_damping);
    visit_scalar(visitor, "gravity_scale", gravity_scale);
}

fn visit_scaled<S: Scalar, V: FieldVisitor + ?Sized>(scaled: &mut Scaled<S>, name: &'static str, visitor: &mut V) {
    let Scaled { mantissa, exponent } = scaled;
    visitor.enter(name, None);
    visit_scalar(visitor, "mantissa", mantissa);
    visit_exponent(exponent, "exponent", visitor);
    visitor.leave();
}

fn visit_inertia<S: Scalar, V: FieldVisitor + ?Sized>(inertia: &mut Inertia<S>, visitor: &mut V) {
    let Inertia { tensor, inverse, length_exponent } = inertia;
    visitor.enter("inertia", None);
    visit_sym_mat3(visitor, "tensor", tensor);
    visit_sym_mat3(visitor, "inverse", inverse);
    visit_exponent(length_exponent, "length_exponent", visitor);
    visitor.leave();
}

fn visit_exponent<V: FieldVisitor + ?Sized>(exponent: &mut i32, name: &'static str, visitor: &mut V) {
    visit_i32(visitor, name, exponent);
    if !is_sound_exponent(*exponent) {
        visitor.refuse("exponent");
        *exponent = 0;
    }
}

/// The fields of a [`Collider`].
pub fn visit_collider<S: Scalar, V: FieldVisitor + ?Sized>(collider: &mut Collider<S>, visitor: &mut V) {
    let Collider { key, shape, local, surface, fat_box } = collider;
    visit_key(key, "key", visitor);
    visit_shape(shape, visitor);
    let Pose { position, orientation } = local;
    visitor.enter("local", None);
    visit_vec3(visitor, "position", position);
    visit_quat(visitor, "orientation", orientation);
    visitor.leave();
    visit_surface(surface, visitor);
    visit_fat_box(fat_box, visitor);
}

fn visit_surface<S: Scalar, V: FieldVisitor + ?Sized>(surface: &mut Surface<S>, visitor: &mut V) {
    let Surface { friction, restitution, rolling_friction, spinning_friction, friction_combine, restitution_combine } =
        surface;
    visit_scalar(visitor, "friction", friction);
    visit_scalar(visitor, "restitution", restitution);
    visit_scalar(visitor, "rolling_friction", rolling_friction);
    visit_scalar(visitor, "spinning_friction", spinning_friction);
    visit_rule(friction_combine, "friction_combine", visitor);
    visit_rule(restitution_combine, "restitution_combine", visitor);
}

fn visit_rule<V: FieldVisitor + ?Sized>(rule: &mut CombineRule, name: &'static str, visitor: &mut V) {
    match CombineRule::from_u8(visit_tag(visitor, name, *rule as u8)) {
        Some(known) => *rule = known,
        None => visitor.refuse("combine rule"),
    }
}

fn visit_key<V: FieldVisitor + ?Sized>(key: &mut ColliderKey, name: &'static str, visitor: &mut V) {
    let ColliderKey { body, part } = key;
    visitor.enter(name, None);
    visit_u32(visitor, "body", body);
    visit_u32(visitor, "part", part);
    visitor.leave();
}

fn visit_shape<S: Scalar, V: FieldVisitor + ?Sized>(shape: &mut Shape<S>, visitor: &mut V) {
    visitor.enter("shape", None);
    let tag = match shape.kind() {
        ShapeKind::Sphere => 0,
        ShapeKind::Cuboid => 1,
        ShapeKind::Capsule => 2,
        ShapeKind::HalfSpace => 3,
    };
    let wanted = visit_tag(visitor, "kind", tag);
    if wanted != tag {
        *shape = match wanted {
            0 => Shape::Sphere { radius: S::ZERO },
            1 => Shape::Cuboid { half_extents: Vec3::ZERO },
            2 => Shape::Capsule { half_height: S::ZERO, radius: S::ZERO },
            3 => Shape::HalfSpace { normal: Vec3::ZERO },
            _unknown => {
                visitor.refuse("shape kind");
                *shape
            }
        };
    }
    match shape {
        Shape::Sphere { radius } => visit_scalar(visitor, "radius", radius),
        Shape::Cuboid { half_extents } => visit_vec3(visitor, "half_extents", half_extents),
        Shape::Capsule { half_height, radius } => {
            visit_scalar(visitor, "half_height", half_height);
            visit_scalar(visitor, "radius", radius);
        }
        Shape::HalfSpace { normal } => visit_vec3(visitor, "normal", normal),
    }
    visitor.leave();
}

fn visit_fat_box<S: Scalar, V: FieldVisitor + ?Sized>(fat_box: &mut FatAabb<S>, visitor: &mut V) {
    visitor.enter("fat_box", None);
    let tag = u8::from(!fat_box.is_bounded());
    let wanted = visit_tag(visitor, "kind", tag);
    if wanted != tag {
        *fat_box = match wanted {
            0 => FatAabb::Bounded(Aabb { min: Vec3::ZERO, max: Vec3::ZERO }),
            1 => FatAabb::HalfSpace { normal: Vec3::ZERO, point: Vec3::ZERO },
            _unknown => {
                visitor.refuse("fat box kind");
                *fat_box
            }
        };
    }
    match fat_box {
        FatAabb::Bounded(Aabb { min, max }) => {
            visit_vec3(visitor, "min", min);
            visit_vec3(visitor, "max", max);
        }
        FatAabb::HalfSpace { normal, point } => {
            visit_vec3(visitor, "normal", normal);
            visit_vec3(visitor, "point", point);
        }
    }
    visitor.leave();
}

/// The fields of a [`Joint`].
pub fn visit_joint<S: Scalar, V: FieldVisitor + ?Sized>(joint: &mut Joint<S>, visitor: &mut V) {
    let Joint { id, name, kind, a, b, anchor_a, anchor_b, collides, impulse } = joint;
    visit_u32(visitor, "id", id);
    if let Some(text) = visitor.text("name", name) {
        *name = Arc::from(text);
    }
    match JointKind::from_u8(visit_tag(visitor, "kind", *kind as u8)) {
        Some(known) => *kind = known,
        None => visitor.refuse("joint kind"),
    }
    visit_u32(visitor, "a", a);
    visit_u32(visitor, "b", b);
    visit_vec3(visitor, "anchor_a", anchor_a);
    visit_vec3(visitor, "anchor_b", anchor_b);
    match visit_tag(visitor, "collides", u8::from(*collides)) {
        0 => *collides = false,
        1 => *collides = true,
        _unknown => visitor.refuse("switch"),
    }
    visit_vec3(visitor, "impulse", impulse);
}

/// The fields of a [`Contact`]: of its points those that count.
pub fn visit_contact<S: Scalar, V: FieldVisitor + ?Sized>(contact: &mut Contact<S>, visitor: &mut V) {
    let Contact { a, b, count, points, twist_impulse, rolling_impulse, found_at } = contact;
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
    visit_pair_pose(found_at, visitor);
}

fn visit_pair_pose<S: Scalar, V: FieldVisitor + ?Sized>(pose: &mut Option<PairPose<S>>, visitor: &mut V) {
    match visit_tag(visitor, "keeps_manifold", u8::from(pose.is_some())) {
        0 => *pose = None,
        1 => *pose = Some(pose.unwrap_or(PairPose::NOWHERE)),
        _unknown => visitor.refuse("switch"),
    }
    let Some(PairPose { centre_offset, orientations: [orientation_a, orientation_b] }) = pose else { return };
    visitor.enter("found_at", None);
    visit_vec3(visitor, "centre_offset", centre_offset);
    visit_quat(visitor, "orientation_a", orientation_a);
    visit_quat(visitor, "orientation_b", orientation_b);
    visitor.leave();
}
