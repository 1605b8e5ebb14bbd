//! The triangles around a set of points of a grid.
//!
//! C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", 1996. Every question of it is
//! one of the sign of a determinant, and on a grid of [`SPAN`] steps a determinant is a whole number that 64 bits hold:
//! nothing is ever nearly in a plane, and no tolerance is needed. A point in the plane of a face is not outside it.

use crate::geometry::hull::HullError;

/// The most steps of the grid from one end of the points to the other, along each axis. Differences are at most this, cross
/// products of two at most 2^41, and their products with a third, summed over three axes, below 2^63.
pub const SPAN: i64 = 1 << 20;

/// The most corners of a hull.
pub const MAX_CORNERS: usize = 255;

/// A point of the grid.
pub type GridPoint = [i64; 3];

/// The most points that a hull is made of while it grows: some of them may turn out to be no corners.
const MOST_ADDED: usize = 4 * MAX_CORNERS;

/// No triangle.
const NOWHERE: usize = usize::MAX;

/// A triangle of the hull as it grows, counter-clockwise as seen from outside.
#[derive(Clone, Debug)]
pub(super) struct Triangle {
    /// Its corners.
    pub(super) corners: [usize; 3],
    /// The triangles beyond the edges that begin at these corners.
    pub(super) neighbours: [usize; 3],
    /// Out of the hull.
    normal: [i64; 3],
    /// Points beyond it that are yet to be added.
    outside: Vec<usize>,
    /// Whether a point has been added beyond it.
    is_gone: bool,
}

/// The triangles around points that span at most [`SPAN`] steps. Some of their corners may lie within an edge or a face of the hull.
///
/// # Errors
/// When the points lie in a plane, or the hull has surely more than [`MAX_CORNERS`] corners: then [`MOST_ADDED`] are not enough.
pub(super) fn triangles(points: &[GridPoint]) -> Result<Vec<Triangle>, HullError> {
    let first = first_tetrahedron(points)?;
    let mut hull = Growing { points, triangles: Vec::new(), corners: first.len() };
    hull.begin(first);
    let mut next = 0;
    while next < hull.triangles.len() {
        while let Some(point) = hull.farthest_beyond(next) {
            hull.corners += 1;
            if hull.corners > MOST_ADDED {
                return Err(HullError::TooManyCorners);
            }
            hull.add(point, next);
        }
        next += 1;
    }
    Ok(hull.without_gone())
}

/// The volume of the hull of points that span at most [`SPAN`] steps, in cubes of a step; of points without a volume nothing. Where the hull has more
/// than so many corners, that of a hull of about so many of them, which lies within it: those that stand out furthest come first.
#[must_use]
pub fn enclosed_volume(points: &[GridPoint], most: usize) -> f64 {
    let Ok(first) = first_tetrahedron(points) else { return 0.0 };
    let origin = points[first[0]];
    let mut hull = Growing { points, triangles: Vec::new(), corners: first.len() };
    hull.begin(first);
    let mut next = 0;
    while next < hull.triangles.len() && hull.corners < most {
        match hull.farthest_beyond(next) {
            Some(point) => {
                hull.corners += 1;
                hull.add(point, next);
            }
            None => next += 1,
        }
    }
    let sixfold = |triangle: &Triangle| dot(triangle.normal, difference(points[triangle.corners[0]], origin)) as f64;
    hull.triangles.iter().filter(|triangle| !triangle.is_gone).map(sixfold).sum::<f64>() / 6.0
}

