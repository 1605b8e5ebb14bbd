//! Writes what the rows of contacts are made from, lane by lane: normals, gaps, surfaces, where the shapes touch, kept impulses. In
//! `placing` and `answers` the rows are made from that, all lanes at once.

use crate::collision::manifold::most_points;
use crate::dynamics::body::{Bodies, BodyKind};
use crate::dynamics::collider::{Colliders, ContactSurface};
use crate::dynamics::colouring::Colouring;
use crate::dynamics::contact::{Contact, ContactGeometry};
use crate::dynamics::integrator::Motion;
use crate::dynamics::settings::{FrictionRows, Settings};
use crate::dynamics::solver::answers::{answer_chunk, answer_one};
use crate::dynamics::solver::chunk::{BATCHES_IN_CHUNK, Chunk, Room};
use crate::dynamics::solver::placing::{place_chunk, place_one};
use crate::dynamics::solver::refresh::slow_turning;
use crate::dynamics::solver::rows::{ContactRows, FETCHED_AHEAD, NONE, Rows, RowsView};
use crate::math::lanes::{Block, LanePath, fetch};
use crate::math::{Scalar, Scaled, Vec3};
use crate::parallel::Executor;

/// What rows are made from.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a, S: Scalar> {
    pub(super) bodies: &'a Bodies<S>,
    pub(super) colliders: &'a Colliders<S>,
    pub(super) motion: &'a Motion<S>,
    pub(super) friction: FrictionRows,
    /// The length of a substep.
    pub(super) substep_seconds: S,
}

impl<'a, S: Scalar> Sources<'a, S> {
    pub(super) const fn of(
        bodies: &'a Bodies<S>,
        colliders: &'a Colliders<S>,
        motion: &'a Motion<S>,
        settings: &Settings<S>,
    ) -> Self {
        let Settings { solver, substep_seconds, .. } = settings;
        Self { bodies, colliders, motion, friction: solver.friction, substep_seconds: *substep_seconds }
    }
}

/// Where in the solving order a contact comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// Among those of the present colour.
    InColour,
    /// Behind all others.
    Behind,
}

/// The contacts of a step, with the geometry of each.
#[derive(Clone, Copy)]
pub(super) struct StepContacts<'a, S: Scalar> {
    pub(super) contacts: &'a [Contact<S>],
    pub(super) geometry: &'a [ContactGeometry<S>],
}

/// Gives the contacts that touch their lanes, in the order of their colours, and makes their rows.
pub(super) fn prepare<S: Scalar>(
    rows: &mut Rows<S>,
    contacts: StepContacts<'_, S>,
    colouring: &Colouring,
    sources: Sources<'_, S>,
    (lanes, executor): (LanePath, &mut Executor),
) {
    rows.clear(contacts.contacts.len(), executor.piece(BATCHES_IN_CHUNK));
    let take_lanes = |rows: &mut Rows<S>, numbers: &[u32], order: Order| {
        for (index, &number) in numbers.iter().enumerate() {
            fetch(contacts.geometry, numbers.get(index + FETCHED_AHEAD).copied());
            if let Some(geometry) = contacts.geometry.get(number as usize) {
                take_lane(rows, order, (number, geometry), sources);
            }
        }
    };
    for colour in &colouring.colours {
        rows.batches.begin_colour();
        take_lanes(rows, colour, Order::InColour);
    }
    take_lanes(rows, &colouring.overflow, Order::Behind);
    executor.for_each_part(1, rows.batches.chunks(), |_, chunks| {
        for chunk in chunks {
            put_chunk(chunk, contacts, sources);
            place_chunk(chunk, sources, lanes);
            answer_chunk(chunk, sources, lanes);
        }
    });
    (0..rows.contacts.len()).for_each(|place| rows.note_length(place));
}

