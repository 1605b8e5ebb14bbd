//! Every body of a run as a link of a robot (URDF), which is where Rerun takes shapes from: it draws each in its frame.

use std::fmt::Write;

use crate::export::appearance::Appearance;
use crate::export::foxglove::scene::{Primitive, primitives};
use crate::math::{Quat, Scalar, Vec3};
use crate::scene::printable::in_xml;

/// The links so far, as XML.
pub(super) struct Description {
    scene_name: String,
    world_frame: String,
    links: String,
}

impl Description {
    pub(super) fn new(scene_name: &str, world_frame: &str) -> Self {
        Self { scene_name: scene_name.to_owned(), world_frame: world_frame.to_owned(), links: String::new() }
    }

    /// Adds a body.
    pub(super) fn add(&mut self, appearance: &Appearance, ground_half_side: f64) {
        let name = escape(&appearance.name);
        let [r, g, b] = appearance.colour.linear();
        let mut link = format!("<link name=\"{name}\">");
        for (primitive, mut pose) in appearance.parts.iter().flat_map(|part| primitives(part, ground_half_side)) {
            let geometry = match primitive {
                Primitive::Ball(diameter) => format!("<sphere radius=\"{}\"/>", 0.5 * diameter),
                Primitive::Box(size) => format!("<box size=\"{} {} {}\"/>", size.x, size.y, size.z),
                Primitive::Cylinder(diameter, length) => {
                    format!("<cylinder radius=\"{}\" length=\"{length}\"/>", 0.5 * diameter)
                }
                // A robot has no cones either.
                Primitive::Cone(diameter, length) => format!("<box size=\"{diameter} {diameter} {length}\"/>"),
                Primitive::Polyhedron(triangles) => {
                    // A robot has meshes in files only: the box around it has to do.
                    let (centre, size) = box_around(&triangles);
                    pose.position = pose.transform_point(centre);
                    format!("<box size=\"{} {} {}\"/>", size.x, size.y, size.z)
                }
            };
            let [x, y, z] = pose.position.to_array();
            let [roll, pitch, yaw] = roll_pitch_yaw(pose.orientation);
            // A String takes all that is written to it.
            let _ = write!(
                link,
                "<visual><origin xyz=\"{x} {y} {z}\" rpy=\"{roll} {pitch} {yaw}\"/><geometry>{geometry}</geometry>\
                 <material name=\"{}\"><color rgba=\"{r} {g} {b} 1\"/></material></visual>",
                appearance.colour.name()
            );
        }
        let parent = escape(&self.world_frame);
        let _ = write!(
            self.links,
            "{link}</link>\n<joint name=\"{name}\" type=\"floating\"><parent link=\"{parent}\"/>\
             <child link=\"{name}\"/></joint>\n"
        );
    }

    /// The whole description.
    pub(super) fn text(&self) -> String {
        let (name, world) = (escape(&self.scene_name), escape(&self.world_frame));
        format!("<robot name=\"{name}\">\n<link name=\"{world}\"/>\n{}</robot>\n", self.links)
    }
}

/// The middle and the sides of the box that holds some points.
fn box_around(points: &[Vec3<f64>]) -> (Vec3<f64>, Vec3<f64>) {
    let corners = points.iter().map(|&point| (point, point));
    let (low, high) = corners.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or_default();
    ((low + high) * 0.5, high - low)
}

/// A text as the value of an attribute.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in in_xml(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Turns about x, then y, then z, all of them fixed axes.
fn roll_pitch_yaw(orientation: Quat<f64>) -> [f64; 3] {
    let [w, x, y, z] = orientation.to_array();
    let sine = Scalar::clamp(2.0 * (w * y - z * x), -1.0, 1.0);
    let cosine = (1.0 - sine * sine).sqrt();
    if cosine < 1e-6 {
        // Straight up or down, roll and yaw turn about the same axis: all of it is roll.
        return [2.0 * Scalar::atan2(x, w), Scalar::atan2(sine, cosine), 0.0];
    }
    let roll = Scalar::atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y));
    let yaw = Scalar::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
    [roll, Scalar::atan2(sine, cosine), yaw]
}

#[cfg(test)]
mod tests {
    use super::{escape, roll_pitch_yaw};
    use crate::math::{Quat, Vec3};

    #[test]
    fn roll_pitch_and_yaw_make_the_same_turn() {
        let parts = [-0.8, -0.3, 0.0, 0.5, 1.0];
        for (w, x) in parts.into_iter().flat_map(|w| parts.map(|x| (w, x))) {
            for (y, z) in parts.into_iter().flat_map(|y| parts.map(|z| (y, z))) {
                if [w, x, y, z] == [0.0; 4] {
                    continue;
                }
                let turn = Quat::new(w, x, y, z).normalise();
                let [roll, pitch, yaw] = roll_pitch_yaw(turn);
                let about = |axis, angle| Quat::from_axis_angle(axis, angle);
                let again = about(Vec3::Z, yaw) * about(Vec3::Y, pitch) * about(Vec3::X, roll);
                for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                    let distance = (turn.rotate(axis) - again.rotate(axis)).length();
                    assert!(distance < 1e-5, "{turn:?} became {again:?}");
                }
            }
        }
    }

    #[test]
    fn markup_in_names_is_text() {
        assert_eq!(escape("<a & \"b\" 'c'>"), "&lt;a &amp; &quot;b&quot; &apos;c&apos;&gt;");
        // What XML has no character for is none of it; its frame is called the same.
        assert_eq!(escape("\u{fffd}\u{fffe}\u{ffff}\u{10000}"), "\u{fffd}\\u{fffe}\\u{ffff}\u{10000}");
    }
}
