//! Bodies of a scene: what they are, where, and what they weigh.

use serde::{Deserialize, Serialize};

use crate::scene::decimal::Decimal;
use crate::scene::decomposed::SolidPoints;
use crate::scene::density::Density;
use crate::scene::hull::HullPoints;
use crate::scene::mesh::{Heights, MeshPoints, Triangles};
use crate::scene::model::defaults;
use crate::scene::model::{Filter, Vector};

/// A material of a surface and what is under it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Material {
    /// Coulomb friction coefficient. Default 0.5.
    pub friction: Decimal,
    /// Restitution, 0 to 1. Default 0.
    pub restitution: Decimal,
    /// Friction against rolling: how far before its middle a rolling body is held up, metres; of two materials the larger
    /// counts. Default 0.
    pub rolling_friction: Decimal,
    /// Friction against spinning on the spot: the arm of friction about the normal, metres; of two materials the larger
    /// counts. Default 0.
    pub spinning_friction: Decimal,
    /// How the friction of two materials combines. Default `GeometricMean`.
    pub friction_combine: CombineRule,
    /// How the restitution of two materials combines. Default `Average`.
    pub restitution_combine: CombineRule,
    /// Density in kg/m^3, of a mesh in kg/m^2: a number, or an expression in quotes over the place in the shape. Default 1000.
    pub density: Density,
}

/// How the coefficients of two touching materials make one. Where the two name different rules, the later one in the order
/// `Average`, `GeometricMean`, `Min`, `Multiply`, `Max` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CombineRule {
    /// Half their sum.
    Average,
    /// The root of their product.
    GeometricMean,
    /// The smaller one.
    Min,
    /// Their product.
    Multiply,
    /// The larger one.
    Max,
}

/// A shape in its own frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Shape {
    /// A ball about the origin.
    Sphere {
        /// Its radius, metres.
        radius: Decimal,
    },
    /// A box about the origin with its edges along the axes.
    Cuboid {
        /// Half its edges along x, y and z, metres.
        half_extents: Vector,
    },
    /// All points within `radius` of the segment from `-half_height` to `half_height` on the y axis.
    Capsule {
        /// Half the length of the segment, metres.
        half_height: Decimal,
        /// Its radius, metres.
        radius: Decimal,
    },
    /// All points within `radius` of the y axis between `y = -half_height` and `y = half_height`.
    Cylinder {
        /// Half the length of the axis, metres.
        half_height: Decimal,
        /// Its radius, metres.
        radius: Decimal,
    },
    /// A cone about the y axis, its top upwards, about its centre of volume: the base at `y = -half_height / 2`, the top at
    /// `y = 3/2 half_height`.
    Cone {
        /// Half the distance from the base to the top, metres.
        half_height: Decimal,
        /// The radius of the base, metres.
        radius: Decimal,
    },
    /// The smallest convex polyhedron that holds some points.
    Hull {
        /// The points in the shape's frame, metres; at least four that do not lie in a plane.
        #[serde(default)]
        points: HullPoints,
        /// Where the points come from, instead: an OBJ, STL or glTF file in the folder of the scene's file. Once a scene is loaded, the
        /// points stand here and no file does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// What the coordinates of the file are multiplied with. Default 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scale: Option<Decimal>,
        /// How many corners to keep of the file's, if it has more: those that stand out furthest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        most_corners: Option<u32>,
    },
    /// All points below a plane through the origin with this normal; only on static bodies.
    HalfSpace {
        /// Out of the half-space; of any length but zero.
        normal: Vector,
    },
    /// A surface of triangles; of a dynamic body a thin shell.
    Mesh {
        /// The corners in the shape's frame, metres.
        #[serde(default)]
        points: MeshPoints,
        /// The triangles by the numbers of their points, from 0, counter-clockwise as seen from the front.
        #[serde(default)]
        triangles: Triangles,
        /// Where both come from, instead: an OBJ, STL or glTF file in the folder of the scene's file. Once a scene is loaded, they stand here and
        /// no file does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// What the coordinates of the file are multiplied with. Default 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scale: Option<Decimal>,
    },
    /// A solid that need not be convex: once a scene is loaded, it is the several hulls that it is cut into, and no such shape stands there.
    Decomposed {
        /// The corners of its surface in the shape's frame, metres.
        #[serde(default)]
        points: SolidPoints,
        /// The triangles of its surface, which is closed, by the numbers of their points, from 0, counter-clockwise as seen from outside.
        #[serde(default)]
        triangles: Triangles,
        /// Where both come from, instead: an OBJ, STL or glTF file in the folder of the scene's file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// What the coordinates of the file are multiplied with. Default 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scale: Option<Decimal>,
        /// How many parts there may be, 1 to 256. Default 32.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        most_parts: Option<u32>,
        /// By how much all parts together may be larger than the solid, as a share of its volume: it is cut no further then. Default 0.02.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tolerance: Option<Decimal>,
        /// How many corners each part may have, 4 to 255: those that stand out furthest are kept. Default 64.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        most_corners: Option<u32>,
    },
    /// A surface over a rectangle about the origin, that looks along y; of a dynamic body a thin shell.
    HeightField {
        /// The heights, metres: rows along z, in each row columns along x.
        heights: Heights,
        /// How far apart the points are along x and along z, metres.
        spacing: (Decimal, Decimal),
    },
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
    AxisDegrees {
        /// The axis, of any length but zero.
        axis: Vector,
        /// The angle, right-handed.
        degrees: Decimal,
    },
    /// An angle in radians about an axis.
    AxisRadians {
        /// The axis, of any length but zero.
        axis: Vector,
        /// The angle, right-handed.
        radians: Decimal,
    },
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
    Given {
        /// Mass, kg.
        mass: Decimal,
        /// Centre of mass in the body's frame, metres.
        centre: Vector,
        /// Inertia tensor about the centre, body axes, kg m^2: `(xx, yy, zz, xy, xz, yz)`.
        inertia: (Decimal, Decimal, Decimal, Decimal, Decimal, Decimal),
    },
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
    /// Whether the shape only notices what overlaps it, and pushes nothing; it has no mass then. Default false.
    #[serde(default)]
    pub sensor: bool,
    /// What the shape is and what it meets. Default that of the body.
    #[serde(default)]
    pub filter: Option<Filter>,
}
