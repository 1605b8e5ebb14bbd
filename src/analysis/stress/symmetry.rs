//! The scene turned about the vertical axis, or in a mirror: the same run, when it is turned back.
//!
//! The first state is turned, not the text of the scene, so that everything but an orientation turned by 90 degrees, whose
//! quaternion holds a square root of one half, is the same number or its negative.

use std::sync::Arc;

use crate::analysis::stress::distance::{Apart, Frame, apart};
use crate::analysis::stress::{Attack, AttackVerdict, Finding, Target, Tell};
use crate::collision::broad_phase::FatAabb;
use crate::dynamics::joint::WORLD;
use crate::geometry::{Aabb, Hull, Mesh, Shape};
use crate::math::{Quat, Scalar, SymMat3, Vec3};
use crate::scene::Scene;
use crate::scene::decimal::{Decimal, Exact};
use crate::scene::model::{Action, Body, Input, Mass, Orientation, Place, Point, Shape as SceneShape, Vector};
use crate::session::Session;
use crate::session::record::RunPlan;
use crate::world::encode::State;
use crate::world::error::BuildError;

/// Where the scene is looked at from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symmetry {
    /// Turned by 90 degrees about the y axis.
    QuarterTurn,
    /// Turned by 180 degrees about the y axis.
    HalfTurn,
    /// Mirrored in the plane of x and y.
    Mirror,
}

/// Runs the scene turned by 90 and by 180 degrees about the vertical axis.
///
/// # Errors
/// When the scene makes no world.
pub fn turned<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let turns = [
        (Symmetry::HalfTurn, "by 180 degrees", "the run turned by 180 degrees"),
        (Symmetry::QuarterTurn, "by 90 degrees", "the run turned by 90 degrees"),
    ];
    seen::<S>(Attack::Turned, &turns, target, tell)
}

/// Runs the scene in a mirror.
///
/// # Errors
/// When the scene makes no world.
pub fn mirrored<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let mirrors = [(Symmetry::Mirror, "z mirrored", "the mirrored run")];
    seen::<S>(Attack::Mirrored, &mirrors, target, tell)
}

fn seen<S: Scalar>(
    attack: Attack,
    ways: &[(Symmetry, &str, &str)],
    target: &Target<'_>,
    tell: Tell<'_>,
) -> Result<Finding, BuildError> {
    let mut found = Finding::held(attack, S::KIND, "");
    let mut done = Vec::new();
    for (symmetry, what, run) in ways {
        let plan = match symmetry.plan(target.plan) {
            Ok(plan) => plan,
            Err(why) => return Ok(Finding::not_tried(attack, S::KIND, why)),
        };
        let first: Session<S> = target.plan.session()?;
        let mut second: Session<S> = plan.session()?;
        second.replace_state(symmetry.state(first.world().state()));
        let apart: Apart = match apart(symmetry, [first, second], target.baseline.last(), tell) {
            Ok(apart) => apart,
            Err(why) => return Ok(Finding::not_tried(attack, S::KIND, why)),
        };
        found.runs += 1;
        found.steps += apart.steps;
        done.push(format!("{what}: {}", apart.text()));
        if let (AttackVerdict::Held, Some(parted)) = (&found.verdict, apart.parted(run)) {
            found.verdict = AttackVerdict::Diverged(Box::new(parted));
        }
    }
    Ok(Finding { done: done.join("; "), ..found })
}

impl<S: Scalar> Frame<S> for Symmetry {
    fn back(&self, [x, y, z]: [f64; 3], _: u32) -> [f64; 3] {
        match self {
            Self::QuarterTurn => [-z, y, x],
            Self::HalfTurn => [-x, y, -z],
            Self::Mirror => [x, y, -z],
        }
    }

    fn is_exact(&self, first: &Session<S>, second: &Session<S>, body: usize) -> bool {
        let (a, b) = (first.world().bodies(), second.world().bodies());
        let (here, there) = (self.orientation(a.orientation[body]), b.orientation[body]);
        let negative = Quat::from_array(there.to_array().map(|number| -number));
        self.place(a.position[body]) == b.position[body]
            && self.place(a.linear_velocity[body]) == b.linear_velocity[body]
            && self.spin(a.angular_velocity[body]) == b.angular_velocity[body]
            && (here == there || here == negative)
    }

