//! What a heavy blow leaves that was stopped through something light.
//!
//! Where something heavy strikes something light that lies on the ground, each pass hands on no more than what would stop the light one. So the
//! impulses of both contacts grow from substep to substep, as each begins with those of the one before; and when the heavy body has
//! stopped, they are many times what it needs. Passes take that back as slowly as it came: the first contact lifts the light body, the
//! other takes it down again. But the impulses of both are in the right proportion. So a blow is followed from something heavy into something
//! light, from there into what holds against it, and so on, and the same part of all of it is taken back: what leaves its points together
//! no longer moving apart. That is a step along a line to where the energy is least (A. Cauchy, "Méthode générale pour la résolution
//! des systèmes d'équations simultanées", 1847), and adds none.

use std::collections::BTreeMap;

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::blow::KeptImpulses;
use crate::dynamics::solver::exchange::Exchange;
use crate::dynamics::solver::normals::Target;
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::passes::{VelocityPass, find_targets, kept_push, speed_of_removal};
use crate::dynamics::solver::prepare::{parts_of_largest, reduced_mass};
use crate::dynamics::solver::rows::NONE;
use crate::math::lanes::Watch;
use crate::math::{Scalar, Vec3};

/// The power of two in m/s up to which points that press may move apart when a substep is over, or passes change speeds: 1.6 cm/s.
const NEGLIGIBLE: i32 = -6;
/// The power of two in m/s up to which what a contact gives to the lighter body in a substep is not part of a blow: 6 cm/s.
const WEAK: i32 = -4;
/// The power of two in m/s up to which speeds that impulses give are those of no blow, where nothing pulls: 4 mm/s.
const SLOW: i32 = -8;
/// The power of two for the part of the speed with which an overlap is taken out that points may move apart with: a thirty-second. What lies deep
/// in something light would lie there for seconds if all that lifts it were taken back.
const OVERLAPS: i32 = -5;
/// The power of two up to which the cosine between what enters a body and what else pushes it is that of something that does not hold it.
const STEEPEST: i32 = -3;
/// Percent of the two inverse masses that the lighter body has at least, where one is much lighter: 4 to 1.
const LIGHT: i64 = 80;
/// Bodies through which a blow is followed, one behind the other, at most.
const MOST_BODIES: usize = 16;

/// A contact that a blow may go through.
struct Strong<S> {
    place: usize,
    bodies: [u32; 2],
    /// The parts of the inverse reduced mass that are theirs: zero of what it does not push, the larger one of the lighter.
    shares: [S; 2],
    /// What it gives the second body, along its normal and as friction, m/s, world frame.
    gives: [Vec3<S>; 2],
    /// Impulses along the normals of its points, m/s.
    impulses: [S; MAX_POINTS],
    /// How much faster these points move apart than they may, m/s; negative where they approach.
    speeds: [S; MAX_POINTS],
}

/// What the impulses of some contacts give each body, linear in m/s and angular in rad/s.
type Pushes<S> = BTreeMap<u32, [Vec3<S>; 2]>;

impl<S: Scalar> Strong<S> {
    /// The side of the lighter body where it is lighter than the other by far, and something pushes that as well.
    fn light_side(&self) -> Option<usize> {
        let is_light = |&side: &usize| self.shares[side] > S::from_ratio(LIGHT, 100);
        (0..2).find(is_light).filter(|side| self.pushes(1 - side))
    }

    fn pushes(&self, side: usize) -> bool {
        self.shares[side] > S::ZERO
    }
}

/// Whether passes that still change speeds by this much, m/s, may have left a rebound.
pub(super) fn may_rebound<S: Scalar>(change: S) -> bool {
    change > S::ONE.scale_by_power_of_two(NEGLIGIBLE)
}

