//! Heavy bodies that strike light ones backed by something fixed: a blow is over when it is over, and is not given back in the next substep.

use physim::math::Scalar;

use crate::physics::support::Run;

on_every_scalar!(a_heavy_ball_squeezes_a_light_one_against_the_floor, a_heavy_box_falls_flat_on_a_light_bar,);

const FLOOR: &str = "(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0)))";

/// Steps a run; the largest rise of its energy in one step, J.
fn largest_rise<S: Scalar>(run: &mut Run<S>, steps: u32) -> f64 {
    let mut before = run.energy().total();
    let mut largest = 0.0_f64;
    for _ in 0..steps {
        run.step();
        let now = run.energy().total();
        largest = largest.max(now - before);
        before = now;
    }
    largest
}

/// 50 kg at 10 m/s on 1 kg that touches the floor, without restitution: no energy comes back, and nearly all goes. A tenth of it came back.
fn a_heavy_ball_squeezes_a_light_one_against_the_floor<S: Scalar>() {
    let mut run = Run::<S>::of(&format!(
        "dt: \"1/240\", gravity: (0, 0, 0), materials: {{\"default\": (friction: 0, restitution: 0)}}, bodies: [{FLOOR},
            (name: \"light\", position: Origin(0, 0.2, 0), mass: Total(1), shape: Sphere(radius: 0.2)),
            (name: \"heavy\", position: Origin(0, 1, 0), linear_velocity: (0, -10, 0), mass: Total(50), shape: Sphere(radius: 0.2))]"
    ));
    let start = run.energy().kinetic;
    let rise = largest_rise(&mut run, 60);
    assert!(rise <= 1e-4 * start, "{rise} J of {start} J came from nowhere ({})", S::KIND);
    assert!(run.energy().kinetic <= 0.02 * start, "{} J of {start} J are left ({})", run.energy().kinetic, S::KIND);
}

/// A hundred times as heavy, and flat: it rebounded with a third of its speed, and energy rose by an eighth of the fall.
fn a_heavy_box_falls_flat_on_a_light_bar<S: Scalar>() {
    let mut run = Run::<S>::of(&format!(
        "dt: \"1/240\", materials: {{\"default\": (friction: 0.5, restitution: 0)}}, bodies: [{FLOOR},
            (name: \"bar\", position: Origin(0, 0.05, 0), mass: Total(1), shape: Cuboid(half_extents: (0.05, 0.05, 0.5))),
            (name: \"box\", position: Origin(0, 1.266, 0), mass: Total(100), shape: Cuboid(half_extents: (0.2, 0.2, 0.2)))]"
    ));
    let rise = largest_rise(&mut run, 400);
    assert!(rise <= 0.2, "{rise} J came from nowhere ({})", S::KIND);
    assert!(run.energy().kinetic <= 0.01, "{} J are left ({})", run.energy().kinetic, S::KIND);
}
