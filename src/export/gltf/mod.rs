//! One scene that moves, as binary glTF 2.0 (`.glb`): for Blender, the web, and whatever else reads glTF.
//!
//! A node for each body with a child for each shape; moving bodies have a position and an orientation for each state,
//! between which players interpolate. glTF has y up and `f32`: the root turns the scene, numbers are rounded once.

mod document;
mod mesh;
mod tracks;

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use crate::analysis::roster::members;
use crate::analysis::states::StateVisitor;
use crate::dynamics::body::BodyKind;
use crate::export::appearance::{Appearance, body_pose, ground_half_side, turn, vector_f64};
use crate::export::body_table::is_finite;
use crate::export::gltf::document::{Binary, Document};
use crate::export::gltf::mesh::{Meshes, drawn};
use crate::export::gltf::tracks::{POSE_BYTES, Tracks, narrow};
use crate::export::selection::Selection;
use crate::export::{ExportError, Exporter, OpenScratch, stop_text};
use crate::math::{Pose, Quat, Scalar, Vec3};
use crate::replay::{Header, Replay};
use crate::world::World;

/// A file counts its bytes in 32 bits.
const MAX_FILE_BYTES: u64 = u32::MAX as u64;
/// More than names, materials and meshes take, for all and for each body, in bytes.
const ALLOWANCE: u64 = 1 << 20;
const ALLOWANCE_PER_BODY: u64 = 4 << 10;

/// Gathers the states, and writes the scene at the end.
pub struct GltfExporter<'a, W> {
    replay: &'a Replay,
    selection: &'a Selection,
    sink: W,
    tracks: Tracks,
    meshes: Meshes,
    nodes: Vec<BodyNode>,
    /// The node of each body by id and name.
    places: BTreeMap<(u32, Arc<str>), usize>,
    states: u64,
    /// The steps of the first state and the last.
    steps: Option<(u32, u32)>,
    first: FirstState,
}

/// What the first state decides for all.
#[derive(Clone, Copy)]
struct FirstState {
    ground_half_side: f64,
    /// Turns what is up into y.
    upright: Quat<f64>,
}

/// A body and when it is there.
struct BodyNode {
    appearance: Appearance,
    ground_half_side: f64,
    /// Where it is first seen.
    pose: Pose<f64>,
    /// Where it moves, if it does.
    track: Option<usize>,
    /// From which state on it is there or not; the first is for state 0.
    presence: Vec<(u64, bool)>,
}

impl<'a, W: Write> GltfExporter<'a, W> {
    /// Sees whether such a file can hold the run, and opens the scratch file.
    ///
    /// # Errors
    /// When it cannot, or the scene inside the replay cannot be read.
    pub fn new(
        replay: &'a Replay,
        selection: &'a Selection,
        sink: W,
        scratch: OpenScratch<'_>,
    ) -> Result<Self, ExportError> {
        let members: Vec<_> = members(replay)?.into_iter().filter(|member| selection.takes(&member.name)).collect();
        let moving = members.iter().filter(|member| member.kind != BodyKind::Static).count() as u64;
        let states = selection.steps.count(replay);
        check_size(members.len() as u64, moving, states, selection.steps.every)?;
        check_times(&replay.header, selection, replay)?;
        Ok(Self {
            replay,
            selection,
            sink,
            tracks: Tracks::new(scratch()?, moving, states),
            meshes: Meshes::default(),
            nodes: Vec::new(),
            places: BTreeMap::new(),
            states: 0,
            steps: None,
            first: FirstState { ground_half_side: 0.0, upright: Quat::IDENTITY },
        })
    }

    fn add_body<S: Scalar>(&mut self, world: &World<S>, index: usize) {
        let bodies = world.bodies();
        let appearance = Appearance::of(world, index);
        for part in &appearance.parts {
            self.meshes.need(drawn(part, self.first.ground_half_side).mesh, &part.shape);
        }
        let pose = body_pose(world, index);
        let track = (appearance.kind != BodyKind::Static).then(|| self.tracks.add(pose));
        let mut presence = vec![(0, self.states == 0)];
        if self.states > 0 {
            presence.push((self.states, true));
        }
        self.places.insert((bodies.id[index], Arc::clone(&bodies.name[index])), self.nodes.len());
        let ground_half_side = self.first.ground_half_side;
        self.nodes.push(BodyNode { appearance, ground_half_side, pose, track, presence });
    }
}