impl<S: Scalar> Solve<'_, S> {
    /// Takes back what blows push too much. Whether there was anything.
    pub(super) fn take_back_rebounds(&mut self) -> bool {
        if !self.rows.batches.chunks().iter().any(|chunk| chunk.has_uneven(S::from_ratio(LIGHT, 100))) {
            return false;
        }
        let strong: Vec<_> = self.pressed_places().into_iter().filter_map(|place| self.strong_at(place)).collect();
        if strong.iter().all(|contact| contact.light_side().is_none()) {
            return false;
        }
        let masses = self.masses_of(&strong);
        let parts = Blows::of(&strong, &masses).parts();
        let members = strong.iter().zip(masses).zip(parts);
        let members = members.map(|((contact, mass), parts)| Member { contact, mass, parts });
        let members: Vec<_> = members.filter(|member| member.parts.iter().any(|&part| part > S::ZERO)).collect();
        let group = groups(&members);
        let mut in_order: Vec<_> = members.iter().zip(group).collect();
        in_order.sort_by_key(|(_, group)| *group);
        let mut any = false;
        for group in in_order.chunk_by(|(_, group), (_, next)| group == next) {
            let group: Vec<_> = group.iter().map(|(member, _)| *member).collect();
            any |= self.take_back_of(&group);
        }
        any
    }

    /// The places of contacts whose impulses are large enough to be part of a blow, ascending.
    fn pressed_places(&mut self) -> Vec<usize> {
        let (mut contacts, weak) = (Vec::new(), S::ONE.scale_by_power_of_two(WEAK));
        self.rows.batches.chunks().iter().for_each(|chunk| chunk.add_pressed(weak, &mut contacts));
        let place_of = |contact: u32| self.rows.place.get(contact as usize).filter(|&&place| place != NONE);
        let mut places: Vec<_> = contacts.into_iter().filter_map(place_of).map(|&place| place as usize).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The contact at this place, if it gives the lighter of its bodies enough to be part of a blow.
    fn strong_at(&mut self, place: usize) -> Option<Strong<S>> {
        let (contact, mut view) = self.rows.view(place);
        let pressed = view.points.iter().fold(S::ZERO, |sum, point| sum + point.impulse.0[view.at]);
        let shares = view.common.inverse_mass.each_ref().map(|share| share.0[view.at]);
        if pressed * shares[0].max(shares[1]) <= S::ONE.scale_by_power_of_two(WEAK) {
            return None;
        }
        let bodies = contact.bodies;
        let now = PairMotion::load(bodies, &self.bodies.linear_velocity, &self.bodies.angular_velocity);
        let moved = PairMotion::load(bodies, &self.motion.delta_position, &self.motion.delta_rotation);
        let growth = Exchange::begin(&view, &now).speeds.growth();
        let (mut targets, pass, mut watch) = ([Target::idle(); MAX_POINTS], VelocityPass::Relax, Watch::<S>::new());
        find_targets(&mut targets, &mut view, (&moved, &growth), (self.settings, pass), &mut watch);
        let (way, correction) = (view.common.growth::<S>(view.at, &moved), &self.settings.solver.correction);
        let (mut impulses, mut speeds) = ([S::ZERO; MAX_POINTS], [S::ZERO; MAX_POINTS]);
        for (index, point) in view.points.iter().enumerate() {
            let (impulse, Target { bias, acts, .. }) = (point.impulse.0[view.at], targets[index]);
            if impulse > S::ZERO && acts {
                let levers = point.levers_at(view.at);
                let separation = point.separation.0[view.at] + way.at(levers);
                impulses[index] = impulse;
                let removed = speed_of_removal(separation, correction).max(S::ZERO).scale_by_power_of_two(OVERLAPS);
                speeds[index] = growth.at(levers) + bias - removed;
            }
        }
        let force = kept_push::<S>(&view, &mut watch).force();
        let along: Vec3<S> = view.common.directions[0].at(view.at) * pressed;
        Some(Strong { place, bodies, shares, gives: [along, force - along], impulses, speeds })
    }

    /// Takes back the same part of what a blow gives at each of these contacts, so that what their points push against no longer moves
    /// apart: the sum of its impulses times speeds is zero. Whether there is one, and it is more than what bears a load. So much is left: it
    /// would have to be found again, in as many passes as before, while the load falls.
    fn take_back_of(&mut self, group: &[&Member<'_, S>]) -> bool {
        let pushes = self.pushes_of(group);
        let strongest = group.iter().flat_map(|member| member.contact.impulses).fold(S::ZERO, S::max);
        let (mut excess, mut response, mut all) = (S::ZERO, S::ZERO, S::ZERO);
        for &&Member { contact, mass, parts } in group {
            let rows = self.rows.at(contact.place);
            let growth = rows.common.growth(rows.at, &pushed_pair(&pushes, contact.bodies));
            for (index, point) in rows.points.iter().enumerate() {
                let weight = contact.impulses[index] / strongest * mass * parts[0];
                excess += weight * contact.speeds[index];
                response += weight * growth.at(point.levers_at(rows.at));
                all += weight;
            }
        }
        let is_slow = excess <= all.scale_by_power_of_two(NEGLIGIBLE - 1);
        let loads = self.speed_of_loads(&pushes);
        if is_slow || response <= all * loads.max(S::ONE.scale_by_power_of_two(SLOW)) {
            return false;
        }
        let factor = (excess / response).min(S::ONE - all * loads / response);
        for &&Member { contact, parts, .. } in group {
            let (_, mut view) = self.rows.view(contact.place);
            KeptImpulses::take(&mut view).parts(parts.map(|part| S::ONE - factor * part)).put_back(&mut view);
        }
        for (body, [linear, angular]) in pushes {
            self.bodies.linear_velocity[body as usize] -= linear * factor;
            self.bodies.angular_velocity[body as usize] -= angular * factor;
        }
        true
    }

    /// How fast what bears a load pushes its points apart, on average, at most, m/s: half as fast again as forces pull its bodies in a
    /// substep.
    fn speed_of_loads(&self, pushes: &Pushes<S>) -> S {
        let pulls = pushes.keys().map(|&body| self.motion.linear_acceleration[body as usize].length());
        let pulled = pulls.fold(S::ZERO, S::max) * self.settings.substep_seconds;
        pulled + pulled * S::HALF
    }

    /// What a blow through some contacts, with friction, has given to their bodies.
    fn pushes_of(&mut self, group: &[&Member<'_, S>]) -> Pushes<S> {
        let mut pushes = Pushes::new();
        for &&Member { contact, parts, .. } in group {
            let (_, mut view) = self.rows.view(contact.place);
            let kept = KeptImpulses::take(&mut view);
            kept.parts(parts).put_back(&mut view);
            let (mut pair, mut watch) = (pushed_pair(&pushes, contact.bodies), Watch::new());
            kept_push(&view, &mut watch).apply((view.common, view.at), &mut pair, &mut watch);
            kept.put_back(&mut view);
            for side in (0..2).filter(|&side| contact.pushes(side)) {
                pushes.insert(contact.bodies[side], [pair.linear[side], pair.angular[side]]);
            }
        }
        pushes
    }

    /// The reduced masses of some contacts, as parts of the largest.
    fn masses_of(&self, strong: &[Strong<S>]) -> Vec<S> {
        let inverse_mass = |body: u32| self.bodies.inverse_mass[body as usize];
        let mass_of = |contact: &Strong<S>| {
            let [a, b] = contact.bodies.map(inverse_mass);
            reduced_mass(a, b)
        };
        parts_of_largest(&strong.iter().map(mass_of).collect::<Vec<_>>()).collect()
    }
}

/// A contact through which a blow goes.
struct Member<'a, S> {
    contact: &'a Strong<S>,
    /// Its reduced mass, as a part of the largest.
    mass: S,
    /// The parts of its impulses that are the blow's: along the normals, and of friction.
    parts: [S; 2],
}

/// Where blows go: from something heavy into something light, there into what holds against it, and so on.
struct Blows<'a, S> {
    strong: &'a [Strong<S>],
    /// What each contact gives its second body along the normal and as friction, as parts of the largest of all, world frame.
    gives: Vec<[Vec3<S>; 2]>,
    /// The parts of that which are of blows.
    parts: Vec<[S; 2]>,
    /// The contacts of each body, each with its side.
    contacts_of: BTreeMap<u32, Vec<(usize, usize)>>,
}