/// Writes all that the rows of the contacts of a chunk are made from.
fn put_chunk<S: Scalar>(chunk: &mut Chunk<S>, contacts: StepContacts<'_, S>, sources: Sources<'_, S>) {
    for batch in 0..chunk.len() {
        let (numbers, count) = chunk.contacts_of(batch);
        for (lane, number) in numbers.into_iter().enumerate().take(count) {
            // They stand in another order than their lanes.
            let next = numbers.get(lane + 1).copied();
            fetch(contacts.contacts, next);
            fetch(contacts.geometry, next);
            let (contact, geometry) = (&contacts.contacts[number as usize], &contacts.geometry[number as usize]);
            let points = chunk.set_count(batch, lane, geometry.manifold.points().len());
            put_contact(&mut chunk.view_lane(batch, lane, points), contact, geometry, sources);
        }
    }
}

/// Adds the rows of one contact behind all others; their place.
pub(super) fn add_contact<S: Scalar>(
    rows: &mut Rows<S>,
    (number, contact, geometry): (u32, &Contact<S>, &ContactGeometry<S>),
    sources: Sources<'_, S>,
) -> usize {
    let place = take_lane(rows, Order::Behind, (number, geometry), sources);
    rewrite_contact(rows, place, contact, geometry, sources);
    place
}

/// Gives a contact a lane, and as many points as it has; its place.
fn take_lane<S: Scalar>(
    rows: &mut Rows<S>,
    order: Order,
    (number, geometry): (u32, &ContactGeometry<S>),
    sources: Sources<'_, S>,
) -> usize {
    let [a, b] = geometry.colliders.map(|collider| sources.colliders.shape[collider as usize].kind());
    let points = most_points(a, b).max(geometry.manifold.points().len());
    let discs = match sources.friction {
        FrictionRows::PerPoint => points,
        FrictionRows::Patch => 1,
    };
    let is_patch = sources.friction == FrictionRows::Patch;
    let room = Room { points, discs, is_patch, resists_rolling: geometry.surface.rolling_friction != S::ZERO };
    let bodies = [geometry.body_a, geometry.body_b];
    let lane = match order {
        Order::InColour => rows.batches.add(number, bodies, room),
        Order::Behind => {
            let pushes = bodies.map(|body| sources.bodies.kind[body as usize] == BodyKind::Dynamic);
            rows.batches.add_behind(number, (bodies, pushes), room)
        }
    };
    let place = rows.contacts.len();
    if let Some(known) = rows.place.get_mut(number as usize) {
        *known = u32::try_from(place).unwrap_or(u32::MAX);
    }
    rows.contacts.push(ContactRows {
        contact: number,
        bodies,
        is_round: geometry.colliders.map(|collider| sources.colliders.turns_in_itself[collider as usize]),
        may_roll: may_roll(geometry, sources.colliders),
        open: NONE,
        lane,
        count: geometry.manifold.points().len(),
        due: 0,
        rows_since: 0,
        inverse_length: S::ZERO,
        rate: S::ZERO,
        true_from: S::ZERO,
        made_for: S::ZERO,
    });
    place
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
    put_contact(&mut rows.view(place).1, contact, geometry, sources);
    place_one(rows, place, sources);
    answer_one(rows, place, sources);
    rows.note_length(place);
}

/// Writes all that the rows of a contact are made from, of which as many points count as are in view.
fn put_contact<S: Scalar>(
    view: &mut RowsView<'_, S>,
    contact: &Contact<S>,
    geometry: &ContactGeometry<S>,
    sources: Sources<'_, S>,
) {
    put_geometry(view, geometry, sources);
    keep_impulses(view, contact, sources.friction == FrictionRows::PerPoint);
}

/// Writes normal, gaps, surface and where the shapes touch for this geometry.
fn put_geometry<S: Scalar>(view: &mut RowsView<'_, S>, geometry: &ContactGeometry<S>, sources: Sources<'_, S>) {
    let (at, common) = (view.at, &mut *view.common);
    let bodies = [geometry.body_a, geometry.body_b].map(|body| body as usize);
    let inverse_mass = shares_of_inverse_mass(bodies.map(|body| Some(sources.bodies.inverse_mass[body])));
    common.directions[0].set(at, geometry.manifold.normal);
    common.arms[0].set(at, geometry.shape_offset_a);
    common.arms[1].set(at, geometry.centre_offset);
    for (side, inverse_mass) in inverse_mass.into_iter().enumerate() {
        common.inverse_mass[side].0[at] = inverse_mass;
        view.bodies.pushed[side].put(at, inverse_mass != S::ZERO);
        view.bodies.moves[side].put(at, sources.bodies.kind[bodies[side]] != BodyKind::Static);
    }
    put_surface(&mut common.surface, at, geometry.surface);
    for (index, (point, touched)) in view.points.iter_mut().zip(geometry.manifold.points()).enumerate() {
        point.set_offset(at, touched.position);
        (point.separation.0[at], point.total.0[at]) = (touched.separation, S::ZERO);
        view.bodies.fates.struck[index].put(at, false);
    }
    view.bodies.drifts.put(at, drifts(geometry, sources));
}

