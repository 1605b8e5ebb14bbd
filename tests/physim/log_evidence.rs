//! What hash logs tell and what a comparison of them rests on: a program that tells less than its golden does not hold, and the words say
//! what was compared.

#![cfg(unix)]

use crate::support::folder::Folder;
use crate::support::program::physim;
use crate::verify_programs::{LOG, logs};

/// What a program tells that lists its objects too.
fn full() -> String {
    let mut x = 0;
    let line = |line: &str| {
        x += 1;
        line.replace(
            '}',
            &format!(
                ",\"sections\":{{\"all\":\"{x}\"}},\"objects\":[{{\"name\":\"ball\",\"fields\":{{\"x\":{x}}}}}]}}\n"
            ),
        )
    };
    LOG.lines().map(line).collect()
}

#[test]
fn a_program_that_tells_less_than_its_golden_does_not_hold() {
    let without_hash = full().replace("\"hash\":\"b2\",", "");
    for (now, step, what) in [
        (LOG.to_owned(), 0, "the sections and the objects of step 0 (3 checkpoints in all)"),
        (without_hash, 1, "the hash of step 1"),
        (full().replace(",\"fields\":{\"x\":3}", ""), 2, "the fields of object ball of step 2"),
    ] {
        let folder = logs(&now);
        folder.write("a.log", full());
        folder.write("physim.ron", "(version: 1, programs: [(name: \"a\", exec: \"cat now.log\", golden: \"a.log\")])");
        let note = format!(
            "it does not tell {what}, which the golden tells: that was not verified; if it is meant so, accept the new log"
        );
        for words in [
            &["verify", "--exec", "cat now.log", "a.log"][..],
            &["verify", "physim.ron"],
            &["verify", "."],
            &["verify", "--exec", "cat now.log", "."],
        ] {
            let _ = std::fs::remove_file(folder.path("now.log.new"));
            if words.last() == Some(&".") && words.len() > 2 {
                std::fs::create_dir_all(folder.path("only")).expect("a folder");
                std::fs::copy(folder.path("a.log"), folder.path("only/a.log")).expect("a copy");
            }
            let words: Vec<&str> =
                words.iter().map(|word| if words.len() > 2 && *word == "." { "only" } else { *word }).collect();
            let json = physim(&folder, &[&words[..], &["--format", "json"]].concat()).exits(1).json();
            assert_eq!((&json["verdict"], json["first"]["step"].as_i64()), (&"diverged".into(), Some(step)), "{json}");
            assert!(json["notes"].to_string().contains(&note), "{json}");
        }
        // It may be meant so.
        let shown = physim(&folder, &["accept", "a.log", "--yes", "--reason", "shorter"]).exits(0).stdout();
        assert!(shown.contains("every step has the same hash") || shown.contains("the same hash or"), "{shown}");
        // Each kind of what is lost is said by itself.
        let kinds = what.split(" of step").next().unwrap_or(what).split(" and ");
        for kind in kinds {
            assert!(shown.contains(&format!("warning: it no longer tells {kind} of ")), "{kind}: {shown}");
        }
        physim(&folder, &["verify", "physim.ron"]).exits(0);
    }
}

#[test]
fn a_program_that_tells_more_than_its_golden_holds() {
    let folder = logs(&full());
    let ran = physim(&folder, &["verify", "--exec", "cat now.log", "a.log"]).exits(0).stdout();
    let note = "beyond the golden it tells the sections and the objects of step 0 (3 checkpoints in all), which was not compared";
    assert!(ran.contains(note), "{ran}");
    // Its log may take the golden's place.
    folder.write("a.log.new", full());
    physim(&folder, &["accept", "a.log", "--yes", "--reason", "in full"]).exits(0);
    let ran = physim(&folder, &["verify", "--exec", "cat now.log", "a.log"]).exits(0).stdout();
    assert!(!ran.contains("beyond"), "{ran}");
}

