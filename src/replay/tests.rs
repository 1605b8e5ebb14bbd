//! Tests of writer and reader together. What one file says about itself is tested beside it.

mod damage;
mod forge;
mod hostile;
mod memory;
mod resealed;
mod round_trip;
pub(crate) mod sample;
