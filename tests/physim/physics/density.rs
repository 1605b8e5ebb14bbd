//! Densities as formulas: what bodies of a scene weigh by them, where their centres are, and how they move.

use std::f64::consts::PI;

use physim::dynamics::body::Body;
use physim::math::{Scalar, Vec3};

use crate::physics::support::{Run, assert_near, rounding, wide};

on_every_scalar!(
    a_formula_weighs_what_its_integral_says,
    a_formula_turns_and_moves_with_its_shape,
    pieces_of_one_density_are_the_whole,
    a_formula_over_a_hull_is_in_the_frame_of_its_points,
    the_centre_flies_straight_and_the_origin_about_it,
    a_lopsided_body_keeps_its_energy_and_momentum,
    what_cannot_be_weighed_needs_no_density,
    loaded_dice_come_to_rest_on_their_heavy_side,
);

/// A body of half a metre or so keeps its numbers to some roundings near one.
fn bound<S: Scalar>() -> f64 {
    64.0 * rounding::<S>(1.0) + 1e-11
}

/// A scene that holds one body of some materials, and its row.
fn body<S: Scalar>(materials: &str, keys: &str) -> Body<S> {
    Run::<S>::of(&format!("materials: {{{materials}}}, bodies: [(name: \"body\", {keys})]")).body("body")
}

/// Mass in kg and inertia per mass in m^2.
fn weight<S: Scalar>(body: &Body<S>) -> (f64, [f64; 6]) {
    let scale = libm::scalbn(1.0, 2 * body.inertia.length_exponent);
    (1.0 / body.inverse_mass.to_f64(), body.inertia.tensor.to_array().map(|entry| entry.to_f64() * scale))
}

#[track_caller]
fn assert_weight<S: Scalar>(body: &Body<S>, mass: f64, centre: [f64; 3], inertia: [f64; 6]) {
    let (found_mass, found_inertia) = weight(body);
    assert_near("mass", found_mass, mass, bound::<S>() * mass);
    for (found, expected) in body.centre.to_f64().into_iter().zip(centre) {
        assert_near("centre", found, expected, bound::<S>());
    }
    for (found, expected) in found_inertia.into_iter().zip(inertia) {
        assert_near("inertia per mass", found, expected, bound::<S>());
    }
}

/// With density `k r` a ball weighs `pi k R^4`, and its moments are `4/9 R^2` per mass; a given total changes only the mass.
fn a_formula_weighs_what_its_integral_says<S: Scalar>() {
    let material = "\"m\": (density: \"2000 r\")";
    let moment = 4.0 / 9.0 * 0.25;
    let inertia = [moment, moment, moment, 0.0, 0.0, 0.0];
    let ball = body::<S>(material, "shape: Sphere(radius: 0.5), material: \"m\"");
    assert_weight(&ball, PI * 2000.0 / 16.0, [0.0; 3], inertia);
    let ball = body::<S>(material, "shape: Sphere(radius: 0.5), material: \"m\", mass: Total(3)");
    assert_weight(&ball, 3.0, [0.0; 3], inertia);
}

/// `1 + x` over a box of half extents a, b, c has its centre `a^2 / 3` along x of the shape: along y of a body in which it is turned so.
fn a_formula_turns_and_moves_with_its_shape<S: Scalar>() {
    let turned = body::<S>(
        "\"m\": (density: \"1000*(1 + x)\")",
        "colliders: [(shape: Cuboid(half_extents: (0.5, 0.25, 1)), offset: (1, 0, 0), material: \"m\",
            orientation: AxisDegrees(axis: (0, 0, 1), degrees: 90))]",
    );
    let shift = 0.25 / 3.0;
    let (along, across, depth) = (0.25 / 3.0 - shift * shift, 0.0625 / 3.0, 1.0 / 3.0);
    let inertia = [along + depth, across + depth, along + across, 0.0, 0.0, 0.0];
    assert_weight(&turned, 1000.0, [1.0, shift, 0.0], inertia);
}

