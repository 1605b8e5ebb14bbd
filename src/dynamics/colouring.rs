//! Groups constraints into colours: within a colour no two of them share a dynamic body, so their order cannot matter.
//!
//! Contacts and joints are coloured alike, each on their own.

use crate::dynamics::body::{Bodies, BodyKind};
use crate::dynamics::contact::ContactGeometry;
use crate::dynamics::joint::WORLD;
use crate::math::Scalar;

/// Colours that hold independent constraints; those that fit in none go, in order, to the overflow colour behind them.
pub const COLOURS: usize = 24;

/// Constraints by colour, as indices into the contacts of the step, or its joints.
#[derive(Clone, Debug, Default)]
pub struct Colouring {
    /// Independent constraints, one list per colour.
    pub colours: Vec<Vec<u32>>,
    /// Those that found no colour; solved in their order.
    pub overflow: Vec<u32>,
    /// Which colours touch each body, as bits.
    used: Vec<u32>,
}

impl Colouring {
    /// Colours the contacts greedily in their own order, each with the first colour that its dynamic bodies do not have: those that touch
    /// before those that may within the step.
    ///
    /// What idles between them would change the order in which the others are solved, and on that it depends how fast a wall comes to rest.
    ///
    /// Contacts with a body that is not dynamic draw from the last colours downwards, so that they come late in an
    /// iteration: what cannot move has the last word.
    pub fn assign<S: Scalar>(&mut self, contacts: &[ContactGeometry<S>], bodies: &Bodies<S>) {
        let numbered = || (0_u32..).zip(contacts);
        let touching = numbered().filter(|(_, contact)| !contact.is_open && !contact.is_awaited);
        let awaited = numbered().filter(|(_, contact)| contact.is_awaited);
        let pair = |(number, contact): (u32, &ContactGeometry<S>)| (number, [contact.body_a, contact.body_b]);
        self.assign_in_order(touching.chain(awaited).map(pair), bodies);
    }

    /// Colours pairs of bodies, each with its number, in the order in which they come; [`WORLD`] is not a body.
    pub fn assign_pairs<S: Scalar>(&mut self, pairs: impl Iterator<Item = (u32, [u32; 2])>, bodies: &Bodies<S>) {
        self.assign_in_order(pairs, bodies);
    }

    fn assign_in_order<S: Scalar>(&mut self, pairs: impl Iterator<Item = (u32, [u32; 2])>, bodies: &Bodies<S>) {
        self.colours.resize_with(COLOURS, Vec::new);
        for colour in &mut self.colours {
            colour.clear();
        }
        self.overflow.clear();
        self.used.clear();
        self.used.resize(bodies.len(), 0);
        let moves = |body: u32| body != WORLD && bodies.kind[body as usize] == BodyKind::Dynamic;
        for (number, [a, b]) in pairs {
            let (a_moves, b_moves) = (moves(a), moves(b));
            let (a, b) = (a as usize, b as usize);
            let taken = if a_moves { self.used[a] } else { 0 } | if b_moves { self.used[b] } else { 0 };
            let Some(colour) = free_colour(taken, a_moves && b_moves) else {
                self.overflow.push(number);
                continue;
            };
            if a_moves {
                self.used[a] |= 1 << colour;
            }
            if b_moves {
                self.used[b] |= 1 << colour;
            }
            self.colours[colour].push(number);
        }
    }
}

/// A colour that is not in `taken`: the first one, or the last one for pairs with an unmovable body.
fn free_colour(taken: u32, both_move: bool) -> Option<usize> {
    let free = !taken & ((1 << COLOURS) - 1);
    if free == 0 {
        None
    } else if both_move {
        Some(free.trailing_zeros() as usize)
    } else {
        Some(free.ilog2() as usize)
    }
}
