//! Faults chosen at random, where by the clean run something is there that they can change.

use physim::dynamics::body::BodyKind;
use physim::dynamics::contact::Contact;
use physim::math::{Scalar, ScalarKind, SplitMix64};
use physim::state::visitor::FieldKind;
use physim::world::encode::table::{Field, FieldValue, ObjectFields, field_table};
use physim::world::encode::{Section, State};
use physim::world::fault::FaultKind;
use physim::world::stage::Stage;

use crate::proof::judge::Ground;

/// How often a place is drawn before a scene counts as one without such a place.
const DRAWS: usize = 40;

/// Chooses faults for one scene.
pub struct Planter<'a> {
    pub ground: &'a Ground,
    pub random: &'a mut SplitMix64,
}

impl Planter<'_> {
    /// A fault of this kind as text; `None` when the scene has no place for one.
    pub fn choose<S: Scalar>(&mut self, kind: FaultKind) -> Option<String> {
        (0..DRAWS).find_map(|_| match kind {
            FaultKind::Ulp | FaultKind::Nan => self.number::<S>(kind),
            FaultKind::LostImpulse => self.lost_impulse::<S>(),
            FaultKind::StaleFeature => self.stale_feature::<S>(),
            FaultKind::Fma => self.fma::<S>(),
            FaultKind::Swap => self.swap::<S>(),
            FaultKind::Order => self.order::<S>(),
            FaultKind::Gather => self.gather::<S>(),
            FaultKind::SleepTimer => None,
        })
    }

    fn pick<'b, T>(&mut self, from: &'b [T]) -> Option<&'b T> {
        (!from.is_empty()).then(|| &from[self.random.index(from.len())])
    }

    /// A step from 1 on.
    fn step(&mut self) -> usize {
        1 + self.random.index(self.ground.course.states.len() - 1)
    }

    fn state<S: Scalar>(&self, step: usize) -> State<S> {
        State::decode(&self.ground.course.states[step].to_bytes()).expect("a state")
    }

    /// The state whose contacts a fault at the end of a stage meets: from the narrow phase on those of the step itself.
    fn state_met<S: Scalar>(&self, step: usize, stage: Stage) -> State<S> {
        self.state(if stage < Stage::NarrowPhase { step - 1 } else { step })
    }

    /// A number of an object, one or some units off, or no number.
    fn number<S: Scalar>(&mut self, kind: FaultKind) -> Option<String> {
        let at_start = self.random.below(12) == 0;
        let step = if at_start { 0 } else { self.step() };
        let stage = if at_start { Stage::Finish } else { *self.pick(&Stage::ALL)? };
        let state: State<S> = if at_start { self.state(0) } else { self.state_met(step, stage) };
        let sections = [Section::World, Section::Bodies, Section::Bodies, Section::Colliders, Section::Contacts];
        let section = *self.pick(&sections)?;
        let table = field_table(&state);
        let objects: Vec<&ObjectFields> = table.iter().filter(|object| object.name.section == section).collect();
        let object = *self.pick(&objects)?;
        // A body that leaves in this step, or a contact that ends in it, takes the fault with it.
        if !field_table(&self.state::<S>(step)).iter().any(|other| other.name == object.name) {
            return None;
        }
        let decides = self.ground.warm_starting && is_coupled(&state, &object.name.object);
        let fits = |field: &&Field| match field.value {
            FieldValue::Text(_) => false,
            // A truth stays true whatever is added to it.
            _ if field.path.ends_with("keeps_manifold") => false,
            _ if stage >= Stage::Solve && kind == FaultKind::Ulp => !is_identity(&field.path),
            FieldValue::Number(FieldKind::Scalar(_), bits) => {
                stage >= Stage::Solve || lasts(section, &field.path, S::from_bits(bits), decides)
            }
            FieldValue::Number(..) => {
                let in_place = section != Section::Contacts || stage >= Stage::NarrowPhase || decides;
                kind == FaultKind::Ulp && in_place && !is_identity(&field.path)
            }
        };
        let fields: Vec<&Field> = object.fields.iter().filter(fits).collect();
        let path = &self.pick(&fields)?.path;
        let mut text = format!("{}@{step},stage={}", kind.name(), stage.name());
        text += &format!(",section={},object={},field={path}", section.name(), object.name.object);
        if kind == FaultKind::Ulp {
            let is_count = path.ends_with("feature") || path.ends_with("exponent");
            let is_solved_for = section == Section::Contacts && stage < Stage::Solve;
            let many = is_solved_for || self.random.below(3) == 0;
            text += &format!(",ulps={}", self.ulps(many && !is_count));
        }
        Some(text)
    }

    /// One up or down, or many.
    fn ulps(&mut self, many: bool) -> i64 {
        let size = if many { 1000 + self.random.below(4000) as i64 } else { 1 };
        if self.random.below(2) == 0 { size } else { -size }
    }

    fn lost_impulse<S: Scalar>(&mut self) -> Option<String> {
        let (step, stage) = (self.step(), *self.pick(&Stage::ALL)?);
        if stage < Stage::Solve && !self.ground.warm_starting {
            return None;
        }
        let state = self.state_met::<S>(step, stage);
        let later = self.state::<S>(step);
        let earlier = self.state::<S>(step - 1);
        // Before the solve the impulses are those of the step before, where its features are still there.
        let kept = |contact: &&Contact<S>| {
            let (Some(old), Some(new)) = (same_contact(&earlier, contact), same_contact(&later, contact)) else {
                return false;
            };
            let stays = |feature| new.points().iter().any(|point| point.feature == feature);
            let mut pressed = old.points().iter().filter(|point| point.normal_impulse != S::ZERO);
            pressed.any(|point| stays(point.feature))
        };
        let suits = |contact: &&Contact<S>| match stage {
            Stage::Solve | Stage::Finish => is_pressed(contact),
            _ => kept(contact) && is_coupled(&earlier, &contact_name(&earlier, contact)),
        };
        let contacts: Vec<&Contact<S>> = state.contacts.iter().filter(suits).collect();
        let contact = *self.pick(&contacts)?;
        let name = contact_name(&state, contact);
        Some(format!("lost_impulse@{step},stage={},object={name}", stage.name()))
    }

    fn stale_feature<S: Scalar>(&mut self) -> Option<String> {
        let step = self.step();
        let stage = *self.pick(&[Stage::NarrowPhase, Stage::Colouring, Stage::Solve, Stage::Finish])?;
        let (earlier, state) = (self.state::<S>(step - 1), self.state::<S>(step));
        let changed = |contact: &&Contact<S>| {
            same_contact(&earlier, contact).is_some_and(|old| {
                old.points().iter().zip(contact.points()).any(|(old, new)| old.feature != new.feature)
            })
        };
        let contacts: Vec<&Contact<S>> = state.contacts.iter().filter(changed).collect();
        let contact = *self.pick(&contacts)?;
        let name = contact_name(&state, contact);
        let object = self.sometimes_unnamed(&name);
        Some(format!("stale_feature@{step},stage={}{object}", stage.name()))
    }

    /// A body in a step where another rounding of its ways can be expected to show in its position.
    fn fma<S: Scalar>(&mut self) -> Option<String> {
        let states: Vec<State<S>> = (0..self.ground.course.states.len()).map(|step| self.state(step)).collect();
        let mut places = Vec::new();
        for (step, pair) in (1..).zip(states.windows(2)) {
            for body in pair[1].bodies.iter().filter(|body| body.kind != BodyKind::Static) {
                let Some(old) = pair[0].bodies.iter().find(|old| old.name == body.name) else { continue };
                let (from, speed) = (old.position, body.linear_velocity);
                let axes = [(from.x, speed.x), (from.y, speed.y), (from.z, speed.z)];
                let shown: f64 = axes.map(|(from, speed)| self.roundings_shown(from, speed)).iter().sum();
                if shown > 1.5 {
                    places.push((step, body.name.to_string()));
                }
            }
        }
        self.pick(&places).map(|(step, body)| format!("fma@{step},object={body}"))
    }

    /// In about how many substeps of a step another rounding of the way shows in the position.
    fn roundings_shown<S: Scalar>(&self, from: S, speed: S) -> f64 {
        let (from, way) = (from.to_f64(), speed.to_f64() * self.ground.dt / self.ground.substeps);
        if S::KIND == ScalarKind::Fixed {
            return if way.abs() > 1e-6 { self.ground.substeps / 2.0 } else { 0.0 };
        }
        // What the product loses is seen where the sum is not much larger than the product.
        let mut shown = 0.0;
        let mut start = from;
        for _ in 0..self.ground.substeps as u32 {
            let sum = start + way;
            shown += if start == 0.0 || sum == 0.0 { 0.0 } else { (way / sum / 4.0).abs().min(1.0) };
            start = sum;
        }
        shown
    }

    fn swap<S: Scalar>(&mut self) -> Option<String> {
        let step = self.step();
        let bodies = crowded_bodies(&self.state::<S>(step), 1);
        self.pick(&bodies).map(|body| format!("swap@{step},object={body}"))
    }

    /// In a mere tower the order of the colours is the same from either end.
    fn order<S: Scalar>(&mut self) -> Option<String> {
        let step = self.step();
        (!crowded_bodies(&self.state::<S>(step), 3).is_empty()).then(|| format!("order@{step}"))
    }

    fn gather<S: Scalar>(&mut self) -> Option<String> {
        let step = self.step();
        let only = if self.random.below(2) == 0 { ",only=threads" } else { "" };
        (self.state::<S>(step).contacts.len() > 1).then(|| format!("gather@{step}{only}"))
    }

    /// Mostly an object by name, sometimes nothing: the fault then takes the first that suits.
    fn sometimes_unnamed(&mut self, name: &str) -> String {
        if self.random.below(5) == 0 { String::new() } else { format!(",object={name}") }
    }
}

