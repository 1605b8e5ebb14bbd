//! `sweep` runs every combination of settings, can be interrupted, shared and joined, and says the same each time.

use serde_json::Value;

use crate::support::folder::Folder;
use crate::support::program::{physim, physim_with_input};
use crate::support::scenes::{DROP, ESCAPE};

/// The sweep that most tests make: six runs.
const SETTINGS: [&str; 4] = ["--set", "solver.iterations=1,4,8", "--set", "scalar=Fixed,f32"];

fn drop_folder() -> Folder {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    folder
}

fn sweep<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["sweep", "drop.ron"][..], &SETTINGS, more].concat()
}

fn text(folder: &Folder, name: &str) -> String {
    String::from_utf8(folder.read(name)).expect("a text")
}

/// The rows of a table without their last column, the time.
fn results(table: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(table.as_bytes());
    let rows = reader.records().map(|record| record.expect("a row"));
    rows.map(|row| row.iter().take(row.len() - 1).map(str::to_owned).collect()).collect()
}

fn cell<'a>(rows: &'a [Vec<String>], row: usize, column: &str) -> &'a str {
    let place = rows[0].iter().position(|name| name == column).unwrap_or_else(|| panic!("a column {column}"));
    &rows[row + 1][place]
}

#[test]
fn every_combination_is_a_row_with_the_results_of_its_run() {
    let folder = drop_folder();
    let table = physim(&folder, &sweep(&["--format", "csv", "--body", "b*"])).exits(0).stdout();
    let rows = results(&table);
    assert_eq!(rows.len(), 7);
    for (run, (iterations, scalar)) in
        [("1", "fixed"), ("1", "f32"), ("4", "fixed"), ("4", "f32"), ("8", "fixed"), ("8", "f32")]
            .into_iter()
            .enumerate()
    {
        assert_eq!(cell(&rows, run, "run"), run.to_string());
        assert_eq!(cell(&rows, run, "solver.iterations"), iterations);
        let set = format!("solver.iterations={iterations}");
        let arguments = [
            "run", "drop.ron", "--set", &set, "--scalar", scalar, "--format", "json", "--energy", "e.csv", "-o",
            "r.mcap",
        ];
        let ran = physim(&folder, &arguments).exits(0).json();
        assert_eq!(Value::from(cell(&rows, run, "hash")), ran["hash"]);
        let number = |column: &str| cell(&rows, run, column).parse::<f64>().expect("a number");
        // The rest follows from the table of energies and from that of the bodies.
        let energies = text(&folder, "e.csv");
        let mut energies = csv::Reader::from_reader(energies.as_bytes());
        let of = |record: &csv::StringRecord, place: usize| record[place].parse::<f64>().expect("a number");
        let energies: Vec<csv::StringRecord> = energies.records().map(|record| record.expect("a row")).collect();
        let totals: Vec<f64> = energies.iter().map(|record| of(record, 7)).collect();
        let (start, end) = (totals[0], totals[totals.len() - 1]);
        let departure = totals.iter().fold(0.0_f64, |most, total| most.max((total - start).abs()));
        let overlap = energies.iter().fold(0.0_f64, |most, record| most.max(of(record, 14)));
        assert_eq!(
            (number("energy_drift"), number("energy_drift_relative")),
            (end - start, (end - start) / start.abs())
        );
        assert_eq!((number("energy_departure"), number("largest_overlap")), (departure, overlap));
        physim(&folder, &["export", "r.mcap", "-o", "b.csv", "--body", "ball"]).exits(0);
        let bodies = text(&folder, "b.csv");
        let bodies: Vec<Vec<f64>> = csv::Reader::from_reader(bodies.as_bytes())
            .records()
            .map(|record| record.expect("a row").iter().skip(3).map(|cell| cell.parse().expect("a number")).collect())
            .collect();
        let (first, last) = (&bodies[0], &bodies[bodies.len() - 1]);
        let squares = |numbers: [f64; 3]| numbers.iter().map(|number| number * number).sum::<f64>().sqrt();
        let drift = squares([0, 1, 2].map(|axis| last[axis] - first[axis]));
        // The table of bodies has the shortest decimals that tell f32 apart: seven digits.
        assert!((number("drift[ball]") - drift).abs() < 1e-6);
        assert!((number("speed[ball]") - squares([last[7], last[8], last[9]])).abs() < 1e-6);
        assert_eq!(cell(&rows, run, "stopped"), "");
    }
}

