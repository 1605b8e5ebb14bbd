//! glTF files that lie about themselves: refused with the name of the file, or taken, and never a panic, a stall or much memory.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use physim::math::SplitMix64;
use physim::scene;
use serde_json::{Value, json};

use crate::attack::changes::{HOSTILE, changed_value};
use crate::attack::places::{Part, values};
use crate::attack::texts::{mutated, use_scene};
use crate::attack::{SIDES_OF_A_BOX, attack, one_of, tries};
use crate::gltf_files::{MOST_MEMORY, glb};
use crate::support::folder::Folder;

/// A box of floats with gaps and two sparse corners, the same box of whole numbers, and a strip, under nodes that move them: what a file may have.
fn seed() -> (Value, Vec<u8>) {
    let corner = |number: u8| [0, 1, 2].map(|axis| f32::from(number >> axis & 1));
    let mut bytes = Vec::new();
    for number in 0..8 {
        bytes.extend(corner(number).iter().flat_map(|part| part.to_le_bytes()));
        bytes.extend([0xff; 4]);
    }
    bytes.extend(SIDES_OF_A_BOX.as_flattened().iter().flat_map(|&number| u16::from(number).to_le_bytes()));
    bytes.extend([3, 0, 5, 0]);
    bytes.extend([corner(3), corner(5)].as_flattened().iter().flat_map(|part| part.to_le_bytes()));
    bytes.extend(
        (0..8).flat_map(|number| corner(number).map(|part| (part * 32_767.0) as i16)).flat_map(i16::to_le_bytes),
    );
    bytes.extend([0, 1, 2, 3]);
    let json = json!({
        "asset": { "version": "2.0", "generator": "a test" }, "extensionsRequired": ["KHR_mesh_quantization"],
        "scene": 0, "scenes": [{ "nodes": [0] }],
        "nodes": [
            { "children": [1, 2], "translation": [0, 0.5, 0], "rotation": [0, 1, 0, 0] },
            { "mesh": 0, "scale": [1, 1, -1] },
            { "mesh": 1, "matrix": [0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 3, 0, 0, 1] },
        ],
        "meshes": [
            { "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1, "mode": 4 }] },
            { "primitives": [{ "attributes": { "POSITION": 2 }, "indices": 1 }, { "attributes": { "POSITION": 2 }, "indices": 3, "mode": 5 }] },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "sparse": {
                "count": 2, "indices": { "bufferView": 2, "componentType": 5123 }, "values": { "bufferView": 2, "byteOffset": 4 } } },
            { "bufferView": 1, "byteOffset": 0, "componentType": 5123, "count": 36, "type": "SCALAR" },
            { "bufferView": 3, "componentType": 5122, "normalized": true, "count": 8, "type": "VEC3" },
            { "bufferView": 4, "componentType": 5121, "count": 4, "type": "SCALAR" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 128, "byteStride": 16 },
            { "buffer": 0, "byteOffset": 128, "byteLength": 72 },
            { "buffer": 0, "byteOffset": 200, "byteLength": 28 },
            { "buffer": 0, "byteOffset": 228, "byteLength": 48 },
            { "buffer": 0, "byteOffset": 276, "byteLength": 4 },
        ],
        "buffers": [{ "byteLength": 280 }],
    });
    (json, bytes)
}

/// Other values in some places, most of them numbers.
fn change(random: &mut SplitMix64, json: &mut Value) {
    let numbers =
        [json!(u64::MAX), json!(1_u64 << 60), json!(u32::MAX), json!(-1), json!(0.5), json!(1e308), json!(5121)];
    for _ in 0..=random.below(3) {
        let mut found = Vec::new();
        values(json, "", "", &mut |part, _| {
            if let Part::Value(pointer) = part {
                found.push(pointer);
            }
        });
        let Some(value) = json.pointer_mut(one_of::<String>(random, &found)) else { continue };
        *value = if value.is_number() && random.below(3) == 0 {
            one_of(random, &numbers).clone()
        } else {
            changed_value(random, value)
        };
    }
}

/// Some bytes are others, some are gone.
fn damage(random: &mut SplitMix64, bytes: &mut Vec<u8>) {
    for _ in 0..random.below(8) {
        let (place, length) = (random.index(bytes.len()), bytes.len());
        match random.below(4) {
            0 => bytes[place] = random.below(256) as u8,
            1 => bytes[place] ^= 1 << random.below(8),
            2 => bytes[place..(place + 4).min(length)].fill(0xff),
            _ if random.below(4) == 0 => bytes.truncate(place.max(1)),
            _ => bytes[place] = 0,
        }
    }
}

/// The name of a file, and what is in it.
fn file(random: &mut SplitMix64, folder: &Folder) -> (&'static str, Vec<u8>) {
    let (mut json, mut bytes) = seed();
    match random.below(5) {
        0 => {
            let mut whole = glb(&json.to_string(), &bytes);
            damage(random, &mut whole);
            ("a.glb", whole)
        }
        1 => {
            damage(random, &mut bytes);
            ("a.glb", glb(&json.to_string(), &bytes))
        }
        2 => {
            change(random, &mut json);
            ("a.glb", glb(&json.to_string(), &bytes))
        }
        3 => {
            json["buffers"][0]["uri"] = json!(format!("data:;base64,{}", BASE64.encode(&bytes)));
            ("a.gltf", mutated(random, &json.to_string()).into_bytes())
        }
        _ => {
            folder.write("its bytes.bin", &bytes);
            let addresses =
                ["its bytes.bin", "its%20bytes.bin", "./its%20bytes.bin", "../its%20bytes.bin", "%", "a.gltf", "."];
            let address = if random.below(4) == 0 { one_of(random, &HOSTILE) } else { one_of(random, &addresses) };
            json["buffers"][0]["uri"] = json!(address);
            if random.below(2) == 0 {
                change(random, &mut json);
            }
            ("a.gltf", json.to_string().into_bytes())
        }
    }
}

#[test]
fn files_of_gltf() {
    let folder = Folder::new();
    attack("glTF", tries(200), |random| {
        let (name, content) = file(random, &folder);
        folder.write(name, &content);
        let (kind, shape) = *one_of(random, &[("Dynamic", "Hull"), ("Static", "Mesh"), ("Dynamic", "Decomposed")]);
        let text =
            format!("(version: 1, name: \"f\", bodies: [(name: \"b\", kind: {kind}, shape: {shape}(file: {name:?}))])");
        folder.write("f.ron", &text);
        let mut loaded = None;
        let taken = allocation_counter::measure(|| loaded = Some(scene::load(&folder.path("f.ron"))));
        assert!(taken.bytes_max < MOST_MEMORY, "{} bytes of memory for {} of a file", taken.bytes_max, content.len());
        match loaded.expect("it was loaded") {
            Ok(scene) => {
                use_scene(scene);
                "taken"
            }
            Err(error) => {
                let shown = error.render(false);
                assert!(shown.contains("f.ron") && shown.contains(name), "{shown:.500}");
                assert!(shown.len() < 10_000, "an error of {} bytes", shown.len());
                let raw = shown.chars().find(|letter| *letter != '\n' && scene::printable::is_to_be_shown(*letter));
                assert_eq!(raw, None, "raw in {shown:?}");
                "refused"
            }
        }
    });
}
