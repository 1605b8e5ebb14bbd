//! The stacks of the threads that this program starts and that may solve contacts: one size, asked for in one place.
//!
//! A build without optimisation keeps every copy of a batch of rows in a place of its own, and a step then takes up to 5 MiB of stack
//! (measured with `ulimit -s` over ten scenes, 5.0 in fixed point and 4.5 in `f64`), which is more than the 2 MiB that a thread of Rust gets
//! unless it asks for more; an optimised one takes less than 256 KiB. The main thread has the size that the system gives it: 8 MiB on
//! Linux and macOS, which is enough for either; 1 MiB on Windows, which is enough where a build is optimised.
//!
//! A size is address space: memory is taken page by page, when it is first used. So it costs nothing where addresses are plenty, and
//! where they are of 32 bits all threads together are kept to a part of them.

use std::thread::Builder;

/// What a thread gets where there is room, in bytes: three times what a step takes without optimisation.
const WANTED: usize = 16 << 20;
/// What it gets in any case, in bytes: as much as without asking. An optimised build needs no more.
const LEAST: usize = 2 << 20;
/// What threads that are started together may take of addresses of 32 bits, in bytes: an eighth.
const ALL_OF_32_BITS: usize = 512 << 20;

/// The builder of one of so many threads that are started together.
pub fn thread_builder(threads: usize) -> Builder {
    Builder::new().stack_size(stack_bytes(threads, usize::BITS))
}

/// The stack of one of so many threads, in bytes, where addresses have so many bits.
const fn stack_bytes(threads: usize, address_bits: u32) -> usize {
    if address_bits > 32 {
        return WANTED;
    }
    match ALL_OF_32_BITS.checked_div(threads) {
        Some(each) if each < LEAST => LEAST,
        Some(each) if each < WANTED => each,
        _ => WANTED,
    }
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::{ALL_OF_32_BITS, LEAST, WANTED, stack_bytes, thread_builder};
    use crate::parallel::MAX_THREADS;

    /// Calls itself until that has taken so many bytes of stack; gives back how many it took.
    fn deepest(bytes: usize, from: usize) -> usize {
        let room = black_box([1_u8; 1024]);
        let taken = from.abs_diff(room.as_ptr().addr());
        if taken < bytes { deepest(bytes, from).max(usize::from(black_box(room)[7])) } else { taken }
    }

    #[test]
    fn a_thread_has_room_for_twice_a_step_of_a_build_without_optimisation() {
        const TWICE: usize = 10 << 20;
        let taken = thread_builder(1).spawn(|| {
            let here = black_box([0_u8; 8]);
            deepest(TWICE, here.as_ptr().addr())
        });
        assert!(taken.expect("a thread").join().expect("it ends") >= TWICE);
    }

    #[test]
    fn where_addresses_are_short_all_threads_fit() {
        assert_eq!(stack_bytes(MAX_THREADS as usize, 64), WANTED);
        for threads in 0..=4 * MAX_THREADS as usize {
            let each = stack_bytes(threads, 32);
            assert!((LEAST..=WANTED).contains(&each), "{threads}: {each}");
            assert!(each == LEAST || threads * each <= ALL_OF_32_BITS, "{threads}: {each}");
        }
        assert_eq!([1, 32, 64, MAX_THREADS as usize].map(|threads| stack_bytes(threads, 32) >> 20), [16, 16, 8, 2]);
    }
}
