//! Items that work on slots of an array which stand anywhere in it, such as constraints on their bodies.
//!
//! Within a batch no slot that one item may change is used by another item in any way: so the items can be done in any order, on
//! any threads. That is what a colour is: no two of its constraints share a body that moves, and bodies that do not move are
//! only read. Colouring promises it; a [`Batch`] looks, once for all passes over it, and is not made where the promise is broken.

use std::ops::Range;

use crate::parallel::shared::columns::Columns;

/// How an item uses a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Not at all: an empty lane, or the world, which is no body.
    Nothing,
    /// Reads the slot of this index, as any number of items may.
    Reads(u32),
    /// Reads and changes the slot of this index, as no other item of the batch does.
    Changes(u32),
}

/// Two items of a batch use a slot that one of them changes, or there is no such slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash {
    /// Index of the slot.
    pub slot: u32,
}

/// What is known of a slot while a batch is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mark {
    #[default]
    Free,
    Read,
    Changed,
}

/// Which slots each item uses, `N` of them at most, checked for clashes.
#[derive(Clone, Debug)]
pub struct Batch<const N: usize> {
    uses: Vec<[Use; N]>,
    /// How many slots there are.
    slots: usize,
    /// Room for the check.
    marks: Vec<Mark>,
}

impl<const N: usize> Default for Batch<N> {
    fn default() -> Self {
        Self { uses: Vec::new(), slots: 0, marks: Vec::new() }
    }
}

impl<const N: usize> Batch<N> {
    /// Takes these items in place of all earlier ones, over so many slots.
    ///
    /// # Errors
    /// The first slot that items clash at; the batch is then empty. An item may not clash with itself either.
    pub fn refill(&mut self, slots: usize, uses: impl IntoIterator<Item = [Use; N]>) -> Result<(), Clash> {
        self.uses.clear();
        self.slots = slots;
        self.marks.clear();
        self.marks.resize(slots, Mark::Free);
        for item in uses {
            for used in item {
                if let Err(clash) = self.mark(used) {
                    self.uses.clear();
                    return Err(clash);
                }
            }
            self.uses.push(item);
        }
        Ok(())
    }

    fn mark(&mut self, used: Use) -> Result<(), Clash> {
        let (slot, wanted) = match used {
            Use::Nothing => return Ok(()),
            Use::Reads(slot) => (slot, Mark::Read),
            Use::Changes(slot) => (slot, Mark::Changed),
        };
        let mark = self.marks.get_mut(slot as usize).ok_or(Clash { slot })?;
        if *mark != Mark::Free && (*mark, wanted) != (Mark::Read, Mark::Read) {
            return Err(Clash { slot });
        }
        *mark = wanted;
        Ok(())
    }

    /// The items with the slots that they work on, to be cut into parts; no items where there are fewer slots than were checked.
    pub const fn over<'a, T>(&'a self, slots: &'a mut [T]) -> Scattered<'a, T, N> {
        let uses = if slots.len() < self.slots { &[] } else { self.uses.as_slice() };
        Scattered { uses, slots }
    }
}

/// The items of a batch with the slots that they work on.
#[derive(Debug)]
pub struct Scattered<'a, T, const N: usize> {
    uses: &'a [[Use; N]],
    slots: &'a mut [T],
}

/// Where they are.
#[derive(Debug)]
pub struct RawScattered<'a, T, const N: usize> {
    uses: &'a [[Use; N]],
    first: *mut T,
}

// SAFETY: threads that share it may only make parts of it, one for each range of items. Slots that items of a part change are
// used by no other part, and go to its thread; slots that items only read are shared.
unsafe impl<T: Send + Sync, const N: usize> Sync for RawScattered<'_, T, N> {}

// SAFETY: by the check of the batch, items of disjoint ranges use no slot together that one of them changes.
unsafe impl<'a, T: Send + Sync, const N: usize> Columns for Scattered<'a, T, N> {
    type Part = ScatteredPart<'a, T, N>;
    type Raw = RawScattered<'a, T, N>;

    fn length(&self) -> usize {
        self.uses.len()
    }

    fn into_raw(self) -> Self::Raw {
        RawScattered { uses: self.uses, first: self.slots.as_mut_ptr() }
    }

    unsafe fn part(raw: &Self::Raw, range: Range<usize>) -> Self::Part {
        ScatteredPart { uses: raw.uses.get(range).unwrap_or_default(), first: raw.first }
    }
}

/// Some items of a batch, counted from 0, with the slots that they work on.
#[derive(Debug)]
pub struct ScatteredPart<'a, T, const N: usize> {
    uses: &'a [[Use; N]],
    first: *mut T,
}

impl<T, const N: usize> ScatteredPart<'_, T, N> {
    /// A slot that an item reads or changes.
    #[must_use]
    pub fn get(&self, item: usize, which: usize) -> Option<&T> {
        match *self.uses.get(item)?.get(which)? {
            Use::Nothing => None,
            // SAFETY: the batch was checked over no more slots than there are, and nobody else changes this one: who else uses it
            // only reads, and this part gives nothing out to be changed while it is borrowed here.
            Use::Reads(slot) | Use::Changes(slot) => Some(unsafe { &*self.first.add(slot as usize) }),
        }
    }

    /// A slot that an item changes.
    #[must_use]
    pub fn get_mut(&mut self, item: usize, which: usize) -> Option<&mut T> {
        match *self.uses.get(item)?.get(which)? {
            Use::Nothing | Use::Reads(_) => None,
            // SAFETY: as above; no other item of the batch uses this slot, and this part is borrowed for it alone.
            Use::Changes(slot) => Some(unsafe { &mut *self.first.add(slot as usize) }),
        }
    }
}
