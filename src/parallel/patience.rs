//! How threads wait for each other: they spin for about as long as a barrier takes, yield for a while, then rather sleep.

use std::hint::spin_loop;
use std::thread::yield_now;

/// How often a thread looks before it yields: about a microsecond and a half. (An interpreter does one thing at a time.)
const SPINS: u32 = if cfg!(miri) { 1 } else { 64 };
/// How often it yields where it waits for a call: some hundred microseconds where nobody else wants the processor. To be woken takes
/// fifty.
const YIELDS: u32 = if cfg!(miri) { 2 } else { 1000 };
/// How often it yields where it waits for others to end what they do: a few chunks' time.
const FEW_YIELDS: u32 = if cfg!(miri) { 1 } else { 100 };

/// What is left of a thread's patience.
#[derive(Debug)]
pub(super) struct Patience {
    spins: u32,
    yields: u32,
}

impl Patience {
    /// That of a thread which may be called again soon.
    pub(super) const fn long() -> Self {
        Self { spins: SPINS, yields: YIELDS }
    }

    /// That of a thread which waits for the last to end.
    pub(super) const fn short() -> Self {
        Self { spins: SPINS, yields: FEW_YIELDS }
    }

    /// Waits for a moment; false where it has waited long enough.
    pub(super) fn wait(&mut self) -> bool {
        if self.spins > 0 {
            self.spins -= 1;
            spin_loop();
        } else if self.yields > 0 {
            self.yields -= 1;
            yield_now();
        } else {
            return false;
        }
        true
    }
}
