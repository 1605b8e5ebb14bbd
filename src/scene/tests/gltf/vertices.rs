//! How vertices are stored, and joined to triangles.

use serde_json::json;

use crate::scene::model::{Shape, Vector};
use crate::scene::tests::files::Folder;
use crate::scene::tests::gltf::{
    BYTE, FLOAT, Gltf, SHORT, UNSIGNED_BYTE, UNSIGNED_INT, UNSIGNED_SHORT, assert_surface, floats, loaded,
};

/// Points in a row along x, above each other by turns.
const ZIGZAG: [[f32; 3]; 5] = [[0.0, 0.0, 0.0], [0.5, 0.0, -1.0], [1.0, 0.0, 0.0], [1.5, 0.0, -1.0], [2.0, 0.0, 0.0]];

/// Triangles by the numbers of these points.
fn of_zigzag(triangles: &[[usize; 3]]) -> Vec<[[f64; 3]; 3]> {
    triangles.iter().map(|corners| corners.map(|corner| ZIGZAG[corner].map(f64::from))).collect()
}

/// As figure 8 of the specification: each other triangle of a strip is turned over, and all of a fan have the first corner.
#[test]
fn strips_and_fans_and_lists_make_their_triangles() {
    let strip = [[0, 1, 2], [1, 3, 2], [2, 3, 4]];
    let fan = [[1, 2, 0], [2, 3, 0], [3, 4, 0]];
    for (mode, corners, expected) in [
        (5, None, &strip[..]),
        (6, None, &fan),
        (4, Some([0, 1, 2, 4, 2, 3]), &[[0, 1, 2], [4, 2, 3]]),
        (5, Some([4, 3, 2, 1, 0, 0]), &[[4, 3, 2], [3, 1, 2], [2, 1, 0], [1, 0, 0]]),
        (6, Some([2, 0, 1, 3, 4, 4]), &[[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 4, 2]]),
    ] {
        let mut gltf = Gltf::new();
        let mut primitive = json!({ "attributes": { "POSITION": gltf.positions(&ZIGZAG) }, "mode": mode });
        if let Some(corners) = corners {
            primitive["indices"] = json!(gltf.indices(&corners));
        }
        gltf.primitive(primitive);
        assert_surface(&gltf, &of_zigzag(expected));
    }
}

#[test]
fn primitives_are_taken_together_and_points_and_lines_are_none() {
    let mut gltf = Gltf::new();
    let positions = json!({ "POSITION": gltf.positions(&ZIGZAG), "NORMAL": 77 });
    let (first, second, lone) = (gltf.indices(&[0, 1, 2]), gltf.indices(&[2, 3, 4]), gltf.positions(&[[9.0; 3]]));
    gltf.primitive(json!({ "attributes": positions, "indices": first }));
    gltf.primitive(json!({ "attributes": { "POSITION": lone }, "mode": 0 }));
    gltf.primitive(json!({ "attributes": { "NORMAL": lone } }));
    gltf.primitive(json!({ "attributes": positions, "indices": second, "mode": 6 }));
    gltf.primitive(json!({ "attributes": positions, "indices": second, "mode": 3 }));
    assert_surface(&gltf, &of_zigzag(&[[0, 1, 2], [3, 4, 2]]));
}

#[test]
fn indices_have_one_two_or_four_bytes() {
    let corners = [0_u8, 1, 2, 3, 4, 2];
    let expected = of_zigzag(&[[0, 1, 2], [3, 4, 2]]);
    for (component, size) in [(UNSIGNED_BYTE, 1), (UNSIGNED_SHORT, 2), (UNSIGNED_INT, 4)] {
        let bytes: Vec<u8> =
            corners.iter().flat_map(|&corner| u32::from(corner).to_le_bytes()[..size].to_vec()).collect();
        let mut gltf = Gltf::new();
        let positions = gltf.positions(&ZIGZAG);
        let indices = gltf.accessor(component, "SCALAR", corners.len(), &bytes);
        gltf.primitive(json!({ "attributes": { "POSITION": positions }, "indices": indices }));
        assert_surface(&gltf, &expected);
    }
}

