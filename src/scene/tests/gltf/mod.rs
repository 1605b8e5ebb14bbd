//! Hulls and meshes from glTF files.

mod bad;
mod vertices;

use std::sync::atomic::{AtomicU32, Ordering};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use crate::scene::model::{Shape, Vector};
use crate::scene::resolve::{ResolvedShape, resolve_query_shape};
use crate::scene::tests::files::Folder;
use crate::scene::{Scene, load};

/// Numbers of the specification: how a number is stored.
const BYTE: u32 = 5120;
const UNSIGNED_BYTE: u32 = 5121;
const SHORT: u32 = 5122;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;

/// The number of the next folder.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// A glTF in the making: one node with one mesh, the numbers in one buffer.
struct Gltf {
    json: Value,
    bytes: Vec<u8>,
}

impl Gltf {
    fn new() -> Self {
        let json = json!({
            "asset": { "version": "2.0" }, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }], "meshes": [{ "primitives": [] }],
            "accessors": [], "bufferViews": [], "buffers": [{ "byteLength": 0 }],
        });
        Self { json, bytes: Vec::new() }
    }

    /// Three vertices and the triangle that they make.
    fn triangle() -> Self {
        let mut gltf = Self::new();
        let positions = gltf.positions(&TRIANGLE);
        gltf.primitive(json!({ "attributes": { "POSITION": positions } }));
        gltf
    }

    fn list(&mut self, name: &str) -> &mut Vec<Value> {
        self.json[name].as_array_mut().expect("a list")
    }

    fn push(&mut self, name: &str, entry: Value) -> usize {
        self.list(name).push(entry);
        self.list(name).len() - 1
    }

    /// A view of these bytes, behind all others.
    fn view(&mut self, bytes: &[u8]) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.json["buffers"][0]["byteLength"] = json!(self.bytes.len());
        self.push("bufferViews", json!({ "buffer": 0, "byteOffset": start, "byteLength": bytes.len() }))
    }

    fn accessor(&mut self, component: u32, kind: &str, count: usize, bytes: &[u8]) -> usize {
        let view = self.view(bytes);
        let accessor = json!({ "bufferView": view, "componentType": component, "type": kind, "count": count });
        self.push("accessors", accessor)
    }

    fn positions(&mut self, points: &[[f32; 3]]) -> usize {
        self.accessor(FLOAT, "VEC3", points.len(), &floats(points))
    }

    fn indices(&mut self, corners: &[u16]) -> usize {
        let bytes: Vec<u8> = corners.iter().flat_map(|corner| corner.to_le_bytes()).collect();
        self.accessor(UNSIGNED_SHORT, "SCALAR", corners.len(), &bytes)
    }

    fn primitive(&mut self, primitive: Value) {
        self.json["meshes"][0]["primitives"].as_array_mut().expect("a list").push(primitive);
    }

    /// The same with everything in one binary file.
    fn glb(&self) -> Vec<u8> {
        glb(self.json.to_string().as_bytes(), Some(&self.bytes))
    }

    /// The same as a text, with the bytes at this address.
    fn text(&self, uri: &str) -> String {
        let mut json = self.json.clone();
        json["buffers"][0]["uri"] = json!(uri);
        json.to_string()
    }

    fn data_uri(&self) -> String {
        format!("data:application/octet-stream;base64,{}", BASE64.encode(&self.bytes))
    }

    /// The triangles of a mesh that is this file, by their corners.
    fn surface(&self) -> Vec<[[f64; 3]; 3]> {
        self.loaded("Mesh(file: \"a.glb\")").unwrap_or_else(|error| panic!("{error}"))
    }

    fn loaded(&self, shape: &str) -> Result<Vec<[[f64; 3]; 3]>, String> {
        let folder = Folder::new(&format!("gltf-surface-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
        folder.write("a.glb", self.glb());
        let scene = loaded(&folder, shape)?;
        let Some(Shape::Mesh { points, triangles, .. }) = &scene.bodies[0].shape else { panic!("a mesh") };
        let place = |corner: u32| {
            let Vector(x, y, z) = &points.points()[corner as usize];
            [x, y, z].map(|number| number.to_f64())
        };
        Ok(triangles.listed().iter().map(|&(a, b, c)| [a, b, c].map(place)).collect())
    }
}

/// A binary file of these parts.
fn glb(json: &[u8], binary: Option<&[u8]>) -> Vec<u8> {
    let mut chunks = Vec::new();
    for (kind, content, filler) in [(*b"JSON", Some(json), b' '), (*b"BIN\0", binary, 0)] {
        let Some(content) = content else { continue };
        let mut content = content.to_vec();
        content.resize(content.len().next_multiple_of(4), filler);
        chunks.extend((content.len() as u32).to_le_bytes());
        chunks.extend(kind);
        chunks.extend(content);
    }
    [b"glTF".as_slice(), &2_u32.to_le_bytes(), &(12 + chunks.len() as u32).to_le_bytes(), &chunks].concat()
}

fn floats(points: &[[f32; 3]]) -> Vec<u8> {
    points.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Loads a scene with one body of this shape from a folder.
fn loaded(folder: &Folder, shape: &str) -> Result<Scene, String> {
    let kind = if shape.starts_with("Mesh") { "kind: Static, " } else { "" };
    folder.write("scene.ron", format!("(version: 1, name: \"file\", bodies: [(name: \"a\", {kind}shape: {shape})])"));
    load(&folder.0.join("scene.ron"))
        .map_err(|error| error.render(false).replace(&folder.0.display().to_string(), "FOLDER"))
}

const TRIANGLE: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];

/// A box, in numbers that no float is.
const CORNERS: [[f32; 3]; 8] = [
    [-0.1, -0.35, -0.7],
    [0.1, -0.35, -0.7],
    [-0.1, 0.35, -0.7],
    [0.1, 0.35, -0.7],
    [-0.1, -0.35, 0.7],
    [0.1, -0.35, 0.7],
    [-0.1, 0.35, 0.7],
    [0.1, 0.35, 0.7],
];
const SIDES: [[u16; 3]; 12] = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
];