#[test]
fn the_order_and_the_results_do_not_depend_on_how_many_run_at_once() {
    let folder = drop_folder();
    let one = physim(&folder, &sweep(&["--format", "csv", "--jobs", "1"])).exits(0).stdout();
    let many = physim(&folder, &sweep(&["--format", "csv", "--threads", "5"])).exits(0).stdout();
    assert_eq!(results(&one), results(&many));
    let json = physim(&folder, &sweep(&["--format", "json"])).exits(0).stdout();
    for (run, line) in json.lines().enumerate() {
        let row: Value = serde_json::from_str(line).expect("an object");
        assert_eq!((&row["schema"], &row["run"]), (&1.into(), &run.into()));
        assert_eq!(row["hash"], cell(&results(&one), run, "hash"));
        assert!(row["solver.iterations"].is_number() && row["scalar"].is_string() && row["stopped"].is_null(), "{row}");
    }
    let shown = physim(&folder, &sweep(&[])).exits(0).stdout();
    assert_eq!(shown.lines().count(), 7, "{shown}");
    assert!(shown.contains(&cell(&results(&one), 3, "hash")[..12]), "{shown}");
}

#[test]
fn an_interrupted_sweep_goes_on_and_ends_with_the_same_bytes() {
    let folder = drop_folder();
    for (name, format) in [("all.csv", "csv"), ("all.jsonl", "json")] {
        physim(&folder, &sweep(&["-o", name])).exits(0);
        let whole = folder.read(name);
        let lines = whole.split_inclusive(|byte| *byte == b'\n').count();
        let rows = lines - usize::from(format == "csv");
        assert_eq!(rows, 6);
        for cut in [0, 1, 5, 60, whole.len() / 2, whole.len() - 1] {
            folder.write(name, &whole[..cut]);
            physim(&folder, &sweep(&["-o", name])).exits(0);
            let again = folder.read(name);
            // What was whole stays, byte by byte; the rest comes to the same but for the time.
            let kept = whole[..cut].iter().rposition(|byte| *byte == b'\n').map_or(0, |place| place + 1);
            assert_eq!(again[..kept], whole[..kept], "{name} cut at {cut}");
            if format == "csv" {
                assert_eq!(results(&text(&folder, name)), results(&String::from_utf8_lossy(&whole)), "cut at {cut}");
            } else {
                assert_eq!(text(&folder, name).lines().count(), 6, "cut at {cut}");
            }
        }
        folder.write(name, &whole);
        let told = physim(&folder, &sweep(&["-o", name])).exits(0).stdout();
        assert_eq!(folder.read(name), whole, "nothing is run twice");
        assert!(told.contains("6 of them from before"), "{told}");
    }
}

#[test]
fn files_of_others_are_not_gone_on_with() {
    let folder = drop_folder();
    physim(&folder, &sweep(&["-o", "all.csv"])).exits(0);
    let whole = text(&folder, "all.csv");
    let other = ["sweep", "drop.ron", "--set", "solver.iterations=1,4", "--set", "scalar=Fixed,f32", "-o", "all.csv"];
    let refused = |arguments: &[&str], answer: &str| {
        let ran = physim(&folder, arguments).exits(2);
        assert!(ran.stderr.contains(answer) && ran.stderr.contains("--force"), "{arguments:?}: {}", ran.stderr);
    };
    refused(&other, "belongs to another sweep");
    refused(&sweep(&["-o", "all.csv", "--body", "ball"]), "belongs to another sweep");
    refused(&sweep(&["-o", "all.csv", "--shard", "2/2"]), "rows of another shard");
    refused(&sweep(&["-o", "all.csv", "--format", "json"]), "in the other format");
    assert_eq!(text(&folder, "all.csv"), whole);
    folder.write("notes.csv", "step,time\n0,1\n");
    refused(&sweep(&["-o", "notes.csv"]), "is not a table of a sweep");
    folder.write("half.csv", "mine");
    refused(&sweep(&["-o", "half.csv"]), "is not a table of a sweep");
    folder.write("bad.csv", whole.replacen(",Fixed,", ",f32,", 1));
    refused(&sweep(&["-o", "bad.csv"]), "line 2: run 0 of this sweep has other settings");
    assert_eq!((text(&folder, "notes.csv").as_str(), text(&folder, "half.csv").as_str()), ("step,time\n0,1\n", "mine"));
    physim(&folder, &sweep(&["-o", "half.csv", "--force"])).exits(0);
    assert_eq!(results(&text(&folder, "half.csv")), results(&whole));
    // Not even --force writes over the scene.
    let ran = physim(&folder, &sweep(&["-o", "drop.ron", "--force", "--format", "csv"])).exits(2);
    assert!(ran.stderr.contains("is what this command reads"), "{}", ran.stderr);
}

