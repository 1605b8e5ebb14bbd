//! What strikes something light that lies on the ground, and is stopped through it.

use physim::math::Scalar;

use crate::physics::support::{DT, Run};

on_every_scalar!(
    a_heavy_ball_squeezes_a_light_one_against_the_floor,
    what_is_stopped_through_something_light_is_not_thrown_back,
    what_slides_over_something_light_is_not_thrown_back,
    what_bears_a_load_is_no_rebound,
    what_is_clamped_keeps_its_grip_under_a_blow,
    what_a_blow_has_pressed_in_comes_out_again,
);

const FLOOR: &str = "(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0)))";

/// Balls of 10 kg to 1 t strike balls of 1 kg on a floor with 10 m/s, side by side, without restitution or weight. All stop: none comes
/// back with more than a twentieth of its speed, nor with more than the square of that of the energy. None gets through to the floor, 0.2 m
/// below it.
///
/// The light ball hands on what would stop itself in a pass, so the heavy one is stopped by impulses that grow from substep to substep, to many
/// times what it needs in the last.
fn what_is_stopped_through_something_light_is_not_thrown_back<S: Scalar>() {
    let masses = [10, 30, 50, 100, 300, 1000];
    for dt in ["1/60", "1/240"] {
        let pairs = (0..).zip(masses).map(|(index, mass)| {
            let x = 2 * index;
            format!(
                "(name: \"light {mass}\", position: Origin({x}, 0.1, 0), mass: Total(1), shape: Sphere(radius: 0.1)),
                (name: \"{mass}\", position: Origin({x}, 0.8{index}, 0), linear_velocity: (0, -10, 0), mass: Total({mass}), shape: Sphere(radius: 0.5)),"
            )
        });
        let mut run = Run::<S>::of(&format!(
            "dt: \"{dt}\", gravity: (0, 0, 0), materials: {{\"default\": (friction: 0, restitution: 0)}}, bodies: [{} {FLOOR}]",
            pairs.collect::<String>()
        ));
        let before = run.energy().kinetic;
        let mut low = before;
        for step in 0..60 {
            run.step();
            let now = run.energy().kinetic;
            assert!(
                now <= low + before / 400.0,
                "dt {dt}, step {step}: energy grows from {low} to {now} of {before} J"
            );
            low = low.min(now);
            for mass in masses {
                let body = mass.to_string();
                let up = run.velocity(&body).y;
                assert!(up < 10.0 / 20.0, "dt {dt}, step {step}: {mass} kg come back with {up} m/s");
                assert!(run.position(&body).y > 0.5, "dt {dt}, step {step}: {mass} kg get through");
            }
        }
        for mass in masses {
            let speed = run.velocity(&mass.to_string()).y;
            assert!(speed.abs() < 10.0 / 20.0, "dt {dt}: {mass} kg have stopped: {speed} m/s");
        }
    }
}

/// 50 kg at 10 m/s on 1 kg that touches the floor, without restitution: no energy comes back, and nearly all goes. A tenth of it came back.
fn a_heavy_ball_squeezes_a_light_one_against_the_floor<S: Scalar>() {
    let mut run = Run::<S>::of(&format!(
        "dt: \"1/240\", gravity: (0, 0, 0), materials: {{\"default\": (friction: 0, restitution: 0)}}, bodies: [{FLOOR},
            (name: \"light\", position: Origin(0, 0.2, 0), mass: Total(1), shape: Sphere(radius: 0.2)),
            (name: \"heavy\", position: Origin(0, 1, 0), linear_velocity: (0, -10, 0), mass: Total(50), shape: Sphere(radius: 0.2))]"
    ));
    let start = run.energy().kinetic;
    let (mut before, mut rise) = (start, 0.0_f64);
    for _ in 0..60 {
        run.step();
        let now = run.energy().kinetic;
        rise = rise.max(now - before);
        before = now;
    }
    assert!(rise <= 1e-4 * start, "{rise} J of {start} J came from nowhere ({})", S::KIND);
    assert!(before <= 0.02 * start, "{before} J of {start} J are left ({})", S::KIND);
}

/// A block of 100 kg comes down with 5 m/s on a tile of 1 kg, and slides over it with 3 m/s while both are pressed together. What friction
/// took stays taken: momentum along the floor goes into the tile and into the floor, never back.
fn what_slides_over_something_light_is_not_thrown_back<S: Scalar>() {
    let mut run = Run::<S>::of(&format!(
        "dt: \"1/240\", gravity: (0, 0, 0), materials: {{\"default\": (friction: 0.2, restitution: 0)}}, bodies: [
        (name: \"tile\", position: Origin(0, 0.05, 0), mass: Total(1), shape: Cuboid(half_extents: (2, 0.05, 2))),
        (name: \"block\", position: Origin(0, 0.62, 0), linear_velocity: (3, -5, 0), mass: Total(100), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
        {FLOOR}]"
    ));
    let (mut low, mut along) = (run.energy().kinetic, 3.0);
    for step in 0..60 {
        run.step();
        let (now, velocity) = (run.energy().kinetic, run.velocity("block"));
        assert!(now <= low + 1.0, "step {step}: energy grows from {low} to {now} J");
        assert!(velocity.y < 5.0 / 30.0, "step {step}: it comes back with {} m/s", velocity.y);
        assert!(velocity.x <= along + 1e-3, "step {step}: along the floor {along} become {} m/s", velocity.x);
        (low, along) = (low.min(now), velocity.x);
    }
    // Friction takes 0.2 of what stops it, 5 m/s, once.
    assert!((along - 2.0).abs() < 0.05, "{along} m/s are left");
}

/// A cube of 300 kg is put down on one of 1 kg. It sinks in until the light one bears it, slowly, and nothing of that is a rebound: taken
/// for one, the impulses that bear it would have to be found again, and it would drop and be caught, with 0.3 J in a step.
fn what_bears_a_load_is_no_rebound<S: Scalar>() {
    let cube = |name: &str, y: f64, mass: u32| {
        format!(
            "(name: \"{name}\", position: Origin(0, {y}, 0), mass: Total({mass}), shape: Cuboid(half_extents: (0.5, 0.5, 0.5)))"
        )
    };
    let mut run = Run::<S>::of(&format!(
        "dt: \"1/60\", bodies: [{FLOOR}, {}, {}]",
        cube("light", 0.5, 1),
        cube("heavy", 1.5, 300)
    ));
    run.steps(3);
    let mut before = run.energy();
    for step in 3..200 {
        run.step();
        let now = run.energy();
        // In f32 a height of 1.5 m is known to a part of 2^-24: the potential energy to 0.3 mJ, in each of two terms.
        assert!(now.total() <= before.total() + 0.02, "step {step}: {} to {} J", before.total(), now.total());
        before = now;
    }
    assert!(run.velocity("heavy").length() < 1e-2, "{DT}: it rests");
}

/// Two cubes of 1 kg hang between walls that press on them, by friction alone. A ball of 100 kg strikes them from above with 6 m/s, and is
/// gone after a third of a second: they hang where they did, within 2 cm. What the blow pushed too much was friction; had the pressure of
/// the walls been taken back with it, they would slide down by half a metre.
fn what_is_clamped_keeps_its_grip_under_a_blow<S: Scalar>() {
    let wall = |name: &str, x: f64| {
        format!(
            "(name: \"{name}\", kind: Static, position: Origin({x}, 1, 0), shape: Cuboid(half_extents: (0.25, 1, 1)))"
        )
    };
    let cube = |name: &str, x: f64| {
        format!(
            "(name: \"{name}\", position: Origin({x}, 1, 0), mass: Total(1), shape: Cuboid(half_extents: (0.2, 0.2, 0.2)))"
        )
    };
    let mut run = Run::<S>::of(&format!(
        "dt: \"1/240\", materials: {{\"default\": (friction: 1)}}, bodies: [{}, {}, {}, {}], inputs: [
        (step: 240, action: Spawn(name: \"ball\", position: Origin(0, 1.55, 0), linear_velocity: (0, -6, 0), mass: Total(100), shape: Sphere(radius: 0.3))),
        (step: 320, action: Remove(\"ball\"))]",
        wall("west", -0.649),
        wall("east", 0.649),
        cube("one", -0.2),
        cube("other", 0.2)
    ));
    run.steps(300);
    assert!(run.velocity("ball").y > -1.0, "it has been stopped");
    run.steps(180);
    for name in ["one", "other"] {
        let height = run.position(name).y;
        assert!((height - 1.0).abs() < 0.02, "{name} hangs at {height} m");
    }
}

/// A cube of 468 kg falls with 10 m/s on a slab of 0.5 kg that lies on a block of 2 kg, and is pressed into them. It comes out again within a
/// second, upright, and stays: the tops are at 0.5 and 0.6 m, so its centre is at 1 m, less what a weight of 200 to 900 times theirs presses in,
/// up to 7 cm (see "Mass ratios" of the limits: 2.1 cm in each of three contacts at 1000 to 1). When all that lifts it was taken for a rebound, it
/// lay 20 cm deep for as long, and fell over.
fn what_a_blow_has_pressed_in_comes_out_again<S: Scalar>() {
    let mut run = Run::<S>::of(&format!(
        "dt: \"1/60\", materials: {{\"default\": (friction: 0.3)}}, bodies: [{FLOOR},
            (name: \"block\", position: Origin(0, 0.25, 0), mass: Total(2), shape: Cuboid(half_extents: (0.25, 0.25, 0.4))),
            (name: \"slab\", position: Origin(0, 0.55, 0), mass: Total(0.54), shape: Cuboid(half_extents: (0.4, 0.05, 0.4))),
            (name: \"cube\", position: Origin(0, 1.02, 0), linear_velocity: (0, -10, 0), mass: Total(468), shape: Cuboid(half_extents: (0.4, 0.4, 0.4)))]"
    ));
    run.steps(60);
    for step in 60..300 {
        run.step();
        let height = run.position("cube").y;
        assert!(height > 0.9 && height < 1.0, "step {step}: its centre is at {height} m");
    }
    assert!(run.position("cube").y > 0.93, "it rests at {} m", run.position("cube").y);
}
