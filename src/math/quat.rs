//! Unit quaternions as orientations.

use std::ops::Mul;

use crate::math::mat3::Mat3;
use crate::math::scalar::Scalar;
use crate::math::vec3::Vec3;

/// An orientation: a unit quaternion `(w, x, y, z)` that turns body coordinates into world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quat<S> {
    /// The scalar part, the cosine of half the angle.
    pub w: S,
    /// First component of the vector part.
    pub x: S,
    /// Second component of the vector part.
    pub y: S,
    /// Third component of the vector part.
    pub z: S,
}

impl<S: Scalar> Quat<S> {
    /// No rotation.
    pub const IDENTITY: Self = Self::new(S::ONE, S::ZERO, S::ZERO, S::ZERO);

    /// The quaternion of these components, taken as they are.
    #[must_use]
    pub const fn new(w: S, x: S, y: S, z: S) -> Self {
        Self { w, x, y, z }
    }

    /// The components `[w, x, y, z]`.
    #[inline(always)]
    #[must_use]
    pub const fn to_array(self) -> [S; 4] {
        [self.w, self.x, self.y, self.z]
    }

    /// The quaternion of `[w, x, y, z]`.
    #[inline(always)]
    #[must_use]
    pub const fn from_array([w, x, y, z]: [S; 4]) -> Self {
        Self { w, x, y, z }
    }

    /// The rotation by `angle` radians, right-handed, about `axis`; none about a zero axis.
    #[must_use]
    pub fn from_axis_angle(axis: Vec3<S>, angle: S) -> Self {
        let Some(unit) = axis.direction() else {
            return Self::IDENTITY;
        };
        let (sine, cosine) = (angle * S::HALF).sin_cos();
        let vector = unit * sine;
        Self::new(cosine, vector.x, vector.y, vector.z).normalise()
    }

    /// Scaled to unit length; the identity for zero.
    #[must_use]
    pub fn normalise(self) -> Self {
        Self::from_array(S::normalise4(self.to_array()))
    }

    /// The inverse rotation of a unit quaternion.
    #[inline(always)]
    #[must_use]
    pub fn conjugate(self) -> Self {
        Self::new(self.w, -self.x, -self.y, -self.z)
    }

    /// The rotation matrix; its columns are the images of the axes.
    #[must_use]
    pub fn to_matrix(self) -> Mat3<S> {
        let Self { w, x, y, z } = self;
        let double = |a: [S; 2], b: [S; 2]| {
            let half = S::dot2(a, b);
            half + half
        };
        Mat3::from_rows([
            Vec3::new(S::ONE - double([y, z], [y, z]), double([x, -w], [y, z]), double([x, w], [z, y])),
            Vec3::new(double([x, w], [y, z]), S::ONE - double([x, z], [x, z]), double([y, -w], [z, x])),
            Vec3::new(double([x, -w], [z, y]), double([y, w], [z, x]), S::ONE - double([x, y], [x, y])),
        ])
    }

    /// The vector turned by this rotation.
    #[must_use]
    pub fn rotate(self, v: Vec3<S>) -> Vec3<S> {
        self.to_matrix() * v
    }

    /// Turned at angular velocity `omega` (world frame, rad/s) for a step whose half is `half_dt`, to first order:
    /// `q + dt/2 (0, omega) q`, normalised. Exactly the same quaternion when `omega` is zero.
    #[must_use]
    pub fn advance_first_order(self, omega: Vec3<S>, half_dt: S::Fraction) -> Self {
        if omega == Vec3::ZERO {
            return self;
        }
        if is_large(omega, half_dt) {
            let axis = omega.map(|component| component.mul_fraction(half_dt));
            let largest = axis.taxicab_length();
            let Vec3 { x, y, z } = axis.map(|component| component / largest);
            return (Self::new(S::ONE / largest, x, y, z).normalise() * self).normalise();
        }
        let half_turn = S::half_turn(omega.to_array(), half_dt);
        Self::from_array(S::mul_quaternion_fraction(S::fraction(1, 1), half_turn, self.to_array())).normalise()
    }

    /// Turned at angular velocity `omega` (world frame, rad/s) for a step whose half is `half_dt`, by the exponential
    /// map: exact for a constant `omega`. Exactly the same quaternion when `omega` is zero.
    #[must_use]
    pub fn advance_exponential(self, omega: Vec3<S>, half_dt: S::Fraction) -> Self {
        if omega == Vec3::ZERO {
            return self;
        }
        match S::turned_a_little(self.to_array(), omega.to_array(), half_dt, true) {
            Some(turned) => Self::from_array(turned),
            None => self.advance_far(omega, half_dt).normalise(),
        }
    }

    /// The same, of length one to rounding only: for an orientation that is looked at and not kept.
    #[must_use]
    pub fn advance_nearly(self, omega: Vec3<S>, half_dt: S::Fraction) -> Self {
        match S::turned_a_little(self.to_array(), omega.to_array(), half_dt, false) {
            Some(turned) => Self::from_array(turned),
            None => self.advance_far(omega, half_dt),
        }
    }

    /// The same for a turn of any size.
    fn advance_far(self, omega: Vec3<S>, half_dt: S::Fraction) -> Self {
        let mut part = omega;
        let mut doublings = 0;
        while is_large(part, half_dt) {
            part = part * S::HALF;
            doublings += 1;
        }
        let (scalar, vector) = S::exponential_map(S::half_turn(part.to_array(), half_dt));
        if doublings == 0 {
            return Self::from_array(S::mul_quaternion_fraction(scalar, vector, self.to_array()));
        }
        let turn = Self::from_array(S::mul_quaternion_fraction(scalar, vector, Self::IDENTITY.to_array()));
        (0..doublings).fold(turn.normalise(), |turn, _| (turn * turn).normalise()) * self
    }

    /// The same quaternion with one bit pattern only: -0 becomes +0.
    #[must_use]
    pub fn canonical(self) -> Self {
        Self::from_array(self.to_array().map(S::canonical))
    }
}

/// Whether a step turns by more than fixed point's fractions hold: half a turn in radians has to stay below two. What is no
/// number, or infinite, has no part that would be smaller.
fn is_large<S: Scalar>(omega: Vec3<S>, half_dt: S::Fraction) -> bool {
    let turn = omega.taxicab_length().mul_fraction(half_dt);
    turn > S::ONE && turn.is_finite()
}

impl<S: Scalar> Default for Quat<S> {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl<S: Scalar> Mul for Quat<S> {
    type Output = Self;
    /// The rotation by `other`, followed by `self`.
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let Self { w, x, y, z } = self;
        Self::new(
            S::dot4([w, -x, -y, -z], [other.w, other.x, other.y, other.z]),
            S::dot4([w, x, y, -z], [other.x, other.w, other.z, other.y]),
            S::dot4([w, y, z, -x], [other.y, other.w, other.x, other.z]),
            S::dot4([w, z, x, -y], [other.z, other.w, other.y, other.x]),
        )
    }
}
