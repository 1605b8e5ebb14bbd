//! What sensors notice: when overlaps begin and end, by the ways of bodies, and that nothing else feels a sensor.

use physim::math::Scalar;
use physim::world::sensors::SensorEvent;

use crate::physics::support::{Run, assert_near, bits, rounding};

on_every_scalar!(
    a_ball_enters_and_leaves_a_gate_when_it_touches_it,
    what_is_in_a_sensor_at_first_is_no_event,
    a_sensor_moves_nothing_and_weighs_nothing,
    a_sensor_notices_only_what_it_is_to,
    a_moving_sensor_notices_what_stands,
    a_half_space_notices_what_falls_out,
    a_removed_body_ends_its_overlaps,
    what_a_blow_sends_out_of_its_box_is_noticed,
    every_kind_of_shape_is_noticed,
    the_scene_of_the_ghost_does_what_it_says,
);

/// The events of so many steps, as `step begins sensor other`.
fn events<S: Scalar>(run: &mut Run<S>, steps: u32) -> Vec<String> {
    let mut told = Vec::new();
    for _ in 0..steps {
        run.step();
        let step = run.world().step_number();
        told.extend(run.world().sensor_events().iter().map(|event| match event {
            SensorEvent::Begin(overlap) => format!("{step} begins {} {}", overlap.sensor, overlap.other),
            SensorEvent::End(overlap) => format!("{step} ends {} {}", overlap.sensor, overlap.other),
        }));
    }
    told
}

fn overlapping<S: Scalar>(run: &Run<S>) -> Vec<String> {
    run.world().overlaps().iter().map(|overlap| format!("{} {}", overlap.sensor, overlap.other)).collect()
}

/// Nothing is rounded here: a step is 1/64 s, and every way a multiple of 1/16 m.
fn scene(bodies: &str) -> String {
    format!("gravity: (0, 0, 0), dt: \"1/64\", solver: Impulse(substeps: 1), bodies: [{bodies}]")
}

const GATE: &str = "(name: \"gate\", kind: Static, shape: Cuboid(half_extents: (0.25, 1, 1)), sensor: true)";

/// At 4 m/s a step is 1/16 m. The ball begins to touch the gate 0.5 m before its middle, after 24 steps from -2 m, and touches it last
/// 16 steps later; that counts, so the overlap ends in the step after that.
fn a_ball_enters_and_leaves_a_gate_when_it_touches_it<S: Scalar>() {
    let ball = "(name: \"ball\", position: Origin(-2, 0, 0), linear_velocity: (4, 0, 0), shape: Sphere(radius: 0.25))";
    let mut run = Run::<S>::of(&scene(&format!("{GATE}, {ball}")));
    assert_eq!(events(&mut run, 23), [""; 0]);
    assert_eq!(overlapping(&run), [""; 0]);
    assert_eq!(events(&mut run, 1), ["24 begins gate#0 ball#0"]);
    assert_eq!(events(&mut run, 16), [""; 0]);
    assert_eq!(overlapping(&run), ["gate#0 ball#0"]);
    assert_eq!(events(&mut run, 60), ["41 ends gate#0 ball#0"]);
    assert_eq!(overlapping(&run), [""; 0]);
}

fn what_is_in_a_sensor_at_first_is_no_event<S: Scalar>() {
    let ball = "(name: \"ball\", linear_velocity: (4, 0, 0), shape: Sphere(radius: 0.25))";
    let mut run = Run::<S>::of(&scene(&format!("{GATE}, {ball}")));
    assert_eq!(overlapping(&run), ["gate#0 ball#0"]);
    assert_eq!(run.world().sensor_events(), []);
    assert_eq!(events(&mut run, 20), ["9 ends gate#0 ball#0"]);
}

