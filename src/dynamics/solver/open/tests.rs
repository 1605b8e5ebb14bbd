//! First touches of random pairs, against looks at very many moments.

use super::{Clearance, OpenPair, first_touch};
use crate::collision::Manifold;
use crate::collision::broad_phase::FatAabb;
use crate::dynamics::body::Bodies;
use crate::dynamics::collider::{Collider, ColliderKey, Colliders, Surface};
use crate::dynamics::contact::touching_gap;
use crate::dynamics::filter::Filter;
use crate::dynamics::integrator::Motion;
use crate::dynamics::settings::RotationUpdate;
use crate::dynamics::solver::foretold::Foretold;
use crate::dynamics::solver::poses::{ColliderPair, Scenery};
use crate::dynamics::solver::rows::NONE;
use crate::geometry::Shape;
use crate::math::{Fixed, Pose, Quat, Scalar, SplitMix64, Vec3};

/// What random approaches are made of.
struct Cases(SplitMix64);

impl Cases {
    fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number from `low` to `high`.
    fn between<S: Scalar>(&mut self, low: f64, high: f64) -> S {
        S::from_ratio((self.0.between(low, high) * 1e9) as i64, 1_000_000_000)
    }

    fn vector<S: Scalar>(&mut self, size: f64) -> Vec3<S> {
        Vec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }

    /// One of several sizes, small ones as often as large ones.
    fn size(&mut self, sizes: [f64; 4]) -> f64 {
        sizes[(self.bits() % 4) as usize]
    }

    fn shape<S: Scalar>(&mut self) -> Shape<S> {
        match self.bits() % 4 {
            0 => Shape::Sphere { radius: self.between(0.05, 1.0) },
            1 => Shape::Capsule { half_height: self.between(0.05, 1.0), radius: self.between(0.02, 0.5) },
            _ => Shape::Cuboid {
                half_extents: Vec3::new(self.between(0.05, 1.0), self.between(0.05, 1.0), self.between(0.05, 1.0)),
            },
        }
    }
}

/// Two shapes on bodies of their own that do not touch yet.
struct Approach<S: Scalar> {
    bodies: Bodies<S>,
    colliders: Colliders<S>,
    precession: Vec<Vec3<S>>,
    rotation: RotationUpdate,
}

impl<S: Scalar> Approach<S> {
    /// Two random shapes, a little or far from each other, on their way towards each other or past.
    fn random(random: &mut Cases) -> Self {
        let shapes = if random.bits().is_multiple_of(4) {
            [Shape::HalfSpace { normal: Vec3::Y }, random.shape()]
        } else {
            [random.shape(), random.shape()]
        };
        let speed = random.size([0.1, 1.0, 20.0, 200.0]);
        let spins = [random.size([0.0, 1.0, 20.0, 300.0]), random.size([0.0, 1.0, 20.0, 300.0])];
        let is_plane = matches!(shapes[0], Shape::HalfSpace { .. });
        let turns: [Quat<S>; 2] = [0, 1].map(|side| match (is_plane, side) {
            (true, 0) => Quat::IDENTITY,
            _ => Quat::from_axis_angle(random.vector(1.0), random.between(-3.0, 3.0)),
        });
        let way: Vec3<S> = random.vector(2.5);
        let spin_of = |random: &mut Cases, size: f64| if size == 0.0 { Vec3::ZERO } else { random.vector(size) };
        let first_spin = if is_plane { Vec3::ZERO } else { spin_of(random, spins[0]) };
        let mut bodies = Bodies {
            position: vec![Vec3::ZERO, way],
            orientation: turns.to_vec(),
            linear_velocity: vec![Vec3::ZERO, random.vector::<S>(speed) - way * S::from_i32(speed as i32)],
            angular_velocity: vec![first_spin, spin_of(random, spins[1])],
            ..Bodies::default()
        };
        bodies.constants.change().id = vec![0, 1];
        let mut colliders = Colliders::default();
        for (body, shape) in (0..).zip(shapes) {
            colliders.push(&Collider {
                key: ColliderKey { body, part: 0 },
                shape,
                local: Pose { position: Vec3::ZERO, orientation: Quat::IDENTITY },
                surface: Surface::PLAIN,
                filter: Filter::PLAIN,
                is_sensor: false,
                fat_box: FatAabb::HalfSpace { normal: Vec3::Y, point: Vec3::ZERO },
            });
        }
        let rotation =
            if random.bits().is_multiple_of(2) { RotationUpdate::FirstOrder } else { RotationUpdate::ExponentialMap };
        Self { bodies, colliders, precession: vec![Vec3::ZERO; 2], rotation }
    }

