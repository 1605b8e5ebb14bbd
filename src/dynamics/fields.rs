//! How a visitor is led over the fields of bodies, colliders and joints that have types of this layer.
//!
//! Every struct is taken apart in full, without `..` and `_`: a new part of it does not compile until it is led past the
//! visitor here. A test holds this file to that.

use crate::dynamics::body::BodyKind;
use crate::dynamics::collider::{ColliderKey, CombineRule, Surface};
use crate::dynamics::filter::Filter;
use crate::dynamics::joint::JointKind;
use crate::math::Scalar;
use crate::state::Field;
use crate::state::visitor::{FieldVisitor, visit_i32, visit_scalar, visit_tag, visit_u32};

impl Field for BodyKind {
    fn blank() -> Self {
        Self::Static
    }

    #[inline(always)]
    fn visit<V: FieldVisitor + ?Sized>(&mut self, name: &'static str, visitor: &mut V) {
        match Self::from_u8(visit_tag(visitor, name, *self as u8)) {
            Some(known) => *self = known,
            None => visitor.refuse("body kind"),
        }
    }
}

impl Field for ColliderKey {
    fn blank() -> Self {
        Self::default()
    }

    #[inline(always)]
    fn visit<V: FieldVisitor + ?Sized>(&mut self, name: &'static str, visitor: &mut V) {
        let Self { body, part } = self;
        visitor.enter(name, None);
        visit_u32(visitor, "body", body);
        visit_u32(visitor, "part", part);
        visitor.leave();
    }
}

/// The parts of a surface stand in the record of its collider by their own names.
impl<S: Scalar> Field for Surface<S> {
    fn blank() -> Self {
        Self::PLAIN
    }

    #[inline(always)]
    fn visit<V: FieldVisitor + ?Sized>(&mut self, _whole: &'static str, visitor: &mut V) {
        let Self { friction, restitution, rolling_friction, spinning_friction, friction_combine, restitution_combine } =
            self;
        visit_scalar(visitor, "friction", friction);
        visit_scalar(visitor, "restitution", restitution);
        visit_scalar(visitor, "rolling_friction", rolling_friction);
        visit_scalar(visitor, "spinning_friction", spinning_friction);
        visit_rule(friction_combine, "friction_combine", visitor);
        visit_rule(restitution_combine, "restitution_combine", visitor);
    }
}

fn visit_rule<V: FieldVisitor + ?Sized>(rule: &mut CombineRule, name: &'static str, visitor: &mut V) {
    match CombineRule::from_u8(visit_tag(visitor, name, *rule as u8)) {
        Some(known) => *rule = known,
        None => visitor.refuse("combine rule"),
    }
}

impl Field for Filter {
    fn blank() -> Self {
        Self::PLAIN
    }

    #[inline(always)]
    fn visit<V: FieldVisitor + ?Sized>(&mut self, name: &'static str, visitor: &mut V) {
        let Self { category, mask, group } = self;
        visitor.enter(name, None);
        visit_u32(visitor, "category", category);
        visit_u32(visitor, "mask", mask);
        visit_i32(visitor, "group", group);
        visitor.leave();
    }
}

impl Field for JointKind {
    fn blank() -> Self {
        Self::Spherical
    }

    fn visit<V: FieldVisitor + ?Sized>(&mut self, name: &'static str, visitor: &mut V) {
        match Self::from_u8(visit_tag(visitor, name, *self as u8)) {
            Some(known) => *self = known,
            None => visitor.refuse("joint kind"),
        }
    }
}
