//! Shapes attached to bodies, as a structure of arrays.

use std::ops::Range;

use crate::collision::broad_phase::FatAabb;
use crate::dynamics::body::Bodies;
use crate::dynamics::filter::Filter;
use crate::geometry::mesh::turned;
use crate::geometry::{Aabb, Shape};
use crate::math::{Mat3, Pose, Quat, Scalar, Vec3};
use crate::state::table::table;

/// Names a collider for as long as its body lives: the body's id and the collider's number within the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ColliderKey {
    /// The body's id.
    pub body: u32,
    /// The collider's number within the body, from 0.
    pub part: u32,
}

/// How the coefficients of two surfaces make one. Of two rules the larger counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum CombineRule {
    /// Half their sum.
    Average = 0,
    /// The root of their product.
    GeometricMean = 1,
    /// The smaller one.
    Min = 2,
    /// Their product.
    Multiply = 3,
    /// The larger one.
    Max = 4,
}

impl CombineRule {
    /// All rules, in their order.
    pub const ALL: [Self; 5] = [Self::Average, Self::GeometricMean, Self::Min, Self::Multiply, Self::Max];

    /// The rule of this number.
    #[must_use]
    pub const fn from_u8(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Average),
            1 => Some(Self::GeometricMean),
            2 => Some(Self::Min),
            3 => Some(Self::Multiply),
            4 => Some(Self::Max),
            _ => None,
        }
    }

    /// One coefficient of two. Two that are equal give themselves, but for `Multiply`.
    #[must_use]
    pub fn combine<S: Scalar>(self, a: S, b: S) -> S {
        match self {
            Self::Average | Self::GeometricMean if a == b => a,
            Self::Average => (a + b) * S::HALF,
            Self::GeometricMean => (a * b).sqrt(),
            Self::Min => a.min(b),
            Self::Multiply => a * b,
            Self::Max => a.max(b),
        }
    }
}

/// Surface properties that decide over a contact. All of it is state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface<S> {
    /// Coulomb friction coefficient.
    pub friction: S,
    /// Restitution, 0 to 1.
    pub restitution: S,
    /// Friction against rolling, as an arm in metres.
    pub rolling_friction: S,
    /// Friction against spinning on the spot, as an arm in metres.
    pub spinning_friction: S,
    /// How the friction combines with that of another surface.
    pub friction_combine: CombineRule,
    /// How the restitution combines with that of another surface.
    pub restitution_combine: CombineRule,
}

impl<S: Scalar> Surface<S> {
    /// Without friction and restitution, combining as materials do that say nothing of it.
    pub const PLAIN: Self = Self {
        friction: S::ZERO,
        restitution: S::ZERO,
        rolling_friction: S::ZERO,
        spinning_friction: S::ZERO,
        friction_combine: CombineRule::GeometricMean,
        restitution_combine: CombineRule::Average,
    };

    /// What two touching surfaces make.
    #[must_use]
    pub fn combine(self, other: Self) -> ContactSurface<S> {
        let friction_rule = self.friction_combine.max(other.friction_combine);
        let restitution_rule = self.restitution_combine.max(other.restitution_combine);
        ContactSurface {
            friction: friction_rule.combine(self.friction, other.friction),
            restitution: restitution_rule.combine(self.restitution, other.restitution),
            rolling_friction: self.rolling_friction.max(other.rolling_friction),
            spinning_friction: self.spinning_friction.max(other.spinning_friction),
        }
    }
}

/// What the surfaces of a contact are together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactSurface<S> {
    /// Coulomb friction coefficient.
    pub friction: S,
    /// Restitution, 0 to 1.
    pub restitution: S,
    /// Friction against rolling, as an arm in metres.
    pub rolling_friction: S,
    /// Friction against spinning on the spot, as an arm in metres.
    pub spinning_friction: S,
}

table! {
    /// One collider: a row of [`Colliders`]. All of it is state.
    record Collider;
    /// All colliders, ordered by key: one array per field.
    table Colliders by key: ColliderKey;
    /// What a collider keeps for as long as it is there, by column: no input and no stage of a step changes it.
    constant ColliderConstants {
        /// Which collider of which body.
        key: ColliderKey,
        /// The shape in its own frame.
        shape: Shape<S>,
        /// The shape's frame relative to the body's centre of mass, in the body's axes.
        local: Pose<S>,
        /// Friction, restitution, and how they combine with those of other surfaces.
        surface: Surface<S>,
        /// What it is and what it meets.
        filter: Filter,
        /// Whether it only notices what overlaps it, and pushes nothing.
        is_sensor: bool,
    }
    moving {
        /// The box the broad phase knows: larger than the shape, moved only when the shape leaves it.
        fat_box: FatAabb<S>,
    }
    derived {
        /// See [`Collider::reach`].
        reach: S,
        /// See [`Collider::thickness`].
        thickness: Option<S>,
        /// See [`Collider::turns_in_itself`].
        turns_in_itself: bool,
        /// See [`Collider::is_mesh`].
        is_mesh: bool,
    }
}

