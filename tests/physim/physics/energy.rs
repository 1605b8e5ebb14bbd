//! Energy never rises by itself: in no scene that is shipped, wherever nothing from outside does work.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use physim::collision::manifold::collide;
use physim::dynamics::body::BodyKind;
use physim::dynamics::collider::Placement;
use physim::dynamics::contact::ContactGeometry;
use physim::dynamics::joint::Joint;
use physim::dynamics::settings::{Correction, Softness};
use physim::math::{Scalar, ScalarKind, Vec3};
use physim::scene::generate::expand;
use physim::scene::resolve::ResolvedBody;
use physim::scene::{Scene, load, model};
use physim::session::Session;
use physim::world::World;
use physim::world::schedule::Schedule;

use crate::common::{long_tests, place_of};
use crate::physics::support::{rounding, wide};

/// Shipped scenes in which something does work all the time: a paddle, platforms, a carousel and a pusher.
const LEFT_OUT: [&str; 3] = ["broad_phase_race.ron", "kinematic_platform.ron", "shelf_crates.ron"];

/// Scenes with more bodies than this are watched for [`STEPS_OF_LARGE`] steps: until the lowest layers have landed. Each is watched on one
/// scalar; `PHYSIM_LONG_TESTS=1` watches it on all.
const LARGE: usize = 500;
const STEPS_OF_LARGE: u32 = 40;

/// What the bodies of a moment have, joules.
#[derive(Clone, Copy)]
struct Account {
    /// Kinetic and potential energy on the paths that the bodies take.
    ///
    /// Semi-implicit Euler keeps exactly the energy of the parabola through its positions, on which a body has `v + g h/2` at
    /// the end of a substep: half a substep of fall more than what is stored.
    energy: f64,
    /// What the overlaps can give back.
    stored: f64,
    /// What slow contacts leave open: a contact slower than `g h` has no place on a parabola within the substep. It is a row,
    /// and `v` is known to `g h` there.
    slow: f64,
    /// What the roundings of a step can make of it.
    rounding: f64,
}

impl Account {
    fn of<S: Scalar>(world: &World<S>) -> Self {
        let (bodies, settings) = (world.bodies(), world.settings());
        let gravity = wide(world.gravity());
        let substep = settings.substep_seconds.to_f64();
        let contacts = world.contact_geometry();
        let sum = world.energy();
        let mut account = Self { energy: sum.total(), stored: 0.0, slow: 0.0, rounding: 0.0 };
        // A velocity is rounded when gravity, damping and impacts change it, and in each pass over the rows.
        let solver = &settings.solver;
        let changes = f64::from(settings.solver.substeps * (4 + solver.iterations + solver.relax_iterations));
        let mut touches = vec![false; bodies.len()];
        for body in contacts.iter().flat_map(|contact| [contact.body_a, contact.body_b]) {
            touches[body as usize] = true;
        }
        for body in world.joints().iter().flat_map(|joint| [joint.a, joint.b]) {
            if let Some(index) = bodies.index_of(body) {
                touches[index] = true;
            }
        }
        for index in (0..bodies.len()).filter(|&index| bodies.kind[index] == BodyKind::Dynamic) {
            let mass = bodies.inverse_mass[index].recip().to_f64();
            let fall = gravity * bodies.gravity_scale[index].to_f64();
            let (position, velocity) = (wide(bodies.position[index]), wide(bodies.linear_velocity[index]));
            account.energy += mass * fall.dot(velocity) * substep / 2.0;
            if touches[index] {
                account.slow += mass * fall.length_squared() * substep * substep / 2.0;
            }
            let (far, fast) = (largest(position), largest(velocity));
            account.rounding += mass * (fall.length() * rounding::<S>(far) + fast * changes * rounding::<S>(fast));
        }
        // Adding up rounds too, each time to the size of the sum, and in `f64`.
        account.rounding += bodies.len() as f64 * (sum.kinetic + sum.potential.abs()) * f64::EPSILON;
        // The rotation matrix has entries up to 1, whatever the size of the body: its roundings are parts of the energy.
        account.rounding += sum.kinetic * 8.0 * S::EPSILON.to_f64();
        account.stored = contacts.iter().map(|contact| stored(world, contact)).sum::<f64>()
            + world.joints().iter().map(|joint| stored_in_joint(world, joint)).sum::<f64>();
        account
    }
}

fn largest(v: Vec3<f64>) -> f64 {
    v.to_array().into_iter().fold(0.0, |largest, component| component.abs().max(largest))
}

