//! The passes over all rows within a substep: warm start, solve, and the pass over positions.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::body::Bodies;
use crate::dynamics::integrator::Motion;
use crate::dynamics::settings::{Clamping, Correction, NormalRows, Settings, SolverSettings};
use crate::dynamics::solver::by_colour::{Pass, Velocities, run_pass};
use crate::dynamics::solver::exchange::{Exchange, Growth, Pressed, Push, Six, weighted_sum};
use crate::dynamics::solver::friction::solve_friction;
use crate::dynamics::solver::normals::{NormalSolve, Target, solve_normals};
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::rows::{Rows, RowsView};
use crate::dynamics::solver::strikes::slowest_strike;
use crate::math::Scalar;
use crate::math::lanes::{Flags, LanePath, Lanes, Watch};
use crate::parallel::Executor;

/// Sweeps over the normal rows of one contact, at most. What they leave is taken up by the next pass.
const LOCAL_SWEEPS: u32 = 8;
/// The power of two in m/s up to which a change of an impulse is not worth another sweep: 0.12 mm/s.
const NEGLIGIBLE: i32 = -13;
/// The power of two in m/s up to which what comes to touch is stopped there, whatever the restitution threshold: 6 cm/s.
const SLOWEST_TO_COME: i32 = -4;

/// The power of two in metres up to which a gap counts as closed, 4 nm. A row that closes one leaves of it what rounding does, above or below
/// nothing; where it stood for apart, the body sank as far as its weight asks for in whichever step that came to be nothing.
const CLOSED: i32 = -28;

/// What a pass over the velocities is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VelocityPass {
    /// No approach, and overlap removed as the settings say.
    Correct,
    /// No approach, nothing else: takes out the speed that the correction brought in.
    Relax,
}

/// Applies the kept impulses.
pub(super) fn warm_start<S: Scalar>(rows: &mut Rows<S>, bodies: &mut Bodies<S>, how: (LanePath, &mut Executor)) {
    run_pass(&WarmStart, &mut rows.batches, Velocities::of(bodies), how);
}

/// One iteration over all rows: the normals of each contact, then its friction. The largest change of a speed by a normal
/// impulse, m/s.
pub(super) fn solve<S: Scalar>(
    rows: &mut Rows<S>,
    bodies: &mut Bodies<S>,
    (motion, settings): (&Motion<S>, &Settings<S>),
    pass: VelocityPass,
    how: (LanePath, &mut Executor),
) -> S {
    let normals = NormalSolve { yields: is_soft(settings, pass), ..normal_solve(&settings.solver) };
    run_pass(&Iteration { motion, settings, pass, normals }, &mut rows.batches, Velocities::of(bodies), how)
}

fn is_soft<S: Scalar>(settings: &Settings<S>, pass: VelocityPass) -> bool {
    pass == VelocityPass::Correct && matches!(settings.solver.correction, Correction::Soft(_))
}

/// How the settings want normal rows solved.
pub(super) fn normal_solve<S: Scalar>(solver: &SolverSettings<S>) -> NormalSolve<S> {
    NormalSolve {
        sweeps: match solver.normals {
            NormalRows::Block => LOCAL_SWEEPS,
            NormalRows::PerPoint => 1,
        },
        accumulates: matches!(solver.clamping, Clamping::Accumulated),
        yields: false,
        negligible: S::ONE.scale_by_power_of_two(NEGLIGIBLE),
    }
}

/// Applies the impulses that are there.
struct WarmStart;

impl<S: Scalar> Pass<S> for WarmStart {
    fn is_for_small(&self) -> bool {
        true
    }

    #[inline(always)]
    fn work_on<L: Lanes<Scalar = S>>(
        &self,
        now: &mut PairMotion<L>,
        view: &mut RowsView<'_, S>,
        watch: &mut Watch<L>,
    ) -> L {
        kept_push(view, watch).apply((view.common, view.at), now, watch);
        L::zero()
    }
}

