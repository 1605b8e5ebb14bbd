//! Passes over random rows, with numbers of all sizes: whichever lanes solve them, the bits are those of one number at a time.

use super::note_small_rows;
use crate::collision::NarrowPhase;
use crate::dynamics::body::Bodies;
use crate::dynamics::collider::{Colliders, ContactSurface};
use crate::dynamics::integrator::Motion;
use crate::dynamics::settings::{
    Bounds, Clamping, Correction, DampingForm, FrictionRows, GravityMode, NormalRows, RotationUpdate, Settings,
    Softness, SolverSettings,
};
use crate::dynamics::solver::answers::{LEVER, SHORT, SPARED, UNIT, answer_chunk};
use crate::dynamics::solver::batches::Lane;
use crate::dynamics::solver::chunk::{BatchBodies, Room};
use crate::dynamics::solver::passes::{VelocityPass, solve, warm_start};
use crate::dynamics::solver::prepare::Sources;
use crate::dynamics::solver::rows::{Arms, CommonRows, DiscRows, LaneRows, PatchRows, PointRows, Rows, RowsView};
use crate::math::lanes::{Block, Flags, LANES, LanePath, SMALL};
use crate::math::{Fixed, Scalar, SplitMix64, SymMat3, Vec3};
use crate::parallel::{Executor, Parallelism};

/// Random numbers of which each kind has a size of its own.
struct Cases {
    random: SplitMix64,
    /// Bits of the numbers of each kind.
    sizes: [u32; Kind::COUNT],
}

/// What is drawn alike.
#[derive(Clone, Copy)]
enum Kind {
    Velocity,
    Way,
    Row,
    Inverse,
    Impulse,
    Separation,
    Surface,
    Drift,
    Inertia,
    Length,
    Arm,
    Direction,
    Lever,
    ByOther,
}

impl Kind {
    const COUNT: usize = 14;
}

impl Cases {
    /// Most kinds so small that lanes for small numbers serve, some just so, and some up to eight thousand.
    fn new(random: SplitMix64) -> Self {
        let mut cases = Self { random, sizes: [0; Kind::COUNT] };
        for size in &mut cases.sizes {
            let (least, most) =
                [(41, 45), (36, 40), (36, 40), (20, 33), (20, 33), (20, 33), (20, 33)][cases.random.index(7)];
            *size = (least + cases.random.index(most - least + 1)) as u32;
        }
        let limits = [
            (Kind::Length, SHORT),
            (Kind::Arm, SHORT),
            (Kind::Direction, UNIT),
            (Kind::Lever, LEVER),
            (Kind::ByOther, SPARED),
        ];
        for (kind, limit) in limits {
            cases.sizes[kind as usize] -= (SMALL / limit).ilog2();
        }
        cases
    }

    fn number(&mut self, kind: Kind) -> Fixed {
        let bits = self.sizes[kind as usize];
        let raw = (self.random.bits() as i64) >> (63 - bits);
        // Some with few bits, whose products lie in the middle between two numbers.
        match self.random.index(4) {
            0 => Fixed::from_raw(raw & !0x7FFF | 0x4000),
            1 => Fixed::from_raw(raw & !0x3_FFFF | 0x2_0000),
            2 if self.random.index(4) == 0 => Fixed::ZERO,
            _ => Fixed::from_raw(raw),
        }
    }

    fn share(&mut self) -> Fixed {
        Fixed::from_raw((self.random.bits() >> 32) as i64)
    }

    fn block(&mut self, kind: Kind) -> Block<Fixed> {
        Block(std::array::from_fn(|_| self.number(kind)))
    }

    fn not_negative(&mut self, kind: Kind) -> Block<Fixed> {
        Block(self.block(kind).0.map(Scalar::abs))
    }

