//! Shapes from glTF files, as their users have them: exported, read back, run and verified; and what no file may cost.

use std::fs;

use physim::export::format::ExportFormat;
use physim::export::selection::Selection;
use physim::export::{ExportPlan, export};
use physim::math::Scalar;
use physim::scene::load;
use physim::scene::resolve::{ResolvedShape, resolve_query_shape};
use serde_json::{Value, json};

use crate::common::{parse, plan, recorded};
use crate::on_every_scalar;
use crate::support::folder::Folder;
use crate::support::program::physim;

/// More than a file with nothing in it but lies can make physim take, in bytes.
pub const MOST_MEMORY: u64 = 64 << 20;

/// A binary file of these parts.
pub fn glb(json: &str, bytes: &[u8]) -> Vec<u8> {
    let mut chunks = Vec::new();
    for (kind, content, filler) in [(b"JSON", json.as_bytes(), b' '), (b"BIN\0", bytes, 0)] {
        let mut content = content.to_vec();
        content.resize(content.len().next_multiple_of(4), filler);
        chunks.extend((content.len() as u32).to_le_bytes());
        chunks.extend(kind);
        chunks.extend(content);
    }
    [b"glTF".as_slice(), &2_u32.to_le_bytes(), &(12 + chunks.len() as u32).to_le_bytes(), &chunks].concat()
}

/// A ramp in numbers that floats have, and where it stands.
const RAMP: &str = "Mesh(points: [(-1, 0, -2), (1, 0, -2), (1, 0, 2), (-1, 0, 2), (-1, 1.5, -2), (1, 1.5, -2)],
    triangles: [(0, 1, 2), (0, 2, 3), (0, 4, 5), (0, 5, 1), (4, 3, 2), (4, 2, 5), (0, 3, 4), (1, 5, 2)])";
const MOVED: &str =
    "Mesh(points: [(9, 0.25, 0), (11, 0.25, 0), (11, 0.25, 4), (9, 0.25, 4), (9, 1.75, 0), (11, 1.75, 0)],
    triangles: [(0, 1, 2), (0, 2, 3), (0, 4, 5), (0, 5, 1), (4, 3, 2), (4, 2, 5), (0, 3, 4), (1, 5, 2)])";

fn scene(shape: &str, position: &str) -> String {
    format!(
        "(version: 1, name: \"ramp\", bodies: [(name: \"ramp\", kind: Static, position: Origin{position}, shape: {shape})])"
    )
}

/// What a run exports stands where the bodies do, with the same triangles.
fn an_exported_mesh_is_read_back<S: Scalar>() {
    let folder = Folder::new();
    let mut plan = plan::<S>(&parse(&scene(RAMP, "(10, 0.25, 2)")));
    plan.steps = 1;
    let how = ExportPlan { format: ExportFormat::Gltf, selection: Selection::all() };
    let written = export(&recorded(&plan), &how, Vec::new(), &mut tempfile::tempfile, &mut |_| {});
    folder.write("run.glb", written.unwrap_or_else(|error| panic!("{error}")).sink);
    let mesh_of = |name: &str, shape: &str| {
        folder.write(name, scene(shape, "(0, 0, 0)"));
        let scene = load(&folder.path(name)).unwrap_or_else(|error| panic!("{error}"));
        match resolve_query_shape(&scene, scene.bodies[0].shape.as_ref().expect("a shape")) {
            Ok(ResolvedShape::Mesh(placed)) => (placed.mesh.content(), placed.origin),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(mesh_of("back.ron", "Mesh(file: \"run.glb\")"), mesh_of("moved.ron", MOVED));
}

#[test]
fn what_is_exported_can_be_read_back() {
    on_every_scalar!(an_exported_mesh_is_read_back);
}

/// A tetrahedron, with its bytes in a file beside it.
fn tetrahedron(folder: &Folder) {
    let points: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let sides: [u8; 12] = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
    let bytes: Vec<u8> = points.as_flattened().iter().flat_map(|part| part.to_le_bytes()).chain(sides).collect();
    let document = json!({
        "asset": { "version": "2.0" },
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5121, "count": 12, "type": "SCALAR" },
        ],
        "bufferViews": [{ "buffer": 0, "byteLength": 48 }, { "buffer": 0, "byteOffset": 48, "byteLength": 12 }],
        "buffers": [{ "byteLength": 60, "uri": "its%20bytes.bin" }],
    });
    folder.write("parts/stone.gltf", document.to_string());
    folder.write("parts/its bytes.bin", bytes);
}

