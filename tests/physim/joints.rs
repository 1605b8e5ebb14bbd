//! Joints through the tools: shown, named, left out, taken along to a later start, and gone with their bodies.

use std::sync::Arc;

use physim::dynamics::joint::{Joint, WORLD};
use physim::math::Scalar;
use physim::scene::Scene;
use physim::session::Session;
use physim::session::rebase::rebase;
use physim::session::record::RunPlan;

use crate::common::{parse, session};
use crate::on_every_scalar;
use crate::support::folder::Folder;
use crate::support::program::physim;

/// A lamp that hangs from the world and a shade that hangs from the lamp, at rest; beside them a box that nothing holds.
const LAMP: &str = r#"(version: 1, name: "lamp", steps: 60, dt: "1/50", gravity: (0, -10, 0), solver: Impulse(substeps: 10), bodies: [
    (name: "lamp", mass: Total(2), shape: Sphere(radius: 0.1)),
    (name: "shade", mass: Total(1), position: Origin(0, -1, 0), shape: Sphere(radius: 0.1)),
    (name: "box", mass: Total(1), position: Origin(5, 0, 0), shape: Cuboid(half_extents: (0.1, 0.1, 0.1))),
], joints: [
    (name: "hook", kind: Spherical, a: "lamp", anchor_b: (0, 1, 0)),
    (name: "cord", kind: Spherical, a: "shade", b: "lamp", anchor_b: (0, -0.1, 0)),
])"#;

fn length(vector: &serde_json::Value) -> f64 {
    let components = vector.as_array().expect("three numbers").iter().map(|number| number.as_f64().expect("a number"));
    components.map(|component| component * component).sum::<f64>().sqrt()
}

/// What hangs is carried: 3 kg by the hook, 1 kg by the cord, at 10 m/s^2; and a joint gives way by `F / (m w^2)`, where w is a
/// quarter of the substeps' rate.
#[test]
fn show_tells_what_a_joint_bears_and_how_far_it_is_open() {
    let folder = Folder::new();
    folder.write("scene.ron", LAMP);
    physim(&folder, &["run", "scene.ron", "-o", "a.mcap"]).exits(0);
    let json = physim(&folder, &["show", "a.mcap", "--step", "last", "--format", "json"]).exits(0).json();
    let joints = json["joints"].as_array().expect("a list");
    let names: Vec<&str> = joints.iter().map(|joint| joint["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["cord", "hook"]);
    let rate = std::f64::consts::FRAC_PI_2 * 500.0;
    for (joint, (force, mass)) in joints.iter().zip([(10.0, 2.0 / 3.0), (30.0, 2.0)]) {
        assert_eq!(joint["kind"], "Spherical");
        assert!((length(&joint["force"]) - force).abs() < 1e-3, "{joint}");
        assert!((length(&joint["impulse"]) - force / 50.0).abs() < 1e-4, "{joint}");
        let open = force / (mass * rate * rate);
        assert!((joint["error"].as_f64().expect("metres") - open).abs() < 0.05 * open, "{joint}: {open}");
    }
    assert_eq!((&joints[0]["a"], &joints[0]["b"]), (&"shade".into(), &"lamp".into()));
    assert!(joints[1]["b"].is_null() && joints[1]["anchor_b"] == serde_json::json!([0.0, 1.0, 0.0]), "{}", joints[1]);
    let start = physim(&folder, &["show", "a.mcap", "--step", "0", "--format", "json"]).exits(0).json();
    assert!(start["joints"][0]["force"].is_null() && start["joints"][0]["error"].as_f64() < Some(1e-9), "{start}");
    let some =
        physim(&folder, &["show", "a.mcap", "--step", "9", "--body", "shade", "--format", "json"]).exits(0).json();
    assert_eq!(some["joints"].as_array().map(Vec::len), Some(1));
    let text = physim(&folder, &["show", "a.mcap", "--step", "last"]).exits(0).stdout();
    assert!(text.contains("hook") && text.contains("the world"), "{text}");
}

/// Some units in the last place of what a joint keeps while the lamp swings: named where they are, and followed to both its bodies.
#[test]
fn diff_names_the_joint_and_follows_it() {
    let folder = Folder::new();
    folder.write("scene.ron", LAMP.replace("(name: \"lamp\",", "(name: \"lamp\", linear_velocity: (1, 0, 2),"));
    physim(&folder, &["run", "scene.ron", "--scalar", "f64", "-o", "a.mcap"]).exits(0);
    let fault = "ulp@20,section=joints,object=cord,field=impulse.y,ulps=4096";
    physim(&folder, &["run", "scene.ron", "--scalar", "f64", "-o", "b.mcap", "--fault", fault]).exits(0);
    let json = physim(&folder, &["diff", "a.mcap", "b.mcap", "--format", "json"]).exits(1).json();
    let first = &json["first"];
    assert_eq!((&first["step"], &first["section"], &first["object"]), (&20.into(), &"joints".into(), &"cord".into()));
    assert_eq!(first["field"], "impulse.y", "{first}");
    let path: Vec<String> = json["path"]
        .as_array()
        .expect("a path")
        .iter()
        .map(|reached| reached["body"].as_str().expect("a body").to_owned())
        .collect();
    assert!(path.contains(&"lamp".to_owned()) && path.contains(&"shade".to_owned()), "{json}");
    assert!(!path.contains(&"box".to_owned()), "{json}");
    // What begins in the shade reaches the lamp by the cord.
    let fault = "ulp@20,object=shade,field=linear_velocity.x,ulps=4096";
    physim(&folder, &["run", "scene.ron", "--scalar", "f64", "-o", "c.mcap", "--fault", fault]).exits(0);
    let json = physim(&folder, &["diff", "a.mcap", "c.mcap", "--format", "json"]).exits(1).json();
    let reached = json["path"].as_array().expect("a path");
    let lamp = reached.iter().find(|reached| reached["body"] == "lamp").expect("the lamp");
    assert_eq!((&lamp["from"], &lamp["through"]), (&"shade".into(), &"joint cord".into()), "{json}");
}

#[test]
fn minimize_leaves_out_joints_and_those_of_bodies_that_go() {
    let folder = Folder::new();
    folder.write("scene.ron", LAMP);
    let fault = "ulp@20,object=box,field=position.x";
    physim(&folder, &["minimize", "scene.ron", "--fault", fault, "-o", "box.ron"]).exits(0);
    let scene = physim::scene::load(&folder.path("box.ron")).expect("a scene");
    assert_eq!((scene.bodies.len(), scene.joints.len()), (1, 0));
    let fault = "ulp@20,section=joints,object=cord,field=impulse.y";
    physim(&folder, &["minimize", "scene.ron", "--fault", fault, "-o", "cord.ron"]).exits(0);
    let scene = physim::scene::load(&folder.path("cord.ron")).expect("a scene");
    // What the cord hangs from may be the world.
    assert_eq!((scene.bodies.len(), scene.joints.len()), (1, 1));
}

fn advance<S: Scalar>(session: &mut Session<S>, steps: u32) {
    for _ in 0..steps {
        session.advance(&mut ()).expect("a step");
    }
}

/// A swinging pair, of which the upper body leaves.
const LEAVING: &str = r#"(version: 1, name: "leaving", steps: 40, bodies: [
    (name: "a", position: Origin(1, 0, 0), shape: Cuboid(half_extents: (0.3, 0.1, 0.2))),
    (name: "b", position: Origin(2, 0, 0), shape: Sphere(radius: 0.2), angular_velocity: (1, 2, 3)),
    (name: "c", position: Origin(3, 0, 1), shape: Sphere(radius: 0.2)),
    (name: "post", kind: Static, position: Origin(9, 0, 0), shape: Sphere(radius: 0.2)),
], joints: [
    (name: "1", kind: Spherical, a: "a", anchor_b: (0, 0.5, 0)),
    (name: "2", kind: Spherical, a: "b", b: "a", at: (1.5, 0, 0)),
    (name: "3", kind: Spherical, a: "c", b: "b", at: (2.5, 0, 0.5)),
    (name: "4", kind: Spherical, a: "c", b: "post", anchor_a: (0, 0, 0)),
], inputs: [
    (step: 9, action: Spawn(name: "late", position: Origin(0, 5, 0), shape: Sphere(radius: 0.1))),
    (step: 20, action: Remove("a")),
    (step: 30, action: Remove("post")),
])"#;

