//! What expressions mean, what they do not, and that no text stops the reader.

use std::f64::consts::{E, PI};

use proptest::prelude::{Strategy, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};

use crate::geometry::quadrature::Region;
use crate::scene::density::{Expression, MOST_BYTES, syntax};

/// A point without symmetry: r = 3, theta = acos(2/3), phi = atan2(2, 1).
const POINT: [f64; 3] = [1.0, 2.0, 2.0];

fn value(text: &str) -> f64 {
    value_at(text, POINT)
}

fn value_at(text: &str, point: [f64; 3]) -> f64 {
    let expression = Expression::new(text);
    expression.check().unwrap_or_else(|error| panic!("{text}: {error:?}"));
    expression.value_at(point)
}

#[test]
fn operators_bind_as_in_mathematics() {
    for (text, expected) in [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("10 - 4 - 3", 3.0),
        ("24/4/3", 2.0),
        ("2*3/4*5", 7.5),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^-1", 0.5),
        ("2^-3^0", 0.5),
        ("2*-3", -6.0),
        ("--3", 3.0),
        ("5 - -3", 8.0),
        ("+3", 3.0),
        ("1e3 + .5 + 2. + 1.5E-1", 1002.65),
        ("2e", 2.0 * E),
        ("2e^2", 2.0 * E * E),
        ("(((x)))", 1.0),
    ] {
        let found = value(text);
        assert!((found - expected).abs() <= 1e-15 * expected.abs().max(1.0) * 4.0, "{text}: {found}");
    }
}

#[test]
fn what_stands_next_to_each_other_is_multiplied() {
    let (sin, cos) = (libm::sin, libm::cos);
    for (text, expected) in [
        ("2x", 2.0),
        ("2 y z", 8.0),
        ("2(x + y)", 6.0),
        ("(x + y)(y + z)", 12.0),
        ("1/2x", 0.5), // from the left, as with `*`
        ("1/2y", 1.0),
        ("2y^2", 8.0),
        ("y^2 z", 8.0),
        ("-2y", -4.0),
        ("2 pi r", 6.0 * PI),
        ("sin x", sin(1.0)),
        ("2 sin x", 2.0 * sin(1.0)),
        ("sin 2x", sin(2.0)),
        ("sin y^2", sin(4.0)),
        ("sin(y)^2", sin(2.0) * sin(2.0)),
        ("sin(y) z", sin(2.0) * 2.0),
        ("sin 2 pi x / 4", sin(2.0 * PI) / 4.0),
        ("sin x + 1", sin(1.0) + 1.0),
        ("sin x * y", sin(1.0) * 2.0),
        ("sin x cos y", sin(1.0) * cos(2.0)),
        ("sin 2 x y^2 z cos y", sin(16.0) * cos(2.0)),
        ("sin -y", sin(-2.0)),
        ("-sin y", -sin(2.0)),
        ("sin cos y", sin(cos(2.0))),
        ("sin sin(y) z", sin(sin(2.0) * 2.0)),
        ("2^sin x", libm::pow(2.0, sin(1.0))),
        ("exp(-x)y", libm::exp(-1.0) * 2.0),
    ] {
        let found = value(text);
        assert!((found - expected).abs() <= 4e-15 * expected.abs().max(1.0), "{text}: {found}, not {expected}");
    }
}

#[test]
fn coordinates_are_those_of_the_shape() {
    assert_eq!([value("x"), value("y"), value("z"), value("r")], [1.0, 2.0, 2.0, 3.0]);
    let near = |text: &str, point: [f64; 3], expected: f64| {
        let found = value_at(text, point);
        assert!((found - expected).abs() < 1e-15, "{text} at {point:?}: {found}");
    };
    // theta from +z, phi from +x towards +y.
    near("theta", [0.0, 0.0, 2.0], 0.0);
    near("theta", [3.0, 0.0, 0.0], PI / 2.0);
    near("theta", [0.0, 0.0, -1.0], PI);
    near("phi", [1.0, 0.0, 5.0], 0.0);
    near("phi", [0.0, 1.0, -5.0], PI / 2.0);
    near("phi", [0.0, -1.0, 0.0], -PI / 2.0);
    near("phi", [-1.0, 0.0, 0.0], PI);
    // And back: x = r sin(theta) cos(phi), and so on.
    for (text, expected) in [("r sin(theta) cos phi", 1.0), ("r sin(theta) sin(phi)", 2.0), ("r cos theta", 2.0)] {
        assert!((value(text) - expected).abs() < 2e-15, "{text}");
    }
}

/// Each function against its definition, and each inverse against its function.
#[test]
fn every_function_is_what_its_name_says() {
    let identities = [
        ("exp(ln 3)", 3.0),
        ("ln e", 1.0),
        ("log 1000", 3.0),
        ("log10 1000", 3.0),
        ("sqrt 9", 3.0),
        ("abs(-4)", 4.0),
        ("sin(0.7)^2 + cos(0.7)^2", 1.0),
        ("tan 0.7 cos 0.7 / sin 0.7", 1.0),
        ("csc 0.7 sin 0.7", 1.0),
        ("sec 0.7 cos 0.7", 1.0),
        ("cot 0.7 tan 0.7", 1.0),
        ("cosh(0.7)^2 - sinh(0.7)^2", 1.0),
        ("tanh 0.7 cosh 0.7 / sinh 0.7", 1.0),
        ("csch 0.7 sinh 0.7", 1.0),
        ("sech 0.7 cosh 0.7", 1.0),
        ("coth 0.7 tanh 0.7", 1.0),
        ("sin asin 0.3", 0.3),
        ("cos acos 0.3", 0.3),
        ("tan atan 3", 3.0),
        ("csc acsc 3", 3.0),
        ("sec asec 3", 3.0),
        ("cot acot 3", 3.0),
        ("acot(-1)", 0.75 * PI),
        ("sinh asinh 3", 3.0),
        ("cosh acosh 3", 3.0),
        ("tanh atanh 0.3", 0.3),
        ("csch acsch 3", 3.0),
        ("sech asech 0.3", 0.3),
        ("coth acoth 3", 3.0),
        ("arcsin 0.3 - asin 0.3 + arsinh 2 - asinh 2 + arcsinh 2 - arsinh 2", 0.0),
    ];
    for (text, expected) in identities {
        assert!((value(text) - expected).abs() < 1e-14, "{text}: {}", value(text));
    }
}

