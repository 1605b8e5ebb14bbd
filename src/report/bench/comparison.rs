//! A benchmark against an earlier one.

use std::path::Path;

use crate::analysis::benchmark::comparison::Comparison;
use crate::analysis::benchmark::{ByPart, Part};

use crate::report::bench::heading;
use crate::report::style::{FAINT, TITLE, WARNING, printable};
use crate::report::table::{Cell, Table};

/// The ratios and what has to be known of them.
pub fn text(compared: &Comparison, file: &Path) -> String {
    let mut table = Table::indented(2);
    let headings = ["scene", "scalar"].map(Cell::text).into_iter();
    let headings = headings.chain(Part::ALL.map(|part| Cell::number(heading(part)))).chain([Cell::text("final hash")]);
    table.row(headings.map(|cell| cell.painted(FAINT)));
    for case in &compared.cases {
        let hash = Cell::text(if case.same_hash { "the same" } else { "differs" });
        let hash = if case.same_hash { hash } else { hash.painted(WARNING) };
        let front = [&case.scene, &case.scalar].map(|text| Cell::text(printable(text))).into_iter();
        table.row(front.chain(ratios(&case.ratio)).chain([hash]));
    }
    let mean = [Cell::text("geometric mean").painted(TITLE), Cell::text("")];
    table.row(mean.into_iter().chain(ratios(&compared.geometric_mean)));
    let notes: String =
        compared.notes.iter().map(|note| format!("  {}: {}\n", WARNING.paint("note"), printable(note))).collect();
    let file = printable(&file.display().to_string());
    format!("{}: below 1 is faster now\n{}{notes}", TITLE.paint(format!("now / {file}")), table.render())
}

fn ratios(ratios: &ByPart<Option<f64>>) -> Vec<Cell> {
    let ratio = |part: Part| ratios.get(&part).copied().flatten();
    Part::ALL
        .into_iter()
        .map(|part| Cell::number(ratio(part).map_or("-".to_owned(), |of| format!("{of:.2}"))))
        .collect()
}
