//! A first difference, as `verify` and `diff` report it.

use crate::analysis::{FieldDifference, Finding, FirstDifference, Operand, OrderDifference, SideValue};
use serde::Serialize;

use crate::report::number::counted;
use crate::report::style::{BAD, FAINT, TITLE, printable};
use crate::report::table::{Cell, Table};

/// The JSON of a first difference; what is not known is `null`.
#[derive(Serialize)]
pub struct DifferenceJson<'a> {
    step: u32,
    stage: Option<&'a str>,
    section: Option<&'a str>,
    object: Option<&'a str>,
    field: Option<&'a str>,
    a: Option<SideJson<'a>>,
    b: Option<SideJson<'a>>,
    ulps: Option<u64>,
    seen_at: Option<u32>,
    phase: Option<&'a str>,
    objects: Option<usize>,
    order: Option<OrderJson<'a>>,
    fields: Vec<FieldJson<'a>>,
    operands: Vec<OperandJson<'a>>,
    findings: Vec<FindingJson>,
}

/// The class of bug behind a difference.
#[derive(Serialize)]
struct FindingJson {
    kind: &'static str,
    text: String,
}

/// One field that differs.
#[derive(Serialize)]
struct FieldJson<'a> {
    section: Option<&'a str>,
    object: &'a str,
    field: Option<&'a str>,
    a: Option<SideJson<'a>>,
    b: Option<SideJson<'a>>,
    ulps: Option<u64>,
}

/// The first place at which the same objects, or the same stages, stand in another order.
#[derive(Serialize)]
struct OrderJson<'a> {
    section: Option<&'a str>,
    place: usize,
    a: &'a str,
    b: &'a str,
    of: &'static str,
}

/// What went into the operation, by name.
#[derive(Serialize)]
struct OperandJson<'a> {
    name: &'a str,
    a: Option<&'a str>,
    b: Option<&'a str>,
}

#[derive(Serialize)]
struct SideJson<'a> {
    bits: Option<&'a str>,
    value: &'a str,
}

impl<'a> From<&'a FirstDifference> for DifferenceJson<'a> {
    fn from(first: &'a FirstDifference) -> Self {
        let field = first.field.as_ref();
        let operand = |operand: &'a Operand| OperandJson {
            name: &operand.name,
            a: operand.a.as_deref(),
            b: operand.b.as_deref(),
        };
        Self {
            step: first.step,
            stage: first.stage.as_deref(),
            section: first.section.as_deref().filter(|section| !section.is_empty()),
            object: field.map(|field| field.object.as_str()),
            field: field.and_then(|field| field.field.as_deref()),
            a: side_json(field.and_then(|field| field.a.as_ref())),
            b: side_json(field.and_then(|field| field.b.as_ref())),
            ulps: field.and_then(|field| field.ulps),
            seen_at: first.seen_at,
            phase: first.phase.as_deref(),
            objects: first.objects,
            order: first.order.as_ref().map(OrderJson::from),
            fields: first.fields.iter().map(FieldJson::from).collect(),
            operands: first.operands.iter().map(operand).collect(),
            findings: first.findings.iter().map(FindingJson::from).collect(),
        }
    }
}

impl From<&Finding> for FindingJson {
    fn from(finding: &Finding) -> Self {
        Self { kind: finding.name(), text: finding.to_string() }
    }
}

impl<'a> From<&'a OrderDifference> for OrderJson<'a> {
    fn from(order: &'a OrderDifference) -> Self {
        let OrderDifference { of, section, place, a, b } = order;
        Self { section: section.as_deref(), place: *place, a, b, of: of.name() }
    }
}

impl<'a> From<&'a FieldDifference> for FieldJson<'a> {
    fn from(field: &'a FieldDifference) -> Self {
        Self {
            section: Some(field.section.as_str()).filter(|section| !section.is_empty()),
            object: &field.object,
            field: field.field.as_deref(),
            a: side_json(field.a.as_ref()),
            b: side_json(field.b.as_ref()),
            ulps: field.ulps,
        }
    }
}

