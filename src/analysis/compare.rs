//! Two states field by field.

use std::collections::BTreeMap;

use crate::analysis::outcome::{FieldDifference, SideValue};
use crate::math::Scalar;
use crate::world::encode::State;
use crate::world::encode::table::{Field, FieldValue, ObjectFields, ObjectName, field_table};
use crate::world::encode::visitor::FieldKind;

/// How two states differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateDifference {
    /// The first field, in canonical order, that differs.
    pub first: Option<FieldDifference>,
    /// How many objects differ.
    pub objects: usize,
}

/// Compares two states object by object, matched by name.
#[must_use]
pub fn compare_states<S: Scalar>(a: &State<S>, b: &State<S>) -> StateDifference {
    let by_name = |state: &State<S>| -> BTreeMap<ObjectName, ObjectFields> {
        field_table(state).into_iter().map(|object| (object.name.clone(), object)).collect()
    };
    let (of_a, of_b) = (by_name(a), by_name(b));
    let mut difference = StateDifference::default();
    let mut names: Vec<&ObjectName> = of_a.keys().chain(of_b.keys()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let found = match (of_a.get(name), of_b.get(name)) {
            (Some(a), Some(b)) => first_field::<S>(name, a, b),
            (a, b) => Some(missing_object(name, a.is_some(), b.is_some())),
        };
        if let Some(found) = found {
            difference.objects += 1;
            difference.first.get_or_insert(found);
        }
    }
    difference
}

/// The first field in which two versions of one object differ.
fn first_field<S: Scalar>(name: &ObjectName, a: &ObjectFields, b: &ObjectFields) -> Option<FieldDifference> {
    let longest = a.fields.len().max(b.fields.len());
    (0..longest).find_map(|index| {
        let (left, right) = (a.fields.get(index), b.fields.get(index));
        if left == right {
            return None;
        }
        // Where paths part, as with different numbers of points, the objects are not alike from here on.
        let path = left.or(right).map(|field| field.path.clone());
        let same_path = left.map(|field| &field.path) == right.map(|field| &field.path);
        Some(FieldDifference {
            section: name.section.name(),
            object: name.object.clone(),
            field: path,
            a: left.map(side_value::<S>),
            b: right.filter(|_| same_path).map(side_value::<S>),
            ulps: left.zip(right).filter(|_| same_path).and_then(|(a, b)| distance::<S>(&a.value, &b.value)),
        })
    })
}

fn missing_object(name: &ObjectName, in_a: bool, in_b: bool) -> FieldDifference {
    let present = |here: bool| here.then(|| SideValue { bits: String::new(), value: "exists".to_owned() });
    FieldDifference {
        section: name.section.name(),
        object: name.object.clone(),
        field: None,
        a: present(in_a),
        b: present(in_b),
        ulps: None,
    }
}

/// A field's value as people read it, with its bits.
fn side_value<S: Scalar>(field: &Field) -> SideValue {
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

/// Units in the last place between two numbers; integers count in ones.
fn distance<S: Scalar>(a: &FieldValue, b: &FieldValue) -> Option<u64> {
    match (a, b) {
        (FieldValue::Number(FieldKind::Scalar(_), a), FieldValue::Number(FieldKind::Scalar(_), b)) => {
            Some(S::from_bits(*a).to_ordered().abs_diff(S::from_bits(*b).to_ordered()))
        }
        (FieldValue::Number(FieldKind::I32, a), FieldValue::Number(FieldKind::I32, b)) => {
            Some(u64::from((*a as u32 as i32).abs_diff(*b as u32 as i32)))
        }
        (FieldValue::Number(_, a), FieldValue::Number(_, b)) => Some(a.abs_diff(*b)),
        _ => None,
    }
}
