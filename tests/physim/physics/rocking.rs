//! What rocks loses what it has to, and what stands does not rock.

use physim::math::Scalar;

use crate::physics::support::Run;

on_every_scalar!(
    rocking_block_keeps_of_its_spin_what_housner_says,
    long_foot_of_five_corners_stands_still,
    weight_above_any_corner_of_a_foot_stands_still,
    weight_above_any_corner_of_an_octagon_of_contact_stands_still,
    what_is_put_down_tilted_comes_to_rest,
    corners_that_were_chosen_are_found_again_from_the_state,
);

const GRAVITY: f64 = 9.81;
/// What relaxing may leave of a speed, m/s.
const STILL: f64 = 1.0 / 4096.0;

/// A block of 0.5 m by 2 m that is let go on one edge of its base, tilted by 0.1 rad, and rocks from edge to edge.
///
/// Without restitution the angular momentum about the new edge is that of before (G. W. Housner, "The Behavior of Inverted Pendulum
/// Structures During Earthquakes", 1963): of the spin `1 - 3/2 sin^2 a` is left, where `a` is how far the diagonal leans from the
/// upright. Between two impacts the energy about the edge stays, so the spin at an impact follows from where the block turns back.
///
/// The blow is dealt at the end of the substep in which the edge comes down, one that late turns by `3 g sin(a) h / 4 R`, and comes
/// about the sag of the other edge too early: so a few such spins may be lost beyond Housner's, and none won.
fn rocking_block_keeps_of_its_spin_what_housner_says<S: Scalar>() {
    let (half, height, tilt, dt) = (0.25_f64, 1.0_f64, 0.1_f64, 1.0 / 240.0);
    let (sine, cosine) = tilt.sin_cos();
    let mut run = Run::<S>::of(&format!(
        "dt: \"1/240\", materials: {{\"default\": (friction: 1, restitution: 0)}}, bodies: [
            (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"block\", position: Origin({:.9}, {:.9}, 0), orientation: AxisRadians(axis: (0, 0, 1), radians: {tilt}),
                shape: Cuboid(half_extents: ({half}, {height}, {half})))]",
        half * cosine - height * sine,
        half * sine + height * cosine,
    ));
    let (diagonal, lean) = (half.hypot(height), (half / height).atan());
    let inertia = 4.0 / 3.0 * diagonal * diagonal;
    // How fast it will turn when the edge comes down, for how far it leans and turns now.
    let spin_at_impact = |leans: f64, spin: f64| {
        let rise = GRAVITY * diagonal * ((lean - leans.abs()).cos() - lean.cos());
        (spin * spin + 2.0 * rise / inertia).sqrt()
    };
    let kept = 1.0 - 1.5 * lean.sin().powi(2);
    let late = 3.0 * GRAVITY * lean.sin() * (dt / 10.0) / (4.0 * diagonal);
    let mut spins = Vec::new();
    let (mut farthest, mut side) = ((tilt, 0.0), 1.0);
    while spins.len() < 8 {
        run.step();
        let orientation = run.body("block").orientation;
        let leans = 2.0 * orientation.z.to_f64().atan2(orientation.w.to_f64());
        if leans * side < 0.0 {
            spins.push(spin_at_impact(farthest.0, farthest.1));
            (farthest, side) = ((0.0, 0.0), -side);
        }
        if leans.abs() > farthest.0.abs() {
            farthest = (leans, run.spin("block").z);
        }
    }
    for pair in spins.windows(2) {
        let (ratio, slack) = (pair[1] / pair[0], late / pair[0]);
        assert!(
            ratio <= kept + slack && ratio >= kept - 4.0 * slack,
            "{}: of {} rad/s it keeps {ratio}, and should {kept}",
            S::KIND,
            pair[0]
        );
    }
}

