//! What a difference of two hash logs is called: the section, the object, the order.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::folder::Folder;
use crate::support::program::physim;

/// The first difference of two checkpoints of step 0 with these keys, and what was noted.
fn difference(folder: &Folder, a: &str, b: &str) -> (Value, String) {
    folder.write("a.log", format!("{{\"step\":0,{a}}}\n"));
    folder.write("b.log", format!("{{\"step\":0,{b}}}\n"));
    let mut json = physim(folder, &["diff", "a.log", "b.log", "--format", "json"]).exits(1).json();
    (json["first"].take(), json["notes"].to_string())
}

/// The section C differs, and an object without a section, which has a namesake in C.
#[test]
fn an_object_without_a_section_is_put_into_none() {
    let folder = Folder::new();
    let log = |hash: &str, of_c: &str, z: &str| {
        format!(
            r#""hash":"{hash}","sections":{{"B":"3","C":"{of_c}"}},"objects":[{{"name":"b","fields":{{"z":{z}}}}},{{"name":"b","section":"C","fields":{{"z":1}}}}]"#
        )
    };
    let (first, notes) = difference(&folder, &log("1", "11", "1"), &log("2", "12", "2"));
    assert_eq!((&first["section"], &first["object"], &first["field"]), (&Value::Null, &json!("b"), &json!("z")));
    let fields = first["fields"].as_array().expect("a list");
    assert_eq!((fields.len(), &fields[0]["section"], &fields[0]["object"]), (1, &Value::Null, &json!("b")), "{first}");
    assert!(notes.contains("step 0: the section C differs as well; the object named is in none"), "{notes}");
    let text = physim(&folder, &["diff", "a.log", "b.log"]).exits(1).stdout();
    assert!(!text.contains("  section"), "{text}");
    let verify = physim(&folder, &["verify", "--no-new", "--exec", "cat b.log", "a.log", "--format", "json"]);
    assert_eq!(verify.exits(1).json()["first"]["section"], Value::Null);
}

/// Within each section the order is the same.
#[test]
fn another_order_across_sections_is_named() {
    let folder = Folder::new();
    let [a, c, a_of_b] = [r#"{"name":"a"}"#, r#"{"name":"c","section":"B"}"#, r#"{"name":"a","section":"B"}"#];
    let log = |hash: &str, objects: [&str; 2]| format!("\"hash\":\"{hash}\",\"objects\":[{}]", objects.join(","));
    for (one, other, names) in [(c, a, ["c", "a"]), (a, a_of_b, ["a of no section", "a of section B"])] {
        let (first, notes) = difference(&folder, &log("1", [one, other]), &log("2", [other, one]));
        let order = json!({"section": null, "place": 0, "a": names[0], "b": names[1], "of": "objects"});
        assert_eq!((&first["order"], notes.as_str()), (&order, "[]"));
    }
}

/// Each object is in a section of its own, and no order differs: this took 29 s with 40 000 of them, in an optimised build.
#[test]
fn many_sections_are_looked_at_once() {
    let folder = Folder::new();
    let objects: Vec<String> =
        (0..40_000).map(|number| format!("{{\"name\":\"o\",\"section\":\"s{number}\",\"hash\":\"1\"}}")).collect();
    let log = |hash: &str| format!("\"hash\":\"{hash}\",\"objects\":[{}]", objects.join(","));
    let begun = Instant::now();
    let (first, notes) = difference(&folder, &log("1"), &log("2"));
    let took = begun.elapsed();
    assert!(first["order"].is_null() && notes.contains("although all objects agree"), "{notes}");
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn bits_are_a_text() {
    let folder = Folder::new();
    let log = |bits: &str| {
        format!(r#""objects":[{{"name":"p","fields":{{"x":{{"value":1,"bits":{bits},"type":"fixed"}}}}}}]"#)
    };
    for bits in ["10", "1e5"] {
        folder.write("a.log", format!("{{\"step\":0,{}}}\n", log(bits)));
        let refused = physim(&folder, &["diff", "a.log", "a.log"]).exits(3).stderr;
        let expected = format!(
            "bits that are the number {bits}; expected a text of hexadecimal digits, most significant first, such as \
             \"3fc00000\""
        );
        assert!(refused.contains("a.log, line 1: ") && refused.contains(&expected), "{refused}");
    }
    let ulps = |a: &str, b: &str| difference(&folder, &log(a), &log(b)).0["ulps"].clone();
    assert_eq!(ulps("\"0A\"", "\"0b\""), 1);
    assert_eq!(ulps("\"0a\"", "\"000b\""), Value::Null, "of 8 and of 16 bits");
}

/// Of step 0 the first stage is the same, and only one side tells the end: the difference may have come up behind that stage.
#[test]
fn no_stage_is_named_where_the_end_of_the_step_before_was_not_compared() {
    let folder = Folder::new();
    let line = |step: u32, stage: Option<&str>, hash: &str| {
        let stage = stage.map_or_else(String::new, |stage| format!("\"stage\":\"{stage}\","));
        format!("{{\"step\":{step},{stage}\"hash\":\"{hash}\"}}\n")
    };
    let stage_of = |a: &[String], b: &[String]| {
        folder.write("a.log", a.concat());
        folder.write("b.log", b.concat());
        let json = physim(&folder, &["diff", "a.log", "b.log", "--format", "json"]).exits(1).json();
        (json["first"]["stage"].clone(), json["notes"].to_string())
    };
    let [stage, end] = [line(0, Some("a"), "0"), line(0, None, "0")];
    let rest = |hash: &str| [line(1, Some("a"), hash), line(1, None, hash)].concat();
    let (named, notes) = stage_of(&[stage.clone(), end.clone(), rest("1")], &[stage.clone(), rest("2")]);
    assert_eq!(named, Value::Null);
    assert!(notes.contains("the last checkpoints of step 0 were not compared, so no stage is named"), "{notes}");
    // Where neither tells the end, what both tell last is the last that there is.
    for before in [vec![stage.clone()], vec![stage, end]] {
        let (named, _) = stage_of(&[before.concat(), rest("1")], &[before.concat(), rest("2")]);
        assert_eq!(named, "a");
    }
}

/// Two sections differ, and in the second alone the order does: that is what can be named, whichever log comes first.
#[test]
fn the_order_is_named_in_whichever_section_it_differs() {
    let folder = Folder::new();
    let told = |hash: &str, sections: [&str; 2], objects: [&str; 2]| {
        let sections = sections.map(|name| format!("\"{name}\":\"{hash}\"")).join(",");
        let objects = objects.map(|name| format!("{{\"name\":\"{name}\",\"section\":\"C\",\"hash\":\"1\"}}")).join(",");
        format!("{{\"step\":0,\"sections\":{{{sections}}},\"objects\":[{objects}]}}\n")
    };
    folder.write("a.log", told("1", ["D", "C"], ["a", "b"]));
    folder.write("b.log", told("2", ["C", "D"], ["b", "a"]));
    for sides in [["a.log", "b.log"], ["b.log", "a.log"]] {
        let first = &physim(&folder, &["diff", sides[0], sides[1], "--format", "json"]).exits(1).json()["first"];
        assert_eq!((&first["section"], &first["order"]["place"]), (&"C".into(), &0.into()), "{first}");
    }
}
