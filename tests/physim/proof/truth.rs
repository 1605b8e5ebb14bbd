//! The truth by brute force: both runs are stepped and all their bytes compared. Nothing of the analysis is used here.

use std::collections::BTreeMap;
use std::sync::Arc;

use physim::dynamics::contact::Contact;
use physim::dynamics::solver::phase::Phase;
use physim::math::Scalar;
use physim::session::Session;
use physim::session::record::RunPlan;
use physim::world::World;
use physim::world::derived::StepData;
use physim::world::encode::table::{Field, FieldValue, ObjectFields, field_table, object_bytes};
use physim::world::encode::{Encoded, Section, State};
use physim::world::schedule::Schedule;
use physim::world::stage::{Midway, Observer, Stage};

/// Where two runs diverge, with both bit patterns; what there is not is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub step: u32,
    pub stage: Option<String>,
    pub phase: Option<String>,
    pub what: Option<What>,
}

/// The first object and field that differ; a side that lacks the object has no bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct What {
    pub section: String,
    pub object: String,
    pub field: Option<String>,
    pub bits: [Option<String>; 2],
}

/// A run as the bytes of its states, from state 0 on.
#[derive(Debug)]
pub struct Course {
    pub states: Vec<Encoded>,
    /// Whether it stopped before its last step.
    pub stopped: bool,
}

/// A session of a plan at state 0.
pub fn start<S: Scalar>(plan: &RunPlan) -> Session<S> {
    let schedule = Schedule::new(plan.scene.inputs.clone());
    Session::new(&Arc::clone(&plan.scene), schedule, plan.faults.clone(), plan.threads)
        .expect("the scene makes a world")
}

impl Course {
    pub fn run<S: Scalar>(plan: &RunPlan) -> Self {
        let mut session = start::<S>(plan);
        let mut states = vec![session.encoded().clone()];
        for _ in 0..plan.steps {
            if session.advance(&mut ()).is_err() {
                return Self { states, stopped: true };
            }
            states.push(session.encoded().clone());
        }
        Self { states, stopped: false }
    }

    /// The first step whose end is not the same in both; `None` when there is none.
    fn parts_from(&self, other: &Self) -> Option<usize> {
        let differs = self.states.iter().zip(&other.states).position(|(a, b)| a != b);
        let shorter = self.states.len().min(other.states.len());
        differs.or_else(|| (self.stopped != other.stopped).then_some(shorter))
    }
}

/// The first section whose bytes differ at the end of a step; `None` where one side did not come to it.
pub fn differing_section(courses: [&Course; 2], step: u32) -> Option<&'static str> {
    let [a, b] = [courses[0].states.get(step as usize)?, courses[1].states.get(step as usize)?];
    let bytes =
        |of: &Encoded, section| (of.constants(section).map(|part| part.bytes().to_vec()), of.moving(section).to_vec());
    Section::ALL.into_iter().find(|section| bytes(a, *section) != bytes(b, *section)).map(Section::name)
}

