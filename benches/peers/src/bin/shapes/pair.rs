//! Random shapes that lie to each other in all the ways that are hard: apart, touching, deep, side by side, of very different sizes.

use std::sync::Arc;

use physim::collision::query::closest;
use physim::geometry::Shape;
use physim::geometry::hull::{ExactHull, Hull};
use physim::geometry::mesh::{ExactMesh, Mesh};
use physim::math::{Mat3, Quat, Scalar, SplitMix64, Vec3};

/// What is paired with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Ball,
    Cuboid,
    Capsule,
    /// A hull of so many points.
    Hull(u32),
    Cylinder,
    Cone,
    HalfSpace,
    /// A bumpy surface of 200 triangles, of times only: as a whole it has no depth.
    Sheet,
}

impl Kind {
    pub const ALL: [Self; 8] = [
        Self::Ball,
        Self::Cuboid,
        Self::Capsule,
        Self::Hull(16),
        Self::Hull(64),
        Self::Cylinder,
        Self::Cone,
        Self::HalfSpace,
    ];

    pub fn name(self) -> String {
        match self {
            Self::Ball => "ball".to_owned(),
            Self::Cuboid => "box".to_owned(),
            Self::Capsule => "capsule".to_owned(),
            Self::Hull(points) => format!("hull {points}"),
            Self::Cylinder => "cylinder".to_owned(),
            Self::Cone => "cone".to_owned(),
            Self::HalfSpace => "half-space".to_owned(),
            Self::Sheet => "mesh 200".to_owned(),
        }
    }
}

/// Two shapes as they lie to each other; every number is one of `f32` and of fixed point too, but for the turns.
#[derive(Clone, Debug)]
pub struct Pair {
    pub shapes: [Shape<f64>; 2],
    pub turns: [Quat<f64>; 2],
    /// From the first to the second.
    pub offset: Vec3<f64>,
    /// The sizes of both together, metres.
    pub size: f64,
}

impl Pair {
    pub fn random(kinds: [Kind; 2], random: &mut SplitMix64) -> Self {
        // One in four has sizes up to 1 : 1000.
        let is_uneven = random.below(4) == 0;
        let small = if is_uneven { power_of_ten(random) } else { 1.0 };
        let shapes = [shape(kinds[0], 1.0, random), shape(kinds[1], small, random)];
        let aligned = random.below(4) == 0;
        let turns = [0, 1].map(|_| if aligned { nearly_a_quarter(random) } else { turn(random) });
        let size = shapes.iter().map(reach).sum::<f64>();
        let direction = vector(random).normalise().map_or(Vec3::X, |(unit, _)| unit);
        let away = size * unit(random) * 1.5;
        let mut pair = Self { shapes, turns, offset: rounded(direction * away), size };
        // Half of them lie within a thousandth of touching, on either side.
        if random.below(2) == 0 {
            let gap = [1e-3, 1e-5, 0.0, -1e-5, -1e-3][random.index(5)] * size * small;
            let [a, b] = pair.rotations();
            if let Some(found) = closest((&pair.shapes[0], &a), (&pair.shapes[1], &b), pair.offset) {
                pair.offset = rounded(pair.offset - found.normal * (found.distance - gap));
            }
        }
        pair
    }

    pub fn rotations(&self) -> [Mat3<f64>; 2] {
        self.turns.map(Quat::to_matrix)
    }

    /// The same in another scalar.
    pub fn shapes_in<S: Scalar>(&self) -> [Shape<S>; 2] {
        [0, 1].map(|side| shape_in(&self.shapes[side]))
    }
}

pub fn number<S: Scalar>(value: f64) -> S {
    // 30 bits behind the point and 17 before it: exact for what is `rounded`.
    let scaled = (value * f64::from(1 << 30)).round() as i64;
    S::from_ratio(scaled, 1 << 30)
}

pub fn vector_in<S: Scalar>(of: Vec3<f64>) -> Vec3<S> {
    Vec3::from_array(of.to_array().map(number))
}

pub fn rotation_in<S: Scalar>(of: Quat<f64>) -> Mat3<S> {
    Quat::new(number(of.w), number(of.x), number(of.y), number(of.z)).normalise().to_matrix()
}

fn shape_in<S: Scalar>(shape: &Shape<f64>) -> Shape<S> {
    match *shape {
        Shape::Sphere { radius } => Shape::Sphere { radius: number(radius) },
        Shape::Cuboid { half_extents } => Shape::Cuboid { half_extents: vector_in(half_extents) },
        Shape::Capsule { half_height, radius } => {
            Shape::Capsule { half_height: number(half_height), radius: number(radius) }
        }
        Shape::Cylinder { half_height, radius } => {
            Shape::Cylinder { half_height: number(half_height), radius: number(radius) }
        }
        Shape::Cone { half_height, radius } => Shape::Cone { half_height: number(half_height), radius: number(radius) },
        Shape::Hull(ref hull) => {
            let exact = ExactHull::of_corners(hull.exact().corners(), hull.exact().exponent()).expect("the same hull");
            Shape::Hull(Arc::new(Hull::new(Arc::new(exact))))
        }
        Shape::HalfSpace { normal } => Shape::HalfSpace { normal: vector_in(normal) },
        Shape::Mesh(ref mesh) => {
            let exact = mesh.exact();
            let same =
                ExactMesh::of_parts(exact.corners(), exact.triangles(), exact.exponent()).expect("the same mesh");
            Shape::Mesh(Arc::new(Mesh::new(Arc::new(same))))
        }
        Shape::Facet(_) => unreachable!("no pair has a facet"),
    }
}

