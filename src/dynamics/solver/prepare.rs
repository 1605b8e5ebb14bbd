//! Writes the rows of all contacts: levers, answers, effective masses, kept impulses and approach speeds.

use crate::collision::manifold::ManifoldPoint;
use crate::dynamics::body::Bodies;
use crate::dynamics::colouring::Colouring;
use crate::dynamics::contact::{Contact, ContactGeometry, KeptPoint};
use crate::dynamics::integrator::Motion;
use crate::dynamics::solver::rows::{Block, LaneVectors, PointRows, Rows, WIDTH};
use crate::math::{Scalar, Scaled, SymMat3, Vec3};

/// The contacts of a step as the solver sees them: state and geometry, index by index.
#[derive(Clone, Copy)]
pub struct StepContacts<'a, S> {
    /// Kept impulses.
    pub kept: &'a [Contact<S>],
    /// Where and how the shapes touch.
    pub geometry: &'a [ContactGeometry<S>],
}

/// Fills `rows` for the contacts in the order of their colours.
pub fn prepare<S: Scalar>(
    rows: &mut Rows<S>,
    contacts: StepContacts<'_, S>,
    colouring: &mut Colouring,
    bodies: &Bodies<S>,
    motion: &Motion<S>,
) {
    rows.blocks.clear();
    rows.points.clear();
    for colour in &mut colouring.colours {
        // Contacts with as many points side by side leave fewer lanes empty; within a colour any order gives the same.
        colour.sort_by_key(|&number| (std::cmp::Reverse(contacts.kept[number as usize].count), number));
        for members in colour.chunks(WIDTH) {
            push_block(rows, members, contacts, bodies, motion);
        }
    }
    for member in colouring.overflow.chunks(1) {
        push_block(rows, member, contacts, bodies, motion);
    }
}

/// Adds the block of these contacts, at most [`WIDTH`].
fn push_block<S: Scalar>(
    rows: &mut Rows<S>,
    members: &[u32],
    contacts: StepContacts<'_, S>,
    bodies: &Bodies<S>,
    motion: &Motion<S>,
) {
    let first_point = rows.points.len();
    let most = members.iter().map(|&number| contacts.kept[number as usize].count as usize).max().unwrap_or(0);
    rows.points.resize(first_point + most, PointRows::ZERO);
    let mut block = Block {
        lanes: members.len(),
        contact: [0; WIDTH],
        body_a: [0; WIDTH],
        body_b: [0; WIDTH],
        points: [0; WIDTH],
        direction: [LaneVectors::ZERO; 3],
        friction: [S::ZERO; WIDTH],
        restitution: [S::ZERO; WIDTH],
        rows: first_point..first_point + most,
    };
    for (lane, &number) in members.iter().enumerate() {
        let (kept, geometry) = (&contacts.kept[number as usize], &contacts.geometry[number as usize]);
        let normal = geometry.manifold.normal;
        let (first, second) = normal.tangents();
        let directions = [normal, first, second];
        block.contact[lane] = number;
        block.body_a[lane] = geometry.body_a;
        block.body_b[lane] = geometry.body_b;
        block.points[lane] = kept.count;
        for (slot, direction) in block.direction.iter_mut().zip(directions) {
            slot.set(lane, direction);
        }
        block.friction[lane] = geometry.surface.friction;
        block.restitution[lane] = geometry.surface.restitution;
        let pair = Pair::of(geometry, bodies, motion);
        let places = geometry.manifold.points().iter().zip(kept.points());
        for (point, (place, kept)) in rows.points[first_point..].iter_mut().zip(places) {
            let arms = arms(geometry, place);
            pair.write(point, lane, directions, arms);
            point.separation[lane] = place.separation;
            keep_impulses(point, lane, kept, [first, second]);
            let velocity = bodies.velocity_at(geometry.body_b as usize, arms[1])
                - bodies.velocity_at(geometry.body_a as usize, arms[0]);
            point.approach[lane] = velocity.dot(normal);
        }
    }
    rows.blocks.push(block);
}

/// The kept impulses of a point, friction projected on the new tangents.
fn keep_impulses<S: Scalar>(point: &mut PointRows<S>, lane: usize, kept: &KeptPoint<S>, tangents: [Vec3<S>; 2]) {
    point.normal_impulse[lane] = kept.normal_impulse;
    for (slot, tangent) in point.tangent_impulse.iter_mut().zip(tangents) {
        slot[lane] = kept.tangent_impulse.dot(tangent);
    }
}

/// What two bodies bring to their rows.
struct Pair<S> {
    /// Inverse masses on a common binary exponent, the larger one from 1/2 to 1.
    inverse_mass: [S; 2],
    /// That exponent.
    exponent: i32,
    /// Mass times inverse inertia, world frame, 1/m^2.
    inverse_inertia: [SymMat3<S>; 2],
}