/// Whether a change of this number before the solve can be expected to outlast it; `decides` says that what a contact
/// keeps decides how its solve ends.
fn lasts<S: Scalar>(section: Section, path: &str, value: S, decides: bool) -> bool {
    // One unit of a float's zero is lost in the first sum.
    let moves = ["position", "orientation", "linear_velocity", "angular_velocity"];
    let is_summed = section == Section::Bodies && moves.iter().any(|name| path.starts_with(name));
    match section {
        Section::Contacts => decides && value != S::ZERO,
        _ => !is_summed || value != S::ZERO || S::KIND == ScalarKind::Fixed,
    }
}

/// What says which object this is, or which sort of object.
fn is_identity(path: &str) -> bool {
    let names = ["step", "next_body_id", "id", "kind", "count", "body", "part", "piece"];
    names.contains(&path.rsplit('.').next().unwrap_or(path))
}

fn same_contact<'a, S: Scalar>(state: &'a State<S>, contact: &Contact<S>) -> Option<&'a Contact<S>> {
    state.contacts.iter().find(|other| (other.a, other.b) == (contact.a, contact.b))
}

fn is_pressed<S: Scalar>(contact: &Contact<S>) -> bool {
    contact.points().iter().any(|point| point.normal_impulse != S::ZERO)
}