/// A replay has the points, and no longer needs any file.
#[test]
fn a_recorded_run_needs_no_file() {
    let folder = Folder::new();
    tetrahedron(&folder);
    let body = |name: &str, kind: &str, y: u32, shape: &str| {
        format!(
            "(name: \"{name}\", kind: {kind}, position: Origin(0, {y}, 0), shape: {shape}(file: \"parts/stone.gltf\"))"
        )
    };
    let bodies = [
        body("hull", "Dynamic", 3, "Hull"),
        body("solid", "Dynamic", 5, "Decomposed"),
        body("mesh", "Static", 0, "Mesh"),
    ];
    folder.write("stones.ron", format!("(version: 1, name: \"stones\", steps: 20, bodies: [{}])", bodies.join(", ")));
    physim(&folder, &["check", "stones.ron"]).exits(0);
    physim(&folder, &["run", "stones.ron", "-o", "stones.mcap"]).exits(0);
    fs::remove_dir_all(folder.path("parts")).expect("the files go");
    physim(&folder, &["verify", "stones.mcap"]).exits(0);
    let refused = physim(&folder, &["run", "stones.ron"]).exits(2);
    assert!(refused.stderr.contains("cannot read `parts/stone.gltf`: there is no such file"), "{}", refused.stderr);
}

/// Documents of nothing but structure cost no more than what the files of a scene may have.
#[test]
fn a_document_costs_little_memory() {
    let folder = Folder::new();
    folder.write("a.ron", scene("Mesh(file: \"a.gltf\")", "(0, 0, 0)"));
    let asset = "\"asset\": {\"version\": \"2.0\"}";
    let list = |entry: &str, count: usize| vec![entry; count].join(",");
    let accessors = list("{\"componentType\": 1, \"count\": 1, \"type\": \"\"}", 1 << 16);
    let nodes = list("{\"matrix\": [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1], \"scale\": [1,1,1]}", 1 << 16);
    let documents = [
        format!("{{{asset}, \"meshes\": [{{\"primitives\": [{}]}}]}}", list("{}", 2_700_000)),
        format!("{{{asset}, \"meshes\": [{}]}}", list("{}", 2_700_000)),
        format!("{{{asset}, \"nodes\": [{{\"children\": [{}]}}]}}", list("0", 4_000_000)),
        format!("{{{asset}, \"nodes\": [{nodes}], \"accessors\": [{accessors}]}}"),
        format!("{{{asset}, \"extensionsRequired\": [{}]}}", list("\"\"", 2_700_000)),
        format!("{{{asset}, \"extras\": {}}}", "[".repeat(4_000_000)),
        format!("{{{asset}, \"meshes\": [{{\"primitives\": [{}]}}]}}", list("{}", 12_000_000)),
    ];
    for document in documents {
        folder.write("a.gltf", &document);
        let taken = allocation_counter::measure(|| assert!(load(&folder.path("a.ron")).is_err()));
        // The file itself stands there, too.
        let limit = 2 * document.len() as u64 + (192 << 20);
        assert!(taken.bytes_max < limit, "{} bytes for {} of {:.80}", taken.bytes_max, document.len(), document);
    }
    let empty: Value = json!({
        "asset": { "version": "2.0" }, "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "mode": 5 }] }],
        "accessors": [{ "componentType": 5126, "count": 1_u64 << 60, "type": "VEC3" }],
    });
    folder.write("a.gltf", empty.to_string());
    let taken = allocation_counter::measure(|| assert!(load(&folder.path("a.ron")).is_err()));
    assert!(taken.bytes_max < MOST_MEMORY, "{} bytes for what is nowhere", taken.bytes_max);
}
