//! What a run came to, measured on the poses of every engine by the same function: speed is not to be bought with it.

use physim::collision::collide;
use physim::dynamics::body::BodyKind;
use physim::dynamics::joint::Joint;
use physim::geometry::{Aabb, Shape};
use physim::math::{Mat3, Quat, Vec3};

use crate::engine::{BodyState, Engine};
use crate::reference::Reference;

/// The state at the end in a few numbers.
#[derive(Clone, Copy, Debug)]
pub struct Quality {
    /// Overlap of the pair that overlaps most, metres.
    pub largest_overlap: f64,
    /// Overlap of those that overlap, on average, metres.
    pub mean_overlap: f64,
    /// Distance of the two points of the joint whose points are farthest apart, metres.
    pub largest_gap: f64,
    /// The same on average over all joints, metres.
    pub mean_gap: f64,
    /// Kinetic energy of the dynamic bodies, on average, joules.
    pub mean_kinetic_energy: f64,
    /// How far the body that moved most is from where it began, metres.
    pub drift: f64,
}

/// A shape in its place.
struct Placed {
    body: u32,
    shape: Shape<f64>,
    rotation: Mat3<f64>,
    centre: Vec3<f64>,
    /// Nothing around a half-space.
    bounds: Option<Aabb<f64>>,
}

impl Quality {
    /// Measures the final state of an engine.
    pub fn of(engine: &impl Engine, reference: &Reference) -> Self {
        let states = engine.states();
        let overlaps = overlaps(&placed(&states, reference));
        let gaps = gaps(&states, reference);
        let bodies = reference.world.bodies();
        let is_dynamic = |index: &usize| bodies.kind[*index] == BodyKind::Dynamic;
        let dynamic: Vec<usize> = (0..bodies.len()).filter(is_dynamic).collect();
        let moved = |index: &usize| (Vec3::from_array(states[*index].position) - bodies.position[*index]).length();
        Self {
            largest_overlap: overlaps.iter().copied().fold(0.0, f64::max),
            mean_overlap: overlaps.iter().sum::<f64>() / overlaps.len().max(1) as f64,
            largest_gap: gaps.iter().copied().fold(0.0, f64::max),
            mean_gap: gaps.iter().sum::<f64>() / gaps.len().max(1) as f64,
            mean_kinetic_energy: engine.kinetic_energy() / dynamic.len().max(1) as f64,
            drift: dynamic.iter().map(moved).fold(0.0, f64::max),
        }
    }
}

/// The shapes of physim at the poses of an engine.
fn placed(states: &[BodyState], reference: &Reference) -> Vec<Placed> {
    let colliders = reference.world.colliders();
    let one = |index: usize| {
        let collider = colliders.row(index);
        let state = &states[reference.world.bodies().index_of(collider.key.body)?];
        let body = rotation_of(state);
        let rotation = body * collider.local.orientation.to_matrix();
        let centre = Vec3::from_array(state.position) + body * collider.local.position;
        let bounds = collider.shape.aabb(&rotation, centre);
        Some(Placed { body: collider.key.body, shape: collider.shape, rotation, centre, bounds })
    };
    (0..colliders.len()).filter_map(one).collect()
}

/// How far apart the two points of every joint are, metres.
fn gaps(states: &[BodyState], reference: &Reference) -> Vec<f64> {
    let place = |id: u32, anchor: Vec3<f64>| {
        let state = reference.world.bodies().index_of(id).map(|index| &states[index]);
        state.map_or(anchor, |state| Vec3::from_array(state.position) + rotation_of(state) * anchor)
    };
    let gap = |joint: &Joint<f64>| (place(joint.a, joint.anchor_a) - place(joint.b, joint.anchor_b)).length();
    reference.world.joints().iter().map(gap).collect()
}

/// The turn of a body, from body to world.
fn rotation_of(state: &BodyState) -> Mat3<f64> {
    let [w, x, y, z] = state.orientation;
    Quat { w, x, y, z }.normalise().to_matrix()
}

/// The overlap of every pair that overlaps, metres: that of its deepest point.
fn overlaps(placed: &[Placed]) -> Vec<f64> {
    let (mut bounded, unbounded): (Vec<&Placed>, Vec<&Placed>) = placed.iter().partition(|one| one.bounds.is_some());
    let start = |one: &Placed| one.bounds.map_or(0.0, |bounds| bounds.min.x);
    bounded.sort_by(|a, b| start(a).total_cmp(&start(b)));
    let mut found = Vec::new();
    for (place, first) in bounded.iter().enumerate() {
        found.extend(unbounded.iter().filter_map(|second| overlap(first, second)));
        let Some(bounds) = first.bounds else { continue };
        for second in bounded[place + 1..].iter().take_while(|second| start(second) <= bounds.max.x) {
            if second.bounds.is_some_and(|other| bounds.overlaps(&other)) {
                found.extend(overlap(first, second));
            }
        }
    }
    found
}

/// How deep two shapes are in each other, if they are.
fn overlap(a: &Placed, b: &Placed) -> Option<f64> {
    if a.body == b.body {
        return None;
    }
    let manifold = collide(&a.shape, &a.rotation, &b.shape, &b.rotation, b.centre - a.centre, 0.0);
    let depth = manifold.points().iter().map(|point| -point.separation).fold(0.0, f64::max);
    (depth > 0.0).then_some(depth)
}
