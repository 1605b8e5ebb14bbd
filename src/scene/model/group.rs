//! Generators: many bodies in one line.

use serde::{Deserialize, Serialize};

use crate::scene::decimal::Decimal;
use crate::scene::model::defaults;
use crate::scene::model::{BodyKind, Collider, Filter, Mass, Orientation, Shape, Vector};

/// A generator of bodies. Each body is a copy of `body` named `name[i]`, `name[i,j]` or `name[i,j,k]`, placed by the generator.
/// `Chain` and `Net` join neighbours too, with joints named after both, such as `rope[0]+rope[1]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The name before the brackets.
    pub name: String,
    /// The body that is copied; its own name and position are not given.
    pub body: GroupBody,
    /// How the copies are placed.
    pub layout: Layout,
}

/// The body of a generator: as [`Body`](crate::scene::model::Body), without name and position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupBody {
    /// Default `Dynamic`.
    #[serde(default)]
    pub kind: BodyKind,
    /// Default `Quaternion(1, 0, 0, 0)`.
    #[serde(default)]
    pub orientation: Orientation,
    /// Velocity of the centre of mass in m/s, world frame. Default zero.
    #[serde(default)]
    pub linear_velocity: Vector,
    /// Angular velocity in rad/s, world frame. Default zero.
    #[serde(default)]
    pub angular_velocity: Vector,
    /// One shape at the body's origin, or else `colliders`.
    #[serde(default)]
    pub shape: Option<Shape>,
    /// The material of `shape`. Default `"default"`.
    #[serde(default)]
    pub material: Option<String>,
    /// Whether `shape` only notices what overlaps it, and pushes nothing. Default false.
    #[serde(default)]
    pub sensor: bool,
    /// Several shapes, rigidly joined.
    #[serde(default)]
    pub colliders: Vec<Collider>,
    /// What the shapes are and what they meet, where they have no filter of their own. Default: they meet everything.
    #[serde(default)]
    pub filter: Filter,
    /// What the body weighs. Default `FromDensity`.
    #[serde(default)]
    pub mass: Mass,
    /// Damping of the linear velocity; its form is the scene's `damping`. Default 0.
    #[serde(default = "defaults::zero")]
    pub linear_damping: Decimal,
    /// Damping of the angular velocity. Default 0.
    #[serde(default = "defaults::zero")]
    pub angular_damping: Decimal,
    /// Factor on gravity. Default 1.
    #[serde(default = "defaults::one")]
    pub gravity_scale: Decimal,
}

/// How the copies of a generator are placed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Layout {
    /// A block: `count` copies along x, y and z, `spacing` metres apart from centre to centre, the first at `origin`.
    /// Names are `name[i,j,k]`, counted along x, y and z.
    Grid {
        /// Where the first copy is, metres.
        origin: Vector,
        /// Copies along x, y and z.
        count: (u32, u32, u32),
        /// From each copy to the next, metres.
        spacing: Vector,
    },
    /// `count` copies in a row, the first at `origin`, each `spacing` from the one before. Names are `name[i]`.
    Stack {
        /// Where the first copy is, metres.
        origin: Vector,
        /// Copies.
        count: u32,
        /// From each copy to the next, metres.
        spacing: Vector,
    },
    /// A row as `Stack`, each copy joined to the one before by a ball and socket midway between their origins.
    Chain {
        /// Where the first copy is, metres.
        origin: Vector,
        /// Copies.
        count: u32,
        /// From each copy to the next, metres.
        spacing: Vector,
    },
    /// A block as `Grid`, each copy joined to the next along x, y and z by balls and sockets midway between their origins: a
    /// net has a single copy along one axis.
    Net {
        /// Where the first copy is, metres.
        origin: Vector,
        /// Copies along x, y and z.
        count: (u32, u32, u32),
        /// From each copy to the next, metres.
        spacing: Vector,
    },
    /// A wall like brickwork: `rows` rows, `spacing.1` above each other; in a row the copies are
    /// `(spacing.0, 0, spacing.2)` apart, so a wall may run in any horizontal direction. Row `j` has `base - j` copies
    /// if `taper` (default false), each row half a copy further on; else every row has `base` and every second row is
    /// half a copy further on. Names are `name[j,i]`: row, then place in the row.
    Wall {
        /// Where the first copy is, metres.
        origin: Vector,
        /// Copies in the lowest row.
        base: u32,
        /// Rows.
        rows: u32,
        /// From each copy to the next, metres.
        spacing: Vector,
        /// Whether each row has one copy less than the row below.
        #[serde(default)]
        taper: bool,
    },
    /// A square pyramid: layer `k`, from 0 to `base - 1` and `spacing.1` above each other, has `(base - k)^2` copies.
    /// Names are `name[k,i,j]`: layer, then places along x and z.
    Pyramid {
        /// Where the first copy is, metres.
        origin: Vector,
        /// Copies along each edge of the lowest layer.
        base: u32,
        /// From each copy to the next, metres.
        spacing: Vector,
    },
    /// A loose block as `Grid`, each copy moved by up to `jitter` metres (default none) along each axis and, if
    /// `random_rotation` (default false), turned at random instead of by the body's orientation. `seed` (default 0)
    /// and the scene's seed choose the numbers; those of a copy depend on nothing else but its place in the block.
    Scatter {
        /// Where the first copy is, metres.
        origin: Vector,
        /// Copies along x, y and z.
        count: (u32, u32, u32),
        /// From each copy to the next, metres.
        spacing: Vector,
        /// Largest move on each axis, metres.
        #[serde(default)]
        jitter: Vector,
        /// Whether each copy is turned at random, every rotation as likely as any other.
        #[serde(default)]
        random_rotation: bool,
        /// The seed, beside that of the scene.
        #[serde(default)]
        seed: u64,
    },
}
