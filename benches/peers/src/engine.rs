//! What is compared: engines on number types, under settings.

use std::fmt::{Display, Formatter};

use physim::math::lanes::LanePath;
use physim::math::{Fixed, Scalar};
use physim::scene::Scene;

use crate::clock::Clock;
use crate::own;
use crate::quality::Quality;
use crate::rapier;
use crate::reference::Reference;

/// How long a run is, on how many threads and in which vectors.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub steps: u32,
    pub warm_up: u32,
    pub threads: u32,
    /// The vectors of physim.
    pub lanes: LanePath,
    pub clock: Clock,
}

/// One run: its time and what came of it.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Of a step, on average over those that count.
    pub milliseconds: f64,
    pub quality: Quality,
}

/// Where a body is at the end, its frame in its centre of mass.
#[derive(Clone, Copy, Debug)]
pub struct BodyState {
    pub position: [f64; 3],
    /// As (w, x, y, z).
    pub orientation: [f64; 4],
}

/// A world of some engine.
pub trait Engine {
    /// Takes one step.
    fn step(&mut self) -> Result<(), String>;
    /// Every body, in the order of the reference.
    fn states(&self) -> Vec<BodyState>;
    /// Of all bodies, joules.
    fn kinetic_energy(&self) -> f64;
}

/// Steps a world with the clock on.
fn timed(mut engine: impl Engine, reference: &Reference, plan: &Plan) -> Result<Measured, String> {
    for _ in 0..plan.warm_up {
        engine.step()?;
    }
    let start = plan.clock.start()?;
    for _ in plan.warm_up..plan.steps {
        engine.step()?;
    }
    let milliseconds = start.seconds()? * 1000.0 / f64::from(plan.steps - plan.warm_up);
    Ok(Measured { milliseconds, quality: Quality::of(&engine, reference) })
}

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    RapierF32,
    F32Matched,
    F32Once,
    F32Own,
    FixedMatched,
    FixedOnce,
    FixedOwn,
    RapierF64,
    F64Matched,
    F64Once,
    F64Own,
}

impl Variant {
    /// All columns in order.
    pub const ALL: [Self; 11] = [
        Self::RapierF32,
        Self::F32Matched,
        Self::F32Once,
        Self::F32Own,
        Self::FixedMatched,
        Self::FixedOnce,
        Self::FixedOwn,
        Self::RapierF64,
        Self::F64Matched,
        Self::F64Once,
        Self::F64Own,
    ];

    /// The name on the command line and at the head of the column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RapierF32 => "rapier-f32",
            Self::F32Matched => "f32-matched",
            Self::F32Once => "f32-once",
            Self::F32Own => "f32-own",
            Self::FixedMatched => "fixed-matched",
            Self::FixedOnce => "fixed-once",
            Self::FixedOwn => "fixed-own",
            Self::RapierF64 => "rapier-f64",
            Self::F64Matched => "f64-matched",
            Self::F64Once => "f64-once",
            Self::F64Own => "f64-own",
        }
    }

    /// The variant of a name.
    pub fn parse(name: &str) -> Result<Self, String> {
        let names = Self::ALL.map(Self::name).join(", ");
        Self::ALL.into_iter().find(|one| one.name() == name).ok_or_else(|| format!("expected one of {names}"))
    }

    /// What its time is divided by: fixed point too is compared with Rapier in f32.
    pub const fn base(self) -> Self {
        match self {
            Self::RapierF64 | Self::F64Matched | Self::F64Once | Self::F64Own => Self::RapierF64,
            _ => Self::RapierF32,
        }
    }

    /// Runs the scene once.
    pub fn run(self, reference: &Reference, plan: &Plan) -> Result<Measured, String> {
        match self {
            Self::RapierF32 => timed(rapier::single::World::build(reference, plan)?, reference, plan),
            Self::RapierF64 => timed(rapier::double::World::build(reference, plan)?, reference, plan),
            Self::F32Matched => run_own::<f32>(&reference.matched, reference, plan),
            Self::F32Once => run_own::<f32>(&reference.once, reference, plan),
            Self::F32Own => run_own::<f32>(&reference.own, reference, plan),
            Self::FixedMatched => run_own::<Fixed>(&reference.matched, reference, plan),
            Self::FixedOnce => run_own::<Fixed>(&reference.once, reference, plan),
            Self::FixedOwn => run_own::<Fixed>(&reference.own, reference, plan),
            Self::F64Matched => run_own::<f64>(&reference.matched, reference, plan),
            Self::F64Once => run_own::<f64>(&reference.once, reference, plan),
            Self::F64Own => run_own::<f64>(&reference.own, reference, plan),
        }
    }
}

impl Display for Variant {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}

fn run_own<S: Scalar>(scene: &Scene, reference: &Reference, plan: &Plan) -> Result<Measured, String> {
    timed(own::Own::<S>::build(scene, plan)?, reference, plan)
}
