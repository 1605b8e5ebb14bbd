//! Where each value of a RON text stands in it, as a tree of byte ranges.
//!
//! This is not a second parser: it expects a text that `ron` has accepted, and reads only what it needs to tell values
//! apart (brackets, commas, strings, comments). With it an error found long after parsing still underlines the exact
//! source, and a single value is replaced in a text without touching any other number.

use std::ops::Range;

use crate::scene::path::{Path, PathStep};

/// Longest text with escapes in which places are looked for: each place is tried from the start.
const MAX_ESCAPED: usize = 16 * 1024;

/// Deepest nesting that is followed; `ron` refuses deeper texts before.
const MAX_DEPTH: usize = 256;

/// What a value looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A number, a string, a name without parentheses.
    Leaf,
    /// `(key: value, ..)`.
    Fields,
    /// `(value, ..)`.
    Tuple,
    /// `[value, ..]`.
    List,
    /// `{key: value, ..}`.
    Map,
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it looks like.
    pub kind: NodeKind,
    /// The bytes of the whole value.
    pub span: Range<usize>,
    /// The bytes of the name before the parentheses, or of a leaf that is a name.
    pub tag: Option<Range<usize>>,
    /// Its parts in order.
    pub children: Vec<Child>,
}

/// A part of a value.
#[derive(Clone, Debug)]
pub struct Child {
    /// The bytes of the key, with the quotes of a map's key.
    pub key: Option<Range<usize>>,
    /// The value.
    pub node: Node,
}

/// Whether there is nothing in a text but white space and comments.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    let mut scanner = Scanner { text, offset: 0 };
    scanner.skip_trivia();
    scanner.rest().is_empty()
}

/// Whether a text begins as a scene does: with keys in parentheses, behind comments at most.
#[must_use]
pub fn looks_like_a_scene(text: &str) -> bool {
    let mut scanner = Scanner { text: text.strip_prefix('\u{feff}').unwrap_or(text), offset: 0 };
    let begins = scanner.skip_attributes().is_some();
    scanner.skip_trivia();
    begins && scanner.peek() == Some(b'(')
}

/// Where brackets are first nested deeper than `limit` levels. Takes time in proportion to the text, whatever is in it.
#[must_use]
pub fn too_deep_at(text: &str, limit: usize) -> Option<usize> {
    let mut scanner = Scanner { text, offset: 0 };
    let mut depth = 0_usize;
    loop {
        scanner.skip_trivia();
        match scanner.peek()? {
            b'(' | b'[' | b'{' if depth == limit => return Some(scanner.offset),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ if scanner.is_string_start() => {
                scanner.string()?;
                continue;
            }
            _ if scanner.name().is_some() => continue,
            _ => {}
        }
        scanner.offset += scanner.rest().chars().next().map_or(1, char::len_utf8);
    }
}

/// How many brackets of a text are opened and not closed, and where the innermost of them stands; `None` where there are none, or
/// the text ends within a string.
pub fn open_brackets(text: &str) -> Option<(usize, usize)> {
    let mut scanner = Scanner { text, offset: 0 };
    let mut open = Vec::new();
    loop {
        scanner.skip_trivia();
        match scanner.peek() {
            None => return Some((open.len(), *open.last()?)),
            Some(b'(' | b'[' | b'{') => open.push(scanner.offset),
            Some(b')' | b']' | b'}') => drop(open.pop()),
            Some(_) if scanner.is_string_start() => {
                scanner.string()?;
                continue;
            }
            Some(_) if scanner.name().is_some() => continue,
            Some(_) => {}
        }
        scanner.offset += scanner.rest().chars().next().map_or(1, char::len_utf8);
    }
}

/// A text and the tree of its values.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    text: &'a str,
    root: Node,
}

impl<'a> Document<'a> {
    /// Reads the tree of a text that is one RON value; `None` if it is not.
    #[must_use]
    pub fn new(text: &'a str) -> Option<Self> {
        let mut scanner = Scanner { text, offset: 0 };
        scanner.skip_attributes()?;
        let root = scanner.value(0)?;
        Some(Self { text, root })
    }

