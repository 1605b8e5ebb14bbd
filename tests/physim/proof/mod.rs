//! The proof of the detector: faults are planted at random, the truth is found by brute force, and `diff` and `bisect` must
//! say it.

mod judge;
mod plant;
mod tally;
mod truth;

use physim::analysis::diff::DiffOptions;
use physim::math::{Fixed, Scalar, ScalarKind, SplitMix64};
use physim::scene::Scene;
use physim::session::record::RunPlan;
use physim::world::fault::{Fault, FaultKind};

use crate::common::{load, long_tests, package, parse, place_of};
use crate::proof::judge::{Ground, Planted, Scramble};
use crate::proof::plant::Planter;
use crate::proof::tally::{Tally, check_page};
use crate::proof::truth::Course;

/// A scene, how many steps are taken of it, and which kinds are planted there.
type Site = (&'static str, u32, &'static [FaultKind]);

/// Where faults are planted.
const SITES: [Site; 16] = [
    ("billiards", 120, &KINDS),
    ("capsules_and_compounds", 60, &KINDS),
    ("couple", 120, &KINDS),
    ("damping", 120, &KINDS),
    ("dice", 60, &KINDS),
    ("free_spin", 120, &KINDS),
    ("kinematic_platform", 120, &KINDS),
    ("projectile", 120, &KINDS),
    ("rolling_wall", 120, &KINDS),
    ("shelf_crates", 60, &KINDS),
    ("stack_20", 120, &KINDS),
    ("twenty_balls", 150, &KINDS),
    ("late_names", 90, &[FaultKind::Swap, FaultKind::Order, FaultKind::Gather, FaultKind::Swap, FaultKind::Gather]),
    // Large ones take as long as all the others together, for each fault: one scalar takes each of them.
    ("bench/columns_10x10", 2, &[FaultKind::LostImpulse]),
    ("bench/pile_boxes_1000", 4, &[FaultKind::Ulp, FaultKind::Fma]),
    ("bench/wall_40", 2, &[FaultKind::Gather]),
];

