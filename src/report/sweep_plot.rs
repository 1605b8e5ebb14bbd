//! The picture of a sweep: one result against the first setting that changes, a line for each of the others.

use crate::analysis::sweep::row::Row;
use crate::analysis::sweep::{ColumnKind, Sweep};

use crate::report::chart::palette::Style;
use crate::report::chart::{Axis, AxisKind, Chart, Drawn, Line, Panel, draw};

/// Width and height of the picture.
const SIZE: (u32, u32) = (720, 420);
/// The columns of results with the unit of each.
const UNITS: [(&str, &str); 5] = [
    ("energy_drift", "J"),
    ("energy_departure", "J"),
    ("largest_overlap", "m"),
    ("energy_drift_relative", ""),
    ("ms_per_step", "ms"),
];

/// The result that is drawn.
#[derive(Clone, Debug)]
pub struct Measured {
    name: String,
    place: usize,
}

impl Measured {
    /// The column of this name; the drift of the energy where there is none.
    pub fn find(sweep: &Sweep, name: Option<&str>) -> Result<Self, String> {
        let columns = sweep.columns();
        let wanted = name.unwrap_or("energy_drift");
        let is_number =
            |column: &&(usize, &(String, ColumnKind))| column.1.1 == ColumnKind::Number && column.1.0 != "run";
        let numbers: Vec<(usize, &(String, ColumnKind))> =
            columns.iter().enumerate().filter(|column| is_number(&column)).collect();
        let found = numbers.iter().find(|(_, (name, _))| name == wanted);
        found.map(|(place, (name, _))| Self { name: name.clone(), place: *place }).ok_or_else(|| {
            let names: Vec<&str> = numbers.iter().map(|(_, (name, _))| name.as_str()).collect();
            format!("--what: there is no column `{wanted}` to draw; there are {}", names.join(", "))
        })
    }

    fn axis(&self, is_log: bool) -> Axis {
        let of_body = [("drift[", "m"), ("speed[", "m/s")].into_iter().find(|(start, _)| self.name.starts_with(start));
        let unit = of_body.or(UNITS.into_iter().find(|(name, _)| *name == self.name)).map_or("", |(_, unit)| unit);
        let is_whole = ["contacts", "steps_taken"].contains(&self.name.as_str());
        let kind = if is_whole { AxisKind::Whole } else { AxisKind::Real };
        let name = if of_body.is_some() { self.name.clone() } else { self.name.replace('_', " ") };
        Axis { name, unit: unit.to_owned(), kind, is_log }
    }
}

/// Draws the rows.
pub fn sweep_svg(sweep: &Sweep, rows: &[Row], result: &Measured, (log_x, log_y): (bool, bool)) -> Drawn {
    let settings: Vec<Vec<(&str, &str)>> = rows.iter().map(|row| sweep.settings(row.run)).collect();
    let changes = |key: usize| settings.iter().any(|values| values[key] != settings[0][key]);
    let keys = settings.first().map_or(0, Vec::len);
    let along = (0..keys).find(|key| changes(*key)).unwrap_or(0);
    let others: Vec<usize> = (0..keys).filter(|key| *key != along && changes(*key)).collect();
    let x_of = Places::of(settings.iter().filter_map(|values| values.get(along)).map(|(_, value)| *value));
    let is_joined = x_of.names.is_empty();
    let mut lines: Vec<Line> = Vec::new();
    for (row, values) in rows.iter().zip(&settings) {
        let name: Vec<String> = others.iter().map(|key| format!("{} = {}", values[*key].0, values[*key].1)).collect();
        let name = name.join(", ");
        let x = values.get(along).map_or(0.0, |(_, value)| x_of.place(value));
        let y = row.cells.get(result.place).and_then(|cell| cell.parse().ok()).unwrap_or(f64::NAN);
        match lines.iter_mut().find(|line| line.name == name) {
            Some(line) => line.points.push((x, y)),
            None => {
                let style = Style::numbered(lines.len());
                lines.push(Line { name, style, has_dots: true, is_joined, points: vec![(x, y)] });
            }
        }
    }
    lines.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    let key = settings.first().and_then(|values| values.get(along)).map_or("", |(key, _)| *key);
    let unit = if key == "dt" { "s" } else { "" };
    let x =
        Axis { name: key.to_owned(), unit: unit.to_owned(), kind: x_of.kind(), is_log: log_x && x_of.names.is_empty() };
    let y = result.axis(log_y);
    let about = format!("{} of a sweep over {key}", y.name);
    draw(&Chart { title: None, about, size: SIZE, x, panels: vec![Panel { y, lines }], notes: Vec::new() })
}

/// Where values of a setting stand: numbers where they are, anything else in the order it comes.
struct Places {
    names: Vec<String>,
}

impl Places {
    fn of<'a>(values: impl Iterator<Item = &'a str> + Clone) -> Self {
        let mut names: Vec<String> = Vec::new();
        if values.clone().any(|value| number(value).is_none()) {
            for value in values {
                if !names.iter().any(|name| name == value) {
                    names.push(value.to_owned());
                }
            }
        }
        Self { names }
    }

    fn place(&self, value: &str) -> f64 {
        let place = self.names.iter().position(|name| name == value);
        #[expect(clippy::cast_precision_loss, reason = "a place among some names")]
        place.map(|place| place as f64).or_else(|| number(value)).unwrap_or(f64::NAN)
    }

    fn kind(&self) -> AxisKind {
        if self.names.is_empty() { AxisKind::Real } else { AxisKind::Names(self.names.clone()) }
    }
}

/// A value as a number; a fraction such as `1/60` is one too.
fn number(value: &str) -> Option<f64> {
    let parse = |text: &str| text.trim().trim_matches('"').parse::<f64>().ok().filter(|number| number.is_finite());
    match value.split_once('/') {
        Some((above, below)) => Some(parse(above)? / parse(below).filter(|below| *below != 0.0)?),
        None => parse(value),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn fractions_are_numbers() {
        assert_eq!(number("8"), Some(8.0));
        assert_eq!(number("1/4"), Some(0.25));
        assert_eq!(number("\"1/4\""), Some(0.25));
        for text in ["", "1/0", "Fixed", "(0, 1, 0)", "NaN", "1/2/3"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
