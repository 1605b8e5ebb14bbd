//! How many substeps a scene gets that does not say: as many as its smallest bodies need.
//!
//! Contacts are springs that can only be as stiff as the substeps are short, and what is small falls through its own size
//! sooner: the same pile at a hundredth of the size needs ten times the substeps.

use crate::geometry::hull::{ExactHull, widths};
use crate::math::Scalar;
use crate::scene::Scene;
use crate::scene::generate::expand;
use crate::scene::model::{BodyKind, ImpulseSolver, Solver, Vector};
use crate::scene::resolve::{ResolvedBody, ResolvedShape};

/// The substeps of a scene whose bodies are large enough.
const FEWEST: u32 = 10;
/// The most that a scene may ask for, and the most that it gets without asking.
pub(super) const MOST: u32 = 64;

/// What rests sinks by `g / omega^2`, for contacts that turn by `omega` in a second: this part of its thickness at most.
const THICKNESS_PER_SAG: f64 = 1000.0;
/// `omega^2 b / g` with which a tower of twenty cubes of half edge `b` stands; at half of it, it buckles under its own weight.
const TOWER_STIFFNESS: f64 = 6000.0;

/// The substeps of a scene.
#[must_use]
pub fn substeps(scene: &Scene) -> u32 {
    let Solver::Impulse(solver) = &scene.solver;
    solver.substeps.unwrap_or_else(|| expand(scene).map_or(FEWEST, |bodies| substeps_for(scene, &bodies)))
}

/// The substeps of a scene with these bodies.
#[must_use]
pub fn substeps_for(scene: &Scene, bodies: &[ResolvedBody]) -> u32 {
    let Solver::Impulse(ImpulseSolver { substeps, relax_iterations, .. }) = &scene.solver;
    if let Some(given) = substeps {
        return *given;
    }
    let needed = bodies.iter().filter(|body| body.kind == BodyKind::Dynamic).flat_map(|body| body.colliders.iter());
    let needed = needed
        .filter(|collider| !collider.is_sensor)
        .map(|collider| stiffness_per_gravity(&collider.shape))
        .fold(0.0, Scalar::max);
    let stiffness = needed * length(&scene.gravity);
    let dt = scene.dt.numerator() as f64 / scene.dt.denominator() as f64;
    // The contact frequency that follows n substeps: omega dt = 0.8 sqrt(1 + relax_iterations) n.
    let per_substep = 0.64 * (1.0 + f64::from(*relax_iterations)) / (dt * dt);
    (FEWEST..MOST).find(|&count| per_substep * f64::from(count * count) >= stiffness).unwrap_or(MOST)
}

/// `omega^2 / g` that a shape needs, 1/m.
fn stiffness_per_gravity(shape: &ResolvedShape) -> f64 {
    match shape {
        ResolvedShape::Sphere { radius } => THICKNESS_PER_SAG / (2.0 * radius.to_f64()),
        ResolvedShape::Capsule { radius, half_height } => {
            let (radius, half_height) = (radius.to_f64(), half_height.to_f64());
            THICKNESS_PER_SAG * lying_sag(radius, half_height) / (2.0 * radius)
        }
        ResolvedShape::Cuboid { half_extents: Vector(x, y, z) } => of_box([x, y, z].map(|side| side.to_f64())),
        ResolvedShape::Hull(placed) => of_box(half_spans(placed.hull.as_ref())),
        // A disc that stands on its flat side is a box whose corners are its rim; lying, it bears itself along a line like a capsule.
        ResolvedShape::Cylinder { half_height, radius } => {
            let (half_height, radius) = (half_height.to_f64(), radius.to_f64());
            let lying = THICKNESS_PER_SAG * lying_sag(radius, half_height) / (2.0 * radius);
            Scalar::max(of_box([radius, half_height, radius]), lying)
        }
        ResolvedShape::Cone { half_height, radius } => {
            let (half_height, radius) = (half_height.to_f64(), radius.to_f64());
            of_box([radius, half_height, radius])
        }
        ResolvedShape::HalfSpace { .. } | ResolvedShape::Mesh(_) => 0.0,
    }
}

