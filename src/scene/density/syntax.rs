//! From tokens to a program, by operators that wait until their operands are complete
//! (E. W. Dijkstra 1961, "Algol 60 translation").
//!
//! Nothing recurs: what is nested waits on a list of limited length.

use std::ops::Range;

use crate::scene::density::function::{Function, Value};
use crate::scene::density::program::{MOST_WAITING, Operation, Operator, Program};
use crate::scene::density::token::{Token, TokenKind, tokens};

/// The longest expression in bytes.
pub const MOST_BYTES: usize = 4096;
/// How many operators, functions and parentheses wait at most.
const MOST_PENDING: usize = 256;

/// What is wrong with an expression, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{title}")]
pub struct SyntaxError {
    /// The bytes of the text that are meant.
    pub span: Range<usize>,
    /// What is wrong.
    pub title: String,
    /// What was expected there.
    pub expected: String,
    /// What to do; may be empty.
    pub hint: String,
}

impl SyntaxError {
    pub(super) fn new(span: Range<usize>, title: impl Into<String>) -> Self {
        Self { span, title: title.into(), expected: String::new(), hint: String::new() }
    }

    pub(super) fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = expected.into();
        self
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

/// What waits for its operands.
#[derive(Clone, Copy, Debug)]
enum Waiting {
    Negate,
    Operator(Operator),
    /// A product without a sign within the argument of a function without parentheses: the `2x` of `sin 2x`.
    Joined,
    Function(Function),
    Open,
}

impl Waiting {
    /// How tightly it binds.
    const fn strength(self) -> u8 {
        match self {
            Self::Open => 0,
            Self::Operator(Operator::Add | Operator::Subtract) => 1,
            Self::Operator(Operator::Multiply | Operator::Divide) => 2,
            Self::Function(_) => 3,
            Self::Joined => 4,
            Self::Negate => 5,
            Self::Operator(Operator::Power) => 6,
        }
    }
}

/// Reads an expression.
pub(super) fn read(text: &str) -> Result<Program, SyntaxError> {
    if text.len() > MOST_BYTES {
        let title = format!("it is longer than {MOST_BYTES} bytes");
        return Err(
            SyntaxError::new(0..text.len(), title).hint("write several colliders, each with a density of its own")
        );
    }
    let mut reader = Reader::default();
    for token in tokens(text)? {
        reader.take(&token)?;
    }
    reader.finish(text)
}

#[derive(Default)]
struct Reader {
    operations: Vec<Operation>,
    /// How many values the operations leave so far.
    values: usize,
    pending: Vec<(Waiting, Range<usize>)>,
    /// Whether a value stands before the next token.
    has_value: bool,
    /// The token before, empty at the start.
    before: Range<usize>,
}

impl Reader {
    fn take(&mut self, token: &Token) -> Result<(), SyntaxError> {
        if self.has_value { self.take_after_value(token) } else { self.take_operand(token) }?;
        self.before = token.span.clone();
        Ok(())
    }

    /// Takes a token where a value is to begin.
    fn take_operand(&mut self, token: &Token) -> Result<(), SyntaxError> {
        match token.kind {
            TokenKind::Number(number) => self.push(Value::Constant(number), token),
            TokenKind::Value(value) => self.push(value, token),
            TokenKind::Function(function) => self.wait(Waiting::Function(function), token),
            TokenKind::Open => self.wait(Waiting::Open, token),
            TokenKind::Operator(Operator::Subtract) => self.wait(Waiting::Negate, token),
            TokenKind::Operator(Operator::Add) => Ok(()),
            TokenKind::Close | TokenKind::Operator(_) => Err(self.without_value(token.span.clone())),
        }
    }

    /// Takes a token behind a value.
    fn take_after_value(&mut self, token: &Token) -> Result<(), SyntaxError> {
        match token.kind {
            TokenKind::Number(_) => Err(SyntaxError::new(token.span.clone(), "an operator is missing before a number")
                .expected("expected an operator before this")
                .hint("in a product without `*` a number comes first: `2x`")),
            TokenKind::Operator(operator) => self.wait_for_right(Waiting::Operator(operator), token),
            TokenKind::Close => self.close(token),
            TokenKind::Value(_) | TokenKind::Function(_) | TokenKind::Open => {
                self.join(token)?;
                self.take_operand(token)
            }
        }
    }

