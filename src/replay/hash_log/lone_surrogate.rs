//! Half a character: an escape such as `\ud800` that is not followed, or preceded, by its other half.

/// The first such escape of a line of JSON: its column, from 1, and its text.
pub(super) fn lone_surrogate(line: &[u8]) -> Option<(usize, &str)> {
    let mut at = 0;
    while let Some(offset) = line.get(at..)?.iter().position(|&byte| byte == b'\\') {
        let start = at + offset;
        match unit_at(line, start) {
            None => at = start + 2,
            Some(0xd800..=0xdbff) if matches!(unit_at(line, start + ESCAPE), Some(0xdc00..=0xdfff)) => {
                at = start + 2 * ESCAPE;
            }
            Some(0xd800..=0xdfff) => {
                let escape = line.get(start..start + ESCAPE)?;
                return Some((start + 1, std::str::from_utf8(escape).ok()?));
            }
            Some(_) => at = start + ESCAPE,
        }
    }
    None
}

/// Bytes of an escape.
const ESCAPE: usize = "\\ud800".len();

/// The UTF-16 unit of an escape at a place; nothing where there is none.
fn unit_at(line: &[u8], at: usize) -> Option<u16> {
    let digits = line.get(at..at + ESCAPE)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok().filter(|_| digits[0] != b'+')
}

#[cfg(test)]
mod tests {
    use super::lone_surrogate;

    #[test]
    fn the_first_half_character_is_found() {
        for (line, found) in [
            (r#"{"a":"x\ud800"}"#, Some((8, r"\ud800"))),
            (r#"{"a":"\uDC00\ud800"}"#, Some((7, r"\uDC00"))),
            (r#"{"a":"\ud83d\ude00 \ud83d\ud83d\ude00"}"#, Some((20, r"\ud83d"))),
            (r#"{"a":"\\ud800 \n\u0041 \ud83d\ude00"}"#, None),
            (r#"{"a":"\\\ud800"}"#, Some((9, r"\ud800"))),
            (r#"{"a":"\u+d80\ud8"#, None),
            ("\\", None),
        ] {
            assert_eq!(lone_surrogate(line.as_bytes()), found, "{line}");
        }
    }
}
