//! Writes the rows of contacts: levers, answers, couplings, kept impulses.

use crate::collision::manifold::{MAX_POINTS, ManifoldPoint, most_points};
use crate::dynamics::body::Bodies;
use crate::dynamics::collider::Colliders;
use crate::dynamics::colouring::Colouring;
use crate::dynamics::contact::{Contact, ContactGeometry, WarmStartPoint};
use crate::dynamics::integrator::Motion;
use crate::dynamics::settings::{FrictionRows, Settings};
use crate::dynamics::solver::rows::{ContactRows, ContactView, DiscRows, NONE, PointRows, Row, Rows, TwistRow};
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

/// Fills `rows` for the contacts that touch, in the order of their colours.
pub(super) fn prepare<S: Scalar>(
    rows: &mut Rows<S>,
    contacts: &[Contact<S>],
    geometry: &[ContactGeometry<S>],
    colouring: &Colouring,
    sources: Sources<'_, S>,
) {
    rows.clear(contacts.len());
    for &number in colouring.colours.iter().flatten().chain(&colouring.overflow) {
        let (Some(contact), Some(geometry)) = (contacts.get(number as usize), geometry.get(number as usize)) else {
            continue;
        };
        push_contact(rows, number, contact, geometry, sources);
    }
}

/// Adds the rows of one contact behind all others.
pub(super) fn push_contact<S: Scalar>(
    rows: &mut Rows<S>,
    number: u32,
    contact: &Contact<S>,
    geometry: &ContactGeometry<S>,
    sources: Sources<'_, S>,
) {
    let [a, b] = geometry.colliders.map(|collider| sources.colliders.shape[collider as usize].kind());
    let room = most_points(a, b).max(geometry.manifold.points().len());
    let discs = match sources.friction {
        FrictionRows::PerPoint => room,
        FrictionRows::Patch => 1,
    };
    let (first_point, first_disc) = (rows.points.len(), rows.friction.len());
    rows.points.resize(first_point + room, PointRows::default());
    rows.friction.resize(first_disc + discs, DiscRows::default());
    if let Some(place) = rows.place.get_mut(number as usize) {
        *place = u32::try_from(rows.contacts.len()).unwrap_or(u32::MAX);
    }
    let mut rolling = NONE;
    if geometry.surface.rolling_friction != S::ZERO {
        rolling = u32::try_from(rows.rolling.len()).unwrap_or(NONE);
        rows.rolling.push(DiscRows::default());
    }
    rows.contacts.push(ContactRows {
        contact: number,
        bodies: [geometry.body_a, geometry.body_b],
        directions: [Vec3::ZERO; 3],
        push: [S::ZERO; 2],
        surface: geometry.surface,
        points: first_point..first_point + room,
        count: geometry.manifold.points().len(),
        coupling: [[S::ZERO; MAX_POINTS]; MAX_POINTS],
        friction: first_disc..first_disc + discs,
        twist: TwistRow::default(),
        rolling,
        length: S::ONE,
        due: 0,
        rate: S::ZERO,
        seen_at: S::ZERO,
    });
    let mut view = rows.view(rows.contacts.len() - 1);
    write_rows(&mut view, geometry, sources);
    let per_point = sources.friction == FrictionRows::PerPoint;
    keep_impulses(&mut view, contact, per_point);
}

/// Makes the rows of a contact anew for what it has become, as far as there is room for its points.
pub(super) fn rewrite_contact<S: Scalar>(
    rows: &mut Rows<S>,
    place: usize,
    contact: &Contact<S>,
    geometry: &ContactGeometry<S>,
    sources: Sources<'_, S>,
) {
    let record = &mut rows.contacts[place];
    record.count = geometry.manifold.points().len().min(record.points.len());
    let mut view = rows.view(place);
    for point in view.points.iter_mut() {
        *point = PointRows::default();
    }
    write_rows(&mut view, geometry, sources);
    keep_impulses(&mut view, contact, sources.friction == FrictionRows::PerPoint);
}