/// What enters bodies, by the contact through which it does and its side.
type Entering<S> = BTreeMap<(usize, usize), Vec3<S>>;

impl<'a, S: Scalar> Blows<'a, S> {
    fn of(strong: &'a [Strong<S>], masses: &[S]) -> Self {
        let mut contacts_of: BTreeMap<u32, Vec<(usize, usize)>> = BTreeMap::new();
        for (index, contact) in strong.iter().enumerate() {
            for side in (0..2).filter(|&side| contact.pushes(side)) {
                contacts_of.entry(contact.bodies[side]).or_default().push((index, side));
            }
        }
        let size = |give: &Vec3<S>| give.x.abs().max(give.y.abs()).max(give.z.abs());
        let largest = strong.iter().flat_map(|contact| &contact.gives).map(size).fold(S::ZERO, S::max);
        let part = |give: Vec3<S>, mass: S| give.map(|component| component / largest * mass);
        let gives = strong.iter().zip(masses).map(|(contact, mass)| contact.gives.map(|give| part(give, *mass)));
        Self { strong, gives: gives.collect(), parts: vec![[S::ZERO; 2]; strong.len()], contacts_of }
    }

    /// The parts of each contact's impulses that are of blows: along the normal, and of friction.
    fn parts(mut self) -> Vec<[S; 2]> {
        let mut entering = Entering::new();
        for (index, contact) in self.strong.iter().enumerate() {
            if let Some(side) = contact.light_side() {
                self.parts[index] = [S::ONE; 2];
                entering.insert((index, side), self.given(index, side, 0) + self.given(index, side, 1));
            }
        }
        for _ in 0..MOST_BODIES {
            if entering.is_empty() {
                break;
            }
            entering = self.go_on(entering);
        }
        self.parts
    }

