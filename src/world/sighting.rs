//! The narrow phase of a step: every pair of colliders looked at, each on its own, by as many threads as there are.

use std::ops::Range;

use crate::collision::manifold::{Bearing, ContactSearch, ManifoldPoint};
use crate::dynamics::body::Bodies;
use crate::dynamics::collider::Placement;
use crate::dynamics::contact::{Contact, touching_gap};
use crate::dynamics::recycling::{KeptManifold, PairPose, RecyclingLimit};
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::open::Clearance;
use crate::dynamics::solver::poses::{ColliderPair, Meeting, PlacedShapes, Scenery};
use crate::dynamics::solver::refresh::{moment_of_rows, slow_turning, substeps_of_small_turn};
use crate::dynamics::solver::rows::NONE;
use crate::dynamics::solver::seams::is_on_rim;
use crate::math::{Scalar, Vec3};
use crate::world::World;

/// Pairs that one thread looks at in a row: at 0.1 to 1 microsecond each enough to be worth a thread's coming.
const PAIRS_AT_ONCE: usize = 64;

/// Pairs whose sightings stand side by side on one thread: some 80 KB of them in fixed point.
const SIGHTINGS_AT_ONCE: usize = 256;

/// A pair of colliders that the narrow phase is to look at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// Indices of the colliders.
    pub(super) colliders: [u32; 2],
    /// As in [`ColliderPair::piece`].
    pub(super) piece: u32,
    /// Place of its contact of the step before, one that does not exist where there was none.
    pub(super) previous: u32,
    /// Where the manifold of that contact was kept; one that does not exist where none was.
    pub(super) kept: u32,
}

/// What the narrow phase found of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sighting<S> {
    /// How the shapes lie to each other.
    pub(super) meeting: Meeting<S>,
    /// For how many seconds after the start of the step.
    pub(super) ahead: S,
    /// The room between them, where they do not touch.
    pub(super) seen: Clearance<S>,
    /// Whether they may touch on the rim of a face of each.
    pub(super) may_be_on_rim: [bool; 2],
    /// Whether the manifold was moved along with the bodies, not found for where they are.
    pub(super) is_recycled: bool,
    /// Whether the manifold is to be kept.
    pub(super) is_kept: bool,
}

impl<S: Scalar> Default for Sighting<S> {
    fn default() -> Self {
        Self {
            meeting: Meeting::default(),
            ahead: S::ZERO,
            seen: Clearance::UNKNOWN,
            may_be_on_rim: [true; 2],
            is_recycled: false,
            is_kept: false,
        }
    }
}

impl<S: Scalar> Sighting<S> {
    /// Says that the manifold of what is seen is to be kept, moved along with its bodies or found for where they are.
    #[inline]
    const fn say_kept(&mut self, kept: &KeptManifold<S>, is_recycled: bool) {
        (self.ahead, self.seen, self.may_be_on_rim) = (S::ZERO, Clearance::UNKNOWN, kept.is_on_rim);
        (self.is_recycled, self.is_kept) = (is_recycled, true);
    }
}

impl<S: Scalar> World<S> {
    /// How far apart the shapes of a pair may be and still be able to meet in this step, metres.
    fn pair_margin(&self, colliders: [u32; 2]) -> S {
        let near = self.settings.contact_margin;
        if self.settings.continuous { near + self.approach_in_step(colliders) } else { near }
    }

    /// How far two colliders can come nearer to each other in this step, metres.
    fn approach_in_step(&self, colliders: [u32; 2]) -> S {
        let motion = &self.scratch.motion;
        let [a, b] = colliders.map(|collider| self.scratch.placements[collider as usize].body as usize);
        let gain = (motion.linear_acceleration[b] - motion.linear_acceleration[a]) * self.settings.step_seconds;
        let speed = (self.bodies.linear_velocity[b] - self.bodies.linear_velocity[a] + gain).taxicab_length();
        let turning = |body: usize, collider: u32| {
            self.bodies.angular_velocity[body].taxicab_length() * self.colliders.reach[collider as usize]
        };
        (speed + turning(a, colliders[0]) + turning(b, colliders[1])) * self.settings.step_seconds
    }

    /// How many pairs are looked at before contacts are made of them: on one thread so few that what was found is still in its caches.
    pub(super) fn sightings_at_once(&self, candidates: usize) -> usize {
        if self.executor.would_share(candidates, PAIRS_AT_ONCE) { candidates } else { SIGHTINGS_AT_ONCE }
    }

