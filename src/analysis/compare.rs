//! Two states field by field, or all data of a step under way.

use std::collections::BTreeMap;

use crate::analysis::outcome::{FieldDifference, OrderDifference, OrderOf, SideValue};
use crate::math::Scalar;
use crate::state::visitor::FieldKind;
use crate::world::encode::table::{Field, FieldValue, Ids, ObjectBytes, ObjectName, Objects, fields_of, object_bytes};

/// How two states differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateDifference {
    /// The first fields that differ, in canonical order.
    pub fields: Vec<FieldDifference>,
    /// Which objects differ, in canonical order.
    pub objects: Vec<ObjectName>,
    /// Where the same objects stand in another order, when none of them differs.
    pub order: Option<OrderDifference>,
}

impl StateDifference {
    /// The first field, in canonical order, that differs.
    #[must_use]
    pub fn first(&self) -> Option<&FieldDifference> {
        self.fields.first()
    }
}

/// Compares object by object, matched by name; of the fields that differ, keeps the first `most`, and one at least.
#[must_use]
pub fn compare_states<T: Objects>(a: &T, b: &T, most: usize) -> StateDifference {
    let [of_a, of_b] = [a, b].map(object_bytes);
    let mut difference = StateDifference { objects: differing_objects(&of_a, &of_b), ..StateDifference::default() };
    for name in &difference.objects {
        if difference.fields.len() >= most.max(1) {
            break;
        }
        match (fields_of(a, name), fields_of(b, name)) {
            (Some(a), Some(b)) => differing_fields::<T::Scalar>(name, &a, &b, &mut difference.fields),
            (a, b) => difference.fields.push(missing_object(name, a.is_some(), b.is_some())),
        }
    }
    difference.fields.truncate(most.max(1));
    if difference.objects.is_empty() {
        difference.order = differing_order(&of_a, &of_b);
    }
    difference
}

/// The bytes of one object on each side that has it.
type BothBytes<'a> = [Option<&'a [u8]>; 2];

