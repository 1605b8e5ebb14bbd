use proptest::prelude::{Just, Strategy, prop, prop_oneof, proptest};

use crate::math::SplitMix64;
use crate::replay::checkpoint::{Checkpoint, Digest, FieldRecord, NumberKind, ObjectRecord};
use std::io::Write;

use crate::replay::hash_log::{
    ForeignLines, HashLog, HashLogReader, LogError, LogOptions, LogSource, LogSpill, MAX_LINE_BYTES, read_hash_log,
    read_hash_log_with, write_checkpoint,
};

fn read(text: &str) -> Result<HashLog, LogError> {
    read_hash_log("a.log", text.as_bytes())
}

fn refusal(text: &str) -> String {
    read(text).expect_err("a log that must be refused").to_string()
}

fn field(path: &str, value: &str, bits: Option<&str>) -> FieldRecord {
    FieldRecord { path: path.into(), value: value.into(), bits: bits.map(Into::into), kind: None }
}

#[test]
fn a_minimal_log_is_read() {
    let log =
        read("# run of today\n\n{\"step\":0,\"hash\":\"9AF3\"}\r\n  {\"hash\":\"a b\",\"step\":2}").expect("a log");
    assert_eq!(log.checkpoints, [Checkpoint::of_hash(0, "9af3"), Checkpoint::of_hash(2, "a b")]);
    assert_eq!((log.foreign_lines, log.damage), (0, None));
}

#[test]
fn every_detail_is_kept_in_written_order() {
    let text = r#"{"step":12,"stage":"solve","phase":"substep 1","hash":77,"sections":{"z":"BB","a":"0xCC"},
        "objects":[{"name":"ball","section":"bodies","hash":"Dd","fields":{"x":1.50,"v":{"value":-0.10000000000000001,"bits":"3FF0"},
        "b":true,"name":"Ball"}},{"name":"ball"}]}"#
        .replace('\n', " ");
    let checkpoint = &read(&text).expect("a log").checkpoints[0];
    let digest = |name: &str, hash: &str| Digest { name: name.to_owned(), hash: hash.to_owned() };
    assert_eq!(
        (checkpoint.step, checkpoint.stage.as_deref(), checkpoint.phase.as_deref()),
        (12, Some("solve"), Some("substep 1"))
    );
    assert_eq!(checkpoint.hash.as_deref(), Some("77"));
    assert_eq!(checkpoint.sections(), [digest("z", "bb"), digest("a", "0xcc")]);
    let ball = &checkpoint.objects()[0];
    assert_eq!((ball.section.as_deref(), ball.hash.as_deref()), (Some("bodies"), Some("dd")));
    let expected = [
        field("x", "1.50", None),
        field("v", "-0.10000000000000001", Some("3ff0")),
        field("b", "true", None),
        field("name", "Ball", None),
    ];
    assert_eq!(ball.fields(), expected);
    assert_eq!(checkpoint.objects()[1], ObjectRecord { name: "ball".to_owned(), ..ObjectRecord::default() });
}

