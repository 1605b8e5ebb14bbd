//! `plot` draws runs over time, from replays and from tables; `run --energy` writes the table while it runs.

use std::io::Read;

use crate::support::folder::Folder;
use crate::support::program::{command, physim, physim_with_input};
use crate::support::scenes::{DROP, ESCAPE, FLIGHT};

/// A folder with a recorded run of a dropping ball and its energies.
fn drop_run() -> Folder {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    physim(&folder, &["run", "drop.ron", "-o", "drop.mcap", "--energy", "drop.csv"]).exits(0);
    folder
}

fn text(folder: &Folder, name: &str) -> String {
    String::from_utf8(folder.read(name)).expect("a text")
}

/// The texts of an SVG, and every tag in order; fails where it is no XML of nested elements.
fn parsed(svg: &str) -> (Vec<String>, usize) {
    let (mut open, mut texts, mut paths) = (Vec::new(), Vec::new(), 0);
    let mut reader = quick_xml::Reader::from_str(svg);
    reader.config_mut().check_end_names = true;
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error}: {svg}")) {
            quick_xml::events::Event::Start(tag) => open.push(tag.name().as_ref().to_vec()),
            quick_xml::events::Event::End(_) => {
                open.pop().expect("an element that was begun");
            }
            quick_xml::events::Event::Empty(tag) => paths += usize::from(tag.name().as_ref() == b"path"),
            quick_xml::events::Event::Text(text) => texts.push(String::from_utf8_lossy(&text).into_owned()),
            quick_xml::events::Event::GeneralRef(name) => texts.push(format!("&{};", String::from_utf8_lossy(&name))),
            quick_xml::events::Event::Eof => break,
            _ => {}
        }
    }
    assert!(open.is_empty(), "every element ends");
    (texts, paths)
}

#[test]
fn run_writes_the_energies_that_export_writes() {
    let folder = drop_run();
    physim(&folder, &["export", "drop.mcap", "-o", "exported.csv", "--format", "energy"]).exits(0);
    assert_eq!(text(&folder, "drop.csv"), text(&folder, "exported.csv"));
    assert_eq!(text(&folder, "drop.csv").lines().count(), 42);
    let streamed = physim(&folder, &["run", "drop.ron", "--energy", "-"]).exits(0);
    assert_eq!(streamed.bytes, folder.read("drop.csv"));
    assert!(streamed.stderr.contains("final hash"));
    // Beside a hash log and a trace nothing changes.
    let arguments = ["run", "drop.ron", "--energy", "both.csv", "--hash-log", "both.jsonl", "--trace", "3..4"];
    physim(&folder, &arguments).exits(0);
    assert_eq!(folder.read("both.csv"), folder.read("drop.csv"));
    assert!(text(&folder, "both.jsonl").lines().count() > 41);
}

#[test]
fn the_energies_go_where_nothing_else_goes() {
    let folder = drop_run();
    for other in [["--hash-log", "-"], ["-o", "-"]] {
        let arguments = [&["run", "drop.ron", "--energy", "-"][..], &other].concat();
        let ran = physim(&folder, &arguments).exits(2);
        assert!(ran.stderr.contains("cannot both go to standard output"), "{}", ran.stderr);
    }
    let ran = physim(&folder, &["run", "drop.ron", "--energy", "a", "-o", "a"]).exits(2);
    assert!(ran.stderr.contains("name two files"), "{}", ran.stderr);
    let paths = ["a.trace", "./a.trace"];
    let named: [&[&str]; 2] = [&["-o", "a.mcap", "--trace", "1..2"], &["--trace", "1..2", "--trace-output", "a.trace"]];
    for (path, more) in paths.iter().flat_map(|path| named.iter().map(move |more| (path, more))) {
        let ran = physim(&folder, &[&["run", "drop.ron", "--energy", path][..], more].concat()).exits(2);
        assert!(ran.stderr.contains("cannot take both the energies and the trace"), "{}", ran.stderr);
    }
    assert!(folder.names().iter().all(|name| !name.ends_with(".partial")), "{:?}", folder.names());
    let ran = physim(&folder, &["run", "drop.ron", "--energy", "drop.ron"]).exits(2);
    assert!(ran.stderr.contains("is not a table of energies"), "{}", ran.stderr);
    assert_eq!(text(&folder, "drop.ron"), DROP);
    physim(&folder, &["run", "drop.ron", "--energy", "drop.csv", "--steps", "2"]).exits(0);
    assert_eq!(text(&folder, "drop.csv").lines().count(), 4, "an older table is replaced");
}