/// What all impulses that the rows in view have push together.
#[inline(always)]
pub(super) fn kept_push<L: Lanes>(view: &RowsView<'_, L::Scalar>, watch: &mut Watch<L>) -> Push<L> {
    let at = view.at;
    let (mut kept, mut pressed) = (Six::<L>::zero(), Pressed::none());
    for point in view.points.iter() {
        let impulse: L = point.impulse.get(at);
        watch.see(impulse);
        if view.points.len() > 1 {
            pressed.press(point.levers_at(at), impulse);
        } else {
            kept.along[0] = impulse;
        }
    }
    if view.points.len() > 1 {
        kept.set_pressed(pressed);
    }
    with_friction(kept, view, watch)
}

/// What the friction that the rows in view have pushes, of all kinds.
pub(super) fn friction_push<S: Scalar>(view: &RowsView<'_, S>, watch: &mut Watch<S>) -> Push<S> {
    with_friction(Six::zero(), view, watch)
}

/// What these impulses along the normals push together with the friction of the rows in view.
#[inline(always)]
fn with_friction<L: Lanes>(mut kept: Six<L>, view: &RowsView<'_, L::Scalar>, watch: &mut Watch<L>) -> Push<L> {
    let (common, at) = (&*view.common, view.at);
    kept.about[0] = common.twist.impulse.get(at);
    let mut turns = view.points.len() > 1 || L::any(kept.about[0].differs(L::zero()));
    if let Some(rolling) = &view.rolling {
        kept.about[1] = kept.about[1] + rolling.impulse[0].get(at);
        kept.about[2] = kept.about[2] + rolling.impulse[1].get(at);
        turns = true;
    }
    if view.patch.is_some()
        && let Some(disc) = view.friction.first()
    {
        (kept.along[1], kept.along[2]) = (disc.impulse[0].get(at), disc.impulse[1].get(at));
    }
    kept.show(watch);
    let mut push = kept.push(common, at, turns, watch);
    let [_, first, second] = common.directions_at::<L>(at);
    for (disc, arms) in view.friction.iter().zip(view.arms.iter()) {
        let impulse: [L; 2] = [disc.impulse[0].get(at), disc.impulse[1].get(at)];
        watch.see_both(impulse);
        if L::any(L::or(impulse[0].differs(L::zero()), impulse[1].differs(L::zero()))) {
            let force = weighted_sum([first, second], impulse);
            push.add(force, arms.at(at), common.inverse_length.get(at), watch);
        }
    }
    push
}

/// Solves each contact once: its normals, then its friction.
struct Iteration<'a, S: Scalar> {
    motion: &'a Motion<S>,
    settings: &'a Settings<S>,
    pass: VelocityPass,
    normals: NormalSolve<S>,
}

impl<S: Scalar> Pass<S> for Iteration<'_, S> {
    fn is_for_small(&self) -> bool {
        let rate_of_correction = match self.settings.solver.correction {
            Correction::Projection { .. } => S::ZERO,
            Correction::Baumgarte { rate, .. } => rate,
            Correction::Soft(soft) => soft.bias_rate,
        };
        self.settings.rate.max(rate_of_correction) < S::ONE.scale_by_power_of_two(18)
    }

    #[inline(always)]
    fn work_on<L: Lanes<Scalar = S>>(
        &self,
        now: &mut PairMotion<L>,
        view: &mut RowsView<'_, S>,
        watch: &mut Watch<L>,
    ) -> L {
        let Motion { delta_position, delta_rotation, .. } = self.motion;
        let moved = PairMotion::<L>::gather(view, delta_position, delta_rotation);
        moved.show(watch);
        let mut exchange = Exchange::begin(view, now);
        let speeds = exchange.speeds.growth();
        let mut targets = [Target::idle(); MAX_POINTS];
        let any_yield = find_targets(&mut targets, view, (&moved, &speeds), (self.settings, self.pass), watch);
        let normals = NormalSolve { yields: self.normals.yields || any_yield, ..self.normals };
        let change = solve_normals(&mut exchange, view, &targets, normals, watch);
        solve_friction(exchange, now, view, watch);
        change
    }
}

