//! `physim stress`: what is promised holds on small scenes, and what is planted is found.

use physim::analysis::stress::baseline::baseline;
use physim::analysis::stress::{Attack, AttackVerdict, DivergedRun, Finding, Target, attack};
use physim::math::lanes::LanePath;
use physim::math::{Fixed, Scalar};
use physim::session::record::RunPlan;

use crate::common::{faulty, parse, plan};
use crate::on_every_scalar;
use crate::support::folder::Folder;
use crate::support::program::{Ran, command, physim};
use crate::support::scenes::{DROP, ESCAPE, FLIGHT};

/// Everything that has a place in the world: origins, centres, generators, world points, spawned bodies; and removals.
const PLACES: &str = r#"(
    version: 1,
    name: "places",
    steps: 50,
    bodies: [
        (name: "slope", kind: Static, position: Origin(0, -0.1, 0), shape: HalfSpace(normal: (0.3, 1, 0.1))),
        (name: "bar", position: CentreOfMass(3, 0.7, 0.1), shape: Capsule(half_height: 0.5, radius: 0.2),
            orientation: AxisDegrees(axis: (0, 0, 1), degrees: 35)),
        (name: "lift", kind: Kinematic, position: Origin(-3, 0.6, 0), shape: Cuboid(half_extents: (1, 0.1, 1)),
            linear_velocity: (0, 0.3, 0)),
        (name: "rider", position: Origin(-3, 0.95, 0.1), shape: Cuboid(half_extents: (0.2, 0.2, 0.2))),
    ],
    groups: [(name: "heap", body: (shape: Cuboid(half_extents: (0.2, 0.2, 0.2))),
        layout: Scatter(origin: (0, 0.6, 0), count: (2, 3, 1), spacing: (0.45, 0.45, 0), jitter: (0.03, 0, 0.03),
            random_rotation: true))],
    inputs: [
        (step: 5, through: 9, action: Force(body: "bar", force: (0, 0, 90), at: World(3.4, 0.9, 0.1))),
        (step: 12, action: Spawn(name: "ball", position: Origin(0.1, 2, 0), shape: Sphere(radius: 0.25))),
        (step: 30, action: Remove("rider")),
    ],
)"#;

/// All rounds of an attack, or those up to the one that finds something.
fn attacked(plan: &RunPlan, which: Attack) -> Finding {
    let first = baseline(plan, &mut |_| true).expect("the scene makes a world");
    let make = |round| {
        let target = Target { plan, baseline: &first, round };
        attack(which, &target, &mut || {}).expect("the scene makes a world")
    };
    let mut found = make(0);
    while found.can_go_on() {
        let round = found.rounds;
        found = found.and(make(round));
    }
    found
}

fn parted(finding: Finding) -> DivergedRun {
    match finding.verdict {
        AttackVerdict::Diverged(parted) => *parted,
        other => panic!("{}: {other:?}", finding.attack.name()),
    }
}

#[test]
fn what_is_promised_holds_on_small_scenes() {
    fn holds<S: Scalar>() {
        for text in [FLIGHT, DROP, PLACES, ESCAPE] {
            let plan = plan::<S>(&parse(text));
            for which in Attack::ALL {
                let found = attacked(&plan, which);
                assert!(!found.is_broken(), "{} on {}, {}: {found:?}", which.name(), plan.scene.name, S::KIND);
                assert_eq!(found.promised, which.is_promised(S::KIND));
                let is_about_places = matches!(which, Attack::Turned | Attack::Mirrored);
                assert!(!is_about_places || text == PLACES || found.verdict == AttackVerdict::Held, "{found:?}");
                let is_possible = which != Attack::Lanes || LanePath::available().count() > 1;
                let is_left_out = matches!(which, Attack::Exe | Attack::Restarted);
                if found.promised && text == PLACES && is_possible && !is_left_out {
                    assert_eq!(found.verdict, AttackVerdict::Held, "{} is tried", which.name());
                    assert!(found.steps > 0 && found.runs > 0, "{found:?}");
                }
            }
        }
    }
    on_every_scalar!(holds);
}

#[test]
fn every_step_is_restored_and_compared() {
    let found = attacked(&plan::<f64>(&parse(DROP)), Attack::Restore);
    // 40 restores of one step each, and 16 futures from the steps 40 i / 16, rounded down, to step 40.
    let futures: u64 = (0..16).map(|part| 40 - 40 * part / 16).sum();
    assert_eq!((found.runs, found.steps), (40 + 16, 40 + futures));
}

