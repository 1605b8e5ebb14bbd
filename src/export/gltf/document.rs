//! The JSON part of the file, and the bytes it speaks of.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::export::appearance::Colour;
use crate::export::gltf::BodyNode;
use crate::export::gltf::mesh::{Mesh, MeshKey, Meshes, drawn};
use crate::export::gltf::tracks::{ORIENTATION_BYTES, POSE_BYTES, POSITION_BYTES, narrow};
use crate::math::Quat;
use crate::replay::Header;

/// Numbers of the specification: what a component is, and what a buffer view is for.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// The bytes that come before those of the animation.
#[derive(Default)]
pub(super) struct Binary {
    pub(super) bytes: Vec<u8>,
}

/// What the document says of the run.
pub(super) struct Document<'a> {
    pub(super) header: &'a Header,
    pub(super) hash: String,
    /// Why it stopped before its end; empty where it did not.
    pub(super) stop: &'a str,
    pub(super) start_time: f64,
    pub(super) first: Quat<f64>,
}

/// The parts that grow while the document is put together.
#[derive(Default)]
struct Parts {
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

/// Where the accessors of a mesh are.
struct MeshAccessors {
    positions: usize,
    normals: usize,
    indices: usize,
}

impl Document<'_> {
    /// The JSON, and how many bytes of animation follow those of `binary`: times, then the tracks as they are copied.
    pub(super) fn write(
        &self,
        meshes: &Meshes,
        nodes: &[BodyNode],
        tracks: usize,
        states: u64,
        time_of: &dyn Fn(u64) -> f32,
        binary: &mut Binary,
    ) -> (Vec<u8>, u64) {
        let mut parts = Parts::default();
        let accessors = parts.add_meshes(meshes, binary);
        parts.nodes.push(json!({}));
        let children = parts.add_nodes(nodes, &accessors);
        parts.add_presence(nodes, &children, time_of, binary);
        let animation_bytes = parts.add_tracks(nodes, &children, tracks, states, time_of, binary.bytes.len() as u64);
        let mut root = json!({ "name": self.header.scene_name, "rotation": rotation(self.first) });
        put(&mut root, "children", children);
        parts.nodes[0] = root;
        let buffer_bytes = binary.bytes.len() as u64 + animation_bytes;
        let mut document = json!({
            "asset": { "version": "2.0", "generator": self.header.producer, "extras": self.extras() },
            "scene": 0,
            "scenes": [{ "name": self.header.scene_name, "nodes": [0] }],
        });
        let Parts { views, accessors, meshes, nodes, samplers, channels } = parts;
        put(&mut document, "nodes", nodes);
        if !meshes.is_empty() {
            put(&mut document, "materials", Colour::ALL.map(material).to_vec());
        }
        put(&mut document, "meshes", meshes);
        put(&mut document, "accessors", accessors);
        put(&mut document, "bufferViews", views);
        if buffer_bytes > 0 {
            put(&mut document, "buffers", vec![json!({ "byteLength": buffer_bytes })]);
        }
        if !channels.is_empty() {
            put(
                &mut document,
                "animations",
                vec![json!({ "name": "run", "samplers": samplers, "channels": channels })],
            );
        }
        (document.to_string().into_bytes(), animation_bytes)
    }

    fn extras(&self) -> Value {
        let Self { header, hash, stop, start_time, .. } = self;
        let mut extras = json!({
            "scalar": header.scalar.name(),
            "dt": header.dt,
            "final_hash": hash,
            "start_time": start_time,
        });
        if !stop.is_empty() {
            extras["stopped"] = json!(stop);
        }
        extras
    }
}