#[test]
fn a_run_that_stops_leaves_the_energies_up_to_there() {
    let folder = Folder::new();
    folder.write("escape.ron", ESCAPE);
    physim(&folder, &["run", "escape.ron", "--energy", "escape.csv"]).exits(2);
    assert_eq!(text(&folder, "escape.csv").lines().count(), 10, "steps 0 to 8");
}

#[test]
fn json_tells_overrides_and_threads() {
    let folder = drop_run();
    let arguments = ["run", "drop.ron", "--set", "solver.iterations=8", "--threads", "2", "--format", "json"];
    let told = physim(&folder, &arguments).exits(0).json();
    assert_eq!(told["overrides"], serde_json::json!(["solver.iterations=8"]));
    assert_eq!(told["threads"], 2);
}

#[test]
fn a_replay_and_its_table_give_the_same_picture() {
    let folder = drop_run();
    physim(&folder, &["plot", "drop.mcap", "-o", "replay.svg"]).exits(0);
    physim(&folder, &["plot", "drop.csv", "-o", "table.svg"]).exits(0);
    let svg = text(&folder, "replay.svg");
    assert_eq!(svg, text(&folder, "table.svg"));
    let (texts, _) = parsed(&svg);
    for label in ["kinetic energy", "potential energy", "total energy", "time (s)"] {
        assert!(texts.iter().any(|text| text == label), "{label}: {texts:?}");
    }
    let piped = physim_with_input(&folder, &["plot", "-", "-o", "-"], &folder.read("drop.mcap")).exits(0);
    assert!(piped.stdout().starts_with("<svg") && piped.stdout().ends_with("</svg>\n"));
    assert!(piped.stderr.contains("3 lines in 1 panel"), "{}", piped.stderr);
    // Bodies, from a replay and from the table that export writes.
    physim(&folder, &["export", "drop.mcap", "-o", "bodies.csv"]).exits(0);
    for (input, output) in [("drop.mcap", "a.svg"), ("bodies.csv", "b.svg")] {
        physim(&folder, &["plot", input, "-o", output, "--what", "y,speed", "--body", "b*"]).exits(0);
    }
    // Fixed point is exact in the table and the nearest number in the replay's: a hundredth of a pixel hides that.
    assert_eq!(text(&folder, "a.svg").replace("drop", "bodies"), text(&folder, "b.svg"));
    let (texts, _) = parsed(&text(&folder, "a.svg"));
    assert!(texts.contains(&"position y (m)".to_owned()) && texts.contains(&"speed (m/s)".to_owned()), "{texts:?}");
}

#[test]
fn runs_are_laid_over_each_other_and_told_apart() {
    let folder = drop_run();
    std::fs::create_dir(folder.path("runs")).expect("a folder");
    for n in 1..=9 {
        let (set, output) = (format!("gravity.1=-{n}"), format!("runs/g{n}.csv"));
        physim(&folder, &["run", "drop.ron", "--set", &set, "--energy", &output]).exits(0);
    }
    let inputs: Vec<String> = (1..=9).map(|n| format!("runs/g{n}.csv")).collect();
    let mut arguments = vec!["plot", "-o", "runs.svg", "--what", "total,overlap", "--x", "step"];
    arguments.extend(inputs.iter().map(String::as_str));
    let told = physim(&folder, &arguments).exits(0).stdout();
    assert!(told.contains("18 lines in 2 panels"), "{told}");
    let svg = text(&folder, "runs.svg");
    let (texts, _) = parsed(&svg);
    for n in 1..=9 {
        assert_eq!(texts.iter().filter(|text| **text == format!("g{n}")).count(), 1, "one legend: {texts:?}");
    }
    assert!(svg.contains("stroke-dasharray"), "more lines than colours have dashes");
}

