//! Where a ray meets a surface: a mesh, or one facet of it.
//!
//! What goes through a side, or a corner, of facets meets one of them: each is met by what comes as near as all that rounds here may be
//! off, and a ray is first taken to where it passes the surface, once for all facets, so that what it comes from afar with is the same for all.

use crate::collision::query::{Ray, RayHit};
use crate::geometry::{Aabb, Facet, Mesh, Shape};
use crate::math::{Scalar, Vec3};

/// A ray where it passes a surface.
struct Passing<S> {
    /// Where it starts, from the origin of the surface.
    start: Vec3<S>,
    /// Its direction, and the point at which it comes nearest to that origin.
    way: Ray<S>,
    /// How far it has come there, metres.
    before: S,
    /// How far off a point of a facet may be, metres.
    rounding: S,
}

impl<S: Scalar> Passing<S> {
    /// A ray and a surface that reaches so far from its origin.
    fn of(ray: &Ray<S>, reach: S) -> Self {
        let before = (-ray.origin.dot(ray.direction)).max(S::ZERO).min(ray.length);
        let way = Ray { origin: ray.point(before), ..*ray };
        let rounding = (reach + way.origin.taxicab_length()) * (S::EPSILON * S::from_i32(4)) + S::from_ordered(4);
        Self { start: ray.origin, way, before, rounding }
    }

    /// A facet at this place, from either side. What starts in its plane is met there.
    fn hit(&self, facet: &Facet<S>, origin: Vec3<S>) -> Option<RayHit<S>> {
        let front = &facet.planes()[0];
        let over = |point: Vec3<S>| front.normal.dot(point - origin) - front.offset;
        let (at_start, speed) = (over(self.start), front.normal.dot(self.way.direction));
        let leads_away = if speed > S::ZERO { at_start > S::ZERO } else { at_start < S::ZERO };
        if speed == S::ZERO || leads_away {
            return None;
        }
        let height = over(self.way.origin);
        if height.abs() > self.way.length * speed.abs() {
            return None;
        }
        let along = -height / speed;
        let along = along + self.way_inside(facet, self.way.point(along) - origin, speed.abs())?;
        let normal = if speed > S::ZERO { -front.normal } else { front.normal };
        Some(RayHit { distance: (self.before + along).max(S::ZERO), normal })
    }

    /// How far the ray goes on, or back, from a point in the plane of a facet until it is within the facet's sides. `None` where it is not within
    /// them while it is as near to the plane as a point may be off; it comes down to the plane by `descent` a metre.
    fn way_inside(&self, facet: &Facet<S>, point: Vec3<S>, descent: S) -> Option<S> {
        let slack = facet.off_sides() + self.rounding;
        // Quotients are asked for only where they are no more than the length, and do not overflow.
        let most = if self.rounding < self.way.length * descent { self.rounding / descent } else { self.way.length };
        let (mut least, mut most) = (-most, most);
        for (outwards, corner) in facet.outwards().iter().zip(facet.corners()) {
            let (beyond, speed) = (outwards.dot(point - *corner) - slack, outwards.dot(self.way.direction));
            if speed > S::ZERO {
                if beyond > -least * speed {
                    return None;
                }
                if -beyond < most * speed {
                    most = -beyond / speed;
                }
            } else if beyond > -most * speed {
                return None;
            } else if -beyond < least * speed {
                least = -beyond / speed;
            }
        }
        (least <= most).then(|| S::ZERO.max(least).min(most))
    }
}

/// One facet, seen from its origin.
pub(super) fn facet<S: Scalar>(ray: &Ray<S>, facet: &Facet<S>) -> Option<RayHit<S>> {
    Passing::of(ray, facet.largest_half_extent()).hit(facet, Vec3::ZERO)
}

/// The first facet of a mesh that is met.
pub(super) fn surface<S: Scalar>(ray: &Ray<S>, mesh: &Mesh<S>) -> Option<RayHit<S>> {
    let passing = Passing::of(ray, mesh.reach());
    let mut best: Option<RayHit<S>> = None;
    mesh.search(
        |bounds| entry(ray, bounds),
        |number| {
            if let Shape::Facet(facet) = mesh.piece(number) {
                let found = passing.hit(facet, facet.origin());
                best = found.filter(|hit| best.is_none_or(|best| hit.distance < best.distance)).or(best);
            }
            best.map_or(S::MAX, |best| best.distance)
        },
    );
    best
}

