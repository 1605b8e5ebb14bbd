//! Bytes that someone made up, mostly with every checksum in place: refused without a panic and within the limits.

use std::collections::BTreeMap;
use std::io::Cursor;

use mcap::WriteOptions;
use mcap::records::{MessageHeader, Metadata};
use mcap::write::{NoSeek, PrivateRecordOptions};
use proptest::prelude::{Strategy, any, prop, proptest};

use crate::replay::error::ReplayError;
use crate::replay::format::{Clock, MAX_CHUNK_BYTES, Outcome};
use crate::replay::hash_batch;
use crate::replay::reader::{Replay, read_recovering_bytes, read_strict_bytes};
use crate::replay::tests::forge::{self, Message};
use crate::replay::tests::sample;
use crate::replay::topic::Topic;
use crate::replay::writer::options;

/// Both readers must refuse the file, the recovering one by naming a damage.
pub fn must_refuse(file: &[u8], what: &str) {
    assert!(read_strict_bytes(file).is_err(), "accepted: {what}");
    if let Ok(recovered) = read_recovering_bytes(file) {
        assert!(recovered.damage.is_some(), "not reported: {what}");
    }
}

fn small_messages() -> Vec<Message> {
    forge::messages(&sample::file(&sample::small()))
}

fn position(messages: &[Message], topic: Topic) -> usize {
    messages.iter().position(|message| message.channel == topic.id()).expect("one message of each topic")
}

#[test]
fn the_forger_writes_what_the_writer_writes() {
    assert!(forge::file(&small_messages()) == sample::file(&sample::small()));
}

/// The messages with the times the writer would have given them, so that it is not they that give a forgery away.
fn restamped(mut messages: Vec<Message>) -> Vec<Message> {
    let (header, mut clock, mut state) = (sample::header(4, 2), Clock::default(), 0);
    for message in &mut messages {
        state = if message.channel == Topic::Hashes.id() { message.sequence } else { state };
        message.time = clock.stamp(&header, state);
        clock.advance(message.time);
    }
    messages
}

/// The small replay, in which the `nth` message of a topic is another.
fn with_message(topic: Topic, nth: usize, sequence: u32, data: Vec<u8>) -> Vec<u8> {
    let mut messages = small_messages();
    let mut of_topic = messages.iter_mut().filter(|message| message.channel == topic.id());
    let message = of_topic.nth(nth).expect("so many messages of the topic");
    (message.sequence, message.data) = (sequence, data);
    forge::file(&restamped(messages))
}

#[test]
fn other_channels_are_refused() {
    let messages = small_messages();
    let with = |define: &dyn Fn(&mut forge::Container)| {
        let mut container = options().create(NoSeek::new(Cursor::new(Vec::new()))).expect("memory takes all");
        define(&mut container);
        messages.iter().for_each(|message| forge::put(&mut container, message));
        forge::close(container)
    };
    assert!(with(&|container| forge::define(container, &Topic::ALL)) == sample::file(&sample::small()));
    let more = with(&|container| {
        forge::define(container, &Topic::ALL);
        container.add_channel(0, "/more", "json", &BTreeMap::new()).expect("memory takes all");
    });
    must_refuse(&more, "a channel more");
    let mut other = Topic::ALL;
    other.swap(2, 3);
    must_refuse(&with(&|container| forge::define(container, &other)), "channels in another order");
}

#[test]
fn a_publish_time_of_its_own_is_refused() {
    let mut container = forge::empty(options());
    for (index, message) in small_messages().iter().enumerate() {
        let header = MessageHeader {
            channel_id: message.channel,
            sequence: message.sequence,
            log_time: message.time,
            publish_time: message.time + u64::from(index == 3),
        };
        container.write_to_known_channel(&header, &message.data).expect("memory takes all");
    }
    must_refuse(&forge::close(container), "a publish time");
}

