//! Every path gives the bits of the scalar one, for each operation on random numbers and on those where roundings and signs turn.

use crate::math::lanes::{Block, Flags, LANES, LanePath, LaneTask, Lanes, SMALL};
use crate::math::vec3::Vec3;
use crate::math::{Fixed, Quat, Scalar, ScalarKind, SplitMix64};

mod watches;

/// Six blocks of numbers.
type Operands<S> = [Block<S>; 6];

/// What every operation makes of some operands: numbers as bits, and masks.
#[derive(Debug, Default, PartialEq, Eq)]
struct Results {
    numbers: Vec<(&'static str, [u64; LANES])>,
    masks: Vec<(&'static str, u8)>,
}

struct EveryOperation<'a, S: Scalar>(&'a Operands<S>);

impl<S: Scalar> LaneTask<S> for EveryOperation<'_, S> {
    type Output = Results;

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) -> Results {
        let mut numbers = [Block::ZERO; 22];
        let mut masks = [Flags::default(); 9];
        for part in 0..LANES / L::WIDTH {
            let at = part * L::WIDTH;
            let [a, b, c, d, e, f] = self.0;
            let (a, b, c, d, e, f): (L, L, L, L, L, L) =
                (a.get(at), b.get(at), c.get(at), d.get(at), e.get(at), f.get(at));
            let above = a.is_above(b);
            let held = L::held_within([a, b], c.magnitude(), above);
            let made = [
                a + b,
                a - b,
                a * b,
                -a,
                L::dot2([a, b], [c, d]),
                L::dot3([a, b, c], [d, e, f]),
                a.larger(b),
                a.smaller(b),
                a.magnitude(),
                L::select(above, c, d),
                a.over(b),
                L::select(above, held[0], a),
                L::select(above, held[1], b),
                L::splat(S::HALF) * a,
                Vec3::new(a, b, c).dot(Vec3::new(d, e, f)),
                (Vec3::new(a, b, c) * d).y,
                L::zero(),
                L::length3([a, b, c]),
                Vec3::new(a, b, c).cross(Vec3::new(d, e, f)).z,
                L::sum_in_steps([a], [b]),
                L::sum_in_steps([a, b, c], [d, e, f]),
                L::end_sum(L::plus_product(L::plus_product(a.begin_sum(), b, c), d, -e)),
            ];
            for (block, value) in numbers.iter_mut().zip(made) {
                block.set(at, value);
            }
            let all = L::mask(u8::MAX);
            let (differs, longer) = (a.differs(b), L::is_longer2([a, b], c.magnitude()));
            let found = [
                above,
                differs,
                longer,
                L::and(above, longer),
                L::or(above, longer),
                L::but_not(all, above),
                L::but_not(longer, above),
                L::mask(0b1010_0110 >> at),
                b.is_above(a),
            ];
            for (flags, mask) in masks.iter_mut().zip(found) {
                flags.set::<L>(at, all, mask);
            }
        }
        let names = "sum difference product negative dot2 dot3 larger smaller magnitude select quotient held_x held_y half dot scaled zero length cross step steps running_sum";
        let mask_names = "above differs longer and or not but_not mask below";
        let bits = |block: Block<S>| block.0.map(Scalar::to_bits);
        Results {
            numbers: names.split(' ').zip(numbers.map(bits)).collect(),
            masks: mask_names.split(' ').zip(masks.map(|flags| flags.bits_from(0))).collect(),
        }
    }
}

/// Numbers of every size that products in lanes are for, many of them near a power of two or with halves of all ones or zeros.
fn number<S: Scalar>(random: &mut SplitMix64) -> S {
    let bits = random.bits();
    let exponent = (random.bits() % 62) as u32;
    if S::KIND == ScalarKind::Fixed {
        let near = [0, 1, 2, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, 0xFFFF_FFFF][random.index(7)];
        let raw = match random.bits() % 5 {
            0 => ((bits as i64) >> exponent).wrapping_add(0),
            1 => (1_i64 << exponent).wrapping_add(near) & (i64::MAX >> 1),
            2 => ((bits as i64) & !0xFFFF_FFFF).wrapping_add(near),
            3 => near,
            _ => -((1_i64 << exponent).wrapping_add(near) & (i64::MAX >> 1)),
        };
        // The last half before the end of the range is beyond what products in lanes are for.
        return S::from_bits(raw.min(i64::MAX - 0x8000_0000) as u64);
    }
    match random.bits() % 8 {
        0 => S::ZERO,
        1 => -S::ZERO,
        2 => S::from_i32(bits as i32),
        _ => S::from_ratio(bits as i64, 1 << exponent),
    }
}

