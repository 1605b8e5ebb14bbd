//! What was written is what is read, for good runs of every kind; bad calls are refused.

use std::fs;
use std::path::PathBuf;

use crate::replay::error::{DamageKind, ReplayError};
use crate::replay::format::{FormatVersion, Header, MAX_BATCH_STEPS, Outcome};
use crate::replay::reader::{read_recovering, read_recovering_bytes, read_strict, read_strict_bytes};
use crate::replay::rewrite::rewrite_stream;
use crate::replay::tests::{forge, sample};
use crate::replay::writer::ReplayWriter;

#[test]
fn a_replay_comes_back_as_it_was_recorded() {
    for (steps, keyframe_every) in [(0, 1), (1, 60), (4, 1), (4, 2), (59, 60), (60, 60), (61, 60), (600, 60)] {
        let replay = sample::replay(&sample::header(steps, keyframe_every), 100);
        let file = sample::file(&replay);
        assert_eq!(read_strict_bytes(&file).expect("a sound file"), replay, "{steps} steps");
        let recovered = read_recovering_bytes(&file).expect("a sound file");
        assert_eq!((recovered.replay, recovered.damage), (replay, None));
    }
}

#[test]
fn batches_are_cut_where_keyframes_are_far_apart() {
    let steps = 2 * MAX_BATCH_STEPS + 10;
    let replay = sample::replay(&sample::header(steps, u32::MAX), 10);
    assert_eq!(read_strict_bytes(&sample::file(&replay)).expect("a sound file"), replay);
}

#[test]
fn a_replay_that_was_read_can_be_written_anew_with_another_header() {
    for (steps, keyframe_every) in [(0, 1), (6, 2), (2 * MAX_BATCH_STEPS + 10, u32::MAX)] {
        let replay = sample::replay(&sample::header(steps, keyframe_every), 100);
        let mut read = read_strict_bytes(&sample::file(&replay)).expect("a sound file");
        read.header.reason = Some("a better reason".to_owned());
        let bytes = rewrite_stream(&read, "test", Vec::new()).expect("a whole replay");
        assert_eq!(read_strict_bytes(&bytes).expect("a sound file"), read, "{steps} steps");
        read.ending = None;
        let error = rewrite_stream(&read, "test", Vec::new()).expect_err("no ending");
        assert!(matches!(error, ReplayError::Refused { .. }), "{error}");
    }
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let replay = sample::replay(&sample::header(120, 60), 10_000);
    assert!(sample::file(&replay) == sample::file(&replay));
}

#[test]
fn a_golden_of_20_bodies_is_small() {
    // 8 sections, one of which never changes. States of 20 bodies of 250 bytes and 64 contact points of 80 bytes, all of
    // whose numbers that change (13 and 5) are noise in the fraction; the rest is the same from one to the next.
    let mut header = sample::header(600, 60);
    header.sections = (0..8).map(|section| format!("section_{section}")).collect();
    let mut replay = sample::replay(&header, 0);
    replay.keyframes.change(|keyframes| {
        for (&step, state) in keyframes {
            for object in 0..84 {
                let (numbers, size) = if object < 20 { (13, 250) } else { (5, 80) };
                let noise = sample::noise(u64::from(step) * 100 + object, numbers * 4);
                let (fractions, _) = noise.as_chunks::<4>();
                let end = state.len() + size;
                state.extend(fractions.iter().flat_map(|&[a, b, c, d]| [a, b, c, d, d % 4, 0, 0, 0]));
                state.extend(sample::noise(size as u64, end - state.len()));
            }
            assert_eq!(state.len(), 20 * 250 + 64 * 80);
        }
    });
    let bytes = sample::file(&replay).len();
    assert!(bytes < 128 << 10, "{bytes} bytes");
}

#[test]
fn a_keyframe_interval_costs_the_indexes_less_than_a_kibibyte() {
    // What the container keeps in memory per chunk is what it writes into the summary at the end.
    let overhead = |steps: u32| {
        let replay = sample::replay(&sample::header(steps, 1), 0);
        let file = sample::file(&replay);
        let messages: usize = replay.steps.len() * (8 + 32 + 8 * replay.header.sections.len());
        file.len() - messages
    };
    let per_interval = (overhead(600) - overhead(100)) / 500;
    assert!(per_interval < 512, "{per_interval} bytes per interval beyond the messages");
}

#[test]
fn a_run_that_stopped_is_whole() {
    let mut replay = sample::replay(&sample::header(100, 10), 50);
    replay.steps.change(|steps| steps.truncate(43));
    replay.inputs.retain(|input| input.step <= 42);
    replay.keyframes.change(|keyframes| keyframes.retain(|&step, _| step <= 42));
    let mut ending = sample::completed(&sample::header(42, 10));
    ending.outcome = Outcome::Stopped { step: 43, body: Some("ball".to_owned()), message: "left the world".to_owned() };
    replay.ending = Some(ending);
    assert_eq!(read_strict_bytes(&sample::file(&replay)).expect("a sound file"), replay);
}

