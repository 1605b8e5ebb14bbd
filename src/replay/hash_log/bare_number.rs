//! Numbers as printers write them that JSON does not have.

/// What C, C++ and others print for what is no finite number, in small letters and without a sign.
const WORDS: [&str; 9] = ["nan", "inf", "infinity", "nan(ind)", "nan(snan)", "1.#qnan", "1.#snan", "1.#ind", "1.#inf"];

/// The word at this column of a line, counted from 1, if it is a number that JSON does not have. Readers notice at its first letter or
/// somewhat behind it.
pub(super) fn bare_number(line: &[u8], column: usize) -> Option<&str> {
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"-+.#()".contains(byte);
    let start = column.saturating_sub(2);
    let at = (start..=column).find(|at| line.get(*at).is_some_and(&is_of_word))?;
    let before = line.get(..at)?.iter().rev().take_while(|byte| is_of_word(byte)).count();
    let behind = line.get(at..)?.iter().take_while(|byte| is_of_word(byte)).count();
    let word = std::str::from_utf8(line.get(at - before..at + behind)?).ok()?;
    let bare = word.trim_start_matches(['-', '+']).to_ascii_lowercase();
    WORDS.contains(&bare.as_str()).then_some(word)
}
