//! The solids and surfaces that are integrated over, in plain numbers.

use std::sync::Arc;

use crate::geometry::hull::ExactHull;
use crate::geometry::mesh::ExactMesh;
use crate::geometry::quadrature::chart::Chart;
use crate::geometry::quadrature::shell;
use crate::geometry::shape::Shape;
use crate::math::Scalar;

/// A solid about its own origin, in the axes of its shape; metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    /// A ball.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// A box.
    Cuboid {
        /// Half its edges.
        half_extents: [f64; 3],
    },
    /// All points within `radius` of the segment from `-half_height` to `half_height` on the y axis.
    Capsule {
        /// Half the length of the segment.
        half_height: f64,
        /// The radius.
        radius: f64,
    },
    /// All points within `radius` of the y axis from `-half_height` to `half_height`.
    Cylinder {
        /// Half its height.
        half_height: f64,
        /// The radius.
        radius: f64,
    },
    /// A cone about the y axis, its base at `-half_height / 2`, its top at `3/2 half_height`.
    Cone {
        /// Half its height.
        half_height: f64,
        /// The radius of its base.
        radius: f64,
    },
    /// A polyhedron.
    Hull {
        /// It, about its own origin, which is inside.
        hull: Arc<ExactHull>,
        /// Where that origin is in the frame of its points, which is the frame of the density.
        origin: [f64; 3],
    },
    /// A surface of triangles: what is integrated over it is a mass by area.
    Shell {
        /// It, about its own origin.
        mesh: Arc<ExactMesh>,
        /// Where that origin is in the frame of its points, which is the frame of the density.
        origin: [f64; 3],
    },
}

impl Region {
    /// The region of a shape; `origin` is that of a hull or a mesh in the frame of its points. `None` for a half-space.
    #[must_use]
    pub fn of_shape<S: Scalar>(shape: &Shape<S>, origin: [f64; 3]) -> Option<Self> {
        Some(match *shape {
            Shape::Sphere { radius } => Self::Sphere { radius: radius.to_f64() },
            Shape::Cuboid { half_extents } => Self::Cuboid { half_extents: half_extents.to_f64() },
            Shape::Capsule { half_height, radius } => {
                Self::Capsule { half_height: half_height.to_f64(), radius: radius.to_f64() }
            }
            Shape::Cylinder { half_height, radius } => {
                Self::Cylinder { half_height: half_height.to_f64(), radius: radius.to_f64() }
            }
            Shape::Cone { half_height, radius } => {
                Self::Cone { half_height: half_height.to_f64(), radius: radius.to_f64() }
            }
            Shape::Hull(ref hull) => Self::Hull { hull: Arc::clone(hull.exact()), origin },
            Shape::Mesh(ref mesh) => Self::Shell { mesh: Arc::clone(mesh.exact()), origin },
            Shape::HalfSpace { .. } | Shape::Facet(_) => return None,
        })
    }

    /// Where the origin of the region is in the frame of the density.
    pub(super) const fn origin(&self) -> [f64; 3] {
        match self {
            Self::Hull { origin, .. } | Self::Shell { origin, .. } => *origin,
            Self::Sphere { .. }
            | Self::Cuboid { .. }
            | Self::Capsule { .. }
            | Self::Cylinder { .. }
            | Self::Cone { .. } => [0.0; 3],
        }
    }

    /// How far the region reaches from its origin along the axes.
    pub(super) fn half_extents(&self) -> [f64; 3] {
        match self {
            Self::Sphere { radius } => [*radius; 3],
            Self::Cuboid { half_extents } => *half_extents,
            Self::Capsule { half_height, radius } => [*radius, half_height + radius, *radius],
            Self::Cylinder { half_height, radius } => [*radius, *half_height, *radius],
            Self::Cone { half_height, radius } => [*radius, 1.5 * half_height, *radius],
            Self::Hull { hull, .. } => [0, 1, 2].map(|axis| {
                let most = hull.corners().iter().map(|corner| corner[axis].unsigned_abs()).max().unwrap_or(0);
                libm::scalbn(most as f64, hull.exponent())
            }),
            Self::Shell { mesh, .. } => shell::half_extents(mesh),
        }
    }

    /// The parts of the region, each with coordinates in which it is a box.
    pub(super) fn charts(&self) -> Vec<Chart> {
        match self {
            Self::Sphere { radius } => vec![Chart::ball(*radius)],
            Self::Cuboid { half_extents } => vec![Chart::cuboid(*half_extents)],
            Self::Capsule { half_height, radius } => {
                let caps = [1.0, -1.0].map(|side| Chart::cap(*radius, *half_height, side));
                let cylinder = (*half_height > 0.0).then(|| Chart::cylinder(*radius, *half_height));
                cylinder.into_iter().chain(caps).collect()
            }
            Self::Cylinder { half_height, radius } => vec![Chart::cylinder(*radius, *half_height)],
            Self::Cone { half_height, radius } => vec![Chart::cone(*radius, *half_height)],
            Self::Hull { hull, .. } => tetrahedra(hull),
            Self::Shell { mesh, .. } => shell::charts(mesh),
        }
    }

    /// How often a density over it is asked for at most, beyond the first cells: as often as for all, but that the cells of a surface of many
    /// triangles, which are all gone through each time, count too.
    pub(super) fn most_samples(&self, most: usize) -> usize {
        match self {
            Self::Shell { mesh, .. } => most.min((1 << 30) / mesh.triangles().len().max(1)),
            _ => most,
        }
    }

    /// What a density over it is measured in.
    #[must_use]
    pub const fn unit_of_density(&self) -> &'static str {
        match self {
            Self::Shell { .. } => "kg/m^2",
            Self::Sphere { .. }
            | Self::Cuboid { .. }
            | Self::Capsule { .. }
            | Self::Cylinder { .. }
            | Self::Cone { .. }
            | Self::Hull { .. } => "kg/m^3",
        }
    }
}

/// A tetrahedron from the origin to each triangle of the surface, whose faces are cut as fans from their first corners.
fn tetrahedra(hull: &ExactHull) -> Vec<Chart> {
    let topology = hull.topology();
    let place =
        |corner: u16| hull.corners()[usize::from(corner)].map(|steps| libm::scalbn(steps as f64, hull.exponent()));
    let faces = (0..topology.face_count()).map(|face| topology.face(face));
    let triangles = faces.flat_map(|corners| corners[1..].windows(2).map(move |pair| [corners[0], pair[0], pair[1]]));
    triangles.map(|corners| Chart::tetrahedron(corners.map(place))).collect()
}
