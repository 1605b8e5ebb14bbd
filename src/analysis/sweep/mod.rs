//! A scene run under every combination of some settings: which runs those are, what is measured of each, and how the
//! parts of a sweep that several machines shared are put together again.
//!
//! A sweep is known by a digest of all that decides its results, so that a row of another sweep is never taken for its own.

pub mod axis;
pub mod merge;
pub mod outcome;
pub mod row;

use std::sync::Arc;

use crate::analysis::sweep::axis::Axis;
use crate::analysis::sweep::outcome::{Outcome, number_text};
use crate::math::ScalarKind;
use crate::scene::error::SceneError;
use crate::scene::overrides::{apply_override, set_twice};
use crate::scene::{Scene, model::Action};
use crate::session::record::RunPlan;
use crate::world::SEMANTICS_VERSION;

/// Most runs of a sweep.
pub const MOST_RUNS: u64 = 100_000;

/// The first columns of every table.
const FIRST_COLUMNS: [&str; 2] = ["run", "sweep"];
/// The columns of results before those of bodies.
pub const RESULT_COLUMNS: [&str; 7] =
    ["hash", "steps_taken", "energy_drift", "energy_drift_relative", "energy_departure", "largest_overlap", "contacts"];
/// The last columns; the time is the only one that differs when a sweep is made again.
const LAST_COLUMNS: [&str; 2] = ["stopped", "ms_per_step"];

/// Why there is no such sweep.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The settings cannot be combined.
    #[error("{0}")]
    Settings(String),
    /// Some settings are wrong: each with what is wrong with it.
    #[error("{} of the settings are wrong", .0.len())]
    Scenes(Vec<SceneError>),
}

/// What a column holds, for forms that tell texts from numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// A text.
    Text,
    /// A number, or nothing.
    Number,
    /// What was set: a number where it can be read as one.
    Setting,
}

/// A scene and the settings to run it under.
#[derive(Clone, Debug)]
pub struct Sweep {
    base: RunPlan,
    scalar: Option<ScalarKind>,
    steps: Option<u32>,
    axes: Vec<Axis>,
    bodies: Vec<String>,
    digest: String,
}

impl Sweep {
    /// The sweep over these axes, the last of which changes fastest. `scalar` and `steps` hold for every run, whatever the
    /// scene says.
    ///
    /// # Errors
    /// When a key is set twice, or there are too many combinations.
    pub fn new(
        base: RunPlan,
        scalar: Option<ScalarKind>,
        steps: Option<u32>,
        axes: Vec<Axis>,
    ) -> Result<Self, SweepError> {
        let fail = |what: String| Err(SweepError::Settings(what));
        let keys: Vec<&str> = axes.iter().flat_map(|axis| axis.keys.iter().map(String::as_str)).collect();
        if let Some(key) = keys.iter().enumerate().find_map(|(place, key)| keys[..place].contains(key).then_some(key)) {
            return fail(format!("`{key}` is set twice; give all its values in one list: --set {key}=1,2,3"));
        }
        if let Some(twice) = (0..keys.len()).find_map(|place| set_twice(&keys[..=place])) {
            return fail(format!("{twice}; set one of them"));
        }
        for (key, option) in [("scalar", scalar.map(|_| "--scalar")), ("steps", steps.map(|_| "--steps"))] {
            if let Some(option) = option.filter(|_| keys.contains(&key)) {
                return fail(format!("`{key}` is among the settings and given by {option}; give it once"));
            }
        }
        let runs = axes.iter().try_fold(1_u64, |runs, axis| runs.checked_mul(axis.values.len() as u64));
        if runs.is_none_or(|runs| runs > MOST_RUNS) {
            let runs = runs.map_or_else(|| "more than 10^19".to_owned(), |runs| runs.to_string());
            return fail(format!(
                "{runs} combinations are too many: a sweep has at most {MOST_RUNS}; give fewer values"
            ));
        }
        let mut sweep = Self { base, scalar, steps, axes, bodies: Vec::new(), digest: String::new() };
        sweep.digest = sweep.find_digest();
        Ok(sweep)
    }

