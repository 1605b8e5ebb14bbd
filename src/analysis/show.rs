//! What a replay holds: an overview, the state of one step, one body over time.
//!
//! Values are `f64`, for people and plots; the bits are in the replay.

use crate::analysis::rerun::{RerunError, advance_to, session_at_keyframe};
use crate::collision::manifold::ManifoldPoint;
use crate::dynamics::collider::ColliderKey;
use crate::dynamics::contact::{ContactGeometry, KeptPoint};
use crate::math::{Scalar, ScalarTask};
use crate::replay::Replay;
use crate::session::Session;
use crate::world::World;
use crate::world::encode::State;
use crate::world::energy::Energy;
use crate::world::state_hash::StateHash;

/// Why a replay cannot show what was asked for.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// The step is behind the end of the replay.
    #[error("there is no step {step}: the replay holds steps 0 to {last}")]
    NoSuchStep {
        /// The step asked for.
        step: u32,
        /// The last step there is.
        last: u32,
    },
    /// No body of that name in any step.
    #[error("there is no body {body:?} in this replay{hint}")]
    NoSuchBody {
        /// The name asked for.
        body: String,
        /// A name that may have been meant, in brackets, or nothing.
        hint: String,
    },
    /// The step is not a keyframe, and this build does not come to it as the recording did.
    #[error("{0}; only keyframes can be shown by this build")]
    Rerun(#[from] RerunError),
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
    /// Normal impulse of the last substep, N s.
    pub impulse: f64,
}

/// A contact at one moment.
#[derive(Clone, Debug)]
pub struct ContactView {
    /// The first body.
    pub a: String,
    /// The second body.
    pub b: String,
    /// From the first to the second, world frame.
    pub normal: [f64; 3],
    /// Where they touch, as found at the start of the step.
    pub points: Vec<ContactPointView>,
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
    /// Every contact; empty at step 0, before anything was looked for.
    pub contacts: Vec<ContactView>,
    /// Energies and momenta.
    pub energy: Energy,
}

/// One body at one step.
#[derive(Clone, Debug)]
pub struct TrackPoint {
    /// The step.
    pub step: u32,
    /// Simulated time in seconds.
    pub time: f64,
    /// The body then.
    pub body: BodyView,
}

/// The last step a replay holds.
#[must_use]
pub fn last_step(replay: &Replay) -> u32 {
    u32::try_from(replay.steps.len().saturating_sub(1)).unwrap_or(u32::MAX)
}

/// Simulated time of a step in seconds.
#[must_use]
pub fn time_of(replay: &Replay, step: u32) -> f64 {
    replay.header.seconds(step)
}

/// Energies at every keyframe of a replay; nothing is run again.
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
        for (&step, bytes) in &replay.keyframes {
            session.restore(bytes).map_err(|error| RerunError::Keyframe { step, error })?;
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

/// The state of one step.
///
/// # Errors
/// When there is no such step, or this build does not come to it as the recording did.
pub fn step_view(replay: &Replay, step: u32) -> Result<StepView, ShowError> {
    if step > last_step(replay) {
        return Err(ShowError::NoSuchStep { step, last: last_step(replay) });
    }
    replay.header.scalar.dispatch(View { replay, step })
}

struct View<'a> {
    replay: &'a Replay,
    step: u32,
}

impl ScalarTask for View<'_> {
    type Output = Result<StepView, ShowError>;

    fn run<S: Scalar>(self) -> Self::Output {
        let Self { replay, step } = self;
        // Contacts are found within a step, so the step itself is run, even where it ends at a keyframe.
        // From the start where the last keyframe does not lead there: a restored run may be another one.
        let from = |start: u32| {
            let session = session_at_keyframe::<S>(replay, start);
            session.and_then(|mut session| advance_to(replay, &mut session, step).map(|()| session))
        };
        let reached = from(step.saturating_sub(1)).or_else(|_| from(0));
        let session = match (reached, replay.keyframes.get(&step)) {
            (Ok(session), _) => session,
            (Err(_), Some(bytes)) => {
                let mut session = Session::<S>::of_replay(replay, 1).map_err(RerunError::from)?;
                session.restore(bytes).map_err(|error| RerunError::Keyframe { step, error })?;
                session
            }
            (Err(error), None) => return Err(error.into()),
        };
        let world = session.world();
        let hash = StateHash { root: replay.steps[step as usize].root, ..*session.hash() };
        Ok(StepView {
            step,
            time: time_of(replay, step),
            hash: hash.hex(),
            bodies: (0..world.bodies().len()).map(|index| body_view(world, index)).collect(),
            contacts: contact_views(world),
            energy: world.energy(),
        })
    }
}

fn body_view<S: Scalar>(world: &World<S>, index: usize) -> BodyView {
    let bodies = world.bodies();
    BodyView {
        name: bodies.name[index].to_string(),
        position: bodies.position[index].to_f64(),
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
    rows.map(|(contact, geometry)| ContactView {
        a: name(contact.a),
        b: name(contact.b),
        normal: geometry.manifold.normal.to_f64(),
        points: contact
            .points()
            .iter()
            .zip(geometry.manifold.points())
            .map(|(kept, place)| point_view(world, geometry, kept, place))
            .collect(),
    })
    .collect()
}

/// A point of a contact as people read it.
pub(crate) fn point_view<S: Scalar>(
    world: &World<S>,
    geometry: &ContactGeometry<S>,
    kept: &KeptPoint<S>,
    place: &ManifoldPoint<S>,
) -> ContactPointView {
    // The arm is of the start of the step, where the contact was found; the body has moved on since.
    let start = world.start_of_step(geometry.body_a as usize);
    ContactPointView {
        position: (start + geometry.shape_a + place.position).to_f64(),
        depth: -place.separation.to_f64(),
        impulse: kept.normal_impulse.to_f64() * world.effective_mass(geometry, place).to_f64(),
    }
}

/// One body in every step in which it exists.
///
/// # Errors
/// When no step has a body of that name, or this build does not come to a step as the recording did.
pub fn body_track(replay: &Replay, body: &str) -> Result<Vec<TrackPoint>, ShowError> {
    replay.header.scalar.dispatch(Track { replay, body })
}

struct Track<'a> {
    replay: &'a Replay,
    body: &'a str,
}

impl ScalarTask for Track<'_> {
    type Output = Result<Vec<TrackPoint>, ShowError>;

    fn run<S: Scalar>(self) -> Self::Output {
        let Self { replay, body } = self;
        let mut session = session_at_keyframe::<S>(replay, 0)?;
        let mut track = Vec::new();
        loop {
            let (world, step) = (session.world(), session.step_number());
            if let Some(index) = world.bodies().index_of_name(body) {
                track.push(TrackPoint { step, time: time_of(replay, step), body: body_view(world, index) });
            }
            if step >= last_step(replay) {
                break;
            }
            advance_to(replay, &mut session, step + 1)?;
        }
        if track.is_empty() {
            return Err(ShowError::NoSuchBody { body: body.to_owned(), hint: some_names::<S>(replay) });
        }
        Ok(track)
    }
}

/// A few of the names a replay has, for people who typed another.
fn some_names<S: Scalar>(replay: &Replay) -> String {
    let state = replay.keyframes.values().next().and_then(|bytes| State::<S>::decode(bytes).ok());
    let names: Vec<String> =
        state.iter().flat_map(|state| &state.bodies).take(5).map(|body| body.name.to_string()).collect();
    if names.is_empty() { String::new() } else { format!(" (it has {}, ...)", names.join(", ")) }
}
