//! The types of a scene as it is written in RON. Data only: every number is still its decimal text.
//!
//! Units are SI: metres, kilograms, seconds, newtons; angles are named for their unit. The frame is right-handed.
//! What a key has when it is not written stands in [`defaults`]; what values are allowed stands
//! in [`validate`](crate::scene::validate). A variant's content stands directly in its parentheses:
//! `Origin(0, 1, 0)`, `Impulse(substeps: 4)`, `Named("crate")`; an optional key is written without `Some`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::math::ScalarKind;
use crate::scene::decimal::Decimal;
use crate::scene::defaults;
use crate::scene::time_step::TimeStep;

/// Three decimals `(x, y, z)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vector(pub Decimal, pub Decimal, pub Decimal);

/// A scene file. `version`, `name` and `bodies` are required; every other key has the default named beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The format version; 1.
    pub version: u32,
    /// The scene's name.
    pub name: String,
    /// The number type of the run. Default `Fixed`.
    #[serde(default = "defaults::scalar")]
    pub scalar: ScalarKind,
    /// The length of a step in seconds, an exact fraction or decimal in a string. Default `"1/60"`.
    #[serde(default = "defaults::dt")]
    pub dt: TimeStep,
    /// How many steps a run takes. Default 600.
    #[serde(default = "defaults::steps")]
    pub steps: u32,
    /// Gravity in m/s^2. Default `(0, -9.81, 0)`.
    #[serde(default = "defaults::gravity")]
    pub gravity: Vector,
    /// Whether gravity enters as an acceleration or as a force `m g` in the accumulators. Default `Acceleration`.
    #[serde(default)]
    pub gravity_mode: GravityMode,
    /// How free motion is integrated. Default `SemiImplicitEuler`.
    #[serde(default)]
    pub integrator: Integrator,
    /// How an angular velocity turns an orientation. Default `ExponentialMap`.
    #[serde(default)]
    pub rotation: RotationUpdate,
    /// Whether unequal moments of inertia make a body precess. Default `On`.
    #[serde(default)]
    pub gyroscopic: Switch,
    /// The form of damping. Default `Implicit`.
    #[serde(default)]
    pub damping: DampingForm,
    /// The constraint solver. Default `Impulse(..)` with its own defaults.
    #[serde(default)]
    pub solver: Solver,
    /// How overlapping boxes are found; never changes a result. Default `DynamicTree`.
    #[serde(default)]
    pub broad_phase: BroadPhase,
    /// Where and how fast bodies may go; beyond them the run stops with an error.
    #[serde(default)]
    pub bounds: Bounds,
    /// The seed of the generators. Default 0.
    #[serde(default)]
    pub seed: u64,
    /// Steps between two keyframes of a replay. Default 60.
    #[serde(default = "defaults::keyframe_every")]
    pub keyframe_every: u32,
    /// Materials by name; `"default"` may be given here, else it has the defaults of [`Material`].
    #[serde(default)]
    pub materials: BTreeMap<String, Material>,
    /// Shapes by name, to be used in bodies as `Named("crate")`.
    #[serde(default)]
    pub shapes: BTreeMap<String, Shape>,
    /// The bodies that exist at step 0.
    pub bodies: Vec<Body>,
    /// Generators, each of which writes many bodies.
    #[serde(default)]
    pub groups: Vec<Group>,
    /// What happens from outside, by step.
    #[serde(default)]
    pub inputs: Vec<Input>,
}

/// How gravity enters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GravityMode {
    /// Added to the velocities: exact for every mass.
    #[default]
    Acceleration,
    /// As a force `m g` among the others.
    Force,
}

/// How free motion is integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Integrator {
    /// Velocities first, then positions with the new velocities.
    #[default]
    SemiImplicitEuler,
}

/// How an angular velocity turns an orientation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RotationUpdate {
    /// `q + dt/2 (0, omega) q`, normalised.
    FirstOrder,
    /// `exp(dt/2 (0, omega)) q`: exact for a constant angular velocity.
    #[default]
    ExponentialMap,
}

/// On or off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Switch {
    /// On.
    #[default]
    On,
    /// Off.
    Off,
}

/// The form of damping, with c the body's damping in 1/s (for `Power`, d the part lost per second, 0 to 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DampingForm {
    /// `v / (1 + c dt)`.
    #[default]
    Implicit,
    /// `v exp(-c dt)`.
    Exponential,
    /// `v (1 - d)^dt`.
    Power,
}

/// The constraint solver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Solver {
    /// Sequential impulses.
    Impulse(ImpulseSolver),
}

