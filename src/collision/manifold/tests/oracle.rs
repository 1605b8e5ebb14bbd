//! An independent measure of how far two shapes are apart, in `f64`.
//!
//! Along a unit direction `n` two convex shapes are `n . offset - h_A(n) - h_B(-n)` apart, with `h` the support functions.
//! The largest value over all directions is the distance of the shapes, or minus the least translation that parts them. It
//! is searched by brute force: many directions, the best of them refined.

use crate::geometry::Shape;
use crate::geometry::hull::Plane;
use crate::math::{Mat3, Scalar, Vec3};

/// A shape in `f64`: a core box (of zero or more dimensions) with a radius around it, turned.
#[derive(Clone, Debug)]
pub(super) struct Rounded {
    half_extents: [f64; 3],
    /// The corners of a hull, in world coordinates; none of other shapes.
    corners: Vec<[f64; 3]>,
    /// The planes of a hull: normals in world coordinates, and offsets.
    planes: Vec<([f64; 3], f64)>,
    /// Of a cylinder or cone the heights and radii of the discs that it is the hull of.
    discs: Vec<[f64; 2]>,
    radius: f64,
    /// The axes, in world coordinates.
    pub(super) axes: [[f64; 3]; 3],
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = dot(v, v).sqrt();
    v.map(|component| component / length)
}

impl Rounded {
    pub(super) fn new<S: Scalar>(shape: &Shape<S>, rotation: &Mat3<S>) -> Self {
        let (mut corners, mut planes, mut discs) = (Vec::new(), Vec::new(), Vec::new());
        let (half_extents, radius) = match *shape {
            Shape::Sphere { radius } => ([0.0; 3], radius.to_f64()),
            Shape::Cuboid { half_extents } => (half_extents.to_f64(), 0.0),
            Shape::Capsule { half_height, radius } => ([0.0, half_height.to_f64(), 0.0], radius.to_f64()),
            Shape::Hull(ref hull) => {
                corners.extend(hull.corners().iter().map(|&corner| (*rotation * corner).to_f64()));
                let plane = |plane: &Plane<S>| ((*rotation * plane.normal).to_f64(), plane.offset.to_f64());
                planes.extend(hull.planes().iter().map(plane));
                ([0.0; 3], 0.0)
            }
            Shape::Cylinder { half_height, radius } => {
                discs.extend([-1.0, 1.0].map(|side| [side * half_height.to_f64(), radius.to_f64()]));
                ([0.0; 3], 0.0)
            }
            Shape::Cone { half_height, radius } => {
                discs.extend([[-0.5 * half_height.to_f64(), radius.to_f64()], [1.5 * half_height.to_f64(), 0.0]]);
                ([0.0; 3], 0.0)
            }
            Shape::HalfSpace { .. } | Shape::Mesh(_) | Shape::Facet(_) => panic!("nothing here is asked of these"),
        };
        Self {
            half_extents,
            corners,
            planes,
            discs,
            radius,
            axes: [0, 1, 2].map(|axis| rotation.column(axis).to_f64()),
        }
    }

    /// The largest `n . x` over the shape.
    pub(super) fn support(&self, n: [f64; 3]) -> f64 {
        let reach = |axis: usize| self.half_extents[axis] * dot(self.axes[axis], n).abs();
        let to_corner = self.corners.iter().map(|corner| dot(*corner, n)).reduce(f64::max);
        let [along_x, along_y, along_z] = self.axes.map(|axis| dot(axis, n));
        let across = along_x.hypot(along_z);
        let to_disc = self.discs.iter().map(|[height, radius]| height * along_y + radius * across).reduce(f64::max);
        self.radius + reach(0) + reach(1) + reach(2) + to_corner.unwrap_or(0.0) + to_disc.unwrap_or(0.0)
    }

