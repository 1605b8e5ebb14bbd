//! What mass properties need of symmetric tensors.

use crate::math::{Scalar, SymMat3, Vec3};

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
#[must_use]
pub fn specific_second_moment<S: Scalar>(tensor: SymMat3<S>) -> SymMat3<S> {
    let half_trace = (tensor.xx + tensor.yy + tensor.zz) * S::HALF;
    SymMat3::diagonal(half_trace, half_trace, half_trace) + tensor.map(|entry| -entry)
}

/// The factors `L D L^T` of a positive definite matrix: `L` has ones on its diagonal.
struct Factors<S> {
    /// The diagonal of `D`, all positive.
    pivots: [S; 3],
    /// Entry (1, 0) of `L`.
    yx: S,
    /// Entry (2, 0) of `L`.
    zx: S,
    /// Entry (2, 1) of `L`.
    zy: S,
}

/// The factors of a matrix whose eigenvalues are all positive; `None` for any other.
fn factorise<S: Scalar>(matrix: SymMat3<S>) -> Option<Factors<S>> {
    let SymMat3 { xx, yy, zz, xy, xz, yz } = matrix;
    if !matrix.to_array().into_iter().all(S::is_finite) || xx <= S::ZERO {
        return None;
    }
    let (yx, zx) = (xy / xx, xz / xx);
    let second = yy - xy * yx;
    if second <= S::ZERO {
        return None;
    }
    let mixed = yz - xz * yx;
    let zy = mixed / second;
    let third = zz - xz * zx - mixed * zy;
    (third > S::ZERO).then_some(Factors { pivots: [xx, second, third], yx, zx, zy })
}

/// Whether all eigenvalues are positive.
pub(super) fn is_positive_definite<S: Scalar>(matrix: SymMat3<S>) -> bool {
    factorise(matrix).is_some()
}

/// The inverse of a positive definite matrix; `None` for any other. Equal moments stay equal to the bit.
///
/// By its factors: cofactors of a slender body's tensor would lose digits to its small determinant.
pub(super) fn inverse<S: Scalar>(matrix: SymMat3<S>) -> Option<SymMat3<S>> {
    let Factors { pivots: [first, second, third], yx, zx, zy } = factorise(matrix)?;
    let corner = yx * zy - zx; // entry (2, 0) of the inverse of L, whose others are -yx and -zy
    let inverse = SymMat3 {
        xx: S::ONE / first + yx * yx / second + corner * corner / third,
        yy: S::ONE / second + zy * zy / third,
        zz: S::ONE / third,
        xy: -(yx / second) - corner * zy / third,
        xz: corner / third,
        yz: -(zy / third),
    };
    Some(inverse.map(S::canonical))
}
