//! Goldens that tell of objects which no hash covers: a program that takes `{from}` and `{to}` is asked for these steps, and what cannot be
//! compared all the same is said with what to print.

#![cfg(unix)]

use crate::support::folder::Folder;
use crate::support::program::{Ran, physim};

/// A program that writes down what it is asked for. The section `fx` has no hash, so that of the spark it tells only in the steps it is asked
/// for; from the step in `wrong_from` on the spark is another one.
const GAME: &str = r#"
echo "$1 $2" >> asked
for step in 0 1 2 3 4; do
    a=1$step
    hash=$step
    [ $step -ge $(cat wrong_from) ] && a=9$step
    [ "$1" -gt 0 ] && [ -f shy ] && hash=7$step
    [ -f racy ] && a=$$
    if [ "$1" -gt 0 ] && [ "$1" -le $step ] && [ $step -le "$2" ]; then
        echo '{"step":'$step',"sections":{"bodies":"'$hash'"},"objects":[{"name":"ball","section":"bodies","fields":{"x":'$step'}},{"name":"spark","section":"fx","fields":{"a":'$a'}}]}'
    else
        echo '{"step":'$step',"sections":{"bodies":"'$hash'"}}'
    fi
done
"#;

/// The program with a golden as the page has it made: asked for all steps but 0.
fn guarded() -> Folder {
    let folder = Folder::new();
    folder.write("game.sh", GAME);
    folder.write("wrong_from", "99");
    let output = std::process::Command::new("sh").args(["game.sh", "1", "999999"]).current_dir(folder.root()).output();
    folder.write("a.log", output.expect("it starts").stdout);
    forget(&folder);
    folder
}

fn forget(folder: &Folder) {
    std::fs::remove_file(folder.path("asked")).expect("it was run");
}

const WINDOW: &str = "sh game.sh {from} {to}";

fn verify(folder: &Folder, command: &str, words: &[&str]) -> Ran {
    physim(folder, &[&["verify", "--exec", command, "a.log"], words].concat())
}

#[test]
fn a_program_that_has_not_changed_holds() {
    let folder = guarded();
    let told = verify(&folder, WINDOW, &[]).exits(0).stdout();
    assert_eq!(folder.read("asked"), b"1 4\n", "the steps of which the golden tells the spark");
    assert!(
        told.contains("no hash of the golden covers object spark of section fx of step 1, of which it tells")
            && told.contains("each run was asked for steps 1 to 4"),
        "{told}"
    );
    verify(&folder, WINDOW, &["--repeat", "3"]).exits(0);
    assert_eq!(folder.read("asked"), b"1 4\n1 4\n1 4\n1 4\n", "what is guarded has to repeat");
    // Where a hash covers all, it is asked for nothing.
    let hashed = String::from_utf8(folder.read("a.log"))
        .expect("a text")
        .replace(",\"sections\"", ",\"hash\":\"1\",\"sections\"");
    folder.write("a.log", hashed);
    folder.write("game.sh", GAME.replace(",\"sections\"", ",\"hash\":\"1\",\"sections\""));
    forget(&folder);
    verify(&folder, WINDOW, &[]).exits(0);
    assert_eq!(folder.read("asked"), b"0 0\n");
}

#[test]
fn a_change_that_no_hash_covers_is_named_and_its_new_golden_guards_as_much() {
    let folder = guarded();
    folder.write("wrong_from", "2");
    let json = verify(&folder, WINDOW, &["--format", "json", "--new-dir", "new"]).exits(1).json();
    assert_eq!(folder.read("asked"), b"1 4\n1 4\n", "step 2 is among those that were asked for");
    let first = &json["first"];
    let place = ["section", "object", "field"].map(|key| first[key].as_str().unwrap_or_default());
    assert_eq!((&first["step"], place), (&2.into(), ["fx", "spark", "a"]), "{json}");
    assert_eq!((&first["a"]["value"], &first["b"]["value"]), (&"12".into(), &"92".into()), "{json}");
    assert_eq!(json["repeats"], true, "{json}");
    assert!(!json["notes"].to_string().contains("could not be compared"), "{json}");
    assert!(folder.path("new/a.log.detail").is_file());
    verify(&folder, WINDOW, &[]).exits(1);
    physim(&folder, &["accept", "--yes", "--reason", "brighter", "a.log"]).exits(0);
    verify(&folder, WINDOW, &[]).exits(0);
    folder.write("wrong_from", "3");
    verify(&folder, WINDOW, &[]).exits(1);
}

