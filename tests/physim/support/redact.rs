//! Takes out of a text what is not the same each time, or not what a test is about.

/// Replaces hashes, times and sizes.
pub fn redact(text: &str) -> String {
    text.lines().map(redact_line).collect::<Vec<_>>().join("\n")
}

/// Replaces the times on the clock in a JUnit report and in lines of JSON.
pub fn without_seconds(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((start, key)) =
        [" time=\"", "\"seconds\":"].iter().filter_map(|key| Some((rest.find(key)?, key))).min()
    {
        let (before, behind) = rest.split_at(start + key.len());
        shown = shown + before + "<seconds>";
        rest = behind.trim_start_matches(|letter: char| letter.is_ascii_digit() || ".e-".contains(letter));
    }
    shown + rest
}

fn redact_line(line: &str) -> String {
    let trimmed = line.trim_start();
    let indent = &line[..line.len() - trimmed.len()];
    if let Some(rest) = trimmed.strip_prefix("time  ") {
        let spaces = rest.len() - rest.trim_start().len();
        return format!("{indent}time  {}<time>", " ".repeat(spaces));
    }
    let words = line.split_inclusive([' ', '"', ':']).map(|piece| {
        let (word, end) = piece.split_at(piece.trim_end_matches([' ', '"', ':']).len());
        let is_hash = word.len() == 64 && word.chars().all(|digit| digit.is_ascii_hexdigit());
        format!("{}{end}", if is_hash { "<hash>" } else { word })
    });
    words.collect::<String>()
}

/// Replaces every number by `#` and every run of spaces by one: what is left is the form of a text.
pub fn form(text: &str) -> String {
    let lines = redact(text);
    lines.lines().map(form_of_line).collect::<Vec<_>>().join("\n")
}

fn form_of_line(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let words = line.split_whitespace().map(|word| {
        let core = word.trim_matches(['(', ')', ',']);
        if core.parse::<f64>().is_ok() { word.replace(core, "#") } else { word.to_owned() }
    });
    let mut words: Vec<String> = words.collect();
    // Digits grouped in threes are one number.
    words.dedup_by(|second, first| second == "#" && first == "#");
    format!("{}{}", " ".repeat(indent), words.join(" "))
}
