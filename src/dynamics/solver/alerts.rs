//! Which contacts may strike within a substep, eight at a time: all others need no look of their own.
//!
//! A filter and nothing more: what it lets through is looked at anew, and what it holds back would have been found to strike nothing.

use crate::dynamics::body::Bodies;
use crate::dynamics::integrator::Motion;
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::chunk::{BatchBodies, Chunk};
use crate::dynamics::solver::foretold::Foretold;
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::refresh::small_turn;
use crate::dynamics::solver::rows::{Rows, RowsView};
use crate::dynamics::solver::strikes::{is_worth_a_strike, pace, slow_for, slowest_strike};
use crate::math::Scalar;
use crate::math::lanes::{Flags, LanePath, LaneTask, Lanes};
use crate::parallel::Executor;

/// Finds the contacts that may strike in this substep, or whose shapes turn so far in it that their rows do not stay true.
pub(super) fn find_alerts<S: Scalar>(
    rows: &mut Rows<S>,
    (bodies, motion): (&Bodies<S>, &Motion<S>),
    (foretold, settings): (&Foretold<S>, &Settings<S>),
    (path, executor): (LanePath, &mut Executor),
) {
    executor.for_each_part(1, rows.batches.chunks(), |_, chunks| {
        path.run(FindAlerts { chunks, bodies, motion, foretold, settings });
    });
}

/// The search, as a task for lanes.
struct FindAlerts<'a, S: Scalar> {
    chunks: &'a mut [Chunk<S>],
    bodies: &'a Bodies<S>,
    motion: &'a Motion<S>,
    foretold: &'a Foretold<S>,
    settings: &'a Settings<S>,
}

impl<S: Scalar> LaneTask<S> for FindAlerts<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) {
        let Self { chunks, bodies, motion, foretold, settings } = self;
        for chunk in chunks {
            for batch in 0..chunk.len() {
                let count = chunk.lanes_of(batch);
                let mut view = chunk.view(batch);
                // Most batches of what rests need not be looked at: their rows stay out of the caches.
                if are_calm(view.bodies, foretold) {
                    view.bodies.alert = Flags::default();
                    continue;
                }
                for part in 0..count.div_ceil(L::WIDTH) {
                    view.at = part * L::WIDTH;
                    let alert = alerts_of::<L>(&view, bodies, motion, settings);
                    view.bodies.alert.set::<L>(view.at, L::mask(u8::MAX), alert);
                }
            }
        }
    }
}

/// Whether all bodies of a batch are calm.
#[inline(always)]
fn are_calm<S: Scalar>(bodies: &BatchBodies, foretold: &Foretold<S>) -> bool {
    let [a, b] = &bodies.indices;
    for lane in 0..bodies.count {
        if !foretold.are_calm([a[lane], b[lane]]) {
            return false;
        }
    }
    true
}

/// The lanes in view whose contacts may strike.
#[inline(always)]
fn alerts_of<L: Lanes>(
    view: &RowsView<'_, L::Scalar>,
    bodies: &Bodies<L::Scalar>,
    motion: &Motion<L::Scalar>,
    settings: &Settings<L::Scalar>,
) -> L::Mask {
    let at = view.at;
    let now = PairMotion::<L>::gather(view, &bodies.linear_velocity, &bodies.angular_velocity);
    let turn =
        (now.angular[0].sum_of_magnitudes() + now.angular[1].sum_of_magnitudes()) * L::splat(settings.substep_seconds);
    let mut alert = turn.is_above(L::splat(small_turn::<L::Scalar>()));
    let approach = view.common.growth(at, &now);
    let bounces = view.common.surface.restitution.get::<L>(at).is_above(L::zero());
    let speed_of_centres = if L::any(bounces) { view.common.speed_of_centres(at, &now) } else { L::zero() };
    let mut accelerations = None;
    for (point, present) in view.points.iter().zip(&view.bodies.present) {
        let levers = point.levers_at(at);
        let speed = approach.at(levers);
        let approaches = L::and(present.get::<L>(at), L::zero().is_above(speed));
        if !L::any(approaches) {
            continue;
        }
        let Motion { linear_acceleration, angular_acceleration, .. } = motion;
        let gathered = match accelerations {
            Some(gathered) => gathered,
            None => {
                let accelerations = PairMotion::<L>::gather(view, linear_acceleration, angular_acceleration);
                view.common.growth(at, &accelerations)
            }
        };
        accelerations = Some(gathered);
        let acceleration = gathered.at(levers);
        let mut slowest = L::splat(slowest_strike(settings));
        if L::any(bounces) {
            let pace = pace(speed, speed_of_centres);
            let is_fast = L::and(bounces, pace.is_above(L::splat(settings.solver.restitution_threshold)));
            slowest = L::select(is_fast, slow_for(pace).smaller(slowest), slowest);
        }
        let is_worth = is_worth_a_strike(speed, acceleration, L::splat(settings.substep_seconds), slowest);
        alert = L::or(alert, L::and(approaches, is_worth));
    }
    alert
}