#[test]
fn shards_joined_are_the_whole() {
    let folder = drop_folder();
    let whole = physim(&folder, &sweep(&["--format", "csv"])).exits(0).stdout();
    // More shards than runs: the last ones are empty.
    for count in [1, 4, 9] {
        let parts = format!("parts{count}");
        std::fs::create_dir(folder.path(&parts)).expect("a folder");
        let mut runs = 0;
        for index in 1..=count {
            let ending = if index % 2 == 0 { "jsonl" } else { "csv" };
            let (shard, output) = (format!("{index}/{count}"), format!("{parts}/{index}.{ending}"));
            physim(&folder, &sweep(&["--shard", &shard, "-o", &output])).exits(0);
            runs += text(&folder, &output).lines().filter(|line| !line.starts_with("run,")).count();
        }
        assert_eq!(runs, 6, "no run twice, none left out");
        let joined = physim(&folder, &sweep(&["--merge", &parts, "--format", "csv"])).exits(0).stdout();
        assert_eq!(results(&joined), results(&whole));
        physim(&folder, &sweep(&["--merge", &parts, "-o", &format!("{parts}/all.csv")])).exits(0);
        physim(&folder, &sweep(&["--merge", &parts, "-o", &format!("{parts}/all.csv")])).exits(0);
        assert_eq!(text(&folder, &format!("{parts}/all.csv")), joined);
    }
}

#[test]
fn joining_says_what_is_missing_foreign_or_contradictory() {
    let folder = drop_folder();
    physim(&folder, &sweep(&["--shard", "1/3", "-o", "1.csv"])).exits(0);
    let ran = physim(&folder, &sweep(&["--merge", "1.csv", "--format", "csv"])).exits(1);
    assert!(ran.stderr.contains("4 runs are missing of 6: 1..2, 4..5"), "{}", ran.stderr);
    assert_eq!(ran.stdout().lines().count(), 3);
    let part = text(&folder, "1.csv");
    folder.write("cut.csv", &part[..part.len() - 5]);
    let ran = physim(&folder, &sweep(&["--merge", "cut.csv", "--format", "csv"])).exits(1);
    assert!(ran.stderr.contains("5 runs are missing"), "{}", ran.stderr);
    // The same run with another result: two builds that do not agree, say.
    let hash = cell(&results(&part), 0, "hash").to_owned();
    folder.write("other.csv", part.replace(&hash, &"0".repeat(64)));
    let ran = physim(&folder, &sweep(&["--merge", "1.csv", "other.csv"])).exits(2);
    let zeros = "0".repeat(64);
    let told = format!(
        "run 0 has other results in 1.csv than in other.csv: `hash` is {hash} in 1.csv, and {zeros} in other.csv"
    );
    assert!(ran.stderr.contains(&told), "{}", ran.stderr);
    physim(&folder, &["sweep", "drop.ron", "--set", "seed=1,2", "-o", "foreign.csv"]).exits(0);
    let ran = physim(&folder, &sweep(&["--merge", "1.csv", "foreign.csv"])).exits(2);
    assert!(ran.stderr.contains("foreign.csv: it belongs to another sweep"), "{}", ran.stderr);
    let ran = physim(&folder, &sweep(&["--merge", "none.csv"])).exits(2);
    assert!(ran.stderr.contains("none.csv: cannot read it"), "{}", ran.stderr);
    // A table that has more than the parts loses nothing, unless that is wanted.
    physim(&folder, &sweep(&["-o", "full.csv"])).exits(0);
    let full = results(&text(&folder, "full.csv"));
    let ran = physim(&folder, &sweep(&["--merge", "1.csv", "-o", "full.csv"])).exits(0);
    assert!(ran.stderr.contains("4 rows kept"), "{}", ran.stderr);
    assert_eq!(results(&text(&folder, "full.csv")), full);
    physim(&folder, &sweep(&["--merge", "1.csv", "-o", "full.csv", "--force"])).exits(1);
    assert_eq!(results(&text(&folder, "full.csv")).len(), 3);
}

