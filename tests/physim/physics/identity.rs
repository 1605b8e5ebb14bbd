//! Contacts keep their names and impulses while what they hold slides, tilts and spins.

use std::collections::BTreeMap;

use physim::math::Scalar;

use crate::physics::support::{DT, Run, assert_near, rounding};

on_every_scalar!(a_box_that_slides_and_spins_keeps_its_contacts, a_box_on_a_table_that_tilts_keeps_its_contacts);

/// A cuboid, and the hull of its corners.
const BOXES: [&str; 2] = [
    "Cuboid(half_extents: (0.3, 0.2, 0.4))",
    "Hull(points: [(-0.3, -0.2, -0.4), (-0.3, -0.2, 0.4), (-0.3, 0.2, -0.4), (-0.3, 0.2, 0.4),
        (0.3, -0.2, -0.4), (0.3, -0.2, 0.4), (0.3, 0.2, -0.4), (0.3, 0.2, 0.4)])",
];
/// What it lies on, with its top at y = 0; each is wide enough for all of the way.
const FLOORS: [&str; 3] = [
    "kind: Static, shape: HalfSpace(normal: (0, 1, 0))",
    "position: Origin(0, -1, 0), shape: Cuboid(half_extents: (8, 1, 8))",
    "position: Origin(0, -1, 0), shape: Hull(points: [(-8, -1, -8), (-8, -1, 8), (-8, 1, -8), (-8, 1, 8), (8, -1, -8), (8, -1, 8), (8, 1, -8), (8, 1, 8)])",
];

/// The impulse of each point over the mass by its feature, m/s.
fn impulses<S: Scalar>(run: &Run<S>) -> BTreeMap<u32, f64> {
    let contacts = run.world().contacts().iter();
    let points = contacts
        .flat_map(|contact| contact.points().iter().map(|point| (point.feature.0, point.normal_impulse.to_f64())));
    points.collect()
}

/// Watches a box for two seconds: four points all the while, by the names that they had at first, each of which bears what it bore a step before
/// but for a share, and together what a box weighs.
fn watch<S: Scalar>(run: &mut Run<S>, share: f64, what: &str) {
    run.steps(60);
    let first = impulses(run);
    assert_eq!(first.len(), 4, "{what}: {first:?}");
    // Impulses are those of the last of ten substeps, over the mass.
    let weight = 9.81 * DT / 10.0;
    // The whole weight presses it in by 0.021 mm, and a point is as deep as two corners of up to 8 m tell.
    let noise = 2.0 * rounding::<S>(8.0) / 2.1e-5;
    let mut before = first;
    for step in 0..120 {
        run.step();
        let now = impulses(run);
        assert!(now.keys().eq(before.keys()), "{what}, step {step}: {before:?} became {now:?}");
        for (feature, impulse) in &now {
            assert_near(
                &format!("{what}, step {step}, {feature:x}"),
                *impulse,
                before[feature],
                (share + noise) * weight,
            );
        }
        assert_near(&format!("{what}, step {step}: all of it"), now.values().sum(), weight, (0.01 + noise) * weight);
        before = now;
    }
}

/// Without friction a box glides 1.5 m and turns about the vertical by a radian, and not a point of it is new.
fn a_box_that_slides_and_spins_keeps_its_contacts<S: Scalar>() {
    for shape in BOXES {
        for floor in FLOORS {
            let mut run = Run::<S>::of(&format!(
                "solver: Impulse(substeps: 10), materials: {{\"default\": (friction: 0)}}, bodies: [
                    (name: \"floor\", {}),
                    (name: \"box\", position: Origin(-1, 0.2, 0.5), shape: {shape}, mass: Total(3),
                        linear_velocity: (0.75, 0, 0.25), angular_velocity: (0, 0.5, 0))]",
                still(floor)
            ));
            watch(&mut run, 0.01, &format!("{shape} on {floor}"));
            assert_near("way", run.position("box").x, -1.0 + 0.75 * 180.0 * DT, 1e-3);
        }
    }
}

/// A table tilts by 1.15 degrees a second, at first level: the box that it carries keeps its points, and what they bear moves slowly to the lower side.
fn a_box_on_a_table_that_tilts_keeps_its_contacts<S: Scalar>() {
    for shape in BOXES {
        for floor in &FLOORS[1..] {
            let mut run = Run::<S>::of(&format!(
                "solver: Impulse(substeps: 10), materials: {{\"default\": (friction: 1)}}, bodies: [
                    (name: \"floor\", kind: Kinematic, angular_velocity: (0.015, 0, 0.02), {floor}),
                    (name: \"box\", position: Origin(0, 0.2, 0), shape: {shape}, mass: Total(3))]"
            ));
            watch(&mut run, 0.02, &format!("{shape} on {floor}, which tilts"));
        }
    }
}

/// A floor that stays.
fn still(floor: &str) -> String {
    if floor.starts_with("kind") { floor.to_owned() } else { format!("kind: Static, {floor}") }
}
