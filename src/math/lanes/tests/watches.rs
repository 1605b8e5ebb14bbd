//! A watch sees every number that lanes for small ones do not hold.

use crate::math::lanes::{Block, LANES, LanePath, LaneTask, Lanes, SMALL, Watch};
use crate::math::vec3::Vec3;
use crate::math::{Fixed, SplitMix64};

/// What stands in a block is not small, or is the same, in lanes for small numbers.
struct IsSmall<'a>(&'a Block<Fixed>);

impl LaneTask<Fixed> for IsSmall<'_> {
    type Output = u8;

    #[inline(always)]
    fn run<L: Lanes<Scalar = Fixed>>(self) -> u8 {
        let mut small = 0;
        for at in (0..LANES).step_by(L::WIDTH) {
            let mut watch = Watch::<L::Narrow>::new();
            watch.see_within(SMALL, self.0.get(at));
            small |= (watch.small_lanes() & (u8::MAX >> (LANES - L::WIDTH))) << at;
        }
        small
    }
}

#[test]
fn a_watch_sees_every_number_that_is_not_small() {
    let mut random = SplitMix64::new(5);
    let limit = i64::from(SMALL) << 32;
    for _ in 0..40_000 {
        let raws: [i64; LANES] = std::array::from_fn(|_| match random.index(4) {
            0 => (random.bits() as i64) >> (random.bits() % 62),
            1 => limit * [1, 2, 3, 6][random.index(4)] + random.index(3) as i64 - 1,
            2 => -limit + random.index(3) as i64 - 1,
            // What as a float would be infinite, or no number, or have another sign.
            _ => ((random.bits() & 0xFFF) << 52 | [0, 1, 1 << 51, (1 << 52) - 1][random.index(4)]) as i64,
        });
        let expected =
            (0..LANES).fold(0, |small, lane| small | u8::from((-limit..limit).contains(&raws[lane])) << lane);
        for path in LanePath::available() {
            let is_narrow = matches!(path, LanePath::Avx2 | LanePath::Avx512 | LanePath::Neon);
            let seen = path.run_in_steps(IsSmall(&Block(raws.map(Fixed::from_raw))));
            assert_eq!(seen, if is_narrow { expected } else { u8::MAX }, "{path:?} of {raws:x?}");
        }
    }
}

/// What a watch tells that has seen all numbers of three blocks.
struct AreSmall<'a>(&'a [Block<Fixed>; 3]);

impl LaneTask<Fixed> for AreSmall<'_> {
    type Output = u8;

    #[inline(always)]
    fn run<L: Lanes<Scalar = Fixed>>(self) -> u8 {
        let mut small = 0;
        for at in (0..LANES).step_by(L::WIDTH) {
            let mut watch = Watch::<L::Narrow>::new();
            let [x, y, z] = self.0;
            watch.see_vector(Vec3::new(x.get(at), y.get(at), z.get(at)));
            small |= (watch.small_lanes() & (u8::MAX >> (LANES - L::WIDTH))) << at;
        }
        small
    }
}

#[test]
fn a_watch_sees_numbers_whose_squares_together_are_not_small() {
    let mut random = SplitMix64::new(7);
    let limit = i64::from(2 * SMALL) << 32;
    for _ in 0..40_000 {
        let blocks: [[i64; LANES]; 3] = std::array::from_fn(|_| {
            std::array::from_fn(|_| match random.index(4) {
                0 => (random.bits() as i64) >> (random.bits() % 62),
                1 => limit + random.index(3) as i64 - 1,
                2 => random.index(5) as i64 * (limit / 5) - limit / 2,
                _ => ((random.bits() & 0xFFF) << 52 | [0, 1, 1 << 51, (1 << 52) - 1][random.index(4)]) as i64,
            })
        });
        for path in LanePath::available() {
            let seen = path.run_in_steps(AreSmall(&blocks.map(|raws| Block(raws.map(Fixed::from_raw)))));
            let is_narrow = matches!(path, LanePath::Avx2 | LanePath::Avx512 | LanePath::Neon);
            for lane in (0..LANES).filter(|_| is_narrow) {
                let squares = blocks.map(|raws| (raws[lane] as f64 / limit as f64).powi(2));
                let (sum, is_seen) = (squares.iter().sum::<f64>(), seen >> lane & 1 == 0);
                assert!(is_seen || sum < 1.0 + 1e-12, "{path:?} does not see {sum} in lane {lane} of {blocks:x?}");
                assert!(!is_seen || sum > 1.0 - 1e-12, "{path:?} sees {sum} in lane {lane} of {blocks:x?}");
            }
        }
    }
}
