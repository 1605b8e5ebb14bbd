//! Convex decomposition: a closed surface of triangles becomes several convex hulls that fill what it encloses.
//!
//! The solid is cut by planes, each piece on its own, until the hulls of the pieces together are hardly larger than the solid: best first, the piece
//! whose hull is largest beside it next. Which plane is best is decided in `candidates.rs`, cuts are made in `piece.rs`. Every piece lies in a convex cell,
//! and so does its hull: two hulls have at most a side in common. Greedy cutting at notches after B. Chazelle, "Convex Decompositions of Polyhedra",
//! 1981, with a tolerance as in J.-M. Lien and N. M. Amato, "Approximate Convex Decomposition of Polyhedra", 2004, here of the volume.
//!
//! All of it is whole numbers and `f64` with `+ - * /`, `sqrt` and the pinned `libm`, so that every machine finds the same parts.

mod candidates;
mod closed;
mod piece;
mod plane;
#[cfg(test)]
mod tests;

pub use plane::Place;

use crate::geometry::decomposition::closed::{Closed, closed};
use crate::geometry::decomposition::piece::{Piece, Vertex};
use crate::geometry::hull::{GridPoint, SPAN, widths};

/// The most triangles of a solid that is decomposed.
pub const MAX_SOLID_TRIANGLES: usize = 1 << 16;
/// The most parts that one is cut into.
pub const MAX_PARTS: usize = 256;
/// The least part of the solid that is one, as a share of its volume.
const LEAST_SHARE: f64 = 1e-6;

/// What a cut takes however few triangles there are, in triangles: planes are tried, and hulls found for each.
pub const TRIANGLES_OF_A_CUT: u64 = 5_000;
/// How many triangles may be cut in search of planes for each of those that are foreseen.
const WORK_FORESEEN: u64 = 8;
/// Tries of the first cut, which may be the only one.
const FIRST_TRIES: u64 = 40;

/// What cutting a solid of so many triangles into so many parts is foreseen to take.
#[must_use]
pub const fn cutting_effort(triangles: u64, most_parts: u64) -> u64 {
    most_parts * (triangles + TRIANGLES_OF_A_CUT)
}

/// When to stop cutting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecompositionSettings {
    /// The most parts.
    pub most_parts: usize,
    /// By how much all hulls together may be larger than the solid, as a share of its volume: it is not cut further then.
    pub tolerance: f64,
}

/// Why triangles enclose nothing that could be decomposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecompositionError {
    /// More triangles than are cut.
    #[error("there are {0} triangles, more than {MAX_SOLID_TRIANGLES}")]
    TooManyTriangles(usize),
    /// A side of a triangle is the side of no other.
    #[error(
        "counted from 0, triangle {triangle} ends at the side between points {} and {}, and no other goes on from there ({sides} such sides in all)",
        between[0],
        between[1]
    )]
    Open {
        /// The triangle, counted from 0.
        triangle: usize,
        /// The ends of the side by the numbers of their points.
        between: [u32; 2],
        /// How many sides are not closed.
        sides: usize,
    },
    /// Two triangles share a side, one with its front outwards and one inwards.
    #[error(
        "counted from 0, triangles {} and {} both go from point {} to point {}: one of them looks inwards ({sides} such sides in all)",
        triangles[0],
        triangles[1],
        between[0],
        between[1]
    )]
    FacesApart {
        /// The triangles, counted from 0.
        triangles: [usize; 2],
        /// The ends of the side by the numbers of their points.
        between: [u32; 2],
        /// How many sides are not closed.
        sides: usize,
    },
    /// The surface is closed, and there is nothing in it.
    #[error("the triangles enclose no volume")]
    NoVolume,
    /// There are more pieces that do not hang together than there may be parts.
    #[error("it consists of {0} pieces that do not hang together")]
    TooManyPieces(usize),
}

/// A corner of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Corner {
    /// One of the given points, by its number.
    Point(u32),
    /// A place at which the solid was cut, in steps of the grid of the points.
    Cut(Place),
}

/// A solid in convex parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Decomposition {
    /// For each part points whose hull it is.
    pub parts: Vec<Vec<Corner>>,
    /// The volume of the solid, in cubes of a step of the grid.
    pub volume: f64,
}

/// Decomposes what triangles of points of a grid enclose, their fronts outwards or all of them inwards. Every corner of a triangle is known to be
/// there. The order of triangles and points reaches only the numbers of the points.
///
/// # Errors
/// When there are too many triangles, or they have an edge where nothing goes on, or enclose nothing.
pub fn decompose(
    points: &[GridPoint],
    triangles: &[[u32; 3]],
    settings: DecompositionSettings,
) -> Result<Decomposition, DecompositionError> {
    if triangles.len() > MAX_SOLID_TRIANGLES {
        return Err(DecompositionError::TooManyTriangles(triangles.len()));
    }
    let count = triangles.len() as u64;
    let work = WORK_FORESEEN * cutting_effort(count, settings.most_parts as u64) + FIRST_TRIES * count;
    decompose_within(points, triangles, settings, work)
}