/// Sequential impulses, set so that each method of the literature is a setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ImpulseSolver {
    /// Parts into which the solver cuts a step. Default 4.
    pub substeps: u32,
    /// Velocity iterations in each substep. Default 1.
    pub iterations: u32,
    /// Iterations without position correction after the positions have moved; used with `Soft`. Default 1.
    pub relax_iterations: u32,
    /// Whether a step starts from the impulses of the step before. Default true.
    pub warm_starting: bool,
    /// How overlap is removed. Default `Soft(hertz: 30, damping_ratio: 10, push_speed: 3)`.
    pub correction: Correction,
    /// Approach speed in m/s below which nothing bounces. Default 1.
    pub restitution_threshold: Decimal,
    /// Gap in metres up to which a contact point is made before the shapes touch. Default 0.02.
    pub speculative_distance: Decimal,
}

/// How overlap is removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Correction {
    /// Contacts as damped springs: frequency in hertz, damping ratio, and the largest speed in m/s that pushes apart.
    /// Defaults 30, 10, 3.
    Soft {
        #[serde(default = "defaults::hertz")]
        hertz: Decimal,
        #[serde(default = "defaults::damping_ratio")]
        damping_ratio: Decimal,
        #[serde(default = "defaults::push_speed")]
        push_speed: Decimal,
    },
    /// A part `beta` of the overlap beyond `slop` (metres) is added to the velocities per step.
    /// Defaults 0.2, 0.005.
    Baumgarte {
        #[serde(default = "defaults::beta")]
        beta: Decimal,
        #[serde(default = "defaults::slop")]
        slop: Decimal,
    },
    /// A part `beta` of the overlap beyond `slop` (metres) is removed from the positions after the solve.
    /// Defaults 0.2, 0.005.
    Projection {
        #[serde(default = "defaults::beta")]
        beta: Decimal,
        #[serde(default = "defaults::slop")]
        slop: Decimal,
    },
}

/// How overlapping boxes are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BroadPhase {
    /// A balanced tree of fat boxes.
    #[default]
    DynamicTree,
    /// Every pair of boxes: the oracle.
    BruteForce,
}

/// Limits of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Bounds {
    /// Largest magnitude of a position component in metres. Default 1000; at most 30000.
    pub position: Decimal,
    /// Largest speed component in m/s. Default 1000; at most 30000.
    pub speed: Decimal,
    /// Largest angular speed component in rad/s. Default 1000; at most 30000.
    pub angular_speed: Decimal,
}

/// A material of a surface and what is under it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Material {
    /// Coulomb friction coefficient; two materials combine by the geometric mean. Default 0.5.
    pub friction: Decimal,
    /// Restitution, 0 to 1; of two materials the larger counts. Default 0.
    pub restitution: Decimal,
    /// Density in kg/m^3. Default 1000.
    pub density: Decimal,
}

/// A shape in its own frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Shape {
    /// A ball about the origin.
    Sphere { radius: Decimal },
    /// A box about the origin with its edges along the axes.
    Cuboid { half_extents: Vector },
    /// All points within `radius` of the segment from `-half_height` to `half_height` on the y axis.
    Capsule { half_height: Decimal, radius: Decimal },
    /// All points below a plane through the origin with this normal; only on static bodies.
    HalfSpace { normal: Vector },
    /// A shape of the scene's `shapes`.
    Named(String),
}

/// How a body takes part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BodyKind {
    /// Moved by forces and contacts.
    #[default]
    Dynamic,
    /// Never moves.
    Static,
    /// Moves with its own velocity, whatever it meets.
    Kinematic,
}

/// Where a body is, and of which of its points that is said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// The origin of the body's own frame, in which its colliders are placed: `Origin(0, 1, 0)`.
    Origin(Vector),
    /// The centre of mass: `CentreOfMass(0, 1, 0)`.
    CentreOfMass(Vector),
}

/// How a body is turned: body frame to world frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Orientation {
    /// A quaternion `(w, x, y, z)`; normalised when read.
    Quaternion(Decimal, Decimal, Decimal, Decimal),
    /// An angle in degrees about an axis.
    AxisDegrees { axis: Vector, degrees: Decimal },
    /// An angle in radians about an axis.
    AxisRadians { axis: Vector, radians: Decimal },
}

/// A body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// A unique name.
    pub name: String,
    /// Default `Dynamic`.
    #[serde(default)]
    pub kind: BodyKind,
    /// Default `Origin(0, 0, 0)`.
    #[serde(default)]
    pub position: Place,
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
    /// Several shapes, rigidly joined.
    #[serde(default)]
    pub colliders: Vec<Collider>,
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

