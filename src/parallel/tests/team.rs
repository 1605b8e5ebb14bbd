//! The threads of a team: all work is done when a call returns, whoever did it.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::yield_now;

use crate::parallel::team::{Attendance, Team};

const ROUNDS: usize = if cfg!(miri) { 20 } else { 2_000 };
const MEMBERS: [u32; 3] = [2, 3, 8];

fn team(members: u32) -> Team {
    Team::new(members).unwrap_or_else(|| panic!("no {members} threads"))
}

/// What a call lends lies on the stack of the one who calls: were it to return while a member still works, that member would work
/// on the next round.
#[test]
fn nobody_works_any_more_when_a_call_returns() {
    for members in MEMBERS {
        let mut team = team(members);
        for round in 0..ROUNDS {
            let (inside, came) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let attendance = [Attendance::Awake, Attendance::Woken, Attendance::Full][round % 3];
            team.call(attendance, &|_| {
                inside.fetch_add(1, Ordering::SeqCst);
                came.fetch_add(1, Ordering::SeqCst);
                for _ in 0..round % 7 {
                    yield_now();
                }
                inside.fetch_sub(1, Ordering::SeqCst);
            });
            assert_eq!(inside.into_inner(), 0, "round {round} of {members}");
            let came = came.into_inner();
            assert!(came == members as usize || attendance != Attendance::Full && came > 0, "{came} of {members}");
        }
    }
}

/// Between two calls of a chain of barriers everyone has read what the others wrote: each round adds what the neighbours
/// had, as numbers that are no atomics.
#[test]
fn each_call_sees_what_all_did_in_the_one_before() {
    for members in MEMBERS {
        let count = members as usize;
        let mut team = team(members);
        let mut numbers: Vec<u64> = (0..count as u64).collect();
        let mut expected = numbers.clone();
        for round in 0..ROUNDS {
            let before = numbers.clone();
            let cells: Vec<_> = numbers.iter_mut().map(std::sync::Mutex::new).collect();
            team.call(Attendance::Full, &|member| {
                let sum = before[member].wrapping_add(before[(member + 1) % count]);
                **cells[member].lock().unwrap_or_else(|error| panic!("{error}")) = sum;
            });
            let next = |place: usize| expected[place].wrapping_add(expected[(place + 1) % count]);
            expected = (0..count).map(next).collect();
            assert_eq!(numbers, expected, "round {round} of {members}");
        }
    }
}

/// A panic that says nothing on stderr.
fn fail() {
    std::panic::resume_unwind(Box::new("planted"));
}

#[test]
fn a_panic_reaches_the_one_who_calls_and_the_team_goes_on() {
    for members in MEMBERS {
        let mut team = team(members);
        for unlucky in 0..members as usize {
            let done = AtomicUsize::new(0);
            let call = AssertUnwindSafe(|| {
                team.call(Attendance::Full, &|member| {
                    if member == unlucky {
                        fail();
                    }
                    done.fetch_add(1, Ordering::SeqCst);
                });
            });
            let payload = catch_unwind(call).expect_err("member {unlucky} panics");
            assert_eq!(payload.downcast_ref::<&str>(), Some(&"planted"));
            assert_eq!(done.into_inner(), members as usize - 1, "member {unlucky} of {members}");
            team.call(Attendance::Full, &|_| {});
        }
    }
}

thread_local! {
    /// Lives as long as its thread.
    static HELD: RefCell<Option<Arc<()>>> = const { RefCell::new(None) };
}

#[test]
fn its_threads_end_with_the_team() {
    for (members, work) in MEMBERS.into_iter().flat_map(|members| [(members, false), (members, true)]) {
        let held = Arc::new(());
        let mut team = team(members);
        team.call(Attendance::Full, &|member| {
            if member > 0 {
                HELD.set(Some(Arc::clone(&held)));
            }
        });
        assert_eq!(Arc::strong_count(&held), members as usize);
        if !work {
            wait_until_asleep(&team);
        }
        drop(team);
        assert_eq!(Arc::strong_count(&held), 1);
    }
}

fn wait_until_asleep(team: &Team) {
    for _ in 0..10_000_000 {
        if team.sleepers() == team.members() - 1 {
            return;
        }
        yield_now();
    }
    panic!("{} of {} threads asleep", team.sleepers(), team.members() - 1);
}

#[test]
fn threads_that_have_nothing_to_do_sleep_and_wake_again() {
    for members in MEMBERS {
        let mut team = team(members);
        for _ in 0..5 {
            wait_until_asleep(&team);
            let came = AtomicUsize::new(0);
            team.call(Attendance::Full, &|_| {
                came.fetch_add(1, Ordering::SeqCst);
            });
            assert_eq!(came.into_inner(), members as usize);
        }
    }
}

#[test]
fn little_work_wakes_nobody_and_who_rests_sleeps_at_once() {
    let mut team = team(3);
    wait_until_asleep(&team);
    for _ in 0..100 {
        let came = AtomicUsize::new(0);
        team.call(Attendance::Awake, &|_| {
            came.fetch_add(1, Ordering::SeqCst);
        });
        assert_eq!((came.into_inner(), team.sleepers()), (1, 2));
    }
    team.call(Attendance::Full, &|_| {});
    team.rest();
    wait_until_asleep(&team);
}

#[test]
fn one_thread_is_no_team() {
    assert!(Team::new(0).is_none() && Team::new(1).is_none());
    assert_eq!(team(5).members(), 5);
}