impl<S: Scalar> Pair<S> {
    fn of(geometry: &ContactGeometry<S>, bodies: &Bodies<S>, motion: &Motion<S>) -> Self {
        let (a, b) = (geometry.body_a as usize, geometry.body_b as usize);
        let (inverse_mass, exponent) = common_exponent(bodies.inverse_mass[a], bodies.inverse_mass[b]);
        Self { inverse_mass, exponent, inverse_inertia: [motion.inverse_inertia[a], motion.inverse_inertia[b]] }
    }

    /// What one side adds to the inverse of a row's effective mass: `1/m (1 + u . (m I^-1) u)` with the lever `u = r x n`.
    fn mobility(&self, side: usize, lever: Vec3<S>) -> S {
        self.inverse_mass[side] * (S::ONE + lever.dot(self.inverse_inertia[side] * lever))
    }

    /// Writes levers, answers and the tangents' coupling of a point at `arms` from the centres of mass.
    fn write(&self, point: &mut PointRows<S>, lane: usize, directions: [Vec3<S>; 3], arms: [Vec3<S>; 2]) {
        let lever = arms.map(|arm| directions.map(|direction| arm.cross(direction)));
        let turn = [0, 1].map(|side| lever[side].map(|lever| self.inverse_inertia[side] * lever));
        let effective_mass = S::ONE / (self.mobility(0, lever[0][0]) + self.mobility(1, lever[1][0]));
        let push = self.inverse_mass.map(|inverse| inverse * effective_mass);
        for (side, rows) in [&mut point.a, &mut point.b].into_iter().enumerate() {
            rows.push[lane] = push[side];
            for row in 0..3 {
                rows.lever[row].set(lane, lever[side][row]);
                rows.turn[row].set(lane, turn[side][row] * push[side]);
            }
        }
        let coupling = |row: usize, other: usize, same: S| {
            push[0] * (same + lever[0][row].dot(turn[0][other])) + push[1] * (same + lever[1][row].dot(turn[1][other]))
        };
        let (first, second) = (coupling(1, 1, S::ONE), coupling(2, 2, S::ONE));
        let cross = coupling(1, 2, S::ZERO);
        let determinant = S::dot2([first, -cross], [second, cross]);
        if determinant > S::ZERO {
            point.tangent_inverse[0][lane] = second / determinant;
            point.tangent_inverse[1][lane] = first / determinant;
            point.tangent_inverse[2][lane] = -cross / determinant;
            let spread = S::length3([(first - second) * S::HALF, cross, S::ZERO]);
            point.slip_inverse[lane] = S::ONE / ((first + second) * S::HALF + spread);
        }
    }
}

/// The mantissas of two inverse masses on the exponent of the larger, and that exponent. Zero stays zero.
fn common_exponent<S: Scalar>(a: Scaled<S>, b: Scaled<S>) -> ([S; 2], i32) {
    let exponent = match (a.is_zero(), b.is_zero()) {
        (false, true) => a.exponent,
        (true, _) => b.exponent,
        (false, false) => a.exponent.max(b.exponent),
    };
    ([a.mantissa_at(exponent), b.mantissa_at(exponent)], exponent)
}

/// The effective mass of a contact point's normal row, kg: what turns its impulses from m/s into N s.
#[must_use]
pub fn effective_mass<S: Scalar>(
    geometry: &ContactGeometry<S>,
    point: &ManifoldPoint<S>,
    bodies: &Bodies<S>,
    motion: &Motion<S>,
) -> Scaled<S> {
    let pair = Pair::of(geometry, bodies, motion);
    let [arm_a, arm_b] = arms(geometry, point);
    let normal = geometry.manifold.normal;
    let mobility = pair.mobility(0, arm_a.cross(normal)) + pair.mobility(1, arm_b.cross(normal));
    Scaled::new(S::ONE / mobility, -pair.exponent)
}

/// From the centres of mass of the two bodies to a contact point, world axes.
///
/// Where the shapes do not touch yet, each arm ends on its own surface: that is where the point will be when the gap has
/// closed. The middle of the gap would lengthen the arm, and a body that lands would be spun too fast by friction.
fn arms<S: Scalar>(geometry: &ContactGeometry<S>, point: &ManifoldPoint<S>) -> [Vec3<S>; 2] {
    let half_gap = geometry.manifold.normal * (point.separation.max(S::ZERO) * S::HALF);
    let middle = geometry.shape_a + point.position;
    [middle - half_gap, middle + half_gap - geometry.between]
}