#[test]
fn what_cannot_be_compared_all_the_same_is_said_with_what_to_print() {
    let remedy = "nothing that it tells covers object spark of section fx of step 1: let it print `hash`, the hash of the whole state, in \
                  every step, or among its `sections` the hash of section fx, or its objects";
    for (command, more) in [
        ("sh game.sh 0 0", "; if that is too much, let it take {from} and {to}, and print them in these steps"),
        ("sh game.sh 0 0 # {from} {to}", " in the steps from {from} to {to}"),
    ] {
        let folder = guarded();
        let shown = verify(&folder, command, &[]).exits(1).stdout();
        assert!(shown.contains(&format!("{remedy}{more}")), "{shown}");
        let loss = "a golden made of what it printed would not cover object spark of section fx of step 1 (4 checkpoints in all) any more";
        let places = [loss, "to make it the golden: "].map(|text| shown.find(text));
        assert!(places.is_sorted() && places.iter().all(Option::is_some), "{shown}");
    }
    // A hash of the state covers it.
    let folder = guarded();
    folder.write("game.sh", GAME.replace(",\"sections\"", ",\"hash\":\"1\",\"sections\""));
    let shown = verify(&folder, "sh game.sh 0 0", &[]).exits(1).stdout();
    assert!(!shown.contains("would not cover"), "{shown}");
}

/// What the first run leaves out, tells less of or fails in is not made good by what another one tells.
#[test]
fn what_is_missing_of_a_run_that_was_asked_is_not_the_same() {
    let spoilt = |spoil: &str| {
        let folder = guarded();
        folder.write("spoil.sh", spoil);
        let ran = verify(&folder, "sh game.sh {from} {to} > out; sh spoil.sh", &["--format", "json"]);
        let (status, json) = (ran.status, ran.json());
        (status, json["first"]["step"].clone(), json["repeats"].clone(), json["notes"].to_string())
    };
    // The first run alone leaves a step out.
    let (status, step, repeats, notes) = spoilt("[ -f again ] && cat out || sed /.step.:2/d out; touch again");
    assert_eq!((status, step, repeats), (1, 2.into(), false.into()), "{notes}");
    // It tells the object without its field, which has a hash of its own: the golden has both.
    let folder = guarded();
    let with_hash = |log: &str| log.replace("\"fx\",", "\"fx\",\"hash\":\"7\",");
    folder.write("a.log", with_hash(&String::from_utf8(folder.read("a.log")).expect("a text")));
    let fields = "s/,.fields.:{.a.:[0-9]*}}]/}]/";
    let hashed = "s/.fx.,/\"fx\",\"hash\":\"7\",/";
    verify(&folder, &format!("sh game.sh {{from}} {{to}} | sed '{hashed}'"), &[]).exits(0);
    verify(&folder, &format!("sh game.sh {{from}} {{to}} | sed '{hashed};{fields}'"), &[]).exits(1);
    // It fails when it is asked.
    let (status, ..) = spoilt("head -3 out; exit 9");
    assert_eq!(status, 2);
}

/// However little the golden tells of such an object, it was asked for to be told.
#[test]
fn objects_told_by_a_hash_or_a_name_alone_are_asked_for() {
    let folder = guarded();
    let golden = String::from_utf8(folder.read("a.log")).expect("a text");
    for told in [",\"hash\":\"7\"", ""] {
        let sed = format!("s/\"fx\",\"fields\":{{\"a\":[0-9]*}}/\"fx\"{told}/");
        let log = (0..5).fold(golden.clone(), |log, step| {
            log.replace(&format!("\"fx\",\"fields\":{{\"a\":1{step}}}"), &format!("\"fx\"{told}"))
        });
        assert_ne!(log, golden);
        folder.write("a.log", log);
        verify(&folder, &format!("sh game.sh {{from}} {{to}} | sed '{sed}'"), &[]).exits(0);
        verify(&folder, "sh game.sh 0 0 # {from} {to}", &[]).exits(1);
    }
}

/// Of the steps that it was asked for the golden tells that there was nothing, too.
#[test]
fn a_spark_where_the_golden_lists_none_is_seen() {
    let folder = guarded();
    let golden = String::from_utf8(folder.read("a.log")).expect("a text");
    let spark = ",{\"name\":\"spark\",\"section\":\"fx\",\"fields\":{\"a\":12}}";
    assert!(golden.contains(spark), "{golden}");
    let ball = "{\"name\":\"ball\",\"section\":\"bodies\",\"fields\":{\"x\":2}}";
    folder.write("a.log", golden.replace(&format!("{ball}{spark}"), ""));
    verify(&folder, &format!("sh game.sh {{from}} {{to}} | sed 's/{ball}{spark}//'"), &[]).exits(0);
    verify(&folder, WINDOW, &[]).exits(1);
    // Nor were there any fields.
    folder.write("a.log", golden.replace("{\"x\":2}", "{}"));
    verify(&folder, "sh game.sh {from} {to} | sed 's/{.x.:2}/{}/'", &[]).exits(0);
    verify(&folder, WINDOW, &[]).exits(1);
}

