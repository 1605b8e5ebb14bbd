//! The columns of a table with a row for each body and step: names, units, and where they come from.

use crate::dynamics::body::Bodies;
use crate::math::Scalar;

/// How many numbers describe a body in one state.
pub const NUMBERS: usize = 13;

/// A group of columns: one vector or quaternion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in forms that keep its components together.
    pub name: &'static str,
    /// What is in it, for people.
    pub about: &'static str,
    /// The unit; `1` for pure numbers.
    pub unit: &'static str,
    /// The names of its components as columns of their own.
    pub columns: &'static [&'static str],
}

/// The fields of a body, in the order of [`numbers`].
pub const FIELDS: [Field; 4] = [
    Field { name: "position", about: "centre of mass, world frame", unit: "m", columns: &["px", "py", "pz"] },
    Field {
        name: "orientation",
        about: "unit quaternion (w, x, y, z), body frame to world frame",
        unit: "1",
        columns: &["qw", "qx", "qy", "qz"],
    },
    Field {
        name: "linear_velocity",
        about: "velocity of the centre of mass, world frame",
        unit: "m/s",
        columns: &["vx", "vy", "vz"],
    },
    Field {
        name: "angular_velocity",
        about: "angular velocity, world frame",
        unit: "rad/s",
        columns: &["wx", "wy", "wz"],
    },
];

/// The numbers of one body, field after field.
#[must_use]
pub fn numbers<S: Scalar>(bodies: &Bodies<S>, index: usize) -> [S; NUMBERS] {
    let [px, py, pz] = bodies.position[index].to_array();
    let [qw, qx, qy, qz] = bodies.orientation[index].to_array();
    let [vx, vy, vz] = bodies.linear_velocity[index].to_array();
    let [wx, wy, wz] = bodies.angular_velocity[index].to_array();
    [px, py, pz, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz]
}

/// Whether all numbers of a body are numbers at all: a planted fault can make them others.
#[must_use]
pub fn is_finite<S: Scalar>(bodies: &Bodies<S>, index: usize) -> bool {
    numbers(bodies, index).into_iter().all(S::is_finite)
}

/// The names of all columns of numbers.
pub fn columns() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().flat_map(|field| field.columns.iter().copied())
}
