//! Where the rows of contacts are: eight contacts side by side, one in each lane, and a few such batches in a chunk.
//!
//! Contacts of one colour share no body that they can push, so those of a batch are solved at once, and the chunks of a colour
//! on any threads. Those that found no colour, or began within the step, stand in chunks behind, in rounds.

use crate::dynamics::solver::chunk::{Chunk, Room};
use crate::dynamics::solver::rounds::{BatchPlace, Filling, Rounds};
use crate::dynamics::solver::rows::{LaneRows, NONE, RowsView};
use crate::math::Scalar;

/// Where a contact is among the batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    chunk: u32,
    batch: u8,
    lane: u8,
}

impl Lane {
    const fn place(self) -> (usize, usize, usize) {
        (self.chunk as usize, self.batch as usize, self.lane as usize)
    }
}

/// The contacts of a step in lanes, in solving order.
#[derive(Clone, Debug)]
pub struct Batches<S: Scalar> {
    chunks: Vec<Chunk<S>>,
    /// How many of these are in use.
    used: usize,
    /// Batches in a chunk, at most.
    batches_in_chunk: usize,
    /// Where the chunks of each colour end, one behind the other.
    colour_ends: Vec<usize>,
    /// The batches of the present colour that are being filled.
    filling: Filling,
    /// The contacts behind all colours.
    rounds: Rounds,
}

impl<S: Scalar> Default for Batches<S> {
    fn default() -> Self {
        Self {
            chunks: Vec::new(),
            used: 0,
            batches_in_chunk: 1,
            colour_ends: Vec::new(),
            filling: Filling::default(),
            rounds: Rounds::default(),
        }
    }
}

impl<S: Scalar> Batches<S> {
    /// Takes out all batches; those that come are to stand in chunks of so many.
    pub(super) fn clear(&mut self, batches_in_chunk: usize) {
        self.used = 0;
        self.batches_in_chunk = batches_in_chunk;
        self.colour_ends.clear();
        self.rounds.clear();
    }

    /// Begins a colour: no chunk holds contacts of two.
    pub(super) fn begin_colour(&mut self) {
        self.colour_ends.push(self.used);
        self.filling = Filling::default();
    }

    /// How many colours there are.
    pub(super) const fn colours(&self) -> usize {
        self.colour_ends.len()
    }

    /// The chunks of a colour.
    pub(super) fn colour(&mut self, colour: usize) -> &mut [Chunk<S>] {
        let first = colour.checked_sub(1).map_or(0, |before| self.colour_ends[before]);
        &mut self.chunks[first..self.colour_ends[colour]]
    }

    /// How many rounds of contacts there are behind all colours.
    pub(super) const fn rounds(&self) -> usize {
        self.rounds.len()
    }

    /// How many chunks a round has.
    pub(super) fn chunks_in_round(&mut self, round: usize) -> usize {
        self.rounds.round(round).chunks.len()
    }

    /// A chunk of a round.
    pub(super) fn in_round(&mut self, round: usize, number: usize) -> &mut Chunk<S> {
        &mut self.chunks[self.rounds.round(round).chunks[number]]
    }

    /// All chunks.
    pub(super) fn chunks(&mut self) -> &mut [Chunk<S>] {
        &mut self.chunks[..self.used]
    }

    /// Takes a lane among contacts of the present colour.
    pub(super) fn add(&mut self, contact: u32, bodies: [u32; 2], room: Room) -> Lane {
        let first = self.colour_ends.len().checked_sub(2).map_or(0, |before| self.colour_ends[before]);
        let last = (first..self.used).next_back();
        let filling = *self.filling.of(room);
        let place = self.find_or_push(room, filling, last);
        *self.filling.of(room) = Some(place);
        if let Some(end) = self.colour_ends.last_mut() {
            *end = self.used;
        }
        self.take_lane(place, contact, bodies)
    }

    /// Takes a lane behind all colours, for a contact that pushes those of its bodies.
    pub(super) fn add_behind(&mut self, contact: u32, (bodies, pushes): ([u32; 2], [bool; 2]), room: Room) -> Lane {
        let pushed = bodies.into_iter().zip(pushes).filter_map(|(body, pushes)| pushes.then_some(body));
        let number = self.rounds.take(pushed);
        let round = self.rounds.round(number);
        let (filling, last) = (*round.filling.of(room), round.chunks.last().copied());
        let used = self.used;
        let place = self.find_or_push(room, filling, last);
        let round = self.rounds.round(number);
        *round.filling.of(room) = Some(place);
        if self.used > used {
            round.chunks.push(place.0);
        }
        self.take_lane(place, contact, bodies)
    }

    /// The batch that is being filled, where it has a free lane; else an empty one, in this last chunk if that has room for it.
    fn find_or_push(&mut self, room: Room, filling: Option<BatchPlace>, last: Option<usize>) -> BatchPlace {
        filling.filter(|&place| self.has_room(place)).unwrap_or_else(|| self.push(room, last))
    }

    fn has_room(&self, (chunk, batch): BatchPlace) -> bool {
        self.chunks[chunk].has_free_lane(batch)
    }

    /// Adds an empty batch to this chunk, or to a new one; where it is.
    fn push(&mut self, room: Room, last: Option<usize>) -> BatchPlace {
        let chunk = last.filter(|&chunk| self.chunks[chunk].len() < self.batches_in_chunk).unwrap_or(self.used);
        if chunk == self.used {
            self.used += 1;
            self.chunks.resize_with(self.chunks.len().max(self.used), Chunk::default);
            self.chunks[chunk].clear();
        }
        (chunk, self.chunks[chunk].push(room))
    }

    fn take_lane(&mut self, (chunk, batch): BatchPlace, contact: u32, bodies: [u32; 2]) -> Lane {
        let lane = self.chunks[chunk].take_lane(batch, contact, bodies);
        Lane { chunk: u32::try_from(chunk).unwrap_or(NONE), batch: batch as u8, lane: lane as u8 }
    }

    /// The rows of a contact of which so many points count, to be changed.
    #[inline(always)]
    pub(super) fn view(&mut self, at: Lane, count: usize) -> RowsView<'_, S> {
        let (chunk, batch, lane) = at.place();
        self.chunks[chunk].view_lane(batch, lane, count)
    }

    /// The rows of a contact of which so many points count.
    #[inline(always)]
    pub(super) fn at(&self, at: Lane, count: usize) -> LaneRows<'_, S> {
        let (chunk, batch, lane) = at.place();
        self.chunks[chunk].lane(batch, lane, count)
    }

    /// Whether a contact may strike in this substep.
    #[inline(always)]
    pub(super) fn is_alert(&self, at: Lane) -> bool {
        let (chunk, batch, lane) = at.place();
        self.chunks[chunk].is_alert(batch, lane)
    }

    /// Lets so many points of a contact count, as far as there is room for them; what the others had is gone. How many count.
    pub(super) fn set_count(&mut self, at: Lane, count: usize) -> usize {
        let (chunk, batch, lane) = at.place();
        self.chunks[chunk].set_count(batch, lane, count)
    }

    /// Takes the impulses of all substeps and impacts so far from the points of a contact, m/s.
    pub(super) fn take_totals(&mut self, at: Lane) -> S {
        let (chunk, batch, lane) = at.place();
        self.chunks[chunk].take_totals(batch, lane)
    }

    /// Sets all impulses to zero.
    pub(super) fn forget_impulses(&mut self) {
        self.chunks.iter_mut().for_each(Chunk::forget_impulses);
    }
}
