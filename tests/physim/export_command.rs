//! `physim export` as its users meet it: damaged replays, readers that go away, files that cannot be written.

use std::process::Command;

use physim::export::format::ExportFormat;
use physim::math::Fixed;

use crate::common::{package, parse, plan, recorded_bytes};
use crate::export::{HARD_NAME, ODD};
use crate::support::folder::Folder;
use crate::support::program::{Ran, physim, search_path};
use crate::support::scenes::ESCAPE;

/// A folder with a recorded run.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("odd.mcap", recorded_bytes(&plan::<Fixed>(&parse(ODD))));
    folder
}

fn shell(folder: &Folder, script: &str) -> Ran {
    let mut command = Command::new("sh");
    command.current_dir(folder.root()).env("PATH", search_path()).args(["-c", script]);
    command.output().expect("a shell").into()
}

#[test]
fn the_extension_says_the_format() {
    let folder = folder();
    for (name, format) in [
        ("a.csv", ExportFormat::Csv),
        ("a.parquet", ExportFormat::Parquet),
        ("a.npz", ExportFormat::Npz),
        ("a.mcap", ExportFormat::Foxglove),
        ("a.glb", ExportFormat::Gltf),
    ] {
        // Twice: a file of the same kind is replaced.
        for _ in 0..2 {
            physim(&folder, &["export", "odd.mcap", "-o", name, "--steps", "0..3"]).exits(0);
        }
        assert!(format.is_ours(&mut std::io::Cursor::new(folder.read(name))).expect("bytes"), "{name}");
    }
    let ran = physim(&folder, &["export", "odd.mcap", "-o", "a.gltf"]).exits(2);
    assert!(ran.stderr.contains("-o a.glb"), "{}", ran.stderr);
    let ran = physim(&folder, &["export", "odd.mcap", "-o", "a.xyz"]).exits(2);
    assert!(ran.stderr.contains("--format (csv, parquet, npz, foxglove, gltf, energy)"), "{}", ran.stderr);
}

#[test]
fn a_replay_is_not_taken_for_an_export_that_may_be_replaced() {
    let folder = folder();
    folder.write("other.mcap", folder.read("odd.mcap"));
    physim(&folder, &["export", "odd.mcap", "-o", "other.mcap"]).exits(2);
    physim(&folder, &["export", "odd.mcap", "-o", "odd.mcap"]).exits(2);
    assert_eq!(folder.read("odd.mcap"), folder.read("other.mcap"), "both are as they were");
    physim(&folder, &["export", "odd.mcap", "-o", "other.mcap", "--force"]).exits(0);
    assert_ne!(folder.read("odd.mcap"), folder.read("other.mcap"));
}

#[test]
fn what_is_sound_of_a_damaged_replay_is_written() {
    let folder = Folder::new();
    let golden = std::fs::read(package().join("replays/stack_20.fixed.mcap")).expect("a golden");
    folder.write("whole.mcap", &golden);
    folder.write("cut.mcap", &golden[..golden.len() / 2]);
    physim(&folder, &["export", "whole.mcap", "-o", "whole.csv"]).exits(0);
    let ran = physim(&folder, &["export", "cut.mcap", "-o", "cut.csv"]).exits(3);
    assert!(ran.stderr.contains("are sound"), "{}", ran.stderr);
    let (whole, cut) = (folder.read("whole.csv"), folder.read("cut.csv"));
    assert!(cut.len() > 1000 && cut.len() < whole.len() && whole.starts_with(&cut), "{} of {}", cut.len(), whole.len());
    for name in ["cut.parquet", "cut.npz", "cut-3d.mcap", "cut.glb"] {
        physim(&folder, &["export", "cut.mcap", "-o", name]).exits(3);
        assert!(!folder.read(name).is_empty());
    }
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let folder = Folder::new();
    // More than a pipe holds.
    folder.write("stack.mcap", std::fs::read(package().join("replays/stack_20.fixed.mcap")).expect("a golden"));
    let ran = shell(&folder, "{ physim export stack.mcap -o - --format csv; echo $? >status; } | head -1").exits(0);
    assert!(ran.stdout().starts_with("step,time,body,"), "{ran:?}");
    assert_eq!((ran.stderr.as_str(), folder.read("status").as_slice()), ("", b"2\n".as_slice()));
}

#[test]
fn a_full_disk_is_said_and_leaves_nothing_behind() {
    let folder = folder();
    for name in ["a.csv", "a.parquet", "a.npz", "a.mcap", "a.glb"] {
        // One block of 512 bytes; without the signal, the write fails as on a full disk.
        let script = format!("trap '' XFSZ; ulimit -f 1; physim export odd.mcap -o {name}");
        let ran = shell(&folder, &script).exits(2);
        assert!(ran.stderr.contains(&format!("{name}: cannot write it")), "{name}: {}", ran.stderr);
    }
    assert_eq!(folder.names(), ["odd.mcap"]);
}

#[test]
fn a_name_with_commas_and_quotes_can_be_asked_for() {
    let folder = folder();
    let ran =
        physim(&folder, &["export", "odd.mcap", "-o", "-", "--format", "csv", "--body", HARD_NAME, "--steps", "7"]);
    let text = ran.exits(0).stdout();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[1].contains(",\"a,b \"\"c\"\" <i>&'d'\","), "{text}");
    let ran = physim(&folder, &["export", "odd.mcap", "-o", "-", "--format", "csv", "--body", "nobody"]).exits(2);
    assert!(ran.stderr.contains("no such body"), "{}", ran.stderr);
}