#[test]
fn steps_that_do_not_fit_are_refused() {
    let hashes: Vec<_> = (0..10).map(|step| sample::hash(step, 3)).collect();
    let batch = |nth, sequence, first, count: usize| {
        with_message(Topic::Hashes, nth, sequence, hash_batch::encode(first, &hashes[..count], 3))
    };
    let sound = with_message(Topic::Hashes, 1, 2, hash_batch::encode(1, &hashes[1..3], 3));
    assert_eq!(read_strict_bytes(&sound).expect("a sound file"), sample::small());
    must_refuse(&batch(1, 2, 0, 2), "steps again");
    let gap = batch(1, 2, 2, 1);
    must_refuse(&gap, "a gap");
    assert_eq!(read_recovering_bytes(&gap).expect("a good beginning").replay.steps.len(), 1);
    must_refuse(&batch(1, 1, 1, 2), "a batch in a message of another step");
    must_refuse(&batch(2, 5, 3, 3), "more steps than asked for");
    must_refuse(&batch(1, 2, 1, 0), "an empty batch");

    let mut across = small_messages();
    across.retain(|message| message.channel != Topic::Hashes.id() || message.sequence < 2);
    across.retain(|message| message.channel != Topic::Keyframes.id() || message.sequence != 2);
    let mut batch = across[position(&across, Topic::Hashes)].clone();
    (batch.sequence, batch.data) = (4, hash_batch::encode(1, &hashes[1..5], 3));
    across.insert(across.len() - 2, batch);
    must_refuse(&forge::file(&restamped(across)), "a batch across a keyframe");

    let input = |nth, sequence, step| {
        with_message(Topic::Inputs, nth, sequence, serde_json::to_vec(&sample::input(step)).expect("an input"))
    };
    assert!(read_strict_bytes(&input(0, 9, 9)).is_ok());
    must_refuse(&input(0, 0, 0), "an input for state 0");
    must_refuse(&input(0, 2, 1), "an input in a message of another step");
    let mut late = small_messages();
    let input = late.remove(position(&late, Topic::Inputs));
    late.insert(late.len() - 1, input);
    must_refuse(&forge::file(&restamped(late)), "an input that is late");
    let perturbation = |sequence, step| {
        let data = serde_json::to_vec(&sample::perturbation(step)).expect("a perturbation");
        with_message(Topic::Perturbations, 0, sequence, data)
    };
    assert!(read_strict_bytes(&perturbation(4, 4)).is_ok());
    must_refuse(&perturbation(5, 5), "a perturbation after the last state");
    must_refuse(&perturbation(3, 4), "a perturbation in a message of another step");
}

#[test]
fn messages_in_another_order_or_number_are_refused() {
    let messages = small_messages();
    let file = |forged: Vec<Message>| forge::file(&restamped(forged));
    assert!(read_strict_bytes(&file(messages.clone())).is_ok());
    let free = [Topic::Inputs.id(), Topic::Perturbations.id()];
    for (index, message) in messages.iter().enumerate() {
        let mut doubled = messages.clone();
        doubled.insert(index, message.clone());
        let mut missing = messages.clone();
        missing.remove(index);
        // Any number of inputs and perturbations is sound.
        if !free.contains(&message.channel) {
            must_refuse(&file(doubled), &format!("message {index} twice"));
            must_refuse(&file(missing), &format!("message {index} missing"));
        }
        let mut swapped = messages.clone();
        let next = (index + 1) % messages.len();
        swapped.swap(index, next);
        // An input and a perturbation of the same interval may come in any order.
        if [message, &messages[next]].iter().any(|message| !free.contains(&message.channel)) {
            must_refuse(&file(swapped), &format!("messages {index} and {next} swapped"));
        }
        let mut later = messages.clone();
        later[index].sequence += 1;
        must_refuse(&file(later), &format!("message {index} of the next step"));
        let mut elsewhere = messages.clone();
        elsewhere[index].channel = elsewhere[index].channel % 7 + 1;
        must_refuse(&file(elsewhere), &format!("message {index} in another channel"));
    }
}

#[test]
fn messages_at_other_times_are_refused() {
    let messages = small_messages();
    for index in 0..messages.len() {
        let mut early = messages.clone();
        early[index].time = 0;
        // Only the header belongs there.
        if index > 0 {
            must_refuse(&forge::file(&early), &format!("message {index} at time 0"));
        }
        let mut late = messages.clone();
        late[index].time += 1;
        must_refuse(&forge::file(&late), &format!("message {index} a nanosecond late"));
    }
}

