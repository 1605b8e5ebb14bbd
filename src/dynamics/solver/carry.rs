//! With what of a contact's impulses the next substep begins.
//!
//! What bears a load bears about the same in the next substep. A blow is over: to begin with it again would push the bodies apart that it has
//! brought to rest, and where they differ much in mass, a few passes do not take that back. A load grows from substep to substep, a blow is
//! there at once.

use crate::dynamics::solver::rows::RowsView;
use crate::math::Scalar;
use crate::math::lanes::LANES;

/// The power of two in m/s up to which impulses are carried on, whatever they were before: 0.25 m/s.
const ALWAYS: i32 = -2;

/// Brings the impulses of some contacts, which are those of a substep, down to twice those with which it began, or to what is always carried
/// on: friction in the same measure.
pub(super) fn carry_on<S: Scalar>(view: &mut RowsView<'_, S>) {
    let mut pressed = [S::ZERO; LANES];
    for point in view.points.iter() {
        for (sum, impulse) in pressed.iter_mut().zip(point.impulse.0) {
            *sum += impulse;
        }
    }
    let always = S::ONE.scale_by_power_of_two(ALWAYS);
    for (lane, pressed) in pressed.into_iter().enumerate() {
        let carried = &mut view.common.carried.0[lane];
        let most = always.max(*carried + *carried);
        *carried = pressed.min(most);
        if pressed > most {
            scale_impulses(view, lane, most / pressed);
        }
    }
}

fn scale_impulses<S: Scalar>(view: &mut RowsView<'_, S>, lane: usize, factor: S) {
    let normal = view.points.iter_mut().map(|point| &mut point.impulse);
    let discs = view.friction.iter_mut().chain(view.rolling.as_deref_mut()).flat_map(|disc| &mut disc.impulse);
    for impulse in normal.chain(discs).chain([&mut view.common.twist.impulse]) {
        impulse.0[lane] *= factor;
    }
}
