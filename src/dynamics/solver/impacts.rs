//! Impacts within a substep, in the order in which they happen.
//!
//! Between two moments of semi-implicit Euler a body flies a parabola that meets both: a substep of length `h` that begins at
//! `x` and ends with velocity `v` has `x(t) = x + (v - a h/2) t + a t^2/2`. So the time of an impact and the speed there are
//! known exactly. A body that is struck at `t` gets the velocity that makes it end where, and as fast as, it would end after
//! bouncing at `t`; and it is shifted back by what that velocity would have moved it before `t`. Later impacts of the same
//! substep see it on its new path.
//!
//! Impacts happen in the order of time, one after the other; after each the paths of its bodies are looked at anew, until
//! nothing meets any more. An impact that is the next of both its bodies may not be let happen before an earlier one of others:
//! these may come and meet its bodies before.

use crate::dynamics::contact::touching_gap;
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::agenda::{Agenda, Event, Happening};
use crate::dynamics::solver::first_looks::FirstLook;
use crate::dynamics::solver::foretold::Foretold;
use crate::dynamics::solver::joined_blows::JoinedBlow;
use crate::dynamics::solver::links::{Link, Links};
use crate::dynamics::solver::open::{OpenPair, first_touch};
use crate::dynamics::solver::poses::{ColliderPair, Scenery};
use crate::dynamics::solver::refresh::small_turn;
use crate::dynamics::solver::rows::{ContactRows, NONE};
use crate::dynamics::solver::strays::Strays;
use crate::dynamics::solver::strikes::Struck;
use crate::math::{Mat3, Scalar};

/// Events of one link in a substep, at most. What turns so fast that this is not enough is not looked at to the end.
const MOST_EVENTS: u16 = 2048;
/// Impacts of one contact in a substep that may bounce. What strikes more often comes to rest (inelastic collapse: S. McNamara,
/// W. R. Young, "Inelastic collapse in two dimensions", 1994).
const MOST_BOUNCES: u8 = 64;

/// Impacts that are solved as one, at most. What is beyond comes next, at the same moment.
const MOST_AT_ONCE: usize = 256;

/// Stands for more bodies than one.
const SEVERAL: u32 = NONE - 1;

/// What the impacts of a step need beside rows and bodies.
#[derive(Clone, Debug)]
pub struct Impacts<S: Scalar> {
    /// Seconds since the start of the substep at which each body was last struck.
    struck_at: Vec<S>,
    /// The bodies that were struck in this substep.
    struck: Vec<u32>,
    /// What each body was struck by in this step: another body, [`NONE`] or [`SEVERAL`].
    struck_by: Vec<u32>,
    /// Which pairs of shapes each body has.
    pub(super) links: Links,
    /// The [leeway](OpenPair::leeway) of the open pairs that have no rows, zero of the others. Most of them are far apart, so
    /// asking is to touch little memory.
    leeway: Vec<S>,
    /// Which colliders may have a face that a neighbour continues.
    pub(super) may_be_flush: Vec<bool>,
    /// How often each link has struck in this substep.
    count: Vec<u8>,
    /// How many events each link has had in this substep.
    events: Vec<u16>,
    /// Seconds from the start of the substep to the end of the step.
    pub(super) left: S,
    /// What the first looks of the substep at the open pairs show; no more than memory after that.
    pub(super) first_looks: Vec<Option<FirstLook<S>>>,
    /// The rotations of the bodies at the end of the substep on their present paths, of those in `has_end`.
    ends: Vec<Mat3<S>>,
    has_end: Vec<bool>,
    /// What has left the paths that the start of the step foretold.
    pub(super) strays: Strays<S>,
    /// What the start of the step foretells.
    pub(super) foretold: Foretold<S>,
    /// What is about to happen.
    agenda: Agenda<S>,
    /// The blows of this substep on bodies that are joined to something.
    pub(super) joined_blows: Vec<JoinedBlow<S>>,
    /// Room for what happens at one moment; no more than memory after that.
    room: Room<S>,
}

