//! The passes over the rows within a substep: aim, warm start, solve, and the pass over positions.

use crate::dynamics::body::Bodies;
use crate::dynamics::integrator::Motion;
use crate::dynamics::settings::{Correction, Settings};
use crate::dynamics::solver::rows::{Block, PointRows, Rows};
use crate::math::{Scalar, Vec3};

/// What a velocity pass aims at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// No approach, and overlap removed as the settings say.
    Correct,
    /// No approach, nothing else: takes out the speed that the correction brought in.
    Relax,
}

/// The velocities of the two bodies of a lane, held in registers while its rows are solved.
///
/// The same arithmetic serves positions: there the "velocities" are the ways since the start of the step.
#[derive(Clone, Copy)]
struct LaneMotion<S> {
    linear: [Vec3<S>; 2],
    angular: [Vec3<S>; 2],
}

impl<S: Scalar> LaneMotion<S> {
    #[inline(always)]
    fn load(block: &Block<S>, lane: usize, linear: &[Vec3<S>], angular: &[Vec3<S>]) -> Self {
        let (a, b) = (block.body_a[lane] as usize, block.body_b[lane] as usize);
        Self { linear: [linear[a], linear[b]], angular: [angular[a], angular[b]] }
    }

    #[inline(always)]
    fn store(self, block: &Block<S>, lane: usize, linear: &mut [Vec3<S>], angular: &mut [Vec3<S>]) {
        let (a, b) = (block.body_a[lane] as usize, block.body_b[lane] as usize);
        (linear[a], linear[b]) = (self.linear[0], self.linear[1]);
        (angular[a], angular[b]) = (self.angular[0], self.angular[1]);
    }

    /// `J v` of one row: the relative speed along its direction.
    #[inline(always)]
    fn along(&self, block: &Block<S>, point: &PointRows<S>, lane: usize, row: usize) -> S {
        let linear = self.linear[1] - self.linear[0];
        linear.dot(block.direction[row].get(lane)) + point.b.lever[row].get(lane).dot(self.angular[1])
            - point.a.lever[row].get(lane).dot(self.angular[0])
    }

    /// Applies an impulse (m/s) along one row to both bodies.
    #[inline(always)]
    fn apply(&mut self, block: &Block<S>, point: &PointRows<S>, lane: usize, row: usize, impulse: S) {
        let direction = block.direction[row].get(lane);
        self.linear[0] -= direction * (point.a.push[lane] * impulse);
        self.angular[0] -= point.a.turn[row].get(lane) * impulse;
        self.linear[1] += direction * (point.b.push[lane] * impulse);
        self.angular[1] += point.b.turn[row].get(lane) * impulse;
    }
}

/// Sets what the next velocity pass aims at, from where the bodies are now.
pub fn aim<S: Scalar>(rows: &mut Rows<S>, motion: &Motion<S>, settings: &Settings<S>, aim: Aim) {
    rows.for_each(|block, points| {
        for lane in 0..block.lanes {
            let moved = LaneMotion::load(block, lane, &motion.delta_position, &motion.delta_rotation);
            for point in &mut points[..block.points[lane] as usize] {
                let separation = point.separation[lane] + moved.along(block, point, lane, 0);
                let target = Target::of(separation, settings, aim);
                point.bias[lane] = target.bias;
                point.mass_scale[lane] = target.mass_scale;
                point.impulse_scale[lane] = target.impulse_scale;
            }
        }
    });
}

/// The three numbers that steer a normal row.
struct Target<S> {
    bias: S,
    mass_scale: S,
    impulse_scale: S,
}

impl<S: Scalar> Target<S> {
    fn of(separation: S, settings: &Settings<S>, aim: Aim) -> Self {
        let rigid = |bias: S| Self { bias, mass_scale: S::ONE, impulse_scale: S::ZERO };
        if separation > S::ZERO {
            return rigid(separation * settings.rate); // speculative: close the gap, no more
        }
        match (aim, settings.solver.correction) {
            (Aim::Relax, _) | (_, Correction::Projection { .. }) => rigid(S::ZERO),
            (Aim::Correct, Correction::Baumgarte { rate, slop }) => rigid(rate * (separation + slop).min(S::ZERO)),
            (Aim::Correct, Correction::Soft(soft)) => Self {
                bias: (soft.bias_rate * separation).max(-soft.push_speed),
                mass_scale: soft.mass_scale,
                impulse_scale: soft.impulse_scale,
            },
        }
    }
}

/// Applies the kept impulses.
pub fn warm_start<S: Scalar>(rows: &mut Rows<S>, bodies: &mut Bodies<S>) {
    rows.for_each(|block, points| {
        for lane in 0..block.lanes {
            let mut motion = LaneMotion::load(block, lane, &bodies.linear_velocity, &bodies.angular_velocity);
            for point in &points[..block.points[lane] as usize] {
                motion.apply(block, point, lane, 0, point.normal_impulse[lane]);
                motion.apply(block, point, lane, 1, point.tangent_impulse[0][lane]);
                motion.apply(block, point, lane, 2, point.tangent_impulse[1][lane]);
            }
            motion.store(block, lane, &mut bodies.linear_velocity, &mut bodies.angular_velocity);
        }
    });
}