/// Bodies that come later stand behind the others in the state, whatever their names.
const LATE_NAMES: &str = r#"(
    version: 1,
    name: "late_names",
    bodies: [
        (name: "m_floor", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
        (name: "x_left", position: Origin(-0.6, 0.5, 0), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
        (name: "z_right", position: Origin(0.6, 0.5, 0), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
    ],
    inputs: [
        (step: 2, action: Spawn(name: "c_plank", position: Origin(0, 1.2, 0), shape: Cuboid(half_extents: (1, 0.2, 0.4)))),
        (step: 3, action: Spawn(name: "b_box", position: Origin(0.5, 1.8, 0), shape: Cuboid(half_extents: (0.4, 0.4, 0.4)))),
        (step: 3, action: Spawn(name: "a_box", position: Origin(-0.5, 1.8, 0), shape: Cuboid(half_extents: (0.4, 0.4, 0.4)))),
    ],
)"#;

/// Every kind that there is to plant, the common ones more than once.
const KINDS: [FaultKind; 12] = [
    FaultKind::Ulp,
    FaultKind::Ulp,
    FaultKind::Ulp,
    FaultKind::LostImpulse,
    FaultKind::LostImpulse,
    FaultKind::Order,
    FaultKind::Gather,
    FaultKind::Swap,
    FaultKind::StaleFeature,
    FaultKind::StaleFeature,
    FaultKind::Nan,
    FaultKind::Fma,
];

/// How `diff` is asked, unless it is to fail.
const ASKED: DiffOptions = DiffOptions { window: 1, fields: 3, checkpoints: true };

/// How many times as many faults the long run plants.
const LONG: usize = 8;

/// The seed of the table in the documentation.
const SEED: u64 = 20_260;

/// What a campaign does with each fault.
type Act<'a> = &'a mut dyn FnMut(&Ground, &Planted, FaultKind, &mut SplitMix64);

/// Plants faults at every site, all of its kinds so many times.
fn campaign<S: Scalar>(seed: u64, times: usize, act: Act<'_>) {
    let mut random = SplitMix64::new(seed);
    for (number, (scene, steps, kinds)) in SITES.into_iter().enumerate() {
        if scene.starts_with("bench/") && times < LONG && number % ScalarKind::ALL.len() != place_of::<S>() {
            continue;
        }
        let keyframe_every = 1 + random.below(u64::from(steps)) as u32;
        let ground = Ground::new::<S>(scene_named(scene), steps, keyframe_every);
        for &kind in std::iter::repeat_n(kinds, times).flatten() {
            let possible = kind != FaultKind::Nan || S::KIND != ScalarKind::Fixed;
            let mut planter = Planter { ground: &ground, random: &mut random };
            let Some(text) = possible.then(|| planter.choose::<S>(kind)).flatten() else { continue };
            act(&ground, &Planted::plant::<S>(&ground, text), kind, &mut random);
        }
    }
}

fn scene_named(name: &str) -> Scene {
    let scene =
        if name == "late_names" { parse(LATE_NAMES) } else { load(&package().join(format!("scenes/{name}.ron"))) };
    Scene::clone(&scene)
}

/// Holds one planted fault to everything that is promised of it.
fn judged(ground: &Ground, planted: &Planted) -> Result<(), String> {
    let judgement = planted
        .check_truth()
        .and_then(|()| planted.check_replay())
        .and_then(|()| planted.check_diff(&ground.replay, ASKED))
        .and_then(|()| planted.check_bisect(ground));
    judgement.map_err(|reason| describe(ground, planted, &reason))
}

fn describe(ground: &Ground, planted: &Planted, reason: &str) -> String {
    let plan = &ground.plan;
    format!("{} {} --fault '{}': {reason}", plan.scene.name, plan.scalar.name(), planted.text)
}

/// What a campaign showed.
#[derive(Default)]
struct Proof {
    /// The detector as it is.
    whole: Tally,
    /// The detector with its stage hashing switched off, for some of the faults.
    blind: Tally,
    /// The detector with another record of the fault, for some of them.
    misled: Tally,
}

impl Proof {
    fn make<S: Scalar>(seed: u64, times: usize) -> Self {
        let mut proof = Self::default();
        campaign::<S>(seed, times, &mut |ground, planted, kind, random| {
            let inert = planted.truth.is_none().then(|| describe(ground, planted, "inert"));
            let found = inert.is_none();
            proof.whole.add(kind, inert, judged(ground, planted));
            let number = proof.whole.total().planted;
            if found && number.is_multiple_of(4) {
                let blind = DiffOptions { checkpoints: false, ..ASKED };
                proof.blind.add(kind, None, planted.check_diff(&ground.replay, blind));
            }
            if found && number % 4 == 1 {
                let scramble = scramble::<S>(ground, planted, random);
                let judgement = planted.check_scrambled::<S>(ground, &scramble);
                proof.misled.add(
                    kind,
                    None,
                    judgement.map_err(|why| describe(ground, planted, &format!("{scramble:?}: {why}"))),
                );
            }
        });
        proof
    }

    /// Those for all scalars, beside each other.
    fn make_all([fixed, single, double]: [u64; 3], times: usize) -> [Self; 3] {
        std::thread::scope(|scope| {
            let fixed = scope.spawn(move || Self::make::<Fixed>(fixed, times));
            let single = scope.spawn(move || Self::make::<f32>(single, times));
            let double = Self::make::<f64>(double, times);
            [fixed.join().expect("a proof"), single.join().expect("a proof"), double]
        })
    }

    fn check(&self) {
        self.whole.check().unwrap_or_else(|reason| panic!("{reason}"));
        self.misled.check().unwrap_or_else(|reason| panic!("with another record of the fault: {reason}"));
        let blind = self.blind.total();
        assert!(self.blind.check().is_err(), "the proof must notice that no checkpoint is hashed");
        assert!(blind.right * 4 < blind.planted, "{} of {} without the checkpoints", blind.right, blind.planted);
    }
}

/// Another record than that of the fault: none, or that of another fault in the same step.
///
/// Of a step that failed only the message is recorded, and two numbers that are none can fail it with the same one: there
/// a re-run proves no more than the message, so such a record is only removed.
fn scramble<S: Scalar>(ground: &Ground, planted: &Planted, random: &mut SplitMix64) -> Scramble {
    let kind = KINDS[random.index(KINDS.len())];
    let fault: Fault = planted.text.parse().expect("it was planted");
    match (Planter { ground, random }.choose::<S>(kind)).map(|text| text.parse::<Fault>().expect("a fault")) {
        Some(other) if kind != fault.kind || kind == FaultKind::Ulp => {
            let text = Fault { step: fault.step, ..other }.to_string();
            // What comes to the same states is as good a record as the right one.
            let is_as_good = text.parse().is_ok_and(|other| {
                let plan = RunPlan { faults: vec![other], ..ground.plan.clone() };
                Course::run::<S>(&plan).states == planted.course.states
            });
            if is_as_good { Scramble::Removed } else { Scramble::Other(text) }
        }
        _ => Scramble::Removed,
    }
}

#[test]
fn every_fault_is_named_and_the_documentation_tells_how_many() {
    let [fixed, single, double] =
        [place_of::<Fixed>(), place_of::<f32>(), place_of::<f64>()].map(|place| SEED + place as u64);
    let proofs = Proof::make_all([fixed, single, double], 1);
    proofs.iter().for_each(Proof::check);
    let (mut whole, mut misled) = (Tally::default(), Tally::default());
    for proof in &proofs {
        whole.add_all(&proof.whole);
        misled.add_all(&proof.misled);
    }
    assert!(whole.total().planted >= 200, "{}", whole.table());
    assert!(misled.total().planted >= 40, "{}", misled.table());
    check_page(&whole.table());
}

/// The same with some thousand faults, `PHYSIM_LONG_TESTS=1`; what it came to is left under `target/`.
#[test]
fn thousands_of_faults_are_named() {
    if !long_tests() {
        return;
    }
    let proofs = Proof::make_all([SEED * 2, SEED * 3, SEED * 5], LONG);
    let mut whole = Tally::default();
    for proof in &proofs {
        whole.add_all(&proof.whole);
    }
    let report = format!("{}{}\n{}\n", whole.table(), whole.misses.join("\n"), whole.inert.join("\n"));
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("proof_of_the_detector.txt");
    std::fs::write(path, report).expect("the report can be written");
    proofs.iter().for_each(Proof::check);
}
