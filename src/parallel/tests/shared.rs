//! Memory that threads share: each part once, and no slot for two.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::math::SplitMix64;
use crate::parallel::shared::batch::{Batch, Clash, Use};
use crate::parallel::shared::columns::Parts;
use crate::parallel::tests::on;
use crate::parallel::{Executor, Scheduling};

#[test]
fn a_part_is_handed_out_once() {
    let mut numbers = [0; 10];
    let parts = Parts::in_order(&mut numbers[..], 4);
    let mut handed_out: Vec<_> = std::iter::from_fn(|| parts.next()).collect();
    assert!(parts.next().is_none() && parts.take(0).is_none());
    handed_out.iter_mut().for_each(|(first, part)| part.fill(*first + 1));
    assert_eq!(numbers, [1, 1, 1, 1, 5, 5, 5, 5, 9, 9]);
    let parts = Parts::by_number(&mut numbers[..], 4);
    assert!(parts.next().is_none());
    let taken = [2, 0, 2, 1, 3, 0].map(|number| parts.take(number).map(|(first, part)| (first, part.len())));
    assert_eq!(taken, [Some((8, 2)), Some((0, 4)), None, Some((4, 4)), None, None]);
}

#[test]
fn a_batch_whose_items_clash_is_refused() {
    use Use::{Changes, Nothing, Reads};
    let mut batch = Batch::<2>::default();
    let mut refill = |uses: &[[Use; 2]]| batch.refill(4, uses.iter().copied());
    assert_eq!(refill(&[[Changes(0), Reads(3)], [Changes(1), Reads(3)], [Nothing, Changes(2)]]), Ok(()));
    assert_eq!(refill(&[[Changes(0), Changes(1)], [Changes(1), Changes(2)]]), Err(Clash { slot: 1 }));
    assert_eq!(refill(&[[Changes(0), Nothing], [Reads(0), Nothing]]), Err(Clash { slot: 0 }));
    assert_eq!(refill(&[[Reads(0), Nothing], [Changes(0), Nothing]]), Err(Clash { slot: 0 }));
    assert_eq!(refill(&[[Changes(2), Changes(2)]]), Err(Clash { slot: 2 }));
    assert_eq!(refill(&[[Changes(4), Nothing]]), Err(Clash { slot: 4 }));
    // A batch that was refused has no items, and over fewer slots than were checked neither has any other.
    assert_eq!(visited(&batch, 4), 0);
    assert_eq!(batch.refill(4, [[Changes(0), Changes(3)]]), Ok(()));
    assert_eq!((visited(&batch, 5), visited(&batch, 4), visited(&batch, 3)), (1, 1, 0));
}

/// How many items a batch has over so many slots.
fn visited<const N: usize>(batch: &Batch<N>, slots: usize) -> usize {
    let (mut slots, visited) = (vec![0_u8; slots], AtomicUsize::new(0));
    Executor::default().for_each_part(1, batch.over(&mut slots), |_, part| {
        let items = (0..).take_while(|&item| part.get(item, 0).is_some()).count();
        visited.fetch_add(items, Ordering::SeqCst);
    });
    visited.into_inner()
}

/// A random matching of the slots in each round, as a colour is one of bodies: each item adds its two slots and a shared one, which
/// only differs from round to round, into both of its own.
#[test]
fn items_change_slots_anywhere_as_if_they_were_done_in_turn() {
    let rounds = if cfg!(miri) { 8 } else { 200 };
    let count: u32 = if cfg!(miri) { 40 } else { 300 };
    for scheduling in [Scheduling::Plain, Scheduling::Scrambled { seed: 3 }, Scheduling::ScrambledInTurn { seed: 4 }] {
        let mut executor = Executor::new(on(3, scheduling));
        let mut random = SplitMix64::new(11);
        let mut slots: Vec<u64> = (0..=u64::from(count)).collect();
        let mut expected = slots.clone();
        let mut batch = Batch::<3>::default();
        for round in 0..rounds {
            let mut bodies: Vec<u32> = (0..count).collect();
            (1..bodies.len()).rev().for_each(|end| bodies.swap(end, random.index(end + 1)));
            let pairs: Vec<[u32; 2]> = bodies.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
            let uses = pairs.iter().map(|&[a, b]| [Use::Changes(a), Use::Changes(b), Use::Reads(count)]);
            assert_eq!(batch.refill(slots.len(), uses), Ok(()));
            executor.begin_step(round);
            executor.for_each_part(8, (&pairs[..], batch.over(&mut slots)), |_, (pairs, mut slots)| {
                for item in 0..pairs.len() {
                    let sum = (0..3).filter_map(|which| slots.get(item, which)).fold(0_u64, |a, b| a.wrapping_add(*b));
                    assert!(slots.get_mut(item, 2).is_none(), "what is only read cannot be changed");
                    for which in [0, 1] {
                        let slot = slots.get_mut(item, which).expect("a slot of its own");
                        *slot = slot.wrapping_mul(3).wrapping_add(sum);
                    }
                }
            });
            for [a, b] in pairs.iter().map(|pair| pair.map(|slot| slot as usize)) {
                let sum = expected[a].wrapping_add(expected[b]).wrapping_add(expected[count as usize]);
                for slot in [a, b] {
                    expected[slot] = expected[slot].wrapping_mul(3).wrapping_add(sum);
                }
            }
            assert!(slots == expected, "{scheduling:?}, round {round}");
        }
    }
}
