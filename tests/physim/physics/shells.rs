//! Surfaces that forces move: they fall, lie, strike and are struck, each facet by its front, on a half-space each corner.

use std::f64::consts::TAU;

use physim::math::{Scalar, Vec3};

use crate::physics::support::{Run, assert_near, chain, wide};

on_every_scalar!(
    a_hollow_cube_rests_on_a_half_space,
    a_hollow_cube_rests_on_a_slab,
    a_sheet_lies_on_a_half_space_whichever_side_is_its_front,
    a_hollow_cube_tips_over_as_a_solid_of_its_inertia_does,
    a_hamper_rests_on_a_cuboid,
    a_crate_rests_on_a_hollow_cube,
    a_ball_rests_in_a_bowl_that_rests_on_a_floor,
    a_thrown_bowl_keeps_its_angular_momentum,
    nothing_fast_is_passed_by_a_shell,
    a_shell_that_is_struck_strikes_what_is_behind_it,
    surfaces_pass_through_each_other,
    a_shell_that_sweeps_over_a_plate_is_told,
    a_restore_at_any_step_changes_nothing,
);

/// A hollow cube of 1 m, its front outside.
pub(super) const BOX: &str = "Mesh(
    points: [(-0.5, -0.5, -0.5), (0.5, -0.5, -0.5), (-0.5, 0.5, -0.5), (0.5, 0.5, -0.5),
        (-0.5, -0.5, 0.5), (0.5, -0.5, 0.5), (-0.5, 0.5, 0.5), (0.5, 0.5, 0.5)],
    triangles: [(0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3),
        (0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6)])";

/// The earth, flat and hard.
const FLOOR: &str = "(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0)))";
/// The same as a slab.
const SLAB: &str =
    "(name: \"floor\", kind: Static, shape: Cuboid(half_extents: (4, 0.5, 4)), position: Origin(0, -0.5, 0))";

/// The triangles, and each from behind.
pub(super) fn both_sides(triangles: &[[usize; 3]]) -> Vec<[usize; 3]> {
    triangles.iter().flat_map(|&[a, b, c]| [[a, b, c], [a, c, b]]).collect()
}

/// A mesh of these points and triangles.
pub(super) fn mesh_of(points: &[[f64; 3]], triangles: &[[usize; 3]]) -> String {
    let points: Vec<String> = points.iter().map(|[x, y, z]| format!("({x:.12}, {y:.12}, {z:.12})")).collect();
    let triangles: Vec<String> = triangles.iter().map(|[a, b, c]| format!("({a}, {b}, {c})")).collect();
    format!("Mesh(points: [{}], triangles: [{}])", points.join(", "), triangles.join(", "))
}

/// A bowl of sheet metal with two fronts: a bottom of radius 0.3 m at height 0, and a wall from there to radius 0.6 m at 0.4 m, of so many
/// sides.
fn bowl(sides: usize) -> String {
    let ring = |radius: f64, height: f64| {
        (0..sides).map(move |side| {
            let angle = TAU * side as f64 / sides as f64;
            [radius * angle.cos(), height, radius * angle.sin()]
        })
    };
    let points: Vec<[f64; 3]> = std::iter::once([0.0; 3]).chain(ring(0.3, 0.0)).chain(ring(0.6, 0.4)).collect();
    let triangles: Vec<[usize; 3]> = (0..sides)
        .flat_map(|side| {
            let (low, next) = (1 + side, 1 + (side + 1) % sides);
            [[0, next, low], [low, next, sides + low], [next, sides + next, sides + low]]
        })
        .collect();
    mesh_of(&points, &both_sides(&triangles))
}

/// What lies on springs sinks by `g / omega^2` for contacts that turn by omega in a second, a tenth of a millimetre at these substeps.
const SAG: f64 = 2e-4;

/// A hollow cube that is let go 5 mm above a floor and lies flat after some seconds, no farther aside than so many metres, and so still.
fn resting_cube<S: Scalar>(floor: &str, aside: f64, still: f64) -> Run<S> {
    let mut run =
        Run::<S>::of(&format!("bodies: [{floor}, (name: \"cube\", shape: {BOX}, position: Origin(0.2, 0.505, 0.1))]"));
    run.steps(240);
    assert_near("height", run.position("cube").y, 0.5, SAG);
    assert_near("aside", run.position("cube").x, 0.2, aside);
    assert!(run.velocity("cube").length() < still && run.spin("cube").length() < still, "it is still");
    run
}

/// Its sides are beside the slab's top, on which they stand with an edge, and do not push it aside.
fn a_hollow_cube_rests_on_a_slab<S: Scalar>() {
    resting_cube::<S>(SLAB, 1e-4, 1e-4);
}

