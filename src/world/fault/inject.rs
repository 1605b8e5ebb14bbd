//! Injects planted faults into a world, at the end of the stage in which they strike.

use crate::collision::manifold::FeatureId;
use crate::dynamics::contact::{Contact, WarmStartPoint};
use crate::math::{Scalar, ScalarKind, Vec3};
use crate::state::visitor::FieldKind;
use crate::world::World;
use crate::world::encode::table::{ObjectName, change_field, contact_name};
use crate::world::fault::text::is_identity;
use crate::world::fault::{Fault, FaultKind};
use crate::world::stage::Stage;

impl<S: Scalar> World<S> {
    /// Plants the faults that strike in the coming step, in place of any planted before.
    pub fn plant(&mut self, faults: Vec<Fault>) {
        self.planted = faults;
    }

    /// Injects the faults that are planted at the end of this stage.
    pub(in crate::world) fn inject(&mut self, stage: Stage) {
        let due: Vec<Fault> = self.planted.iter().filter(|fault| fault.stage == stage).cloned().collect();
        due.iter().for_each(|fault| self.inject_one(fault));
    }

    /// Injects one fault now; one that names nothing, or asks for an impossible state, changes nothing.
    pub fn inject_one(&mut self, fault: &Fault) {
        let object = fault.object.as_deref();
        match fault.kind {
            FaultKind::Ulp => {
                self.change_number(fault, |kind, bits| shift_by_ulps::<S>(kind, bits, fault.ulps));
            }
            FaultKind::Nan => self.change_number(fault, not_a_number),
            FaultKind::LostImpulse => self.lose_impulses(object),
            FaultKind::StaleFeature => self.keep_stale_feature(object),
            FaultKind::Swap => self.exchange_contacts(object),
            FaultKind::Order => self.colour_backwards(),
            FaultKind::Gather => self.gather_second_half_first(),
            // Injected in the middle of a stage, see `SolveFaults`; and never.
            FaultKind::Fma | FaultKind::SleepTimer => {}
        }
    }

    /// Changes the number that a fault names.
    fn change_number(&mut self, fault: &Fault, change: impl Fn(FieldKind, u64) -> u64) {
        let (Some(object), Some(field)) = (fault.object.clone(), fault.field.as_deref()) else { return };
        let object = ObjectName { section: fault.section, object };
        let mut state = self.state();
        let changed = change_field(&mut state, &object, field, change);
        // A change that no state can have, such as an id out of order, is left undone: nothing could be read back from it.
        if changed.is_none() || !state.is_sound() {
            return;
        }
        if is_identity(fault.section, field) {
            let counts = self.scratch.counts;
            self.restore(state);
            self.scratch.counts = counts;
        } else {
            self.adopt(state);
        }
    }

    /// Empties the kept impulses of a contact, by name or the first that keeps any.
    fn lose_impulses(&mut self, name: Option<&str>) {
        let keeps = |contact: &Contact<S>| contact.points().iter().any(|point| point.normal_impulse != S::ZERO);
        let Some(index) = self.contact_named_or_first(name, |_, contact| keeps(contact)) else { return };
        let Contact { points, twist_impulse, rolling_impulse, .. } = &mut self.contacts[index];
        for point in points {
            *point = WarmStartPoint { feature: point.feature, ..WarmStartPoint::default() };
        }
        (*twist_impulse, *rolling_impulse) = (S::ZERO, Vec3::ZERO);
    }

    /// Gives the first point of a contact whose feature is new the feature that its place had in the step before.
    fn keep_stale_feature(&mut self, name: Option<&str>) {
        let Some(index) = self.contact_named_or_first(name, |world, contact| world.stale_feature(contact).is_some())
        else {
            return;
        };
        if let Some((point, feature)) = self.stale_feature(&self.contacts[index]) {
            self.contacts[index].points[point].feature = feature;
        }
    }

    /// Whether a contact has a point whose feature is another than in the step before, which [`FaultKind::StaleFeature`] needs.
    #[must_use]
    pub fn has_new_feature(&self) -> bool {
        self.contacts.iter().any(|contact| self.stale_feature(contact).is_some())
    }

    /// The first point of a contact whose feature is another than in the step before, and that feature.
    fn stale_feature(&self, contact: &Contact<S>) -> Option<(usize, FeatureId)> {
        let before = &self.scratch.old_contacts;
        let place = before.binary_search_by_key(&contact.key(), Contact::key).ok()?;
        let pairs = contact.points().iter().zip(before[place].points()).enumerate();
        let stale = pairs.into_iter().find(|(_, (now, old))| now.feature != old.feature);
        stale.map(|(point, (_, old))| (point, old.feature))
    }

    fn contact_named_or_first(&self, name: Option<&str>, suits: impl Fn(&Self, &Contact<S>) -> bool) -> Option<usize> {
        self.contacts.iter().position(|contact| match name {
            Some(name) => self.contact_name(contact) == name,
            None => suits(self, contact),
        })
    }

    /// The name of a contact, as the field table has it.
    fn contact_name(&self, contact: &Contact<S>) -> String {
        contact_name(|id| self.bodies.index_of(id).map(|index| &*self.bodies.name[index]), contact.key())
    }
}

/// The bits of the number `ulps` places above this one; integers count in ones.
fn shift_by_ulps<S: Scalar>(kind: FieldKind, bits: u64, ulps: i64) -> u64 {
    match kind {
        FieldKind::Scalar(_) => S::from_ordered(S::from_bits(bits).to_ordered().wrapping_add(ulps)).to_bits(),
        FieldKind::U8 | FieldKind::U32 | FieldKind::I32 => bits.wrapping_add_signed(ulps),
    }
}

/// The bits of a NaN for floats; every other number stays as it is.
const fn not_a_number(kind: FieldKind, bits: u64) -> u64 {
    match kind {
        FieldKind::Scalar(ScalarKind::F32) => f32::NAN.to_bits() as u64,
        FieldKind::Scalar(ScalarKind::F64) => f64::NAN.to_bits(),
        FieldKind::Scalar(ScalarKind::Fixed) | FieldKind::U8 | FieldKind::U32 | FieldKind::I32 => bits,
    }
}
