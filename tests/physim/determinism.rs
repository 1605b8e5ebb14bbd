//! The same bits every time: again, on any number of threads, in any order of bodies, from any step.

use std::sync::Arc;

use physim::math::{Scalar, SplitMix64};
use physim::scene::Scene;
use physim::scene::model::BroadPhase;
use physim::world::executor::{Parallelism, Scheduling};
use physim::world::state_hash::StateHash;

use crate::common::{example_scenes, load, package, session};
use crate::on_every_scalar;

/// The hashes of all steps of a scene on some threads.
fn hashes<S: Scalar>(scene: &Arc<Scene>, threads: u32) -> Vec<StateHash> {
    hashes_with::<S>(scene, Parallelism::plain(threads))
}

/// The same, with the work handed out in some way.
fn hashes_with<S: Scalar>(scene: &Arc<Scene>, parallelism: Parallelism) -> Vec<StateHash> {
    let schedule = physim::world::schedule::Schedule::new(scene.inputs.clone());
    let session = physim::session::Session::<S>::with_parallelism(scene, schedule, Vec::new(), parallelism);
    let mut session = session.expect("a world");
    let mut hashes = vec![*session.hash()];
    for _ in 0..scene.steps {
        hashes.push(*session.advance(&mut ()).expect("the scene runs to its end"));
    }
    hashes
}

#[test]
fn a_scene_gives_the_same_hashes_again_and_on_any_number_of_threads() {
    fn holds<S: Scalar>() {
        for path in example_scenes() {
            let scene = load(&path);
            let first = hashes::<S>(&scene, 1);
            for threads in [1, 2, 3, 8] {
                assert!(hashes::<S>(&scene, threads) == first, "{} on {threads} threads", path.display());
            }
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
                    hashes_with::<S>(&scene, Parallelism { threads: 1, scheduling }) == first,
                    "{name}, seed {seed}"
                );
                let scheduling = Scheduling::Scrambled { seed };
                let threads = [1, 3, 8][seed as usize];
                assert!(hashes_with::<S>(&scene, Parallelism { threads, scheduling }) == first, "{name}, seed {seed}");
            }
        }
    }
    on_every_scalar!(holds);
}

#[test]
fn threads_change_nothing_where_there_is_enough_work_for_them() {
    fn holds<S: Scalar>() {
        let mut scene = Scene::clone(&load(&package().join("scenes/bench/pile_boxes_1000.ron")));
        scene.steps = 120; // by then more than a thousand pairs are spread over the threads
        let scene = Arc::new(scene);
        let first = hashes::<S>(&scene, 1);
        for threads in [2, 3, 8] {
            assert!(hashes::<S>(&scene, threads) == first, "{threads} threads");
        }
    }
    on_every_scalar!(holds);
}

#[test]
fn the_order_of_bodies_in_the_scene_does_not_matter() {
    fn holds<S: Scalar>() {
        for name in ["billiards", "stack_20", "chain"] {
            let scene = load(&package().join(format!("scenes/{name}.ron")));
            let first = hashes::<S>(&scene, 1);
            let mut random = SplitMix64::new(7);
            for _ in 0..3 {
                let mut permuted = Scene::clone(&scene);
                shuffle(&mut permuted.bodies, &mut random);
                shuffle(&mut permuted.groups, &mut random);
                shuffle(&mut permuted.joints, &mut random);
                assert!(hashes::<S>(&Arc::new(permuted), 1) == first, "{name} permuted");
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
        for path in example_scenes() {
            let scene = load(&path);
            let mut other = Scene::clone(&scene);
            other.broad_phase = BroadPhase::BruteForce;
            assert!(hashes::<S>(&scene, 1) == hashes::<S>(&Arc::new(other), 1), "{}", path.display());
        }
    }
    on_every_scalar!(holds);
}

#[test]
fn a_restore_into_a_scrambled_world_at_any_step_changes_nothing() {
    fn holds<S: Scalar>() {
        for path in example_scenes() {
            let scene = load(&path);
            let truth = hashes::<S>(&scene, 1);
            // Restored at every step into a world full of nonsense, and then stepped once: were a single bit missing
            // from the snapshot, or left over in the world, the next hash would tell.
            let mut running = session::<S>(&scene);
            let mut scrambled = session::<S>(&scene);
            for step in 0..scene.steps {
                scrambled.scramble(u64::from(step));
                scrambled.restore(&running.encoded().bytes).expect("a state");
                assert_eq!(scrambled.hash().root, truth[step as usize].root, "{} restored", path.display());
                scrambled.advance(&mut ()).expect("the scene runs on");
                assert_eq!(scrambled.hash().root, truth[step as usize + 1].root, "{} after {step}", path.display());
                running.advance(&mut ()).expect("the scene runs on");
            }
        }
    }
    on_every_scalar!(holds);
}

#[test]
fn a_run_restored_in_the_middle_comes_to_the_same_end() {
    fn holds<S: Scalar>() {
        for path in example_scenes() {
            let scene = load(&path);
            let truth = hashes::<S>(&scene, 1);
            let mut first = session::<S>(&scene);
            for _ in 0..scene.steps / 2 {
                first.advance(&mut ()).expect("the scene runs on");
            }
            let mut second = session::<S>(&scene);
            second.scramble(99);
            second.restore(&first.encoded().bytes).expect("a state");
            for step in scene.steps / 2..scene.steps {
                second.advance(&mut ()).expect("the scene runs on");
                assert_eq!(second.hash().root, truth[step as usize + 1].root, "{} after {step}", path.display());
            }
        }
    }
    on_every_scalar!(holds);
}
