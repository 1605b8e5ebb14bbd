//! What is about to happen within a substep, in the order of time.
//!
//! An event is foreseen on the paths that its bodies have when it is found. Once one of them is struck it will not come so, and
//! is passed over: what happens on the new path is found anew.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::dynamics::solver::open::FirstTouch;
use crate::math::Scalar;

/// Two shapes that are about to meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event<S> {
    pub(super) link: u32,
    pub(super) bodies: [u32; 2],
    /// Seconds since the start of the substep.
    pub(super) time: S,
    pub(super) what: Happening,
}

/// What happens between two shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Happening {
    /// They meet, and had no rows; its place among the touches.
    Touch(usize),
    /// Points of their contact strike.
    Strike,
    /// They have turned so far that their contact must be looked at again.
    Turn,
}

/// When something happens on a link; what it is stands with the link.
#[derive(Clone, Copy, Debug)]
struct Entry<S> {
    time: S,
    link: u32,
}

/// The events of a substep that have not happened yet.
#[derive(Clone, Debug)]
pub(super) struct Agenda<S> {
    entries: BinaryHeap<Entry<S>>,
    /// The last event that was added of each link, and on which paths of its bodies it was foreseen.
    last: Vec<Option<(Event<S>, [u32; 2])>>,
    touches: Vec<FirstTouch<S>>,
    /// How many paths each body has had before its present one.
    path: Vec<u32>,
}

impl<S: Scalar> Default for Agenda<S> {
    fn default() -> Self {
        Self { entries: BinaryHeap::new(), last: Vec::new(), touches: Vec::new(), path: Vec::new() }
    }
}

impl<S: Scalar> Agenda<S> {
    /// Makes room for the bodies of a step.
    pub(super) fn begin_step(&mut self, bodies: usize) {
        self.path.clear();
        self.path.resize(bodies, 0);
    }

    /// Forgets the events of the substep before.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.last.clear();
        self.touches.clear();
    }

    /// Adds what happens between the shapes of a link.
    pub(super) fn add(&mut self, link: u32, bodies: [u32; 2], time: S, what: Happening) {
        let event = Event { link, bodies, time, what };
        self.entries.push(Entry { time, link });
        let link = link as usize;
        if self.last.len() <= link {
            self.last.resize(link + 1, None);
        }
        self.last[link] = Some((event, self.paths(bodies)));
    }

    /// Adds that the shapes of a link meet.
    pub(super) fn add_touch(&mut self, link: u32, bodies: [u32; 2], touch: FirstTouch<S>) {
        self.add(link, bodies, touch.time, Happening::Touch(self.touches.len()));
        self.touches.push(touch);
    }

    /// How two shapes meet.
    pub(super) fn touch(&self, place: usize) -> FirstTouch<S> {
        self.touches[place]
    }

    /// A body has taken another path.
    pub(super) fn break_path(&mut self, body: u32) {
        let path = &mut self.path[body as usize];
        *path = path.wrapping_add(1);
    }

    /// Takes out the earliest event that is still due.
    pub(super) fn next(&mut self) -> Option<Event<S>> {
        loop {
            let Entry { time, link } = self.entries.pop()?;
            if let Some(event) = self.due(link).filter(|due| due.time == time) {
                self.last[link as usize] = None;
                return Some(event);
            }
        }
    }

    /// Takes out an impact of a link that is due by some time.
    pub(super) fn take_impact(&mut self, link: u32, until: S) -> Option<Event<S>> {
        let event = self.due(link).filter(|event| event.time <= until && event.what != Happening::Turn)?;
        self.last[link as usize] = None;
        Some(event)
    }

    /// What a link does next: the event that was added last, if its bodies are on the paths on which it was foreseen.
    fn due(&self, link: u32) -> Option<Event<S>> {
        let (event, paths) = self.last.get(link as usize).copied().flatten()?;
        (paths == self.paths(event.bodies)).then_some(event)
    }

    fn paths(&self, bodies: [u32; 2]) -> [u32; 2] {
        bodies.map(|body| self.path[body as usize])
    }
}

/// The greatest entry is the one that happens first; of what happens at once, that of the first link.
impl<S: Scalar> Ord for Entry<S> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_time = other.time.partial_cmp(&self.time).unwrap_or(Ordering::Equal);
        by_time.then_with(|| other.link.cmp(&self.link))
    }
}

impl<S: Scalar> PartialOrd for Entry<S> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<S: Scalar> PartialEq for Entry<S> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<S: Scalar> Eq for Entry<S> {}

#[cfg(test)]
mod tests {
    use super::{Agenda, Happening};

    #[test]
    fn events_come_in_the_order_of_time_and_not_on_paths_that_are_broken() {
        let mut agenda = Agenda::<f64>::default();
        agenda.begin_step(4);
        for (link, bodies, time) in [(0, [0, 1], 0.5), (1, [1, 2], 0.25), (2, [2, 3], 0.25), (3, [0, 3], 0.75)] {
            agenda.add(link, bodies, time, Happening::Strike);
        }
        assert_eq!(agenda.next().map(|event| event.link), Some(1), "of two at once the first link");
        [1, 2].into_iter().for_each(|body| agenda.break_path(body));
        agenda.add(0, [0, 1], 0.6, Happening::Turn);
        let left: Vec<_> = std::iter::from_fn(|| agenda.next()).map(|event| (event.link, event.time)).collect();
        assert_eq!(left, [(0, 0.6), (3, 0.75)], "links 0 and 2 were foreseen on paths that are over");
        agenda.clear();
        agenda.add(5, [2, 3], 0.5, Happening::Strike);
        agenda.break_path(2);
        agenda.add(5, [2, 3], 0.5, Happening::Turn);
        assert_eq!(
            agenda.next().map(|event| event.what),
            Some(Happening::Turn),
            "not what was foreseen for the same time"
        );
        assert!(agenda.next().is_none());
    }
}
