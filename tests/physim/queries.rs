//! Questions to a world: against closed forms, against each other, and whatever the world went through.

use std::sync::Arc;

use physim::collision::query::Ray;
use physim::geometry::Shape;
use physim::math::{Pose, Quat, Scalar, SplitMix64, Vec3};
use physim::scene::Scene;
use physim::scene::model::BroadPhase;
use physim::scene::query::parse_query;
use physim::world::World;
use physim::world::queries::{Found, Probe, QueryFilter};

use crate::common::{load, package, parse, session};
use crate::on_every_scalar;

/// A floor, a ball of radius 1 at 3 m, a cube of 2 m beside it at x = 4, turned by 45 degrees about y, and a sensor around both.
const YARD: &str = "(version: 1, name: \"yard\", gravity: (0, 0, 0), categories: [\"round\"],
    bodies: [
        (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
        (name: \"ball\", position: Origin(0, 3, 0), shape: Sphere(radius: 1), filter: (category: [\"round\"]), linear_velocity: (1, 0, 0)),
        (name: \"cube\", position: Origin(4, 3, 0), shape: Cuboid(half_extents: (1, 1, 1)),
            orientation: AxisDegrees(axis: (0, 1, 0), degrees: 45)),
        (name: \"zone\", kind: Static, position: Origin(2, 3, 0), shape: Cuboid(half_extents: (6, 2, 6)), sensor: true),
    ])";

fn asked<S: Scalar>(scene: &Arc<Scene>, query: &str) -> Vec<Found> {
    let query = parse_query(scene, "query", query).unwrap_or_else(|error| panic!("{error}"));
    let session = session::<S>(scene);
    session.world().ask([&query]).remove(0).unwrap_or_else(|error| panic!("{error}"))
}

fn names(found: &[Found]) -> Vec<&str> {
    found.iter().map(|found| found.shape.as_str()).collect()
}

fn assert_near(what: &str, found: impl IntoIterator<Item = f64>, expected: &[f64], bound: f64) {
    let found: Vec<f64> = found.into_iter().collect();
    assert_eq!(found.len(), expected.len(), "{what}");
    assert!(
        found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() <= bound),
        "{what}: {found:?}, not {expected:?}"
    );
}

/// Roundings of lengths of some metres.
fn small<S: Scalar>() -> f64 {
    64.0 * S::EPSILON.to_f64()
}

#[test]
fn rays_meet_what_is_in_their_way_in_order() {
    fn holds<S: Scalar>() {
        let yard = parse(YARD);
        let along = "from: (-5, 3, 0), to: (10, 3, 0)";
        let first = asked::<S>(&yard, &format!("Ray({along})"));
        assert_eq!(names(&first), ["ball#0"]);
        assert_near("distance", first[0].distance, &[4.0], small::<S>());
        assert_near("point", first[0].point.expect("a point"), &[-1.0, 3.0, 0.0], small::<S>());
        assert_near("normal", first[0].normal.expect("a normal"), &[-1.0, 0.0, 0.0], small::<S>());
        // The edge of the cube stands sqrt(2) before its middle.
        let all = asked::<S>(&yard, &format!("Ray({along}, all: true, filter: (sensors: true))"));
        assert_eq!(names(&all), ["zone#0", "ball#0", "cube#0"]);
        assert_near(
            "distances",
            all.iter().filter_map(|found| found.distance),
            &[1.0, 4.0, 9.0 - 2.0_f64.sqrt()],
            small::<S>(),
        );
        assert_eq!(names(&asked::<S>(&yard, &format!("Ray({along}, filter: (except: [\"ball\"]))"))), ["cube#0"]);
        assert_eq!(names(&asked::<S>(&yard, &format!("Ray({along}, filter: (sees: [\"default\"]))"))), ["cube#0"]);
        assert_eq!(names(&asked::<S>(&yard, "Ray(from: (-5, 1.9, 0), to: (10, 1.9, 0))")), [""; 0]);
        let down = asked::<S>(&yard, "Ray(from: (2, 5, 0), to: (2, -5, 0))");
        assert_eq!(names(&down), ["floor#0"]);
        assert_near("distance", down[0].distance, &[5.0], small::<S>());
    }
    on_every_scalar!(holds);
}

#[test]
fn shapes_meet_overlap_and_are_near() {
    fn holds<S: Scalar>() {
        let yard = parse(YARD);
        // A ball of 0.5 comes down on one of 1 whose middle is 0.9 to the side: they touch with the middles sqrt(1.5^2 - 0.9^2) = 1.2 apart in height.
        let cast = asked::<S>(&yard, "Cast(shape: Sphere(radius: 0.5), from: (0.9, 9, 0), to: (0.9, 0, 0))");
        assert_eq!(names(&cast), ["ball#0"]);
        assert_near("way", cast[0].distance, &[9.0 - 4.2], 3e-5);
        assert_near("normal", cast[0].normal.expect("a normal"), &[-0.6, -0.8, 0.0], 1e-4);
        assert_near("point", cast[0].point.expect("a point"), &[0.6, 3.8, 0.0], 1e-4);
        assert_eq!(
            names(&asked::<S>(&yard, "Overlap(shape: Cuboid(half_extents: (2, 0.1, 0.1)), at: (2, 3, 0))")),
            ["ball#0", "cube#0"]
        );
        let near = asked::<S>(&yard, "Nearest(at: (0, 5, 0), within: 10)");
        assert_eq!(names(&near), ["ball#0", "cube#0", "floor#0"]);
        let cube = f64::hypot(4.0 - 2.0_f64.sqrt(), 1.0);
        assert_near("distances", near.iter().filter_map(|found| found.distance), &[1.0, cube, 5.0], small::<S>());
        assert_eq!(names(&asked::<S>(&yard, "Nearest(at: (0, 5, 0), within: 0.99)")), [""; 0]);
        assert_eq!(
            names(&asked::<S>(&yard, "Contains(point: (0, 2.5, 0), filter: (sensors: true))")),
            ["ball#0", "zone#0"]
        );
    }
    on_every_scalar!(holds);
}

/// The gap of ball and cube is `4 - 1 - sqrt(2)` along x, and the ball comes by 1 m/s.
#[test]
fn bodies_know_how_far_and_how_long_they_are_from_each_other() {
    fn holds<S: Scalar>() {
        let yard = parse(YARD);
        let gap = 3.0 - 2.0_f64.sqrt();
        let between = asked::<S>(&yard, "Between(bodies: (\"ball\", \"cube\"))");
        assert_eq!((names(&between), between[0].other.as_deref()), (vec!["ball#0"], Some("cube#0")));
        assert_near("distance", between[0].distance, &[gap], small::<S>());
        assert_near("point", between[0].point.expect("a point"), &[1.0, 3.0, 0.0], small::<S>());
        let meet = asked::<S>(&yard, "Meet(bodies: (\"ball\", \"cube\"), seconds: 2)");
        assert_near("time", meet[0].time, &[gap], 3e-5);
        assert_near("normal", meet[0].normal.expect("a normal"), &[1.0, 0.0, 0.0], 1e-4);
        assert_eq!(names(&asked::<S>(&yard, "Meet(bodies: (\"ball\", \"cube\"), seconds: 1.5)")), [""; 0]);
        assert_eq!(names(&asked::<S>(&yard, "Meet(bodies: (\"ball\", \"floor\"), seconds: 100)")), [""; 0]);
    }
    on_every_scalar!(holds);
}

/// The world of a scene after some steps.
fn after<S: Scalar>(name: &str, steps: u32) -> physim::session::Session<S> {
    let mut running = session::<S>(&load(&package().join("scenes").join(name)));
    for _ in 0..steps {
        running.advance(&mut ()).expect("the scene runs on");
    }
    running
}

fn random_place<S: Scalar>(random: &mut SplitMix64) -> Vec3<S> {
    let mut part = |middle: i64, reach: i64| {
        S::from_ratio(middle * 1000 + random.below(2000 * reach as u64) as i64 - 1000 * reach, 1000)
    };
    Vec3::new(part(0, 5), part(2, 3), part(0, 5))
}

/// Everything that a world answers to some rays, casts and probes.
fn answers<S: Scalar>(world: &World<S>) -> Vec<String> {
    let (asked, mut random) = (world.queries(), SplitMix64::new(5));
    let filter = QueryFilter { sensors: true, ..QueryFilter::SOLID };
    let cube = Shape::Cuboid { half_extents: Vec3::splat(S::from_ratio(1, 4)) };
    let mut told = Vec::new();
    for _ in 0..200 {
        let (from, to) = (random_place::<S>(&mut random), random_place::<S>(&mut random));
        let Some((direction, length)) = (to - from).normalise() else { continue };
        let ray = Ray { origin: from, direction, length };
        let through = asked.cast_ray_through(&ray, &filter);
        assert_eq!(asked.cast_ray(&ray, &filter), through.first().cloned());
        let probe = Probe { shape: &cube, pose: Pose::new(from, Quat::IDENTITY) };
        let near = S::ONE.scale_by_power_of_two(-12);
        told.push(format!("{through:?} {:?}", asked.cast_shape(&probe, to - from, near, &filter)));
        told.push(format!("{:?} {:?}", asked.nearest(&probe, S::ONE, &filter), asked.containing(from, &filter)));
    }
    told
}

/// Each body asked about alone, all others left out: together they tell what is told of all.
#[test]
fn a_tree_of_boxes_hides_nothing() {
    fn holds<S: Scalar>() {
        let running = after::<S>("capsules_and_compounds.ron", 90);
        let world = running.world();
        let (asked, mut random) = (world.queries(), SplitMix64::new(9));
        let ids: Vec<u32> = world.bodies().id.clone();
        let mut met = 0;
        for _ in 0..300 {
            let (origin, to) = (random_place::<S>(&mut random), random_place::<S>(&mut random));
            let Some((direction, length)) = (to - origin).normalise() else { continue };
            let ray = Ray { origin, direction, length };
            let mut alone: Vec<_> = Vec::new();
            for &id in &ids {
                let others: Vec<u32> = ids.iter().copied().filter(|&other| other != id).collect();
                alone.extend(asked.cast_ray_through(&ray, &QueryFilter { except: &others, ..QueryFilter::SOLID }));
            }
            alone.sort_by_key(|answer| (answer.distance.to_ordered(), answer.collider.key));
            let together = asked.cast_ray_through(&ray, &QueryFilter::SOLID);
            assert_eq!(together, alone);
            met += together.len();
        }
        assert!(met > 100, "{met}");
    }
    on_every_scalar!(holds);
}

#[test]
fn answers_follow_from_the_state_alone() {
    fn holds<S: Scalar>() {
        let running = after::<S>("sensors.ron", 60);
        let truth = answers(running.world());
        let mut restored = after::<S>("sensors.ron", 0);
        restored.scramble(3);
        restored.restore(&running.encoded().to_bytes()).expect("a state");
        assert_eq!(answers(restored.world()), truth);
        restored.scramble_derived(4);
        assert_eq!(answers(restored.world()), truth, "what is derived is nonsense, and nobody asks it");
        let other =
            Scene { broad_phase: BroadPhase::BruteForce, ..Scene::clone(&load(&package().join("scenes/sensors.ron"))) };
        let mut other = session::<S>(&Arc::new(other));
        other.restore(&running.encoded().to_bytes()).expect("a state");
        assert_eq!(answers(other.world()), truth);
    }
    on_every_scalar!(holds);
}
