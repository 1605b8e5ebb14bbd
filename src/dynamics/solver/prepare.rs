//! Writes the rows of contacts: levers, answers, couplings, kept impulses.

use crate::collision::manifold::{MAX_POINTS, ManifoldPoint, most_points};
use crate::dynamics::body::Bodies;
use crate::dynamics::collider::{Colliders, ContactSurface};
use crate::dynamics::colouring::Colouring;
use crate::dynamics::contact::{Contact, ContactGeometry};
use crate::dynamics::integrator::Motion;
use crate::dynamics::settings::{FrictionRows, Settings};
use crate::dynamics::solver::batches::Room;
use crate::dynamics::solver::rows::{ContactRows, LaneDisc, Row, Rows, RowsView};
use crate::math::lanes::Block;
use crate::math::{Scalar, Scaled, SymMat3, Vec3};

/// What rows are made from.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a, S: Scalar> {
    pub(super) bodies: &'a Bodies<S>,
    pub(super) colliders: &'a Colliders<S>,
    pub(super) motion: &'a Motion<S>,
    pub(super) friction: FrictionRows,
}

impl<'a, S: Scalar> Sources<'a, S> {
    pub(super) const fn of(
        bodies: &'a Bodies<S>,
        colliders: &'a Colliders<S>,
        motion: &'a Motion<S>,
        settings: &Settings<S>,
    ) -> Self {
        Self { bodies, colliders, motion, friction: settings.solver.friction }
    }
}

/// Where in the solving order a contact comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Among those of the present colour.
    InColour,
    /// Behind all others.
    Behind,
}

/// Fills `rows` for the contacts that touch, in the order of their colours.
pub(super) fn prepare<S: Scalar>(
    rows: &mut Rows<S>,
    contacts: &[Contact<S>],
    geometry: &[ContactGeometry<S>],
    colouring: &Colouring,
    sources: Sources<'_, S>,
) {
    rows.clear(contacts.len());
    let push = |rows: &mut Rows<S>, numbers: &[u32], order: Order| {
        for &number in numbers {
            if let (Some(contact), Some(geometry)) = (contacts.get(number as usize), geometry.get(number as usize)) {
                push_contact(rows, order, (number, contact, geometry), sources);
            }
        }
    };
    for colour in &colouring.colours {
        rows.batches.begin_colour();
        push(rows, colour, Order::InColour);
    }
    push(rows, &colouring.overflow, Order::Behind);
}

/// Adds the rows of one contact behind all others.
pub(super) fn push_contact<S: Scalar>(
    rows: &mut Rows<S>,
    order: Order,
    (number, contact, geometry): (u32, &Contact<S>, &ContactGeometry<S>),
    sources: Sources<'_, S>,
) {
    let [a, b] = geometry.colliders.map(|collider| sources.colliders.shape[collider as usize].kind());
    let points = most_points(a, b).max(geometry.manifold.points().len());
    let discs = match sources.friction {
        FrictionRows::PerPoint => points,
        FrictionRows::Patch => 1,
    };
    let room = Room { points, discs, resists_rolling: geometry.surface.rolling_friction != S::ZERO };
    let bodies = [geometry.body_a, geometry.body_b];
    let lane = match order {
        Order::InColour => rows.batches.add(bodies, room),
        Order::Behind => rows.batches.add_behind(bodies, room),
    };
    let place = rows.contacts.len();
    if let Some(known) = rows.place.get_mut(number as usize) {
        *known = u32::try_from(place).unwrap_or(u32::MAX);
    }
    rows.contacts.push(ContactRows {
        contact: number,
        bodies,
        lane,
        room: points,
        count: 0,
        due: 0,
        rate: S::ZERO,
        seen_at: S::ZERO,
    });
    rewrite_contact(rows, place, contact, geometry, sources);
}

