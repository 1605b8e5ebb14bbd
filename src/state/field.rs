//! How a visitor is led over a field, by the type of its value.
//!
//! Every struct is taken apart in full, without `..` and `_`: a new part of it does not compile until it is led past the
//! visitor here. A test holds this file to that.

use std::sync::Arc;

use crate::collision::broad_phase::FatAabb;
use crate::geometry::hull::{ExactHull, GridPoint, Hull, MAX_CORNERS};
use crate::geometry::mesh::{ExactMesh, MAX_TRIANGLES, Mesh};
use crate::geometry::{Aabb, Inertia, Shape, ShapeKind};
use crate::math::{Pose, Quat, Scalar, Scaled, SymMat3, Vec3};
use crate::state::visitor::{
    FieldVisitor, visit_i32, visit_quat, visit_scalar, visit_sym_mat3, visit_tag, visit_u32, visit_vec3,
};

/// A value that can stand in a record of the state.
pub trait Field: Clone {
    /// A value to read into; all of it is overwritten.
    fn blank() -> Self;

    /// Leads a visitor over the value, which has this name in its record.
    fn visit<V: FieldVisitor + ?Sized>(&mut self, name: &'static str, visitor: &mut V);
}

/// Largest magnitude of a binary exponent. Lengths, masses and inertias are decimals of at most 38 digits on either side
/// of the point, so that no quotient or product of a few of them comes near it; twice as much is far from overflow.
const MAX_EXPONENT: i32 = 1 << 14;

/// Whether a state can have this binary exponent.
#[must_use]
pub const fn is_sound_exponent(exponent: i32) -> bool {
    -MAX_EXPONENT <= exponent && exponent <= MAX_EXPONENT
}

fn visit_exponent<V: FieldVisitor + ?Sized>(exponent: &mut i32, name: &'static str, visitor: &mut V) {
    visit_i32(visitor, name, exponent);
    if !is_sound_exponent(*exponent) {
        visitor.refuse("exponent");
        *exponent = 0;
    }
}

impl Field for u32 {
    fn blank() -> Self {
        0
    }

    #[inline(always)]
    fn visit<V: FieldVisitor + ?Sized>(&mut self, name: &'static str, visitor: &mut V) {
        visit_u32(visitor, name, self);
    }
}

impl Field for bool {
    fn blank() -> Self {
        false
    }

    #[inline(always)]
    fn visit<V: FieldVisitor + ?Sized>(&mut self, name: &'static str, visitor: &mut V) {
        match visit_tag(visitor, name, u8::from(*self)) {
            0 => *self = false,
            1 => *self = true,
            _unknown => visitor.refuse("switch"),
        }
    }
}

impl Field for Arc<str> {
    fn blank() -> Self {
        Self::from("")
    }

    #[inline(always)]
    fn visit<V: FieldVisitor + ?Sized>(&mut self, name: &'static str, visitor: &mut V) {
        if let Some(text) = visitor.text(name, self) {
            *self = Self::from(text);
        }
    }
}

impl<S: Scalar> Field for S {
    fn blank() -> Self {
        S::ZERO
    }

    #[inline(always)]
    fn visit<V: FieldVisitor + ?Sized>(&mut self, name: &'static str, visitor: &mut V) {
        visit_scalar(visitor, name, self);
    }
}

impl<S: Scalar> Field for Vec3<S> {
    fn blank() -> Self {
        Self::ZERO
    }

    #[inline(always)]
    fn visit<V: FieldVisitor + ?Sized>(&mut self, name: &'static str, visitor: &mut V) {
        visit_vec3(visitor, name, self);
    }
}

impl<S: Scalar> Field for Quat<S> {
    fn blank() -> Self {
        Self::IDENTITY
    }

    #[inline(always)]
    fn visit<V: FieldVisitor + ?Sized>(&mut self, name: &'static str, visitor: &mut V) {
        visit_quat(visitor, name, self);
    }
}

impl<S: Scalar> Field for Scaled<S> {
    fn blank() -> Self {
        Self::ZERO
    }

    #[inline(always)]
    fn visit<V: FieldVisitor + ?Sized>(&mut self, name: &'static str, visitor: &mut V) {
        let Self { mantissa, exponent } = self;
        visitor.enter(name, None);
        visit_scalar(visitor, "mantissa", mantissa);
        visit_exponent(exponent, "exponent", visitor);
        visitor.leave();
    }
}

impl<S: Scalar> Field for Inertia<S> {
    fn blank() -> Self {
        Self { tensor: SymMat3::ZERO, inverse: SymMat3::ZERO, length_exponent: 0 }
    }

