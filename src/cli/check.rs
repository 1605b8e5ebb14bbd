//! `physim check`: reads and checks scenes, and runs nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::math::{Scalar, ScalarKind, ScalarTask};
use crate::replay::recordable::why_not_recordable;
use crate::scene::Scene;
use crate::world::World;
use crate::world::encode::Encoded;
use crate::world::error::BuildError;
use clap::Args;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::scenes::find_scenes;
use crate::cli::source::{name_of, read_scene_with_solids};
use crate::report;
use crate::report::check::{BodyCounts, CheckedScene};
use crate::report::console::Console;

const EXAMPLES: &str = "\
Examples:
  physim check scenes/billiards.ron
  physim check scenes                         all scenes in a folder
  generate_scene | physim check -

Exit status: 0 every scene is right, 2 one is not.";

/// Check scenes without running them
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArguments {
    /// Scenes, files in RON, or folders: all scenes in them and in the folders below; `-` is standard input
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<PathBuf>,
}

/// Runs the command. A wrong scene does not keep the next one from being checked.
pub fn execute(arguments: &CheckArguments, console: &mut Console) -> ExitStatus {
    let mut status = ExitStatus::Done;
    for path in &arguments.scenes {
        match find_scenes(std::slice::from_ref(path), &mut |what| console.warning(what)) {
            Ok(scenes) => scenes.iter().for_each(|scene| status = status.max(tell_of(check(scene), console))),
            Err(failure) => status = status.max(tell_of(Err(failure), console)),
        }
    }
    status
}

fn tell_of(checked: Result<CheckedScene, Failure>, console: &mut Console) -> ExitStatus {
    match checked {
        Ok(checked) => {
            console.result(&report::check::text(&checked));
            ExitStatus::Done
        }
        Err(failure) => {
            super::tell(console, &failure);
            failure.status()
        }
    }
}

fn check(path: &Path) -> Result<CheckedScene, Failure> {
    let (scene, solids) = read_scene_with_solids(path)?;
    let scene = Arc::new(scene);
    let name = name_of(path);
    let (counts, state_bytes) =
        scene.scalar.dispatch(Build(&scene)).map_err(|error| Failure::building(&name, &error))?;
    let scene_bytes = scene.to_canonical_ron().len() as u64;
    let not_recordable = why_not_recordable(scene_bytes, counts.bodies(), state_bytes);
    let others = ScalarKind::ALL.into_iter().filter(|kind| *kind != scene.scalar);
    let refusals = others.filter_map(|kind| Some((kind, kind.dispatch(Build(&scene)).err()?.to_string()))).collect();
    Ok(CheckedScene { name, scene, counts, not_recordable, solids, refusals })
}

/// Builds the world of step 0 and counts what is in it, and the bytes of its state.
struct Build<'a>(&'a Arc<Scene>);

impl ScalarTask for Build<'_> {
    type Output = Result<(BodyCounts, u64), BuildError>;

    fn run<S: Scalar>(self) -> Self::Output {
        let mut world = World::<S>::build(self.0)?;
        let mut encoded = Encoded::default();
        world.encode_and_hash(&mut encoded);
        Ok((BodyCounts::of(&world), encoded.length() as u64))
    }
}
