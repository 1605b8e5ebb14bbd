//! What mass properties need of symmetric tensors.

use crate::math::{Mat3, Scalar, SymMat3, Vec3};

/// The inertia per mass of a point at `place`: `|p|^2 I - p p^T`.
pub(super) fn outer_inertia<S: Scalar>(place: Vec3<S>) -> SymMat3<S> {
    let [x, y, z] = place.to_array();
    SymMat3 {
        xx: S::dot2([y, z], [y, z]),
        yy: S::dot2([z, x], [z, x]),
        zz: S::dot2([x, y], [x, y]),
        xy: -(x * y),
        xz: -(x * z),
        yz: -(y * z),
    }
}

/// The mean of `p p^T` that belongs to an inertia tensor: `trace / 2 - tensor`. No body makes it negative, which is the
/// triangle inequality of the principal moments.
pub(super) fn specific_second_moment<S: Scalar>(tensor: SymMat3<S>) -> SymMat3<S> {
    let half_trace = (tensor.xx + tensor.yy + tensor.zz) * S::HALF;
    SymMat3::diagonal(half_trace, half_trace, half_trace) + tensor.map(|entry| -entry)
}

/// Whether all eigenvalues are positive: the pivots of the factorisation `L D L^T` are.
pub(super) fn is_positive_definite<S: Scalar>(matrix: SymMat3<S>) -> bool {
    let SymMat3 { xx, yy, zz, xy, xz, yz } = matrix;
    if !(xx > S::ZERO && matrix.to_array().into_iter().all(S::is_finite)) {
        return false;
    }
    let (factor_y, factor_z) = (xy / xx, xz / xx);
    let second = yy - xy * factor_y;
    let mixed = yz - xz * factor_y;
    second > S::ZERO && zz - xz * factor_z - mixed * (mixed / second) > S::ZERO
}

/// The inverse of a positive definite matrix; that of a diagonal one is exact up to one rounding, and equal moments stay
/// equal to the bit.
pub(super) fn inverse<S: Scalar>(matrix: SymMat3<S>) -> Option<SymMat3<S>> {
    let is_diagonal = matrix == SymMat3::diagonal(matrix.xx, matrix.yy, matrix.zz);
    if is_diagonal {
        return Some(SymMat3::diagonal(S::ONE / matrix.xx, S::ONE / matrix.yy, S::ONE / matrix.zz));
    }
    matrix.inverse().map(|estimate| refine_inverse(matrix, estimate))
}

/// One Newton step `X + X (I - M X)` (G. Schulz, "Iterative Berechnung der reziproken Matrix", 1933): the cofactors of a
/// slender body's tensor lose digits to its small determinant.
fn refine_inverse<S: Scalar>(matrix: SymMat3<S>, estimate: SymMat3<S>) -> SymMat3<S> {
    let [m, x] = [matrix, estimate].map(|symmetric| Mat3::from_rows(symmetric.rows()));
    let product = m * x;
    let residual = [0, 1, 2].map(|row| Mat3::IDENTITY.rows[row] - product.rows[row]);
    let [first, second, third] = (x * Mat3::from_rows(residual)).rows;
    let correction = SymMat3 { xx: first.x, yy: second.y, zz: third.z, xy: first.y, xz: first.z, yz: second.z };
    estimate + correction
}