impl<S: Scalar> Collider<S> {
    /// How far a point of this collider can be from the axis about which its body turns, where turning moves the surface at
    /// all, in metres: zero for a ball about its centre, and for a half-space, which no body that turns has.
    #[must_use]
    pub fn reach(&self) -> S {
        self.shape.turning_reach() + self.local.position.length()
    }

    /// How thick it is where it is thinnest, metres; `None` where it has no thickness, or no other side.
    #[must_use]
    pub fn thickness(&self) -> Option<S> {
        self.shape.least_thickness()
    }

    /// Whether it is met facet by facet.
    #[must_use]
    pub const fn is_mesh(&self) -> bool {
        matches!(self.shape, Shape::Mesh(_))
    }

    /// Whether turning its body does not move the surface of this collider: a ball about its centre, and a half-space.
    #[must_use]
    pub fn turns_in_itself(&self) -> bool {
        matches!(self.shape, Shape::Sphere { .. } | Shape::HalfSpace { .. }) && self.local.position == Vec3::ZERO
    }
}

/// Where a collider is, relative to the centre of mass of its body.
#[derive(Clone, Copy, Debug)]
pub struct Placement<S> {
    /// Index of its body.
    pub body: u32,
    /// From the body's centre of mass to the shape's origin, world axes.
    pub offset: Vec3<S>,
    /// Shape frame to world frame.
    pub rotation: Mat3<S>,
}

impl<S: Scalar> Placement<S> {
    /// That of a collider which is yet to be placed.
    pub const NOWHERE: Self = Self { body: 0, offset: Vec3::ZERO, rotation: Mat3::IDENTITY };

    /// The placement of a collider of this local pose on a body turned by `rotation`.
    #[must_use]
    pub fn of(body: u32, local: &Pose<S>, rotation: Mat3<S>) -> Self {
        let turned = local.orientation != Quat::IDENTITY;
        Self {
            body,
            offset: if local.position == Vec3::ZERO { Vec3::ZERO } else { rotation * local.position },
            rotation: if turned { rotation * local.orientation.to_matrix() } else { rotation },
        }
    }
}

impl<S: Scalar> Placement<S> {
    /// The placement of a shape of this collider: a facet has an origin of its own.
    #[inline]
    #[must_use]
    pub fn of_piece(self, shape: &Shape<S>) -> Self {
        match shape {
            Shape::Facet(_) => Self { offset: self.offset_of_piece(shape), ..self },
            _ => self,
        }
    }

    /// Where the piece that this shape is would be, from the body's centre of mass, metres, world axes.
    #[inline]
    #[must_use]
    pub fn offset_of_piece(&self, shape: &Shape<S>) -> Vec3<S> {
        match shape {
            Shape::Facet(facet) => self.offset + self.rotation * facet.origin(),
            _ => self.offset,
        }
    }
}

impl<S: Scalar> Colliders<S> {
    /// Where the colliders of the body of this id are, in their order.
    #[must_use]
    pub fn of_body(&self, body: u32) -> Range<usize> {
        self.key.partition_point(|key| key.body < body)..self.key.partition_point(|key| key.body <= body)
    }

    /// The shape of a collider: of a mesh one facet, where `piece` names one, by one more than its number.
    #[inline]
    #[must_use]
    pub fn piece(&self, collider: u32, piece: u32) -> &Shape<S> {
        match &self.shape[collider as usize] {
            Shape::Mesh(mesh) if piece > 0 => mesh.piece(piece - 1),
            whole => whole,
        }
    }

    /// Puts into `pieces`, ascending, those of a mesh that come into a box, world axes, within `time` seconds, each as one more than its
    /// number; of what is no mesh nothing. It is placed like this on its body.
    pub fn pieces_in(
        &self,
        collider: u32,
        (placement, bodies): (&Placement<S>, &Bodies<S>),
        (bounds, time): (&Aabb<S>, S),
        pieces: &mut Vec<u32>,
    ) {
        pieces.clear();
        let Shape::Mesh(mesh) = &self.shape[collider as usize] else { return };
        let body = placement.body as usize;
        let turning = bodies.angular_velocity[body].taxicab_length() * self.reach[collider as usize];
        let reached = bounds.expanded((bodies.linear_velocity[body].taxicab_length() + turning) * time);
        let centre = bodies.position[body] + placement.offset;
        mesh.near(&turned(&reached.translated(-centre), &placement.rotation.transpose()), pieces);
        pieces.iter_mut().for_each(|piece| *piece += 1);
    }

    /// Takes out every collider of a body; where they were.
    pub fn remove_body(&mut self, body: u32) -> Range<usize> {
        let own = self.of_body(body);
        self.remove(own.clone());
        own
    }
}