    /// A vector; of some the components are nearly alike but for their signs, so that large products cancel.
    fn vector(&mut self, kind: Kind) -> Vec3<Fixed> {
        let [x, y, z] = [self.number(kind), self.number(kind), self.number(kind)];
        match self.random.index(4) {
            0 => Vec3::new(x, x + Fixed::EPSILON, z.scale_by_power_of_two(-8)),
            1 => Vec3::new(x, -x - Fixed::EPSILON, z.scale_by_power_of_two(-8)),
            _ => Vec3::new(x, y, z),
        }
    }

    fn vectors(&mut self, kind: Kind) -> Vec3<Block<Fixed>> {
        let mut vectors = Vec3::<Block<Fixed>>::default();
        (0..LANES).for_each(|lane| vectors.set(lane, self.vector(kind)));
        vectors
    }

    fn blocks<const N: usize>(&mut self, kind: Kind) -> [Block<Fixed>; N] {
        [0; N].map(|_| self.block(kind))
    }

    fn arms(&mut self) -> [Vec3<Block<Fixed>>; 2] {
        [self.vectors(Kind::Arm), self.vectors(Kind::Arm)]
    }

    fn disc(&mut self) -> DiscRows<Block<Fixed>> {
        DiscRows {
            inverse: self.blocks(Kind::Inverse),
            slip_inverse: self.block(Kind::Inverse),
            drift: self.blocks(Kind::Drift),
            impulse: self.blocks(Kind::Impulse),
        }
    }

    fn inertia(&mut self) -> SymMat3<Fixed> {
        let [diagonal, others] = [self.vector(Kind::Inertia), self.vector(Kind::Inertia)];
        let Vec3 { x: xx, y: yy, z: zz } = diagonal.abs();
        let Vec3 { x: xy, y: xz, z: yz } = others;
        SymMat3 { xx, yy, zz, xy, xz, yz }
    }

    /// Fills the rows of all lanes, those that no contact has taken too: these push nothing.
    fn fill(&mut self, view: &mut RowsView<'_, Fixed>) {
        let common = &mut *view.common;
        for direction in &mut common.directions {
            *direction = self.vectors(Kind::Direction);
        }
        for share in &mut common.inverse_mass {
            *share = Block(std::array::from_fn(|_| self.share()));
        }
        common.surface.friction = self.not_negative(Kind::Surface);
        common.surface.spinning_friction = self.not_negative(Kind::Surface);
        common.surface.rolling_friction = self.not_negative(Kind::Surface);
        for inertia in &mut common.inverse_inertia {
            (0..LANES).for_each(|lane| inertia.set(lane, self.inertia()));
        }
        common.arms = self.arms();
        common.twist.mass = self.not_negative(Kind::Inverse);
        common.twist.impulse = self.block(Kind::Impulse);
        common.length =
            Block(self.not_negative(Kind::Length).0.map(|length| length + Fixed::ONE.scale_by_power_of_two(-8)));
        common.inverse_length = self.not_negative(Kind::Inverse);
        common.age = self.block(Kind::Drift);
        for point in view.points.iter_mut() {
            point.levers = self.blocks(Kind::Lever);
            point.mass = self.not_negative(Kind::Inverse);
            point.by_others = self.blocks(Kind::ByOther);
            point.separation = self.block(Kind::Separation);
            point.drift = self.block(Kind::Drift);
            point.impulse = self.not_negative(Kind::Impulse);
            point.radius = self.not_negative(Kind::Row);
        }
        for disc in view.friction.iter_mut().chain(view.rolling.as_deref_mut()) {
            *disc = self.disc();
        }
        view.arms.iter_mut().for_each(|arms| arms.0 = self.arms());
        if let Some(patch) = view.patch.as_deref_mut() {
            *patch = PatchRows {
                slide_by_press: [self.blocks(Kind::Row), self.blocks(Kind::Row)],
                twist_by_press: self.blocks(Kind::Row),
                twist_by_slide: self.blocks(Kind::Row),
            };
        }
        let BatchBodies { pushed, present, drifts, count, .. } = view.bodies;
        for flags in pushed.iter_mut().chain(present).chain([drifts]) {
            *flags = Flags::default();
            (0..*count).for_each(|lane| flags.put(lane, true));
        }
    }
}