#[test]
fn several_patterns_take_the_bodies_of_each() {
    let folder = folder();
    let export = |bodies: &[&str]| {
        let bodies: Vec<&str> = bodies.iter().flat_map(|body| ["--body", body]).collect();
        let arguments = [&["export", "odd.mcap", "-o", "-", "--format", "csv", "--steps", "7"][..], &bodies].concat();
        physim(&folder, &arguments)
    };
    let lines = |ran: Ran| ran.exits(0).stdout().lines().map(str::to_owned).collect::<Vec<String>>();
    let all = lines(export(&["*"]));
    let [floor, hard] = [&["floor"][..], &["a,b*"]].map(|bodies| lines(export(bodies)));
    assert_eq!((floor.len(), hard.len()), (2, 2));
    let expected: Vec<&String> = all.iter().filter(|line| floor.contains(line) || hard.contains(line)).collect();
    assert_eq!(lines(export(&["floor", "a,b*"])).iter().collect::<Vec<_>>(), expected, "in the order of the bodies");
    assert_eq!(lines(export(&["floor", "f*"])), floor, "no body twice");
    let ran = export(&["floor", "flor"]).exits(2);
    assert!(ran.stderr.contains("--body flor: odd.mcap has no such body; did you mean \"floor\"?"), "{}", ran.stderr);
}

#[test]
fn why_a_run_stopped_stands_in_every_format_with_room_for_it() {
    let folder = Folder::new();
    folder.write("escape.ron", ESCAPE);
    physim(&folder, &["run", "escape.ron", "-o", "escape.mcap"]).exits(2);
    physim(&folder, &["run", "escape.ron", "-o", "whole.mcap", "--steps", "3"]).exits(0);
    let reason = "step 9: the position of body \"ball\" left the bounds of the run";
    let [npz, glb, mcap, parquet] = ["npz", "glb", "3d.mcap", "parquet"].map(|ending| {
        ["escape", "whole"].map(|run| {
            let (replay, name) = (format!("{run}.mcap"), format!("{run}-{ending}"));
            let name = if ending.contains('.') { name } else { format!("{run}.{ending}") };
            let told = physim(&folder, &["export", &replay, "-o", &name]).exits(0).stderr;
            assert_eq!(told.contains(reason), run == "escape", "{told}");
            folder.read(&name)
        })
    });
    let text = npz.map(|bytes| {
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("a zip archive");
        let mut array = Vec::new();
        std::io::Read::read_to_end(&mut archive.by_name("stopped.npy").expect("an array"), &mut array).expect("bytes");
        let head = 10 + usize::from(u16::from_le_bytes([array[8], array[9]]));
        assert!(String::from_utf8_lossy(&array[10..head]).contains("'shape': ()"), "a single text");
        let letters = array[head..].chunks(4).map(|part| u32::from_le_bytes(part.try_into().expect("four")));
        letters.take_while(|letter| *letter > 0).map(|letter| char::from_u32(letter).unwrap()).collect::<String>()
    });
    assert!(text[0].starts_with(reason) && text[1].is_empty(), "{text:?}");
    let extras = glb.map(|bytes| {
        let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four")) as usize;
        let document: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
        document["asset"]["extras"]["stopped"].as_str().map(str::to_owned)
    });
    assert!(extras[0].as_ref().is_some_and(|text| text.starts_with(reason)) && extras[1].is_none(), "{extras:?}");
    let records = mcap.map(|bytes| {
        let records = mcap::read::LinearReader::new(&bytes).expect("MCAP");
        let mut found = records.filter_map(|record| match record.expect("a record") {
            mcap::records::Record::Metadata(metadata) => Some(metadata.metadata),
            _ => None,
        });
        found.next().expect("what is said of the run").get("stopped").cloned()
    });
    assert!(records[0].as_ref().is_some_and(|text| text.starts_with(reason)) && records[1].is_none(), "{records:?}");
    let schemas = parquet.map(|bytes| {
        let mut file = tempfile::tempfile().expect("a file");
        std::io::Write::write_all(&mut file, &bytes).expect("room");
        let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        reader.schema().metadata().get("physim.stopped").cloned()
    });
    assert!(schemas[0].as_ref().is_some_and(|text| text.starts_with(reason)) && schemas[1].is_none(), "{schemas:?}");
}

#[test]
fn what_others_wrote_in_the_same_format_is_not_replaced() {
    let folder = Folder::new();
    let replay = package().join("replays/couple.fixed.mcap");
    let replay = replay.to_str().expect("a path");
    let others: [(&str, &[u8]); 5] = [
        ("theirs.parquet", b"PAR1 somebody else's table PAR1"),
        ("theirs.npz", b"PK\x03\x04 somebody else's arrays, with names of their own"),
        ("theirs.glb", b"glTF\x02\0\0\0\x40\0\0\0\x10\0\0\0JSON{\"asset\":\"mine\"}"),
        ("energies.csv", b"step,time,bodies,contacts\n"),
        ("theirs.mcap", b"\x89MCAP0\r\n somebody else's log"),
    ];
    for (name, bytes) in others {
        folder.write(name, bytes);
        let refused = physim(&folder, &["export", replay, "-o", name]).exits(2);
        assert!(refused.stderr.contains("file of physim; choose another name"), "{name}: {}", refused.stderr);
        assert_eq!(folder.read(name), bytes, "{name} is as it was");
    }
    for (name, _) in others {
        physim(&folder, &["export", replay, "-o", name, "--force"]).exits(0);
        physim(&folder, &["export", replay, "-o", name]).exits(0);
    }
}
