//! What `physim export` writes, read back: the states of the run and nothing else, in every format and scalar.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use foxglove::Decode;
use foxglove::messages::{FrameTransforms, SceneUpdate};
use physim::analysis::body_pattern::BodyPatterns;
use physim::analysis::rerun::{advance_to, session_at_keyframe};
use physim::analysis::show::{ContactView, StepView};
use physim::analysis::show_steps::{Selection as Shown, for_each_step};
use physim::analysis::states::StepSelection;
use physim::dynamics::body::Bodies;
use physim::export::format::ExportFormat;
use physim::export::selection::Selection;
use physim::export::{ExportPlan, export};
use physim::math::{Fixed, Quat, Scalar, Vec3};
use physim::replay::Replay;
use serde_json::Value;

use crate::common::{parse, plan, recorded};

/// Bodies that come and go, names that are hard on files, one of each shape.
pub const ODD: &str = include_str!("../export/odd.ron");
/// The name in [`ODD`] with what CSV and markup trip over.
pub const HARD_NAME: &str = "a,b \"c\" <i>&'d'";
/// The one that comes late in [`ODD`], and the one that goes.
const LATE: &str = "ünï \\ 日本";
const GONE: &str = "world";

fn odd<S: Scalar>() -> Replay {
    recorded(&plan::<S>(&parse(ODD)))
}

fn exported(replay: &Replay, format: ExportFormat, selection: &Selection) -> Vec<u8> {
    let plan = ExportPlan { format, selection: selection.clone() };
    let mut heard = Vec::new();
    let written = export(replay, &plan, Vec::new(), &mut tempfile::tempfile, &mut |states| heard.push(states))
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(written.stopped.is_none());
    assert_eq!(written.states, selection.steps.count(replay));
    assert!(heard.into_iter().eq(1..=written.states), "each state is heard of");
    written.sink
}

fn some(range: std::ops::RangeInclusive<u32>, every: u32, body: &str) -> Selection {
    Selection { steps: StepSelection { range, every }, bodies: Some(BodyPatterns::from(body)) }
}

/// The state of one step, as `physim show` has it.
fn step_view(replay: &Replay, step: u32) -> StepView {
    let mut shown = None;
    let selection = Shown::new(replay, step..=step, None).unwrap_or_else(|error| panic!("{error}"));
    for_each_step(replay, &selection, &mut |view| {
        shown = Some(view.clone());
        ControlFlow::Continue(())
    })
    .unwrap_or_else(|error| panic!("{error}"));
    shown.expect("a state")
}

/// The numbers of a body in the order of docs/export.md.
fn numbers<S: Scalar>(bodies: &Bodies<S>, index: usize) -> [S; 13] {
    let (position, orientation) = (bodies.position[index], bodies.orientation[index]);
    let (velocity, turning) = (bodies.linear_velocity[index], bodies.angular_velocity[index]);
    let [w, x, y, z] = orientation.to_array();
    let [position, velocity, turning] = [position, velocity, turning].map(|vector| [vector.x, vector.y, vector.z]);
    let parts = [&position[..], &[w, x, y, z], &velocity, &turning].concat();
    parts.try_into().expect("thirteen numbers")
}

/// The states of a run: each body's name and numbers.
type States<S> = Vec<(u32, Vec<(String, [S; 13])>)>;

/// What the run really comes to, by stepping it.
fn states<S: Scalar>(replay: &Replay) -> States<S> {
    let mut session = session_at_keyframe::<S>(replay, 0).expect("step 0");
    (0..=replay.last_step())
        .map(|step| {
            advance_to(replay, &mut session, step).expect("the recorded run");
            let bodies = session.world().bodies();
            let rows = (0..bodies.len()).map(|index| (bodies.name[index].to_string(), numbers(bodies, index)));
            (step, rows.collect())
        })
        .collect()
}

/// Rows of cells, by the rules of RFC 4180.
fn csv_rows(bytes: &[u8]) -> Vec<Vec<String>> {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut letters = text.chars().peekable();
    let mut is_quoted = false;
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => cell.extend(letters.next()),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    assert!(cell.is_empty() && row.is_empty(), "the last line ends");
    rows
}

