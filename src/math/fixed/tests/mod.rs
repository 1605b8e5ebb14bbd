//! Tests of fixed point: exact operations against their definition, functions against long-number references.

mod arithmetic;
mod decimal;
mod reference;
mod robustness;
mod sample;
mod transcendental;
mod turning;
mod vector;
