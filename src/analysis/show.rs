//! What a replay holds: an overview, and views of its states; [`show_steps`](crate::analysis::show_steps) comes to them.
//!
//! Values are `f64`, for people and plots; the bits are in the replay.

use crate::analysis::body_pattern::{BodyPattern, BodyPatterns};
use crate::analysis::rerun::RerunError;
use crate::collision::manifold::ManifoldPoint;
use crate::dynamics::collider::ColliderKey;
use crate::dynamics::contact::ContactGeometry;
use crate::math::{Scalar, ScalarTask};
use crate::replay::Replay;
use crate::session::Session;
use crate::session::keyframe::check_keyframe;
use crate::world::World;
use crate::world::encode::table::collider_name;
use crate::world::energy::Energy;

/// Why a replay cannot show what was asked for.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// The step is behind the end of the replay.
    #[error("there is no step {step}: the replay holds {}", held_steps(*last))]
    NoSuchStep {
        /// The step asked for.
        step: u32,
        /// The last step there is.
        last: u32,
    },
    /// No body of that name, or of that pattern, in any step.
    #[error("{what} {body:?} in this replay{hint}", what = nothing_called(BodyPattern::new(body).is_literal()))]
    NoSuchBody {
        /// The name or pattern asked for.
        body: String,
        /// A name that may have been meant, or some that there are.
        hint: String,
    },
    /// The body is there in other steps only.
    #[error("{what} {bodies} {when}; it is there in other steps", what = nothing_called(*is_name))]
    NotThen {
        /// The names or patterns asked for, in quotes.
        bodies: String,
        /// Whether it is one name.
        is_name: bool,
        /// The steps asked for, as in `at step 3`.
        when: String,
    },
    /// The step is not a keyframe, and this build does not come to it as the recording did.
    #[error("{0}; only keyframes can be shown by this build")]
    Rerun(#[from] RerunError),
}

fn held_steps(last: u32) -> String {
    if last == 0 { "step 0 only".to_owned() } else { format!("steps 0 to {last}") }
}

const fn nothing_called(is_name: bool) -> &'static str {
    if is_name { "there is no body" } else { "no body matches" }
}

/// Energy at a keyframe.
#[derive(Clone, Copy, Debug)]
pub struct EnergyAt {
    /// The step.
    pub step: u32,
    /// Simulated time in seconds.
    pub time: f64,
    /// Bodies then.
    pub bodies: usize,
    /// Contacts then.
    pub contacts: usize,
    /// Energies and momenta.
    pub energy: Energy,
}

/// A body at one moment; world frame, SI units, quaternion `[w, x, y, z]`.
#[derive(Clone, Debug)]
pub struct BodyView {
    /// Its name.
    pub name: String,
    /// The centre of mass.
    pub position: [f64; 3],
    /// The origin of the body's own frame.
    pub origin: [f64; 3],
    /// Body frame to world frame.
    pub orientation: [f64; 4],
    /// Velocity of the centre of mass.
    pub linear_velocity: [f64; 3],
    /// Angular velocity.
    pub angular_velocity: [f64; 3],
    /// Whether the body sleeps.
    pub asleep: bool,
}

/// A point of a contact.
#[derive(Clone, Copy, Debug)]
pub struct ContactPointView {
    /// Midway between the surfaces, metres, world frame.
    pub position: [f64; 3],
    /// Overlap, metres; negative for a gap.
    pub depth: f64,
    /// Normal impulse of the whole step, N s.
    pub impulse: f64,
    /// The force that gives this impulse in a step, N.
    pub force: f64,
    /// The features that touch, as the state names them.
    pub feature: u32,
}

/// A contact at one moment.
#[derive(Clone, Debug)]
pub struct ContactView {
    /// The first body.
    pub a: String,
    /// The second body.
    pub b: String,
    /// The colliders that touch: `club#1`.
    pub colliders: [String; 2],
    /// The number of the triangle that touches, where one of the two is a mesh.
    pub triangle: Option<u32>,
    /// From the first to the second, world frame.
    pub normal: [f64; 3],
    /// Where they touch, as last looked at in the step; nowhere if they met within the step and parted again.
    pub points: Vec<ContactPointView>,
    /// Normal impulse of the whole step, N s: that of the points, and of blows at points that are no more.
    pub impulse: f64,
    /// The force that gives this impulse in a step, N.
    pub force: f64,
}

