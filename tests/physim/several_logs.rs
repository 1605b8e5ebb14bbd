//! Several hash logs side by side: in whatever order they are given, the same is said of each.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::folder::Folder;
use crate::support::program::physim;

/// All orders of so many things.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else { return vec![Vec::new()] };
    let with_last =
        |order: Vec<usize>| (0..count).map(move |place| [&order[..place], &[last], &order[place..]].concat());
    orders(last).into_iter().flat_map(with_last).collect()
}

/// A log of hashes: each step has its number as hash.
fn steps(steps: impl IntoIterator<Item = u32>) -> String {
    steps.into_iter().map(|step| format!("{{\"step\":{step},\"hash\":\"{step}\"}}\n")).collect()
}

/// What is said of these logs in an order: exit status, verdict, of each log the step at which it diverges and the one after which it ends,
/// those that make the majority, who is in a group with whom, which two are looked at and how they differ, and the notes.
#[derive(Debug, PartialEq)]
struct Said {
    status: i32,
    verdict: serde_json::Value,
    of_each: BTreeMap<String, [serde_json::Value; 2]>,
    majority: BTreeSet<String>,
    groups: BTreeSet<BTreeSet<String>>,
    closer: [serde_json::Value; 3],
    notes: Vec<String>,
}

/// What is said of these logs, which are written as `0.log`, `1.log` and so on, in each of their orders; it must be the same in all.
fn said(folder: &Folder, logs: &[String]) -> Said {
    for (number, log) in logs.iter().enumerate() {
        folder.write(&format!("{number}.log"), log);
    }
    let mut all = orders(logs.len()).into_iter().map(|order| {
        let names: Vec<String> = order.iter().map(|number| format!("{number}.log")).collect();
        let words: Vec<&str> =
            ["diff", "--format", "json"].into_iter().chain(names.iter().map(String::as_str)).collect();
        let ran = physim(folder, &words);
        let json = ran.json();
        let inputs = json["inputs"].as_array().unwrap_or_else(|| panic!("{words:?}: {json}"));
        let path = |input: &serde_json::Value| input["path"].as_str().expect("a path").to_owned();
        let mut groups: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
        for input in inputs {
            groups.entry(input["group"].as_u64().unwrap_or(0)).or_default().insert(path(input));
        }
        let majority = json["majority"].as_array().into_iter().flatten();
        Said {
            status: ran.status,
            verdict: json["verdict"].clone(),
            of_each: inputs
                .iter()
                .map(|input| (path(input), [input["diverges_at"].clone(), input["ends_after"].clone()]))
                .collect(),
            majority: majority.map(|path| path.as_str().expect("a path").to_owned()).collect(),
            groups: groups.into_values().collect(),
            closer: ["a", "b", "first"].map(|key| json[key].clone()),
            notes: json["notes"].as_array().into_iter().flatten().map(ToString::to_string).collect(),
        }
    });
    let first = all.next().expect("an order");
    assert!(all.all(|other| other == first), "in other orders other things are said of {logs:#?}\n{first:#?}");
    first
}

/// The paths of these logs.
fn paths(numbers: &[u32]) -> BTreeSet<String> {
    numbers.iter().map(|number| format!("{number}.log")).collect()
}

/// The first two and the last two differ, and each agrees with one of the other two: "agrees" is not transitive.
#[test]
fn who_is_blamed_does_not_follow_from_the_order() {
    let folder = Folder::new();
    let logs = [
        r#""hash":"1","sections":{},"objects":[{"name":"a","hash":"1"}]"#,
        r#""hash":"1","objects":[{"name":"a","fields":{"x":7}}]"#,
        r#""sections":{"A":"9"},"objects":[{"name":"a","hash":"1"}]"#,
        r#""hash":"1","objects":[{"name":"a","hash":"1","fields":{"x":1}}]"#,
    ]
    .map(|keys| format!("{{\"step\":0,{keys}}}\n"));
    let found = said(&folder, &logs);
    assert_eq!((found.status, found.majority.len(), found.groups.len()), (1, 0, 4), "{found:?}");
    // One more that agrees with the first and the last decides.
    let fifth = logs[3].replace("\"objects\"", "\"sections\":{},\"objects\"");
    let found = said(&folder, &[&logs[..], &[fifth]].concat());
    assert_eq!((found.status, found.majority), (1, paths(&[0, 3, 4])));
}