#[test]
fn contents_that_contradict_each_other_are_refused() {
    type Change = fn(&mut Replay);
    let ending = |replay: &mut Replay| replay.ending.clone().expect("an ending");
    let changes: [(&str, Change); 9] = [
        ("fewer steps asked for", |replay| replay.header.steps -= 1),
        ("more steps asked for", |replay| replay.header.steps += 1),
        ("another keyframe grid", |replay| replay.header.keyframe_every = 3),
        ("a section more", |replay| replay.header.sections.push("new".to_owned())),
        ("a section less", |replay| drop(replay.header.sections.pop())),
        ("no keyframes", |replay| replay.header.keyframe_every = 0),
        ("a step of no time", |replay| replay.header.dt_nanoseconds.0 = 0),
        ("another step", |replay| replay.header.dt_nanoseconds.0 += 3),
        ("two sections of a name", |replay| replay.header.sections[0] = replay.header.sections[1].clone()),
    ];
    for (what, change) in changes {
        let mut replay = sample::small();
        change(&mut replay);
        let mut messages = small_messages();
        messages[0].data = serde_json::to_vec(&replay.header).expect("a header");
        must_refuse(&forge::file(&messages), what);
    }
    let mut replay = sample::small();
    let good = ending(&mut replay);
    let stopped = |step| Outcome::Stopped { step, body: None, message: String::new() };
    let mut endings = [("other root", good.clone()), ("too late", good.clone()), ("too early", good.clone())];
    endings[0].1.root[31] ^= 1;
    endings[1].1.outcome = stopped(5);
    endings[2].1.outcome = stopped(3);
    for (what, ending) in endings {
        let mut messages = small_messages();
        let last = position(&messages, Topic::End);
        messages[last].data = serde_json::to_vec(&ending).expect("an ending");
        must_refuse(&forge::file(&messages), what);
    }
}

#[test]
fn records_that_are_not_as_expected_are_refused() {
    for topic in Topic::ALL.into_iter().filter(|&topic| topic != Topic::Keyframes) {
        for data in [b"".as_slice(), b"\xff", b"{", b"{}", b"[[[[[[[[", &[b'['; 100_000], &[0xff; 64]] {
            let mut messages = small_messages();
            let index = position(&messages, topic);
            messages[index].data = data.to_vec();
            // Any text is a scene to this floor.
            if topic != Topic::Scene || std::str::from_utf8(data).is_err() {
                must_refuse(&forge::file(&messages), &format!("{topic:?} of {} bytes", data.len()));
            }
        }
    }
    for topic in [Topic::Header, Topic::Inputs, Topic::Perturbations, Topic::End] {
        let mut messages = small_messages();
        let index = position(&messages, topic);
        messages[index].data.splice(1..1, *b"\"unknown\":1,");
        must_refuse(&forge::file(&messages), &format!("an unknown field in {topic:?}"));
    }
}

#[test]
fn containers_written_otherwise_are_refused() {
    let messages = small_messages();
    let ways: [(&str, WriteOptions); 9] = [
        ("no chunk checksum", options().calculate_chunk_crcs(false)),
        ("no data checksum", options().calculate_data_section_crc(false)),
        ("no summary checksum", options().calculate_summary_section_crc(false)),
        ("no compression", options().compression(None)),
        ("no chunks", options().use_chunks(false)),
        ("no message indexes", options().emit_message_indexes(false)),
        ("no statistics", options().emit_statistics(false)),
        ("no summary", options().emit_summary_records(false).emit_summary_offsets(false)),
        ("another profile", options().profile("ros2")),
    ];
    for (what, options) in ways {
        must_refuse(&forge::file_with(options, &messages), what);
    }
}

#[test]
fn chunks_are_refused_before_anything_is_made_of_their_content() {
    let messages = small_messages();
    let begins_well = |file: &[u8]| read_recovering_bytes(file).is_ok();
    assert!(begins_well(&forge::file(&messages)));
    assert!(!begins_well(&forge::file_with(options().calculate_chunk_crcs(false), &messages)));
    assert!(!begins_well(&forge::file_with(options().compression(None), &messages)));

    let file = forge::file(&messages);
    let boundaries = record_boundaries(&file);
    let (before, chunk) = (&file[..boundaries[1]], &file[boundaries[1]..boundaries[2]]);
    assert!(begins_well(&[before, chunk].concat()));
    let padded = raw_record(chunk[0], (chunk.len() - 9 + 1) as u64, &[&chunk[9..], &[0]].concat());
    assert!(!begins_well(&[before, &padded].concat()));
}