/// Restored at every step into a world full of nonsense, the next hash is that of the run that never stopped.
fn a_restore_changes_nothing<S: Scalar>() {
    let scene = parse(LEAVING);
    let (mut running, mut scrambled) = (session::<S>(&scene), session::<S>(&scene));
    for step in 0..scene.steps {
        scrambled.scramble(u64::from(step));
        scrambled.restore(&running.encoded().to_bytes()).expect("a state");
        assert_eq!(scrambled.hash(), running.hash(), "restored after {step}");
        scrambled.scramble_derived(u64::from(step));
        advance(&mut scrambled, 1);
        advance(&mut running, 1);
        assert_eq!(scrambled.hash(), running.hash(), "after step {}", step + 1);
    }
}

/// The names of the joints that are left, of the bodies that are left.
fn joints_go_with_their_bodies<S: Scalar>() {
    let mut session = session::<S>(&parse(LEAVING));
    let mut names = |until: u32| {
        let steps = until - session.step_number();
        advance(&mut session, steps);
        let joints = session.world().joints();
        joints.iter().map(|joint| (joint.id, joint.name.to_string())).collect::<Vec<_>>()
    };
    let named = |ids: &[u32]| ids.iter().map(|id| (*id, (id + 1).to_string())).collect::<Vec<_>>();
    assert_eq!(names(19), named(&[0, 1, 2, 3]));
    assert_eq!(names(20), named(&[2, 3]));
    assert_eq!(names(30), named(&[2]));
}

#[test]
fn joints_are_state_and_go_with_their_bodies() {
    on_every_scalar!(a_restore_changes_nothing);
    on_every_scalar!(joints_go_with_their_bodies);
}

/// A later start has the joints that are left, with the anchors that they have.
fn a_later_start_keeps_joints<S: Scalar>() {
    let scene = Arc::new(Scene { scalar: S::KIND, ..parse(LEAVING).as_ref().clone() });
    let plan = RunPlan::new(Arc::clone(&scene));
    for (start, left) in [(1, 4), (19, 4), (25, 2)] {
        let rebased = Arc::new(rebase(&plan, start, &mut |_| true).expect("a later start"));
        physim::scene::validate::validate(&rebased).unwrap_or_else(|error| panic!("{start}: {error}"));
        let mut running = session::<S>(&scene);
        advance(&mut running, start);
        let places = |joint: &Joint<S>| (joint.name.to_string(), joint.b == WORLD, joint.anchor_a, joint.anchor_b);
        let truth: Vec<_> = running.world().joints().iter().map(places).collect();
        let later: Vec<_> = session::<S>(&rebased).world().joints().iter().map(places).collect();
        assert_eq!(truth.len(), left);
        assert_eq!(later, truth, "after step {start}");
    }
}

#[test]
fn a_later_start_keeps_joints_on_every_scalar() {
    on_every_scalar!(a_later_start_keeps_joints);
}
