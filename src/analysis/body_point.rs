//! A point that is fixed to a body, over the steps of a run.

use std::ops::ControlFlow;
use std::str::FromStr;

use crate::analysis::show::{ShowError, time_of};
use crate::analysis::show_steps::{Left, Selection, go_on};
use crate::analysis::states::{PassError, StateVisitor, visit_states};
use crate::math::{Scalar, Vec3};
use crate::replay::Replay;
use crate::world::World;

/// How far from the origin of its body a point may be along each axis, metres: as far as a joint's anchor.
const FARTHEST: f64 = 10_000.0;

/// Which point of which body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyPoint {
    /// The body's name.
    pub body: String,
    /// The point in the body's frame, metres from its origin.
    pub point: [f64; 3],
}

impl FromStr for BodyPoint {
    type Err = String;

    /// Reads `hammer:(0, 0.3, 0)`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected a body and a point of its frame in metres, such as `hammer:(0, 0.3, 0)`".to_owned();
        let (body, point) = text.rsplit_once(":(").ok_or_else(wrong)?;
        let inside = point.trim_end().strip_suffix(')').ok_or_else(wrong)?;
        let numbers =
            inside.split(',').map(|number| number.trim().parse().ok().filter(|number: &f64| number.is_finite()));
        let numbers: Vec<f64> = numbers.collect::<Option<_>>().ok_or_else(wrong)?;
        let point = <[f64; 3]>::try_from(numbers).map_err(|_| wrong())?;
        if body.is_empty() {
            return Err(wrong());
        }
        if point.iter().any(|coordinate| coordinate.abs() > FARTHEST) {
            return Err(format!("expected a point within {FARTHEST} m of the body's origin along each axis"));
        }
        Ok(Self { body: body.to_owned(), point })
    }
}

/// The point at the end of a step; world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointAt {
    /// The step.
    pub step: u32,
    /// Simulated time in seconds.
    pub time: f64,
    /// Where it is, metres.
    pub position: [f64; 3],
    /// How fast it moves, m/s.
    pub velocity: [f64; 3],
}

/// Calls `visit` with the point in every selected step in which its body is there, until it breaks.
///
/// # Errors
/// When this build does not come to a step as the recording did.
pub fn for_each_place(
    replay: &Replay,
    selection: &Selection,
    point: &BodyPoint,
    visit: &mut dyn FnMut(PointAt) -> ControlFlow<()>,
) -> Result<(), ShowError> {
    match visit_states(replay, &selection.as_steps(), &mut Places { replay, point, visit }) {
        Err(PassError::Rerun(error)) => Err(error.into()),
        Ok(()) | Err(PassError::Visitor(Left)) => Ok(()),
    }
}

struct Places<'a> {
    replay: &'a Replay,
    point: &'a BodyPoint,
    visit: &'a mut dyn FnMut(PointAt) -> ControlFlow<()>,
}

impl StateVisitor for Places<'_> {
    type Error = Left;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), Left> {
        let bodies = world.bodies();
        let Some(index) = bodies.index_of_name(&self.point.body) else { return Ok(()) };
        let step = world.step_number();
        let wide = |v: Vec3<S>| Vec3::from_array(v.to_f64());
        let rotation = bodies.orientation[index].to_matrix();
        let [x, y, z] = rotation.rows.map(wide);
        let from_centre = Vec3::from_array(self.point.point) - wide(bodies.centre[index]);
        let arm = Vec3::new(x.dot(from_centre), y.dot(from_centre), z.dot(from_centre));
        let velocity = wide(bodies.linear_velocity[index]) + wide(bodies.angular_velocity[index]).cross(arm);
        go_on((self.visit)(PointAt {
            step,
            time: time_of(self.replay, step),
            position: (wide(bodies.position[index]) + arm).to_array(),
            velocity: velocity.to_array(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::body_point::BodyPoint;

    #[test]
    fn a_point_is_read_with_its_body() {
        let read = |text: &str| text.parse::<BodyPoint>().ok().map(|read| (read.body, read.point));
        assert_eq!(read("hammer:(0, 0.3, -1e-3)"), Some(("hammer".to_owned(), [0.0, 0.3, -0.001])));
        assert_eq!(read("wall[3,4]:(1,2,3) "), Some(("wall[3,4]".to_owned(), [1.0, 2.0, 3.0])));
        assert_eq!(read("a:(b):(1,2,3)"), Some(("a:(b)".to_owned(), [1.0, 2.0, 3.0])));
        for wrong in [
            "hammer",
            "hammer:1,2,3",
            "hammer:(1,2)",
            "hammer:(1,2,3,4)",
            ":(1,2,3)",
            "a:(1,2,inf)",
            "a:(1,2,x)",
            "a:(1,2,3",
            "a:(1,2,10001)",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
