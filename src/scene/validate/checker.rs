//! Collects problems, and says in one way that a number is out of its range.

use std::ops::RangeInclusive;

use crate::scene::decimal::Decimal;
use crate::scene::error::Problem;
use crate::scene::model::{Scene, Vector};
use crate::scene::path::Path;
use crate::scene::validate::limits::Limits;

/// Most problems that are collected: a generated file may have the same one in every body, and each looks for a hint.
const MAX_PROBLEMS: usize = 100;

/// A value that is checked: where it stands, what it is, and what it belongs to.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    pub(super) path: Path,
    what: &'static str,
    owner: &'a str,
}

impl<'a> Item<'a> {
    /// A thing of which parts are checked.
    pub(super) const fn new(path: Path, owner: &'a str) -> Self {
        Self { path, what: "", owner }
    }

    /// A key of the scene itself.
    pub(super) fn setting(key: &'static str) -> Self {
        Self { path: Path::root().key(key), what: key, owner: "" }
    }

    /// A part under a key.
    pub(super) fn part(&self, key: &'static str) -> Self {
        Self { path: self.path.key(key), what: key, owner: self.owner }
    }

    /// A part at a place of a tuple, which is called `what`.
    pub(super) fn place(&self, index: usize, what: &'static str) -> Self {
        Self { path: self.path.index(index), what, owner: self.owner }
    }

    /// A part at a place of a tuple, which goes by the same name as the whole.
    pub(super) fn component(&self, index: usize) -> Self {
        self.place(index, self.what)
    }

    /// What it is and what it belongs to.
    pub(super) fn words(&self) -> String {
        match (self.what, self.owner) {
            ("", owner) => owner.to_owned(),
            (what, "") => format!("`{what}`"),
            (what, owner) => format!("`{what}` of {owner}"),
        }
    }
}

/// A scene that is checked, and what was found.
#[derive(Debug)]
pub(super) struct Checker<'a> {
    scene: &'a Scene,
    problems: Vec<Problem>,
    /// The operations that densities took so far.
    pub(super) density_work: u64,
}

impl<'a> Checker<'a> {
    pub(super) const fn new(scene: &'a Scene) -> Self {
        Self { scene, problems: Vec::new(), density_work: 0 }
    }

    pub(super) const fn scene(&self) -> &'a Scene {
        self.scene
    }

    pub(super) fn add(&mut self, problem: Problem) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// Whether enough is wrong: what repeats for every body or input need not be looked at further.
    pub(super) const fn is_full(&self) -> bool {
        self.problems.len() >= MAX_PROBLEMS
    }

    pub(super) const fn problem_count(&self) -> usize {
        self.problems.len()
    }

    pub(super) fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    /// Checks a number.
    pub(super) fn number(&mut self, item: &Item<'_>, value: &Decimal, limits: &Limits) {
        if !limits.contain(value.exact()) {
            self.add(
                Problem::new(item.path.clone(), format!("{} is {value}, which is out of range", item.words()))
                    .expected(format!("expected {limits}"))
                    .hint(limits.hint),
            );
        }
    }

    /// Checks every component of a vector.
    pub(super) fn vector(&mut self, item: &Item<'_>, value: &Vector, limits: &Limits) {
        for (index, component) in [&value.0, &value.1, &value.2].into_iter().enumerate() {
            self.number(&item.component(index), component, limits);
        }
    }

    /// Checks a vector that gives a direction: not zero, not so small or large that a scalar loses it.
    pub(super) fn direction(&mut self, item: &Item<'_>, components: &[&Decimal], limits: &Limits) {
        let magnitudes = components.iter().map(|component| component.exact().abs());
        let Some(largest) = magnitudes.max() else { return };
        if largest.is_zero() {
            self.add(
                Problem::new(item.path.clone(), format!("{} is zero and has no direction", item.words()))
                    .expected("at least one component must not be zero")
                    .hint(limits.hint),
            );
        } else if !limits.contain(largest) {
            self.add(
                Problem::new(
                    item.path.clone(),
                    format!("{} is too small or too large to be turned to length 1", item.words()),
                )
                .expected(format!("expected the largest component to be {limits}")),
            );
        }
    }

    /// Checks a whole number.
    pub(super) fn count(&mut self, item: &Item<'_>, value: u32, range: RangeInclusive<u32>) {
        if !range.contains(&value) {
            let title = format!("{} is {value}, which is out of range", item.words());
            let expected = format!("expected a whole number from {} to {}", range.start(), range.end());
            self.add(Problem::new(item.path.clone(), title).expected(expected));
        }
    }
}