/// The same bits with sensors and without them, on bodies of their own and on those that move.
fn a_sensor_moves_nothing_and_weighs_nothing<S: Scalar>() {
    let pile = |gate: &str, feeler: &str| {
        let mut run = Run::<S>::of(&format!(
            "bodies: [{gate} (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                (name: \"crate\", position: Origin(0, 0.75, 0), angular_velocity: (0, 3, 1),
                    colliders: [(shape: Cuboid(half_extents: (0.25, 0.25, 0.25))), {feeler}]),
                (name: \"ball\", position: Origin(0.125, 1.5, 0), shape: Sphere(radius: 0.25))]"
        ));
        run.steps(120);
        let state = |name| {
            let body = run.body(name);
            (
                body.inverse_mass,
                body.centre,
                bits(body.position),
                bits(body.linear_velocity),
                bits(body.angular_velocity),
            )
        };
        ([state("crate"), state("ball")], run.world().overlaps().len())
    };
    let (alone, none) = pile("", "");
    let (beside, some) = pile(
        &format!("{GATE},"),
        "(shape: Sphere(radius: 1), offset: (0.5, 0, 0), sensor: true), (shape: Capsule(half_height: 1, radius: 1), sensor: true)",
    );
    assert!(alone == beside, "{alone:?} is not {beside:?}");
    assert!(none == 0 && some >= 4, "{some}");
}