#[test]
fn names_with_markup_are_texts() {
    let folder = Folder::new();
    let name = r#"<b>&\"x\"</b><script>alert(1)</script>, it"#;
    folder.write("a.ron", FLIGHT.replace("\"ball\"", &format!("\"{name}\"")));
    physim(&folder, &["run", "a.ron", "-o", "<a>&'.mcap", "--energy", "b.csv"]).exits(0);
    let title = "</title><script>alert(2)</script>";
    let arguments = ["plot", "<a>&'.mcap", "-o", "a.svg", "--what", "speed", "--title", title];
    physim(&folder, &arguments).exits(0);
    let svg = text(&folder, "a.svg");
    let (texts, _) = parsed(&svg);
    assert!(!svg.contains("<script") && svg.contains("&lt;script&gt;"), "{svg}");
    assert!(texts.concat().contains("&lt;b&gt;&amp;&quot;x&quot;"), "{texts:?}");
    physim(&folder, &["plot", "<a>&'.mcap", "b.csv", "-o", "both.svg"]).exits(0);
    parsed(&text(&folder, "both.svg"));
}

#[test]
fn what_a_log_axis_cannot_show_is_counted() {
    let folder = Folder::new();
    folder.write("a.csv", "step,time,total,kinetic\n0,0,1,NaN\n1,1,0,NaN\n2,2,-5,1\n3,3,100,2\n4,4,,3\n");
    let told = physim(&folder, &["plot", "a.csv", "-o", "a.svg", "--what", "total", "--log", "y"]).exits(0).stdout();
    assert!(told.contains("2 points at or below 0 left out"), "{told}");
    assert!(told.contains("1 point left out, whose value is not a finite number"), "{told}");
    let told = physim(&folder, &["plot", "a.csv", "-o", "a.svg", "--what", "total", "--log", "x"]).exits(0).stdout();
    assert!(told.contains("1 point at or below 0 left out"), "{told}");
    let (_, paths) = parsed(&text(&folder, "a.svg"));
    assert!(paths > 0);
}

#[test]
fn odd_series_have_pictures_too() {
    let folder = Folder::new();
    let tables = [
        ("one point", "step,time,total\n0,0,5\n"),
        ("constant", "step,time,total\n0,0,5\n1,1,5\n"),
        ("zero", "step,time,total\n0,0,0\n1,1,0\n"),
        ("none finite", "step,time,total\n0,0,NaN\n1,1,inf\n"),
        ("huge", "step,time,total\n0,0,1e308\n1,1,-1e308\n"),
        ("tiny", "step,time,total\n0,0,1e-308\n1,1,3e-308\n"),
        ("near", "step,time,total\n0,0,1234567.1\n1,1,1234567.1000001\n"),
    ];
    for (name, table) in tables {
        folder.write("a.csv", table);
        for log in [&[][..], &["--log", "xy"]] {
            let arguments = [&["plot", "a.csv", "-o", "a.svg", "--what", "total"][..], log].concat();
            physim(&folder, &arguments).exits(0);
            let svg = text(&folder, "a.svg");
            parsed(&svg);
            let is_number = |text: &str| !text.contains("NaN") && !text.contains("inf\"");
            assert!(svg.lines().filter(|line| !line.contains("<title")).all(is_number), "{name}: {svg}");
        }
    }
    folder.write("a.csv", "step,time,total\n");
    let ran = physim(&folder, &["plot", "a.csv", "-o", "a.svg"]).exits(2);
    assert!(ran.stderr.contains("no column `kinetic`"), "{}", ran.stderr);
}

#[test]
fn long_runs_are_thinned_and_keep_their_peaks() {
    let folder = Folder::new();
    let mut table = "step,time,total\n".to_owned();
    for step in 0..100_000 {
        let value = if step == 77_777 { "1000" } else { "1" };
        table.push_str(&format!("{step},{},{value}\n", f64::from(step) / 60.0));
    }
    folder.write("long.csv", &table);
    let told = physim(&folder, &["plot", "long.csv", "-o", "long.svg", "--what", "total"]).exits(0).stdout();
    assert!(told.contains("100 000 points drawn as"), "{told}");
    let svg = text(&folder, "long.svg");
    assert!(svg.len() < 100_000, "{} bytes", svg.len());
    let line = svg.lines().find(|line| line.contains("stroke-width=\"1.5\"")).expect("a line");
    let heights = line.split(['L', 'M', '"']).filter_map(|point| point.split_once(' ')?.1.parse::<f64>().ok());
    let (low, high) = heights.fold((f64::INFINITY, 0.0), |(low, high), y| (y.min(low), y.max(high)));
    assert!(high - low > 200.0, "the peak stands far above the rest: {low} to {high}");
}

