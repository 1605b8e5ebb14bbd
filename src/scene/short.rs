//! The text of a scene for people: what is at its default is left out.
//!
//! Which keys those are is found by leaving each out and reading the rest, so that there is no second list of defaults.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::scene::document::{Child, Document, Node, NodeKind};
use crate::scene::model::Scene;
use crate::scene::parse::ron_options;

/// The columns that a line may take.
const MAX_COLUMNS: usize = 120;
/// The spaces of one level.
const INDENT: usize = 4;

/// Defaults that have been found out, by the kind of place they belong to: `None` for keys that must be written.
///
/// They are the same for all scenes, so that one of these may serve many.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    by_place: BTreeMap<String, Option<String>>,
}

/// A part of a text that may be left out, or a number that stands in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What kind of place it is, such as `bodies.*.shape.Sphere.radius`.
    pub place: String,
    /// Its bytes in the text: with the key, where it has one, but without the comma behind it.
    pub span: Range<usize>,
    /// The bytes of the value alone.
    pub value: Range<usize>,
    /// What the value looks like.
    pub kind: NodeKind,
    /// Whether the text can be read without it.
    pub can_go: bool,
}

impl Scene {
    /// The scene as RON without the keys that are at their defaults, on few lines. It parses back to an equal scene.
    #[must_use]
    pub fn to_short_ron(&self) -> String {
        let text = self.to_canonical_ron();
        let Some(document) = Document::new(&text) else { return text };
        let parts = Defaults::default().written_parts(&text);
        let printer = Printer { document: &document, written: parts.iter().map(|part| part.span.start).collect() };
        let mut short = String::new();
        printer.on_lines(document.root(), 0, &mut short);
        short.push('\n');
        short
    }
}

impl Defaults {
    /// Every part of the canonical text of a scene that is not at its default, each before its own parts.
    pub fn written_parts(&mut self, text: &str) -> Vec<Part> {
        let mut parts = Vec::new();
        if let Some(document) = Document::new(text) {
            let mut walk = Walk { text, document: &document, defaults: self, trail: Vec::new(), parts: &mut parts };
            walk.inside(document.root(), "");
        }
        parts
    }
}

/// A way through the tree of a canonical text.
struct Walk<'a> {
    text: &'a str,
    document: &'a Document<'a>,
    defaults: &'a mut Defaults,
    /// The places of the children on the way from the root.
    trail: Vec<usize>,
    parts: &'a mut Vec<Part>,
}

impl Walk<'_> {
    /// Adds what is written inside a node.
    fn inside(&mut self, node: &Node, place: &str) {
        let tag = node.tag.as_ref().filter(|_| node.kind != NodeKind::Leaf).map_or("", |tag| self.document.slice(tag));
        let place = joined(place, tag);
        for (number, child) in node.children.iter().enumerate() {
            self.trail.push(number);
            self.child(node.kind, child, &place);
            self.trail.pop();
        }
    }

    fn child(&mut self, parent: NodeKind, child: &Child, place: &str) {
        let has_name = parent == NodeKind::Fields;
        let key = if has_name { self.document.key_text(child).unwrap_or_default() } else { "*".to_owned() };
        let place = joined(place, &key);
        let default = if has_name { self.default_at(&place, child) } else { None };
        if default.as_deref() == Some(self.document.text_of(&child.node)) {
            return;
        }
        self.parts.push(Part {
            place: place.clone(),
            span: span_of(child),
            value: child.node.span.clone(),
            kind: child.node.kind,
            can_go: default.is_some() || matches!(parent, NodeKind::List | NodeKind::Map),
        });
        self.inside(&child.node, &place);
    }

    /// The text that a key has when it is not written, if it need not be written.
    fn default_at(&mut self, place: &str, child: &Child) -> Option<String> {
        if let Some(known) = self.defaults.by_place.get(place) {
            return known.clone();
        }
        let rest = without(self.text, &[span_of(child)]);
        let default = ron_options().from_str::<Scene>(&rest).ok().and_then(|scene| {
            let text = scene.to_canonical_ron();
            let document = Document::new(&text)?;
            let mut steps = self.trail.iter();
            let node = steps.try_fold(document.root(), |node, place| Some(&node.children.get(*place)?.node))?;
            Some(document.text_of(node).to_owned())
        });
        self.defaults.by_place.insert(place.to_owned(), default.clone());
        default
    }
}

/// The text without some of its parts and the commas behind them.
#[must_use]
pub fn without(text: &str, spans: &[Range<usize>]) -> String {
    let mut spans = spans.to_vec();
    spans.sort_by_key(|span| (span.start, usize::MAX - span.end));
    let (mut rest, mut end) = (String::with_capacity(text.len()), 0);
    for span in spans {
        if span.start >= end {
            rest.push_str(text.get(end..span.start).unwrap_or(""));
            end = span.end + usize::from(text.get(span.end..).is_some_and(|behind| behind.starts_with(',')));
        }
    }
    rest.push_str(text.get(end..).unwrap_or(""));
    rest
}

