//! Arrays of one length, cut into parts of some items each, that are handed out once each to whatever thread asks.

use std::marker::PhantomData;
use std::ops::Range;
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// One array, shared or for itself alone, or two of [`Columns`] side by side.
///
/// # Safety
/// Parts of ranges that do not overlap may be used at the same time, on any threads.
pub unsafe trait Columns: Sized {
    /// A part of each array.
    type Part;
    /// Where the arrays are.
    type Raw: Sync;

    /// How many items there are; of several arrays those of the shortest count.
    fn length(&self) -> usize;

    /// Gives the arrays up for where they are.
    fn into_raw(self) -> Self::Raw;

    /// The items of a range.
    ///
    /// # Safety
    /// The range lies within the length, and overlaps no other of which a part is still in use.
    unsafe fn part(raw: &Self::Raw, range: Range<usize>) -> Self::Part;
}

/// Where an array is that was borrowed.
#[derive(Debug)]
pub struct RawColumn<T, Borrow> {
    first: *mut T,
    borrow: PhantomData<Borrow>,
}

// SAFETY: threads that share it may only make parts of it, one for each range. So items are either sent to the thread that gets
// them, of arrays borrowed alone, or shared among threads, of arrays that are shared.
unsafe impl<T: Send> Sync for RawColumn<T, &mut [T]> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for RawColumn<T, &[T]> {}

// SAFETY: disjoint ranges of a slice are disjoint memory, and the borrow lasts as long as the parts.
unsafe impl<'a, T: Send> Columns for &'a mut [T] {
    type Part = &'a mut [T];
    type Raw = RawColumn<T, &'a mut [T]>;

    fn length(&self) -> usize {
        self.len()
    }

    fn into_raw(self) -> Self::Raw {
        RawColumn { first: self.as_mut_ptr(), borrow: PhantomData }
    }

    unsafe fn part(raw: &Self::Raw, range: Range<usize>) -> Self::Part {
        // SAFETY: the range lies within the slice and nobody else has any of it, as the caller promises.
        unsafe { from_raw_parts_mut(raw.first.add(range.start), range.len()) }
    }
}

// SAFETY: a shared slice may be read by any number of threads.
unsafe impl<'a, T: Sync> Columns for &'a [T] {
    type Part = &'a [T];
    type Raw = RawColumn<T, &'a [T]>;

    fn length(&self) -> usize {
        self.len()
    }

    fn into_raw(self) -> Self::Raw {
        RawColumn { first: self.as_ptr().cast_mut(), borrow: PhantomData }
    }

    unsafe fn part(raw: &Self::Raw, range: Range<usize>) -> Self::Part {
        // SAFETY: the range lies within the slice, as the caller promises; nobody writes to it.
        unsafe { from_raw_parts(raw.first.add(range.start), range.len()) }
    }
}

// SAFETY: as for each of the two.
unsafe impl<A: Columns, B: Columns> Columns for (A, B) {
    type Part = (A::Part, B::Part);
    type Raw = (A::Raw, B::Raw);

    fn length(&self) -> usize {
        self.0.length().min(self.1.length())
    }

    fn into_raw(self) -> Self::Raw {
        (self.0.into_raw(), self.1.into_raw())
    }

    unsafe fn part(raw: &Self::Raw, range: Range<usize>) -> Self::Part {
        // SAFETY: the range lies within the shorter of the two, and the caller promises the rest.
        unsafe { (A::part(&raw.0, range.clone()), B::part(&raw.1, range)) }
    }
}

/// Columns cut into parts of so many items, the last of what is left.
pub(in crate::parallel) struct Parts<C: Columns> {
    raw: C::Raw,
    length: usize,
    grain: usize,
    claims: Claims,
}

/// Which parts are handed out.
enum Claims {
    /// Those below this number.
    Below(AtomicUsize),
    /// Those marked.
    Marked(Box<[AtomicBool]>),
}

impl Claims {
    /// So many parts, none of them handed out.
    fn unmarked(count: usize) -> Self {
        Self::Marked((0..count).map(|_| AtomicBool::new(false)).collect())
    }
}

impl<C: Columns> Parts<C> {
    /// Parts that are handed out in their order by [`next`](Self::next).
    pub(in crate::parallel) fn in_order(columns: C, grain: usize) -> Self {
        Self::new(columns, grain, Claims::Below(AtomicUsize::new(0)))
    }

    /// Parts that are handed out by number by [`take`](Self::take).
    pub(in crate::parallel) fn by_number(columns: C, grain: usize) -> Self {
        let claims = Claims::unmarked(columns.length().div_ceil(grain.max(1)));
        Self::new(columns, grain, claims)
    }

    fn new(columns: C, grain: usize, claims: Claims) -> Self {
        let (length, grain) = (columns.length(), grain.max(1));
        Self { raw: columns.into_raw(), length, grain, claims }
    }

    /// How many there are.
    pub(in crate::parallel) const fn count(&self) -> usize {
        self.length.div_ceil(self.grain)
    }

    /// The next part, with the number of its first item; `None` when all are handed out.
    pub(in crate::parallel) fn next(&self) -> Option<(usize, C::Part)> {
        let Claims::Below(next) = &self.claims else { return None };
        // Each thread asks once more than it gets: the count stays far from its end.
        let number = next.fetch_add(1, Ordering::Relaxed);
        // SAFETY: nobody else gets this number from the counter.
        (number < self.count()).then(|| unsafe { self.part(number) })
    }

    /// The part of this number, with the number of its first item; `None` when it is handed out already.
    pub(in crate::parallel) fn take(&self, number: usize) -> Option<(usize, C::Part)> {
        let Claims::Marked(marks) = &self.claims else { return None };
        let is_taken = marks.get(number)?.swap(true, Ordering::Relaxed);
        // SAFETY: whoever comes later finds the mark.
        (!is_taken).then(|| unsafe { self.part(number) })
    }

    /// # Safety
    /// The number is below the count and has been asked for never before.
    unsafe fn part(&self, number: usize) -> (usize, C::Part) {
        let from = number * self.grain;
        let range = from..self.length.min(from.saturating_add(self.grain));
        // SAFETY: the range ends within the length, and ranges of different numbers do not overlap.
        (from, unsafe { C::part(&self.raw, range) })
    }
}