fn side_json(side: Option<&SideValue>) -> Option<SideJson<'_>> {
    side.map(|side| SideJson {
        bits: Some(side.bits.as_str()).filter(|bits| !bits.is_empty()),
        value: side.value.as_str(),
    })
}

/// The rows that say what class of bug it is: sentences, which belong into no table with values.
pub fn finding_rows(first: &FirstDifference, table: &mut Table) {
    first.findings.iter().for_each(|finding| table.labelled("finding", printable(&finding.to_string())));
}

/// The rows that say where it is.
pub fn place_rows(first: &FirstDifference, table: &mut Table) {
    table.labelled("step", first.step.to_string());
    if let Some(stage) = &first.stage {
        table.labelled("stage", printable(stage));
    }
    if let Some(phase) = &first.phase {
        table.labelled("phase", printable(phase));
    }
    if let Some(section) = &first.section {
        table.labelled("section", printable(section));
    }
    if let Some(order) = &first.order {
        table.labelled("order", order_text(order));
    }
    let Some(field) = &first.field else { return };
    // A keyframe behind the step may show another section first.
    if !field.section.is_empty() && first.section.as_deref() != Some(field.section.as_str()) {
        table.labelled("seen in", printable(&field.section));
    }
    table.labelled("object", printable(&field.object));
    if let Some(path) = &field.field {
        table.labelled("field", printable(path));
    }
    if let Some(seen_at) = first.seen_at.filter(|seen_at| *seen_at != first.step) {
        table.labelled("seen at", format!("the keyframe of step {seen_at}, later than the difference itself"));
    }
}

/// Both values with their bits, one above the other, and what lies between them.
pub fn value_rows(field: &FieldDifference, names: [&str; 2], table: &mut Table) {
    for (name, side) in names.into_iter().zip([&field.a, &field.b]) {
        let label = Cell::text(name).painted(FAINT);
        match side {
            None => table.row([label, Cell::text("does not have it").painted(BAD)]),
            Some(SideValue { bits, value }) if bits.is_empty() => {
                table.row([label, Cell::text(printable(value)).painted(BAD)]);
            }
            Some(SideValue { bits, value }) => {
                table.row([label, Cell::number(printable(bits)).painted(BAD), Cell::text(printable(value))]);
            }
        }
    }
    if let Some(distance) = distance_text(field) {
        table.labelled("distance", distance);
    }
}

/// Place and values of a first difference, under their title.
pub fn first_text(first: &FirstDifference) -> String {
    let mut table = Table::indented(2);
    place_rows(first, &mut table);
    let mut text = format!("{}\n{}", TITLE.paint("first difference"), table.render());
    if let Some(field) = &first.field {
        let mut values = Table::indented(2);
        value_rows(field, ["a", "b"], &mut values);
        text.push_str(&values.render());
    }
    let mut findings = Table::indented(2);
    finding_rows(first, &mut findings);
    text.push_str(&findings.render());
    text
}

/// The other fields that differ at the same checkpoint, and what went into the operation, each as a text of its own.
pub fn detail_texts(first: &FirstDifference) -> Vec<String> {
    let mut texts = Vec::new();
    if first.fields.len() > 1 || first.objects.is_some_and(|objects| objects > 1) {
        texts.push(fields_text(first));
    }
    if !first.operands.is_empty() {
        texts.push(operands_text(&first.operands));
    }
    texts
}