/// Finds what the normal rows of a contact are driven to, from where the bodies are now and how they move; whether any of these yields in
/// a pass in which others do not.
#[inline(always)]
pub(super) fn find_targets<L: Lanes>(
    targets: &mut [Target<L>; MAX_POINTS], // returned with the flag, they would be copied
    view: &mut RowsView<'_, L::Scalar>,
    (moved, speeds): (&PairMotion<L>, &Growth<L>),
    (settings, pass): (&Settings<L::Scalar>, VelocityPass),
    watch: &mut Watch<L>,
) -> bool {
    let at = view.at;
    let way = view.common.growth(at, moved);
    let bounces = view.common.surface.restitution.get::<L>(at).is_above(L::zero());
    let may_come = pass == VelocityPass::Relax && L::any(bounces);
    let mut any_yield = false;
    let age: L = view.common.age.get(at);
    let since = age + L::splat(settings.substep_seconds * half_of(pass));
    let arc = since * since * L::splat(L::Scalar::HALF);
    let drifts = L::any(view.bodies.drifts.get::<L>(at));
    let (has_several, slowest) = (view.points.len() > 1, slowest_strike(settings));
    for (index, point) in view.points.iter().enumerate() {
        let drift = if drifts { point.drift.get(at) } else { L::zero() };
        let mut separation: L = point.separation.get::<L>(at) + way.at(point.levers_at(at));
        if drifts {
            separation = separation + drift * arc;
        }
        separation = separation + L::zero(); // one zero, whether others beside it drift or not
        watch.see(separation);
        let present = view.bodies.present[index].get::<L>(at);
        let struck = view.bodies.fates.struck[index].get::<L>(at);
        let pressed =
            pressed_by(&mut view.bodies.fates.pressed[index], at, (point.impulse.get::<L>(at), bounces), pass);
        targets[index] = target_of((struck, pressed), (separation, bounces), (settings, pass));
        if drifts {
            targets[index].bias = targets[index].bias + drift * age;
        }
        targets[index].bias = targets[index].bias + L::zero();
        watch.see(targets[index].bias);
        targets[index].acts = L::and(targets[index].acts, present);
        // What comes fast and arrives as the substep ends strikes as the next one begins: stopped here it would be found by turns.
        if pass == VelocityPass::Relax && settings.continuous {
            let arrives = L::but_not(targets[index].acts, L::or(pressed, struck));
            if L::any(arrives) {
                let is_fast = (-speed_at(speeds, point.levers_at(at), has_several)).is_above(L::splat(slowest));
                targets[index].acts = L::but_not(targets[index].acts, L::and(arrives, is_fast));
            }
        }
        if may_come {
            let presses = L::and(bounces, point.impulse.get::<L>(at).differs(L::zero()));
            if L::any(presses) {
                let speed = speed_at(speeds, point.levers_at(at), has_several);
                let comes_on = comes_on(presses, speed, separation, settings);
                targets[index].give_back(comes_on);
                any_yield |= L::any(comes_on);
            }
        }
    }
    any_yield
}

/// The speed of a point with these levers, m/s.
#[inline(always)]
fn speed_at<L: Lanes>(speeds: &Growth<L>, levers: [L; 2], has_several: bool) -> L {
    if has_several { speeds.at(levers) } else { speeds.at_middle }
}

/// From the middle of a substep to where the bodies are in a pass: half of it back before they move, and on when they have.
fn half_of<S: Scalar>(pass: VelocityPass) -> S {
    match pass {
        VelocityPass::Correct => -S::HALF,
        VelocityPass::Relax => S::HALF,
    }
}

/// Where a point that bounces was only kept from meeting before the end of the substep, and comes on as fast as ever.
///
/// What other rows push while it flies may arrive earlier than it would have without them. Its row then lets it come as far as to
/// touch, and no farther; to stop it there would be a blow without restitution. It is to have its speed back, and strikes at the start
/// of the next substep. What rests and is pressed in is as deep by now as it is fast, and is stopped.
#[inline(always)]
fn comes_on<L: Lanes>(presses: L::Mask, speed: L, separation: L, settings: &Settings<L::Scalar>) -> L::Mask {
    let slow = settings.solver.restitution_threshold.max(L::Scalar::ONE.scale_by_power_of_two(SLOWEST_TO_COME));
    let four = L::Scalar::TWO + L::Scalar::TWO;
    let has_come = (separation * L::splat(settings.rate * four)).is_above(speed);
    L::and(presses, L::and((-speed).is_above(L::splat(slow)), has_come))
}

