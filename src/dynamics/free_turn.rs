//! How a body of unequal moments of inertia turns while nothing acts on it, in its own axes.

use crate::dynamics::settings::{RotationUpdate, Settings};
use crate::geometry::Inertia;
use crate::geometry::mass_properties::specific_second_moment;
use crate::math::{Scalar, Vec3};

/// How a body turns in a span of time in which nothing acts on it, in its own axes.
///
/// With `P = I omega` at either end and `m = I^-1 (P0 + P1) / 2`, a turn by the angle `a` about `m` means
/// `P1 - P0 = -t m x (P0 + P1)` with `t = tan(a/2) / |m|`, so `m = omega - t I^-1 (m x I m)`. As `P1 - P0` is perpendicular to `m`,
/// the energy `P . I^-1 P / 2` is the same at both ends at any length of the span: J. C. Simo, K. K. Wong, "Unconditionally
/// stable algorithms for rigid body dynamics that exactly preserve energy and momentum", 1991. The curve of omega in the
/// body is exact to rounding, only the pace along it is of second order.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeTurn<S> {
    /// `m - omega`: what the mean angular velocity has beyond that of the start.
    pub(super) precession: Vec3<S>,
    /// The angular velocity at the end. `None` where the turn is so large that `m` is not found: there a body turns about
    /// its axis of now and keeps its angular velocity, and with it the energy and the size of the momentum.
    pub(super) end: Option<Vec3<S>>,
}

/// How long a body turns freely.
#[derive(Clone, Copy, Debug)]
pub(super) enum Span<S> {
    /// Whole substeps.
    Substeps(u32),
    /// Seconds, a part of one substep.
    Seconds(S),
}

impl<S: Scalar> Span<S> {
    /// A rate times half of the span.
    fn half(self, rate: Vec3<S>, settings: &Settings<S>) -> Vec3<S> {
        match self {
            Self::Substeps(count) => {
                let count = S::from_i32(i32::try_from(count).unwrap_or(i32::MAX));
                (rate * count).mul_fraction(settings.half_substep)
            }
            Self::Seconds(time) => rate * (time * S::HALF),
        }
    }

    /// In how many substeps, or parts of one, the body turns.
    fn turns(self) -> u32 {
        match self {
            Self::Substeps(count) => count,
            Self::Seconds(_) => 1,
        }
    }
}

impl<S: Scalar> FreeTurn<S> {
    /// Most rounds in which `m` is looked for.
    const ROUNDS: u32 = 32;

    /// The turn of a body with this angular velocity at its start.
    ///
    /// A round comes closer by a factor of `|omega| dt / 2` at least, for no moment exceeds the other two together.
    pub(super) fn new(inertia: &Inertia<S>, omega: Vec3<S>, settings: &Settings<S>, span: Span<S>) -> Self {
        // Twice as fast for half as long is the same turn: so the squares of fast spins stay within fixed point.
        let exponent = spare_exponent(omega);
        let scaled = |v: Vec3<S>, exponent: i32| v.map(|component| component.scale_by_power_of_two(exponent));
        let half = |v: Vec3<S>| scaled(span.half(v, settings), exponent);
        let omega = scaled(omega, -exponent);
        let found = |mean: Vec3<S>| Self {
            precession: scaled(mean - omega, exponent),
            end: Some(scaled(mean + mean - omega, exponent)),
        };
        // `m x I m`, with what adds nothing taken out of `I`: of a slender body little is left across its axis, and nothing to cancel.
        let moment = specific_second_moment(inertia.tensor);
        let close = S::EPSILON * (S::ONE + omega.largest_component());
        let mut mean = omega;
        let mut change = omega;
        for _ in 0..Self::ROUNDS {
            let half_turn = half(mean).length_squared();
            let Some(ratio) = tangent_ratio(half_turn, settings.rotation, span.turns()) else { break };
            let rate = inertia.inverse * (moment * mean).cross(mean);
            let target = omega - half(rate * ratio);
            change = target - mean;
            if change.largest_component() <= close {
                return found(target);
            }
            // Halves are slower where the turn is large, but they do not overshoot.
            mean += if half_turn > S::HALF * S::HALF { change * S::HALF } else { change };
        }
        let is_near = |part: Vec3<S>, of: Vec3<S>, exponent: i32| {
            part.largest_component() <= of.largest_component().scale_by_power_of_two(exponent)
        };
        // Over the least moment of a slender body rounding makes much of the spin about its axis, and yet little of its momentum.
        let is_found = is_near(change, omega, -16) || is_near(inertia.tensor * change, inertia.tensor * omega, -12);
        if is_found { found(mean) } else { Self { precession: Vec3::ZERO, end: None } }
    }
}

/// The power of two by which an angular velocity exceeds 1024 rad/s, if it does.
pub(super) fn spare_exponent<S: Scalar>(omega: Vec3<S>) -> i32 {
    let limit = S::from_i32(1024);
    let mut exponent = 0;
    while exponent < 64 && omega.largest_component().scale_by_power_of_two(-exponent) > limit {
        exponent += 1;
    }
    exponent
}

/// `tan(a/2) / x` for the angle `a` by which a span turns a body, from the square of `x = |omega| dt / 2`; `None` for angles of 90
/// degrees and more.
fn tangent_ratio<S: Scalar>(square: S, rotation: RotationUpdate, turns: u32) -> Option<S> {
    if square >= S::from_i32(5) / S::from_i32(8) {
        return None;
    }
    Some(match rotation {
        // The tangent of x, as the continued fraction of J. H. Lambert.
        RotationUpdate::ExponentialMap => {
            let partial = |below: S, odd: i32| S::from_i32(odd) - square / below;
            S::ONE / [7, 5, 3, 1].into_iter().fold(S::from_i32(9), partial)
        }
        // Each substep turns by 2 atan(x / n): the tangents of sums, over that of one substep.
        RotationUpdate::FirstOrder => {
            let count = S::from_i32(i32::try_from(turns).unwrap_or(i32::MAX));
            let square = square / (count * count);
            let multiple = (1..turns).fold(S::ONE, |sum, _| (sum + S::ONE) / (S::ONE - square * sum));
            multiple / count
        }
    })
}
