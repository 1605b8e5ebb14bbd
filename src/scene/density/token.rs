//! The tokens of an expression, each with its place in the text.

use std::ops::Range;

use crate::scene::density::function::{self, Function, Value};
use crate::scene::density::program::Operator;
use crate::scene::density::syntax::SyntaxError;
use crate::scene::error::{listed, quoted};
use crate::scene::nearest::nearest_hint;

/// A token and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Range<usize>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum TokenKind {
    /// A number in digits.
    Number(f64),
    /// A coordinate or a constant by its name.
    Value(Value),
    Function(Function),
    Operator(Operator),
    Open,
    Close,
}

/// Cuts a text into tokens.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(first) = text.get(start..).and_then(|rest| rest.chars().next()) {
        if first.is_whitespace() {
            start += first.len_utf8();
            continue;
        }
        let token = token(text, start, first)?;
        start = token.span.end;
        tokens.push(token);
    }
    Ok(tokens)
}

fn token(text: &str, start: usize, first: char) -> Result<Token, SyntaxError> {
    let rest = text.get(start..).unwrap_or("");
    let of_length = |kind: TokenKind, length: usize| Ok(Token { kind, span: start..start + length });
    match first {
        '0'..='9' | '.' => number(rest, start),
        'a'..='z' | 'A'..='Z' | '_' => word(rest, start),
        '+' => of_length(TokenKind::Operator(Operator::Add), 1),
        '-' => of_length(TokenKind::Operator(Operator::Subtract), 1),
        '*' => of_length(TokenKind::Operator(Operator::Multiply), 1),
        '/' => of_length(TokenKind::Operator(Operator::Divide), 1),
        '^' => of_length(TokenKind::Operator(Operator::Power), 1),
        '(' => of_length(TokenKind::Open, 1),
        ')' => of_length(TokenKind::Close, 1),
        other => Err(unexpected(other, start)),
    }
}

/// Digits with an optional point and an optional exponent: `2e3`, but `2e` is twice e.
fn number(rest: &str, start: usize) -> Result<Token, SyntaxError> {
    let digits = |from: usize| rest.bytes().skip(from).take_while(u8::is_ascii_digit).count();
    let mut length = digits(0);
    if rest.as_bytes().get(length) == Some(&b'.') {
        length += 1 + digits(length + 1);
    }
    if matches!(rest.as_bytes().get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(rest.as_bytes().get(length + 1), Some(b'+' | b'-')));
        let exponent = digits(length + 1 + sign);
        length += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    let span = start..start + length;
    match rest.get(..length).and_then(|text| text.parse::<f64>().ok()) {
        Some(value) if value.is_finite() => Ok(Token { kind: TokenKind::Number(value), span }),
        Some(_) => Err(SyntaxError::new(span, "a number is too large").expected("expected at most about 1e308")),
        None => Err(SyntaxError::new(span, "a number has no digits").expected("expected digits, such as `0.5`")),
    }
}

/// A name: letters, then letters, digits and `_`.
fn word(rest: &str, start: usize) -> Result<Token, SyntaxError> {
    let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let word = rest.get(..length).unwrap_or("");
    let span = start..start + length;
    if let Some(value) = function::value(word) {
        return Ok(Token { kind: TokenKind::Value(value), span });
    }
    if let Some(function) = function::function(word) {
        return Ok(Token { kind: TokenKind::Function(function), span });
    }
    let error = SyntaxError::new(span, format!("there is no {}", quoted(word)))
        .expected("expected a coordinate, a constant or a function");
    Err(match (function::apart(word), nearest_hint(word, function::names())) {
        (Some(apart), _) => error.hint(format!("write {} for the product", quoted(&apart))),
        (None, near) if !near.is_empty() => error.hint(near),
        (None, _) => error.hint(format!("the names are {}", listed(function::names()))),
    })
}

fn unexpected(character: char, start: usize) -> SyntaxError {
    let hint = match character {
        '|' => "write `abs(x)` for the absolute value",
        ',' => "every function takes one value; a decimal has a point",
        '[' | ']' | '{' | '}' => "group with `(` and `)`",
        '−' | '–' => "write `-`",
        '·' | '×' => "write `*`",
        '÷' => "write `/`",
        '²' | '³' => "write `x^2`, `x^3`",
        'π' => "write `pi`",
        'θ' | 'ϑ' => "write `theta`",
        'φ' | 'ϕ' => "write `phi`",
        'ρ' => "write `r`",
        '√' => "write `sqrt(x)`",
        '<' | '>' | '=' | '?' | '&' | '!' => {
            "there are no comparisons: for a step write `tanh`, as in `1000 + 500*tanh(200*y)`, or use several colliders"
        }
        _ => "an expression has numbers, names, `+ - * / ^` and parentheses",
    };
    let title = format!("{} means nothing here", quoted(&character.to_string()));
    SyntaxError::new(start..start + character.len_utf8(), title)
        .expected("expected a number, a name or an operator")
        .hint(hint)
}
