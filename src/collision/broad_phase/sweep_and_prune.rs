//! Sweep and prune: boxes sorted by where they begin along one axis, and each compared with those that begin before it ends.
//!
//! From search to search the order hardly changes, so sorting by insertion takes little more than a look at each (D. Baraff,
//! "Dynamic Simulation of Non-Penetrating Rigid Bodies", 1992). The axis is the one along which fewest boxes overlap.

use std::cmp::Ordering;
use std::ops::Range;

use crate::collision::broad_phase::fat_aabb::FatAabb;
use crate::collision::broad_phase::pair_list::PairList;
use crate::collision::broad_phase::parts::{Part, search_in_parts};
use crate::geometry::Aabb;
use crate::math::{Scalar, Vec3};
use crate::parallel::Executor;

/// Boxes that one thread sweeps in a row.
const BOXES_AT_ONCE: usize = 256;
/// Boxes that are looked at to choose the axis, at most.
const SAMPLE: usize = 64;
/// The axis is left when along another one not half as many boxes overlap.
const BETTER: usize = 2;
/// Places by which boxes are moved when sorted by insertion, for each box; beyond that they are sorted from the start.
const MOVES_BY_BOX: usize = 8;

/// A bounded box and its index.
#[derive(Clone, Copy, Debug)]
struct Item<S> {
    bounds: Aabb<S>,
    index: u32,
}

/// The boxes in the order of the last search.
#[derive(Clone, Debug)]
pub struct SweepAndPrune<S> {
    /// Bounded boxes, by where they begin along the axis.
    items: Vec<Item<S>>,
    /// The indices of half-spaces, ascending.
    planes: Vec<u32>,
    /// Of each index whether it is a half-space.
    is_plane: Vec<bool>,
    axis: usize,
    /// Where along the axis all boxes up to each item have ended.
    ends: Vec<S>,
    /// Whether all of that is as the last search left it.
    is_sorted: bool,
    /// Room for what threads find.
    parts: Vec<Part>,
}

impl<S: Scalar> Default for SweepAndPrune<S> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            planes: Vec::new(),
            is_plane: Vec::new(),
            axis: 0,
            ends: Vec::new(),
            is_sorted: false,
            parts: Vec::new(),
        }
    }
}

impl<S: Scalar> SweepAndPrune<S> {
    /// Takes this list of boxes in place of all earlier ones.
    pub(super) fn rebuild(&mut self, boxes: &[FatAabb<S>]) {
        (self.is_sorted, self.is_plane) = (false, boxes.iter().map(|one| !one.is_bounded()).collect());
        self.items.clear();
        self.planes.clear();
        for (index, one) in (0_u32..).zip(boxes) {
            self.put(index, one);
        }
    }

    fn put(&mut self, index: u32, one: &FatAabb<S>) {
        match *one {
            FatAabb::Bounded(bounds) => self.items.push(Item { bounds, index }),
            FatAabb::HalfSpace { .. } => {
                let place = self.planes.partition_point(|&plane| plane < index);
                self.planes.insert(place, index);
            }
        }
    }

    /// Replaces the box at `index`; an index one past the last appends, any beyond is ignored.
    pub(super) fn update(&mut self, index: usize, new: &FatAabb<S>) {
        let Ok(number) = u32::try_from(index) else { return };
        let is_plane = !new.is_bounded();
        match self.is_plane.get(index).copied() {
            // Where boxes are now is read in the next search.
            Some(was_plane) if !was_plane && !is_plane => {}
            Some(_) => {
                self.items.retain(|item| item.index != number);
                self.planes.retain(|&plane| plane != number);
                self.is_plane[index] = is_plane;
                self.put(number, new);
            }
            None if index == self.is_plane.len() => {
                self.is_plane.push(is_plane);
                self.put(number, new);
            }
            None => return,
        }
        self.is_sorted = false;
    }

    /// Takes out the boxes at these indices; those behind them move up.
    pub(super) fn remove(&mut self, indices: &Range<usize>) {
        let end = indices.end.min(self.is_plane.len());
        let range = indices.start.min(end)..end;
        self.is_plane.drain(range.clone());
        self.items.retain(|item| !range.contains(&(item.index as usize)));
        self.planes.retain(|&plane| !range.contains(&(plane as usize)));
        let later = self.items.iter_mut().map(|item| &mut item.index).chain(&mut self.planes);
        for index in later.filter(|index| **index as usize >= range.end) {
            *index -= range.len() as u32;
        }
        self.is_sorted = false;
    }