impl<W: Write> StateVisitor for GltfExporter<'_, W> {
    type Error = ExportError;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), ExportError> {
        let (bodies, step) = (world.bodies(), world.step_number());
        if self.states == 0 {
            let up = vector_f64(-world.gravity()).direction().unwrap_or(Vec3::Y);
            self.first = FirstState { ground_half_side: ground_half_side(world), upright: turn(up, Vec3::Y) };
        }
        let mut present = vec![false; self.nodes.len()];
        for index in self.selection.indices(bodies) {
            if !is_finite(bodies, index) {
                let name = &bodies.name[index];
                return Err(ExportError::Format(format!(
                    "from step {step} on {name:?} is nowhere, which glTF cannot hold; choose earlier steps with --steps"
                )));
            }
            match self.places.get(&(bodies.id[index], Arc::clone(&bodies.name[index]))) {
                None => self.add_body(world, index),
                Some(&place) => {
                    present[place] = true;
                    if let Some(track) = self.nodes[place].track {
                        self.tracks.set(track, body_pose(world, index));
                    }
                }
            }
        }
        for (node, is_present) in self.nodes.iter_mut().zip(present) {
            if node.presence.last().is_none_or(|&(_, was_present)| was_present != is_present) {
                node.presence.push((self.states, is_present));
            }
        }
        self.tracks.end_state()?;
        self.states += 1;
        self.steps = Some((self.steps.map_or(step, |(first, _)| first), step));
        Ok(())
    }
}

impl<W: Write> Exporter<W> for GltfExporter<'_, W> {
    fn finish(self) -> Result<W, ExportError> {
        let Self { replay, selection, mut sink, tracks, meshes, nodes, states, steps, first, .. } = self;
        let (header, every) = (&replay.header, selection.steps.every);
        let start = steps.map_or(0, |(first, _)| first);
        let time_of =
            |state: u64| seconds_since(header, start, start.saturating_add((state * u64::from(every)) as u32));
        let mut binary = Binary::default();
        let document = Document {
            header,
            hash: final_hash(replay),
            stop: stop_text(replay),
            start_time: header.seconds(start),
            first: first.upright,
        };
        let (json, animation_bytes) = document.write(&meshes, &nodes, tracks.len(), states, &time_of, &mut binary);
        let json = padded(json, b' ');
        let binary_bytes = binary.bytes.len() as u64 + animation_bytes;
        let total = 12 + 8 + json.len() as u64 + if binary_bytes > 0 { 8 + binary_bytes } else { 0 };
        if total > MAX_FILE_BYTES {
            return Err(too_large(total, every));
        }
        sink.write_all(b"glTF")?;
        sink.write_all(&2_u32.to_le_bytes())?;
        sink.write_all(&(total as u32).to_le_bytes())?;
        write_chunk_head(&mut sink, json.len() as u64, b"JSON")?;
        sink.write_all(&json)?;
        if binary_bytes > 0 {
            write_chunk_head(&mut sink, binary_bytes, b"BIN\0")?;
            sink.write_all(&binary.bytes)?;
        }
        if animation_bytes > 0 {
            for state in 0..states {
                sink.write_all(&time_of(state).to_le_bytes())?;
            }
            tracks.copy_to(&mut sink)?;
        }
        sink.flush()?;
        Ok(sink)
    }
}

fn write_chunk_head(sink: &mut impl Write, bytes: u64, kind: &[u8; 4]) -> std::io::Result<()> {
    sink.write_all(&(bytes as u32).to_le_bytes())?;
    sink.write_all(kind)
}

/// Chunks are whole words.
fn padded(mut bytes: Vec<u8>, filler: u8) -> Vec<u8> {
    bytes.resize(bytes.len().next_multiple_of(4), filler);
    bytes
}

fn final_hash(replay: &Replay) -> String {
    let root = replay.steps.last().map(|step| step.root.iter().map(|byte| format!("{byte:02x}")).collect());
    root.unwrap_or_default()
}

/// Simulated seconds from one step to another.
fn seconds_since(header: &Header, start: u32, step: u32) -> f32 {
    narrow(header.seconds(step.saturating_sub(start)))
}

fn check_size(bodies: u64, moving: u64, states: u64, every: u32) -> Result<(), ExportError> {
    let total = ALLOWANCE + bodies * ALLOWANCE_PER_BODY + states * (4 + moving * POSE_BYTES);
    if total > MAX_FILE_BYTES { Err(too_large(total, every)) } else { Ok(()) }
}

fn too_large(bytes: u64, every: u32) -> ExportError {
    let gigabytes = bytes as f64 / f64::from(1 << 30);
    let enough = u64::from(every) * (bytes / MAX_FILE_BYTES + 1);
    ExportError::Format(format!(
        "it would take {gigabytes:.1} GiB, and a .glb holds 4 GiB: take fewer steps (--every {enough}, --steps) or bodies (--body)"
    ))
}

/// Times are `f32`, and have to grow from state to state.
fn check_times(header: &Header, selection: &Selection, replay: &Replay) -> Result<(), ExportError> {
    let Some(range) = selection.steps.within(replay) else { return Ok(()) };
    let length = header.seconds(range.end() - range.start());
    let spacing = header.seconds(selection.steps.every);
    // Half a unit in the last place is lost at both ends.
    if length * f64::from(f32::EPSILON) < spacing {
        return Ok(());
    }
    let enough = u64::from(selection.steps.every) * ((length * f64::from(f32::EPSILON) / spacing) as u64 + 2);
    Err(ExportError::Format(format!(
        "a .glb has its times as f32, and after {length} s they no longer tell steps {spacing} s apart from each other: \
         take fewer steps (--every {enough}, --steps)"
    )))
}
