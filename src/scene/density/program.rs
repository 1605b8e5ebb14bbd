//! An expression in the order in which it is worked out.

use crate::scene::density::function::{Function, Value};

/// How many values wait at most while an expression is worked out.
pub(super) const MOST_WAITING: usize = 64;

/// An operation on the values that wait: the last ones are taken, the result waits in their place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    /// One more value.
    Push(Value),
    /// Changes the sign.
    Negate,
    /// Of the last two values.
    Binary(Operator),
    /// Of the last value.
    Call(Function),
}

/// An operator between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// Operations that leave one value.
#[derive(Clone, Debug)]
pub(super) struct Program {
    operations: Vec<Operation>,
}

impl Program {
    /// The program of operations each of which finds its values, with at most [`MOST_WAITING`] at a time.
    pub(super) const fn new(operations: Vec<Operation>) -> Self {
        Self { operations }
    }

    /// Whether the value is the same at all points.
    pub(super) fn is_constant(&self) -> bool {
        let is_constant = |operation: &Operation| match operation {
            Operation::Push(value) => matches!(value, Value::Constant(_)),
            Operation::Negate | Operation::Binary(_) | Operation::Call(_) => true,
        };
        self.operations.iter().all(is_constant)
    }

    /// How many operations it has.
    pub(super) const fn length(&self) -> usize {
        self.operations.len()
    }

    /// The value at a point.
    pub(super) fn value_at(&self, point: [f64; 3]) -> f64 {
        let mut waiting = [0.0; MOST_WAITING];
        let mut count = 0;
        for operation in &self.operations {
            match *operation {
                Operation::Push(value) => {
                    waiting[count] = worth(value, point);
                    count += 1;
                }
                Operation::Negate => waiting[count - 1] = -waiting[count - 1],
                Operation::Call(function) => waiting[count - 1] = function(waiting[count - 1]),
                Operation::Binary(operator) => {
                    count -= 1;
                    waiting[count - 1] = operator.apply(waiting[count - 1], waiting[count]);
                }
            }
        }
        waiting[0]
    }
}

impl Operator {
    fn apply(self, left: f64, right: f64) -> f64 {
        match self {
            Self::Add => left + right,
            Self::Subtract => left - right,
            Self::Multiply => left * right,
            Self::Divide => left / right,
            Self::Power if right == 2.0 => left * left, // by far the most frequent power, and ten times as fast
            Self::Power => libm::pow(left, right),
        }
    }
}

/// What a name is at a point.
fn worth(value: Value, [x, y, z]: [f64; 3]) -> f64 {
    match value {
        Value::Axis(axis) => [x, y, z][axis],
        Value::Radius => (x * x + y * y + z * z).sqrt(),
        Value::Theta => libm::atan2((x * x + y * y).sqrt(), z),
        Value::Phi => libm::atan2(y, x),
        Value::Constant(number) => number,
    }
}
