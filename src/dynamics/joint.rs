//! Joints: which bodies they join, where, and the impulse that they carry from step to step.

use std::sync::Arc;

use crate::math::Vec3;
use crate::state::table::record;

/// The id, and the index, of what is joined to no second body but to the world.
pub const WORLD: u32 = u32::MAX;

/// What a joint leaves free. The numbers are those of the canonical encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum JointKind {
    /// Ball and socket: two points stay together, every turn about them is free.
    #[default]
    Spherical = 0,
}

impl JointKind {
    /// The kind of this number in the encoding.
    #[must_use]
    pub const fn from_u8(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Spherical),
            _ => None,
        }
    }

    /// The name in reports and scenes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spherical => "Spherical",
        }
    }
}

record! {
    /// One joint. All of it is state.
    Joint {
        /// The rank of the joint's name among those of step 0.
        id: u32,
        /// The unique name.
        name: Arc<str>,
        /// What it leaves free.
        kind: JointKind,
        /// The id of the first body.
        a: u32,
        /// The id of the second body, or [`WORLD`].
        b: u32,
        /// From the centre of mass of the first body to the joint, body axes, metres.
        anchor_a: Vec3<S>,
        /// The same of the second body; for the world a point of it.
        anchor_b: Vec3<S>,
        /// Whether the two bodies collide.
        collides: bool,
        /// Impulse of the last substep on the second body over the reduced mass of both, in m/s, world frame: what the next
        /// substep starts from.
        impulse: Vec3<S>,
    }
}
