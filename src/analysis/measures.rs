//! The few numbers that sum up a state: what is plotted over time and compared between runs.

use crate::math::Scalar;
use crate::world::World;
use crate::world::energy::Energy;

/// The sums and extremes of one state; SI units, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// The step.
    pub step: u32,
    /// Bodies.
    pub bodies: usize,
    /// Contacts.
    pub contacts: usize,
    /// Points of all contacts.
    pub contact_points: usize,
    /// Energies and momenta of the dynamic bodies.
    pub energy: Energy,
    /// The largest overlap of two shapes as the step found it at its start, metres; 0 where none overlap.
    pub largest_overlap: f64,
}

impl Measures {
    /// Measures the state that a world has come to.
    #[must_use]
    pub fn of<S: Scalar>(world: &World<S>) -> Self {
        let points = || world.contact_geometry().iter().flat_map(|contact| contact.manifold.points());
        let overlap = |largest: f64, depth: f64| if depth > largest { depth } else { largest };
        Self {
            step: world.step_number(),
            bodies: world.bodies().len(),
            contacts: world.contacts().len(),
            contact_points: world.contacts().iter().map(|contact| contact.points().len()).sum(),
            energy: world.energy(),
            largest_overlap: points().map(|point| -point.separation.to_f64()).fold(0.0, overlap),
        }
    }
}
