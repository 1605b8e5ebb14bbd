//! What several test modules use: scenes from disk and from text, sessions, runs on every scalar.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use physim::math::{Scalar, ScalarKind, SplitMix64};
use physim::replay::{Replay, read_strict_bytes};
use physim::scene::{self, Scene};
use physim::session::Session;
use physim::session::record::{RunPlan, record};
use physim::world::schedule::Schedule;

/// The folder of the package.
pub fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Writes a stale page of the documentation anew, with `PHYSIM_WRITE_DOCS=1`; else fails and says what it is about.
pub fn renew_page(page: &str, anew: &str, what: &str) {
    let writes = std::env::var_os("PHYSIM_WRITE_DOCS").is_some_and(|value| value == "1");
    assert!(writes, "{page} is stale; PHYSIM_WRITE_DOCS=1 writes it anew:\n{what}");
    std::fs::write(package().join(page), anew).expect("the page can be written");
}

/// Every example scene of `scenes/`, sorted by name.
pub fn example_scenes() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(package().join("scenes")).expect("scenes/ can be listed");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry of scenes/").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ron"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "there are example scenes");
    paths
}

/// A scene from disk.
pub fn load(path: &Path) -> Arc<Scene> {
    Arc::new(scene::load(path).unwrap_or_else(|error| panic!("{error}")))
}

/// A scene from text.
pub fn parse(text: &str) -> Arc<Scene> {
    Arc::new(scene::parse("test scene", text).unwrap_or_else(|error| panic!("{error}")))
}

/// A random number from `least` to `most`, in steps of a billionth of the way.
pub fn between(random: &mut SplitMix64, least: f64, most: f64) -> f64 {
    least + (most - least) * (random.below(1_000_000_001) as f64 / 1e9)
}

/// The place of a scalar among all.
pub fn place_of<S: Scalar>() -> usize {
    ScalarKind::ALL.iter().position(|&kind| kind == S::KIND).expect("a scalar")
}

/// Whether the long forms of tests are asked for, `PHYSIM_LONG_TESTS=1`.
pub fn long_tests() -> bool {
    std::env::var_os("PHYSIM_LONG_TESTS").is_some_and(|value| value == "1")
}

/// A session at step 0.
pub fn session<S: Scalar>(scene: &Arc<Scene>) -> Session<S> {
    let schedule = Schedule::new(scene.inputs.clone());
    Session::new(scene, schedule, Vec::new(), 1).unwrap_or_else(|error| panic!("{error}"))
}

/// The plan to run a scene as it is on one thread.
pub fn plan<S: Scalar>(scene: &Arc<Scene>) -> RunPlan {
    RunPlan { scalar: S::KIND, ..RunPlan::new(Arc::clone(scene)) }
}

/// The bytes of the replay of a plan.
pub fn recorded_bytes(plan: &RunPlan) -> Vec<u8> {
    let mut open = |header: &_, scene: &_, _| {
        physim::replay::ReplayWriter::new("test replay", Vec::new(), header, scene).map(Some)
    };
    let (_, bytes) = record(plan, &mut open, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
    bytes.expect("the run is recorded")
}

/// The replay of a plan, read back.
pub fn recorded(plan: &RunPlan) -> Replay {
    read_strict_bytes(&recorded_bytes(plan)).unwrap_or_else(|error| panic!("{error}"))
}

/// A plan with one number changed by `ulps` after `step`.
pub fn perturbed(plan: &RunPlan, step: u32, object: &str, field: &str, ulps: i64) -> RunPlan {
    faulty(plan, &format!("ulp@{step},object={object},field={field},ulps={ulps}"))
}

/// A plan with a fault planted.
pub fn faulty(plan: &RunPlan, fault: &str) -> RunPlan {
    RunPlan { faults: vec![fault.parse().unwrap_or_else(|error| panic!("{fault}: {error}"))], ..plan.clone() }
}

/// Calls a test that is generic over the scalar with each of them.
#[macro_export]
macro_rules! on_every_scalar {
    ($test:ident) => {
        $test::<physim::math::Fixed>();
        $test::<f32>();
        $test::<f64>();
    };
}