/// Contacts between bodies of their own, as they are before a pass.
#[derive(Clone)]
struct Scene {
    rows: Rows<Fixed>,
    lanes: Vec<Lane>,
    room: Room,
    bodies: Bodies<Fixed>,
    motion: Motion<Fixed>,
    settings: Settings<Fixed>,
}

impl Scene {
    fn random(seed: u64) -> Self {
        let mut cases = Cases::new(SplitMix64::new(seed));
        let points = 1 + cases.random.index(4);
        let is_patch = cases.random.index(2) == 0;
        let room = Room {
            points,
            discs: if is_patch { 1 } else { points },
            is_patch,
            resists_rolling: cases.random.index(2) == 0,
        };
        let count = 5 + cases.random.index(4);
        let mut rows = Rows::default();
        rows.clear(count, 1);
        rows.batches.begin_colour();
        let lanes: Vec<_> =
            (0..count as u32).map(|lane| rows.batches.add(lane, [2 * lane, 2 * lane + 1], room)).collect();
        cases.fill(&mut rows.batches.colour(0)[0].view(0));
        for &lane in &lanes {
            note_small_rows::<Fixed>(&mut rows.batches.view(lane, points));
        }
        let mut vectors = |kind| (0..2 * LANES).map(|_| cases.vector(kind)).collect::<Vec<_>>();
        let [linear, angular] = [vectors(Kind::Velocity), vectors(Kind::Velocity)];
        let [delta_position, delta_rotation] = [vectors(Kind::Way), vectors(Kind::Way)];
        let bodies = Bodies { linear_velocity: linear, angular_velocity: angular, ..Bodies::default() };
        let mut motion = Motion::default();
        (motion.delta_position, motion.delta_rotation) = (delta_position, delta_rotation);
        motion.inverse_inertia = (0..2 * LANES).map(|_| cases.inertia()).collect();
        let rate = Fixed::from_i32([60, 240, 4000, 300_000][cases.random.index(4)]);
        Self { rows, lanes, room, bodies, motion, settings: settings(&mut cases.random, rate) }
    }
}

fn settings(random: &mut SplitMix64, rate: Fixed) -> Settings<Fixed> {
    let soft = Softness::new(Fixed::from_i32(30), Fixed::from_i32(10), Fixed::from_i32(3), rate);
    let slop = Fixed::ONE.scale_by_power_of_two(-8);
    Settings {
        substep: Fixed::fraction(1, 240),
        substep_seconds: Fixed::ONE / rate,
        step_seconds: Fixed::ONE / rate,
        half_substep: Fixed::fraction(1, 480),
        rate,
        gravity_mode: GravityMode::Acceleration,
        rotation: RotationUpdate::ExponentialMap,
        gyroscopic: true,
        damping: DampingForm::Implicit,
        solver: SolverSettings {
            substeps: 1,
            iterations: 1,
            relax_iterations: 1,
            relax_limit: 1,
            warm_starting: true,
            clamping: [Clamping::Accumulated, Clamping::PerIteration][random.index(2)],
            normals: [NormalRows::Block, NormalRows::PerPoint][random.index(2)],
            friction: FrictionRows::Patch,
            correction: match random.index(3) {
                0 => Correction::Soft(soft),
                1 => Correction::Baumgarte { rate, slop },
                _ => Correction::Projection { beta: Fixed::HALF, slop },
            },
            joints: soft,
            restitution_threshold: Fixed::ONE,
        },
        contact_margin: slop,
        narrow_phase: NarrowPhase::Auto,
        continuous: true,
        bounds: Bounds { position: Fixed::MAX, speed: Fixed::MAX, angular_speed: Fixed::MAX },
    }
}

