//! Where a body's frame is, as matrices that take a point from one frame to the other.

use crate::analysis::show::BodyView;
use crate::math::{Mat3, Quat, Vec3};
use crate::report::show::vector_text;
use crate::report::style::{FAINT, printable};
use crate::report::table::{Cell, Table};

/// Four rows of four; points are columns `(x, y, z, 1)`.
pub type Matrix4 = [[f64; 4]; 4];

/// From the body's frame, about its origin, to the world's, and back; metres.
pub fn matrices(body: &BodyView) -> [Matrix4; 2] {
    let [w, x, y, z] = body.orientation;
    let rotation = Quat::new(w, x, y, z).to_matrix();
    let origin = Vec3::from_array(body.origin);
    let back = Mat3 { rows: [rotation.column(0), rotation.column(1), rotation.column(2)] };
    [to_four(&rotation, origin), to_four(&back, -(back * origin))]
}

fn to_four(rotation: &Mat3<f64>, translation: Vec3<f64>) -> Matrix4 {
    let row = |row: Vec3<f64>, shift: f64| [row.x, row.y, row.z, shift];
    let [x, y, z] = rotation.rows;
    [row(x, translation.x), row(y, translation.y), row(z, translation.z), [0.0, 0.0, 0.0, 1.0]]
}

/// For people: both matrices of each body, side by side.
pub fn text(bodies: &[BodyView]) -> String {
    let mut table = Table::indented(2);
    let heads = ["body", "from the body's frame to the world", "from the world to the body's frame"];
    table.row(heads.map(|head| Cell::text(head).painted(FAINT)));
    for body in bodies {
        let [there, back] = matrices(body);
        for (index, (there, back)) in there.into_iter().zip(back).enumerate() {
            let name = if index == 0 { printable(&body.name).to_string() } else { String::new() };
            table.row([Cell::text(name), Cell::text(vector_text(there)), Cell::text(vector_text(back))]);
        }
    }
    format!("\n{}", table.render())
}

#[cfg(test)]
mod tests {
    use crate::analysis::show::BodyView;
    use crate::report::show::matrices::{Matrix4, matrices};

    fn apply(matrix: &Matrix4, [x, y, z]: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|row: usize| {
            let [a, b, c, d] = matrix[row];
            a * x + b * y + c * z + d
        })
    }

    /// Turned by 90 degrees about z, the body's x axis lies along y; the origin is 2 m along x.
    #[test]
    fn one_matrix_takes_points_there_and_the_other_back() {
        let half = 0.5_f64.sqrt();
        let body = BodyView {
            name: "a".to_owned(),
            position: [9.0; 3],
            origin: [2.0, 0.0, 0.0],
            orientation: [half, 0.0, 0.0, half],
            linear_velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            asleep: false,
        };
        let [there, back] = matrices(&body);
        for (point, expected) in [([1.0, 0.0, 0.0], [2.0, 1.0, 0.0]), ([0.0, 3.0, 4.0], [-1.0, 0.0, 4.0])] {
            let distance = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let found = apply(&there, point);
            assert!(distance(found, expected) < 1e-15, "{found:?}");
            assert!(distance(apply(&back, found), point) < 4e-15, "four products of numbers up to 4, rounded");
        }
        assert_eq!((there[3], back[3]), ([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]));
    }
}