    fn is_void(&self, _: &Session<S>) -> Option<String> {
        None
    }
}

impl Symmetry {
    /// A place, or anything else with a direction.
    fn place<S: Scalar>(self, Vec3 { x, y, z }: Vec3<S>) -> Vec3<S> {
        match self {
            Self::QuarterTurn => Vec3::new(z, y, -x),
            Self::HalfTurn => Vec3::new(-x, y, -z),
            Self::Mirror => Vec3::new(x, y, -z),
        }
    }

    /// An axis of rotation with its sense, which a mirror turns round.
    fn spin<S: Scalar>(self, spin: Vec3<S>) -> Vec3<S> {
        match self {
            Self::QuarterTurn | Self::HalfTurn => self.place(spin),
            Self::Mirror => -self.place(spin),
        }
    }

    fn orientation<S: Scalar>(self, orientation: Quat<S>) -> Quat<S> {
        let Quat { w, x, y, z } = orientation;
        match self {
            Self::QuarterTurn => {
                let half = S::HALF.sqrt();
                (Quat::new(half, S::ZERO, half, S::ZERO) * orientation).normalise()
            }
            Self::HalfTurn => Quat::new(-y, z, w, -x),
            Self::Mirror => Quat::new(w, -x, -y, z),
        }
    }

    /// A first state, which has no contacts and whose joints keep no impulses.
    fn state<S: Scalar>(self, mut state: State<S>) -> State<S> {
        state.globals.gravity = self.place(state.globals.gravity).canonical();
        for body in &mut state.bodies {
            body.position = self.place(body.position).canonical();
            body.orientation = self.orientation(body.orientation).canonical();
            body.linear_velocity = self.place(body.linear_velocity).canonical();
            body.angular_velocity = self.spin(body.angular_velocity).canonical();
            if self == Self::Mirror {
                body.centre = self.place(body.centre).canonical();
                body.inertia.tensor = mirrored_tensor(body.inertia.tensor);
                body.inertia.inverse = mirrored_tensor(body.inertia.inverse);
            }
        }
        for joint in &mut state.joints {
            if self == Self::Mirror {
                joint.anchor_a = self.place(joint.anchor_a).canonical();
            }
            if self == Self::Mirror || joint.b == WORLD {
                joint.anchor_b = self.place(joint.anchor_b).canonical();
            }
        }
        for collider in &mut state.colliders {
            if self == Self::Mirror {
                collider.local.position = self.place(collider.local.position).canonical();
                collider.local.orientation = self.orientation(collider.local.orientation).canonical();
                match &mut collider.shape {
                    Shape::HalfSpace { normal } => *normal = self.place(*normal).canonical(),
                    Shape::Hull(hull) => *hull = Arc::new(Hull::new(Arc::new(hull.exact().mirrored(2)))),
                    Shape::Mesh(mesh) => *mesh = Arc::new(Mesh::new(Arc::new(mesh.exact().mirrored(2)))),
                    Shape::Sphere { .. }
                    | Shape::Cuboid { .. }
                    | Shape::Capsule { .. }
                    | Shape::Cylinder { .. }
                    | Shape::Cone { .. }
                    | Shape::Facet(_) => {}
                }
            }
            collider.fat_box = match collider.fat_box {
                FatAabb::Bounded(Aabb { min, max }) => {
                    let (a, b) = (self.place(min), self.place(max));
                    let least = Vec3::new(a.x.min(b.x), a.y.min(b.y), a.z.min(b.z));
                    let most = Vec3::new(a.x.max(b.x), a.y.max(b.y), a.z.max(b.z));
                    FatAabb::Bounded(Aabb { min: least.canonical(), max: most.canonical() })
                }
                FatAabb::HalfSpace { normal, point } => {
                    FatAabb::HalfSpace { normal: self.place(normal).canonical(), point: self.place(point).canonical() }
                }
            };
        }
        state
    }

    /// The plan with everything that comes from outside turned too.
    fn plan(self, plan: &RunPlan) -> Result<RunPlan, String> {
        let mut scene = Scene::clone(&plan.scene);
        scene.inputs = plan.scene.inputs.iter().map(|input| self.input(input)).collect::<Result<_, _>>()?;
        let extra = plan.extra_inputs.iter().map(|(input, origin)| Ok((self.input(input)?, *origin)));
        let extra_inputs = extra.collect::<Result<_, String>>()?;
        Ok(RunPlan { scene: Arc::new(scene), extra_inputs, ..plan.clone() })
    }

