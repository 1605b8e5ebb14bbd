//! Where a piece may be cut, and where it is best cut.
//!
//! Its notches are the sides along which its surface folds inwards. A cut is good for the notches that it lies along, as these are gone then, and for the
//! volume by which the hulls of what it leaves are smaller. The first finds the planes in which something was put together, the second divides what is round.

use std::collections::BTreeMap;

use crate::geometry::decomposition::piece::Piece;
use crate::geometry::decomposition::plane::{HalfSpace, IN_PLANE, Place, cross, dot, minus, nearest};

/// The most planes of faces that are tried.
const MOST_FACES: usize = 12;
/// Where planes across the axes are tried, as shares of the box; where it is long, at all of them.
const SHARES: [f64; 7] = [0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875];
/// How many triangles are cut in search of one plane.
const WORK: usize = 1 << 18;
/// A cut that is better for nothing by more than this is none.
const LEAST_GAIN: f64 = 0.01;

/// A side along which the surface folds inwards.
struct Notch {
    ends: [Place; 2],
    /// Its length times how sharply it is folded.
    weight: f64,
}

/// How many planes are tried, at most.
fn tries(piece: &Piece) -> usize {
    (WORK / (piece.skin.len() + 1)).max(4)
}

/// How many triangles are cut in search of the best cut of a piece.
pub(super) fn work_of_a_cut(piece: &Piece) -> u64 {
    let planes = tries(piece).min(MOST_FACES + 3 * SHARES.len());
    planes as u64 * piece.triangle_count() as u64
}

/// The pieces that the best cut of a piece leaves, at most so many; `None` where no plane cuts it.
pub(super) fn best_cut(piece: &Piece, most: usize) -> Option<Vec<Piece>> {
    let (notches, faces) = notches(piece);
    let all: f64 = notches.iter().map(|notch| notch.weight).sum();
    let shares = across_axes(piece);
    let fallback = shares.first().copied();
    let half = tries(piece).div_ceil(2);
    let planes = faces.into_iter().take(half).chain(shares.into_iter().take(half));
    let mut best: Option<(f64, Vec<Piece>)> = None;
    for plane in planes {
        let pieces = piece.cut(&plane);
        if !(2..=most).contains(&pieces.len()) {
            continue;
        }
        let along: f64 = notches
            .iter()
            .filter(|notch| notch.ends.iter().all(|&end| plane.holds(end)))
            .map(|notch| notch.weight)
            .sum();
        let left: f64 = pieces.iter().map(Piece::excess).sum();
        let resolved = if all > 0.0 { along / all } else { 0.0 };
        let gain = resolved + (piece.excess() - left) / piece.excess();
        if best.as_ref().is_none_or(|(most, _)| gain > *most) {
            best = Some((gain, pieces));
        }
    }
    if best.as_ref().is_none_or(|(gain, _)| *gain < LEAST_GAIN) {
        let halves = fallback.map(|plane| piece.cut(&plane)).filter(|halves| (2..=most).contains(&halves.len()));
        return halves.or(best.map(|(_, pieces)| pieces));
    }
    best.map(|(_, pieces)| pieces)
}

/// The notches of a piece, and the planes of the faces beside them, first those that lie along the most notches.
fn notches(piece: &Piece) -> (Vec<Notch>, Vec<HalfSpace>) {
    let mut beside: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
    for (place, &[a, b, c]) in piece.skin.iter().enumerate() {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            beside.entry([from.min(to), from.max(to)]).or_default().push(place);
        }
    }
    let mut found = Vec::new();
    let mut faces: BTreeMap<[i64; 4], (f64, HalfSpace)> = BTreeMap::new();
    for (ends, triangles) in beside {
        let &[first, second] = triangles.as_slice() else { continue };
        let [first, second] = [first, second].map(|triangle| piece.skin[triangle]);
        let planes = [first, second].map(|triangle| HalfSpace::below(piece.placed(&triangle)));
        let [Some(below), Some(other)] = planes else { continue };
        let apex = second.iter().find(|corner| !ends.contains(corner)).copied().unwrap_or(ends[0]);
        if below.height(piece.vertices[apex as usize].at) <= IN_PLANE {
            continue;
        }
        let ends = ends.map(|end| piece.vertices[end as usize].at);
        let along = minus(ends[1], ends[0]);
        let weight = dot(along, along).sqrt() * (1.0 - dot(below.normal, other.normal));
        if folds(&below, &other) {
            found.push(Notch { ends, weight });
            for plane in [below, other] {
                let [x, y, z] = plane.normal.map(|component| nearest(component * 1000.0));
                let face = faces.entry([x, y, z, nearest(plane.offset / 4.0)]).or_insert((0.0, plane));
                face.0 += weight;
            }
        }
    }
    let mut faces: Vec<(f64, HalfSpace)> = faces.into_values().collect();
    // Equal weights stay in the order of their keys.
    faces.sort_by(|a, b| b.0.total_cmp(&a.0));
    (found, faces.into_iter().take(MOST_FACES).map(|(_, plane)| plane).collect())
}

/// Whether two faces differ enough in direction to make a notch.
fn folds(first: &HalfSpace, second: &HalfSpace) -> bool {
    let turn = cross(first.normal, second.normal);
    dot(turn, turn) > 1e-6 || dot(first.normal, second.normal) < 0.0
}

/// Planes across the axes, first that through the middle of the longest.
fn across_axes(piece: &Piece) -> Vec<HalfSpace> {
    let [least, most] = piece.bounds();
    let extent = minus(most, least);
    let mut axes = [0, 1, 2];
    axes.sort_by(|&a: &usize, &b: &usize| extent[b].total_cmp(&extent[a]));
    let longest = extent[axes[0]];
    let mut planes = Vec::new();
    for (place, share) in SHARES.into_iter().enumerate() {
        for axis in axes {
            // Thin sides are not cut into slices.
            if place == 0 || extent[axis] * 4.0 > longest {
                planes.push(HalfSpace::up_to(axis, least[axis] + extent[axis] * share));
            }
        }
    }
    planes
}
