//! Constraint rows as blocks of constant width, ordered by colour.
//!
//! ```text
//! colour 0: block | block | block      each block: up to WIDTH contacts, one per lane,
//! colour 1: block | block              each with up to four points; a point is three rows:
//! ...                                  normal, first tangent, second tangent
//! overflow: block | block | ...        one contact per block, solved in order
//! ```
//!
//! Rows are divided by their normal's effective mass: impulses are speeds, stored factors stay near one, and in fixed
//! point nothing overflows at any mass.

use std::ops::Range;

use crate::math::{Scalar, Vec3};

/// Contacts in a block.
pub const WIDTH: usize = 8;

/// One number for each lane.
pub type Lanes<S> = [S; WIDTH];

/// One vector for each lane.
#[derive(Clone, Copy, Debug)]
pub struct LaneVectors<S> {
    x: Lanes<S>,
    y: Lanes<S>,
    z: Lanes<S>,
}

impl<S: Scalar> LaneVectors<S> {
    /// Zero in every lane.
    pub const ZERO: Self = Self { x: [S::ZERO; WIDTH], y: [S::ZERO; WIDTH], z: [S::ZERO; WIDTH] };

    /// The vector of a lane.
    #[inline(always)]
    #[must_use]
    pub const fn get(&self, lane: usize) -> Vec3<S> {
        Vec3::new(self.x[lane], self.y[lane], self.z[lane])
    }

    /// Replaces the vector of a lane.
    #[inline(always)]
    pub const fn set(&mut self, lane: usize, v: Vec3<S>) {
        self.x[lane] = v.x;
        self.y[lane] = v.y;
        self.z[lane] = v.z;
    }
}

/// One side of a point's three rows: how a body's motion shows in them and how it answers to their impulses.
#[derive(Clone, Copy, Debug)]
pub struct Side<S> {
    /// `r x d` for each row direction `d`: what the angular velocity is multiplied with.
    pub lever: [LaneVectors<S>; 3],
    /// `I^-1 (r x d)` times effective mass: angular velocity per unit of impulse.
    pub turn: [LaneVectors<S>; 3],
    /// Inverse mass times effective mass: velocity per unit of impulse, 0 to 1.
    pub push: Lanes<S>,
}

impl<S: Scalar> Side<S> {
    const ZERO: Self = Self { lever: [LaneVectors::ZERO; 3], turn: [LaneVectors::ZERO; 3], push: [S::ZERO; WIDTH] };
}

/// The three rows of one point in each lane.
#[derive(Clone, Copy, Debug)]
pub struct PointRows<S> {
    /// The first body's side.
    pub a: Side<S>,
    /// The second body's side.
    pub b: Side<S>,
    /// Inverse of the two tangent rows' coupling times effective mass, as `(0,0), (1,1), (0,1)`.
    pub tangent_inverse: [Lanes<S>; 3],
    /// Inverse of the larger eigenvalue of that coupling: impulse per speed of a point that slips, alike in all directions.
    pub slip_inverse: Lanes<S>,
    /// Gap (positive) or overlap (negative) at the start of the step, metres.
    pub separation: Lanes<S>,
    /// Speed along the normal that a pass drives to minus this, m/s.
    pub bias: Lanes<S>,
    /// Part of the velocity error a pass removes, 0 to 1.
    pub mass_scale: Lanes<S>,
    /// Part of the kept impulse a pass gives back, 0 to 1.
    pub impulse_scale: Lanes<S>,
    /// Normal impulse of the substep, m/s.
    pub normal_impulse: Lanes<S>,
    /// Friction impulses of the substep along the two tangents, m/s.
    pub tangent_impulse: [Lanes<S>; 2],
    /// Normal impulses of all substeps so far, m/s.
    pub total_impulse: Lanes<S>,
    /// Speed along the normal before the step, m/s; negative when approaching.
    pub approach: Lanes<S>,
    /// Whether the friction impulse reached its limit in the last pass.
    pub slips: [bool; WIDTH],
}

impl<S: Scalar> PointRows<S> {
    /// Rows that do nothing.
    pub const ZERO: Self = Self {
        a: Side::ZERO,
        b: Side::ZERO,
        tangent_inverse: [[S::ZERO; WIDTH]; 3],
        slip_inverse: [S::ZERO; WIDTH],
        separation: [S::ZERO; WIDTH],
        bias: [S::ZERO; WIDTH],
        mass_scale: [S::ZERO; WIDTH],
        impulse_scale: [S::ZERO; WIDTH],
        normal_impulse: [S::ZERO; WIDTH],
        tangent_impulse: [[S::ZERO; WIDTH]; 2],
        total_impulse: [S::ZERO; WIDTH],
        approach: [S::ZERO; WIDTH],
        slips: [false; WIDTH],
    };
}

/// Up to [`WIDTH`] contacts of one colour.
#[derive(Clone, Debug)]
pub struct Block<S> {
    /// How many lanes hold a contact.
    pub lanes: usize,
    /// Which contact of the step each lane holds.
    pub contact: [u32; WIDTH],
    /// Index of the first body of each lane.
    pub body_a: [u32; WIDTH],
    /// Index of the second body of each lane.
    pub body_b: [u32; WIDTH],
    /// Points of each lane.
    pub points: [u32; WIDTH],
    /// Row directions: normal from the first body to the second, and two tangents.
    pub direction: [LaneVectors<S>; 3],
    /// Friction coefficient of each lane.
    pub friction: Lanes<S>,
    /// Restitution of each lane.
    pub restitution: Lanes<S>,
    /// The block's points, as a range of [`Rows::points`].
    pub rows: Range<usize>,
}

/// All rows of a step.
#[derive(Clone, Debug)]
pub struct Rows<S> {
    /// Blocks, colour after colour, the overflow last.
    pub blocks: Vec<Block<S>>,
    /// Points of the blocks.
    pub points: Vec<PointRows<S>>,
}

impl<S> Default for Rows<S> {
    fn default() -> Self {
        Self { blocks: Vec::new(), points: Vec::new() }
    }
}

impl<S: Scalar> Rows<S> {
    /// Calls `visit` with every block and its points, in solving order.
    #[inline(always)]
    pub fn for_each(&mut self, mut visit: impl FnMut(&Block<S>, &mut [PointRows<S>])) {
        for block in &self.blocks {
            visit(block, &mut self.points[block.rows.clone()]);
        }
    }
}
