//! Questions about shapes that no step asks: what a ray meets, how near two shapes are, whether a point lies in one, when two meet on
//! their ways.
//!
//! Shapes and poses in, answers out, from the geometry of now: nothing here knows bodies or keeps anything. All lengths in metres, all
//! directions along the world axes. Positions are told from the origin of a shape, so that a translated scene is answered the same.

pub mod containment;
pub mod distance;
pub mod look;
pub mod ray;
mod ray_round;
mod ray_surface;
mod straight;
pub mod time_of_impact;

pub use containment::contains;
pub use distance::{Closest, closest, nearest_facet};
pub use look::{PairLook, look_at};
pub use ray::{Ray, RayHit, cast_ray};
pub use straight::part_until;
pub use time_of_impact::{Impact, Moving, time_of_impact};
