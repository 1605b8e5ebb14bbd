//! What is held of a replay while it is read and when it has been read, by its length.

use std::path::Path;

use crate::replay::format::MAX_SCENE_BYTES;
use crate::replay::reader::{Recovered, read_recovering, read_strict_bytes};
use crate::replay::tests::sample;

/// Steps between keyframes.
const EVERY: u32 = 60;

/// The most memory that reading a replay takes, and what is held of it, in bytes.
fn measure(path: &Path) -> (u64, i64) {
    let mut held = None;
    let taken = allocation_counter::measure(|| held = Some(read_recovering(path)));
    let Recovered { replay, damage } = held.expect("a result").expect("a sound file");
    assert_eq!(damage, None);
    // All of it can still be read.
    let last = replay.last_step();
    assert!(replay.steps.iter().zip(0..).all(|(hash, step)| hash == sample::hash(step, replay.header.sections.len())));
    assert_eq!(replay.keyframes.get(last - last % EVERY).map(|state| state.len()), Some(1000));
    (taken.bytes_max, taken.bytes_current)
}

#[test]
fn memory_grows_by_some_bytes_for_each_keyframe_and_by_none_for_each_step() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |steps: u32| {
        let mut replay = sample::replay(&sample::header(steps, EVERY), 1000);
        replay.inputs.clear();
        let path = folder.path().join(format!("{steps}.mcap"));
        std::fs::write(&path, sample::file(&replay)).expect("room for a file");
        path
    };
    let (short, long) = (write(100_000), write(300_000));
    let ((short_most, short_held), (long_most, long_held)) = (measure(&short), measure(&long));
    let keyframes = u64::from((300_000 - 100_000) / EVERY);
    // Each has its entry in the index of the file, which the summary is compared with, and its place.
    assert!(long_most < short_most + 512 * keyframes, "{short_most} bytes for 100 000 steps, {long_most} for 300 000");
    let held = u64::try_from(long_held - short_held).expect("more");
    assert!(held < 64 * keyframes, "{short_held} bytes for 100 000 steps, {long_held} for 300 000");
}

#[test]
fn a_scene_beyond_the_limit_is_refused_before_anything_is_made_of_it() {
    let mut replay = sample::replay(&sample::header(1, 1), 10);
    replay.scene = " ".repeat(MAX_SCENE_BYTES as usize);
    assert!(read_strict_bytes(&sample::file(&replay)).is_ok());
    replay.scene.push(' ');
    let error = read_strict_bytes(&sample::file(&replay)).expect_err("too large").to_string();
    assert!(error.contains("the scene takes 67108865 bytes, the limit is 67108864"), "{error}");
}
