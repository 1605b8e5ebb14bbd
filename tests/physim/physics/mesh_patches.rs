//! Faces of meshes that are finely divided: each is one piece, and carries as a face of a box does.

use physim::math::{Scalar, Vec3};

use crate::physics::mesh_ledges::cube;
use crate::physics::meshes::{mesh, sheet};
use crate::physics::support::{DT, Run, assert_near, upright_prism};

on_every_scalar!(
    a_box_on_a_face_has_four_points_that_carry_it,
    what_stands_on_a_face_stays_as_on_a_cuboid,
    what_slides_over_a_face_stops_where_friction_says,
    a_stack_on_a_face_stands,
    a_plate_tips_where_its_middle_is_beyond_the_face,
    a_plate_bridges_the_gap_between_two_faces,
    a_hollow_cube_of_small_triangles_rests_as_one_of_twelve,
    what_falls_on_a_face_goes_nowhere_else,
);

/// Metres per second squared, of every scene here.
const GRAVITY: f64 = 9.81;

/// A box of 1.4 m by 0.6 m by 1.2 m, let go 1 mm above cells of which it covers dozens: after a second its contact with the cube is one, of
/// four points, and what these press in a step is its weight: `sum of impulses / mass = g dt`.
fn a_box_on_a_face_has_four_points_that_carry_it<S: Scalar>() {
    for cells in [1, 7, 10] {
        let mut run = Run::<S>::of(&format!(
            "bodies: [
                (name: \"cube\", kind: Static, shape: {}),
                (name: \"box\", shape: Cuboid(half_extents: (0.7, 0.3, 0.6)), position: Origin(0.05, 1.301, 0.02),
                    orientation: AxisDegrees(axis: (0, 1, 0), degrees: 11)),
            ]",
            cube(cells)
        ));
        run.steps(60);
        let contacts = run.world().contact_geometry();
        assert_eq!(contacts.len(), 1, "{cells} cells");
        assert_eq!(contacts[0].manifold.points().len(), 4, "{cells} cells");
        // Nothing pushes the cube: the reduced mass is that of the box. In fixed point each of 8 substeps rounds four impulses.
        let pressed: f64 = contacts[0].impulses.iter().map(|impulse| impulse.to_f64()).sum();
        assert_near(&format!("what {cells} cells carry"), pressed, GRAVITY * DT, 1e-4 * GRAVITY * DT);
    }
}

/// Things that stand on a cube of 2 m.
fn standing() -> [(String, f64); 3] {
    [
        ("Cuboid(half_extents: (0.3, 0.25, 0.45))".to_owned(), 0.25),
        (upright_prism(8, 0.5, 0.2), 0.2),
        ("Cylinder(half_height: 0.3, radius: 0.35)".to_owned(), 0.3),
    ]
}

/// A box, a prism and a cylinder let go a millimetre above a cube, each on one of its own, turned by some degrees.
fn things_standing_on(shape: &str) -> String {
    let bodies = standing().into_iter().enumerate().map(|(number, (thing, half_height))| {
        let middle = 10.0 * number as f64;
        format!(
            "(name: \"cube_{number}\", kind: Static, shape: {shape}, position: Origin({middle}, 0, 0)),
            (name: \"thing_{number}\", shape: {thing}, position: Origin({}, {}, -0.07),
                orientation: AxisDegrees(axis: (0, 1, 0), degrees: 17))",
            middle + 0.11,
            1.001 + half_height
        )
    });
    format!("materials: {{\"default\": (friction: 0.5)}}, bodies: [{}]", bodies.collect::<Vec<_>>().join(", "))
}

/// After two seconds nothing moves, and all is where it is on a cuboid, within what a contact may be off.
fn what_stands_on_a_face_stays_as_on_a_cuboid<S: Scalar>() {
    let mut on_mesh = Run::<S>::of(&things_standing_on(&cube(10)));
    let mut on_cuboid = Run::<S>::of(&things_standing_on("Cuboid(half_extents: (1, 1, 1))"));
    on_mesh.steps(120);
    on_cuboid.steps(120);
    for (number, (thing, _)) in standing().iter().enumerate() {
        let name = format!("thing_{number}");
        let apart = (on_mesh.position(&name) - on_cuboid.position(&name)).length();
        assert!(apart <= 5e-5, "{thing} is {apart} m from where it is on a cuboid");
        for (what, run) in [("mesh", &on_mesh), ("cuboid", &on_cuboid)] {
            let (speed, spin) = (run.velocity(&name).length(), run.spin(&name).length());
            assert!(
                speed <= 1e-4 && spin <= 1e-4,
                "{thing} on a {what} moves at {speed} m/s and turns at {spin} rad/s"
            );
        }
    }
}

