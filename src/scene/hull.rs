//! The points of a hull: decimals put on the grid on which the hull is found, once for all bodies that have it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::geometry::hull::{ExactHull, GridPoint, HullError, MAX_CORNERS, SPAN};
use crate::scene::decimal::{Decimal, Exact};
use crate::scene::model::Vector;

/// The most binary places of a grid: those of the smallest hull, a tenth of a millimetre wide.
const MOST_PLACES: u32 = 34;
/// The largest component of the directions along which points are looked at.
const DIRECTION_STEPS: i64 = 5;
/// The largest coordinate of a point, metres.
pub const LARGEST: Exact = Exact::new(10_000, 0);
/// The least width that a hull has along the axis where it is widest, metres.
pub const LEAST_EXTENT: Exact = Exact::new(1, 4);

/// The points of a hull as a scene lists them, and their hull once it was asked for. Copies share both.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<Vector>", into = "Vec<Vector>")]
pub struct HullPoints(Arc<Listed>);

#[derive(Debug)]
struct Listed {
    points: Vec<Vector>,
    hull: OnceLock<Result<PlacedHull, PointsError>>,
}

/// A hull, and where its origin lies in the frame of its points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedHull {
    /// The hull about its own origin.
    pub hull: Arc<ExactHull>,
    /// Its origin, in steps of its grid.
    pub origin: GridPoint,
}

impl PlacedHull {
    /// Its origin in the frame of its points, metres.
    #[must_use]
    pub fn origin_in_metres(&self) -> [f64; 3] {
        self.origin.map(|steps| libm::scalbn(steps as f64, self.hull.exponent()))
    }
}

/// Why points have no hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointsError {
    /// A coordinate is out of range: which one of which point.
    OutOfRange {
        /// The point, counted from 0.
        point: usize,
        /// The axis, counted from 0.
        axis: usize,
    },
    /// All points lie nearer together than [`LEAST_EXTENT`].
    TooSmall,
    /// They enclose no volume, or too many are corners.
    Hull(HullError),
}

impl Default for HullPoints {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl HullPoints {
    /// The points, in the order of the scene.
    #[must_use]
    pub fn points(&self) -> &[Vector] {
        &self.0.points
    }

