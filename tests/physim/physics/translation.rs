//! The same pairs somewhere else: only the difference of two places enters, so in fixed point nothing changes.

use physim::math::Fixed;
use physim::world::World;

use crate::physics::support::Run;

/// Every kind of shape; meshes and half-spaces are under the others only.
const MOVING: [&str; 6] = [
    "Sphere(radius: 0.5)",
    "Cuboid(half_extents: (0.5, 0.25, 0.4))",
    "Capsule(half_height: 0.3, radius: 0.25)",
    "Cylinder(half_height: 0.3, radius: 0.4)",
    "Cone(half_height: 0.4, radius: 0.5)",
    "Hull(points: [(0, 0, 0), (1, 0, 0.1), (0, 0.9, 0), (0.1, 0, 0.8), (0.7, 0.6, 0.5)])",
];
const STILL: [&str; 3] = [
    "HalfSpace(normal: (0.1, 1, 0.05))",
    "Mesh(points: [(-2, 0, -2), (-2, 0.2, 2), (2, 0.1, -2), (2, -0.1, 2)], triangles: [(0, 1, 2), (2, 1, 3)])",
    "HeightField(heights: [[0, 0.1, 0], [0.2, 0, 0.1], [0, 0.1, 0.3]], spacing: (1.5, 1.5))",
];

/// One pair: a still or free body, and one that falls on it or overlaps it, turned, at these coordinates.
fn pair(under: &str, is_still: bool, over: &str, [x, y, z]: [i64; 3]) -> String {
    let kind = if is_still { "kind: Static, " } else { "" };
    // Coordinates count 2^-32 m: written in full, they are exact.
    let place = |dx: i64, dy: i64, dz: i64| [x + dx, y + dy, z + dz].map(decimal).join(", ");
    let step = 1_i64 << 22;
    format!(
        "steps: 10, scalar: Fixed, bounds: (position: 10000), bodies: [
            (name: \"under\", {kind}position: Origin({}), shape: {under}),
            (name: \"over\", position: Origin({}), shape: {over}, linear_velocity: (0.5, -1, 0.25), angular_velocity: (1, 2, 3),
                orientation: AxisDegrees(axis: (1, 2, 3), degrees: 40)),
        ]",
        place(0, 0, 0),
        place(30 * step, 400 * step, -50 * step),
    )
}

/// A number of 2^-32 m as a decimal, exactly: `5^32` has 23 digits.
fn decimal(steps: i64) -> String {
    let (sign, steps) = (if steps < 0 { "-" } else { "" }, steps.unsigned_abs());
    let (whole, mut rest) = (steps >> 32, u128::from(steps & 0xffff_ffff));
    let mut digits = String::new();
    while rest > 0 {
        rest *= 10;
        digits.push(char::from(b'0' + u8::try_from(rest >> 32).expect("a digit")));
        rest &= 0xffff_ffff;
    }
    format!("{sign}{whole}.{digits}0")
}

/// Everything that a step tells of contacts and motion, without where it is.
fn told(world: &World<Fixed>) -> String {
    let bodies = world.bodies();
    let between = bodies.position[1] - bodies.position[0];
    let geometry: Vec<_> = world.contact_geometry().iter().map(|contact| (contact.piece, &contact.manifold)).collect();
    format!(
        "{:?} {:?} {:?} {geometry:?} {between:?} {:?}",
        world.contacts(),
        bodies.linear_velocity,
        bodies.angular_velocity,
        bodies.orientation
    )
}

#[test]
fn a_pair_of_any_shapes_is_the_same_anywhere() {
    let unders = MOVING.iter().map(|shape| (*shape, false)).chain(STILL.iter().map(|shape| (*shape, true)));
    let metre = 1_i64 << 32;
    let mut touching = 0;
    for (under, is_still) in unders {
        for over in MOVING {
            let run = |place: [i64; 3]| {
                let mut run = Run::<Fixed>::of(&pair(under, is_still, over, place));
                let mut steps = Vec::new();
                for _ in 0..10 {
                    run.step();
                    steps.push(told(run.world()));
                }
                (steps, run.world().contact_geometry().iter().any(|contact| !contact.manifold.is_empty()))
            };
            let (here, touches) = run([0, 0, 0]);
            touching += u32::from(touches);
            // 5 km out, a single step of the grid, and something in between.
            for place in
                [[5000 * metre, -4000 * metre, 3000 * metre], [1, -1, 1], [metre / 3, 77_777_777, -1_234 * metre + 1]]
            {
                let (there, _) = run(place);
                let step = here.iter().zip(&there).position(|(here, there)| here != there);
                assert_eq!(step, None, "{over} on {under} at {place:?}");
            }
        }
    }
    assert!(touching > 40, "{touching} of 54 pairs touch at the end");
}
