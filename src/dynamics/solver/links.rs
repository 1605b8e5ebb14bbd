//! Which pairs of shapes each body has in a step: its links, along which a blow is felt.

use crate::dynamics::solver::poses::ColliderPair;
use crate::dynamics::solver::rows::NONE;

/// A link of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Its number.
    pub(super) number: u32,
    /// The body at its other end.
    pub(super) other: u32,
}

impl Link {
    const NONE: Self = Self { number: NONE, other: NONE };
}

/// The links of a step, by number and by body. A link is a place of the rows made at the start of the step, or behind all those an
/// open pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    /// The shapes of each link.
    pairs: Vec<ColliderPair>,
    /// The links of each body: from `first[body]` to the next.
    first: Vec<u32>,
    /// Where the next link of each body goes, while they are dealt out.
    next: Vec<u32>,
    /// Links by body.
    by_body: Vec<Link>,
    /// Links that came about within the step, each with the place here of the one before of the same body, or [`NONE`].
    late: Vec<(Link, u32)>,
    /// The last of them of each body, or [`NONE`].
    last_late: Vec<u32>,
}

impl Links {
    /// Takes up the links of a step.
    pub(super) fn begin_step(&mut self, bodies: usize, pairs: impl Iterator<Item = ColliderPair>) {
        self.late.clear();
        self.last_late.clear();
        self.last_late.resize(bodies, NONE);
        self.pairs.clear();
        self.pairs.extend(pairs);
        self.first.clear();
        self.first.resize(bodies + 1, 0);
        for body in self.pairs.iter().flat_map(|pair| pair.bodies) {
            self.first[body as usize + 1] += 1;
        }
        for body in 0..bodies {
            self.first[body + 1] += self.first[body];
        }
        self.by_body.clear();
        self.by_body.resize(self.first.last().map_or(0, |&last| last as usize), Link::NONE);
        self.next.clone_from(&self.first);
        for (link, pair) in (0_u32..).zip(&self.pairs) {
            let [a, b] = pair.bodies;
            for (body, other) in [(a, b), (b, a)] {
                let place = &mut self.next[body as usize];
                self.by_body[*place as usize] = Link { number: link, other };
                *place += 1;
            }
        }
    }

    /// How many there are.
    pub(super) const fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The links of a body.
    pub(super) fn of(&self, body: u32) -> impl Iterator<Item = Link> {
        let [from, to] = [body, body + 1].map(|place| self.first[place as usize] as usize);
        let late = |place: u32| self.late.get(place as usize);
        let last = late(self.last_late[body as usize]);
        let late = std::iter::successors(last, move |(_, before)| late(*before)).map(|(link, _)| *link);
        self.by_body[from..to].iter().copied().chain(late)
    }

    /// The shapes of all links.
    pub(super) fn pairs(&self) -> &[ColliderPair] {
        &self.pairs
    }

    /// The shapes of a link.
    pub(super) fn pair_of(&self, link: u32) -> ColliderPair {
        self.pairs[link as usize]
    }

    /// Adds a link behind all others.
    pub(super) fn add(&mut self, pair: ColliderPair) {
        let number = u32::try_from(self.pairs.len()).unwrap_or(NONE);
        self.pairs.push(pair);
        let [a, b] = pair.bodies;
        for (body, other) in [(a, b), (b, a)] {
            let place = u32::try_from(self.late.len()).unwrap_or(NONE);
            let before = std::mem::replace(&mut self.last_late[body as usize], place);
            self.late.push((Link { number, other }, before));
        }
    }
}
