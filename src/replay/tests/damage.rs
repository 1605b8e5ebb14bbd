//! Whatever happens to the bytes of a replay is seen; what precedes it can still be read.

use crate::replay::error::{DamageKind, ReplayError};
use crate::replay::reader::{Recovered, Replay, read_recovering_bytes, read_strict_bytes};
use crate::replay::tests::sample;
use crate::replay::writer::ReplayWriter;

/// Whether the steps of one replay begin as those of another are.
fn begins_with(whole: &Replay, part: &Replay) -> bool {
    part.steps.len() <= whole.steps.len() && part.steps.iter().eq(whole.steps.iter().take(part.steps.len()))
}

/// Both readers on damaged bytes: the strict one must refuse them, the other must give a prefix and report the damage.
fn must_see(damaged: &[u8], original: &Replay, what: &str) {
    assert!(read_strict_bytes(damaged).is_err(), "not seen: {what}");
    if let Ok(Recovered { replay, damage }) = read_recovering_bytes(damaged) {
        assert!(damage.is_some(), "not reported: {what}");
        assert!(begins_with(original, &replay), "other steps: {what}");
        assert!(original.inputs.starts_with(&replay.inputs), "other inputs: {what}");
        let same = |(step, state): (u32, Vec<u8>)| original.keyframes.get(step) == Some(state);
        assert!(replay.keyframes.iter().all(same), "other states: {what}");
    }
}

#[test]
fn every_flipped_bit_is_seen() {
    let replay = sample::small();
    let file = sample::file(&replay);
    let mut damaged = file.clone();
    for byte in 0..file.len() {
        for bit in 0..8 {
            damaged[byte] ^= 1 << bit;
            must_see(&damaged, &replay, &format!("bit {bit} of byte {byte}"));
            damaged[byte] = file[byte];
        }
    }
}

#[test]
fn every_changed_byte_is_seen() {
    let replay = sample::small();
    let file = sample::file(&replay);
    let mut damaged = file.clone();
    for byte in 0..file.len() {
        for value in [0, 0xff].into_iter().filter(|&value| value != file[byte]) {
            damaged[byte] = value;
            must_see(&damaged, &replay, &format!("{value} in byte {byte}"));
        }
        damaged[byte] = file[byte];
    }
}

#[test]
fn every_truncation_is_seen() {
    let replay = sample::small();
    let file = sample::file(&replay);
    for length in 0..file.len() {
        let result = read_strict_bytes(&file[..length]);
        match result {
            Err(ReplayError::Damaged { damage, .. }) if length > 0 => {
                assert_eq!(damage.kind, DamageKind::CutShort, "{length} bytes");
            }
            Err(ReplayError::NotAReplay { what, .. }) if length < 8 => assert!(length > 0 || what == "it is empty"),
            other => panic!("{length} bytes: {other:?}"),
        }
        must_see(&file[..length], &replay, &format!("{length} bytes"));
    }
}

#[test]
fn a_few_bytes_of_something_else_are_no_damaged_replay() {
    for bytes in [&b"hello\n"[..], b"x", b"\x89MCAX"] {
        match read_strict_bytes(bytes) {
            Err(ReplayError::NotAReplay { what, .. }) => assert!(what.contains("does not begin"), "{bytes:?}: {what}"),
            other => panic!("{bytes:?}: {other:?}"),
        }
    }
}

#[test]
fn every_missing_or_doubled_byte_is_seen() {
    let replay = sample::small();
    let file = sample::file(&replay);
    for byte in 0..file.len() {
        must_see(&[&file[..byte], &file[byte + 1..]].concat(), &replay, &format!("byte {byte} missing"));
        must_see(
            &[&file[..byte], &file[byte..=byte], &file[byte..]].concat(),
            &replay,
            &format!("byte {byte} doubled"),
        );
    }
}

#[test]
fn appended_bytes_are_seen() {
    let replay = sample::small();
    let file = sample::file(&replay);
    let empty_metadata = [0x0c, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let first_record = &file[8..8 + 9 + usize::from(file[9])];
    for tail in [&[0][..], b"\n", &empty_metadata, first_record, &file[..8], &file] {
        must_see(&[&file, tail].concat(), &replay, &format!("{} bytes more", tail.len()));
    }
}

#[test]
fn a_killed_run_has_every_step_up_to_its_last_keyframe() {
    // The lengths after each flush are what the operating system has for sure; a kill may leave any length from there on.
    let replay = sample::replay(&sample::header(9, 3), 40);
    let file = sample::file(&replay);
    let flushed = flushed_lengths(&replay);
    assert_eq!(flushed.len(), 4);
    for length in flushed[0].1..file.len() {
        let Recovered { replay: found, damage } = read_recovering_bytes(&file[..length]).expect("a good beginning");
        let (last_keyframe, _) = flushed.iter().rev().find(|(_, bytes)| *bytes <= length).expect("the first keyframe");
        assert!(found.steps.len() > *last_keyframe as usize, "{length} bytes");
        assert!(begins_with(&replay, &found));
        assert!(found.keyframes.contains(*last_keyframe), "{length} bytes");
        assert_eq!(damage.map(|damage| damage.kind), Some(DamageKind::CutShort), "{length} bytes");
    }
}

/// How long the file is after each keyframe has been flushed.
fn flushed_lengths(replay: &Replay) -> Vec<(u32, usize)> {
    let sink = SharedSink::default();
    let mut writer = ReplayWriter::new("test", sink.clone(), &replay.header, &replay.scene).expect("a good header");
    let mut lengths = Vec::new();
    for (step, hash) in (0..).zip(replay.steps.iter()) {
        for input in replay.inputs.iter().filter(|input| input.step == step) {
            writer.input(input).expect("a good input");
        }
        for perturbation in replay.perturbations.iter().filter(|perturbation| perturbation.step == step) {
            writer.perturbation(perturbation).expect("a good perturbation");
        }
        writer.step(step, &hash).expect("a good step");
        if let Some(state) = replay.keyframes.get(step) {
            writer.keyframe(step, &state).expect("a good keyframe");
            lengths.push((step, sink.0.borrow().len()));
        }
    }
    lengths
}

/// Bytes that can be looked at while they are written.
#[derive(Clone, Default)]
struct SharedSink(std::rc::Rc<std::cell::RefCell<Vec<u8>>>);

impl std::io::Write for SharedSink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
