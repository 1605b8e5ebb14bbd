//! Work that is lent to threads for as long as one call lasts.
//!
//! A gate is one word: the number of the call, whether guests may enter, how many have entered and how many have left. The host
//! opens it with work behind it, does a share of its own, closes it, and waits for those inside. Who comes late finds it closed,
//! and is not waited for: a thread that the system gives no time to holds up nobody.

use std::cell::UnsafeCell;
use std::mem::transmute;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::parallel::patience::Patience;

/// What each member does in a call, told its number.
type Work<'a> = dyn Fn(usize) + Sync + 'a;

/// Counts one guest that has left.
const LEFT: u64 = 1 << 16;
/// Set while guests may enter.
const OPEN: u64 = 1 << 32;
/// Counts calls.
const CALL: u64 = 1 << 33;
/// Most guests, so that their counts stay apart.
pub(in crate::parallel) const MOST_GUESTS: usize = 0xffff;

/// How many guests have entered since the gate was opened.
const fn entered(word: u64) -> u64 {
    word % LEFT
}

/// How many of them have left.
const fn left(word: u64) -> u64 {
    word % OPEN / LEFT
}

/// The word, and the work behind it.
struct Gate {
    /// All that changes it is in one order with what sleepers say of themselves: so nobody falls asleep for a change that was made.
    word: AtomicU64,
    /// Written by the host while the gate is closed and nobody is inside; read by guests while they are inside.
    work: UnsafeCell<*const Work<'static>>,
    /// Whether the host sleeps, or is about to, until guests have left.
    is_host_asleep: AtomicBool,
    sleep: Mutex<()>,
    guest_left: Condvar,
}

// SAFETY: of its fields only `work` is not Sync by itself. It is written before the store that opens the gate and read behind the
// exchange that enters through it, which acquires what that store released; and it is written again only after the host has
// acquired what every guest released when it left.
unsafe impl Sync for Gate {}
// SAFETY: what `work` points to is Sync, and is not touched but within a call.
unsafe impl Send for Gate {}

/// The one who opens the gate.
pub(in crate::parallel) struct Host {
    gate: Arc<Gate>,
    guests: u64,
}

/// One who enters through it, once in each call at most.
pub(in crate::parallel) struct Guest {
    gate: Arc<Gate>,
    /// Which member this is: the host is 0.
    member: usize,
    /// The call in which it took part last.
    last: u64,
}

/// A closed gate with its host and so many guests.
pub(in crate::parallel) fn gate(guests: usize) -> (Host, Vec<Guest>) {
    let guests = guests.min(MOST_GUESTS);
    let nothing: *const Work<'static> = &|_: usize| {};
    let gate = Arc::new(Gate {
        word: AtomicU64::new(0),
        work: UnsafeCell::new(nothing),
        is_host_asleep: AtomicBool::new(false),
        sleep: Mutex::new(()),
        guest_left: Condvar::new(),
    });
    let guest = |member| Guest { gate: Arc::clone(&gate), member, last: 0 };
    let all = (1..=guests).map(guest).collect();
    (Host { gate, guests: guests as u64 }, all)
}

impl Host {
    /// Does the work together with the guests; `ring` calls them once the gate is open. When this returns nobody does it any more.
    ///
    /// Where everyone is to come this waits for every guest: each must still be about to come.
    pub(in crate::parallel) fn call(&mut self, is_for_everyone: bool, work: &Work<'_>, ring: impl FnOnce()) {
        // SAFETY: only the lifetime changes. Guests use the pointer while they are inside, and `Closing` lets nobody out of this
        // function, by no way, before all of them have left and none can enter.
        let lent = unsafe { transmute::<*const Work<'_>, *const Work<'static>>(work) };
        // SAFETY: this is the only host, borrowed for itself alone; the gate is closed and nobody is inside, as `Closing` left it
        // or as it was made.
        unsafe { *self.gate.work.get() = lent };
        let before = self.gate.word.load(Ordering::Relaxed);
        let closing = Closing(&self.gate);
        // Either sleepers see the gate open or `ring` sees them asleep.
        self.gate.word.store((before / CALL).wrapping_add(1).wrapping_mul(CALL) | OPEN, Ordering::SeqCst);
        ring();
        work(0);
        if is_for_everyone {
            self.gate.wait_for_guests(|word| left(word) == self.guests);
        }
        drop(closing);
    }
}

/// Closes the gate and waits for those inside, also where the host unwinds.
struct Closing<'a>(&'a Gate);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.word.fetch_and(!OPEN, Ordering::SeqCst);
        self.0.wait_for_guests(|word| left(word) == entered(word));
    }
}

impl Gate {
    /// Waits until enough guests have left: awake for as long as a chunk of work takes, then asleep, so that those who still work can
    /// have the processor.
    fn wait_for_guests(&self, have_left: impl Fn(u64) -> bool) {
        let is_done = || have_left(self.word.load(Ordering::SeqCst));
        let mut patience = Patience::short();
        while !is_done() {
            if patience.wait() {
                continue;
            }
            // Told before it looks again: so either it sees that the last has left, or that one sees it asleep.
            self.is_host_asleep.store(true, Ordering::SeqCst);
            let mut asleep = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
            while !is_done() {
                asleep = self.guest_left.wait(asleep).unwrap_or_else(PoisonError::into_inner);
            }
            self.is_host_asleep.store(false, Ordering::SeqCst);
        }
    }

    /// A guest leaves.
    fn leave(&self) {
        self.word.fetch_add(LEFT, Ordering::SeqCst);
        if self.is_host_asleep.load(Ordering::SeqCst) {
            drop(self.sleep.lock());
            self.guest_left.notify_one();
        }
    }
}

impl Guest {
    /// Whether a call is open in which this guest has not taken part.
    pub(in crate::parallel) fn is_awaited(&self) -> bool {
        let word = self.gate.word.load(Ordering::SeqCst);
        word & OPEN != 0 && word / CALL != self.last
    }

    /// Takes part in the open call; false where there is none, or none that it has not been to.
    pub(in crate::parallel) fn attend(&mut self) -> bool {
        let mut word = self.gate.word.load(Ordering::Relaxed);
        loop {
            if word & OPEN == 0 || word / CALL == self.last {
                return false;
            }
            match self.gate.word.compare_exchange_weak(word, word + 1, Ordering::SeqCst, Ordering::Relaxed) {
                Ok(_) => break,
                Err(now) => word = now,
            }
        }
        self.last = word / CALL;
        let _leaving = Leaving(&self.gate);
        // SAFETY: this guest is inside and has not left, so the host waits in `call`: the pointer is written, and what it points
        // to still borrowed there.
        unsafe { (**self.gate.work.get())(self.member) };
        true
    }
}

/// Tells the host that a guest has left, also where it unwinds.
struct Leaving<'a>(&'a Gate);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}
