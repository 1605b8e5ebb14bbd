//! The names that an expression may use: coordinates, constants and functions.
//!
//! All through the pinned `libm`, so that a formula has the same value on every machine.

use std::f64::consts::{E, FRAC_PI_2, PI};

/// A function of one number.
pub(super) type Function = fn(f64) -> f64;

/// What a name without an argument stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    /// A coordinate: 0 is x, 1 is y, 2 is z.
    Axis(usize),
    /// The distance from the origin.
    Radius,
    /// The angle from the z axis, 0 to pi.
    Theta,
    /// The angle about the z axis, from +x towards +y, -pi to pi.
    Phi,
    /// A number.
    Constant(f64),
}

/// Every name of a value.
const VALUES: [(&str, Value); 8] = [
    ("x", Value::Axis(0)),
    ("y", Value::Axis(1)),
    ("z", Value::Axis(2)),
    ("r", Value::Radius),
    ("theta", Value::Theta),
    ("phi", Value::Phi),
    ("pi", Value::Constant(PI)),
    ("e", Value::Constant(E)),
];

/// Every name of a function; inverse functions have three.
const FUNCTIONS: [(&[&str], Function); 29] = [
    (&["ln"], libm::log),
    (&["log", "log10"], libm::log10),
    (&["exp"], libm::exp),
    (&["sqrt"], libm::sqrt),
    (&["abs"], libm::fabs),
    (&["sin"], libm::sin),
    (&["cos"], libm::cos),
    (&["tan"], libm::tan),
    (&["csc"], |x| 1.0 / libm::sin(x)),
    (&["sec"], |x| 1.0 / libm::cos(x)),
    (&["cot"], |x| 1.0 / libm::tan(x)),
    (&["asin", "arcsin"], libm::asin),
    (&["acos", "arccos"], libm::acos),
    (&["atan", "arctan"], libm::atan),
    (&["acsc", "arccsc"], |x| libm::asin(1.0 / x)),
    (&["asec", "arcsec"], |x| libm::acos(1.0 / x)),
    (&["acot", "arccot"], |x| FRAC_PI_2 - libm::atan(x)),
    (&["sinh"], libm::sinh),
    (&["cosh"], libm::cosh),
    (&["tanh"], libm::tanh),
    (&["csch"], |x| 1.0 / libm::sinh(x)),
    (&["sech"], |x| 1.0 / libm::cosh(x)),
    (&["coth"], |x| 1.0 / libm::tanh(x)),
    (&["asinh", "arsinh", "arcsinh"], libm::asinh),
    (&["acosh", "arcosh", "arccosh"], libm::acosh),
    (&["atanh", "artanh", "arctanh"], libm::atanh),
    (&["acsch", "arcsch", "arccsch"], |x| libm::asinh(1.0 / x)),
    (&["asech", "arsech", "arcsech"], |x| libm::acosh(1.0 / x)),
    (&["acoth", "arcoth", "arccoth"], |x| libm::atanh(1.0 / x)),
];

/// The value of this name.
pub(super) fn value(name: &str) -> Option<Value> {
    VALUES.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

/// The function of this name.
pub(super) fn function(name: &str) -> Option<Function> {
    FUNCTIONS.iter().find(|(known, _)| known.contains(&name)).map(|(_, function)| *function)
}

/// Every name, each function by its first.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    VALUES.iter().map(|(name, _)| *name).chain(FUNCTIONS.iter().filter_map(|(names, _)| names.first().copied()))
}

/// Whether a word is several values put next to each other, such as `xy`: as they should be written.
pub(super) fn apart(word: &str) -> Option<String> {
    let mut rest = word;
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let (name, _) = VALUES.iter().filter(|(name, _)| rest.starts_with(name)).max_by_key(|(name, _)| name.len())?;
        parts.push(*name);
        rest = rest.get(name.len()..)?;
    }
    Some(parts.join("*"))
}