/// Four points bear it.
fn a_hollow_cube_rests_on_a_half_space<S: Scalar>() {
    let run = resting_cube::<S>(FLOOR, 1e-6, 1e-5);
    let points: usize = run.world().contact_geometry().iter().map(|contact| contact.manifold.points().len()).sum();
    assert_eq!(points, 4);
}

/// A plane has no facets to meet: a sheet lies on it face up and face down, on its edge corners alone.
fn a_sheet_lies_on_a_half_space_whichever_side_is_its_front<S: Scalar>() {
    let sheet = "HeightField(heights: [[0, 0, 0], [0, 0, 0]], spacing: (0.5, 1))";
    let mut run = Run::<S>::of(&format!(
        "bodies: [{FLOOR},
            (name: \"up\", shape: {sheet}, position: Origin(0, 0.1, 0)),
            (name: \"down\", shape: {sheet}, position: Origin(3, 0.1, 0),
                orientation: AxisDegrees(axis: (0, 0, 1), degrees: 180)),
            (name: \"aslant\", shape: {sheet}, position: Origin(6, 0.4, 0),
                orientation: AxisDegrees(axis: (0, 0, 1), degrees: 30)),
        ]"
    ));
    run.steps(240);
    for name in ["up", "down", "aslant"] {
        assert_near(name, run.position(name).y, 0.0, SAG);
        assert!(run.velocity(name).length() < 1e-4, "{name} is still");
    }
}

/// A cuboid of the same mass and inertia, thrown with the same spin, goes the same way over its corners for some turns.
fn a_hollow_cube_tips_over_as_a_solid_of_its_inertia_does<S: Scalar>() {
    let (mass, moment) = (6.0, 6.0 * 5.0 / 18.0);
    let given =
        format!("mass: Given(mass: {mass}, centre: (0, 0, 0), inertia: ({moment}, {moment}, {moment}, 0, 0, 0))");
    let thrown = "position: Origin(0, 1.2, 0), linear_velocity: (2, 0, 0.3), angular_velocity: (0.2, 0.1, -3)";
    let run = |shape: &str, mass: &str| {
        Run::<S>::of(&format!(
            "materials: {{\"default\": (density: 1, friction: 0.6)}}, bodies: [{FLOOR}, (name: \"it\", shape: {shape}, {thrown}{mass})]"
        ))
    };
    let mut shell = run(BOX, "");
    let mut solid = run("Cuboid(half_extents: (0.5, 0.5, 0.5))", &format!(", {given}"));
    for step in 0..50 {
        shell.step();
        solid.step();
        let apart = (shell.position("it") - solid.position("it")).length();
        // They touch with the same corners at the same moments: roundings alone differ, which every blow makes larger.
        assert!(apart < chain::<S>(1e4, 0.1), "after step {step} {apart} m from where the cuboid is");
    }
    let upwards = wide(shell.body("it").orientation.rotate(Vec3::Y));
    assert!(upwards.y < 0.5, "it has turned by more than 60 degrees, over an edge: {upwards:?}");
}

/// A closed box with a bottom of 1 m by 1 m and sides that lean out to a lid of 1.4 m by 1.4 m, 0.8 m above.
fn hamper() -> String {
    let [low, high] = [[0.5, 0.0], [0.7, 0.8]].map(|[half, height]| {
        [[-half, height, -half], [half, height, -half], [half, height, half], [-half, height, half]]
    });
    let sides = (0..4).flat_map(|side| {
        let next = (side + 1) % 4;
        [[side, side + 4, next], [next, side + 4, next + 4]]
    });
    let ends = [[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6]];
    mesh_of(&[low, high].concat(), &sides.chain(ends).collect::<Vec<_>>())
}

/// The facets of its bottom bear it on the top of a slab.
fn a_hamper_rests_on_a_cuboid<S: Scalar>() {
    let mut run = Run::<S>::of(&format!(
        "bodies: [{SLAB}, (name: \"hamper\", shape: {}, position: Origin(0.2, 0.005, 0.1))]",
        hamper()
    ));
    let before = run.position("hamper");
    run.steps(240);
    let moved = run.position("hamper") - before;
    assert_near("height", moved.y, -0.005, SAG);
    assert_near("along x", moved.x, 0.0, 1e-4);
    assert_near("along z", moved.z, 0.0, 1e-4);
    assert!(run.velocity("hamper").length() < 1e-4 && run.spin("hamper").length() < 1e-4, "it is still");
}