/// One iteration over all rows: normals with accumulated clamping, then friction as a disc.
pub fn solve<S: Scalar>(rows: &mut Rows<S>, bodies: &mut Bodies<S>) {
    rows.for_each(|block, points| {
        for lane in 0..block.lanes {
            let points = &mut points[..block.points[lane] as usize];
            let mut motion = LaneMotion::load(block, lane, &bodies.linear_velocity, &bodies.angular_velocity);
            for point in &mut *points {
                solve_normal(&mut motion, block, point, lane);
            }
            for point in points {
                solve_friction(&mut motion, block, point, lane);
            }
            motion.store(block, lane, &mut bodies.linear_velocity, &mut bodies.angular_velocity);
        }
    });
}

#[inline(always)]
fn solve_normal<S: Scalar>(motion: &mut LaneMotion<S>, block: &Block<S>, point: &mut PointRows<S>, lane: usize) {
    let speed = motion.along(block, point, lane, 0);
    let old = point.normal_impulse[lane];
    let step = point.mass_scale[lane] * (speed + point.bias[lane]) + point.impulse_scale[lane] * old;
    let new = (old - step).max(S::ZERO);
    point.normal_impulse[lane] = new;
    motion.apply(block, point, lane, 0, new - old);
}

#[inline(always)]
fn solve_friction<S: Scalar>(motion: &mut LaneMotion<S>, block: &Block<S>, point: &mut PointRows<S>, lane: usize) {
    let speed = [motion.along(block, point, lane, 1), motion.along(block, point, lane, 2)];
    let [first, second, cross] = point.tangent_inverse.map(|entry| entry[lane]);
    let old = point.tangent_impulse.map(|impulse| impulse[lane]);
    let stuck = [old[0] - S::dot2([first, cross], speed), old[1] - S::dot2([cross, second], speed)];
    let limit = block.friction[lane] * point.normal_impulse[lane];
    let slips = S::length3([stuck[0], stuck[1], S::ZERO]) > limit;
    let new = if slips { slip(old, speed, point.slip_inverse[lane], limit) } else { stuck };
    point.slips[lane] = slips;
    for row in 0..2 {
        point.tangent_impulse[row][lane] = new[row];
        motion.apply(block, point, lane, row + 1, new[row] - old[row]);
    }
}

/// Friction of a point that slips: at its limit, against the slip.
///
/// What would stop the point leans towards the direction in which it is easier to move, so clamping that to the disc would
/// spend a part of the limit across the slip. A step alike in all directions, then the disc, rests only where friction
/// opposes the slip.
#[inline(always)]
fn slip<S: Scalar>(old: [S; 2], speed: [S; 2], inverse: S, limit: S) -> [S; 2] {
    let pushed = [old[0] - speed[0] * inverse, old[1] - speed[1] * inverse];
    let length = S::length3([pushed[0], pushed[1], S::ZERO]);
    if length > limit { pushed.map(|impulse| impulse * (limit / length)) } else { pushed }
}

/// Adds the normal impulses of this substep to their totals.
pub fn add_up<S: Scalar>(rows: &mut Rows<S>) {
    rows.for_each(|block, points| {
        for lane in 0..block.lanes {
            for point in &mut points[..block.points[lane] as usize] {
                point.total_impulse[lane] += point.normal_impulse[lane];
            }
        }
    });
}

/// One pass over positions: nudges bodies apart by `beta` of the overlap beyond `slop`.
///
/// Works on the ways since the start of the step; the caller applies the difference to the poses.
pub fn project<S: Scalar>(rows: &mut Rows<S>, motion: &mut Motion<S>, beta: S, slop: S) {
    rows.for_each(|block, points| {
        for lane in 0..block.lanes {
            let mut moved = LaneMotion::load(block, lane, &motion.delta_position, &motion.delta_rotation);
            for point in &points[..block.points[lane] as usize] {
                let separation = point.separation[lane] + moved.along(block, point, lane, 0);
                let overlap = -(separation + slop);
                if overlap > S::ZERO {
                    moved.apply(block, point, lane, 0, overlap * beta);
                }
            }
            moved.store(block, lane, &mut motion.delta_position, &mut motion.delta_rotation);
        }
    });
}

/// Applies restitution: a point that approached faster than the threshold and was pressed leaves with its share of that speed.
///
/// Taken after the solve from the speed before it. Source: Erin Catto, 2024, Solver2D.
pub fn restitute<S: Scalar>(rows: &mut Rows<S>, bodies: &mut Bodies<S>, threshold: S) -> u64 {
    let mut bounced = 0;
    rows.for_each(|block, points| {
        for lane in 0..block.lanes {
            if block.restitution[lane] == S::ZERO {
                continue;
            }
            let mut motion = LaneMotion::load(block, lane, &bodies.linear_velocity, &bodies.angular_velocity);
            for point in &mut points[..block.points[lane] as usize] {
                if point.approach[lane] >= -threshold || point.total_impulse[lane] == S::ZERO {
                    continue;
                }
                let speed = motion.along(block, point, lane, 0);
                let old = point.normal_impulse[lane];
                let new = (old - speed - block.restitution[lane] * point.approach[lane]).max(S::ZERO);
                point.normal_impulse[lane] = new;
                point.total_impulse[lane] += new - old;
                motion.apply(block, point, lane, 0, new - old);
                bounced += 1;
            }
            motion.store(block, lane, &mut bodies.linear_velocity, &mut bodies.angular_velocity);
        }
    });
    bounced
}
