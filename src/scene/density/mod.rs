//! The density of a material: a number, or an expression over the place in the shape.
//!
//! `token` cuts a text into tokens, `syntax` puts them into the order in which they are worked out, `program` does that, and
//! `function` has the names. What the integrals of a density over a shape are, `geometry::quadrature` knows.

mod function;
mod program;
mod syntax;
#[cfg(test)]
mod tests;
mod token;

use std::cell::Cell;
use std::fmt::{self, Display};
use std::sync::{Arc, Mutex, PoisonError};

use ron::value::RawValue;
use serde::de::Error as DeserializeError;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::geometry::quadrature::{Moments, QuadratureError, Region, moments_of};
use crate::scene::decimal::{Decimal, DecimalError};
use crate::scene::density::program::Program;

pub use syntax::{MOST_BYTES, SyntaxError};

/// How dense a material is, kg/m^3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Density {
    /// The same everywhere.
    Number(Decimal),
    /// What an expression says, in the frame of the shape.
    Expression(Expression),
}

/// A density as a formula. Copies share what was found from it.
#[derive(Clone)]
pub struct Expression(Arc<Written>);

struct Written {
    text: String,
    program: Result<Program, SyntaxError>,
    found: Mutex<Found>,
}

/// What was found from an expression.
#[derive(Default)]
struct Found {
    /// The moments of the shapes that were asked for: many bodies of a scene have the same.
    moments: Vec<(Region, Result<Moments, QuadratureError>)>,
    /// What that took: operations of the expression, and shapes that were looked at.
    work: u64,
}

/// Why a shape of some density has no moments.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DensityError {
    /// The text is no expression.
    #[error("{0}")]
    Syntax(#[from] SyntaxError),
    /// It is one, but gives no mass.
    #[error("{0}")]
    Quadrature(#[from] QuadratureError),
}

impl Expression {
    /// Reads an expression. What is wrong with it is kept, and told by [`check`](Self::check).
    #[must_use]
    pub fn new(text: &str) -> Self {
        let program = syntax::read(text);
        Self(Arc::new(Written { text: text.to_owned(), program, found: Mutex::default() }))
    }

    /// The text as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Whether it is an expression at all.
    ///
    /// # Errors
    /// The token that is not expected where it stands.
    pub fn check(&self) -> Result<(), &SyntaxError> {
        self.0.program.as_ref().map(|_| ())
    }

    /// The value at a point of the shape's frame; NaN of what is no expression.
    #[must_use]
    pub fn value_at(&self, point: [f64; 3]) -> f64 {
        self.0.program.as_ref().map_or(f64::NAN, |program| program.value_at(point))
    }

    /// The number that this is everywhere, if it names no place: taken as exactly as one that is written without quotes, where sums over
    /// a shape would round it.
    #[must_use]
    pub fn constant(&self) -> Option<Decimal> {
        let program = self.0.program.as_ref().ok().filter(|program| program.is_constant())?;
        Decimal::new(self.text().trim()).or_else(|_| Decimal::new(&program.value_at([0.0; 3]).to_string())).ok()
    }

    /// The mass of a shape of this density and how it lies.
    ///
    /// # Errors
    /// When this is no expression, or is negative or not finite somewhere; when there is no mass.
    pub fn moments(&self, region: &Region) -> Result<Moments, DensityError> {
        let program = self.0.program.as_ref().map_err(Clone::clone)?;
        let mut found = self.0.found.lock().unwrap_or_else(PoisonError::into_inner);
        let known = found.moments.iter().position(|(known, _)| known == region);
        found.work += known.unwrap_or(found.moments.len()) as u64;
        if let Some((_, moments)) = known.and_then(|place| found.moments.get(place)) {
            return Ok((*moments)?);
        }
        let samples = Cell::new(0);
        let moments = moments_of(region, &|point| {
            samples.set(samples.get() + 1);
            program.value_at(point)
        });
        found.work += samples.get() * (program.length() as u64 + 1);
        found.moments.push((region.clone(), moments));
        Ok(moments?)
    }

    /// How much work [`moments`](Self::moments) has been so far, in operations: no measure of time, so that it is the same everywhere.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.0.found.lock().unwrap_or_else(PoisonError::into_inner).work
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.0.text == other.0.text
    }
}

impl Eq for Expression {}

impl fmt::Debug for Expression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0.text, formatter)
    }
}

impl Display for Density {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(formatter),
            Self::Expression(expression) => formatter.pad(expression.text()),
        }
    }
}

impl Serialize for Density {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => number.serialize(serializer),
            Self::Expression(expression) => serializer.serialize_str(expression.text()),
        }
    }
}

impl<'de> Deserialize<'de> for Density {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.trim().get_ron();
        if let Ok(text) = ron::from_str::<String>(raw) {
            return Ok(Self::Expression(Expression::new(&text)));
        }
        match Decimal::new(raw) {
            Ok(number) => Ok(Self::Number(number)),
            Err(DecimalError::NotANumber) => Err(D::Error::custom(
                "expected a number such as `1000`, or an expression in quotes such as `\"1000*(1 + x^2)\"`",
            )),
            Err(error) => Err(D::Error::custom(error)),
        }
    }
}
