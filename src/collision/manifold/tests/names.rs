//! What a point of a contact is called: impulses are kept by it, so a corner has one name, however it touches, and no two corners the same.

use std::collections::BTreeMap;

use super::{RandomShapes, collide, cone, cuboid, cylinder, hull, number, turn, vector};
use crate::collision::manifold::{Manifold, ManifoldPoint};
use crate::geometry::Shape;
use crate::math::{Fixed, Mat3, Scalar, SplitMix64, Vec3};

/// A polyhedron with where its corners are, metres.
struct Standing<S> {
    shape: Shape<S>,
    corners: Vec<[f64; 3]>,
}

impl<S: Scalar> Standing<S> {
    fn prism(sides: u32) -> Self {
        let around = (0..sides).map(|side| std::f64::consts::TAU * f64::from(side) / f64::from(sides));
        let corners: Vec<_> = around
            .flat_map(|turn| [-0.1, 0.1].map(|height| [0.3 * libm::cos(turn), height, 0.3 * libm::sin(turn)]))
            .collect();
        Self { shape: hull(&corners), corners }
    }

    fn cuboid() -> Self {
        let signs = (0..8).map(|bits: u32| [0, 1, 2].map(|axis| if bits >> axis & 1 == 0 { -1.0 } else { 1.0 }));
        Self { shape: cuboid(0.3, 0.1, 0.2), corners: signs.map(|[x, y, z]| [0.3 * x, 0.1 * y, 0.2 * z]).collect() }
    }

    /// Where its corners are in the world's axes, seen from its centre.
    fn turned(&self, rotation: &Mat3<S>) -> Vec<[f64; 3]> {
        self.corners.iter().map(|&[x, y, z]| (*rotation * vector::<S>(x, y, z)).to_f64()).collect()
    }
}

/// Puts a polyhedron that leans in any direction with its lowest corner on a flat round face, and notes what the corners that touch are called.
fn a_corner_keeps_its_name<S: Scalar>() {
    let upside_down = turn(Vec3::<S>::X, 180.0);
    // The base of a cone is half its half height below its centre of mass.
    let faces = [(cylinder::<S>(0.1, 2.0), Mat3::IDENTITY, 0.1), (cone(0.5, 2.0), upside_down, 0.25)];
    let mut random = SplitMix64::new(91);
    for standing in [Standing::<S>::prism(5), Standing::prism(6), Standing::cuboid()] {
        for (round, rotation, top) in &faces {
            let mut names = [BTreeMap::new(), BTreeMap::new()];
            let mut again = 0;
            for turn_number in 0..400 {
                let degrees = [0.0, 1.0, 3.0, 4.0, 6.0, 10.0, 25.0][turn_number % 7];
                let [x, _, z] = random.direction::<S>().to_f64();
                let leaning = turn(vector(x, 0.0, z), degrees) * turn(Vec3::Y, random.between(-180.0, 180.0));
                let corners = standing.turned(&leaning);
                let lowest = corners.iter().map(|corner| corner[1]).fold(f64::MAX, f64::min);
                let place = [0.4, top - lowest - 1e-4, -0.3];
                let offset = vector::<S>(place[0], place[1], place[2]);
                let below = collide(round, rotation, &standing.shape, &leaning, offset, number(0.01));
                let above = collide(&standing.shape, &leaning, round, rotation, -offset, number(0.01));
                let starts = [[0.0; 3], place];
                for ((names, manifold), start) in names.iter_mut().zip([below, above]).zip(starts) {
                    again += note::<S>(names, (&manifold, start), (&corners, place));
                }
            }
            for names in names {
                let different: std::collections::BTreeSet<_> = names.values().collect();
                assert_eq!(different.len(), names.len(), "{}: one name for two: {names:?}", S::KIND);
                assert_eq!(names.len(), standing.corners.len() / 2, "{}: all that can touch", S::KIND);
            }
            assert!(again > 500, "{}: {again} corners that touched before", S::KIND);
        }
    }
}

