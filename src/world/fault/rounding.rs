//! Planted faults of rounding: a position that is advanced in another way than by a rounded product and a sum.

use crate::dynamics::body::Bodies;
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::phase::Phase;
use crate::math::{Scalar, ScalarKind, Vec3};
use crate::world::fault::{Fault, FaultKind};

/// Binary digits to which a product of fixed point is seen beyond its last place.
const FINER: i32 = 8;

/// The faults that strike within the solve of a step, injected at the ends of its phases.
#[derive(Debug)]
pub(in crate::world) struct SolveFaults<'a, S: Scalar> {
    planted: &'a [Fault],
    /// The bodies whose positions are rounded in another way, each with where it is before it moves in this substep, metres.
    misrounded: Vec<(usize, Vec3<S>)>,
}

impl<'a, S: Scalar> SolveFaults<'a, S> {
    /// Those among the faults that are planted in the step.
    pub(in crate::world) const fn new(planted: &'a [Fault]) -> Self {
        Self { planted, misrounded: Vec::new() }
    }

    /// Injects what strikes at the end of this phase.
    pub(in crate::world) fn inject(&mut self, phase: Phase, solve: &mut Solve<'_, S>) {
        if self.planted.is_empty() {
            return;
        }
        match phase {
            Phase::Prepare => self.choose_bodies(solve.bodies),
            Phase::WarmStart { .. } => {
                self.misrounded.iter_mut().for_each(|(body, before)| *before = solve.bodies.position[*body]);
            }
            Phase::Positions { .. } => self.misrounded.iter().for_each(|place| misround(*place, solve)),
            _ => {}
        }
    }

    fn choose_bodies(&mut self, bodies: &Bodies<S>) {
        let faults = self.planted.iter().filter(|fault| fault.kind == FaultKind::Fma);
        let chosen = faults.filter_map(|fault| named_or_fastest(bodies, fault.object.as_deref()));
        self.misrounded = chosen.map(|body| (body, bodies.position[body])).collect();
    }
}

/// Moves a body to where another rounding would have brought it in this substep from where it was `before`.
fn misround<S: Scalar>((body, before): (usize, Vec3<S>), solve: &mut Solve<'_, S>) {
    let (settings, velocity) = (solve.settings, solve.bodies.linear_velocity[body]);
    let advance = |start: S, rate: S| advance_misrounded(start, rate, settings);
    let position =
        Vec3::new(advance(before.x, velocity.x), advance(before.y, velocity.y), advance(before.z, velocity.z));
    solve.bodies.position[body] = position;
    solve.motion.start_position[body] = position - solve.motion.delta_position[body];
}

/// `start` advanced by a substep at `rate` per second: in floats as one fused operation, in fixed point, where that gives the
/// same bits, with the product cut off instead of rounded.
fn advance_misrounded<S: Scalar>(start: S, rate: S, settings: &Settings<S>) -> S {
    let single = |value: S| f32::from_bits(value.to_bits() as u32);
    let double = |value: S| f64::from_bits(value.to_bits());
    let seconds = settings.substep_seconds;
    match S::KIND {
        ScalarKind::F32 => S::from_bits(u64::from(libm::fmaf(single(rate), single(seconds), single(start)).to_bits())),
        ScalarKind::F64 => S::from_bits(libm::fma(double(rate), double(seconds), double(start)).to_bits()),
        ScalarKind::Fixed => {
            let finer = rate.scale_by_power_of_two(FINER).mul_fraction(settings.substep);
            start + S::from_ordered(finer.to_ordered() >> FINER)
        }
    }
}

/// The body of this name; without one, the body with the highest speed.
fn named_or_fastest<S: Scalar>(bodies: &Bodies<S>, name: Option<&str>) -> Option<usize> {
    let Some(name) = name else {
        let speed = |index: usize| bodies.linear_velocity[index].map(S::abs).dot(Vec3::splat(S::ONE));
        let faster = |best: usize, index: usize| if speed(index) > speed(best) { index } else { best };
        return (0..bodies.len()).reduce(faster);
    };
    bodies.index_of_name(name)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::math::{Fixed, Scalar, ScalarKind, Vec3};
    use crate::scene;
    use crate::world::World;
    use crate::world::fault::{Fault, FaultKind};

    /// Where a ball is after one step of one substep that would have brought it to the origin but for its rounding.
    fn ends<S: Scalar>(velocity: S, faults: Vec<Fault>) -> S {
        let text = "(version: 1, name: \"flight\", gravity: (0, 0, 0), solver: Impulse(substeps: 1), bodies: [
            (name: \"ball\", shape: Sphere(radius: 0.5))])";
        let scene = scene::parse("flight.ron", text).unwrap_or_else(|error| panic!("{error}"));
        let mut world = World::<S>::build(&Arc::new(scene)).unwrap_or_else(|error| panic!("{error}"));
        world.bodies.position[0] = Vec3::X * -velocity.mul_fraction(world.settings.substep);
        world.bodies.linear_velocity[0] = Vec3::X * velocity;
        world.plant(faults);
        world.step(&[], &mut ()).unwrap_or_else(|error| panic!("{error}"));
        world.bodies.position[0].x
    }

    /// In floats what is left is what the product lost: not zero, and not more than half a unit in the last place of a way of
    /// 1/600 m. A way of less than half a unit is rounded to nothing in fixed point, and cut off to one unit below.
    fn a_planted_rounding_shows_as_it_is_described<S: Scalar>() {
        let velocity = if S::KIND == ScalarKind::Fixed { -S::EPSILON } else { S::from_ratio(1, 10) };
        assert_eq!(ends(velocity, Vec::new()), S::ZERO);
        let left = ends(velocity, vec![Fault::of_kind(FaultKind::Fma, 1)]);
        let bound = S::EPSILON.to_f64() / 600.0 / 2.0;
        match S::KIND {
            ScalarKind::Fixed => assert_eq!(left, -S::EPSILON),
            _ => assert!(left != S::ZERO && left.to_f64().abs() <= bound, "{left}"),
        }
    }

    #[test]
    fn a_rounding_is_planted_on_every_scalar() {
        a_planted_rounding_shows_as_it_is_described::<Fixed>();
        a_planted_rounding_shows_as_it_is_described::<f32>();
        a_planted_rounding_shows_as_it_is_described::<f64>();
    }
}