/// A joint at one moment.
#[derive(Clone, Debug)]
pub struct JointView {
    /// Its name.
    pub name: String,
    /// What it leaves free.
    pub kind: &'static str,
    /// The first body.
    pub a: String,
    /// The second body; `None` for the world.
    pub b: Option<String>,
    /// The point of the first body, metres, world frame.
    pub anchor_a: [f64; 3],
    /// The point of the second body, metres, world frame.
    pub anchor_b: [f64; 3],
    /// How far apart these two are, metres.
    pub error: f64,
    /// Impulse of the whole step on the second body, N s, world frame; `None` before any step.
    pub impulse: Option<[f64; 3]>,
    /// The force that gives this impulse in a step, N.
    pub force: Option<[f64; 3]>,
}

/// The state of one step.
#[derive(Clone, Debug)]
pub struct StepView {
    /// The step.
    pub step: u32,
    /// Simulated time in seconds.
    pub time: f64,
    /// The root hash in hexadecimal.
    pub hash: String,
    /// Every body.
    pub bodies: Vec<BodyView>,
    /// Every joint, by id.
    pub joints: Vec<JointView>,
    /// Every contact; empty at step 0, before anything was looked for.
    pub contacts: Vec<ContactView>,
    /// What overlaps sensors, as names of colliders: the sensor, and what it notices.
    pub overlaps: Vec<[String; 2]>,
    /// Energies and momenta.
    pub energy: Energy,
}

/// Simulated time of a step in seconds.
#[must_use]
pub fn time_of(replay: &Replay, step: u32) -> f64 {
    replay.header.seconds(step)
}

/// Energies at every keyframe of a replay that is the state whose hash is recorded; nothing is run again.
///
/// # Errors
/// When scene or keyframes cannot be used.
pub fn energies(replay: &Replay) -> Result<Vec<EnergyAt>, ShowError> {
    replay.header.scalar.dispatch(Energies(replay))
}

struct Energies<'a>(&'a Replay);

impl ScalarTask for Energies<'_> {
    type Output = Result<Vec<EnergyAt>, ShowError>;

    fn run<S: Scalar>(self) -> Self::Output {
        let Self(replay) = self;
        let mut session = Session::<S>::of_replay(replay, 1).map_err(RerunError::from)?;
        let mut rows = Vec::new();
        let is_recorded = |(step, bytes): &(u32, Vec<u8>)| check_keyframe::<S>(replay, *step, bytes).is_ok();
        for (step, bytes) in replay.keyframes.iter().filter(is_recorded) {
            session.restore(&bytes).map_err(|error| RerunError::Keyframe { step, error })?;
            let world = session.world();
            rows.push(EnergyAt {
                step,
                time: time_of(replay, step),
                bodies: world.bodies().len(),
                contacts: world.contacts().len(),
                energy: world.energy(),
            });
        }
        Ok(rows)
    }
}

/// The whole state of a step, of the bodies that are wanted and their joints and contacts; energies are those of all bodies.
pub(crate) fn step_view<S: Scalar>(replay: &Replay, world: &World<S>, wanted: Option<&BodyPatterns>) -> StepView {
    let step = world.step_number();
    let recorded = replay.steps.get(step as usize).map(|hash| blake3::Hash::from_bytes(hash.root));
    let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted.matches(name));
    let mut contacts = contact_views(world);
    contacts.retain(|contact| is_wanted(&contact.a) || is_wanted(&contact.b));
    let mut joints = joint_views(world);
    joints.retain(|joint| is_wanted(&joint.a) || joint.b.as_deref().is_some_and(is_wanted));
    let overlaps = world.overlaps().iter();
    let overlaps = overlaps.filter(|overlap| is_wanted(&overlap.sensor.body) || is_wanted(&overlap.other.body));
    StepView {
        step,
        time: time_of(replay, step),
        hash: recorded.map_or_else(String::new, |hash| hash.to_hex().to_string()),
        bodies: body_views(world, wanted),
        joints,
        contacts,
        overlaps: overlaps.map(|overlap| [&overlap.sensor, &overlap.other].map(ToString::to_string)).collect(),
        energy: world.energy(),
    }
}