#[test]
fn a_run_that_is_another_when_it_is_asked_is_said_to_be_in_one_sentence() {
    let folder = guarded();
    let hashes: String =
        (0..5).map(|step| format!("{{\"step\":{step},\"sections\":{{\"bodies\":\"{step}\"}}}}\n")).collect();
    folder.write("a.log", hashes);
    verify(&folder, WINDOW, &[]).exits(0);
    folder.write("shy", "");
    folder.write("wrong_from", "2");
    folder.write("game.sh", GAME.replace("a=9$step", "hash=9$step"));
    let json = verify(&folder, WINDOW, &["--format", "json"]).exits(1).json();
    let notes = json["notes"].to_string();
    let said = "asked for more of step 2, it comes out otherwise in step 0, although runs that were not asked for it are equal: asking for more \
                changes it, or it does not repeat";
    assert!(notes.contains(said), "{notes}");
    assert!(json["repeats"].is_null() && !notes.contains("it repeats"), "{json}");
}

/// The search for the race has to be asked for what shows it.
#[test]
fn a_race_that_no_hash_covers_is_one_and_the_command_that_is_proposed_finds_it() {
    let folder = guarded();
    folder.write("racy", "");
    let json = verify(&folder, WINDOW, &["--format", "json"]).exits(1).json();
    assert_eq!(json["repeats"], false, "{json}");
    let notes = json["notes"].to_string();
    assert!(notes.contains("next: physim bisect --exec 'sh game.sh 1 4' --axis repeat=20"), "{notes}");
    let found = physim(&folder, &["bisect", "--exec", "sh game.sh 1 4", "--axis", "repeat=3", "--format", "json"]);
    assert_eq!(found.exits(1).json()["first"]["object"], "spark");
}

/// A golden that tells all, and a program that tells it in the step that it is asked for.
fn asked_for_all(now: &str) -> Folder {
    let folder = Folder::new();
    let line = |step: u32| {
        let objects =
            ["p", "q"].map(|name| format!("{{\"name\":\"{name}\",\"fields\":{{\"x\":{step},\"y\":{step}}}}}"));
        format!("{{\"step\":{step},\"hash\":\"{step}\",\"objects\":[{}]}}\n", objects.join(","))
    };
    folder.write("a.log", (0..4).map(line).collect::<String>());
    folder.write("now.log", now);
    folder.write("game.sh", "if [ $1 -gt 0 ]; then cat now.log; else sed 's/,\"objects.*/}/' now.log; fi");
    folder
}

#[test]
fn an_order_is_named_by_the_run_that_was_asked_for_it() {
    let folder = asked_for_all("");
    let full = String::from_utf8(folder.read("a.log")).expect("a text");
    let turned = "{\"step\":2,\"hash\":\"9\",\"objects\":[{\"name\":\"q\",\"fields\":{\"x\":2,\"y\":2}},{\"name\":\"p\",\"fields\":{\"x\":2,\"y\":2}}]}";
    let lines: Vec<&str> = full.lines().map(|line| if line.contains("\"step\":2") { turned } else { line }).collect();
    folder.write("now.log", lines.join("\n") + "\n");
    let json = verify(&folder, WINDOW, &["--format", "json"]).exits(1).json();
    let order = &json["first"]["order"];
    assert_eq!((&order["place"], &order["a"], &order["b"]), (&0.into(), &"p".into(), &"q".into()), "{json}");
    assert!(!json["notes"].to_string().contains("no object can be named"), "{json}");
}

/// `first` is that of `diff`, with as many fields.
#[test]
fn the_first_difference_is_that_of_diff() {
    let folder = asked_for_all("");
    let full = String::from_utf8(folder.read("a.log")).expect("a text");
    folder.write(
        "now.log",
        full.replace("\"hash\":\"2\"", "\"hash\":\"9\"").replace("\"x\":2,\"y\":2", "\"x\":7,\"y\":8"),
    );
    let verified = verify(&folder, WINDOW, &["--format", "json"]).exits(1).json();
    let diff = physim(&folder, &["diff", "a.log", "now.log", "--format", "json"]).exits(1).json();
    assert_eq!(verified["first"], diff["first"]);
    assert_eq!(diff["first"]["fields"].as_array().map(Vec::len), Some(4), "{diff}");
}

/// What a run tells that was asked for a step in which it tells nothing is no detail of that step.
#[test]
fn of_a_step_that_is_left_out_there_is_no_detail() {
    let folder = asked_for_all("");
    let full = String::from_utf8(folder.read("a.log")).expect("a text");
    let without: String =
        full.lines().filter(|line| !line.contains("\"step\":2")).map(|line| format!("{line}\n")).collect();
    folder.write("now.log", without);
    let shown = verify(&folder, WINDOW, &["--new-dir", "new"]).exits(1).stdout();
    assert!(shown.contains("asked for more of step 2, it tells nothing of that step either"), "{shown}");
    assert!(!folder.path("new/a.log.detail").exists() && !shown.contains("physim diff"), "{shown}");
}