    fn scenery(&self) -> Scenery<'_, S> {
        let Self { bodies, colliders, precession, rotation } = self;
        Scenery::new(bodies, colliders, precession, *rotation)
    }

    fn open(&self) -> OpenPair<S> {
        let reach = [0, 1].map(|collider| self.colliders.reach[collider]);
        OpenPair::new(ColliderPair { colliders: [0, 1], bodies: [0, 1], piece: 0 }, reach, Clearance::UNKNOWN, NONE)
    }

    /// The smallest gap of any point at a moment; large where there is none.
    fn gap_at(&self, time: S) -> f64 {
        let meeting = self.scenery().meeting(self.open().pair(), time, S::from_i32(20));
        meeting.gap().map_or(1e9, S::to_f64)
    }
}

/// No pair meets before its first touch, a pair without one does not meet at all, and at the touch it does touch.
fn touches_are_the_first<S: Scalar>() {
    let mut random = Cases(SplitMix64::new(7));
    let h = S::from_ratio(1, 240);
    let (mut met, mut passed, mut early) = (0, 0, 0);
    while met + passed < 1_500 {
        let approach = Approach::<S>::random(&mut random);
        if approach.gap_at(S::ZERO) <= 4.0 * touching_gap::<S>().to_f64() {
            continue;
        }
        let (touch, seen) = first_touch(&approach.open(), approach.scenery(), (S::ZERO, h, h));
        let until = touch.as_ref().map_or(h, |touch| touch.time);
        let samples = 200;
        for sample in 0..=samples {
            let time = until * S::from_ratio(sample, samples);
            let gap = approach.gap_at(time);
            assert!(gap > -1e-6, "{} case {}: gap {gap} at {time:?} of {until:?}", S::KIND, met + passed);
        }
        assert!(seen.gap.to_f64() <= approach.gap_at(S::ZERO) + 1e-5, "{}: {seen:?}", S::KIND);
        if let Some(touch) = touch {
            met += 1;
            early += u32::from(approach.gap_at(touch.time) > touching_gap::<S>().to_f64());
        } else {
            passed += 1;
        }
    }
    assert!(met > 200 && passed > 200, "{}: {met} met, {passed} passed", S::KIND);
    // Faces that are nearly parallel are given up a little before they touch.
    assert!(early * 50 <= met, "{}: {early} of {met} touches were no touches", S::KIND);
}

#[test]
fn nothing_meets_before_its_first_touch() {
    touches_are_the_first::<Fixed>();
    touches_are_the_first::<f32>();
    touches_are_the_first::<f64>();
}

/// The room that a pair keeps for a while is no more than it has at any moment of it.
fn room_is_never_more_than_there_is<S: Scalar>() {
    let mut random = Cases(SplitMix64::new(11));
    let (h, mut tight) = (S::from_ratio(1, 240), 0);
    for case in 0..500 {
        let approach = Approach::<S>::random(&mut random);
        if approach.gap_at(S::ZERO) <= 0.0 {
            continue;
        }
        let mut motion = Motion::default();
        (motion.delta_position, motion.delta_rotation) = (vec![Vec3::ZERO; 2], vec![Vec3::ZERO; 2]);
        motion.precession = vec![Vec3::ZERO; 2];
        let mut open = approach.open();
        let margin = S::from_i32(20);
        let scenery = approach.scenery();
        let placed = scenery.placed(open.pair(), S::ZERO);
        let manifold: Manifold<S> = placed.meeting(margin).manifold;
        let seen = Clearance::of(&manifold, margin, |normal| placed.gap_along(normal));
        open.remember(seen, (&approach.bodies, &motion, S::ZERO));
        let room = open.room(&approach.bodies, &motion, h).to_f64();
        let least = (0..=50).map(|sample| approach.gap_at(h * S::from_ratio(sample, 50))).fold(1e9, f64::min);
        assert!(room <= least + 1e-5, "{} case {case}: room {room}, gap {least}", S::KIND);
        tight += u32::from(room > 0.0 && room > least * 0.5);
    }
    assert!(tight > 50, "{}: {tight} rooms say much", S::KIND);
}

#[test]
fn the_room_of_a_pair_is_never_more_than_there_is() {
    room_is_never_more_than_there_is::<Fixed>();
    room_is_never_more_than_there_is::<f32>();
    room_is_never_more_than_there_is::<f64>();
}