/// A box of density `2 + x + y z` cut at x = 0: each half says the same from its own middle. Even parts beside it add as ever.
fn pieces_of_one_density_are_the_whole<S: Scalar>() {
    let materials = "\"whole\": (density: \"1000*(2 + x + y z)\"), \"left\": (density: \"1000*(1.5 + x + y z)\"),
        \"right\": (density: \"1000*(2.5 + x + y z)\"), \"even\": (density: 500)";
    let even = "(shape: Sphere(radius: 0.5), offset: (0, 2, 0.5), material: \"even\")";
    let whole = body::<S>(
        materials,
        &format!("colliders: [{even}, (shape: Cuboid(half_extents: (1, 0.5, 0.5)), material: \"whole\")]"),
    );
    let half = |at: &str, material: &str| {
        format!("(shape: Cuboid(half_extents: (0.5, 0.5, 0.5)), offset: ({at}, 0, 0), material: \"{material}\")")
    };
    let (left, right) = (half("-0.5", "left"), half("0.5", "right"));
    let pieces = body::<S>(materials, &format!("colliders: [{even}, {left}, {right}]"));
    let (mass, inertia) = weight(&whole);
    // The box weighs 4000 kg with its centre at 1/6 along x; the ball 4/3 pi 0.125 * 500 kg.
    let ball = PI / 6.0 * 500.0;
    assert_near("mass", mass, 4000.0 + ball, bound::<S>() * mass);
    assert_near("centre", whole.centre.x.to_f64(), 4000.0 / 6.0 / (4000.0 + ball), bound::<S>());
    assert!(inertia[3..].iter().all(|product| product.abs() > 1e-3), "it is lopsided about every axis: {inertia:?}");
    assert_weight(&pieces, mass, whole.centre.to_f64(), inertia);
}

/// The points of a cube about (5, 0, 0): its frame is where its points say, and so is that of its density.
fn a_formula_over_a_hull_is_in_the_frame_of_its_points<S: Scalar>() {
    let corners = "(4.5, -0.5, -0.5), (4.5, -0.5, 0.5), (4.5, 0.5, -0.5), (4.5, 0.5, 0.5),
        (5.5, -0.5, -0.5), (5.5, -0.5, 0.5), (5.5, 0.5, -0.5), (5.5, 0.5, 0.5)";
    let hull = body::<S>(
        "\"m\": (density: \"1000*(1 + (x - 5))\")",
        &format!("shape: Hull(points: [{corners}]), material: \"m\""),
    );
    let shift = 0.25 / 3.0;
    let (along, across) = (0.25 / 3.0 - shift * shift, 0.25 / 3.0);
    let (mass, inertia) = weight(&hull);
    assert_near("mass", mass, 1000.0, 1000.0 * bound::<S>());
    assert_near("centre", hull.centre.x.to_f64(), 5.0 + shift, 8.0 * bound::<S>());
    assert_near("moment about x", inertia[0], 2.0 * across, bound::<S>());
    assert_near("moment about y", inertia[1], along + across, 8.0 * bound::<S>());
}