/// A flat foot with these corners and a ball of 10 kg on it, at a place of which the foot's own weight hardly moves the centre.
fn foot(corners: &[[f64; 2]], [x, z]: [f64; 2]) -> String {
    let points: Vec<_> = corners.iter().map(|[x, z]| format!("({x:.4}, 0, {z:.4}), ({x:.4}, 0.05, {z:.4})")).collect();
    let ball = format!("shape: Sphere(radius: 0.05), offset: ({x:.4}, 0.1, {z:.4}), material: \"heavy\"");
    format!("colliders: [(shape: Hull(points: [{}])), ({ball})]", points.join(", "))
}

/// A body called foot on a floor.
fn standing<S: Scalar>(floor: &str, foot: &str) -> Run<S> {
    Run::of(&format!(
        "materials: {{\"heavy\": (density: 20000), \"light\": (density: 100)}}, bodies: [(name: \"floor\", kind: Static, {floor}), (name: \"foot\", {foot})]"
    ))
}

/// Lets the foot settle for half a second, and says how fast it turned at most in the next, rad/s.
fn fastest_turn_at_rest<S: Scalar>(floor: &str, foot: &str) -> f64 {
    let mut run = standing::<S>(floor, foot);
    run.steps(30);
    let turns = (0..30).map(|_| {
        run.step();
        run.spin("foot").length()
    });
    turns.fold(0.0, f64::max)
}

/// The corners of a foot with so many.
fn polygon(corners: u32) -> Vec<[f64; 2]> {
    let angle = |corner: u32| 0.1 + std::f64::consts::TAU * f64::from(corner) / f64::from(corners);
    (0..corners).map(|corner| [0.2 * angle(corner).cos(), 0.2 * angle(corner).sin()]).collect()
}

/// The first corner and that farthest from it are neighbours, so that the other three lie on one side of both. The weight stands
/// inside, and what stands does not turn, but for what relaxing leaves over an arm of 0.2 m. (It rocked for ever by 0.49 rad/s: what one
/// step of fall gives to a corner that is left out.)
fn long_foot_of_five_corners_stands_still<S: Scalar>() {
    let corners = [[-0.3, 0.0], [0.3, 0.0], [0.22, 0.27], [0.2, 0.29], [-0.29, 0.28]];
    let turn = fastest_turn_at_rest::<S>("shape: HalfSpace(normal: (0, 1, 0))", &foot(&corners, [-0.2, 0.22]));
    assert!(turn <= STILL / 0.2, "{}: it rocks by {turn} rad/s", S::KIND);
}

/// Weight near one corner of a regular foot lies outside of some four of the corners, but not outside of all.
fn weight_above_any_corner_of_a_foot_stands_still<S: Scalar>() {
    for corners in [polygon(5), polygon(6)] {
        for [x, z] in &corners {
            let foot = foot(&corners, [0.95 * x, 0.95 * z]);
            let turn = fastest_turn_at_rest::<S>("shape: HalfSpace(normal: (0, 1, 0))", &foot);
            assert!(turn <= STILL / 0.2, "{}: on {} corners it rocks by {turn} rad/s", S::KIND, corners.len());
        }
    }
}

/// Two boxes of 40 cm by 40 cm, one turned by 45 degrees, touch in an octagon.
fn weight_above_any_corner_of_an_octagon_of_contact_stands_still<S: Scalar>() {
    let (far, near) = (0.2, 0.2 * (2.0_f64.sqrt() - 1.0));
    for (x, z) in
        [(far, near), (near, far), (-near, far), (-far, near), (-far, -near), (-near, -far), (near, -far), (far, -near)]
    {
        let ball = format!(
            "(shape: Sphere(radius: 0.05), offset: ({:.4}, 0.1, {:.4}), material: \"heavy\")",
            0.95 * x,
            0.95 * z
        );
        let plate = "(shape: Cuboid(half_extents: (0.2, 0.02, 0.2)), offset: (0, 0.02, 0), \
                     orientation: AxisDegrees(axis: (0, 1, 0), degrees: 45), material: \"light\")";
        let floor = "position: Origin(0, -0.5, 0), shape: Cuboid(half_extents: (0.2, 0.5, 0.2))";
        let turn = fastest_turn_at_rest::<S>(floor, &format!("colliders: [{plate}, {ball}]"));
        assert!(turn <= STILL / 0.2, "{}: it rocks by {turn} rad/s with the weight at {x}, {z}", S::KIND);
    }
}

