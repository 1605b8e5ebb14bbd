//! A step takes no memory once everything has its room.

use physim::math::Scalar;

use crate::common::{load, package, session};
use crate::on_every_scalar;

/// Steps until every list is as long as it gets.
const SETTLING: u32 = 120;

/// Stacks at rest, small and many, and a net that swings with a ball in it.
fn steps_take_no_memory<S: Scalar>() {
    for (name, steps) in [("bench/columns_10x10", 40), ("stack_20", 40), ("bench/net_20x20", 40)] {
        let mut session = session::<S>(&load(&package().join(format!("scenes/{name}.ron"))));
        let mut advance = || {
            session.advance(&mut ()).expect("a step");
        };
        (0..SETTLING).for_each(|_| advance());
        let taken = allocation_counter::measure(|| (0..steps).for_each(|_| advance()));
        assert_eq!((taken.count_total, taken.bytes_total), (0, 0), "{name}, {:?}", S::KIND);
    }
}

#[test]
fn a_steady_step_takes_no_memory() {
    on_every_scalar!(steps_take_no_memory);
}
