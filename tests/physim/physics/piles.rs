//! A pile is a pile: a thousand boxes dropped between four walls.

use physim::dynamics::body::BodyKind;
use physim::math::{Scalar, Vec3};

use crate::physics::support::{Run, wide};

on_every_scalar!(pile_of_a_thousand_boxes);

/// Six seconds of `scenes/bench/pile_boxes_1000.ron`, all of whose boxes have landed by then: the mean overlap of the points that overlap stays below a hundredth of a metre,
/// the centre of no cube of half a metre comes nearer than 0.4 m to the floor or to a wall, and the energy falls from second
/// to second, as nothing drives the pile.
fn pile_of_a_thousand_boxes<S: Scalar>() {
    let mut run = Run::<S>::of_file("bench/pile_boxes_1000.ron");
    let mut energy = run.energy().total();
    for second in 1..=6 {
        run.steps(60);
        let now = run.energy().total();
        assert!(now < energy, "second {second}: the energy went from {energy} to {now}");
        energy = now;
        for place in places(&run) {
            assert!(place.y > 0.4 && place.x.abs() < 9.6 && place.z.abs() < 9.6, "second {second}: a box at {place:?}");
        }
    }
    let (sum, count) = run.overlaps().fold((0.0, 0_u32), |(sum, count), overlap| (sum + overlap, count + 1));
    assert!(count > 1000, "only {count} points overlap: this is no pile");
    let mean = sum / f64::from(count);
    assert!(mean < 0.01, "the mean overlap is {mean} m");
}

fn places<S: Scalar>(run: &Run<S>) -> impl Iterator<Item = Vec3<f64>> {
    let bodies = run.world().bodies();
    let dynamic = bodies.kind.iter().zip(&bodies.position).filter(|(kind, _)| **kind == BodyKind::Dynamic);
    dynamic.map(|(_, position)| wide(*position))
}