#[test]
fn a_run_that_stops_is_a_result() {
    let folder = Folder::new();
    folder.write("escape.ron", ESCAPE);
    let arguments = ["sweep", "escape.ron", "--set", "bounds.position=8.5,100", "--body", "ball", "--format", "csv"];
    let ran = physim(&folder, &arguments).exits(0);
    let rows = results(&ran.stdout());
    assert!(cell(&rows, 0, "stopped").contains("ball"), "{rows:?}");
    assert_eq!((cell(&rows, 0, "steps_taken"), cell(&rows, 1, "steps_taken")), ("8", "12"));
    assert_eq!((cell(&rows, 0, "drift[ball]"), cell(&rows, 1, "drift[ball]")), ("8.0", "12.0"));
    assert_eq!(cell(&rows, 1, "stopped"), "");
    assert!(ran.stderr.contains("1 run ended with an error"), "{}", ran.stderr);
}

#[test]
fn wrong_settings_are_all_told_before_anything_runs() {
    let folder = drop_folder();
    let arguments = ["--set", "solver.iters=1,2", "--set", "steps=1,many", "--set", "gravity.7=1", "-o", "none.csv"];
    let ran = physim(&folder, &[&["sweep", "drop.ron"][..], &arguments].concat()).exits(2);
    for part in ["unknown key `iters`", "many", "`7`", "no run was started"] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    assert_eq!(folder.names(), ["drop.ron"]);
    let cases: [(&[&str], &str); 13] = [
        (&[], "nothing is swept"),
        (&["--set", "seed=", "--set", "dt=1/60,,"], "no value after `=`; --set: `dt=1/60,,` has an empty value"),
        (&["--set", "seed=1,2", "--plot", "a.zz"], "pictures are written as SVG, in a file that ends in .svg"),
        (&["--set", "seed=1", "-o", "none/a.csv"], "there is no folder none; make it first"),
        (&["--set", "seed="], "no value"),
        (&["--set", "seed=1,,2"], "empty value"),
        (&["--set", "seed=1,2,1"], "`1` twice"),
        (&["--set", "seed=1", "--set", "seed=2"], "set twice"),
        (&["--set", "seed=1,2", "--body", "bll"], "no such body; did you mean \"ball\"?"),
        (&["--set", "seed=1,2", "-o", "a.txt"], "give --format csv or json"),
        (&["--set", "seed=1,2", "--shard", "3/2"], "expected K/N"),
        (&["--set", "seed=1,2", "--shard", "-1/3"], "expected K/N"),
        (&["--set", "seed=1,2", "--plot", "a.svg", "--what", "height"], "no column `height` to draw; there are"),
    ];
    for (arguments, answer) in cases {
        let ran = physim(&folder, &[&["sweep", "drop.ron"], arguments].concat()).exits(2);
        assert!(ran.stderr.contains(answer), "{arguments:?}: {}", ran.stderr);
    }
    let hundred: String = (0..100).map(|number| format!("{number},")).collect();
    let [a, b, c] = ["seed", "steps", "gravity.0"].map(|key| format!("{key}={}", hundred.trim_end_matches(',')));
    let ran = physim(&folder, &["sweep", "drop.ron", "--set", &a, "--set", &b, "--set", &c]).exits(2);
    assert!(ran.stderr.contains("1000000 combinations are too many"), "{}", ran.stderr);
}

