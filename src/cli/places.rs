//! Places in a command, such as `{from}`, and what is put there.

/// A text with values in its places, each as often as it stands there. All are found in the text as it is: what looks like a place
/// within a value is none.
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = text;
    loop {
        let found = values.iter().filter_map(|(place, value)| Some((rest.find(place)?, *place, *value)));
        let Some((at, place, value)) = found.min_by_key(|(at, ..)| *at) else { return filled + rest };
        filled.push_str(&rest[..at]);
        filled.push_str(value);
        rest = &rest[at + place.len()..];
    }
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn a_value_with_a_place_in_it_stays_as_it_is() {
        let values = [("{name}", "'{golden}{from}'"), ("{golden}", "'a$(b)'"), ("{from}", "7")];
        let filled = fill("run {name} {from} < {golden}; {name}", &values);
        assert_eq!(filled, "run '{golden}{from}' 7 < 'a$(b)'; '{golden}{from}'");
        assert_eq!(fill("run", &values), "run");
        assert_eq!(fill("{from}", &[]), "{from}");
    }
}