    /// Adds all pairs of overlapping boxes that `accept` takes.
    pub(super) fn pairs(
        &mut self,
        boxes: &[FatAabb<S>],
        accept: &(impl Fn(u32, u32) -> bool + Sync),
        list: &mut PairList<'_>,
        executor: &mut Executor,
    ) {
        self.sort(boxes);
        let mut parts = std::mem::take(&mut self.parts);
        let sweeps = self.items.len().div_ceil(BOXES_AT_ONCE);
        let search = |number: usize, own: &mut PairList<'_>| match self.planes.get(number.wrapping_sub(sweeps)) {
            Some(&plane) => self.plane_pairs(plane, boxes, accept, own),
            None => self.sweep(number * BOXES_AT_ONCE, accept, own),
        };
        search_in_parts(&mut parts, sweeps + self.planes.len(), search, list, executor);
        self.parts = parts;
    }

    /// The pairs of some boxes from a place on, each with those that begin behind it.
    fn sweep(&self, first: usize, accept: &impl Fn(u32, u32) -> bool, list: &mut PairList<'_>) {
        let begin = |item: &Item<S>| along(item.bounds.min, self.axis);
        let last = self.items.len().min(first + BOXES_AT_ONCE);
        for place in first..last {
            let Item { bounds, index } = &self.items[place];
            let end = along(bounds.max, self.axis);
            for other in self.items[place + 1..].iter().take_while(|other| begin(other) <= end) {
                if list.is_hopeless() {
                    return;
                }
                if bounds.overlaps(&other.bounds) {
                    list.add(*index, other.index, accept);
                }
            }
        }
    }

    /// The boxes that reach below a half-space.
    fn plane_pairs(
        &self,
        plane: u32,
        boxes: &[FatAabb<S>],
        accept: &impl Fn(u32, u32) -> bool,
        list: &mut PairList<'_>,
    ) {
        let region = &boxes[plane as usize];
        for item in &self.items {
            if list.is_hopeless() {
                return;
            }
            if region.overlaps(&FatAabb::Bounded(item.bounds)) {
                list.add(plane, item.index, accept);
            }
        }
    }

    /// Adds the boxes and half-spaces that overlap one more box; whether the order is known, so that they could be found.
    pub(super) fn overlapping(&self, boxes: &[FatAabb<S>], one: &Aabb<S>, out: &mut Vec<u32>) -> bool {
        if !self.is_sorted {
            return false;
        }
        let [begin, end] = [one.min, one.max].map(|corner| along(corner, self.axis));
        let first = self.ends.partition_point(|&ended| ended < begin);
        let near = self.items[first..].iter().take_while(|item| along(item.bounds.min, self.axis) <= end);
        out.extend(near.filter(|item| item.bounds.overlaps(one)).map(|item| item.index));
        let region = FatAabb::Bounded(*one);
        out.extend(self.planes.iter().filter(|&&plane| boxes[plane as usize].overlaps(&region)));
        true
    }

    /// Reads where the boxes are, and sorts them.
    fn sort(&mut self, boxes: &[FatAabb<S>]) {
        for item in &mut self.items {
            if let FatAabb::Bounded(bounds) = boxes[item.index as usize] {
                item.bounds = bounds;
            }
        }
        let axis = self.best_axis();
        let is_near_order = axis == self.axis;
        self.axis = axis;
        let by_begin = |a: &Item<S>, b: &Item<S>| {
            let [a, b] = [a, b].map(|item| along(item.bounds.min, axis));
            a.partial_cmp(&b).unwrap_or(Ordering::Equal)
        };
        if !(is_near_order && insert_in_order(&mut self.items, by_begin)) {
            self.items.sort_unstable_by(by_begin);
        }
        self.ends.clear();
        let ends = self.items.iter().map(|item| along(item.bounds.max, axis));
        self.ends.extend(ends.scan(None, |latest: &mut Option<S>, end| {
            let now = latest.map_or(end, |latest| latest.max(end));
            *latest = Some(now);
            Some(now)
        }));
        self.is_sorted = true;
    }

    /// The axis along which fewest of a sample of the boxes overlap; another than the present one only where that is much better.
    fn best_axis(&self) -> usize {
        let stride = self.items.len().div_ceil(SAMPLE).max(1);
        let sample = || self.items.iter().step_by(stride);
        let overlaps = [0, 1, 2].map(|axis| {
            let span = |item: &Item<S>| (along(item.bounds.min, axis), along(item.bounds.max, axis));
            let meet = |(a, b): (&Item<S>, &Item<S>)| span(a).0 <= span(b).1 && span(b).0 <= span(a).1;
            sample()
                .enumerate()
                .flat_map(|(place, a)| sample().take(place).map(move |b| (a, b)))
                .filter(|&pair| meet(pair))
                .count()
        });
        let best = (0..3).min_by_key(|&axis| overlaps[axis]).unwrap_or(0);
        if overlaps[best].saturating_mul(BETTER) < overlaps[self.axis] { best } else { self.axis }
    }
}

/// The component of a vector along an axis.
#[inline(always)]
fn along<S: Scalar>(v: Vec3<S>, axis: usize) -> S {
    match axis {
        0 => v.x,
        1 => v.y,
        _ => v.z,
    }
}

/// Sorts by insertion; whether it came to an end, for where the order is far off another way is quicker.
fn insert_in_order<T: Copy>(items: &mut [T], order: impl Fn(&T, &T) -> Ordering) -> bool {
    let mut moves = items.len().saturating_mul(MOVES_BY_BOX);
    for next in 1..items.len() {
        let item = items[next];
        let mut place = next;
        while place > 0 && order(&items[place - 1], &item) == Ordering::Greater {
            items[place] = items[place - 1];
            place -= 1;
        }
        items[place] = item;
        match moves.checked_sub(next - place) {
            Some(left) => moves = left,
            None => return false,
        }
    }
    true
}
