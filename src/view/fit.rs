//! Writes films as bytes and makes them fit: first the numbers get coarser, then velocities go, then frames.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::dynamics::body::BodyKind;
use crate::export::body_table::NUMBERS;
use crate::replay::Replay;
use crate::view::column::{encode, quantised};
use crate::view::contact_tracks::{ContactTrack, contact_tracks};
use crate::view::film::Film;
use crate::view::header::{BodyHeader, ContactQuantum, ContactsHeader, Curves, FILM_SCHEMA, FilmHeader, Quantum};

/// A film as a page holds it.
#[derive(Clone, Debug)]
pub struct FittedFilm {
    /// What it is about.
    pub header: FilmHeader,
    /// The columns, compressed with gzip.
    pub blob: Vec<u8>,
}

impl FittedFilm {
    /// What the film takes in a page, in bytes: its head, and the columns as base64.
    #[must_use]
    pub fn page_bytes(&self) -> usize {
        let head = serde_json::to_string(&self.header).map_or(0, |text| text.len());
        head + self.blob.len().div_ceil(3) * 4 + ELEMENTS
    }
}

/// What the elements around a film take, in bytes; escapes in names included, as long as there are few.
const ELEMENTS: usize = 1000;

/// Why a film cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// A position or velocity is too large for any quantum.
    #[error("a number of the run is too large to be drawn; choose earlier steps with --steps")]
    TooLarge,
    /// There is nothing left to leave out.
    #[error("{bodies} bodies do not fit {limit} bytes even in one frame; raise --max-size")]
    DoesNotFit {
        /// How many there are.
        bodies: usize,
        /// What they have to fit.
        limit: usize,
    },
}

/// How exact the numbers are.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// A position's quantum in smallest half extents is two to this; nothing stands for 2^-32 m, the resolution of fixed
    /// point.
    position: Option<i32>,
    /// An orientation's quantum is two to this.
    orientation: i32,
    /// A velocity's quantum, in smallest half extents or radians per second, is two to this.
    velocity: Option<i32>,
}

/// From every bit of fixed point to what an eye can tell.
const LEVELS: [Level; 4] = [
    Level { position: None, orientation: -32, velocity: Some(-32) },
    Level { position: Some(-16), orientation: -15, velocity: Some(-10) },
    Level { position: Some(-13), orientation: -13, velocity: Some(-8) },
    Level { position: Some(-10), orientation: -11, velocity: None },
];

/// Every bit is worth this many bytes, and no more: pages are sent about.
const EXACT_LIMIT: usize = 1 << 20;
/// The size that is taken for that of things where nothing has one, in metres.
const USUAL_SIZE: f64 = 1.0;

/// Writes a film in at most `limit` bytes of a page, thinned out as little as that allows.
///
/// # Errors
/// When that is not possible.
pub fn fit(mut film: Film, replay: &Replay, label: &str, limit: usize) -> Result<FittedFilm, FitError> {
    let size = smallest_size(&film);
    thin_contacts(&mut film);
    loop {
        let tracks = contact_tracks(&film);
        let mut is_drawable = false;
        for level in LEVELS {
            let quantum = level.quantum(size);
            let limit = if level.position.is_none() { limit.min(EXACT_LIMIT) } else { limit };
            let Some((bytes, contact_quantum)) = write(&film, &tracks, &quantum) else { continue };
            is_drawable = true;
            let contacts = (!tracks.is_empty()).then(|| ContactsHeader {
                stride: (film.contacts.stride / film.frames.stride).max(1),
                tracks: tracks.len(),
                quantum: contact_quantum,
            });
            let fitted =
                FittedFilm { header: header(&film, replay, label, quantum, contacts), blob: compressed(&bytes) };
            if fitted.page_bytes() <= limit {
                return Ok(fitted);
            }
        }
        if !is_drawable {
            return Err(FitError::TooLarge);
        }
        thin(&mut film, limit)?;
    }
}

/// Leaves out every second frame, and every second of those that have contacts.
fn thin(film: &mut Film, limit: usize) -> Result<(), FitError> {
    if film.frames.samples.len() < 2 {
        return Err(FitError::DoesNotFit { bodies: film.actors.len(), limit });
    }
    film.frames.halve();
    film.contacts.halve();
    thin_contacts(film);
    Ok(())
}

/// Contacts stand at frames, so there are no more of them.
fn thin_contacts(film: &mut Film) {
    while film.contacts.stride < film.frames.stride && film.contacts.samples.len() > 1 {
        film.contacts.halve();
    }
}

/// Half the size of the smallest thing that moves, in metres; 1 m where nothing does.
#[must_use]
pub fn smallest_size(film: &Film) -> f64 {
    let moving = film.actors.iter().filter(|actor| actor.kind != BodyKind::Static);
    let sizes = moving.flat_map(|actor| &actor.shapes).filter_map(|shape| shape.smallest_half_extent());
    sizes.reduce(|a, b| if b < a { b } else { a }).unwrap_or(USUAL_SIZE)
}

impl Level {
    fn quantum(self, size: f64) -> Quantum {
        // A power of two, so that multiples are exact.
        let unit = libm::scalbn(1.0, libm::ilogb(size));
        let finest = libm::scalbn(1.0, -32);
        let of_size = |exponent: i32| {
            let quantum = libm::scalbn(unit, exponent);
            if quantum < finest { finest } else { quantum }
        };
        Quantum {
            position: self.position.map_or(finest, of_size),
            orientation: libm::scalbn(1.0, self.orientation),
            linear_velocity: self.velocity.map(of_size),
            angular_velocity: self.velocity.map(|exponent| libm::scalbn(1.0, exponent)),
        }
    }
}

