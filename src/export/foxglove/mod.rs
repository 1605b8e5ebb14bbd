//! An MCAP file with Foxglove's well-known messages, which Foxglove and Rerun show without set-up.
//!
//! `/tf` has the pose of every body in every state, `/scene` their shapes, `/contacts` an arrow for each contact point.
//! Rerun reads transforms from these messages but no shapes, so the same shapes stand once more in a robot description.

mod contacts;
mod container;
mod description;
mod scene;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::Arc;

use foxglove::messages::{FrameTransform, FrameTransforms, Quaternion, SceneUpdate, Timestamp, Vector3};

use crate::analysis::roster::roster;
use crate::analysis::states::StateVisitor;
use crate::export::appearance::{Appearance, body_pose, ground_half_side};
use crate::export::foxglove::contacts::ArrowScale;
use crate::export::foxglove::container::{Container, Topic};
use crate::export::foxglove::description::Description;
use crate::export::selection::Selection;
use crate::export::{ExportError, Exporter, stop_text};
use crate::math::{Pose, Quat, Scalar, Vec3};
use crate::replay::{Header, Replay, StepTime};
use crate::scene::printable::in_xml;
use crate::world::World;

/// Writes the states as messages.
pub struct FoxgloveExporter<'a, W: Write> {
    header: &'a Header,
    selection: &'a Selection,
    container: Container<W>,
    /// The name of the frame that poses are in.
    world_frame: String,
    /// The bodies of the last state by id.
    shown: BTreeMap<u32, Arc<str>>,
    /// Every body that there was.
    description: Description,
    /// What the first state decides.
    first: Option<FirstState>,
}

/// What the first state decides for all.
#[derive(Clone, Copy)]
struct FirstState {
    nanoseconds: u64,
    ground_half_side: f64,
    arrow_scale: ArrowScale,
}

impl<'a, W: Write> FoxgloveExporter<'a, W> {
    /// Begins the file.
    ///
    /// # Errors
    /// When the stream cannot be written, or the scene inside the replay cannot be read.
    pub fn new(replay: &'a Replay, selection: &'a Selection, sink: W) -> Result<Self, ExportError> {
        let names: BTreeSet<String> = roster(replay)?.into_iter().collect();
        let mut world_frame = "world".to_owned();
        while names.contains(&world_frame) {
            world_frame.push('_');
        }
        let mut container = Container::start(sink)?;
        container.metadata("physim", about(replay))?;
        let header = &replay.header;
        let description = Description::new(&header.scene_name, &world_frame);
        let shown = BTreeMap::new();
        Ok(Self { header, selection, container, world_frame, shown, description, first: None })
    }

    /// The first state's decisions, made when it comes.
    fn first_state<S: Scalar>(&mut self, world: &World<S>, nanoseconds: u64) -> FirstState {
        let seconds = self.header.seconds(1);
        *self.first.get_or_insert_with(|| FirstState {
            nanoseconds,
            ground_half_side: ground_half_side(world),
            arrow_scale: ArrowScale::of(world, seconds),
        })
    }

    /// What `/scene` has to say: everything again whenever a body comes, so that a viewer who jumps there sees all of it.
    fn scene_update<S: Scalar>(&mut self, world: &World<S>, first: FirstState, time: Timestamp) -> Option<SceneUpdate> {
        let bodies = world.bodies();
        let indices: Vec<usize> = self.selection.indices(bodies).collect();
        let now: BTreeMap<u32, Arc<str>> =
            indices.iter().map(|&index| (bodies.id[index], Arc::clone(&bodies.name[index]))).collect();
        if now == self.shown {
            return None;
        }
        let names: BTreeSet<&str> = now.values().map(|name| &**name).collect();
        let gone = self.shown.values().filter(|name| !names.contains(&***name));
        let deletions = gone.map(|name| scene::deletion(name, time)).collect();
        let mut entities = Vec::new();
        for index in indices {
            let appearance = Appearance::of(world, index);
            entities.push(scene::entity(&appearance, first.ground_half_side, time));
            if !self.shown.contains_key(&bodies.id[index]) {
                self.description.add(&appearance, first.ground_half_side);
            }
        }
        self.shown = now;
        Some(SceneUpdate { deletions, entities })
    }