    #[inline(always)]
    fn visit<V: FieldVisitor + ?Sized>(&mut self, name: &'static str, visitor: &mut V) {
        let Self { tensor, inverse, length_exponent } = self;
        visitor.enter(name, None);
        visit_sym_mat3(visitor, "tensor", tensor);
        visit_sym_mat3(visitor, "inverse", inverse);
        visit_exponent(length_exponent, "length_exponent", visitor);
        visitor.leave();
    }
}

impl<S: Scalar> Field for Pose<S> {
    fn blank() -> Self {
        Self::IDENTITY
    }

    #[inline(always)]
    fn visit<V: FieldVisitor + ?Sized>(&mut self, name: &'static str, visitor: &mut V) {
        let Self { position, orientation } = self;
        visitor.enter(name, None);
        visit_vec3(visitor, "position", position);
        visit_quat(visitor, "orientation", orientation);
        visitor.leave();
    }
}

impl<S: Scalar> Field for Shape<S> {
    fn blank() -> Self {
        Self::Sphere { radius: S::ZERO }
    }

    #[inline(always)]
    fn visit<V: FieldVisitor + ?Sized>(&mut self, name: &'static str, visitor: &mut V) {
        visitor.enter(name, None);
        let tag = match self.kind() {
            ShapeKind::Sphere => 0,
            ShapeKind::Cuboid => 1,
            ShapeKind::Capsule => 2,
            ShapeKind::HalfSpace => 3,
            ShapeKind::Hull => 4,
            ShapeKind::Cylinder => 5,
            ShapeKind::Cone => 6,
            ShapeKind::Mesh => 7,
        };
        let wanted = visit_tag(visitor, "kind", tag);
        if wanted != tag {
            *self = match wanted {
                0 => Self::Sphere { radius: S::ZERO },
                1 => Self::Cuboid { half_extents: Vec3::ZERO },
                2 => Self::Capsule { half_height: S::ZERO, radius: S::ZERO },
                3 => Self::HalfSpace { normal: Vec3::ZERO },
                4 => Self::Hull(Arc::new(Hull::blank())),
                5 => Self::Cylinder { half_height: S::ZERO, radius: S::ZERO },
                6 => Self::Cone { half_height: S::ZERO, radius: S::ZERO },
                7 => Self::Mesh(Arc::new(Mesh::blank())),
                _unknown => {
                    visitor.refuse("shape kind");
                    self.clone()
                }
            };
        }
        match self {
            Self::Sphere { radius } => visit_scalar(visitor, "radius", radius),
            Self::Cuboid { half_extents } => visit_vec3(visitor, "half_extents", half_extents),
            Self::Capsule { half_height, radius }
            | Self::Cylinder { half_height, radius }
            | Self::Cone { half_height, radius } => {
                visit_scalar(visitor, "half_height", half_height);
                visit_scalar(visitor, "radius", radius);
            }
            Self::HalfSpace { normal } => visit_vec3(visitor, "normal", normal),
            Self::Hull(hull) => visit_hull(hull, visitor),
            Self::Mesh(mesh) => visit_mesh(mesh, visitor),
            Self::Facet(_no_collider_has_it) => visitor.refuse("shape kind"),
        }
        visitor.leave();
    }
}

/// Leads a visitor over the grid and the corners of a hull: its faces follow from these. What is no hull then is refused.
fn visit_hull<S: Scalar, V: FieldVisitor + ?Sized>(hull: &mut Arc<Hull<S>>, visitor: &mut V) {
    let known = Arc::clone(hull.exact());
    let mut exponent = known.exponent();
    visit_i32(visitor, "grid_exponent", &mut exponent);
    let mut count = known.corners().len() as u32;
    visit_u32(visitor, "corner_count", &mut count);
    if count as usize > MAX_CORNERS {
        visitor.refuse("number of corners");
        count = 0;
    }
    let corners = visit_grid_points(known.corners(), count, visitor);
    if known.exponent() == exponent && known.corners() == corners {
        return;
    }
    match shared_hull(exponent, &corners, visitor) {
        Some(other) => *hull = other,
        None => visitor.refuse("hull"),
    }
}

/// Leads a visitor over so many points of a grid, and gives back those that there are to be.
fn visit_grid_points<V: FieldVisitor + ?Sized>(known: &[GridPoint], count: u32, visitor: &mut V) -> Vec<GridPoint> {
    let mut points: Vec<GridPoint> = Vec::new();
    for number in 0..count {
        let mut point = known.get(number as usize).map_or([0; 3], |point| point.map(|steps| steps as i32));
        visitor.enter("corners", Some(number));
        for (name, steps) in ["x", "y", "z"].into_iter().zip(&mut point) {
            visit_i32(visitor, name, steps);
        }
        visitor.leave();
        points.push(point.map(i64::from));
    }
    points
}

/// Leads a visitor over the grid, the corners and the triangles of a mesh: the rest follows from these. What is no mesh then is refused.
fn visit_mesh<S: Scalar, V: FieldVisitor + ?Sized>(mesh: &mut Arc<Mesh<S>>, visitor: &mut V) {
    let known = Arc::clone(mesh.exact());
    let mut exponent = known.exponent();
    visit_i32(visitor, "grid_exponent", &mut exponent);
    let mut counts = [known.corners().len() as u32, known.triangles().len() as u32];
    visit_u32(visitor, "corner_count", &mut counts[0]);
    visit_u32(visitor, "triangle_count", &mut counts[1]);
    if counts[0] as usize > 3 * MAX_TRIANGLES || counts[1] as usize > MAX_TRIANGLES {
        visitor.refuse("number of triangles");
        counts = [0; 2];
    }
    let corners = visit_grid_points(known.corners(), counts[0], visitor);
    let mut triangles = Vec::new();
    for number in 0..counts[1] {
        let mut triangle = known.triangles().get(number as usize).copied().unwrap_or_default();
        visitor.enter("triangles", Some(number));
        for (name, corner) in ["a", "b", "c"].into_iter().zip(&mut triangle) {
            visit_u32(visitor, name, corner);
        }
        visitor.leave();
        triangles.push(triangle);
    }
    if known.exponent() == exponent && known.corners() == corners && known.triangles() == triangles {
        return;
    }
    let made = || Some(Mesh::new(Arc::new(ExactMesh::of_parts(&corners, &triangles, exponent)?)));
    let mut hasher = blake3::Hasher::new_derive_key("physim mesh rows");
    hasher.update(&exponent.to_le_bytes());
    corners.as_flattened().iter().for_each(|steps| {
        hasher.update(&steps.to_le_bytes());
    });
    triangles.as_flattened().iter().for_each(|corner| {
        hasher.update(&corner.to_le_bytes());
    });
    match shared_value(*hasher.finalize().as_bytes(), made, visitor) {
        Some(other) => *mesh = other,
        None => visitor.refuse("mesh"),
    }
}

/// What rows that have the same share by this name, made where there is none yet.
fn shared_value<T: Send + Sync + 'static, V: FieldVisitor + ?Sized>(
    name: [u8; 32],
    make: impl FnOnce() -> Option<T>,
    visitor: &mut V,
) -> Option<Arc<T>> {
    let known = visitor.shared().and_then(|shared| shared.get(&name).cloned());
    if let Some(Ok(value)) = known.map(Arc::downcast) {
        return Some(value);
    }
    let value = Arc::new(make()?);
    if let Some(shared) = visitor.shared() {
        shared.insert(name, Arc::clone(&value) as _);
    }
    Some(value)
}

