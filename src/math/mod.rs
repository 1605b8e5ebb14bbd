//! Pure arithmetic: the numbers of the engine and the small vector algebra over them.
//!
//! [`scalar`] is the only door to numbers. Nothing in here knows about shapes, bodies or scenes, and nothing outside
//! this folder may call a float function of `std`: results must be the same bits on every machine.

pub mod dispatch;
pub mod fine_rotation;
pub mod fixed;
pub mod float;
pub mod lanes;
pub mod ldl;
pub mod mat3;
pub mod pose;
pub mod quat;
pub mod scalar;
pub mod scaled;
pub mod split_mix;
pub mod vec3;

#[cfg(test)]
mod properties;

pub use dispatch::{CompiledOnce, ScalarTask};
pub use fine_rotation::FineRotation;
pub use fixed::Fixed;
pub use ldl::LdlFactors;
pub use mat3::{Mat3, SymMat3};
pub use pose::Pose;
pub use quat::Quat;
pub use scalar::{Scalar, ScalarKind};
pub use scaled::Scaled;
pub use split_mix::SplitMix64;
pub use vec3::Vec3;
