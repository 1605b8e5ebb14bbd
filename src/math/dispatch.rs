//! From the kind of scalar that a run names to code that is generic over the scalar.

use crate::math::fixed::Fixed;
use crate::math::scalar::{Scalar, ScalarKind};

/// Work that is generic over the scalar, for [`ScalarKind::dispatch`].
pub trait ScalarTask {
    /// What the work gives back.
    type Output;
    /// Does the work with the scalar `S`.
    fn run<S: Scalar>(self) -> Self::Output;
}

impl ScalarKind {
    /// Runs a task with the scalar of this kind: the one place where a run's scalar is chosen.
    pub fn dispatch<T: ScalarTask>(self, task: T) -> T::Output {
        match self {
            Self::Fixed => task.run::<Fixed>(),
            Self::F32 => task.run::<f32>(),
            Self::F64 => task.run::<f64>(),
        }
    }
}
