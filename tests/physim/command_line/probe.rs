//! `physim probe`.

use crate::support::folder::Folder;
use crate::support::program::physim;
use crate::support::redact::redact;

/// A ball of 0.5 falls by 10 m/s^2 beside boxes, a hull and a triangle, all at rest; a step takes 1/64 s.
const PAIRS: &str = "(version: 1, name: \"pairs\", steps: 16, dt: \"1/64\", scalar: F64, gravity: (0, -10, 0), solver: Impulse(substeps: 1), bodies: [
    (name: \"ball\", position: Origin(0, 8, 0), shape: Sphere(radius: 0.5)),
    (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
    (name: \"box\", kind: Static, position: Origin(0, 5, 0), shape: Cuboid(half_extents: (1, 1, 1))),
    (name: \"beam\", kind: Static, position: Origin(1.5, 5.25, 0), shape: Cuboid(half_extents: (1, 0.25, 0.25))),
    (name: \"club\", kind: Static, position: Origin(10, 5, 0), colliders: [
        (shape: Sphere(radius: 0.25)), (shape: Hull(points: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]), offset: (2, 0, 0)),
    ]),
    (name: \"mark\", position: Origin(0, 9, 0), mass: Given(mass: 1, centre: (0, 0, 0), inertia: (1, 1, 1, 0, 0, 0))),
    (name: \"slab\", kind: Static, position: Origin(0, 20, 0),
        shape: Mesh(points: [(-1, 0, -1), (-1, 0, 1), (1, 0, -1), (1, 0, 1)], triangles: [(0, 1, 2), (2, 1, 3)])),
])";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("pairs.ron", PAIRS);
    folder
}

/// The boxes overlap by half a metre along x, their least; the hull's face x + y + z = 1 is 1/sqrt(3) from its corner.
#[test]
fn each_method_tells_the_depth_of_boxes() {
    let folder = folder();
    let ran = physim(&folder, &["probe", "pairs.ron", "box", "beam"]).exits(0);
    insta::assert_snapshot!(redact(&ran.stdout()));
    let json = physim(&folder, &["probe", "pairs.ron", "box", "beam", "--format", "json"]).exits(0).json();
    let near = |value: &serde_json::Value, expected: f64| (value.as_f64().expect("a number") - expected).abs() < 1e-9;
    assert!(near(&json["closest"]["distance"], -0.5) && near(&json["epa"]["depth"], 0.5), "{json}");
    assert!(near(&json["axes"][0]["gap"], -0.5), "{json}");
    assert_eq!(
        json["axes"].as_array().expect("axes").len(),
        12,
        "boxes side by side have six faces each, and no edges that cross"
    );
    let contacts = json["contacts"].as_array().expect("contacts");
    assert_eq!(contacts.len(), 3);
    for contact in contacts {
        assert_eq!(contact["normal"], serde_json::json!([1.0, 0.0, 0.0]), "{contact}");
        assert_eq!(contact["of_run"], contact["method"] == "Auto");
        for point in contact["points"].as_array().expect("points") {
            assert!(near(&point["gap"], -0.5), "{point}");
        }
    }
}

/// After n steps the ball has fallen by `h^2 g n (n + 1) / 2`; from its centre to the box's top it was 2 m.
#[test]
fn a_scene_and_its_replay_are_looked_at_alike() {
    let folder = folder();
    physim(&folder, &["run", "pairs.ron", "-o", "pairs.mcap"]).exits(0);
    let of =
        |source: &str| physim(&folder, &["probe", source, "ball", "box", "--step", "10", "--format", "json"]).exits(0);
    let (scene, replay) = (of("pairs.ron"), of("pairs.mcap"));
    assert_eq!(scene.stdout(), replay.stdout());
    let json = scene.json();
    let fallen = 10.0 / 64.0 / 64.0 * 55.0;
    for distance in [&json["closest"]["distance"], &json["gjk"]["apart"]["distance"]] {
        assert!((distance.as_f64().expect("a number") - (1.5 - fallen)).abs() < 1e-9, "{json}");
    }
    assert!(json["axes"].is_null() && json["epa"].is_null(), "no axes for a ball, no depth of what is apart: {json}");
    let last = physim(&folder, &["probe", "pairs.mcap", "ball", "box", "--format", "json"]).exits(0).json();
    assert_eq!(last["step"], 16, "of a replay the last step");
    let exchanged = physim(&folder, &["probe", "pairs.ron", "box", "ball", "--format", "json"]).exits(0).json();
    assert_eq!(exchanged["shapes"][0]["name"], "box#0");
    assert!(exchanged["closest"]["normal"][1].as_f64() > Some(1.0 - 1e-9), "from the box up to the ball: {exchanged}");
}