/// Where a point presses, or has pressed since the bodies moved and does not bounce. What friction lifts off for the moment, and then cannot hold
/// without its weight, is to come down on it again.
#[inline(always)]
fn pressed_by<L: Lanes>(known: &mut Flags, at: usize, (impulse, bounces): (L, L::Mask), pass: VelocityPass) -> L::Mask {
    let presses = impulse.differs(L::zero());
    let pressed = match pass {
        VelocityPass::Correct => L::mask(0),
        VelocityPass::Relax => L::or(presses, L::but_not(known.get::<L>(at), bounces)),
    };
    known.set::<L>(at, L::mask(u8::MAX), pressed);
    pressed
}

/// What the normal row of a point is driven to.
#[inline(always)]
fn target_of<L: Lanes>(
    (struck, pressed): (L::Mask, L::Mask),
    (separation, bounces): (L, L::Mask),
    (settings, pass): (&Settings<L::Scalar>, VelocityPass),
) -> Target<L> {
    let is_apart = separation.is_above(L::splat(L::Scalar::ONE.scale_by_power_of_two(CLOSED)));
    let closing = separation * L::splat(settings.rate); // close the gap, no more
    let always = L::mask(u8::MAX);
    if pass == VelocityPass::Relax {
        // Not what would stop a body that is still on its way, or one that bounces.
        let acts = L::or(pressed, L::but_not(L::but_not(always, is_apart), bounces));
        return Target::rigid(L::select(is_apart, closing, L::zero()), acts);
    }
    // What was struck starts from where it would have come from: it is to end where it would have got to.
    let is_rigid = L::or(is_apart, struck);
    let removing = -speed_of_removal(separation, &settings.solver.correction);
    match settings.solver.correction {
        Correction::Projection { .. } | Correction::Baumgarte { .. } => {
            Target::rigid(L::select(is_rigid, closing, removing), always)
        }
        Correction::Soft(soft) => {
            let one = L::splat(L::Scalar::ONE);
            Target {
                bias: L::select(is_rigid, closing, removing),
                mass_scale: L::select(is_rigid, one, L::splat(soft.mass_scale)),
                acts: always,
            }
        }
    }
}

/// The speed with which the rows remove an overlap, m/s; positive where there is one.
#[inline(always)]
pub(super) fn speed_of_removal<L: Lanes>(separation: L, correction: &Correction<L::Scalar>) -> L {
    match *correction {
        Correction::Projection { .. } => L::zero(),
        Correction::Baumgarte { rate, slop } => -(L::splat(rate) * (separation + L::splat(slop)).smaller(L::zero())),
        Correction::Soft(soft) => -(L::splat(soft.bias_rate) * separation).larger(-L::splat(soft.push_speed)),
    }
}

/// One pass over positions: nudges bodies apart by `beta` of the overlap beyond `slop`.
///
/// Works on the ways since the start of the step; the caller applies the difference to the poses.
pub(super) fn project<S: Scalar>(rows: &mut Rows<S>, motion: &mut Motion<S>, beta: S, slop: S, how: NormalSolve<S>) {
    for place in 0..rows.contacts.len() {
        let (_, mut view) = rows.view(place);
        let at = view.at;
        let mut moved = PairMotion::<S>::gather(&view, &motion.delta_position, &motion.delta_rotation);
        let way = view.common.growth(at, &moved);
        let mut targets = [Target::idle(); MAX_POINTS];
        let mut kept = [S::ZERO; MAX_POINTS];
        for (index, point) in view.points.iter_mut().enumerate() {
            let way = way.at(point.levers_at(at));
            let overlap = -(point.separation.0[at] + way + slop);
            kept[index] = std::mem::take(&mut point.impulse.0[at]);
            // The row's "speed" is the way so far: it is to grow by the part of the overlap.
            targets[index] = Target::rigid(-way - overlap * beta, overlap > S::ZERO);
        }
        let (mut exchange, mut watch) = (Exchange::begin(&view, &moved), Watch::new());
        solve_normals(&mut exchange, &mut view, &targets, how, &mut watch);
        exchange.hand_over((view.common, at), &mut moved, &mut watch);
        for (point, kept) in view.points.iter_mut().zip(kept) {
            point.impulse.0[at] = kept;
        }
        moved.scatter(&view, &mut motion.delta_position, &mut motion.delta_rotation);
    }
}
