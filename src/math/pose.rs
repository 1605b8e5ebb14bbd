//! A position together with an orientation.

use crate::math::quat::Quat;
use crate::math::scalar::Scalar;
use crate::math::vec3::Vec3;

/// Where something is and how it is turned, relative to a parent frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<S> {
    /// The origin of the frame, in metres, in the parent frame.
    pub position: Vec3<S>,
    /// Turns coordinates of this frame into the parent frame.
    pub orientation: Quat<S>,
}

impl<S: Scalar> Default for Pose<S> {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl<S: Scalar> Pose<S> {
    /// The pose of the parent frame itself.
    pub const IDENTITY: Self = Self { position: Vec3::ZERO, orientation: Quat::IDENTITY };

    /// The pose of these parts.
    #[must_use]
    pub const fn new(position: Vec3<S>, orientation: Quat<S>) -> Self {
        Self { position, orientation }
    }

    /// A point of this frame in the parent frame.
    #[must_use]
    pub fn transform_point(self, point: Vec3<S>) -> Vec3<S> {
        self.position + self.orientation.rotate(point)
    }

    /// A point of the parent frame in this frame.
    #[must_use]
    pub fn inverse_transform_point(self, point: Vec3<S>) -> Vec3<S> {
        self.orientation.conjugate().rotate(point - self.position)
    }

    /// A pose given in this frame, in the parent frame.
    #[must_use]
    pub fn transform_pose(self, inner: Self) -> Self {
        Self::new(self.transform_point(inner.position), (self.orientation * inner.orientation).normalise())
    }
}