/// Positions between others, from an offset on.
#[test]
fn elements_may_lie_apart() {
    let mut gltf = Gltf::new();
    let mut bytes = vec![0xff; 8];
    for point in &ZIGZAG[..3] {
        bytes.extend(floats(&[*point]));
        bytes.extend([0xff; 8]);
    }
    // Behind the last one nothing has to be.
    bytes.truncate(bytes.len() - 8);
    let positions = gltf.accessor(FLOAT, "VEC3", 3, &bytes);
    gltf.json["bufferViews"][0]["byteStride"] = json!(20);
    gltf.json["accessors"][positions]["byteOffset"] = json!(8);
    gltf.primitive(json!({ "attributes": { "POSITION": positions } }));
    assert_surface(&gltf, &of_zigzag(&[[0, 1, 2]]));
}

/// Some elements are others than the view has; without a view all others are zero.
#[test]
fn elements_may_be_replaced_one_by_one() {
    let mut gltf = Gltf::new();
    let mut wrong = ZIGZAG;
    (wrong[1], wrong[4]) = ([7.0; 3], [f32::NAN; 3]);
    let positions = gltf.positions(&wrong);
    let (numbers, values) = (gltf.view(&[1, 4]), gltf.view(&floats(&[ZIGZAG[1], ZIGZAG[4]])));
    gltf.json["accessors"][positions]["sparse"] = json!({
        "count": 2, "indices": { "bufferView": numbers, "componentType": UNSIGNED_BYTE }, "values": { "bufferView": values },
    });
    let corners = gltf.indices(&[0, 0, 0, 3, 4, 2]);
    let (places, others) = (gltf.view(&[0, 0, 1, 0, 2, 0]), gltf.view(&[0, 0, 1, 0, 2, 0]));
    gltf.json["accessors"][corners]["sparse"] = json!({
        "count": 3, "indices": { "bufferView": places, "componentType": UNSIGNED_SHORT }, "values": { "bufferView": others },
    });
    gltf.primitive(json!({ "attributes": { "POSITION": positions }, "indices": corners }));
    assert_surface(&gltf, &of_zigzag(&[[0, 1, 2], [3, 4, 2]]));

    gltf.json["accessors"][positions] = json!({
        "count": 3, "componentType": FLOAT, "type": "VEC3", "sparse": {
            "count": 2, "indices": { "bufferView": numbers, "componentType": UNSIGNED_BYTE }, "values": { "bufferView": values },
        },
    });
    let numbers = gltf.json["bufferViews"][numbers]["byteOffset"].as_u64().expect("a number") as usize;
    gltf.bytes[numbers..numbers + 2].copy_from_slice(&[1, 2]);
    gltf.json["meshes"][0]["primitives"] = json!([{ "attributes": { "POSITION": positions } }]);
    assert_surface(&gltf, &[[[0.0; 3], [0.5, 0.0, -1.0], [2.0, 0.0, 0.0]]]);
}

