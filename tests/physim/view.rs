//! `physim view`: what stands in a page is what the replay holds.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use physim::analysis::states::{StateVisitor, StepSelection, visit_states};
use physim::math::Scalar;
use physim::replay::{Replay, read_strict};
use physim::world::World;
use serde_json::Value;

use crate::common::package;
use crate::support::folder::Folder;
use crate::support::program::{command, physim};
use crate::support::scenes::FLIGHT;

/// The data of one run in a page.
struct PageFilm {
    header: Value,
    blob: Vec<u8>,
}

/// What stands in the element of a page that begins like this.
fn element<'a>(page: &'a str, start: &str) -> &'a str {
    let from = page.find(start).unwrap_or_else(|| panic!("the page has no {start}")) + start.len();
    let rest = &page[from..];
    &rest[..rest.find("</script>").expect("the element ends")]
}

fn film(page: &str, key: &str) -> PageFilm {
    let header = element(page, &format!("<script type=\"application/json\" data-film=\"{key}\">"));
    let packed = element(page, &format!("<script type=\"text/plain\" data-film-blob=\"{key}\">"));
    let packed = BASE64.decode(packed).expect("base64");
    let mut blob = Vec::new();
    flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut blob).expect("gzip");
    PageFilm { header: serde_json::from_str(header).expect("JSON"), blob }
}

#[test]
fn a_page_has_a_name_that_browsers_open() {
    let folder = Folder::new();
    folder.write("a.ron", FLIGHT);
    physim(&folder, &["run", "a.ron", "-o", "a.mcap"]).exits(0);
    for (name, page) in [("a.zz", "a.html"), ("a.mp4", "a.html"), ("folder.d/page", "folder.d/page.html")] {
        let ran = physim(&folder, &["view", "a.mcap", "-o", name]).exits(2);
        let told = format!("-o {name}: a page is HTML, in a file that ends in .html; write -o {page}");
        assert!(ran.stderr.contains(&told), "{}", ran.stderr);
    }
    assert_eq!(folder.names(), ["a.mcap", "a.ron"]);
    for name in ["a.html", "b.HTM"] {
        physim(&folder, &["view", "a.mcap", "-o", name]).exits(0);
    }
    assert_eq!(physim(&folder, &["view", "a.mcap", "-o", "-"]).exits(0).bytes, folder.read("a.html"));
}

fn page(folder: &Folder, name: &str) -> String {
    String::from_utf8(folder.read(name)).expect("text")
}

/// Reads columns as docs/view.md describes them.
struct Columns<'a>(&'a [u8]);

impl Columns<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().expect("more bytes");
        self.0 = rest;
        *first
    }

    fn number(&mut self) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return value;
            }
        }
    }

    fn signed(&mut self) -> i64 {
        let value = self.number();
        (value >> 1) as i64 ^ -((value & 1) as i64)
    }

    fn column(&mut self, count: usize, quantum: f64) -> Vec<f64> {
        let order = self.byte();
        let mut values: Vec<i64> = Vec::new();
        for index in 0..count {
            let back = |steps: usize| index.checked_sub(steps).map_or(0, |index| values[index]);
            let predicted = [0, back(1), 2 * back(1) - back(2), back(1)][order as usize];
            let residual = if order == 3 && index > 0 { 0 } else { self.signed() };
            values.push(predicted + residual);
        }
        values.into_iter().map(|value| value as f64 * quantum).collect()
    }
}

/// The positions of each body, frame by frame.
fn positions(film: &PageFilm) -> Vec<(String, usize, Vec<[f64; 3]>)> {
    let quantum = &film.header["quantum"];
    let mut columns = Columns(&film.blob);
    let mut found = Vec::new();
    for body in film.header["bodies"].as_array().expect("bodies") {
        let frames = body["frames"].as_u64().expect("a count") as usize;
        let of = |name: &str| quantum[name].as_f64();
        let [x, y, z] = [0; 3].map(|_| columns.column(frames, of("position").expect("a quantum")));
        (0..4).for_each(|_| drop(columns.column(frames, of("orientation").expect("a quantum"))));
        for quantum in [of("linear_velocity"), of("angular_velocity")].into_iter().flatten() {
            (0..3).for_each(|_| drop(columns.column(frames, quantum)));
        }
        let places = (0..frames).map(|frame| [x[frame], y[frame], z[frame]]).collect();
        found.push((
            body["name"].as_str().expect("a name").to_owned(),
            body["start"].as_u64().unwrap() as usize,
            places,
        ));
    }
    found
}

