//! Large scenes, right and wrong, are read in a time that grows with their text: a scene that stalls its reader stalls CI.

use std::fmt::Write;
use std::time::{Duration, Instant};

use physim::replay::ReplayWriter;
use physim::replay::format::MAX_MESSAGE_BYTES;
use physim::replay::recordable::why_not_recordable;
use physim::scene;
use physim::session::record::{RunPlan, record};

use crate::common::parse;
use crate::support::busy_time::BusyTime;
use crate::support::folder::Folder;
use crate::support::program::physim;

/// Far more than any of them takes, unoptimised and on a busy machine, and far less than the square of its parts does.
const LONGEST: Duration = Duration::from_secs(30);
/// So many parts that their square takes minutes.
const PARTS: usize = 20_000;

fn list(part: impl Fn(usize) -> String) -> String {
    (0..PARTS).fold(String::new(), |mut text, number| {
        let _ = write!(text, "{},", part(number));
        text
    })
}

/// Reads a scene with these keys; gives back what is wrong with it first.
fn read(what: &str, keys: &str) -> Option<String> {
    let text = format!("(version: 1, name: \"large\", {keys})");
    let start = BusyTime::start();
    let read = scene::parse("large.ron", &text);
    let took = start.elapsed();
    assert!(took < LONGEST, "{what}: {} bytes took {took:?}", text.len());
    read.err().map(|error| error.problems()[0].title.clone())
}

fn bodies() -> String {
    format!("bodies: [{}]", list(|n| format!("(name: \"b{n}\", shape: Sphere(radius: 1))")))
}

#[test]
fn named_shapes_that_name_each_other() {
    let chain = |last: &str| {
        let names = list(|n| format!("\"s{n}\": Named(\"s{}\")", n + 1));
        let bodies = list(|n| format!("(name: \"b{n}\", shape: Named(\"s0\"))"));
        format!("shapes: {{{names} \"s{PARTS}\": {last}}}, bodies: [{bodies}]")
    };
    for last in ["Sphere(radius: 1)", "Named(\"s0\")", "Named(\"t\")"] {
        let wrong = read("a chain of names", &chain(last)).expect("it is refused");
        assert!(wrong.starts_with("too many names lead from here"), "{wrong}");
    }
}

#[test]
fn unknown_names_among_many() {
    let inputs = list(|n| format!("(step: 1, action: Remove(\"c{n}\"))"));
    let wrong = read("unknown bodies in inputs", &format!("{}, inputs: [{inputs}]", bodies()));
    assert_eq!(wrong.as_deref(), Some("unknown body `c0`"));
    let pairs = list(|n| format!("(\"c{n}\", \"d{n}\")"));
    let wrong = read("unknown bodies in pairs", &format!("{}, excluded_pairs: [{pairs}]", bodies()));
    assert_eq!(wrong.as_deref(), Some("unknown body `c0`"));
    let materials = list(|n| format!("\"m{n}\": (friction: 1)"));
    let made_of = list(|n| format!("(name: \"b{n}\", shape: Sphere(radius: 1), material: \"n{n}\")"));
    let wrong = read("unknown materials", &format!("materials: {{{materials}}}, bodies: [{made_of}]"));
    assert_eq!(wrong.as_deref(), Some("unknown material `n0`"));
    let shapes = list(|n| format!("\"s{n}\": Named(\"t{n}\")"));
    let wrong = read("unknown shapes", &format!("shapes: {{{shapes}}}, bodies: []"));
    assert_eq!(wrong.as_deref(), Some("unknown shape `t0`"));
}

#[test]
fn bodies_with_the_names_of_generators() {
    let bodies = list(|n| format!("(name: \"b{n}[0]\", shape: Sphere(radius: 1))"));
    let groups = list(|n| {
        format!(
            "(name: \"g{n}\", layout: Stack(origin: (0, 0, 0), count: 1, spacing: (0, 1, 0)), body: (shape: Sphere(radius: 1)))"
        )
    });
    assert_eq!(read("names in brackets", &format!("bodies: [{bodies}], groups: [{groups}]")), None);
}

#[test]
fn a_near_name_is_found_among_many() {
    let input = "inputs: [(step: 1, action: Remove(\"a_rather_long_nam\"))]";
    let bodies = bodies().replace("\"b19000\"", "\"a_rather_long_name\"");
    let text = format!("(version: 1, name: \"large\", {bodies}, {input})");
    let error = scene::parse("large.ron", &text).expect_err("it is refused");
    assert!(error.problems()[0].hints.contains(&"did you mean `a_rather_long_name`?".to_owned()), "{error}");
}

/// A grid of so many balls along each edge.
fn grid(edge: u64) -> String {
    let layout = format!("Grid(origin: (0, 0, 0), count: ({edge}, {edge}, {edge}), spacing: (3, 3, 3))");
    let group = format!("(name: \"g\", layout: {layout}, body: (shape: Sphere(radius: 1)))");
    format!("(version: 1, name: \"grid\", steps: 1, bounds: (position: 30000), bodies: [], groups: [{group}])")
}

/// The bytes of the first state of a grid, as whoever opens its replay is told.
fn state_bytes(edge: u64) -> u64 {
    let (mut told, plan) = (0, RunPlan { steps: 0, ..RunPlan::new(parse(&grid(edge))) });
    let mut open = |header: &_, scene: &_, bytes| {
        told = bytes;
        ReplayWriter::new("test", Vec::new(), header, scene).map(Some)
    };
    record(&plan, &mut open, &mut |_| {}).expect("a recorded run");
    told
}

/// Names are of other lengths where there are more of them, so that a body takes a little less than in the larger grid.
#[test]
fn so_many_bodies_can_be_recorded_as_the_refusal_says() {
    let [small, large] = [10, 20].map(|edge: u64| (edge.pow(3), state_bytes(edge)));
    let each = (large.1 - small.1) / (large.0 - small.0);
    assert!((400..500).contains(&each), "a body takes {each} bytes of a state");
    let most = (MAX_MESSAGE_BYTES - small.1) / each + small.0;
    let takes = |bodies: u64| small.1 + each * (bodies - small.0);
    assert_eq!(why_not_recordable(1000, most, takes(most)), None, "{most} bodies");
    let why = why_not_recordable(1000, most + 1, takes(most + 1)).expect("one more is refused");
    assert!(why.contains(&format!("some {} such bodies fit", most / 10_000 * 10_000)), "{most}: {why}");
    assert!((280_000..310_000).contains(&most), "what the page of the format says: {most}");
}

#[test]
fn a_run_of_too_many_bodies_is_refused_before_it_begins() {
    let folder = Folder::new();
    folder.write("grid.ron", grid(68));
    let start = Instant::now();
    let ran = physim(&folder, &["run", "grid.ron", "-o", "grid.mcap", "--hash-log", "grid.log"]).exits(2);
    assert!(start.elapsed() < LONGEST, "refused after {:?}", start.elapsed());
    for part in [
        "this run cannot be recorded",
        "314432 bodies",
        "some 290000 such bodies fit",
        "not recorded has no such limit",
    ] {
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
    }
    assert_eq!((folder.names(), ran.stdout()), (vec!["grid.ron".to_owned()], String::new()));
}