#[test]
fn diff_says_what_it_rests_on() {
    let folder = logs(&full());
    let ran = physim(&folder, &["diff", "a.log", "now.log"]).exits(0).stdout();
    let note = "only now.log tells the sections and the objects of step 0 (3 checkpoints in all), a.log does not: compared is what both tell";
    assert!(ran.contains("same: nothing that both tell of differs") && ran.contains(note), "{ran}");
    let ran = physim(&folder, &["diff", "now.log", "a.log", "--format", "json"]).exits(0).json();
    assert!(ran["notes"].to_string().contains("only now.log tells"), "{ran}");
    let without = |what: &str| full().replace(what, "");
    let mut fields = full();
    for part in ["\"hash\":\"a1\",", "\"hash\":\"b2\",", "\"hash\":\"c3\","] {
        fields = fields.replace(part, "");
    }
    let only = |text: String, part: &str, times: usize| {
        let mut text = text;
        for number in 1..=times {
            text = text.replace(&part.replace('N', &number.to_string()), "");
        }
        text
    };
    let sections = only(fields.clone(), ",\"objects\":[{\"name\":\"ball\",\"fields\":{\"x\":N}}]", 3);
    let fields = only(fields, "\"sections\":{\"all\":\"N\"},", 3);
    for (log, said) in [
        (full(), "same: every step has the same hash"),
        (sections, "same: the same hashes of sections at every step"),
        (fields.clone(), "same: the same fields at every step"),
        (
            format!(
                "{}{}",
                without("{\"step\":2").lines().take(2).map(|line| format!("{line}\n")).collect::<String>(),
                fields.lines().last().unwrap_or("")
            ),
            "same: the same hash or fields at every step",
        ),
    ] {
        folder.write("x.log", format!("{}\n", log.trim_end()));
        folder.write("y.log", format!("{}\n", log.trim_end()));
        let ran = physim(&folder, &["diff", "x.log", "y.log"]).exits(0).stdout();
        assert!(ran.contains(said), "{log}: {ran}");
    }
}

#[test]
fn zeros_of_another_sign_are_said_to_be() {
    let folder = Folder::new();
    let line = |bits: &str| {
        format!(
            "{{\"step\":0,\"objects\":[{{\"name\":\"a\",\"fields\":{{\"x\":{{\"value\":0,\"bits\":\"{bits}\",\"type\":\"f32\"}}}}}}]}}\n"
        )
    };
    folder.write("a.log", line("00000000"));
    folder.write("b.log", line("80000000"));
    let ran = physim(&folder, &["diff", "a.log", "b.log"]).exits(1).stdout();
    assert!(ran.contains("distance  0 ulps, the sign of zero differs"), "{ran}");
    let ran = physim(&folder, &["verify", "--exec", "cat b.log", "a.log", "--format", "github"]).exits(1).stdout();
    assert!(ran.contains("(0 ulps, the sign of zero differs)"), "{ran}");
}

