//! Laws of symmetric tensors.

use proptest::prop_assert;

use crate::math::fixed::Fixed;
use crate::math::mat3::SymMat3;
use crate::math::properties::{
    dot_rounding, for_all, norm_defect, numbers, rotations, rounding, vector_distance, vectors,
};
use crate::math::scalar::Scalar;
use crate::math::vec3::Vec3;

/// Moments from 1 to 4.
fn moments<S: Scalar>(v: [S; 3]) -> SymMat3<S> {
    let [xx, yy, zz] = v.map(|value| S::ONE + value.abs());
    SymMat3::diagonal(xx, yy, zz)
}

/// The error of an entry of a rotated tensor with moments up to 4.
///
/// Two products with a matrix off by at most `m` (see the rotation's laws: `2 d + 9 r`), and each entry is twice a sum of three
/// products, whose magnitudes add up to at most 4, the first of which is then magnified by a row of length one.
fn rotated_error<S: Scalar>() -> f64 {
    let matrix = 2.0 * norm_defect::<S>() + 9.0 * rounding::<S>(1.0);
    2.0 * 4.0 * matrix + (1.0 + 1.7321) * dot_rounding::<S>(3.0, 4.01)
}

fn inverts<S: Scalar>() {
    for_all(&(rotations::<S>(), [numbers::<S>(3), numbers(3), numbers(3)]), |(q, v)| {
        let tensor = moments(v).rotated(q.to_matrix());
        let Some(inverse) = tensor.inverse() else { panic!("{tensor:?} has no inverse") };
        // Cofactors are sums of two products of at most 16 each. The determinant is a row of length 4 at most times three of them.
        let cofactor = dot_rounding::<S>(2.0, 32.0);
        let determinant = 1.7321 * 4.0 * cofactor + dot_rounding::<S>(3.0, 4.01 * 16.0);
        // The inverse's entries are at most 1 and the determinant at least 1.
        let entry = 1.01 * (cofactor + determinant + rounding::<S>(1.0));
        // Three products of an entry of the tensor, a row of length 4 at most, and one of the inverse.
        let bound = 1.7321 * 4.01 * entry + dot_rounding::<S>(3.0, 4.02);
        for (axis, row) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().zip(inverse.rows()) {
            let product = tensor * row;
            prop_assert!(vector_distance(product, axis) <= 1.7321 * bound, "{:?}", tensor);
        }
        Ok(())
    });
    assert_eq!(SymMat3::<S>::ZERO.inverse(), None);
    assert_eq!(SymMat3::<S>::IDENTITY.inverse(), Some(SymMat3::IDENTITY));
    assert_eq!(SymMat3::diagonal(S::ONE, -S::ONE, S::ONE).inverse(), None);
}

#[test]
fn inverse_tensors_undo_tensors() {
    inverts::<Fixed>();
    inverts::<f32>();
    inverts::<f64>();
}

fn rotates<S: Scalar>() {
    for_all(&(rotations::<S>(), [numbers::<S>(3), numbers(3), numbers(3)], vectors::<S>(1)), |(q, v, omega)| {
        let tensor = moments(v);
        let rotated = tensor.rotated(q.to_matrix());
        // R M R^T w = R (M (R^T w)), |w| below 1.74.
        let there = rotated * omega;
        let back = q.rotate(tensor * q.conjugate().rotate(omega));
        let matrix = 2.0 * norm_defect::<S>() + 9.0 * rounding::<S>(1.0);
        let product = 1.7321 * dot_rounding::<S>(3.0, 4.02 * 1.74);
        let bound = 3.0 * rotated_error::<S>() * 1.74 + product + 2.0 * 4.0 * matrix * 1.74 + 6.0 * product;
        prop_assert!(vector_distance(there, back) <= bound, "{:?} by {:?}", tensor, q);
        // Trace and determinant are invariants: three entries; 16 is the largest cofactor sum of one entry.
        let trace = rotated.xx + rotated.yy + rotated.zz - (tensor.xx + tensor.yy + tensor.zz);
        prop_assert!(trace.to_f64().abs() <= 3.0 * rotated_error::<S>() + 6.0 * rounding::<S>(12.0));
        Ok(())
    });
    let sphere = SymMat3::diagonal(S::TWO, S::TWO, S::TWO);
    let turn = crate::math::quat::Quat::from_axis_angle(Vec3::new(S::ONE, S::TWO, S::HALF), S::ONE);
    assert_eq!(sphere.rotated(turn.to_matrix()), sphere);
}

#[test]
fn rotated_tensors_act_as_tensors_on_rotated_vectors() {
    rotates::<Fixed>();
    rotates::<f32>();
    rotates::<f64>();
}