fn csv_holds_the_states<S: Scalar>() {
    let replay = odd::<S>();
    let mut rows = csv_rows(&exported(&replay, ExportFormat::Csv, &Selection::all())).into_iter();
    let head = rows.next().expect("a line of names");
    assert_eq!(head.join(" "), "step time body px py pz qw qx qy qz vx vy vz wx wy wz");
    for (step, bodies) in states::<S>(&replay) {
        for (name, numbers) in bodies {
            let row = rows.next().expect("a row");
            assert_eq!((&row[0], &row[2]), (&step.to_string(), &name));
            assert_eq!(row[1].parse::<f64>().expect("a number").to_bits(), replay.header.seconds(step).to_bits());
            for (cell, number) in row[3..].iter().zip(numbers) {
                let read = S::from_decimal(cell).unwrap_or_else(|| panic!("{cell} is not a number"));
                assert_eq!(read.to_bits(), number.to_bits(), "{cell} at step {step} of {name}");
                let mut digits = Vec::new();
                number.write_decimal(&mut digits);
                assert_eq!(cell.as_bytes(), digits, "every digit of its own scalar");
            }
            assert_eq!(row.len(), head.len());
        }
    }
    assert_eq!(rows.next(), None);
}

#[test]
fn csv_holds_every_bit_of_every_state() {
    csv_holds_the_states::<Fixed>();
    csv_holds_the_states::<f32>();
    csv_holds_the_states::<f64>();
}

#[test]
fn a_selection_is_the_same_rows_of_fewer_steps_and_bodies() {
    let replay = odd::<Fixed>();
    let all = csv_rows(&exported(&replay, ExportFormat::Csv, &Selection::all()));
    for (selection, steps, name) in [
        (some(3..=30, 7, "*"), [3, 10, 17, 24].as_slice(), None),
        (some(0..=u32::MAX, 13, HARD_NAME), &[0, 13, 26, 39], Some(HARD_NAME)),
        (some(19..=19, 1, GONE), &[19], Some(GONE)),
        (some(30..=31, 1, GONE), &[30, 31], Some(GONE)),
    ] {
        let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
        let is_meant = |row: &&Vec<String>| steps.contains(&row[0]) && name.is_none_or(|name| row[2] == name);
        let expected: Vec<&Vec<String>> = all.iter().take(1).chain(all.iter().filter(is_meant)).collect();
        let rows = csv_rows(&exported(&replay, ExportFormat::Csv, &selection));
        assert_eq!(rows.iter().collect::<Vec<_>>(), expected, "{selection:?}");
    }
}

#[test]
fn parquet_holds_the_nearest_numbers_and_their_units() {
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, Int32Type, UInt32Type};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    let replay = odd::<Fixed>();
    let mut file = tempfile::tempfile().expect("a file");
    std::io::Write::write_all(&mut file, &exported(&replay, ExportFormat::Parquet, &Selection::all())).expect("room");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let unit = |column: &str| reader.schema().field_with_name(column).expect("a column").metadata()["unit"].clone();
    assert_eq!(["time", "px", "qw", "vy", "wz"].map(unit), ["s", "m", "1", "m/s", "rad/s"]);
    assert_eq!(reader.schema().metadata()["physim.scalar"], "fixed");
    let mut expected = states::<Fixed>(&replay).into_iter().flat_map(|(step, bodies)| {
        bodies.into_iter().map(move |(name, numbers)| (step, name, numbers.map(Scalar::to_f64)))
    });
    for batch in reader.build().expect("a reader") {
        let batch = batch.expect("rows");
        let steps = batch.column(0).as_primitive::<UInt32Type>();
        let times = batch.column(1).as_primitive::<Float64Type>();
        let names = batch.column(2).as_dictionary::<Int32Type>().downcast_dict::<arrow_array::StringArray>();
        let names: Vec<&str> = names.expect("texts").into_iter().flatten().collect();
        for (row, name) in names.iter().enumerate() {
            let numbers = std::array::from_fn(|k| batch.column(3 + k).as_primitive::<Float64Type>().value(row));
            assert_eq!(Some((steps.value(row), (*name).to_owned(), numbers)), expected.next());
            assert_eq!(times.value(row), replay.header.seconds(steps.value(row)));
        }
    }
    assert_eq!(expected.next(), None);
}