/// What is put down on a corner of its foot, or on a rim, falls over to and fro and around, and loses of its energy in each blow until it
/// stands. (It wobbled for ever, by 0.3 to 1.5 rad/s: what a step of fall gives where the next corner is not held.)
fn what_is_put_down_tilted_comes_to_rest<S: Scalar>() {
    let plane = "shape: HalfSpace(normal: (0, 1, 0))";
    let block = "position: Origin(0, -0.5, 0), shape: Cuboid(half_extents: (9, 0.5, 9))";
    let prism = |corners: u32, radius: f64, half_height: f64| {
        let corners = polygon(corners).into_iter().map(|[x, z]| [x * radius / 0.2, z * radius / 0.2]);
        let ends = corners.map(|[x, z]| format!("({x:.4}, {half_height}, {z:.4}), ({x:.4}, -{half_height}, {z:.4})"));
        format!("Hull(points: [{}])", ends.collect::<Vec<_>>().join(", "))
    };
    for (dt, radius, half_height) in [(60, 0.4, 1.0), (240, 0.2, 0.3)] {
        let cylinder = format!("Cylinder(half_height: {half_height}, radius: {radius})");
        let cone = format!("Cone(half_height: {half_height}, radius: {radius})");
        let prism = |corners| prism(corners, radius, half_height);
        for (floor, shape) in [
            (block, prism(6)),
            (block, prism(8)),
            (plane, prism(8)),
            (block, prism(48)),
            (block, cylinder.clone()),
            (plane, cylinder),
            (block, cone),
        ] {
            let mut run = Run::<S>::of(&format!(
                "dt: \"1/{dt}\", bodies: [(name: \"floor\", kind: Static, {floor}), (name: \"top\", shape: {shape},
                    position: Origin(0, {:.4}, 0), orientation: AxisDegrees(axis: (0.2, 0, 1), degrees: 4))]",
                half_height + 0.08 * radius,
            ));
            run.steps(8 * dt);
            let turns = (0..dt).map(|_| {
                run.step();
                run.spin("top").length()
            });
            let turn = turns.fold(0.0, f64::max);
            assert!(turn <= STILL / radius, "{}: {shape} wobbles by {turn} rad/s at 1/{dt} s", S::KIND);
        }
    }
}

/// Which four of five corners a contact has follows from what bore weight when they were chosen. A ball that rolls over a block, away from
/// one of the four until that bears nothing any more, does not move the block, which keeps them: what is restored has to find the same.
fn corners_that_were_chosen_are_found_again_from_the_state<S: Scalar>() {
    let corners = [[-0.2, 0.008], [-0.051, 0.193], [0.052, -0.193], [0.113, 0.165], [0.13, -0.152]];
    let points: Vec<_> = corners.iter().map(|[x, z]| format!("({x}, 0, {z}), ({x}, 0.4, {z})")).collect();
    let start = || {
        Run::<S>::of(&format!(
            "bodies: [
                (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                (name: \"block\", shape: Hull(points: [{}]), mass: Total(1)),
                (name: \"ball\", position: Origin(0.02, 0.45, 0.02), linear_velocity: (-0.13, 0, 0.16), mass: Total(6),
                    shape: Sphere(radius: 0.05))]",
            points.join(", ")
        ))
    };
    let (mut run, mut restored) = (start(), start());
    for step in 0..80 {
        restored.restore_from(&run, step);
        run.step();
        restored.step();
        assert!(run.root() == restored.root(), "{}: step {step}", S::KIND);
    }
}
