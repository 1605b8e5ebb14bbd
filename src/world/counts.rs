//! What a step exercised: contacts by pair of shapes, friction, restitution, warm starts, spawns.
//!
//! Counted beside the step, never read by it. A golden replay that counts nothing guards nothing.

use std::collections::BTreeMap;

use crate::dynamics::solver::store::SolveCounts;
use crate::geometry::ShapeKind;

/// Counts of one step, or of a run when added up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    named: BTreeMap<String, u64>,
}

impl Counts {
    /// Adds to the count of this name.
    pub fn add(&mut self, name: &str, number: u64) {
        if number > 0 {
            *self.named.entry(name.to_owned()).or_default() += number;
        }
    }

    /// Adds the contacts of two shapes, named the same in either order.
    pub fn add_contacts(&mut self, a: ShapeKind, b: ShapeKind, number: u64) {
        let (first, second) = if a <= b { (a, b) } else { (b, a) };
        self.add(&format!("contacts {} - {}", first.name(), second.name()), number);
    }

    /// Adds what a solve exercised.
    pub fn add_solve(&mut self, counts: SolveCounts) {
        self.add("friction sticks", counts.stuck);
        self.add("friction slips", counts.slipped);
        self.add("restitution", counts.bounced);
    }

    /// Adds all counts of another.
    pub fn add_all(&mut self, other: &Self) {
        for (name, number) in &other.named {
            self.add(name, *number);
        }
    }

    /// The count of a name; 0 when it never came up.
    #[must_use]
    pub fn get(&self, name: &str) -> u64 {
        self.named.get(name).copied().unwrap_or(0)
    }

    /// The sum of all counts whose name begins so.
    #[must_use]
    pub fn sum_of(&self, prefix: &str) -> u64 {
        self.named.iter().filter(|(name, _)| name.starts_with(prefix)).map(|(_, number)| number).sum()
    }

    /// All counts by name.
    #[must_use]
    pub const fn by_name(&self) -> &BTreeMap<String, u64> {
        &self.named
    }
}
