//! The field table: every number by section, object and field path, of a state and of whatever else lists its objects.

use std::collections::BTreeMap;
use std::fmt::Display;

use crate::dynamics::collider::ColliderKey;
use crate::dynamics::contact::ContactKey;
use crate::math::Scalar;
use crate::state::visitor::{FieldKind, FieldVisitor, Writer};
use crate::world::encode::fields::{visit_contact, visit_globals};
use crate::world::encode::{Section, State};

/// Which object of which section.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectName {
    /// The section.
    pub section: Section,
    /// The object within it: a body's or joint's name, `body#2` for a collider, `a#0 | b#1` for a contact, `world`.
    pub object: String,
}

impl Display for ObjectName {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.section.name(), self.object)
    }
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// A number and its kind; bits zero-extended.
    Number(FieldKind, u64),
    /// A text.
    Text(String),
}

/// One field of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The path within the object, such as `points[2].normal_impulse`.
    pub path: String,
    /// The value.
    pub value: FieldValue,
}

/// An object and its fields in canonical order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectFields {
    /// Which object.
    pub name: ObjectName,
    /// Its fields.
    pub fields: Vec<Field>,
}

/// The ids by which an object stands in its section, in the order in which they count; those that it lacks are 0.
pub type Ids = [u32; 5];

/// An object and its canonical bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectBytes {
    /// Which object.
    pub name: ObjectName,
    /// Its place in the canonical order of its section.
    pub ids: Ids,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Leads a visitor over the fields of one object.
pub type Visit<'a> = &'a mut dyn FnMut(&mut dyn FieldVisitor);