/// Either may be the shell: what lies on it pushes it down, and it bears both.
fn a_crate_rests_on_a_hollow_cube<S: Scalar>() {
    let mut run = Run::<S>::of(&format!(
        "materials: {{\"default\": (density: 100, friction: 0.6)}},
        bodies: [{FLOOR},
            (name: \"cube\", shape: {BOX}, position: Origin(0, 0.5, 0)),
            (name: \"crate\", shape: Cuboid(half_extents: (0.2, 0.2, 0.2)), position: Origin(0.1, 1.205, -0.1)),
            (name: \"ball\", shape: Sphere(radius: 0.1), position: Origin(-0.3, 1.105, 0.3), linear_damping: 0.5,
                angular_damping: 5),
        ]"
    ));
    run.steps(240);
    assert_near("height of the crate", run.position("crate").y, 1.2, 2.0 * SAG);
    assert_near("height of the ball", run.position("ball").y, 1.1, 2.0 * SAG);
    assert_near("height of the cube", run.position("cube").y, 0.5, SAG);
    assert!(run.velocity("crate").length() < 1e-3, "it is still");
}

/// A bowl of sheet metal is dropped, and a ball into it: it comes to rest on the bottom, 0.15 m above it, and the bowl on the floor.
fn a_ball_rests_in_a_bowl_that_rests_on_a_floor<S: Scalar>() {
    for floor in [FLOOR, SLAB] {
        let mut run = Run::<S>::of(&format!(
            "materials: {{\"default\": (density: 4, friction: 0.6), \"rubber\": (density: 300, rolling_friction: 0.01)}},
            bodies: [{floor},
                (name: \"bowl\", shape: {}, position: Origin(0, 0.05, 0)),
                (name: \"ball\", shape: Sphere(radius: 0.15), material: \"rubber\", position: Origin(0.2, 0.8, 0.05)),
            ]",
            bowl(8)
        ));
        run.steps(300);
        let (bowl, ball) = (run.body("bowl"), run.position("ball"));
        let origin = wide(bowl.position - bowl.orientation.rotate(bowl.centre));
        assert_near("height of the bowl", origin.y, 0.0, 2.0 * SAG);
        assert_near("height of the ball", ball.y, 0.15, 4.0 * SAG);
        assert!((ball - origin).length() < 0.3, "the ball is in the bowl: {ball:?} and {origin:?}");
        assert!(run.velocity("ball").length() < 1e-2, "it is still: {:?}", run.velocity("ball"));
    }
}

/// Free of forces, with three different moments: its axis precesses, its angular momentum and energy stay.
fn a_thrown_bowl_keeps_its_angular_momentum<S: Scalar>() {
    let dish = mesh_of(
        &[[0.0, 0.0, 0.0], [0.8, 0.2, 0.0], [0.0, 0.3, 0.5], [-0.7, 0.2, 0.1], [0.1, 0.1, -0.6]],
        &[[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 1, 4]],
    );
    let mut run = Run::<S>::of(&format!(
        "gravity: (0, 0, 0), dt: \"1/240\", solver: Impulse(substeps: 1), bounds: (angular_speed: 100),
        bodies: [(name: \"dish\", shape: {dish}, linear_velocity: (1, 2, 3), angular_velocity: (3, 1, -2))]"
    ));
    let (energy, before, spin) = (run.energy().kinetic, run.energy().angular_momentum, run.spin("dish"));
    run.steps(240);
    assert_near("energy", run.energy().kinetic, energy, 1e-4 * energy);
    let size = before.iter().map(|component| component * component).sum::<f64>().sqrt();
    for (now, before) in run.energy().angular_momentum.into_iter().zip(before) {
        assert_near("angular momentum", now, before, 2e-4 * size);
    }
    assert!((run.spin("dish") - spin).length() > 0.1, "its axis precesses: {:?}", run.spin("dish"));
}

/// Hollow cubes at 100 m/s, more than their size in a step and aslant: onto a plane, a plate of 2 cm, and a ball that floats.
fn nothing_fast_is_passed_by_a_shell<S: Scalar>() {
    let thrown = "linear_velocity: (20, -100, 5), angular_velocity: (3, 2, 7)";
    let mut run = Run::<S>::of(&format!(
        "materials: {{\"default\": (density: 1, friction: 0.2)}}, bounds: (speed: 500),
        bodies: [{FLOOR},
            (name: \"plate\", kind: Static, shape: Cuboid(half_extents: (3, 0.01, 3)), position: Origin(20, 0, 0)),
            (name: \"ball\", shape: Sphere(radius: 0.1), position: Origin(40, 0, 0), gravity_scale: 0),
            (name: \"on plane\", shape: {BOX}, position: Origin(0, 1.7, 0), {thrown}),
            (name: \"on plate\", shape: {BOX}, position: Origin(20, 1.9, 0), {thrown}),
            (name: \"on ball\", shape: {BOX}, position: Origin(39.7, 1.4, -0.1), {thrown}),
        ],
        excluded_pairs: [(\"floor\", \"on plate\"), (\"floor\", \"on ball\"), (\"floor\", \"ball\")]"
    ));
    for _ in 0..4 {
        run.step();
        assert!(run.position("on plane").y > 0.4, "{:?}", run.position("on plane"));
        assert!(run.position("on plate").y > 0.4, "{:?}", run.position("on plate"));
    }
    assert!(run.velocity("on plane").y > -20.0 && run.velocity("on plate").y > -20.0, "both have struck");
    assert!(run.velocity("ball").y < -20.0, "the ball was struck: {:?}", run.velocity("ball"));
    assert!(run.position("ball").y < run.position("on ball").y - 0.4, "and is before the shell");
}

/// A heavy ball drives a hollow cube that stands still against a wall behind it, all within a step: the facets that come to the wall are found then.
/// (Ten times as heavy it presses the cube into the wall by 1 to 15 cm, as it happens to hit it.)
fn a_shell_that_is_struck_strikes_what_is_behind_it<S: Scalar>() {
    let mut run = Run::<S>::of(&format!(
        "gravity: (0, 0, 0), bounds: (speed: 500),
        materials: {{\"default\": (density: 1, friction: 0), \"wood\": (density: 500, friction: 0)}},
        bodies: [
            (name: \"wall\", kind: Static, shape: Cuboid(half_extents: (0.02, 2, 2)), position: Origin(1.4, 0, 0)),
            (name: \"cube\", shape: {BOX}),
            (name: \"ball\", shape: Sphere(radius: 0.3), material: \"wood\", position: Origin(-0.9, 0.01, 0.02),
                linear_velocity: (90, 0, 0)),
        ]"
    ));
    for _ in 0..3 {
        run.step();
        assert!(run.position("cube").x < 0.9, "it is at {:?}", run.position("cube"));
    }
    assert!(run.position("cube").x > 0.3, "it was struck: {:?}", run.position("cube"));
}

/// Two meshes do not meet, whatever moves them.
fn surfaces_pass_through_each_other<S: Scalar>() {
    let mut run = Run::<S>::of(&format!(
        "bodies: [
            (name: \"below\", kind: Static, shape: {BOX}),
            (name: \"above\", shape: {BOX}, position: Origin(0.1, 1.2, 0.1)),
        ]"
    ));
    run.steps(30);
    // What falls freely for half a second.
    assert_near("way", 1.2 - run.position("above").y, 9.81 / 8.0, 0.05);
    assert!(run.world().contact_geometry().is_empty());
}

/// Where nothing looks within a step, a hollow cube at 150 m/s is before a plate in one step and behind it in the next: it is told as what
/// passed, though the plate did not move.
fn a_shell_that_sweeps_over_a_plate_is_told<S: Scalar>() {
    let mut run = Run::<S>::of(&format!(
        "continuous: Off, gravity: (0, 0, 0), bounds: (speed: 500),
        bodies: [
            (name: \"plate\", kind: Static, shape: Cuboid(half_extents: (0.01, 0.1, 0.1)), position: Origin(2, 0, 0)),
            (name: \"cube\", shape: {BOX}, position: Origin(0.7, 0, 0), linear_velocity: (150, 0, 0)),
        ]"
    ));
    run.step();
    let passage = run.world().passage().unwrap_or_else(|| panic!("nothing passed"));
    assert_eq!((&*passage.body, &*passage.obstacle, passage.step), ("cube", "plate", 1));
}

/// A bowl, a cube and a ball that strike each other and a slab: restored at every step into a world full of nonsense, the next hash is the same.
fn a_restore_at_any_step_changes_nothing<S: Scalar>() {
    let scene = format!(
        "materials: {{\"default\": (density: 20, friction: 0.5)}},
        bodies: [{SLAB},
            (name: \"bowl\", shape: {}, position: Origin(0, 0.03, 0), angular_velocity: (0, 2, 0)),
            (name: \"cube\", shape: {BOX}, position: Origin(1.2, 0.7, 0), angular_velocity: (1, 0, 2)),
            (name: \"ball\", shape: Sphere(radius: 0.15), position: Origin(0.2, 0.4, 0.05)),
            (name: \"die\", shape: Cuboid(half_extents: (0.1, 0.1, 0.1)), position: Origin(-0.2, 0.45, 0)),
        ]",
        bowl(6)
    );
    let (mut running, mut restored) = (Run::<S>::of(&scene), Run::<S>::of(&scene));
    for step in 0..60 {
        restored.restore_from(&running, step);
        running.step();
        restored.step();
        assert!(running.root() == restored.root(), "after step {step}");
    }
    assert!(running.world().contact_geometry().len() > 4, "they touch");
    let upwards: Vec3<f64> = wide(running.body("bowl").orientation.rotate(Vec3::Y));
    assert!(upwards.y > 0.9, "the bowl stands: {upwards:?}");
}