#[test]
fn a_fault_that_strikes_on_threads_turns_that_row_red_and_no_other() {
    fn holds<S: Scalar>() {
        let plan = faulty(&plan::<S>(&parse(DROP)), "ulp@17,object=box,field=position.y,only=threads");
        let found = parted(attacked(&plan, Attack::Threads));
        assert_eq!(found.run, "the run on 2 threads");
        assert_named(&found, 17, "box", "position.y");
        for which in [Attack::Repeat, Attack::Restore, Attack::MidContact, Attack::Order, Attack::FarBody] {
            assert_eq!(attacked(&plan, which).verdict, AttackVerdict::Held, "{}", which.name());
        }
    }
    on_every_scalar!(holds);
}

#[test]
fn threads_are_exercised_with_small_chunks_and_where_they_cannot_be_that_is_said() {
    let found = attacked(&plan::<f64>(&parse(PLACES)), Attack::Threads);
    let done = found.exercised.expect("it is about threads");
    // Three plain runs, and five seeds, each in turn and four of them with a fixed number of threads too.
    assert_eq!((found.verdict, found.runs, done.threads), (AttackVerdict::Held, 3 + 5 + 4, vec![1, 2, 3, 8]));
    assert!(done.parallel_calls > 50 * 5 * 3 / 8, "{}", done.parallel_calls);
    let found = attacked(&plan::<f64>(&parse(FLIGHT)), Attack::Threads);
    match found.verdict {
        AttackVerdict::NotExercised { why } => assert!(why.contains("nothing ran in parallel"), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_turned_or_mirrored_flight_is_the_same_and_a_common_velocity_only_adds_its_way() {
    fn holds<S: Scalar>() {
        let flight = plan::<S>(&parse(FLIGHT));
        for which in [Attack::Turned, Attack::Mirrored, Attack::Boosted] {
            let found = attacked(&flight, which);
            assert_eq!(found.verdict, AttackVerdict::Held, "{found:?}");
            assert!(found.steps > 0 && !found.promised, "{found:?}");
        }
        assert_eq!(attacked(&flight, Attack::Mirrored).done, "z mirrored: the same to the bit");
        // Something rests on a floor that stays where it is.
        match attacked(&plan::<S>(&parse(DROP)), Attack::Boosted).verdict {
            AttackVerdict::NotTried { why } => assert!(why.contains("touches a static body"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
    on_every_scalar!(holds);
}

#[test]
fn a_scene_that_is_not_turned_with_the_rest_parts_beyond_the_bound() {
    // A fault pushes the body along x in both runs, which is another direction in the turned one.
    let text = FLIGHT.replace("steps: 12", "steps: 60");
    let fault = "ulp@2,object=ball,field=position.x,ulps=99999999999";
    let found = attacked(&faulty(&plan::<physim::math::Fixed>(&parse(&text)), fault), Attack::Turned);
    let parted = parted(found);
    assert_eq!((parted.first.step, parted.run.as_str()), (2, "the run turned by 180 degrees"));
    assert!(parted.notes[0].contains("m away, more than 0.001 m"), "{parted:?}");
}

#[test]
fn a_fault_that_strikes_restored_runs_turns_those_rows_red() {
    fn holds<S: Scalar>() {
        let plan = faulty(&plan::<S>(&parse(DROP)), "ulp@17,object=ball,field=linear_velocity.y,only=restored");
        for which in [Attack::Restore, Attack::MidContact] {
            let found = attacked(&plan, which);
            assert!(found.is_broken());
            assert_named(&parted(found), 17, "ball", "linear_velocity.y");
        }
        assert_eq!(parted(attacked(&plan, Attack::Restore)).run, "the run restored after step 16");
        for which in [Attack::Repeat, Attack::Threads, Attack::Order, Attack::FarBody] {
            assert_eq!(attacked(&plan, which).verdict, AttackVerdict::Held, "{}", which.name());
        }
    }
    on_every_scalar!(holds);
}

#[track_caller]
fn assert_named(found: &DivergedRun, step: u32, object: &str, field: &str) {
    let first = &found.first;
    assert_eq!((first.step, first.stage.as_deref()), (step, Some("finish")), "{found:?}");
    let named = first.field.as_ref().expect("a field");
    assert_eq!((named.object.as_str(), named.field.as_deref(), named.ulps), (object, Some(field), Some(1)));
    assert_eq!(first.objects, Some(1));
    assert!(found.notes.is_empty(), "{found:?}");
}

#[test]
fn a_fault_in_all_runs_alike_is_no_difference() {
    let plan = faulty(&plan::<physim::math::Fixed>(&parse(DROP)), "ulp@9,object=ball,field=position.x,ulps=77");
    for which in Attack::ALL {
        assert!(!attacked(&plan, which).is_broken(), "{}", which.name());
    }
}

#[test]
fn what_depends_on_where_it_is_parts_when_it_is_moved() {
    // A float has fewer digits far from the origin, so that a place moved there and back is rounded.
    let found = attacked(&plan::<f32>(&parse(PLACES)), Attack::Translated);
    assert!(!found.promised && !found.is_broken());
    let parted = parted(found);
    assert_eq!(parted.first.step, 0);
    assert!(parted.first.field.is_some_and(|field| field.ulps.is_some()));
    // A fault that strikes one body by a distance of the world's own is seen as such: the order of the names decides.
    let flight = plan::<physim::math::Fixed>(&parse(FLIGHT));
    assert_eq!(attacked(&flight, Attack::Translated).verdict, AttackVerdict::Held);
}

#[test]
fn a_far_body_that_something_comes_to_is_not_far() {
    // It stands at (7, 7, -7), and the ball flies there along the diagonal.
    let text = r#"(version: 1, name: "meet", steps: 60, dt: "1/60", gravity: (0, 0, 0), bounds: (position: 8),
        bodies: [(name: "ball", shape: Sphere(radius: 0.5), linear_velocity: (8, 8, -8))])"#;
    match attacked(&plan::<f64>(&parse(text)), Attack::FarBody).verdict {
        AttackVerdict::NotTried { why } => assert!(why.contains("comes to where the far body stands"), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn bounds_that_cannot_be_wider_are_not_moved() {
    let text = FLIGHT.replace("gravity: (0, 0, 0),", "gravity: (0, 0, 0), bounds: (position: 29000),");
    match attacked(&plan::<f64>(&parse(&text)), Attack::Translated).verdict {
        AttackVerdict::NotTried { why } => assert!(why.contains("30000 m"), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_run_without_steps_or_bodies_is_attacked_all_the_same() {
    let empty = parse(r#"(version: 1, name: "empty", steps: 3, bodies: [])"#);
    let none = RunPlan { steps: 0, ..plan::<f64>(&parse(DROP)) };
    for plan in [plan::<f64>(&empty), none] {
        for which in Attack::ALL {
            let found = attacked(&plan, which);
            assert!(!found.is_broken(), "{found:?}");
        }
    }
}

/// The program on the scene of a file, with its temporary files in a folder that is looked at afterwards.
fn stress(folder: &Folder, arguments: &[&str]) -> Ran {
    std::fs::create_dir_all(folder.path("temporary")).expect("a folder");
    let mut all = vec!["stress"];
    all.extend(arguments);
    let ran = command(folder, &all).env("TMPDIR", folder.path("temporary")).output().expect("the program starts");
    let left = std::fs::read_dir(folder.path("temporary")).expect("a folder").count();
    assert_eq!(left, 0, "files are left behind");
    ran.into()
}

fn with_scene() -> Folder {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    folder
}

#[test]
fn the_table_for_people() {
    let folder = with_scene();
    // What `lanes` has to say differs by machine.
    let others: Vec<&str> =
        Attack::ALL.iter().filter(|&&attack| attack != Attack::Lanes).map(|attack| attack.name()).collect();
    let ran = stress(&folder, &["drop.ron", "--only", &others.join(",")]).exits(0);
    insta::assert_snapshot!("table", ran.stdout());
    assert_eq!(ran.stderr, "");
    let fault = "ulp@17,object=box,field=position.y,only=threads";
    let ran = stress(&folder, &["drop.ron", "--only", "order,threads", "--fault", fault]).exits(1);
    insta::assert_snapshot!("table_with_a_difference", ran.stdout());
}

#[test]
fn the_widest_vectors_are_compared_with_all_others() {
    let [others @ .., widest] = &LanePath::available().map(LanePath::name).collect::<Vec<_>>()[..] else {
        panic!("no path at all")
    };
    let ran = stress(&with_scene(), &["drop.ron", "--only", "lanes"]).exits(0).stdout();
    let row = ran.lines().find(|line| line.contains(" lanes ")).expect("a row");
    assert!(others.iter().all(|name| row.contains(name)), "{row}");
    assert!(row.contains(if others.is_empty() { "not tried" } else { widest }), "{row}");
}

#[test]
fn the_help_has_examples_and_fits_a_terminal() {
    let help = physim(&Folder::new(), &["stress", "--help"]).exits(0).stdout();
    assert!(help.contains("Examples:") && help.lines().all(|line| line.chars().count() <= 100), "{help}");
    assert!(Attack::ALL.iter().all(|attack| help.contains(attack.name())), "{help}");
}

#[test]
fn the_findings_in_json() {
    let folder = with_scene();
    let fault = "ulp@17,object=box,field=position.y,only=restored";
    let arguments = ["drop.ron", "--only", "mid_contact,exe", "--format", "json", "--scalar", "f32", "--fault", fault];
    let ran = stress(&folder, &arguments).exits(1);
    assert_eq!(ran.stdout().lines().count(), 1);
    insta::assert_snapshot!("json", serde_json::to_string_pretty(&ran.json()).expect("text"));
}

#[test]
fn wrong_arguments_say_what_there_is() {
    let folder = with_scene();
    for (arguments, said) in [
        (["missing.ron"].as_slice(), "missing.ron"),
        (&["drop.ron", "--only", "threads,lightning"], "mid_contact, order, translated"),
        (&["drop.ron", "--budget", "0"], "whole number of seconds"),
        (&["drop.ron", "--time-limit", "soon"], "whole number of seconds"),
        (&["drop.ron", "--fault", "ulp@4,object=bax,field=position.x"], "bax"),
        (&["drop.ron", "--set", "solver.colour=1"], "colour"),
        (&["-", "--inputs", "-"], "cannot both come from standard input"),
        (&["drop.ron", "--exe", "missing"], "cannot start"),
    ] {
        let ran = stress(&folder, arguments).exits(2);
        assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
        assert_eq!(ran.stdout(), "", "{arguments:?}");
    }
}

#[test]
fn a_large_scene_is_run_as_far_as_the_budget_goes() {
    let folder = with_scene();
    let many = "(version: 1, name: \"many\", steps: 1000000, bodies: [], groups: [(name: \"ball\", body: (shape: \
                Sphere(radius: 0.5)), layout: Grid(origin: (0, 0, 0), count: (9, 9, 9), spacing: (1, 1, 1)))])";
    folder.write("many.ron", many);
    let arguments = ["many.ron", "--budget", "1", "--only", "order", "--format", "json"];
    let json = stress(&folder, &arguments).exits(0).json();
    let steps = json["steps"].as_u64().expect("a number");
    assert!((1..1_000_000).contains(&steps), "{steps}");
    assert_eq!(json["steps_asked"], 1_000_000);
    let text = stress(&folder, &["many.ron", "--budget", "1", "--only", "order"]).exits(0).stdout();
    assert!(text.contains("as many as the budget of 1 s allows"), "{text}");
}

#[test]
fn this_build_agrees_with_itself_in_another_process() {
    let folder = with_scene();
    folder.write("moves.ron", "(step: 9, action: AddVelocity(body: \"ball\", linear: (1, 0, 0)))\n");
    let this = env!("CARGO_BIN_EXE_physim");
    for scalar in ["fixed", "f32", "f64"] {
        let arguments = [
            "drop.ron",
            "--only",
            "exe,restarted",
            "--exe",
            this,
            "--scalar",
            scalar,
            "--format",
            "json",
            "--inputs",
            "moves.ron",
            "--set",
            "dt=1/100",
        ];
        let json = stress(&folder, &arguments).exits(0).json();
        for finding in json["findings"].as_array().expect("a list") {
            // 40 steps with a snapshot after every third: 13 of them have a step behind.
            let runs = if finding["attack"] == "exe" { 1 } else { 13 };
            assert_eq!((&finding["verdict"], &finding["runs"]), (&"held".into(), &runs.into()), "{finding}");
            assert!(finding["steps"].as_u64() >= Some(2), "{finding}");
            assert_eq!(finding["rounds"], finding["rounds_in_all"]);
        }
    }
}

#[cfg(unix)]
fn script(folder: &Folder, name: &str, lines: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    folder.write(name, format!("#!/bin/sh\n{lines}\n"));
    let path = folder.path(name);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a program");
    path.display().to_string()
}

#[cfg(unix)]
#[test]
fn another_build_that_differs_is_named_by_step_object_and_field() {
    let folder = with_scene();
    let this = env!("CARGO_BIN_EXE_physim");
    let fault = "ulp@23,object=ball,field=linear_velocity.y,ulps=-5";
    let other = script(&folder, "other", &format!("exec '{this}' \"$@\" '--fault={fault}'"));
    let arguments = ["drop.ron", "--only", "exe", "--exe", this, "--exe", &other, "--format", "json"];
    let json = stress(&folder, &arguments).exits(1).json();
    let finding = &json["findings"][0];
    assert_eq!((&finding["verdict"], &finding["run"]), (&"parted".into(), &other.as_str().into()));
    let first = &finding["first"];
    assert_eq!((&first["step"], &first["stage"]), (&23.into(), &"finish".into()), "{first}");
    assert_eq!((&first["object"], &first["field"]), (&"ball".into(), &"linear_velocity.y".into()));
    let bits = |side: &str| u64::from_str_radix(first[side]["bits"].as_str().expect("bits"), 16).expect("a number");
    assert_eq!(bits("a").wrapping_sub(bits("b")), 5);
    let next = json["next"].as_str().expect("a text");
    assert!(next.starts_with("physim bisect drop.ron --axis exe=") && next.contains(&other), "{next}");
    let shorter = script(&folder, "shorter", &format!("'{this}' \"$@\" | head -n 20"));
    let json = stress(&folder, &["drop.ron", "--only", "exe", "--exe", &shorter, "--format", "json"]).exits(1).json();
    assert_eq!(json["findings"][0]["first"]["step"], 20, "{json}");
}

#[cfg(unix)]
#[test]
fn another_program_that_fails_is_an_error_that_says_how() {
    let folder = with_scene();
    for (name, lines, said) in [
        ("crashes", "kill -SEGV $$", "crashed"),
        ("hangs", "sleep 60", "still ran after 1 s"),
        ("prints_garbage", "echo garbage", "line 1"),
        ("prints_nothing", "echo no idea >&2; exit 7", "status 7 and said: no idea"),
        ("floods", "yes '{\"step\":0}'", "more than"),
    ] {
        let path = script(&folder, name, lines);
        let ran = stress(&folder, &["drop.ron", "--only", "exe", "--exe", &path, "--time-limit", "1"]).exits(2);
        assert!(ran.stderr.contains(said) && ran.stderr.contains(name), "{name}: {}", ran.stderr);
        assert_eq!(ran.stdout(), "");
    }
}

#[test]
fn a_scene_that_stops_is_compared_up_to_its_stop() {
    let folder = Folder::new();
    folder.write("escape.ron", ESCAPE);
    let ran = stress(&folder, &["escape.ron"]).exits(0);
    assert!(ran.stdout().contains("the run stops then"), "{}", ran.stdout());
    assert!(physim(&folder, &["run", "escape.ron"]).exits(2).stderr.contains("ball"));
}

#[test]
fn the_run_is_repeated_in_fresh_processes() {
    let folder = with_scene();
    let json = stress(&folder, &["drop.ron", "--only", "repeat", "--format", "json"]).exits(0).json();
    let finding = &json["findings"][0];
    // 6 more runs in this process, 14 in fresh ones, of 40 steps each.
    assert_eq!((&finding["runs"], &finding["steps"]), (&20.into(), &800.into()), "{finding}");
    assert_eq!(finding["done"], "7 equal runs in this process, 14 in fresh processes");
}

/// The scenes of all shapes and queries, moved by 9 km and back, bit by bit. At the start of most nothing touches yet, so some go on further.
#[test]
fn scenes_of_every_shape_are_the_same_anywhere() {
    for (name, steps) in [
        ("hull_heap", 6),
        ("terrain", 20),
        ("mesh_slide", 40),
        ("broad_phase_race", 20),
        ("narrow_phase_race", 30),
        ("loaded_die", 60),
        ("tables", 20),
        ("cylinders_and_cones", 20),
        ("sensors", 60),
    ] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(format!("{name}.ron"));
        let mut scene = physim::scene::load(&path).unwrap_or_else(|error| panic!("{error}"));
        scene.steps = steps;
        let found = attacked(&plan::<Fixed>(&std::sync::Arc::new(scene)), Attack::Translated);
        assert_eq!((&found.verdict, found.promised), (&AttackVerdict::Held, true), "{name}: {found:?}");
        assert_eq!(found.steps, 2 * u64::from(steps), "{name}");
    }
}
