//! Equations with a symmetric 3 x 3 matrix, solved without ever forming a determinant.

use crate::math::lanes::{Block, Lanes};
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

impl<L: Lanes> LdlFactors<L> {
    /// The factors of a matrix; zero in the lanes where a pivot is not positive, or that are not in `which`: zero solves to zero
    /// whatever it is asked.
    #[inline(always)]
    #[must_use]
    pub fn new(matrix: SymMat3<L>, which: L::Mask) -> Self {
        let SymMat3 { xx, yy, zz, xy, xz, yz } = matrix;
        let (none, one) = (L::zero(), L::splat(L::Scalar::ONE));
        let (first, second) = (xy.over(xx), xz.over(xx));
        let (middle, rest) = (yy - first * xy, yz - first * xz);
        let third = rest.over(middle);
        let last = zz - second * xz - third * rest;
        let are_positive = L::and(xx.is_above(none), L::and(middle.is_above(none), last.is_above(none)));
        let which = L::and(which, are_positive);
        let inverse_pivots = Vec3::new(one.over(xx), one.over(middle), one.over(last));
        Self {
            inverse_pivots: Vec3::select(which, inverse_pivots, Vec3::zero()),
            lower: [L::select(which, first, none), L::select(which, second, none), L::select(which, third, none)],
        }
    }

    /// The solution of `A x = b`.
    #[inline(always)]
    #[must_use]
    pub fn solve(&self, b: Vec3<L>) -> Vec3<L> {
        let [first, second, third] = self.lower;
        let y = b.y - first * b.x;
        let z = b.z - L::dot2([second, third], [b.x, y]);
        let inverse = self.inverse_pivots;
        let z = z * inverse.z;
        let y = y * inverse.y - third * z;
        let x = b.x * inverse.x - L::dot2([first, second], [y, z]);
        Vec3::new(x, y, z)
    }
}

impl<S: Scalar> LdlFactors<Block<S>> {
    /// The factors of the lanes from `at` on.
    #[inline(always)]
    #[must_use]
    pub fn at<L: Lanes<Scalar = S>>(&self, at: usize) -> LdlFactors<L> {
        let [first, second, third] = &self.lower;
        LdlFactors { inverse_pivots: self.inverse_pivots.at(at), lower: [first.get(at), second.get(at), third.get(at)] }
    }

    /// Sets the factors of the lanes from `at` on.
    #[inline(always)]
    pub fn set<L: Lanes<Scalar = S>>(&mut self, at: usize, factors: LdlFactors<L>) {
        self.inverse_pivots.set(at, factors.inverse_pivots);
        for (entry, factor) in self.lower.iter_mut().zip(factors.lower) {
            entry.set(at, factor);
        }
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
            let factors = LdlFactors::new(matrix, true);
            assert_ne!(factors, LdlFactors::default(), "{size}: no factors");
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

    fn has_no_factors<S: Scalar>() {
        let none = LdlFactors::<S>::default();
        let flat = SymMat3 { xy: S::ONE, ..SymMat3::IDENTITY };
        for matrix in [SymMat3::ZERO, SymMat3::diagonal(S::ONE, -S::ONE, S::ONE), flat] {
            assert_eq!(LdlFactors::new(matrix, true), none, "{}: {matrix:?}", S::KIND);
        }
        assert_eq!(LdlFactors::new(SymMat3::<S>::IDENTITY, false), none, "nobody asked for it");
        assert_eq!(none.solve(Vec3::splat(S::from_i32(3))), Vec3::ZERO);
    }

    #[test]
    fn what_is_not_positive_has_no_factors() {
        has_no_factors::<Fixed>();
        has_no_factors::<f32>();
        has_no_factors::<f64>();
    }
}
