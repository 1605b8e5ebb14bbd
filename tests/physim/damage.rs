//! Damaged and cut replays: always seen, never a panic, never "same", and what is left is used.

use std::process::{Command, Stdio};
use std::time::Duration;

use physim::analysis::Verdict;
use physim::analysis::verify::{Verification, verify_bytes};
use physim::math::SplitMix64;
use physim::replay::{ReplayWriter, read_recovering};
use physim::session::record::record;

use crate::common::{load, package, parse, plan, recorded_bytes, session};
use crate::support::folder::Folder;
use crate::support::program::physim;

const SMALL: &str = r#"(version: 1, name: "small", steps: 2, keyframe_every: 1, bodies: [
    (name: "ball", position: Origin(0, 1, 0), linear_velocity: (1, 0, 0), shape: Sphere(radius: 0.5)),
])"#;

fn verify(bytes: &[u8]) -> Verification {
    verify_bytes(bytes, 1, &mut |_, _| {})
}

fn small_replay() -> Vec<u8> {
    let bytes = recorded_bytes(&plan::<physim::math::Fixed>(&parse(SMALL)));
    assert_eq!(verify(&bytes).verdict, Verdict::Same, "the whole replay holds");
    bytes
}

#[test]
fn whoever_opens_a_replay_knows_how_large_a_state_is() {
    let (mut told, plan) = (0, plan::<physim::math::Fixed>(&parse(SMALL)));
    let mut open = |header: &_, scene: &_, bytes| {
        told = bytes;
        ReplayWriter::new("test", Vec::new(), header, scene).map(Some)
    };
    let (_, bytes) = record(&plan, &mut open, &mut |_| {}).expect("a recorded run");
    let replay = physim::replay::read_strict_bytes(&bytes.expect("a replay")).expect("a sound one");
    assert_eq!(replay.keyframes.get(0).map(|state| state.len() as u64), Some(told));
}

/// One bit of each: that none of the others goes unseen is tried where replays are read.
#[test]
fn a_flipped_bit_in_any_byte_is_damage() {
    let bytes = small_replay();
    for place in 0..bytes.len() {
        let mut flipped = bytes.clone();
        let bit = place % 8;
        flipped[place] ^= 1 << bit;
        let found = verify(&flipped);
        assert_eq!(found.verdict, Verdict::Damaged, "bit {bit} of byte {place}: {found:?}");
    }
}

#[test]
fn every_truncation_and_every_tail_is_damage() {
    let bytes = small_replay();
    for length in 0..bytes.len() {
        assert_eq!(verify(&bytes[..length]).verdict, Verdict::Damaged, "cut to {length} bytes");
    }
    for tail in [&b"\0"[..], b"\n", &bytes[..8], &bytes, &[0xff; 100]] {
        let longer = [&bytes, tail].concat();
        assert_eq!(verify(&longer).verdict, Verdict::Damaged, "{} bytes appended", tail.len());
    }
}

#[test]
fn a_damaged_replay_ends_the_program_with_3_and_a_sentence() {
    let folder = Folder::new();
    let bytes = small_replay();
    let mut random = SplitMix64::new(5);
    for _ in 0..12 {
        let mut flipped = bytes.clone();
        // Not of the first eight, by which a replay is known as one.
        flipped[8 + random.index(bytes.len() - 8)] ^= 1 << random.below(8);
        folder.write("flipped.mcap", flipped);
        let said = physim(&folder, &["verify", "flipped.mcap"]).exits(3).stdout().to_lowercase();
        assert!(said.contains("damaged"), "{said}");
    }
}

#[test]
fn each_keyframe_is_on_disk_before_the_next_step() {
    let folder = Folder::new();
    let path = folder.path("run.mcap");
    let mut plan = plan::<physim::math::Fixed>(&parse(SMALL));
    plan.steps = 10;
    let mut open = |header: &_, scene: &_, _| ReplayWriter::create(&path, header, scene).map(Some);
    let mut check = |step: u32| {
        let recovered = read_recovering(&folder.path("run.mcap.partial")).expect("what is there can be read").replay;
        assert_eq!(recovered.keyframes.steps().next_back(), Some(step), "the keyframe just written");
        assert_eq!(recovered.steps.len(), step as usize + 1, "and every step up to it");
    };
    record(&plan, &mut open, &mut check).expect("a recorded run");
}