impl Parts {
    /// The vertices and triangles of each mesh.
    fn add_meshes(&mut self, meshes: &Meshes, binary: &mut Binary) -> BTreeMap<MeshKey, MeshAccessors> {
        let mut accessors = BTreeMap::new();
        for (key, mesh) in meshes.iter() {
            let Mesh { positions, normals, indices } = mesh;
            let (low, high) = bounds(positions);
            let view =
                self.add_view(binary, positions.iter().flatten().flat_map(|part| part.to_le_bytes()), ARRAY_BUFFER);
            let positions = self.add_accessor(
                json!({ "bufferView": view, "componentType": FLOAT, "count": positions.len(), "type": "VEC3",
                    "min": low, "max": high }),
            );
            let view =
                self.add_view(binary, normals.iter().flatten().flat_map(|part| part.to_le_bytes()), ARRAY_BUFFER);
            let normals = self.add_accessor(
                json!({ "bufferView": view, "componentType": FLOAT, "count": normals.len(), "type": "VEC3" }),
            );
            let view = self.add_view(binary, indices.iter().flat_map(|part| part.to_le_bytes()), ELEMENT_ARRAY_BUFFER);
            let indices = self.add_accessor(
                json!({ "bufferView": view, "componentType": UNSIGNED_INT, "count": indices.len(), "type": "SCALAR" }),
            );
            accessors.insert(key, MeshAccessors { positions, normals, indices });
        }
        accessors
    }

    /// The bodies with their shapes; says where the bodies are.
    fn add_nodes(&mut self, nodes: &[BodyNode], accessors: &BTreeMap<MeshKey, MeshAccessors>) -> Vec<usize> {
        let mut coloured: BTreeMap<(MeshKey, Colour), usize> = BTreeMap::new();
        let mut places = Vec::new();
        for body in nodes {
            let colour = body.appearance.colour;
            let mut children = Vec::new();
            for part in &body.appearance.parts {
                let part = drawn(part, body.ground_half_side);
                let Some(at) = accessors.get(&part.mesh) else { continue };
                let mesh = *coloured.entry((part.mesh, colour)).or_insert_with(|| {
                    self.meshes.push(json!({ "primitives": [{
                        "attributes": { "POSITION": at.positions, "NORMAL": at.normals },
                        "indices": at.indices,
                        "material": colour as usize,
                    }] }));
                    self.meshes.len() - 1
                });
                children.push(self.nodes.len());
                self.nodes.push(json!({
                    "mesh": mesh,
                    "translation": part.pose.position.to_array().map(narrow),
                    "rotation": rotation(part.pose.orientation),
                    "scale": part.scale.map(narrow),
                }));
            }
            places.push(self.nodes.len());
            let mut node = json!({
                "name": &*body.appearance.name,
                "translation": body.pose.position.to_array().map(narrow),
                "rotation": rotation(body.pose.orientation),
                "extras": { "kind": body.appearance.kind_name() },
            });
            put(&mut node, "children", children);
            self.nodes.push(node);
        }
        places
    }

    /// Bodies that come or go have no size while they are not there.
    fn add_presence(
        &mut self,
        nodes: &[BodyNode],
        places: &[usize],
        time_of: &dyn Fn(u64) -> f32,
        binary: &mut Binary,
    ) {
        for (body, &place) in nodes.iter().zip(places) {
            let count = body.presence.len();
            let (Some(first), Some(last)) = (body.presence.first(), body.presence.last()) else { continue };
            if count < 2 {
                continue;
            }
            let (low, high) = (time_of(first.0), time_of(last.0));
            let times = body.presence.iter().flat_map(|&(state, _)| time_of(state).to_le_bytes());
            let view = self.add_plain_view(binary, times);
            let input = self
                .add_accessor(json!({ "bufferView": view, "componentType": FLOAT, "count": count, "type": "SCALAR",
                    "min": [low], "max": [high] }));
            let scales = body.presence.iter().flat_map(|&(_, is_there)| [f32::from(u8::from(is_there)); 3]);
            let view = self.add_plain_view(binary, scales.flat_map(f32::to_le_bytes));
            let output = self
                .add_accessor(json!({ "bufferView": view, "componentType": FLOAT, "count": count, "type": "VEC3" }));
            self.add_channel(place, "scale", "STEP", input, output);
        }
    }