/// The rows that are made on a path, in the lanes that are taken; with those of which it says that they are small.
fn answered(scene: &Scene, lanes: LanePath) -> (Rows<Fixed>, u8) {
    let (mut rows, colliders) = (scene.rows.clone(), Colliders::default());
    let sources = Sources::of(&scene.bodies, &colliders, &scene.motion, &scene.settings);
    let chunk = &mut rows.batches.colour(0)[0];
    answer_chunk(chunk, sources, lanes);
    let used = u8::MAX >> (LANES - scene.lanes.len());
    let small = chunk.view(0).bodies.has_small_rows.bits_from(0) & used;
    (rows, small)
}

#[test]
fn rows_made_of_numbers_of_all_sizes_have_the_bits_of_one_at_a_time() {
    let mut known_as_small = 0;
    for seed in 0..6000 {
        let scene = Scene::random(seed);
        let (expected, _) = answered(&scene, LanePath::Scalar);
        for path in LanePath::available() {
            let (made, small) = answered(&scene, path);
            for &lane in &scene.lanes {
                let [made, expected] =
                    [&made, &expected].map(|rows| format!("{:?}", RowsOfLane::of(rows, lane, scene.room)));
                assert_eq!(made, expected, "{path:?}, seed {seed}, {lane:?}");
            }
            for (index, &lane) in scene.lanes.iter().enumerate().filter(|(index, _)| small >> index & 1 != 0) {
                assert!(RowsOfLane::of(&made, lane, scene.room).is_small(), "{path:?}, seed {seed}, lane {index}");
                known_as_small += 1;
            }
        }
    }
    assert!(known_as_small > 1000, "{known_as_small} contacts have small rows");
}

/// All rows of a lane.
#[derive(Debug)]
struct RowsOfLane {
    common: CommonRows<Fixed>,
    points: Vec<PointRows<Fixed>>,
    discs: Vec<DiscRows<Fixed>>,
    arms: Vec<Arms<Fixed>>,
    patch: Option<PatchRows<Fixed>>,
}

impl RowsOfLane {
    fn of(rows: &Rows<Fixed>, lane: Lane, room: Room) -> Self {
        let LaneRows { common, points, friction, arms, patch, rolling, at, .. } = rows.batches.at(lane, room.points);
        Self {
            common: common.in_lane(at),
            points: points.iter().map(|point| point.in_lane(at, room.points)).collect(),
            discs: friction.iter().chain(rolling).map(|disc| disc.in_lane(at)).collect(),
            arms: arms.iter().map(|arms| arms.in_lane(at)).collect(),
            patch: patch.map(|patch| patch.in_lane(at, room.points, common.twist.mass.0[at] != Fixed::ZERO)),
        }
    }

    /// All that the passes multiply with, each with the limit within which it is to be.
    fn factors(&self) -> Vec<(Fixed, u32)> {
        let Self { common, points, discs, arms, patch } = self;
        let ContactSurface { friction, restitution, rolling_friction, spinning_friction } = common.surface;
        let mut numbers = vec![friction, restitution, rolling_friction, spinning_friction];
        numbers.extend([common.twist.mass, common.inverse_length]);
        numbers.extend(common.inverse_mass);
        numbers.extend(common.inverse_inertia.map(SymMat3::to_array).concat());
        numbers.extend(points.iter().flat_map(|point| [point.radius, point.drift]));
        let rubbing = arms.len().max(usize::from(patch.is_some())); // what is behind resists rolling, and has no drift
        for (index, disc) in discs.iter().enumerate() {
            numbers.extend(disc.inverse.into_iter().chain([disc.slip_inverse]));
            numbers.extend(disc.drift.into_iter().filter(|_| index < rubbing));
        }
        if let Some(PatchRows { slide_by_press, twist_by_press, twist_by_slide }) = patch {
            numbers.extend(slide_by_press.concat().into_iter().chain(*twist_by_press).chain(*twist_by_slide));
        }
        let within = |limit: u32| move |number: Fixed| (number, limit);
        let lengths = arms.concat().into_iter().chain(common.arms).flat_map(Vec3::to_array).chain([common.length]);
        let directions =
            common.directions.into_iter().flat_map(Vec3::to_array).chain(points.iter().map(|point| point.mass));
        let levers = points.iter().flat_map(|point| point.levers);
        let by_others = points.iter().flat_map(|point| point.by_others);
        let mut factors: Vec<_> = numbers.into_iter().map(within(2 * SMALL)).collect();
        factors.extend(lengths.map(within(SHORT)));
        factors.extend(directions.map(within(UNIT)));
        factors.extend(levers.map(within(LEVER)));
        factors.extend(by_others.map(within(SPARED)));
        factors
    }