/// Makes the rows of a contact anew for what it has become, as far as there is room for its points.
pub(super) fn rewrite_contact<S: Scalar>(
    rows: &mut Rows<S>,
    place: usize,
    contact: &Contact<S>,
    geometry: &ContactGeometry<S>,
    sources: Sources<'_, S>,
) {
    rows.set_count(place, geometry.manifold.points().len());
    let (_, mut view) = rows.view(place);
    write_rows(&mut view, geometry, sources);
    keep_impulses(&mut view, contact, sources.friction == FrictionRows::PerPoint);
}

/// Writes everything but impulses for this geometry: rows, couplings, separations.
fn write_rows<S: Scalar>(view: &mut RowsView<'_, S>, geometry: &ContactGeometry<S>, sources: Sources<'_, S>) {
    let pair = Pair::of(geometry, sources.bodies, sources.motion);
    let arms = arms_of(geometry);
    let arms = &arms[..geometry.manifold.points().len()];
    let normal = geometry.manifold.normal;
    let (first, second) = normal.tangents();
    let length = pair.length(arms);
    let at = view.at;
    let common = &mut *view.common;
    for (direction, value) in common.directions.iter_mut().zip([normal, first, second]) {
        direction.set(at, value);
    }
    for side in 0..2 {
        common.push[side].0[at] = pair.push[side];
        view.bodies.pushed[side].put(at, pair.push[side] != S::ZERO);
    }
    common.length.0[at] = length;
    put_surface(&mut common.surface, at, geometry.surface);
    write_normals(view, geometry, &pair, arms);
    let middle = middle_arms(arms);
    let is_patch = sources.friction == FrictionRows::Patch;
    if is_patch {
        for (point, arms) in view.points.iter_mut().zip(arms) {
            point.radius.0[at] = (arms[0] - middle[0]).length() / length;
        }
    }
    for (index, disc) in view.friction.iter_mut().enumerate() {
        let arms = if is_patch { middle } else { arms[index] };
        disc.write(at, [pair.row(arms, first), pair.row(arms, second)], S::ONE);
    }
    let twist = &mut view.common.twist;
    let twists = is_patch && geometry.surface.friction != S::ZERO && arms.len() > 1;
    (twist.mass.0[at], twist.impulse.0[at]) = (S::ZERO, S::ZERO);
    if twists || geometry.surface.spinning_friction != S::ZERO {
        let row = pair.turning(normal * length);
        twist.row.set(at, row);
        twist.mass.0[at] = inverse_or_zero(coupling(&row, &row));
    }
    if let Some(rolling) = &mut view.rolling {
        rolling.write(at, [pair.turning(first * length), pair.turning(second * length)], S::ZERO);
    }
}

/// Writes the normal rows and how they act on each other.
fn write_normals<S: Scalar>(
    view: &mut RowsView<'_, S>,
    geometry: &ContactGeometry<S>,
    pair: &Pair<S>,
    arms: &[[Vec3<S>; 2]],
) {
    let at = view.at;
    let mut rows = [Row::default(); MAX_POINTS];
    for (row, arms) in rows.iter_mut().zip(arms) {
        *row = pair.row(*arms, geometry.manifold.normal);
    }
    let rows = &rows[..view.points.len()];
    for (index, (point, row)) in view.points.iter_mut().zip(rows).enumerate() {
        point.normal.set(at, *row);
        point.separation.0[at] = geometry.manifold.points()[index].separation;
        (point.total.0[at], point.radius.0[at]) = (S::ZERO, S::ZERO);
        point.struck.put(at, false);
        let couplings = &mut view.common.coupling[index];
        for (entry, other) in couplings.iter_mut().zip(rows) {
            entry.0[at] = S::ONE + coupling(other, row);
        }
        point.mass.0[at] = S::ONE / couplings[index].0[at];
    }
}

fn put_surface<S: Scalar>(to: &mut ContactSurface<Block<S>>, at: usize, surface: ContactSurface<S>) {
    let ContactSurface { friction, restitution, rolling_friction, spinning_friction } = surface;
    to.friction.0[at] = friction;
    to.restitution.0[at] = restitution;
    to.rolling_friction.0[at] = rolling_friction;
    to.spinning_friction.0[at] = spinning_friction;
}