/// Every state of a replay, as positions by name.
#[derive(Default)]
struct Positions(Vec<Vec<(String, [f64; 3])>>);

impl StateVisitor for Positions {
    type Error = std::convert::Infallible;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), Self::Error> {
        let bodies = world.bodies();
        let all = (0..bodies.len()).map(|index| (bodies.name[index].to_string(), bodies.position[index].to_f64()));
        self.0.push(all.collect());
        Ok(())
    }
}

fn states(replay: &Replay) -> Vec<Vec<(String, [f64; 3])>> {
    let mut positions = Positions::default();
    visit_states(replay, &StepSelection::all(), &mut positions).unwrap_or_else(|error| panic!("{error:?}"));
    positions.0
}

/// The largest distance along an axis between what a page shows and what the replay holds.
fn largest_error(film: &PageFilm, replay: &Replay) -> f64 {
    let states = states(replay);
    let (first, stride) = (film.header["first_step"].as_u64().unwrap(), film.header["stride"].as_u64().unwrap());
    let mut largest = 0.0_f64;
    let mut compared = 0;
    for (name, start, places) in positions(film) {
        for (frame, place) in places.iter().enumerate() {
            let step = (first + (start + frame) as u64 * stride) as usize;
            let (_, there) = states[step].iter().find(|(other, _)| *other == name).expect("the body is there");
            compared += 1;
            (0..3).for_each(|axis| largest = largest.max((place[axis] - there[axis]).abs()));
        }
    }
    let expected: usize = states.iter().step_by(stride as usize).map(Vec::len).sum();
    assert_eq!(compared, expected, "every body of every shown step stands in the page");
    largest
}

#[test]
fn positions_in_a_page_are_those_of_the_replay() {
    for name in ["billiards.fixed", "stack_20.f32", "capsules_and_compounds.f64", "shelf_crates.fixed"] {
        let replay_path = package().join(format!("replays/{name}.mcap"));
        let folder = Folder::new();
        physim(&folder, &["view", replay_path.to_str().unwrap(), "-o", "page.html"]).exits(0);
        let film = film(&page(&folder, "page.html"), "a");
        let replay = read_strict(&replay_path).unwrap_or_else(|error| panic!("{error}"));
        let quantum = film.header["quantum"]["position"].as_f64().unwrap();
        let error = largest_error(&film, &replay);
        assert!(error <= quantum / 2.0, "{name}: {error} m with a quantum of {quantum} m");
        if name.ends_with("fixed") {
            assert_eq!(error, 0.0, "{name} is small, so every bit of fixed point is there");
        }
    }
}

#[test]
fn what_does_not_fit_is_thinned_out_and_the_page_says_what() {
    let folder = Folder::new();
    let scene = package().join("scenes/bench/pile_boxes_1000.ron");
    let run = ["run", scene.to_str().unwrap(), "--scalar", "f32", "--steps", "90", "-o", "pile.mcap"];
    physim(&folder, &run).exits(0);
    let told = physim(&folder, &["view", "pile.mcap", "--max-size", "1", "--summary", "json"]).exits(0).json();
    let bytes = folder.read("pile.html").len();
    assert!(bytes <= 1_000_000, "{bytes}");
    assert_eq!(told["bytes"], bytes as u64);
    let film = film(&page(&folder, "pile.html"), "a");
    assert_eq!(told["runs"][0]["notes"], film.header["notes"]);
    let replay = read_strict(&folder.path("pile.mcap")).unwrap_or_else(|error| panic!("{error}"));
    let quantum = film.header["quantum"]["position"].as_f64().unwrap();
    assert!(quantum > 1e-9, "digits were left out");
    assert!(largest_error(&film, &replay) <= quantum / 2.0);
}

const NASTY: &str = "</script><script>alert(1)</script>&amp;\"',<!--";