/// Whether one of the shapes of a contact has a surface to roll on.
fn may_roll<S: Scalar>(geometry: &ContactGeometry<S>, colliders: &Colliders<S>) -> bool {
    geometry.colliders.iter().any(|&collider| colliders.shape[collider as usize].kind().rolls())
}

/// Whether the points of a contact turn with both bodies, so fast that this counts before its rows are made anew. Not so where something
/// rolls, along whose surface the point goes ([`drifts`](super::drifts) finds how); nor where more than a radian in a substep makes the
/// growth of now worth nothing.
fn drifts<S: Scalar>(geometry: &ContactGeometry<S>, sources: Sources<'_, S>) -> bool {
    let spins = [geometry.body_a, geometry.body_b].map(|body| sources.bodies.angular_velocity[body as usize]);
    let spin = spins[0].taxicab_length() + spins[1].taxicab_length();
    let counts = spin > slow_turning::<S>() && spin * sources.substep_seconds <= S::ONE;
    counts && !may_roll(geometry, sources.colliders)
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
    for (point, kept) in view.points.iter_mut().zip(contact.points()) {
        point.impulse.0[at] = kept.normal_impulse;
    }
    if per_point {
        for (disc, kept) in view.friction.iter_mut().zip(contact.points()) {
            disc.put_kept(at, kept.tangent_impulse);
        }
    } else if let Some(disc) = view.friction.first_mut() {
        let sum = contact.points().iter().fold(Vec3::ZERO, |sum, kept| sum + kept.tangent_impulse);
        disc.put_kept(at, sum);
    }
    view.common.twist.impulse.0[at] = contact.twist_impulse;
    if let Some(rolling) = &mut view.rolling {
        rolling.put_kept(at, contact.rolling_impulse);
    }
}

/// What an impulse over the reduced mass of two bodies changes the velocities of both by, together 1; nothing where neither can
/// be pushed. What has no mass at all, as the world, cannot.
pub(super) fn shares_of_inverse_mass<S: Scalar>(inverse_masses: [Option<Scaled<S>>; 2]) -> [S; 2] {
    let [a, b] = inverse_masses.map(|inverse_mass| inverse_mass.unwrap_or(Scaled::ZERO));
    // Most pairs need no division.
    match (a.is_zero(), b.is_zero()) {
        (true, true) => [S::ZERO; 2],
        (false, true) => [S::ONE, S::ZERO],
        (true, false) => [S::ZERO, S::ONE],
        (false, false) if a == b => [S::HALF; 2],
        (false, false) => {
            let exponent = a.exponent.max(b.exponent);
            let [a, b] = [a, b].map(|inverse_mass| inverse_mass.mantissa_at(exponent));
            [a / (a + b), b / (a + b)]
        }
    }
}

/// The reduced mass of two bodies, kg: what turns the impulses of their contacts from m/s into N s.
#[must_use]
pub fn reduced_mass<S: Scalar>(a: Scaled<S>, b: Scaled<S>) -> Scaled<S> {
    a.add(b).recip()
}

/// Reduced masses as parts of the largest of them: zero where that is zero.
pub(super) fn parts_of_largest<S: Scalar>(masses: &[Scaled<S>]) -> impl Iterator<Item = S> {
    let largest = masses.iter().copied().reduce(|a, b| if a.compare(b).is_lt() { b } else { a });
    let largest = largest.unwrap_or(Scaled::ZERO);
    masses.iter().map(move |mass| if largest.is_zero() { S::ZERO } else { mass.div(largest).to_scalar() })
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