/// Starts every point from the impulse that its feature kept.
fn keep_impulses<S: Scalar>(view: &mut RowsView<'_, S>, contact: &Contact<S>, per_point: bool) {
    let at = view.at;
    let [first, second] = [1, 2].map(|index: usize| view.common.directions[index].at::<S>(at));
    let along = |impulse: Vec3<S>| [impulse.dot(first), impulse.dot(second)];
    for (point, kept) in view.points.iter_mut().zip(contact.points()) {
        point.impulse.0[at] = kept.normal_impulse;
    }
    if per_point {
        for (disc, kept) in view.friction.iter_mut().zip(contact.points()) {
            disc.set_impulse(at, along(kept.tangent_impulse));
        }
    } else if let Some(disc) = view.friction.first_mut() {
        let sum = contact.points().iter().fold(Vec3::ZERO, |sum, kept| sum + kept.tangent_impulse);
        disc.set_impulse(at, along(sum));
    }
    let length = view.common.length.0[at];
    if view.common.twist.mass.0[at] != S::ZERO {
        view.common.twist.impulse.0[at] = contact.twist_impulse / length;
    }
    if let Some(rolling) = &mut view.rolling {
        rolling.set_impulse(at, along(contact.rolling_impulse).map(|impulse| impulse / length));
    }
}

impl<S: Scalar> LaneDisc<S> {
    /// Writes two rows whose speeds per unit of impulse are `linear` and what their turning adds.
    fn write(&mut self, lane: usize, rows: [Row<S>; 2], linear: S) {
        let (first, second) = (linear + coupling(&rows[0], &rows[0]), linear + coupling(&rows[1], &rows[1]));
        let cross = coupling(&rows[0], &rows[1]);
        let determinant = S::dot2([first, -cross], [second, cross]);
        let (mut inverse, mut slip_inverse) = ([S::ZERO; 3], S::ZERO);
        if determinant > S::ZERO {
            inverse = [second / determinant, first / determinant, -cross / determinant];
            let spread = S::length3([(first - second) * S::HALF, cross, S::ZERO]);
            slip_inverse = S::ONE / ((first + second) * S::HALF + spread);
        }
        for (to, row) in self.rows.iter_mut().zip(rows) {
            to.set(lane, row);
        }
        for (to, entry) in self.inverse.iter_mut().zip(inverse) {
            to.0[lane] = entry;
        }
        self.slip_inverse.0[lane] = slip_inverse;
    }
}

/// What an impulse along one row does to the speed of another by turning the bodies.
#[inline(always)]
fn coupling<S: Scalar>(row: &Row<S>, other: &Row<S>) -> S {
    row.lever[0].dot(other.turn[0]) + row.lever[1].dot(other.turn[1])
}

fn inverse_or_zero<S: Scalar>(value: S) -> S {
    if value > S::ZERO { S::ONE / value } else { S::ZERO }
}

/// What two bodies bring to their rows.
struct Pair<S> {
    /// Reduced mass over mass of both, together 1.
    push: [S; 2],
    /// Mass times inverse inertia, world frame, 1/m^2.
    inverse_inertia: [SymMat3<S>; 2],
}

impl<S: Scalar> Pair<S> {
    fn of(geometry: &ContactGeometry<S>, bodies: &Bodies<S>, motion: &Motion<S>) -> Self {
        let (a, b) = (geometry.body_a as usize, geometry.body_b as usize);
        let push = shares_of_push([Some(bodies.inverse_mass[a]), Some(bodies.inverse_mass[b])]);
        Self { push, inverse_inertia: [motion.inverse_inertia[a], motion.inverse_inertia[b]] }
    }

    /// The row along `direction` at `arms` from the centres of mass.
    #[inline(always)]
    fn row(&self, arms: [Vec3<S>; 2], direction: Vec3<S>) -> Row<S> {
        self.answer([arms[0].cross(direction), arms[1].cross(direction)])
    }