#[test]
fn no_name_leaves_its_element() {
    let folder = Folder::new();
    let name = NASTY.replace('"', "\\\"");
    folder.write(
        "scene.ron",
        format!(
            "(version: 1, name: \"{name}\", steps: 3,
              bodies: [(name: \"{name}\", shape: Sphere(radius: 0.5), mass: Total(2))])"
        ),
    );
    physim(&folder, &["run", "scene.ron", "-o", "a.mcap"]).exits(0);
    physim(&folder, &["view", "a.mcap", "a.mcap"]).exits(0);
    let page = page(&folder, "a.html");
    assert!(!page.contains("alert(1)</script>"), "the name stands in the page as it is");
    let film = film(&page, "b");
    assert_eq!(film.header["bodies"][0]["name"], NASTY);
    assert_eq!(film.header["scene"], NASTY);
}

#[test]
fn two_runs_come_with_their_first_difference_and_how_it_spread() {
    let folder = Folder::new();
    let scene = package().join("scenes/billiards.ron");
    let scene = scene.to_str().unwrap();
    physim(&folder, &["run", scene, "-o", "a.mcap"]).exits(0);
    let fault = "ulp@40,object=cue_ball,field=linear_velocity.x";
    physim(&folder, &["run", scene, "-o", "b.mcap", "--fault", fault]).exits(0);
    physim(&folder, &["view", "a.mcap", "b.mcap", "-o", "two.html"]).exits(0);
    let text = page(&folder, "two.html");
    let difference: Value =
        serde_json::from_str(element(&text, "<script type=\"application/json\" data-difference>")).expect("JSON");
    assert_eq!(difference["first"]["step"], 40);
    assert_eq!(difference["first"]["object"], "cue_ball");
    let bodies = difference["bodies"].as_array().expect("a list");
    assert_eq!(bodies[0]["name"], "cue_ball");
    assert!(bodies.len() > 10, "the break spreads the difference: {bodies:?}");
    assert!(bodies.is_sorted_by_key(|body| body["step"].as_u64()));
    let diff = physim(&folder, &["diff", "a.mcap", "b.mcap", "--window", "600", "--format", "json"]).exits(1).json();
    assert_eq!(difference["first"]["a"], diff["first"]["a"]["value"]);
}

#[test]
fn two_runs_of_which_one_is_shorter_are_the_same_as_far_as_both_go() {
    let folder = Folder::new();
    folder.write("a.ron", FLIGHT);
    for (name, steps) in [("A/run.mcap", "6"), ("B/run.mcap", "4")] {
        folder.write(name, "");
        physim(&folder, &["run", "a.ron", "--steps", steps, "-o", name]).exits(0);
    }
    let ran = physim(&folder, &["view", "A/run.mcap", "B/run.mcap", "-o", "two.html"]).exits(0);
    assert!(ran.stdout().contains("the same up to step 4, where B ends"), "{}", ran.stdout());
    let arguments = ["view", "B/run.mcap", "A/run.mcap", "-o", "two.html", "--summary", "json"];
    let summary = physim(&folder, &arguments).exits(0).json();
    assert_eq!(summary["difference"], Value::Null);
    assert_eq!(summary["ends_earlier"], serde_json::json!({"run": "a", "last_step": 4}));
    assert_eq!([&summary["runs"][0]["label"], &summary["runs"][1]["label"]], ["B/run.mcap", "A/run.mcap"]);
    let same = physim(&folder, &["view", "A/run.mcap", "A/run.mcap", "-o", "two.html", "--summary", "json"]);
    assert_eq!(same.exits(0).json()["ends_earlier"], Value::Null);
}

#[test]
#[cfg(target_os = "linux")]
fn a_browser_that_does_not_open_is_a_warning() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new();
    folder.write("a.ron", FLIGHT);
    physim(&folder, &["run", "a.ron", "-o", "a.mcap"]).exits(0);
    folder.write("bin/xdg-open", "#!/bin/sh\nexit 3\n");
    let opener = folder.path("bin/xdg-open");
    for (mode, why) in [(0o755, "xdg-open could not open a browser"), (0o644, "xdg-open cannot be started")] {
        std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(mode)).expect("a mode");
        let mut command = command(&folder, &["view", "a.mcap", "--open"]);
        let ran = command.env("PATH", folder.path("bin")).output().expect("it runs");
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.success() && told.contains(why) && told.contains("; open a.html yourself"), "{told}");
    }
}

