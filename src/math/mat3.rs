//! 3 x 3 matrices: rotations and symmetric tensors.

use std::ops::{Add, Mul};

use crate::math::lanes::Lanes;
use crate::math::scalar::Scalar;
use crate::math::vec3::Vec3;

/// A general 3 x 3 matrix, kept by rows so that a product with a vector is three scalar products.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mat3<S> {
    /// The three rows.
    pub rows: [Vec3<S>; 3],
}

impl<S: Scalar> Mat3<S> {
    /// The identity.
    pub const IDENTITY: Self = Self { rows: [Vec3::X, Vec3::Y, Vec3::Z] };

    /// The matrix of these rows.
    #[must_use]
    pub const fn from_rows(rows: [Vec3<S>; 3]) -> Self {
        Self { rows }
    }

    /// The transpose: of a rotation, its inverse.
    #[inline(always)]
    #[must_use]
    pub fn transpose(self) -> Self {
        Self { rows: [self.column(0), self.column(1), self.column(2)] }
    }

    /// Column `index`, from 0 to 2: of a rotation, the image of that axis.
    #[inline(always)]
    #[must_use]
    pub fn column(self, index: usize) -> Vec3<S> {
        let [x, y, z] = self.rows;
        Vec3::new(x.to_array()[index], y.to_array()[index], z.to_array()[index])
    }

    /// The product of the transpose with a vector, without forming the transpose.
    #[inline(always)]
    #[must_use]
    pub fn transpose_mul(self, v: Vec3<S>) -> Vec3<S> {
        Vec3::new(self.column(0).dot(v), self.column(1).dot(v), self.column(2).dot(v))
    }

    /// Every entry replaced by its magnitude.
    #[must_use]
    pub fn abs(self) -> Self {
        Self { rows: self.rows.map(Vec3::abs) }
    }
}

impl<S: Scalar> Default for Mat3<S> {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl<L: Lanes> Mul<Vec3<L>> for Mat3<L> {
    type Output = Vec3<L>;
    #[inline(always)]
    fn mul(self, v: Vec3<L>) -> Vec3<L> {
        let [x, y, z] = self.rows;
        Vec3::new(x.dot(v), y.dot(v), z.dot(v))
    }
}

impl<S: Scalar> Mul for Mat3<S> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let columns = other.transpose();
        let [x, y, z] = self.rows;
        Self { rows: [columns * x, columns * y, columns * z] }
    }
}

/// A symmetric 3 x 3 matrix, such as an inertia tensor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SymMat3<S> {
    /// Entry (0, 0).
    pub xx: S,
    /// Entry (1, 1).
    pub yy: S,
    /// Entry (2, 2).
    pub zz: S,
    /// Entries (0, 1) and (1, 0).
    pub xy: S,
    /// Entries (0, 2) and (2, 0).
    pub xz: S,
    /// Entries (1, 2) and (2, 1).
    pub yz: S,
}

impl<T: Copy> SymMat3<T> {
    /// The three rows.
    #[inline(always)]
    #[must_use]
    pub const fn rows(self) -> [Vec3<T>; 3] {
        [
            Vec3::new(self.xx, self.xy, self.xz),
            Vec3::new(self.xy, self.yy, self.yz),
            Vec3::new(self.xz, self.yz, self.zz),
        ]
    }
}

impl<L: Lanes> SymMat3<L> {
    /// The zero matrix in every lane.
    #[inline(always)]
    #[must_use]
    pub fn zero() -> Self {
        let zero = L::zero();
        Self { xx: zero, yy: zero, zz: zero, xy: zero, xz: zero, yz: zero }
    }
}

impl<S: Scalar> SymMat3<S> {
    /// The zero matrix.
    pub const ZERO: Self = Self::diagonal(S::ZERO, S::ZERO, S::ZERO);
    /// The identity.
    pub const IDENTITY: Self = Self::diagonal(S::ONE, S::ONE, S::ONE);

    /// The matrix with these diagonal entries and zeros elsewhere.
    #[must_use]
    pub const fn diagonal(xx: S, yy: S, zz: S) -> Self {
        Self { xx, yy, zz, xy: S::ZERO, xz: S::ZERO, yz: S::ZERO }
    }

    /// The entries `[xx, yy, zz, xy, xz, yz]`.
    #[must_use]
    pub const fn to_array(self) -> [S; 6] {
        [self.xx, self.yy, self.zz, self.xy, self.xz, self.yz]
    }

    /// A function applied to each entry.
    #[must_use]
    pub fn map(self, function: impl Fn(S) -> S) -> Self {
        let [xx, yy, zz, xy, xz, yz] = self.to_array().map(function);
        Self { xx, yy, zz, xy, xz, yz }
    }

    /// Whether the matrix is a multiple of the identity, to the bit.
    #[must_use]
    pub fn is_isotropic(self) -> bool {
        self == Self::diagonal(self.xx, self.xx, self.xx)
    }

    /// The tensor seen from a frame turned by `rotation`: `R M R^T`.
    #[must_use]
    pub fn rotated(self, rotation: Mat3<S>) -> Self {
        if self.is_isotropic() {
            return self; // also keeps the rounding of R R^T out of a sphere's inertia
        }
        let [x, y, z] = rotation.rows;
        let image = [self * x, self * y, self * z];
        Self {
            xx: x.dot(image[0]),
            yy: y.dot(image[1]),
            zz: z.dot(image[2]),
            xy: x.dot(image[1]),
            xz: x.dot(image[2]),
            yz: y.dot(image[2]),
        }
    }

    /// The determinant.
    #[must_use]
    pub fn determinant(self) -> S {
        let [x, y, z] = self.rows();
        x.dot(y.cross(z))
    }

    /// The inverse by cofactors; `None` when the determinant is not positive.
    #[must_use]
    pub fn inverse(self) -> Option<Self> {
        let [x, y, z] = self.rows();
        let (first, second, third) = (y.cross(z), z.cross(x), x.cross(y));
        let determinant = x.dot(first);
        (determinant > S::ZERO).then(|| Self {
            xx: first.x / determinant,
            yy: second.y / determinant,
            zz: third.z / determinant,
            xy: first.y / determinant,
            xz: first.z / determinant,
            yz: second.z / determinant,
        })
    }
}

impl<L: Lanes> Mul<Vec3<L>> for SymMat3<L> {
    type Output = Vec3<L>;
    #[inline(always)]
    fn mul(self, v: Vec3<L>) -> Vec3<L> {
        let [x, y, z] = self.rows();
        Vec3::new(x.dot(v), y.dot(v), z.dot(v))
    }
}

impl<L: Lanes> Mul<L> for SymMat3<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: L) -> Self {
        Self {
            xx: self.xx * factor,
            yy: self.yy * factor,
            zz: self.zz * factor,
            xy: self.xy * factor,
            xz: self.xz * factor,
            yz: self.yz * factor,
        }
    }
}

impl<L: Lanes> Add for SymMat3<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            xx: self.xx + other.xx,
            yy: self.yy + other.yy,
            zz: self.zz + other.zz,
            xy: self.xy + other.xy,
            xz: self.xz + other.xz,
            yz: self.yz + other.yz,
        }
    }
}
