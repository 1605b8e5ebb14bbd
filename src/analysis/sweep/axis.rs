//! What changes from run to run: a key with its values, or rows of several keys.

use std::io::Read;

use crate::analysis::sweep::set;
use crate::scene::Scene;
use crate::scene::error::SceneError;

/// Keys that change together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The keys.
    pub keys: Vec<String>,
    /// The values, each with one text for each key.
    pub values: Vec<Vec<String>>,
}

impl Axis {
    /// The axis that `KEY=VALUE,VALUE,...` means. Commas within brackets and quotes do not part values.
    ///
    /// # Errors
    /// When there is no key or no value, or one is there twice.
    pub fn parse(assignment: &str) -> Result<Self, String> {
        let (key, list) = assignment
            .split_once('=')
            .ok_or_else(|| format!("`{assignment}` sets nothing: expected KEY=VALUE,VALUE,..."))?;
        let key = key.trim();
        if key.is_empty() {
            return Err(format!("`{assignment}` has no key before `=`"));
        }
        let values: Vec<String> = split_list(list).into_iter().map(|value| value.trim().to_owned()).collect();
        if values.iter().any(String::is_empty) {
            return Err(match values.len() {
                1 => format!("`{assignment}` has no value after `=`"),
                _ => format!("`{assignment}` has an empty value: two commas, or one at an end"),
            });
        }
        let twice = values.iter().enumerate().find(|(place, value)| values[..*place].contains(value));
        if let Some((_, value)) = twice {
            return Err(format!("`{key}` has the value `{value}` twice"));
        }
        let values = values.into_iter().map(|value| vec![value]).collect();
        Ok(Self { keys: vec![key.to_owned()], values })
    }

    /// The axis that a table in CSV means: its header has the keys, each row is one value. An empty cell leaves its key as
    /// the scene has it.
    ///
    /// # Errors
    /// When it is no such table.
    pub fn from_table(mut table: impl Read) -> Result<Self, String> {
        let mut text = Vec::new();
        table.read_to_end(&mut text).map_err(|error| error.to_string())?;
        // A quote within quotes is doubled: together they are even, or all that follows the last one is one cell.
        let quotes = text.iter().filter(|byte| **byte == b'"').count();
        if quotes % 2 == 1 {
            return Err("a quote in it is not closed; a quote within a quoted cell is written twice".to_owned());
        }
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_slice());
        let keys: Vec<String> =
            reader.headers().map_err(|error| error.to_string())?.iter().map(str::to_owned).collect();
        if let [key] = keys.as_slice()
            && key.contains([';', '\t'])
        {
            return Err(
                "its columns are not separated by commas; separate them by commas, and quote cells with commas in them"
                    .to_owned(),
            );
        }
        if keys.iter().any(String::is_empty) {
            return Err("the first line must have the keys, such as solver.iterations,gravity.1".to_owned());
        }
        let mut values: Vec<Vec<String>> = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| error.to_string())?;
            values.push(record.iter().map(str::to_owned).collect());
        }
        if values.is_empty() {
            return Err("there is no row below the line of keys".to_owned());
        }
        Ok(Self { keys, values })
    }

    /// Sets one of the values.
    pub(super) fn apply(&self, place: usize, scene: &mut Scene) -> Result<(), SceneError> {
        let values = self.values.get(place).map_or(&[][..], Vec::as_slice);
        self.keys.iter().zip(values).try_for_each(|(key, value)| set(scene, key, value))
    }
}

/// The parts of a list between the commas that stand outside of brackets and quotes.
fn split_list(list: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut is_quoted, mut is_escaped) = (0, 0_u32, false, false);
    for (place, letter) in list.char_indices() {
        if is_quoted {
            is_quoted = is_escaped || letter != '"';
            is_escaped = letter == '\\' && !is_escaped;
            continue;
        }
        match letter {
            '"' => is_quoted = true,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&list[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::{Axis, split_list};

    #[test]
    fn lists_are_split_outside_of_brackets_and_quotes_only() {
        assert_eq!(split_list("1,4,8"), ["1", "4", "8"]);
        assert_eq!(split_list("(0,-9.81,0),(0,0,0)"), ["(0,-9.81,0)", "(0,0,0)"]);
        let soft = "Soft(hertz: 30, damping_ratio: 10),Projection(beta: [1,{2,3}])";
        assert_eq!(split_list(soft), ["Soft(hertz: 30, damping_ratio: 10)", "Projection(beta: [1,{2,3}])"]);
        assert_eq!(split_list(r#""a,b","c\",d",e"#), [r#""a,b""#, r#""c\",d""#, "e"]);
        assert_eq!(split_list("1)),2"), ["1))", "2"]);
        assert_eq!(split_list("(1,2"), ["(1,2"]);
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for text in ["", "a", "a=", "=1", "a=1,", "a=,1", "a=1,,2", "a= , ", "a=1,2, 1"] {
            assert!(Axis::parse(text).is_err(), "{text}");
        }
        let axis = Axis::parse("solver.iterations = 1, 4").expect("a list");
        assert_eq!(
            (axis.keys, axis.values),
            (vec!["solver.iterations".to_owned()], vec![vec!["1".to_owned()], vec!["4".to_owned()]])
        );
    }

    #[test]
    fn tables_have_keys_and_rows() {
        let table = "solver.iterations,gravity\n1,\"(0,-1,0)\"\n2,\n";
        let axis = Axis::from_table(table.as_bytes()).expect("a table");
        assert_eq!(axis.keys, ["solver.iterations", "gravity"]);
        assert_eq!(axis.values, [["1", "(0,-1,0)"], ["2", ""]]);
        for table in ["a;b\n1;2\n", "a\tb\n1\t2\n"] {
            assert!(Axis::from_table(table.as_bytes()).is_err_and(|error| error.contains("by commas")), "{table:?}");
        }
        for table in ["a,b\n1,\"2\n3,4\n", "a\n\"x\"\"\n"] {
            assert!(Axis::from_table(table.as_bytes()).is_err_and(|error| error.contains("not closed")), "{table:?}");
        }
        for table in ["", "a,b\n", "a,b\n1\n", "a,\n1,2\n"] {
            assert!(Axis::from_table(table.as_bytes()).is_err(), "{table:?}");
        }
    }
}