#[test]
fn records_of_other_kinds_are_refused() {
    let messages = small_messages();
    let with = |add: &dyn Fn(&mut forge::Container)| {
        let mut container = forge::empty(options());
        for message in &messages {
            if message.channel == Topic::Hashes.id() {
                add(&mut container);
            }
            forge::put(&mut container, message);
        }
        forge::close(container)
    };
    let attachment = mcap::Attachment {
        log_time: 0,
        create_time: 0,
        name: "notes".to_owned(),
        media_type: "text/plain".to_owned(),
        data: b"attached".into(),
    };
    must_refuse(&with(&|container| container.attach(&attachment).expect("memory takes all")), "an attachment");
    let metadata = Metadata { name: "notes".to_owned(), metadata: [("a".to_owned(), "b".to_owned())].into() };
    must_refuse(&with(&|container| container.write_metadata(&metadata).expect("memory takes all")), "metadata");
    let private = |inside: bool| {
        with(&|container| {
            let options = inside.then_some(PrivateRecordOptions::IncludeInChunks).into_iter().collect();
            container.write_private_record(0x81, b"private", options).expect("memory takes all");
        })
    };
    must_refuse(&private(false), "a private record");
    must_refuse(&private(true), "a private record in a chunk");
    // And a chunk more is no harm: where chunks end is free.
    let split = with(&|container| container.flush().expect("memory takes all"));
    assert_eq!(read_strict_bytes(&split).expect("a sound file"), sample::small());
}

/// A record with a stated length of its own.
fn raw_record(opcode: u8, length: u64, body: &[u8]) -> Vec<u8> {
    [&[opcode], length.to_le_bytes().as_slice(), body].concat()
}

#[test]
fn hostile_records_do_no_harm_wherever_they_stand() {
    let file = sample::file(&sample::small());
    let boundaries = record_boundaries(&file);
    assert_eq!(boundaries.last(), Some(&(file.len() - mcap::MAGIC.len())));
    let mut records = Vec::new();
    for opcode in (0..=0x10).chain([0x7f, 0x80, 0xff]) {
        for body in [&[][..], &[0xff; 100], &[0; 100], &[0x7f; 3]] {
            let length = body.len() as u64;
            records.push(raw_record(opcode, length, body));
            records.extend([length + 1, 1 << 40, u64::MAX].map(|length| raw_record(opcode, length, body)));
        }
    }
    for boundary in boundaries {
        for record in &records {
            must_refuse(&[&file[..boundary], record, &file[boundary..]].concat(), "a hostile record");
        }
    }
}

/// Where records begin, the last of which is the closing magic.
pub fn record_boundaries(file: &[u8]) -> Vec<usize> {
    let mut boundaries = vec![mcap::MAGIC.len()];
    while let Some(record) = boundaries.last().and_then(|&start| file.get(start..start + 9)) {
        let length = u64::from_le_bytes(record[1..].try_into().expect("8 bytes"));
        let start = boundaries[boundaries.len() - 1] + 9 + usize::try_from(length).expect("a short record");
        boundaries.push(start);
    }
    boundaries
}

#[test]
fn an_end_of_data_holds_its_checksum_and_nothing_else() {
    let file = sample::file(&sample::small());
    let start = record_boundaries(&file).into_iter().find(|&start| file[start] == 0x0f).expect("an end of the data");
    let longer = raw_record(0x0f, 5, &[&file[start + 9..start + 13], &[0]].concat());
    let recovered = read_recovering_bytes(&[&file[..start], &longer, &file[start + 13..]].concat());
    let damage = recovered.expect("a good beginning").damage.expect("a damage");
    assert_eq!(damage.byte, start as u64);
}

/// A file whose first chunk states those sizes and has that body.
fn one_chunk(unpacked: u64, checksum: u32, packed: u64, body: &[u8]) -> Vec<u8> {
    let header = forge::close(forge::empty(options()));
    let header = &header[..record_boundaries(&header)[1]];
    let mut chunk = [0, 0, unpacked].into_iter().flat_map(u64::to_le_bytes).collect::<Vec<_>>();
    chunk.extend(checksum.to_le_bytes());
    chunk.extend(4_u32.to_le_bytes());
    chunk.extend(b"zstd");
    chunk.extend(packed.to_le_bytes());
    chunk.extend(body);
    [header, &raw_record(0x06, chunk.len() as u64, &chunk)].concat()
}

