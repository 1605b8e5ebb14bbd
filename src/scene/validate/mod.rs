//! What values a scene may have. Every problem is found, not only the first.
//!
//! `limits` has the numbers, `body`, `density` and `inertia` check bodies and generators, `names`, `filters`, `inputs`, `joints` and `queries`
//! what refers to what; the keys of the scene itself are checked here. All checks are of the exact decimals, except for the
//! plausibility of masses and moments of inertia.

mod body;
mod checker;
mod density;
mod filters;
mod inertia;
mod inputs;
mod joints;
mod limits;
mod names;
mod queries;

use crate::scene::cutting_effort::CuttingEffort;
use crate::scene::error::{Problem, SceneError, quoted};
use crate::scene::generate::count_bodies;
use crate::scene::model::defaults::SCENE_VERSION;
use crate::scene::model::{Correction, Material, Scene, Solver};
use crate::scene::path::Path;
use crate::scene::resolve::resolve_shapes;
use crate::scene::substeps::MOST;
use crate::scene::validate::checker::{Checker, Item};

pub(super) use queries::problems_of_query;

pub use limits::{MAX_COLLIDERS, MAX_NAME_BYTES, MAX_STEPS};

/// Checks a scene.
///
/// # Errors
/// Everything that is wrong with it.
pub fn validate(scene: &Scene) -> Result<(), SceneError> {
    let problems = problems(scene);
    if problems.is_empty() { Ok(()) } else { Err(SceneError::without_text(problems)) }
}

/// Everything that is wrong with a scene.
pub(super) fn problems(scene: &Scene) -> Vec<Problem> {
    // To look at a solid is to cut it.
    if let Err(problem) = CuttingEffort::of(scene) {
        return vec![problem];
    }
    let mut checker = Checker::new(scene);
    check_settings(&mut checker);
    check_solver(&mut checker);
    check_materials(&mut checker);
    check_shapes(&mut checker);
    body::check_bodies(&mut checker);
    if let Err(problem) = count_bodies(scene) {
        checker.add(problem);
    }
    names::check_names(&mut checker);
    filters::check_filters(&mut checker);
    inputs::check_inputs(&mut checker);
    joints::check_joints(&mut checker);
    queries::check_queries(&mut checker);
    checker.into_problems()
}

fn check_settings(checker: &mut Checker<'_>) {
    let scene = checker.scene();
    let root = Path::root();
    if scene.version != SCENE_VERSION {
        let title = format!("scene format version {} is not supported", scene.version);
        checker.add(Problem::new(root.key("version"), title).expected(format!("this is version {SCENE_VERSION}")));
    }
    names::check_name(checker, "the scene", &scene.name, &root.key("name"));
    checker.count(&Item::setting("steps"), scene.steps, 0..=MAX_STEPS);
    checker.count(&Item::setting("keyframe_every"), scene.keyframe_every, 1..=limits::MAX_KEYFRAME_STEPS);
    checker.vector(&Item::setting("gravity"), &scene.gravity, &limits::ACCELERATION);
    let bounds = Item::setting("bounds");
    checker.number(&bounds.part("position"), &scene.bounds.position, &limits::POSITION_BOUND);
    checker.number(&bounds.part("speed"), &scene.bounds.speed, &limits::SPEED_BOUND);
    checker.number(&bounds.part("angular_speed"), &scene.bounds.angular_speed, &limits::ANGULAR_SPEED_BOUND);
}

fn check_solver(checker: &mut Checker<'_>) {
    let Solver::Impulse(solver) = &checker.scene().solver;
    let item = Item::setting("solver");
    if let Some(substeps) = solver.substeps {
        checker.count(&item.part("substeps"), substeps, 1..=MOST);
    }
    checker.count(&item.part("iterations"), solver.iterations, 1..=1000);
    checker.count(&item.part("relax_iterations"), solver.relax_iterations, 0..=100);
    checker.count(&item.part("relax_limit"), solver.relax_limit, 0..=100);
    checker.number(&item.part("restitution_threshold"), &solver.restitution_threshold, &limits::SOLVER_SPEED);
    checker.number(&item.part("speculative_distance"), &solver.speculative_distance, &limits::SOLVER_DISTANCE);
    let item = item.part("correction");
    match &solver.correction {
        Correction::Soft { hertz, damping_ratio, push_speed } => {
            if let Some(hertz) = hertz {
                checker.number(&item.part("hertz"), hertz, &limits::HERTZ);
            }
            checker.number(&item.part("damping_ratio"), damping_ratio, &limits::DAMPING_RATIO);
            checker.number(&item.part("push_speed"), push_speed, &limits::SOLVER_SPEED);
        }
        Correction::Baumgarte { beta, slop } | Correction::Projection { beta, slop } => {
            checker.number(&item.part("beta"), beta, &limits::PART_OF_ONE);
            checker.number(&item.part("slop"), slop, &limits::SOLVER_DISTANCE);
        }
    }
}

fn check_materials(checker: &mut Checker<'_>) {
    for (name, material) in &checker.scene().materials {
        let path = Path::root().key("materials").name(name);
        let owner = format!("material {}", quoted(name));
        names::check_name(checker, "a material", name, &path);
        let item = Item::new(path, &owner);
        let Material {
            friction,
            restitution,
            rolling_friction,
            spinning_friction,
            friction_combine: _,
            restitution_combine: _,
            density,
        } = material;
        checker.number(&item.part("friction"), friction, &limits::FRICTION);
        checker.number(&item.part("restitution"), restitution, &limits::PART_OF_ONE);
        checker.number(&item.part("rolling_friction"), rolling_friction, &limits::FRICTION_ARM);
        checker.number(&item.part("spinning_friction"), spinning_friction, &limits::FRICTION_ARM);
        density::check_density(checker, &item.part("density"), density);
    }
}

fn check_shapes(checker: &mut Checker<'_>) {
    let scene = checker.scene();
    for (name, shape) in &scene.shapes {
        if checker.is_full() {
            return;
        }
        let path = Path::root().key("shapes").name(name);
        names::check_name(checker, "a shape", name, &path);
        match resolve_shapes(scene, shape, &path) {
            Ok(_) => body::check_shape(checker, shape, &path, &format!("shape {}", quoted(name))),
            Err(problem) => checker.add(problem),
        }
    }
}
