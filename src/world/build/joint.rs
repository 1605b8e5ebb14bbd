//! A joint of a scene as a row of the world.

use std::sync::Arc;

use crate::dynamics::body::Bodies;
use crate::dynamics::joint::{Joint, JointKind, WORLD};
use crate::math::{Scalar, Vec3};
use crate::scene::model;
use crate::world::build::numbers::to_vec3;
use crate::world::error::BuildError;

/// The largest ratio of what an impulse at a joint turns to what it pushes: some thousand radii of gyration from the centre of
/// mass. Beyond it fixed point has too few digits for the speed of the joint.
const MOST_TURNING: f64 = 1_048_576.0;

/// Builds the joint with this id between bodies of step 0, whose ids are the ranks of their names.
///
/// # Errors
/// A body that does not exist, a number that does not fit, an anchor too far from its body.
pub fn build_joint<S: Scalar>(source: &model::Joint, id: u32, bodies: &Bodies<S>) -> Result<Joint<S>, BuildError> {
    let ends = Ends { joint: &source.name, bodies };
    let a = ends.index(&source.a)?;
    let b = source.b.as_deref().map(|name| ends.index(name)).transpose()?;
    let given = |key, anchor: &Option<model::Vector>| anchor.as_ref().map(|at| ends.vector(key, at)).transpose();
    let anchor_a = given("anchor_a", &source.anchor_a)?.map(|anchor| anchor - bodies.centre[a]);
    let anchor_b = given("anchor_b", &source.anchor_b)?.map(|anchor| b.map_or(anchor, |b| anchor - bodies.centre[b]));
    let at = given("at", &source.at)?;
    let meeting = at
        .or_else(|| anchor_a.map(|anchor| ends.in_world(Some(a), anchor)))
        .or_else(|| anchor_b.map(|anchor| ends.in_world(b, anchor)))
        .ok_or_else(|| BuildError::Scene(format!("the joint {:?} does not say where it is", source.name)))?;
    let joint = Joint {
        id,
        name: Arc::from(source.name.as_str()),
        kind: match source.kind {
            model::JointKind::Spherical => JointKind::Spherical,
        },
        a: bodies.id[a],
        b: b.map_or(WORLD, |b| bodies.id[b]),
        anchor_a: anchor_a.unwrap_or_else(|| ends.in_body(Some(a), meeting)).canonical(),
        anchor_b: anchor_b.unwrap_or_else(|| ends.in_body(b, meeting)).canonical(),
        collides: source.collide,
        impulse: Vec3::ZERO,
    };
    ends.check_reach(a, joint.anchor_a)?;
    b.map_or(Ok(()), |b| ends.check_reach(b, joint.anchor_b))?;
    Ok(joint)
}

/// The bodies among which a joint looks for its own.
struct Ends<'a, S> {
    joint: &'a str,
    bodies: &'a Bodies<S>,
}

