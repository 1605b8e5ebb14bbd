//! Vectors of three scalars.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::math::lanes::Lanes;
use crate::math::scalar::Scalar;

/// A vector or point in space: metres, metres per second, newtons, as the context says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Vec3<S> {
    /// First component.
    pub x: S,
    /// Second component.
    pub y: S,
    /// Third component.
    pub z: S,
}

impl<T> Vec3<T> {
    /// The vector of these components.
    #[inline(always)]
    #[must_use]
    pub const fn new(x: T, y: T, z: T) -> Self {
        Self { x, y, z }
    }
}

impl<L: Lanes> Vec3<L> {
    /// The zero vector in every lane.
    #[inline(always)]
    #[must_use]
    pub fn zero() -> Self {
        Self::new(L::zero(), L::zero(), L::zero())
    }

    /// `yes` where the mask says so, else `no`.
    #[inline(always)]
    #[must_use]
    pub fn select(which: L::Mask, yes: Self, no: Self) -> Self {
        Self::new(L::select(which, yes.x, no.x), L::select(which, yes.y, no.y), L::select(which, yes.z, no.z))
    }

    /// The sum of the components' magnitudes in every lane: see [`taxicab_length`](Vec3::taxicab_length).
    #[inline(always)]
    #[must_use]
    pub fn sum_of_magnitudes(self) -> L {
        self.x.magnitude() + self.y.magnitude() + self.z.magnitude()
    }

    /// The scalar product.
    #[inline(always)]
    #[must_use]
    pub fn dot(self, other: Self) -> L {
        L::dot3([self.x, self.y, self.z], [other.x, other.y, other.z])
    }

    /// The vector product, right-handed.
    #[inline(always)]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            L::dot2([self.y, -self.z], [other.z, other.y]),
            L::dot2([self.z, -self.x], [other.x, other.z]),
            L::dot2([self.x, -self.y], [other.y, other.x]),
        )
    }
}

impl<S: Scalar> Vec3<S> {
    /// The zero vector.
    pub const ZERO: Self = Self::new(S::ZERO, S::ZERO, S::ZERO);
    /// The unit vector along x.
    pub const X: Self = Self::new(S::ONE, S::ZERO, S::ZERO);
    /// The unit vector along y.
    pub const Y: Self = Self::new(S::ZERO, S::ONE, S::ZERO);
    /// The unit vector along z.
    pub const Z: Self = Self::new(S::ZERO, S::ZERO, S::ONE);

    /// The vector of an array `[x, y, z]`.
    #[inline(always)]
    #[must_use]
    pub const fn from_array([x, y, z]: [S; 3]) -> Self {
        Self { x, y, z }
    }

    /// All three components equal.
    #[must_use]
    pub const fn splat(value: S) -> Self {
        Self::new(value, value, value)
    }

    /// The components as `[x, y, z]`.
    #[inline(always)]
    #[must_use]
    pub const fn to_array(self) -> [S; 3] {
        [self.x, self.y, self.z]
    }

    /// The length.
    #[must_use]
    pub fn length(self) -> S {
        S::length3(self.to_array())
    }

    /// The square of the length. In fixed point it underflows below 15 micrometres: compare lengths there.
    #[inline(always)]
    #[must_use]
    pub fn length_squared(self) -> S {
        self.dot(self)
    }

    /// The largest magnitude of a component: never more than the length, and without a root.
    #[inline]
    #[must_use]
    pub fn largest_component(self) -> S {
        let Self { x, y, z } = self.abs();
        x.max(y).max(z)
    }

    /// The sum of the components' magnitudes: never less than the length, and without a root.
    #[inline(always)]
    #[must_use]
    pub fn taxicab_length(self) -> S {
        let Self { x, y, z } = self.abs();
        x + y + z
    }

    /// The unit vector of this direction and the length; `None` for the zero vector.
    #[must_use]
    pub fn normalise(self) -> Option<(Self, S)> {
        S::normalise3(self.to_array()).map(|(unit, length)| (Self::from_array(unit), length))
    }

    /// The unit vector of this direction, as [`normalise`](Self::normalise) has it: in fixed point quicker than with the length.
    #[must_use]
    pub fn direction(self) -> Option<Self> {
        S::direction3(self.to_array()).map(Self::from_array)
    }

    /// Two unit vectors that form a right-handed frame with this unit vector, `self = first x second`.
    ///
    /// The first is perpendicular to the coordinate axis on which `self` is smallest, so the choice is stable.
    #[must_use]
    pub fn tangents(self) -> (Self, Self) {
        let magnitude = self.abs();
        let axis = if magnitude.x <= magnitude.y && magnitude.x <= magnitude.z {
            Self::X
        } else if magnitude.y <= magnitude.z {
            Self::Y
        } else {
            Self::Z
        };
        let first = self.cross(axis).direction().unwrap_or(Self::X);
        (first, self.cross(first))
    }

    /// The product component by component.
    #[inline(always)]
    #[must_use]
    pub fn component_mul(self, other: Self) -> Self {
        Self::new(self.x * other.x, self.y * other.y, self.z * other.z)
    }

    /// The magnitudes of the components.
    #[inline(always)]
    #[must_use]
    pub fn abs(self) -> Self {
        self.map(S::abs)
    }

    /// The smaller of each component.
    #[inline(always)]
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self::new(self.x.min(other.x), self.y.min(other.y), self.z.min(other.z))
    }

    /// The larger of each component.
    #[inline(always)]
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self::new(self.x.max(other.x), self.y.max(other.y), self.z.max(other.z))
    }

    /// A function applied to each component.
    #[inline(always)]
    #[must_use]
    pub fn map(self, function: impl Fn(S) -> S) -> Self {
        Self::new(function(self.x), function(self.y), function(self.z))
    }

    /// The product of each component with a fraction such as `dt`.
    #[inline(always)]
    #[must_use]
    pub fn mul_fraction(self, fraction: S::Fraction) -> Self {
        self.map(|component| component.mul_fraction(fraction))
    }

    /// The same vector with one bit pattern only: -0 becomes +0.
    #[must_use]
    pub fn canonical(self) -> Self {
        self.map(S::canonical)
    }

    /// Whether every component is finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// The nearest `f64` components, for reports only.
    #[must_use]
    pub fn to_f64(self) -> [f64; 3] {
        [self.x.to_f64(), self.y.to_f64(), self.z.to_f64()]
    }
}

impl<L: Lanes> Add for Vec3<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl<L: Lanes> Sub for Vec3<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl<L: Lanes> Neg for Vec3<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl<L: Lanes> Mul<L> for Vec3<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: L) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

impl<L: Lanes> AddAssign for Vec3<L> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<L: Lanes> SubAssign for Vec3<L> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
