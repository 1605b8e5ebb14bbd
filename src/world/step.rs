//! One step of the world, top to bottom.

use crate::dynamics::solver::Solve;
use crate::math::Scalar;
use crate::scene::model::Input;
use crate::world::World;
use crate::world::counts::Counted;
use crate::world::error::StepError;
use crate::world::fault::rounding::SolveFaults;
use crate::world::phases::Phases;
use crate::world::stage::{Observer, Stage};

impl<S: Scalar> World<S> {
    /// Takes the world from one step to the next under the inputs that act in it.
    ///
    /// # Errors
    /// An input that does not match any body, a body that escapes, or more pairs than there may be; the world is then between two steps and of no more use.
    pub fn step(&mut self, inputs: &[&Input], observer: &mut impl Observer<S>) -> Result<(), StepError> {
        self.begin_step();
        self.apply_inputs(inputs)?;
        self.end(Stage::Inputs, observer);
        self.add_forces();
        self.end(Stage::Forces, observer);
        self.find_pairs()?;
        self.end(Stage::BroadPhase, observer);
        self.find_contacts();
        self.end(Stage::NarrowPhase, observer);
        self.colour_constraints();
        self.end(Stage::Colouring, observer);
        self.solve_constraints(observer)?;
        self.find_passages();
        self.end(Stage::Solve, observer);
        self.finish_step();
        self.sense();
        self.end(Stage::Finish, observer);
        Ok(())
    }

    /// Injects what is planted at the end of a stage, then shows the stage to whoever watches.
    fn end(&mut self, stage: Stage, observer: &mut impl Observer<S>) {
        self.inject(stage);
        observer.stage_ended(stage, self);
    }

    /// Clears what the step before left in the accumulators, and tells the threads which step it is.
    fn begin_step(&mut self) {
        self.executor.begin_step(self.step + 1);
        self.scratch.counts = Default::default();
        self.scratch.passage = None;
        self.scratch.acting.clear();
        self.know_overlaps();
    }

    /// Turns gravity, forces and torques into accelerations.
    fn add_forces(&mut self) {
        let motion = &mut self.scratch.motion;
        motion.begin_step(self.bodies.len());
        motion.find_inertia(&self.bodies, &self.settings, &mut self.executor);
        for acting in &self.scratch.acting {
            if let Some(index) = self.bodies.index_of(acting.body) {
                motion.force[index] += acting.force;
                motion.torque[index] += acting.torque;
            }
        }
        motion.find_accelerations(&self.bodies, &self.settings, self.gravity, &mut self.executor);
    }

    /// Groups the joints and the contacts into colours.
    fn colour_constraints(&mut self) {
        self.scratch.joints.colour(&self.joints, &self.bodies);
        self.scratch.colouring.assign(&self.scratch.geometry, &self.bodies);
    }

    /// Solves the joints and the contacts in substeps while the bodies move.
    fn solve_constraints(&mut self, observer: &mut impl Observer<S>) -> Result<(), StepError> {
        let faults = SolveFaults::new(&self.planted);
        let mut phases = Phases { globals: self.globals(), colliders: &self.colliders, faults, observer };
        let scratch = &mut self.scratch;
        let solve = Solve {
            rows: &mut scratch.rows,
            colouring: &mut scratch.colouring,
            joints: &mut self.joints,
            joint_work: &mut scratch.joints,
            contacts: &mut self.contacts,
            geometry: &mut scratch.geometry,
            open: &mut scratch.open,
            impacts: &mut scratch.impacts,
            bodies: &mut self.bodies,
            colliders: &self.colliders,
            broad_phase: &self.broad_phase,
            apart: &scratch.apart,
            motion: &mut scratch.motion,
            settings: &self.settings,
            lanes: self.lanes,
            executor: &mut self.executor,
            counts: Default::default(),
        };
        let counts = solve
            .run(&mut phases)
            .map_err(|escape| StepError::escaped(self.step + 1, &self.bodies, &self.settings, escape))?;
        scratch.counts.add_solve(counts);
        scratch.counts.add(Counted::Joints, scratch.joints.count() as u64);
        self.sort_contacts();
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