    fn input(self, input: &Input) -> Result<Input, String> {
        let mut turned = input.clone();
        match &mut turned.action {
            Action::Impulse { impulse: push, at, .. } | Action::Force { force: push, at, .. } => {
                *push = self.written(push)?;
                match at {
                    Some(Point::World(point)) => *point = self.written(point)?,
                    Some(Point::Local(point)) if self == Self::Mirror => *point = self.written(point)?,
                    Some(Point::Local(_)) | None => {}
                }
            }
            Action::AngularImpulse { impulse: twist, .. } | Action::Torque { torque: twist, .. } => {
                *twist = self.written_spin(twist)?;
            }
            Action::SetVelocity { linear, angular, .. } => {
                *linear = linear.as_ref().map(|vector| self.written(vector)).transpose()?;
                *angular = angular.as_ref().map(|vector| self.written_spin(vector)).transpose()?;
            }
            Action::AddVelocity { linear, angular, .. } => {
                *linear = self.written(linear)?;
                *angular = self.written_spin(angular)?;
            }
            Action::SetGravity(gravity) => *gravity = self.written(gravity)?,
            Action::Spawn(body) => self.spawned(body)?,
            Action::Remove(_) => {}
        }
        Ok(turned)
    }

    /// Turns a body that is spawned; those that stand at an angle, and in a mirror those of several parts, are left alone.
    fn spawned(self, body: &mut Body) -> Result<(), String> {
        let name = &body.name;
        if body.orientation != Orientation::default() {
            return Err(format!("\"{name}\" is spawned at an angle"));
        }
        let is_plain = body.colliders.is_empty()
            && !matches!(body.mass, Mass::Given { .. })
            && !matches!(body.shape, Some(SceneShape::HalfSpace { .. }));
        if self == Self::Mirror && !is_plain {
            return Err(format!("\"{name}\" is spawned and is not its own mirror image"));
        }
        let number = |text: &str| Decimal::new(text).map_err(|error| error.to_string());
        body.orientation = match self {
            Self::QuarterTurn => {
                let half = "0.7071067811865475";
                Orientation::Quaternion(number(half)?, number("0")?, number(half)?, number("0")?)
            }
            Self::HalfTurn => Orientation::Quaternion(number("0")?, number("0")?, number("1")?, number("0")?),
            Self::Mirror => Orientation::default(),
        };
        let (Place::Origin(place) | Place::CentreOfMass(place)) = &mut body.position;
        *place = self.written(place)?;
        body.linear_velocity = self.written(&body.linear_velocity)?;
        body.angular_velocity = self.written_spin(&body.angular_velocity)?;
        Ok(())
    }

    /// A vector of the scene, turned.
    fn written(self, Vector(x, y, z): &Vector) -> Result<Vector, String> {
        let (x, y, z) = (x.clone(), y.clone(), z.clone());
        Ok(match self {
            Self::QuarterTurn => Vector(z, y, negative(&x)?),
            Self::HalfTurn => Vector(negative(&x)?, y, negative(&z)?),
            Self::Mirror => Vector(x, y, negative(&z)?),
        })
    }

    /// An axis of rotation of the scene, turned.
    fn written_spin(self, vector: &Vector) -> Result<Vector, String> {
        let Vector(x, y, z) = self.written(vector)?;
        match self {
            Self::QuarterTurn | Self::HalfTurn => Ok(Vector(x, y, z)),
            Self::Mirror => Ok(Vector(negative(&x)?, negative(&y)?, negative(&z)?)),
        }
    }
}

fn negative(number: &Decimal) -> Result<Decimal, String> {
    let negative = Exact::ZERO.checked_sub(number.exact());
    negative.map(Exact::to_decimal).ok_or_else(|| format!("{number} needs too many digits"))
}

/// The tensor of a body seen in the mirror.
fn mirrored_tensor<S: Scalar>(tensor: SymMat3<S>) -> SymMat3<S> {
    SymMat3 { xz: (-tensor.xz).canonical(), yz: (-tensor.yz).canonical(), ..tensor }
}
