use crate::analysis::compare_checkpoints::{Basis, CheckpointComparison, StepTally, compare_checkpoints};
use crate::analysis::outcome::{FirstDifference, OrderDifference, OrderOf, SideValue};
use crate::replay::read_hash_log;

/// Compares two logs that are written by hand.
fn compare(a: &str, b: &str) -> CheckpointComparison {
    let [a, b] = [a, b].map(|text| read_hash_log("log", text.as_bytes()).expect("a log").checkpoints);
    compare_checkpoints(&a, &b)
}

fn value(value: &str, bits: &str) -> Option<SideValue> {
    Some(SideValue { value: value.to_owned(), bits: bits.to_owned() })
}

/// Step, stage, phase, section, object and field, with `-` for what is not named.
fn place(comparison: &CheckpointComparison) -> String {
    let FirstDifference { step, stage, phase, section, field, .. } = comparison.first.as_ref().expect("a difference");
    let (object, path) = field.as_ref().map(|field| (&field.object, field.field.as_ref())).unzip();
    let named = [stage.as_ref(), phase.as_ref(), section.as_ref(), object, path.flatten()];
    let named = named.map(|name| name.map_or("-", String::as_str));
    format!("{step} {}", named.join(" "))
}

#[test]
fn two_logs_of_hashes_differ_in_a_step() {
    let a = "{\"step\":0,\"hash\":\"a\"}\n{\"step\":1,\"hash\":\"b\"}\n{\"step\":2,\"hash\":\"c\"}";
    let b = a.replace("\"b\"", "\"x\"");
    let same = compare(a, a);
    let steps =
        StepTally { ranges: [Some((0, 2)); 2], common_range: Some((0, 2)), common: 3, all: 3, last_same: Some(2) };
    let bases = [Basis::Hash].into();
    assert_eq!(same, CheckpointComparison { compared: 3, steps, bases, ..CheckpointComparison::default() });
    let found = compare(a, &b);
    assert_eq!((place(&found).as_str(), found.compared), ("1 - - - - -", 3));
    let first = found.first.expect("a difference");
    assert_eq!((first.field, first.seen_at), (None, None));
    assert_eq!(found.notes, ["step 1: no object can be named; log objects with their fields on both sides"]);
    assert_eq!(found.spread, []);
}

#[test]
fn the_first_field_is_named_with_its_bits_and_the_spread_is_followed() {
    let line = |step: u32, hash: &str, x: &str, y: &str, other: &str| {
        format!(
            r#"{{"step":{step},"hash":"{hash}","sections":{{"clock":"1","bodies":"{hash}"}},"objects":[
            {{"name":"time","section":"clock","fields":{{"t":{step}}}}},
            {{"name":"ball","section":"bodies","fields":{{"x":{{"value":{x},"bits":"f{x}"}},"y":{y}}}}},
            {{"name":"box","section":"bodies","fields":{{"x":{other}}}}}]}}"#
        )
        .replace('\n', " ")
    };
    let a = [line(0, "a", "1", "2", "3"), line(1, "b", "1", "2", "3"), line(2, "c", "1", "2", "3")].join("\n");
    let b = [line(0, "a", "1", "2", "3"), line(1, "x", "1", "4", "3"), line(2, "y", "5", "4", "6")].join("\n");
    let found = compare(&a, &b);
    assert_eq!(place(&found), "1 - - bodies ball y");
    assert_eq!(found.spread, [(1, 1), (2, 2)]);
    assert_eq!(found.notes, [""; 0]);
    let back = compare(&b, &a).first.and_then(|first| first.field).expect("a field");
    assert_eq!((back.a, back.b), (value("4", ""), value("2", "")));
    let tail = |log: &str| log.lines().last().map(str::to_owned).expect("a line");
    let first = compare(&tail(&a), &tail(&b)).first.and_then(|first| first.field).expect("a field");
    assert_eq!((first.field.as_deref(), first.a, first.b), (Some("x"), value("1", "f1"), value("5", "f5")));
}

