//! Bad scenes, each with the message that a person gets.

use std::path::Path;

use insta::assert_snapshot;

use crate::scene::parse::{load, parse};

/// The message for a scene that must be refused.
pub(super) fn refusal(text: &str) -> String {
    match parse("bad.ron", text) {
        Ok(_) => panic!("this scene was accepted:\n{text}"),
        Err(error) => error.render(false),
    }
}

/// A scene with these lines after version and name.
pub(super) fn scene(lines: &str) -> String {
    format!("(\n    version: 1,\n    name: \"bad\",\n{lines}\n)\n")
}

/// A scene with one body of these keys.
pub(super) fn body(keys: &str) -> String {
    scene(&format!("    bodies: [\n        ({keys}),\n    ],"))
}

/// Snapshots the messages of scenes, one after the other.
pub(super) fn messages<'a>(scenes: impl IntoIterator<Item = &'a str>) -> String {
    scenes.into_iter().map(refusal).collect::<Vec<_>>().join("\n\n")
}

#[test]
fn files_that_are_no_text() {
    let folder = std::env::temp_dir().join(format!("physim-bad-scenes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).expect("a file can be written");
    write("empty.ron", b"");
    write("only_comments.ron", b"// nothing here\n");
    write("binary.ron", &[0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0xff]);
    write("zeros.ron", &[0; 64]);
    let sparse = std::fs::File::create(folder.join("large.ron")).expect("a file can be written");
    sparse.set_len(1 << 40).expect("the file system has sparse files");
    let names = ["missing.ron", "", "empty.ron", "only_comments.ron", "binary.ron", "zeros.ron", "large.ron"];
    let shown: Vec<String> = names
        .iter()
        .map(|name| load(&folder.join(name)).expect_err(name).render(false))
        .map(|message| message.replace(&folder.display().to_string(), "FOLDER"))
        .collect();
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn a_file_is_loaded_with_and_without_a_byte_order_mark() {
    let path = std::env::temp_dir().join(format!("physim-good-scene-{}.ron", std::process::id()));
    let text = "\u{feff}(version: 1, name: \"marked\", bodies: [])";
    std::fs::write(&path, text).expect("a file can be written");
    let loaded = load(Path::new(&path));
    std::fs::remove_file(&path).expect("the file can be removed");
    assert_eq!(loaded, parse("plain", text.trim_start_matches('\u{feff}')));
}

#[test]
fn syntax() {
    assert_snapshot!(messages([
        "(version: 1, name: \"a\", bodies: [)",
        "(version: 1,\n name: \"a\"\n bodies: [])",
        "(version: 1, name: \"a, bodies: [])\n",
        "(version: 1, name: \"a\", bodies: []",
        "(version: 1, name: \"a\", bodies: []))",
        "(version: 1, name: \"a\", /* bodies: [])",
        "{\"version\": 1, \"name\": \"json\", \"bodies\": []}",
        "hello world",
        "[1, 2]",
        "(version 1)",
    ]));
}

#[test]
fn nesting_10000_deep() {
    let pairs = [("(", ")"), ("[", "]"), ("{1:", "}"), ("Some(", ")"), ("a(b:", ")"), ("(1,", ")")];
    for depth in [96, 10_000] {
        for (open, close) in pairs {
            let message = refusal(&scene(&format!("bodies: {}1{}", open.repeat(depth), close.repeat(depth))));
            assert!(message.contains("nested too deeply"), "{open} {message}");
            refusal(&scene(&format!("bodies: {}", open.repeat(depth))));
        }
        refusal(&scene(&format!("bodies: [] {}", "/*".repeat(depth))));
    }
    assert_snapshot!(refusal(&scene(&format!("bodies: [\n{}\n]", "[".repeat(10_000)))));
    assert_snapshot!(refusal(&scene(&format!("bodies: [{}]", "[\n".repeat(10_000)))));
}

#[test]
fn versions() {
    assert_snapshot!(messages([
        "(name: \"no version\", bodies: [])",
        "()",
        "(version: 2, name: \"newer\", things: 3)",
        "(version: 0, name: \"older\")",
        "(version: \"1\", name: \"text\")",
    ]));
}

#[test]
fn keys_and_types() {
    assert_snapshot!(messages([
        &*scene("    bodies: [],\n    gravty: (0, -1, 0),"),
        &body("name: \"ball\", colour: Red, shape: Sphere(radius: 1)"),
        &body("name: \"ball\", shape: Sphere(radus: 1)"),
        &body("name: \"ball\", shape: Ball(radius: 1)"),
        &body("name: \"ball\", kind: static, shape: Sphere(radius: 1)"),
        &body("shape: Sphere(radius: 1)"),
        &body("name: \"ball\", name: \"again\""),
        &body("name: 3, shape: Sphere(radius: 1)"),
        &body("name: \"ball\", shape: Sphere(radius: \"one\")"),
        &body("name: \"ball\", shape: Cuboid(half_extents: 1)"),
        &body("name: \"ball\", shape: Cuboid(half_extents: (1, 2))"),
        &body("name: \"ball\", shape: Cuboid(half_extents: (1, 2, 3, 4))"),
        &body("name: \"ball\", shape: \"crate\""),
        &body("name: \"ball\", mass: 3, shape: Sphere(radius: 1)"),
        &body("name: \"ball\", position: (0, 1, 0), shape: Sphere(radius: 1)"),
        &body("name: \"ball\", position: Origin((0, 1, 0)), shape: Sphere(radius: 1)"),
        &scene("    bodies: [],\n    steps: -1,"),
        &scene("    bodies: [],\n    steps: 99999999999,"),
        &scene("    bodies: [],\n    steps: 1.5,"),
        &scene("    bodies: [],\n    scalar: fixed,"),
        &scene("    bodies: [],\n    solver: Impulse(warm_starting: 1),"),
        &scene("    bodies: {},"),
        &scene("    steps: 10,"),
        &scene("    bodies: [],\n    materials: {\"ice\": (friction: 0.1), \"ice\": (friction: 0.2)},"),
    ]));
}

#[test]
fn numbers_that_are_no_decimals() {
    let radius = |text: &str| body(&format!("name: \"ball\", shape: Sphere(radius: {text})"));
    let texts = [
        "nan",
        "NaN",
        "inf",
        "-inf",
        "0x10",
        "0b11",
        "1_000",
        "true",
        "(1)",
        "1e99",
        "0.123456789012345678901234567890123456789",
    ];
    let scenes: Vec<String> = texts.iter().map(|text| radius(text)).collect();
    assert_snapshot!(messages(scenes.iter().map(String::as_str)));
}

#[test]
fn time_steps() {
    let scenes: Vec<String> =
        ["\"0\"", "\"0/60\"", "\"-1/60\"", "\"1/0\"", "\"2\"", "\"abc\"", "\"\"", "0.01", "\"1e-38\""]
            .iter()
            .map(|dt| scene(&format!("    bodies: [],\n    dt: {dt},")))
            .collect();
    assert_snapshot!(messages(scenes.iter().map(String::as_str)));
}

#[test]
fn names() {
    assert_snapshot!(refusal(&scene(
        r#"    materials: {"ice": (friction: 0.1), "": ()},
    shapes: {
        "crate": Cuboid(half_extents: (1, 1, 1)),
        "a": Named("b"),
        "b": Named("a"),
    },
    bodies: [
        (name: "ball", shape: Sphere(radius: 1)),
        (name: "ball", shape: Sphere(radius: 1)),
        (name: "", shape: Sphere(radius: 1)),
        (name: "two\nlines", shape: Sphere(radius: 1)),
        (name: "wall[one]", shape: Sphere(radius: 1)),
        (name: "row[9]", shape: Sphere(radius: 1)),
        (name: "unknown shape", shape: Named("crat")),
        (name: "unknown material", shape: Named("crate"), material: "iec"),
        (name: "in colliders", colliders: [(shape: Named("barrel"), material: "lava")]),
    ],
    groups: [
        (name: "row", body: (shape: Sphere(radius: 1)), layout: Stack(origin: (0, 0, 0), count: 2, spacing: (3, 0, 0))),
    ],"#
    )));
}

#[test]
fn ranges_of_the_scene() {
    assert_snapshot!(refusal(&scene(
        r#"    steps: 4000000000,
    keyframe_every: 0,
    gravity: (0, -20000, 0),
    bounds: (position: 50000, speed: 0, angular_speed: -1),
    solver: Impulse(
        substeps: 0,
        iterations: 1001,
        relax_iterations: 101,
        correction: Soft(hertz: 0, damping_ratio: -1, push_speed: 2000),
        restitution_threshold: -1,
        speculative_distance: 2,
    ),
    materials: {"odd": (friction: -0.1, restitution: 1.01, density: 0)},
    shapes: {"nothing": Sphere(radius: 0)},
    bodies: [],"#
    )));
}

#[test]
fn how_contacts_are_solved_and_surfaces_combine() {
    assert_snapshot!(messages([
        &*scene(
            r#"    solver: Impulse(relax_limit: 101),
    materials: {"odd": (rolling_friction: -0.001, spinning_friction: 1001)},
    bodies: [],"#
        ),
        &scene("    bodies: [],\n    solver: Impulse(clamping: PerPoint),"),
        &scene("    bodies: [],\n    solver: Impulse(normals: Together),"),
        &scene("    bodies: [],\n    solver: Impulse(friction: 0.5),"),
        &scene("    bodies: [],\n    solver: Impulse(correction: Soft(hertz: fast)),"),
        &scene("    bodies: [],\n    solver: Impulse(correction: Soft(frequency: 30)),"),
        &scene("    bodies: [],\n    continuous: true,"),
        &scene("    bodies: [],\n    ccd: On,"),
        &scene("    bodies: [],\n    materials: {\"odd\": (friction_combine: Maximum)},"),
        &scene("    bodies: [],\n    materials: {\"odd\": (rolling_resistance: 0.1)},"),
    ]));
}

#[test]
fn ranges_of_bodies() {
    assert_snapshot!(refusal(&scene(
        r#"    damping: Power,
    bodies: [
        (name: "sizes", shape: Cuboid(half_extents: (1, -1, 100000))),
        (name: "far", shape: Sphere(radius: 1), position: Origin(0, 1001, 0)),
        (name: "fast", shape: Sphere(radius: 1), linear_velocity: (1e9, 0, 0), angular_velocity: (0, 0, -1001)),
        (name: "damped", shape: Sphere(radius: 1), linear_damping: 1.5, angular_damping: -1, gravity_scale: 1e9),
        (name: "turned", shape: Sphere(radius: 1), orientation: Quaternion(0, 0, 0, 0)),
        (name: "axis", shape: Sphere(radius: 1), orientation: AxisDegrees(axis: (0, 0.0, 0), degrees: 90)),
        (name: "plane", kind: Static, shape: HalfSpace(normal: (0, 0, 0))),
    ],"#
    )));
}

#[test]
fn bodies_that_cannot_be() {
    assert_snapshot!(refusal(&scene(
        r#"    bodies: [
        (name: "falling plane", shape: HalfSpace(normal: (0, 1, 0))),
        (name: "moving wall", kind: Static, shape: Sphere(radius: 1), linear_velocity: (1, 0, 0)),
        (name: "nothing"),
        (name: "static nothing", kind: Static, mass: Given(mass: 1, centre: (0, 0, 0), inertia: (1, 1, 1, 0, 0, 0))),
        (name: "both", shape: Sphere(radius: 1), colliders: [(shape: Sphere(radius: 1))]),
        (name: "grain", shape: Sphere(radius: 0.0001)),
        (name: "nearly enough", shape: Cuboid(half_extents: (0.0005, 0.0005, 0.0004999999))),
        (name: "just enough", shape: Cuboid(half_extents: (0.0005, 0.0005, 0.0005))),
        (name: "massless", shape: Sphere(radius: 1), mass: Total(0)),
        (name: "negative", shape: Sphere(radius: 1), mass: Total(-3)),
        (name: "no inertia", mass: Given(mass: 1, centre: (0, 0, 0), inertia: (0, 1, 1, 0, 0, 0))),
        (name: "impossible", mass: Given(mass: 1, centre: (0, 0, 0), inertia: (1, 1, 3, 0, 0, 0))),
        (name: "unused", colliders: [(shape: Sphere(radius: 1))], material: "default"),
        (name: "endless", kind: Static, shape: HalfSpace(normal: (0, 1, 0)), position: CentreOfMass(0, 0, 0)),
        (name: "indefinite", mass: Given(mass: 1, centre: (0, 0, 0), inertia: (1, 1, 1, 2, 0, 0))),
    ],"#
    )));
}

#[test]
fn generators() {
    assert_snapshot!(messages([
        &*scene(
            r#"    bodies: [],
    groups: [
        (name: "huge", body: (shape: Sphere(radius: 1)), layout: Grid(origin: (0, 0, 0), count: (1000, 1000, 1000), spacing: (0, 0, 0))),
    ],"#
        ),
        &scene(
            r#"    bodies: [],
    groups: [
        (name: "most", body: (shape: Sphere(radius: 1)), layout: Pyramid(origin: (0, 0, 0), base: 4294967295, spacing: (0, 0, 0))),
    ],"#
        ),
        &scene(
            r#"    bodies: [],
    groups: [
        (name: "wall", body: (shape: Sphere(radius: 1)), layout: Wall(origin: (0, 0, 0), base: 3, rows: 4, spacing: (1, 1, 0), taper: true)),
        (name: "wall", body: (shape: Sphere(radius: 0)), layout: Stack(origin: (0, 999, 0), count: 3, spacing: (0, 1, 0))),
        (name: "none", body: (shape: Sphere(radius: 1)), layout: Grid(origin: (0, 5000, 0), count: (1, 0, 1), spacing: (0, 1, 0))),
        (name: "shapeless", body: (), layout: Stack(origin: (0, 0, 0), count: 3, spacing: (0, 1, 0))),
        (name: "digits", body: (shape: Sphere(radius: 1)), layout: Wall(origin: (0, 0, 0), base: 3, rows: 2, spacing: (1e-38, 1, 0))),
    ],"#
        ),
    ]));
}

#[test]
fn inputs() {
    assert_snapshot!(refusal(&scene(
        r#"    bodies: [(name: "ball", shape: Sphere(radius: 1))],
    groups: [(name: "wall", body: (shape: Sphere(radius: 1)), layout: Wall(origin: (0, 0, 0), base: 3, rows: 2, spacing: (1, 1, 0)))],
    inputs: [
        (step: 0, action: SetGravity(0, 0, 0)),
        (step: 5, through: 4, action: Force(body: "ball", force: (1, 0, 0))),
        (step: 1, action: Force(body: "bal", force: (1, 0, 0))),
        (step: 1, action: Force(body: "wall", force: (1, 0, 0))),
        (step: 1, action: Force(body: "wall[2,0]", force: (1, 0, 0))),
        (step: 1, action: Force(body: "wall[01,0]", force: (1, 0, 0))),
        (step: 1, action: Force(body: "late", force: (1, 0, 0))),
        (step: 2, through: 3, action: Spawn(name: "late", shape: Sphere(radius: -1))),
        (step: 3, action: Spawn(name: "ball", shape: Sphere(radius: 1))),
        (step: 9, action: Remove("late")),
        (step: 8, through: 10, action: Torque(body: "late", torque: (1, 0, 0))),
        (step: 10, action: Remove("late")),
        (step: 11, action: SetVelocity(body: "ball", linear: (1e6, 0, 0))),
    ],"#
    )));
}

#[test]
fn many_problems_are_counted() {
    let lines = "(name: \"\", shape: Sphere(radius: 1)),".repeat(50);
    let message = refusal(&scene(&format!("bodies: [\n{lines}\n],")));
    assert!(message.ends_with("... and 79 more problems"), "{message}");
    // 50 empty names and 49 repetitions, of which 20 are shown.
    assert_eq!(50 + 49 - 20, 79);
}

#[test]
fn a_message_has_colours_only_where_they_are_wanted() {
    let error = parse("bad.ron", "(").expect_err("this is not a scene");
    assert!(error.render(true).contains('\u{1b}'));
    assert!(!error.render(false).contains('\u{1b}'));
    assert_eq!(error.to_string(), error.render(false));
}

#[test]
fn a_line_too_long_to_show_is_named_by_its_column() {
    let message = refusal(&format!("(version: 1, name: \"long\",\n{} bodies: 3)", " ".repeat(5000)));
    assert!(message.contains("bad.ron:2:5010") && message.len() < 400, "{message}");
}

#[test]
fn joints() {
    let with = |joint: &str| {
        scene(&format!(
            "    bodies: [
        (name: \"ball\", shape: Sphere(radius: 1)),
        (name: \"post\", kind: Static, shape: Sphere(radius: 1)),
        (name: \"wall\", kind: Static, shape: Sphere(radius: 1)),
    ],
    groups: [(name: \"rope\", body: (shape: Sphere(radius: 0.1)),
        layout: Chain(origin: (0, 9, 0), count: 3, spacing: (0, -0.5, 0)))],
    joints: [
        ({joint}),
    ],
    inputs: [(step: 7, action: Spawn(name: \"late\", position: Origin(0, 5, 0), shape: Sphere(radius: 1)))],"
        ))
    };
    let joint = |keys: &str| with(&format!("name: \"j\", kind: Spherical, {keys}"));
    assert_snapshot!(messages([
        &*joint("a: \"bal\", anchor_a: (0, 0, 0)"),
        &joint("a: \"ball\", b: \"rope[3]\", anchor_a: (0, 0, 0)"),
        &joint("a: \"ball\", b: \"rope\", anchor_a: (0, 0, 0)"),
        &joint("a: \"ball\", b: \"late\", anchor_a: (0, 0, 0)"),
        &joint("a: \"ball\", b: \"ball\", anchor_a: (0, 0, 0)"),
        &joint("a: \"post\", b: \"wall\", anchor_a: (0, 0, 0)"),
        &joint("a: \"post\", anchor_a: (0, 0, 0)"),
        &joint("a: \"ball\", b: \"post\""),
        &joint("a: \"ball\", at: (0, 1, 0), anchor_b: (0, 1, 0)"),
        &joint("a: \"ball\", anchor_a: (0, 10001, 0)"),
        &joint("a: \"ball\", anchor_b: (0, 0, -30001)"),
        &joint("a: \"ball\", anchor_a: (0, nan, 0)"),
        &joint("b: \"ball\", anchor_a: (0, 0, 0)"),
        &with("name: \"j\", kind: Hinge, a: \"ball\", anchor_a: (0, 0, 0)"),
        &with("name: \"\", kind: Spherical, a: \"ball\", anchor_a: (0, 0, 0)"),
        &with("name: \"rope[0]+rope[1]\", kind: Spherical, a: \"ball\", anchor_a: (0, 0, 0)"),
        &with(
            "name: \"j\", kind: Spherical, a: \"ball\", anchor_a: (0, 0, 0)),\n        \
             (name: \"j\", kind: Spherical, a: \"ball\", b: \"post\", at: (0, 0, 0)",
        ),
        &scene(
            "    bodies: [],
    groups: [(name: \"rope\", body: (kind: Static, shape: Sphere(radius: 0.1)),
        layout: Chain(origin: (0, 9, 0), count: 3, spacing: (0, -0.5, 0)))],",
        ),
        &scene(
            "    bodies: [],
    groups: [(name: \"block\", body: (shape: Sphere(radius: 0.1)),
        layout: Net(origin: (0, 0, 0), count: (80, 80, 80), spacing: (0.25, 0.25, 0.25)))],",
        ),
    ]));
}

#[test]
fn queries() {
    let bodies = "bodies: [(name: \"a\", shape: Sphere(radius: 1))],";
    let asked = |query: &str| scene(&format!("    {bodies}\n    queries: {{\"q\": {query}}},"));
    assert_snapshot!(messages([
        &*asked("Ray(from: (0, 1, 0), to: (0, 1, 0))"),
        &asked("Ray(from: (0, 1, 0))"),
        &asked("Ray(from: (0, 1, 0), direction: (0, 1, 0))"),
        &asked("Ray(from: (0, 1, 0), to: (0, 30001, 0), filter: (sees: [\"wal\"], except: [\"b\"]))"),
        &asked("Cast(shape: HalfSpace(normal: (0, 1, 0)), from: (0, 0, 0), to: (1, 0, 0))"),
        &asked("Overlap(shape: Named(\"x\"), at: (0, 0, 0))"),
        &asked("Overlap(shape: Sphere(radius: 0), at: (0, 0, 0), orientation: Quaternion(0, 0, 0, 0))"),
        &asked("Nearest(at: (0, 0, 0), within: -1)"),
        &asked("Between(bodies: (\"a\", \"a\"))"),
        &asked("Meet(bodies: (\"a\", \"b\"), seconds: 1001)"),
        &asked("Raycast(from: (0, 0, 0), to: (0, 1, 0))"),
    ]));
}

#[test]
fn a_comment_without_an_end_is_no_empty_scene() {
    assert!(refusal("/* all of it /* ").contains("a comment is not closed"));
    assert!(refusal("/* all of it */ ").contains("the scene is empty"));
}

#[test]
fn what_never_moves_is_given_no_velocity() {
    let given = |action: &str| {
        refusal(&scene(&format!(
            "    bodies: [(name: \"a\", kind: Static, shape: Sphere(radius: 1))],\n    inputs: [(step: 1, action: {action})],"
        )))
    };
    for action in ["SetVelocity(body: \"a\", linear: (1, 0, 0))", "AddVelocity(body: \"a\", linear: (1, 0, 0))"] {
        assert!(given(action).contains("the body `a` is static and never moves"), "{}", given(action));
    }
}

#[test]
fn filters_and_sensors() {
    let many: Vec<String> = (0..32).map(|number| format!("\"c{number}\"")).collect();
    let ball = "shape: Sphere(radius: 1)";
    assert_snapshot!(messages([
        &*scene(&format!(
            "    bodies: [(name: \"a\", {ball}, filter: (category: [\"wal\"]))],\n    categories: [\"wall\"],"
        )),
        &scene(&format!("    bodies: [(name: \"a\", {ball}, filter: (mask: [\"wall\"]))],")),
        &scene(&format!("    bodies: [(name: \"a\", {ball}, filter: (layers: [\"wall\"]))],")),
        &scene(&format!(
            "    bodies: [(name: \"a\", colliders: [({ball}, filter: (mask: [\"x\"])), ({ball}, filter: (mask: [\"y\"]))])],"
        )),
        &scene("    categories: [\"wall\", \"default\", \"wall\", \"\"],\n    bodies: [],"),
        &scene(&format!("    categories: [{}],\n    bodies: [],", many.join(", "))),
        &scene(&format!(
            "    excluded_pairs: [(\"a\", \"a\"), (\"a\", \"bb\")],\n    bodies: [(name: \"a\", {ball})],"
        )),
        &body(&format!("name: \"a\", {ball}, trigger: true")),
        &body("name: \"a\", sensor: true, colliders: [(shape: Sphere(radius: 1))]"),
        &body(&format!("name: \"a\", {ball}, sensor: true")),
        &body(&format!("name: \"a\", colliders: [({ball}, sensor: true)], mass: Total(2)")),
        &body("name: \"a\", shape: HalfSpace(normal: (0, 1, 0)), sensor: true, kind: Kinematic"),
        &scene("    bodies: [],\n    broad_phase: Sap,"),
    ]));
}

/// Where in the text an expression is wrong, and where in a shape it is no density.
#[test]
fn densities_that_are_none() {
    let of = |density: &str| {
        scene(&format!(
            "    materials: {{\n        \"m\": (density: {density}),\n    }},\n    bodies: [\n        (name: \"die\", shape: Cuboid(half_extents: (1, 1, 1)), material: \"m\"),\n    ],"
        ))
    };
    let formulas = [
        "\"1000*(1 + w)\"",
        "\"1000*(1 + 2x)\"",
        "\"1000*(1 + \\u{78}y)\"",
        "r#\"sin^2 x\"#",
        "\"1000 +\"",
        "\"\"",
        "\"sqrt(x)\"",
        "\"0x\"",
        "\"1e300 x^2\"",
        "\"1e9\"",
        "\"1 + abs(sin(1/(x + y)))\"",
        "many",
        "(1000)",
    ];
    let scenes = formulas.map(of);
    assert_snapshot!(messages(scenes.iter().map(String::as_str)));
}