    /// Runs the narrow phase over some pairs.
    pub(super) fn look_at_pairs(&mut self, pairs: Range<usize>) {
        let mut sightings = std::mem::take(&mut self.scratch.sightings);
        let mut kept = std::mem::take(&mut self.scratch.kept);
        sightings.resize_with(pairs.len(), Sighting::default);
        let mut executor = std::mem::take(&mut self.executor);
        let columns = (&self.scratch.candidates[pairs.clone()], (&mut sightings[..], &mut kept[pairs]));
        executor.for_each_part(PAIRS_AT_ONCE, columns, |_, (candidates, (sightings, kept))| {
            for (candidate, (sighting, kept)) in candidates.iter().zip(sightings.iter_mut().zip(kept)) {
                self.look_at_pair(candidate, kept, sighting);
            }
        });
        self.executor = executor;
        self.scratch.sightings = sightings;
        self.scratch.kept = kept;
    }

    /// One pair: by the manifold that it keeps, where it hardly moves, else as it will be or is.
    fn look_at_pair(&self, candidate: &Candidate, kept: &mut KeptManifold<S>, sighting: &mut Sighting<S>) {
        if !self.scratch.are_kept_in_place || candidate.previous == NONE {
            kept.found_at = None; // that of another pair
        }
        let bodies = candidate.colliders.map(|collider| self.scratch.placements[collider as usize].body);
        let pair = ColliderPair { colliders: candidate.colliders, bodies, piece: candidate.piece };
        let previous = self.scratch.old_contacts.get(candidate.previous as usize);
        if !previous.is_some_and(|previous| self.carries_on(pair, (previous, candidate.kept), kept, sighting)) {
            let bearing = previous.map_or(Bearing::NONE, Contact::bearing);
            *sighting = self.look_now(pair, bearing);
        }
        if !sighting.is_kept {
            kept.found_at = None;
        }
    }

    /// Sees a pair that had a contact by the manifold that this keeps, or as it will be; false where it has to be seen as it is now.
    fn carries_on(
        &self,
        pair: ColliderPair,
        (previous, place): (&Contact<S>, u32),
        kept: &mut KeptManifold<S>,
        sighting: &mut Sighting<S>,
    ) -> bool {
        let rates = self.rates_of(pair);
        if !self.is_slow(&rates) {
            let Some(ahead) = self.look_ahead(pair, previous, &rates) else { return false };
            *sighting = ahead;
            return true;
        }
        // Where something round rolls, the point does not go with its surface; and its manifold is soon found. What stands on a flat
        // end touches in more points than two.
        let rolls = |collider: u32| self.colliders.shape[collider as usize].kind().rolls();
        if previous.points().len() <= 2 && pair.colliders.into_iter().any(rolls) {
            return false;
        }
        if let Some(found_at) = previous.found_at {
            self.put_manifold(kept, pair, (found_at, previous), place);
            if self.move_along(kept, pair, &mut sighting.meeting) {
                sighting.say_kept(kept, true);
                return self.keeps(&sighting.meeting);
            }
        } else {
            *sighting = self.look_now(pair, previous.bearing());
            if !self.keeps(&sighting.meeting) {
                return true;
            }
        }
        *kept = self.find_for(pair, self.pair_pose(pair), previous.bearing());
        sighting.meeting = kept.meeting;
        sighting.say_kept(kept, false);
        self.keeps(&sighting.meeting)
    }

    /// Whether the contact of two shapes that move like this may keep its manifold: what moves faster would wear it out in a step.
    fn is_slow(&self, rates: &Rates<S>) -> bool {
        let slow = slow_turning::<S>();
        rates.turn_within(if self.settings.continuous { slow } else { slow.scale_by_power_of_two(3) })
    }

    /// Whether the manifold of two shapes that lie like this is kept: of those that touch, for what does not is looked for within the step;
    /// and of all that are near where nothing is.
    fn keeps(&self, meeting: &Meeting<S>) -> bool {
        meeting.gap().is_some_and(|gap| gap <= self.settings.gap_of_rows())
    }

    /// How the bodies of a pair lie now.
    fn pair_pose(&self, pair: ColliderPair) -> PairPose<S> {
        let [a, b] = pair.bodies;
        PairPose::of([self.bodies.pose(a as usize), self.bodies.pose(b as usize)])
    }

