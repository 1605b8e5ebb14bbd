//! The types of a scene as it is written in RON. Data only: every number is still its decimal text.
//!
//! Units are SI: metres, kilograms, seconds, newtons; angles are named for their unit. The frame is right-handed.

use std::collections::BTreeMap;

use crate::math::ScalarKind;
use crate::scene::decimal::Decimal;
use crate::scene::time_step::TimeStep;

/// Three decimals `(x, y, z)`.
pub struct Vector(pub Decimal, pub Decimal, pub Decimal);

/// A scene file. `version`, `name` and `bodies` are required; every other key has the default named beside it.
pub struct Scene {
    /// The format version; 1.
    pub version: u32,
    /// The scene's name.
    pub name: String,
    /// The number type of the run. Default `Fixed`.
    pub scalar: ScalarKind,
    /// The length of a step in seconds, an exact fraction or decimal in a string. Default `"1/60"`.
    pub dt: TimeStep,
    /// How many steps a run takes. Default 600.
    pub steps: u32,
    /// Gravity in m/s^2. Default `(0, -9.81, 0)`.
    pub gravity: Vector,
    /// Whether gravity enters as an acceleration or as a force `m g` in the accumulators. Default `Acceleration`.
    pub gravity_mode: GravityMode,
    /// How free motion is integrated. Default `SemiImplicitEuler`.
    pub integrator: Integrator,
    /// How an angular velocity turns an orientation. Default `ExponentialMap`.
    pub rotation: RotationUpdate,
    /// Whether unequal moments of inertia make a body precess. Default `On`.
    pub gyroscopic: Switch,
    /// The form of damping. Default `Implicit`.
    pub damping: DampingForm,
    /// The constraint solver. Default `Impulse(..)` with its own defaults.
    pub solver: Solver,
    /// How overlapping boxes are found; never changes a result. Default `DynamicTree`.
    pub broad_phase: BroadPhase,
    /// Where and how fast bodies may go; beyond them the run stops with an error.
    pub bounds: Bounds,
    /// The seed of the generators. Default 0.
    pub seed: u64,
    /// Steps between two keyframes of a replay. Default 60.
    pub keyframe_every: u32,
    /// Materials by name; `"default"` may be given here, else it has the defaults of [`Material`].
    pub materials: BTreeMap<String, Material>,
    /// Shapes by name, to be used in bodies as `Named("crate")`.
    pub shapes: BTreeMap<String, Shape>,
    /// The bodies that exist at step 0.
    pub bodies: Vec<Body>,
    /// Generators, each of which writes many bodies.
    pub groups: Vec<Group>,
    /// What happens from outside, by step.
    pub inputs: Vec<Input>,
}

/// How gravity enters.
pub enum GravityMode {
    /// Added to the velocities: exact for every mass.
    Acceleration,
    /// As a force `m g` among the others.
    Force,
}

/// How free motion is integrated.
pub enum Integrator {
    /// Velocities first, then positions with the new velocities.
    SemiImplicitEuler,
}

/// How an angular velocity turns an orientation.
pub enum RotationUpdate {
    /// `q + dt/2 (0, omega) q`, normalised.
    FirstOrder,
    /// `exp(dt/2 (0, omega)) q`: exact for a constant angular velocity.
    ExponentialMap,
}

/// On or off.
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
}

/// The form of damping, with c the body's damping in 1/s (for `Power`, d the part lost per second, 0 to 1).
pub enum DampingForm {
    /// `v / (1 + c dt)`.
    Implicit,
    /// `v exp(-c dt)`.
    Exponential,
    /// `v (1 - d)^dt`.
    Power,
}

/// The constraint solver.
pub enum Solver {
    /// Sequential impulses.
    Impulse(ImpulseSolver),
}

/// Sequential impulses, set so that each method of the literature is a setting.
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
pub enum Correction {
    /// Contacts as damped springs: frequency in hertz, damping ratio, and the largest speed in m/s that pushes apart.
    Soft { hertz: Decimal, damping_ratio: Decimal, push_speed: Decimal },
    /// A part `beta` of the overlap beyond `slop` (metres) is added to the velocities per step.
    Baumgarte { beta: Decimal, slop: Decimal },
    /// A part `beta` of the overlap beyond `slop` (metres) is removed from the positions after the solve.
    Projection { beta: Decimal, slop: Decimal },
}

/// How overlapping boxes are found.
pub enum BroadPhase {
    /// A balanced tree of fat boxes.
    DynamicTree,
    /// Every pair of boxes: the oracle.
    BruteForce,
}

/// Limits of a run.
pub struct Bounds {
    /// Largest magnitude of a position component in metres. Default 1000; at most 30000.
    pub position: Decimal,
    /// Largest speed component in m/s. Default 1000; at most 30000.
    pub speed: Decimal,
    /// Largest angular speed component in rad/s. Default 1000; at most 30000.
    pub angular_speed: Decimal,
}

/// A material of a surface and what is under it.
pub struct Material {
    /// Coulomb friction coefficient; two materials combine by the geometric mean. Default 0.5.
    pub friction: Decimal,
    /// Restitution, 0 to 1; of two materials the larger counts. Default 0.
    pub restitution: Decimal,
    /// Density in kg/m^3. Default 1000.
    pub density: Decimal,
}

