//! What a step exercised: joints, contacts by pair of shapes, friction, restitution, warm starts, spawns.
//!
//! Counted beside the step, never read by it. A golden replay that counts nothing guards nothing.

use std::collections::BTreeMap;

use crate::dynamics::solver::store::SolveCounts;
use crate::geometry::ShapeKind;

/// What is counted, beside contacts by pair of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Pairs of overlapping fat boxes.
    Pairs,
    /// Joints that were solved.
    Joints,
    /// Points of all contacts.
    ContactPoints,
    /// Contacts whose manifold was kept from the step before.
    Recycled,
    /// Points that started from a kept impulse.
    WarmStarts,
    /// Pressed points whose friction held.
    FrictionSticks,
    /// Pressed points whose friction reached its limit.
    FrictionSlips,
    /// Points to which restitution was applied.
    Restitution,
    /// Contacts that began within a step between shapes that were not near before it.
    CaughtAtSpeed,
    /// Pairs of shapes that passed through each other.
    PassedThrough,
    /// Overlaps with sensors that began.
    SensorBegins,
    /// Overlaps with sensors that ended.
    SensorEnds,
    /// Inputs applied.
    Inputs,
    /// Bodies spawned.
    Spawns,
    /// Bodies removed.
    Removals,
    /// Planted faults that changed the state.
    Perturbations,
    /// Planted faults that changed nothing.
    InertFaults,
}

impl Counted {
    const ALL: [Self; 17] = [
        Self::Pairs,
        Self::Joints,
        Self::ContactPoints,
        Self::Recycled,
        Self::WarmStarts,
        Self::FrictionSticks,
        Self::FrictionSlips,
        Self::Restitution,
        Self::CaughtAtSpeed,
        Self::PassedThrough,
        Self::SensorBegins,
        Self::SensorEnds,
        Self::Inputs,
        Self::Spawns,
        Self::Removals,
        Self::Perturbations,
        Self::InertFaults,
    ];

    /// The name in replays and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::Joints => "joints",
            Self::ContactPoints => "contact points",
            Self::Recycled => "contacts recycled",
            Self::WarmStarts => "warm starts",
            Self::FrictionSticks => "friction sticks",
            Self::FrictionSlips => "friction slips",
            Self::Restitution => "restitution",
            Self::CaughtAtSpeed => "caught at speed",
            Self::PassedThrough => "passed through",
            Self::SensorBegins => "sensor begins",
            Self::SensorEnds => "sensor ends",
            Self::Inputs => "inputs",
            Self::Spawns => "spawns",
            Self::Removals => "removals",
            Self::Perturbations => "perturbations",
            Self::InertFaults => "inert faults",
        }
    }
}

/// Counts of one step, or of a run when added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    counted: [u64; Counted::ALL.len()],
    /// Contacts by the kinds of their shapes, the smaller kind first.
    contacts: [[u64; ShapeKind::ALL.len()]; ShapeKind::ALL.len()],
}

impl Counts {
    /// Adds to a count.
    pub const fn add(&mut self, what: Counted, number: u64) {
        self.counted[what as usize] += number;
    }

    /// Adds one contact of two shapes, counted the same in either order.
    pub fn add_contact(&mut self, a: ShapeKind, b: ShapeKind) {
        let (first, second) = if a <= b { (a, b) } else { (b, a) };
        self.contacts[first as usize][second as usize] += 1;
    }

    /// Adds what a solve exercised.
    pub const fn add_solve(&mut self, counts: SolveCounts) {
        self.add(Counted::FrictionSticks, counts.stuck);
        self.add(Counted::FrictionSlips, counts.slipped);
        self.add(Counted::Restitution, counts.bounced);
        self.add(Counted::CaughtAtSpeed, counts.caught);
    }

    /// Adds all counts of another.
    pub fn add_all(&mut self, other: &Self) {
        for (sum, number) in self.counted.iter_mut().zip(&other.counted) {
            *sum += number;
        }
        for (sum, number) in self.contacts.as_flattened_mut().iter_mut().zip(other.contacts.as_flattened()) {
            *sum += number;
        }
    }

    /// One count.
    #[must_use]
    pub const fn get(&self, what: Counted) -> u64 {
        self.counted[what as usize]
    }

    /// Every count that is not zero, by name.
    #[must_use]
    pub fn by_name(&self) -> BTreeMap<String, u64> {
        let counted = Counted::ALL.into_iter().map(|what| (what.name().to_owned(), self.get(what)));
        let contacts = ShapeKind::ALL.into_iter().flat_map(|first| {
            ShapeKind::ALL.into_iter().map(move |second| {
                let name = format!("contacts {} - {}", first.name(), second.name());
                (name, self.contacts[first as usize][second as usize])
            })
        });
        counted.chain(contacts).filter(|(_, number)| *number > 0).collect()
    }
}
