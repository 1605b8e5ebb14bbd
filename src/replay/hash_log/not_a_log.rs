//! What a file is that was taken for a hash log and is no text in UTF-8.

const UTF_16: &str = "this is UTF-16 text, and hash logs are UTF-8; convert it (`iconv -f UTF-16 -t UTF-8`), or let the program \
                      write UTF-8 (in PowerShell `| Out-File -Encoding utf8` in place of `>`)";
const BINARY: &str = "this is binary, and hash logs are text: lines of JSON such as {\"step\":0,\"hash\":\"9af3\"}; is it the file that was \
                      meant?";

/// Whether a file that begins like this is UTF-16 text: by the mark that says so, or where every other byte of ASCII is zero.
#[must_use]
pub fn is_utf_16(start: &[u8]) -> bool {
    let start = start.get(..start.len().min(64)).unwrap_or_default();
    let (pairs, _) = start.as_chunks::<2>();
    let is_marked = matches!(start, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
    let is_ascii = |byte: u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let [low, high] = [0, 1].map(|text| pairs.iter().all(|pair| is_ascii(pair[text]) && pair[1 - text] == 0));
    is_marked || (pairs.len() > 1 && (low || high))
}

/// What a first line is that is no text in UTF-8; `None` where it is.
pub(super) fn other_kind(line: &[u8]) -> Option<&'static str> {
    if is_utf_16(line) {
        return Some(UTF_16);
    }
    // Of a line that begins as one of a log, whoever reads it says better what is wrong with it.
    let is_text = std::str::from_utf8(line).map_or_else(|error| error.error_len().is_none(), |_| true);
    (!line.starts_with(b"{") && (line.contains(&0) || !is_text)).then_some(BINARY)
}

#[cfg(test)]
mod tests {
    use super::is_utf_16;

    #[test]
    fn utf_16_is_known_by_its_mark_or_its_zeros() {
        let encoded = |text: &str, mark: &[u8], is_little: bool| {
            let units =
                text.encode_utf16().flat_map(|unit| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() });
            mark.iter().copied().chain(units).collect::<Vec<u8>>()
        };
        let line = "{\"step\":0,\"hash\":\"9\"}\n";
        for (mark, is_little) in [(&[0xff, 0xfe][..], true), (&[0xfe, 0xff], false), (&[], true), (&[], false)] {
            assert!(is_utf_16(&encoded(line, mark, is_little)), "{mark:?}");
        }
        for text in [line.as_bytes(), b"", b"{", b"\0\0\0\0", b"\xef\xbb\xbf{}", "größer".as_bytes()] {
            assert!(!is_utf_16(text), "{text:?}");
        }
    }
}
