//! Contacts that persist from step to step: which features touch and the impulses kept for warm starting.

use crate::collision::manifold::{FeatureId, MAX_POINTS, Manifold};
use crate::dynamics::collider::{ColliderKey, ContactSurface};
use crate::math::{Scalar, Vec3};

/// What a contact point carries into the next step. All of it is state.
///
/// Impulses are divided by the effective mass of the point's normal row, so they are speeds: nothing overflows at any
/// mass, and the next step can use them as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeptPoint<S> {
    /// Which features of the two shapes touch here.
    pub feature: FeatureId,
    /// Normal impulse of the last substep over effective mass, in m/s; never negative.
    pub normal_impulse: S,
    /// Friction impulse on the second body over effective mass, in m/s, world frame.
    pub tangent_impulse: Vec3<S>,
}

/// The state of one contact: a pair of colliders that touch or nearly do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact<S> {
    /// The collider with the smaller key.
    pub a: ColliderKey,
    /// The collider with the larger key.
    pub b: ColliderKey,
    /// How many of `points` count.
    pub count: u32,
    /// The points, in the order of the manifold.
    pub points: [KeptPoint<S>; MAX_POINTS],
}

impl<S: Scalar> Contact<S> {
    /// The points that count.
    #[must_use]
    pub fn points(&self) -> &[KeptPoint<S>] {
        self.points.get(..self.count as usize).unwrap_or(&self.points)
    }

    /// A contact of this manifold that takes over the impulses of its predecessor where the features are the same.
    #[must_use]
    pub fn from_manifold(a: ColliderKey, b: ColliderKey, manifold: &Manifold<S>, previous: Option<&Self>) -> Self {
        let mut contact = Self { a, b, ..Self::default() };
        for (slot, point) in contact.points.iter_mut().zip(manifold.points()) {
            let kept = previous.and_then(|old| old.points().iter().find(|kept| kept.feature == point.feature));
            *slot = kept.copied().unwrap_or_default();
            slot.feature = point.feature;
            contact.count += 1;
        }
        contact
    }
}

/// What the solver needs to know of a contact beyond its state; found anew every step.
#[derive(Clone, Copy, Debug)]
pub struct ContactGeometry<S> {
    /// Index of the first body.
    pub body_a: u32,
    /// Index of the second body.
    pub body_b: u32,
    /// From the centre of mass of the first body to the origin of its shape, world axes.
    pub shape_a: Vec3<S>,
    /// From the centre of mass of the first body to that of the second, world axes.
    pub between: Vec3<S>,
    /// What the two surfaces are together.
    pub surface: ContactSurface<S>,
    /// Where and how the shapes touch.
    pub manifold: Manifold<S>,
}
