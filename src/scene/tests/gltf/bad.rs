//! What is wrong with a glTF is said, and what it says of itself is not believed.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::scene::tests::files::Folder;
use crate::scene::tests::gltf::{FLOAT, Gltf, TRIANGLE, UNSIGNED_BYTE, UNSIGNED_SHORT, floats, glb, loaded};

/// A change of a good file.
type Change = fn(&mut Gltf);

/// One node with a mesh of one triangle, with indices.
fn good() -> Gltf {
    let mut gltf = Gltf::new();
    let (positions, indices) = (gltf.positions(&TRIANGLE), gltf.indices(&[0, 1, 2]));
    gltf.primitive(json!({ "attributes": { "POSITION": positions }, "indices": indices }));
    gltf
}

fn primitive(gltf: &mut Gltf) -> &mut Value {
    &mut gltf.json["meshes"][0]["primitives"][0]
}

/// The title of an error and what helps: what stands between is the line of the scene.
fn told(error: &str) -> String {
    let is_kept = |line: &&str| line.starts_with("error") || line.trim_start().starts_with("= help");
    let help = |line: &str| line.trim().trim_start_matches("= ").to_owned();
    error.lines().filter(is_kept).map(help).collect::<Vec<_>>().join("\n    ")
}

fn errors(changes: &[Change]) -> String {
    let error_of = |change: &Change| {
        let mut gltf = good();
        change(&mut gltf);
        told(&gltf.loaded("Mesh(file: \"a.glb\")").expect_err(&gltf.json.to_string()))
    };
    changes.iter().map(error_of).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_wrong_in_the_document_is_said() {
    let changes: [Change; 28] = [
        |gltf| gltf.json = json!([]),
        |gltf| gltf.json = json!({}),
        |gltf| gltf.json["asset"] = json!({ "generator": "\u{1b}[31m" }),
        |gltf| gltf.json["asset"]["version"] = json!("1.0"),
        |gltf| gltf.json["asset"]["minVersion"] = json!("2.1"),
        |gltf| gltf.json["asset"]["version"] = json!(format!("3.{}", "0\u{1b}".repeat(1000))),
        |gltf| gltf.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]),
        |gltf| gltf.json["extensionsRequired"] = json!(["KHR_mesh_quantization", "EXT_meshopt_compression"]),
        |gltf| gltf.json["extensionsRequired"] = json!(["\u{1b}[2J\n::error::forged"]),
        |gltf| gltf.json["nodes"] = json!({ "a": 1 }),
        |gltf| gltf.json["nodes"][0]["mesh"] = json!("w".repeat(100_000)),
        |gltf| gltf.json["nodes"][0]["mesh"] = json!(-1),
        |gltf| gltf.json["nodes"][0]["mesh"] = json!(1),
        |gltf| gltf.json["scene"] = json!(7),
        |gltf| gltf.json["scenes"][0]["nodes"] = json!([u32::MAX]),
        |gltf| gltf.json["scenes"][0]["nodes"] = json!([0, 0]),
        |gltf| gltf.json["nodes"][0]["children"] = json!([0]),
        |gltf| gltf.json["nodes"] = json!([{ "children": [1] }, { "children": [2] }, { "children": [1] }]),
        |gltf| gltf.json["nodes"][0]["children"] = json!([9]),
        |gltf| gltf.json["nodes"][0]["rotation"] = json!([0, 0, 0, 0]),
        |gltf| gltf.json["nodes"][0]["rotation"] = json!([1e200, 0, 0, 1]),
        |gltf| gltf.json["nodes"][0]["matrix"] = json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1]),
        |gltf| {
            gltf.json["nodes"][0]["matrix"] = json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
            gltf.json["nodes"][0]["scale"] = json!([1, 1, 1]);
        },
        |gltf| gltf.json["nodes"][0]["scale"] = json!([1, 1]),
        |gltf| gltf.json["nodes"][0]["scale"] = json!([1e308, 1e308, 1e308]),
        |gltf| gltf.json["nodes"][0]["translation"] = json!([1e300, 0, 0]),
        |gltf| gltf.json["nodes"][0]["translation"] = json!([20_000, 0, 0]),
        |gltf| gltf.json["meshes"] = json!([{}]),
    ];
    assert_snapshot!(errors(&changes));
}

