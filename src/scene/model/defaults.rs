//! What a key of a scene has when it is not written.

use std::collections::BTreeMap;

use crate::math::ScalarKind;
use crate::scene::decimal::{Decimal, Exact};
use crate::scene::density::Density;
use crate::scene::model::{
    Body, BodyKind, Bounds, BroadPhase, Clamping, CombineRule, Correction, DampingForm, Filter, FrictionRows,
    GravityMode, GroupBody, ImpulseSolver, Integrator, Mass, Material, NarrowPhase, NormalRows, Orientation, Place,
    RotationUpdate, Scene, Solver, Switch, Vector,
};
use crate::scene::time_step::TimeStep;

/// The format version this program reads and writes.
pub const SCENE_VERSION: u32 = 1;
/// The name of the material of surfaces that name none.
pub const DEFAULT_MATERIAL: &str = "default";

fn decimal(coefficient: i128, scale: u32) -> Decimal {
    Exact::new(coefficient, scale).to_decimal()
}

/// Zero.
#[must_use]
pub fn zero() -> Decimal {
    Decimal::default()
}

/// One.
#[must_use]
pub fn one() -> Decimal {
    decimal(1, 0)
}

/// The number type of a run: fixed point.
#[must_use]
pub fn scalar() -> ScalarKind {
    ScalarKind::Fixed
}

/// The length of a step: a sixtieth of a second.
#[must_use]
pub fn dt() -> TimeStep {
    TimeStep::SIXTIETH
}

/// The steps of a run: 600, ten seconds at the default step.
#[must_use]
pub fn steps() -> u32 {
    600
}

/// Gravity in m/s^2: `(0, -9.81, 0)`.
#[must_use]
pub fn gravity() -> Vector {
    Vector(zero(), decimal(-981, 2), zero())
}

/// Steps between two keyframes: 60.
#[must_use]
pub fn keyframe_every() -> u32 {
    60
}

/// How near `Nearest` looks: 1 m.
#[must_use]
pub fn query_reach() -> Decimal {
    one()
}

/// For how many seconds `Meet` looks ahead: 1.
#[must_use]
pub fn query_seconds() -> Decimal {
    one()
}

/// Damping ratio of the contact springs of `Soft`: 10.
#[must_use]
pub fn damping_ratio() -> Decimal {
    decimal(10, 0)
}

/// Largest speed in m/s at which `Soft` pushes apart: 3.
#[must_use]
pub fn push_speed() -> Decimal {
    decimal(3, 0)
}

/// The part of an overlap that a correction removes: 0.2.
#[must_use]
pub fn beta() -> Decimal {
    decimal(2, 1)
}

/// The overlap in metres that a correction leaves: 0.005.
#[must_use]
pub fn slop() -> Decimal {
    decimal(5, 3)
}

impl Default for Vector {
    fn default() -> Self {
        Self(zero(), zero(), zero())
    }
}

impl Default for Place {
    fn default() -> Self {
        Self::Origin(Vector::default())
    }
}

impl Default for Orientation {
    fn default() -> Self {
        Self::Quaternion(one(), zero(), zero(), zero())
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::Impulse(ImpulseSolver::default())
    }
}

impl Default for ImpulseSolver {
    fn default() -> Self {
        Self {
            substeps: None,
            iterations: 1,
            relax_iterations: 1,
            relax_limit: 8,
            warm_starting: true,
            clamping: Clamping::default(),
            normals: NormalRows::default(),
            friction: FrictionRows::default(),
            correction: Correction::default(),
            restitution_threshold: one(),
            speculative_distance: decimal(2, 2),
        }
    }
}

impl Default for Correction {
    fn default() -> Self {
        Self::Soft { hertz: None, damping_ratio: damping_ratio(), push_speed: push_speed() }
    }
}

impl Default for Bounds {
    fn default() -> Self {
        let thousand = decimal(1000, 0);
        Self { position: thousand.clone(), speed: thousand.clone(), angular_speed: thousand }
    }
}

impl Default for Material {
    fn default() -> Self {
        Self {
            friction: decimal(5, 1),
            restitution: zero(),
            rolling_friction: zero(),
            spinning_friction: zero(),
            friction_combine: CombineRule::GeometricMean,
            restitution_combine: CombineRule::Average,
            density: Density::Number(decimal(1000, 0)),
        }
    }
}

impl Scene {
    /// A scene of this name without bodies, every other key at its default.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            version: SCENE_VERSION,
            name: name.to_owned(),
            scalar: scalar(),
            dt: dt(),
            steps: steps(),
            gravity: gravity(),
            gravity_mode: GravityMode::default(),
            integrator: Integrator::default(),
            rotation: RotationUpdate::default(),
            gyroscopic: Switch::default(),
            damping: DampingForm::default(),
            solver: Solver::default(),
            continuous: Switch::default(),
            broad_phase: BroadPhase::default(),
            narrow_phase: NarrowPhase::default(),
            bounds: Bounds::default(),
            seed: 0,
            keyframe_every: keyframe_every(),
            materials: BTreeMap::new(),
            shapes: BTreeMap::new(),
            categories: Vec::new(),
            excluded_pairs: Vec::new(),
            bodies: Vec::new(),
            groups: Vec::new(),
            joints: Vec::new(),
            inputs: Vec::new(),
            queries: BTreeMap::new(),
        }
    }
}

impl Default for GroupBody {
    fn default() -> Self {
        Self {
            kind: BodyKind::default(),
            orientation: Orientation::default(),
            linear_velocity: Vector::default(),
            angular_velocity: Vector::default(),
            shape: None,
            material: None,
            sensor: false,
            colliders: Vec::new(),
            filter: Filter::default(),
            mass: Mass::default(),
            linear_damping: zero(),
            angular_damping: zero(),
            gravity_scale: one(),
        }
    }
}

impl GroupBody {
    /// What a body says beside its name and position.
    #[must_use]
    pub fn of(body: &Body) -> Self {
        Self {
            kind: body.kind,
            orientation: body.orientation.clone(),
            linear_velocity: body.linear_velocity.clone(),
            angular_velocity: body.angular_velocity.clone(),
            shape: body.shape.clone(),
            material: body.material.clone(),
            sensor: body.sensor,
            colliders: body.colliders.clone(),
            filter: body.filter.clone(),
            mass: body.mass.clone(),
            linear_damping: body.linear_damping.clone(),
            angular_damping: body.angular_damping.clone(),
            gravity_scale: body.gravity_scale.clone(),
        }
    }

    /// The body of this name and place.
    #[must_use]
    pub fn named(self, name: String, position: Place) -> Body {
        Body {
            name,
            kind: self.kind,
            position,
            orientation: self.orientation,
            linear_velocity: self.linear_velocity,
            angular_velocity: self.angular_velocity,
            shape: self.shape,
            material: self.material,
            sensor: self.sensor,
            colliders: self.colliders,
            filter: self.filter,
            mass: self.mass,
            linear_damping: self.linear_damping,
            angular_damping: self.angular_damping,
            gravity_scale: self.gravity_scale,
        }
    }
}

impl Body {
    /// A body of this name at the origin, every other key at its default. It still needs a shape or a mass.
    #[must_use]
    pub fn new(name: &str) -> Self {
        GroupBody::default().named(name.to_owned(), Place::default())
    }
}