    fn is_small(&self) -> bool {
        self.factors().into_iter().all(|(number, limit)| number.abs() <= Fixed::from_i32(limit as i32))
    }
}

/// What a pass leaves of the lanes that are taken.
#[derive(Debug, PartialEq)]
struct Outcome {
    change: Fixed,
    velocities: [Vec<Vec3<Fixed>>; 2],
    impulses: Vec<Vec<Fixed>>,
    slips: Vec<Vec<bool>>,
}

impl Outcome {
    fn is_far_from_the_end(&self) -> bool {
        let limit = Fixed::from_i32(1 << 20);
        let mut numbers =
            self.impulses.iter().flatten().copied().chain(self.velocities.iter().flatten().flat_map(|v| v.to_array()));
        numbers.all(|number| number.abs() < limit)
    }
}

fn outcome(scene: &Scene, pass: Option<VelocityPass>, lanes: LanePath) -> Outcome {
    let Scene { lanes: taken, room, motion, settings, .. } = scene;
    let (mut rows, mut bodies) = (scene.rows.clone(), scene.bodies.clone());
    let mut executor = Executor::new(Parallelism::plain(1));
    let how = (lanes, &mut executor);
    let change = match pass {
        None => {
            warm_start(&mut rows, &mut bodies, how);
            Fixed::ZERO
        }
        Some(pass) => solve(&mut rows, &mut bodies, (motion, settings), pass, how),
    };
    let (mut impulses, mut slips) = (Vec::new(), Vec::new());
    for &lane in taken {
        let rows = rows.batches.at(lane, room.points);
        let at = rows.at;
        let discs: Vec<_> = rows.friction.iter().chain(rows.rolling).map(|disc| disc.in_lane(at)).collect();
        let of_points = rows.points.iter().map(|point| point.impulse.0[at]);
        let of_discs = discs.iter().flat_map(|disc| disc.impulse);
        impulses.push(of_points.chain(of_discs).chain([rows.common.twist.impulse.0[at]]).collect());
        slips.push(rows.fates.slips.map(|slips| slips.is_set(at)).to_vec());
    }
    Outcome { change, velocities: [bodies.linear_velocity, bodies.angular_velocity], impulses, slips }
}

#[test]
fn passes_over_numbers_of_all_sizes_have_the_bits_of_one_at_a_time() {
    let mut compared = 0;
    for seed in 0..6000 {
        let scene = Scene::random(seed);
        let mut wide = scene.clone();
        wide.rows.batches.colour(0)[0].view(0).bodies.has_small_rows = Flags::default();
        for pass in [None, Some(VelocityPass::Correct), Some(VelocityPass::Relax)] {
            let expected = outcome(&scene, pass, LanePath::Scalar);
            for path in LanePath::available() {
                let made = outcome(&scene, pass, path);
                assert_eq!(made, outcome(&wide, pass, path), "{path:?}, {pass:?}, seed {seed}: other lanes");
                // Lanes are not for the end of the range.
                if expected.is_far_from_the_end() {
                    assert_eq!(made, expected, "{path:?}, {pass:?}, seed {seed}: one at a time");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 6000, "{compared} compared with one at a time");
}