/// Room for lists that are made at every event, so that no memory is taken for them.
#[derive(Clone, Debug)]
struct Room<S> {
    /// What happens at one moment.
    events: Vec<Event<S>>,
    /// The places of the rows of each, or [`NONE`].
    places: Vec<u32>,
    /// The bodies whose velocities that changes.
    changed: Vec<u32>,
    /// Links of some bodies.
    links: Vec<u32>,
}

impl<S> Default for Room<S> {
    fn default() -> Self {
        Self { events: Vec::new(), places: Vec::new(), changed: Vec::new(), links: Vec::new() }
    }
}

impl<S: Scalar> Default for Impacts<S> {
    fn default() -> Self {
        Self {
            struck_at: Vec::new(),
            struck: Vec::new(),
            struck_by: Vec::new(),
            links: Links::default(),
            leeway: Vec::new(),
            may_be_flush: Vec::new(),
            count: Vec::new(),
            events: Vec::new(),
            left: S::ZERO,
            first_looks: Vec::new(),
            ends: Vec::new(),
            has_end: Vec::new(),
            strays: Strays::default(),
            foretold: Foretold::default(),
            agenda: Agenda::default(),
            joined_blows: Vec::new(),
            room: Room::default(),
        }
    }
}

impl<S: Scalar> Impacts<S> {
    /// Makes room for the bodies and links of a step.
    pub(super) fn begin_step(&mut self, bodies: usize, pairs: impl Iterator<Item = ColliderPair>) {
        self.struck_at.clear();
        self.struck_at.resize(bodies, S::ZERO);
        self.struck.clear();
        self.struck_by.clear();
        self.struck_by.resize(bodies, NONE);
        self.ends.resize(bodies, Mat3::IDENTITY);
        self.has_end.resize(bodies, false);
        self.agenda.begin_step(bodies);
        self.strays.begin_step();
        self.links.begin_step(bodies, pairs);
        self.count.clear();
        self.count.resize(self.links.len(), 0);
        self.events.clear();
        self.events.resize(self.links.len(), 0);
    }

    /// Forgets the impacts of the substep before.
    fn begin_substep(&mut self) {
        for body in self.struck.drain(..) {
            self.struck_at[body as usize] = S::ZERO;
        }
        self.count.fill(0);
        self.events.fill(0);
        self.has_end.fill(false);
        self.agenda.clear();
        self.joined_blows.clear();
    }

    /// Notes how far the bodies of every open pair may stray.
    pub(super) fn note_leeways(&mut self, open: &[OpenPair<S>]) {
        self.leeway.clear();
        self.leeway.extend(open.iter().map(|open| open.leeway));
    }

    /// Notes that an open pair has come to have rows, or has none any more and this leeway.
    pub(super) fn set_leeway(&mut self, open: u32, leeway: S) {
        self.leeway[open as usize] = leeway;
    }

    /// Adds a link behind all others: an open pair of which nothing is known.
    pub(super) fn add_link(&mut self, pair: ColliderPair) {
        self.leeway.push(S::ZERO);
        self.count.push(0);
        self.events.push(0);
        for collider in pair.colliders {
            self.may_be_flush[collider as usize] = true;
        }
        self.links.add(pair);
    }

    /// Notes that a body was struck by another.
    pub(super) fn break_path(&mut self, body: u32, other: u32, time: S) {
        self.struck_at[body as usize] = time;
        self.struck.push(body);
        let by = &mut self.struck_by[body as usize];
        *by = if *by == NONE || *by == other { other } else { SEVERAL };
    }

    /// Whether a body was struck by others than this one in the step.
    #[must_use]
    pub fn is_struck_by_others(&self, body: usize, than: usize) -> bool {
        let by = self.struck_by.get(body).copied().unwrap_or(NONE);
        by != NONE && by as usize != than
    }