fn every_path_gives_the_bits_of_the_scalar_one<S: Scalar>() {
    let mut random = SplitMix64::new(1);
    for _ in 0..4000 {
        let operands: Operands<S> = std::array::from_fn(|_| Block(std::array::from_fn(|_| number::<S>(&mut random))));
        let expected = LanePath::Scalar.run(EveryOperation(&operands));
        let expected_in_steps = LanePath::Scalar.run_in_steps(EveryOperation(&operands));
        for path in LanePath::available() {
            assert_eq!(path.run(EveryOperation(&operands)), expected, "{path:?} of {operands:?}");
            assert_eq!(
                path.run_in_steps(EveryOperation(&operands)),
                expected_in_steps,
                "{path:?} in steps of {operands:?}"
            );
        }
    }
}

#[test]
fn every_operation_in_fixed_point_gives_the_bits_of_the_scalar_one() {
    every_path_gives_the_bits_of_the_scalar_one::<Fixed>();
}

/// Every operation in the lanes for small numbers.
struct EveryOperationOnSmall<'a, S: Scalar>(&'a Operands<S>);

impl<S: Scalar> LaneTask<S> for EveryOperationOnSmall<'_, S> {
    type Output = Results;

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) -> Results {
        EveryOperation(self.0).run::<L::Narrow>()
    }
}

/// Numbers below [`SMALL`] of all sizes, many with so few places that products lie in the middle between two numbers.
fn small_number(random: &mut SplitMix64) -> Fixed {
    let limit = i64::from(SMALL) << 32;
    let raw = ((random.bits() as i64) >> 24 >> (random.bits() % 40)).clamp(1 - limit, limit - 1);
    Fixed::from_raw(match random.index(6) {
        0 => raw & !0x7FFF | 0x4000,
        1 => raw & !0x3_FFFF | 0x2_0000,
        2 => raw & !0xFFFF | 0x8000,
        3 => [0, 1, -1, limit - 1, 1 - limit, 1 << 31, -(1 << 31), 1 << 32][random.index(8)],
        _ => raw,
    })
}

/// Every operation in the lanes for small numbers has the bits of the scalar one, on every path.
fn assert_alike_on_small(operands: &Operands<Fixed>) {
    for path in LanePath::available() {
        let expected = LanePath::Scalar.run(EveryOperationOnSmall(operands));
        assert_alike(&expected, path.run(EveryOperationOnSmall(operands)), (path, operands));
        let expected = LanePath::Scalar.run_in_steps(EveryOperationOnSmall(operands));
        assert_alike(&expected, path.run_in_steps(EveryOperationOnSmall(operands)), (path, operands));
    }
}

fn assert_alike(expected: &Results, mut made: Results, case: (LanePath, &Operands<Fixed>)) {
    // Of a quotient that is not small lanes for such say only that.
    for ((_, expected), (_, made)) in expected.numbers.iter().zip(&mut made.numbers) {
        for (expected, made) in expected.iter().zip(made) {
            let is_large = (*expected as i64).unsigned_abs() >= 1 << (19 + 32);
            *made = if is_large { *expected } else { *made };
        }
    }
    assert_eq!(&made, expected, "{case:?}");
}

#[test]
fn every_operation_on_small_numbers_gives_the_bits_of_the_scalar_one() {
    let mut random = SplitMix64::new(4);
    for _ in 0..20_000 {
        assert_alike_on_small(&std::array::from_fn(|_| Block(std::array::from_fn(|_| small_number(&mut random)))));
    }
}

fn is_small(raw: i64) -> bool {
    raw.unsigned_abs() < u64::from(SMALL) << 32
}

/// Operands in each lane that are small.
fn small_operands<const N: usize>(mut raws: impl FnMut() -> [i64; N]) -> Operands<Fixed> {
    let mut operands: Operands<Fixed> = [Block::ZERO; 6];
    for lane in 0..LANES {
        let small = std::iter::repeat_with(&mut raws).find(|raws| raws.iter().all(|raw| is_small(*raw)));
        for (operand, raw) in operands.iter_mut().zip(small.into_iter().flatten()) {
            operand.0[lane] = Fixed::from_raw(raw);
        }
    }
    operands
}

/// A vector of the plane and a limit next to its length: of whole length `m^2 + n^2` times a factor, whose squares are rounded apart.
fn next_to_its_limit(random: &mut SplitMix64) -> [i64; 3] {
    let [m, n, factor] = [12, 12, 15].map(|bits| 1 + (random.bits() >> (64 - bits)) as i64);
    let near = random.index(3) as i64 - 1;
    [2 * m * n * factor, (m * m - n * n) * factor, (m * m + n * n) * factor + near]
}