/// The bodies that are wanted, in their order.
pub(crate) fn body_views<S: Scalar>(world: &World<S>, wanted: Option<&BodyPatterns>) -> Vec<BodyView> {
    let names = world.bodies().name.iter().enumerate();
    let chosen = names.filter(|(_, name)| wanted.is_none_or(|wanted| wanted.matches(name)));
    chosen.map(|(index, _)| body_view(world, index)).collect()
}

fn body_view<S: Scalar>(world: &World<S>, index: usize) -> BodyView {
    let bodies = world.bodies();
    BodyView {
        name: bodies.name[index].to_string(),
        position: bodies.position[index].to_f64(),
        origin: (bodies.position[index] - bodies.orientation[index].rotate(bodies.centre[index])).to_f64(),
        orientation: bodies.orientation[index].to_array().map(S::to_f64),
        linear_velocity: bodies.linear_velocity[index].to_f64(),
        angular_velocity: bodies.angular_velocity[index].to_f64(),
        asleep: false,
    }
}

fn contact_views<S: Scalar>(world: &World<S>) -> Vec<ContactView> {
    let name = |key: ColliderKey| {
        let index = world.bodies().index_of(key.body);
        index.map_or_else(String::new, |index| world.bodies().name[index].to_string())
    };
    let rows = world.contacts().iter().zip(world.contact_geometry());
    rows.map(|(contact, geometry)| {
        let sum = geometry.impulses.into_iter().fold(S::ZERO, |sum, impulse| sum + impulse);
        let impulse = newton_seconds(world, geometry, sum);
        ContactView {
            a: name(contact.a),
            b: name(contact.b),
            colliders: [contact.a, contact.b].map(|key| collider_name(Some(&name(key)), key)),
            triangle: contact.piece.checked_sub(1),
            normal: geometry.manifold.normal.to_f64(),
            points: contact
                .points()
                .iter()
                .zip(geometry.manifold.points().iter().zip(geometry.impulses))
                .map(|(_, (place, impulse))| point_view(world, geometry, place, impulse))
                .collect(),
            impulse,
            force: force_of_step(world, impulse),
        }
    })
    .collect()
}

fn joint_views<S: Scalar>(world: &World<S>) -> Vec<JointView> {
    let name = |id: u32| world.bodies().index_of(id).map(|index| world.bodies().name[index].to_string());
    let mut totals = vec![None; world.joints().len()];
    for rows in world.joint_rows() {
        if let Some(total) = totals.get_mut(rows.joint as usize) {
            *total = Some(rows.point.total);
        }
    }
    let rows = world.joints().iter().zip(totals);
    rows.map(|(joint, total)| {
        let points = world.joint_points(joint);
        let mass = world.reduced_mass_of(joint).to_f64();
        let impulse = total.map(|total| total.to_f64().map(|component| component * mass));
        JointView {
            name: joint.name.to_string(),
            kind: joint.kind.name(),
            a: name(joint.a).unwrap_or_default(),
            b: name(joint.b),
            anchor_a: points[0].to_f64(),
            anchor_b: points[1].to_f64(),
            error: (points[1] - points[0]).length().to_f64(),
            impulse,
            force: impulse.map(|impulse| impulse.map(|component| force_of_step(world, component))),
        }
    })
    .collect()
}

/// An impulse of a contact in N s; the solver has it over the reduced mass.
fn newton_seconds<S: Scalar>(world: &World<S>, geometry: &ContactGeometry<S>, impulse: S) -> f64 {
    impulse.to_f64() * world.reduced_mass(geometry).to_f64()
}

/// The force in N that gives an impulse in a step.
fn force_of_step<S: Scalar>(world: &World<S>, impulse: f64) -> f64 {
    let settings = world.settings();
    impulse * settings.rate.to_f64() / f64::from(settings.solver.substeps)
}

/// A point of a contact as people read it.
pub(crate) fn point_view<S: Scalar>(
    world: &World<S>,
    geometry: &ContactGeometry<S>,
    place: &ManifoldPoint<S>,
    impulse: S,
) -> ContactPointView {
    // The arm is of the moment when the contact was seen; the body has moved on since.
    let start = world.start_of_step(geometry.body_a as usize) + geometry.displacement_a;
    let impulse = newton_seconds(world, geometry, impulse);
    ContactPointView {
        position: (start + geometry.shape_offset_a + place.position).to_f64(),
        depth: -place.separation.to_f64(),
        impulse,
        force: force_of_step(world, impulse),
        feature: place.feature.0,
    }
}