/// All columns; `None` when a number is too large for its quantum.
fn write(film: &Film, tracks: &[ContactTrack], quantum: &Quantum) -> Option<(Vec<u8>, ContactQuantum)> {
    let mut bytes = Vec::new();
    for column in body_columns(film) {
        encode_body(&column, quantum, &mut bytes)?;
    }
    let contact_quantum = contact_quantum(film, quantum);
    for track in tracks {
        track.encode(film, &contact_quantum, &mut bytes)?;
    }
    Some((bytes, contact_quantum))
}

/// The numbers of each body, frame by frame.
fn body_columns(film: &Film) -> Vec<Vec<[f64; NUMBERS]>> {
    let mut columns = vec![Vec::new(); film.actors.len()];
    for frame in &film.frames.samples {
        for (actor, numbers) in &frame.bodies {
            columns[*actor as usize].push(*numbers);
        }
    }
    columns
}

fn encode_body(frames: &[[f64; NUMBERS]], quantum: &Quantum, bytes: &mut Vec<u8>) -> Option<()> {
    let quanta = [
        (0..3, Some(quantum.position)),
        (3..7, Some(quantum.orientation)),
        (7..10, quantum.linear_velocity),
        (10..13, quantum.angular_velocity),
    ];
    for (components, quantum) in quanta {
        let Some(quantum) = quantum else { continue };
        for component in components {
            let values: Option<Vec<i64>> =
                frames.iter().map(|numbers| quantised(numbers[component], quantum)).collect();
            encode(&values?, bytes);
        }
    }
    Some(())
}

/// Contacts are looked at, not computed with.
fn contact_quantum(film: &Film, quantum: &Quantum) -> ContactQuantum {
    let impulses = film.contacts.samples.iter().flatten().map(|sample| sample.point.impulse);
    let largest = impulses.fold(0.0, |a, b| if b > a { b } else { a });
    let coarsest = libm::scalbn(quantum.position, 2);
    ContactQuantum {
        position: coarsest,
        normal: libm::scalbn(1.0, -7),
        impulse: if largest > 0.0 { libm::scalbn(1.0, libm::ilogb(largest) - 12) } else { 1.0 },
        depth: quantum.position,
    }
}

/// Best compression: a page is written once and read often.
pub(super) fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // A vector takes everything.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

fn header(film: &Film, replay: &Replay, label: &str, quantum: Quantum, contacts: Option<ContactsHeader>) -> FilmHeader {
    let recorded = replay.steps.get(film.last_step as usize).map(|step| step.root);
    let hex = |root: [u8; 32]| root.iter().map(|byte| format!("{byte:02x}")).collect();
    FilmHeader {
        schema: FILM_SCHEMA,
        label: label.to_owned(),
        scene: replay.header.scene_name.clone(),
        scalar: replay.header.scalar.name(),
        dt: replay.header.seconds(1),
        hash: recorded.map(hex).unwrap_or_default(),
        first_step: film.first_step,
        last_step: film.last_step,
        stride: film.frames.stride,
        frames: film.frames.samples.len(),
        gravity: film.gravity,
        quantum,
        bodies: bodies(film),
        contacts,
        energy: curves(film),
        notes: notes(film, &quantum),
    }
}

fn bodies(film: &Film) -> Vec<BodyHeader> {
    let mut spans: Vec<Option<(usize, usize)>> = vec![None; film.actors.len()];
    for (frame, state) in film.frames.samples.iter().enumerate() {
        for (actor, _) in &state.bodies {
            let span = spans[*actor as usize].get_or_insert((frame, 0));
            span.1 += 1;
        }
    }
    let described = film.actors.iter().zip(spans).map(|(actor, span)| {
        let (start, frames) = span.unwrap_or((0, 0));
        BodyHeader {
            name: actor.name.clone(),
            kind: actor.kind.name(),
            mass: actor.mass,
            shapes: actor.shapes.clone(),
            start,
            frames,
        }
    });
    described.collect()
}

fn curves(film: &Film) -> Curves {
    let mut curves = Curves::default();
    for measures in &film.curve.samples {
        curves.step.push(measures.step);
        curves.kinetic.push(measures.energy.kinetic);
        curves.potential.push(measures.energy.potential);
        curves.total.push(measures.energy.total());
        curves.contacts.push(measures.contacts);
        curves.overlap.push(measures.largest_overlap);
    }
    curves
}

/// What the page leaves out, for whoever looks at it.
fn notes(film: &Film, quantum: &Quantum) -> Vec<String> {
    let mut notes = Vec::new();
    if film.frames.stride > 1 {
        notes.push(format!("shows {} of the run", every_step(film.frames.stride)));
    }
    // The finest quantum is the resolution of fixed point, and for floats finer than anything that can be seen.
    if quantum.position > libm::scalbn(1.0, -32) {
        notes.push(format!("positions to {} m", short(quantum.position / 2.0)));
    }
    if quantum.linear_velocity.is_none() {
        notes.push("velocities are worked out from positions".to_owned());
    }
    if film.contacts.stride > film.frames.stride {
        notes.push(format!("contacts of {}", every_step(film.contacts.stride)));
    }
    notes
}

/// Of so many steps one.
fn every_step(stride: u32) -> String {
    let ending = match (stride % 100, stride % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("every {stride}{ending} step")
}

/// A number with two digits, for people.
fn short(number: f64) -> String {
    format!("{number:.1e}")
}