    /// What a contact gives the body on a side: along the normal (0) or as friction (1).
    fn given(&self, index: usize, side: usize, kind: usize) -> Vec3<S> {
        let give = self.gives[index][kind];
        if side == 0 { -give } else { give }
    }

    /// Goes on from what enters bodies to what leaves them again: shared out among all that holds against it.
    ///
    /// Normals and friction hold for themselves: what is held in a clamp by friction alone leaves the clamp its pressure.
    fn go_on(&mut self, entering: Entering<S>) -> Entering<S> {
        let mut leaving = Entering::new();
        for ((index, side), enters) in entering {
            let Some(direction) = enters.direction() else { continue };
            let of_body = self.contacts_of.get(&self.strong[index].bodies[side]).into_iter().flatten();
            let others = of_body.filter(|(other, _)| *other != index);
            let holding = others.flat_map(|&(other, side)| [(other, side, 0), (other, side, 1)]).filter_map(|at| {
                let give = self.given(at.0, at.1, at.2);
                let against = -direction.dot(give);
                (against > give.length().scale_by_power_of_two(STEEPEST)).then_some((at, against))
            });
            let holding: Vec<_> = holding.collect();
            let sum = holding.iter().fold(S::ZERO, |sum, (_, against)| sum + *against);
            if sum <= S::ZERO {
                continue;
            }
            let part = (direction.dot(enters) / sum).min(S::ONE);
            for ((other, side, kind), _) in holding {
                let more = part.min(S::ONE - self.parts[other][kind]);
                self.parts[other][kind] += more;
                if more > S::ZERO && self.strong[other].pushes(1 - side) {
                    *leaving.entry((other, 1 - side)).or_insert(Vec3::ZERO) += self.given(other, 1 - side, kind) * more;
                }
            }
        }
        leaving
    }
}

/// What the bodies of a contact were given.
fn pushed_pair<S: Scalar>(pushes: &Pushes<S>, bodies: [u32; 2]) -> PairMotion<S> {
    let [a, b] = bodies.map(|body| pushes.get(&body).copied().unwrap_or([Vec3::ZERO; 2]));
    PairMotion { linear: [a[0], b[0]], angular: [a[1], b[1]] }
}

/// The group of each contact, named after its first: contacts that push the same body are in one.
fn groups<S: Scalar>(members: &[Member<'_, S>]) -> Vec<usize> {
    let mut above: Vec<usize> = (0..members.len()).collect();
    let mut first_at = BTreeMap::new();
    for (index, Member { contact, .. }) in members.iter().enumerate() {
        for side in (0..2).filter(|&side| contact.pushes(side)) {
            let other = *first_at.entry(contact.bodies[side]).or_insert(index);
            let [here, there] = [index, other].map(|index| top(&above, index));
            above[here.max(there)] = here.min(there);
        }
    }
    (0..members.len()).map(|index| top(&above, index)).collect()
}

/// Where the way up from an index ends.
fn top(above: &[usize], mut index: usize) -> usize {
    while above[index] != index {
        index = above[index];
    }
    index
}