/// What the overlap of two shapes can give back at most, joules.
fn stored<S: Scalar>(world: &World<S>, contact: &ContactGeometry<S>) -> f64 {
    let (bodies, colliders, settings) = (world.bodies(), world.colliders(), world.settings());
    let [a, b] = [contact.body_a, contact.body_b].map(|body| body as usize);
    let [first, second] = contact.colliders.map(|collider| collider as usize);
    // The contact was found when the step began: now the bodies are farther.
    let place = |collider: usize, body: usize| {
        Placement::of(body as u32, &colliders.local[collider], bodies.orientation[body].to_matrix())
    };
    let (place_a, place_b) = (place(first, a), place(second, b));
    let offset = bodies.position[b] - bodies.position[a] + place_b.offset - place_a.offset;
    let [shape_a, shape_b] = [first, second].map(|collider| &colliders.shape[collider]);
    let manifold = collide(shape_a, &place_a.rotation, shape_b, &place_b.rotation, offset, S::ZERO);

    let mass = world.reduced_mass(contact).to_f64();
    let dynamic = [a, b].into_iter().filter(|&body| bodies.kind[body] == BodyKind::Dynamic);
    let weight =
        dynamic.map(|body| bodies.inverse_mass[body].recip().to_f64()).sum::<f64>() * wide(world.gravity()).length();
    let of_depth = |depth: f64| match settings.solver.correction {
        // A spring of the frequency that these three numbers stand for; a point has at most the reduced mass.
        Correction::Soft(spring) => {
            let [scale, kept, bias] = [spring.mass_scale, spring.impulse_scale, spring.bias_rate].map(Scalar::to_f64);
            mass * scale / kept * bias * settings.rate.to_f64() * depth * depth / 2.0
        }
        // A speed, and the way up.
        Correction::Baumgarte { rate, .. } => mass * (rate.to_f64() * depth).powi(2) / 2.0 + weight * depth,
        Correction::Projection { .. } => weight * depth,
    };
    manifold.points().iter().map(|point| -point.separation.to_f64()).filter(|&depth| depth > 0.0).map(of_depth).sum()
}

/// What a joint that has come apart can give back: a spring, as overlaps are.
fn stored_in_joint<S: Scalar>(world: &World<S>, joint: &Joint<S>) -> f64 {
    let (bodies, settings) = (world.bodies(), world.settings());
    let Softness { mass_scale, impulse_scale, bias_rate, .. } = settings.solver.joints;
    let inverse = [joint.a, joint.b].into_iter().filter_map(|body| bodies.index_of(body));
    let mass = 1.0 / inverse.map(|body| 1.0 / bodies.inverse_mass[body].recip().to_f64()).sum::<f64>();
    let [a, b] = world.joint_points(joint).map(wide);
    let [scale, kept, bias] = [mass_scale, impulse_scale, bias_rate].map(Scalar::to_f64);
    mass * scale / kept * bias * settings.rate.to_f64() * (b - a).length_squared() / 2.0
}

/// The shipped scenes, by path.
fn shipped() -> Vec<PathBuf> {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let list = |folder: PathBuf| std::fs::read_dir(folder).expect("the scenes can be listed");
    let entries = list(scenes.join("bench")).chain(list(scenes)).map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "ron")).collect();
    paths.sort();
    paths
}

/// Whether anything can do work in every step: what moves and nothing can push, or what bounces with all it has.
fn is_driven(bodies: &[ResolvedBody]) -> bool {
    let bounces =
        |body: &ResolvedBody| body.colliders.iter().any(|collider| collider.material.restitution.to_f64() >= 1.0);
    let drives = |body: &ResolvedBody| body.kind == model::BodyKind::Kinematic && body.pushing().next().is_some();
    bodies.iter().any(|body| drives(body) || bounces(body))
}

/// Runs a scene and holds every step against the lowest energy that there was since something acted from outside.
///
/// The first step finds what overlaps in the scene, so the account is opened after it.
fn watch<S: Scalar>(scene: &Arc<Scene>, steps: u32) {
    let schedule = Schedule::new(scene.inputs.clone());
    let mut session = Session::<S>::new(scene, schedule.clone(), Vec::new(), 1).expect("the scene makes a world");
    let mut lowest: Option<Account> = None;
    let mut rounded = 0.0;
    for step in 1..=steps {
        session.advance(&mut ()).unwrap_or_else(|error| panic!("{}: {error}", scene.name));
        let now = Account::of(session.world());
        let Some(low) = lowest.filter(|_| schedule.acting_in(step).is_empty()) else {
            (lowest, rounded) = (Some(now), 0.0);
            continue;
        };
        rounded += now.rounding;
        let released = (low.stored - now.stored).max(0.0);
        let (rise, bound) = (now.energy - low.energy, released + low.slow + now.slow + rounded);
        assert!(
            rise <= bound,
            "{} in {}, step {step}: {} J are {rise:e} J above the lowest; overlaps gave {released:e} J, {bound:e} J are explained",
            scene.name,
            S::KIND.name(),
            now.energy,
        );
        if rise < 0.0 {
            (lowest, rounded) = (Some(now), 0.0);
        }
    }
}

fn energy_never_rises<S: Scalar>() {
    let mut left_out = Vec::new();
    for (number, path) in shipped().into_iter().enumerate() {
        let scene = Arc::new(load(&path).unwrap_or_else(|error| panic!("{error}")));
        let bodies = expand(&scene).expect("the bodies of the scene");
        if is_driven(&bodies) {
            left_out.push(path.file_name().expect("a name").to_string_lossy().into_owned());
            continue;
        }
        let is_large = bodies.len() > LARGE;
        if is_large && number % ScalarKind::ALL.len() != place_of::<S>() && !long_tests() {
            continue;
        }
        let steps = if is_large { STEPS_OF_LARGE } else { scene.steps };
        watch::<S>(&scene, steps);
    }
    assert_eq!(left_out, LEFT_OUT, "scenes that are driven all the time, and so not watched");
}

on_every_scalar!(energy_never_rises);
