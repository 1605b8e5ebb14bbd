//! Solids that are not convex: cut into hulls, they stand, hold and let pass as the solids would.

use physim::math::Scalar;

use crate::physics::support::{Run, assert_near};

on_every_scalar!(
    table_stands_on_its_legs_over_a_box,
    ball_stays_in_a_bowl,
    mass_and_inertia_are_those_of_the_solid,
    part_too_thin_for_numbers_is_left_out,
);

/// A ring of 24 mm, bent at random, that is cut into 32 parts of which one has no thickness.
const RING: &str = include_str!("thin_part.obj");

/// The surface of those cells of a rectangular grid that are filled, as a shape.
fn blocks(ends: [&[&str]; 3], is_filled: impl Fn([usize; 3]) -> bool) -> String {
    let counts = ends.map(<[&str]>::len);
    let number = |at: [usize; 3]| (at[0] * counts[1] + at[1]) * counts[2] + at[2];
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for place in 0..counts.iter().product() {
        let at = [place / (counts[1] * counts[2]), place / counts[2] % counts[1], place % counts[2]];
        points.push(format!("({}, {}, {})", ends[0][at[0]], ends[1][at[1]], ends[2][at[2]]));
        for axis in 0..3 {
            let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
            if at[u] + 1 >= counts[u] || at[v] + 1 >= counts[v] {
                continue;
            }
            let above = at[axis] + 1 < counts[axis] && is_filled(at);
            let below = at[axis] > 0 && {
                let mut below = at;
                below[axis] -= 1;
                is_filled(below)
            };
            let step = |axes: &[usize]| {
                let mut corner = at;
                axes.iter().for_each(|&axis| corner[axis] += 1);
                number(corner)
            };
            let [a, b, c, d] = [step(&[]), step(&[u]), step(&[u, v]), step(&[v])];
            match (below, above) {
                (true, false) => triangles.push(format!("({a}, {b}, {c}), ({a}, {c}, {d})")),
                (false, true) => triangles.push(format!("({a}, {c}, {b}), ({a}, {d}, {c})")),
                _ => {}
            }
        }
    }
    format!("Decomposed(points: [{}], triangles: [{}])", points.join(", "), triangles.join(", "))
}

/// A board of 1 m by 0.7 m, 6 cm thick, on legs of 8 cm and 0.54 m, which stand in from its rim by 5 cm.
fn table() -> String {
    let is_leg = |place: usize| place == 1 || place == 3;
    blocks(
        [
            &["-0.5", "-0.45", "-0.37", "0.37", "0.45", "0.5"],
            &["0", "0.54", "0.6"],
            &["-0.35", "-0.3", "-0.22", "0.22", "0.3", "0.35"],
        ],
        |[x, y, z]| y == 1 || (is_leg(x) && is_leg(z)),
    )
}

/// A box of 1 cm less than the room between the legs is pushed through under the board, and the table does not notice.
fn table_stands_on_its_legs_over_a_box<S: Scalar>() {
    let mut run = Run::<S>::of(&format!(
        "bodies: [
            (name: \"ground\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"table\", shape: {}, mass: Total(20)),
            (name: \"box\", kind: Kinematic, shape: Cuboid(half_extents: (0.365, 0.26, 0.1)), position: Origin(0, 0.27, -1), linear_velocity: (0, 0, 2)),
        ]",
        table()
    ));
    let before = run.position("table");
    for _ in 0..60 {
        run.step();
    }
    // The board rests 1 cm above the box; soft contacts sink in by m g / k, here less than 0.1 mm.
    let after = run.position("table");
    assert_near("the table's height", after.y, before.y, 1e-4);
    assert_near("the table along z", after.z, 0.0, 1e-4);
    assert_near("the box has come through", run.position("box").z, 1.0, 1e-3);
}

/// A ring of walls on a bottom: what falls in stays in, at the height of the bottom and no higher.
fn ball_stays_in_a_bowl<S: Scalar>() {
    let bowl = blocks(
        [&["-0.3", "-0.2", "0.2", "0.3"], &["0", "0.1", "0.3"], &["-0.3", "-0.2", "0.2", "0.3"]],
        |[x, y, z]| y == 0 || x != 1 || z != 1,
    );
    let mut run = Run::<S>::of(&format!(
        "bodies: [
            (name: \"ground\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"bowl\", shape: {bowl}),
            (name: \"ball\", shape: Sphere(radius: 0.05), position: Origin(0.02, 0.4, -0.03), linear_velocity: (0.8, 0, 0.5)),
        ]"
    ));
    for step in 0..90 {
        run.step();
        let ball = run.position("ball");
        let is_within = ball.x.abs() < 0.1501 && ball.z.abs() < 0.1501;
        assert!(is_within || ball.y > 0.35, "step {step}: {ball:?}");
    }
    assert_near("the ball's height", run.position("ball").y, 0.15, 1e-3);
}

/// The table's mass is that of a board and four legs, and so is its moment about the upright axis through its middle.
fn mass_and_inertia_are_those_of_the_solid<S: Scalar>() {
    let run = Run::<S>::of(&format!("bodies: [(name: \"table\", shape: {})]", table()));
    let (board, leg) = (1000.0 * 1.0 * 0.7 * 0.06, 1000.0 * 0.08 * 0.08 * 0.54);
    let about_y = board * (1.0 + 0.49) / 12.0 + 4.0 * leg * (0.08 * 0.08 / 6.0 + 0.41 * 0.41 + 0.26 * 0.26);
    let height = (board * 0.57 + 4.0 * leg * 0.27) / (board + 4.0 * leg);
    let body = run.body("table");
    let mass = 1.0 / body.inverse_mass.to_f64();
    let scale = 4_f64.powi(body.inertia.length_exponent);
    let [_, yy, _, xy, xz, yz] = body.inertia.tensor.to_array().map(|entry| entry.to_f64() * scale * mass);
    // Corners are rounded to millionths of a hull's size.
    assert_near("mass", mass, board + 4.0 * leg, 1e-3);
    assert_near("height of the centre", run.position("table").y, height, 1e-5);
    assert_near("moment about y", yy, about_y, 1e-3);
    for product in [xy, xz, yz] {
        assert_near("product of inertia", product, 0.0, 1e-3);
    }
}

/// The thin part was a hull that every scalar refused, with advice for whom wrote that hull: nobody.
fn part_too_thin_for_numbers_is_left_out<S: Scalar>() {
    let list = |key: &str, of: fn(&str) -> String| {
        let lines = RING.lines().filter_map(|line| line.strip_prefix(key));
        lines.map(|line| format!("({})", line.split(' ').map(of).collect::<Vec<_>>().join(", "))).collect::<Vec<_>>()
    };
    let points = list("v ", str::to_owned);
    let triangles = list("f ", |corner| (corner.parse::<u32>().unwrap_or(0) - 1).to_string());
    let run = Run::<S>::of(&format!(
        "bodies: [(name: \"ring\", shape: Decomposed(points: [{}], triangles: [{}]))]",
        points.join(", "),
        triangles.join(", ")
    ));
    let colliders = run.world().colliders().len();
    assert!((25..32).contains(&colliders), "{}: {colliders} parts", S::KIND);
}