#[test]
fn runs_of_different_scalars_are_compared_in_metres() {
    let folder = Folder::new();
    let replay = |scalar: &str| package().join(format!("replays/billiards.{scalar}.mcap"));
    let (a, b) = (replay("fixed"), replay("f32"));
    physim(&folder, &["view", a.to_str().unwrap(), b.to_str().unwrap(), "-o", "two.html"]).exits(0);
    let text = page(&folder, "two.html");
    let difference: Value =
        serde_json::from_str(element(&text, "<script type=\"application/json\" data-difference>")).expect("JSON");
    assert_eq!(difference["first"]["field"], "position");
    assert!(difference["notes"][0].as_str().unwrap().contains("different scalars"));
    let step = difference["first"]["step"].as_u64().unwrap() as usize;
    let [a, b] = [a, b].map(|path| states(&read_strict(&path).unwrap_or_else(|error| panic!("{error}"))));
    let name = difference["first"]["object"].as_str().unwrap();
    let metres = |step: usize| {
        let place =
            |states: &[Vec<(String, [f64; 3])>]| states[step].iter().find(|(other, _)| other == name).unwrap().1;
        let (a, b) = (place(&a), place(&b));
        (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt()
    };
    let threshold = 0.028_575 / 1000.0;
    assert!(metres(step) > threshold && metres(step - 1) <= threshold, "{} {}", metres(step - 1), metres(step));
}

#[test]
fn the_sound_part_of_a_damaged_replay_is_shown() {
    let folder = Folder::new();
    let bytes = std::fs::read(package().join("replays/billiards.fixed.mcap")).expect("a golden");
    folder.write("cut.mcap", &bytes[..bytes.len() / 2]);
    let ran = physim(&folder, &["view", "cut.mcap"]).exits(3);
    assert!(ran.stderr.contains("is damaged"), "{}", ran.stderr);
    let film = film(&page(&folder, "cut.html"), "a");
    let last = film.header["last_step"].as_u64().unwrap();
    assert!((100..600).contains(&last), "{last}");
}

#[test]
fn a_page_takes_the_place_of_pages_only() {
    let folder = Folder::new();
    let replay = package().join("replays/couple.fixed.mcap");
    let replay = replay.to_str().unwrap();
    folder.write("mine.html", "<!DOCTYPE html><p>mine");
    let refused = physim(&folder, &["view", replay, "-o", "mine.html"]).exits(2);
    assert!(refused.stderr.contains("mine.html exists and is not a page of physim"), "{}", refused.stderr);
    assert_eq!(folder.read("mine.html"), b"<!DOCTYPE html><p>mine");
    physim(&folder, &["view", replay, "-o", "new.html"]).exits(0);
    physim(&folder, &["view", replay, "-o", "new.html"]).exits(0);
    let beyond = physim(&folder, &["view", replay, "-o", "other.html", "--steps", "9000..9001"]).exits(2);
    assert!(beyond.stderr.contains("there is no step 9000"), "{}", beyond.stderr);
    assert_eq!(folder.names(), ["mine.html", "new.html"]);
}

#[test]
fn a_body_that_is_nowhere_ends_the_film_and_not_the_page() {
    let folder = Folder::new();
    let scene = package().join("scenes/billiards.ron");
    let scene = scene.to_str().unwrap();
    let fault = "nan@40,object=cue_ball,field=position.x";
    physim(&folder, &["run", scene, "--scalar", "f64", "--steps", "60", "--fault", fault, "-o", "nan.mcap"]);
    let ran = physim(&folder, &["view", "nan.mcap"]).exits(0);
    let told = "from step 40 on \"cue_ball\" is nowhere";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    let film = film(&page(&folder, "nan.html"), "a");
    assert_eq!(film.header["last_step"], 39);
    assert!(film.header["notes"].to_string().contains("is nowhere"), "{}", film.header["notes"]);
    let refused = physim(&folder, &["export", "nan.mcap", "-o", "nan.glb"]).exits(2);
    assert!(refused.stderr.contains("from step 40 on \"cue_ball\" is nowhere"), "{}", refused.stderr);
    assert_eq!(folder.names(), ["nan.html", "nan.mcap"]);
}