#[cfg(test)]
mod tests {
    use crate::dynamics::collider::{CombineRule, Surface};
    use crate::math::{Fixed, Scalar};

    /// Without rules of their own, so that a test gives them.
    fn surfaces<S: Scalar>(rules: [CombineRule; 2], a: S, b: S) -> [Surface<S>; 2] {
        let surface = |rule, coefficient| Surface {
            friction: coefficient,
            restitution: coefficient,
            friction_combine: rule,
            restitution_combine: rule,
            ..Surface::PLAIN
        };
        [surface(rules[0], a), surface(rules[1], b)]
    }

    /// What two coefficients make by a pair of rules, alike for friction and restitution and whichever comes first.
    fn combined<S: Scalar>(rules: [CombineRule; 2], a: S, b: S) -> S {
        let [first, second] = surfaces(rules, a, b);
        let (one_way, other_way) = (first.combine(second), second.combine(first));
        assert!(one_way == other_way, "{rules:?}: {one_way:?} and {other_way:?}");
        assert!(one_way.friction == one_way.restitution, "{rules:?}: {one_way:?}");
        one_way.friction
    }

    /// All numbers here are sums of few powers of two, so that every scalar holds them and each rule is exact.
    fn each_rule_is_its_formula<S: Scalar>() {
        let (low, high) = (S::from_ratio(1, 4), S::from_ratio(9, 4));
        let expected = [
            (CombineRule::Average, S::from_ratio(5, 4)),
            (CombineRule::GeometricMean, S::from_ratio(3, 4)),
            (CombineRule::Min, S::from_ratio(1, 4)),
            (CombineRule::Multiply, S::from_ratio(9, 16)),
            (CombineRule::Max, S::from_ratio(9, 4)),
        ];
        for (rule, expected) in expected {
            let found = combined([rule, rule], low, high);
            assert!(found == expected, "{rule:?}: {found:?}");
        }
    }

    /// Of two rules the later one of the order in the scene format counts.
    fn of_two_rules_the_later_counts<S: Scalar>() {
        let (low, high) = (S::from_ratio(1, 4), S::from_ratio(9, 4));
        for (place, first) in CombineRule::ALL.into_iter().enumerate() {
            for (other_place, second) in CombineRule::ALL.into_iter().enumerate() {
                let counts = CombineRule::ALL[place.max(other_place)];
                let found = combined([first, second], low, high);
                assert!(found == combined([counts, counts], low, high), "{first:?} and {second:?}: {found:?}");
            }
        }
    }

    /// Tenths and thirds are rounded in each scalar, and still no rule but the product rounds again.
    fn equal_coefficients_give_themselves<S: Scalar>() {
        for (numerator, denominator) in [(0, 1), (1, 10), (1, 3), (17, 20), (1, 1), (7, 3), (999, 1), (1, 1 << 30)] {
            let coefficient = S::from_ratio(numerator, denominator);
            for rule in CombineRule::ALL {
                let found = combined([rule, rule], coefficient, coefficient);
                let expected = if rule == CombineRule::Multiply { coefficient * coefficient } else { coefficient };
                assert!(found == expected, "{rule:?} of {coefficient:?}: {found:?}");
            }
        }
    }

    /// Friction and restitution go by rules of their own; against rolling and spinning the larger arm counts, whatever they say.
    fn each_coefficient_goes_by_its_own_rule<S: Scalar>() {
        let [zero, quarter, half, one] = [S::ZERO, S::from_ratio(1, 4), S::HALF, S::ONE];
        let ball = Surface {
            friction: quarter,
            restitution: one,
            rolling_friction: zero,
            spinning_friction: half,
            ..Surface::PLAIN
        };
        let cushion = Surface {
            friction: one,
            restitution: half,
            rolling_friction: quarter,
            spinning_friction: zero,
            restitution_combine: CombineRule::Min,
            ..Surface::PLAIN
        };
        for surface in [ball.combine(cushion), cushion.combine(ball)] {
            assert!(surface.friction == half && surface.restitution == half, "{surface:?}");
            assert!(surface.rolling_friction == quarter && surface.spinning_friction == half, "{surface:?}");
        }
    }

    fn all<S: Scalar>() {
        each_rule_is_its_formula::<S>();
        of_two_rules_the_later_counts::<S>();
        equal_coefficients_give_themselves::<S>();
        each_coefficient_goes_by_its_own_rule::<S>();
    }

    #[test]
    fn surfaces_combine_by_their_rules() {
        all::<Fixed>();
        all::<f32>();
        all::<f64>();
    }

    #[test]
    fn a_rule_is_found_by_its_number() {
        for (number, rule) in (0..).zip(CombineRule::ALL) {
            assert_eq!((rule as u8, CombineRule::from_u8(number)), (number, Some(rule)));
        }
        assert_eq!(CombineRule::from_u8(5), None);
    }
}