    /// The same, with columns for these bodies.
    #[must_use]
    pub fn with_bodies(mut self, bodies: Vec<String>) -> Self {
        self.bodies = bodies;
        self.digest = self.find_digest();
        self
    }

    /// How many runs it has.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.axes.iter().map(|axis| axis.values.len() as u64).product()
    }

    /// The axes, as they were given.
    #[must_use]
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The bodies with columns of their own.
    #[must_use]
    pub fn bodies(&self) -> &[String] {
        &self.bodies
    }

    /// What tells this sweep from others.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The keys of the settings and their values in a run; an empty value leaves the scene as it is.
    #[must_use]
    pub fn settings(&self, run: u64) -> Vec<(&str, &str)> {
        let mut settings = Vec::new();
        for (axis, place) in self.axes.iter().zip(self.places(run)) {
            let values = axis.values.get(place).map_or(&[][..], Vec::as_slice);
            settings.extend(axis.keys.iter().map(String::as_str).zip(values.iter().map(String::as_str)));
        }
        settings
    }

    /// Which value of each axis a run has.
    fn places(&self, run: u64) -> Vec<usize> {
        let mut rest = run;
        let mut places: Vec<usize> = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            let values = axis.values.len().max(1) as u64;
            places.push(usize::try_from(rest % values).unwrap_or(0));
            rest /= values;
        }
        places.reverse();
        places
    }

    /// What a run takes.
    ///
    /// # Errors
    /// When its settings make no scene.
    pub fn plan(&self, run: u64) -> Result<RunPlan, SceneError> {
        let mut scene = Scene::clone(&self.base.scene);
        for (key, value) in self.settings(run) {
            set(&mut scene, key, value)?;
        }
        Ok(self.plan_of(scene, run))
    }

    fn plan_of(&self, scene: Scene, run: u64) -> RunPlan {
        let given = self.settings(run).into_iter().filter(|(_, value)| !value.is_empty());
        RunPlan {
            scalar: self.scalar.unwrap_or(scene.scalar),
            steps: self.steps.unwrap_or(scene.steps),
            overrides: given.map(|(key, value)| format!("{key}={value}")).collect(),
            scene: Arc::new(scene),
            ..self.base.clone()
        }
    }

    /// Checks the settings of these runs, all values of every axis first; gives back the steps of each run.
    ///
    /// # Errors
    /// When a key or a value is wrong, or settings do not go together.
    pub fn check(&self, runs: &[u64]) -> Result<Vec<u32>, SweepError> {
        self.check_values()?;
        let mut steps = Vec::with_capacity(runs.len());
        // Neighbours share the settings of the first axes, and those scenes are kept.
        let mut kept: Vec<(usize, Scene)> = Vec::new();
        let mut wrong = Vec::new();
        for &run in runs {
            let places = self.places(run);
            let shared = kept.iter().zip(&places).take_while(|((kept, _), place)| kept == *place).count();
            kept.truncate(shared);
            let made = self.make_scenes(&mut kept, &places);
            match made {
                Ok(()) => {
                    let scene = kept.last().map_or_else(|| Scene::clone(&self.base.scene), |(_, scene)| scene.clone());
                    steps.push(self.steps.unwrap_or(scene.steps));
                }
                Err(error) => wrong.push(error),
            }
        }
        if wrong.is_empty() { Ok(steps) } else { Err(SweepError::Scenes(wrong)) }
    }

    fn make_scenes(&self, kept: &mut Vec<(usize, Scene)>, places: &[usize]) -> Result<(), SceneError> {
        for (axis, &place) in self.axes.iter().zip(places).skip(kept.len()) {
            let mut scene = kept.last().map_or_else(|| Scene::clone(&self.base.scene), |(_, scene)| scene.clone());
            axis.apply(place, &mut scene)?;
            kept.push((place, scene));
        }
        Ok(())
    }

    /// Every value of every axis, on top of the first values of the axes before it.
    fn check_values(&self) -> Result<(), SweepError> {
        let mut scene = Scene::clone(&self.base.scene);
        let mut wrong = Vec::new();
        for axis in &self.axes {
            let tried: Vec<Result<Scene, SceneError>> = (0..axis.values.len())
                .map(|place| {
                    let mut changed = scene.clone();
                    axis.apply(place, &mut changed).map(|()| changed)
                })
                .collect();
            let mut good = None;
            for result in tried {
                match result {
                    Ok(changed) => good = good.or(Some(changed)),
                    Err(error) if wrong.contains(&error) => {}
                    Err(error) => wrong.push(error),
                }
            }
            scene = good.unwrap_or(scene);
        }
        if wrong.is_empty() { Ok(()) } else { Err(SweepError::Scenes(wrong)) }
    }

    /// The names of the bodies that inputs of the first run spawn.
    #[must_use]
    pub fn spawned(plan: &RunPlan) -> Vec<String> {
        let extra = plan.extra_inputs.iter().map(|(input, _)| input);
        let inputs = plan.scene.inputs.iter().chain(extra);
        let spawned = inputs.filter_map(|input| match &input.action {
            Action::Spawn(body) => Some(body.name.clone()),
            _ => None,
        });
        spawned.collect()
    }

    /// The columns of its table.
    #[must_use]
    pub fn columns(&self) -> Vec<(String, ColumnKind)> {
        let settings = self.axes.iter().flat_map(|axis| axis.keys.clone());
        let bodies = self.bodies.iter().flat_map(|body| [format!("drift[{body}]"), format!("speed[{body}]")]);
        let number = |name: String| (name, ColumnKind::Number);
        let result = |name: &str| match name {
            "run" | "steps_taken" | "contacts" => number(name.to_owned()),
            "sweep" | "hash" | "stopped" => (name.to_owned(), ColumnKind::Text),
            _ => number(name.to_owned()),
        };
        FIRST_COLUMNS
            .into_iter()
            .map(result)
            .chain(settings.map(|key| (key, ColumnKind::Setting)))
            .chain(RESULT_COLUMNS.into_iter().map(result))
            .chain(bodies.map(number))
            .chain(LAST_COLUMNS.into_iter().map(result))
            .collect()
    }

    /// The cells of a run, one for each of the columns; empty where there is nothing to say.
    #[must_use]
    pub fn cells(&self, run: u64, outcome: &Outcome, milliseconds: f64) -> Vec<String> {
        let mut cells = vec![run.to_string(), self.digest.clone()];
        cells.extend(self.settings(run).into_iter().map(|(_, value)| value.to_owned()));
        cells.extend(outcome.cells());
        let per_step = if outcome.steps > 0 { milliseconds / f64::from(outcome.steps) } else { f64::NAN };
        cells.push(outcome.stopped.clone().unwrap_or_default());
        cells.push(number_text(libm::round(per_step * 1e4) / 1e4));
        cells
    }

    /// A digest of everything that decides the results.
    fn find_digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let mut add = |text: &str| {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        };
        add("physim sweep 1");
        add(env!("CARGO_PKG_VERSION"));
        add(&SEMANTICS_VERSION.to_string());
        add(&self.base.scene.to_canonical_ron());
        add(self.scalar.map_or("", ScalarKind::name));
        add(&self.steps.map_or_else(String::new, |steps| steps.to_string()));
        self.base.extra_inputs.iter().for_each(|(input, _)| add(&input.to_ron_line()));
        add("axes");
        for axis in &self.axes {
            axis.keys.iter().for_each(|key| add(key));
            axis.values.iter().flatten().for_each(|value| add(value));
            add("axis");
        }
        self.bodies.iter().for_each(|body| add(body));
        hasher.finalize().to_hex().chars().take(16).collect()
    }
}

/// Sets a key; an empty value leaves it as it is. Number types may be written as the command line has them.
fn set(scene: &mut Scene, key: &str, value: &str) -> Result<(), SceneError> {
    if value.is_empty() {
        return Ok(());
    }
    let variant = ScalarKind::from_name(value).filter(|_| key == "scalar").map(|kind| match kind {
        ScalarKind::Fixed => "Fixed",
        ScalarKind::F32 => "F32",
        ScalarKind::F64 => "F64",
    });
    apply_override(scene, &format!("{key}={}", variant.unwrap_or(value)))
}

#[cfg(test)]
mod tests;
