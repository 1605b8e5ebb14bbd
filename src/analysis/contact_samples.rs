//! The contact points of a state, each with a key by which it is found again in the next.

use crate::analysis::show::{ContactPointView, point_view};
use crate::dynamics::contact::ContactKey;
use crate::math::Scalar;
use crate::world::World;

/// Names a contact point for as long as the same features touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContactPointKey {
    /// Of which contact.
    pub contact: ContactKey,
    /// The features that touch.
    pub feature: u32,
}

/// A contact point at one moment; SI units, world frame.
#[derive(Clone, Copy, Debug)]
pub struct ContactSample {
    /// Which one.
    pub key: ContactPointKey,
    /// From the first body to the second.
    pub normal: [f64; 3],
    /// Where, how deep and how hard.
    pub point: ContactPointView,
}

/// Every contact point of the state that a world has come to, as the step that ended there found it.
#[must_use]
pub fn contact_samples<S: Scalar>(world: &World<S>) -> Vec<ContactSample> {
    let mut samples = Vec::new();
    for (contact, geometry) in world.contacts().iter().zip(world.contact_geometry()) {
        for (place, impulse) in geometry.manifold.points().iter().zip(geometry.impulses) {
            samples.push(ContactSample {
                key: ContactPointKey { contact: contact.key(), feature: place.feature.0 },
                normal: geometry.manifold.normal.to_f64(),
                point: point_view(world, geometry, place, impulse),
            });
        }
    }
    samples
}