#[test]
fn small_numbers_next_to_a_half_or_to_a_limit_are_told_as_the_scalar_tells_them() {
    let mut random = SplitMix64::new(6);
    for _ in 0..5_000 {
        assert_alike_on_small(&small_operands(|| next_to_a_half(&mut random)));
        assert_alike_on_small(&small_operands(|| with_a_length_next_to_a_half(&mut random)));
        assert_alike_on_small(&small_operands(|| next_to_its_limit(&mut random)));
    }
}

/// A numerator and a denominator whose quotient is next to a half of the last place.
fn next_to_a_half(random: &mut SplitMix64) -> [i64; 2] {
    let denominator = (random.bits() >> 4 >> (random.bits() % 40)).max(1) as i64;
    let quotient = random.bits() >> 15 >> (random.bits() % 40);
    let numerator = ((u128::from(quotient) * 2 + 1) * denominator as u128) >> 33;
    let near = (random.bits() % 3) as i64 - 1;
    [i64::try_from(numerator).unwrap_or(i64::MAX >> 1).wrapping_add(near), denominator]
}

/// A vector whose length is next to a half of the last place: its square is near `n^2 + n`.
fn with_a_length_next_to_a_half(random: &mut SplitMix64) -> [i64; 3] {
    let long = (random.bits() >> 16 >> (random.bits() % 30)) as i64;
    let across = long.isqrt();
    [long, across + (random.bits() % 2) as i64, ((long - across * across) / 2).isqrt() + (random.bits() % 2) as i64]
}

#[test]
fn quotients_and_lengths_next_to_a_half_are_those_of_the_scalar() {
    let mut random = SplitMix64::new(2);
    for _ in 0..40_000 {
        let mut operands: Operands<Fixed> = [Block::ZERO; 6];
        let mut vectors = operands;
        for lane in 0..LANES {
            for (operand, raw) in operands.iter_mut().zip(next_to_a_half(&mut random)) {
                operand.0[lane] = Fixed::from_raw(raw);
            }
            for (component, raw) in vectors.iter_mut().zip(with_a_length_next_to_a_half(&mut random)) {
                component.0[lane] = Fixed::from_raw(raw);
            }
        }
        for path in LanePath::available() {
            for of in [&operands, &vectors] {
                assert_eq!(
                    path.run(EveryOperation(of)),
                    LanePath::Scalar.run(EveryOperation(of)),
                    "{path:?} of {of:?}"
                );
            }
        }
    }
}

#[test]
fn every_operation_in_f32_gives_the_bits_of_the_scalar_one() {
    every_path_gives_the_bits_of_the_scalar_one::<f32>();
}

#[test]
fn every_operation_in_f64_gives_the_bits_of_the_scalar_one() {
    every_path_gives_the_bits_of_the_scalar_one::<f64>();
}

/// Turns eight orientations.
struct Advance<'a, S: Scalar> {
    q: &'a [Block<S>; 4],
    omega: &'a [Block<S>; 3],
}

impl<S: Scalar> LaneTask<S> for Advance<'_, S> {
    type Output = [[u64; LANES]; 4];

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) -> Self::Output {
        let mut turned = *self.q;
        for at in (0..LANES).step_by(L::WIDTH) {
            let [w, x, y, z] = self.q;
            let [spin_x, spin_y, spin_z] = self.omega;
            let q: [L; 4] = [w.get(at), x.get(at), y.get(at), z.get(at)];
            let made = L::advance(q, [spin_x.get(at), spin_y.get(at), spin_z.get(at)], S::fraction(1, 480));
            for (block, part) in turned.iter_mut().zip(made) {
                block.set(at, part);
            }
        }
        turned.map(|block| block.0.map(Scalar::to_bits))
    }
}