#[test]
fn of_several_shapes_the_nearest_or_the_named_one_is_looked_at() {
    let folder = folder();
    let names = |a: &str, b: &str| {
        let json = physim(&folder, &["probe", "pairs.ron", a, b, "--format", "json"]).exits(0).json();
        [0, 1].map(|side| json["shapes"][side]["name"].as_str().expect("a name").to_owned())
    };
    assert_eq!(names("club", "ball"), ["club#0", "ball#0"]);
    assert_eq!(names("club#1", "ball"), ["club#1", "ball#0"]);
    assert_eq!(names("ball", "club#1"), ["ball#0", "club#1"]);
    // The ball is below the slab, which is two triangles in one plane.
    let slab = physim(&folder, &["probe", "pairs.ron", "slab", "ball", "--format", "json"]).exits(0).json();
    assert_eq!(slab["shapes"][0]["what"], "flat piece of 4 corners of a mesh, from triangle 0 on");
    assert!((slab["closest"]["distance"].as_f64().expect("a number") - 11.5).abs() < 1e-9, "{slab}");
}

#[test]
fn what_cannot_be_looked_at_is_told() {
    let folder = folder();
    physim(&folder, &["run", "pairs.ron", "-o", "pairs.mcap"]).exits(0);
    let mut shown = Vec::new();
    for words in [
        ["pairs.ron", "bal", "box"].as_slice(),
        &["pairs.ron", "ball", "ball#0"],
        &["pairs.ron", "club#2", "box"],
        &["pairs.ron", "ball", "mark"],
        &["pairs.ron", "mark#0", "ball"],
        &["pairs.ron", "ball", "box", "--step", "17"],
        &["pairs.mcap", "ball", "box", "--step", "17"],
        &["pairs.mcap", "ball", "box", "--step", "soon"],
        &["pairs.mcap", "ball", "box", "--set", "narrow_phase=Sat"],
        &["pairs.ron", "ball", "box", "--plot", "pair.png"],
        &["pairs.ron", "ball", "box", "--plot", "pairs.ron"],
    ] {
        let ran = physim(&folder, &[["probe"].as_slice(), words].concat()).exits(2);
        shown.push(format!("$ physim probe {}\n{}", words.join(" "), redact(&ran.stderr)));
    }
    insta::assert_snapshot!(shown.join("\n"));
}

/// What is asked may be wrong as well: the status says that the replay is damaged, as for every other command.
#[test]
fn of_a_damaged_replay_the_steps_before_can_be_looked_at() {
    let folder = folder();
    physim(&folder, &["run", "pairs.ron", "-o", "pairs.mcap"]).exits(0);
    let whole = folder.read("pairs.mcap");
    folder.write("cut.mcap", &whole[..whole.len() - 100]);
    for command in
        [["probe", "cut.mcap", "ball", "box"].as_slice(), &["query", "cut.mcap", "Contains(point: (0, 5, 0))"]]
    {
        for (step, word) in [("0", "damaged"), ("17", "there is no step 17"), ("last", "damaged")] {
            let ran = physim(&folder, &[command, &["--step", step]].concat()).exits(3);
            assert!(ran.stderr.contains(word), "{ran:?}");
        }
    }
    physim(&folder, &["probe", "cut.mcap", "ball", "bal"]).exits(3);
}

