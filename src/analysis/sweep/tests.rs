use std::sync::Arc;

use proptest::prelude::{prop, proptest};

use crate::analysis::sweep::axis::Axis;
use crate::analysis::sweep::outcome::Outcome;
use crate::analysis::sweep::row::{PartError, Row, RowFormat};
use crate::analysis::sweep::{Sweep, SweepError};
use crate::scene;
use crate::session::record::RunPlan;

const SCENE: &str = r#"(version: 1, name: "a", steps: 2, bodies: [(name: "ball", shape: Sphere(radius: 0.5))])"#;

fn base() -> RunPlan {
    RunPlan::new(Arc::new(scene::parse("test scene", SCENE).expect("a scene")))
}

fn sweep(settings: &[&str]) -> Sweep {
    let axes = settings.iter().map(|text| Axis::parse(text).expect("a list")).collect();
    Sweep::new(base(), None, None, axes).expect("a sweep")
}

#[test]
fn every_combination_is_a_run_and_the_last_key_changes_fastest() {
    let sweep = sweep(&["steps=1,2", "scalar=fixed,F32,f64"]);
    let runs: Vec<String> = (0..sweep.runs())
        .map(|run| sweep.plan(run).expect("a plan"))
        .map(|plan| format!("{} {}", plan.steps, plan.scalar))
        .collect();
    assert_eq!(runs, ["1 fixed", "1 f32", "1 f64", "2 fixed", "2 f32", "2 f64"]);
}

#[test]
fn wrong_settings_are_all_found() {
    let wrong = sweep(&["solver.iters=1,2", "steps=1,x,-1", "dt=1/60"]);
    let Err(SweepError::Scenes(errors)) = wrong.check(&[]) else { panic!("it is wrong") };
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(errors.len(), 4, "{texts:?}");
}

#[test]
fn what_only_goes_wrong_together_is_found_too() {
    // Mass of the name that another setting has taken away: each alone is right.
    let together = sweep(&["bodies.ball.name=ball,other", "bodies.ball.gravity_scale=1"]);
    assert!(matches!(together.check(&[0]), Ok(steps) if steps == [2]));
    assert!(matches!(together.check(&[0, 1]), Err(SweepError::Scenes(errors)) if errors.len() == 1));
}

#[test]
fn too_many_and_doubled_settings_are_refused() {
    let refused = |settings: &[&str]| {
        let axes = settings.iter().map(|text| Axis::parse(text).expect("a list")).collect();
        Sweep::new(base(), None, Some(3), axes).expect_err("no sweep").to_string()
    };
    let hundred = |key: &str| format!("{key}={}", (0..100).map(|n| n.to_string()).collect::<Vec<_>>().join(","));
    assert!(refused(&[&hundred("a"), &hundred("b"), &hundred("c")]).starts_with("1000000 combinations are too many"));
    assert!(refused(&["seed=1", "seed=2"]).contains("`seed` is set twice"));
    let parent = "`gravity.1` is set twice: `gravity.1` is a part of `gravity`; set one of them";
    assert_eq!(refused(&["gravity.1=1", "gravity=(0, 1, 0)"]), parent);
    assert_eq!(refused(&["gravity=(0, 1, 0)", "seed=1", "gravity.1=1"]), parent);
    assert!(refused(&["steps=1,2"]).contains("--steps"));
}

#[test]
fn another_sweep_has_another_digest() {
    let digest = |settings: &[&str]| sweep(settings).digest().to_owned();
    let ours = digest(&["seed=1,2", "steps=3"]);
    assert_eq!(ours, digest(&["seed=1,2", "steps=3"]));
    for other in
        [&["seed=1,2", "steps=4"][..], &["seed=1", "steps=3"], &["steps=3", "seed=1,2"], &["seed=12", "steps=3"]]
    {
        assert_ne!(ours, digest(other), "{other:?}");
    }
    assert_ne!(ours, sweep(&["seed=1,2", "steps=3"]).with_bodies(vec!["ball".to_owned()]).digest());
}

#[test]
fn rows_come_back_as_they_went() {
    let sweep = sweep(&["name=\"a,b\",\"c\\\"d\"", "seed=1,2"]).with_bodies(vec!["ball,\"1\"\n".to_owned()]);
    let outcome = Outcome {
        hash: Some("ab".to_owned()),
        steps: 2,
        energy_drift: 0.1,
        stopped: Some("it, \"broke\"\nhere".to_owned()),
        bodies: vec![None],
        ..Outcome::default()
    };
    let rows: Vec<Row> = (0..4).map(|run| Row { run, cells: sweep.cells(run, &outcome, 1.0) }).collect();
    for format in [RowFormat::Csv, RowFormat::JsonLines] {
        let mut text = format.head(&sweep);
        rows.iter().for_each(|row| text.push_str(&format.line(&sweep, row)));
        assert_eq!(format.read(&sweep, text.as_bytes()).as_ref(), Ok(&rows));
        // Cut anywhere: whole lines are left, and they are the first rows.
        for end in 0..text.len() {
            let cut = &text.as_bytes()[..end];
            let whole = format.whole_lines(cut);
            if whole > format.head(&sweep).len() {
                let read = format.read(&sweep, &cut[..whole]).expect("whole lines");
                assert_eq!(read, rows[..read.len()], "cut at {end}");
            }
        }
        let other = self::sweep(&["name=x", "seed=1"]).with_bodies(sweep.bodies().to_vec());
        assert!(matches!(format.read(&other, text.as_bytes()), Err(PartError::OtherSweep(_))));
    }
    assert_eq!(RowFormat::Csv.read(&sweep, b"step,time\n0,0\n"), Err(PartError::NoTable));
}

proptest! {
    /// Whatever names of bodies and messages are, they come back: commas, quotes, ends of lines, spaces, tabs, marks of an encoding.
    #[test]
    fn hostile_cells_come_back_as_they_went(
        names in prop::collection::vec("[a,;\"'\r\n\t \u{feff}\u{0}é=#]{1,6}", 1..4),
        stopped in "[a,;\"'\r\n\t \u{feff}\u{0}é=#]{0,9}",
    ) {
        let sweep = sweep(&["seed=1,2"]).with_bodies(names.clone());
        let outcome = Outcome { stopped: Some(stopped), bodies: vec![None; names.len()], ..Outcome::default() };
        let rows: Vec<Row> = (0..2).map(|run| Row { run, cells: sweep.cells(run, &outcome, 1.0) }).collect();
        for format in [RowFormat::Csv, RowFormat::JsonLines] {
            let mut text = format.head(&sweep);
            rows.iter().for_each(|row| text.push_str(&format.line(&sweep, row)));
            assert_eq!(format.whole_lines(text.as_bytes()), text.len());
            assert_eq!(format.read(&sweep, text.as_bytes()).as_ref(), Ok(&rows));
        }
    }

    /// A table of settings that a program writes as CSV is read as it was meant.
    #[test]
    fn hostile_settings_of_a_table_hold(name in "[a-z][a-z,;\"\r\n\t é=#]{0,6}[a-z]", seed in 0_u8..) {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let setting = format!("{name:?}");
        writer.write_record(["name", "seed"]).expect("memory takes all");
        writer.write_record([setting.as_str(), &seed.to_string()]).expect("memory takes all");
        let axis = Axis::from_table(writer.into_inner().expect("memory takes all").as_slice()).expect("a table");
        assert_eq!(axis.values, [vec![setting, seed.to_string()]]);
    }
}
