//! Whether a body could have an inertia tensor.

/// Relative rounding of given tensors that is forgiven, so that the tensor of a flat plate may be written with six digits.
const ROUNDING: f64 = 1e-6;
/// Smallest product of the principal moments, relative to that of a sphere with the same trace. A determinant in `f64` has
/// a relative error of about 1e-15, so a singular tensor cannot pass as one that is a thousand times less singular.
const SMALLEST_DETERMINANT: f64 = 1e-12;

/// What is wrong with the tensor `(xx, yy, zz, xy, xz, yz)`, if no distribution of mass has it.
///
/// A tensor I belongs to some body exactly when `tr(I)/2 E - I`, the matrix of the second moments of the mass, has no
/// negative eigenvalue; that contains the triangle inequality of the principal moments. A matrix has none when no
/// principal minor is negative (Sylvester).
pub(super) fn impossible_inertia(tensor: [f64; 6]) -> Option<&'static str> {
    let [xx, yy, zz, xy, xz, yz] = tensor;
    let mean = (xx + yy + zz) / 3.0;
    let is_definite = determinant(tensor) > SMALLEST_DETERMINANT * mean * mean * mean;
    if !is_definite || !is_positive_semidefinite(tensor, 0.0) {
        return Some("the tensor is not positive definite: about some axis the body would have no inertia");
    }
    let half_trace = (xx + yy + zz) * 0.5;
    let second_moments = [half_trace - xx, half_trace - yy, half_trace - zz, -xy, -xz, -yz];
    if is_positive_semidefinite(second_moments, ROUNDING * half_trace) {
        None
    } else {
        Some("no principal moment may be larger than the sum of the other two")
    }
}

/// Whether no eigenvalue is below zero, forgiving an absolute error of `slack` in the elements.
fn is_positive_semidefinite(matrix: [f64; 6], slack: f64) -> bool {
    let [xx, yy, zz, xy, xz, yz] = matrix;
    let shifted = [xx + slack, yy + slack, zz + slack, xy, xz, yz];
    let [xx, yy, zz, ..] = shifted;
    let minors = [xx, yy, zz, xx * yy - xy * xy, xx * zz - xz * xz, yy * zz - yz * yz, determinant(shifted)];
    minors.iter().all(|minor| *minor >= 0.0)
}

fn determinant([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> f64 {
    xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
}

#[cfg(test)]
mod tests {
    use super::impossible_inertia;

    /// The tensor with these principal moments, its axes turned about z by an angle with this sine and cosine.
    fn turned(moments: [f64; 3], sine: f64, cosine: f64) -> [f64; 6] {
        let [a, b, c] = moments;
        [
            a * cosine * cosine + b * sine * sine,
            a * sine * sine + b * cosine * cosine,
            c,
            (a - b) * sine * cosine,
            0.0,
            0.0,
        ]
    }

    #[test]
    fn a_tensor_is_possible_exactly_when_its_principal_moments_keep_the_triangle_inequality() {
        for (sine, cosine) in [(0.0, 1.0), (0.6, 0.8), (-0.8, 0.6)] {
            for (moments, is_possible) in [
                ([1.0, 1.0, 1.0], true),
                ([2.0, 3.0, 4.0], true),
                ([1.0, 2.0, 3.0], true),
                ([1.0, 2.0, 3.01], false),
                ([5.0, 1.0, 1.0], false),
                ([1.0, 5.0, 1.0], false),
                ([1.0, -0.5, 1.0], false),
                ([-1.0, -1.0, -1.0], false),
                ([0.0, 1.0, 1.0], false),
                ([1e-6, 1e-6, 1e-6], true),
                ([1e9, 1e9, 1e9], true),
            ] {
                let tensor = turned(moments, sine, cosine);
                assert_eq!(impossible_inertia(tensor).is_none(), is_possible, "{moments:?} {sine}");
            }
        }
    }

    #[test]
    fn a_flat_plate_may_be_written_with_six_digits() {
        // Moments 1/3, 1/3, 2/3 rounded so that the largest exceeds the sum of the others.
        assert_eq!(impossible_inertia([0.333_333, 0.333_333, 0.666_667, 0.0, 0.0, 0.0]), None);
    }
}
