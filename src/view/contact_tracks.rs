//! Contact points followed from frame to frame.

use std::collections::BTreeMap;

use crate::analysis::contact_samples::{ContactPointKey, ContactSample};
use crate::view::column::{encode, push_number, quantised};
use crate::view::film::Film;
use crate::view::header::ContactQuantum;

/// Columns of a track.
const NUMBERS: usize = 8;

/// A contact point over the frames in which it lasts.
#[derive(Debug)]
pub struct ContactTrack {
    key: ContactPointKey,
    start: usize,
    samples: Vec<ContactSample>,
}

/// The contact points of a film, each from where it begins to where it ends, in the order of their beginnings.
#[must_use]
pub fn contact_tracks(film: &Film) -> Vec<ContactTrack> {
    let mut done = Vec::new();
    let mut open: BTreeMap<ContactPointKey, ContactTrack> = BTreeMap::new();
    for (frame, samples) in film.contacts.samples.iter().enumerate() {
        for sample in samples {
            let fresh = || ContactTrack { key: sample.key, start: frame, samples: Vec::new() };
            let track = open.entry(sample.key).or_insert_with(fresh);
            // Two points of one key in a frame, should there ever be any, are one point here.
            if track.start + track.samples.len() == frame {
                track.samples.push(*sample);
            }
        }
        let lasts = |track: &mut ContactTrack| track.start + track.samples.len() > frame;
        done.extend(open.extract_if(.., |_, track| !lasts(track)).map(|(_, track)| track));
    }
    done.extend(open.into_values());
    done.sort_by_key(|track| (track.start, track.key));
    done
}

impl ContactTrack {
    /// Appends the track; `None` when a number does not fit.
    pub fn encode(&self, film: &Film, quantum: &ContactQuantum, bytes: &mut Vec<u8>) -> Option<()> {
        for id in [self.key.contact.a.body, self.key.contact.b.body] {
            push_number(u64::from(film.actor_of(id)?), bytes);
        }
        push_number(self.start as u64, bytes);
        push_number(self.samples.len() as u64, bytes);
        let rows = self.samples.iter().map(|sample| numbers(sample, quantum));
        let rows = rows.collect::<Option<Vec<_>>>()?;
        for column in 0..NUMBERS {
            let values: Vec<i64> = rows.iter().map(|row| row[column]).collect();
            encode(&values, bytes);
        }
        Some(())
    }
}

/// The columns of one frame: position, normal, impulse and overlap as multiples of their quanta.
fn numbers(sample: &ContactSample, quantum: &ContactQuantum) -> Option<[i64; NUMBERS]> {
    let [px, py, pz] = sample.point.position.map(|number| quantised(number, quantum.position));
    let [nx, ny, nz] = sample.normal.map(|number| quantised(number, quantum.normal));
    let impulse = quantised(sample.point.impulse, quantum.impulse);
    let depth = quantised(sample.point.depth, quantum.depth);
    Some([px?, py?, pz?, nx?, ny?, nz?, impulse?, depth?])
}
