//! Questions to a world between two steps: rays, shapes on their way, overlaps, nearest points, what holds a point, when bodies meet.
//!
//! Answers follow from where everything is and reach no state. They come from boxes that are made when the first question is asked, not
//! from those of the broad phase: a world that was restored, or ran with another broad phase, answers the same to the bit. Of several
//! answers that are equally near the first collider in the order of the state is told.

mod ask;
mod bodies;
mod look;
mod overlaps;
mod rays;
mod shapes;

use crate::collision::broad_phase::DynamicTree;
use crate::dynamics::collider::Placement;
use crate::geometry::Shape;
use crate::math::{Scalar, Vec3};
use crate::world::World;
use crate::world::detect::tight_box;
use crate::world::sensors::NamedCollider;

pub use ask::{Answer, AskError, Found};
pub use bodies::{BodiesNearest, Meeting};
pub use look::{LookedAt, Unmet};
pub use overlaps::{Overlap, PassingPairs};
pub use rays::RayAnswer;
pub use shapes::{CastAnswer, Nearest, Probe};

/// Which colliders a question is about.
#[derive(Clone, Copy, Debug)]
pub struct QueryFilter<'a> {
    /// The categories that are seen, a bit each, as in [`Filter::category`](crate::dynamics::filter::Filter).
    pub sees: u32,
    /// Bodies that are not seen, by id.
    pub except: &'a [u32],
    /// Whether sensors are seen.
    pub sensors: bool,
}

impl QueryFilter<'_> {
    /// Everything but sensors.
    pub const SOLID: Self = Self { sees: u32::MAX, except: &[], sensors: false };
}

/// A collider where it is now.
struct Placed<S> {
    /// The turn of the shape, and its place on its body.
    placement: Placement<S>,
    /// Its origin in the world, metres.
    origin: Vec3<S>,
}

/// A world that is asked.
pub struct Queries<'a, S: Scalar> {
    world: &'a World<S>,
    placed: Vec<Placed<S>>,
    tree: DynamicTree<S>,
}

impl<S: Scalar> World<S> {
    /// Where to ask this world, as it is now. Makes a tree of all boxes: ask it as much as there is to ask.
    #[must_use]
    pub fn queries(&self) -> Queries<'_, S> {
        let place = |collider| {
            let placement = self.placement_now(collider);
            Placed { origin: self.bodies.position[placement.body as usize] + placement.offset, placement }
        };
        let placed: Vec<Placed<S>> = (0..self.colliders.len()).map(place).collect();
        let bounds = |(placed, shape): (&Placed<S>, _)| tight_box(shape, &placed.placement.rotation, placed.origin);
        let boxes: Vec<_> = placed.iter().zip(&self.colliders.shape).map(bounds).collect();
        let mut tree = DynamicTree::new();
        tree.rebuild(&boxes);
        Queries { world: self, placed, tree }
    }
}

/// Of two things that are met, each with its collider, the one that is met first; of two at one place the first in the order of the state.
fn first_of<T, S: Scalar>(one: Option<(u32, T)>, other: Option<(u32, T)>, place: impl Fn(&T) -> S) -> Option<(u32, T)> {
    one.into_iter().chain(other).min_by_key(|(collider, met)| (place(met).to_ordered(), *collider))
}

impl<S: Scalar> Queries<'_, S> {
    fn shape(&self, collider: u32) -> &Shape<S> {
        &self.world.colliders.shape[collider as usize]
    }

    fn placed(&self, collider: u32) -> &Placed<S> {
        &self.placed[collider as usize]
    }

    /// The body of a collider, by index.
    fn body(&self, collider: u32) -> usize {
        self.placed(collider).placement.body as usize
    }

    fn is_seen(&self, collider: u32, filter: &QueryFilter<'_>) -> bool {
        let colliders = &self.world.colliders;
        let number = collider as usize;
        colliders.filter[number].category & filter.sees != 0
            && (filter.sensors || !colliders.is_sensor[number])
            && !filter.except.contains(&colliders.key[number].body)
    }

    fn named(&self, collider: u32) -> NamedCollider {
        self.world.named_collider(collider, self.body(collider))
    }
}