#[test]
fn npz_holds_an_array_for_each_field_and_no_number_where_no_body_is() {
    let replay = odd::<f64>();
    let bytes = exported(&replay, ExportFormat::Npz, &Selection::all());
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("a zip archive");
    let mut read = |name: &str| {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut archive.by_name(name).expect("an array"), &mut bytes).expect("bytes");
        let head = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        assert!(bytes.starts_with(b"\x93NUMPY\x01\x00") && head.is_multiple_of(64));
        (String::from_utf8_lossy(&bytes[10..head]).into_owned(), bytes.split_off(head))
    };
    let (head, names) = read("body.npy");
    let letters: Vec<u32> = names.chunks(4).map(|part| u32::from_le_bytes(part.try_into().expect("four"))).collect();
    let names: Vec<String> = letters
        .chunks(letters.len() / 5)
        .map(|name| name.iter().filter(|&&letter| letter > 0).map(|&letter| char::from_u32(letter).unwrap()).collect())
        .collect();
    assert!(head.contains("'shape': (5, )"), "{head}");
    let states = states::<f64>(&replay);
    assert!(states[0].1.iter().map(|(name, _)| name.as_str()).chain([LATE]).eq(names.iter().map(String::as_str)));
    let (head, steps) = read("step.npy");
    assert!(head.contains("'<u4', 'fortran_order': False, 'shape': (41, )"), "{head}");
    let steps = steps.chunks(4).map(|part| u32::from_le_bytes(part.try_into().expect("four")));
    assert!(steps.eq(0..41));
    let (head, times) = read("time.npy");
    assert!(head.contains("'<f8', 'fortran_order': False, 'shape': (41, )"), "{head}");
    let times = times.chunks(8).map(|part| f64::from_le_bytes(part.try_into().expect("eight")));
    assert!(times.eq((0..41).map(|step| replay.header.seconds(step))));
    let mut first = 0;
    for (field, width) in [("position", 3), ("orientation", 4), ("linear_velocity", 3), ("angular_velocity", 3)] {
        let (head, bytes) = read(&format!("{field}.npy"));
        assert!(head.contains(&format!("'<f8', 'fortran_order': False, 'shape': (41, 5, {width}, )")), "{head}");
        let mut found = bytes.chunks(8).map(|part| f64::from_le_bytes(part.try_into().expect("eight")));
        for (step, bodies) in &states {
            for name in &names {
                let body = bodies.iter().find(|(other, _)| other == name).map(|(_, numbers)| numbers);
                for k in first..first + width {
                    let number = found.next().expect("a number");
                    let expected = body.map(|numbers| numbers[k].to_bits());
                    assert_eq!((!number.is_nan()).then(|| number.to_bits()), expected, "{name} at step {step}");
                }
            }
        }
        assert_eq!(found.next(), None);
        first += width;
    }
}

#[test]
fn energies_are_those_of_the_states() {
    let replay = odd::<Fixed>();
    let rows = csv_rows(&exported(&replay, ExportFormat::Energy, &some(0..=40, 10, "*")));
    let column = |name: &str| rows[0].iter().position(|cell| cell == name).expect("a column");
    assert_eq!(rows.len(), 1 + 5);
    for row in &rows[1..] {
        let view = step_view(&replay, row[0].parse().expect("a step"));
        let number = |name: &str| row[column(name)].parse::<f64>().expect("a number");
        assert_eq!(number("time"), view.time);
        assert_eq!(number("kinetic"), view.energy.kinetic);
        assert_eq!(number("potential"), view.energy.potential);
        assert_eq!(number("total"), view.energy.total());
        for (axis, letter) in ["x", "y", "z"].into_iter().enumerate() {
            assert_eq!(number(&format!("linear_momentum_{letter}")), view.energy.linear_momentum[axis]);
            assert_eq!(number(&format!("angular_momentum_{letter}")), view.energy.angular_momentum[axis]);
        }
        assert_eq!(number("bodies"), view.bodies.len() as f64);
        assert_eq!(number("contacts"), view.contacts.len() as f64);
        let points: usize = view.contacts.iter().map(|contact| contact.points.len()).sum();
        assert_eq!(number("contact_points"), points as f64);
        let depths = view.contacts.iter().flat_map(|contact| &contact.points).map(|point| point.depth);
        assert_eq!(number("largest_overlap"), depths.fold(0.0, f64::max));
    }
}

