//! The options that make the run of a scene what it is: the same for every command that runs one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::math::ScalarKind;
use crate::replay::InputOrigin;
use crate::scene::overrides::{apply_override, check_set_once};
use crate::session::record::RunPlan;
use crate::world::fault::Fault;
use clap::Args;

use crate::cli::failure::Failure;
use crate::cli::fault::{FAULT_HELP, check_faults, parse_fault};
use crate::cli::options::{parse_whole, scalars};
use crate::cli::source::{is_dash, read_inputs, read_scene};

/// What of a run the command line may change.
#[derive(Clone, Debug, Args)]
pub struct RunOptions {
    /// How many steps to take [default: the scene's]
    #[arg(long, value_name = "N", value_parser = parse_whole::<0, 1_000_000_000>)]
    pub steps: Option<u32>,

    /// The number type to compute in: fixed, f32 or f64 [default: the scene's]
    #[arg(long, value_name = "SCALAR", value_parser = scalars(), hide_possible_values = true)]
    pub scalar: Option<ScalarKind>,

    /// Set one key of the scene, such as `solver.iterations=20` or `bodies.ball.linear_velocity.0=7.5`; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,

    /// Further inputs, one RON record on each line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,

    #[arg(long, value_name = "FAULT", value_parser = parse_fault, help = FAULT_HELP)]
    pub fault: Vec<Fault>,
}

impl RunOptions {
    /// The run of a scene under these options, on one thread.
    pub fn plan(&self, path: &Path) -> Result<RunPlan, Failure> {
        let inputs_are_piped = self.inputs.as_deref().is_some_and(is_dash);
        if is_dash(path) && inputs_are_piped {
            return Err(Failure::Usage("scene and inputs cannot both come from standard input".to_owned()));
        }
        let mut scene = read_scene(path)?;
        check_set_once(&self.set)?;
        self.set.iter().try_for_each(|assignment| apply_override(&mut scene, assignment))?;
        let inputs = match &self.inputs {
            None => Vec::new(),
            Some(path) => read_inputs(path, &scene)?,
        };
        let scalar = self.scalar.unwrap_or(scene.scalar);
        let scene = Arc::new(scene);
        let steps = self.steps.unwrap_or(scene.steps);
        check_faults(&self.fault, &scene, (scalar, steps), &inputs)?;
        let origin = if inputs_are_piped { InputOrigin::Stdin } else { InputOrigin::File };
        Ok(RunPlan {
            steps,
            scalar,
            extra_inputs: inputs.into_iter().map(|input| (input, origin)).collect(),
            faults: self.fault.clone(),
            overrides: self.set.clone(),
            scene_file: (!is_dash(path)).then(|| path.display().to_string()),
            ..RunPlan::new(scene)
        })
    }

    /// The options as words of a command line.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        words.extend(self.steps.map(|steps| format!("--steps={steps}")));
        words.extend(self.scalar.map(|scalar| format!("--scalar={scalar}")));
        words.extend(self.set.iter().map(|assignment| format!("--set={assignment}")));
        words.extend(self.inputs.iter().map(|path| format!("--inputs={}", path.display())));
        words.extend(self.fault.iter().map(|fault| format!("--fault={fault}")));
        words
    }
}