/// The text with some of its parts replaced; the parts do not overlap and stand in order.
#[must_use]
pub fn replaced(text: &str, parts: &[(Range<usize>, String)]) -> String {
    let (mut changed, mut end) = (String::with_capacity(text.len()), 0);
    for (span, new) in parts {
        changed.push_str(text.get(end..span.start).unwrap_or(""));
        changed.push_str(new);
        end = span.end;
    }
    changed.push_str(text.get(end..).unwrap_or(""));
    changed
}

fn span_of(child: &Child) -> Range<usize> {
    child.key.as_ref().map_or(child.node.span.start, |key| key.start)..child.node.span.end
}

fn joined(place: &str, key: &str) -> String {
    match (place, key) {
        (place, "") => place.to_owned(),
        ("", key) => key.to_owned(),
        (place, key) => format!("{place}.{key}"),
    }
}

/// Writes a tree on as few lines as fit.
struct Printer<'a> {
    document: &'a Document<'a>,
    /// Where the parts that are written begin.
    written: BTreeSet<usize>,
}

impl Printer<'_> {
    fn written_children<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = &'a Child> {
        node.children.iter().filter(|child| self.written.contains(&span_of(child).start))
    }

    /// The brackets of a node, the name before them with the first.
    fn brackets(&self, node: &Node) -> (String, char) {
        let (open, close) = match node.kind {
            NodeKind::List => ('[', ']'),
            NodeKind::Map => ('{', '}'),
            NodeKind::Leaf | NodeKind::Fields | NodeKind::Tuple => ('(', ')'),
        };
        (format!("{}{open}", node.tag.as_ref().map_or("", |tag| self.document.slice(tag))), close)
    }

    fn key(&self, child: &Child) -> String {
        child.key.as_ref().map_or_else(String::new, |key| format!("{}: ", self.document.slice(key)))
    }

    fn on_one_line(&self, node: &Node) -> String {
        if node.kind == NodeKind::Leaf {
            return self.document.text_of(node).to_owned();
        }
        let children = self.written_children(node);
        let children: Vec<String> = children.map(|child| self.key(child) + &self.on_one_line(&child.node)).collect();
        let (open, close) = self.brackets(node);
        format!("{open}{}{close}", children.join(", "))
    }

    /// Writes a node with each of its children on a line of its own.
    fn on_lines(&self, node: &Node, indent: usize, text: &mut String) {
        let (open, close) = self.brackets(node);
        text.push_str(&open);
        text.push('\n');
        for child in self.written_children(node) {
            let inner = indent + INDENT;
            let line = self.key(child) + &self.on_one_line(&child.node);
            text.push_str(&" ".repeat(inner));
            if inner + line.chars().count() < MAX_COLUMNS || child.node.children.is_empty() {
                text.push_str(&line);
            } else {
                text.push_str(&self.key(child));
                self.on_lines(&child.node, inner, text);
            }
            text.push_str(",\n");
        }
        text.push_str(&" ".repeat(indent));
        text.push(close);
    }
}

#[cfg(test)]
mod tests {
    use super::{Defaults, without};
    use crate::scene;

    fn shortened(text: &str) -> String {
        let scene = scene::parse("test scene", text).unwrap_or_else(|error| panic!("{error}"));
        let short = scene.to_short_ron();
        assert_eq!(scene::parse("short scene", &short).as_ref(), Ok(&scene), "{short}");
        short
    }

    #[test]
    fn every_feature_survives() {
        let text = include_str!("tests/all_features.ron");
        let short = shortened(text);
        assert_eq!(shortened(&short), short);
    }

    #[test]
    fn what_is_at_its_default_is_left_out() {
        let text = r#"(
            version: 1, name: "a", steps: 600, gravity: (0, -9.81, 0), solver: Impulse(relax_iterations: 1, iterations: 2),
            bodies: [
                (name: "b", kind: Dynamic, position: Origin(0, 0, 0), shape: Sphere(radius: 1), gravity_scale: 1),
                (name: "c", kind: Static, position: Origin(0, 2, 0), shape: Sphere(radius: 1)),
            ],
        )"#;
        let expected = r#"(
    version: 1,
    name: "a",
    solver: Impulse(iterations: 2),
    bodies: [
        (name: "b", shape: Sphere(radius: 1)),
        (name: "c", kind: Static, position: Origin(0, 2, 0), shape: Sphere(radius: 1)),
    ],
)
"#;
        assert_eq!(shortened(text), expected);
    }

    #[test]
    fn parts_know_whether_they_can_go() {
        let scene =
            scene::parse("test scene", r#"(version: 1, name: "a", bodies: [(name: "b", shape: Sphere(radius: 2))])"#);
        let text = scene.map(|scene| scene.to_canonical_ron()).unwrap_or_else(|error| panic!("{error}"));
        let parts = Defaults::default().written_parts(&text);
        let found: Vec<(&str, bool)> = parts.iter().map(|part| (part.place.as_str(), part.can_go)).collect();
        let expected = [
            ("version", false),
            ("name", false),
            ("bodies", false),
            ("bodies.*", true),
            ("bodies.*.name", false),
            ("bodies.*.shape", true),
            ("bodies.*.shape.Sphere.radius", false),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn parts_inside_of_parts_go_with_them() {
        assert_eq!(without("(a: 1, b: (c: 2), d: 3)", &[11..15, 7..16, 18..22]), "(a: 1,  )");
    }
}