/// Is called with each object.
pub type EachObject<'a> = &'a mut dyn FnMut(ObjectName, Ids, Visit<'_>);

/// Something made of named objects with fields.
pub trait Objects: Clone {
    /// The numbers in its fields.
    type Scalar: Scalar;

    /// Calls `act` with every object, in canonical order.
    fn for_each_object(&mut self, act: EachObject<'_>);
}

/// Lists every field in canonical order.
#[must_use]
pub fn field_table(of: &impl Objects) -> Vec<ObjectFields> {
    let mut objects = Vec::new();
    of.clone().for_each_object(&mut |name, _, visit| {
        objects.push(ObjectFields { name, fields: listed_fields(visit) });
    });
    objects
}

/// The canonical bytes of every object, in canonical order.
#[must_use]
pub fn object_bytes(of: &impl Objects) -> Vec<ObjectBytes> {
    let mut objects = Vec::new();
    of.clone().for_each_object(&mut |name, ids, visit| {
        let mut bytes = Vec::new();
        visit(&mut Writer::new(&mut bytes));
        objects.push(ObjectBytes { name, ids, bytes });
    });
    objects
}

/// The fields of one object; `None` when there is no such object.
#[must_use]
pub fn fields_of(of: &impl Objects, object: &ObjectName) -> Option<Vec<Field>> {
    let mut found = None;
    of.clone().for_each_object(&mut |name, _, visit| {
        if name == *object {
            found = Some(listed_fields(visit));
        }
    });
    found
}

/// The fields that a visitor is led over.
fn listed_fields(visit: Visit<'_>) -> Vec<Field> {
    let mut fields = Vec::new();
    visit(&mut Named::new(&mut |path, value| {
        fields.push(Field { path: path.to_owned(), value });
        None
    }));
    fields
}

/// Changes one number of a state: `change` gets its kind and bits and gives back the new bits.
///
/// Returns the bits before, or `None` when there is no such number.
pub fn change_field<S: Scalar>(
    state: &mut State<S>,
    object: &ObjectName,
    path: &str,
    change: impl Fn(FieldKind, u64) -> u64,
) -> Option<u64> {
    let mut before = None;
    state.for_each_object(&mut |name, _, visit| {
        if name == *object {
            visit(&mut Named::new(&mut |found, value| match value {
                FieldValue::Number(kind, bits) if found == path => {
                    before = Some(bits);
                    Some(change(kind, bits))
                }
                FieldValue::Number(..) | FieldValue::Text(_) => None,
            }));
        }
    });
    before
}

/// The name of a collider: its body's, and which of its parts.
#[must_use]
pub fn collider_name(body: Option<&str>, key: ColliderKey) -> String {
    format!("{}#{}", body.unwrap_or("?"), key.part)
}

/// The name of a contact: those of its two colliders, and behind them the number of the facet that touches, if one is a mesh.
/// `body` names bodies by their ids.
#[must_use]
pub fn contact_name<'a>(body: impl Fn(u32) -> Option<&'a str>, key: ContactKey) -> String {
    let ContactKey { a, b, piece } = key;
    let [a, b] = [a, b].map(|key| collider_name(body(key.body), key));
    match piece.checked_sub(1) {
        Some(facet) => format!("{a} | {b} | {facet}"),
        None => format!("{a} | {b}"),
    }
}

impl<S: Scalar> State<S> {
    /// The names of the bodies by id.
    #[must_use]
    pub fn body_names(&self) -> BTreeMap<u32, String> {
        self.bodies.iter().map(|body| (body.id, body.name.to_string())).collect()
    }

    /// The names of the joints by id.
    #[must_use]
    pub fn joint_names(&self) -> BTreeMap<u32, String> {
        self.joints.iter().map(|joint| (joint.id, joint.name.to_string())).collect()
    }
}

impl<S: Scalar> Objects for State<S> {
    type Scalar = S;

    fn for_each_object(&mut self, act: EachObject<'_>) {
        let names = self.body_names();
        let named = |section, object| ObjectName { section, object };
        let globals = named(Section::World, "world".to_owned());
        act(globals, [0; 5], &mut |visitor| visit_globals(&mut self.globals, visitor));
        for row in &mut self.bodies {
            let name = named(Section::Bodies, row.name.to_string());
            act(name, [row.id, 0, 0, 0, 0], &mut |visitor| row.visit(visitor));
        }
        for row in &mut self.colliders {
            let body = names.get(&row.key.body).map(String::as_str);
            let name = named(Section::Colliders, collider_name(body, row.key));
            act(name, [row.key.body, row.key.part, 0, 0, 0], &mut |visitor| row.visit(visitor));
        }
        for row in &mut self.joints {
            let name = named(Section::Joints, row.name.to_string());
            act(name, [row.id, 0, 0, 0, 0], &mut |visitor| row.visit(visitor));
        }
        for row in &mut self.contacts {
            let name = named(Section::Contacts, contact_name(|id| names.get(&id).map(String::as_str), row.key()));
            let ids = [row.a.body, row.a.part, row.b.body, row.b.part, row.piece];
            act(name, ids, &mut |visitor| visit_contact(row, visitor));
        }
    }
}

/// Tells the full path of each field it is led over; what it is told back becomes the field's bits.
struct Named<'a> {
    /// The groups entered so far, as the beginning of a path.
    prefix: String,
    /// The length of the prefix before each group.
    lengths: Vec<usize>,
    tell: &'a mut dyn FnMut(&str, FieldValue) -> Option<u64>,
}

impl<'a> Named<'a> {
    fn new(tell: &'a mut dyn FnMut(&str, FieldValue) -> Option<u64>) -> Self {
        Self { prefix: String::new(), lengths: Vec::new(), tell }
    }
}

impl FieldVisitor for Named<'_> {
    fn number(&mut self, name: &'static str, kind: FieldKind, bits: u64) -> u64 {
        let path = format!("{}{name}", self.prefix);
        (self.tell)(&path, FieldValue::Number(kind, bits)).unwrap_or(bits)
    }

    fn text(&mut self, name: &'static str, text: &str) -> Option<String> {
        let path = format!("{}{name}", self.prefix);
        (self.tell)(&path, FieldValue::Text(text.to_owned()));
        None
    }

    fn enter(&mut self, group: &'static str, index: Option<u32>) {
        self.lengths.push(self.prefix.len());
        self.prefix.push_str(group);
        if let Some(index) = index {
            self.prefix.push_str(&format!("[{index}]"));
        }
        self.prefix.push('.');
    }

    fn leave(&mut self) {
        self.prefix.truncate(self.lengths.pop().unwrap_or(0));
    }
}
