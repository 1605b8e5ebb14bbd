//! What newcomers type, and the message that helps them on.

use crate::support::folder::Folder;
use crate::support::program::{physim, physim_with_input};
use crate::support::scenes::{DROP, FLIGHT};

/// A scene with one body of these keys.
fn body(keys: &str) -> String {
    format!("(version: 1, name: \"a\", bodies: [(name: \"b\", {keys})])")
}

#[test]
fn scenes_say_what_was_expected_in_the_words_of_scenes() {
    let folder = Folder::new();
    for (keys, answer) in [
        ("shape: Sphere(0.5)", "expected `Sphere(radius: 0.5)`"),
        ("shape: Sphere(1e-3)", "expected `Sphere(radius: 1e-3)`"),
        ("shape: Cuboid(1, 2, 3)", "expected `Cuboid(half_extents: (1, 2, 3))`"),
        ("shape: Cuboid((1, 2, 3))", "expected `Cuboid(half_extents: (1, 2, 3))`"),
        ("shape: Capsule(1, 0.5)", "expected `Capsule(half_height: 1, radius: 0.5)`"),
        ("shape: HalfSpace(0, 1, 0)", "expected `HalfSpace(normal: (0, 1, 0))`"),
        ("shape: Sphere(radius: 1), mass: 3", "expected `Total(3)`"),
        ("shape: Sphere(radius: 1), mass: Total(mass: 3)", "expected `Total(3)`"),
        ("shape: Sphere(radius: 1), position: (0, 1, 0)", "expected `Origin(0, 1, 0)`"),
        ("shape: Sphere(radius: 1), orientation: 90", "expected one of the choices of this key"),
        ("shape: 0.5", "expected `Sphere(radius: 0.5)`"),
        ("shape: Box(half_extents: (1, 1, 1))", "did you mean `Cuboid`?"),
        ("shape: Plane(normal: (0, 1, 0))", "did you mean `HalfSpace`?"),
        ("shape: Ball(radius: 1)", "did you mean `Sphere`?"),
        ("shape: Sphere(r: 1)", "did you mean `radius`?"),
        ("shape: Sphere(radius: 1), velocity: (1, 0, 0)", "did you mean `linear_velocity`?"),
        ("shape: Sphere(radius: 1), pos: Origin(0, 1, 0)", "did you mean `position`?"),
        ("shape: Sphere(radius: 1), rotation: Quaternion(1, 0, 0, 0)", "did you mean `orientation`?"),
        ("shape: Sphere(radius: 1), kind: Fixed", "did you mean `Static`?"),
    ] {
        folder.write("scene.ron", body(keys));
        let ran = physim(&folder, &["check", "scene.ron"]).exits(2);
        assert!(ran.stderr.contains(answer), "{keys}: {}", ran.stderr);
        for word in ["r#", "raw identifier", "RawValue", "std identifier"] {
            assert!(!ran.stderr.contains(word), "{keys}: {}", ran.stderr);
        }
    }
}

#[test]
fn keys_on_the_command_line_are_proposed() {
    let folder = Folder::new();
    folder.write("scene.ron", DROP);
    for (set, answer) in [
        ("gravity.y=-1", "did you mean `gravity.1`?"),
        ("gravity.Z=-1", "did you mean `gravity.2`?"),
        ("bodies.ball.orientation.w=1", "did you mean `bodies.ball.orientation.0`?"),
        ("solver.iters=4", "did you mean `iterations`?"),
        ("solver.warm_start=false", "did you mean `warm_starting`?"),
        ("bodies.ball.velocity=(1, 0, 0)", "did you mean `linear_velocity`?"),
        ("bodies.bal.gravity_scale=0", "did you mean `ball`?"),
        ("timestep=1/30", "did you mean `dt`?"),
    ] {
        let ran = physim(&folder, &["run", "scene.ron", "--set", set]).exits(2);
        assert!(ran.stderr.contains(answer), "{set}: {}", ran.stderr);
    }
    let ran = physim(&folder, &["run", "scene.ron", "--set", "gravity.x=1"]).exits(2);
    assert!(ran.stderr.contains("did you mean `gravity.0`?"), "{}", ran.stderr);
}