/// The name that a contact has in the field table.
fn contact_name<S: Scalar>(state: &State<S>, contact: &Contact<S>) -> String {
    let name = |id: u32| state.bodies.iter().find(|body| body.id == id).map_or("?", |body| &*body.name);
    format!("{}#{} | {}#{}", name(contact.a.body), contact.a.part, name(contact.b.body), contact.b.part)
}

/// The dynamic bodies that are pressed from two sides at least, and by so many other dynamic ones.
fn crowded_bodies<S: Scalar>(state: &State<S>, by_dynamic: usize) -> Vec<String> {
    let dynamic = || state.bodies.iter().filter(|body| body.kind == BodyKind::Dynamic);
    let moves = |id: u32| dynamic().any(|body| body.id == id);
    let is_crowded = |id: u32| {
        let touching: Vec<&Contact<S>> =
            state.contacts.iter().filter(|row| is_pressed(row) && (row.a.body == id || row.b.body == id)).collect();
        let moving = touching.iter().filter(|row| moves(row.a.body) && moves(row.b.body)).count();
        touching.len() > 1 && moving >= by_dynamic
    };
    dynamic().filter(|body| is_crowded(body.id)).map(|body| body.name.to_string()).collect()
}

/// Whether the solve of a contact depends on where it starts from: a point alone comes to the same end from anywhere.
fn is_coupled<S: Scalar>(state: &State<S>, name: &str) -> bool {
    let Some(contact) = state.contacts.iter().find(|contact| contact_name(state, contact) == name) else {
        return false;
    };
    let is_dynamic = |id: u32| state.bodies.iter().any(|body| body.id == id && body.kind == BodyKind::Dynamic);
    let shares = |other: &&Contact<S>| {
        let of_both =
            [other.a.body, other.b.body].into_iter().filter(|id| [contact.a.body, contact.b.body].contains(id));
        is_pressed(other) && of_both.into_iter().any(is_dynamic)
    };
    let pressed = contact.points().iter().filter(|point| point.normal_impulse != S::ZERO).count();
    pressed > 1 || (pressed == 1 && state.contacts.iter().filter(shares).count() > 1)
}