    /// The text of a range of bytes.
    #[must_use]
    pub fn slice(&self, span: &Range<usize>) -> &'a str {
        self.text.get(span.clone()).unwrap_or("")
    }

    /// The text of a value.
    #[must_use]
    pub fn text_of(&self, node: &Node) -> &'a str {
        self.slice(&node.span)
    }

    /// The whole value.
    #[must_use]
    pub const fn root(&self) -> &Node {
        &self.root
    }

    /// The key of a part, without the quotes of a map's key; `None` in lists and tuples.
    #[must_use]
    pub fn key_text(&self, child: &Child) -> Option<String> {
        let raw = self.text.get(child.key.clone()?)?;
        if raw.starts_with('"') { ron::from_str(raw).ok() } else { Some(raw.trim_start_matches("r#").to_owned()) }
    }

    /// Whether a part has this key, as [`Self::key_text`] gives it. Most keys are compared as they are written.
    fn has_key(&self, child: &Child, key: &str) -> bool {
        let raw = child.key.as_ref().map_or("", |span| self.slice(span));
        match raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            Some(plain) if !plain.contains('\\') => plain == key,
            _ => self.key_text(child).is_some_and(|text| text == key),
        }
    }

    /// The value at a path, or the deepest value above it that is written, and how many steps lead there.
    #[must_use]
    pub fn find(&self, path: &Path) -> (&Node, usize) {
        let mut node = self.inside_some(&self.root);
        for (taken, step) in path.steps().iter().enumerate() {
            let found = match step {
                PathStep::Bytes(_) => continue,
                PathStep::Index(index) => node.children.get(*index).filter(|child| child.key.is_none()),
                PathStep::Key(key) => node.children.iter().find(|child| self.has_key(child, key)),
            };
            match found {
                Some(child) => node = self.inside_some(&child.node),
                None => return (node, taken),
            }
        }
        (node, path.steps().len())
    }

    /// Where the value at a path stands, or some bytes of a text in quotes, or the deepest value above it that is written; and how many
    /// steps lead there.
    #[must_use]
    pub fn place(&self, path: &Path) -> (Range<usize>, usize) {
        let (node, steps) = self.find(path);
        match path.steps().last() {
            Some(PathStep::Bytes(part)) if steps == path.steps().len() => (self.within_quotes(node, part), steps),
            _ => (node.span.clone(), steps),
        }
    }

    /// Where some bytes of a text in quotes stand; the whole value where it is no such text, or has none of them.
    fn within_quotes(&self, node: &Node, part: &Range<usize>) -> Range<usize> {
        let written = self.text_of(node);
        let Some(opening) = written.find('"').map(|quote| quote + 1) else { return node.span.clone() };
        let is_raw = written.starts_with('r');
        let closing = written.rfind('"').unwrap_or(opening);
        let inner = written.get(opening..closing).unwrap_or("");
        // In a raw text bytes are what they are; elsewhere an escaped character takes more bytes than it stands for.
        let place = |bytes: usize| if is_raw { Some(bytes) } else { unescaped_place(inner, bytes) };
        match (place(part.start), place(part.end)) {
            (Some(start), Some(end)) if start < end && end <= inner.len() => {
                let first = node.span.start + opening;
                first + start..first + end
            }
            _ => node.span.clone(),
        }
    }

    /// The innermost value around a byte.
    #[must_use]
    pub fn node_at(&self, offset: usize) -> &Node {
        let mut node = &self.root;
        while let Some(child) =
            node.children.iter().find(|child| child.node.span.start <= offset && offset < child.node.span.end)
        {
            node = &child.node;
        }
        node
    }

    /// The innermost value whose last byte stands just before `end`.
    #[must_use]
    pub fn node_ending_at(&self, end: usize) -> Option<&Node> {
        let mut found: Option<&Node> = None;
        self.walk(&mut |node| {
            if node.span.end == end && found.is_none_or(|other| other.span.start < node.span.start) {
                found = Some(node);
            }
        });
        found
    }

    /// The key of the value that stands at these bytes.
    #[must_use]
    pub fn key_of(&self, span: &Range<usize>) -> Option<String> {
        let mut found = None;
        self.walk(&mut |node| {
            if let Some(child) = node.children.iter().find(|child| child.node.span == *span) {
                found = self.key_text(child);
            }
        });
        found
    }

    /// Calls `visit` for every value, each before its parts.
    pub fn walk<'b>(&'b self, visit: &mut impl FnMut(&'b Node)) {
        let mut pending = vec![&self.root];
        while let Some(node) = pending.pop() {
            visit(node);
            pending.extend(node.children.iter().rev().map(|child| &child.node));
        }
    }

    fn inside_some<'b>(&self, node: &'b Node) -> &'b Node {
        match (&node.tag, node.children.as_slice()) {
            (Some(tag), [only]) if self.text.get(tag.clone()) == Some("Some") => &only.node,
            _ => node,
        }
    }
}

/// Where a byte of a text stands in it as it is written, with its escapes.
fn unescaped_place(written: &str, bytes: usize) -> Option<usize> {
    let ends = written.char_indices().map(|(start, _)| start).skip(1).chain([written.len()]);
    let length = |end: usize| written.get(..end).and_then(|part| ron::from_str::<String>(&format!("\"{part}\"")).ok());
    if bytes == 0 || !written.contains('\\') {
        return Some(bytes);
    }
    if written.len() > MAX_ESCAPED {
        return None;
    }
    ends.into_iter().find(|end| length(*end).is_some_and(|text| text.len() >= bytes))
}