pub fn reach(shape: &Shape<f64>) -> f64 {
    match shape {
        Shape::Cuboid { half_extents } => half_extents.length(),
        Shape::Hull(hull) => hull.reach(),
        Shape::Cylinder { .. } | Shape::Cone { .. } => shape.turning_reach(),
        Shape::Mesh(mesh) => mesh.reach(),
        other => other.largest_half_extent().unwrap_or(1.0),
    }
}

/// 12 bits behind the point, so that `f32` has them of anything within two kilometres.
fn rounded(of: Vec3<f64>) -> Vec3<f64> {
    of.map(|component| (component * 4096.0).round() / 4096.0)
}

fn shape(kind: Kind, scale: f64, random: &mut SplitMix64) -> Shape<f64> {
    // 24 bits behind the point: a thousandth of a metre still has 14.
    let mut size = || ((0.1 + 0.9 * unit(random)) * scale * f64::from(1 << 24)).round() / f64::from(1 << 24);
    match kind {
        Kind::Ball => Shape::Sphere { radius: size() },
        Kind::Cuboid => Shape::Cuboid { half_extents: Vec3::new(size(), size(), size()) },
        Kind::Capsule => Shape::Capsule { half_height: size(), radius: size() / 2.0 },
        Kind::Hull(points) => hull(points, scale, random),
        Kind::Cylinder => Shape::Cylinder { half_height: size(), radius: size() },
        Kind::Cone => Shape::Cone { half_height: size(), radius: size() },
        Kind::HalfSpace => Shape::HalfSpace { normal: Vec3::Y },
        Kind::Sheet => sheet(random),
    }
}

/// 10 by 10 squares of 40 cm, up to 10 cm high and low.
fn sheet(random: &mut SplitMix64) -> Shape<f64> {
    let mut points = Vec::new();
    for row in 0..=10_i64 {
        for column in 0..=10_i64 {
            let height = (unit(random) * 13_107.0) as i64 - 6553;
            points.push([(column - 5) * 26_214, height, (row - 5) * 26_214]);
        }
    }
    let cell = |row: u32, column: u32| {
        let (a, b) = (row * 11 + column, (row + 1) * 11 + column);
        [[a, b, a + 1], [a + 1, b, b + 1]]
    };
    let triangles: Vec<[u32; 3]> = (0..10).flat_map(|row| (0..10).flat_map(move |column| cell(row, column))).collect();
    let (exact, _, _) = ExactMesh::new(&points, &triangles, -16).expect("a mesh");
    Shape::Mesh(Arc::new(Mesh::new(Arc::new(exact))))
}

/// Points on a ball, pressed flat by up to a half along each axis.
fn hull(points: u32, scale: f64, random: &mut SplitMix64) -> Shape<f64> {
    let exponent = if scale < 0.1 { -27 } else { -17 };
    let steps = (scale * 2.0_f64.powi(-exponent)).min(400_000.0);
    let flat = [0, 1, 2].map(|_| 0.5 + 0.5 * unit(random));
    let corners: Vec<[i64; 3]> = (0..points)
        .map(|_| {
            let direction = vector(random).normalise().map_or(Vec3::X, |(unit, _)| unit).to_array();
            [0, 1, 2].map(|axis| (direction[axis] * flat[axis] * steps) as i64)
        })
        .collect();
    match ExactHull::new(&corners, exponent) {
        Ok((exact, _)) => Shape::Hull(Arc::new(Hull::new(Arc::new(exact)))),
        Err(_) => Shape::Sphere { radius: scale },
    }
}

fn power_of_ten(random: &mut SplitMix64) -> f64 {
    [0.1, 0.01, 0.001][random.index(3)]
}

/// 0 to 1.
pub fn unit(random: &mut SplitMix64) -> f64 {
    random.below(1 << 30) as f64 / f64::from(1 << 30)
}

pub fn vector(random: &mut SplitMix64) -> Vec3<f64> {
    Vec3::new(unit(random) - 0.5, unit(random) - 0.5, unit(random) - 0.5)
}

fn turn(random: &mut SplitMix64) -> Quat<f64> {
    let axis = vector(random).normalise().map_or(Vec3::X, |(unit, _)| unit);
    Quat::from_axis_angle(axis, unit(random) * 6.0)
}

/// Axes along axes, but for up to 0.001 rad: faces and edges nearly side by side.
fn nearly_a_quarter(random: &mut SplitMix64) -> Quat<f64> {
    let axis = [Vec3::X, Vec3::Y, Vec3::Z][random.index(3)];
    let quarters = random.below(4) as f64 * std::f64::consts::FRAC_PI_2;
    let lean = vector(random) * [0.0, 1e-3, 1e-6][random.index(3)];
    let leant = lean.normalise().map_or(Quat::IDENTITY, |(axis, angle)| Quat::from_axis_angle(axis, angle));
    (Quat::from_axis_angle(axis, quarters) * leant).normalise()
}
