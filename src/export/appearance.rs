//! What bodies look like in viewers: their shapes as `f64`, a colour by kind, and how much of a half-space is shown.

use std::sync::Arc;

use crate::dynamics::body::BodyKind;
use crate::geometry::{Hull, Mesh, Shape};
use crate::math::{Pose, Quat, Scalar, Vec3};
use crate::world::World;

/// One shape of a body.
#[derive(Clone, Debug)]
pub struct Part {
    /// The shape in its own frame.
    pub shape: Shape<f64>,
    /// The shape's frame relative to the body's centre of mass, in the body's axes.
    pub pose: Pose<f64>,
}

/// A body as a viewer draws it.
#[derive(Clone, Debug)]
pub struct Appearance {
    /// Its name.
    pub name: Arc<str>,
    /// How it takes part.
    pub kind: BodyKind,
    /// Its colour.
    pub colour: Colour,
    /// Its shapes.
    pub parts: Vec<Part>,
}

/// The colours of bodies, from the palette of Okabe and Ito, which colour-blind people can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Colour {
    /// Static bodies.
    Grey,
    /// Kinematic bodies.
    Orange,
    /// Dynamic bodies of even ids.
    Blue,
    /// Dynamic bodies of odd ids, so that neighbours in a pile differ.
    SkyBlue,
}

impl Colour {
    /// Every colour.
    pub const ALL: [Self; 4] = [Self::Grey, Self::Orange, Self::Blue, Self::SkyBlue];

    /// The colour of a body.
    #[must_use]
    pub const fn of(kind: BodyKind, id: u32) -> Self {
        match kind {
            BodyKind::Static => Self::Grey,
            BodyKind::Kinematic => Self::Orange,
            BodyKind::Dynamic if id.is_multiple_of(2) => Self::Blue,
            BodyKind::Dynamic => Self::SkyBlue,
        }
    }

    /// Whose colour it is.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grey => "static",
            Self::Orange => "kinematic",
            Self::Blue => "dynamic",
            Self::SkyBlue => "dynamic (odd id)",
        }
    }

    /// Red, green and blue as screens take them (sRGB), 0 to 1.
    #[must_use]
    pub const fn srgb(self) -> [f64; 3] {
        match self {
            Self::Grey => [0.6, 0.6, 0.6],
            Self::Orange => [0.901_961, 0.623_529, 0.0],
            Self::Blue => [0.0, 0.447_059, 0.698_039],
            Self::SkyBlue => [0.337_255, 0.705_882, 0.913_725],
        }
    }

    /// The same colour in linear light, as renderers compute with it.
    #[must_use]
    pub const fn linear(self) -> [f64; 3] {
        match self {
            Self::Grey => [0.318_547, 0.318_547, 0.318_547],
            Self::Orange => [0.791_298, 0.346_704, 0.0],
            Self::Blue => [0.0, 0.168_269, 0.445_201],
            Self::SkyBlue => [0.093_059, 0.456_411, 0.814_847],
        }
    }
}

impl Appearance {
    /// How it takes part, as scenes write it.
    #[must_use]
    pub const fn kind_name(&self) -> &'static str {
        self.kind.name()
    }

    /// The body of this index; its sensors are not seen.
    #[must_use]
    pub fn of<S: Scalar>(world: &World<S>, index: usize) -> Self {
        let (bodies, colliders) = (world.bodies(), world.colliders());
        let (id, kind) = (bodies.id[index], bodies.kind[index]);
        let parts = colliders
            .of_body(id)
            .filter(|&part| !colliders.is_sensor[part])
            .map(|part| Part { shape: shape_f64(&colliders.shape[part]), pose: pose_f64(colliders.local[part]) });
        Self { name: Arc::clone(&bodies.name[index]), kind, colour: Colour::of(kind, id), parts: parts.collect() }
    }
}

/// Where the centre of mass of a body is and how the body is turned.
#[must_use]
pub fn body_pose<S: Scalar>(world: &World<S>, index: usize) -> Pose<f64> {
    let bodies = world.bodies();
    pose_f64(Pose::new(bodies.position[index], bodies.orientation[index]))
}

/// Half the side of the square that stands for a half-space: it reaches beyond every body there is now, in metres.
#[must_use]
pub fn ground_half_side<S: Scalar>(world: &World<S>) -> f64 {
    let (bodies, colliders) = (world.bodies(), world.colliders());
    let reach = colliders.key.iter().zip(&colliders.shape).filter_map(|(key, shape)| {
        let size = shape.largest_half_extent()?.to_f64();
        let [x, y, z] = bodies.position[bodies.index_of(key.body)?].abs().to_f64();
        Some(Scalar::max(Scalar::max(x, y), z) + 2.0 * size)
    });
    Scalar::clamp(1.5 * reach.fold(0.0, Scalar::max), 5.0, 10_000.0)
}

/// The shortest turn from one unit vector to another.
#[must_use]
pub fn turn(from: Vec3<f64>, to: Vec3<f64>) -> Quat<f64> {
    let cosine = from.dot(to);
    if cosine < -1.0 + 1e-12 {
        let (axis, _) = from.tangents();
        return Quat::new(0.0, axis.x, axis.y, axis.z);
    }
    let axis = from.cross(to);
    Quat::new(1.0 + cosine, axis.x, axis.y, axis.z).normalise()
}

fn shape_f64<S: Scalar>(shape: &Shape<S>) -> Shape<f64> {
    match *shape {
        Shape::Sphere { radius } => Shape::Sphere { radius: radius.to_f64() },
        Shape::Cuboid { half_extents } => Shape::Cuboid { half_extents: vector_f64(half_extents) },
        Shape::Capsule { half_height, radius } => {
            Shape::Capsule { half_height: half_height.to_f64(), radius: radius.to_f64() }
        }
        Shape::Cylinder { half_height, radius } => {
            Shape::Cylinder { half_height: half_height.to_f64(), radius: radius.to_f64() }
        }
        Shape::Cone { half_height, radius } => {
            Shape::Cone { half_height: half_height.to_f64(), radius: radius.to_f64() }
        }
        Shape::Hull(ref hull) => Shape::Hull(Arc::new(Hull::new(Arc::clone(hull.exact())))),
        Shape::HalfSpace { normal } => Shape::HalfSpace { normal: vector_f64(normal) },
        Shape::Mesh(ref mesh) => Shape::Mesh(Arc::new(Mesh::new(Arc::clone(mesh.exact())))),
        Shape::Facet(_) => Shape::Mesh(Arc::new(Mesh::blank())), // no collider has it
    }
}

fn pose_f64<S: Scalar>(pose: Pose<S>) -> Pose<f64> {
    Pose::new(vector_f64(pose.position), Quat::from_array(pose.orientation.to_array().map(S::to_f64)))
}

/// A vector as `f64`.
#[must_use]
pub fn vector_f64<S: Scalar>(vector: Vec3<S>) -> Vec3<f64> {
    Vec3::from_array(vector.to_f64())
}

#[cfg(test)]
mod tests {
    use super::turn;
    use crate::math::Vec3;

    #[test]
    fn a_turn_leads_from_one_direction_to_the_other() {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z, Vec3::new(0.6, 0.0, -0.8)];
        for from in axes {
            for to in axes {
                let reached = turn(from, to).rotate(from);
                assert!((reached - to).length() < 1e-12, "{from:?} to {to:?} came to {reached:?}");
            }
        }
    }
}
