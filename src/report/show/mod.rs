//! The reports of `physim show`: a replay as a whole, one step, bodies over steps, sensors over steps.

pub mod contacts;
pub mod mass;
pub mod matrices;
pub mod overview;
pub mod point;
pub mod rows;
pub mod sensors;
pub mod step;

use crate::analysis::show::BodyView;
use crate::export::csv::push_cell;
use crate::report::number::short;
use crate::report::show::matrices::{Matrix4, matrices};
use serde::Serialize;

/// A vector for people, a fixed number of decimals.
fn vector_text<const N: usize>(components: [f64; N]) -> String {
    let parts: Vec<String> = components.iter().map(|component| format!("{:>8}", rounded(*component))).collect();
    parts.join(" ")
}

/// Numbers for people, in parentheses.
fn tuple<const N: usize>(numbers: [f64; N]) -> String {
    format!("({})", numbers.map(short).join(", "))
}

/// The width of a vector, as long as no number has more than three digits before its point.
const VECTOR_WIDTH: usize = 26;

/// A number with four decimals; never `-0.0000`.
fn rounded(value: f64) -> String {
    let text = format!("{value:.4}");
    if text.strip_prefix('-').is_some_and(|digits| digits.chars().all(|digit| digit == '0' || digit == '.')) {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}

/// A body at one moment, as the contract names its keys.
#[derive(Serialize)]
struct BodyJson<'a> {
    name: &'a str,
    position: [f64; 3],
    origin: [f64; 3],
    orientation: [f64; 4],
    linear_velocity: [f64; 3],
    angular_velocity: [f64; 3],
    asleep: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    body_to_world: Option<Matrix4>,
    #[serde(skip_serializing_if = "Option::is_none")]
    world_to_body: Option<Matrix4>,
}

impl<'a> From<&'a BodyView> for BodyJson<'a> {
    fn from(body: &'a BodyView) -> Self {
        Self {
            name: &body.name,
            position: body.position,
            origin: body.origin,
            orientation: body.orientation,
            linear_velocity: body.linear_velocity,
            angular_velocity: body.angular_velocity,
            asleep: body.asleep,
            body_to_world: None,
            world_to_body: None,
        }
    }
}

impl BodyJson<'_> {
    /// The same with the matrices between its frame and the world's.
    fn with_matrices(body: &BodyView) -> BodyJson<'_> {
        let [there, back] = matrices(body);
        BodyJson { body_to_world: Some(there), world_to_body: Some(back), ..BodyJson::from(body) }
    }
}

/// The columns of a body in CSV, in metres, m/s and rad/s.
const BODY_COLUMNS: &str = "px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,asleep";

/// A body as columns of CSV, every digit of its numbers.
fn body_columns(body: &BodyView) -> String {
    let numbers =
        body.position.iter().chain(&body.orientation).chain(&body.linear_velocity).chain(&body.angular_velocity);
    let mut cells: Vec<String> = numbers.map(f64::to_string).collect();
    cells.push(body.asleep.to_string());
    cells.join(",")
}

/// A text as one cell of CSV.
fn csv_cell(text: &str) -> String {
    let mut cell = Vec::new();
    push_cell(text, &mut cell);
    String::from_utf8_lossy(&cell).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{csv_cell, rounded};

    #[test]
    fn cells_keep_their_commas() {
        assert_eq!(csv_cell("ball"), "ball");
        assert_eq!(csv_cell("wall[3,4]"), "\"wall[3,4]\"");
        assert_eq!(csv_cell("a\"b"), "\"a\"\"b\"");
    }

    #[test]
    fn small_negative_numbers_are_zero() {
        assert_eq!([-1e-9, -0.5, 0.00006].map(rounded), ["0.0000", "-0.5000", "0.0001"]);
    }
}
