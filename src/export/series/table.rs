//! Series from a table that `physim run --energy` or `physim export` wrote as CSV.

use std::io::Read;

use csv::{Reader, StringRecord};

use crate::export::selection::Selection;
use crate::export::series::quantity::Quantity;
use crate::export::series::{Collector, Series};

/// Why a table has no such series.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// It is not CSV.
    #[error("not a table in CSV: {0}")]
    Csv(#[from] csv::Error),
    /// A column is missing.
    #[error("there is no column `{column}`: {have}")]
    Column {
        /// The column.
        column: String,
        /// What there is, as a sentence.
        have: String,
    },
    /// A cell is not a number.
    #[error("line {line}, column `{column}`: `{cell}` is not a number")]
    Cell {
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// What stands there.
        cell: String,
    },
}

/// The series of these quantities in a table. Only rows of the selected steps and bodies count.
///
/// # Errors
/// When the table lacks a column that is needed, or is none.
pub fn series_of_table(
    table: impl Read,
    wanted: &[&'static Quantity],
    selection: &Selection,
) -> Result<Vec<Series>, TableError> {
    let mut reader = Reader::from_reader(table);
    let header = reader.headers()?.clone();
    let place = |column: &str| header.iter().position(|name| name.trim() == column);
    let needed = |column: &str| place(column).ok_or_else(|| missing(column, &header));
    let (step, time, body) = (needed("step")?, needed("time")?, place("body"));
    let mut columns: Vec<(&str, usize)> = Vec::new();
    for quantity in wanted {
        if quantity.is_of_body {
            needed("body")?;
        }
        for column in quantity.columns {
            columns.push((column, needed(column)?));
        }
    }
    let mut collector = Collector::new(wanted);
    let mut record = StringRecord::new();
    while reader.read_record(&mut record)? {
        let body = body.and_then(|place| record.get(place));
        let row = Row { record: &record, header: &header };
        let moment = (row.step(step)?, row.number(time)?);
        let is_wanted = selection.steps.range.contains(&moment.0) && body.is_none_or(|name| selection.takes(name));
        if !is_wanted {
            continue;
        }
        let mut numbers: Vec<(&str, f64)> = Vec::with_capacity(columns.len());
        for (name, place) in &columns {
            numbers.push((name, row.number(*place)?));
        }
        let cell =
            |name: &str| numbers.iter().find(|(known, _)| *known == name).map_or(f64::NAN, |(_, number)| *number);
        collector.take(moment, body, &cell);
    }
    Ok(collector.finish())
}

fn missing(column: &str, header: &StringRecord) -> TableError {
    let names: Vec<&str> = header.iter().take(30).collect();
    let have = match column {
        "body" => "it has no bodies, `physim export` writes a table that does".to_owned(),
        _ => format!("the columns are {}", names.join(", ")),
    };
    TableError::Column { column: column.to_owned(), have }
}

/// A row with the names of its columns, for errors.
struct Row<'a> {
    record: &'a StringRecord,
    header: &'a StringRecord,
}

impl Row<'_> {
    fn step(&self, place: usize) -> Result<u32, TableError> {
        self.text(place).parse().map_err(|_| self.bad(place))
    }

    /// A number; an empty cell is none.
    fn number(&self, place: usize) -> Result<f64, TableError> {
        match self.text(place) {
            "" => Ok(f64::NAN),
            text => text.parse().map_err(|_| self.bad(place)),
        }
    }

    fn text(&self, place: usize) -> &str {
        self.record.get(place).unwrap_or("").trim()
    }

    fn bad(&self, place: usize) -> TableError {
        TableError::Cell {
            line: self.record.position().map_or(0, csv::Position::line),
            column: self.header.get(place).unwrap_or("").to_owned(),
            cell: self.text(place).chars().take(40).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::series_of_table;
    use crate::analysis::body_pattern::BodyPatterns;
    use crate::export::selection::Selection;
    use crate::export::series::quantity::Quantity;

    const ENERGIES: &str = "step,time,kinetic,total\n0,0,1.5,2\n1,0.5,NaN,2\n2,1,1e-3,\n";

    fn values(table: &str, what: &str, selection: &Selection) -> Result<Vec<Vec<f64>>, String> {
        let found = series_of_table(table.as_bytes(), &Quantity::named(what), selection);
        let values = |series: Vec<super::Series>| {
            series.iter().map(|series| series.points.iter().map(|point| point.value).collect()).collect()
        };
        found.map(values).map_err(|error| error.to_string())
    }

    #[test]
    fn columns_become_series_and_what_is_no_number_stays_none() {
        let found = values(ENERGIES, "kinetic", &Selection::all()).expect("a table");
        assert_eq!((found[0][0], found[0][2]), (1.5, 1e-3));
        assert!(found[0][1].is_nan());
        assert!(values(ENERGIES, "total", &Selection::all()).expect("a table")[0][2].is_nan());
    }

    #[test]
    fn bodies_have_a_series_each_whatever_their_names() {
        let table = "step,time,body,px\n0,0,\"wall[3,4]\",1\n0,0,\"a\"\"\nb\",2\n1,1,\"wall[3,4]\",3\n";
        assert_eq!(values(table, "px", &Selection::all()).expect("a table"), [vec![1.0, 3.0], vec![2.0]]);
        let bodies = Some(BodyPatterns::from("wall*"));
        assert_eq!(values(table, "px", &Selection { bodies, ..Selection::all() }).expect("a table"), [[1.0, 3.0]]);
    }

    #[test]
    fn what_a_table_lacks_is_named() {
        let why = |table, what| values(table, what, &Selection::all()).expect_err("no series");
        assert!(why(ENERGIES, "contacts").contains("`contacts`: the columns are step, time, kinetic, total"));
        assert!(why(ENERGIES, "px").contains("no bodies"));
        assert!(why("step,time,total\n0,0,x\n", "total").contains("line 2, column `total`: `x` is not a number"));
        assert!(why("step,time,total\n0,0\n", "total").contains("CSV"));
        assert!(why("", "total").contains("`step`"));
    }
}
