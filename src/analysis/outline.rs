//! Shapes as lines between points, to draw them flat: the edges of polyhedra, rings and lines of what is round.

use crate::geometry::Shape;
use crate::geometry::hull::topology::CUBOID;
use crate::geometry::hull::{Edge, Topology};
use crate::geometry::shape::cone_ends;
use crate::math::{Mat3, Scalar, Vec3};

/// Points in a ring.
const RING: usize = 32;
/// Every so many points of a ring a line leads to the other end.
const BETWEEN_LINES: usize = 8;

/// Points and the lines between them; world frame, metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// The points; a convex shape is the hull of them, or nearly.
    pub points: Vec<[f64; 3]>,
    /// The numbers of two points each.
    pub lines: Vec<[usize; 2]>,
}

impl Outline {
    /// A shape turned by a rotation about its origin; empty of half-spaces and whole meshes.
    #[must_use]
    pub fn of<S: Scalar>(shape: &Shape<S>, rotation: &Mat3<S>, origin: Vec3<S>) -> Self {
        let mut outline = Self::default();
        match shape {
            Shape::Sphere { radius } => outline.add_sphere(Vec3::ZERO, radius.to_f64()),
            Shape::Cuboid { half_extents } => outline.add_polyhedron(&box_corners(half_extents.to_f64()), &CUBOID),
            Shape::Capsule { half_height, radius } => {
                let (half_height, radius) = (half_height.to_f64(), radius.to_f64());
                outline.add_sphere(Vec3::Y * half_height, radius);
                outline.add_sphere(Vec3::Y * -half_height, radius);
                outline.add_lathe([(radius, half_height), (radius, -half_height)]);
            }
            Shape::Cylinder { half_height, radius } => {
                let (half_height, radius) = (half_height.to_f64(), radius.to_f64());
                outline.add_lathe([(radius, half_height), (radius, -half_height)]);
            }
            Shape::Cone { half_height, radius } => {
                let (base, top) = cone_ends(half_height.to_f64());
                outline.add_lathe([(0.0, top), (radius.to_f64(), base)]);
            }
            Shape::Hull(hull) => outline.add_polyhedron(&wide(hull.corners()), hull.exact().topology()),
            Shape::Facet(facet) => outline.add_polyhedron(&wide(facet.corners()), facet.topology()),
            Shape::HalfSpace { .. } | Shape::Mesh(_) => {}
        }
        let turn = rotation.rows.map(Vec3::to_f64);
        let origin = origin.to_f64();
        for point in &mut outline.points {
            let turned = turn.map(|row| row[0] * point[0] + row[1] * point[1] + row[2] * point[2]);
            *point = [0, 1, 2].map(|axis| turned[axis] + origin[axis]);
        }
        outline
    }

    fn add_polyhedron(&mut self, corners: &[[f64; 3]], topology: &Topology) {
        self.points.extend(corners);
        let ends = |edge: &Edge| edge.corners.map(usize::from);
        self.lines.extend(topology.edges().iter().map(ends));
    }

    /// Three great circles.
    fn add_sphere(&mut self, centre: Vec3<f64>, radius: f64) {
        for (right, up) in [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)] {
            self.add_ring(|cosine, sine| centre + (right * cosine + up * sine) * radius);
        }
    }

    /// Two rings about y of these radii and heights, and lines between them.
    fn add_lathe(&mut self, ends: [(f64, f64); 2]) {
        let first = self.points.len();
        for (radius, height) in ends {
            self.add_ring(|cosine, sine| Vec3::new(cosine * radius, height, sine * radius));
        }
        self.lines.extend((0..RING).step_by(BETWEEN_LINES).map(|place| [first + place, first + RING + place]));
    }

    fn add_ring(&mut self, place: impl Fn(f64, f64) -> Vec3<f64>) {
        let first = self.points.len();
        for number in 0..RING {
            let (sine, cosine) = Scalar::sin_cos(f64::TWO * f64::PI * number as f64 / RING as f64);
            self.points.push(place(cosine, sine).to_array());
            self.lines.push([first + number, first + (number + 1) % RING]);
        }
    }
}

fn wide<S: Scalar>(corners: &[Vec3<S>]) -> Vec<[f64; 3]> {
    corners.iter().map(|corner| corner.to_f64()).collect()
}

/// The corners of a box in the order of [`CUBOID`].
fn box_corners([x, y, z]: [f64; 3]) -> Vec<[f64; 3]> {
    let side = |number: usize, axis: usize, extent: f64| if number & (1 << axis) == 0 { -extent } else { extent };
    (0..8).map(|number| [side(number, 0, x), side(number, 1, y), side(number, 2, z)]).collect()
}