/// The box, with the corners of each triangle for themselves, as where each face has a normal of its own.
fn corners_one_by_one() -> Vec<[f32; 3]> {
    SIDES.as_flattened().iter().map(|&corner| CORNERS[usize::from(corner)]).collect()
}

/// The box as all kinds of files that shapes are read from.
fn write_boxes(folder: &Folder) -> Vec<&'static str> {
    let vertices = CORNERS.map(|[x, y, z]| format!("v {x} {y} {z}\n")).concat();
    let faces = SIDES.map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1)).concat();
    folder.write("box.obj", vertices + &faces);
    let facet = |corners: [u16; 3]| {
        let lines = corners.map(|corner| CORNERS[usize::from(corner)]).map(|[x, y, z]| format!("vertex {x} {y} {z}\n"));
        format!("facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n", lines.concat())
    };
    folder.write("box.stl", format!("solid box\n{}endsolid box\n", SIDES.map(facet).concat()));

    let mut gltf = Gltf::new();
    let (positions, indices) = (gltf.positions(&CORNERS), gltf.indices(SIDES.as_flattened()));
    gltf.primitive(json!({ "attributes": { "POSITION": positions }, "indices": indices }));
    folder.write("box.glb", gltf.glb());
    folder.write("box.gltf", format!("\u{feff}{}", gltf.text(&gltf.data_uri())));
    folder.write("unfilled.gltf", gltf.text(gltf.data_uri().trim_end_matches('=')));
    std::fs::create_dir_all(folder.0.join("parts/its bytes")).expect("a folder can be made");
    folder.write("parts/its bytes/50 %.bin", &gltf.bytes);
    folder.write("parts/box.gltf", gltf.text("its%20bytes/50%20%25.bin"));
    folder.write("parts/plain.GLTF", gltf.text("its bytes/50%20%25.bin"));

    let mut apart = Gltf::new();
    let positions = apart.positions(&corners_one_by_one());
    apart.primitive(json!({ "attributes": { "POSITION": positions }, "mode": 4 }));
    folder.write("apart.GLB", apart.glb());
    vec![
        "box.obj",
        "box.stl",
        "box.glb",
        "box.gltf",
        "unfilled.gltf",
        "parts/box.gltf",
        "parts/plain.GLTF",
        "apart.GLB",
    ]
}

