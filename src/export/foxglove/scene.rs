//! Bodies as entities of a scene: each moves with the frame of its name.

use foxglove::messages::{
    Color, CubePrimitive, CylinderPrimitive, KeyValuePair, Point3, SceneEntity, SceneEntityDeletion, SpherePrimitive,
    Timestamp, TriangleListPrimitive, Vector3, scene_entity_deletion,
};

use crate::export::appearance::{Appearance, Colour, Part, turn};
use crate::export::foxglove::{pose, vector};
use crate::geometry::Shape;
use crate::geometry::shape::cone_ends;
use crate::math::{Pose, Vec3};
use crate::scene::printable::in_xml;

/// How thick the slab is that stands for a half-space, over half its side.
pub(super) const SLAB_THICKNESS: f64 = 0.002;

/// A shape of which Foxglove has a primitive; sizes from side to side.
#[derive(Clone, Debug)]
pub(super) enum Primitive {
    /// A ball of this diameter.
    Ball(f64),
    /// A box of these sizes.
    Box(Vec3<f64>),
    /// A cylinder along z of this diameter and length.
    Cylinder(f64, f64),
    /// A cone along z of this diameter and length, its top upwards, about half its length.
    Cone(f64, f64),
    /// A polyhedron, or a surface: the corners of its triangles, three by three, counter-clockwise as seen from outside.
    Polyhedron(Vec<Vec3<f64>>),
}

/// What a part is drawn as: its primitives, each with its pose in the frame of the body.
pub(super) fn primitives(part: &Part, ground_half_side: f64) -> Vec<(Primitive, Pose<f64>)> {
    let Part { shape, pose } = part;
    let at = |offset: Vec3<f64>| Pose::new(pose.transform_point(offset), pose.orientation);
    match *shape {
        Shape::Sphere { radius } => vec![(Primitive::Ball(2.0 * radius), *pose)],
        Shape::Cuboid { half_extents } => vec![(Primitive::Box(half_extents + half_extents), *pose)],
        Shape::Capsule { half_height, radius } => {
            let along_y = Pose::new(pose.position, pose.orientation * turn(Vec3::Z, Vec3::Y));
            let end = Vec3::new(0.0, half_height, 0.0);
            vec![
                (Primitive::Cylinder(2.0 * radius, 2.0 * half_height), along_y),
                (Primitive::Ball(2.0 * radius), at(end)),
                (Primitive::Ball(2.0 * radius), at(-end)),
            ]
        }
        Shape::Cylinder { half_height, radius } => {
            let along_y = Pose::new(pose.position, pose.orientation * turn(Vec3::Z, Vec3::Y));
            vec![(Primitive::Cylinder(2.0 * radius, 2.0 * half_height), along_y)]
        }
        Shape::Cone { half_height, radius } => {
            let (base, top) = cone_ends(half_height);
            let middle = at(Vec3::Y * ((base + top) / 2.0));
            let along_y = Pose::new(middle.position, pose.orientation * turn(Vec3::Z, Vec3::Y));
            vec![(Primitive::Cone(2.0 * radius, 2.0 * half_height), along_y)]
        }
        Shape::Hull(ref hull) => vec![(Primitive::Polyhedron(hull.triangles()), *pose)],
        Shape::Mesh(ref mesh) => vec![(Primitive::Polyhedron(mesh.triangles()), *pose)],
        Shape::Facet(_) => Vec::new(), // no part is one
        Shape::HalfSpace { normal } => {
            let (side, thickness) = (2.0 * ground_half_side, SLAB_THICKNESS * ground_half_side);
            let below = at(normal * (-0.5 * thickness));
            let slab = Pose::new(below.position, pose.orientation * turn(Vec3::Z, normal));
            vec![(Primitive::Box(Vec3::new(side, side, thickness)), slab)]
        }
    }
}

/// A body as it is drawn.
pub(super) fn entity(appearance: &Appearance, ground_half_side: f64, time: Timestamp) -> SceneEntity {
    let name = appearance.name.to_string();
    let mut entity = SceneEntity {
        timestamp: Some(time),
        frame_id: in_xml(&name).into_owned(),
        id: name,
        frame_locked: true,
        metadata: vec![KeyValuePair { key: "kind".to_owned(), value: appearance.kind_name().to_owned() }],
        ..SceneEntity::default()
    };
    let color = Some(color(appearance.colour));
    for (primitive, place) in appearance.parts.iter().flat_map(|part| primitives(part, ground_half_side)) {
        let pose = Some(pose(place));
        match primitive {
            Primitive::Ball(size) => {
                let size = Some(Vector3 { x: size, y: size, z: size });
                entity.spheres.push(SpherePrimitive { pose, size, color });
            }
            Primitive::Box(size) => entity.cubes.push(CubePrimitive { pose, size: Some(vector(size)), color }),
            Primitive::Polyhedron(triangles) => {
                let points = triangles.iter().map(|&Vec3 { x, y, z }| Point3 { x, y, z }).collect();
                entity.triangles.push(TriangleListPrimitive {
                    pose,
                    points,
                    color,
                    ..TriangleListPrimitive::default()
                });
            }
            Primitive::Cylinder(diameter, length) => {
                entity.cylinders.push(upright(pose, [diameter, length], 1.0, color));
            }
            Primitive::Cone(diameter, length) => entity.cylinders.push(upright(pose, [diameter, length], 0.0, color)),
        }
    }
    entity
}

/// Something round about z: its top is so much of its base.
fn upright(
    pose: Option<foxglove::messages::Pose>,
    [diameter, length]: [f64; 2],
    top_scale: f64,
    color: Option<Color>,
) -> CylinderPrimitive {
    let size = Some(Vector3 { x: diameter, y: diameter, z: length });
    CylinderPrimitive { pose, size, bottom_scale: 1.0, top_scale, color }
}

/// That a body is there no more.
pub(super) fn deletion(name: &str, time: Timestamp) -> SceneEntityDeletion {
    let kind = scene_entity_deletion::Type::MatchingId as i32;
    SceneEntityDeletion { timestamp: Some(time), r#type: kind, id: name.to_owned() }
}

fn color(colour: Colour) -> Color {
    let [r, g, b] = colour.srgb();
    Color { r, g, b, a: 1.0 }
}