#[test]
fn windows_of_one_run_are_the_same_in_any_order() {
    let folder = Folder::new();
    // Each pair of the first three is the same or has no step in common.
    for logs in [[steps([2]), steps(0..2), steps(1..3)], [steps(3..5), steps(2..6), steps(2..6)]] {
        let found = said(&folder, &logs);
        assert_eq!((found.status, found.majority), (0, paths(&[0, 1, 2])), "{logs:?}");
    }
    // Two that begin at the same step.
    let found = said(&folder, &[steps(3..5), steps(2..6), steps(2..5), steps(2..6)]);
    assert_eq!((found.status, found.majority), (1, paths(&[0, 1, 3])));
    assert_eq!(found.of_each["2.log"][1], 4);
}

#[test]
fn ends_without_a_majority_are_said_to_have_none() {
    let folder = Folder::new();
    let found = said(&folder, &[steps(0..6), steps(0..6), steps(0..3), steps(0..3)]);
    assert_eq!((found.status, &found.verdict, found.majority.len()), (1, &"diverged".into(), 0));
    let text = physim(&folder, &["diff", "0.log", "1.log", "2.log", "3.log"]).exits(1).stdout();
    let verdict =
        "diverged: they end after different steps, none of which is that of most: nobody can be said to be right";
    assert!(text.contains(verdict), "{text}");
}

/// Two of four diverge from the other two, and two end before the other two: neither makes the other unsaid.
#[test]
fn ends_are_told_where_nobody_can_be_said_to_be_right() {
    let folder = Folder::new();
    let other = |log: String| log.replace("\"hash\":\"2\"", "\"hash\":\"x\"");
    let found = said(&folder, &[steps(0..6), steps(0..4), other(steps(0..6)), other(steps(0..4))]);
    let ends = [5, 3, 5, 3].map(serde_json::Value::from);
    assert_eq!((found.status, found.groups.len()), (1, 2), "{found:?}");
    assert!(found.of_each.values().map(|[_, ends_after]| ends_after).eq(&ends), "{found:?}");
    let text = physim(&folder, &["diff", "0.log", "1.log", "2.log", "3.log"]).exits(1).stdout();
    assert!(text.contains("3.log  group 2 at step 2, ends after step 3"), "{text}");
    // Most end after one step.
    let found = said(&folder, &[steps(0..6), steps(0..6), other(steps(0..6)), other(steps(0..4))]);
    let ends = found.of_each.values().map(|[_, ends_after]| ends_after);
    assert!(
        ends.eq(&[serde_json::Value::Null, serde_json::Value::Null, serde_json::Value::Null, 3.into()]),
        "{found:?}"
    );
}

/// Each note says of whom, of how many checkpoints and why; and it says the same in whatever order the logs are given.
#[test]
fn notes_do_not_follow_from_the_order() {
    let folder = Folder::new();
    let staged = |stages: [&str; 3], keys: &str| -> String {
        stages.iter().map(|stage| format!("{{\"step\":1,\"stage\":\"{stage}\",{keys}}}\n")).collect()
    };
    let objects = "\"objects\":[{\"name\":\"p\",\"hash\":\"1\"}]";
    let hashes = staged(["a", "b", "c"], "\"hash\":\"1\"");
    let found = said(&folder, &[staged(["a", "b", "c"], objects), hashes.clone(), hashes.clone()]);
    let note = "\"3 checkpoints of 0.log could not be compared with others, in step 1: 0.log tells objects, 1.log a hash; log the same in all\"";
    assert_eq!((found.status, found.notes), (2, vec![note.to_owned()]));
    // No two tell anything alike.
    let fields = staged(["a", "b", "c"], &objects.replace("\"hash\":\"1\"", "\"fields\":{\"x\":1}"));
    let found = said(&folder, &[staged(["a", "b", "c"], objects), hashes.clone(), fields]);
    assert_eq!((found.status, found.notes.len()), (2, 3), "{found:?}");
    assert!(found.notes.iter().all(|note| note.starts_with("\"3 checkpoints of ")), "{found:?}");
    // Stages of other names, and steps of other numbers.
    let found = said(&folder, &[staged(["d", "e", "f"], objects), hashes.clone(), hashes.clone()]);
    let note = "no stage and phase of it is on both sides; 0.log tells of d, 1.log of a";
    assert!(found.notes[0].starts_with("\"3 checkpoints of 0.log") && found.notes[0].contains(note), "{found:?}");
    let found = said(&folder, &[hashes.clone(), steps(5..8), hashes.clone()]);
    assert!(found.notes[0].starts_with("\"no step of 1.log is in another one"), "{found:?}");
    assert!(!found.notes.concat().contains("checkpoint"), "{found:?}");
    // Stages in another order are those of the log that differs from most, and where there is no majority of the first by its name.
    let turned = staged(["b", "a", "c"], "\"hash\":\"1\"");
    for (logs, expected) in [
        ([turned.clone(), hashes.clone(), hashes.clone()], ["a", "b"]),
        ([hashes.clone(), turned.clone(), turned.clone()], ["b", "a"]),
    ] {
        let found = said(&folder, &logs);
        let order = &found.closer[2]["order"];
        assert_eq!([&order["a"], &order["b"]], expected, "{found:?}");
    }
    let last = staged(["c", "b", "a"], "\"hash\":\"1\"");
    let found = said(&folder, &[hashes, turned, last]);
    assert_eq!(found.closer[..2], ["0.log", "1.log"]);
    assert_eq!((&found.closer[2]["order"]["a"], &found.closer[2]["order"]["b"]), (&"a".into(), &"b".into()));
}

