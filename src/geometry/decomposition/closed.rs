//! From triangles to a closed surface, or what keeps them from being one.

use std::collections::{BTreeMap, BTreeSet};

use crate::geometry::decomposition::DecompositionError;
use crate::geometry::hull::GridPoint;

/// A surface without a rim, the same in whatever order its triangles and points were given.
pub(super) struct Closed {
    /// Its corners, ascending, each once.
    pub(super) corners: Vec<GridPoint>,
    /// For each corner the first of the given points that lies there.
    pub(super) first: Vec<u32>,
    /// By the numbers of their corners, each beginning with its smallest, ascending.
    pub(super) triangles: Vec<[u32; 3]>,
}

/// The surface of some triangles whose corners are known to be there. Points in the same place are one corner; what is given twice counts
/// once, and a triangle two of whose corners are one is left out.
///
/// # Errors
/// When a side of a triangle is not the side of another one the other way round.
pub(super) fn closed(points: &[GridPoint], triangles: &[[u32; 3]]) -> Result<Closed, DecompositionError> {
    let mut first: BTreeMap<GridPoint, u32> = BTreeMap::new();
    for &corner in triangles.as_flattened() {
        let known = first.entry(points[corner as usize]).or_insert(corner);
        *known = corner.min(*known);
    }
    let corners: Vec<GridPoint> = first.keys().copied().collect();
    let numbers: BTreeMap<GridPoint, u32> = corners.iter().copied().zip(0..).collect();
    let mut given: BTreeMap<[u32; 3], usize> = BTreeMap::new();
    for (place, triangle) in triangles.iter().enumerate() {
        let mut triangle = triangle.map(|corner| numbers[&points[corner as usize]]);
        let smallest = (0..3).min_by_key(|&corner| triangle[corner]).unwrap_or(0);
        triangle.rotate_left(smallest);
        if triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0] {
            given.entry(triangle).or_insert(place);
        }
    }
    let first: Vec<u32> = first.into_values().collect();
    check_closed(&given, &first)?;
    Ok(Closed { corners, first, triangles: given.into_keys().collect() })
}

/// Refuses a surface of which a side is not closed, and tells of the first triangle that has one.
fn check_closed(given: &BTreeMap<[u32; 3], usize>, first: &[u32]) -> Result<(), DecompositionError> {
    let sides_of = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    let mut sides: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
    for (triangle, &place) in given {
        for side in sides_of(triangle) {
            sides.entry(side).or_default().push(place);
        }
    }
    let of = |[from, to]: [u32; 2]| sides.get(&[from, to]).map_or(&[][..], Vec::as_slice);
    let is_open = |side: [u32; 2]| of(side).len() != of([side[1], side[0]]).len();
    let open: BTreeSet<(usize, [u32; 2])> = given
        .iter()
        .flat_map(|(triangle, &place)| sides_of(triangle).map(|side| (place, side)))
        .filter(|&(_, side)| is_open(side))
        .collect();
    let Some(&(triangle, side)) = open.first() else { return Ok(()) };
    let between = side.map(|corner| first[corner as usize]);
    let other = of(side).iter().copied().find(|&other| other != triangle);
    let sides = open.len();
    Err(match other {
        Some(other) => DecompositionError::FacesApart { triangles: [triangle, other], between, sides },
        None => DecompositionError::Open { triangle, between, sides },
    })
}