#[test]
fn another_format_is_not_damage() {
    let mut replay = sample::small();
    let file = forge::with_format(&sample::file(&replay), 7);
    for result in [read_strict_bytes(&file), read_recovering_bytes(&file).map(|recovered| recovered.replay)] {
        match result {
            Err(ReplayError::OtherFormat { found, producer, .. }) => {
                assert_eq!((found, producer.as_str()), (FormatVersion(7), "physim 0.1.0"));
            }
            other => panic!("{other:?}"),
        }
    }
    replay.header.format = FormatVersion(7);
    let refused = ReplayWriter::new("test", Vec::new(), &replay.header, "").err();
    assert!(matches!(refused, Some(ReplayError::Refused { .. })));
}

#[test]
fn calls_out_of_order_are_refused() {
    let replay = sample::small();
    let hash = |step| sample::hash(step, 3);
    let start = || ReplayWriter::new("test", Vec::new(), &replay.header, &replay.scene).expect("a good header");
    let refused = |result: Result<(), ReplayError>| assert!(matches!(result, Err(ReplayError::Refused { .. })));

    refused(start().step(1, &hash(1)));
    refused(start().step(0, &sample::hash(0, 2)));
    refused(start().keyframe(0, &[]));
    refused(start().input(&sample::input(0)));
    refused(start().perturbation(&sample::perturbation(5)));
    refused(start().finish_stream(&sample::completed(&replay.header)).map(|_| ()));

    let mut writer = start();
    writer.step(0, &hash(0)).expect("the first step");
    refused(writer.step(1, &hash(1)));
    writer.keyframe(0, &[]).expect("a keyframe that is due");
    refused(writer.keyframe(0, &[]));
    refused(writer.step(0, &hash(0)));
    writer.step(1, &hash(1)).expect("the next step");
    refused(writer.input(&sample::input(1)));
    refused(writer.keyframe(1, &[]));
    refused(writer.finish_stream(&sample::completed(&replay.header)).map(|_| ()));
}

#[test]
fn headers_that_no_replay_has_are_refused() {
    let good = sample::header(4, 2);
    let refused = |change: fn(&mut Header)| {
        let mut header = good.clone();
        change(&mut header);
        let result = ReplayWriter::new("test", Vec::new(), &header, "");
        assert!(matches!(result.err(), Some(ReplayError::Refused { .. })), "{header:?}");
    };
    refused(|header| header.keyframe_every = 0);
    refused(|header| header.dt_nanoseconds.0 = 0);
    refused(|header| header.dt_nanoseconds.1 = 0);
    refused(|header| header.dt_nanoseconds = (u64::MAX, 1));
    refused(|header| header.sections.clear());
    refused(|header| header.sections.push("bodies".to_owned()));
    refused(|header| header.sections = (0..65).map(|section| section.to_string()).collect());
}

/// A folder for one test, empty at its start.
fn folder(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("physim-replay-{test}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a temporary folder");
    folder
}

#[test]
fn a_file_has_its_name_only_when_it_is_complete() {
    let folder = folder("name");
    let (path, partial) = (folder.join("run.mcap"), folder.join("run.mcap.partial"));
    let replay = sample::small();
    let mut writer = ReplayWriter::create(&path, &replay.header, &replay.scene).expect("a writable folder");
    sample::record(&mut writer, &replay).expect("a good run");
    assert!(partial.exists() && !path.exists());
    let written = writer.finish(&sample::completed(&replay.header)).expect("a good ending");
    assert_eq!(written, path);
    assert!(path.exists() && !partial.exists());
    assert_eq!(read_strict(&path).expect("a sound file"), replay);
    assert_eq!(fs::read(&path).expect("a file"), sample::file(&replay));
    fs::remove_dir_all(folder).expect("a folder of ours");
}

#[test]
fn a_dropped_run_leaves_all_it_has() {
    let folder = folder("drop");
    let path = folder.join("run.mcap");
    let replay = sample::replay(&sample::header(5, 2), 16);
    let mut writer = ReplayWriter::create(&path, &replay.header, &replay.scene).expect("a writable folder");
    sample::record(&mut writer, &replay).expect("a good run");
    drop(writer);
    assert!(!path.exists());
    let partial = folder.join("run.mcap.partial");
    assert!(matches!(read_strict(&partial), Err(ReplayError::Damaged { .. })));
    let recovered = read_recovering(&partial).expect("a good beginning");
    assert_eq!(recovered.damage.map(|damage| damage.kind), Some(DamageKind::CutShort));
    assert_eq!(recovered.replay.steps, replay.steps);
    assert_eq!(recovered.replay.keyframes, replay.keyframes);
    assert_eq!(recovered.replay.ending, None);
    fs::remove_dir_all(folder).expect("a folder of ours");
}

#[test]
fn paths_that_cannot_be_written_are_refused_by_name() {
    let folder = folder("paths");
    let header = sample::header(4, 2);
    let create = |path: PathBuf| ReplayWriter::create(&path, &header, "").map(|_| ());
    assert!(matches!(create(folder.clone()), Err(ReplayError::NotAFile { .. })));
    assert!(matches!(create(folder.join("new").join("")), Err(ReplayError::NotAFile { .. })));
    assert!(matches!(create(folder.join("no/run.mcap")), Err(ReplayError::MissingFolder { .. })));
    assert!(matches!(create(PathBuf::new()), Err(ReplayError::NotAFile { .. })));
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0, "nothing is left behind");
    assert!(matches!(read_strict(&folder), Err(ReplayError::NotAFile { .. })));
    assert!(matches!(read_strict(&folder.join("none.mcap")), Err(ReplayError::Io { .. })));
    fs::remove_dir_all(folder).expect("a folder of ours");
}