/// Where the run of a log ended that breaks off, nobody knows.
#[test]
fn a_log_that_breaks_off_does_not_vote_on_the_end() {
    let folder = Folder::new();
    let cut = format!("{}{{\"step\":6,\"ha", steps([5]));
    let found = said(&folder, &[steps([5]), steps(5..7), cut]);
    assert_eq!((found.status, &found.verdict), (3, &"damaged".into()));
    let ends: Vec<&serde_json::Value> = found.of_each.values().map(|[_, ends_after]| ends_after).collect();
    assert_eq!(ends, [&5.into(), &6.into(), &serde_json::Value::Null], "one against one");
}

#[test]
fn a_log_from_step_1_on_beside_one_from_step_0_on_says_nothing_of_the_end() {
    let folder = Folder::new();
    folder.write("a.log", steps(0..3));
    for (other, status) in [(steps([1]), 0), (steps(1..3), 0), (steps(1..9), 0), (steps(0..2), 1)] {
        folder.write("b.log", &other);
        for sides in [["a.log", "b.log"], ["b.log", "a.log"]] {
            physim(&folder, &["diff", sides[0], sides[1]]).exits(status);
        }
    }
}

/// Who could not be compared with the others does not agree with them, and steps of which one alone tells were not compared.
#[test]
fn only_who_was_compared_is_said_to_agree() {
    let folder = Folder::new();
    said(&folder, &[steps(0..2), steps(1..3), steps(2..4)]);
    let text = physim(&folder, &["diff", "0.log", "1.log", "2.log"]).exits(0).stdout();
    assert!(text.contains("same: no two of 3 differ in a step that both tell of"), "{text}");
    let named = "{\"step\":0,\"objects\":[{\"name\":\"c\",\"hash\":\"1\"}]}\n".to_owned();
    let hash = |digits: &str| format!("{{\"step\":0,\"hash\":\"{digits}\"}}\n");
    let found = said(&folder, &[named, hash("1"), hash("2"), hash("2")]);
    assert_eq!((found.status, found.majority), (1, paths(&[2, 3])));
    let text = physim(&folder, &["diff", "0.log", "1.log", "2.log", "3.log"]).exits(1).stdout();
    assert!(text.contains("0.log  differs in nothing that could be compared"), "{text}");
    assert!(text.contains("diverged: 2 of 4 agree; not 1.log"), "{text}");
}

/// It differs from the one that diverges, and cannot be compared with most.
#[test]
fn who_differs_from_none_of_most_does_not_diverge() {
    let folder = Folder::new();
    let told = |a: &str, b: &str| {
        format!("{{\"step\":0,\"objects\":[{{\"name\":\"a\",\"hash\":\"{a}\"}},{{\"name\":\"b\",{b}}}]}}\n")
    };
    let (hash, field) = ("\"hash\":\"1\"", "\"fields\":{\"x\":1}");
    let found = said(&folder, &[told("1", hash), told("2", hash), told("2", hash), told("2", field)]);
    assert_eq!((found.status, &found.majority), (1, &paths(&[1, 2])));
    let text = physim(&folder, &["diff", "0.log", "1.log", "2.log", "3.log"]).exits(1).stdout();
    assert!(text.contains("diverged: 2 of 4 agree; not 0.log") && !text.contains("3.log  diverges"), "{text}");
    let note = "1 checkpoint of 3.log could not be compared with others, in step 0: of object b 1.log tells the hash, 3.log the fields";
    assert!(text.contains(note), "{text}");
}

/// One recording by two names would bear itself out.
#[test]
fn a_file_that_is_named_twice_is_no_two_voices() {
    let folder = Folder::new();
    folder.write("a.log", steps(0..4));
    folder.write("b.log", steps(0..3));
    for again in ["a.log", "./a.log"] {
        let ran = physim(&folder, &["diff", "a.log", "b.log", again]).exits(2);
        let said =
            format!("a.log and {again} are one file, which would count as two of them: name each recording once");
        assert!(ran.stderr.contains(&said), "{}", ran.stderr);
    }
    // Of two of them nothing is counted.
    physim(&folder, &["diff", "a.log", "./a.log"]).exits(0);
}