/// No other sensor, no shape of its own body, no static one where it does not move, and nothing that its filter lets pass.
fn a_sensor_notices_only_what_it_is_to<S: Scalar>() {
    let run = Run::<S>::of(
        "gravity: (0, 0, 0), categories: [\"coin\"], excluded_pairs: [(\"gate\", \"friend\")], bodies: [
            (name: \"gate\", kind: Static, sensor: true, shape: Cuboid(half_extents: (1, 1, 1)), filter: (mask: [\"coin\"])),
            (name: \"other\", kind: Kinematic, sensor: true, shape: Sphere(radius: 1)),
            (name: \"wall\", kind: Static, shape: Sphere(radius: 1), filter: (category: [\"coin\"])),
            (name: \"rider\", kind: Kinematic, shape: Sphere(radius: 0.5), filter: (category: [\"coin\"])),
            (name: \"friend\", shape: Sphere(radius: 0.25), filter: (category: [\"coin\"])),
            (name: \"stranger\", position: Origin(0, 9, 0), shape: Sphere(radius: 0.25)),
            (name: \"both\", position: Origin(0, -9, 0),
                colliders: [(shape: Sphere(radius: 1)), (shape: Sphere(radius: 1), sensor: true)])]",
    );
    assert_eq!(overlapping(&run), ["gate#0 rider#0", "other#0 friend#0", "other#0 rider#0", "other#0 wall#0"]);
}

fn a_moving_sensor_notices_what_stands<S: Scalar>() {
    let bodies =
        "(name: \"scanner\", kind: Kinematic, position: Origin(-2, 0, 0), linear_velocity: (4, 0, 0), sensor: true,
            shape: Sphere(radius: 0.25)),
        (name: \"post\", kind: Static, shape: Cuboid(half_extents: (0.25, 1, 1)))";
    let mut run = Run::<S>::of(&scene(bodies));
    assert_eq!(events(&mut run, 60), ["24 begins scanner#0 post#0", "41 ends scanner#0 post#0"]);
}

/// At 4 m/s the lowest point of the ball, 1.75 m above the plane, is on it after 28 steps.
fn a_half_space_notices_what_falls_out<S: Scalar>() {
    let bodies = "(name: \"pit\", kind: Static, shape: HalfSpace(normal: (0, 1, 0)), sensor: true),
        (name: \"ball\", position: Origin(0, 2, 0), linear_velocity: (0, -4, 0), shape: Sphere(radius: 0.25))";
    let mut run = Run::<S>::of(&scene(bodies));
    assert_eq!(events(&mut run, 200), ["28 begins pit#0 ball#0"]);
}

/// Spawned into it, and taken out of it again; then the sensor itself goes with another ball in it.
fn a_removed_body_ends_its_overlaps<S: Scalar>() {
    let inputs = "inputs: [
        (step: 3, action: Spawn(name: \"ball\", shape: Sphere(radius: 0.25))),
        (step: 5, action: Remove(\"ball\")),
        (step: 7, action: Spawn(name: \"last\", shape: Sphere(radius: 0.25))),
        (step: 9, action: Remove(\"gate\"))]";
    let mut run = Run::<S>::of(&format!("{}, {inputs}", scene(GATE)));
    let told = events(&mut run, 12);
    let expected = ["3 begins gate#0 ball#0", "5 ends gate#0 ball#0", "7 begins gate#0 last#0", "9 ends gate#0 last#0"];
    assert_eq!(told, expected);
}

/// Struck at 64 m/s, a ball that was at rest goes most of a metre within the step, out of the box that was made for it.
fn what_a_blow_sends_out_of_its_box_is_noticed<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0), dt: \"1/64\", materials: { \"default\": (friction: 0, restitution: 1) }, bodies: [
            (name: \"cue\", position: Origin(-1, 0, 0), linear_velocity: (64, 0, 0), shape: Sphere(radius: 0.25)),
            (name: \"ball\", position: Origin(-0.375, 0, 0), shape: Sphere(radius: 0.25)),
            (name: \"gate\", kind: Static, position: Origin(0.75, 0, 0), shape: Cuboid(half_extents: (0.125, 2, 2)), sensor: true)]",
    );
    assert_eq!(events(&mut run, 1), ["1 begins gate#0 ball#0"]);
}

fn every_kind_of_shape_is_noticed<S: Scalar>() {
    let shapes = [
        "Sphere(radius: 0.5)",
        "Cuboid(half_extents: (0.5, 0.5, 0.5))",
        "Capsule(half_height: 0.25, radius: 0.25)",
        "Hull(points: [(0.5, 0, 0), (-0.5, 0, 0), (0, 0.5, 0), (0, -0.5, 0), (0, 0, 0.5), (0, 0, -0.5)])",
    ];
    for sensor in shapes {
        for other in shapes {
            // The tops and bottoms of all are half a metre from their middles.
            for (height, touches) in [("0", true), ("0.9375", true), ("1.0625", false)] {
                let run = Run::<S>::of(&scene(&format!(
                    "(name: \"sensor\", kind: Static, shape: {sensor}, sensor: true),
                     (name: \"other\", position: Origin(0, {height}, 0), shape: {other})"
                )));
                assert_eq!(overlapping(&run).len(), usize::from(touches), "{sensor} and {other} {height} m above it");
            }
        }
    }
}

/// Balls of 0.25 m on ice touch a frame of 0.125 m to either side as long as their middles are within 0.375 m of its own.
fn the_scene_of_the_ghost_does_what_it_says<S: Scalar>() {
    let mut run = Run::<S>::of_file("sensors.ron");
    let mut told = events(&mut run, 200);
    // Both twins keep their speed until they leave the floor.
    for (name, speed) in [("twin_a", 1.0), ("twin_b", -1.0)] {
        assert_near(name, run.velocity(name).x, speed, 2000.0 * rounding::<S>(1.0));
    }
    told.extend(events(&mut run, 100));
    // The step that ends with the first touch, and the first that ends without one.
    let passage = |sensor: &str, other: &str, start: f64, speed: f64| {
        let [begins, ends] = [-0.375, 0.375].map(|reach| (start + reach / speed) * 60.0);
        [
            format!("{} begins {sensor}#0 {other}#0", begins.ceil()),
            format!("{} ends {sensor}#0 {other}#0", ends.floor() + 1.0),
        ]
    };
    // Seconds until the middle of the ball is at that of the frame; the solid one comes back from the wall at 1 m/s.
    let expected = [
        passage("gate", "ghost", 1.0, 2.0),
        passage("goal", "ghost", 3.0, 2.0),
        passage("gate", "solid", 1.0, 2.0),
        passage("gate", "solid", (4.0 - 0.375) / 2.0 + (2.0 - 0.375), 1.0),
        passage("gate", "twin_b", 1.0, 1.0),
        passage("gate", "twin_a", 2.0, 1.0),
    ];
    for event in expected.as_flattened() {
        assert!(told.contains(event), "{event}, but {told:#?}");
    }
    let of_frames = |event: &&String| event.contains("gate#0") || event.contains("goal#0");
    assert_eq!(told.iter().filter(of_frames).count(), expected.as_flattened().len(), "and no others: {told:#?}");
    assert!((0..4).all(|post| told.iter().any(|event| event.ends_with(&format!("begins scanner#0 post[{post}]#0")))));
    assert!(told.iter().any(|event| event.ends_with("begins pit#0 ghost#0")));
    assert_near("dropped", run.position("dropped").y, 0.25, 0.001);
    assert_near("kept", run.position("kept").y, 1.8, 0.001);
}
