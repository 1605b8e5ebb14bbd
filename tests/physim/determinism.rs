//! The same bits every time: again, on any number of threads, in any order of bodies, from any step.
//!
//! What would take minutes of all scenes is tried of each on one scalar; `PHYSIM_LONG_TESTS=1` tries it on all of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use physim::math::lanes::LanePath;
use physim::math::{Scalar, ScalarKind, SplitMix64};
use physim::parallel::{Parallelism, Scheduling};
use physim::scene::Scene;
use physim::scene::model::{BroadPhase, Switch};
use physim::scene::overrides::apply_override;
use physim::world::state_hash::StateHash;

use crate::common::{between, example_scenes, load, long_tests, package, parse, place_of, session};
use crate::on_every_scalar;

/// The hashes of all steps of a scene on some threads.
fn hashes<S: Scalar>(scene: &Arc<Scene>, threads: u32) -> Vec<StateHash> {
    hashes_with::<S>(scene, Parallelism::plain(threads))
}

/// The same, with the work handed out in some way.
fn hashes_with<S: Scalar>(scene: &Arc<Scene>, parallelism: Parallelism) -> Vec<StateHash> {
    let hashes = hashes_as_far_as_it_goes::<S>(scene, parallelism);
    assert_eq!(hashes.len(), scene.steps as usize + 1, "{} does not run to its end", scene.name);
    hashes
}

/// The same, of a scene that may stop on its way.
fn hashes_as_far_as_it_goes<S: Scalar>(scene: &Arc<Scene>, parallelism: Parallelism) -> Vec<StateHash> {
    let schedule = physim::world::schedule::Schedule::new(scene.inputs.clone());
    let session = physim::session::Session::<S>::with_parallelism(scene, schedule, Vec::new(), parallelism);
    let mut session = session.expect("a world");
    let mut hashes = vec![*session.hash()];
    for _ in 0..scene.steps {
        match session.advance(&mut ()) {
            Ok(hash) => hashes.push(*hash),
            Err(_) => break,
        }
    }
    hashes
}

/// The hashes of all steps of a scene in a file, in one plain run on one thread that all tests share.
fn plain_run<S: Scalar>(path: &Path) -> Arc<Vec<StateHash>> {
    type Run = Arc<OnceLock<Arc<Vec<StateHash>>>>;
    static RUNS: Mutex<BTreeMap<(PathBuf, &'static str), Run>> = Mutex::new(BTreeMap::new());
    let place = (path.to_path_buf(), S::KIND.name());
    let run = Run::clone(RUNS.lock().unwrap_or_else(PoisonError::into_inner).entry(place).or_default());
    Arc::clone(run.get_or_init(|| Arc::new(hashes::<S>(&load(path), 1))))
}

/// What a scene is tried with in a scalar, where trying all of them everywhere would take minutes: the next for each scene,
/// and for each scalar.
fn in_turn<S: Scalar, T: Copy>(scene: usize, all: &[T]) -> T {
    all[(scene + place_of::<S>()) % all.len()]
}

/// The example scenes that are tried on a scalar where one scalar a scene is enough, with their numbers: the same wherever it is.
fn scenes_of<S: Scalar>() -> Vec<(usize, PathBuf)> {
    let all = long_tests();
    let scenes = example_scenes().into_iter().enumerate();
    scenes.filter(|(number, _)| all || (number + place_of::<S>()).is_multiple_of(ScalarKind::ALL.len())).collect()
}

#[test]
fn a_scene_gives_the_same_hashes_again_and_on_any_number_of_threads() {
    fn holds<S: Scalar>() {
        for (number, path) in scenes_of::<S>() {
            let first = plain_run::<S>(&path);
            let threads = in_turn::<S, _>(number / 3, &[1, 2, 3, 8]);
            assert!(hashes::<S>(&load(&path), threads) == *first, "{} on {threads} threads", path.display());
        }
    }
    on_every_scalar!(holds);
}

#[test]
fn chunks_of_a_few_items_in_any_order_on_any_threads_change_nothing() {
    fn holds<S: Scalar>() {
        for name in ["billiards", "shelf_crates", "twenty_balls"] {
            let mut scene = Scene::clone(&load(&package().join(format!("scenes/{name}.ron"))));
            scene.steps = 200;
            let scene = Arc::new(scene);
            let first = hashes::<S>(&scene, 1);
            for seed in 0..3 {
                let scheduling = Scheduling::ScrambledInTurn { seed };
                assert!(
                    hashes_with::<S>(&scene, Parallelism { scheduling, ..Parallelism::plain(1) }) == first,
                    "{name}, seed {seed}"
                );
                let scheduling = Scheduling::Scrambled { seed };
                let threads = [1, 3, 8][seed as usize];
                assert!(
                    hashes_with::<S>(&scene, Parallelism { scheduling, ..Parallelism::plain(threads) }) == first,
                    "{name}, seed {seed}"
                );
            }
        }
    }
    on_every_scalar!(holds);
}

#[test]
fn threads_change_nothing_where_there_is_enough_work_for_them() {
    fn holds<S: Scalar>() {
        // After 120 steps more than a thousand pairs are spread over the threads; in a wall each colour has hundreds of contacts, in a
        // large net thousands of joints.
        for (number, (name, steps)) in
            [("pile_boxes_1000", 120), ("wall_40", 12), ("net_100x100", 4)].into_iter().enumerate()
        {
            let mut scene = Scene::clone(&load(&package().join(format!("scenes/bench/{name}.ron"))));
            scene.steps = steps;
            let scene = Arc::new(scene);
            let first = hashes::<S>(&scene, 1);
            let threads = in_turn::<S, _>(number, &[2, 3, 8]);
            assert!(hashes::<S>(&scene, threads) == first, "{name} on {threads} threads");
        }
    }
    on_every_scalar!(holds);
}

/// Ways to solve contacts that take other rows than those of the scenes, or take them in other ways.
const OTHER_SOLVERS: [&[&str]; 4] = [
    &["solver.friction=PerPoint"],
    &["solver.correction=Projection(beta: 0.2, slop: 0.001)", "solver.substeps=1", "solver.iterations=8"],
    &["solver.correction=Baumgarte(beta: 0.2, slop: 0.001)", "solver.normals=PerPoint", "solver.warm_starting=false"],
    &["solver.clamping=PerIteration", "solver.substeps=2"],
];

/// The beginning of a scene: as it is on one scalar, and with other solvers in turn on the others; none where the settings do not
/// go with its own.
fn solved_in_some_way<S: Scalar>(
    number: usize,
    path: &Path,
    steps: u32,
) -> Option<(Arc<Scene>, &'static [&'static str])> {
    let mut scene = Scene::clone(&load(path));
    scene.steps = scene.steps.min(steps);
    let settings: &'static [&'static str] = match (number + place_of::<S>()) % ScalarKind::ALL.len() {
        0 => &[],
        other => OTHER_SOLVERS[(number + 2 * other) % OTHER_SOLVERS.len()],
    };
    settings.iter().all(|setting| apply_override(&mut scene, setting).is_ok()).then(|| (Arc::new(scene), settings))
}

