//! Solids that are cut into hulls when a scene is loaded.

use insta::assert_snapshot;

use crate::scene::generate::expand;
use crate::scene::input::append_inputs;
use crate::scene::model::{Action, Shape};
use crate::scene::overrides::{apply_override, has_overrides};
use crate::scene::parse::{parse, parse_with_solids};
use crate::scene::query::parse_query;
use crate::scene::resolve::{ResolvedShape, spawned_bodies};
use crate::scene::tests::bad::{body, messages, scene};
use crate::scene::tests::files::Folder;
use crate::scene::{Scene, load};

/// Two bars that meet at a right angle, of 0.018 m^3 and 0.012 m^3.
const ELL: &str = "points: [(0, 0, 0), (0.6, 0, 0), (0.6, 0.1, 0), (0.1, 0.1, 0), (0.1, 0.5, 0), (0, 0.5, 0), (0, 0, 0.3), (0.6, 0, 0.3), \
    (0.6, 0.1, 0.3), (0.1, 0.1, 0.3), (0.1, 0.5, 0.3), (0, 0.5, 0.3)], triangles: [(0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 5, 4), (6, 7, 8), (6, 8, 9), \
    (6, 9, 10), (6, 10, 11), (0, 1, 7), (0, 7, 6), (1, 2, 8), (1, 8, 7), (2, 3, 9), (2, 9, 8), (3, 4, 10), (3, 10, 9), (4, 5, 11), (4, 11, 10), (5, 0, 6), (5, 6, 11)]";

