//! What the rim of a flat round side touches, beyond the polygon that stands for it: points of a contact lie on both shapes.

use super::{cone, cuboid, cylinder, number, turn, vector};
use crate::collision::manifold::collide;
use crate::collision::query::closest;
use crate::geometry::Shape;
use crate::math::{Fixed, Mat3, Scalar, Vec3};

/// A corner may stick out of a face by a 256th of half the least thickness and still count as one on it, metres.
const LOOSE: f64 = 0.25 / 256.0 + 1e-4;

/// How far a place is out of a cube of 2 m about the origin, or out of a disc about an axis along y, metres.
fn out_of_cube(place: [f64; 3]) -> f64 {
    place.into_iter().fold(f64::MIN, |most, part| most.max(part.abs() - 1.0))
}

/// The flat side of a cylinder or cone of half a metre lies 0.01 mm in the top of a cube whose corner (1, 1, 1) is so far from its axis, in three
/// directions. All that they share is between that corner and the rim. The contact was up to 1.2 m away from both.
#[test]
fn a_rim_on_a_corner_is_touched_there() {
    fn check<S: Scalar>() {
        let cube = cuboid::<S>(1.0, 1.0, 1.0);
        // The base of a cone is half its half height below its centre of mass.
        for (solid, base) in [(cylinder::<S>(0.25, 0.5), 0.25), (cone::<S>(0.25, 0.5), 0.125)] {
            for degrees in [33.75_f64, 40.0, 45.0] {
                let (sine, cosine) = (libm::sin(degrees.to_radians()), libm::cos(degrees.to_radians()));
                for distance in [0.4905, 0.4925, 0.495, 0.497, 0.499, 0.4999] {
                    let axis = [1.0 + distance * cosine, 1.0 + distance * sine];
                    let offset = vector::<S>(axis[0], 1.0 + base - 1e-5, axis[1]);
                    let manifold = collide(&cube, &Mat3::IDENTITY, &solid, &Mat3::IDENTITY, offset, number(0.01));
                    assert!(!manifold.is_empty(), "{}: {distance}", S::KIND);
                    for point in manifold.points() {
                        let place = point.position.to_f64();
                        let out_of_disc = (place[0] - axis[0]).hypot(place[2] - axis[1]) - 0.5;
                        assert!(
                            out_of_cube(place).max(out_of_disc) <= LOOSE,
                            "{}: {distance}: {place:?} is {out_of_disc} out of the disc",
                            S::KIND
                        );
                    }
                }
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// A rim over a straight edge, nearer to it than the polygon: the contact was at one of its ends, or beside it.
#[test]
fn a_rim_over_an_edge_is_touched_along_it() {
    fn check<S: Scalar>() {
        let cube = cuboid::<S>(1.0, 1.0, 1.0);
        let drum = cylinder::<S>(0.25, 0.5);
        for degrees in [0.0, 5.0, 11.25] {
            for distance in [0.488, 0.492, 0.495, 0.499] {
                let offset = vector::<S>(1.0 + distance, 1.25 - 1e-5, 0.2);
                let rotation = turn(Vec3::<S>::Y, degrees);
                let manifold = collide(&cube, &Mat3::IDENTITY, &drum, &rotation, offset, number(0.01));
                assert!(!manifold.is_empty(), "{}: {degrees} {distance}", S::KIND);
                for point in manifold.points() {
                    let place = point.position.to_f64();
                    let out_of_disc = (place[0] - 1.0 - distance).hypot(place[2] - 0.2) - 0.5;
                    assert!(out_of_cube(place).max(out_of_disc) <= LOOSE, "{}: {distance}: {place:?}", S::KIND);
                }
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// A tip exactly under a box, and a box and a cylinder of one attitude that touch in one point while faces of both are parallel: the nearest
/// points lie on both. They were up to 1.6 m away.
#[test]
fn nearest_points_of_what_touches_lie_on_both() {
    fn check<S: Scalar>() {
        let lid = cuboid::<S>(1.0, 0.25, 0.5);
        let tip = cone::<S>(0.25, 0.5);
        let under = vector::<S>(0.0, -0.25 - 0.375, 0.0625);
        let found = closest((&lid, &Mat3::IDENTITY), (&tip, &Mat3::IDENTITY), under).expect("two shapes");
        for point in found.points {
            assert!((point - vector(0.0, -0.25, 0.0625)).length().to_f64() <= 1e-4, "{}: {found:?}", S::KIND);
        }
        let (plate, drum): (Shape<S>, Shape<S>) = (cuboid(0.125, 1.0, 1.0), cylinder(0.25, 0.25));
        // The edge of its lower end is at the corner of the plate.
        for beside in [0.0, 1e-5, -1e-5, 1e-3] {
            let offset = vector::<S>(0.125 + 0.15 + beside, 1.25, 1.0 + 0.2);
            let found = closest((&plate, &Mat3::IDENTITY), (&drum, &Mat3::IDENTITY), offset).expect("two shapes");
            let corner = vector::<S>(0.125, 1.0, 1.0);
            for point in found.points {
                assert!((point - corner).length().to_f64() <= 0.05, "{}: {beside}: {found:?}", S::KIND);
            }
            assert!((found.points[1] - found.points[0] - found.normal * found.distance).length().to_f64() <= 1e-4);
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// Two capsules whose axes cross, and a ball on the axis of a capsule, but for some units in the last place: the way out leads across the axes.
#[test]
fn what_lies_on_an_axis_leaves_across_it() {
    fn check<S: Scalar>() {
        let ulp = S::from_ordered(S::ONE.to_ordered() + 1) - S::ONE;
        let (one, other) = (super::capsule::<S>(0.5, 0.125), super::capsule::<S>(0.75, 0.0625));
        let ball = super::sphere::<S>(0.125);
        let rotations = [turn(Vec3::<S>::Z, 30.0), turn(Vec3::<S>::X, 70.0)];
        let axes = rotations.map(|rotation| rotation.column(1));
        for off in [[1, 0, 0], [0, 1, 0], [0, 0, 1], [2, -3, 1], [-1, -1, 4]] {
            let off = Vec3::new(S::from_i32(off[0]), S::from_i32(off[1]), S::from_i32(off[2])) * ulp;
            for place in [-0.25, 0.0, 0.375] {
                let crossing = axes[0] * number::<S>(place) + off;
                let crossed = collide(&one, &rotations[0], &other, &rotations[1], crossing, S::ZERO);
                let on_axis = collide(&one, &rotations[0], &ball, &Mat3::IDENTITY, crossing, S::ZERO);
                for (manifold, axes) in [(crossed, &axes[..]), (on_axis, &axes[..1])] {
                    for axis in axes {
                        let leans = manifold.normal.dot(*axis).to_f64();
                        assert!(leans.abs() <= 1e-5, "{}: {leans} along an axis, {manifold:?}", S::KIND);
                    }
                }
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}
