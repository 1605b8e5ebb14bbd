//! What holds of every contact and of all nearest points, whatever the shapes: random pairs of every combination of kinds.

use proptest::prelude::{TestCaseError, any, prop_assert, proptest};

use super::facets::mesh_of;
use super::{capsule, collide, cone, cuboid, cylinder, floor, number, rounding, sphere, stone, turn};
use crate::collision::gap_along;
use crate::collision::query::closest;
use crate::geometry::Shape;
use crate::math::{Fixed, Mat3, Scalar, SplitMix64, Vec3};

/// How many kinds [`shape`] knows.
const KINDS: usize = 8;

/// A shape of a kind by number, of sizes from a hundredth of `size` to all of it, metres.
fn shape<S: Scalar>(kind: usize, size: f64, random: &mut SplitMix64) -> Shape<S> {
    let mut length = || size * 2.0_f64.powf(random.between(-6.6, 0.0));
    let [x, y, z] = [length(), length(), length()];
    match kind {
        0 => sphere(x),
        1 => cuboid(x, y, z),
        2 => capsule(x, y),
        3 => cylinder(x, y),
        4 => cone(x, y),
        5 => stone(random),
        6 => {
            let mut steps = || random.between(-9.0, 9.0) as i64;
            let points = [0, 1, 2]
                .map(|place| [steps(), steps() + 20 * i64::from(place == 1), steps() + 20 * i64::from(place == 2)]);
            Shape::Mesh(mesh_of(&points, &[[0, 1, 2]]))
        }
        _ => floor(),
    }
}

/// What the pair reaches along the normal from where the origins are: no contact is deeper.
fn reach<S: Scalar>(a: (&Shape<S>, &Mat3<S>), b: (&Shape<S>, &Mat3<S>), normal: Vec3<S>) -> f64 {
    (a.0.extent_along(a.1, normal) + b.0.extent_along(b.1, -normal)).to_f64()
}

fn check<S: Scalar>(kinds: [usize; 2], seed: u64) -> Result<(), TestCaseError> {
    let mut random = SplitMix64::new(seed);
    let small = [1.0, 1.0, 0.1, 0.01][random.index(4)];
    let shapes = [shape::<S>(kinds[0], 1.2, &mut random), shape(kinds[1], 1.2 * small, &mut random)];
    let turned: Mat3<S> = turn(super::RandomShapes::direction(&mut random), random.between(-180.0, 180.0));
    // One in three nearly parallel.
    let by =
        if random.index(3) == 0 { 2.0_f64.powf(random.between(-14.0, 1.0)) } else { random.between(-180.0, 180.0) };
    let rotations = [turned, turn::<S>(super::RandomShapes::direction(&mut random), by) * turned];
    let [a, b] = [(&shapes[0], &rotations[0]), (&shapes[1], &rotations[1])];
    let way = super::RandomShapes::direction::<S>(&mut random).direction().unwrap_or(Vec3::Y);
    let touching = reach(a, b, way);
    // Far inside, shallow, touching to the last digits, just apart.
    let share =
        [random.between(0.0, 1.0), 1.0 - 2.0_f64.powf(random.between(-20.0, -3.0)), 1.0, random.between(1.0, 1.2)];
    let offset = way * number(touching * share[random.index(4)]);
    let margin = number(0.0625);
    let found = collide(a.0, a.1, b.0, b.1, offset, margin);
    let what = format!("{shapes:?} {rotations:?} {offset:?} {found:?} ({})", S::KIND);
    prop_assert!(found.normal.is_finite(), "{what}");
    prop_assert!((found.normal.length().to_f64() - 1.0).abs() <= rounding::<S>(), "no unit normal: {what}");
    for point in found.points() {
        prop_assert!(point.position.is_finite() && point.separation.is_finite(), "{what}");
    }
    // A face that is preferred over a better axis shows up to 1/512 of the sizes more or less, and round things are searched for.
    let slack = 0.008;
    if let Some(gap) = found.gap() {
        let deepest = reach(a, b, found.normal) - found.normal.dot(offset).to_f64();
        prop_assert!((-gap).to_f64() <= deepest + slack, "contact {gap}, and they reach {deepest}: {what}");
        let left = gap_along(a, b, offset - found.normal * gap.min(S::ZERO), found.normal);
        prop_assert!(left.to_f64() >= -slack, "contact, {left} is left: {what}");
    }
    let near = closest(a, b, offset);
    // Two half-spaces, or two meshes, have no nearest points.
    prop_assert!(near.is_some() || kinds.iter().all(|&kind| kind >= 6), "no nearest points: {what}");
    let Some(near) = near else { return Ok(()) };
    let what = format!("{near:?} of {what}");
    prop_assert!(near.distance.is_finite() && near.points.iter().all(|point| point.is_finite()), "{what}");
    prop_assert!((near.normal.length().to_f64() - 1.0).abs() <= rounding::<S>(), "no unit normal: {what}");
    let deepest = reach(a, b, near.normal) - near.normal.dot(offset).to_f64();
    prop_assert!((-near.distance).to_f64() <= deepest + slack, "nearest, they reach {deepest}: {what}");
    if near.distance < S::ZERO {
        let left = gap_along(a, b, offset - near.normal * near.distance, near.normal);
        prop_assert!(left.to_f64() >= -slack, "nearest, {left} is left: {what}");
    }
    // Contact and nearest points tell the same gap, where both tell one; the edges of cuboids lean by up to 1/64 to lie along a capsule.
    if let Some(gap) = found.gap().filter(|_| near.distance <= margin) {
        prop_assert!((gap - near.distance).abs().to_f64() <= slack + gap.to_f64().abs() / 64.0, "two gaps: {what}");
    }
    Ok(())
}

proptest! {
    /// No number is none, no contact is deeper than the shapes reach along its normal, and moved by the depth they are apart.
    #[test]
    fn every_pair_of_kinds_is_sound(seed in any::<u64>()) {
        for first in 0..KINDS {
            for second in 0..KINDS {
                check::<Fixed>([first, second], seed)?;
                check::<f32>([first, second], seed)?;
                check::<f64>([first, second], seed)?;
            }
        }
    }
}
