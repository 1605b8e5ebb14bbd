//! The shapes of a body as a page draws them.

use serde::Serialize;

use crate::dynamics::collider::Colliders;
use crate::geometry::Shape;
use crate::geometry::hull::on_grid;
use crate::math::Scalar;

/// A shape with its pose in the frame of the body's centre of mass; lengths in metres.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlacedShape {
    #[serde(flatten)]
    sizes: Sizes,
    position: [f64; 3],
    orientation: [f64; 4],
    /// Whether it only notices what overlaps it; not told where it does not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    sensor: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "shape", rename_all = "kebab-case")]
enum Sizes {
    Sphere { radius: f64 },
    Cuboid { half_extents: [f64; 3] },
    Capsule { half_height: f64, radius: f64 },
    Cylinder { half_height: f64, radius: f64 },
    Cone { half_height: f64, radius: f64, inner_radius: f64 },
    Hull { corners: Vec<[f64; 3]>, faces: Vec<Vec<u16>>, inner_radius: f64 },
    HalfSpace { normal: [f64; 3] },
    Mesh { corners: Vec<[f64; 3]>, faces: Vec<[u32; 3]> },
}

impl PlacedShape {
    /// The smallest distance from the middle of the shape to its surface, in metres; `None` for a half-space and a mesh.
    #[must_use]
    pub fn smallest_half_extent(&self) -> Option<f64> {
        match self.sizes {
            Sizes::Sphere { radius } | Sizes::Capsule { radius, .. } => Some(radius),
            Sizes::Cuboid { half_extents } => half_extents.into_iter().reduce(|a, b| if b < a { b } else { a }),
            Sizes::Cylinder { half_height, radius } => Some(if half_height < radius { half_height } else { radius }),
            Sizes::Hull { inner_radius, .. } | Sizes::Cone { inner_radius, .. } => Some(inner_radius),
            Sizes::HalfSpace { .. } | Sizes::Mesh { .. } => None,
        }
    }
}

/// The shapes of the body of this id.
#[must_use]
pub fn shapes_of<S: Scalar>(colliders: &Colliders<S>, body: u32) -> Vec<PlacedShape> {
    let own = colliders.of_body(body);
    own.map(|index| {
        let pose = &colliders.local[index];
        PlacedShape {
            sizes: sizes(&colliders.shape[index]),
            position: pose.position.to_f64(),
            orientation: pose.orientation.to_array().map(S::to_f64),
            sensor: colliders.is_sensor[index],
        }
    })
    .collect()
}

fn sizes<S: Scalar>(shape: &Shape<S>) -> Sizes {
    match *shape {
        Shape::Sphere { radius } => Sizes::Sphere { radius: radius.to_f64() },
        Shape::Cuboid { half_extents } => Sizes::Cuboid { half_extents: half_extents.to_f64() },
        Shape::Capsule { half_height, radius } => {
            Sizes::Capsule { half_height: half_height.to_f64(), radius: radius.to_f64() }
        }
        Shape::Cylinder { half_height, radius } => {
            Sizes::Cylinder { half_height: half_height.to_f64(), radius: radius.to_f64() }
        }
        Shape::Cone { half_height, radius } => Sizes::Cone {
            half_height: half_height.to_f64(),
            radius: radius.to_f64(),
            inner_radius: shape.least_thickness().map_or(0.0, S::to_f64) / 2.0,
        },
        Shape::Hull(ref hull) => {
            let topology = hull.exact().topology();
            Sizes::Hull {
                corners: hull.corners().iter().map(|corner| corner.to_f64()).collect(),
                faces: (0..topology.face_count()).map(|face| topology.face(face).to_vec()).collect(),
                inner_radius: hull.inner_radius().to_f64(),
            }
        }
        Shape::HalfSpace { normal } => Sizes::HalfSpace { normal: normal.to_f64() },
        Shape::Mesh(ref mesh) => Sizes::Mesh {
            corners: mesh
                .exact()
                .corners()
                .iter()
                .map(|&corner| on_grid::<f64>(corner, mesh.exact().exponent()).to_f64())
                .collect(),
            faces: mesh.exact().triangles().to_vec(),
        },
        Shape::Facet(ref facet) => Sizes::Mesh {
            corners: facet.corners().iter().map(|corner| corner.to_f64()).collect(),
            faces: (2..facet.corners().len() as u32).map(|last| [0, last - 1, last]).collect(),
        },
    }
}
