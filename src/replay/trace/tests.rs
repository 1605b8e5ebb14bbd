use mcap::MessageStream;

use crate::math::ScalarKind;
use crate::replay::checkpoint::{Checkpoint, Digest, FieldRecord, ObjectRecord};
use crate::replay::container_writer::ContainerWriter;
use crate::replay::error::{DamageKind, ReplayError};
use crate::replay::format::{FormatVersion, PROFILE};
use crate::replay::format::{TRACE_PROFILE, TRACE_VERSION};
use crate::replay::reader::{looks_like_a_replay, read_strict_bytes};
use crate::replay::tests::sample;
use crate::replay::topic::Definition;
use crate::replay::trace::{
    RecoveredTrace, Trace, TraceHeader, TraceTopic, TraceWriter, looks_like_a_trace, read_trace, read_trace_bytes,
    read_trace_recovering_bytes,
};

fn header() -> TraceHeader {
    TraceHeader {
        format: TRACE_VERSION,
        semantics: 3,
        scalar: ScalarKind::Fixed,
        scene_name: "two balls".to_owned(),
        dt: "1/60".to_owned(),
        from: 4,
        to: 6,
        with_states: true,
        producer: "physim 0.1.0".to_owned(),
    }
}

fn checkpoint(step: u32, stage: Option<&str>) -> Checkpoint {
    let field = FieldRecord { path: "position.x".into(), value: "1.5".into(), bits: Some("3ff8".into()), kind: None };
    let object = ObjectRecord {
        name: "ball".to_owned(),
        section: Some("bodies".to_owned()),
        hash: Some("1d".to_owned()),
        fields: Some(vec![field]),
    };
    Checkpoint {
        stage: stage.map(str::to_owned),
        sections: Some(vec![Digest { name: "bodies".to_owned(), hash: format!("{step:04x}") }]),
        objects: Some(vec![object]),
        ..Checkpoint::of_hash(step, "9af3")
    }
}

fn trace() -> Trace {
    Trace {
        header: header(),
        checkpoints: vec![checkpoint(4, Some("solve")), checkpoint(4, None), checkpoint(6, None)],
    }
}

fn file(trace: &Trace) -> Vec<u8> {
    let mut writer = TraceWriter::new("test", Vec::new(), &trace.header).expect("a good header");
    trace.checkpoints.iter().for_each(|checkpoint| writer.checkpoint(checkpoint).expect("a good checkpoint"));
    writer.finish_stream().expect("memory takes all")
}

/// Both readers on damaged bytes: one must refuse them, the other must give a prefix and report the damage.
fn must_see(damaged: &[u8], what: &str) {
    assert!(read_trace_bytes(damaged).is_err(), "not seen: {what}");
    if let Ok(RecoveredTrace { trace: found, damage }) = read_trace_recovering_bytes(damaged) {
        assert!(damage.is_some(), "not reported: {what}");
        assert!(found.header == trace().header && trace().checkpoints.starts_with(&found.checkpoints), "other: {what}");
    }
}

#[test]
fn a_trace_comes_back_as_it_was_recorded() {
    let empty = Trace { checkpoints: Vec::new(), ..trace() };
    for trace in [trace(), empty] {
        let bytes = file(&trace);
        assert_eq!(read_trace_bytes(&bytes).expect("a sound file"), trace);
        assert_eq!(read_trace_recovering_bytes(&bytes).expect("a sound file"), RecoveredTrace { trace, damage: None });
    }
    assert!(file(&trace()) == file(&trace()));
}

#[test]
fn every_flipped_bit_is_seen() {
    let file = file(&trace());
    let mut damaged = file.clone();
    for byte in 0..file.len() {
        for bit in 0..8 {
            damaged[byte] ^= 1 << bit;
            must_see(&damaged, &format!("bit {bit} of byte {byte}"));
            damaged[byte] = file[byte];
        }
    }
}