/// Four corners of the hull that span a volume, the last below the plane of the first three, which turn counter-clockwise as seen from above.
fn first_tetrahedron(points: &[GridPoint]) -> Result<[usize; 4], HullError> {
    let all = || 0..points.len();
    let a = all().min_by_key(|&point| points[point]).ok_or(HullError::TooFewPoints(0))?;
    let b = best(points, |point| square(difference(points[point], points[a]))).ok_or(HullError::TooFewPoints(1))?;
    let along = difference(points[b], points[a]);
    let c = best(points, |point| square(cross(along, difference(points[point], points[a]))));
    let c = c.ok_or(if has_other(points, &[a, b]) { HullError::InLine } else { HullError::TooFewPoints(2) })?;
    let normal = cross(along, difference(points[c], points[a]));
    let height = |point: usize| dot(normal, difference(points[point], points[a]));
    let d = best(points, |point| i128::from(height(point).unsigned_abs()));
    let d = d.ok_or(if has_other(points, &[a, b, c]) { HullError::InPlane } else { HullError::TooFewPoints(3) })?;
    Ok(if height(d) < 0 { [a, b, c, d] } else { [a, c, b, d] })
}

/// Whether there is a point at another place than these.
fn has_other(points: &[GridPoint], known: &[usize]) -> bool {
    points.iter().any(|point| known.iter().all(|&other| points[other] != *point))
}

/// The point of the largest score, the first by coordinates among equals; `None` where no score is above zero.
fn best(points: &[GridPoint], score: impl Fn(usize) -> i128) -> Option<usize> {
    let mut best = None;
    let mut most = 0;
    for point in 0..points.len() {
        let value = score(point);
        let is_better = value > most || best.is_some_and(|best: usize| value == most && points[point] < points[best]);
        if is_better {
            (best, most) = (Some(point), value);
        }
    }
    best
}

/// A hull of some of the points.
struct Growing<'a> {
    points: &'a [GridPoint],
    triangles: Vec<Triangle>,
    /// How many points have become corners.
    corners: usize,
}

