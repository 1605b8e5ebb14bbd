//! Planted faults in the order of work: contacts solved, coloured or gathered in another one.

use crate::dynamics::colouring::Colouring;
use crate::math::Scalar;
use crate::world::World;

impl<S: Scalar> World<S> {
    /// Makes the contacts anew of what the narrow phase found, as if the second half of that had been gathered first.
    pub(super) fn gather_second_half_first(&mut self) {
        let counts = self.scratch.counts;
        let count = self.scratch.candidates.len();
        self.look_at_pairs(0..count);
        self.scratch.sightings.rotate_left(count / 2);
        self.begin_contacts();
        self.make_contacts(0);
        // The stage has counted its contacts already.
        self.scratch.counts = counts;
    }

    /// Colours the contacts anew from the last to the first: what a container visited in another order would give.
    pub(super) fn colour_backwards(&mut self) {
        let backwards: Vec<_> = self.scratch.geometry.iter().rev().copied().collect();
        self.scratch.colouring.assign(&backwards, &self.bodies);
        let Colouring { colours, overflow, .. } = &mut self.scratch.colouring;
        let last = u32::try_from(backwards.len()).unwrap_or(u32::MAX).saturating_sub(1);
        for contact in colours.iter_mut().flatten().chain(overflow) {
            *contact = last - *contact;
        }
    }

    /// Exchanges two contacts of one body in the solving order: of the body by name, or of the first that has two.
    pub(super) fn exchange_contacts(&mut self, name: Option<&str>) {
        let bodies = match name {
            Some(name) => self.bodies.index_of_name(name).into_iter().collect::<Vec<usize>>(),
            None => (0..self.bodies.len()).collect(),
        };
        for body in bodies {
            let touches = |index: u32| index as usize == body;
            let contacts = (0_u32..).zip(&self.scratch.geometry);
            let of_body = contacts
                .filter(|(_, contact)| !contact.is_open && (touches(contact.body_a) || touches(contact.body_b)));
            let numbers: Vec<u32> = of_body.map(|(number, _)| number).collect();
            if let [first, .., last] = numbers.as_slice()
                && exchange(&mut self.scratch.colouring, *first, *last)
            {
                return;
            }
        }
    }
}

/// Exchanges the places of two contacts in the solving order: their whole colours, so that no colour gets two contacts of
/// one body, or the two alone within the overflow. False where they have no two such places.
fn exchange(colouring: &mut Colouring, first: u32, second: u32) -> bool {
    let Colouring { colours, overflow, .. } = colouring;
    let colour_of = |contact: u32| colours.iter().position(|colour| colour.contains(&contact));
    let place_of = |contact: u32| overflow.iter().position(|place| *place == contact);
    match (colour_of(first), colour_of(second)) {
        (Some(a), Some(b)) if a != b => colours.swap(a, b),
        (None, None) => match (place_of(first), place_of(second)) {
            (Some(a), Some(b)) if a != b => overflow.swap(a, b),
            _ => return false,
        },
        _ => return false,
    }
    true
}
