//! Which bodies are meant: a name, or a pattern in which `*` stands for any characters and `?` for one.
//!
//! Brackets are literal, because names such as `wall[3,4]` have them.

use std::fmt::{self, Display};

/// A name of a body, or a pattern of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyPattern {
    text: String,
    /// Whether `*` and `?` stand for themselves.
    is_literal: bool,
}

impl BodyPattern {
    /// The pattern of this text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), is_literal: !text.contains(['*', '?']) }
    }

    /// The pattern among the names there are: a name that is the very text wins over what it would match as a pattern,
    /// so that a body whose name has a `*` can be asked for.
    #[must_use]
    pub fn among<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let is_name = names.into_iter().any(|name| name == self.text);
        Self { text: self.text.clone(), is_literal: self.is_literal || is_name }
    }

    /// Whether a body of this name is meant.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        if self.is_literal { name == self.text } else { matches_wildcards(&self.text, name) }
    }

    /// Whether it is one name, matched by nothing else.
    #[must_use]
    pub const fn is_literal(&self) -> bool {
        self.is_literal
    }

    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Display for BodyPattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// Several patterns: a body is meant where one of them means it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyPatterns {
    patterns: Vec<BodyPattern>,
}

impl BodyPatterns {
    /// The patterns of these texts; nothing where there is none.
    #[must_use]
    pub fn new<T: AsRef<str>>(texts: &[T]) -> Option<Self> {
        let patterns = texts.iter().map(|text| BodyPattern::new(text.as_ref())).collect();
        (!texts.is_empty()).then_some(Self { patterns })
    }

    /// The patterns among the names there are, as [`BodyPattern::among`] has it.
    ///
    /// # Errors
    /// The first pattern that means none of them.
    pub fn among(&self, names: &[String]) -> Result<Self, BodyPattern> {
        let among = |pattern: &BodyPattern| {
            let pattern = pattern.among(names.iter().map(String::as_str));
            if names.iter().any(|name| pattern.matches(name)) { Ok(pattern) } else { Err(pattern) }
        };
        self.patterns.iter().map(among).collect::<Result<_, _>>().map(|patterns| Self { patterns })
    }

    /// Whether a body of this name is meant.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        self.patterns.iter().any(|pattern| pattern.matches(name))
    }

    /// The name that alone is meant, if it is one name and no pattern.
    #[must_use]
    pub fn single_name(&self) -> Option<&str> {
        match self.patterns.as_slice() {
            [pattern] if pattern.is_literal() => Some(pattern.text()),
            _ => None,
        }
    }
}

impl From<&str> for BodyPatterns {
    fn from(text: &str) -> Self {
        Self { patterns: vec![BodyPattern::new(text)] }
    }
}

impl Display for BodyPatterns {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, pattern) in self.patterns.iter().enumerate() {
            let before = if place > 0 { " or " } else { "" };
            write!(formatter, "{before}{:?}", pattern.text())?;
        }
        Ok(())
    }
}

