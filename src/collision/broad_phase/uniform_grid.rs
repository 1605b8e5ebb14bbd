//! A grid of equal cells: each box stands in every cell that it touches, and boxes of one cell are compared.
//!
//! Cells are not kept in a table but sorted, box by box, so that an empty cell costs nothing and the world has no edge. What is
//! much larger than a cell is compared with everything instead.

use crate::collision::broad_phase::fat_aabb::FatAabb;
use crate::collision::broad_phase::pair_list::PairList;
use crate::collision::broad_phase::parts::{Part, search_in_parts};
use crate::geometry::Aabb;
use crate::math::{Scalar, Vec3};
use crate::parallel::Executor;

/// Entries that one thread compares in a row, at least.
const ENTRIES_AT_ONCE: usize = 512;
/// Cells along one side of a box, at most; what is larger is compared with everything.
const CELLS_ALONG: i32 = 4;
/// Bits of a cell's number that count along one axis.
const BITS: u32 = 21;
/// The cells along each axis are those from minus this to this; what lies beyond stands in the outermost.
const OUTERMOST: i32 = (1 << (BITS - 1)) - 1;

/// A cell, by its place along each axis.
type Cell = [i32; 3];

/// The cells that a box touches.
#[derive(Clone, Copy, Debug, Default)]
struct CellRange {
    low: Cell,
    high: Cell,
}

impl CellRange {
    /// Whether it is too large to stand in every cell that it touches.
    fn is_large(&self) -> bool {
        self.low.iter().zip(&self.high).any(|(low, high)| high - low >= CELLS_ALONG)
    }

    /// All cells.
    fn cells(self) -> impl Iterator<Item = Cell> {
        let along = move |axis: usize| self.low[axis]..=self.high[axis];
        along(0).flat_map(move |x| along(1).flat_map(move |y| along(2).map(move |z| [x, y, z])))
    }
}

/// The boxes as the last search found them.
#[derive(Clone, Debug, Default)]
pub struct UniformGrid {
    /// Each box in each cell that it touches, cell by cell.
    entries: Vec<(u64, u32)>,
    /// The cells that each box touches.
    ranges: Vec<CellRange>,
    /// Large boxes and half-spaces, ascending.
    large: Vec<u32>,
    /// One over the side of a cell, 1/m.
    inverse_side: f64,
    /// Whether all of that is as the last search left it.
    is_current: bool,
    /// Where the parts of a search begin among the entries.
    starts: Vec<usize>,
    /// Room for the sizes of boxes.
    sizes: Vec<f64>,
    /// Room for what threads find.
    parts: Vec<Part>,
}

impl UniformGrid {
    /// The boxes are others now.
    pub(super) const fn change(&mut self) {
        self.is_current = false;
    }

