//! Surfaces of triangles as shells: in closed form where their mass by area is the same everywhere, cut into charts where it is not.

use crate::geometry::mesh::ExactMesh;
use crate::geometry::quadrature::chart::Chart;
use crate::geometry::quadrature::{Moments, about_centre};
use crate::math::Scalar;

/// A sum of many numbers that loses no more than one of a few does (W. Kahan 1965, "Further remarks on reducing truncation errors").
#[derive(Clone, Copy, Default)]
struct Sum {
    total: f64,
    /// What the last addition lost.
    lost: f64,
}

impl Sum {
    fn add(&mut self, term: f64) {
        let term = term - self.lost;
        let total = self.total + term;
        self.lost = (total - self.total) - term;
        self.total = total;
    }
}

/// A corner of a mesh from its origin, metres.
fn place(mesh: &ExactMesh, corner: u32) -> [f64; 3] {
    mesh.corners()[corner as usize].map(|steps| libm::scalbn(steps as f64, mesh.exponent()))
}

/// The area of a triangle in square metres, from its exact normal.
fn area_of_triangle(mesh: &ExactMesh, triangle: usize) -> f64 {
    let [x, y, z] = mesh.normal(triangle).map(|along| libm::scalbn(along as f64, 2 * mesh.exponent()));
    Scalar::sqrt(x * x + y * y + z * z) / 2.0
}

/// The area of a mesh, square metres: positive. What has two fronts, as the same triangle from either side, counts twice.
#[must_use]
pub fn area_of(mesh: &ExactMesh) -> f64 {
    let mut sum = Sum::default();
    (0..mesh.triangles().len()).for_each(|triangle| sum.add(area_of_triangle(mesh, triangle)));
    sum.total
}

/// The moments of a mesh that weighs 1 kg on every square metre, about its origin, in closed form.
///
/// Over a triangle of area A with corners a, b, c the integral of `x x^T` is `A/12 (a a^T + b b^T + c c^T + s s^T)`, where `s = a + b + c`,
/// and that of `x` is `A/3 s`.
#[must_use]
pub fn even_shell(mesh: &ExactMesh) -> Option<Moments> {
    let mut sums = [Sum::default(); 10];
    for (number, corners) in mesh.triangles().iter().enumerate() {
        let area = area_of_triangle(mesh, number);
        let corners = corners.map(|corner| place(mesh, corner));
        let sum = [0, 1, 2].map(|axis| corners[0][axis] + corners[1][axis] + corners[2][axis]);
        let product = |i: usize, j: usize| {
            let of_corners =
                corners[0][i] * corners[0][j] + corners[1][i] * corners[1][j] + corners[2][i] * corners[2][j];
            area / 12.0 * (of_corners + sum[i] * sum[j])
        };
        let [x, y, z] = sum.map(|along| area / 3.0 * along);
        let terms =
            [area, x, y, z, product(0, 0), product(1, 1), product(2, 2), product(0, 1), product(0, 2), product(1, 2)];
        sums.iter_mut().zip(terms).for_each(|(sum, term)| sum.add(term));
    }
    let [area, x, y, z, xx, yy, zz, xy, xz, yz] = sums.map(|sum| sum.total);
    about_centre([area, x, y, z, xx, yy, zz, xy, xz, yz, area], half_extents(mesh), 0.0).ok()
}

/// How far a mesh reaches from its origin along the axes; along one to which it is perpendicular everywhere as far as along the others, for
/// something must be there to measure by.
pub(super) fn half_extents(mesh: &ExactMesh) -> [f64; 3] {
    let most = |axis: usize| mesh.corners().iter().map(|corner| corner[axis].unsigned_abs()).max().unwrap_or(0);
    let extents = [0, 1, 2].map(most);
    let largest = extents.into_iter().fold(1, u64::max);
    extents.map(|extent| libm::scalbn((if extent == 0 { largest } else { extent }) as f64, mesh.exponent()))
}

/// A chart for each triangle.
pub(super) fn charts(mesh: &ExactMesh) -> Vec<Chart> {
    let number = mesh.triangles().len();
    let corners = mesh.triangles().iter().map(|corners| corners.map(|corner| place(mesh, corner)));
    corners.map(|corners| Chart::triangle(corners, number)).collect()
}