struct Scanner<'a> {
    text: &'a str,
    offset: usize,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.offset..).unwrap_or("")
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.offset += 1)
    }

    fn skip_while(&mut self, accept: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.offset += rest.find(|character| !accept(character)).unwrap_or(rest.len());
    }

    fn skip_past(&mut self, end: &str) {
        let rest = self.rest();
        self.offset += rest.find(end).map_or(rest.len(), |start| start + end.len());
    }

    fn skip_trivia(&mut self) {
        loop {
            self.skip_while(char::is_whitespace);
            if self.rest().starts_with("//") {
                self.skip_past("\n");
            } else if self.rest().starts_with("/*") {
                self.skip_block_comment();
            } else {
                return;
            }
        }
    }

    fn skip_block_comment(&mut self) {
        let mut level = 0_usize;
        loop {
            let rest = self.rest();
            if rest.starts_with("/*") {
                level += 1;
                self.offset += 2;
            } else if rest.starts_with("*/") {
                level -= 1;
                self.offset += 2;
            } else {
                self.offset += rest.chars().next().map_or(0, char::len_utf8);
            }
            if level == 0 || self.rest().is_empty() {
                return;
            }
        }
    }

    /// Skips `#![enable(..)]` lines before the value.
    fn skip_attributes(&mut self) -> Option<()> {
        self.skip_trivia();
        while self.rest().starts_with("#![") {
            self.skip_past("]");
            self.skip_trivia();
        }
        Some(())
    }

    fn value(&mut self, depth: usize) -> Option<Node> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.skip_trivia();
        let start = self.offset;
        let tag = if self.is_string_start() { None } else { self.name() };
        let after_tag = self.offset;
        if tag.is_some() {
            self.skip_trivia();
        }
        let mut node = match self.peek() {
            Some(b'(') => self.parenthesised(depth)?,
            Some(b'[') if tag.is_none() => self.bracketed(b']', NodeKind::List, depth)?,
            Some(b'{') if tag.is_none() => self.bracketed(b'}', NodeKind::Map, depth)?,
            _ if tag.is_some() => {
                self.offset = after_tag;
                leaf()
            }
            _ => {
                self.literal()?;
                leaf()
            }
        };
        node.span = start..self.offset;
        node.tag = tag;
        Some(node)
    }

    fn is_string_start(&self) -> bool {
        match self.peek() {
            Some(b'"' | b'\'') => true,
            Some(b'b' | b'r') => {
                let after_prefix = self.rest().trim_start_matches(['b', 'r']).trim_start_matches('#');
                after_prefix.starts_with(['"', '\''])
            }
            _ => false,
        }
    }

    /// A name: letters, digits and underscores, with `r#` before those that are otherwise no names.
    fn name(&mut self) -> Option<Range<usize>> {
        let start = self.offset;
        if self.rest().starts_with("r#") {
            self.offset += 2;
        }
        let first = self.rest().chars().next()?;
        if !(first.is_alphabetic() || first == '_') {
            self.offset = start;
            return None;
        }
        self.skip_while(|character| character.is_alphanumeric() || character == '_');
        Some(start..self.offset)
    }

    fn parenthesised(&mut self, depth: usize) -> Option<Node> {
        let start = self.offset;
        self.take(b'(')?;
        self.skip_trivia();
        let has_key = !self.is_string_start() && self.name().is_some() && {
            self.skip_trivia();
            self.peek() == Some(b':')
        };
        self.offset = start;
        self.bracketed(b')', if has_key { NodeKind::Fields } else { NodeKind::Tuple }, depth)
    }

    fn bracketed(&mut self, end: u8, kind: NodeKind, depth: usize) -> Option<Node> {
        self.offset += 1;
        let mut children = Vec::new();
        loop {
            self.skip_trivia();
            if self.take(end).is_some() {
                return Some(Node { kind, span: 0..0, tag: None, children });
            }
            children.push(self.child(kind, depth)?);
            self.skip_trivia();
            if self.take(b',').is_none() && self.peek() != Some(end) {
                return None;
            }
        }
    }

    fn child(&mut self, kind: NodeKind, depth: usize) -> Option<Child> {
        let key = match kind {
            NodeKind::Fields => Some(self.name()?),
            NodeKind::Map => Some(self.value(depth + 1)?.span),
            NodeKind::Leaf | NodeKind::Tuple | NodeKind::List => None,
        };
        if key.is_some() {
            self.skip_trivia();
            self.take(b':')?;
        }
        Some(Child { key, node: self.value(depth + 1)? })
    }

    /// A string, a character or a number.
    fn literal(&mut self) -> Option<()> {
        if self.is_string_start() {
            return self.string();
        }
        let start = self.offset;
        self.skip_while(|character| !character.is_whitespace() && !",()[]{}:/\"".contains(character));
        (self.offset > start).then_some(())
    }

    fn string(&mut self) -> Option<()> {
        self.skip_while(|character| character == 'b');
        if self.take(b'r').is_some() {
            let hashes = self.rest().len() - self.rest().trim_start_matches('#').len();
            self.offset += hashes + 1;
            self.skip_past(&format!("\"{}", "#".repeat(hashes)));
            return Some(());
        }
        let quote = self.peek()?;
        self.offset += 1;
        loop {
            match self.peek()? {
                b'\\' => self.offset += 2,
                byte => {
                    self.offset += 1;
                    if byte == quote {
                        return Some(());
                    }
                }
            }
        }
    }
}

const fn leaf() -> Node {
    Node { kind: NodeKind::Leaf, span: 0..0, tag: None, children: Vec::new() }
}