    /// Adds all pairs of overlapping boxes that `accept` takes.
    pub(super) fn pairs<S: Scalar>(
        &mut self,
        boxes: &[FatAabb<S>],
        accept: &(impl Fn(u32, u32) -> bool + Sync),
        list: &mut PairList<'_>,
        executor: &mut Executor,
    ) {
        self.sort(boxes);
        let mut parts = std::mem::take(&mut self.parts);
        let cut = self.starts.len();
        let search = |number: usize, own: &mut PairList<'_>| match self.large.get(number.wrapping_sub(cut)) {
            Some(&large) => self.large_pairs(large, boxes, accept, own),
            None => self.cell_pairs(number, boxes, accept, own),
        };
        search_in_parts(&mut parts, cut + self.large.len(), search, list, executor);
        self.parts = parts;
    }

    /// Adds the boxes that overlap one more; whether the cells are known, so that they could be found.
    pub(super) fn overlapping<S: Scalar>(&self, boxes: &[FatAabb<S>], one: &Aabb<S>, out: &mut Vec<u32>) -> bool {
        let range = self.range_of(one);
        if !self.is_current || range.is_large() {
            return false;
        }
        let region = FatAabb::Bounded(*one);
        for cell in range.cells() {
            let first = self.entries.partition_point(|&(key, _)| key < key_of(cell));
            let here = self.entries[first..].iter().take_while(|&&(key, _)| key == key_of(cell));
            let meets = |index: u32| {
                let is_first_met = first_common(&self.ranges[index as usize], &range) == cell;
                is_first_met && boxes[index as usize].overlaps(&region)
            };
            out.extend(here.map(|&(_, index)| index).filter(|&index| meets(index)));
        }
        out.extend(self.large.iter().filter(|&&large| boxes[large as usize].overlaps(&region)));
        true
    }

    /// The pairs of boxes that share a cell of one part. A pair that shares several is found in the first of them.
    fn cell_pairs<S: Scalar>(
        &self,
        part: usize,
        boxes: &[FatAabb<S>],
        accept: &impl Fn(u32, u32) -> bool,
        list: &mut PairList<'_>,
    ) {
        let end = self.starts.get(part + 1).copied().unwrap_or(self.entries.len());
        for cell in self.entries[self.starts[part]..end].chunk_by(|a, b| a.0 == b.0) {
            for (place, &(key, a)) in cell.iter().enumerate() {
                for &(_, b) in &cell[place + 1..] {
                    if list.is_hopeless() {
                        return;
                    }
                    let is_first = || {
                        let [a, b] = [a, b].map(|index| &self.ranges[index as usize]);
                        key_of(first_common(a, b)) == key
                    };
                    if boxes[a as usize].overlaps(&boxes[b as usize]) && is_first() {
                        list.add(a, b, accept);
                    }
                }
            }
        }
    }

    /// The pairs of a large box or half-space; those with another are found with the one of smaller index.
    fn large_pairs<S: Scalar>(
        &self,
        large: u32,
        boxes: &[FatAabb<S>],
        accept: &impl Fn(u32, u32) -> bool,
        list: &mut PairList<'_>,
    ) {
        let one = &boxes[large as usize];
        for (index, other) in (0_u32..).zip(boxes) {
            if list.is_hopeless() {
                return;
            }
            let is_found_elsewhere = || index <= large && self.large.binary_search(&index).is_ok();
            if one.overlaps(other) && !is_found_elsewhere() {
                list.add(large, index, accept);
            }
        }
    }

    /// Puts every box into its cells.
    fn sort<S: Scalar>(&mut self, boxes: &[FatAabb<S>]) {
        self.choose_side(boxes);
        self.entries.clear();
        self.ranges.clear();
        self.large.clear();
        for (index, one) in (0_u32..).zip(boxes) {
            let range = match one {
                FatAabb::Bounded(bounds) => Some(self.range_of(bounds)).filter(|range| !range.is_large()),
                FatAabb::HalfSpace { .. } => None,
            };
            match range {
                Some(range) => self.entries.extend(range.cells().map(|cell| (key_of(cell), index))),
                None => self.large.push(index),
            }
            self.ranges.push(range.unwrap_or_default());
        }
        self.entries.sort_unstable();
        self.cut();
        self.is_current = true;
    }

    /// Makes the side of a cell a power of two, and one to two times as long as half of all boxes are.
    fn choose_side<S: Scalar>(&mut self, boxes: &[FatAabb<S>]) {
        self.sizes.clear();
        self.sizes.extend(boxes.iter().filter_map(|one| {
            let FatAabb::Bounded(bounds) = one else { return None };
            let [x, y, z] = (bounds.max - bounds.min).to_array();
            Some(x.max(y).max(z).to_f64())
        }));
        self.inverse_side = 1.0;
        if self.sizes.is_empty() {
            return;
        }
        let middle = self.sizes.len() / 2;
        let (_, &mut size, _) = self.sizes.select_nth_unstable_by(middle, f64::total_cmp);
        while self.inverse_side * size > 1.0 && self.inverse_side > f64::MIN_POSITIVE {
            self.inverse_side *= 0.5;
        }
        while self.inverse_side * size <= 0.5 && self.inverse_side < 1024.0 {
            self.inverse_side *= 2.0;
        }
    }

    /// Cuts the entries where cells end, into parts that are about as long as each other.
    fn cut(&mut self) {
        self.starts.clear();
        let mut start = 0;
        while start < self.entries.len() {
            self.starts.push(start);
            let last = self.entries.len().min(start + ENTRIES_AT_ONCE) - 1;
            let key = self.entries[last].0;
            start = last + self.entries[last..].iter().take_while(|entry| entry.0 == key).count();
        }
    }

    /// The cells that a box touches.
    fn range_of<S: Scalar>(&self, bounds: &Aabb<S>) -> CellRange {
        CellRange { low: self.cell_of(bounds.min), high: self.cell_of(bounds.max) }
    }

    /// The cell of a point. What lies further along an axis never gets a smaller number, however it is rounded: so boxes that
    /// overlap share a cell.
    fn cell_of<S: Scalar>(&self, point: Vec3<S>) -> Cell {
        point.to_array().map(|coordinate| {
            let place = coordinate.to_f64() * self.inverse_side;
            let towards_zero = place as i32;
            let below = if f64::from(towards_zero) > place { towards_zero.saturating_sub(1) } else { towards_zero };
            below.clamp(-OUTERMOST, OUTERMOST)
        })
    }
}

/// The first cell that two boxes share, if they overlap.
fn first_common(a: &CellRange, b: &CellRange) -> Cell {
    [0, 1, 2].map(|axis: usize| a.low[axis].max(b.low[axis]))
}

/// A number for each cell.
fn key_of(cell: Cell) -> u64 {
    cell.into_iter().fold(0, |key, place| key << BITS | u64::from((place + OUTERMOST).unsigned_abs()))
}