#[test]
fn every_truncation_is_seen() {
    let file = file(&trace());
    for length in 0..file.len() {
        match read_trace_bytes(&file[..length]) {
            Err(ReplayError::Damaged { damage, .. }) => assert_eq!(damage.kind, DamageKind::CutShort, "{length} bytes"),
            Err(ReplayError::NotATrace { .. }) if length < 8 => {}
            other => panic!("{length} bytes: {other:?}"),
        }
        must_see(&file[..length], &format!("{length} bytes"));
    }
}

#[test]
fn every_missing_doubled_or_appended_byte_is_seen() {
    let file = file(&trace());
    for byte in 0..file.len() {
        must_see(&[&file[..byte], &file[byte + 1..]].concat(), &format!("byte {byte} missing"));
        must_see(&[&file[..=byte], &file[byte..]].concat(), &format!("byte {byte} doubled"));
    }
    must_see(&[&file[..], &[0]].concat(), "a byte more");
}

#[test]
fn a_long_trace_that_is_killed_keeps_its_whole_steps() {
    let mut long = Trace { header: TraceHeader { to: 400, ..header() }, checkpoints: Vec::new() };
    for step in 4..=400 {
        // Digits that no compression can shorten.
        let noise: String = sample::noise(u64::from(step), 4096).iter().map(|byte| format!("{byte:02x}")).collect();
        long.checkpoints.push(Checkpoint { hash: Some(noise), ..checkpoint(step, None) });
    }
    let bytes = file(&long);
    assert_eq!(read_trace_bytes(&bytes).expect("a sound file"), long);
    let cut = read_trace_recovering_bytes(&bytes[..bytes.len() / 2]).expect("a good beginning");
    assert_eq!(cut.damage.map(|damage| damage.kind), Some(DamageKind::CutShort));
    let kept = cut.trace.checkpoints.len();
    assert!((100..200).contains(&kept) && long.checkpoints.starts_with(&cut.trace.checkpoints), "{kept} checkpoints");
}

#[test]
fn a_trace_without_its_end_is_cut_short() {
    let mut bytes = Vec::new();
    let mut writer = TraceWriter::new("test", &mut bytes, &header()).expect("a good header");
    writer.checkpoint(&checkpoint(4, None)).expect("a good checkpoint");
    drop(writer);
    let RecoveredTrace { trace, damage } = read_trace_recovering_bytes(&bytes).expect("a good beginning");
    assert_eq!(trace.checkpoints, [checkpoint(4, None)]);
    assert_eq!(damage.map(|damage| damage.kind), Some(DamageKind::CutShort));
}

#[test]
fn what_a_trace_cannot_hold_is_refused() {
    let mut writer = TraceWriter::new("run.trace", Vec::new(), &header()).expect("a good header");
    writer.checkpoint(&checkpoint(5, None)).expect("a good checkpoint");
    for (bad, part) in [
        (checkpoint(3, None), "a checkpoint of step 3 in a trace of the steps 4 to 6"),
        (checkpoint(7, None), "a checkpoint of step 7"),
        (checkpoint(4, None), "step 4 after step 5"),
        (checkpoint(5, Some("solve")), "after its end"),
        (Checkpoint { step: 6, ..Checkpoint::default() }, "a checkpoint without hash"),
    ] {
        let error = writer.checkpoint(&bad).expect_err("a bad checkpoint").to_string();
        assert!(error.starts_with("run.trace: refused to record: ") && error.contains(part), "{error}");
    }
    let backwards = TraceHeader { from: 7, ..header() };
    assert!(matches!(TraceWriter::new("test", Vec::new(), &backwards), Err(ReplayError::Refused { .. })));
}

/// A message: channel, step and text.
type Forged = (u16, u32, String);

/// The messages of a sound trace.
fn messages() -> Vec<Forged> {
    let bytes = file(&trace());
    let stream = MessageStream::new(&bytes).expect("a sound file").map(|message| message.expect("a sound file"));
    stream
        .map(|message| (message.channel.id, message.sequence, String::from_utf8_lossy(&message.data).into()))
        .collect()
}

/// A sound container with those messages, at those times.
fn forged(topics: &[Definition], messages: &[Forged], times: impl Iterator<Item = u64>) -> Vec<u8> {
    let mut container = ContainerWriter::start("test", Vec::new(), TRACE_PROFILE, topics).expect("memory takes all");
    for ((channel, step, text), time) in messages.iter().zip(times) {
        container.message(*channel, *step, time, text.as_bytes()).expect("memory takes all");
    }
    container.finish().expect("memory takes all")
}

