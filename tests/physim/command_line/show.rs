//! `physim show`.

use crate::support::folder::Folder;
use crate::support::program::{physim, physim_with_input};
use crate::support::redact::{form, redact};
use crate::support::scenes::{DROP, FLIGHT};

fn recorded(scene: &str) -> Folder {
    let folder = Folder::new();
    folder.write("scene.ron", scene);
    physim(&folder, &["run", "scene.ron", "-o", "a.mcap", "--reason", "a first golden"]).exits(0);
    folder
}

#[test]
fn a_replay_as_a_whole() {
    let folder = recorded(FLIGHT);
    let ran = physim(&folder, &["show", "a.mcap"]).exits(0);
    insta::assert_snapshot!(form(&ran.stdout()));
    let json = physim(&folder, &["show", "a.mcap", "--format", "json"]).exits(0);
    let mut json = json.json();
    json["bytes_per_body"] = 0.into();
    json["bytes_per_contact_point"] = 0.into();
    insta::assert_snapshot!(redact(&serde_json::to_string_pretty(&json).expect("text")));
    let csv = physim(&folder, &["show", "a.mcap", "--format", "csv"]).exits(0);
    insta::assert_snapshot!(csv.stdout());
}

#[test]
fn the_state_of_one_step() {
    let folder = recorded(FLIGHT);
    let text = physim(&folder, &["show", "a.mcap", "--step", "5"]).exits(0);
    insta::assert_snapshot!(redact(&text.stdout()));
    let json = physim(&folder, &["show", "a.mcap", "--step", "5", "--format", "json"]).exits(0);
    insta::assert_snapshot!(redact(&json.stdout()));
    let csv = physim(&folder, &["show", "a.mcap", "--step", "5", "--format", "csv"]).exits(0);
    insta::assert_snapshot!(csv.stdout());
}

#[test]
fn contacts_of_one_step() {
    let folder = recorded(DROP);
    let text = physim(&folder, &["show", "a.mcap", "--step", "last"]).exits(0);
    insta::assert_snapshot!(form(&text.stdout()));
    let json = physim(&folder, &["show", "a.mcap", "--step", "last", "--format", "json"]).exits(0).json();
    let contacts = json["contacts"].as_array().expect("a list");
    assert!(!contacts.is_empty());
    for contact in contacts {
        let point = &contact["points"][0];
        assert!(contact["a"].is_string() && contact["b"].is_string(), "{contact}");
        assert!(point["depth"].is_f64() && point["impulse"].is_number() && point["force"].is_number(), "{contact}");
        assert_eq!(point["position"].as_array().map(Vec::len), Some(3), "{contact}");
    }
}