#[test]
fn values_with_commas_and_rows_of_a_table_are_settings() {
    let folder = drop_folder();
    folder.write(
        "rows.csv",
        "solver.correction,gravity\n\"Soft(hertz: 30, damping_ratio: 10, push_speed: 3)\",\n,\"(0,-1.62,0)\"\n",
    );
    let arguments = [
        "sweep",
        "drop.ron",
        "--matrix",
        "rows.csv",
        "--set",
        "name=\"a,b\",\"<c>\"",
        "--steps",
        "5",
        "--format",
        "csv",
    ];
    let rows = results(&physim(&folder, &arguments).exits(0).stdout());
    assert_eq!(rows.len(), 5);
    assert_eq!(cell(&rows, 0, "solver.correction"), "Soft(hertz: 30, damping_ratio: 10, push_speed: 3)");
    assert_eq!((cell(&rows, 1, "gravity"), cell(&rows, 1, "name")), ("", "\"<c>\""));
    assert_eq!((cell(&rows, 3, "gravity"), cell(&rows, 3, "solver.correction")), ("(0,-1.62,0)", ""));
    let alone =
        physim(&folder, &["run", "drop.ron", "--set", "gravity=(0,-1.62,0)", "--steps", "5", "--format", "json"]);
    assert_eq!(cell(&rows, 2, "energy_drift").parse::<f64>().expect("joules"), {
        let energy = &alone.exits(0).json()["energy"];
        energy["end"]["total"].as_f64().expect("joules") - energy["start"]["total"].as_f64().expect("joules")
    });
    folder.write("bad.csv", "seed,steps\n1\n");
    physim(&folder, &["sweep", "drop.ron", "--matrix", "bad.csv"]).exits(2);
    folder.write("wrong.csv", "seed,steps\n1,2\n1,many\n");
    folder.write("semicolons.csv", "seed;steps\n1;2\n");
    // What is wrong with the table and with the lists is told at once.
    let ran = physim(&folder, &["sweep", "drop.ron", "--matrix", "wrong.csv", "--set", "gravity.7=1"]).exits(2);
    assert!(ran.stderr.contains("wrong.csv row 2") && ran.stderr.contains("`7`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("2 settings are wrong; no run was started"), "{}", ran.stderr);
    for (file, answer) in [
        ("wrong.csv", "wrong.csv row 2"),
        ("semicolons.csv", "separate them by commas"),
        ("none.csv", "give a table in CSV"),
    ] {
        let ran = physim(&folder, &["sweep", "drop.ron", "--matrix", file]).exits(2);
        assert!(ran.stderr.contains(answer), "{file}: {}", ran.stderr);
    }
    let piped = ["sweep", "-", "--set", "gravity=(0,-9.81,0),(0,0,0)", "--format", "csv"];
    assert_eq!(results(&physim_with_input(&folder, &piped, DROP.as_bytes()).exits(0).stdout()).len(), 3);
}

#[test]
fn replays_and_a_picture_come_beside_the_table() {
    let folder = drop_folder();
    let arguments = sweep(&["--format", "csv", "--record", "runs", "--plot", "a.svg", "--what", "largest_overlap"]);
    let rows = results(&physim(&folder, &arguments).exits(0).stdout());
    for run in 0..6 {
        let name = format!("runs/{run}.mcap");
        let shown = physim(&folder, &["show", &name, "--format", "json"]).exits(0).stdout();
        assert!(shown.contains(cell(&rows, run, "hash")), "{shown}");
        physim(&folder, &["verify", &name]).exits(0);
    }
    let svg = text(&folder, "a.svg");
    for part in ["largest overlap (", "solver.iterations", "scalar = Fixed", "scalar = f32"] {
        assert!(svg.contains(part), "{part}: {svg}");
    }
    assert_eq!(svg.matches("<circle").count(), 6);
    let names = ["sweep", "drop.ron", "--set", "name=\"<b>&\",\"c\"", "--steps", "2", "--plot", "b.svg"];
    physim(&folder, &names).exits(0);
    physim(&folder, &["sweep", "drop.ron", "--set", "dt=1/60,1/120", "--steps", "2", "--plot", "dt.svg"]).exits(0);
    assert!(text(&folder, "dt.svg").contains(">dt (s)<"), "{}", text(&folder, "dt.svg"));
    let joins = |name: &str| text(&folder, name).contains("stroke-linejoin");
    assert!(joins("a.svg"), "points above numbers are joined");
    assert!(!joins("b.svg"), "points above names are not joined");
    assert!(text(&folder, "b.svg").contains("&quot;&lt;b&gt;&amp;&quot;"));
}

#[test]
fn what_cannot_be_written_at_the_end_is_refused_before_the_first_run() {
    let folder = drop_folder();
    folder.write("mine.svg", "mine");
    let cases: [(&[&str], &str); 6] = [
        (
            &["--record", "runs", "--format", "csv", "-o", "runs/0.mcap"],
            "cannot take both a replay of --record and the table",
        ),
        (&["--record", "runs", "--format", "csv", "-o", "./runs/../runs/3.mcap"], "and the table; name two files"),
        (&["-o", "a.svg", "--format", "csv", "--plot", "./a.svg"], "cannot take both the table and the picture"),
        (&["-o", "a.csv", "--plot", "mine.svg"], "mine.svg exists and is not a picture in SVG"),
        (&["-o", "a.csv", "--plot", "none/a.svg"], "the folder none does not exist"),
        (&["-o", "a.csv", "--plot", "a.svg", "--set", "solver=Impulse(iterations: 3)"], "is set twice"),
    ];
    for (more, answer) in cases {
        let ran = physim(&folder, &sweep(more)).exits(2);
        assert!(ran.stderr.contains(answer), "{more:?}: {}", ran.stderr);
        let names = folder.names();
        assert!(!names.iter().any(|name| name.ends_with("csv") || name.ends_with("mcap")), "{more:?}: {names:?}");
    }
    assert_eq!(text(&folder, "mine.svg"), "mine");
    assert!(!folder.names().contains(&"a.svg".to_owned()));
}

#[test]
fn a_replay_with_nothing_in_it_is_made_again() {
    let folder = drop_folder();
    let record = sweep(&["-o", "all.csv", "--record", "runs"]);
    physim(&folder, &record).exits(0);
    let replay = folder.read("runs/2.mcap");
    for left in [0, 70] {
        folder.write("runs/2.mcap", &replay[..left]);
        let ran = physim(&folder, &record).exits(0);
        assert!(ran.stderr.contains("1 run made again"), "{}", ran.stderr);
        assert_eq!(folder.read("runs/2.mcap"), replay, "{left} bytes");
    }
}

#[test]
fn replays_of_other_runs_stay_and_missing_ones_are_made_again() {
    let folder = drop_folder();
    let record = sweep(&["-o", "all.csv", "--record", "runs"]);
    physim(&folder, &record).exits(0);
    let (table, replay) = (folder.read("all.csv"), folder.read("runs/2.mcap"));
    std::fs::remove_file(folder.path("runs/2.mcap")).expect("a replay");
    let ran = physim(&folder, &record).exits(0);
    assert!(ran.stderr.contains("1 run made again"), "{}", ran.stderr);
    assert_eq!((folder.read("all.csv"), folder.read("runs/2.mcap")), (table.clone(), replay.clone()));
    // A replay that ends otherwise than the row says is made again, and must come to the row.
    let (table, hash) = (String::from_utf8_lossy(&table).into_owned(), {
        let rows = results(&String::from_utf8_lossy(&table));
        cell(&rows, 2, "hash").to_owned()
    });
    folder.write("all.csv", table.replace(&hash, &"0".repeat(64)));
    let ran = physim(&folder, &record).exits(2);
    assert!(ran.stderr.contains("run 2 was made again") && ran.stderr.contains("`hash`"), "{}", ran.stderr);
    let other = ["sweep", "drop.ron", "--set", "seed=1,2", "--format", "csv", "--record", "runs"];
    let ran = physim(&folder, &other).exits(2);
    assert!(ran.stderr.contains("is the replay of another run: it sets solver.iterations=1"), "{}", ran.stderr);
    assert!(ran.bytes.is_empty() && folder.read("runs/2.mcap") == replay);
    physim(&folder, &[&other[..], &["--force"]].concat()).exits(0);
}

#[test]
fn wrong_settings_are_an_error_for_machines_too() {
    let folder = drop_folder();
    let arguments = ["sweep", "drop.ron", "--set", "foo=1", "--set", "bar=1,2", "--format", "json"];
    let told = physim(&folder, &arguments).exits(2).json();
    assert_eq!((&told["error"]["kind"], &told["exit_status"]), (&"scene".into(), &2.into()));
    assert_eq!(told["error"]["problems"].as_array().map(Vec::len), Some(3), "{told}");
}

/// A sweep of 400 runs, whose rows no pipe holds all of.
fn long_sweep<'a>(seeds: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["sweep", "drop.ron", "--set", seeds, "--steps", "3", "--format", "json"][..], more].concat()
}

#[test]
fn a_reader_that_goes_away_ends_a_sweep() {
    let folder = drop_folder();
    let seeds = format!("seed={}", (0..400).map(|seed| seed.to_string()).collect::<Vec<_>>().join(","));
    for (more, status) in [(&[][..], 2), (&["--jobs", "1"], 2), (&["--record", "runs"], 0)] {
        let mut child = crate::support::program::command(&folder, &long_sweep(&seeds, more))
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdout = child.stdout.take().expect("a pipe");
        std::io::Read::read_exact(&mut stdout, &mut [0; 10]).expect("the first bytes");
        drop(stdout);
        let output = child.wait_with_output().expect("the program ends");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*told), (Some(status), ""), "{more:?}");
    }
    assert_eq!(
        std::fs::read_dir(folder.path("runs")).expect("a folder").count(),
        400,
        "replays are wanted all the same"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told_with_what_to_do() {
    let folder = drop_folder();
    let ran = crate::support::program::command(&folder, &sweep(&["--format", "csv"]))
        .stdout(std::fs::File::options().write(true).open("/dev/full").expect("/dev/full"))
        .output()
        .expect("the program starts");
    assert_eq!(ran.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("cannot write to standard output"));
}