/// Writes everything but impulses for this geometry: rows, couplings, separations.
fn write_rows<S: Scalar>(view: &mut ContactView<'_, S>, geometry: &ContactGeometry<S>, sources: Sources<'_, S>) {
    let pair = Pair::of(geometry, sources.bodies, sources.motion);
    let places = geometry.manifold.points();
    let arms = arms_of(geometry);
    let normal = geometry.manifold.normal;
    let (first, second) = normal.tangents();
    let middle = middle_arms(&arms[..places.len()]);
    let length = pair.length(&arms[..places.len()]);
    let contact = &mut *view.contact;
    contact.directions = [normal, first, second];
    contact.push = pair.push;
    contact.length = length;
    for (index, point) in view.points.iter_mut().enumerate() {
        point.normal = pair.row(arms[index], normal);
        point.separation = places[index].separation;
    }
    contact.coupling = [[S::ZERO; MAX_POINTS]; MAX_POINTS];
    for index in 0..view.points.len() {
        for other in 0..view.points.len() {
            contact.coupling[index][other] = S::ONE + coupling(&view.points[other].normal, &view.points[index].normal);
        }
        view.points[index].mass = S::ONE / contact.coupling[index][index];
    }
    let is_patch = sources.friction == FrictionRows::Patch;
    if is_patch {
        for (point, arms) in view.points.iter_mut().zip(&arms) {
            point.radius = (arms[0] - middle[0]).length() / length;
        }
    }
    for (index, disc) in view.friction.iter_mut().enumerate() {
        let arms = if is_patch { middle } else { arms[index] };
        disc.set([pair.row(arms, first), pair.row(arms, second)], S::ONE);
    }
    let twists = is_patch && contact.surface.friction != S::ZERO && places.len() > 1;
    if twists || contact.surface.spinning_friction != S::ZERO {
        contact.twist.row = pair.turning(normal * length);
        contact.twist.mass = inverse_or_zero(coupling(&contact.twist.row, &contact.twist.row));
    }
    if let Some(rolling) = &mut view.rolling {
        rolling.set([pair.turning(first * length), pair.turning(second * length)], S::ZERO);
    }
}

/// Starts every point from the impulse that its feature kept.
fn keep_impulses<S: Scalar>(view: &mut ContactView<'_, S>, contact: &Contact<S>, per_point: bool) {
    let tangents = [view.contact.directions[1], view.contact.directions[2]];
    for (point, kept) in view.points.iter_mut().zip(contact.points()) {
        point.impulse = kept.normal_impulse;
    }
    if per_point {
        for (disc, kept) in view.friction.iter_mut().zip(contact.points()) {
            disc.impulse = tangents.map(|tangent| kept.tangent_impulse.dot(tangent));
        }
    } else if let Some(disc) = view.friction.first_mut() {
        let sum = |kept: &[WarmStartPoint<S>]| kept.iter().fold(Vec3::ZERO, |sum, kept| sum + kept.tangent_impulse);
        disc.impulse = tangents.map(|tangent| sum(contact.points()).dot(tangent));
    }
    let length = view.contact.length;
    if view.contact.twist.mass != S::ZERO {
        view.contact.twist.impulse = contact.twist_impulse / length;
    }
    if let Some(rolling) = &mut view.rolling {
        rolling.impulse = tangents.map(|tangent| contact.rolling_impulse.dot(tangent) / length);
    }
}

impl<S: Scalar> DiscRows<S> {
    /// Two rows whose speeds per unit of impulse are `linear` and what their turning adds.
    fn set(&mut self, rows: [Row<S>; 2], linear: S) {
        self.rows = rows;
        let (first, second) = (linear + coupling(&rows[0], &rows[0]), linear + coupling(&rows[1], &rows[1]));
        let cross = coupling(&rows[0], &rows[1]);
        let determinant = S::dot2([first, -cross], [second, cross]);
        if determinant > S::ZERO {
            self.inverse = [second / determinant, first / determinant, -cross / determinant];
            let spread = S::length3([(first - second) * S::HALF, cross, S::ZERO]);
            self.slip_inverse = S::ONE / ((first + second) * S::HALF + spread);
        }
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