    fn push(&mut self, value: Value, token: &Token) -> Result<(), SyntaxError> {
        if self.values == MOST_WAITING {
            return Err(too_deep(token.span.clone()));
        }
        self.operations.push(Operation::Push(value));
        self.values += 1;
        self.has_value = true;
        Ok(())
    }

    fn wait(&mut self, what: Waiting, token: &Token) -> Result<(), SyntaxError> {
        if self.pending.len() == MOST_PENDING {
            return Err(too_deep(token.span.clone()));
        }
        self.pending.push((what, token.span.clone()));
        self.has_value = false;
        Ok(())
    }

    /// Lets an operator wait for what is right of it; what binds its left side more tightly, or is of its kind and comes
    /// first, is done now.
    fn wait_for_right(&mut self, what: Waiting, token: &Token) -> Result<(), SyntaxError> {
        let comes_first = u8::from(matches!(what, Waiting::Operator(Operator::Power)));
        self.complete(what.strength() + comes_first);
        self.wait(what, token)
    }

    /// A product without a sign. In the argument of a function without parentheses it belongs to the argument, but another function
    /// ends that.
    fn join(&mut self, next: &Token) -> Result<(), SyntaxError> {
        self.complete(Waiting::Negate.strength());
        let in_argument = matches!(self.pending.last(), Some((Waiting::Function(_) | Waiting::Joined, _)));
        let ends_it = matches!(next.kind, TokenKind::Function(_));
        let what = if in_argument && !ends_it { Waiting::Joined } else { Waiting::Operator(Operator::Multiply) };
        self.wait_for_right(what, next)
    }

    /// Does what waits and binds at least so tightly, back to the last open parenthesis.
    fn complete(&mut self, strength: u8) {
        while let Some((waiting, _)) = self.pending.last().filter(|(waiting, _)| waiting.strength() >= strength) {
            let operation = match *waiting {
                Waiting::Open => return,
                Waiting::Negate => Operation::Negate,
                Waiting::Joined => Operation::Binary(Operator::Multiply),
                Waiting::Operator(operator) => Operation::Binary(operator),
                Waiting::Function(function) => Operation::Call(function),
            };
            self.pending.pop();
            self.values -= usize::from(matches!(operation, Operation::Binary(_)));
            self.operations.push(operation);
        }
    }

    fn close(&mut self, token: &Token) -> Result<(), SyntaxError> {
        self.complete(1);
        if self.pending.pop().is_none() {
            return Err(SyntaxError::new(token.span.clone(), "a parenthesis is closed that was not opened")
                .expected("there is no `(` before this"));
        }
        if let Some(&(Waiting::Function(function), _)) = self.pending.last() {
            self.pending.pop();
            self.operations.push(Operation::Call(function));
        }
        Ok(())
    }

    fn finish(mut self, text: &str) -> Result<Program, SyntaxError> {
        if !self.has_value {
            return Err(self.without_value(text.len()..text.len()));
        }
        self.complete(1);
        match self.pending.pop() {
            Some((_, open)) => {
                Err(SyntaxError::new(open, "a parenthesis is not closed").expected("there is no `)` for this"))
            }
            None => Ok(Program::new(self.operations)),
        }
    }

    /// Something else stands where a value should, or the text ends there.
    fn without_value(&self, at: Range<usize>) -> SyntaxError {
        if self.pending.is_empty() && self.before.is_empty() {
            let whole = if at.is_empty() { 0..at.end } else { at };
            return SyntaxError::new(whole, "a value is missing").expected("expected a number or a name at the start");
        }
        let example = "expected a value, such as `x` or `2`, after this";
        let title = match self.pending.last() {
            Some((Waiting::Function(_), _)) => "a function has no argument",
            Some((Waiting::Open, _)) => "there is nothing in these parentheses",
            _ => "a value is missing",
        };
        let error = SyntaxError::new(self.before.clone(), title).expected(example);
        if matches!(self.pending.last(), Some((Waiting::Function(_), _))) && !at.is_empty() {
            return error.hint("a power of a function is written behind its argument: `sin(x)^2`");
        }
        error
    }
}

fn too_deep(at: Range<usize>) -> SyntaxError {
    SyntaxError::new(at, "it is nested too deeply")
        .expected("too much waits here to be worked out")
        .hint("use fewer parentheses, or add in another order")
}