#[test]
fn the_vectors_that_work_change_nothing() {
    fn holds<S: Scalar>() {
        for (number, path) in example_scenes().iter().enumerate() {
            let Some((scene, settings)) = solved_in_some_way::<S>(number, path, 80) else { continue };
            let of = |lanes| hashes_as_far_as_it_goes::<S>(&scene, Parallelism { lanes, ..Parallelism::plain(1) });
            let mut others: Vec<_> = LanePath::available().filter(|lanes| *lanes != LanePath::Scalar).collect();
            if !long_tests() && !others.is_empty() {
                others = vec![in_turn::<S, _>(number / 3, &others)];
            }
            let first = of(LanePath::Scalar);
            for lanes in others {
                assert!(of(lanes) == first, "{} with {settings:?} on {}", path.display(), lanes.name());
            }
        }
    }
    on_every_scalar!(holds);
}

/// Three chains of nine spheres that hang, spin and fly apart, of sizes from a hundredth, and speeds to a thousand: what is small is
/// solved in lanes for that, and what is not, or grows, in the others.
fn chains(seed: u64) -> Arc<Scene> {
    let mut random = SplitMix64::new(seed);
    let mut size = |least: f64, most: f64| 10.0_f64.powf(between(&mut random, least, most));
    let (speed, spin, length, far) = (size(-1.0, 2.9), size(-1.0, 2.8), size(-1.5, 0.7), size(0.0, 2.4));
    let (mut bodies, mut joints) = (String::new(), String::new());
    for number in 0..27 {
        let (chain, link) = (number / 9, number % 9);
        let mut vector = |size: f64| [0; 3].map(|_| between(&mut random, -size, size));
        let ([vx, vy, vz], [wx, wy, wz]) = (vector(speed), vector(spin));
        let (x, y) = (far + 40.0 * length * f64::from(chain), 2.0 * length * f64::from(link));
        bodies += &format!(
            "(name: \"{number}\", position: Origin({x:.4}, {y:.4}, 0), shape: Cuboid(half_extents: ({length:.4}, {length:.4}, {:.4})),
            linear_velocity: ({vx:.3}, {vy:.3}, {vz:.3}), angular_velocity: ({wx:.3}, {wy:.3}, {wz:.3})),",
            0.25 * length,
        );
        if link > 0 {
            joints += &format!(
                "(name: \"{number}\", kind: Spherical, a: \"{}\", anchor_a: (0, {length:.4}, 0), b: \"{number}\", anchor_b: (0, -{length:.4}, 0)),",
                number - 1,
            );
        }
    }
    parse(&format!(r#"(version: 1, name: "chains", steps: 4, bodies: [{bodies}], joints: [{joints}])"#))
}

#[test]
fn joints_of_all_sizes_are_solved_alike_in_all_lanes() {
    fn holds<S: Scalar>() {
        let mut longest = 0;
        for seed in 0..60 {
            let scene = chains(seed);
            let of = |lanes| hashes_as_far_as_it_goes::<S>(&scene, Parallelism { lanes, ..Parallelism::plain(1) });
            let first = of(LanePath::Scalar);
            longest += usize::from(first.len() == 5);
            for lanes in LanePath::available().filter(|lanes| *lanes != LanePath::Scalar) {
                assert!(of(lanes) == first, "chains {seed} on {}", lanes.name());
            }
        }
        assert!(longest > 30, "{longest} of 60 ran to their end");
    }
    on_every_scalar!(holds);
}

/// A scrambled run shares out the contacts of a colour by eights, so that small scenes do it too.
#[test]
fn contacts_of_a_colour_are_solved_alike_on_any_threads() {
    fn holds<S: Scalar>() {
        for (number, path) in example_scenes().iter().enumerate() {
            let Some((scene, settings)) = solved_in_some_way::<S>(number, path, 60) else { continue };
            let of = |parallelism| hashes_as_far_as_it_goes::<S>(&scene, parallelism);
            let seed = number as u64;
            let scrambled = Parallelism { scheduling: Scheduling::Scrambled { seed }, ..Parallelism::plain(3) };
            assert!(of(scrambled) == of(Parallelism::plain(1)), "{} with {settings:?}", path.display());
        }
    }
    on_every_scalar!(holds);
}

/// The same bytes and the same digests of sections, also where the state is smaller or larger than the one before it in the same place.
#[test]
fn a_state_is_encoded_the_same_by_several_threads() {
    fn holds<S: Scalar>() {
        for (name, steps) in
            [("net", 3), ("dice", 3), ("shelf_crates", 3), ("capsules_and_compounds", 3), ("bench/pile_boxes_1000", 50)]
        {
            let scene = load(&package().join(format!("scenes/{name}.ron")));
            for parallelism in [
                Parallelism::plain(3),
                Parallelism { scheduling: Scheduling::Scrambled { seed: 1 }, ..Parallelism::plain(2) },
            ] {
                let schedule = physim::world::schedule::Schedule::new(scene.inputs.clone());
                let session =
                    physim::session::Session::<S>::with_parallelism(&scene, schedule, Vec::new(), parallelism);
                let mut session = session.expect("a world");
                for step in 0..steps {
                    session.advance(&mut ()).expect("the scene runs on");
                    let alone = session.world().snapshot();
                    assert!(*session.encoded() == alone, "{name}, step {step}, {parallelism:?}");
                    assert_eq!(*session.hash(), StateHash::of(&alone, S::KIND), "{name}, step {step}, {parallelism:?}");
                }
            }
        }
    }
    on_every_scalar!(holds);
}

#[test]
fn the_order_of_bodies_in_the_scene_does_not_matter() {
    fn holds<S: Scalar>() {
        for name in ["billiards", "stack_20", "chain"] {
            let path = package().join(format!("scenes/{name}.ron"));
            let first = plain_run::<S>(&path);
            let mut random = SplitMix64::new(7);
            for _ in 0..3 {
                let mut permuted = Scene::clone(&load(&path));
                shuffle(&mut permuted.bodies, &mut random);
                shuffle(&mut permuted.groups, &mut random);
                shuffle(&mut permuted.joints, &mut random);
                assert!(hashes::<S>(&Arc::new(permuted), 1) == *first, "{name} permuted");
            }
        }
    }
    on_every_scalar!(holds);
}

fn shuffle<T>(items: &mut [T], random: &mut SplitMix64) {
    for end in (1..items.len()).rev() {
        items.swap(end, random.index(end + 1));
    }
}

#[test]
fn every_broad_phase_gives_the_same_hashes() {
    fn holds<S: Scalar>() {
        for (number, path) in scenes_of::<S>() {
            let scene = load(&path);
            let truth = plain_run::<S>(&path);
            let mut others = vec![
                BroadPhase::DynamicTree,
                BroadPhase::SweepAndPrune,
                BroadPhase::UniformGrid,
                BroadPhase::BruteForce,
            ];
            others.retain(|&method| method != scene.broad_phase);
            let broad_phase = in_turn::<S, _>(number / 3, &others);
            let other = Scene { broad_phase, ..Scene::clone(&scene) };
            assert!(*truth == hashes::<S>(&Arc::new(other), 1), "{} by {broad_phase:?}", path.display());
        }
    }
    on_every_scalar!(holds);
}

/// What began and ended is no state; a world that was restored a step ago tells the same, whatever overlapped in it before.
#[test]
fn a_restored_world_tells_the_same_of_its_sensors() {
    fn holds<S: Scalar>() {
        let scene = load(&package().join("scenes/sensors.ron"));
        let (mut running, mut restored) = (session::<S>(&scene), session::<S>(&scene));
        let mut told = 0;
        for step in 0..scene.steps {
            restored.scramble(u64::from(step));
            restored.restore(&running.encoded().to_bytes()).expect("a state");
            assert_eq!(restored.world().overlaps(), running.world().overlaps(), "in step {step}");
            for session in [&mut running, &mut restored] {
                session.advance(&mut ()).expect("the scene runs on");
            }
            assert_eq!(restored.world().sensor_events(), running.world().sensor_events(), "after step {step}");
            told += running.world().sensor_events().len();
        }
        assert!(told > 20, "{told}");
    }
    on_every_scalar!(holds);
}

#[test]
fn a_restore_into_a_scrambled_world_at_any_step_changes_nothing() {
    fn holds<S: Scalar>() {
        for (_, path) in scenes_of::<S>() {
            let scene = load(&path);
            let hashes = plain_run::<S>(&path);
            // Restored into a world full of nonsense, and then stepped once: were a single bit missing from the snapshot, or left over in
            // the world, the next hash would tell. Two worlds hand the run to and fro: at every step, and of long runs later at every third.
            let mut before = session::<S>(&scene);
            let mut scrambled = session::<S>(&scene);
            for (step, truth) in hashes.windows(2).enumerate() {
                if step > 150 && step % 3 != 0 && !long_tests() {
                    before.advance(&mut ()).expect("the scene runs on");
                    assert_eq!(before.hash().root, truth[1].root, "{} after {step}", path.display());
                    continue;
                }
                scrambled.scramble(step as u64);
                scrambled.restore(&before.encoded().to_bytes()).expect("a state");
                assert_eq!(scrambled.hash().root, truth[0].root, "{} restored", path.display());
                scrambled.advance(&mut ()).expect("the scene runs on");
                assert_eq!(scrambled.hash().root, truth[1].root, "{} after {step}", path.display());
                std::mem::swap(&mut before, &mut scrambled);
            }
        }
    }
    on_every_scalar!(holds);
}

/// With `continuous: Off` manifolds are kept for longer ways, and contacts that do not touch yet have rows.
#[test]
fn what_is_looked_at_once_a_step_repeats_on_threads_and_after_restores() {
    fn holds<S: Scalar>() {
        for name in ["capsules_and_compounds", "dice", "rolling_wall", "shelf_crates"] {
            let scene = load(&package().join(format!("scenes/{name}.ron")));
            let steps = scene.steps.min(200);
            let scene = Arc::new(Scene { continuous: Switch::Off, steps, ..Scene::clone(&scene) });
            let truth = hashes_as_far_as_it_goes::<S>(&scene, Parallelism::plain(1));
            assert!(truth.len() > 100, "{name} came to step {}", truth.len());
            let apart = Parallelism { scheduling: Scheduling::Scrambled { seed: 7 }, ..Parallelism::plain(3) };
            assert!(truth == hashes_as_far_as_it_goes::<S>(&scene, apart), "{name} on three threads");
            let mut running = session::<S>(&scene);
            let mut scrambled = session::<S>(&scene);
            for (step, hash) in (0..).zip(&truth[1..]) {
                scrambled.scramble(step);
                scrambled.restore(&running.encoded().to_bytes()).expect("a state");
                for session in [&mut running, &mut scrambled] {
                    session.advance(&mut ()).expect("the scene runs on");
                }
                assert_eq!(scrambled.hash().root, hash.root, "{name} after step {step}");
            }
        }
    }
    on_every_scalar!(holds);
}

#[test]
fn a_run_restored_in_the_middle_comes_to_the_same_end() {
    fn holds<S: Scalar>() {
        for (_, path) in scenes_of::<S>() {
            let scene = load(&path);
            let truth = plain_run::<S>(&path);
            let mut first = session::<S>(&scene);
            for _ in 0..scene.steps / 2 {
                first.advance(&mut ()).expect("the scene runs on");
            }
            let mut second = session::<S>(&scene);
            second.scramble(99);
            second.restore(&first.encoded().to_bytes()).expect("a state");
            for step in scene.steps / 2..scene.steps {
                second.advance(&mut ()).expect("the scene runs on");
                assert_eq!(second.hash().root, truth[step as usize + 1].root, "{} after {step}", path.display());
            }
        }
    }
    on_every_scalar!(holds);
}