    /// Puts down the manifold of a pair whose bodies lay like this: the one that was kept for its contact of the step before, if that was
    /// found for the same.
    fn put_manifold(
        &self,
        kept: &mut KeptManifold<S>,
        pair: ColliderPair,
        (found_at, previous): (PairPose<S>, &Contact<S>),
        place: u32,
    ) {
        let is_known = |known: &&KeptManifold<S>| known.found_at == Some(found_at);
        if self.scratch.are_kept_in_place {
            if !is_known(&&*kept) {
                *kept = self.find_for(pair, found_at, previous.known_points());
            }
            return;
        }
        *kept = match self.scratch.old_kept.get(place as usize).filter(is_known) {
            Some(known) => *known,
            None => self.find_for(pair, found_at, previous.known_points()),
        };
    }

    /// Moves a manifold along with its bodies to where they are now; false where they have moved too far.
    fn move_along(&self, kept: &KeptManifold<S>, pair: ColliderPair, meeting: &mut Meeting<S>) -> bool {
        let shapes = pair.shapes(&self.colliders);
        let Some(thinner) = pair.thinner(&self.bodies, &self.colliders) else { return false };
        let reach = pair.colliders.map(|collider| self.colliders.reach[collider as usize]);
        let limit = if self.settings.continuous { RecyclingLimit::close } else { RecyclingLimit::wide };
        let limit = limit(thinner, self.settings.contact_margin, reach);
        let offset = self.scratch.placements[pair.colliders[0] as usize].offset_of_piece(shapes[0]);
        kept.move_to(meeting, &self.pair_pose(pair), offset, &limit)
    }

    /// The manifold of a pair whose bodies lie like this, of which these points bore weight: the same as long as its own points are among them.
    fn find_for(&self, pair: ColliderPair, found_at: PairPose<S>, bearing: Bearing) -> KeptManifold<S> {
        let place = |side: usize| {
            let local = &self.colliders.local[pair.colliders[side] as usize];
            Placement::of(pair.bodies[side], local, found_at.orientations[side].to_matrix())
        };
        let shapes = pair.shapes(&self.colliders);
        let search = self.settings.contact_search();
        let placed = PlacedShapes::of(shapes, [place(0), place(1)], found_at.centre_offset, search)
            .borne_by(bearing.names_only());
        let meeting = placed.meeting(self.settings.contact_margin);
        KeptManifold { found_at: Some(found_at), meeting, is_on_rim: is_on_rim(&placed, &meeting) }
    }

    /// A pair as it is now: with points as far as the shapes can come nearer in this step, but where they touch only with those
    /// that are near.
    fn look_now(&self, pair: ColliderPair, bearing: Bearing) -> Sighting<S> {
        let near = self.settings.contact_margin;
        let margin = self.pair_margin(pair.colliders);
        if let Some(seen) = self.clearance_of_boxes(pair.colliders, margin) {
            return Sighting { seen, ..Sighting::default() };
        }
        let [first, second] = pair.colliders.map(|collider| &self.scratch.placements[collider as usize]);
        let placed = PlacedShapes::of(
            pair.shapes(&self.colliders),
            [*first, *second],
            centre_offset(&self.bodies, first, second),
            ContactSearch { bearing, ..self.settings.contact_search() },
        );
        let mut meeting = placed.meeting(margin);
        let is_near = |point: &ManifoldPoint<S>| point.separation <= near;
        let points = meeting.manifold.points();
        if margin > near && points.iter().any(is_near) && !points.iter().all(is_near) {
            meeting = placed.meeting(near);
        }
        let is_open = meeting.gap().is_none_or(|gap| gap > touching_gap());
        let gap_along = |normal: Vec3<S>| placed.gap_along(normal);
        let seen = if is_open { Clearance::of(&meeting.manifold, margin, gap_along) } else { Clearance::UNKNOWN };
        Sighting { meeting, seen, ..Sighting::default() }
    }

    /// The room between two shapes whose boxes show that they are farther apart than the margin.
    fn clearance_of_boxes(&self, pair: [u32; 2], margin: S) -> Option<Clearance<S>> {
        let [a, b] = pair.map(|collider| self.scratch.tight_boxes[collider as usize]);
        let (a, b) = (a?, b?);
        let above = (b.min - a.max).to_array();
        let below = (a.min - b.max).to_array();
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let gaps = (0..3)
            .map(|axis| if above[axis] > below[axis] { (above[axis], axes[axis]) } else { (below[axis], -axes[axis]) });
        let (gap, normal) = gaps.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        (gap > margin).then(|| Clearance::along(normal, gap))
    }