#[test]
fn the_values_of_an_array_are_fields_of_their_own() {
    let fields = |fields: &str| {
        let line = format!("{{\"step\":0,\"objects\":[{{\"name\":\"a\",\"fields\":{{{fields}}}}}]}}");
        read(&line).map(|log| log.checkpoints[0].objects()[0].fields().to_vec()).map_err(|error| error.to_string())
    };
    let told = fields(
        r#""p":[1, 2.50,"NaN"],"m":[[1,0],[]],"q":{"value":[0.5,1],"bits":["3F000000","3f800000"],"type":"f32"}"#,
    );
    let of_q = |path: &str, value: &str, bits: &str| FieldRecord {
        kind: Some(NumberKind::F32),
        ..field(path, value, Some(bits))
    };
    let expected = [
        field("p[0]", "1", None),
        field("p[1]", "2.50", None),
        field("p[2]", "NaN", None),
        field("m[0][0]", "1", None),
        field("m[0][1]", "0", None),
        field("m[1]", "[]", None),
        of_q("q[0]", "0.5", "3f000000"),
        of_q("q[1]", "1", "3f800000"),
    ];
    assert_eq!(told.expect("fields"), expected);
    for (text, part) in [
        (r#""p":{"value":[1,2],"bits":["1"]}"#, "not as long"),
        (r#""p":{"value":[1,2],"bits":"1"}"#, "invalid type"),
        (r#""p":{"value":1,"bits":["1"]}"#, "bits that are an array; expected a text of hexadecimal digits"),
        (r#""p":{"value":1,"bits":null}"#, "bits that are null"),
        (r#""p":{"value":1,"bits":"3fg0"}"#, "bits that are \"3fg0\"; expected a text of hexadecimal digits"),
        (r#""p":{"value":1,"bits":""}"#, "bits that are \"\"; expected a text of hexadecimal digits"),
        (r#""p":{"value":1,"bits":"0x"}"#, "bits that are \"0x\"; expected a text of hexadecimal digits"),
        (r#""p":{"value":1,"bits":-1}"#, "bits that are the number -1; expected a text of hexadecimal digits"),
        (r#""p":{"value":[1,2],"bits":["1","z"]}"#, "bits that are \"z\"; expected a text of hexadecimal digits"),
        (r#""p":{"value":1,"type":null}"#, "expected value"),
        (r#""p":[1,null]"#, "expected a string, a number"),
        (r#""p":[[[[[1]]]]]"#, "4 deep at most"),
        (r#""p":[1],"p[0]":2"#, "\"p[0]\" twice"),
        (r#""p":{"value":1,"type":"f16"}"#, "unknown variant `f16`"),
    ] {
        let refused = fields(text).expect_err(text);
        assert!(refused.contains(part), "{text}: {refused}");
    }
    let many = format!("\"p\":[{}0]", "0,".repeat(1 << 16));
    assert!(fields(&many).expect_err("too many").contains("more than 65536 values"));
}

#[test]
fn an_error_names_file_line_and_what_to_do() {
    let good = "{\"step\":5,\"hash\":\"a\"}\n";
    for (line, part) in [
        ("{\"stpe\":6}", "a.log, line 2: column 7: unknown field `stpe`, expected one of `step`"),
        ("{\"hash\":\"a\"}", "missing field `step`"),
        ("{\"step\":6}", "without hash, sections or objects; give at least one"),
        ("{\"step\":6,\"hash\":\"\\ud800 and more\"}", "line 2: column 19: \\ud800 is half a character"),
        ("{\"step\":6,\"stage\":\"abc\\ud800\",\"hash\":\"1\"}", "line 2: column 23: \\ud800 is half a character"),
        (
            "{\"step\":6,\"objects\":[{\"name\":\"ball\",\"fields\":{\"x\":\"\\udc00abc\",\"y\":2}}]}",
            "line 2: column 52: \\udc00 is half a character",
        ),
        ("{\"step\":-1,\"hash\":\"a\"}", "invalid value: integer `-1`, expected u32"),
        ("{\"step\":4,\"hash\":\"a\"}", "step 4 after step 5; steps must not go back"),
        ("{\"step\":5,\"hash\":\"a\"}", "another checkpoint of step 5 after its end"),
        ("{\"step\":5,\"stage\":\"solve\",\"hash\":\"a\"}", "another checkpoint of step 5 after its end"),
        ("{\"step\":6,\"phase\":\"one\",\"hash\":\"a\"}", "a phase without the stage"),
        ("{\"step\":6,\"hash\":[1]}", "a hash that is an array; expected a string or a number"),
        ("{\"step\":6,\"hash\":null}", "a hash that is null; expected a string or a number"),
        ("{\"step\":6,\"hash\":true}", "is true or false; expected a string or a number"),
        ("{\"step\":6,\"hash\":{}}", "is an object; expected a string or a number"),
        ("{\"step\":6,\"hash\":null,\"sections\":{\"a\":\"1\"}}", "is null"),
        ("{\"step\":6,\"sections\":{\"a\":null}}", "is null"),
        ("{\"step\":6,\"objects\":[{\"name\":\"a\",\"hash\":null}]}", "is null"),
        ("{\"step\":6,\"objects\":[{\"name\":\"a\",\"section\":null}]}", "invalid type: null"),
        ("{\"step\":6,\"stage\":null,\"hash\":\"a\"}", "invalid type: null"),
        ("{\"step\":6,\"hash\":\"a\",\"hash\":\"b\"}", "duplicate field `hash`"),
        ("{\"step\":6,\"sections\":{\"a\":\"1\",\"a\":\"2\"}}", "\"a\" twice"),
        ("{\"step\":6,\"objects\":[{\"name\":\"a\"},{\"name\":\"a\"}]}", "two objects \"a\""),
        (
            "{\"step\":6,\"objects\":[{\"name\":\"a\",\"fields\":{\"x\":null}}]}",
            "a field is a value, an array of values, or {",
        ),
        ("{\"step\":6,\"objects\":[{\"name\":\"a\",\"fields\":{\"x\":{\"bits\":\"1\"}}}]}", "missing field `value`"),
        ("{\"step\":6,\"hash\":\"a\"} {}", "trailing characters"),
        ("{\"step\":6,", "EOF while parsing"),
        ("step 6: ab", "expected a JSON object, such as"),
    ] {
        let found = refusal(&format!("{good}{line}\n"));
        assert!(found.starts_with("a.log, line 2: ") && found.contains(part), "{line}\n{found}");
    }
}

#[test]
fn a_place_within_a_step_comes_once() {
    let line = "{\"step\":5,\"stage\":\"solve\",\"hash\":\"a\"}\n";
    assert!(refusal(&format!("{line}{line}")).contains("the same stage and phase twice in step 5"));
    let phases =
        [1, 2].map(|phase| format!("{{\"step\":5,\"stage\":\"solve\",\"phase\":\"{phase}\",\"hash\":\"a\"}}\n"));
    assert_eq!(read(&format!("{}{line}{}", phases[0], phases[1])).expect("a log").checkpoints.len(), 3);
    // The next step has the same places anew, also where no checkpoint ends the first.
    assert_eq!(read(&format!("{line}{}", line.replace('5', "6"))).expect("a log").checkpoints.len(), 2);
}

#[test]
fn foreign_lines_are_skipped_on_request_and_counted() {
    let text = "engine 1.2 starts\n[info] {\n{\"step\":1,\"hash\":\"a\"}\n\u{7f}\nend";
    let log = read_hash_log_with("out", text.as_bytes(), ForeignLines::Skip).expect("a log");
    assert_eq!((log.checkpoints.len(), log.foreign_lines), (1, 4));
    let binary: &[u8] = b"\xff\xfe\x00\n{\"step\":1,\"hash\":\"a\"}\n";
    assert_eq!(read_hash_log_with("out", binary, ForeignLines::Skip).expect("a log").foreign_lines, 1);
    assert!(refusal(text).contains("a.log, line 1: expected a JSON object"));
}

/// What tells of a step and is no JSON would be passed over on both sides, and two logs called the same.
#[test]
fn a_broken_checkpoint_is_no_foreign_line() {
    let others = "{\"level\":\"info\"}\n{ not json }\n{\"step\":0,\"hash\":\"a\"}\n";
    let log = read_hash_log_with("out", others.as_bytes(), ForeignLines::SkipAll).expect("a log");
    assert_eq!((log.checkpoints.len(), log.foreign_lines), (1, 2));
    for broken in [
        "{\"step\":1,\"hash\":\"b\",}",
        "{\"step\":1,\"hash\":\"b\"} x",
        "{\"step\":1,\"step\":1,\"hash\":\"b\"}",
        "{\"step\":1,\"objects\":[{\"name\":\"a\",\"fields\":{\"x\":NaN}}]}",
    ] {
        let text = format!("{others}{broken}\n");
        let error = read_hash_log_with("out", text.as_bytes(), ForeignLines::SkipAll).expect_err(broken);
        assert!(error.to_string().contains("line 4: column"), "{error}");
    }
}

#[test]
fn a_log_without_checkpoints_says_what_to_do() {
    assert!(refusal("").contains("a.log: no checkpoint of a run in it; a hash log has a line such as {\"step\":0"));
    let chatter = read_hash_log_with("out", &b"hello\nworld\n"[..], ForeignLines::Skip).expect_err("no checkpoint");
    assert!(chatter.to_string().contains("no checkpoint of a run in it among 2 other lines"), "{chatter}");
    assert!(refusal("{\"step\":").contains("cut off within its first line"));
}

#[test]
fn what_is_no_text_is_told_as_what_it_is() {
    let utf_16 =
        |text: &str| [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let text = utf_16("{\"step\":0,\"hash\":\"9\"}\n");
    let told = |bytes: &[u8], foreign| {
        read_hash_log_with("a.log", bytes, foreign).expect_err("a file that is no log").to_string()
    };
    for foreign in [ForeignLines::Refuse, ForeignLines::Skip, ForeignLines::SkipAll] {
        for text in [text.as_slice(), &text[2..]] {
            let found = told(text, foreign);
            assert!(found.contains("this is UTF-16 text, and hash logs are UTF-8"), "{foreign:?}: {found}");
        }
        let found = told(b"\x7fELF\0\xff\n\0\n", foreign);
        assert!(found.contains("this is binary, and hash logs are text"), "{foreign:?}: {found}");
    }
    assert!(told("größer\n".as_bytes(), ForeignLines::Refuse).contains("line 1: expected a JSON object"));
    // What is wrong behind the first line does not make a log a binary.
    assert!(
        told(b"{\"step\":0,\"hash\":\"9\"}\n\xff\n", ForeignLines::Refuse).contains("line 2: expected a JSON object")
    );
}

#[test]
fn every_truncation_is_read_up_to_there_and_told() {
    let checkpoints = [
        Checkpoint::of_hash(0, "a"),
        Checkpoint {
            step: 1,
            sections: Some(vec![Digest { name: "bödies".to_owned(), hash: "f".to_owned() }]),
            objects: Some(vec![ObjectRecord {
                name: "ball".to_owned(),
                section: None,
                hash: Some("1".to_owned()),
                fields: Some(vec![field("x", "1.5", Some("3ff8"))]),
            }]),
            ..Checkpoint::default()
        },
    ];
    let mut text = Vec::new();
    checkpoints.iter().for_each(|checkpoint| write_checkpoint(&mut text, checkpoint).expect("memory takes all"));
    let first = text.iter().position(|&byte| byte == b'\n').expect("two lines");
    for length in first..=text.len() {
        let log = read_hash_log("a.log", &text[..length]).unwrap_or_else(|error| panic!("{length} bytes: {error}"));
        let cut_within = length > first + 1 && length < text.len() - 1;
        assert_eq!(log.damage.is_some(), cut_within, "{length} bytes");
        assert_eq!(log.checkpoints, checkpoints[..if length >= text.len() - 1 { 2 } else { 1 }], "{length} bytes");
    }
    for length in 0..first {
        assert!(matches!(read_hash_log("a.log", &text[..length]), Err(LogError::Empty { .. })), "{length} bytes");
    }
}

#[test]
fn a_line_without_end_is_refused_before_it_is_taken_whole() {
    struct Endless;
    impl std::io::Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            buffer.fill(b'{');
            Ok(buffer.len())
        }
    }
    let mut reader = HashLogReader::new("pipe", std::io::BufReader::new(Endless), ForeignLines::Skip);
    let error = reader.next_checkpoint().expect_err("too long").to_string();
    assert!(error.contains(&format!("pipe, line 1: more than {MAX_LINE_BYTES} bytes in one line")), "{error}");
    let deep = format!("{{\"step\":1,\"objects\":{}", "[".repeat(1 << 20));
    assert!(refusal(&format!("{deep}\n")).contains("line 1"));
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "\\PC{1,6}", "[0-9a-z\"\\\\{} \n]{1,6}"]
}

/// What is no hash is refused where it stands.
fn hash() -> impl Strategy<Value = String> {
    text().prop_filter("a hash", |text| !text.trim().is_empty())
}

fn checkpoint() -> impl Strategy<Value = Checkpoint> {
    let field = (text(), text(), prop::option::of("[0-9a-f]{1,9}"));
    let kind = prop_oneof![Just(None), Just(Some(NumberKind::F32)), Just(Some(NumberKind::Fixed))];
    let field = (field, kind).prop_map(|((path, value, bits), kind)| {
        // Without bits there is nothing for a kind to be the kind of.
        let kind = kind.filter(|_| bits.is_some());
        FieldRecord { path: path.into(), value: value.into(), bits: bits.map(Into::into), kind }
    });
    let fields = prop::option::of(prop::collection::vec(field, 0..4));
    let object = (text(), prop::option::of(text()), prop::option::of("[0-9a-f]{1,9}"), fields);
    let object = object.prop_map(|(name, section, hash, mut fields)| {
        if let Some(fields) = &mut fields {
            fields.sort_by(|a, b| a.path.cmp(&b.path));
            fields.dedup_by(|a, b| a.path == b.path);
        }
        ObjectRecord { name, section, hash, fields }
    });
    let objects = prop::option::of(prop::collection::vec(object, 0..3));
    let sections = prop::option::of(prop::collection::btree_map(text(), "[0-9a-f]{1,9}", 0..3));
    (hash(), sections, objects).prop_map(|(hash, sections, mut objects)| {
        if let Some(objects) = &mut objects {
            objects.sort_by(|a, b| (&a.section, &a.name).cmp(&(&b.section, &b.name)));
            objects.dedup_by(|a, b| (&a.section, &a.name) == (&b.section, &b.name));
        }
        let sections = sections
            .map(|sections| sections.into_iter().map(|(name, hash)| Digest { name, hash }).collect::<Vec<Digest>>());
        Checkpoint { hash: Some(hash.to_lowercase()), sections, objects, ..Checkpoint::default() }
    })
}

proptest! {
    #[test]
    fn what_is_written_is_what_is_read(checkpoints in prop::collection::vec(checkpoint(), 1..5)) {
        let checkpoints: Vec<Checkpoint> = (0..).zip(checkpoints).map(|(step, checkpoint)| Checkpoint { step, ..checkpoint }).collect();
        let mut text = Vec::new();
        checkpoints.iter().for_each(|checkpoint| write_checkpoint(&mut text, checkpoint).expect("memory takes all"));
        assert_eq!(read_hash_log("a.log", text.as_slice()).expect("a log").checkpoints, checkpoints);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(prop_oneof![Just(b'{'), Just(b'"'), Just(b'\n'), 0_u8..], 0..200)) {
        let _ = read_hash_log_with("a.log", bytes.as_slice(), ForeignLines::Skip);
    }
}

#[test]
fn the_examples_of_the_documentation_are_logs() {
    let count = |text: &str| {
        let mut spill = LogSpill::default();
        spill.write_all(text.as_bytes()).expect("memory takes all");
        let options = LogOptions { resimulated: true, ..LogOptions::default() };
        let log = LogSource::of_spill("example", spill, options).expect("memory takes all");
        log.check().expect("an example").checkpoints
    };
    let lengths = |page: &str| -> Vec<u64> {
        let examples = page.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next());
        examples.map(count).collect()
    };
    assert_eq!(lengths(include_str!("../../../docs/hash-log.md")), [2, 6, 4], "of a rollback what counts");
    assert_eq!(lengths(include_str!("../../../docs/your-engine.md")), [2, 1]);
}

/// A text of one line again and again, which is made as it is read, and knows how far it has been read.
struct Counted<'a> {
    line: &'a [u8],
    at: usize,
    read: &'a std::cell::Cell<u64>,
}

impl std::io::Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        for byte in buffer.iter_mut() {
            *byte = self.line[self.at];
            self.at = (self.at + 1) % self.line.len();
        }
        self.read.set(self.read.get() + buffer.len() as u64);
        Ok(buffer.len())
    }
}

/// The most bytes that a reader with such a buffer has read and not given out.
fn most_held(buffer: usize) -> u64 {
    let line = b"{\"step\":3,\"stage\":\"s\",\"phase\":\"p\",\"hash\":\"0123456789\"}\n".as_slice();
    let read = std::cell::Cell::new(0);
    let text = Counted { line, at: 0, read: &read };
    let text = std::io::BufReader::with_capacity(buffer, text);
    let mut reader = HashLogReader::new("a.log", text, ForeignLines::Refuse);
    let held = (1..=20_000_u64).map(|number| {
        reader.next_told().expect("a line").expect("a checkpoint");
        read.get() - number * line.len() as u64
    });
    held.max().unwrap_or(0)
}

#[test]
fn no_more_is_read_ahead_than_a_buffer() {
    let held = [most_held(1 << 12), most_held(1 << 14)];
    assert!(held[0] < 1 << 12, "{held:?}");
    // What is measured is there: with a larger buffer it is more.
    assert!((1 << 12..1 << 14).contains(&held[1]), "{held:?}");
}

#[test]
fn numbers_that_json_does_not_have_are_said_to_be_texts() {
    for word in ["NaN", "-nan", "Infinity", "-Infinity", "inf", "-inf", "-nan(ind)", "1.#QNAN"] {
        for field in [word.to_owned(), format!("[1.5,{word}]"), format!("{{\"value\":{word}}}")] {
            let line =
                format!("{{\"step\":0,\"objects\":[{{\"name\":\"a\",\"fields\":{{\"x\":{field},\"y\":1}}}}]}}\n");
            let said = refusal(&line);
            assert!(
                said.contains(&format!(": {word} is no JSON number: write it as a text, \"{word}\"")),
                "{line}{said}"
            );
            assert!(said.starts_with("a.log, line 1: column ") && said.contains("\"bits\""), "{said}");
        }
        assert!(refusal(&format!("{{\"step\":0,\"hash\":{word}}}")).contains("is no JSON number"), "{word}");
    }
    for text in [
        "{\"step\":0,\"hash\":nul}\n",
        "{\"step\":0,infos:1}\n",
        "{\"step\":0,\"hash\":\"NaN\",}\n",
        "{\"step\":0 NaN2}\n",
    ] {
        assert!(!refusal(text).contains("no JSON number"), "{text}");
    }
}

#[test]
fn an_empty_hash_is_none() {
    for keys in
        ["\"hash\":\"\"", "\"hash\":\" \"", "\"sections\":{\"a\":\"\"}", "\"objects\":[{\"name\":\"a\",\"hash\":\"\"}]"]
    {
        let said = refusal(&format!("{{\"step\":0,\"hash\":\"1\"}}\n{{\"step\":1,{keys}}}\n"));
        assert!(
            said.starts_with("a.log, line 2: column ")
                && said.contains("a hash that is empty; expected its text or number"),
            "{keys}: {said}"
        );
    }
}

#[test]
fn of_a_line_of_another_kind_the_option_is_named_that_skips_it() {
    let said = refusal("{\"step\":0,\"hash\":\"1\"}\n{\"level\":\"info\"}\n");
    assert!(said.contains("line 2: column 8: unknown field `level`") && said.contains("--lenient skips it"), "{said}");
    let said = refusal("{\"step\":0,\"hsah\":\"1\"}\n");
    assert!(!said.contains("--lenient"), "what tells of a step is never skipped: {said}");
}

/// Behind dots or a percentage that ends in a carriage return, half of a run would be passed over.
#[test]
fn what_tells_of_a_step_behind_other_text_is_an_error() {
    for line in [
        "50%\r{\"step\":1,\"hash\":\"b\"}",
        "..{\"step\": 1}",
        "[{\"step\":1,\"hash\":\"b\"}",
        ",{\"hash\":\"b\",\"step\" :1}",
    ] {
        let text = format!("{{\"step\":0,\"hash\":\"a\"}}\n{line}\n");
        for foreign in [ForeignLines::Skip, ForeignLines::SkipAll] {
            let error = read_hash_log_with("a.log", text.as_bytes(), foreign).expect_err(line).to_string();
            assert!(error.starts_with("a.log, line 2: it tells of a step behind other text"), "{error}");
        }
    }
    let banner = "engine \"step\" 1.2\n{\"step\":0,\"hash\":\"a\"}\nwrites {\"hash\"} and \"steps\": all\n";
    let log = read_hash_log_with("a.log", banner.as_bytes(), ForeignLines::Skip).expect("a banner");
    assert_eq!((log.checkpoints.len(), log.foreign_lines), (1, 2));
}

/// That there is none of something is another thing than that nothing is told of it, and stays that when it is written again.
#[test]
fn an_empty_list_is_told() {
    for line in [
        "{\"step\":0,\"objects\":[]}\n",
        "{\"step\":0,\"sections\":{}}\n",
        "{\"step\":0,\"hash\":\"1\",\"sections\":{},\"objects\":[{\"name\":\"a\",\"fields\":{}},{\"name\":\"b\"}]}\n",
    ] {
        let log = read(line).expect(line);
        let mut written = Vec::new();
        log.checkpoints.iter().for_each(|checkpoint| write_checkpoint(&mut written, checkpoint).expect("memory"));
        assert_eq!(String::from_utf8_lossy(&written), line);
    }
    for keys in ["\"objects\":null", "\"sections\":null", "\"objects\":[{\"name\":\"a\",\"fields\":null}]"] {
        assert!(refusal(&format!("{{\"step\":0,\"hash\":\"1\",{keys}}}")).contains("null"), "{keys}");
    }
}

#[test]
fn foreign_lines_are_counted_alike_however_they_are_read() {
    let lines = ["y", "", " # a", "#b", "\t", "a {b", " \r", "c", "{\"step\":#,\"hash\":\"1\"}", "z\0"];
    let mut random = SplitMix64::of_words(&[12]);
    for _ in 0..200 {
        let mut text = String::new();
        for step in 0..60 {
            let line = lines[random.index(lines.len())];
            text += &(line.replace("#,", &format!("{step},")) + "\n");
        }
        let ends = [1, 7, 64, 1 << 16].map(|capacity| {
            let text = std::io::BufReader::with_capacity(capacity, text.as_bytes());
            let mut reader = HashLogReader::new("a.log", text, ForeignLines::Skip);
            let mut steps = Vec::new();
            while let Some(checkpoint) = reader.next_checkpoint().expect("a log") {
                steps.push((checkpoint.step, reader.line));
            }
            (steps, reader.line, reader.foreign_lines, reader.first_foreign)
        });
        let is_foreign = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with(['#', '{']);
        let foreign = text.lines().filter(is_foreign).count() as u64;
        assert_eq!((ends[0].1, ends[0].2), (60, foreign), "{text}");
        assert!(ends.iter().all(|end| *end == ends[0]), "{text:?}: {ends:?}");
    }
}