#[test]
fn bits_decide_where_both_sides_have_them() {
    let log = |field: &str| format!(r#"{{"step":0,"objects":[{{"name":"ball","fields":{{"x":{field}}}}}]}}"#);
    let differ = |a: &str, b: &str| compare(&log(a), &log(b)).first.is_some();
    assert!(differ(r#"{"value":0.1,"bits":"1"}"#, r#"{"value":0.1,"bits":"2"}"#));
    assert!(!differ(r#"{"value":0.1,"bits":"1"}"#, r#"{"value":0.10,"bits":"1"}"#));
    assert!(!differ(r#"{"value":0.1,"bits":"1"}"#, "0.1"));
    assert!(differ("0.1", "0.10000000000000001"));
    assert!(!differ("0.1", "\"0.1\""));
}

#[test]
fn a_stage_before_the_end_of_the_step_is_first() {
    let log = |solve: &str, end: &str| {
        format!(
            r#"{{"step":3,"stage":"find","hash":"a"}}
            {{"step":3,"stage":"solve","phase":"substep 1","hash":"{solve}"}}
            {{"step":3,"stage":"solve","hash":"{solve}"}}
            {{"step":3,"hash":"{end}"}}"#
        )
    };
    assert_eq!(place(&compare(&log("b", "c"), &log("x", "y"))), "3 solve substep 1 - - -");
    // A side without stages is compared at the ends of steps.
    let found = compare(&log("b", "c"), "{\"step\":3,\"hash\":\"y\"}");
    assert_eq!((place(&found).as_str(), found.compared, found.only_a, found.only_b), ("3 - - - - -", 1, 3, 0));
}

#[test]
fn sides_with_other_detail_are_compared_by_what_both_have() {
    let full = r#"{"step":0,"hash":"a","sections":{"bodies":"1","joints":"2"},"objects":[{"name":"ball","section":"bodies","hash":"3","fields":{"x":1}}]}"#;
    for (other, expected) in [
        (r#"{"step":0,"hash":"b"}"#, "0 - - - - -"),
        (r#"{"step":0,"hash":"b","sections":{"bodies":"1","joints":"9"}}"#, "0 - - joints - -"),
        (r#"{"step":0,"sections":{"bodies":"1"}}"#, "0 - - joints - -"),
        (r#"{"step":0,"objects":[{"name":"ball","section":"bodies","hash":"9"}]}"#, "0 - - bodies ball -"),
        (r#"{"step":0,"objects":[{"name":"ball","section":"bodies","fields":{"x":2}}]}"#, "0 - - bodies ball x"),
        (r#"{"step":0,"objects":[{"name":"ball","section":"bodies","fields":{"x":1,"y":2}}]}"#, "0 - - bodies ball y"),
        (r#"{"step":0,"objects":[{"name":"box","section":"bodies"}]}"#, "0 - - bodies ball -"),
    ] {
        assert_eq!(place(&compare(full, other)), expected, "{other}");
        assert!(compare(other, full).first.is_some(), "{other}");
    }
    for other in [
        r#"{"step":0,"hash":"A"}"#,
        r#"{"step":0,"objects":[{"name":"ball","section":"bodies"}]}"#,
        r#"{"step":0,"objects":[{"name":"ball","section":"bodies","fields":{"x":1}}]}"#,
    ] {
        assert_eq!(compare(full, other).first, None, "{other}");
    }
}

#[test]
fn an_object_of_one_side_exists_there_only() {
    let a = r#"{"step":0,"hash":"a","objects":[{"name":"ball"},{"name":"box"}]}"#;
    let b = r#"{"step":0,"hash":"b","objects":[{"name":"box"},{"name":"cone"}]}"#;
    let found = compare(a, b);
    assert_eq!((place(&found).as_str(), found.spread), ("0 - - - ball -", vec![(0, 2)]));
    let first = found.first.and_then(|first| first.field).expect("a field");
    assert_eq!((first.a, first.b, found.notes.len()), (value("exists", ""), None, 0));
}

#[test]
fn an_object_of_the_section_that_differs_goes_first() {
    let log = |hash: &str, x: &str| {
        format!(
            r#"{{"step":0,"sections":{{"b":"{hash}"}},"objects":[{{"name":"p","section":"a","fields":{{"x":{x}}}}},{{"name":"q","section":"b","fields":{{"x":{x}}}}}]}}"#
        )
    };
    assert_eq!(place(&compare(&log("1", "1"), &log("2", "2"))), "0 - - b q x");
    assert_eq!(place(&compare(&log("1", "1"), &log("1", "2"))), "0 - - a p x");
}

#[test]
fn notes_say_what_is_odd() {
    let log = |hash: &str, x: &str| {
        format!(r#"{{"step":0,"hash":"{hash}","objects":[{{"name":"p","fields":{{"x":{x}}}}}]}}"#)
    };
    let partial = compare(&log("a", "1"), &log("a", "2"));
    assert_eq!(place(&partial), "0 - - - p x");
    assert_eq!(partial.notes, ["step 0: the hashes agree although the states differ; hash all of the state"]);
    let unlogged = compare(&log("a", "1"), &log("b", "1"));
    assert_eq!(place(&unlogged), "0 - - - - -");
    assert_eq!(unlogged.notes, ["step 0: the hashes differ although all objects agree; log all that is hashed"]);
    let object = |hash: &str| format!(r#"{{"step":0,"stage":"s","objects":[{{"name":"p","hash":"{hash}"}}]}}"#);
    let no_field = compare(&object("a"), &object("b"));
    assert_eq!(
        no_field.notes,
        ["step 0, s: no field can be named; log the fields of objects on both sides, traces with --states"]
    );
}

#[test]
fn what_only_one_side_has_is_counted() {
    let log = |steps: &[u32]| -> String {
        steps.iter().map(|step| format!("{{\"step\":{step},\"hash\":\"a\"}}\n")).collect()
    };
    let found = compare(&log(&[0, 2, 4, 6, 8]), &log(&[0, 1, 2, 4]));
    let counts = (found.compared, found.only_a, found.only_b, found.only_a_from, found.only_b_from);
    assert_eq!(counts, (3, 2, 1, Some(6), None));
    assert_eq!((found.first, found.notes.len()), (None, 0));
    let apart = compare(&log(&[0, 2]), &log(&[5, 7]));
    assert_eq!((apart.compared, apart.only_a, apart.only_b, apart.only_b_from), (0, 2, 2, Some(5)));
    assert!(
        apart.notes[0].starts_with("nothing was compared: no step, stage and phase is on both sides (steps 0 to 2 and")
    );
    let incomparable = compare(&log(&[0]), "{\"step\":0,\"objects\":[{\"name\":\"p\"}]}");
    assert_eq!((incomparable.compared, incomparable.only_b, incomparable.notes.len()), (0, 0, 1));
    assert!(
        incomparable.notes[0].contains("in step 0: the first tells a hash, the second objects"),
        "{incomparable:?}"
    );
    assert_eq!(compare_checkpoints(&[], &[]).compared, 0);
}

#[test]
fn the_same_objects_in_another_order_are_told_by_the_first_place() {
    let log = |hash: &str, pairs: &str, order: &[&str]| {
        let object = |name: &&str| format!(r#"{{"name":"{name}","section":"pairs","fields":{{"x":1}}}}"#);
        let objects: Vec<String> = order.iter().map(object).collect();
        format!(
            r#"{{"step":4,"hash":"{hash}","sections":{{"bodies":"1","pairs":"{pairs}"}},"objects":[
            {{"name":"p","section":"bodies"}},{}]}}"#,
            objects.join(",")
        )
        .replace('\n', " ")
    };
    let a = log("a", "1", &["p | q", "p | r", "p | s", "q | r"]);
    let b = log("b", "2", &["p | q", "p | s", "q | r", "p | r"]);
    let found = compare(&a, &b);
    assert_eq!((place(&found).as_str(), found.notes.as_slice()), ("4 - - pairs - -", [].as_slice()));
    let expected = |place, a: &str, b: &str| {
        let section = Some("pairs".to_owned());
        Some(OrderDifference { of: OrderOf::Objects, section, place, a: a.to_owned(), b: b.to_owned() })
    };
    assert_eq!(found.first.and_then(|first| first.order), expected(1, "p | r", "p | s"));
    // Without digests of sections the order itself tells the section.
    let bare =
        |log: &str, digest: &str| log.replace(&format!(r#""sections":{{"bodies":"1","pairs":"{digest}"}},"#), "");
    let found = compare(&bare(&b, "2"), &bare(&a, "1"));
    assert_eq!(place(&found), "4 - - pairs - -");
    assert_eq!(found.first.and_then(|first| first.order), expected(1, "p | s", "p | r"));
    // An object that differs tells more than the order, and an order that is not hashed is not a difference.
    let found = compare(&a, &b.replacen("\"x\":1", "\"x\":2", 1));
    assert_eq!((place(&found).as_str(), found.first.and_then(|first| first.order)), ("4 - - pairs p | q x", None));
    let unhashed = b.replace("\"b\"", "\"a\"").replace(r#""pairs":"2""#, r#""pairs":"1""#);
    assert_eq!(compare(&a, &unhashed).first, None);
    // What differs is in a section whose order is the same.
    let elsewhere = log("b", "1", &["p | q", "p | s", "q | r", "p | r"]).replace(r#""bodies":"1""#, r#""bodies":"2""#);
    let found = compare(&a, &elsewhere);
    assert_eq!((place(&found).as_str(), found.first.and_then(|first| first.order)), ("4 - - bodies - -", None));
    let named = "step 4: no field can be named: of object p both tell the name alone; log their fields on both sides";
    assert_eq!(found.notes, [named]);
    // Objects of which nothing is told stand in a section that is the same.
    let named_elsewhere = |log: &str| log.replace(r#""section":"pairs","fields":{"x":1}"#, r#""section":"pairs""#);
    let told = |log: &str| named_elsewhere(log).replace(r#""section":"bodies""#, r#""section":"bodies","hash":"1""#);
    let found = compare(&told(&a), &told(&elsewhere));
    assert_eq!(found.notes, ["step 4: the hashes differ although all objects agree; log all that is hashed"]);
}

#[test]
fn what_could_not_be_compared_is_counted_with_its_reason() {
    let line = |rest: &str| format!("{{\"step\":0,\"hash\":\"a\"}}\n{{\"step\":1,{rest}}}");
    let object = |name: &str, rest: &str| format!("{{\"name\":\"{name}\",{rest}}}");
    let objects = |objects: &[String]| line(&format!("\"objects\":[{}]", objects.join(",")));
    let (hash, fields) = ("\"hash\":\"1\"", "\"fields\":{\"x\":1}");
    let both = [object("p", hash), object("q", hash)];
    let uncompared = |a: &str, b: &str| {
        let found = compare(a, b);
        assert_eq!(found.first, None, "{a}\n{b}");
        let note = found.notes.iter().find(|note| note.contains("could not be compared"));
        assert_eq!(note, found.uncompared.text().as_ref(), "{a}\n{b}");
        found.uncompared.first.map(|(step, why)| format!("{step}: {}", why.text(["the first", "the second"])))
    };
    for (a, b, expected) in [
        (line("\"hash\":\"1\""), objects(&both), "1: the first tells a hash, the second objects"),
        (line("\"sections\":{\"s\":\"1\"}"), objects(&both), "1: the first tells sections, the second objects"),
        (
            objects(&both),
            objects(&[object("p", hash), object("q", fields)]),
            "1: of object q the first tells the hash, the second the fields",
        ),
        (
            line("\"stage\":\"solve\",\"hash\":\"1\""),
            line("\"hash\":\"1\""),
            "1: no stage and phase of it is on both sides; the first tells of solve, the second of the end of the step",
        ),
    ] {
        assert_eq!(uncompared(&a, &b).as_deref(), Some(expected), "{a}\n{b}");
    }
    assert_eq!(uncompared(&objects(&both), &objects(&both)), None);
    // Names alone are little to tell, but both tell it.
    let names = line("\"objects\":[{\"name\":\"p\"},{\"name\":\"q\"}]");
    assert_eq!((uncompared(&names, &names), compare(&names, &names).uncompared.count), (None, 0));
    assert_eq!(place(&compare(&names, &line("\"objects\":[{\"name\":\"p\"}]"))), "1 - - - q -");
    // Where the whole is hashed, what the objects tell is more than is needed.
    let whole = |rest: &str| line(&format!("\"hash\":\"7\",\"objects\":[{}]", object("p", rest)));
    assert_eq!(uncompared(&whole(hash), &whole(fields)), None);
}

/// The hash of a section says nothing of an object of another one: such a one is as if there were no sections.
#[test]
fn sections_cover_the_objects_that_are_in_them_and_no_others() {
    let line = |sections: &str, rest: &str| format!("{{\"step\":0,\"sections\":{{{sections}}}{rest}}}");
    let objects = |section: &str, rest: &str| {
        let section = if section.is_empty() { String::new() } else { format!(",\"section\":\"{section}\"") };
        format!(",\"objects\":[{{\"name\":\"p\"{section}{rest}}}]")
    };
    let (hash, one, both) = (",\"hash\":\"1\"", "\"s\":\"1\"", "\"s\":\"1\",\"t\":\"2\"");
    let reason = |a: &str, b: &str| {
        let found = compare(a, b);
        assert_eq!(found.first, None, "{a}\n{b}");
        let is_told_less = found.untold[0].owed.count > 0 || found.untold[1].owed.count > 0;
        assert_eq!(is_told_less, found.uncompared.count > 0, "{a}\n{b}");
        found.uncompared.first.map(|(_, why)| why.text(["a", "b"]))
    };
    let (tells, by_name) = (objects("t", hash), objects("t", ""));
    let told = |what: &str| Some(format!("of object p of section t, whose hash is not told on both sides, {what}"));
    for (sections, a, b, expected) in [
        // Of a section that both tell, or of none.
        (both, tells.as_str(), by_name.as_str(), None),
        (one, &objects("", hash), &objects("", ""), None),
        (both, &by_name, "", None),
        (one, &objects("", hash), "", None),
        // Of another one.
        (one, &tells, &by_name, told("a tells the hash, b the name")),
        (one, &by_name, &tells, told("a tells the name, b the hash")),
        (one, &tells, "", told("a tells the hash, b nothing")),
        (one, "", &by_name, told("a tells nothing, b the name")),
        ("", &objects("", hash), &objects("", ""), Some("of object p a tells the hash, b the name".to_owned())),
        (one, &tells, &tells, None),
    ] {
        assert_eq!(reason(&line(sections, a), &line(sections, b)), expected, "{sections} {a} {b}");
        let hashed = |rest: &str| line(sections, rest).replacen('{', "{\"hash\":\"9\",", 1);
        assert_eq!(reason(&hashed(a), &hashed(b)), None, "the hash of the state covers all");
    }
}

/// Runs of which nothing but the name of an object was compared are not called the same without saying so.
#[test]
fn an_object_of_which_both_tell_the_name_alone_is_named() {
    let line = |rest: &str, section: &str| {
        let other = "{\"name\":\"q\",\"section\":\"s\",\"fields\":{\"x\":1}}";
        format!("{{\"step\":0{rest},\"objects\":[{other},{{\"name\":\"p\",\"section\":\"{section}\"}}]}}")
    };
    let note = "of object p of step 0 both tell the name alone, and no hash that covers it: no more of it was compared; log its fields or its hash";
    let sections = ",\"sections\":{\"s\":\"1\"}";
    for (rest, section, basis) in
        [("", "s", "fields or names of objects"), (sections, "t", "hashes of sections or names of objects")]
    {
        let text = line(rest, section);
        let found = compare(&text, &text);
        assert_eq!((found.first.is_none(), found.notes.as_slice()), (true, [note.to_owned()].as_slice()), "{text}");
        assert_eq!(Basis::same_text(&found.bases), format!("the same {basis} at every step"));
    }
    for (rest, section) in [(",\"hash\":\"1\"", "t"), (sections, "s")] {
        let text = line(rest, section);
        assert!(compare(&text, &text).notes.is_empty(), "it is covered: {text}");
    }
    // Where something differs, that is what is told.
    assert!(!compare(&line("", "s"), &line("", "s").replace("\"x\":1", "\"x\":2")).notes.contains(&note.to_owned()));
}

#[test]
fn stages_that_come_in_another_order_differ() {
    let stages = |order: &[&str]| -> String {
        let line = |stage: &&str| format!("{{\"step\":4,\"stage\":\"{stage}\",\"hash\":\"{stage}\"}}\n");
        order.iter().map(line).chain(["{\"step\":4,\"hash\":\"e\"}\n".to_owned()]).collect()
    };
    let a = stages(&["find", "solve", "move"]);
    let order_of = |found: &CheckpointComparison| {
        let order = found.first.as_ref().and_then(|first| first.order.clone());
        order.map(|OrderDifference { of, place, a, b, .. }| format!("{} {place} {a} {b}", of.name()))
    };
    let found = compare(&a, &stages(&["find", "move", "solve"]));
    assert_eq!((place(&found).as_str(), order_of(&found).as_deref()), ("4 solve - - - -", Some("stages 1 solve move")));
    assert_eq!(order_of(&compare(&a, &a)), None);
    // What only one side has is not out of order.
    let found = compare(&a, &stages(&["find", "sleep", "solve", "move"]));
    assert_eq!((&found.first, found.notes.len()), (&None, 1));
    // What differs before the first place that is out of order comes first.
    let other = stages(&["find", "move", "solve"]).replace("\"hash\":\"find\"", "\"hash\":\"other\"");
    let found = compare(&a, &other);
    assert_eq!((place(&found).as_str(), order_of(&found)), ("4 find - - - -", None));
}

/// A list that is told and empty says that there is none; one that is not told says nothing.
#[test]
fn an_empty_list_is_told() {
    let line = |keys: &str| format!("{{\"step\":0,{keys}}}");
    for (full, empty, difference) in [
        ("\"objects\":[{\"name\":\"p\"}]", "\"objects\":[]", "0 - - - p -"),
        (
            "\"objects\":[{\"name\":\"p\",\"fields\":{\"x\":1}}]",
            "\"objects\":[{\"name\":\"p\",\"fields\":{}}]",
            "0 - - - p x",
        ),
        ("\"sections\":{\"s\":\"1\"}", "\"sections\":{}", "0 - - s - -"),
        ("\"hash\":\"7\",\"objects\":[{\"name\":\"p\"}]", "\"hash\":\"7\",\"objects\":[]", "0 - - - p -"),
    ] {
        let [full, empty] = [full, empty].map(line);
        for (a, b) in [(&full, &empty), (&empty, &full)] {
            let found = compare(a, b);
            assert_eq!((place(&found).as_str(), found.uncompared.count, found.compared), (difference, 0, 1), "{a} {b}");
        }
        let same = compare(&empty, &empty);
        assert_eq!((same.first, same.uncompared.count, same.compared), (None, 0, 1), "{empty}");
    }
    let spread = |a: &str, b: &str| compare(&line(a), &line(b)).spread;
    assert_eq!(spread("\"objects\":[]", "\"objects\":[{\"name\":\"p\"},{\"name\":\"q\"}]"), [(0, 2)]);
    let beside_nothing = compare(&line("\"hash\":\"7\""), &line("\"hash\":\"7\",\"objects\":[]"));
    assert_eq!(beside_nothing.first, None);
    assert_eq!(beside_nothing.told_by_one(), [None, Some("the objects of step 0".to_owned())]);
}
