//! Every item once, every slot its own, no thread let through too early.

mod shared;
mod team;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread::{ThreadId, current};

use crate::math::lanes::LanePath;
use crate::parallel::{Executor, Parallelism, Scheduling, THREADS_IN_TURN};

const ALL: [Parallelism; 5] = [
    on(1, Scheduling::Plain),
    on(3, Scheduling::Plain),
    on(1, Scheduling::Scrambled { seed: 7 }),
    on(3, Scheduling::Scrambled { seed: 7 }),
    on(1, Scheduling::ScrambledInTurn { seed: 7 }),
];

/// So many threads that work like this.
const fn on(threads: u32, scheduling: Scheduling) -> Parallelism {
    Parallelism { threads, scheduling, lanes: LanePath::Scalar }
}

/// Items in a part of these tests.
const GRAIN: usize = 16;

#[test]
fn every_slot_gets_the_result_of_its_item_whatever_the_number_of_items() {
    for parallelism in ALL {
        let mut executor = Executor::new(parallelism);
        for items in [0, 1, 2, 3, 4, 5, 9, 15, 16, 17, 31, 32, 33, 50] {
            let items: Vec<u32> = (0..items).collect();
            let mut slots = vec![u32::MAX; items.len()];
            executor.begin_step(items.len() as u32);
            executor.map(GRAIN, &items, &mut slots, |item| item * 3);
            assert!(slots.iter().zip(&items).all(|(slot, item)| *slot == item * 3), "{parallelism:?}: {slots:?}");
        }
    }
}

#[test]
fn parts_know_their_first_item_and_the_shortest_column_counts() {
    for parallelism in ALL {
        let mut executor = Executor::new(parallelism);
        executor.begin_step(1);
        let (numbers, mut doubles, mut squares) = ([5_usize; 60], [0; 50], [0; 70]);
        executor.for_each_part(
            GRAIN,
            (&numbers[..], (&mut doubles[..], &mut squares[..])),
            |first, (numbers, (doubles, squares))| {
                assert_eq!((numbers.len(), doubles.len()), (squares.len(), squares.len()));
                for place in 0..numbers.len() {
                    doubles[place] = numbers[place] * 2 + first + place;
                    squares[place] = numbers[place] * numbers[place];
                }
            },
        );
        assert!(doubles.iter().enumerate().all(|(place, double)| *double == 10 + place), "{doubles:?}");
        assert!(squares.iter().enumerate().all(|(place, square)| *square == if place < 50 { 25 } else { 0 }));
    }
}

/// The items in the order in which they were visited, with the threads that visited them.
fn visits(executor: &mut Executor, step: u32) -> (Vec<u32>, BTreeSet<String>) {
    let items: Vec<u32> = (0..40).collect();
    let seen = Mutex::new((Vec::new(), BTreeSet::new()));
    executor.begin_step(step);
    executor.map(GRAIN, &items, &mut [(); 40], |item| {
        let mut seen = seen.lock().unwrap_or_else(|error| panic!("{error}"));
        seen.0.push(*item);
        seen.1.insert(name(current().id()));
    });
    seen.into_inner().unwrap_or_else(|error| panic!("{error}"))
}

fn name(thread: ThreadId) -> String {
    format!("{thread:?}")
}

#[test]
fn a_scrambled_run_takes_another_order_in_every_step_and_the_same_again() {
    let scrambled = |seed| on(1, Scheduling::Scrambled { seed });
    let order = |seed, step| visits(&mut Executor::new(scrambled(seed)), step).0;
    let in_order: Vec<u32> = (0..40).collect();
    assert_eq!(visits(&mut Executor::default(), 1).0, in_order);
    assert_ne!(order(1, 1), in_order);
    assert_eq!(order(1, 1), order(1, 1));
    assert_ne!(order(1, 1), order(1, 2));
    assert_ne!(order(1, 1), order(2, 1));
}

#[test]
fn every_thread_takes_part_and_each_number_has_its_turn() {
    let in_turn = on(1, Scheduling::ScrambledInTurn { seed: 0 });
    let mut executor = Executor::new(in_turn);
    let threads: Vec<usize> = (0..8).map(|step| visits(&mut executor, step).1.len()).collect();
    assert_eq!(threads, [1, 2, 3, 8, 1, 2, 3, 8]);
    assert_eq!(executor.exercised().threads, THREADS_IN_TURN);
    assert_eq!(executor.exercised().parallel_calls, 6);
}

#[test]
fn what_fits_into_one_part_stays_on_the_calling_thread() {
    let (mut executor, caller) = (Executor::new(Parallelism::plain(3)), current().id());
    for items in [0, 1, GRAIN - 1, GRAIN] {
        executor.begin_step(1);
        executor.map(GRAIN, &vec![(); items], &mut vec![(); items], |()| {
            assert_eq!(current().id(), caller);
        });
        assert_eq!(executor.exercised().parallel_calls, 0, "{items} items");
    }
    executor.map(GRAIN, &[(); GRAIN + 1], &mut [(); GRAIN + 1], |()| ());
    assert_eq!(executor.exercised().parallel_calls, 1);
}

#[test]
fn an_item_alone_runs_nothing_in_parallel() {
    for parallelism in ALL {
        let mut executor = Executor::new(parallelism);
        executor.begin_step(1);
        executor.map(GRAIN, &[1], &mut [0], |item| item + 1);
        assert_eq!(executor.exercised().parallel_calls, 0);
    }
}

#[test]
fn threads_are_kept_from_step_to_step() {
    let mut executor = Executor::new(ALL[4]);
    let threads: BTreeSet<String> = (0..40).flat_map(|step| visits(&mut executor, step).1).collect();
    // Each number of threads has its own, but for the one that calls.
    assert_eq!(threads.len(), 1 + 1 + 2 + 7);
}