/// Where two runs diverge; `None` when they never do.
pub fn find<S: Scalar>(plans: [&RunPlan; 2], courses: [&Course; 2]) -> Option<Place> {
    let step = courses[0].parts_from(courses[1])?;
    let place = Place { step: step as u32, ..Place::default() };
    if step == 0 {
        let [a, b] = courses.map(|course| course.states[0].to_bytes());
        return Some(Place { what: first_difference::<S>(&a, &b), ..place });
    }
    let [a, b] = plans.map(|plan| taken::<S, _>(plan, step, Hashes(Vec::new())).0);
    let parted = a.iter().zip(&b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
    let (stage, phase, _) =
        a.get(parted).or(b.get(parted)).expect("one side has a checkpoint that the other has not so");
    let what = match plans.map(|plan| taken::<S, _>(plan, step, Keep::at(parted)).kept) {
        [Some(a), Some(b)] => first_difference::<S>(&a.bytes, &b.bytes).or_else(|| first_of(a.derived, b.derived)),
        _ => None,
    };
    let (stage, phase) = (Some(stage.name().to_owned()), phase.map(|phase| phase.to_string()));
    Some(Place { stage, phase, what, ..place })
}

/// The checkpoints of one step, each with the hash of the whole state and of what the step had just derived from it.
struct Hashes(Vec<(Stage, Option<Phase>, [u8; 32])>);

impl Hashes {
    fn add<S: Scalar>(&mut self, stage: Stage, phase: Option<Phase>, bytes: &[u8], data: &StepData<S>) {
        let mut hasher = blake3::Hasher::new();
        hasher.update(bytes);
        for object in object_bytes(data) {
            if Section::DERIVED.contains(&object.name.section) {
                let (name, length) = (object.name.to_string(), object.bytes.len());
                hasher.update(format!("{name} {:?} {length} ", object.ids).as_bytes()).update(&object.bytes);
            }
        }
        self.0.push((stage, phase, hasher.finalize().into()));
    }
}

impl<S: Scalar> Observer<S> for Hashes {
    fn stage_ended(&mut self, stage: Stage, world: &World<S>) {
        self.add(stage, None, &world.snapshot().to_bytes(), &world.step_data(stage));
    }

    fn phase_ended(&mut self, phase: Phase, midway: &Midway<'_, S>) {
        self.add(Stage::Solve, Some(phase), &midway.state().encode().to_bytes(), &midway.step_data(phase));
    }
}

/// What the whole state was at one checkpoint of a step, and what the step had just derived from it.
struct Checkpoint {
    bytes: Vec<u8>,
    derived: Vec<(Rank, ObjectFields)>,
}

impl Checkpoint {
    fn of<S: Scalar>(bytes: Vec<u8>, data: &StepData<S>) -> Self {
        let ranks = object_bytes(data).into_iter().map(|object| (object.name.section, object.ids));
        let listed = ranks.zip(field_table(data));
        let derived = listed.filter(|((section, _), _)| Section::DERIVED.contains(section)).collect();
        Self { bytes, derived }
    }
}

/// Keeps everything of one checkpoint.
struct Keep {
    /// How many checkpoints are still to come before it.
    before: usize,
    kept: Option<Checkpoint>,
}

impl Keep {
    fn at(checkpoint: usize) -> Self {
        Self { before: checkpoint, kept: None }
    }

    fn see(&mut self, checkpoint: impl FnOnce() -> Checkpoint) {
        match self.before.checked_sub(1) {
            Some(before) => self.before = before,
            None => self.kept = self.kept.take().or_else(|| Some(checkpoint())),
        }
    }
}

impl<S: Scalar> Observer<S> for Keep {
    fn stage_ended(&mut self, stage: Stage, world: &World<S>) {
        self.see(|| Checkpoint::of(world.snapshot().to_bytes(), &world.step_data(stage)));
    }

    fn phase_ended(&mut self, phase: Phase, midway: &Midway<'_, S>) {
        self.see(|| Checkpoint::of(midway.state().encode().to_bytes(), &midway.step_data(phase)));
    }
}

/// What an observer sees of one step of a run, taken from its very start; up to where it stops, if it does.
fn taken<S: Scalar, O: Observer<S>>(plan: &RunPlan, step: usize, mut observer: O) -> O {
    let mut session = start::<S>(plan);
    for _ in 1..step {
        session.advance(&mut ()).expect("both runs come to the step before");
    }
    let _ = session.advance(&mut observer);
    observer
}

/// Where an object stands in the encoding: its section, and the ids that order it there.
type Rank = (Section, [u32; 5]);

/// The fields of one object on each side that has it.
type BothSides = [Option<Vec<Field>>; 2];

/// The first object and field, in the order of the encoding, whose values differ; objects are matched by name.
pub fn first_difference<S: Scalar>(a: &[u8], b: &[u8]) -> Option<What> {
    first_of(ranked_objects::<S>(a), ranked_objects::<S>(b))
}

/// The first object and field of two lists whose values differ.
fn first_of(a: Vec<(Rank, ObjectFields)>, b: Vec<(Rank, ObjectFields)>) -> Option<What> {
    let mut objects: BTreeMap<(Section, String), (Rank, BothSides)> = BTreeMap::new();
    for (side, listed) in [a, b].into_iter().enumerate() {
        for (rank, object) in listed {
            let key = (object.name.section, object.name.object);
            let entry = objects.entry(key).or_insert((rank, [None, None]));
            entry.0 = entry.0.min(rank);
            entry.1[side] = Some(object.fields);
        }
    }
    let differing = objects.into_iter().filter(|(_, (_, [a, b]))| a != b);
    let ((section, object), (_, [a, b])) = differing.min_by_key(|(_, (rank, _))| *rank)?;
    let what = What { section: section.name().to_owned(), object, field: None, bits: [None, None] };
    let (Some(a), Some(b)) = (&a, &b) else {
        let exists = |side: &Option<Vec<Field>>| side.as_ref().map(|_| String::new());
        return Some(What { bits: [exists(&a), exists(&b)], ..what });
    };
    let (a, b) = a.iter().zip(b).find(|(a, b)| a != b).expect("a count differs before the lists are of two lengths");
    assert_eq!(a.path, b.path, "the number or kind of what follows is a field before it");
    Some(What { field: Some(a.path.clone()), bits: [Some(hex(a)), Some(hex(b))], ..what })
}

/// Every object of a state with its rank.
pub fn ranked_objects<S: Scalar>(bytes: &[u8]) -> Vec<(Rank, ObjectFields)> {
    let state = State::<S>::decode(bytes).expect("what was encoded can be decoded");
    let world = std::iter::once((Section::World, [0; 5]));
    let bodies = state.bodies.iter().map(|body| (Section::Bodies, [body.id, 0, 0, 0, 0]));
    let colliders = state.colliders.iter().map(|row| (Section::Colliders, [row.key.body, row.key.part, 0, 0, 0]));
    let ids = |row: &Contact<S>| [row.a.body, row.a.part, row.b.body, row.b.part, row.piece];
    let contacts = state.contacts.iter().map(|row| (Section::Contacts, ids(row)));
    let table = field_table(&state);
    let ranks: Vec<Rank> = world.chain(bodies).chain(colliders).chain(contacts).collect();
    assert_eq!(ranks.len(), table.len(), "every object is listed");
    ranks.into_iter().zip(table).collect()
}

fn hex(field: &Field) -> String {
    match &field.value {
        FieldValue::Number(kind, bits) => format!("{bits:0width$x}", width = 2 * kind.width()),
        FieldValue::Text(_) => String::new(),
    }
}