/// A run killed at a random moment leaves every step up to its last flushed keyframe.
#[test]
fn a_killed_run_leaves_every_step_up_to_its_last_keyframe() {
    let folder = Folder::new();
    let scene = load(&package().join("scenes/twenty_balls.ron"));
    let mut truth = session::<physim::math::Fixed>(&scene);
    let mut hashes = vec![truth.hash().root];
    let mut random = SplitMix64::new(17);
    for round in 0..8 {
        let path = folder.path(&format!("{round}.mcap"));
        let mut running = Command::new(env!("CARGO_BIN_EXE_physim"))
            .args(["run", "--scalar", "fixed", "--steps", "100000000", "--keyframe-every", "7"])
            .arg(package().join("scenes/twenty_balls.ron"))
            .arg("-o")
            .arg(&path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("physim runs");
        let partial = folder.path(&format!("{round}.mcap.partial"));
        // Keyframe 0 is flushed at once, and every later one too: the file grows while the run goes on.
        let with_first_keyframe = wait_for_growth(&partial, 0);
        wait_for_growth(&partial, with_first_keyframe);
        std::thread::sleep(Duration::from_millis(random.below(150)));
        running.kill().expect("physim is killed"); // SIGKILL: nothing of its own runs after it
        running.wait().expect("physim is gone");
        assert!(!path.exists(), "a killed run leaves no finished replay");

        let recovered = read_recovering(&partial).expect("what is left can be read").replay;
        let last_keyframe = recovered.keyframes.steps().next_back().expect("keyframe 0 is always there");
        assert!(last_keyframe >= 7, "the second keyframe was flushed too");
        assert!(recovered.steps.len() > last_keyframe as usize, "every step up to the last keyframe is there");
        while hashes.len() < recovered.steps.len() {
            hashes.push(truth.advance(&mut ()).expect("the scene runs on").root);
        }
        assert!(recovered.steps.iter().zip(&hashes).all(|(step, root)| step.root == *root), "and they are right");

        for command in ["show", "verify"] {
            let output =
                Command::new(env!("CARGO_BIN_EXE_physim")).arg(command).arg(&partial).output().expect("physim runs");
            assert_eq!(output.status.code(), Some(3), "{command}: {output:?}");
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said).to_lowercase();
            assert!(said.contains("cut short") || said.contains("did not end") || said.contains("ends"), "{said}");
        }
    }
}

/// Waits until a file is larger than `length` bytes, and gives its length.
fn wait_for_growth(path: &std::path::Path, length: u64) -> u64 {
    for _ in 0..60_000 {
        let now = std::fs::metadata(path).map_or(0, |data| data.len());
        if now > length {
            return now;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("{} does not grow beyond {length} bytes", path.display());
}

/// That steps are missing follows from the damage, which is what is told.
#[test]
fn a_trace_of_steps_behind_the_damage_tells_of_the_damage() {
    let folder = Folder::new();
    let bytes = small_replay();
    folder.write("whole.mcap", &bytes);
    physim(&folder, &["trace", "whole.mcap", "--steps", "2"]).exits(0);
    let said = physim(&folder, &["trace", "whole.mcap", "--steps", "4"]).exits(2).stderr;
    assert!(said.contains("the replay has the steps 0 to 2; choose among them"), "{said}");
    let mut told = 0;
    for length in (8..bytes.len()).step_by(40) {
        folder.write("cut.mcap", &bytes[..length]);
        let ran = physim(&folder, &["trace", "cut.mcap", "--steps", "2"]).exits(3);
        let is_far = ran.stderr.contains("cut.mcap is damaged: ") && ran.stderr.contains(" has the steps 0 to ");
        told += u32::from(is_far && ran.stderr.contains("choose among them"));
    }
    assert!(told > 0, "no cut leaves too few steps");
}