    /// The row that turns the bodies against each other about `axis`, times a length.
    fn turning(&self, axis: Vec3<S>) -> Row<S> {
        self.answer([axis; 2])
    }

    #[inline(always)]
    fn answer(&self, lever: [Vec3<S>; 2]) -> Row<S> {
        let turn = |side: usize| self.inverse_inertia[side] * lever[side] * self.push[side];
        Row { lever, turn: [turn(0), turn(1)] }
    }

    /// The largest component of an arm of a body that can be pushed: the contact's own size.
    fn length(&self, arms: &[[Vec3<S>; 2]]) -> S {
        let larger = |largest: S, component: S| largest.max(component.abs());
        let longest = arms.iter().flat_map(|arms| arms.iter().zip(self.push)).fold(S::ZERO, |longest, (arm, push)| {
            if push == S::ZERO { longest } else { arm.to_array().into_iter().fold(longest, larger) }
        });
        if longest > S::ZERO { longest } else { S::ONE }
    }
}

/// What an impulse over the reduced mass of two bodies changes the velocities of both by, together 1; nothing where neither can
/// be pushed. What has no mass at all, as the world, cannot.
pub(super) fn shares_of_push<S: Scalar>(inverse_masses: [Option<Scaled<S>>; 2]) -> [S; 2] {
    let [a, b] = inverse_masses.map(|inverse_mass| inverse_mass.unwrap_or(Scaled::ZERO));
    let [a, b] = common_exponent(a, b);
    let sum = a + b;
    if sum > S::ZERO { [a / sum, b / sum] } else { [S::ZERO; 2] }
}

/// The mantissas of two inverse masses on the exponent of the larger. Zero stays zero.
fn common_exponent<S: Scalar>(a: Scaled<S>, b: Scaled<S>) -> [S; 2] {
    let exponent = match (a.is_zero(), b.is_zero()) {
        (false, true) => a.exponent,
        (true, _) => b.exponent,
        (false, false) => a.exponent.max(b.exponent),
    };
    [a.mantissa_at(exponent), b.mantissa_at(exponent)]
}

/// The reduced mass of two bodies, kg: what turns the impulses of their contacts from m/s into N s.
#[must_use]
pub fn reduced_mass<S: Scalar>(a: Scaled<S>, b: Scaled<S>) -> Scaled<S> {
    a.add(b).recip()
}

/// The arms of every point of a contact.
fn arms_of<S: Scalar>(geometry: &ContactGeometry<S>) -> [[Vec3<S>; 2]; MAX_POINTS] {
    let mut arms = [[Vec3::ZERO; 2]; MAX_POINTS];
    for (arms, point) in arms.iter_mut().zip(geometry.manifold.points()) {
        *arms = arms_to(geometry, point);
    }
    arms
}

/// From the centres of mass of the two bodies to a contact point, world axes.
///
/// Where the shapes do not touch yet, each arm ends on its own surface: that is where the point will be when the gap has
/// closed. The middle of the gap would lengthen the arm, and a body that lands would be spun too fast by friction.
fn arms_to<S: Scalar>(geometry: &ContactGeometry<S>, point: &ManifoldPoint<S>) -> [Vec3<S>; 2] {
    let half_gap = geometry.manifold.normal * (point.separation.max(S::ZERO) * S::HALF);
    let middle = geometry.shape_a + point.position;
    [middle - half_gap, middle + half_gap - geometry.between]
}

/// The arms to the middle of the points.
fn middle_arms<S: Scalar>(arms: &[[Vec3<S>; 2]]) -> [Vec3<S>; 2] {
    let share = share_of(arms.len());
    [0, 1].map(|side: usize| arms.iter().fold(Vec3::ZERO, |sum, arms| sum + arms[side]) * share)
}

/// One part of so many, up to four.
#[must_use]
pub(super) fn share_of<S: Scalar>(parts: usize) -> S {
    match parts {
        0 | 1 => S::ONE,
        2 => S::HALF,
        3 => S::ONE / (S::TWO + S::ONE),
        _ => S::HALF * S::HALF,
    }
}