/// The hull of these corners, which rows that have the same share; `None` where a corner is none of their hull, or its origin is not
/// in the middle.
fn shared_hull<S: Scalar, V: FieldVisitor + ?Sized>(
    exponent: i32,
    corners: &[GridPoint],
    visitor: &mut V,
) -> Option<Arc<Hull<S>>> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&exponent.to_le_bytes());
    corners.as_flattened().iter().for_each(|steps| {
        hasher.update(&steps.to_le_bytes());
    });
    let made = || Some(Hull::new(Arc::new(ExactHull::of_corners(corners, exponent)?)));
    shared_value(*hasher.finalize().as_bytes(), made, visitor)
}

impl<S: Scalar> Field for FatAabb<S> {
    fn blank() -> Self {
        Self::Bounded(Aabb { min: Vec3::ZERO, max: Vec3::ZERO })
    }

    #[inline(always)]
    fn visit<V: FieldVisitor + ?Sized>(&mut self, name: &'static str, visitor: &mut V) {
        visitor.enter(name, None);
        let tag = u8::from(!self.is_bounded());
        let wanted = visit_tag(visitor, "kind", tag);
        if wanted != tag {
            *self = match wanted {
                0 => Self::Bounded(Aabb { min: Vec3::ZERO, max: Vec3::ZERO }),
                1 => Self::HalfSpace { normal: Vec3::ZERO, point: Vec3::ZERO },
                _unknown => {
                    visitor.refuse("fat box kind");
                    *self
                }
            };
        }
        match self {
            Self::Bounded(Aabb { min, max }) => {
                visit_vec3(visitor, "min", min);
                visit_vec3(visitor, "max", max);
            }
            Self::HalfSpace { normal, point } => {
                visit_vec3(visitor, "normal", normal);
                visit_vec3(visitor, "point", point);
            }
        }
        visitor.leave();
    }
}