impl Growing<'_> {
    /// Makes the tetrahedron, and gives each other point to a face that it lies beyond.
    fn begin(&mut self, [a, b, c, d]: [usize; 4]) {
        for (corners, neighbours) in
            [([a, b, c], [3, 1, 2]), ([c, b, d], [0, 3, 2]), ([a, c, d], [0, 1, 3]), ([b, a, d], [0, 2, 1])]
        {
            let triangle = self.triangle(corners, neighbours);
            self.triangles.push(triangle);
        }
        self.hand_out((0..self.points.len()).collect(), 0);
    }

    fn triangle(&self, corners: [usize; 3], neighbours: [usize; 3]) -> Triangle {
        let [a, b, c] = corners.map(|corner| self.points[corner]);
        let normal = cross(difference(b, a), difference(c, a));
        Triangle { corners, neighbours, normal, outside: Vec::new(), is_gone: false }
    }

    /// How far a point is above a triangle, times twice its area.
    fn height(&self, triangle: usize, point: usize) -> i64 {
        let triangle = &self.triangles[triangle];
        dot(triangle.normal, difference(self.points[point], self.points[triangle.corners[0]]))
    }

    /// Gives each point to the first of the triangles from `first` on that it lies beyond; the others are inside.
    fn hand_out(&mut self, points: Vec<usize>, first: usize) {
        for point in points {
            let beyond = (first..self.triangles.len()).find(|&triangle| self.height(triangle, point) > 0);
            if let Some(triangle) = beyond {
                self.triangles[triangle].outside.push(point);
            }
        }
    }

    /// The point farthest beyond a triangle.
    fn farthest_beyond(&self, triangle: usize) -> Option<usize> {
        if self.triangles[triangle].is_gone {
            return None;
        }
        let outside = self.triangles[triangle].outside.iter().copied();
        outside.min_by_key(|&point| (std::cmp::Reverse(self.height(triangle, point)), self.points[point]))
    }

    /// Adds a point that lies beyond a triangle: what it sees gives way to a fan around it.
    fn add(&mut self, point: usize, beyond: usize) {
        let (seen, rim) = self.seen_from(point, beyond);
        let first = self.triangles.len();
        for &[triangle, side] in &rim {
            let old = &self.triangles[triangle];
            let (from, to, outer) = (old.corners[side], old.corners[(side + 1) % 3], old.neighbours[side]);
            let place = self.triangles.len();
            let fan = self.triangle([from, to, point], [outer, NOWHERE, NOWHERE]);
            self.triangles.push(fan);
            // The rim's own triangle is known to its outer neighbour by the edge the other way round.
            let back = self.triangles[outer].corners.iter().position(|&corner| corner == to);
            if let Some(back) = back {
                self.triangles[outer].neighbours[back] = place;
            }
        }
        self.join_fan(first);
        let orphans = seen.into_iter().flat_map(|triangle| std::mem::take(&mut self.triangles[triangle].outside));
        let orphans = orphans.filter(|&orphan| orphan != point).collect();
        self.hand_out(orphans, first);
    }

    /// The triangles that a point lies beyond, one of them given, and their edges towards the others: triangle and side.
    fn seen_from(&mut self, point: usize, beyond: usize) -> (Vec<usize>, Vec<[usize; 2]>) {
        let (mut seen, mut rim) = (vec![beyond], Vec::new());
        self.triangles[beyond].is_gone = true;
        let mut next = 0;
        while next < seen.len() {
            let triangle = seen[next];
            for (side, neighbour) in self.triangles[triangle].neighbours.into_iter().enumerate() {
                if self.triangles[neighbour].is_gone {
                    continue;
                }
                if self.height(neighbour, point) > 0 {
                    self.triangles[neighbour].is_gone = true;
                    seen.push(neighbour);
                } else {
                    rim.push([triangle, side]);
                }
            }
            next += 1;
        }
        (seen, rim)
    }

    /// Makes the triangles from `first` on, all around one point, neighbours of each other: each begins where another ends.
    fn join_fan(&mut self, first: usize) {
        let mut beginnings: Vec<_> =
            (first..self.triangles.len()).map(|place| (self.triangles[place].corners[0], place)).collect();
        beginnings.sort_unstable();
        for place in first..self.triangles.len() {
            let end = self.triangles[place].corners[1];
            let following = beginnings.partition_point(|&(corner, _)| corner < end);
            if let Some(&(_, following)) = beginnings.get(following) {
                self.triangles[place].neighbours[1] = following;
                self.triangles[following].neighbours[2] = place;
            }
        }
    }

    /// The triangles that are left, numbered anew.
    fn without_gone(self) -> Vec<Triangle> {
        let mut numbers = vec![NOWHERE; self.triangles.len()];
        let left = (0..self.triangles.len()).filter(|&triangle| !self.triangles[triangle].is_gone);
        left.enumerate().for_each(|(number, triangle)| numbers[triangle] = number);
        let mut triangles = self.triangles;
        triangles.retain(|triangle| !triangle.is_gone);
        for triangle in &mut triangles {
            triangle.neighbours = triangle.neighbours.map(|neighbour| numbers[neighbour]);
        }
        triangles
    }
}

impl Triangle {
    /// Out of the hull, twice as long as the triangle is large.
    pub(super) const fn normal(&self) -> GridPoint {
        self.normal
    }

    /// Whether a point lies in the plane of this triangle.
    pub(super) fn holds(&self, points: &[GridPoint], point: usize) -> bool {
        dot(self.normal, difference(points[point], points[self.corners[0]])) == 0
    }
}

/// How far points lie apart along each axis.
#[must_use]
pub fn widths(points: &[GridPoint]) -> [i64; 3] {
    [0, 1, 2].map(|axis| {
        let along = points.iter().map(|point| point[axis]);
        along.clone().max().zip(along.min()).map_or(0, |(most, least)| most - least)
    })
}

/// `to - from`.
pub(super) fn difference(to: GridPoint, from: GridPoint) -> GridPoint {
    [0, 1, 2].map(|axis| to[axis] - from[axis])
}

/// The cross product of two differences.
pub(super) fn cross(a: GridPoint, b: GridPoint) -> GridPoint {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The dot product of a cross product and a difference.
pub(super) fn dot(a: GridPoint, b: GridPoint) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The square of the length of a difference or a cross product.
pub(super) fn square(vector: GridPoint) -> i128 {
    vector.into_iter().map(|component| i128::from(component) * i128::from(component)).sum()
}