    /// Whether a link has struck in this substep.
    pub(super) fn has_struck(&self, link: u32) -> bool {
        self.count[link as usize] > 0
    }

    /// When a path of both bodies begins that nothing has broken yet.
    pub(super) fn free_since(&self, bodies: [u32; 2]) -> S {
        let [a, b] = bodies.map(|body| self.struck_at[body as usize]);
        a.max(b)
    }
}

impl<S: Scalar> Solve<'_, S> {
    /// Lets everything strike that meets within this substep.
    ///
    /// `left` is the time in seconds until the end of the step.
    pub(super) fn strike_impacts(&mut self, left: S) {
        self.impacts.begin_substep();
        self.open.iter_mut().for_each(|open| open.parted_at = S::ZERO);
        self.follow_all(left);
        self.find_events();
        while let Some(event) = self.impacts.agenda.next() {
            if self.impacts.events[event.link as usize] < MOST_EVENTS {
                self.happen(&event);
                let changed = std::mem::take(&mut self.impacts.room.changed);
                self.add_strays(&changed, left);
                self.look_again(&changed);
                self.impacts.room.changed = changed;
            }
        }
    }

    /// Finds how far every body strays from what the start of the step foretold; `left` is the time in seconds until the end of the
    /// step.
    pub(super) fn follow_all(&mut self, left: S) {
        self.impacts.left = left;
        let times = (self.settings.step_seconds - left, self.settings);
        self.impacts.foretold.follow_all(self.bodies, self.motion, times, self.executor);
    }

    /// Finds how far a body strays from what the start of the step foretold.
    fn follow(&mut self, body: usize) {
        let times = [self.settings.step_seconds - self.impacts.left, self.settings.substep_seconds];
        self.impacts.foretold.follow(body, self.bodies, self.motion, times);
    }

    /// The number of links that are rows made at the start of the step.
    pub(super) fn links_of_rows(&self) -> u32 {
        u32::try_from(self.impacts.count.len() - self.open.len()).unwrap_or(u32::MAX)
    }

    /// Adds what is about to happen on a link.
    pub(super) fn find_event(&mut self, link: u32) {
        let rows = self.links_of_rows();
        if self.is_far(link) {
            return;
        }
        let place = if link < rows { link } else { self.open[(link - rows) as usize].rows };
        if place != NONE {
            self.find_strike(link, place as usize);
            return;
        }
        let open = &self.open[(link - rows) as usize];
        let bodies = open.bodies;
        if open.stays_apart((self.bodies, self.motion), self.settings.substep_seconds, touching_gap()) {
            return;
        }
        let (from, end) = (self.impacts.free_since(bodies).max(open.parted_at), self.settings.substep_seconds);
        bodies.iter().for_each(|&body| self.find_end(body));
        let open = &self.open[(link - rows) as usize];
        let scenery = self.scenery().with_ends(&self.impacts.ends, end);
        let (touch, gap) = first_touch(open, scenery, (from, end, self.impacts.left));
        self.open[(link - rows) as usize].remember(gap, (self.bodies, self.motion, from));
        if let Some(touch) = touch {
            self.impacts.agenda.add_touch(link, bodies, touch);
        }
    }

    /// Whether a link is an open pair without rows whose shapes stay farther from each other in this substep than any slack.
    pub(super) fn is_far(&self, link: u32) -> bool {
        self.are_far(link, self.impacts.links.pair_of(link).bodies)
    }

    /// The same of a link between these bodies.
    fn are_far(&self, link: u32, bodies: [u32; 2]) -> bool {
        let open = link.checked_sub(self.links_of_rows());
        open.is_some_and(|open| self.impacts.foretold.holds(bodies, self.impacts.leeway[open as usize]))
    }

    /// Finds how a body is turned at the end of the substep, if that is not known.
    fn find_end(&mut self, body: u32) {
        let index = body as usize;
        if !self.impacts.has_end[index] {
            self.impacts.ends[index] = self.scenery().rotation(body, self.settings.substep_seconds);
            self.impacts.has_end[index] = true;
        }
    }

    /// Adds the next strike of a contact with rows, or the moment at which its rows are no longer true.
    pub(super) fn find_strike(&mut self, link: u32, place: usize) {
        let contact = &self.rows.contacts[place];
        if contact.is_over(self.rows, place) {
            return;
        }
        let (bodies, spin) = (contact.bodies, self.shape_spin(contact));
        let until = self.true_until(contact, spin);
        let first = self.first_strike(&self.hits(link, place, spin));
        let strike = first.filter(|&time| until.is_none_or(|until| time <= until));
        if let Some(time) = strike {
            self.impacts.agenda.add(link, bodies, time, Happening::Strike);
        } else if let Some(time) = until {
            self.impacts.agenda.add(link, bodies, time, Happening::Turn);
        }
    }

    /// Until when the rows of a contact are true, whose shapes turn against each other at `rate` rad/s, where this ends within the
    /// substep.
    fn true_until(&self, contact: &ContactRows<S>, rate: S) -> Option<S> {
        if !self.outlasts_rows(rate) {
            return None;
        }
        let since = contact.made_for.max(self.impacts.free_since(contact.bodies));
        Some(since + small_turn::<S>() / rate).filter(|&time| time < self.settings.substep_seconds)
    }

    /// Looks anew at every link of these bodies, which ascend.
    fn look_again(&mut self, changed: &[u32]) {
        for &body in changed {
            self.follow(body as usize);
            self.impacts.agenda.break_path(body);
        }
        let mut links = std::mem::take(&mut self.impacts.room.links);
        for &body in changed {
            // A link between two of them is looked at once.
            let is_first = |other: u32| other > body || changed.binary_search(&other).is_err();
            let may_meet = |link: &Link| is_first(link.other) && !self.are_far(link.number, [body, link.other]);
            links.clear();
            links.extend(self.impacts.links.of(body).filter(may_meet).map(|link| link.number));
            links.iter().for_each(|&link| self.find_event(link));
        }
        self.impacts.room.links = links;
    }

    /// Adds the next event of a link that has just been looked at. Where its shapes have parted by that, the next is that they
    /// meet again.
    fn find_next(&mut self, link: u32, place: usize) {
        let contact = &self.rows.contacts[place];
        if !contact.is_over(self.rows, place) {
            self.find_strike(link, place);
            return;
        }
        let number = contact.open;
        if self.open.get(number as usize).is_some_and(|open| open.rows == NONE) {
            self.find_event(self.links_of_rows() + number);
        }
    }

    /// Lets an event happen, and what happens at the same moment to its bodies; leaves in `room` the bodies whose velocities that
    /// changed.
    fn happen(&mut self, event: &Event<S>) {
        self.take_at_once(event);
        let mut room = std::mem::take(&mut self.impacts.room);
        let mut has_turned = false;
        for event in &room.events {
            self.impacts.events[event.link as usize] = self.impacts.events[event.link as usize].saturating_add(1);
            for body in event.bodies.map(|body| body as usize) {
                self.impacts.has_end[body] = false;
                let follows = event.what != Happening::Turn || self.motion.turns_far(self.bodies, body, event.time);
                has_turned |= follows && self.motion.follow_turn(self.bodies, body, event.time, self.settings);
            }
        }
        room.places.clear();
        for event in &room.events {
            room.places.push(self.arrive(event, has_turned));
        }
        let mut has_struck = false;
        if event.what != Happening::Turn {
            has_struck = self.strike_together(&room.events, &room.places);
        }
        if !has_struck {
            for (event, &place) in room.events.iter().zip(&room.places).filter(|(_, place)| **place != NONE) {
                self.find_next(event.link, place as usize);
            }
        }
        room.changed.clear();
        if has_struck || has_turned {
            let bodies = room.events.iter().flat_map(|event| event.bodies);
            room.changed.extend(bodies.filter(|&body| self.can_be_pushed(body)));
            room.changed.sort_unstable();
            room.changed.dedup();
        }
        self.impacts.room = room;
    }

    /// Takes out, beside an event, the impacts that happen at the same moment to bodies that it pushes, or that these push; leaves all
    /// of them in `room`.
    fn take_at_once(&mut self, event: &Event<S>) {
        let until = event.time + self.moment();
        let bodies = &*self.bodies;
        let Impacts { links, agenda, room: Room { events, .. }, .. } = &mut *self.impacts;
        events.clear();
        events.push(*event);
        let mut next = 0;
        while next < events.len() && event.what != Happening::Turn {
            let Event { link: of, bodies: struck, .. } = events[next];
            for body in struck.into_iter().filter(|&body| !bodies.inverse_mass[body as usize].is_zero()) {
                for link in links.of(body).map(|link| link.number).filter(|&link| link != of) {
                    if events.len() < MOST_AT_ONCE {
                        events.extend(agenda.take_impact(link, until));
                    }
                }
            }
            next += 1;
        }
    }

    /// Makes rows for two shapes that meet, or sees again those that strike for the first time; their place, or [`NONE`].
    fn arrive(&mut self, event: &Event<S>, has_turned: bool) -> u32 {
        let rows = self.links_of_rows();
        let place = match event.what {
            Happening::Touch(touch) => {
                let touch = self.impacts.agenda.touch(touch);
                self.close(event.link - rows, &touch)
            }
            _ if event.link < rows => event.link,
            _ => self.open[(event.link - rows) as usize].rows,
        };
        let sees = match event.what {
            Happening::Touch(_) => false,
            Happening::Strike => has_turned || (place != NONE && self.is_first_blow(place as usize)),
            Happening::Turn => true,
        };
        if place != NONE && sees {
            let made_for = match event.what {
                Happening::Turn => {
                    self.middle_of_turn(self.shape_spin(&self.rows.contacts[place as usize]), event.time)
                }
                _ => event.time,
            };
            self.look_at(place as usize, event.time, made_for);
        }
        place
    }

    /// Strikes those contacts of some events that meet at once with the first of them, if any does by its time.
    fn strike_together(&mut self, events: &[Event<S>], places: &[u32]) -> bool {
        let mut found: Vec<(S, u32, Struck<S>)> = Vec::new();
        for (event, &place) in events.iter().zip(places).filter(|(_, place)| **place != NONE) {
            let spin = self.shape_spin(&self.rows.contacts[place as usize]);
            let hits = self.hits(event.link, place as usize, spin);
            let now = event.time + self.moment();
            if let Some(time) = self.first_strike(&hits).filter(|&time| time <= now) {
                let bounces = self.impacts.count[event.link as usize] < MOST_BOUNCES;
                found.push((time, event.link, Struck { place, hits, bounces }));
            }
        }
        let Some(first) = found.iter().map(|(time, ..)| *time).reduce(S::min) else { return false };
        // Seen anew, points may have met a little before: all that is earlier than the event has happened already.
        let first = events.first().map_or(first, |event| first.max(event.time));
        let together = first + self.moment();
        let mut struck: Vec<Struck<S>> = Vec::new();
        for (_, link, contact) in found.into_iter().filter(|(time, ..)| *time <= together) {
            let count = &mut self.impacts.count[link as usize];
            *count = count.saturating_add(1);
            struck.push(contact);
        }
        self.strike(&struck, first);
        true
    }

    /// Whether impulses change this body.
    fn can_be_pushed(&self, body: u32) -> bool {
        !self.bodies.inverse_mass[body as usize].is_zero()
    }

    /// The bodies and their shapes as they are now.
    pub(super) fn scenery(&self) -> Scenery<'_, S> {
        Scenery::of(self.bodies, self.colliders, self.motion, self.settings)
    }
}