/// What a box of these half extents needs, metres.
fn of_box(mut sides: [f64; 3]) -> f64 {
    sides.sort_by(f64::total_cmp);
    let [thin, middle, long] = sides;
    // A tower of boxes that lie flat is the steadier, the flatter they are.
    Scalar::max(
        THICKNESS_PER_SAG * flat_sag(thin, middle, long) / (2.0 * thin),
        TOWER_STIFFNESS * thin / (middle * middle),
    )
}

/// Half the sides of the box around a hull, metres: it is taken for that box.
fn half_spans(hull: &ExactHull) -> [f64; 3] {
    let step = libm::exp2(f64::from(hull.exponent()));
    widths(hull.corners()).map(|width| width as f64 * step / 2.0)
}

/// How far a box that lies flat sinks, in `g / omega^2`: 1 for a cube, 7/4 for a sheet.
///
/// Each corner's spring has the mass with which the corner answers, `1 / m_eff = 1/m + u^2 / I_u + w^2 / I_w` for its levers u, w
/// and `I = m/3 (u^2 + thin^2)`, and four of them bear m g.
fn flat_sag(thin: f64, middle: f64, long: f64) -> f64 {
    let turning = |lever: f64| 3.0 * lever * lever / (lever * lever + thin * thin);
    (1.0 + turning(middle) + turning(long)) / 4.0
}

/// How far a capsule that lies sinks, in `g / omega^2`: 1 for a ball, 2 for a needle. Two springs bear it at its ends, with
/// `I = m (h^2/3 + r^2/4)` for the half height h, as of a cylinder.
fn lying_sag(radius: f64, half_height: f64) -> f64 {
    let lever = half_height * half_height;
    Scalar::max(1.0, (1.0 + lever / (lever / 3.0 + radius * radius / 4.0)) / 2.0)
}

fn length(Vector(x, y, z): &Vector) -> f64 {
    let [x, y, z] = [x, y, z].map(|component| component.to_f64());
    Scalar::sqrt(x * x + y * y + z * z)
}

#[cfg(test)]
mod tests {
    use super::substeps;
    use crate::scene::parse;

    fn of(keys: &str, shape: &str) -> u32 {
        let text = format!("(version: 1, name: \"s\", {keys} bodies: [(name: \"a\", shape: {shape})])");
        substeps(&parse("s.ron", &text).unwrap_or_else(|error| panic!("{error}")))
    }

    #[test]
    fn small_bodies_get_more_substeps() {
        assert_eq!(of("", "Cuboid(half_extents: (0.5, 0.5, 0.5))"), 10);
        assert_eq!(of("", "Sphere(radius: 0.05)"), 10);
        // omega = 0.8 sqrt(2) 60 n: sqrt(6000 9.81 / 0.05) = 1085 takes 16, sqrt(1000 9.81 / 0.002) = 2215 takes 33.
        assert_eq!(of("", "Cuboid(half_extents: (0.05, 0.05, 0.05))"), 16);
        assert_eq!(of("", "Sphere(radius: 0.001)"), 33);
        assert_eq!(of("", "Cuboid(half_extents: (0.001, 0.001, 0.001))"), 64);
        // A needle lies on its ends: sqrt(2 1000 9.81 / 0.02) = 990 takes 15, where a ball would take 11.
        assert_eq!(of("", "Capsule(radius: 0.01, half_height: 3)"), 15);
        assert_eq!(of("", "Sphere(radius: 0.01)"), 11);
        // A card lies flat: only its thickness counts. sqrt(7/4 1000 9.81 / 0.001) = 4143 takes 62.
        assert_eq!(of("", "Cuboid(half_extents: (0.0005, 0.0315, 0.044))"), 62);
    }

    #[test]
    fn gravity_and_the_step_count_too_and_what_is_given_stays() {
        let cube = "Cuboid(half_extents: (0.05, 0.05, 0.05))";
        assert_eq!(of("gravity: (0, 0, 0),", cube), 10);
        assert_eq!(of("dt: \"1/120\",", cube), 10);
        assert_eq!(of("dt: \"1/30\",", cube), 32);
        assert_eq!(of("solver: Impulse(substeps: 3),", cube), 3);
        assert_eq!(of("", &format!("{cube}, kind: Static")), 10);
    }
}
