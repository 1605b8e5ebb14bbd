//! `physim view`: what stands in a page is what the replay holds.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use physim::analysis::states::StateVisitor;
use physim::analysis::states::{StepSelection, visit_states};
use physim::math::Scalar;
use physim::replay::{Replay, read_strict};
use physim::world::World;
use serde_json::Value;
use std::io::Read;

use crate::common::package;
use crate::support::folder::Folder;
use crate::support::program::physim;

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

/// Reads columns as docs/export.md describes them.
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
        let film = film(&folder.read("page.html"), "a");
        let replay = read_strict(&replay_path).unwrap_or_else(|error| panic!("{error}"));
        let quantum = film.header["quantum"]["position"].as_f64().unwrap();
        let error = largest_error(&film, &replay);
        assert!(error <= quantum / 2.0, "{name}: {error} m with a quantum of {quantum} m");
        if name.ends_with("fixed") {
            assert_eq!(error, 0.0, "{name} is small, so every bit of fixed point is there");
        }
    }
}