    /// A pair that touched already as it will be in the middle of the time for which its rows are to serve.
    ///
    /// `None` where it moves so much that it has to be seen as it is now too, and where it is another contact then.
    fn look_ahead(&self, pair: ColliderPair, previous: &Contact<S>, rates: &Rates<S>) -> Option<Sighting<S>> {
        let ahead = self.time_ahead(pair, rates)?;
        let scenery = Scenery::of(&self.bodies, &self.colliders, &self.scratch.motion, &self.settings);
        let placed = scenery.placed(pair, ahead).borne_by(previous.bearing());
        let meeting = placed.meeting(self.settings.contact_margin);
        let known = |point: &ManifoldPoint<S>| previous.points().iter().any(|old| old.feature == point.feature);
        let goes_on = meeting.manifold.points().iter().any(known);
        let touches = || meeting.gap_before(scenery, pair.bodies, ahead).is_some_and(|gap| gap <= touching_gap());
        (goes_on && touches()).then_some(Sighting { meeting, ahead, ..Sighting::default() })
    }

    /// How fast the shapes of a pair move.
    fn rates_of(&self, pair: ColliderPair) -> Rates<S> {
        let spin = |side: usize| {
            let is_round = self.colliders.turns_in_itself[pair.colliders[side] as usize];
            let velocity = self.bodies.angular_velocity[pair.bodies[side] as usize];
            if is_round { S::ZERO } else { velocity.taxicab_length() }
        };
        let [a, b] = pair.bodies.map(|body| self.bodies.linear_velocity[body as usize]);
        let shapes = pair.shapes(&self.colliders);
        let size = shapes.iter().filter_map(|shape| shape.largest_half_extent()).reduce(S::min).unwrap_or(S::ONE);
        Rates { spins: [spin(0), spin(1)], speed: (b - a).taxicab_length(), size }
    }

    /// For how many seconds after the start of the step a contact that moves like this is best looked at, if it moves so little until
    /// then that its gaps of now follow from those: what straight paths miss of them is then less than twice what counts as touching.
    fn time_ahead(&self, pair: ColliderPair, rates: &Rates<S>) -> Option<S> {
        let Settings { substep_seconds, solver, continuous, .. } = &self.settings;
        if !continuous {
            return None;
        }
        let Rates { spins, speed, .. } = *rates;
        let (h, rate) = (*substep_seconds, rates.turning());
        let ahead = moment_of_rows(substeps_of_small_turn(rate * h, solver.substeps), h, rate);
        let thinner = pair.thinner(&self.bodies, &self.colliders)?;
        if speed * ahead > thinner.scale_by_power_of_two(-2) {
            return None; // seen so far on, one would be through the other, with the normal the other way round
        }
        let turns = spins.map(|spin| spin * ahead);
        let sum = turns[0] + turns[1];
        if sum > S::ONE {
            return None; // also keeps the squares within fixed point
        }
        let [reach_a, reach_b] = pair.colliders.map(|collider| self.colliders.reach[collider as usize]);
        let arcs = (turns[0] * turns[0] * reach_a + turns[1] * turns[1] * reach_b) * S::HALF;
        let missed = arcs + speed * ahead * sum;
        (missed <= touching_gap::<S>() * S::TWO).then_some(ahead)
    }
}

/// How fast two shapes move.
struct Rates<S> {
    /// How fast each turns, rad/s, at most; what turns in itself does not.
    spins: [S; 2],
    /// How fast they move against each other, m/s, at most.
    speed: S,
    /// The size of the smaller, metres.
    size: S,
}

impl<S: Scalar> Rates<S> {
    /// How fast their contact turns, rad/s, at most.
    fn turning(&self) -> S {
        self.spins[0] + self.spins[1] + self.speed / self.size
    }

    /// Whether it turns no faster than a limit of [`slow_turning`] or more. What hardly slides needs no division.
    fn turn_within(&self, limit: S) -> bool {
        let by_sliding = slow_turning::<S>().scale_by_power_of_two(-2); // more than what a slide of 2^-8 of the size in a second turns
        let hardly_slides = self.speed <= self.size.scale_by_power_of_two(-8);
        let spins = self.spins[0] + self.spins[1];
        hardly_slides && spins + by_sliding <= limit || self.turning() <= limit
    }
}

/// From the centre of mass of the first collider's body to that of the second's, world axes.
///
/// Only this difference of positions enters a collision, so that a translated scene collides the same.
fn centre_offset<S: Scalar>(bodies: &Bodies<S>, first: &Placement<S>, second: &Placement<S>) -> Vec3<S> {
    bodies.position[second.body as usize] - bodies.position[first.body as usize]
}