/// How far a ray goes at least until it is in a box; the largest number where it never is.
fn entry<S: Scalar>(ray: &Ray<S>, bounds: &Aabb<S>) -> S {
    let (mut enters, mut leaves) = (S::ZERO, ray.length);
    let slack = (ray.origin.taxicab_length() + ray.length) * (S::EPSILON * S::from_i32(8)) + S::from_ordered(8);
    let sides = bounds.min.to_array().into_iter().zip(bounds.max.to_array());
    let along = ray.origin.to_array().into_iter().zip(ray.direction.to_array());
    for ((low, high), (start, speed)) in sides.zip(along) {
        let (near, far) = if speed < S::ZERO { (start - high, start - low) } else { (low - start, high - start) };
        let speed = speed.abs();
        if far < -slack || near > ray.length * speed + slack {
            return S::MAX;
        }
        if speed > S::ZERO {
            enters = enters.max((near - slack) / speed);
            leaves = leaves.min((far + slack) / speed);
        }
    }
    if enters > leaves { S::MAX } else { enters }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::collision::query::{Ray, cast_ray};
    use crate::geometry::mesh::ExactMesh;
    use crate::geometry::{Mesh, Shape};
    use crate::math::{Fixed, Mat3, Scalar, SplitMix64, Vec3};

    /// A square of four by four cells of 2^`size` m, two triangles each, its corners at random heights below half a cell. Corners count 2^-8
    /// of a cell.
    fn ground(random: &mut SplitMix64, size: i32) -> Arc<ExactMesh> {
        let number = |x: u32, z: u32| 5 * z + x;
        let mut points = Vec::new();
        for z in -2..=2_i64 {
            points.extend((-2..=2_i64).map(|x| [256 * x, random.below(128) as i64, 256 * z]));
        }
        let mut triangles = Vec::new();
        for z in 0..4 {
            for x in 0..4 {
                let [a, b, c, d] = [number(x, z), number(x, z + 1), number(x + 1, z), number(x + 1, z + 1)];
                triangles.extend([[a, b, c], [c, b, d]]);
            }
        }
        let (mesh, _, _) = ExactMesh::new(&points, &triangles, size - 8).expect("a mesh");
        Arc::new(mesh)
    }

    /// Rays at inner sides and corners of a surface whose facets all look at them, from near and far: each meets it there.
    #[test]
    fn a_ray_at_a_side_meets_one_of_the_facets() {
        fn check<S: Scalar>() {
            let mut random = SplitMix64::new(11);
            for round in 0..200 {
                let size = [-8, -4, 0, 4][round % 4];
                let exact = ground(&mut random, size);
                let shape = Shape::Mesh(Arc::new(Mesh::<S>::new(Arc::clone(&exact))));
                let corner = |number: u32| exact.corners()[number as usize];
                for (triangle, side) in
                    exact.triangles().iter().flat_map(|triangle| (0..3).map(move |side| (triangle, side)))
                {
                    let (from, to, part) =
                        (corner(triangle[side]), corner(triangle[(side + 1) % 3]), random.below(5) as i64);
                    // In quarters of a step.
                    let aim = [0, 1, 2].map(|axis| 4 * from[axis] + (to[axis] - from[axis]) * part);
                    if aim[0].abs().max(aim[2].abs()) > 4 * 256 {
                        continue; // at the rim, or near it
                    }
                    let [x, y, z] = aim.map(|part| S::from_ratio(part, 1 << (10 - size)));
                    let mut slope = || S::from_ratio(random.below(9) as i64 - 4, 16);
                    let direction = Vec3::new(slope(), -S::ONE, slope()).direction().expect("it leads down");
                    let away = S::from_ratio([1, 30, 500, 8000][random.index(4)], 8);
                    let origin = Vec3::new(x, y, z) - direction * away;
                    let ray = Ray { origin, direction, length: away + away };
                    let hit = cast_ray(&shape, &Mat3::IDENTITY, &ray);
                    let hit = hit.unwrap_or_else(|| panic!("{}: {ray:?} misses a surface of size {size}", S::KIND));
                    let bound = (away + S::from_ratio(16, 1 << (4 - size))) * S::EPSILON * S::from_i32(16)
                        + S::from_ordered(16);
                    assert!((hit.distance - away).abs() <= bound, "{}: {hit:?} and not {away:?}", S::KIND);
                }
            }
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    /// A ray that starts in the plane of a facet meets it there, whichever way it leads; one that leads along the plane never.
    #[test]
    fn a_ray_that_starts_on_a_facet_meets_it_there() {
        fn check<S: Scalar>() {
            let (exact, _, _) = ExactMesh::new(&[[0, 0, 0], [0, 0, 4], [4, 0, 0]], &[[0, 1, 2]], 0).expect("a mesh");
            let shape = Shape::Mesh(Arc::new(Mesh::<S>::new(Arc::new(exact))));
            let met = |direction| {
                let ray = Ray { origin: Vec3::new(-S::ONE, S::ZERO, -S::ONE), direction, length: S::TWO };
                cast_ray(&shape, &Mat3::IDENTITY, &ray).map(|hit| (hit.distance, hit.normal))
            };
            assert_eq!(met(Vec3::Y), Some((S::ZERO, -Vec3::Y)));
            assert_eq!(met(-Vec3::Y), Some((S::ZERO, Vec3::Y)));
            assert_eq!(met(Vec3::X), None);
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }
}
