//! Contact points followed from frame to frame.

use std::collections::BTreeMap;

use crate::analysis::contact_samples::{ContactPointKey, ContactSample};
use crate::view::column::{encode, push_number, quantised};
use crate::view::film::Film;
use crate::view::header::ContactQuantum;

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
        for id in [self.key.a.body, self.key.b.body] {
            push_number(u64::from(film.actor_of(id)?), bytes);
        }
        push_number(self.start as u64, bytes);
        push_number(self.samples.len() as u64, bytes);
        let columns: [(fn(&ContactSample) -> f64, f64); 8] = [
            (|sample| sample.point.position[0], quantum.position),
            (|sample| sample.point.position[1], quantum.position),
            (|sample| sample.point.position[2], quantum.position),
            (|sample| sample.normal[0], quantum.normal),
            (|sample| sample.normal[1], quantum.normal),
            (|sample| sample.normal[2], quantum.normal),
            (|sample| sample.point.impulse, quantum.impulse),
            (|sample| sample.point.depth, quantum.depth),
        ];
        for (number, quantum) in columns {
            let values: Option<Vec<i64>> =
                self.samples.iter().map(|sample| quantised(number(sample), quantum)).collect();
            encode(&values?, bytes);
        }
        Some(())
    }
}