#[test]
fn foxglove_messages_hold_poses_shapes_and_contacts() {
    let replay = odd::<Fixed>();
    let bytes = exported(&replay, ExportFormat::Foxglove, &Selection::all());
    let summary = mcap::Summary::read(&bytes).expect("MCAP").expect("an index");
    assert!(!summary.chunk_indexes.is_empty());
    let mut expected = states::<Fixed>(&replay).into_iter();
    let (mut shown, mut changes) = (Vec::<String>::new(), Vec::new());
    let (mut arrows, mut descriptions) = (0, 0);
    for message in mcap::MessageStream::new(&bytes).expect("MCAP") {
        let message = message.expect("a message");
        let (step, numerator, denominator) = (u64::from(message.sequence), 50_000_000, 3);
        assert_eq!(message.log_time, step * numerator / denominator);
        match message.channel.topic.as_str() {
            "/tf" => {
                let transforms = FrameTransforms::decode(&*message.data).expect("transforms").transforms;
                let (step, bodies) = expected.next().expect("a state");
                assert_eq!(step, message.sequence);
                assert!(transforms.iter().map(|transform| &transform.child_frame_id).eq(&shown), "step {step}");
                for (transform, (name, numbers)) in transforms.iter().zip(&bodies) {
                    let (at, turn) = (transform.translation.unwrap(), transform.rotation.unwrap());
                    let found = [at.x, at.y, at.z, turn.w, turn.x, turn.y, turn.z];
                    assert_eq!(found, std::array::from_fn(|k| numbers[k].to_f64()), "{name} at step {step}");
                    assert_eq!(transform.child_frame_id, *name);
                    assert_eq!(transform.parent_frame_id, "world_", "a body has the usual name");
                    assert_eq!(transform.timestamp.unwrap().total_nanos(), message.log_time);
                }
                assert_eq!(transforms.len(), bodies.len());
            }
            "/scene" => {
                let update = SceneUpdate::decode(&*message.data).expect("a scene");
                let gone: Vec<String> = update.deletions.into_iter().map(|deletion| deletion.id).collect();
                let now: Vec<String> = update.entities.iter().map(|entity| entity.id.clone()).collect();
                changes.push((message.sequence, gone, now.len()));
                shown = now;
                let hard = update.entities.iter().find(|entity| entity.id == HARD_NAME).expect("that body");
                let size = hard.cubes[0].size.expect("a size");
                assert_eq!([size.x, size.y, size.z], [1.0, 0.5, 1.5]);
                let capsule = update.entities.iter().find(|entity| entity.id == "NA").expect("that body");
                assert_eq!((capsule.spheres.len(), capsule.cylinders.len()), (2, 1));
                let ends =
                    capsule.spheres.iter().map(|ball| ball.pose.and_then(|pose| pose.position).expect("a place").y);
                assert!(ends.eq([0.5, -0.5]));
            }
            "/contacts" => {
                let update = SceneUpdate::decode(&*message.data).expect("contacts");
                let scale: f64 = update.entities[0].metadata[0].value.parse().expect("a scale");
                let view = step_view(&replay, message.sequence);
                let of_contact = |contact: &ContactView| {
                    contact.points.clone().into_iter().map(|point| (contact.normal, point)).collect::<Vec<_>>()
                };
                let points: Vec<_> = view.contacts.iter().flat_map(of_contact).collect();
                assert_eq!(update.entities[0].arrows.len(), points.len());
                arrows += points.len();
                for (arrow, (normal, point)) in update.entities[0].arrows.iter().zip(points) {
                    let pose = arrow.pose.expect("a pose");
                    let (at, turn) = (pose.position.expect("a place"), pose.orientation.expect("a turn"));
                    assert_eq!([at.x, at.y, at.z], point.position);
                    let along = Quat::new(turn.w, turn.x, turn.y, turn.z).rotate(Vec3::X);
                    assert!((along - Vec3::new(normal[0], normal[1], normal[2])).length() < 1e-9, "{along:?}");
                    assert_eq!(arrow.shaft_length, point.impulse * scale);
                }
            }
            other => {
                assert_eq!(other, "/rerun/robot_description");
                let text = String::from_utf8_lossy(&message.data);
                for link in ["world_", "floor", GONE, "a,b &quot;c&quot; &lt;i&gt;&amp;&apos;d&apos;", "NA", LATE] {
                    assert_eq!(text.matches(&format!("<link name=\"{link}\"")).count(), 1, "{link}: {text}");
                }
                descriptions += 1;
            }
        }
    }
    assert!(arrows > 40 && descriptions == 1, "{arrows} arrows, {descriptions} descriptions");
    assert!(expected.next().is_none());
    assert_eq!(changes, [(0, vec![], 4), (10, vec![], 5), (20, vec![GONE.to_owned()], 4)]);
}

