//! What threads share: the work of a call, and memory of which each of them has its own part.
//!
//! This is the one folder of the parallel layer with `unsafe` in it. What leaves it is safe to use in any way, on any threads:
//! [`call`] lends work to other threads and takes it back before it returns, and [`columns`] hands out parts of arrays that do not
//! overlap, each once.

#![allow(unsafe_code, reason = "threads that outlive a call cannot borrow from it in safe Rust")]

pub(super) mod call;
pub(super) mod columns;