/// The same as an OBJ, in centimetres.
fn ell_as_obj() -> String {
    let Some(Shape::Decomposed { points, triangles, .. }) =
        ron::from_str(&format!("Decomposed({ELL})")).ok().map(|shape: Shape| shape)
    else {
        panic!("a solid")
    };
    let vertices = points.points().iter().map(|point| {
        let [x, y, z] = [&point.0, &point.1, &point.2].map(|metres| metres.to_f64() * 100.0);
        format!("v {x:.0} {y:.0} {z:.0}\n")
    });
    let faces = triangles.listed().iter().map(|(a, b, c)| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
    vertices.chain(faces).collect()
}

fn parsed(text: &str) -> Scene {
    parse("text", text).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

fn with_everything() -> String {
    format!(
        "(version: 1, name: \"solids\", materials: {{\"oak\": (density: 700)}}, shapes: {{\"ell\": Decomposed({ELL}), \"bracket\": Named(\"ell\"), \
         \"wedge\": Decomposed(points: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], triangles: [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])}}, bodies: [\
         (name: \"a\", shape: Named(\"bracket\"), material: \"oak\"), \
         (name: \"b\", kind: Static, shape: Decomposed({ELL})), \
         (name: \"c\", colliders: [(shape: Sphere(radius: 0.1)), (shape: Named(\"ell\"), offset: (0, 1, 0), material: \"oak\", sensor: true), (shape: Named(\"wedge\"))])], \
         groups: [(name: \"g\", body: (shape: Named(\"ell\")), layout: Stack(origin: (9, 0, 0), spacing: (0, 1, 0), count: 3))], \
         inputs: [(step: 3, action: Spawn(name: \"s\", shape: Decomposed({ELL})))])"
    )
}

#[test]
fn a_loaded_scene_has_hulls_and_no_solid() {
    let (scene, solids) = parse_with_solids("text", &with_everything()).unwrap_or_else(|error| panic!("{error}"));
    assert!(!scene.has_solids());
    let names: Vec<&str> = scene.shapes.keys().map(String::as_str).collect();
    assert_eq!(names, ["ell[0]", "ell[1]", "wedge"]);
    let places: Vec<(&str, usize, usize)> =
        solids.iter().map(|solid| (solid.place.as_str(), solid.parts.hulls.len(), solid.parts.corners)).collect();
    let ell = |place| (place, 2, 16);
    assert_eq!(
        places,
        [ell("shapes.ell"), ("shapes.wedge", 1, 4), ell("bodies.b.shape"), ell("inputs[0].action.shape")]
    );
    for solid in &solids {
        let share = solid.parts.parts_volume / solid.parts.solid_volume;
        // The bars are 0.1 m thick, and corners lie on a grid of 2^-20 m.
        assert!((share - 1.0).abs() < 1e-5, "{share}");
    }
    assert!((solids[0].parts.solid_volume - 0.03).abs() < 1e-9);

    let a = &scene.bodies[0];
    assert_eq!((&a.shape, &a.material), (&None, &None));
    assert!(a.colliders.iter().all(|collider| collider.material.as_deref() == Some("oak")));
    let c = &scene.bodies[2].colliders;
    assert_eq!(c.len(), 4);
    assert!(c[1..3].iter().all(|part| part.sensor && part.offset.1.as_str() == "1"));
    assert_eq!(c[3].shape, Shape::Named("wedge".to_owned()));
    assert!(matches!(scene.shapes["wedge"], Shape::Hull { .. }));
    let Action::Spawn(spawned) = &scene.inputs[0].action else { panic!("a spawn") };
    assert_eq!(spawned.colliders.len(), 2);

    let text = scene.to_canonical_ron();
    assert!(!text.contains("Decomposed"));
    assert_eq!(parsed(&text), scene);
    // Corners are those of the scene, digit by digit, and the cut goes through such.
    assert_eq!(text.matches("0.600000").count() + text.matches("0.59999").count(), 0);
}

#[test]
fn a_body_has_the_same_colliders_before_and_after_its_solids_are_written_out() {
    let text = with_everything();
    // As a program makes it that does not parse a text: nothing is written out yet.
    let whole: Scene = crate::scene::parse::read_canonical(&text).expect("a scene");
    assert!(whole.has_solids());
    let written = parsed(&text);
    assert_eq!(expand(&whole).expect("bodies"), expand(&written).expect("bodies"));
    let spawned = |scene: &Scene| spawned_bodies(scene, &scene.inputs).collect::<Vec<_>>();
    assert_eq!(spawned(&whole), spawned(&written));
    assert_eq!(whole.to_canonical_ron(), written.to_canonical_ron());
}

#[test]
fn a_solid_from_a_file_is_that_of_its_triangles() {
    let folder = Folder::new("solid-files");
    folder.write("ell.obj", ell_as_obj());
    let text = |shape: &str| format!("(version: 1, name: \"file\", bodies: [(name: \"a\", shape: {shape})])");
    folder.write("scene.ron", text("Decomposed(file: \"ell.obj\", scale: 0.01)"));
    let from_file = load(&folder.0.join("scene.ron")).unwrap_or_else(|error| panic!("{}", error.render(false)));
    assert_eq!(from_file, parsed(&text(&format!("Decomposed({ELL})"))));
    folder.write("open.obj", ell_as_obj().replace("f 1 6 5\n", ""));
    folder.write("scene.ron", text("Decomposed(file: \"open.obj\", scale: 0.01, most_parts: 2)"));
    let error = load(&folder.0.join("scene.ron")).expect_err("not closed").render(false);
    assert_snapshot!(error.replace(&folder.0.display().to_string(), "FOLDER"));
}

#[test]
fn a_solid_comes_by_override_and_by_line() {
    let mut scene = parsed(
        "(version: 1, name: \"x\", shapes: {\"s\": Sphere(radius: 1)}, bodies: [(name: \"a\", shape: Named(\"s\"))])",
    );
    let assignment = format!("shapes.s=Decomposed({ELL})");
    apply_override(&mut scene, &assignment).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(scene.bodies[0].colliders.len(), 2);
    assert!(has_overrides(&scene, &[assignment, "scalar=Fixed".to_owned()]));
    assert!(!has_overrides(&scene, &["scalar=F32".to_owned()]));
    let line = format!("(step: 1, action: Spawn(name: \"b\", shape: Decomposed({ELL})))");
    append_inputs(&mut scene, "inputs", &line).unwrap_or_else(|error| panic!("{error}"));
    assert!(!scene.has_solids());
}

#[test]
fn most_corners_and_most_parts_limit_what_comes() {
    let text = |settings: &str| {
        format!("(version: 1, name: \"x\", bodies: [(name: \"a\", shape: Decomposed({ELL}{settings}))])")
    };
    let counts = |settings: &str| -> Vec<usize> {
        let bodies = expand(&parsed(&text(settings))).expect("bodies");
        let corners = |shape: &ResolvedShape| match shape {
            ResolvedShape::Hull(placed) => placed.hull.corners().len(),
            _ => panic!("a hull"),
        };
        bodies[0].colliders.iter().map(|collider| corners(&collider.shape)).collect()
    };
    assert_eq!(counts(""), [8, 8]);
    assert_eq!(counts(", most_corners: 5"), [5, 5]);
    assert_eq!(counts(", most_parts: 1"), [10]);
    // The hull around it has half of 0.5 * 0.4 * 0.3 more, 100 % of its volume: 0.03 m^3.
    assert_eq!(counts(", tolerance: 1.001"), [10]);
    assert_eq!(counts(", tolerance: 0.999"), [8, 8]);
}

#[test]
fn solids_that_are_none() {
    let shape = |shape: &str| body(&format!("name: \"a\", shape: {shape}"));
    let cut = |from: &str, to: &str| shape(&format!("Decomposed({})", ELL.replace(from, to)));
    let scenes = [
        shape("Decomposed()"),
        cut("(0, 4, 3), ", ""),
        cut("(0, 2, 1)", "(0, 1, 2)"),
        cut("(0, 2, 1)", "(0, 2, 12)"),
        cut("(0.6, 0, 0)", "(10001, 0, 0)"),
        shape("Decomposed(points: [(0, 0, 0), (0, 0, 1), (1, 0, 0)], triangles: [(0, 1, 2), (0, 2, 1)])"),
        shape(&format!("Decomposed({ELL}, most_parts: 0)")),
        shape(&format!("Decomposed({ELL}, most_corners: 3)")),
        shape(&format!("Decomposed({ELL}, tolerance: -0.1)")),
        shape(&format!("Decomposed({ELL}, scale: 2)")),
        shape("Decomposed(file: \"ell.obj\")"),
        shape("ConvexDecomposition(file: \"ell.obj\")"),
        scene(&format!(
            "    shapes: {{\"s\": Decomposed({}), \"t\": Named(\"s\")}},\n    bodies: [(name: \"a\", shape: Named(\"t\"))],",
            ELL.replace("(0, 4, 3), ", "")
        )),
        scene(&format!("    shapes: {{\"s\": Decomposed({ELL}), \"s[0]\": Sphere(radius: 1)}},\n    bodies: [],")),
    ];
    assert_snapshot!(messages(scenes.iter().map(String::as_str)));
}

#[test]
fn a_question_asks_with_one_shape() {
    let scene = parsed("(version: 1, name: \"x\", bodies: [])");
    let question = format!("Overlap(shape: Decomposed({ELL}), at: (0, 0, 0))");
    let error = parse_query(&scene, "query", &question).expect_err("several shapes").render(false);
    assert!(error.contains("one shape is asked for here"), "{error}");
}

#[test]
fn what_is_too_much_to_cut_is_refused_before_anything_is_cut() {
    // With 32 parts each, 112 solids of 20 triangles take as much as may be taken.
    let solids = |count: usize, parts: &str| -> String {
        let body = |number: usize| format!("(name: \"b{number}\", shape: Decomposed({ELL}{parts}))");
        (0..count).map(body).collect::<Vec<String>>().join(",\n")
    };
    parsed(&scene(&format!("bodies: [{}]", solids(112, ""))));
    // So many would take an hour.
    let many = scene(&format!("bodies: [{}]", solids(113, ", most_parts: 256, tolerance: 0")));
    let start = std::time::Instant::now();
    let said = parse("text", &many).expect_err("too much").render(false);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    assert!(
        said.contains("the solids of this scene are too much to cut: `bodies[14].shape` is number 15 of them"),
        "{said}"
    );
    let said = parse("text", &scene(&format!("bodies: [{}]", solids(113, "")))).expect_err("too much").render(false);
    for part in [
        "is number 113 of them",
        "expected 18057216 at most",
        "of 32 times 20 and 5000, it is 18152320",
        "`most_parts`",
        "in `shapes`",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // Each body has a line.
    assert!(
        said.contains(" text:116:") && said.contains("`bodies[112].shape` is number 113 of them"),
        "the object is shown: {said}"
    );
    // A name is cut once for all, in how many bodies it may be; and fewer parts are less.
    let named = (0..300)
        .map(|number| format!("(name: \"b{number}\", shape: Named(\"ell\"))"))
        .collect::<Vec<String>>()
        .join(", ");
    parsed(&scene(&format!("shapes: {{\"ell\": Decomposed({ELL})}}, bodies: [{named}]")));
    parsed(&scene(&format!("bodies: [{}]", solids(113, ", most_parts: 2"))));
    // Inputs beside the scene, overrides and files count too.
    let mut own = parsed(&scene("bodies: []"));
    let line = |number: usize| format!("(step: 1, action: Spawn(name: \"s{number}\", shape: Decomposed({ELL})))\n");
    let error = append_inputs(&mut own, "more", &(0..113).map(line).collect::<String>()).expect_err("too much");
    assert!(error.render(false).contains("more:113"), "{}", error.render(false));
    let folder = Folder::new("much-to-cut");
    let mut bodies = String::new();
    for number in 0..15 {
        folder.write(&format!("{number}.obj"), ell_as_obj());
        // Each twice, which is cut once.
        for twin in ["a", "b"] {
            bodies += &format!(
                "(name: \"{number}{twin}\", shape: Decomposed(file: \"{number}.obj\", scale: 0.01, most_parts: 256)),"
            );
        }
    }
    let count = |numbers: usize| {
        scene(&format!(
            "bodies: [{}]",
            bodies.split_inclusive("),").filter(|part| part.len() > 2).take(2 * numbers).collect::<String>()
        ))
    };
    folder.write("some.ron", count(14));
    load(&folder.0.join("some.ron")).unwrap_or_else(|error| panic!("{}", error.render(false)));
    folder.write("many.ron", count(15));
    let said = load(&folder.0.join("many.ron")).expect_err("too much").render(false);
    assert!(said.contains("`bodies[28].shape` is number 15 of them"), "{said}");
}
