//! The same scene again, on more threads, with other vectors, and with its bodies in another order.

use std::sync::Arc;

use crate::analysis::bisect::order::permuted;
use crate::analysis::stress::comparison::compare_all;
use crate::analysis::stress::trial::Trial;
use crate::analysis::stress::{Attack, AttackVerdict, Finding, Target, Tell};
use crate::math::Scalar;
use crate::math::lanes::LanePath;
use crate::parallel::{Scheduling, THREADS_IN_TURN};
use crate::scene::Scene;
use crate::scene::generate::write_out_group;
use crate::session::record::RunPlan;
use crate::world::error::BuildError;

/// The numbers of threads of plain runs.
const THREADS: [u32; 3] = [2, 3, 8];
/// How many orders of the bodies a round tries.
const ORDERS: u32 = 2;

/// How many runs in this process are equal, the first one included, when a round is done.
#[must_use]
pub const fn repeats(round: u32) -> u32 {
    3 + round
}

/// Runs the scene again in this process.
///
/// # Errors
/// When the scene makes no world.
pub fn repeat<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let repeats = repeats(target.round);
    let numbers = if target.round == 0 { 2..=repeats } else { repeats..=repeats };
    let trials: Vec<Trial> =
        numbers.map(|number| Trial::plain(format!("run {number} in this process"), target.plan.clone())).collect();
    let mut tally = compare_all::<S>(target, &trials, tell)?;
    if let Some(parted) = &mut tally.parted {
        parted.notes.push(
            "it does not repeat in one process: what one run leaves behind reaches the next, or chance does".to_owned(),
        );
    }
    Ok(tally.finding::<S>(Attack::Repeat, format!("{repeats} equal runs in this process")))
}

/// Runs the scene on more threads: plainly in the first round, and in every round with its work cut small and permuted.
///
/// # Errors
/// When the scene makes no world.
pub fn threads<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let round = target.round;
    let plain =
        |threads| Trial::plain(format!("the run on {threads} threads"), RunPlan { threads, ..target.plan.clone() });
    let mut trials: Vec<Trial> = if round == 0 { THREADS.map(plain).into() } else { Vec::new() };
    let seed = u64::from(round);
    let scrambled = |label: String, threads, scheduling| {
        Trial::plain(label, RunPlan { threads, scheduling, ..target.plan.clone() })
    };
    let label = format!("the run on 1, 2, 3 and 8 threads in turn, permuted by seed {seed}");
    trials.push(scrambled(label, 1, Scheduling::ScrambledInTurn { seed }));
    if round > 0 {
        let threads = THREADS_IN_TURN[round as usize % THREADS_IN_TURN.len()];
        let of = if threads == 1 { "thread" } else { "threads" };
        let label = format!("the run on {threads} {of}, permuted by seed {seed}");
        trials.push(scrambled(label, threads, Scheduling::Scrambled { seed }));
    }
    let tally = compare_all::<S>(target, &trials, tell)?;
    let exercised = tally.exercised.clone();
    let seeds = if round == 0 { "1 seed".to_owned() } else { format!("{} seeds", round + 1) };
    let found = tally.finding::<S>(Attack::Threads, format!("1 against 2, 3 and 8, and in turn, permuted by {seeds}"));
    let verdict = match found.verdict {
        AttackVerdict::Held if exercised.parallel_calls == 0 => {
            let why = "nothing ran in parallel: there are never two pairs to look at, or no threads".to_owned();
            AttackVerdict::NotExercised { why }
        }
        verdict => verdict,
    };
    Ok(Finding { verdict, exercised: Some(exercised), ..found })
}

/// Runs the scene with all other vectors that this machine has.
///
/// # Errors
/// When the scene makes no world.
pub fn lanes<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let first = target.plan.lanes;
    let others: Vec<LanePath> = LanePath::available().filter(|&lanes| lanes != first).collect();
    if others.is_empty() {
        let why = format!("this machine has no vectors but {}", first.name());
        return Ok(Finding::not_tried(Attack::Lanes, S::KIND, why));
    }
    let with = |lanes: LanePath| {
        Trial::plain(format!("the run with lanes {}", lanes.name()), RunPlan { lanes, ..target.plan.clone() })
    };
    let trials: Vec<Trial> = others.iter().copied().map(with).collect();
    let tally = compare_all::<S>(target, &trials, tell)?;
    let others: Vec<&str> = others.into_iter().map(LanePath::name).collect();
    Ok(tally.finding::<S>(Attack::Lanes, format!("{} against {}", first.name(), others.join(", "))))
}

/// Runs the scene with its bodies and groups in other orders.
///
/// # Errors
/// When the scene makes no world.
pub fn order<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let scene = &target.plan.scene;
    // Groups come behind all bodies: written out, their copies change places with them and with each other.
    let written_out = (0..scene.groups.len()).try_fold(Scene::clone(scene), |scene, _| write_out_group(&scene, 0));
    let written_out = written_out.map_err(|error| BuildError::Scene(error.to_string()))?;
    if written_out.bodies.len() < 2 {
        return Ok(Finding::not_tried(Attack::Order, S::KIND, "there are no two bodies to exchange"));
    }
    let can_stay = scene.bodies.len() > 1 || scene.groups.len() > 1;
    let in_order = |seed| {
        let source = if seed == 1 && can_stay { scene } else { &written_out };
        let plan = RunPlan { scene: Arc::new(permuted(source, seed)), ..target.plan.clone() };
        Trial::plain(format!("the run in order {seed}"), plan)
    };
    let tried = u64::from(target.round * ORDERS);
    let all = tried + u64::from(ORDERS);
    let trials: Vec<Trial> = (tried + 1..=all).map(in_order).collect();
    let tally = compare_all::<S>(target, &trials, tell)?;
    Ok(tally.finding::<S>(Attack::Order, format!("{all} orders of the bodies")))
}
