//! The scenes of the benchmarks: every one can be run on every scalar, and is what its name says.

use std::sync::Arc;

use physim::dynamics::body::BodyKind;
use physim::math::Scalar;
use physim::scene::Scene;

use crate::common::{load, package, session};
use crate::on_every_scalar;

/// The scenes by the names of their files, sorted.
fn bench_scenes() -> Vec<(String, Arc<Scene>)> {
    let entries = std::fs::read_dir(package().join("scenes/bench")).expect("scenes/bench/ can be listed");
    let mut scenes: Vec<_> = entries
        .map(|entry| entry.expect("an entry of scenes/bench/").path())
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, load(&path))
        })
        .collect();
    scenes.sort_by(|(a, _), (b, _)| a.cmp(b));
    scenes
}

fn takes_a_step<S: Scalar>() {
    for (name, scene) in bench_scenes() {
        let mut session = session::<S>(&scene);
        session.advance(&mut ()).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn every_bench_scene_takes_a_step() {
    on_every_scalar!(takes_a_step);
}

/// A large number at the end of a name is that of the bodies that move, rounded down.
#[test]
fn a_bench_scene_is_what_its_name_says() {
    let scenes = bench_scenes();
    assert!(scenes.len() >= 8, "{} scenes", scenes.len());
    for (name, scene) in scenes {
        assert_eq!(scene.name, name);
        let session = session::<f32>(&scene);
        let moving = session.world().bodies().kind.iter().filter(|kind| **kind == BodyKind::Dynamic).count();
        let said: usize = name.rsplit('_').next().and_then(|number| number.parse().ok()).unwrap_or(0);
        assert!(said < 1000 || (said..said + said / 20).contains(&moving), "{name} has {moving} bodies that move");
    }
}