/// The same, in which no more than so many triangles are cut in search of planes.
fn decompose_within(
    points: &[GridPoint],
    triangles: &[[u32; 3]],
    settings: DecompositionSettings,
    work: u64,
) -> Result<Decomposition, DecompositionError> {
    let Closed { corners, first, mut triangles } = closed(points, triangles)?;
    let frame = Frame::around(&corners);
    let vertices: Vec<Vertex> =
        (0..).zip(&corners).map(|(number, corner)| Vertex { at: frame.place(corner), source: Some(number) }).collect();
    if frame.volume(&corners, &triangles) < 0.0 {
        triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        triangles.sort_unstable();
    }
    let pieces = Piece::whole(vertices, triangles);
    if pieces.is_empty() {
        return Err(DecompositionError::NoVolume);
    }
    if pieces.len() > settings.most_parts {
        return Err(DecompositionError::TooManyPieces(pieces.len()));
    }
    let volume: f64 = pieces.iter().map(|piece| piece.volume).sum();
    let pieces = cut_apart(pieces, settings, volume, work);
    let corner = |vertex: &Vertex| match vertex.source {
        Some(number) => Corner::Point(first[number as usize]),
        None => Corner::Cut(frame.back(vertex.at)),
    };
    let parts = pieces.iter().map(|piece| piece.hull_points().iter().map(corner).collect()).collect();
    Ok(Decomposition { parts, volume: volume / (frame.scale * frame.scale * frame.scale) })
}

/// Cuts pieces until their hulls are no larger than they may be, there are as many as may be, or as many triangles were cut as may be: the
/// fans that close the cuts of a piece are cut again with it, and may become more and more.
fn cut_apart(pieces: Vec<Piece>, settings: DecompositionSettings, volume: f64, mut work: u64) -> Vec<Piece> {
    let mut done: Vec<Piece> = Vec::new();
    let mut open = pieces;
    loop {
        let excess: f64 = done.iter().chain(&open).map(Piece::excess).sum();
        let largest = (0..open.len()).max_by(|&a, &b| open[a].excess().total_cmp(&open[b].excess()));
        let (Some(largest), true) = (largest, excess > settings.tolerance * volume) else { break };
        let piece = open.remove(largest);
        let room = (settings.most_parts + 1).saturating_sub(open.len() + done.len() + 1);
        let Some(left) = work.checked_sub(candidates::work_of_a_cut(&piece)) else {
            done.push(piece);
            continue;
        };
        work = left;
        match candidates::best_cut(&piece, room) {
            Some(pieces) if piece.excess() > 0.0 => {
                open.extend(pieces.into_iter().filter(|piece| piece.hull_volume > LEAST_SHARE * volume));
            }
            _ => done.push(piece),
        }
    }
    done.extend(open);
    done
}

/// How places of a piece follow from points of the grid.
struct Frame {
    middle: GridPoint,
    /// A power of two.
    scale: f64,
}

impl Frame {
    /// The frame in which some points span the grid of hulls.
    fn around(points: &[GridPoint]) -> Self {
        let widths = widths(points);
        let widest = widths.into_iter().fold(1, i64::max);
        let mut scale = 1.0;
        let mut span = widest as f64;
        while span > (SPAN - 4) as f64 {
            (span, scale) = (span / 2.0, scale / 2.0);
        }
        while span * 2.0 < (SPAN - 4) as f64 {
            (span, scale) = (span * 2.0, scale * 2.0);
        }
        let least = [0, 1, 2].map(|axis| points.iter().map(|point| point[axis]).min().unwrap_or(0));
        Self { middle: [0, 1, 2].map(|axis| least[axis] + widths[axis] / 2), scale }
    }

    fn place(&self, point: &GridPoint) -> Place {
        [0, 1, 2].map(|axis| (point[axis] - self.middle[axis]) as f64 * self.scale)
    }

    fn back(&self, place: Place) -> Place {
        [0, 1, 2].map(|axis| place[axis] / self.scale + self.middle[axis] as f64)
    }

    /// What a closed surface encloses.
    fn volume(&self, corners: &[GridPoint], triangles: &[[u32; 3]]) -> f64 {
        let sixfold = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|corner| self.place(&corners[corner as usize]));
            plane::dot(a, plane::cross(b, c))
        };
        triangles.iter().map(sixfold).sum()
    }
}
