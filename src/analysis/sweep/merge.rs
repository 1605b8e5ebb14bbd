//! The parts of a sweep put together.

use std::collections::BTreeMap;

use crate::analysis::sweep::ColumnKind;
use crate::analysis::sweep::row::Row;

/// A part of a sweep: what it is called, and its rows.
pub type Part = (String, Vec<Row>);

/// All rows there are, in the order of the runs, and the runs that no part has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The rows.
    pub rows: Vec<Row>,
    /// The numbers of the runs that are missing.
    pub missing: Vec<u64>,
}

/// Two parts that tell different results of one run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("run {run} has other results in {} than in {}: `{column}` is {} in {}, and {} in {}",
    first.0, second.0, cell_text(&first.1), first.0, cell_text(&second.1), second.0)]
pub struct Conflict {
    /// The run.
    pub run: u64,
    /// The first column in which they differ.
    pub column: String,
    /// The part that has the run first, and its cell.
    pub first: (String, String),
    /// The part that differs, and its cell.
    pub second: (String, String),
}

fn cell_text(cell: &str) -> &str {
    if cell.is_empty() { "empty" } else { cell }
}

/// Puts parts together that have these columns. A run that several parts have must have the same results in each, the time apart.
///
/// # Errors
/// When results differ.
pub fn merge(parts: Vec<Part>, runs: u64, columns: &[(String, ColumnKind)]) -> Result<Merged, Box<Conflict>> {
    let mut found: BTreeMap<u64, (String, Row)> = BTreeMap::new();
    for (name, rows) in parts {
        for row in rows {
            let Some((first, known)) = found.get(&row.run) else {
                found.insert(row.run, (name.clone(), row));
                continue;
            };
            if let Some(place) = known.first_difference(&row) {
                let cell = |row: &Row| row.cells.get(place).cloned().unwrap_or_default();
                let column = columns.get(place).map(|(column, _)| column.clone()).unwrap_or_default();
                let (first, second) = ((first.clone(), cell(known)), (name, cell(&row)));
                return Err(Box::new(Conflict { run: row.run, column, first, second }));
            }
        }
    }
    let missing = (0..runs).filter(|run| !found.contains_key(run)).collect();
    Ok(Merged { rows: found.into_values().map(|(_, row)| row).collect(), missing })
}

/// Numbers in ascending order as ranges: `0..3, 7, 9..12`.
#[must_use]
pub fn ranges(numbers: &[u64]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let texts: Vec<String> = runs
        .filter_map(|run| match run {
            [] => None,
            [one] => Some(one.to_string()),
            [first, .., last] => Some(format!("{first}..{last}")),
        })
        .collect();
    texts.join(", ")
}

/// One of several machines that share a sweep: the second of five takes each fifth run from the second on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which one, from 1.
    pub index: u64,
    /// How many there are.
    pub count: u64,
}

impl Shard {
    /// The one that takes everything.
    pub const ALL: Self = Self { index: 1, count: 1 };

    /// The shard that `K/N` means.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (index, count) = text.split_once('/')?;
        let shard = Self { index: index.trim().parse().ok()?, count: count.trim().parse().ok()? };
        (1 <= shard.index && shard.index <= shard.count).then_some(shard)
    }

    /// The runs it takes, of so many.
    #[must_use]
    pub fn runs(self, runs: u64) -> Vec<u64> {
        (0..runs).filter(|run| run % self.count == self.index - 1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Conflict, Shard, merge, ranges};
    use crate::analysis::sweep::ColumnKind;
    use crate::analysis::sweep::row::Row;

    fn columns() -> Vec<(String, ColumnKind)> {
        ["run", "hash", "ms_per_step"].map(|name| (name.to_owned(), ColumnKind::Text)).into()
    }

    fn row(run: u64, result: &str, time: &str) -> Row {
        Row { run, cells: vec![run.to_string(), result.to_owned(), time.to_owned()] }
    }

    #[test]
    fn parts_come_together_in_order_and_what_is_missing_is_told() {
        let parts =
            vec![("b".to_owned(), vec![row(3, "x", "1")]), ("a".to_owned(), vec![row(0, "y", "1"), row(3, "x", "2")])];
        let merged = merge(parts, 6, &columns()).expect("parts that agree");
        assert_eq!(merged.rows, [row(0, "y", "1"), row(3, "x", "1")]);
        assert_eq!(ranges(&merged.missing), "1..2, 4..5");
        assert_eq!(ranges(&[]), "");
    }

    #[test]
    fn parts_that_contradict_are_named() {
        let parts = vec![("a".to_owned(), vec![row(1, "x", "1")]), ("b".to_owned(), vec![row(1, "", "1")])];
        let side = |name: &str, cell: &str| (name.to_owned(), cell.to_owned());
        let conflict = Conflict { run: 1, column: "hash".to_owned(), first: side("a", "x"), second: side("b", "") };
        let told = "run 1 has other results in a than in b: `hash` is x in a, and empty in b";
        assert_eq!(conflict.to_string(), told);
        assert_eq!(merge(parts, 2, &columns()), Err(Box::new(conflict)));
    }

    #[test]
    fn shards_share_all_runs_and_no_run_twice() {
        for (runs, count) in [(0, 1), (1, 1), (10, 3), (3, 7), (7, 7)] {
            let mut all: Vec<u64> = (1..=count).flat_map(|index| Shard { index, count }.runs(runs)).collect();
            all.sort_unstable();
            assert_eq!(all, (0..runs).collect::<Vec<u64>>());
        }
        assert_eq!(Shard::parse("2/5"), Some(Shard { index: 2, count: 5 }));
        for text in ["", "1", "0/2", "3/2", "1/0", "-1/2", "a/b", "1/2/3"] {
            assert_eq!(Shard::parse(text), None, "{text}");
        }
    }
}
