//! One step of the world, top to bottom.

use crate::dynamics::solver::solve_step;
use crate::math::Scalar;
use crate::scene::model::Input;
use crate::world::World;
use crate::world::error::StepError;
use crate::world::stage::{Observer, Stage};

impl<S: Scalar> World<S> {
    /// Takes the world from one step to the next under the inputs that act in it.
    ///
    /// # Errors
    /// An input that names no body, or a body that escapes; the world is then between two steps and of no more use.
    pub fn step(&mut self, inputs: &[&Input], observer: &mut impl Observer<S>) -> Result<(), StepError> {
        self.begin_step();
        self.apply_inputs(inputs)?;
        observer.stage_ended(Stage::Inputs, self);
        self.add_forces();
        observer.stage_ended(Stage::Forces, self);
        self.find_pairs();
        observer.stage_ended(Stage::BroadPhase, self);
        self.find_contacts();
        observer.stage_ended(Stage::NarrowPhase, self);
        self.colour_contacts();
        observer.stage_ended(Stage::Colouring, self);
        self.solve_contacts()?;
        observer.stage_ended(Stage::Solve, self);
        self.finish_step();
        observer.stage_ended(Stage::Finish, self);
        Ok(())
    }

    /// Clears what the step before left in the accumulators.
    fn begin_step(&mut self) {
        self.scratch.counts = Default::default();
        self.scratch.acting.clear();
    }

    /// Turns gravity, forces and torques into accelerations.
    fn add_forces(&mut self) {
        let motion = &mut self.scratch.motion;
        motion.begin_step(self.bodies.len());
        motion.find_inertia(&self.bodies, &self.settings);
        for acting in &self.scratch.acting {
            if let Some(index) = self.bodies.index_of(acting.body) {
                motion.force[index] += acting.force;
                motion.torque[index] += acting.torque;
            }
        }
        motion.find_accelerations(&self.bodies, &self.settings, self.gravity);
    }

    /// Groups the contacts into colours.
    fn colour_contacts(&mut self) {
        self.scratch.colouring.assign(&self.scratch.geometry, &self.bodies);
    }

    /// Solves the contacts in substeps while the bodies move.
    fn solve_contacts(&mut self) -> Result<(), StepError> {
        let scratch = &mut self.scratch;
        let counts = solve_step(
            &mut scratch.rows,
            &mut scratch.colouring,
            &mut self.contacts,
            &scratch.geometry,
            &mut self.bodies,
            &mut scratch.motion,
            &self.settings,
        )
        .map_err(|escape| StepError::escaped(self.step + 1, &self.bodies, &self.settings, escape))?;
        scratch.counts.add_solve(counts);
        Ok(())
    }

    /// Gives what is stored its one bit pattern and counts the step.
    fn finish_step(&mut self) {
        for index in 0..self.bodies.len() {
            self.bodies.position[index] = self.bodies.position[index].canonical();
            self.bodies.orientation[index] = self.bodies.orientation[index].canonical();
            self.bodies.linear_velocity[index] = self.bodies.linear_velocity[index].canonical();
            self.bodies.angular_velocity[index] = self.bodies.angular_velocity[index].canonical();
        }
        self.step += 1;
    }
}