/// Orientations that turn slowly, not at all, about one axis, so fast that the series does not serve, or are not of length one.
fn orientations_turn_as_one_does<S: Scalar>() {
    let mut random = SplitMix64::new(3);
    let mut part = |size: f64| S::from_ratio((random.between(-size, size) * 1e9) as i64, 1_000_000_000);
    for case in 0..3000 {
        let (mut q, mut omega) = ([Block::ZERO; 4], [Block::ZERO; 3]);
        for lane in 0..LANES {
            let orientation = Quat::new(part(1.0), part(1.0), part(1.0), part(1.0)).normalise();
            // One lane of the eight is another than the rest, in six cases of fourteen.
            let kind = if lane == case % LANES { case % 14 } else { 0 };
            let length = match kind {
                5 => S::TWO,
                6 => S::ZERO,
                _ => S::ONE,
            };
            let rate = match kind {
                1 => [S::ZERO; 3],
                2 => [part(9.0), -S::ZERO, S::ZERO],
                3 => [part(90.0), part(90.0), part(90.0)],
                4 => [part(9000.0), part(9000.0), part(9000.0)],
                _ => [part(9.0), part(9.0), part(9.0)],
            };
            for (block, component) in q.iter_mut().zip(orientation.to_array()) {
                block.0[lane] = component * length;
            }
            for (block, component) in omega.iter_mut().zip(rate) {
                block.0[lane] = component;
            }
        }
        let one_by_one: [_; LANES] = std::array::from_fn(|lane| {
            let [w, x, y, z] = q.map(|block| block.0[lane]);
            let omega = Vec3::from_array(omega.map(|block| block.0[lane]));
            Quat::new(w, x, y, z).advance_exponential(omega, S::fraction(1, 480)).to_array().map(S::to_bits)
        });
        for path in LanePath::available() {
            let task = || Advance { q: &q, omega: &omega };
            for turned in [path.run(task()), path.run_in_steps(task())] {
                for (lane, expected) in one_by_one.iter().enumerate() {
                    assert_eq!(turned.map(|block| block[lane]), *expected, "{path:?}, case {case}, lane {lane}");
                }
            }
        }
    }
}

#[test]
fn orientations_in_lanes_turn_as_one_does() {
    orientations_turn_as_one_does::<Fixed>();
    orientations_turn_as_one_does::<f32>();
    orientations_turn_as_one_does::<f64>();
}

/// Gathers the vectors at some indices and scatters them to others.
struct GatherAndScatter<'a, S: Scalar> {
    from: &'a [Vec3<S>],
    to: &'a mut [Vec3<S>],
    taken: [u32; LANES],
    put: [u32; LANES],
    which: Flags,
}

impl<S: Scalar> LaneTask<S> for GatherAndScatter<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) {
        for part in 0..LANES / L::WIDTH {
            let at = part * L::WIDTH;
            let v = L::gather(self.from, &self.taken, at);
            L::scatter(v, self.to, &self.put, at, self.which.bits_from(at));
        }
    }
}

/// Vectors whose every number is another, in lanes of which some have nowhere to go, the last of both slices among them.
fn vectors_are_moved<S: Scalar>() {
    let from: Vec<Vec3<S>> = (0..10)
        .map(|number| [0, 10, 20].map(|component| S::from_i32(number + component)))
        .map(Vec3::from_array)
        .collect();
    let (taken, put) = ([3, 1, 4, 1, 5, 9, 2, 6], [7, 6, u32::MAX, 4, 3, 2, u32::MAX, 0]);
    for path in LanePath::available() {
        for bits in (0..=u8::MAX).map(|bits| bits & 0b1011_1011) {
            let untouched = Vec3::splat(S::from_i32(-1));
            let (mut to, mut expected) = (vec![untouched; LANES], vec![untouched; LANES]);
            let mut which = Flags::default();
            for lane in (0..LANES).filter(|lane| bits >> lane & 1 != 0) {
                which.put(lane, true);
                expected[put[lane] as usize] = from[taken[lane] as usize];
            }
            path.run(GatherAndScatter { from: &from, to: &mut to, taken, put, which });
            assert_eq!(to, expected, "{path:?}, lanes {bits:08b}");
        }
    }
}

#[test]
fn vectors_come_from_their_indices_and_go_to_those_that_are_asked_for() {
    vectors_are_moved::<Fixed>();
    vectors_are_moved::<f32>();
    vectors_are_moved::<f64>();
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn vectors_that_are_not_there_are_not_read() {
    let (mut to, which) = ([Vec3::<f32>::ZERO; LANES], Flags::default());
    let [taken, put] = [[0, 1, 2, 3, 4, 5, 6, 8], [0; LANES]];
    LanePath::widest().run(GatherAndScatter { from: &[Vec3::ZERO; LANES], to: &mut to, taken, put, which });
}

#[test]
#[should_panic]
fn vectors_are_not_written_where_there_is_no_room() {
    let (mut to, mut which) = ([Vec3::<f64>::ZERO; LANES], Flags::default());
    which.put(7, true);
    let [taken, put] = [[0; LANES], [0, 1, 2, 3, 4, 5, 6, 8]];
    LanePath::widest().run(GatherAndScatter { from: &[Vec3::ZERO; LANES], to: &mut to, taken, put, which });
}