    /// Where bodies move: their bytes come after all others. Says how many.
    fn add_tracks(
        &mut self,
        nodes: &[BodyNode],
        places: &[usize],
        tracks: usize,
        states: u64,
        time_of: &dyn Fn(u64) -> f32,
        start: u64,
    ) -> u64 {
        if tracks == 0 || states == 0 {
            return 0;
        }
        let time_bytes = states * 4;
        let bytes = time_bytes + tracks as u64 * states * POSE_BYTES;
        self.views.push(json!({ "buffer": 0, "byteOffset": start, "byteLength": time_bytes }));
        let times = self.add_accessor(json!({
            "bufferView": self.views.len() - 1, "componentType": FLOAT, "count": states, "type": "SCALAR",
            "min": [time_of(0)], "max": [time_of(states - 1)],
        }));
        self.views.push(json!({ "buffer": 0, "byteOffset": start + time_bytes, "byteLength": bytes - time_bytes }));
        let view = self.views.len() - 1;
        for (body, &place) in nodes.iter().zip(places) {
            let Some(track) = body.track else { continue };
            let offset = track as u64 * states * POSE_BYTES;
            let positions = self.add_accessor(json!({
                "bufferView": view, "byteOffset": offset, "componentType": FLOAT, "count": states, "type": "VEC3",
            }));
            let orientations = self.add_accessor(json!({
                "bufferView": view, "byteOffset": offset + states * POSITION_BYTES, "componentType": FLOAT,
                "count": states, "type": "VEC4",
            }));
            self.add_channel(place, "translation", "LINEAR", times, positions);
            self.add_channel(place, "rotation", "LINEAR", times, orientations);
        }
        const { assert!(POSE_BYTES == POSITION_BYTES + ORIENTATION_BYTES) };
        bytes
    }

    fn add_channel(&mut self, node: usize, path: &str, interpolation: &str, input: usize, output: usize) {
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        let target = json!({ "node": node, "path": path });
        self.channels.push(json!({ "sampler": self.samplers.len() - 1, "target": target }));
    }

    fn add_view(&mut self, binary: &mut Binary, bytes: impl Iterator<Item = u8>, target: u32) -> usize {
        let view = self.add_plain_view(binary, bytes);
        self.views[view]["target"] = json!(target);
        view
    }

    fn add_plain_view(&mut self, binary: &mut Binary, bytes: impl Iterator<Item = u8>) -> usize {
        let start = binary.bytes.len();
        binary.bytes.extend(bytes);
        self.views.push(json!({ "buffer": 0, "byteOffset": start, "byteLength": binary.bytes.len() - start }));
        self.views.len() - 1
    }

    fn add_accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}

/// Adds a list, where there is anything in it: empty ones are not allowed.
fn put<T: Into<Value>>(object: &mut Value, key: &str, list: Vec<T>) {
    if let (Some(object), false) = (Value::as_object_mut(object) as Option<&mut Map<_, _>>, list.is_empty()) {
        object.insert(key.to_owned(), list.into());
    }
}

fn material(colour: Colour) -> Value {
    let [r, g, b] = colour.linear();
    json!({
        "name": colour.name(),
        "doubleSided": colour == Colour::Grey,
        "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.8 },
    })
}

/// A quaternion in the order of glTF.
fn rotation(orientation: Quat<f64>) -> [f32; 4] {
    let [w, x, y, z] = orientation.normalise().to_array().map(narrow);
    [x, y, z, w]
}

fn bounds(positions: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
    let mut bounds = ([f32::MAX; 3], [f32::MIN; 3]);
    for position in positions {
        for (axis, &part) in position.iter().enumerate() {
            if part < bounds.0[axis] {
                bounds.0[axis] = part;
            }
            if part > bounds.1[axis] {
                bounds.1[axis] = part;
            }
        }
    }
    bounds
}
