//! Tests of scenes as a whole, by theme.

mod bad;
mod bad_shapes;
mod changes;
mod files;
mod gltf;
mod good;
mod solids;