#[test]
fn a_sound_container_with_other_messages_is_refused() {
    let ours = TraceTopic::ALL.map(TraceTopic::definition);
    let good = messages();
    assert!(forged(&ours, &good, 0..) == file(&trace()));
    let refusal = |bytes: &[u8]| read_trace_bytes(bytes).expect_err("a trace that must be refused").to_string();
    let with = |change: &dyn Fn(&mut Vec<Forged>)| {
        let mut changed = messages();
        change(&mut changed);
        refusal(&forged(&ours, &changed, 0..))
    };
    for (found, part) in [
        (with(&|all| all.clear()), "where the final record is due"),
        (with(&|all| drop(all.remove(0))), "first message is not its header"),
        (with(&|all| all.insert(1, all[0].clone())), "a second header"),
        (with(&|all| all.swap(1, 2)), "after its end"),
        (with(&|all| drop(all.remove(2))), "the ending states 3 checkpoints, 2 are there"),
        (with(&|all| drop(all.pop())), "where the final record is due"),
        (with(&|all| all.push(all[4].clone())), "a message after the ending"),
        (with(&|all| all[1].1 = 5), "a record about step 4 in a message of step 5"),
        (with(&|all| all[4].1 = 5), "a record about step 6 in a message of step 5"),
        (with(&|all| all[1].2 = "{".to_owned()), "a record that is not as expected"),
        (with(&|all| all[0].2 = all[0].2.replace("\"from\":4", "\"from\":5")), "a checkpoint of step 4 in a trace"),
        (with(&|all| all[0].2 = all[0].2.replace("\"to\":6", "\"to\":3")), "expected the smaller first"),
        (refusal(&forged(&ours, &good, 1..)), "a message at time 1 where 0 is due"),
        (refusal(&forged(&[ours[0], ours[2], ours[1]], &good, 0..)), "other channels than a trace"),
    ] {
        assert!(found.contains(part), "{found}\nexpected: {part}");
    }
    let newer = with(&|all| all[0].2 = all[0].2.replace("\"format\":3", "\"new\":1,\"format\":9"));
    assert!(newer.contains("has trace format 9, written by physim 0.1.0; this build reads format 3"), "{newer}");
    assert_eq!(TRACE_VERSION, FormatVersion(3));
}

#[test]
fn a_trace_is_no_replay_and_the_other_way_round() {
    let folder = std::env::temp_dir().join(format!("physim-trace-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (trace_path, replay_path, empty) = (folder.join("a.trace"), folder.join("a.mcap"), folder.join("empty"));
    let mut writer = TraceWriter::create(&trace_path, &header()).expect("a good header");
    trace().checkpoints.iter().for_each(|checkpoint| writer.checkpoint(checkpoint).expect("a good checkpoint"));
    assert!(!trace_path.exists());
    assert_eq!(writer.finish().expect("a good end"), trace_path);
    std::fs::write(&replay_path, sample::file(&sample::small())).expect("a file");
    std::fs::write(&empty, "").expect("a file");
    assert_eq!(read_trace(&trace_path).expect("a sound file"), trace());
    let looks = |path| (looks_like_a_trace(path), looks_like_a_replay(path));
    assert_eq!(looks(&trace_path), (true, false));
    assert_eq!(looks(&replay_path), (false, true));
    assert_eq!(looks(&empty), (false, true));
    assert_eq!(looks(&folder), (false, false));
    let wrong = read_trace(&replay_path).expect_err("a replay").to_string();
    assert!(
        wrong.ends_with("a.mcap is not a physim trace: its MCAP profile is \"physim\", expected \"physim-trace\""),
        "{wrong}"
    );
    assert!(matches!(read_strict_bytes(&file(&trace())), Err(ReplayError::NotAReplay { .. })));
    assert_ne!(PROFILE, TRACE_PROFILE);
    std::fs::remove_dir_all(&folder).expect("a folder");
}