fn fields_text(first: &FirstDifference) -> String {
    let mut table = Table::indented(2);
    // Of namesakes in two sections it says which is which, as where an object was moved from one to the other.
    let is_namesake = |(a, b): (&FieldDifference, &FieldDifference)| a.object == b.object && a.section != b.section;
    let fields = || first.fields.iter();
    let are_told = fields().any(|a| fields().any(|b| is_namesake((a, b))));
    let labels = ["object", "field", "a", "b", "ulps"];
    let of_section = are_told.then_some("section");
    table.row(of_section.into_iter().chain(labels).map(|label| Cell::text(label).painted(FAINT)));
    for field in &first.fields {
        let side =
            |side: &Option<SideValue>| Cell::text(side.as_ref().map_or("-".to_owned(), |side| printable(&side.value)));
        let path = field.field.as_deref().unwrap_or("-");
        let ulps = field.ulps.map_or("-".to_owned(), |ulps| ulps.to_string());
        let section = if field.section.is_empty() { "-".to_owned() } else { printable(&field.section) };
        let cells = [
            Cell::text(printable(&field.object)),
            Cell::text(printable(path)),
            side(&field.a),
            side(&field.b),
            Cell::text(ulps),
        ];
        table.row(are_told.then(|| Cell::text(section)).into_iter().chain(cells));
    }
    let objects = first.objects.unwrap_or(0);
    let objects = counted(objects as u64, "object differs", "objects differ");
    let head = format!("at that checkpoint {objects}, in these fields first");
    format!("{}\n{}", TITLE.paint(head), table.render())
}

/// Most operands that are listed to people: those that differ come before those that agree.
const MOST_OPERANDS: usize = 24;

/// The operands to list, in their order; and how many are left out.
fn listed_operands(operands: &[Operand]) -> (Vec<&Operand>, usize) {
    let mut kept: Vec<usize> = (0..operands.len()).collect();
    kept.sort_by_key(|&index| operands[index].a == operands[index].b);
    kept.truncate(MOST_OPERANDS);
    kept.sort_unstable();
    let left_out = operands.len() - kept.len();
    (kept.into_iter().map(|index| &operands[index]).collect(), left_out)
}

fn operands_text(operands: &[Operand]) -> String {
    let mut table = Table::indented(2);
    let (listed, left_out) = listed_operands(operands);
    for operand in listed {
        let name = Cell::text(printable(&operand.name)).painted(FAINT);
        let shown = |value: &Option<String>| printable(value.as_deref().unwrap_or("does not have it"));
        if operand.a == operand.b {
            table.row([name, Cell::text(shown(&operand.a))]);
        } else {
            table.row([name, Cell::text(format!("a {}", shown(&operand.a)))]);
            table.row([Cell::text(""), Cell::text(format!("b {}", shown(&operand.b))).painted(BAD)]);
        }
    }
    let more =
        if left_out > 0 { format!("  and {left_out} more; --format json has them all\n") } else { String::new() };
    format!("{}\n{}{more}", TITLE.paint("what went into it, at the previous checkpoint"), table.render())
}

/// How to learn more of a step in which a recorded run and this build part: a recording holds no stages.
pub fn how_to_find_out(step: u32) -> String {
    format!(
        "only the build that recorded it can run it again, so no stage is named; there, `physim trace REPLAY --steps {step} \
         --states` makes a trace, for physim diff to compare with the trace of a run that is recorded here"
    )
}

/// The same objects or stages in another order, and the first place that shows it.
fn order_text(order: &OrderDifference) -> String {
    let OrderDifference { of, section: _, place, a, b } = order;
    let (of, a, b) = (of.name(), printable(a), printable(b));
    format!("the same {of} in another order; first at place {place}, counted from 0: a has {a}, b has {b}")
}

/// The distance between the two numbers of a field. Two zeros are none apart, and so is a number that is written in two ways.
fn distance_text(field: &FieldDifference) -> Option<String> {
    let ulps = field.ulps?;
    let [a, b] = [&field.a, &field.b].map(|side| side.as_ref().map_or("", |side| side.bits.as_str()));
    Some(match ulps {
        0 if a.len() == b.len() => "0 ulps, the sign of zero differs".to_owned(),
        0 => "0 ulps, the same number with its bits written in another way".to_owned(),
        ulps => counted(ulps, "ulp", "ulps"),
    })
}