/// The token that is underlined, and the title.
#[test]
fn what_is_no_expression_is_told_at_its_token() {
    let long = "1+".repeat(MOST_BYTES / 2) + "1";
    let deep = "(".repeat(300) + "1" + &")".repeat(300);
    let wide = "1^(".repeat(70) + "1" + &")".repeat(70);
    for (text, marked, title) in [
        ("", "", "a value is missing"),
        ("   ", "   ", "a value is missing"),
        ("1 + w", "w", "there is no `w`"),
        ("2xy", "xy", "there is no `xy`"),
        ("sin", "sin", "a function has no argument"),
        ("sin^2 x", "sin", "a function has no argument"),
        ("sin()", "(", "there is nothing in these parentheses"),
        ("1 +", "+", "a value is missing"),
        ("1 + * 2", "+", "a value is missing"),
        ("* 2", "*", "a value is missing"),
        ("(1 + 2", "(", "a parenthesis is not closed"),
        ("1 + 2)", ")", "a parenthesis is closed that was not opened"),
        ("x 2", "2", "an operator is missing before a number"),
        ("1.2.3", ".3", "an operator is missing before a number"),
        ("x ** 2", "*", "a value is missing"),
        ("|x|", "|", "`|` means nothing here"),
        ("2·x", "·", "`·` means nothing here"),
        (".", ".", "a number has no digits"),
        ("1e999", "1e999", "a number is too large"),
        (&long, &long, "it is longer than 4096 bytes"),
        (&deep, "(", "it is nested too deeply"),
        (&wide, "1", "it is nested too deeply"),
    ] {
        let error = syntax::read(text).expect_err(text);
        assert_eq!((text.get(error.span.clone()), error.title.as_str()), (Some(marked), title), "{text}");
        assert!(!error.expected.is_empty() || !error.hint.is_empty(), "{text}");
    }
    let hint = |text: &str| syntax::read(text).expect_err(text).hint;
    assert_eq!(hint("2xy"), "write `x*y` for the product");
    assert_eq!(hint("sine x"), "did you mean `sin`?");
    assert_eq!(hint("sin^2 x"), "a power of a function is written behind its argument: `sin(x)^2`");
}

#[test]
fn moments_are_found_once_for_a_shape_and_copies_share_them() {
    let expression = Expression::new("1000*(1 + x)");
    let copy = expression.clone();
    let region = Region::Cuboid { half_extents: [0.5; 3] };
    let first = expression.moments(&region).expect("moments");
    assert_eq!(copy.moments(&region), Ok(first));
    assert_eq!(expression.0.found.lock().expect("a lock").moments.len(), 1);
    assert!(Expression::new("1 +").moments(&region).is_err());
}

#[test]
fn work_counts_operations_and_shapes_that_were_looked_at() {
    let work = |text: &str, sizes: &[f64]| {
        let expression = Expression::new(text);
        for size in sizes {
            expression.moments(&Region::Cuboid { half_extents: [*size; 3] }).expect("moments");
        }
        expression.work()
    };
    let once = work("1000*(1 + x)", &[0.5]);
    // 1000, 1, x, +, *, and the sample itself, in the first cells at least.
    assert!(once.is_multiple_of(6) && once >= 6 * 1000, "{once}");
    assert_eq!(work("1000*(1 + x)", &[0.5, 0.5, 0.5]), once, "what is known is the first that is looked at");
    assert_eq!(work("1000*(1 + x)", &[0.5, 0.25, 0.25]), 2 * once + 2);
}

/// Texts of what expressions are made of, and of anything.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "x", "y", "r", "theta", "pi", "e", "2", "0.5", "1e3", "+", "-", "*", "/", "^", "(", ")", " ", "sin", "ln",
        "acosh", "atan ", "√", "\\", "\"", "", "1e", ".", "é",
    ]);
    prop_oneof![prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat()), any::<String>()]
}

proptest! {
    /// Any text is an expression or has an error at some of its characters; an expression has a value everywhere.
    #[test]
    fn no_text_stops_the_reader(text in texts(), point in prop::array::uniform3(any::<f64>())) {
        match syntax::read(&text) {
            Ok(program) => { program.value_at(point); }
            Err(error) => prop_assert!(text.get(error.span.clone()).is_some(), "{:?}", error),
        }
    }

    /// Sums and products that are written with all their parentheses are worked out as in Rust.
    #[test]
    fn sums_and_products_are_those_of_rust(a in -9.0..9.0_f64, b in -9.0..9.0_f64, c in 1.0..9.0_f64) {
        prop_assert_eq!(value(&format!("({a} + {b})*{c} - {a}/{c}")), (a + b) * c - a / c);
        prop_assert_eq!(value(&format!("{a} - {b} - {c}")), a - b - c);
    }
}