#[test]
fn gltf_moves_as_the_states_do() {
    let replay = odd::<f32>();
    let bytes = exported(&replay, ExportFormat::Gltf, &Selection::all());
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four")) as usize;
    assert_eq!((&bytes[..4], word(4), word(8)), (b"glTF".as_slice(), 2, bytes.len()));
    let document: Value = serde_json::from_slice(&bytes[20..20 + word(12)]).expect("JSON");
    let binary = &bytes[28 + word(12)..];
    let values = |accessor: &Value| -> Vec<f32> {
        let accessor = &document["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let width = match accessor["type"].as_str() {
            Some("SCALAR") => 1,
            Some("VEC3") => 3,
            _ => 4,
        };
        let start = view["byteOffset"].as_u64().unwrap() + accessor["byteOffset"].as_u64().unwrap_or(0);
        let part = &binary[start as usize..][..4 * width * accessor["count"].as_u64().unwrap() as usize];
        part.chunks(4).map(|part| f32::from_le_bytes(part.try_into().expect("four"))).collect()
    };
    let animation = &document["animations"][0];
    let mut moved: BTreeMap<(String, String), (Vec<f32>, Vec<f32>)> = BTreeMap::new();
    for channel in animation["channels"].as_array().unwrap() {
        let node = &document["nodes"][channel["target"]["node"].as_u64().unwrap() as usize];
        let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        let key = (node["name"].as_str().unwrap().to_owned(), channel["target"]["path"].as_str().unwrap().to_owned());
        moved.insert(key, (values(&sampler["input"]), values(&sampler["output"])));
    }
    let channel = |name: &str, path: &str| moved.get(&(name.to_owned(), path.to_owned()));
    let time_of = |step: u32| replay.header.seconds(step) as f32;
    assert_eq!(channel(LATE, "scale"), Some(&(vec![0.0, time_of(10)], vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0])));
    assert_eq!(channel(GONE, "scale"), Some(&(vec![0.0, time_of(20)], vec![1.0, 1.0, 1.0, 0.0, 0.0, 0.0])));
    assert_eq!((channel(HARD_NAME, "scale"), channel("floor", "translation")), (None, None));
    for (step, bodies) in states::<f32>(&replay) {
        for (name, numbers) in bodies.iter().filter(|(name, _)| name != "floor") {
            let state = step as usize;
            let (times, positions) = channel(name, "translation").expect("it moves");
            assert_eq!(times[state], time_of(step));
            assert_eq!(positions[3 * state..3 * state + 3], numbers[..3], "{name} at step {step}");
            let turns = &channel(name, "rotation").expect("it turns").1;
            let [x, y, z, w] = std::array::from_fn(|k| turns[4 * state + k]);
            let cosine: f32 = [w, x, y, z].iter().zip(&numbers[3..7]).map(|(a, b)| a * b).sum();
            assert!((cosine.abs() - 1.0).abs() < 1e-5, "{name} at step {step}");
            if state > 0 {
                let cosine: f32 = (0..4).map(|k| turns[4 * state + k] * turns[4 * state - 4 + k]).sum();
                assert!(cosine > 0.0, "{name} turns the short way at step {step}");
            }
        }
    }
}

#[test]
fn every_format_takes_an_empty_selection_and_a_single_state() {
    let replay = odd::<Fixed>();
    for format in ExportFormat::ALL {
        let none = [some(0..=0, 1, "nobody"), some(5..=40, 1, "nobody"), some(50..=60, 1, "*")];
        for selection in [some(0..=0, 1, "floor")].into_iter().chain(none) {
            let bytes = exported(&replay, format, &selection);
            assert!(format.is_ours(&mut std::io::Cursor::new(&bytes)).expect("bytes"), "{format:?} {selection:?}");
            if format == ExportFormat::Gltf {
                let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four")) as usize;
                let document: Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
                let mut lists = document.as_object().expect("an object").values().filter_map(Value::as_array);
                assert!(lists.all(|list| !list.is_empty()), "glTF has no empty lists: {document}");
            }
        }
    }
}
