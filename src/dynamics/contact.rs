//! Contacts that persist from step to step: which features touch and the impulses kept for warm starting.

use crate::collision::manifold::{Bearing, FeatureId, MAX_POINTS, Manifold};
use crate::dynamics::collider::{ColliderKey, ContactSurface};
use crate::dynamics::recycling::PairPose;
use crate::math::{Scalar, Vec3};

/// What a contact point carries into the next step. All of it is state.
///
/// Impulses are divided by the reduced mass of the two bodies, so they are speeds: nothing overflows at any mass, and the
/// next step can use them as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WarmStartPoint<S> {
    /// Which features of the two shapes touch here.
    pub feature: FeatureId,
    /// Normal impulse of the last substep over reduced mass, in m/s: what the next one starts from. Never negative.
    pub normal_impulse: S,
    /// Friction impulse on the second body over reduced mass, in m/s, world frame; with friction by patch the point's share.
    pub tangent_impulse: Vec3<S>,
}

/// What a contact is found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContactKey {
    /// The collider with the smaller key.
    pub a: ColliderKey,
    /// The collider with the larger key.
    pub b: ColliderKey,
    /// As in [`Contact::piece`].
    pub piece: u32,
}

/// The state of one contact: a pair of colliders that touch or nearly do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact<S> {
    /// The collider with the smaller key.
    pub a: ColliderKey,
    /// The collider with the larger key.
    pub b: ColliderKey,
    /// Which facet touches where one of the two is a mesh: one more than its number; 0 where neither is.
    pub piece: u32,
    /// How many of `points` count.
    pub count: u32,
    /// The points, in the order of the manifold.
    pub points: [WarmStartPoint<S>; MAX_POINTS],
    /// Angular impulse about the normal on the second body over reduced mass, in m^2/s.
    pub twist_impulse: S,
    /// Angular impulse against rolling on the second body over reduced mass, in m^2/s, world frame.
    pub rolling_impulse: Vec3<S>,
    /// How the bodies lay when the manifold was found, while it is kept for they hardly move.
    pub found_at: Option<PairPose<S>>,
}

impl<S: Scalar> Contact<S> {
    /// The points that count.
    #[must_use]
    pub fn points(&self) -> &[WarmStartPoint<S>] {
        self.points.get(..self.count as usize).unwrap_or(&self.points)
    }

    /// Which points bore weight in the last substep.
    #[must_use]
    pub fn bearing(&self) -> Bearing {
        bearing_of(self.points().iter().map(|point| (point.feature, point.normal_impulse)))
    }

    /// All its points: those of which the same manifold is found again where the bodies lie as they did.
    #[must_use]
    pub fn known_points(&self) -> Bearing {
        let mut known = Bearing::NONE;
        self.points().iter().for_each(|point| known.push(point.feature));
        known
    }

    /// What it is found by among others, which stand in its order.
    #[inline]
    #[must_use]
    pub const fn key(&self) -> ContactKey {
        ContactKey { a: self.a, b: self.b, piece: self.piece }
    }

    /// A contact of this manifold, which is not kept, that takes over the impulses of its predecessor where the features are the same.
    #[inline]
    #[must_use]
    pub fn from_manifold(key: ContactKey, manifold: &Manifold<S>, previous: Option<&Self>) -> Self {
        let ContactKey { a, b, piece } = key;
        let mut contact = Self { a, b, piece, ..Self::default() };
        if let Some(old) = previous {
            contact.twist_impulse = old.twist_impulse;
            contact.rolling_impulse = old.rolling_impulse;
        }
        let known = previous.map_or(&[][..], Self::points);
        for (index, point) in manifold.points().iter().enumerate() {
            let is_it = |kept: &&WarmStartPoint<S>| kept.feature == point.feature;
            // Mostly at its old place.
            let kept = known.get(index).filter(is_it).or_else(|| known.iter().find(is_it));
            let slot = &mut contact.points[index];
            *slot = kept.copied().unwrap_or_default();
            slot.feature = point.feature;
            contact.count += 1;
        }
        contact
    }
}

/// Those of some points that have a normal impulse, the largest first, of several as large the first.
#[must_use]
pub fn bearing_of<S: Scalar>(points: impl Iterator<Item = (FeatureId, S)>) -> Bearing {
    let mut sorted = [None; MAX_POINTS];
    for (slot, (feature, impulse)) in sorted.iter_mut().zip(points) {
        *slot = (impulse > S::ZERO).then_some((feature, impulse));
    }
    let mut bearing = Bearing::NONE;
    for _ in 0..MAX_POINTS {
        let larger = |best: usize, next: usize| {
            let is_larger = sorted[next].is_some_and(|(_, next)| sorted[best].is_none_or(|(_, best)| next > best));
            if is_larger { next } else { best }
        };
        let Some((feature, _)) = sorted[(1..MAX_POINTS).fold(0, larger)].take() else { break };
        bearing.push(feature);
    }
    bearing
}

/// The gap up to which shapes count as touching, 2^-14 m or 0.06 mm: rows hold them apart. Beyond it a contact is open and
/// must close first.
#[must_use]
pub fn touching_gap<S: Scalar>() -> S {
    S::ONE.scale_by_power_of_two(-14)
}

/// What the solver needs to know of a contact beyond its state; found anew every step.
#[derive(Clone, Copy, Debug)]
pub struct ContactGeometry<S> {
    /// Index of the first body.
    pub body_a: u32,
    /// Index of the second body.
    pub body_b: u32,
    /// Indices of the two colliders.
    pub colliders: [u32; 2],
    /// As in [`Contact::piece`].
    pub piece: u32,
    /// Way of the centre of mass of the first body from the start of the step to when this was seen.
    pub displacement_a: Vec3<S>,
    /// From the centre of mass of the first body to the origin of its shape, world axes.
    pub shape_offset_a: Vec3<S>,
    /// From the centre of mass of the first body to that of the second, world axes.
    pub centre_offset: Vec3<S>,
    /// Friction and restitution of the two surfaces together.
    pub surface: ContactSurface<S>,
    /// Where and how the shapes touch.
    pub manifold: Manifold<S>,
    /// Whether no point touches yet: then the contact has no rows.
    pub is_open: bool,
    /// Whether no point touches yet, and its rows wait until one does: with `continuous: Off`.
    pub is_awaited: bool,
    /// For how many seconds after the start of the step it was seen at first.
    pub ahead: S,
    /// Whether it may lie on the rim of a face of each shape, as it was seen at first.
    pub may_be_on_rim: [bool; 2],
    /// Normal impulses of the whole step over reduced mass, in m/s, point by point; known when the step is done.
    pub impulses: [S; MAX_POINTS],
}
