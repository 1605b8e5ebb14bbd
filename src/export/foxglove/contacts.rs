//! Contact points as arrows along the normal, as long as the impulse is large.

use foxglove::messages::{ArrowPrimitive, Color, KeyValuePair, SceneEntity, Timestamp};

use crate::dynamics::body::BodyKind;
use crate::export::appearance::{turn, vector_f64};
use crate::export::foxglove::pose;
use crate::export::selection::Selection;
use crate::math::{Pose, Scalar, Vec3};
use crate::world::World;

/// What a weight is judged by where there is no gravity, m/s^2.
const USUAL_GRAVITY: f64 = 9.81;
/// Vermilion of the palette of Okabe and Ito.
const COLOR: Color = Color { r: 0.835_294, g: 0.368_627, b: 0.0, a: 1.0 };

/// How impulses become lengths.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArrowScale {
    /// Metres of an arrow for each newton second.
    metres_per_newton_second: f64,
    /// Diameter of an arrow's head, metres.
    head: f64,
}

impl ArrowScale {
    /// An arrow is half as long as a typical body is wide where it carries the weight of one for a step.
    pub(super) fn of<S: Scalar>(world: &World<S>, seconds_per_step: f64) -> Self {
        let (bodies, colliders) = (world.bodies(), world.colliders());
        let is_dynamic = |id: u32| bodies.index_of(id).is_some_and(|index| bodies.kind[index] == BodyKind::Dynamic);
        let sizes = colliders.key.iter().zip(&colliders.shape).filter(|(key, _)| is_dynamic(key.body));
        let size = median(sizes.filter_map(|(_, shape)| shape.largest_half_extent()).map(S::to_f64));
        let masses = bodies.inverse_mass.iter().filter(|inverse| !inverse.is_zero());
        let mass = median(masses.map(|inverse| 1.0 / inverse.to_f64()));
        let gravity = match vector_f64(world.gravity()).length() {
            0.0 => USUAL_GRAVITY,
            gravity => gravity,
        };
        let (size, mass) = (size.unwrap_or(1.0), mass.unwrap_or(1.0));
        Self { metres_per_newton_second: size / (mass * gravity * seconds_per_step), head: 0.2 * size }
    }
}

/// All contacts of a state, in place of those of the state before.
pub(super) fn entity<S: Scalar>(
    world: &World<S>,
    selection: &Selection,
    scale: ArrowScale,
    world_frame: &str,
    time: Timestamp,
) -> SceneEntity {
    let value = scale.metres_per_newton_second.to_string();
    SceneEntity {
        timestamp: Some(time),
        frame_id: world_frame.to_owned(),
        id: "contacts".to_owned(),
        metadata: vec![KeyValuePair { key: "metres_per_newton_second".to_owned(), value }],
        arrows: arrows(world, selection, scale),
        ..SceneEntity::default()
    }
}

fn arrows<S: Scalar>(world: &World<S>, selection: &Selection, scale: ArrowScale) -> Vec<ArrowPrimitive> {
    let names = &world.bodies().name;
    let mut arrows = Vec::new();
    for geometry in world.contact_geometry() {
        let bodies = [geometry.body_a as usize, geometry.body_b as usize];
        if !bodies.iter().any(|&body| names.get(body).is_some_and(|name| selection.takes(name))) {
            continue;
        }
        // The point is of the moment when the contact was seen; the bodies have moved on since.
        let origin = world.start_of_step(bodies[0]) + geometry.displacement_a + geometry.shape_offset_a;
        let orientation = turn(Vec3::X, vector_f64(geometry.manifold.normal));
        for (point, impulse) in geometry.manifold.points().iter().zip(geometry.impulses) {
            let impulse = impulse.to_f64() * world.reduced_mass(geometry).to_f64();
            arrows.push(ArrowPrimitive {
                pose: Some(pose(Pose::new(vector_f64(origin + point.position), orientation))),
                shaft_length: impulse * scale.metres_per_newton_second,
                shaft_diameter: 0.5 * scale.head,
                head_length: scale.head,
                head_diameter: scale.head,
                color: Some(COLOR),
            });
        }
    }
    arrows
}

fn median(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}
