//! What filters let meet, and what passes through each other: by the ways of bodies.

use physim::math::Scalar;
use physim::world::counts::Counted;

use crate::physics::support::{Run, assert_near, rounding};

on_every_scalar!(
    a_mask_lets_pass_what_it_does_not_name,
    a_group_decides_before_categories,
    an_excluded_pair_never_meets,
    a_pair_may_be_excluded_that_is_not_there_yet,
    a_filter_of_a_shape_counts_instead_of_that_of_its_body,
    what_a_blow_sends_on_is_filtered_too,
);

/// A ball that comes to a wall at 4 m/s, with these keys for both; a step is 1/64 s and nothing is rounded.
///
/// Where they meet the ball stops at 0.5 m before the middle of the wall; else it is a metre behind it after one second.
fn shot<S: Scalar>(scene: &str, wall: &str, ball: &str) -> Run<S> {
    let mut run = Run::of(&format!(
        "gravity: (0, 0, 0), dt: \"1/64\", solver: Impulse(substeps: 4), {scene}, bodies: [
            (name: \"wall\", kind: Static, shape: Cuboid(half_extents: (0.25, 2, 2)), {wall}),
            (name: \"ball\", position: Origin(-3, 0, 0), linear_velocity: (4, 0, 0), shape: Sphere(radius: 0.25), {ball})]"
    ));
    run.steps(64);
    run
}

#[track_caller]
fn assert_passes<S: Scalar>(run: &Run<S>) {
    assert_near("passes", run.position("ball").x, 1.0, 64.0 * rounding::<S>(3.0));
    assert!(run.world().contacts().is_empty());
}

#[track_caller]
fn assert_stops<S: Scalar>(run: &Run<S>) {
    assert_near("stops", run.position("ball").x, -0.5, 0.001);
    assert_eq!(run.world().contacts().len(), 1);
}

fn a_mask_lets_pass_what_it_does_not_name<S: Scalar>() {
    let scene = "categories: [\"wall\", \"ghost\"]";
    let wall = "filter: (category: [\"wall\"])";
    assert_stops(&shot::<S>(scene, wall, ""));
    assert_stops(&shot::<S>(scene, wall, "filter: (mask: [\"wall\"])"));
    assert_stops(&shot::<S>(scene, wall, "filter: (category: [\"ghost\"])"));
    assert_passes(&shot::<S>(scene, wall, "filter: (category: [\"ghost\"], mask: [\"default\", \"ghost\"])"));
    assert_passes(&shot::<S>(scene, wall, "filter: (mask: [])"));
    // One that refuses is enough, whichever it is.
    assert_passes(&shot::<S>(scene, "filter: (category: [\"wall\"], mask: [\"wall\"])", ""));
    // Nothing was looked at on the way, so nothing was passed through unseen.
    let run = shot::<S>("categories: [\"wall\"], continuous: Off", wall, "filter: (mask: [])");
    assert_passes(&run);
    assert_eq!(run.world().counts().get(Counted::PassedThrough), 0);
}

fn a_group_decides_before_categories<S: Scalar>() {
    let scene = "categories: [\"wall\"]";
    assert_passes(&shot::<S>(scene, "filter: (group: -2)", "filter: (group: -2)"));
    assert_stops(&shot::<S>(scene, "filter: (group: -2)", "filter: (group: -3)"));
    assert_stops(&shot::<S>(scene, "filter: (group: -2)", ""));
    let wall = "filter: (category: [\"wall\"], group: 5)";
    assert_stops(&shot::<S>(scene, wall, "filter: (mask: [], group: 5)"));
    assert_passes(&shot::<S>(scene, wall, "filter: (mask: [], group: 4)"));
}

fn an_excluded_pair_never_meets<S: Scalar>() {
    assert_stops(&shot::<S>("excluded_pairs: []", "", ""));
    assert_passes(&shot::<S>("excluded_pairs: [(\"wall\", \"ball\")]", "", ""));
    assert_passes(&shot::<S>("excluded_pairs: [(\"ball\", \"wall\")]", "", "filter: (group: 1)"));
}

/// A wall that comes while the ball flies, excluded by its name or not.
fn a_pair_may_be_excluded_that_is_not_there_yet<S: Scalar>() {
    for (excluded, passes) in [("screen", true), ("late", false)] {
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), dt: \"1/64\", solver: Impulse(substeps: 4), excluded_pairs: [(\"{excluded}\", \"ball\")], bodies: [
                (name: \"post\", kind: Static, position: Origin(0, 9, 0), shape: Sphere(radius: 1)),
                (name: \"ball\", position: Origin(-3, 0, 0), linear_velocity: (4, 0, 0), shape: Sphere(radius: 0.25))],
             inputs: [
                (step: 5, action: Remove(\"post\")),
                (step: 9, action: Spawn(name: \"screen\", kind: Static, shape: Cuboid(half_extents: (0.25, 2, 2)))),
                (step: 11, action: Spawn(name: \"late\", position: Origin(0, 9, 0), shape: Sphere(radius: 1)))]"
        ));
        run.steps(64);
        if passes {
            assert_passes(&run);
        } else {
            assert_stops(&run);
        }
    }
}

fn a_filter_of_a_shape_counts_instead_of_that_of_its_body<S: Scalar>() {
    let of_shape = |filter: &str| {
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), dt: \"1/64\", solver: Impulse(substeps: 4), bodies: [
                (name: \"wall\", kind: Static, shape: Cuboid(half_extents: (0.25, 2, 2))),
                (name: \"ball\", position: Origin(-3, 0, 0), linear_velocity: (4, 0, 0), filter: (mask: []),
                    colliders: [(shape: Sphere(radius: 0.25), {filter}), (shape: Sphere(radius: 0.125))])]"
        ));
        run.steps(64);
        run
    };
    assert_passes(&of_shape(""));
    assert_stops(&of_shape("filter: ()"));
}

/// A ball that a blow sends out of its box within a step, at a wall that it was in no pair with: 64 m/s are a metre a step.
fn what_a_blow_sends_on_is_filtered_too<S: Scalar>() {
    let shot = |filter: &str| {
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), dt: \"1/64\", materials: {{ \"default\": (friction: 0, restitution: 1) }}, bodies: [
                (name: \"cue\", position: Origin(-1, 0, 0), linear_velocity: (64, 0, 0), shape: Sphere(radius: 0.25)),
                (name: \"ball\", position: Origin(-0.125, 0, 0), shape: Sphere(radius: 0.25), {filter}),
                (name: \"wall\", kind: Static, position: Origin(0.75, 0, 0), shape: Cuboid(half_extents: (0.125, 2, 2)))]"
        ));
        run.steps(4);
        run.position("ball").x
    };
    let behind = shot("filter: (mask: [], group: 0)");
    assert!(behind < 0.0, "the cue passes through what meets nothing: {behind}");
    assert!(shot("") < 0.75, "the wall turns it back");
    let through = Run::<S>::of(
        "gravity: (0, 0, 0), dt: \"1/64\", materials: { \"default\": (friction: 0, restitution: 1) },
         excluded_pairs: [(\"ball\", \"wall\")], bodies: [
            (name: \"cue\", position: Origin(-1, 0, 0), linear_velocity: (64, 0, 0), shape: Sphere(radius: 0.25)),
            (name: \"ball\", position: Origin(-0.125, 0, 0), shape: Sphere(radius: 0.25)),
            (name: \"wall\", kind: Static, position: Origin(0.75, 0, 0), shape: Cuboid(half_extents: (0.125, 2, 2)))]",
    );
    let mut through = through;
    through.steps(4);
    assert!(through.position("ball").x > 2.0, "{:?}", through.position("ball"));
}
