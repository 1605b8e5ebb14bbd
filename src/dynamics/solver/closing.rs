//! An open pair becomes a contact in the middle of a step.

use crate::dynamics::contact::{Contact, ContactGeometry, ContactKey};
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::open::{Clearance, FirstTouch, OpenPair};
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::poses::ColliderPair;
use crate::dynamics::solver::prepare::{Sources, add_contact};
use crate::dynamics::solver::rows::NONE;
use crate::math::{Scalar, Vec3};

impl<S: Scalar> Solve<'_, S> {
    /// Gives an open pair rows for how its shapes meet; their place.
    pub(super) fn close(&mut self, number_of_open: u32, touch: &FirstTouch<S>) -> u32 {
        let pair = self.open[number_of_open as usize];
        let [a, b] = pair.colliders.map(|collider| collider as usize);
        let geometry = ContactGeometry {
            body_a: pair.bodies[0],
            body_b: pair.bodies[1],
            colliders: pair.colliders,
            piece: pair.piece,
            shape_offset_a: touch.meeting.shape_offset_a,
            centre_offset: touch.meeting.centre_offset,
            surface: self.colliders.surface[a].combine(self.colliders.surface[b]),
            manifold: touch.meeting.manifold,
            is_open: false,
            is_awaited: false,
            ahead: S::ZERO,
            may_be_on_rim: [true; 2],
            displacement_a: self.displacement_of(pair.bodies[0], touch.time),
            impulses: Default::default(),
        };
        if self.is_at_seam(&geometry, touch.time) {
            return NONE;
        }
        let key = ContactKey { a: self.colliders.key[a], b: self.colliders.key[b], piece: pair.piece };
        let contact = Contact::from_manifold(key, &geometry.manifold, None);
        let number = if pair.contact == NONE { self.contacts.len() } else { pair.contact as usize };
        if number == self.contacts.len() {
            self.counts.caught += 1;
            self.contacts.push(contact);
            self.geometry.push(geometry);
            self.rows.place.push(NONE);
        } else {
            // What it struck before it parted stays with it.
            let impulses = self.geometry[number].impulses;
            self.contacts[number] = contact;
            self.geometry[number] = ContactGeometry { impulses, ..geometry };
        }
        let number = u32::try_from(number).unwrap_or(NONE);
        let sources = Sources::of(self.bodies, self.colliders, self.motion, self.settings);
        let place = add_contact(self.rows, (number, &contact, &geometry), sources);
        let rows = &mut self.rows.contacts[place];
        rows.open = number_of_open;
        // Rows of an earlier moment would be looked at again before this one, with bodies that are known from now on.
        (rows.true_from, rows.made_for) = (touch.time, touch.time);
        self.date(place, touch.time);
        self.begin_at_start(place, touch.time);
        let open = &mut self.open[number_of_open as usize];
        open.contact = number;
        open.rows = u32::try_from(place).unwrap_or(NONE);
        self.impacts.set_leeway(number_of_open, S::ZERO);
        open.rows
    }

    /// Makes a contact whose shapes have parted, `time` seconds after the start of the substep, an open pair again: they may meet
    /// anew within the step.
    pub(super) fn open_again(&mut self, place: usize, time: S) {
        let number = self.rows.contacts[place].contact as usize;
        let geometry = &mut self.geometry[number];
        geometry.impulses[0] += self.rows.take_totals(place);
        self.rows.set_count(place, 0);
        self.rows.place[number] = NONE;
        let known = &mut self.rows.contacts[place].open;
        if let Some(open) = self.open.get_mut(*known as usize) {
            open.part(time);
            self.impacts.set_leeway(*known, open.leeway);
            return;
        }
        *known = u32::try_from(self.open.len()).unwrap_or(NONE);
        let pair = ColliderPair::of(geometry);
        let reach = pair.colliders.map(|collider| self.colliders.reach[collider as usize]);
        let number = u32::try_from(number).unwrap_or(NONE);
        let mut open = OpenPair::new(pair, reach, Clearance::UNKNOWN, number);
        open.part(time);
        self.open.push(open);
        self.impacts.add_link(pair);
    }

    /// Way of a body from the start of the step to `ahead` seconds from now.
    pub(super) fn displacement_of(&self, body: u32, ahead: S) -> Vec3<S> {
        self.motion.delta_position[body as usize] + self.bodies.linear_velocity[body as usize] * ahead
    }

    /// Turns the separations of rows made for `ahead` seconds after the start of the substep into those of the start of the step.
    pub(super) fn begin_at_start(&mut self, place: usize, ahead: S) {
        let (contact, view) = self.rows.view(place);
        let (bodies, at) = (contact.bodies, view.at);
        let now = PairMotion::load(bodies, &self.bodies.linear_velocity, &self.bodies.angular_velocity);
        let moved = PairMotion::load(bodies, &self.motion.delta_position, &self.motion.delta_rotation);
        let [speed, way] = [now, moved].map(|motion: PairMotion<S>| view.common.growth(at, &motion));
        for point in view.points {
            let levers = point.levers_at(at);
            point.separation.0[at] -= speed.at(levers) * ahead + way.at(levers);
        }
    }
}