/// What rests is carried: the forces of its contact are its weight, and the impulses this for the length of a step.
#[test]
fn the_force_of_a_contact_is_that_of_a_whole_step() {
    let folder = Folder::new();
    let scene = "(version: 1, name: \"rest\", steps: 60, dt: \"1/50\", gravity: (0, -10, 0), bodies: [
        (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
        (name: \"box\", position: Origin(0, 0.5, 0), shape: Cuboid(half_extents: (0.5, 0.5, 0.5)), mass: Total(3))])";
    folder.write("rest.ron", scene);
    physim(&folder, &["run", "rest.ron", "-o", "rest.mcap"]).exits(0);
    let json = physim(&folder, &["show", "rest.mcap", "--step", "last", "--format", "json"]).exits(0).json();
    let points = json["contacts"][0]["points"].as_array().expect("a list");
    assert_eq!(points.len(), 4);
    let sum = |key: &str| points.iter().filter_map(|point| point[key].as_f64()).sum::<f64>();
    let (force, impulse) = (sum("force"), sum("impulse"));
    assert!((force - 30.0).abs() < 0.03 && (impulse - 0.6).abs() < 0.0006, "{force} N, {impulse} N s");
}

/// What struck and parted within one step is told: the impulse is what the body's momentum changed by, also where no point is left.
#[test]
fn the_impulse_of_a_contact_that_parted_within_the_step_is_told() {
    let folder = Folder::new();
    let scene = "(version: 1, name: \"blow\", steps: 1, dt: \"1/10\", gravity: (0, 0, 0),
        materials: {\"smooth\": (friction: 0, restitution: 0.5)}, bodies: [
        (name: \"wall\", kind: Static, position: Origin(2, 0, 0), material: \"smooth\", shape: Cuboid(half_extents: (0.5, 9, 9))),
        (name: \"box\", position: Origin(0, 0, 0), material: \"smooth\", shape: Cuboid(half_extents: (0.1, 0.1, 0.1)),
         mass: Total(3), linear_velocity: (100, 0, 0), angular_velocity: (40, 30, 20))])";
    folder.write("blow.ron", scene);
    for scalar in ["fixed", "f32", "f64"] {
        physim(&folder, &["run", "blow.ron", "--scalar", scalar, "-o", "blow.mcap", "--force"]).exits(0);
        let json = physim(&folder, &["show", "blow.mcap", "--step", "1", "--format", "json"]).exits(0).json();
        let velocity = json["bodies"].as_array().expect("bodies").iter().find(|body| body["name"] == "box");
        let velocity = velocity.and_then(|body| body["linear_velocity"][0].as_f64()).expect("a velocity");
        let impulse = json["contacts"][0]["impulse"].as_f64().expect("an impulse");
        let force = json["contacts"][0]["force"].as_f64().expect("a force");
        assert!(velocity < 0.0, "{scalar}: {velocity} m/s, it bounced");
        assert_eq!(json["contacts"][0]["points"].as_array().map(Vec::len), Some(0), "{scalar}: {json}");
        assert!((impulse - 3.0 * (100.0 - velocity)).abs() < 1e-3, "{scalar}: {impulse} N s, {velocity} m/s");
        assert!((force - impulse * 10.0).abs() < 1e-9 * force, "{scalar}: {force} N");
    }
}

#[test]
fn one_body_over_time() {
    let folder = recorded(FLIGHT);
    let text = physim(&folder, &["show", "a.mcap", "--body", "ball"]).exits(0);
    insta::assert_snapshot!(text.stdout());
    let csv = physim(&folder, &["show", "a.mcap", "--body", "ball", "--format", "csv"]).exits(0);
    assert_eq!(csv.stdout().lines().nth(4), Some("3,0.046875,3,0,0,1,0,0,0,64,0,0,0,0,0,false"));
    let json = physim(&folder, &["show", "a.mcap", "--body", "ball", "--format", "json"]).exits(0).json();
    assert_eq!(json["track"].as_array().map(Vec::len), Some(13));
    assert_eq!(json["track"][12]["position"], serde_json::json!([12.0, 0.0, 0.0]));
}

#[test]
fn steps_and_bodies_that_are_not_there() {
    let folder = recorded(FLIGHT);
    for (arguments, answer) in [
        (["--step", "13"].as_slice(), "the replay holds steps 0 to 12"),
        (&["--body", "bal"], "there is no body \"bal\""),
        (&["--body", "bal", "--step", "3"], "there is no body \"bal\""),
        (&["--step=-1"], "expected a step number or `last`"),
        (&["--step", "first"], "expected a step number or `last`"),
    ] {
        let ran = physim(&folder, &[["show", "a.mcap"].as_slice(), arguments].concat()).exits(2);
        assert!(ran.stderr.contains(answer), "{arguments:?}: {}", ran.stderr);
        assert_eq!(ran.stdout(), "");
    }
    physim(&folder, &["show", "missing.mcap"]).exits(2);
    physim(&folder, &["show", "."]).exits(2);
    physim(&folder, &["show", "scene.ron"]).exits(3);
}

#[test]
fn a_damaged_replay_is_shown_as_far_as_it_goes() {
    let folder = recorded(FLIGHT);
    let whole = folder.read("a.mcap");
    let cut = &whole[..whole.len() / 2];
    folder.write("a.mcap.partial", cut);
    let ran = physim(&folder, &["show", "a.mcap.partial", "--format", "json"]).exits(3);
    assert!(ran.stderr.starts_with("warning: a.mcap.partial is damaged: "), "{}", ran.stderr);
    let json = ran.json();
    assert_eq!((&json["damaged"], &json["outcome"]), (&true.into(), &serde_json::Value::Null));
    let last = json["steps"].as_u64().expect("a number");
    assert_eq!(last % 4, 0, "all up to a keyframe");
    let piped = physim_with_input(&folder, &["show", "-", "--step", "last"], cut).exits(3);
    assert!(piped.stdout().starts_with("<stdin>: step "), "{}", piped.stdout());
    folder.write("head.mcap", &whole[..40]);
    physim(&folder, &["show", "head.mcap"]).exits(3);
}

/// A ball that rolls through a gate, 1/16 m a step, past one that rests in it.
const GATE: &str =
    "(version: 1, name: \"gate\", steps: 60, dt: \"1/64\", gravity: (0, 0, 0), keyframe_every: 8, bodies: [
    (name: \"gate\", kind: Static, shape: Cuboid(half_extents: (0.25, 1, 1)), sensor: true),
    (name: \"guard\", position: Origin(0, 0, 0.75), shape: Sphere(radius: 0.125)),
    (name: \"ball\", position: Origin(-2, 0, 0), linear_velocity: (4, 0, 0), shape: Sphere(radius: 0.25))])";

#[test]
fn what_the_sensors_notice() {
    let folder = recorded(GATE);
    let show =
        |arguments: &[&str]| physim(&folder, &[["show", "a.mcap"].as_slice(), arguments].concat()).exits(0).stdout();
    insta::assert_snapshot!(show(&["--sensors"]));
    insta::assert_snapshot!(show(&["--sensors", "--format", "csv"]));
    insta::assert_snapshot!(show(&["--sensors", "--step", "30..50", "--format", "json"]));
    assert_eq!(show(&["--sensors", "--body", "b*l", "--format", "csv"]).lines().count(), 3);
    assert_eq!(show(&["--sensors", "--step", "5..9", "--body", "ball", "--format", "json"]), "");
    assert!(show(&["--sensors", "--step", "5..9", "--body", "ball"]).ends_with("nothing overlaps a sensor\n"));
    let at_30 = show(&["--step", "30", "--format", "json"]);
    assert!(
        at_30.contains(r#""overlaps":[{"sensor":"gate#0","other":"ball#0"},{"sensor":"gate#0","other":"guard#0"}]"#),
        "{at_30}"
    );
    let without = recorded(FLIGHT);
    let told = physim(&without, &["show", "a.mcap", "--sensors"]).exits(0).stdout();
    assert!(told.ends_with("no sensors: write `sensor: true` beside the shape of a body\n"), "{told}");
}

/// Two boxes of 1 kg and 3 kg, 1 m apart: their centre is 0.75 m from the lighter one, which is at the origin.
const HAMMER: &str = "(version: 1, name: \"hammer\", steps: 12, dt: \"1/64\", gravity: (0, 0, 0), solver: Impulse(substeps: 1),
    materials: {\"heavy\": (density: 3000)}, bodies: [
    (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0)), position: Origin(0, -9, 0)),
    (name: \"gate\", kind: Static, shape: Sphere(radius: 0.5), sensor: true),
    (name: \"anvil\", position: Origin(5, 0, 0), shape: Cuboid(half_extents: (0.5, 0.5, 0.5)), mass: Total(6)),
    (name: \"hammer\", position: Origin(2, 0, 0), linear_velocity: (0, 0, 64), orientation: AxisDegrees(axis: (0, 0, 1), degrees: 90),
        colliders: [
            (shape: Cuboid(half_extents: (0.05, 0.05, 0.05))),
            (shape: Cuboid(half_extents: (0.05, 0.05, 0.05)), offset: (1, 0, 0), material: \"heavy\"),
            (shape: Sphere(radius: 9), sensor: true)])])";

#[test]
fn what_bodies_weigh_and_how_their_mass_lies() {
    let folder = recorded(HAMMER);
    let show = |arguments: &[&str]| physim(&folder, &[["show"].as_slice(), arguments].concat()).exits(0);
    insta::assert_snapshot!(show(&["a.mcap", "--mass"]).stdout());
    let of_scene = show(&["scene.ron", "--mass", "--format", "json"]).json();
    assert_eq!(of_scene, show(&["a.mcap", "--mass", "--format", "json"]).json());
    for file in ["scene.ron", "a.mcap"] {
        let of_input = physim_with_input(&folder, &["show", "-", "--mass", "--format", "json"], &folder.read(file))
            .exits(0)
            .json();
        assert_eq!(of_scene, of_input, "{file} from standard input");
    }
    assert_eq!(of_scene["bodies"], show(&["a.mcap", "--mass", "--step", "last", "--format", "json"]).json()["bodies"]);
    let body = |name: &str| {
        of_scene["bodies"]
            .as_array()
            .expect("bodies")
            .iter()
            .find(|body| body["name"] == name)
            .expect("it is there")
            .clone()
    };
    let near = |found: &serde_json::Value, expected: f64| {
        let found = found.as_f64().expect("a number");
        assert!((found - expected).abs() < 1e-6 * expected.abs().max(1.0), "{found} is not {expected}");
    };
    let hammer = body("hammer");
    near(&hammer["mass"], 4.0);
    near(&hammer["centre"][0], 0.75);
    // A cube of side a has m a^2 / 6; two masses d apart add m1 m2 / (m1 + m2) d^2 across the line between them.
    let own = 4.0 * 0.1 * 0.1 / 6.0;
    for (axis, expected) in [own, own + 0.75, own + 0.75, 0.0, 0.0, 0.0].into_iter().enumerate() {
        near(&hammer["inertia"][axis], expected);
    }
    near(&hammer["shapes"][1]["volume"], 0.001);
    near(&hammer["shapes"][1]["mass"], 3.0);
    near(&hammer["shapes"][1]["centre"][0], 1.0);
    assert_eq!(
        (&hammer["shapes"][2]["sensor"], &hammer["shapes"][2]["mass"]),
        (&true.into(), &serde_json::Value::Null)
    );
    near(&body("anvil")["shapes"][0]["density"], 6.0);
    assert_eq!(
        (&body("floor")["mass"], &body("floor")["shapes"][0]["volume"]),
        (&serde_json::Value::Null, &serde_json::Value::Null)
    );
    assert_eq!(show(&["scene.ron", "--mass", "--body", "ham*", "--format", "csv"]).stdout().lines().count(), 2);
    for (wrong, answer) in [
        (["scene.ron", "--mass", "--step", "3"].as_slice(), "a scene, which has no steps"),
        (&["scene.ron", "--mass", "--sensors"], "cannot be used with"),
        (&["scene.ron", "--mass", "--body", "hamer"], "there is no body \"hamer\""),
        (&["a.mcap", "--mass", "--body", "hamer"], "there is no body \"hamer\""),
    ] {
        let ran = physim(&folder, &[["show"].as_slice(), wrong].concat()).exits(2);
        assert!(ran.stderr.contains(answer), "{wrong:?}: {}", ran.stderr);
    }
}

/// A die of 1 m^3 whose density is `500 (2 + x)`, so that it weighs 1000 kg with its centre 1/24 m along x; and one of 3 kg, spread alike.
#[test]
fn what_bodies_weigh_whose_density_is_a_formula() {
    let folder = recorded(
        "(version: 1, name: \"dice\", steps: 2, materials: {\"leaning\": (density: \"500(2 + x)\")}, bodies: [
        (name: \"die\", position: Origin(0, 1, 0), shape: Cuboid(half_extents: (0.5, 0.5, 0.5)), material: \"leaning\"),
        (name: \"light\", position: Origin(2, 1, 0), shape: Cuboid(half_extents: (0.5, 0.5, 0.5)), material: \"leaning\", mass: Total(3)),
        (name: \"plain\", position: Origin(4, 1, 0), shape: Sphere(radius: 0.5))])",
    );
    let show = |arguments: &[&str]| physim(&folder, &[["show"].as_slice(), arguments].concat()).exits(0);
    let text = show(&["a.mcap", "--mass"]).stdout();
    // The estimate of the error is rounding here: only that it is told counts.
    insta::assert_snapshot!(text.lines().filter(|line| !line.ends_with("e-16")).collect::<Vec<_>>().join("\n"));
    let of_scene = show(&["scene.ron", "--mass", "--format", "json"]).json();
    assert_eq!(of_scene, show(&["a.mcap", "--mass", "--format", "json"]).json(), "the replay holds the formula");
    let shape = |body: usize| &of_scene["bodies"][body]["shapes"][0];
    assert_eq!(shape(0)["expression"], "500(2 + x)");
    assert!(shape(0)["error"].as_f64().is_some_and(|error| error < 1e-12), "{}", shape(0));
    assert_eq!((shape(2).get("expression"), shape(2).get("error")), (None, None));
    for (found, expected) in [
        (&shape(0)["density"], 1000.0),
        (&shape(0)["mass"], 1000.0),
        (&shape(0)["centre"][0], 1.0 / 24.0),
        (&of_scene["bodies"][0]["centre"][0], 1.0 / 24.0),
        (&shape(1)["density"], 3.0),
        (&shape(1)["mass"], 3.0),
        (&shape(1)["centre"][0], 1.0 / 24.0),
    ] {
        let found = found.as_f64().expect("a number");
        assert!((found - expected).abs() < 1e-8 * expected.max(1.0), "{found} is not {expected}");
    }
}

/// The head of the hammer is 1 m from the origin along the handle, which points along y; it moves as the whole does, 1 m a step.
#[test]
fn a_point_of_a_body_and_its_frame() {
    let folder = recorded(HAMMER);
    let show = |arguments: &[&str]| physim(&folder, &[["show", "a.mcap"].as_slice(), arguments].concat()).exits(0);
    insta::assert_snapshot!(show(&["--point", "hammer:(1, 0, 0)", "--step", "3..5"]).stdout());
    let json = show(&["--point", "hammer:(1, 0, 0)", "--format", "json"]).json();
    assert_eq!(json["track"].as_array().map(Vec::len), Some(13));
    let at_last = &json["track"][12];
    for (axis, expected) in [2.0, 1.0, 12.0].into_iter().enumerate() {
        let found = at_last["position"][axis].as_f64().expect("a number");
        assert!((found - expected).abs() < 1e-6, "{at_last}");
    }
    assert_eq!(at_last["velocity"], serde_json::json!([0.0, 0.0, 64.0]));
    assert_eq!(show(&["--point", "hammer:(1, 0, 0)", "--step", "..1", "--format", "csv"]).stdout().lines().count(), 3);
    insta::assert_snapshot!(show(&["--step", "last", "--body", "hammer", "--matrices"]).stdout());
    let json = show(&["--step", "last", "--body", "hammer", "--matrices", "--format", "json"]).json();
    assert_eq!(json["bodies"][0]["body_to_world"][2], serde_json::json!([0.0, 0.0, 1.0, 12.0]));
    assert_eq!(json["bodies"][0]["origin"][2], serde_json::json!(12.0));
    assert!(
        show(&["--step", "1", "--body", "hammer", "--format", "json"]).json()["bodies"][0]
            .get("body_to_world")
            .is_none()
    );
    for (wrong, answer) in [
        (["--point", "hamer:(1, 0, 0)"].as_slice(), "there is no body \"hamer\""),
        (&["--point", "hammer"], "expected a body and a point of its frame"),
        (&["--matrices"], "--step"),
        (&["--matrices", "--step", "1..2"], "a single --step"),
    ] {
        let ran = physim(&folder, &[["show", "a.mcap"].as_slice(), wrong].concat()).exits(2);
        assert!(ran.stderr.contains(answer), "{wrong:?}: {}", ran.stderr);
    }
}