    /// The shape turned inside out through its origin, which makes no difference to any but a hull or cone: it reaches along a direction as far
    /// as the shape does against it.
    pub(super) fn opposite(&self) -> Self {
        let corners = self.corners.iter().map(|corner| corner.map(|part| -part)).collect();
        let discs = self.discs.iter().map(|[height, radius]| [-height, *radius]).collect();
        Self { corners, discs, ..self.clone() }
    }

    /// How far outside the shape a point is, at most: zero or less inside.
    pub(super) fn distance(&self, point: [f64; 3]) -> f64 {
        if !self.planes.is_empty() {
            let heights = self.planes.iter().map(|(normal, offset)| dot(*normal, point) - offset);
            return heights.fold(f64::NEG_INFINITY, f64::max); // nearer than the distance beside an edge, but never outside when it is inside
        }
        if let [[low, wide], [high, narrow]] = self.discs[..] {
            let [x, y, z] = self.axes.map(|axis| dot(axis, point));
            let [out, up, _] = unit([high - low, wide - narrow, 0.0]);
            return (out * (x.hypot(z) - wide) + up * (y - low)).max(low - y).max(y - high);
        }
        let excess = [0, 1, 2].map(|axis| (dot(self.axes[axis], point).abs() - self.half_extents[axis]).max(0.0));
        dot(excess, excess).sqrt() - self.radius
    }
}

/// The gap along one direction.
pub(super) fn gap_along(a: &Rounded, b: &Rounded, offset: [f64; 3], n: [f64; 3]) -> f64 {
    dot(n, offset) - a.support(n) - b.support(n)
}

/// The largest gap over all directions, among them `hint`, from which the search starts too: it creeps along ridges.
pub(super) fn largest_gap(a: &Rounded, b: &Rounded, offset: [f64; 3], hint: [f64; 3]) -> f64 {
    let gap = |n: [f64; 3]| gap_along(a, b, offset, n);
    let mut starts: Vec<_> = directions().into_iter().map(|n| (gap(n), n)).collect();
    starts.sort_by(|left, right| right.0.total_cmp(&left.0));
    starts.truncate(6);
    starts.push((gap(hint), hint));
    starts.into_iter().map(|start| refine(start, gap)).fold(f64::NEG_INFINITY, f64::max)
}

/// Climbs from a direction with shrinking steps. The ring of tried ways turns each time, to find along narrow ridges.
fn refine((mut best, mut n): (f64, [f64; 3]), gap: impl Fn([f64; 3]) -> f64) -> f64 {
    let mut step = 0.1;
    let mut failures = 0;
    for round in 0.. {
        let candidates = ring(n, f64::from(round)).map(|way| unit([0, 1, 2].map(|axis| n[axis] + step * way[axis])));
        let better = candidates.into_iter().map(|n| (gap(n), n)).fold((best, n), |a, b| if b.0 > a.0 { b } else { a });
        failures = if better.0 > best { 0 } else { failures + 1 };
        (best, n) = better;
        if failures == 6 {
            (step, failures) = (step * 0.5, 0);
        }
        if step < 1e-9 {
            break;
        }
    }
    best
}

/// Sixteen unit vectors around a direction, the first at this angle.
fn ring(n: [f64; 3], angle: f64) -> [[f64; 3]; 16] {
    let (first, second) = Vec3::from_array(n).tangents();
    let mut ring = [[0.0; 3]; 16];
    for (index, way) in ring.iter_mut().enumerate() {
        let (sine, cosine) = (angle + index as f64 * std::f64::consts::TAU / 16.0).sin_cos();
        *way = (first * cosine + second * sine).to_array();
    }
    ring
}

/// Four hundred directions spread evenly in all ways (a spiral of golden angles).
fn directions() -> Vec<[f64; 3]> {
    let count = 400;
    (0..count)
        .map(|index| {
            let y = 1.0 - (2.0 * f64::from(index) + 1.0) / f64::from(count);
            let (sine, cosine) = (f64::from(index) * 2.399_963_229_728_653).sin_cos();
            let radius = (1.0 - y * y).sqrt();
            [radius * cosine, y, radius * sine]
        })
        .collect()
}