/// A die whose centre of mass is 1/12 m from its origin, placed by either, spins: the centre goes straight, the origin circles it.
fn the_centre_flies_straight_and_the_origin_about_it<S: Scalar>() {
    let die = "linear_velocity: (1, 0, 0), angular_velocity: (0, 0, 4), shape: Cuboid(half_extents: (0.5, 0.5, 0.5)), material: \"m\"";
    let mut run = Run::<S>::of(&format!(
        "gravity: (0, 0, 0), dt: \"1/64\", solver: Impulse(substeps: 1), materials: {{\"m\": (density: \"1000*(1 + x)\")}}, bodies: [
            (name: \"by_origin\", position: Origin(0, 2, 0), {die}),
            (name: \"by_centre\", position: CentreOfMass(0, -2, 0), {die})]"
    ));
    let shift = 0.25 / 3.0;
    assert_near("centre", run.position("by_origin").x, shift, bound::<S>());
    assert_near("centre", run.position("by_centre").x, 0.0, bound::<S>());
    for step in 1..=64 {
        run.step();
        for (name, start) in [("by_origin", shift), ("by_centre", 0.0)] {
            let body = run.body(name);
            let time = f64::from(step) / 64.0;
            assert_near("centre", body.position.x.to_f64(), start + time, 256.0 * bound::<S>());
            let origin = wide(body.position - body.orientation.rotate(body.centre));
            let angle = 4.0 * time;
            assert_near("origin along x", origin.x, start + time - shift * libm::cos(angle), 1e-4);
            let height = if name == "by_origin" { 2.0 } else { -2.0 };
            assert_near("origin along y", origin.y, height - shift * libm::sin(angle), 1e-4);
        }
    }
}

/// Lead in one corner: no axis of the shape is a principal one. Free of forces, energy and momentum stay, and the axis of rotation does not.
fn a_lopsided_body_keeps_its_energy_and_momentum<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0), dt: \"1/240\", solver: Impulse(substeps: 1), bounds: (angular_speed: 100),
        materials: {\"m\": (density: \"200 + 9000 exp(-4((x - 0.4)^2 + (y + 0.3)^2 + (z - 0.2)^2))\")}, bodies: [
            (name: \"die\", angular_velocity: (3, 1, -2), shape: Cuboid(half_extents: (0.5, 0.5, 0.5)), material: \"m\")]",
    );
    let momentum = |run: &Run<S>| run.energy().angular_momentum;
    let (energy, before, spin) = (run.energy().kinetic, momentum(&run), run.spin("die"));
    let (_, inertia) = weight(&run.body("die"));
    assert!(inertia[3..].iter().all(|product| product.abs() > 1e-3), "{inertia:?}");
    run.steps(480);
    assert_near("energy", run.energy().kinetic, energy, 1e-4 * energy);
    let size = before.iter().map(|component| component * component).sum::<f64>().sqrt();
    for (now, before) in momentum(&run).into_iter().zip(before) {
        assert_near("angular momentum", now, before, 1e-4 * size);
    }
    let turned: Vec3<f64> = run.spin("die") - spin;
    assert!(turned.length() > 0.1, "omega precesses: {turned:?}");
}

/// What forces do not move, sensors and bodies whose mass is given weigh nothing by density: a formula may be anything there.
fn what_cannot_be_weighed_needs_no_density<S: Scalar>() {
    let run = Run::<S>::of(
        "materials: {\"m\": (density: \"-1 - x^2\")}, bodies: [
            (name: \"ground\", kind: Static, shape: HalfSpace(normal: (0, 1, 0)), material: \"m\"),
            (name: \"wall\", kind: Static, position: Origin(9, 0, 0), shape: Cuboid(half_extents: (1, 1, 1)), material: \"m\"),
            (name: \"given\", position: Origin(0, 3, 0), shape: Sphere(radius: 0.5), material: \"m\",
                mass: Given(mass: 2, centre: (0, 0, 0), inertia: (1, 1, 1, 0, 0, 0))),
            (name: \"watcher\", position: Origin(0, 6, 0), colliders: [(shape: Sphere(radius: 0.5)),
                (shape: Sphere(radius: 1), sensor: true, material: \"m\")])]",
    );
    assert_near("mass", weight(&run.body("given")).0, 2.0, bound::<S>());
    assert_near("mass", weight(&run.body("watcher")).0, PI / 6.0 * 1000.0, 1000.0 * bound::<S>());
}

/// What the comment of the scene claims: which of a body's own axes points up at the end, and how far.
fn loaded_dice_come_to_rest_on_their_heavy_side<S: Scalar>() {
    let mut run = Run::<S>::of_file("loaded_die.ron");
    let up = |run: &Run<S>, name: &str| wide(run.body(name).orientation.conjugate().rotate(Vec3::Y));
    for _ in 0..480 {
        run.step();
        assert!(up(&run, "swinging").z < -0.3, "the heavy half of the ball stays below");
    }
    let names = |kind: &str| (0..9).map(|i| format!("{kind}[{},0,{}]", i / 3, i % 3)).collect::<Vec<_>>();
    let upright = |kind: &str| names(kind).iter().filter(|name| up(&run, name).y > 0.999).count();
    // Of nine fair dice seven lie on one face once in 10,000 throws: 36 (1/6)^7 (5/6)^2 + 9 (1/6)^8 (5/6) + (1/6)^9.
    assert!(upright("loaded") >= 7 && upright("fair") <= 3, "{} {}", upright("loaded"), upright("fair"));
    for name in (0..3).map(|i| format!("cornered[{i},0,0]")) {
        let Vec3 { x, y, z } = up(&run, &name);
        assert!(x < -0.999 || y > 0.999 || z < -0.999, "{name}: one of the light faces is up: {x} {y} {z}");
    }
    assert!(up(&run, "tumbler").y > 0.99, "the capsule stands");
}