/// Notes the names of the corners that a manifold from `start` on has points at; how many of them had one.
fn note<S: Scalar>(
    names: &mut BTreeMap<usize, u32>,
    (manifold, start): (&Manifold<S>, [f64; 3]),
    (corners, place): (&[[f64; 3]], [f64; 3]),
) -> usize {
    let mut again = 0;
    for point in manifold.points() {
        let [x, _, z] = point.position.to_f64();
        let is_there =
            |corner: &[f64; 3]| (start[0] + x - place[0] - corner[0]).hypot(start[2] + z - place[2] - corner[2]) < 1e-3;
        // Of corners above each other the lower one touches.
        let at = (0..corners.len()).filter(|&number| is_there(&corners[number]));
        let Some(number) = at.min_by(|&one, &other| corners[one][1].total_cmp(&corners[other][1])) else { continue };
        let name = *names.entry(number).or_insert(point.feature.0);
        assert_eq!(name, point.feature.0, "{}: corner {number} in {manifold:?}", S::KIND);
        again += 1;
    }
    again
}

/// The point on which a cylinder or cone leans is called the same until it stands, in any direction that is not nearly that of one of the four
/// points, a quarter apart, that go with it.
fn a_rim_keeps_its_name<S: Scalar>() {
    let ground = cuboid::<S>(1.0, 0.5, 1.0);
    let mut random = SplitMix64::new(92);
    for (round, bottom) in [(cylinder::<S>(0.2, 0.2), 0.2), (cone(0.2, 0.2), 0.1)] {
        let mut names = std::collections::BTreeSet::new();
        let mut turned: Vec<f64> = (0..8).map(|eighth| f64::from(eighth) * 45.0).collect();
        turned.extend((0..100).map(|_| random.between(-180.0, 180.0)));
        let is_beside_quarters = |direction: &f64| (direction.rem_euclid(90.0) - 45.0).abs() < 33.0;
        for direction in turned.into_iter().filter(is_beside_quarters) {
            let axis = vector(libm::cos(direction.to_radians()), 0.0, libm::sin(direction.to_radians()));
            for degrees in [20.0, 10.0, 5.0, 3.7, 3.5, 3.0, 1.0, 0.3] {
                let leaning = turn::<S>(axis, degrees);
                let (sine, cosine) = (libm::sin(f64::to_radians(degrees)), libm::cos(f64::to_radians(degrees)));
                let height = 0.5 + bottom * cosine + 0.2 * sine - 1e-5;
                let manifold =
                    collide(&ground, &Mat3::IDENTITY, &round, &leaning, vector(0.1, height, 0.2), number(0.05));
                // Of the base the point that is farthest down, and the point of the contact there.
                let down = leaning.transpose_mul(-Vec3::Y).to_f64();
                let across = down[0].hypot(down[2]);
                let rim = vector::<S>(0.2 * down[0] / across, -bottom, 0.2 * down[2] / across);
                let [x, _, z] = (leaning * rim).to_f64();
                let away = |point: &ManifoldPoint<S>| {
                    let place = point.position.to_f64();
                    (place[0] - x - 0.1).hypot(place[2] - z - 0.2)
                };
                let lowest = manifold.points().iter().min_by(|one, other| away(one).total_cmp(&away(other)));
                let lowest = lowest.unwrap_or_else(|| panic!("{}: no point at {degrees}", S::KIND));
                assert!(away(lowest) < 2e-3, "{}: {degrees} {manifold:?}", S::KIND);
                names.insert(lowest.feature.0);
            }
        }
        assert_eq!(names.len(), 1, "{}: {names:?}", S::KIND);
    }
}

#[test]
fn a_rim_keeps_its_name_on_every_scalar() {
    a_rim_keeps_its_name::<Fixed>();
    a_rim_keeps_its_name::<f32>();
    a_rim_keeps_its_name::<f64>();
}

#[test]
fn a_corner_keeps_its_name_on_every_scalar() {
    a_corner_keeps_its_name::<Fixed>();
    a_corner_keeps_its_name::<f32>();
    a_corner_keeps_its_name::<f64>();
}