#[test]
fn numbers_written_in_another_way_are_understood_and_proposed() {
    let folder = Folder::new();
    folder.write("scene.ron", DROP);
    for (arguments, answer) in [
        (["--steps", "1e3"], "expected a whole number from 0 to 1000000000; did you mean 1000?"),
        (["--steps", "60.0"], "did you mean 60?"),
        (["--steps", "1_000"], "did you mean 1000?"),
        (["--steps", "1.5"], "expected a whole number from 0 to 1000000000"),
        (["--keyframe-every", "1e1"], "expected a whole number from 1 to 1000000; did you mean 10?"),
        (["--threads", "2.0"], "expected a whole number from 1 to 256; did you mean 2?"),
    ] {
        let ran = physim(&folder, &[["run", "scene.ron"], arguments].concat()).exits(2);
        assert!(ran.stderr.contains(answer) && !ran.stderr.contains("invalid digit"), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn scalars_are_taken_in_capitals_and_not() {
    let folder = Folder::new();
    folder.write("scene.ron", FLIGHT);
    let hash = |arguments: &[&str]| {
        let ran = physim(&folder, &[["run", "scene.ron", "--format", "json"].as_slice(), arguments].concat()).exits(0);
        let json = ran.json();
        (json["scalar"].clone(), json["hash"].clone())
    };
    let expected = hash(&["--scalar", "f32"]);
    assert_eq!(expected.0, "f32");
    assert_eq!(hash(&["--scalar", "F32"]), expected);
    assert_eq!(hash(&["--set", "scalar=f32"]), expected);
    assert_eq!(hash(&["--set", "scalar=F32"]), expected);
    assert_eq!(hash(&["--scalar", "Fixed"]).0, "fixed");
    let ran = physim(&folder, &["bisect", "scene.ron", "--axis", "scalar=Fixed,F64", "--tolerance", "0.001"]).exits(0);
    assert!(ran.stdout().contains("f64"), "{}", ran.stdout());
    let ran = physim(&folder, &["run", "scene.ron", "--scalar", "double"]).exits(2);
    assert!(ran.stderr.contains("did you mean `f64`?"), "{}", ran.stderr);
    let ran = physim(&folder, &["run", "scene.ron", "--set", "scalar=double"]).exits(2);
    assert!(ran.stderr.contains("did you mean `F64`?"), "{}", ran.stderr);
}

#[test]
fn a_replay_is_no_scene_and_a_scene_no_replay() {
    let folder = Folder::new();
    folder.write("scene.ron", format!("// A comment comes first.\n{FLIGHT}"));
    physim(&folder, &["run", "scene.ron", "-o", "a.mcap", "--trace", "3"]).exits(0);
    for command in ["run", "check", "stress"] {
        let ran = physim(&folder, &[command, "a.mcap"]).exits(2);
        assert!(ran.stderr.contains("this is a replay, not a scene"), "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains("`physim verify a.mcap`") && ran.stderr.contains("diff"), "{}", ran.stderr);
    }
    let ran = physim(&folder, &["run", "a.trace"]).exits(2);
    assert!(ran.stderr.contains("this is a trace, not a scene"), "{}", ran.stderr);
    let record = "physim run SCENE -o REPLAY";
    for arguments in [["show", "scene.ron"].as_slice(), &["trace", "scene.ron", "--steps", "1"]] {
        let ran = physim(&folder, arguments).exits(3);
        let said = ran.stdout() + &ran.stderr;
        assert!(said.contains("it is a scene") && said.contains(record), "{arguments:?}: {said}");
    }
    let said = physim(&folder, &["verify", "scene.ron", "a.mcap"]).exits(3).stdout();
    assert!(said.starts_with("not a replay") && !said.contains("damaged"), "{said}");
    let next = "it is a scene, not a replay; record a run of it first, `physim run scene.ron -o scene.mcap`, then `physim verify scene.mcap`";
    assert!(said.contains(next) && said.contains("1 passed, 1 failed"), "{said}");
    folder.write("notes.mcap", "my notes");
    let said = physim(&folder, &["verify", "notes.mcap"]).exits(3).stdout();
    assert!(said.starts_with("not a replay") && !said.contains("it is a scene"), "{said}");
    for command in ["run", "check"] {
        let ran = physim_with_input(&folder, &[command, "-"], &folder.read("a.mcap")).exits(2);
        assert!(ran.stderr.contains("this is a replay, not a scene"), "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains("`physim verify -` runs it again"), "{command}: {}", ran.stderr);
        let ran = physim_with_input(&folder, &[command, "-"], &folder.read("a.trace")).exits(2);
        assert!(ran.stderr.contains("this is a trace, not a scene"), "{command}: {}", ran.stderr);
    }
    let ran = physim(&folder, &["diff", "scene.ron", "a.mcap"]).exits(3);
    assert!(ran.stderr.contains("this looks like a scene") && ran.stderr.contains(record), "{}", ran.stderr);
}

#[test]
fn completions_offer_values_and_files() {
    let folder = Folder::new();
    let script = |shell| physim(&folder, &["completions", shell]).exits(0).stdout();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = script(shell);
        for values in ["fixed", "f32", "always", "junit", "mid_contact"] {
            assert!(script.contains(values), "{shell}: {values}");
        }
    }
    assert!(script("zsh").contains("_files"), "zsh completes files");
    assert!(script("zsh").contains("--scalar=[") && script("zsh").contains("(fixed f32 f64)"));
    assert!(script("bash").contains("compgen -W \"fixed f32 f64\""));
    assert!(script("elvish").contains("&'run --scalar'= [fixed f32 f64]\n"));
    assert!(script("powershell").contains("'run --scalar' { 'fixed', 'f32', 'f64'; break }\n"));
    assert!(script("fish").contains("-l scalar") && script("fish").contains("f64\\t"));
}

#[test]
fn a_body_that_can_jump_through_a_wall_is_told_so() {
    let folder = Folder::new();
    let scene = |speed: &str, continuous: &str| {
        format!(
            "(version: 1, name: \"shot\", steps: 60, gravity: (0, 0, 0), continuous: {continuous}, bodies: [
                (name: \"wall\", kind: Static, shape: Cuboid(half_extents: (0.05, 2, 2))),
                (name: \"bullet\", position: Origin(-12.5, 0, 0), shape: Sphere(radius: 0.05),
                    linear_velocity: ({speed}, 0, 0))])"
        )
    };
    folder.write("fast.ron", scene("300", "Off"));
    let ran = physim(&folder, &["run", "fast.ron"]).exits(0);
    let warned = "`bullet` moves 5 m a step and is 0.1 m thick, `wall` is 0.1 m: with continuous Off it passed through `wall` in \
                  step 3 without touching it (passed through in the run: 1)";
    assert!(ran.stderr.contains(warned) && ran.stderr.contains("set continuous to On"), "{}", ran.stderr);
    assert!(ran.stderr.contains("none did") && !ran.stderr.contains("aim bodies"), "{}", ran.stderr);
    // Each piece of advice helps.
    for remedy in ["continuous=On", "dt=1/3000", "bodies.bullet.linear_velocity.0=11"] {
        let arguments = ["run", "fast.ron", "--steps", "3000", "--set", remedy, "--format", "text"];
        let ran = physim(&folder, &arguments).exits(0);
        assert!(!ran.stderr.contains("could touch") && !ran.stderr.contains("m a step"), "{remedy:?}: {}", ran.stderr);
    }
    let json = physim(&folder, &["run", "fast.ron", "-o", "fast.mcap", "--format", "json"]).exits(0).json();
    assert_eq!(json["counts"], serde_json::json!({"passed through": 1}));
    let json = physim(&folder, &["verify", "fast.mcap", "--format", "json"]).exits(0).json();
    let warned_again = "shapes passed through others without touching them (passed through: 1)";
    assert!(json["warnings"].to_string().contains(warned_again), "{json}");
    // A run that ends because of it tells of it too; one that never comes to the wall tells that it could.
    let ran = physim(&folder, &["run", "fast.ron", "--set", "bounds.position=20"]).exits(2);
    assert!(ran.stderr.contains(warned), "{}", ran.stderr);
    let ran = physim(&folder, &["run", "fast.ron", "--steps", "2"]).exits(0);
    assert!(ran.stderr.contains("it can be before `wall` in one step and behind it in the next"), "{}", ran.stderr);
    folder.write("slow.ron", scene("1", "Off"));
    let ran = physim(&folder, &["run", "slow.ron"]).exits(0);
    assert!(ran.stderr.contains("take more steps, or place and aim bodies so that they meet"), "{}", ran.stderr);
}

/// It is the speed that is warned of, not that nothing touched: here something else does.
#[test]
fn a_body_that_can_jump_through_a_wall_is_told_so_while_others_touch() {
    let folder = Folder::new();
    let scene = "(version: 1, name: \"shot\", steps: 60, continuous: Off, bodies: [
        (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
        (name: \"wall\", kind: Static, position: Origin(0, 2, 0), shape: Cuboid(half_extents: (0.05, 2, 2))),
        (name: \"box\", position: Origin(0, 0.5, 9), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
        (name: \"bullet\", position: Origin(-12.5, 3, 0), gravity_scale: 0, shape: Sphere(radius: 0.05),
            linear_velocity: (300, 0, 0))])";
    folder.write("shot.ron", scene);
    let ran = physim(&folder, &["run", "shot.ron"]).exits(0);
    assert!(ran.stderr.contains("`bullet` moves 5 m a step"), "{}", ran.stderr);
    let ran = physim(&folder, &["run", "shot.ron", "--set", "continuous=On"]).exits(0);
    assert!(!ran.stderr.contains("m a step"), "{}", ran.stderr);
}

#[test]
fn one_step_is_one_step_and_none_proves_nothing() {
    let folder = Folder::new();
    folder.write("scene.ron", FLIGHT);
    physim(&folder, &["run", "scene.ron", "--steps", "1", "--keyframe-every", "1", "-o", "a.mcap"]).exits(0);
    for arguments in [["verify", "a.mcap"], ["show", "a.mcap"]] {
        let ran = physim(&folder, &arguments).exits(0);
        assert!(!ran.stdout().contains("1 steps"), "{}", ran.stdout());
    }
    let ran = physim(&folder, &["show", "a.mcap", "--step", "2"]).exits(2);
    assert!(ran.stderr.contains("the replay holds steps 0 to 1"), "{}", ran.stderr);
    let ran = physim(&folder, &["stress", "scene.ron", "--steps", "0", "--budget", "5"]).exits(0);
    assert!(
        ran.stdout().contains("nothing was put to the test: no step was taken; give more with --steps"),
        "{}",
        ran.stdout()
    );
    assert!(!ran.stdout().contains("held"), "{}", ran.stdout());
    let ran = physim(&folder, &["stress", "scene.ron", "--steps", "0", "--only", "order", "--format", "json"]).exits(0);
    assert_eq!(ran.json()["verdict"], "not_tried");
}
