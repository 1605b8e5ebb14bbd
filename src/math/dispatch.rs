//! From the kind of scalar that a run names to code that is generic over the scalar, and from there to code that is not.

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

/// Work of which this crate has the code, once for each scalar. What is generic is compiled anew in every crate that uses it, and the
/// solver alone takes minutes: [`Scalar::compiled_once`] leads from there to what is compiled already.
///
/// The three functions call one that is generic. They stand in each `impl`, for what a trait provides is generic itself.
pub trait CompiledOnce {
    /// What the work is done on.
    type Input<'a, S: Scalar>;
    /// What the work gives back.
    type Output;
    /// Does the work in fixed point.
    fn in_fixed(input: Self::Input<'_, Fixed>) -> Self::Output;
    /// Does the work in f32.
    fn in_f32(input: Self::Input<'_, f32>) -> Self::Output;
    /// Does the work in f64.
    fn in_f64(input: Self::Input<'_, f64>) -> Self::Output;
}
