//! A static body far away from all others: of no concern to them.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::analysis::bisect::condition::Runner;
use crate::analysis::stress::comparison::{Tally, compare};
use crate::analysis::stress::trial::Trial;
use crate::analysis::stress::view::Seen;
use crate::analysis::stress::{Attack, Finding, Target, Tell};
use crate::math::Scalar;
use crate::scene::decimal::{Decimal, Exact};
use crate::scene::generate::expand;
use crate::scene::model::{Action, Body, BodyKind, Place, Scene, Shape, Vector};
use crate::session::record::RunPlan;
use crate::world::error::BuildError;

/// Runs the scene beside a far body whose name sorts first, in the middle, and last.
///
/// # Errors
/// When the scene makes no world.
pub fn far_body<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let not_tried = |why: String| Ok(Finding::not_tried(Attack::FarBody, S::KIND, why));
    let Some(place) = far_place(&target.plan.scene) else {
        return not_tried("the bounds of the scene need too many digits to stand within them".to_owned());
    };
    let names = names(target.plan);
    let mut tally = Tally::new();
    for name in &names {
        let trial = beside(target.plan, name, &place);
        let mut runner = Runner::start(&trial.condition)?;
        let compared = compare::<S>(target.baseline, &trial, &mut runner, tell);
        if let Some(step) = compared.divergence.filter(|_| is_touched(&runner, name)) {
            return not_tried(format!("something comes to where the far body stands, in step {step}"));
        }
        tally.add::<S>(target, &trial, compared);
        if tally.parted.is_some() {
            break;
        }
    }
    let Vector(x, y, z) = place;
    let done = format!("a static ball at ({x}, {y}, {z}) m, under {} names", names.len());
    Ok(tally.finding::<S>(Attack::FarBody, done))
}

/// Seven eighths of the way to a corner of the bounds.
fn far_place(scene: &Scene) -> Option<Vector> {
    let far = scene.bounds.position.exact().checked_mul(Exact::new(875, 3))?;
    let near = Exact::ZERO.checked_sub(far)?;
    Some(Vector(far.to_decimal(), far.to_decimal(), near.to_decimal()))
}

/// Names that sort before, among and behind those of the scene, and that no body ever has.
fn names(plan: &RunPlan) -> Vec<String> {
    // A scene that cannot be expanded makes no world either, which is told when it is built.
    let sorted: Vec<String> =
        expand(&plan.scene).unwrap_or_default().into_iter().map(|body| body.name.clone()).collect();
    let inputs = plan.scene.inputs.iter().chain(plan.extra_inputs.iter().map(|(input, _)| input));
    let spawned = inputs.filter_map(|input| match &input.action {
        Action::Spawn(body) => Some(body.name.clone()),
        _ => None,
    });
    let taken: BTreeSet<String> = sorted.iter().cloned().chain(spawned).collect();
    let free = |start: String| {
        let mut name = start;
        while taken.contains(&name) {
            name.push('~');
        }
        name
    };
    let mut names = vec![free("!".to_owned())];
    if let (Some(middle), Some(last)) = (sorted.get(sorted.len().saturating_sub(1) / 2), sorted.last()) {
        names.push(free(format!("{middle}~")));
        names.push(free(format!("{last}~far")));
    }
    names.sort();
    names.dedup();
    names
}

fn beside(plan: &RunPlan, name: &str, place: &Vector) -> Trial {
    let mut scene = Scene::clone(&plan.scene);
    scene.bodies.push(ball(name, place));
    let plan = RunPlan { scene: Arc::new(scene), ..plan.clone() };
    let label = format!("the run beside the far body \"{name}\"");
    Trial { view: Seen::Without(name.to_owned()), ..Trial::plain(label, plan) }
}

fn ball(name: &str, place: &Vector) -> Body {
    let half: Decimal = Exact::new(5, 1).to_decimal();
    Body {
        kind: BodyKind::Static,
        position: Place::Origin(place.clone()),
        shape: Some(Shape::Sphere { radius: half }),
        ..Body::new(name)
    }
}

/// Whether anything is in contact with the body of this name.
fn is_touched<S: Scalar>(runner: &Runner<'_, S>, name: &str) -> bool {
    let world = runner.session().world();
    let Some(index) = world.bodies().index_of_name(name) else { return false };
    let id = world.bodies().row(index).id;
    world.contacts().iter().any(|contact| contact.a.body == id || contact.b.body == id)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{beside, far_place, names};
    use crate::analysis::bisect::condition::Runner;
    use crate::analysis::step_difference::{Keep, TakenStep, first_differing};
    use crate::analysis::stress::baseline::baseline;
    use crate::analysis::stress::comparison::compare;
    use crate::analysis::stress::trial::Trial;
    use crate::analysis::stress::view::Seen;
    use crate::scene;
    use crate::session::record::RunPlan;

    const SCENE: &str = "(version: 1, name: \"three\", steps: 9, scalar: F64, bodies: [
        (name: \"b\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
        (name: \"d\", position: Origin(0, 0.5, 0), shape: Sphere(radius: 0.5)),
        (name: \"e\", position: Origin(0, 2, 0), shape: Sphere(radius: 0.5))],
        inputs: [(step: 3, action: Spawn(name: \"c\", position: Origin(3, 3, 3), shape: Sphere(radius: 0.5)))])";

    #[test]
    fn a_far_body_is_seen_unless_it_is_left_out() {
        let scene = scene::parse("test scene", SCENE).unwrap_or_else(|error| panic!("{error}"));
        let plan = RunPlan::new(Arc::new(scene));
        let first = baseline(&plan, &mut |_| true).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(names(&plan), ["!", "d~", "e~far"]);
        let place = far_place(&plan.scene).unwrap_or_else(|| panic!("no place"));
        for name in names(&plan) {
            let trial = beside(&plan, &name, &place);
            let compared = |trial: &Trial| {
                let mut runner = Runner::<f64>::start(&trial.condition).unwrap_or_else(|error| panic!("{error}"));
                compare(&first, trial, &mut runner, &mut || {}).divergence
            };
            assert_eq!(compared(&trial), None, "{name}");
            assert_eq!(compared(&Trial { view: Seen::Whole, ..trial.clone() }), Some(0), "{name}");
            assert_eq!(compared(&Trial { view: Seen::Without("d".to_owned()), ..trial }), Some(0), "{name}");
        }
    }

    #[test]
    fn beside_a_far_body_a_step_derives_the_same() {
        let scene = scene::parse("test scene", SCENE).unwrap_or_else(|error| panic!("{error}"));
        let plan = RunPlan::new(Arc::new(scene));
        let place = far_place(&plan.scene).unwrap_or_else(|| panic!("no place"));
        let taken = |plan: &RunPlan, view: &Seen| {
            let mut session = plan.session::<f64>().unwrap_or_else(|error| panic!("{error}"));
            (0..4).for_each(|_| drop(session.advance(&mut ())));
            let mut step = TakenStep::after(None);
            let taken = session.advance(&mut step.observer_through(Keep::All, |data| view.of_data(data))).is_ok();
            assert!(taken && session.world().contacts().len() == 1);
            step
        };
        let alone = taken(&plan, &Seen::Whole);
        for name in names(&plan) {
            let trial = beside(&plan, &name, &place);
            assert_eq!(first_differing(&alone, &taken(&trial.condition.plan, &trial.view)), None, "{name}");
            assert_eq!(first_differing(&alone, &taken(&trial.condition.plan, &Seen::Whole)), Some(0), "{name}");
        }
    }
}