/// Every element is closed, and all of the picture is within its frame.
#[test]
fn the_picture_shows_both_shapes() {
    let folder = folder();
    for (pair, panels) in [(["box", "beam"], 3), (["ball", "floor"], 2), (["club#1", "box"], 3), (["slab", "ball"], 2)]
    {
        let words = ["probe", "pairs.ron", pair[0], pair[1], "--plot", "pair.svg"];
        physim(&folder, &words).exits(0);
        let svg = String::from_utf8(folder.read("pair.svg")).expect("a text");
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
        assert_eq!(svg.matches("<rect").count(), panels + 1, "a background and {panels} frames");
        for colour in ["#0072b2", "#d55e00"] {
            assert!(svg.contains(colour), "{pair:?} has nothing in {colour}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

#[test]
fn contacts_are_shown_with_shapes_and_features() {
    let folder = Folder::new();
    folder.write(
        "tiles.ron",
        "(version: 1, name: \"tiles\", steps: 30, scalar: F64, bodies: [
            (name: \"slab\", kind: Static,
                shape: Mesh(points: [(-1, 0.5, -1), (-1, 0, 1), (1, 0, -1), (1, 0, 1)], triangles: [(0, 1, 2), (2, 1, 3)])),
            (name: \"ball\", position: Origin(0.5, 0.5, 0.5), shape: Sphere(radius: 0.5), mass: Total(2)),
        ])",
    );
    physim(&folder, &["run", "tiles.ron", "-o", "tiles.mcap"]).exits(0);
    let words = ["show", "tiles.mcap", "--contacts"];
    let json = physim(&folder, &[words.as_slice(), &["--format", "json"]].concat()).exits(0).json();
    let contact =
        json["contacts"].as_array().expect("contacts").iter().find(|contact| contact["impulse"].as_f64() > Some(0.0));
    let contact = contact.expect("a contact that bears the ball");
    // It lies on the second triangle, which is level, and bears m g h in a step.
    assert_eq!((json["step"].as_u64(), contact["triangle"].as_u64()), (Some(30), Some(1)), "{json}");
    assert_eq!(contact["shapes"], serde_json::json!(["ball#0", "slab#0"]));
    let impulse = contact["points"][0]["impulse"].as_f64().expect("an impulse");
    assert!((impulse - 2.0 * 9.81 / 60.0).abs() < 1e-3, "{json}");
    let csv = physim(&folder, &[words.as_slice(), &["--format", "csv", "--step", "28..30"]].concat()).exits(0).stdout();
    let rows: Vec<&str> = csv.lines().collect();
    let columns = rows[0].split(',').count();
    assert!(rows.iter().all(|row| row.split(',').count() == columns), "{csv}");
    for step in ["28,", "29,", "30,"] {
        assert!(rows.iter().any(|row| row.starts_with(step) && row.contains(",ball#0,slab#0,1,")), "{csv}");
    }
    let text = physim(&folder, &words).exits(0).stdout();
    assert!(text.contains("triangle") && text.contains("slab#0"), "{text}");
    let nothing =
        physim(&folder, &["show", "tiles.mcap", "--contacts", "--body", "ball", "--step", "0"]).exits(0).stdout();
    assert!(nothing.contains("0 contacts") && nothing.contains("the first are those of step 1"), "{nothing}");
    let of_scene = physim(&folder, &["show", "tiles.ron", "--contacts"]).exits(3).stderr;
    assert!(of_scene.contains("physim run SCENE -o REPLAY"), "{of_scene}");
}

/// Balls in one place, a ball behind a triangle, bodies that stay, a sensor, an excluded pair, filters: what the methods show is not what a step makes of it.
#[test]
fn what_no_step_makes_of_a_pair_is_told() {
    let folder = Folder::new();
    folder.write(
        "pairs.ron",
        "(version: 1, name: \"pairs\", steps: 4, scalar: F64, categories: [\"ghost\"], excluded_pairs: [(\"p\", \"free\")], bodies: [
            (name: \"p\", position: Origin(0, 5, 0), shape: Sphere(radius: 0.5)), (name: \"q\", position: Origin(0, 5, 0), shape: Sphere(radius: 0.5)),
            (name: \"free\", position: Origin(0, 5, 0), shape: Sphere(radius: 0.5)),
            (name: \"ghost\", position: Origin(0, 5, 0), shape: Sphere(radius: 0.5), filter: (category: [\"ghost\"], mask: [])),
            (name: \"eye\", kind: Kinematic, position: Origin(0, 5, 0), shape: Sphere(radius: 0.5), sensor: true),
            (name: \"s\", kind: Static, position: Origin(0, 5, 0), shape: Sphere(radius: 0.5)), (name: \"t\", kind: Static, shape: Sphere(radius: 0.5)),
            (name: \"slab\", kind: Static, shape: Mesh(points: [(-1, 0, -1), (-1, 0, 1), (1, 0, -1), (1, 0, 1)], triangles: [(0, 1, 2), (2, 1, 3)])),
            (name: \"under\", position: Origin(-0.3, -0.42, -0.3), shape: Sphere(radius: 0.5)),
            (name: \"half\", position: Origin(-0.3, -0.1, -0.3), shape: Sphere(radius: 0.5)),
            (name: \"above\", position: Origin(-0.3, 0.3, -0.3), shape: Sphere(radius: 0.5)),
        ])",
    );
    let text = |a: &str, b: &str| physim(&folder, &["probe", "pairs.ron", a, b]).exits(0).stdout();
    let together = text("p", "q");
    assert!(
        together.contains("0 rounds: they touch or overlap where the search begins") && !together.contains("note"),
        "{together}"
    );
    assert!(
        together.contains("points in one place or plane span no polytope") && !together.contains("vertices"),
        "{together}"
    );
    for (pair, unmet, said) in [
        (["s", "t"], "none_dynamic", "neither body is dynamic: no step makes a contact of them"),
        (["p", "eye"], "sensor", "one of the two is a sensor, which pushes nothing"),
        (["free", "p"], "apart", "a joint joins the two bodies, or the scene excludes them"),
        (["p", "ghost"], "filter", "their filters let the two pass through each other"),
    ] {
        assert!(text(pair[0], pair[1]).contains(&format!("  note: {said}")), "{}", text(pair[0], pair[1]));
        let json = physim(&folder, &["probe", "pairs.ron", pair[0], pair[1], "--format", "json"]).exits(0).json();
        assert_eq!((&json["unmet"], &json["front"]), (&unmet.into(), &serde_json::Value::Null), "{json}");
    }
    // Of what is behind no more than four fifths are: then it is pushed out, by all of its way through the front.
    for (name, is_behind, touches, said) in [
        ("under", true, false, "; the other shape is behind it, and makes no contact"),
        ("half", true, true, "; the other shape reaches behind it, and is pushed that way, not by the nearest"),
        ("above", false, true, "\n"),
    ] {
        for pair in [["slab", name], [name, "slab"]] {
            let told = text(pair[0], pair[1]);
            let front = format!("  note: a triangle of a mesh pushes out of its front only, along (0, 1, 0){said}");
            assert!(told.contains(&front), "{told}");
            let json = physim(&folder, &["probe", "pairs.ron", pair[0], pair[1], "--format", "json"]).exits(0).json();
            assert_eq!(
                json["front"],
                serde_json::json!({"normal": [0.0, 1.0, 0.0], "other_behind": is_behind}),
                "{json}"
            );
            let up = if pair[0] == "slab" { 1.0 } else { -1.0 };
            assert_eq!(json["contacts"][0]["normal"][1].as_f64(), touches.then_some(up), "{json}");
        }
    }
    for command in [&["probe", ".", "p", "q"][..], &["query", "."]] {
        let told = physim(&folder, command).exits(2).stderr;
        assert!(told.contains(". is a folder; name a scene or a replay in it"), "{told}");
    }
}
