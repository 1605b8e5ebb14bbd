//! Groups contacts into colours: within a colour no two contacts share a dynamic body, so their order cannot matter.

use crate::dynamics::body::{Bodies, BodyKind};
use crate::dynamics::contact::ContactGeometry;
use crate::math::Scalar;

/// Colours that hold independent contacts; contacts that fit in none go, in order, to the overflow colour behind them.
pub const COLOURS: usize = 24;

/// Contacts by colour, as indices into the contacts of the step.
#[derive(Clone, Debug, Default)]
pub struct Colouring {
    /// Independent contacts, one list per colour.
    pub colours: Vec<Vec<u32>>,
    /// Contacts that found no colour; solved one after the other.
    pub overflow: Vec<u32>,
    /// Which colours touch each body, as bits.
    used: Vec<u32>,
}

impl Colouring {
    /// Colours the contacts greedily in their own order, each with the first colour that its dynamic bodies do not have.
    ///
    /// Contacts with a body that is not dynamic draw from the last colours downwards, so that they come late in an
    /// iteration: what cannot move has the last word.
    pub fn assign<S: Scalar>(&mut self, contacts: &[ContactGeometry<S>], bodies: &Bodies<S>) {
        self.colours.resize_with(COLOURS, Vec::new);
        for colour in &mut self.colours {
            colour.clear();
        }
        self.overflow.clear();
        self.used.clear();
        self.used.resize(bodies.len(), 0);
        for (number, contact) in (0_u32..).zip(contacts).filter(|(_, contact)| !contact.is_open) {
            let (a, b) = (contact.body_a as usize, contact.body_b as usize);
            let (a_moves, b_moves) = (bodies.kind[a] == BodyKind::Dynamic, bodies.kind[b] == BodyKind::Dynamic);
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

/// A colour that is not in `taken`: the first one, or the last one for contacts with an unmovable body.
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