#[test]
fn what_is_wrong_with_its_numbers_is_said() {
    let changes: [Change; 32] = [
        |gltf| primitive(gltf)["attributes"]["POSITION"] = json!(5),
        |gltf| primitive(gltf)["indices"] = json!(5),
        |gltf| primitive(gltf)["mode"] = json!(7),
        |gltf| primitive(gltf)["indices"] = json!(0),
        |gltf| primitive(gltf)["attributes"]["POSITION"] = json!(1),
        |gltf| gltf.json["accessors"][0]["componentType"] = json!(5125),
        |gltf| gltf.json["accessors"][0]["componentType"] = json!(5124),
        |gltf| gltf.json["accessors"][1]["componentType"] = json!(FLOAT),
        |gltf| gltf.json["accessors"][0]["type"] = json!("VEC4\u{1b}[31m"),
        |gltf| gltf.json["accessors"][0]["count"] = json!(4),
        |gltf| gltf.json["accessors"][0]["count"] = json!(1_u64 << 60),
        |gltf| gltf.json["accessors"][0]["count"] = json!(u64::MAX),
        |gltf| gltf.json["accessors"][0]["count"] = json!(2),
        |gltf| gltf.json["accessors"][0]["byteOffset"] = json!(4),
        |gltf| gltf.json["accessors"][0]["byteOffset"] = json!(u64::MAX),
        |gltf| gltf.json["accessors"][1]["count"] = json!(2),
        |gltf| gltf.json["bufferViews"][0]["byteLength"] = json!(u64::MAX),
        |gltf| gltf.json["bufferViews"][0]["byteOffset"] = json!(u64::MAX),
        |gltf| gltf.json["bufferViews"][0]["byteOffset"] = json!(16),
        |gltf| gltf.json["bufferViews"][0]["byteStride"] = json!(4),
        |gltf| gltf.json["bufferViews"][0]["byteStride"] = json!(0),
        |gltf| gltf.json["bufferViews"][0]["byteStride"] = json!(u64::MAX),
        |gltf| gltf.json["bufferViews"][0]["buffer"] = json!(1),
        |gltf| gltf.json["accessors"][0]["bufferView"] = json!(9),
        |gltf| gltf.bytes[36..38].copy_from_slice(&3_u16.to_le_bytes()),
        |gltf| gltf.bytes[4..8].copy_from_slice(&f32::NAN.to_le_bytes()),
        |gltf| gltf.bytes[12..16].copy_from_slice(&f32::NEG_INFINITY.to_le_bytes()),
        // All are zero, and as many as nobody could hold.
        |gltf| {
            gltf.json["accessors"][0] = json!({ "componentType": FLOAT, "type": "VEC3", "count": u64::MAX });
            gltf.json["meshes"][0]["primitives"] = json!([{ "attributes": { "POSITION": 0 } }]);
        },
        |gltf| {
            gltf.json["accessors"][0] = json!({ "componentType": FLOAT, "type": "VEC3", "count": 393_219 });
            gltf.json["meshes"][0]["primitives"] = json!([{ "attributes": { "POSITION": 0 } }]);
        },
        |gltf| sparse(gltf, 4, &[0, 1, 2, 3], UNSIGNED_BYTE),
        |gltf| sparse(gltf, 2, &[1, 1], UNSIGNED_BYTE),
        |gltf| sparse(gltf, 2, &[1, 3], FLOAT),
    ];
    let mut told = errors(&changes);
    let more: [Change; 2] =
        [|gltf| sparse(gltf, 2, &[1, 3], UNSIGNED_BYTE), |gltf| sparse(gltf, 3, &[0, 0, 1, 0], UNSIGNED_SHORT)];
    told = format!("{told}\n{}", errors(&more));
    assert_snapshot!(told);
}

/// Makes some of the positions others.
fn sparse(gltf: &mut Gltf, count: u32, numbers: &[u8], component: u32) {
    let (numbers, values) = (gltf.view(numbers), gltf.view(&floats(&[[0.0; 3]; 4])));
    gltf.json["accessors"][0]["sparse"] = json!({
        "count": count, "indices": { "bufferView": numbers, "componentType": component }, "values": { "bufferView": values },
    });
}

