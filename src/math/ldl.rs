//! Equations with a symmetric 3 x 3 matrix, solved without ever forming a determinant.

use crate::math::mat3::SymMat3;
use crate::math::scalar::Scalar;
use crate::math::vec3::Vec3;

/// The factors of `A = L D L^T` with ones on the diagonal of `L`: what solves `A x = b` for any `b`.
///
/// For a matrix that is at least the identity, as the sum of the identity and of squares is, every pivot is at least one, so
/// its inverse is at most one; a determinant would be the product of the pivots, which fixed point may not hold.
/// Source: G. H. Golub, C. F. Van Loan, Matrix Computations, section 4.1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LdlFactors<S> {
    /// One over each entry of `D`.
    pub inverse_pivots: Vec3<S>,
    /// Below the diagonal of `L`: entries (1, 0), (2, 0), (2, 1).
    pub lower: [S; 3],
}

impl<S: Scalar> LdlFactors<S> {
    /// Solves to zero whatever it is asked: for what nothing can move.
    pub const ZERO: Self = Self { inverse_pivots: Vec3::ZERO, lower: [S::ZERO; 3] };

    /// The factors of a matrix; `None` when a pivot is not positive.
    #[must_use]
    pub fn new(matrix: SymMat3<S>) -> Option<Self> {
        let SymMat3 { xx, yy, zz, xy, xz, yz } = matrix;
        if xx <= S::ZERO {
            return None;
        }
        let (first, second) = (xy / xx, xz / xx);
        let (middle, rest) = (yy - first * xy, yz - first * xz);
        if middle <= S::ZERO {
            return None;
        }
        let third = rest / middle;
        let last = zz - second * xz - third * rest;
        (last > S::ZERO).then(|| Self {
            inverse_pivots: Vec3::new(S::ONE / xx, S::ONE / middle, S::ONE / last),
            lower: [first, second, third],
        })
    }

    /// The solution of `A x = b`.
    #[inline(always)]
    #[must_use]
    pub fn solve(&self, b: Vec3<S>) -> Vec3<S> {
        let [first, second, third] = self.lower;
        let y = b.y - first * b.x;
        let z = b.z - S::dot2([second, third], [b.x, y]);
        let inverse = self.inverse_pivots;
        let z = z * inverse.z;
        let y = y * inverse.y - third * z;
        let x = b.x * inverse.x - S::dot2([first, second], [y, z]);
        Vec3::new(x, y, z)
    }
}

#[cfg(test)]
mod tests {
    use super::LdlFactors;
    use crate::math::{Fixed, Scalar, SymMat3, Vec3};

    fn solves<S: Scalar>() {
        let number = |value: f64| S::from_ratio((value * 65536.0) as i64, 65536);
        // The identity and three squares, up to the ratio of lengths that a joint may have.
        for size in [0.0, 0.5, 3.0, 40.0, 900.0] {
            let vectors = [[1.0, -0.25, 0.5], [0.125, 0.75, -1.0], [-0.5, 0.5, 0.25]];
            let entry = |i: usize, j: usize| {
                let squares: f64 = vectors.iter().map(|v| size * size * v[i] * v[j]).sum();
                number(squares + if i == j { 1.0 } else { 0.0 })
            };
            let matrix = SymMat3 {
                xx: entry(0, 0),
                yy: entry(1, 1),
                zz: entry(2, 2),
                xy: entry(0, 1),
                xz: entry(0, 2),
                yz: entry(1, 2),
            };
            let factors = LdlFactors::new(matrix).unwrap_or_else(|| panic!("{size}: no factors"));
            for expected in [[1.0, 0.0, 0.0], [0.0, -2.0, 0.5], [0.25, 0.5, -0.75]] {
                let x = Vec3::from_array(expected.map(number));
                let found = factors.solve(matrix * x);
                // A pivot of size^2 has an inverse with so many digits less.
                let bound = 64.0 * (1.0 + size * size) * (S::EPSILON.to_f64() + 1e-9);
                let error =
                    (found - x).to_f64().into_iter().fold(0.0, |largest: f64, part| Scalar::max(largest, part.abs()));
                assert!(error <= bound, "{size}: {error:e} beyond {bound:e}");
            }
        }
    }

    #[test]
    fn what_was_multiplied_is_found_again() {
        solves::<Fixed>();
        solves::<f32>();
        solves::<f64>();
    }

    #[test]
    fn what_is_not_positive_has_no_factors() {
        assert_eq!(LdlFactors::<f64>::new(SymMat3::ZERO), None);
        assert_eq!(LdlFactors::<f64>::new(SymMat3::diagonal(1.0, -1.0, 1.0)), None);
        let flat = SymMat3 { xy: 1.0, ..SymMat3::IDENTITY };
        assert_eq!(LdlFactors::<f64>::new(flat), None);
        assert_eq!(LdlFactors::<f64>::ZERO.solve(Vec3::splat(3.0)), Vec3::ZERO);
    }
}