#[test]
fn what_cannot_be_drawn_is_a_usage_error() {
    let folder = drop_run();
    folder.write("notes.txt", "mine");
    folder.write("notes.svg", "mine");
    folder.write("empty.csv", "");
    physim(&folder, &["export", "drop.mcap", "-o", "bodies.csv"]).exits(0);
    folder.write("sweep.csv", "run,sweep,seed\n");
    physim(&folder, &["export", "drop.mcap", "-o", "foxglove.mcap"]).exits(0);
    let cases: [(&[&str], &str); 18] = [
        (&["drop.mcap", "-o", "a.png"], "rsvg-convert -z 2 a.svg -o a.png"),
        (&["drop.mcap", "-o", "a.zz"], "a.zz: pictures are written as SVG, in a file that ends in .svg; write a.svg"),
        (&["drop.mcap", "-o", "a"], "write a.svg"),
        (
            &["drop.mcap", "-o", "a.svg", "--body", "ball", "--body", "bx"],
            "--body bx: drop.mcap has no such body; did you mean \"box\"?",
        ),
        (&["bodies.csv", "-o", "a.svg", "--body", "ball", "--body", "bx"], "--body bx: no row is of"),
        (&["drop.mcap", "-o", "a.svg", "--what", "energy"], "there is no `energy`; there are kinetic"),
        (&["drop.mcap", "-o", "a.svg", "--what", "speed", "--body", "bll"], "no such body; did you mean \"ball\"?"),
        (&["drop.ron", "-o", "a.svg"], "this is a scene; record it first"),
        (&["sweep.csv", "-o", "a.svg"], "this is the table of a sweep"),
        (&["drop.mcap", "-o", "a.svg", "--what", "total", "--body", "ball"], "--body: nothing of what is to be drawn"),
        (&["drop.csv", "-o", "a.svg", "--what", "speed"], "it has no bodies"),
        (&["drop.mcap", "-o", "a.svg", "--steps", "50..60"], "drop.mcap: there is no step 50"),
        (&["drop.mcap", "-o", "a.svg", "--steps", "30..60"], "drop.mcap: there is no step 60"),
        (&["drop.csv", "-o", "a.svg", "--steps", "30..60"], "drop.csv: there is no step 60"),
        (&["notes.txt", "-o", "a.svg"], "no replay, and there is no column"),
        (&["none.mcap", "-o", "a.svg"], "there is no such file"),
        (&["drop.mcap", "-o", "notes.svg"], "notes.svg exists and is not a picture in SVG"),
        (&["-", "-", "-o", "a.svg"], "only one of the files can be standard input"),
    ];
    for (arguments, answer) in cases {
        let ran = physim(&folder, &[&["plot"], arguments].concat()).exits(2);
        assert!(ran.stderr.contains(answer), "{arguments:?}: {}", ran.stderr);
    }
    for (input, answer) in [("empty.csv", "it is empty"), ("foxglove.mcap", "no replay of physim")] {
        let ran = physim(&folder, &["plot", input, "-o", "a.svg"]).exits(3);
        assert!(ran.stderr.contains(answer), "{input}: {}", ran.stderr);
        let piped = physim_with_input(&folder, &["plot", "-", "-o", "a.svg"], &folder.read(input)).exits(3);
        assert!(piped.stderr.contains(answer), "{input}: {}", piped.stderr);
    }
    for command in [&["show"][..], &["view"], &["export", "-o", "a.csv"]] {
        let ran = physim(&folder, &[command, &["foxglove.mcap"]].concat()).exits(3);
        assert!(ran.stderr.contains("an export for Foxglove, say"), "{}", ran.stderr);
    }
    assert!(!folder.names().contains(&"a.svg".to_owned()));
}

#[test]
fn steps_are_chosen_as_for_the_other_commands() {
    let folder = drop_run();
    let drawn = |input: &str, steps: &str| {
        physim(&folder, &["plot", input, "-o", "a.svg", "--steps", steps, "--what", "total"]).exits(0);
        text(&folder, "a.svg")
    };
    for (steps, same) in [("..5", "0..5"), ("30..", "30..40"), ("30..last", "30..40")] {
        assert_eq!(drawn("drop.mcap", steps), drawn("drop.mcap", same), "{steps}");
        assert_eq!(drawn("drop.csv", steps), drawn("drop.mcap", same), "{steps}");
    }
    assert_ne!(drawn("drop.csv", "..5"), drawn("drop.csv", "..6"));
}

