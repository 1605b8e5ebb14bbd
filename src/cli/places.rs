//! Places in a command, such as `{from}`, and what is put there.

use std::ffi::{OsStr, OsString};

/// A text with values in its places, each as often as it stands there. All are found in the text as it is: what looks like a place
/// within a value is none.
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    parts_of(text, values, |part| {
        filled.push_str(match part {
            Part::Text(text) => text,
            Part::Value(value) => value,
        });
    });
    filled
}

/// The same with values that need not be UTF-8: they keep their bytes.
pub fn fill_exactly(text: &str, values: &[(&str, &OsStr)]) -> OsString {
    let mut filled = OsString::new();
    parts_of(text, values, |part| match part {
        Part::Text(text) => filled.push(text),
        Part::Value(value) => filled.push(value),
    });
    filled
}

/// What a filled text is made of.
enum Part<'a, V> {
    Text(&'a str),
    Value(V),
}

/// Hands out what stands between the places of a text, and the values of the places, in their order.
fn parts_of<'a, V: Copy>(text: &'a str, values: &[(&str, V)], mut take: impl FnMut(Part<'a, V>)) {
    let mut rest = text;
    loop {
        let found = values.iter().filter_map(|(place, value)| Some((rest.find(place)?, *place, *value)));
        let Some((at, place, value)) = found.min_by_key(|(at, ..)| *at) else { return take(Part::Text(rest)) };
        take(Part::Text(&rest[..at]));
        take(Part::Value(value));
        rest = &rest[at + place.len()..];
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::{fill, fill_exactly};

    #[test]
    fn a_value_with_a_place_in_it_stays_as_it_is() {
        let values = [("{name}", "'{golden}{from}'"), ("{golden}", "'a$(b)'"), ("{from}", "7")];
        let line = "run {name} {from} < {golden}; {name}";
        let filled = "run '{golden}{from}' 7 < 'a$(b)'; '{golden}{from}'";
        assert_eq!(fill(line, &values), filled);
        assert_eq!(fill("run", &values), "run");
        assert_eq!(fill("{from}", &[]), "{from}");
        let values = values.map(|(place, value)| (place, OsStr::new(value)));
        assert_eq!(fill_exactly(line, &values), OsStr::new(filled));
    }
}