/// The objects, matched by name, whose bytes differ, in canonical order, which is that of the ids: a spawned body
/// stands last whatever its name.
fn differing_objects(a: &[ObjectBytes], b: &[ObjectBytes]) -> Vec<ObjectName> {
    let mut objects: BTreeMap<&ObjectName, (Ids, BothBytes<'_>)> = BTreeMap::new();
    for (side, listed) in [a, b].into_iter().enumerate() {
        for ObjectBytes { name, ids, bytes } in listed {
            let (first_ids, sides) = objects.entry(name).or_insert((*ids, [None, None]));
            *first_ids = (*ids).min(*first_ids);
            sides[side] = Some(bytes);
        }
    }
    let differing = objects.into_iter().filter(|(_, (_, [a, b]))| a != b);
    let mut names: Vec<(Ids, &ObjectName)> = differing.map(|(name, (ids, _))| (ids, name)).collect();
    names.sort_by_key(|(ids, name)| (name.section, *ids));
    names.into_iter().map(|(_, name)| name.clone()).collect()
}

/// The first place at which the two sides list another object.
fn differing_order(a: &[ObjectBytes], b: &[ObjectBytes]) -> Option<OrderDifference> {
    let (at, (first, second)) = a.iter().zip(b).enumerate().find(|(_, (a, b))| a.name != b.name)?;
    let before = a[..at].iter().filter(|other| other.name.section == first.name.section);
    Some(OrderDifference {
        of: OrderOf::Objects,
        section: Some(first.name.section.name().to_owned()),
        place: before.count(),
        a: first.name.object.clone(),
        b: second.name.object.clone(),
    })
}

/// Adds the fields in which two versions of one object differ.
fn differing_fields<S: Scalar>(name: &ObjectName, a: &[Field], b: &[Field], found: &mut Vec<FieldDifference>) {
    for index in 0..a.len().max(b.len()) {
        let (left, right) = (a.get(index), b.get(index));
        if left == right {
            continue;
        }
        if left.map(|field| &field.path) != right.map(|field| &field.path) {
            // With different numbers of points one side has fields that the other lacks: the objects are not alike from here on.
            found.extend(lone_field::<S>(
                name,
                left.filter(|left| !has(b, left)),
                right.filter(|right| !has(a, right)),
            ));
            return;
        }
        found.push(FieldDifference {
            section: name.section.name().to_owned(),
            object: name.object.clone(),
            field: left.map(|field| field.path.clone()),
            a: left.map(side_value::<S>),
            b: right.map(side_value::<S>),
            ulps: left.zip(right).and_then(|(a, b)| distance::<S>(&a.value, &b.value)),
        });
    }
}

fn has(fields: &[Field], field: &Field) -> bool {
    fields.iter().any(|other| other.path == field.path)
}

/// A field that only one side has; the first side's, where each has one of its own.
fn lone_field<S: Scalar>(name: &ObjectName, a: Option<&Field>, b: Option<&Field>) -> Option<FieldDifference> {
    let field = a.or(b)?;
    Some(FieldDifference {
        section: name.section.name().to_owned(),
        object: name.object.clone(),
        field: Some(field.path.clone()),
        a: a.map(side_value::<S>),
        b: b.filter(|_| a.is_none()).map(side_value::<S>),
        ulps: None,
    })
}

fn missing_object(name: &ObjectName, in_a: bool, in_b: bool) -> FieldDifference {
    let present = |here: bool| here.then(|| SideValue { bits: String::new(), value: "exists".to_owned() });
    FieldDifference {
        section: name.section.name().to_owned(),
        object: name.object.clone(),
        field: None,
        a: present(in_a),
        b: present(in_b),
        ulps: None,
    }
}

/// A field's value as people read it, with its bits.
#[must_use]
pub fn side_value<S: Scalar>(field: &Field) -> SideValue {
    match &field.value {
        FieldValue::Text(text) => SideValue { bits: String::new(), value: text.clone() },
        FieldValue::Number(kind, bits) => SideValue {
            bits: format!("{bits:0width$x}", width = 2 * kind.width()),
            value: match kind {
                FieldKind::Scalar(_) => S::from_bits(*bits).to_string(),
                FieldKind::I32 => (*bits as u32 as i32).to_string(),
                FieldKind::U8 | FieldKind::U32 => bits.to_string(),
            },
        },
    }
}

/// Units in the last place between two numbers of the scalar; integers have none.
fn distance<S: Scalar>(a: &FieldValue, b: &FieldValue) -> Option<u64> {
    let (FieldValue::Number(FieldKind::Scalar(_), a), FieldValue::Number(FieldKind::Scalar(_), b)) = (a, b) else {
        return None;
    };
    let (a, b) = (S::from_bits(*a), S::from_bits(*b));
    // Nothing lies between a number and what is none.
    (a.is_finite() && b.is_finite()).then(|| a.to_ordered().abs_diff(b.to_ordered()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{StateDifference, compare_states};
    use crate::analysis::outcome::{OrderDifference, OrderOf};
    use crate::scene;
    use crate::session::record::RunPlan;

    #[test]
    fn the_same_objects_in_another_order_differ_by_their_order() {
        let text = "(version: 1, name: \"three\", bodies: [
            (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"a\", position: Origin(0, 0.5, 0), shape: Sphere(radius: 0.5)),
            (name: \"b\", position: Origin(3, 0.5, 0), shape: Sphere(radius: 0.5)),
            (name: \"c\", position: Origin(6, 0.5, 0), shape: Sphere(radius: 0.5))])";
        let plan = RunPlan::new(Arc::new(scene::parse("test scene", text).unwrap_or_else(|error| panic!("{error}"))));
        let mut session = plan.session::<f64>().unwrap_or_else(|error| panic!("{error}"));
        session.advance(&mut ()).unwrap_or_else(|error| panic!("{error}"));
        let state = session.world().state();
        assert_eq!(compare_states(&state, &state.clone(), 4), StateDifference::default());
        let mut other = state.clone();
        other.contacts.swap(1, 2);
        let found = compare_states(&state, &other, 4);
        let [a, b] = ["b#0 | floor#0", "c#0 | floor#0"].map(str::to_owned);
        assert_eq!(
            found.order,
            Some(OrderDifference { of: OrderOf::Objects, section: Some("contacts".to_owned()), place: 1, a, b })
        );
        assert_eq!((found.objects.len(), found.fields.len()), (0, 0));
        // Where an object differs too, that is what differs.
        other.contacts[0].points[0].normal_impulse += 1.0;
        let found = compare_states(&state, &other, 4);
        assert_eq!((found.order, found.objects.len()), (None, 1));
    }

    #[test]
    fn of_lists_of_different_lengths_the_first_field_is_told_that_one_side_lacks() {
        let text = "(version: 1, name: \"one\", bodies: [
            (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"ball\", position: Origin(0, 0.5, 0), shape: Sphere(radius: 0.5))])";
        let plan = RunPlan::new(Arc::new(scene::parse("test scene", text).unwrap_or_else(|error| panic!("{error}"))));
        let mut session = plan.session::<f64>().unwrap_or_else(|error| panic!("{error}"));
        session.advance(&mut ()).unwrap_or_else(|error| panic!("{error}"));
        let state = session.world().state();
        let mut other = state.clone();
        other.contacts[0].count = 2;
        for (a, b, sides) in [(&state, &other, [false, true]), (&other, &state, [true, false])] {
            let fields = compare_states(a, b, 8).fields;
            let paths: Vec<&str> = fields.iter().filter_map(|field| field.field.as_deref()).collect();
            assert_eq!(paths, ["count", "points[1].feature"], "what both have behind the points is not a difference");
            assert_eq!([fields[1].a.is_some(), fields[1].b.is_some()], sides);
        }
    }
}