    /// Their hull.
    ///
    /// # Errors
    /// When a coordinate is out of range, or the points have no hull.
    pub fn hull(&self) -> Result<&PlacedHull, PointsError> {
        self.0.hull.get_or_init(|| hull_of(&self.0.points)).as_ref().map_err(|error| *error)
    }
}

impl From<Vec<Vector>> for HullPoints {
    fn from(points: Vec<Vector>) -> Self {
        Self(Arc::new(Listed { points, hull: OnceLock::new() }))
    }
}

impl From<HullPoints> for Vec<Vector> {
    fn from(points: HullPoints) -> Self {
        points.0.points.clone()
    }
}

impl PartialEq for HullPoints {
    fn eq(&self, other: &Self) -> bool {
        self.0.points == other.0.points
    }
}

impl Eq for HullPoints {}

/// Those of some points that are corners of their hull, each place once, or so many of them that a hull may have: those
/// that stand out furthest.
///
/// # Errors
/// As for [`HullPoints::hull`], but for too many corners where `most` says how many to keep.
pub fn corners_of(points: &[Vector], most: Option<usize>) -> Result<Vec<Vector>, PointsError> {
    let (on_grid, places) = to_grid(points)?;
    let corners = match (exact_hull(&on_grid, places), most) {
        (Ok((hull, origin)), _) if hull.corners().len() <= most.unwrap_or(MAX_CORNERS) => {
            let place = |corner: &GridPoint| [0, 1, 2].map(|axis| corner[axis] + origin[axis]);
            hull.corners().iter().map(place).collect()
        }
        (Ok(_) | Err(HullError::TooManyCorners), Some(most)) => furthest(&on_grid, most),
        (Err(error), _) => return Err(PointsError::Hull(error)),
        (Ok(_), None) => return Err(PointsError::Hull(HullError::TooManyCorners)),
    };
    let mut first: BTreeMap<GridPoint, usize> = BTreeMap::new();
    for (number, place) in on_grid.iter().enumerate() {
        first.entry(*place).or_insert(number);
    }
    Ok(corners.iter().filter_map(|corner| Some(points[*first.get(corner)?].clone())).collect())
}

/// So many of some points that what they leave out stands out of their hull least, as far as it shows along some thousand directions:
/// again and again the point that stands out furthest of those that are there.
fn furthest(points: &[GridPoint], most: usize) -> BTreeSet<GridPoint> {
    let steps = || -DIRECTION_STEPS..=DIRECTION_STEPS;
    let directions = steps().flat_map(|x| steps().flat_map(move |y| steps().map(move |z| [x, y, z])));
    let along = |point: &GridPoint, direction: &GridPoint| -> i64 { (0..3).map(|i| point[i] * direction[i]).sum() };
    let mut found: Vec<(GridPoint, GridPoint, i64)> = Vec::new(); // the direction, the last point along it, how far those are that are there
    for direction in directions.filter(|direction| *direction != [0; 3]) {
        if let Some(last) = points.iter().max_by_key(|point| (along(point, &direction), **point)) {
            found.push((direction, *last, i64::MIN));
        }
    }
    let first = tetrahedron(points);
    let mut kept = BTreeSet::new();
    let mut next = first.first().copied();
    while let Some(point) = next.filter(|_| kept.len() < most) {
        kept.insert(point);
        next = first.get(kept.len()).copied();
        let mut most_lost = (0, 1);
        for (direction, last, reached) in &mut found {
            *reached = (*reached).max(along(&point, direction));
            let lost = i128::from(along(last, direction) - *reached);
            let (lost, length) = (lost * lost, i128::from(along(direction, direction)));
            if kept.len() >= first.len() && lost * most_lost.1 > most_lost.0 * length {
                most_lost = (lost, length);
                next = Some(*last);
            }
        }
    }
    kept
}

/// Four points that enclose much: one at an end, the one furthest from it, that furthest from their line, that furthest from their plane.
fn tetrahedron(points: &[GridPoint]) -> Vec<GridPoint> {
    let furthest =
        |measure: &dyn Fn(GridPoint) -> i128| points.iter().copied().max_by_key(|&point| (measure(point), point));
    let Some(first) = points.iter().copied().max() else { return Vec::new() };
    let Some(second) = furthest(&|point| dot(way(first, point), way(first, point))) else { return vec![first] };
    let along = way(first, second);
    let off_line = |point: GridPoint| cross(along, way(first, point));
    let Some(third) = furthest(&|point| dot(off_line(point), off_line(point))) else { return vec![first, second] };
    let normal = off_line(third);
    let fourth = furthest(&|point| dot(normal, way(first, point)).abs());
    [first, second, third].into_iter().chain(fourth).collect()
}

/// Puts points on the finest grid that their extent allows, whose steps are a power of two, and finds their hull there.
fn hull_of(points: &[Vector]) -> Result<PlacedHull, PointsError> {
    let (on_grid, places) = to_grid(points)?;
    let (hull, origin) = exact_hull(&on_grid, places).map_err(PointsError::Hull)?;
    Ok(PlacedHull { hull: Arc::new(hull), origin })
}

/// The hull of points of a grid, unless rounding to it may be all that keeps them from lying in a plane.
fn exact_hull(on_grid: &[GridPoint], places: u32) -> Result<(ExactHull, GridPoint), HullError> {
    let (hull, origin) = ExactHull::new(on_grid, -(places as i32))?;
    if is_flat(&hull) { Err(HullError::InPlane) } else { Ok((hull, origin)) }
}

/// Whether all corners of a hull are within four steps of the grid of one of its faces. Rounding moves each by up to half a step along each axis,
/// and a face through three of them leans by more than that.
fn is_flat(hull: &ExactHull) -> bool {
    let corners = hull.corners();
    (0..hull.topology().face_count()).any(|face| {
        let [a, b, c] = [0, 1, 2].map(|place: usize| corners[usize::from(hull.topology().face(face)[place])]);
        let normal = cross(way(a, b), way(a, c));
        let deepest = corners.iter().map(|corner| dot(normal, way(a, *corner)).abs()).max().unwrap_or(0);
        deepest * deepest <= 16 * dot(normal, normal)
    })
}

/// From one point of a grid to another.
fn way(from: GridPoint, to: GridPoint) -> [i128; 3] {
    [0, 1, 2].map(|axis| i128::from(to[axis] - from[axis]))
}

fn dot(a: [i128; 3], b: [i128; 3]) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [i128; 3], b: [i128; 3]) -> [i128; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Points on the finest grid that their extent allows, and its binary places.
fn to_grid(points: &[Vector]) -> Result<(Vec<GridPoint>, u32), PointsError> {
    let exact: Vec<[Exact; 3]> = points.iter().map(|Vector(x, y, z)| [x, y, z].map(Decimal::exact)).collect();
    for (point, coordinates) in exact.iter().enumerate() {
        if let Some(axis) = coordinates.iter().position(|coordinate| coordinate.abs() > LARGEST) {
            return Err(PointsError::OutOfRange { point, axis });
        }
    }
    let extent = largest_extent(&exact);
    if !extent.is_zero() && extent < LEAST_EXTENT {
        return Err(PointsError::TooSmall);
    }
    // Rounding may move both ends outwards, by half a step each.
    let fits = |places: &u32| extent.to_binary(*places) <= SPAN - 2;
    let places = (0..=MOST_PLACES).rev().find(fits).unwrap_or(0);
    let on_grid = exact.iter().map(|point| point.map(|coordinate| coordinate.to_binary(places))).collect();
    Ok((on_grid, places))
}

/// The largest distance of two points along an axis; as good as endless where it needs too many digits.
#[must_use]
pub fn largest_extent(points: &[[Exact; 3]]) -> Exact {
    let along = |axis: usize| {
        let coordinates = points.iter().map(|point| point[axis]);
        let (most, least) = coordinates.clone().max().zip(coordinates.min())?;
        Some(most.checked_sub(least).unwrap_or(Exact::from(20_000)))
    };
    (0..3).filter_map(along).max().unwrap_or(Exact::ZERO)
}

#[cfg(test)]
mod tests {
    use crate::geometry::hull::{HullError, SPAN};
    use crate::scene::decimal::Decimal;
    use crate::scene::hull::{HullPoints, PointsError};
    use crate::scene::model::Vector;

    fn points(texts: &[[&str; 3]]) -> HullPoints {
        let decimal = |text: &str| Decimal::new(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let vectors: Vec<_> = texts.iter().map(|[x, y, z]| Vector(decimal(x), decimal(y), decimal(z))).collect();
        HullPoints::from(vectors)
    }

    /// A tetrahedron with edges of this length from a corner at `(at, at, at)`.
    fn corner(at: &str, end: &str) -> HullPoints {
        points(&[[at, at, at], [end, at, at], [at, end, at], [at, at, end]])
    }

    #[test]
    fn the_grid_is_as_fine_as_the_extent_allows() {
        for (at, end, exponent) in [
            ("0", "1", -19),
            ("0", "0.999", -20),
            ("-10000", "10000", -5),
            ("9999.9999", "10000", -33),
            ("0", "8", -16),
        ] {
            let points = corner(at, end);
            let placed = points.hull().unwrap_or_else(|error| panic!("{error:?}"));
            assert_eq!(placed.hull.exponent(), exponent, "{at} to {end}");
            let corners = placed.hull.corners();
            let most = corners.iter().flatten().max().zip(corners.iter().flatten().min());
            let span = most.map_or(0, |(most, least)| most - least);
            assert!(span > SPAN / 2 - 4 && span <= SPAN, "{span}");
            // The first corner is where it was written, to half a step.
            let step = 2_f64.powi(exponent);
            let first = (corners[0][0] + placed.origin[0]) as f64 * step;
            assert!((first - at.parse::<f64>().unwrap_or(f64::NAN)).abs() <= step / 2.0, "{first}");
        }
    }

    #[test]
    fn points_without_a_volume_are_told_apart() {
        let flat = points(&[["0", "0", "0"], ["1", "0", "0"], ["0", "1", "0"], ["1", "1", "0"], ["2", "3", "0"]]);
        assert_eq!(flat.hull(), Err(PointsError::Hull(HullError::InPlane)));
        // In a plane that leans, but for the ninth digit.
        let leaning = [[0.31, 0.52], [-0.77, 0.13], [0.95, -0.86], [-0.42, -0.61], [0.08, 0.99], [0.61, 0.27]];
        let leaning = leaning.map(|[x, y]| [x, y, x * 0.371 - y * 0.215].map(|part: f64| format!("{part:.9}")));
        let leaning = leaning.each_ref().map(|point| point.each_ref().map(String::as_str));
        assert_eq!(points(&leaning).hull(), Err(PointsError::Hull(HullError::InPlane)));
        let line = points(&[["0", "0", "0"], ["1", "1", "1"], ["2", "2", "2"], ["3", "3", "3"]]);
        assert_eq!(line.hull(), Err(PointsError::Hull(HullError::InLine)));
        assert_eq!(points(&[]).hull(), Err(PointsError::Hull(HullError::TooFewPoints(0))));
        let same = points(&[["0.1", "0", "0"]; 5]);
        assert_eq!(same.hull(), Err(PointsError::Hull(HullError::TooFewPoints(1))));
        let three = points(&[["0", "0", "0"], ["1", "0", "0"], ["0", "1", "0"]]);
        assert_eq!(three.hull(), Err(PointsError::Hull(HullError::TooFewPoints(3))));
        assert_eq!(corner("0", "0.00009").hull(), Err(PointsError::TooSmall));
        assert_eq!(corner("0", "10000.5").hull(), Err(PointsError::OutOfRange { point: 1, axis: 0 }));
    }
}