/// The fifteen axes of two cuboids, towards the second, each with the gap along it.
pub(super) fn fifteen_axes(a: &Rounded, b: &Rounded, offset: [f64; 3]) -> Vec<([f64; 3], f64)> {
    let products = a.axes.into_iter().flat_map(|first| b.axes.map(|second| cross(first, second)));
    let axes = a.axes.into_iter().chain(b.axes).chain(products).filter(|axis| dot(*axis, *axis) > 1e-12).map(unit);
    let toward = axes.map(|n| if dot(n, offset) < 0.0 { n.map(|component| -component) } else { n });
    toward.map(|n| (n, gap_along(a, b, offset, n))).collect()
}

/// The largest gap along the fifteen axes of two cuboids.
pub(super) fn best_of_fifteen(a: &Rounded, b: &Rounded, offset: [f64; 3]) -> f64 {
    fifteen_axes(a, b, offset).into_iter().map(|(_, gap)| gap).fold(f64::NEG_INFINITY, f64::max)
}

/// The distance of two shapes, or `None` where their cores overlap.
///
/// The nearest points of two boxes, or of boxes shrunk to segments and points, belong to a corner and a box or to two edges:
/// all of them are tried.
pub(super) fn distance(a: &Rounded, b: &Rounded, offset: [f64; 3]) -> Option<f64> {
    let core = |shape: &Rounded| Rounded { radius: 0.0, ..shape.clone() };
    let (core_a, core_b) = (core(a), core(b));
    if best_of_fifteen(&core_a, &core_b, offset) <= 0.0 {
        return None;
    }
    let to_b = a.corners().map(|corner| core_b.distance(subtract(corner, offset)));
    let to_a = b.corners().map(|corner| core_a.distance(add(corner, offset)));
    let mut least = to_b.into_iter().chain(to_a).fold(f64::INFINITY, f64::min);
    for edge_a in a.edges() {
        for edge_b in b.edges() {
            least = least.min(crossing_distance(edge_a, edge_b.map(|end| add(end, offset))));
        }
    }
    Some(least - a.radius - b.radius)
}

/// The distance of two segments where their lines come nearest within both; infinite elsewhere.
fn crossing_distance(a: [[f64; 3]; 2], b: [[f64; 3]; 2]) -> f64 {
    let (u, v, w) = (subtract(a[1], a[0]), subtract(b[1], b[0]), subtract(a[0], b[0]));
    let (uu, uv, vv, uw, vw) = (dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w));
    let determinant = uu * vv - uv * uv;
    let (s, t) = ((uv * vw - vv * uw) / determinant, (uu * vw - uv * uw) / determinant);
    if !((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t)) {
        return f64::INFINITY;
    }
    let apart = [0, 1, 2].map(|axis| w[axis] + u[axis] * s - v[axis] * t);
    dot(apart, apart).sqrt()
}

impl Rounded {
    /// The corners of the core: bit i of the number is set on the positive side of axis i.
    fn corners(&self) -> [[f64; 3]; 8] {
        std::array::from_fn(|number| {
            let reach = |axis: usize| self.half_extents[axis] * if number & (1 << axis) == 0 { -1.0 } else { 1.0 };
            [0, 1, 2].map(|row| (0..3).map(|axis| self.axes[axis][row] * reach(axis)).sum())
        })
    }

    /// The edges of the core.
    fn edges(&self) -> Vec<[[f64; 3]; 2]> {
        let corners = self.corners();
        let starts = (0..3).flat_map(|axis| (0..8).map(move |number| (number, 1 << axis)));
        starts
            .filter(|(number, bit)| number & bit == 0)
            .map(|(number, bit)| [corners[number], corners[number | bit]])
            .collect()
    }
}

fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| a[axis] + b[axis])
}

fn subtract(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| a[axis] - b[axis])
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    Vec3::from_array(a).cross(Vec3::from_array(b)).to_array()
}
