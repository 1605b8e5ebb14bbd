//! What a campaign of planted faults came to, and its table in the documentation.

use std::collections::BTreeMap;
use std::fmt::Write;

use physim::world::fault::FaultKind;

use crate::common::{package, renew_page};

/// The page with the table.
const PAGE: &str = "docs/determinism.md";

/// The head of the table.
const HEAD: &str = "| kind | planted | inert | named right | wrong |\n|---|---:|---:|---:|---:|\n";

/// How the faults of one kind fared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub planted: usize,
    pub inert: usize,
    pub right: usize,
    pub wrong: usize,
}

impl Count {
    fn add(&mut self, other: Self) {
        let Self { planted, inert, right, wrong } = other;
        self.planted += planted;
        self.inert += inert;
        self.right += right;
        self.wrong += wrong;
    }
}

/// How all faults fared.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    kinds: BTreeMap<FaultKind, Count>,
    /// What was wrong, one text each.
    pub misses: Vec<String>,
    /// What changed nothing, one text each.
    pub inert: Vec<String>,
}

impl Tally {
    pub fn add(&mut self, kind: FaultKind, inert: Option<String>, judgement: Result<(), String>) {
        let wrong = usize::from(judgement.is_err());
        let is_inert = inert.is_some();
        let one =
            Count { planted: 1, inert: usize::from(is_inert), right: usize::from(!is_inert) * (1 - wrong), wrong };
        self.kinds.entry(kind).or_default().add(one);
        self.inert.extend(inert);
        self.misses.extend(judgement.err());
    }

    pub fn add_all(&mut self, other: &Self) {
        for (kind, count) in &other.kinds {
            self.kinds.entry(*kind).or_default().add(*count);
        }
        self.misses.extend(other.misses.iter().cloned());
        self.inert.extend(other.inert.iter().cloned());
    }

    pub fn total(&self) -> Count {
        let mut total = Count::default();
        self.kinds.values().for_each(|count| total.add(*count));
        total
    }

    /// Everything was named right, and not more than a tenth changed nothing.
    pub fn check(&self) -> Result<(), String> {
        let total = self.total();
        if !self.misses.is_empty() || total.wrong > 0 || total.right + total.inert != total.planted {
            let shown: Vec<&str> = self.misses.iter().take(10).map(String::as_str).collect();
            return Err(format!("{} of {} are wrong:\n{}", total.wrong, total.planted, shown.join("\n")));
        }
        if total.inert * 10 > total.planted {
            return Err(format!(
                "{} of {} are inert\n{}{}",
                total.inert,
                total.planted,
                self.table(),
                self.inert.join("\n")
            ));
        }
        Ok(())
    }

    pub fn table(&self) -> String {
        let mut text = HEAD.to_owned();
        let rows = self.kinds.iter().map(|(kind, count)| (format!("`{}`", kind.name()), *count));
        for (name, Count { planted, inert, right, wrong }) in rows.chain([("all".to_owned(), self.total())]) {
            writeln!(text, "| {name} | {planted} | {inert} | {right} | {wrong} |").expect("a text grows");
        }
        text
    }
}

/// Holds the table of the page to this one; with `PHYSIM_WRITE_DOCS=1` writes it there.
pub fn check_page(table: &str) {
    let page = std::fs::read_to_string(package().join(PAGE)).expect("the page can be read");
    let start = page.find(HEAD).expect("the page has the table");
    let end = page[start..].find("\n\n").map_or(page.len(), |length| start + length + 1);
    if &page[start..end] == table {
        return;
    }
    renew_page(PAGE, &[&page[..start], table, &page[end..]].concat(), table);
}