/// A list that is told and empty says that there is nothing of it: another run than one that lists an object, a field or a section.
#[test]
fn an_empty_list_is_told() {
    let folder = Folder::new();
    let first = "{\"step\":0,\"hash\":\"1\"}\n";
    for (full, empty, named) in [
        ("\"objects\":[{\"name\":\"ball\",\"hash\":\"1\"}]", "\"objects\":[]", "object ball"),
        (
            "\"objects\":[{\"name\":\"ball\",\"fields\":{\"x\":1}}]",
            "\"objects\":[{\"name\":\"ball\",\"fields\":{}}]",
            "field x of object ball",
        ),
        ("\"sections\":{\"all\":\"1\"}", "\"sections\":{}", "section all"),
    ] {
        folder.write("full.log", format!("{first}{{\"step\":1,{full}}}\n"));
        folder.write("empty.log", format!("{first}{{\"step\":1,{empty}}}\n"));
        for [a, b] in [["full.log", "empty.log"], ["empty.log", "full.log"]] {
            let _ = std::fs::remove_file(folder.path(&format!("{a}.new")));
            let now = format!("cat {b}");
            for words in [
                &["diff", a, b][..],
                &["verify", "--exec", &now, a],
                &["bisect", "--exec", &format!("cat {a}"), "--exec", &now],
            ] {
                let json = physim(&folder, &[words, &["--format", "json"]].concat()).exits(1).json();
                let found = (&json["verdict"], json["first"]["step"].as_i64());
                assert_eq!(found, (&"diverged".into(), Some(1)), "{words:?}: {json}");
            }
        }
        // The log that lists nothing may take the golden's place, and what it gives up is said.
        let shown = physim(&folder, &["accept", "full.log", "--yes", "--reason", "all gone"]).exits(0).stdout();
        assert!(shown.contains(&format!("warning: it no longer tells {named} of step 1")), "{shown}");
        physim(&folder, &["verify", "--exec", "cat empty.log", "full.log"]).exits(0);
        physim(&folder, &["diff", "full.log", "empty.log"]).exits(0);
    }
    // Where it is not told at all, that is no difference of two logs, and less than the golden tells.
    let line = |rest: &str| format!("{{\"step\":0,\"hash\":\"1\"{rest}}}\n");
    folder.write("none.log", line(""));
    folder.write("empty.log", line(",\"objects\":[]"));
    let ran = physim(&folder, &["diff", "none.log", "empty.log"]).exits(0).stdout();
    assert!(ran.contains("only empty.log tells the objects of step 0, none.log does not"), "{ran}");
    let ran = physim(&folder, &["verify", "--exec", "cat none.log", "empty.log"]).exits(1).stdout();
    assert!(ran.contains("it does not tell the objects of step 0, which the golden tells"), "{ran}");
    physim(&folder, &["verify", "--exec", "cat empty.log", "none.log"]).exits(0);
}

/// The type of a number is told like anything else: to tell it no more, or another one, is to tell less.
#[test]
fn a_type_that_is_told_no_more_is_less() {
    let folder = Folder::new();
    let line = |kind: &str| {
        format!(
            "{{\"step\":0,\"objects\":[{{\"name\":\"a\",\"fields\":{{\"x\":{{\"value\":0,\"bits\":\"00000000\"{kind}}}}}}}]}}\n"
        )
    };
    folder.write("typed.log", line(",\"type\":\"f32\""));
    folder.write("fixed.log", line(",\"type\":\"fixed\""));
    folder.write("bare.log", line(""));
    let what = "the type f32 of field x of object a of step 0";
    for less in ["bare.log", "fixed.log"] {
        let ran = physim(&folder, &["verify", "--exec", &format!("cat {less}"), "typed.log"]).exits(1).stdout();
        assert!(ran.contains(&format!("it does not tell {what}, which the golden tells")), "{ran}");
        let shown = physim(&folder, &["accept", "typed.log"]).exits(2).stdout();
        assert!(shown.contains(&format!("it no longer tells {what}")), "{shown}");
        let ran = physim(&folder, &["diff", "typed.log", less]).exits(0).stdout();
        assert!(ran.contains(&format!("only typed.log tells {what}, {less} does not")), "{ran}");
    }
    let ran = physim(&folder, &["verify", "--exec", "cat typed.log", "bare.log"]).exits(0).stdout();
    assert!(ran.contains(&format!("beyond the golden it tells {what}, which was not compared")), "{ran}");
    // Two equal runs of which one tells it do not repeat.
    folder.write("race.sh", "if mkdir once 2>/dev/null; then cat typed.log; else cat bare.log; fi");
    let ran = physim(&folder, &["verify", "--exec", "sh race.sh", "--repeat", "2", "bare.log"]).exits(1).stdout();
    assert!(ran.contains("it does not repeat"), "{ran}");
}