/// The difference on one line, as far as it is known.
pub fn one_line(first: &FirstDifference) -> String {
    let mut text = format!("first difference at step {}", first.step);
    if let Some(stage) = &first.stage {
        text.push_str(&format!(", stage {stage}"));
    }
    if let Some(section) = &first.section {
        text.push_str(&format!(", section {section}"));
    }
    if let Some(order) = &first.order {
        text.push_str(&format!(", {}", order_text(order)));
    }
    let Some(field) = &first.field else { return text };
    text.push_str(&format!(", object {}", printable(&field.object)));
    match (&field.field, &field.a, &field.b) {
        (Some(path), Some(a), Some(b)) => {
            text.push_str(&format!(", field {path}: {} is now {}", value_text(a), value_text(b)));
        }
        (Some(path), ..) => text.push_str(&format!(", field {path}")),
        (None, Some(_), _) => text.push_str(", which is missing now"),
        (None, ..) => text.push_str(", which is new"),
    }
    if let Some(distance) = distance_text(field) {
        text.push_str(&format!(" ({distance})"));
    }
    if let Some(seen_at) = first.seen_at.filter(|seen_at| *seen_at != first.step) {
        text.push_str(&format!(", as seen at the keyframe of step {seen_at}"));
    }
    text
}

fn value_text(side: &SideValue) -> String {
    if side.bits.is_empty() {
        printable(&side.value)
    } else {
        format!("{} [{}]", printable(&side.value), printable(&side.bits))
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::{FieldDifference, FirstDifference, Operand, SideValue};
    use crate::report::style::without_colours;

    use super::{MOST_OPERANDS, fields_text, listed_operands, operands_text};

    /// An object that was moved from one section to another is missing in the one and new in the other.
    #[test]
    fn of_namesakes_the_sections_are_told() {
        let exists = Some(SideValue { bits: String::new(), value: "exists".to_owned() });
        let of = |section: &str, a: &Option<SideValue>, b: &Option<SideValue>| FieldDifference {
            section: section.to_owned(),
            object: "unit 2".to_owned(),
            a: a.clone(),
            b: b.clone(),
            ..FieldDifference::default()
        };
        let fields = vec![of("bodies", &exists, &None), of("", &None, &exists)];
        let mut first = FirstDifference { fields, objects: Some(2), ..FirstDifference::in_step(3) };
        let rows = |first: &FirstDifference| -> Vec<String> {
            let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
            without_colours(&fields_text(first)).lines().skip(1).map(words).collect()
        };
        assert_eq!(
            rows(&first),
            ["section object field a b ulps", "bodies unit 2 - exists - -", "- unit 2 - - exists -"]
        );
        first.fields[1].object = "unit 3".to_owned();
        assert_eq!(rows(&first)[0], "object field a b ulps", "names tell them apart");
        first.fields.pop();
        assert_eq!(rows(&first), ["object field a b ulps", "unit 2 - exists - -"]);
    }

    fn operand(number: usize, differs: bool) -> Operand {
        let b = if differs { "2" } else { "1" };
        Operand { name: format!("n{number}"), a: Some("1".to_owned()), b: Some(b.to_owned()) }
    }

    #[test]
    fn a_long_list_of_operands_keeps_those_that_differ() {
        let operands: Vec<Operand> = (0..99).map(|number| operand(number, number % 9 == 8)).collect();
        let (listed, left_out) = listed_operands(&operands);
        assert_eq!((listed.len(), left_out), (MOST_OPERANDS, 99 - MOST_OPERANDS));
        assert_eq!(listed.iter().filter(|operand| operand.a != operand.b).count(), 11);
        assert!(listed.windows(2).all(|pair| pair[0].name.len() < pair[1].name.len() || pair[0].name < pair[1].name));
        let text = operands_text(&operands);
        assert!(text.ends_with("and 75 more; --format json has them all\n"), "{text}");
        assert!(!operands_text(&operands[..MOST_OPERANDS]).contains("more;"));
    }
}
