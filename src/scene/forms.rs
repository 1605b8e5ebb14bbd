//! How values are written, for those who wrote them another way.

use crate::scene::decimal::Decimal;

/// How the value of a key is written, for keys whose form a newcomer has to learn.
pub(super) fn example(key: &str) -> &'static str {
    match key {
        "dt" => "write the seconds in quotes, as a fraction or a decimal: `dt: \"1/60\"`",
        "shape" => {
            "write `Sphere(radius: 0.5)`, `Cuboid(half_extents: (1, 1, 1))` or, for one of `shapes`, `Named(\"crate\")`"
        }
        "position" => {
            "write `Origin(0, 1, 0)` for the body's own origin, `CentreOfMass(0, 1, 0)` for its centre of mass"
        }
        "orientation" => {
            "write `AxisDegrees(axis: (0, 1, 0), degrees: 90)` or `Quaternion(1, 0, 0, 0)`, scalar part first"
        }
        "mass" => "write `FromDensity`, `Total(2.5)` or `Given(mass: ..., centre: ..., inertia: ...)`",
        "solver" => "write `Impulse(substeps: 8, iterations: 1)`",
        "correction" => "write `Soft(push_speed: 3)`, `Baumgarte(beta: 0.2, slop: 0.005)` or `Projection(...)`",
        "layout" => {
            "write `Grid(...)`, `Stack(...)`, `Chain(...)`, `Net(...)`, `Wall(...)`, `Pyramid(...)` or `Scatter(...)`"
        }
        "action" => "write for example `Force(body: \"ball\", force: (1, 0, 0))`",
        "at" => "write `World(0, 1, 0)` or `Local(0, 1, 0)`; the `at` of a joint is a point `(0, 1, 0)`",
        _ => "",
    }
}

/// The value of a key as it was probably meant: `Total(3)` for `mass: 3`.
pub(super) fn form_of_key(key: &str, written: &str) -> Option<String> {
    let number = || is_number(written).then_some(written);
    match key {
        "mass" => Some(format!("Total({})", number()?)),
        "position" if written.starts_with('(') => Some(format!("Origin{written}")),
        "shape" => Some(format!("Sphere(radius: {})", number()?)),
        "dt" => Some(format!("\"{}\"", number()?)),
        _ => None,
    }
}

/// A choice whose values have keys, from those that were written without: `Sphere(radius: 0.5)` for `Sphere(0.5)`.
pub(super) fn form_with_keys(name: &str, values: &[&str]) -> Option<String> {
    let vector = || match values {
        [vector] if vector.starts_with('(') => Some((*vector).to_owned()),
        [x, y, z] => Some(format!("({x}, {y}, {z})")),
        [_] | [] | [..] => None,
    };
    let form = match (name, values) {
        ("Sphere", [radius]) if is_number(radius) => format!("Sphere(radius: {radius})"),
        ("Cuboid", _) => format!("Cuboid(half_extents: {})", vector().unwrap_or_else(|| "(1, 1, 1)".to_owned())),
        ("HalfSpace", _) => format!("HalfSpace(normal: {})", vector().unwrap_or_else(|| "(0, 1, 0)".to_owned())),
        ("Capsule", [half_height, radius]) => format!("Capsule(half_height: {half_height}, radius: {radius})"),
        ("Cylinder", [half_height, radius]) => format!("Cylinder(half_height: {half_height}, radius: {radius})"),
        ("Cone", [half_height, radius]) => format!("Cone(half_height: {half_height}, radius: {radius})"),
        ("AxisDegrees", [axis, degrees]) => format!("AxisDegrees(axis: {axis}, degrees: {degrees})"),
        ("AxisRadians", [axis, radians]) => format!("AxisRadians(axis: {axis}, radians: {radians})"),
        ("Soft", [hertz]) => format!("Soft(hertz: {hertz})"),
        ("Baumgarte" | "Projection", [beta]) => format!("{name}(beta: {beta})"),
        ("Impulse", [substeps]) if is_number(substeps) => format!("Impulse(substeps: {substeps})"),
        ("Hull", _) => "Hull(points: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])".to_owned(),
        ("Mesh", _) => "Mesh(points: [(0, 0, 0), (0, 0, 1), (1, 0, 0)], triangles: [(0, 1, 2)])".to_owned(),
        ("Decomposed", _) => "Decomposed(file: \"table.obj\")".to_owned(),
        ("HeightField", _) => "HeightField(heights: [[0, 0], [0, 1]], spacing: (1, 1))".to_owned(),
        ("Sphere", _) => "Sphere(radius: 0.5)".to_owned(),
        ("Capsule", _) => "Capsule(half_height: 0.5, radius: 0.25)".to_owned(),
        ("Cylinder", _) => "Cylinder(half_height: 0.5, radius: 0.25)".to_owned(),
        ("Cone", _) => "Cone(half_height: 0.5, radius: 0.25)".to_owned(),
        ("Given", _) => "Given(mass: ..., centre: ..., inertia: ...)".to_owned(),
        _ => return None,
    };
    Some(form)
}

/// A choice whose values have no keys, from those that were written with: `Total(3)` for `Total(mass: 3)`.
pub(super) fn form_without_keys(name: &str, values: &[&str]) -> Option<String> {
    let has_none = ["Total", "Origin", "CentreOfMass", "Quaternion", "Named", "World", "Local"].contains(&name);
    has_none.then(|| format!("{name}({})", values.join(", ")))
}

fn is_number(text: &str) -> bool {
    Decimal::new(text).is_ok()
}