#[test]
fn a_run_that_stopped_is_drawn_with_a_note() {
    let folder = Folder::new();
    folder.write("escape.ron", ESCAPE);
    physim(&folder, &["run", "escape.ron", "-o", "escape.mcap"]).exits(2);
    let ran = physim(&folder, &["plot", "escape.mcap", "-o", "a.svg"]).exits(0);
    assert!(ran.stderr.contains("warning: escape.mcap: the run itself stopped on an error: "), "{}", ran.stderr);
    let (texts, _) = parsed(&text(&folder, "a.svg"));
    let note = "escape: the run stopped on an error after step ";
    assert!(texts.iter().any(|text| text.starts_with(note)), "{texts:?}");
}

#[test]
fn what_a_file_says_stays_on_the_line_that_quotes_it() {
    let folder = drop_run();
    folder.write("a.csv", "step,time,\"\u{1b}[2Jx\r\n::error::forged\"\n0,0,1\n");
    let ran = physim(&folder, &["plot", "a.csv", "-o", "a.svg", "--what", "total"]).exits(2);
    assert!(ran.stderr.contains("\\r\\n::error::forged"), "{}", ran.stderr);
    assert!(!ran.stderr.contains('\u{1b}') && ran.stderr.lines().count() == 1, "{}", ran.stderr);
}

#[test]
fn a_damaged_replay_is_drawn_as_far_as_it_is_sound() {
    let folder = drop_run();
    let bytes = folder.read("drop.mcap");
    folder.write("cut.mcap", &bytes[..bytes.len() * 2 / 3]);
    let ran = physim(&folder, &["plot", "cut.mcap", "-o", "cut.svg"]).exits(3);
    assert!(ran.stderr.contains("is damaged"), "{}", ran.stderr);
    let (texts, _) = parsed(&text(&folder, "cut.svg"));
    assert!(texts.iter().any(|text| text.starts_with("cut: the replay is damaged; the steps 0 to ")), "{texts:?}");
}

#[test]
fn a_reader_that_goes_away_ends_the_command_quietly() {
    let folder = drop_run();
    let mut child = command(&folder, &["run", "drop.ron", "--steps", "20000", "--energy", "-"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_exact(&mut [0; 10]).expect("the first bytes");
    drop(stdout);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!told.contains("panicked") && !told.contains("error"), "{told}");
}

#[test]
fn each_body_that_is_asked_for_is_a_line_of_its_own() {
    let folder = drop_run();
    physim(&folder, &["export", "drop.mcap", "-o", "drop-bodies.csv"]).exits(0);
    let bodies = ["--what", "y", "--body", "ball", "--body", "b?x"];
    for (input, output) in [("drop.mcap", "a.svg"), ("drop-bodies.csv", "b.svg")] {
        let told = physim(&folder, &[&["plot", input, "-o", output][..], &bodies].concat()).exits(0).stdout();
        assert!(told.contains("2 lines in 1 panel"), "{told}");
        let (texts, _) = parsed(&text(&folder, output));
        let entries = |name: &str| texts.iter().filter(|text| *text == name).count();
        assert_eq!((entries("ball"), entries("box"), entries("floor")), (1, 1, 0), "{texts:?}");
    }
}

#[test]
fn an_overlap_and_a_position_have_panels_of_their_own() {
    let folder = drop_run();
    let arguments = ["plot", "drop.mcap", "-o", "a.svg", "--what", "overlap,position.y,contacts,bodies"];
    let told = physim(&folder, &arguments).exits(0).stdout();
    assert!(told.contains("in 3 panels"), "{told}");
    let (texts, _) = parsed(&text(&folder, "a.svg"));
    for axis in ["largest overlap (", "position y (m)", "count"] {
        assert!(texts.iter().any(|text| text.starts_with(axis)), "{axis}: {texts:?}");
    }
}

#[test]
fn a_table_of_bodies_is_drawn_with_their_speeds() {
    let folder = drop_run();
    physim(&folder, &["export", "drop.mcap", "-o", "bodies.csv"]).exits(0);
    physim(&folder, &["plot", "bodies.csv", "-o", "a.svg"]).exits(0);
    let (texts, _) = parsed(&text(&folder, "a.svg"));
    assert!(texts.contains(&"speed (m/s)".to_owned()), "{texts:?}");
}