#[test]
fn the_same_box_from_any_file_is_the_same_shape() {
    let folder = Folder::new("gltf-boxes");
    let files = write_boxes(&folder);
    let load = |shape: &str| loaded(&folder, shape).unwrap_or_else(|error| panic!("{error}"));
    let mesh_of = |file: &str| {
        let scene = load(&format!("Mesh(file: \"{file}\", scale: 0.5)"));
        match resolve_query_shape(&scene, scene.bodies[0].shape.as_ref().expect("a shape")) {
            Ok(ResolvedShape::Mesh(placed)) => (placed.mesh.content(), placed.origin, placed.mesh.exponent()),
            other => panic!("{other:?}"),
        }
    };
    let text_of = |shape: &str, file: &str| load(&format!("{shape}(file: \"{file}\", scale: 0.5)")).to_canonical_ron();
    for file in &files[1..] {
        assert_eq!(mesh_of(file), mesh_of(files[0]), "{file}");
        for shape in ["Hull", "Decomposed"] {
            assert_eq!(text_of(shape, file), text_of(shape, files[0]), "{shape} of {file}");
        }
    }
    // Nothing of the file is left, and the numbers are those that were written.
    let text = text_of("Mesh", "apart.GLB");
    assert!(!text.contains("file:"), "{text}");
    assert!(text.contains("(-0.05, -0.175, -0.35)"), "{text}");
    assert_eq!(text.matches("0.175,").count(), 8, "eight points: {text}");
}

fn assert_surface(gltf: &Gltf, expected: &[[[f64; 3]; 3]]) {
    assert_eq!(gltf.surface(), expected, "{}", gltf.json);
}

/// By hand: the corners of the triangle are scaled, turned by a quarter about z (x becomes y, y becomes -x), and moved; then the parent doubles that and
/// moves it along y.
#[test]
fn nodes_move_turn_and_scale_what_is_in_them() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let expected = [[[2.0, 7.0, 6.0], [2.0, 7.0, 14.0], [2.0, 11.0, 6.0]]];
    let child = json!({ "mesh": 0, "translation": [1, 1, 3], "rotation": [0, 0, half, half], "scale": [2, 3, 4] });
    let mut gltf = Gltf::triangle();
    gltf.json["nodes"] = json!([child, { "children": [0], "scale": [2, 2, 2], "translation": [0, 5, 0] }]);
    gltf.json["scenes"] = json!([{ "nodes": [1] }]);
    assert_surface(&gltf, &expected);
    // The same as matrices, column by column.
    gltf.json["nodes"] = json!([
        { "children": [1], "matrix": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 5, 0, 1] },
        { "mesh": 0, "matrix": [0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 1, 1, 3, 1] },
    ]);
    gltf.json["scenes"] = json!([{ "nodes": [0] }]);
    assert_surface(&gltf, &expected);
}

/// A turn by the angle whose sine is 0.6 about each axis, by its matrix from a textbook, to the rounding of the floats in the file.
#[test]
fn a_rotation_is_the_one_of_its_quaternion() {
    let half_sine = 0.1_f64.sqrt();
    let half_cosine = 0.9_f64.sqrt();
    for axis in 0..3 {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut rotation = [0.0, 0.0, 0.0, half_cosine];
        rotation[axis] = half_sine;
        let mut gltf = Gltf::new();
        let mut points = [[0.0_f32; 3]; 3];
        points[0][axis] = 1.0;
        points[1][next] = 1.0;
        points[2][last] = 1.0;
        let positions = gltf.positions(&points);
        gltf.primitive(json!({ "attributes": { "POSITION": positions } }));
        gltf.json["nodes"] = json!([{ "mesh": 0, "rotation": rotation }]);
        let [[about, first, second]] = gltf.surface()[..] else { panic!("a triangle") };
        let mut expected = [[0.0; 3]; 3];
        expected[0][axis] = 1.0;
        (expected[1][next], expected[1][last]) = (0.8, 0.6);
        (expected[2][next], expected[2][last]) = (-0.6, 0.8);
        for (found, expected) in [about, first, second].iter().flatten().zip(expected.iter().flatten()) {
            assert!((found - expected).abs() < 1e-15, "about axis {axis}: {found} and not {expected}");
        }
    }
}