/// Whole numbers stand for themselves, or for parts of the largest one. The least has no counterpart and is -1 too.
#[test]
fn positions_may_be_whole_numbers() {
    let cases: [(u32, bool, Vec<u8>, [f64; 3]); 6] = [
        (BYTE, false, vec![0x80, 0x7f, 0xff], [-128.0, 127.0, -1.0]),
        (UNSIGNED_BYTE, false, vec![0x80, 0, 0xff], [128.0, 0.0, 255.0]),
        (SHORT, false, vec![0xf0, 0xd8, 0x10, 0x27, 1, 0], [-10000.0, 10000.0, 1.0]),
        (BYTE, true, vec![0x80, 0x7f, 0x81], [-1.0, 1.0, -1.0]),
        (SHORT, true, vec![0, 0x80, 0xff, 0x7f, 0, 0], [-1.0, 1.0, 0.0]),
        (UNSIGNED_SHORT, true, vec![0xff, 0xff, 0x33, 0x33, 0, 0], [1.0, 0.2, 0.0]),
    ];
    for (component, normalized, bytes, place) in cases {
        let mut gltf = Gltf::new();
        let (size, mut all) = (bytes.len(), bytes.clone());
        all.resize(size.next_multiple_of(4), 0);
        // The other two vertices: one number, the first or the last, is 1 or the least part there is.
        let ones = [[1_u8, 0, 0], [0, 0, 1]].map(|numbers| numbers.map(|number| u16::from(number).to_le_bytes()));
        for numbers in ones {
            let start = all.len();
            all.extend(numbers.iter().flat_map(|bytes| &bytes[..size / 3]));
            all.resize(start + size.next_multiple_of(4), 0);
        }
        let positions = gltf.accessor(component, "VEC3", 3, &all);
        gltf.json["bufferViews"][0]["byteStride"] = json!(size.next_multiple_of(4));
        gltf.json["accessors"][positions]["normalized"] = json!(normalized);
        gltf.primitive(json!({ "attributes": { "POSITION": positions } }));
        assert_eq!(gltf.surface()[0][0], place, "{component}, {normalized}");
        // What it takes to make metres of them stands in the node.
        gltf.json["nodes"][0]["scale"] = json!([0.5, 0.25, 2]);
        let [x, y, z] = place;
        assert_eq!(gltf.surface()[0][0], [0.5 * x, 0.25 * y, 2.0 * z], "{component}, {normalized}");
    }
}

/// A hull is that of the vertices that any primitive uses, points and lines as well, and of no other.
#[test]
fn a_hull_has_the_vertices_in_use() {
    let mut gltf = Gltf::new();
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [9.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [8.0; 3]];
    let positions = json!({ "POSITION": gltf.positions(&points) });
    let (triangle, line) = (gltf.indices(&[0, 1, 3]), gltf.indices(&[0, 4]));
    let dot = gltf.positions(&[[0.25; 3], [0.0, 0.0, -1.0]]);
    gltf.primitive(json!({ "attributes": positions, "indices": triangle }));
    gltf.primitive(json!({ "attributes": positions, "indices": line, "mode": 1 }));
    gltf.primitive(json!({ "attributes": { "POSITION": dot }, "mode": 0 }));
    let folder = Folder::new("gltf-hull");
    folder.write("a.glb", gltf.glb());
    let scene = loaded(&folder, "Hull(file: \"a.glb\", scale: 2)").unwrap_or_else(|error| panic!("{error}"));
    let Some(Shape::Hull { points, .. }) = &scene.bodies[0].shape else { panic!("a hull") };
    let mut places: Vec<[String; 3]> =
        points.points().iter().map(|Vector(x, y, z)| [x, y, z].map(ToString::to_string)).collect();
    places.sort();
    let expected = [["0", "0", "-2"], ["0", "0", "2"], ["0", "2", "0"], ["2", "0", "0"]];
    assert_eq!(places, expected.map(|place| place.map(str::to_owned)));
}

/// A float counts as the shortest decimal that is read back as it, before and behind what its node does; what needs too many digits as zero.
#[test]
fn numbers_are_those_of_the_file() {
    let mut gltf = Gltf::new();
    let positions = gltf.positions(&[[0.1, 0.2, 1e-13], [-0.0, 1e-30, -8192.0], [-0.3, 7e-10, 0.7]]);
    gltf.primitive(json!({ "attributes": { "POSITION": positions } }));
    assert_surface(&gltf, &[[[0.1, 0.2, 0.0], [0.0, 0.0, -8192.0], [-0.3, 7e-10, 0.7]]]);
    gltf.json["accessors"][0]["normalized"] = json!(true);
    assert_eq!(gltf.surface()[0][1], [0.0, 0.0, -8192.0], "a float stands for itself");
    gltf.json["nodes"][0]["scale"] = json!([0.1, 1e-9, 1]);
    gltf.json["nodes"][0]["translation"] = json!([1, 0, 0]);
    let moved = |x: f64| x * 0.1 + 1.0;
    let expected = [[moved(0.1), 2e-10, 0.0], [1.0, 0.0, -8192.0], [moved(-0.3), 0.0, 0.7]];
    let found = gltf.surface()[0];
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!((found[0], found[2]), (expected[0], expected[2]));
        assert!((found[1] - expected[1]).abs() < 1e-24);
    }
}