/// What a body weighs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Mass {
    /// From the materials' densities and the shapes.
    #[default]
    FromDensity,
    /// This mass in kg, spread as the densities say.
    Total(Decimal),
    /// Mass in kg, centre in the body's frame in metres, and the inertia tensor about the centre in the body's axes
    /// (kg m^2) as `(xx, yy, zz, xy, xz, yz)`, where an off-diagonal is minus the integral of `rho x y`.
    Given { mass: Decimal, centre: Vector, inertia: (Decimal, Decimal, Decimal, Decimal, Decimal, Decimal) },
}

/// A shape of a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collider {
    /// The shape.
    pub shape: Shape,
    /// Where the shape's origin is in the body's frame. Default zero.
    #[serde(default)]
    pub offset: Vector,
    /// How the shape is turned in the body's frame. Default none.
    #[serde(default)]
    pub orientation: Orientation,
    /// The material. Default `"default"`.
    #[serde(default)]
    pub material: Option<String>,
}

/// A generator of bodies. Each body is a copy of `body` named `name[i]`, `name[i,j]` or `name[i,j,k]`, placed by the generator.
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

/// The body of a generator: as [`Body`], without name and position.
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
    /// Several shapes, rigidly joined.
    #[serde(default)]
    pub colliders: Vec<Collider>,
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
    Grid { origin: Vector, count: (u32, u32, u32), spacing: Vector },
    /// `count` copies in a row, the first at `origin`, each `spacing` from the one before. Names are `name[i]`.
    Stack { origin: Vector, count: u32, spacing: Vector },
    /// A wall like brickwork: `rows` rows, `spacing.1` above each other; in a row the copies are
    /// `(spacing.0, 0, spacing.2)` apart, so a wall may run in any horizontal direction. Row `j` has `base - j` copies
    /// if `taper` (default false), each row half a copy further on; else every row has `base` and every second row is
    /// half a copy further on. Names are `name[j,i]`: row, then place in the row.
    Wall {
        origin: Vector,
        base: u32,
        rows: u32,
        spacing: Vector,
        #[serde(default)]
        taper: bool,
    },
    /// A square pyramid: layer `k`, from 0 to `base - 1` and `spacing.1` above each other, has `(base - k)^2` copies.
    /// Names are `name[k,i,j]`: layer, then places along x and z.
    Pyramid { origin: Vector, base: u32, spacing: Vector },
    /// A loose block as `Grid`, each copy moved by up to `jitter` metres (default none) along each axis and, if
    /// `random_rotation` (default false), turned at random instead of by the body's orientation. `seed` (default 0)
    /// and the scene's seed choose the numbers; those of a copy depend on nothing else but its place in the block.
    Scatter {
        origin: Vector,
        count: (u32, u32, u32),
        spacing: Vector,
        #[serde(default)]
        jitter: Vector,
        #[serde(default)]
        random_rotation: bool,
        #[serde(default)]
        seed: u64,
    },
}

/// Something from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The step whose state it shapes first, from 1.
    pub step: u32,
    /// The last step in which it acts. Default `step`.
    #[serde(default)]
    pub through: Option<u32>,
    /// What it does.
    pub action: Action,
}

/// What an input does. Vectors are in the world frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Action {
    /// An impulse in N s, at a point or at the centre of mass.
    Impulse { body: String, impulse: Vector, at: Option<Point> },
    /// An angular impulse in N m s.
    AngularImpulse { body: String, impulse: Vector },
    /// A force in N during the step, at a point or at the centre of mass.
    Force { body: String, force: Vector, at: Option<Point> },
    /// A torque in N m during the step.
    Torque { body: String, torque: Vector },
    /// Sets velocities in m/s and rad/s; a part that is not given stays.
    SetVelocity { body: String, linear: Option<Vector>, angular: Option<Vector> },
    /// Adds to velocities in m/s and rad/s; a part that is not given is zero.
    AddVelocity {
        body: String,
        #[serde(default)]
        linear: Vector,
        #[serde(default)]
        angular: Vector,
    },
    /// Sets gravity in m/s^2.
    SetGravity(Vector),
    /// A new body.
    Spawn(Box<Body>),
    /// A body leaves.
    Remove(String),
}

/// A point on or off a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Point {
    /// In the world, in metres.
    World(Vector),
    /// In the body's own frame, from its origin, in metres.
    Local(Vector),
}