impl<S: Scalar> Ends<'_, S> {
    fn index(&self, name: &str) -> Result<usize, BuildError> {
        let found = self.bodies.name.binary_search_by(|other| (**other).cmp(name));
        found.map_err(|_| {
            BuildError::Scene(format!("the joint {:?}: {name:?} does not match any body of step 0", self.joint))
        })
    }

    fn vector(&self, key: &'static str, vector: &model::Vector) -> Result<Vec3<S>, BuildError> {
        to_vec3(self.joint, key, vector)
    }

    /// A point of a body, from its centre of mass, as a point of the world.
    fn in_world(&self, body: Option<usize>, anchor: Vec3<S>) -> Vec3<S> {
        body.map_or(anchor, |body| self.bodies.position[body] + self.bodies.orientation[body].rotate(anchor))
    }

    /// A point of the world as one of a body, from its centre of mass.
    fn in_body(&self, body: Option<usize>, point: Vec3<S>) -> Vec3<S> {
        body.map_or(point, |body| {
            let rotation = self.bodies.orientation[body].to_matrix();
            rotation.transpose_mul(point - self.bodies.position[body])
        })
    }

    /// An anchor so far out that an impulse there would hardly push its body, and only turn it, is refused.
    fn check_reach(&self, body: usize, anchor: Vec3<S>) -> Result<(), BuildError> {
        if self.bodies.inverse_mass[body].is_zero() {
            return Ok(());
        }
        let inertia = &self.bodies.inertia[body];
        let scale = libm::scalbn(1.0, -2 * inertia.length_exponent);
        let rows = inertia.inverse.rows().map(Vec3::to_f64);
        let [x, y, z] = anchor.to_f64();
        let turning = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]].map(|across| {
            let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            dot(across, rows.map(|row| dot(row, across))) * scale
        });
        if turning.into_iter().all(|turning| turning <= MOST_TURNING) {
            return Ok(());
        }
        Err(BuildError::FarAnchor { joint: self.joint.to_owned(), body: self.bodies.name[body].to_string() })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::dynamics::joint::WORLD;
    use crate::math::{Fixed, Scalar, Vec3};
    use crate::scene;
    use crate::world::World;
    use crate::world::error::BuildError;

    fn build<S: Scalar>(joint: &str) -> Result<World<S>, BuildError> {
        // "stick" is turned so that its x axis points up, and its origin is a metre below its centre of mass.
        let text = format!(
            "(version: 1, name: \"joined\", bodies: [
                (name: \"stick\", position: Origin(5, 2, 0), orientation: AxisDegrees(axis: (0, 0, 1), degrees: 90),
                    mass: Given(mass: 2, centre: (1, 0, 0), inertia: (1, 1, 1, 0, 0, 0))),
                (name: \"ball\", position: Origin(4, 3, 0), shape: Sphere(radius: 0.5)),
            ], joints: [(name: \"j\", kind: Spherical, {joint})])"
        );
        let scene = scene::parse("test scene", &text).unwrap_or_else(|error| panic!("{error}"));
        World::build(&Arc::new(scene))
    }

    fn anchors<S: Scalar>(joint: &str) -> [[f64; 3]; 2] {
        let world = build::<S>(joint).unwrap_or_else(|error| panic!("{error}"));
        let joint = &world.joints()[0];
        [joint.anchor_a.to_f64(), joint.anchor_b.to_f64()]
    }

    fn assert_near(found: [[f64; 3]; 2], expected: [[f64; 3]; 2]) {
        for (found, expected) in found.as_flattened().iter().zip(expected.as_flattened()) {
            assert!((found - expected).abs() < 2e-6, "{found} should be {expected}");
        }
    }

    fn what_is_not_written_follows<S: Scalar>() {
        // From the centre of mass, which is at (5, 3, 0).
        let both = [[-1.0, 0.0, 0.0], [1.0, -1.0, 0.0]];
        assert_near(anchors::<S>("a: \"stick\", b: \"ball\", anchor_a: (0, 0, 0)"), both);
        assert_near(anchors::<S>("a: \"stick\", b: \"ball\", anchor_b: (1, -1, 0)"), both);
        assert_near(anchors::<S>("a: \"stick\", b: \"ball\", at: (5, 2, 0)"), both);
        let apart = [[-1.0, 0.0, 0.0], [0.25, 0.0, 0.0]];
        assert_near(anchors::<S>("a: \"stick\", b: \"ball\", anchor_a: (0, 0, 0), anchor_b: (0.25, 0, 0)"), apart);
        let world = [[1.0, 0.0, 0.0], [5.0, 4.0, 0.0]];
        assert_near(anchors::<S>("a: \"stick\", anchor_a: (2, 0, 0)"), world);
        assert_near(anchors::<S>("a: \"stick\", anchor_b: (5, 4, 0)"), world);
        assert_near(anchors::<S>("a: \"stick\", at: (5, 4, 0)"), world);
    }

    #[test]
    fn anchors_are_of_the_centre_of_mass_and_what_is_not_written_follows() {
        what_is_not_written_follows::<Fixed>();
        what_is_not_written_follows::<f32>();
        what_is_not_written_follows::<f64>();
    }

    #[test]
    fn an_anchor_too_far_from_its_body_is_refused() {
        // A ball of half a metre turns by 10 m^-2 for what it moves: 2^20 of that is 323 m.
        let at = |metres: u32| build::<f64>(&format!("a: \"ball\", anchor_a: (0, {metres}, 0)"));
        let far = BuildError::FarAnchor { joint: "j".to_owned(), body: "ball".to_owned() };
        assert_eq!(at(323).map(|world| world.joints()[0].b), Ok(WORLD));
        assert_eq!(at(324).map(|_| ()), Err(far));
        let world = build::<f64>("a: \"ball\", anchor_a: (0, 1, 0)").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(world.joint_points(&world.joints()[0]), [Vec3::new(4.0, 4.0, 0.0); 2]);
    }
}