/// What a mirror shows has its front still in front; so it looks the way of the normal, which is mirrored, too.
#[test]
fn what_is_mirrored_is_turned_over() {
    let mut gltf = Gltf::triangle();
    gltf.json["nodes"][0]["scale"] = json!([-1, 1, 1]);
    assert_surface(&gltf, &[[[0.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]]);
    gltf.json["nodes"][0]["scale"] = json!([-1, 1, -1]);
    assert_surface(&gltf, &[[[0.0, 0.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0]]]);
}

#[test]
fn what_counts_is_in_the_scene_that_is_shown_first() {
    let mut gltf = Gltf::triangle();
    let at = |x: f64| [[x, 0.0, 0.0], [x, 0.0, 1.0], [x + 1.0, 0.0, 0.0]];
    let node = |x: u32| json!({ "mesh": 0, "translation": [x, 0, 0] });
    gltf.json["nodes"] = json!([node(0), node(1), node(2), { "children": [4, 3] }, { "children": [5] }, node(9)]);
    gltf.json["nodes"][3]["mesh"] = json!(0);
    gltf.json["scenes"] = json!([{ "nodes": [0] }, { "nodes": [2, 1] }, { "name": "empty" }, { "nodes": [4, 3] }]);
    assert_surface(&gltf, &[at(0.0)]);
    gltf.json["scene"] = json!(1);
    assert_surface(&gltf, &[at(2.0), at(1.0)]);
    gltf.json["scenes"][3] = json!({ "nodes": [3] });
    gltf.json["nodes"][3]["children"] = json!([4, 1]);
    gltf.json["scene"] = json!(3);
    assert_surface(&gltf, &[at(0.0), at(9.0), at(1.0)]);
    // A collection of meshes, which no scene places.
    gltf.json.as_object_mut().expect("an object").remove("scene");
    gltf.json["scenes"] = json!([]);
    let same = gltf.json["meshes"][0].clone();
    gltf.push("meshes", same);
    assert_surface(&gltf, &[at(0.0), at(0.0)]);
}

/// Nodes in nodes as deep as there may be nodes, and meshes that are hidden by the scale 0, as until they appear.
#[test]
fn nodes_may_lie_deep_in_each_other() {
    let mut gltf = Gltf::triangle();
    let mut nodes: Vec<Value> =
        (1..=65_535).map(|child| json!({ "children": [child], "translation": [0, 0, 0.125] })).collect();
    nodes.push(json!({ "mesh": 0 }));
    gltf.json["nodes"] = Value::Array(nodes);
    let z = 65_535.0 / 8.0;
    assert_surface(&gltf, &[[[0.0, 0.0, z], [0.0, 0.0, z + 1.0], [1.0, 0.0, z]]]);
    gltf.json["nodes"] =
        json!([{ "children": [1, 2] }, { "mesh": 0, "scale": [0, 0, 0] }, { "mesh": 0, "translation": [0, 3, 0] }]);
    assert_surface(&gltf, &[[[0.0, 3.0, 0.0], [0.0, 3.0, 1.0], [1.0, 3.0, 0.0]]]);
}

/// What else may stand in a file: animations, cameras, skins, morph targets, looks, and keys that nobody knows.
#[test]
fn what_is_no_surface_is_left_out() {
    let mut gltf = Gltf::triangle();
    let expected = gltf.surface();
    gltf.json["nodes"] = json!([
        { "mesh": 0, "skin": 0, "weights": [1], "name": "arm \u{1b}[31m", "children": [1, 2], "extras": { "a": [[[[1]]]] } },
        { "camera": 0 },
        { "extensions": { "KHR_lights_punctual": { "light": 0 } } },
    ]);
    gltf.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": 0 }]);
    gltf.json["skins"] = json!([{ "joints": [1] }]);
    gltf.json["animations"] = json!([{ "channels": [], "samplers": [] }]);
    gltf.json["images"] = json!([{ "uri": "nowhere.png" }]);
    gltf.push("buffers", json!({ "byteLength": 99, "uri": "nowhere.bin" }));
    gltf.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    gltf.json["extensionsRequired"] = json!(["KHR_mesh_quantization", "KHR_materials_unlit", "KHR_texture_transform"]);
    gltf.json["asset"] = json!({ "version": "2.7", "minVersion": "2.0", "copyright": "nobody" });
    assert_surface(&gltf, &expected);
}