#[test]
fn what_is_wrong_with_a_binary_file_is_said() {
    let whole = good().glb();
    let json = good().json.to_string();
    let length_of = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        let length = bytes.len() as u32;
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        bytes
    };
    let with = |place: usize, bytes: &[u8]| {
        let mut file = whole.clone();
        file[place..place + bytes.len()].copy_from_slice(bytes);
        file
    };
    let binary = whole.len() - 8 - good().bytes.len();
    let files = [
        Vec::new(),
        b"glT".to_vec(),
        b"glTF".to_vec(),
        json.clone().into_bytes(),
        with(4, &1_u32.to_le_bytes()),
        whole[..whole.len() - 1].to_vec(),
        [&whole[..], &[0; 4]].concat(),
        length_of(&whole[..whole.len() - 4]),
        length_of(&whole[..binary + 7]),
        length_of(&whole[..12]),
        with(12, &u32::MAX.to_le_bytes()),
        with(16, b"BIN\0"),
        with(binary + 4, b"NIB\0"),
        with(20, &[0xff]),
        length_of(&whole[..binary]),
        glb(b"{\"asset\": {\"version\": \"2.0\"", None),
        glb(&[b"{\"asset\":".repeat(1000)].concat(), None),
    ];
    let folder = Folder::new("gltf-bad-binary");
    let error_of = |file: &Vec<u8>| {
        folder.write("a.glb", file);
        told(&loaded(&folder, "Mesh(file: \"a.glb\")").expect_err(&String::from_utf8_lossy(file)))
    };
    assert_snapshot!(files.iter().map(error_of).collect::<Vec<_>>().join("\n"));
    // Chunks of other kinds mean nothing, and are allowed.
    let more = length_of(&[&whole[..], &4_u32.to_le_bytes(), b"more", &[7; 4]].concat());
    folder.write("a.glb", more);
    assert!(loaded(&folder, "Mesh(file: \"a.glb\")").is_ok());
}

#[test]
fn what_is_wrong_with_where_its_bytes_are_is_said() {
    let gltf = good();
    let folder = Folder::new("gltf-bad-address");
    folder.write("short.bin", &gltf.bytes[..9]);
    std::fs::create_dir_all(folder.0.join("parts")).expect("a folder can be made");
    folder.write("a b.bin", &gltf.bytes);
    let addresses = [
        "missing.bin",
        "parts",
        "short.bin",
        "../../a.bin",
        "%2e%2E/%2e%2E/a.bin",
        "parts/../../../parts/a.gltf",
        "/etc/passwd",
        "%2Fetc%2fpasswd",
        "file:///etc/passwd",
        "https://example.com/a.bin",
        "a%20b.bin%00",
        "a%2",
        "a%zz.bin",
        "a%ff.bin",
        "",
        "data:application/octet-stream,AAAA",
        "data:;base64",
        "data:;base64,AAAA*AAA",
        "data:;base64,AAAAA",
        "data:application/gltf-buffer;base64,AAAA",
    ];
    let error_of = |text: &str| {
        folder.write("parts/a.gltf", text);
        told(&loaded(&folder, "Mesh(file: \"parts/a.gltf\")").expect_err(text))
    };
    let mut errors: Vec<String> = addresses.iter().map(|address| error_of(&gltf.text(address))).collect();
    errors.push(error_of(&gltf.text(&format!("{}\u{1b}.bin", "long".repeat(50)))));
    errors.push(error_of(&gltf.json.to_string()));
    errors.push(error_of("glTF\u{2}\0\0\0"));
    errors.push(error_of(""));
    assert_snapshot!(errors.join("\n"));
    // What is named beside it lies beside it, not beside the scene.
    folder.write("a.gltf", gltf.text("a%20b.bin"));
    assert!(loaded(&folder, "Mesh(file: \"a.gltf\")").is_ok());
    for address in ["../a%20b.bin", "its/../../a%20b.bin", "../parts/../a%20b.bin"] {
        folder.write("parts/a.gltf", gltf.text(address));
        assert!(loaded(&folder, "Mesh(file: \"parts/../parts/a.gltf\")").is_ok(), "{address}");
    }
}

/// What is read of a file is bounded whatever it says, and so is what is kept of its JSON.
#[test]
fn a_file_that_would_never_end_is_refused() {
    let mut gltf = good();
    // A million corners in a megabyte, at more nodes than could be gone through.
    let corners = gltf.accessor(UNSIGNED_BYTE, "SCALAR", 1 << 20, &vec![0; 1 << 20]);
    gltf.json["meshes"][0]["primitives"] = json!([{ "attributes": { "POSITION": 0 }, "indices": corners, "mode": 1 }]);
    gltf.json["nodes"] = Value::Array(vec![json!({ "mesh": 0 }); 1000]);
    gltf.json["scenes"] = json!([{ "nodes": (0..1000).collect::<Vec<u32>>() }]);
    let often = gltf.loaded("Hull(file: \"a.glb\")").expect_err("too much to read");
    let mut list = good();
    list.json["nodes"] = Value::Array(vec![json!({}); (1 << 16) + 1]);
    let long = list.loaded("Mesh(file: \"a.glb\")").expect_err("too many nodes");
    let mut nested = good();
    nested.json["meshes"][0]["primitives"] = Value::Array(vec![json!({}); 6 << 20]);
    let large = nested.loaded("Mesh(file: \"a.glb\")").expect_err("too much JSON");
    assert_snapshot!([often, long, large].map(|error| told(&error)).join("\n"));
}
