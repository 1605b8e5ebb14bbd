//! What is taken out of a scene as a whole: steps, what comes before a later start, groups, bodies, joints, inputs.

use std::collections::BTreeSet;

use crate::analysis::minimize::Search;
use crate::analysis::minimize::ddmin::ddmin;
use crate::scene::generate::write_out_group;
use crate::scene::model::{Action, BodyKind, Input, Joint, Scene};
use crate::session::rebase::rebase;

/// Most bodies of which each pair is tried.
const MAX_TRADED: usize = 6;

/// The body that an input acts on or makes.
fn body_of(input: &Input) -> Option<&str> {
    match &input.action {
        Action::Spawn(body) => Some(&body.name),
        other => other.target(),
    }
}

/// The bodies of a joint.
fn bodies_of(joint: &Joint) -> impl Iterator<Item = &str> {
    [Some(joint.a.as_str()), joint.b.as_deref()].into_iter().flatten()
}

/// Takes out what names bodies that are left out.
fn forget_bodies(scene: &mut Scene, is_left_out: &impl Fn(&str) -> bool) {
    scene.inputs.retain(|input| !body_of(input).is_some_and(is_left_out));
    scene.joints.retain(|joint| !bodies_of(joint).any(is_left_out));
    scene.excluded_pairs.retain(|(a, b)| !is_left_out(a) && !is_left_out(b));
}

impl Search<'_> {
    /// Ends the run earlier, by as much as possible.
    pub(super) fn fewer_steps(&mut self) -> Option<()> {
        let mut fewer_by = if self.oracle.knows_step() { 0 } else { self.best.scene.steps };
        while fewer_by > 0 {
            let steps = self.best.scene.steps.checked_sub(fewer_by);
            let is_shorter = match steps {
                None => false,
                Some(steps) => self.shows_from_here(Scene { steps, ..self.best.scene.clone() })?,
            };
            if !is_shorter {
                fewer_by /= 2;
            }
        }
        Some(())
    }

    /// Starts the run at one of its own later steps: at the last but one, or as much before it as is needed.
    pub(super) fn later_start(&mut self) -> Option<()> {
        let (last, start) = (self.best.scene.steps, self.best.start);
        let run = self.run_of_best();
        let mut before = 1;
        while before < last {
            let step = last - before;
            let rebased = rebase(&run, step, &mut |_| self.may_go_on());
            if self.was_ended {
                return None;
            }
            if let Some(scene) = rebased
                && self.shows(scene, start + step)?
            {
                return Some(());
            }
            before *= 2;
        }
        Some(())
    }

    /// Leaves out whole groups.
    pub(super) fn fewer_groups(&mut self) -> Option<()> {
        let names: Vec<String> = self.best.scene.groups.iter().map(|group| group.name.clone()).collect();
        ddmin(&names, &mut |kept| {
            let kept: BTreeSet<&str> = kept.iter().map(String::as_str).collect();
            let mut scene = self.best.scene.clone();
            scene.groups.retain(|group| kept.contains(group.name.as_str()));
            let is_left_out = |name: &str| {
                let base = name.split_once('[').map(|(base, _)| base);
                base.is_some_and(|base| names.iter().any(|name| name == base) && !kept.contains(base))
            };
            forget_bodies(&mut scene, &is_left_out);
            self.shows_from_here(scene)
        });
        self.unless_ended()
    }

    /// Leaves out bodies, spawned ones too, with their joints and the inputs that act on them.
    pub(super) fn fewer_bodies(&mut self) -> Option<()> {
        let scene = &self.best.scene;
        let mut names: Vec<String> = scene.bodies.iter().map(|body| body.name.clone()).collect();
        names.extend(scene.inputs.iter().filter_map(|input| match &input.action {
            Action::Spawn(body) => Some(body.name.clone()),
            _ => None,
        }));
        let all: BTreeSet<String> = names.iter().cloned().collect();
        ddmin(&names, &mut |kept| {
            let kept: BTreeSet<&str> = kept.iter().map(String::as_str).collect();
            let is_left_out = |name: &str| !kept.contains(name) && all.contains(name);
            let mut scene = self.best.scene.clone();
            scene.bodies.retain(|body| !is_left_out(&body.name));
            forget_bodies(&mut scene, &is_left_out);
            self.shows_from_here(scene)
        });
        self.unless_ended()
    }

    /// Writes groups out body by body where that lets bodies go.
    pub(super) fn groups_body_by_body(&mut self) -> Option<()> {
        for group in (0..self.best.scene.groups.len()).rev() {
            let (grouped, bodies) = (self.best.clone(), self.bodies);
            let Ok(scene) = write_out_group(&self.best.scene, group) else { continue };
            if self.shows_from_here(scene)? {
                self.fewer_bodies()?;
                if self.bodies == bodies {
                    self.best = grouped;
                }
            }
        }
        Some(())
    }

    /// Leaves out joints.
    pub(super) fn fewer_joints(&mut self) -> Option<()> {
        let joints = self.best.scene.joints.clone();
        let places: Vec<usize> = (0..joints.len()).collect();
        ddmin(&places, &mut |kept| {
            let joints = kept.iter().filter_map(|place| joints.get(*place).cloned()).collect();
            self.shows_from_here(Scene { joints, ..self.best.scene.clone() })
        });
        self.unless_ended()
    }

    /// Leaves out inputs.
    pub(super) fn fewer_inputs(&mut self) -> Option<()> {
        let inputs = self.best.scene.inputs.clone();
        let places: Vec<usize> = (0..inputs.len()).collect();
        ddmin(&places, &mut |kept| {
            let inputs = kept.iter().filter_map(|place| inputs.get(*place).cloned()).collect();
            self.shows_from_here(Scene { inputs, ..self.best.scene.clone() })
        });
        self.unless_ended()
    }

    /// Makes bodies static.
    pub(super) fn fewer_moving_bodies(&mut self) -> Option<()> {
        let moving = self.best.scene.bodies.iter().filter(|body| body.kind != BodyKind::Static);
        let names: Vec<String> = moving.map(|body| body.name.clone()).collect();
        ddmin(&names, &mut |kept| {
            let kept: BTreeSet<&str> = kept.iter().map(String::as_str).collect();
            let mut scene = self.best.scene.clone();
            for body in &mut scene.bodies {
                if !kept.contains(body.name.as_str()) {
                    body.kind = BodyKind::Static;
                }
            }
            self.shows_from_here(scene)
        });
        self.unless_ended()
    }

    /// Leaves out one of few bodies where only one of the rest is to move: what holds a body up is not needed when it
    /// falls onto another that does not move.
    pub(super) fn fewer_bodies_of_which_one_moves(&mut self) -> Option<()> {
        let names: Vec<String> = self.best.scene.bodies.iter().map(|body| body.name.clone()).collect();
        if names.len() > MAX_TRADED {
            return Some(());
        }
        let pairs = names.iter().flat_map(|gone| names.iter().map(move |moving| (gone, moving)));
        for (gone, moving) in pairs.filter(|(gone, moving)| gone != moving) {
            let mut scene = self.best.scene.clone();
            scene.bodies.retain(|body| body.name != *gone);
            scene.inputs.retain(|input| body_of(input) != Some(gone));
            scene.joints.retain(|joint| bodies_of(joint).all(|name| name != gone));
            for body in &mut scene.bodies {
                body.kind = if body.name == *moving { BodyKind::Dynamic } else { BodyKind::Static };
            }
            if self.shows_from_here(scene)? {
                break;
            }
        }
        Some(())
    }

    pub(super) fn unless_ended(&self) -> Option<()> {
        (!self.was_ended).then_some(())
    }
}