/// At 2 m/s with friction 0.4 a box goes `v^2 / (2 mu g)`, 51 cm, and half of what it does in a step less or more.
fn what_slides_over_a_face_stops_where_friction_says<S: Scalar>() {
    let (speed, friction) = (2.0, 0.4);
    let way = speed * speed / (2.0 * friction * GRAVITY);
    for degrees in [0, 23] {
        let mut run = Run::<S>::of(&format!(
            "materials: {{\"default\": (friction: {friction})}},
            bodies: [
                (name: \"cube\", kind: Static, shape: {}),
                (name: \"box\", shape: Cuboid(half_extents: (0.25, 0.1, 0.2)), position: Origin(-0.6, 1.1, 0.07),
                    orientation: AxisDegrees(axis: (0, 1, 0), degrees: {degrees}), linear_velocity: ({speed}, 0, 0)),
            ]",
            cube(10)
        ));
        run.steps(60);
        let place = run.position("box");
        assert_near("the way", place.x + 0.6, way, speed * DT / 2.0);
        assert_near("aside", place.z, 0.07, 2e-3);
        assert_near("its height", place.y, 1.1, 5e-4);
        assert!(run.velocity("box").length() <= 1e-3, "it still moves at {:?}", run.velocity("box"));
    }
}

/// Five cubes of half a metre on a face of 200 triangles stand for three seconds, and each within a millimetre over the one below.
fn a_stack_on_a_face_stands<S: Scalar>() {
    let boxes = (0..5).map(|number| {
        format!(
            "(name: \"box_{number}\", shape: Cuboid(half_extents: (0.25, 0.25, 0.25)), position: Origin(0.03, {}, -0.04))",
            1.25 + 0.5 * f64::from(number)
        )
    });
    let boxes: Vec<String> = boxes.collect();
    let mut run =
        Run::<S>::of(&format!("bodies: [(name: \"cube\", kind: Static, shape: {}), {}]", cube(10), boxes.join(", ")));
    run.steps(180);
    for number in 0..5 {
        let place = run.position(&format!("box_{number}"));
        let aside = (place.x - 0.03).hypot(place.z + 0.04);
        assert!(aside <= 1e-3, "box {number} is {aside} m aside");
        // Each contact gives way by less than what counts as touching, and a little by the weight above it.
        assert_near(&format!("height of box {number}"), place.y, 1.25 + 0.5 * f64::from(number), 5e-3);
    }
}

/// A plate whose middle is 3 cm beyond the edge of a face tips over it, about the edge at first: by `theta'' = g x / (k^2 + x^2 + h^2)` for a
/// plate of half height `h` whose middle is `x` beyond, with `k^2 = (a^2 + h^2) / 3`. One whose middle is 3 cm within it does not.
fn a_plate_tips_where_its_middle_is_beyond_the_face<S: Scalar>() {
    let (long, half_height) = (0.6, 0.05);
    let scene = |beyond: f64| {
        format!(
            "materials: {{\"default\": (friction: 1)}},
            bodies: [
                (name: \"cube\", kind: Static, shape: {}),
                (name: \"plate\", shape: Cuboid(half_extents: ({long}, {half_height}, 0.3)),
                    position: Origin({}, {}, 0.02)),
            ]",
            cube(10),
            1.0 + beyond,
            1.0 + half_height
        )
    };
    let mut stays = Run::<S>::of(&scene(-0.03));
    stays.steps(60);
    assert!(stays.spin("plate").length() <= 1e-4, "it turns at {:?}", stays.spin("plate"));
    assert_near("height of what stays", stays.position("plate").y, 1.0 + half_height, 5e-4);
    let mut tips = Run::<S>::of(&scene(0.03));
    let steps = 12;
    tips.steps(steps);
    let (beyond, time) = (0.03, f64::from(steps) * DT);
    let square = (long * long + half_height * half_height) / 3.0 + beyond * beyond + half_height * half_height;
    // The middle goes out as it tips, which adds as much again in `1 / rate` seconds: some percent here; a step late or early, 8 percent.
    assert_near(
        "spin of what tips",
        -tips.spin("plate").z,
        GRAVITY * beyond / square * time,
        0.12 * GRAVITY * beyond / square * time,
    );
    tips.steps(60);
    assert!(tips.position("plate").y < 0.5, "it lies at {:?}", tips.position("plate"));
}

/// One mesh of two fields of 8 by 8 cells with 0.6 m between them: a plate with its middle over nothing lies on both, and each carries its
/// part by the law of the lever.
fn a_plate_bridges_the_gap_between_two_faces<S: Scalar>() {
    let (points, triangles) = sheet([8, 8], [0.1, 0.1]);
    let count = points.len();
    let moved = |by: f64| {
        points.iter().map(move |point| {
            let parts: Vec<f64> =
                point.trim_matches(['(', ')']).split(", ").map(|part| part.parse().expect("a number")).collect();
            format!("({:.3}, 0, {:.3})", parts[0] + by, parts[2])
        })
    };
    let both: Vec<String> = moved(-0.7).chain(moved(0.7)).collect();
    let later = triangles.iter().map(|triangle| {
        let corners = triangle.trim_matches(['(', ')']).split(", ");
        let corners: Vec<usize> = corners.map(|corner| corner.parse::<usize>().expect("a number") + count).collect();
        format!("({}, {}, {})", corners[0], corners[1], corners[2])
    });
    let all: Vec<String> = triangles.iter().cloned().chain(later).collect();
    let mut run = Run::<S>::of(&format!(
        "bodies: [
            (name: \"ground\", kind: Static, shape: {}),
            (name: \"plate\", shape: Cuboid(half_extents: (0.5, 0.05, 0.2)), position: Origin(0.1, 0.05, 0.02)),
        ]",
        mesh(&both, &all)
    ));
    run.steps(60);
    let place = run.position("plate");
    assert!((place - Vec3::new(0.1, 0.05, 0.02)).length() <= 5e-4, "the plate is at {place:?}");
    let contacts = run.world().contact_geometry();
    assert_eq!(contacts.len(), 2, "one on each side");
    // Moments about the middle: the sum over all points of impulse times arm is none; and that of the impulses is the weight.
    let points = contacts.iter().flat_map(|contact| {
        let arms = contact.manifold.points().iter().map(|point| (contact.shape_offset_a + point.position).to_f64()[0]);
        arms.zip(contact.impulses.map(S::to_f64)).collect::<Vec<_>>()
    });
    let is_ground_first = contacts[0].manifold.normal.y > S::ZERO;
    let middle = if is_ground_first { 0.1 } else { 0.0 };
    let (mut weight, mut moment) = (0.0, 0.0);
    for (arm, impulse) in points {
        weight += impulse;
        moment += (arm - middle) * impulse;
    }
    assert_near("the weight", weight, GRAVITY * DT, 1e-4 * GRAVITY * DT);
    assert_near("the moment", moment, 0.0, 1e-3 * GRAVITY * DT);
}

/// A shell that is a cube of 2 m comes down a centimetre onto a slab, and lies there as deep, whatever its triangles: with a contact of each
/// face that is near, at the most.
fn a_hollow_cube_of_small_triangles_rests_as_one_of_twelve<S: Scalar>() {
    let rest = |cells: usize| {
        let mut run = Run::<S>::of(&format!(
            "bodies: [
                (name: \"slab\", kind: Static, shape: Cuboid(half_extents: (3, 0.5, 3)), position: Origin(0, -0.5, 0)),
                (name: \"cube\", shape: {}, mass: Total(100), position: Origin(0.02, 1.01, 0.03),
                    orientation: AxisDegrees(axis: (0, 1, 0), degrees: 9)),
            ]",
            cube(cells)
        ));
        run.steps(120);
        let contacts = run.world().contact_geometry();
        let points: usize = contacts.iter().map(|contact| contact.manifold.points().len()).sum();
        // The bottom, and each side with the edge that it has in common with that.
        assert!(contacts.len() <= 5 && points <= 12, "{cells} cells: {points} points of {} contacts", contacts.len());
        assert!(run.spin("cube").length() <= 1e-4, "{cells} cells: it turns at {:?}", run.spin("cube"));
        run.position("cube")
    };
    let apart = (rest(8) - rest(1)).length();
    assert!(apart <= 1e-4, "{apart} m apart");
}

/// Without friction nothing but a normal that leans can push a box aside that falls flat on a face, its edges along those of cells or not:
/// it goes no farther than it would on a cuboid, and than the roundings of its turning take it.
fn what_falls_on_a_face_goes_nowhere_else<S: Scalar>() {
    let places = (0..25).map(|number| [0.2 * f64::from(number % 5 - 2), 0.2 * f64::from(number / 5 - 2)]);
    let places: Vec<[f64; 2]> = places.chain([[0.07, 0.03], [-0.31, 0.11], [0.413, -0.277]]).collect();
    let scene = |shape: &str| {
        let bodies = places.iter().enumerate().map(|(number, [x, z])| {
            let middle = 4.0 * number as f64;
            format!(
                "(name: \"cube_{number}\", kind: Static, shape: {shape}, position: Origin({middle}, 0, 0)),
                (name: \"box_{number}\", shape: Cuboid(half_extents: (0.3, 0.3, 0.3)), position: Origin({}, 1.34, {z:.3}))",
                middle + x
            )
        });
        let bodies: Vec<String> = bodies.collect();
        format!("materials: {{\"default\": (friction: 0)}}, bodies: [{}]", bodies.join(", "))
    };
    let (mut on_mesh, mut on_cuboid) =
        (Run::<S>::of(&scene(&cube(5))), Run::<S>::of(&scene("Cuboid(half_extents: (1, 1, 1))")));
    on_mesh.steps(40);
    on_cuboid.steps(40);
    for (number, place) in places.iter().enumerate() {
        let name = format!("box_{number}");
        let aside = |run: &Run<S>| {
            let velocity = run.velocity(&name);
            velocity.x.hypot(velocity.z)
        };
        let (mesh, cuboid) = (aside(&on_mesh), aside(&on_cuboid));
        // A normal is known to some units in the last place, and 0.9 m/s are stopped along it.
        let bound = cuboid + 16.0 * S::EPSILON.to_f64();
        assert!(mesh <= bound, "box {number} at {place:?} goes aside at {mesh} m/s, on a cuboid at {cuboid}");
    }
}