/// A shape in its own frame.
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
pub enum BodyKind {
    /// Moved by forces and contacts.
    Dynamic,
    /// Never moves.
    Static,
    /// Moves with its own velocity, whatever it meets.
    Kinematic,
}

/// Where a body is, and of which of its points that is said.
pub enum Place {
    /// The origin of the body's own frame, in which its colliders are placed: `Origin((0, 1, 0))`.
    Origin(Vector),
    /// The centre of mass: `CentreOfMass((0, 1, 0))`.
    CentreOfMass(Vector),
}

/// How a body is turned: body frame to world frame.
pub enum Orientation {
    /// A quaternion `(w, x, y, z)`; normalised when read.
    Quaternion(Decimal, Decimal, Decimal, Decimal),
    /// An angle in degrees about an axis.
    AxisDegrees { axis: Vector, degrees: Decimal },
    /// An angle in radians about an axis.
    AxisRadians { axis: Vector, radians: Decimal },
}

/// A body.
pub struct Body {
    /// A unique name.
    pub name: String,
    /// Default `Dynamic`.
    pub kind: BodyKind,
    /// Default `Origin((0, 0, 0))`.
    pub position: Place,
    /// Default `Quaternion(1, 0, 0, 0)`.
    pub orientation: Orientation,
    /// Velocity of the centre of mass in m/s, world frame. Default zero.
    pub linear_velocity: Vector,
    /// Angular velocity in rad/s, world frame. Default zero.
    pub angular_velocity: Vector,
    /// One shape at the body's origin, or else `colliders`.
    pub shape: Option<Shape>,
    /// The material of `shape`. Default `"default"`.
    pub material: Option<String>,
    /// Several shapes, rigidly joined.
    pub colliders: Vec<Collider>,
    /// What the body weighs. Default `FromDensity`.
    pub mass: Mass,
    /// Damping of the linear velocity; its form is the scene's `damping`. Default 0.
    pub linear_damping: Decimal,
    /// Damping of the angular velocity. Default 0.
    pub angular_damping: Decimal,
    /// Factor on gravity. Default 1.
    pub gravity_scale: Decimal,
}

/// What a body weighs.
pub enum Mass {
    /// From the materials' densities and the shapes.
    FromDensity,
    /// This mass in kg, spread as the densities say.
    Total(Decimal),
    /// Mass in kg, centre in the body's frame in metres, and the inertia tensor about the centre in the body's axes
    /// (kg m^2) as `(xx, yy, zz, xy, xz, yz)`, where an off-diagonal is minus the integral of `rho x y`.
    Given { mass: Decimal, centre: Vector, inertia: (Decimal, Decimal, Decimal, Decimal, Decimal, Decimal) },
}

/// A shape of a body.
pub struct Collider {
    /// The shape.
    pub shape: Shape,
    /// Where the shape's origin is in the body's frame. Default zero.
    pub offset: Vector,
    /// How the shape is turned in the body's frame. Default none.
    pub orientation: Orientation,
    /// The material. Default `"default"`.
    pub material: Option<String>,
}

/// A generator of bodies. Each body is a copy of `body` named `name[i]`, `name[i,j]` or `name[i,j,k]`, placed by the generator.
pub struct Group {
    /// The name before the brackets.
    pub name: String,
    /// The body that is copied; its own name and position are not given.
    pub body: GroupBody,
    /// How the copies are placed.
    pub layout: Layout,
}

/// The body of a generator: as [`Body`], without name and position.
pub struct GroupBody {/* the fields of Body but name and position, same defaults */}

/// How the copies of a generator are placed.
pub enum Layout {
    /// A block: `count` copies along x, y and z, `spacing` metres apart from centre to centre, the first at `origin`.
    Grid { origin: Vector, count: (u32, u32, u32), spacing: Vector },
    /// `count` copies one above the other, the first at `origin`, each `spacing` from the one before.
    Stack { origin: Vector, count: u32, spacing: Vector },
    /// A wall like brickwork: `rows` rows; row `j` has `base - j` copies if `taper`, else `base`, shifted by half a spacing.
    Wall { origin: Vector, base: u32, rows: u32, spacing: Vector, taper: bool },
    /// A square pyramid: layer `k` has `(base - k)^2` copies.
    Pyramid { origin: Vector, base: u32, spacing: Vector },
    /// A loose block as `Grid`, each copy moved by up to `jitter` metres on each axis and turned at random.
    Scatter { origin: Vector, count: (u32, u32, u32), spacing: Vector, jitter: Vector, random_rotation: bool, seed: u64 },
}

/// Something from outside.
pub struct Input {
    /// The step whose state it shapes first, from 1.
    pub step: u32,
    /// The last step in which it acts. Default `step`.
    pub through: Option<u32>,
    /// What it does.
    pub action: Action,
}

/// What an input does. Vectors are in the world frame.
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
    /// Adds to velocities in m/s and rad/s.
    AddVelocity { body: String, linear: Vector, angular: Vector },
    /// Sets gravity in m/s^2.
    SetGravity(Vector),
    /// A new body.
    Spawn(Box<Body>),
    /// A body leaves.
    Remove(String),
}

/// A point on or off a body.
pub enum Point {
    /// In the world, in metres.
    World(Vector),
    /// In the body's own frame, from its origin, in metres.
    Local(Vector),
}