#[test]
fn sizes_are_checked_before_memory_is_taken() {
    let too_large = |file: &[u8]| matches!(read_strict_bytes(file), Err(ReplayError::TooLarge { .. }));
    for unpacked in [MAX_CHUNK_BYTES + 1, 1 << 40, u64::MAX] {
        assert!(too_large(&one_chunk(unpacked, 1, 3, b"abc")), "{unpacked}");
    }
    must_refuse(&one_chunk(3, 1, u64::MAX, b"abc"), "a chunk longer than its record");
    must_refuse(&one_chunk(3, 1, 2, b"abc"), "a chunk shorter than its record");
    must_refuse(&one_chunk(0, 1, 0, b""), "an empty chunk");
    must_refuse(&one_chunk(100, 1, 3, b"abc"), "a chunk of other content");
}

#[test]
fn a_chunk_that_unpacks_to_more_than_it_states_is_refused() {
    // 16 MiB of zeros in some 500 bytes, of which the chunk admits to 64.
    let packed = {
        let mut container = forge::empty(options());
        container
            .write_private_record(0x80, &vec![0; 16 << 20], PrivateRecordOptions::IncludeInChunks.into())
            .expect("memory");
        forge::close(container)
    };
    let boundaries = record_boundaries(&packed);
    let chunk = &packed[boundaries[1]..boundaries[2]];
    let body = &chunk[9 + 8 + 8 + 8 + 4 + 4 + 4 + 8..];
    assert!(body.len() < 16 << 10);
    must_refuse(&one_chunk(64, 1, body.len() as u64, body), "a bomb");
}

#[test]
fn a_sink_that_fails_is_an_error() {
    let replay = sample::small();
    let length = sample::file(&replay).len();
    for room in 0..length {
        let mut sink = vec![0; room];
        let result =
            crate::replay::ReplayWriter::new("test", Cursor::new(&mut sink[..]), &replay.header, &replay.scene)
                .and_then(|mut writer| {
                    sample::record(&mut writer, &replay)?;
                    writer.finish_stream(&sample::completed(&replay.header)).map(|_| ())
                });
        assert!(matches!(result, Err(ReplayError::Io { .. })), "room for {room} of {length} bytes");
    }
}

proptest! {
    #[test]
    fn noise_is_refused(noise in prop::collection::vec(any::<u8>(), 0..2000)) {
        must_refuse(&noise, "noise");
        must_refuse(&[mcap::MAGIC, &noise].concat(), "noise after the magic");
        let header = one_chunk(0, 0, 0, b"");
        must_refuse(&[&header[..record_boundaries(&header)[1]], &noise].concat(), "noise after the header");
    }

    #[test]
    fn shuffled_pieces_are_refused(cuts in prop::collection::vec(any::<prop::sample::Index>(), 1..6), seed in any::<u64>()) {
        let file = sample::file(&sample::small());
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(file.len())).collect();
        cuts.sort_unstable();
        let mut start = 0;
        let mut pieces: Vec<&[u8]> = cuts.iter().map(|&cut| &file[std::mem::replace(&mut start, cut)..cut]).collect();
        pieces.push(&file[start..]);
        let turn = usize::try_from(seed % pieces.len() as u64).expect("a small number");
        pieces.rotate_left(turn);
        let shuffled = pieces.concat();
        if shuffled != file {
            must_refuse(&shuffled, "shuffled pieces");
        }
    }

    #[test]
    fn made_up_messages_are_refused(made_up in prop::collection::vec(message(), 1..5), place in any::<prop::sample::Index>()) {
        let mut messages = small_messages();
        let place = place.index(messages.len());
        messages.splice(place..place, made_up);
        must_refuse(&forge::file(&messages), "made up messages");
    }
}

fn message() -> impl Strategy<Value = Message> {
    let data = prop::collection::vec(any::<u8>(), 0..200);
    (1..=7_u16, 0..6_u32, any::<u64>(), data).prop_map(|(channel, sequence, time, data)| Message {
        channel,
        sequence,
        time,
        data,
    })
}
