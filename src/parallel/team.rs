//! Threads that are made once and called to work many times.
//!
//! Between two calls a thread spins for a moment, then yields, then sleeps: calls that follow each other closely cost a barrier
//! each, and where nothing is shared for a while the threads use no processor.

use std::any::Any;
use std::fmt::{Debug, Formatter};
use std::mem::{ManuallyDrop, take};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use crate::parallel::patience::Patience;
use crate::parallel::shared::call::{Guest, Host, MOST_GUESTS, gate};
use crate::parallel::stack::thread_builder;

/// Whether the target has threads. Where it has none, not even the code that would start or join one may be linked: WASI has no
/// functions for it.
const HAS_THREADS: bool = !cfg!(target_family = "wasm");

/// Who takes part in a call beside the calling thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attendance {
    /// Whoever is awake and comes in time: nobody is woken for little work, as that alone costs more than ten microseconds.
    Awake,
    /// Whoever comes in time; all are woken.
    Woken,
    /// Everyone.
    Full,
}

/// The calling thread and some more; the calling thread is member 0.
pub(super) struct Team {
    host: Host,
    bell: Arc<Bell>,
    /// Joined when the team ends; never dropped unseen, since that links the detaching of threads where there are none.
    threads: ManuallyDrop<Vec<JoinHandle<()>>>,
}

impl Debug for Team {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Team").field("members", &self.members()).finish_non_exhaustive()
    }
}

impl Team {
    /// A team of so many members; `None` for fewer than two, and where the machine cannot give them.
    pub(super) fn new(members: u32) -> Option<Self> {
        let others = (members as usize).saturating_sub(1).min(MOST_GUESTS);
        if !HAS_THREADS || others == 0 {
            return None;
        }
        let (host, guests) = gate(others);
        let mut team = Self { host, bell: Arc::new(Bell::default()), threads: ManuallyDrop::default() };
        for guest in guests {
            let bell = Arc::clone(&team.bell);
            let builder = thread_builder(others).name("physim worker".to_owned());
            team.threads.push(builder.spawn(move || serve(guest, &bell)).ok()?);
        }
        Some(team)
    }

    /// How many threads work, the calling one among them.
    pub(super) fn members(&self) -> usize {
        self.threads.len() + 1
    }

    /// Wakes those who sleep, and lets them stay awake for a while: work is about to come.
    pub(super) fn wake(&self) {
        self.bell.is_over_for_now.store(false, Ordering::Relaxed);
        self.bell.ring();
    }

    /// Lets all sleep as soon as they have nothing to do.
    pub(super) fn rest(&self) {
        self.bell.is_over_for_now.store(true, Ordering::Relaxed);
    }

    /// How many sleep, or are about to.
    #[cfg(test)]
    pub(super) fn sleepers(&self) -> usize {
        self.bell.sleepers.load(Ordering::SeqCst)
    }

    /// Lets members do this work, each at most once and told its number, the calling thread for certain.
    ///
    /// Where one of them panics, the others come to their end, and the calling thread goes on with the panic.
    pub(super) fn call(&mut self, attendance: Attendance, work: &(dyn Fn(usize) + Sync)) {
        let bell = &*self.bell;
        let guarded = |member: usize| {
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| work(member))) {
                *lock(&bell.panic) = Some(payload);
            }
        };
        self.host.call(attendance == Attendance::Full, &guarded, || {
            if attendance != Attendance::Awake {
                bell.ring();
            }
        });
        let panic = lock(&bell.panic).take();
        if let Some(payload) = panic {
            resume_unwind(payload);
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.bell.is_over.store(true, Ordering::SeqCst);
        self.bell.ring();
        if HAS_THREADS {
            for thread in take(&mut *self.threads) {
                // Work that panics is caught where it is done: a thread always comes to its end.
                let _ended = thread.join();
            }
        }
    }
}

/// What wakes threads, and what they leave for the calling thread.
#[derive(Default)]
struct Bell {
    /// How many sleep, or are about to.
    sleepers: AtomicUsize,
    /// How often it rang.
    rings: Mutex<u64>,
    rung: Condvar,
    /// Whether nothing is about to come.
    is_over_for_now: AtomicBool,
    /// Whether threads are to end.
    is_over: AtomicBool,
    /// The panic of a member.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl Bell {
    /// Wakes all who sleep.
    fn ring(&self) {
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            *lock(&self.rings) += 1;
            self.rung.notify_all();
        }
    }

    /// Sleeps until the bell rings, unless there is already a reason not to. A sleeper is counted before it looks: so either it
    /// sees the reason or whoever gives it one sees a sleeper, and rings.
    fn sleep_unless(&self, has_reason: impl Fn() -> bool) {
        let mut rings = lock(&self.rings);
        let before = *rings;
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        while *rings == before && !has_reason() {
            rings = self.rung.wait(rings).unwrap_or_else(PoisonError::into_inner);
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }
}

/// What a thread does: takes part in every call that it comes in time for.
fn serve(mut guest: Guest, bell: &Bell) {
    let mut patience = Patience::long();
    while !bell.is_over.load(Ordering::SeqCst) {
        if guest.attend() {
            patience = Patience::long();
        } else if bell.is_over_for_now.load(Ordering::Relaxed) || !patience.wait() {
            bell.sleep_unless(|| guest.is_awaited() || bell.is_over.load(Ordering::SeqCst));
            patience = Patience::long();
        }
    }
}

/// What a lock guards: nothing in here is left half done by a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
