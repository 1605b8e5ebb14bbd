//! Which runs are measured.

use std::path::Path;

use crate::math::ScalarKind;
use crate::session::record::RunPlan;

use crate::cli::bench::arguments::BenchArguments;
use crate::cli::failure::Failure;
use crate::cli::run_options::RunOptions;
use crate::cli::scenes::find_scenes;

/// A run for each scene on each number type. What is left alone in folders is told.
pub fn plans(arguments: &BenchArguments, tell: &mut dyn FnMut(&str)) -> Result<Vec<RunPlan>, Failure> {
    let mut plans: Vec<RunPlan> = Vec::new();
    for path in find_scenes(&arguments.scenes, tell)? {
        for plan in plans_of(arguments, &path)? {
            let is_there = |other: &RunPlan| other.scene.name == plan.scene.name && other.scalar == plan.scalar;
            if plans.iter().any(is_there) {
                return Err(Failure::Usage(format!(
                    "{}: {} on {} is measured already; name it once, or give the scenes names of their own",
                    path.display(),
                    plan.scene.name,
                    plan.scalar
                )));
            }
            plans.push(plan);
        }
    }
    Ok(plans)
}

fn plans_of(arguments: &BenchArguments, path: &Path) -> Result<Vec<RunPlan>, Failure> {
    let options = RunOptions {
        steps: arguments.steps,
        scalar: None,
        set: arguments.set.clone(),
        inputs: None,
        fault: Vec::new(),
    };
    let plan = options.plan(path)?;
    let (warm_up, steps) = (arguments.settings().warm_up, plan.steps);
    if warm_up >= steps {
        let name = &plan.scene.name;
        return Err(Failure::Usage(format!(
            "{name}: a warm-up of {warm_up} leaves nothing of {steps} steps to be measured; give more --steps or less --warm-up"
        )));
    }
    let mut scalars: Vec<ScalarKind> = arguments.scalar.clone();
    scalars.sort_unstable();
    scalars.dedup();
    if scalars.is_empty() {
        scalars.push(plan.scalar);
    }
    let (threads, lanes) = (arguments.threads.get(), arguments.lanes());
    Ok(scalars.into_iter().map(|scalar| RunPlan { scalar, threads, lanes, ..plan.clone() }).collect())
}