/// Whether the whole name fits. Only the last `*` can have taken too little, so the time is at most the product of lengths.
fn matches_wildcards(pattern: &str, name: &str) -> bool {
    let (mut pattern, mut name) = (pattern, name);
    // What follows the last `*`, and the name from where that `*` has taken the least so far.
    let mut retry: Option<(&str, &str)> = None;
    loop {
        let mut rest = pattern.chars();
        let mut letters = name.chars();
        match (rest.next(), letters.next()) {
            (None, None) => return true,
            (Some('*'), _) => {
                pattern = rest.as_str();
                retry = Some((pattern, name));
            }
            (Some(wanted), Some(letter)) if wanted == '?' || wanted == letter => {
                (pattern, name) = (rest.as_str(), letters.as_str());
            }
            _ => {
                let Some((after, from)) = retry else { return false };
                let mut letters = from.chars();
                if letters.next().is_none() {
                    return false;
                }
                (pattern, name) = (after, letters.as_str());
                retry = Some((after, letters.as_str()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, proptest};
    use proptest::{prop_assert, prop_assert_eq};

    use super::{BodyPattern, BodyPatterns, matches_wildcards};

    fn matched<'a>(pattern: &str, names: &[&'a str]) -> Vec<&'a str> {
        let pattern = BodyPattern::new(pattern).among(names.iter().copied());
        names.iter().copied().filter(|name| pattern.matches(name)).collect()
    }

    #[test]
    fn wildcards_stand_for_characters_and_brackets_for_themselves() {
        let names = ["ball", "ball2", "wall[0,1]", "wall[3,4]", "wall[3,14]", "wäll"];
        assert_eq!(matched("ball", &names), ["ball"]);
        assert_eq!(matched("ball*", &names), ["ball", "ball2"]);
        assert_eq!(matched("ball?", &names), ["ball2"]);
        assert_eq!(matched("wall[3,4]", &names), ["wall[3,4]"]);
        assert_eq!(matched("wall[3,*]", &names), ["wall[3,4]", "wall[3,14]"]);
        assert_eq!(matched("*,?]", &names), ["wall[0,1]", "wall[3,4]"]);
        assert_eq!(matched("w?ll", &names), ["wäll"]);
        assert_eq!(matched("*", &names), names);
        assert_eq!(matched("Ball", &names), [""; 0]);
        assert_eq!(matched("", &names), [""; 0]);
    }

    #[test]
    fn a_name_that_is_the_text_wins_over_the_pattern() {
        assert_eq!(matched("a*b", &["axb", "a*b", "ab"]), ["a*b"]);
        assert_eq!(matched("a*b", &["axb", "ab"]), ["axb", "ab"]);
        assert_eq!(matched("?", &["?", "x"]), ["?"]);
    }

    #[test]
    fn of_several_patterns_each_means_a_body_and_one_is_enough() {
        let names: Vec<String> = ["ball", "box", "wall[0]", "wall[1]"].map(str::to_owned).into();
        let patterns = |texts: &[&str]| BodyPatterns::new(texts).expect("patterns");
        let both = patterns(&["wall*", "ball"]).among(&names).expect("both are there");
        assert_eq!(names.iter().filter(|name| both.matches(name)).count(), 3);
        assert_eq!((both.single_name(), both.to_string().as_str()), (None, "\"wall*\" or \"ball\""));
        assert_eq!(patterns(&["ball"]).single_name(), Some("ball"));
        assert_eq!(patterns(&["ball*"]).single_name(), None);
        let missing = patterns(&["ball", "bll", "x*"]).among(&names).expect_err("one is not there");
        assert_eq!(missing.text(), "bll");
        assert_eq!(BodyPatterns::new::<&str>(&[]), None);
    }

    #[test]
    fn many_stars_take_no_longer_than_lengths_allow() {
        assert!(!matches_wildcards(
            &"a*".repeat(40),
            &("a".repeat(4000) + "b" + &"c".repeat(10)).replace('a', "ab")[1..]
        ));
        assert!(matches_wildcards(&"*a".repeat(40), &"a".repeat(4000)));
    }

    proptest! {
        /// What is put together from pieces is matched by the pattern whose wildcards stand where the pieces were.
        #[test]
        fn what_wildcards_stand_for_is_free(head in "[a-c]{0,3}", any_text in ".{0,5}", one in any::<char>(), tail in "[a-c]{0,3}") {
            let pattern = format!("{head}*{tail}?");
            let name = format!("{head}{any_text}{tail}{one}");
            prop_assert!(matches_wildcards(&pattern, &name));
        }

        /// As the definition says: `*` takes every possible length in turn.
        #[test]
        fn the_answer_is_that_of_the_definition(pattern in "[ab*?]{0,7}", name in "[ab]{0,7}") {
            prop_assert_eq!(matches_wildcards(&pattern, &name), by_definition(pattern.as_bytes(), name.as_bytes()));
        }
    }

    fn by_definition(pattern: &[u8], name: &[u8]) -> bool {
        match pattern.split_first() {
            None => name.is_empty(),
            Some((b'*', rest)) => (0..=name.len()).any(|taken| by_definition(rest, &name[taken..])),
            Some((b'?', rest)) => !name.is_empty() && by_definition(rest, &name[1..]),
            Some((letter, rest)) => name.first() == Some(letter) && by_definition(rest, &name[1..]),
        }
    }
}