    fn transforms<S: Scalar>(&self, world: &World<S>, time: Timestamp) -> FrameTransforms {
        let transform = |index: usize| {
            let pose = body_pose(world, index);
            FrameTransform {
                timestamp: Some(time),
                parent_frame_id: self.world_frame.clone(),
                // As the description calls it, which is XML.
                child_frame_id: in_xml(&world.bodies().name[index]).into_owned(),
                translation: Some(vector(pose.position)),
                rotation: Some(quaternion(pose.orientation)),
            }
        };
        FrameTransforms { transforms: self.selection.indices(world.bodies()).map(transform).collect() }
    }
}

impl<W: Write> StateVisitor for FoxgloveExporter<'_, W> {
    type Error = ExportError;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), ExportError> {
        let step = world.step_number();
        let (nanoseconds, time) = time_of(self.header.step_time(), step)?;
        let first = self.first_state(world, nanoseconds);
        if let Some(update) = self.scene_update(world, first, time) {
            self.container.message(Topic::Scene, step, nanoseconds, &update)?;
        }
        self.container.message(Topic::Transforms, step, nanoseconds, &self.transforms(world, time))?;
        let arrows = contacts::entity(world, self.selection, first.arrow_scale, &self.world_frame, time);
        let update = SceneUpdate { deletions: Vec::new(), entities: vec![arrows] };
        self.container.message(Topic::Contacts, step, nanoseconds, &update)
    }
}

impl<W: Write> Exporter<W> for FoxgloveExporter<'_, W> {
    fn finish(mut self) -> Result<W, ExportError> {
        if let Some(first) = self.first {
            self.container.description(first.nanoseconds, &self.description.text())?;
        }
        self.container.finish()
    }
}

/// What the file says of the run.
fn about(replay: &Replay) -> BTreeMap<String, String> {
    let header = &replay.header;
    let hash = replay.steps.last().map(|step| step.root.iter().map(|byte| format!("{byte:02x}")).collect());
    let entries = [
        ("producer", header.producer.clone()),
        ("scene", header.scene_name.clone()),
        ("scalar", header.scalar.name().to_owned()),
        ("dt", header.dt.clone()),
        ("semantics", header.semantics.to_string()),
        ("final_hash", hash.unwrap_or_default()),
        ("stopped", stop_text(replay).to_owned()),
    ];
    let said = entries.into_iter().filter(|(key, value)| *key != "stopped" || !value.is_empty());
    said.map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Simulated time of a state: whole nanoseconds, rounded down.
fn time_of(step_time: StepTime, step: u32) -> Result<(u64, Timestamp), ExportError> {
    let StepTime { numerator, denominator } = step_time;
    let exact = u128::from(step) * u128::from(numerator) / u128::from(denominator);
    let time = u64::try_from(exact).ok().and_then(|nanoseconds| {
        let seconds = u32::try_from(nanoseconds / 1_000_000_000).ok()?;
        Some((nanoseconds, Timestamp::new_checked(seconds, (nanoseconds % 1_000_000_000) as u32)?))
    });
    time.ok_or_else(|| {
        ExportError::Format(format!("step {step} is later than the 136 years that such a file can count"))
    })
}

fn vector(vector: Vec3<f64>) -> Vector3 {
    Vector3 { x: vector.x, y: vector.y, z: vector.z }
}

fn quaternion(quaternion: Quat<f64>) -> Quaternion {
    let [w, x, y, z] = quaternion.to_array();
    Quaternion { x, y, z, w }
}

fn pose(pose: Pose<f64>) -> foxglove::messages::Pose {
    foxglove::messages::Pose { position: Some(vector(pose.position)), orientation: Some(quaternion(pose.orientation)) }
}