/// Two shapes come no nearer than the start of a step foretold, less what their bodies stray from that.
fn nothing_comes_nearer_than_foretold<S: Scalar>() {
    let mut random = Cases(SplitMix64::new(13));
    let (step, mut far, mut near) = (S::from_ratio(1, 60), 0, 0);
    for case in 0..500 {
        let mut approach = Approach::<S>::random(&mut random);
        if approach.gap_at(S::ZERO) <= 0.0 {
            continue;
        }
        let mut motion = Motion::default();
        (motion.delta_position, motion.delta_rotation) = (vec![Vec3::ZERO; 2], vec![Vec3::ZERO; 2]);
        motion.precession = vec![Vec3::ZERO; 2];
        let mut foretold = Foretold::default();
        foretold.begin_step(&approach.bodies, &approach.colliders, &motion);
        let margin = S::from_i32(20);
        let scenery = approach.scenery();
        let placed = scenery.placed(approach.open().pair(), S::ZERO);
        let seen = Clearance::of(&placed.meeting(margin).manifold, margin, |normal| placed.gap_along(normal));
        let reach = [0, 1].map(|collider| approach.colliders.reach[collider]);
        let (speed, spin) = [(0.0, 30.0), (0.1, 3.0), (1.0, 0.5), (10.0, 0.0)][case % 4];
        for side in 0..2 {
            approach.bodies.linear_velocity[side] += random.vector(speed);
            if !matches!(approach.colliders.shape[side], Shape::HalfSpace { .. }) {
                approach.bodies.angular_velocity[side] += random.vector(spin);
            }
            foretold.follow(side, &approach.bodies, &motion, [S::ZERO, step]);
        }
        let gaps = (0..=50).map(|sample| approach.gap_at(step * S::from_ratio(sample, 50)));
        let least = gaps.fold(1e9, f64::min);
        for normal in [seen.normal, Vec3::ZERO] {
            let room = seen.gap - foretold.approach([0, 1], reach, normal, step);
            // What is left of the room when both have strayed is there.
            for left in [0, 1, 4, 16, 64].map(|part| S::from_ratio(part, 64)) {
                if foretold.holds([0, 1], room - left) {
                    far += 1;
                    let left = left.to_f64();
                    assert!(left <= least + 1e-5, "{} case {case}: {left} left, gap {least}", S::KIND);
                } else {
                    near += 1;
                }
            }
        }
    }
    assert!(far > 100 && near > 100, "{}: {far} times far, {near} times not", S::KIND);
}

/// What stays where it is strays by all that it was foretold to move, and what goes on as foretold not at all.
fn strays_from_what_was_foretold<S: Scalar>() {
    let mut random = Cases(SplitMix64::new(17));
    for _ in 0..50 {
        let approach = Approach::<S>::random(&mut random);
        let velocity = approach.bodies.linear_velocity[1];
        let mut motion = Motion::default();
        (motion.delta_position, motion.delta_rotation) = (vec![Vec3::ZERO; 2], vec![Vec3::ZERO; 2]);
        motion.precession = vec![Vec3::ZERO; 2];
        let mut foretold = Foretold::default();
        foretold.begin_step(&approach.bodies, &approach.colliders, &motion);
        let elapsed = S::from_ratio(1, 4);
        foretold.follow(1, &approach.bodies, &motion, [elapsed, S::ZERO]);
        foretold.follow(0, &approach.bodies, &motion, [S::ZERO, elapsed]);
        let way = velocity.taxicab_length() * elapsed;
        let nearly = S::from_ratio(1, 1024);
        assert!(!foretold.holds([0, 1], way - nearly), "{}", S::KIND);
        assert!(foretold.holds([0, 0], nearly), "{}", S::KIND);
        motion.delta_position[1] = velocity * elapsed;
        motion.delta_rotation[1] = approach.bodies.angular_velocity[1] * elapsed;
        foretold.follow(1, &approach.bodies, &motion, [elapsed, elapsed]);
        assert!(foretold.holds([0, 1], nearly), "{}", S::KIND);
    }
}

#[test]
fn what_strays_is_no_longer_where_it_was_foretold() {
    strays_from_what_was_foretold::<Fixed>();
    strays_from_what_was_foretold::<f32>();
    strays_from_what_was_foretold::<f64>();
}

#[test]
fn nothing_comes_nearer_than_it_was_foretold_and_strays() {
    nothing_comes_nearer_than_foretold::<Fixed>();
    nothing_comes_nearer_than_foretold::<f32>();
    nothing_comes_nearer_than_foretold::<f64>();
}
