//! What a page of two runs says of the first difference, and how it reached the bodies.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::analysis::diff::Diff;
use crate::analysis::diff::settings::SettingDifference;
use crate::analysis::outcome::FirstDifference;
use crate::analysis::tolerance::apart;
use crate::view::film::Film;

/// The difference of two runs, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct PageDifference {
    schema: u32,
    first: Option<First>,
    /// Settings that differ.
    settings: Vec<Setting>,
    /// The bodies that ever differ, in the order in which they first do.
    bodies: Vec<Reached>,
    notes: Vec<String>,
}

/// The first place at which the runs differ.
#[derive(Clone, Debug, Serialize)]
struct First {
    step: u32,
    stage: Option<String>,
    section: Option<String>,
    object: Option<String>,
    field: Option<String>,
    a: Option<String>,
    b: Option<String>,
}

/// A setting that differs, as both runs have it.
#[derive(Clone, Debug, Serialize)]
struct Setting {
    key: &'static str,
    a: String,
    b: String,
}

/// The first step in which a body differs.
#[derive(Clone, Debug, Serialize)]
struct Reached {
    name: String,
    step: u32,
}

impl PageDifference {
    /// The first difference in one line; `None` where nothing differs.
    #[must_use]
    pub fn in_short(&self) -> Option<String> {
        let First { step, object, field, .. } = self.first.as_ref()?;
        let place: Vec<&str> = [object, field].into_iter().flatten().map(String::as_str).collect();
        Some(format!("step {step}: {}", if place.is_empty() { "the hashes".to_owned() } else { place.join(" ") }))
    }

    /// What a comparison found, followed to the end of both runs.
    #[must_use]
    pub fn of_bits(diff: &Diff) -> Self {
        let reached = diff.path.iter().map(|reached| Reached { name: reached.body.clone(), step: reached.step });
        Self {
            schema: 1,
            first: diff.first.as_ref().map(First::from),
            settings: settings(&diff.settings),
            bodies: reached.collect(),
            notes: diff.notes.clone(),
        }
    }

    /// Of runs whose bits cannot agree: from when on each body is further from where the other run has it than `metres`.
    #[must_use]
    pub fn of_places(a: &Film, b: &Film, differing: &[SettingDifference], metres: f64) -> Self {
        let mut bodies: Vec<Reached> =
            first_apart(a, b, metres).into_iter().map(|(name, step)| Reached { name, step }).collect();
        bodies.sort_by_key(|reached| reached.step);
        let first = bodies.first().map(|reached| First {
            step: reached.step,
            stage: None,
            section: Some("bodies".to_owned()),
            object: Some(reached.name.clone()),
            field: Some("position".to_owned()),
            a: None,
            b: None,
        });
        let note = format!(
            "the runs use different scalars, so no bits can agree: a body counts as different from {metres:.1e} m on"
        );
        Self { schema: 1, first, settings: settings(differing), bodies, notes: vec![note] }
    }
}

fn settings(differing: &[SettingDifference]) -> Vec<Setting> {
    differing.iter().map(|SettingDifference { key, a, b }| Setting { key, a: a.clone(), b: b.clone() }).collect()
}

impl From<&FirstDifference> for First {
    fn from(first: &FirstDifference) -> Self {
        let field = first.field.as_ref();
        let value = |side: Option<&crate::analysis::outcome::SideValue>| side.map(|side| side.value.clone());
        Self {
            step: first.step,
            stage: first.stage.clone(),
            section: first.section.clone(),
            object: field.map(|field| field.object.clone()),
            field: field.and_then(|field| field.field.clone()),
            a: value(field.and_then(|field| field.a.as_ref())),
            b: value(field.and_then(|field| field.b.as_ref())),
        }
    }
}

/// The first step that both films show in which each body is apart, by name.
fn first_apart(a: &Film, b: &Film, metres: f64) -> BTreeMap<String, u32> {
    let by_step = |film: &Film| -> BTreeMap<u32, usize> {
        let steps = (film.first_step..).step_by(film.frames.stride as usize);
        steps.zip(0..film.frames.samples.len()).collect()
    };
    let others = by_step(b);
    let mut first = BTreeMap::new();
    for (step, frame) in by_step(a) {
        let Some(&other) = others.get(&step) else { continue };
        let place = |film: &Film, frame: usize| -> BTreeMap<String, ([f64; 3], [f64; 4])> {
            let bodies = film.frames.samples[frame].bodies.iter();
            let place = |n: &[f64]| ([n[0], n[1], n[2]], [n[3], n[4], n[5], n[6]]);
            bodies.map(|(actor, numbers)| (film.actors[*actor as usize].name.clone(), place(numbers))).collect()
        };
        let there = place(b, other);
        for (name, here) in place(a, frame) {
            let is_apart = there.get(&name).is_none_or(|there| apart(&here, there).0 > metres);
            if is_apart {
                first.entry(name).or_insert(step);
            }
        }
    }
    first
}
