//! Densities: numbers within limits, expressions that can be read, and that are a density all over the shapes that have them.

use crate::geometry::quadrature::{Moments, QuadratureError};
use crate::scene::density::{Density, DensityError, Expression};
use crate::scene::error::{Problem, quoted};
use crate::scene::path::Path;
use crate::scene::resolve::ResolvedCollider;
use crate::scene::validate::body::volume;
use crate::scene::validate::checker::{Checker, Item};
use crate::scene::validate::limits;

/// Checks what can be said of a density without a shape.
pub(super) fn check_density(checker: &mut Checker<'_>, item: &Item<'_>, density: &Density) {
    match density {
        Density::Number(number) => checker.number(item, number, &limits::DENSITY),
        Density::Expression(expression) => {
            if let Err(error) = expression.check() {
                let path = item.path.bytes(error.span.clone());
                let problem = Problem::new(path, format!("{}: {}", item.words(), error.title));
                checker.add(problem.expected(error.expected.clone()).hint(error.hint.clone()));
            } else if let Some(number) = expression.constant() {
                checker.number(item, &number, &limits::DENSITY);
            }
        }
    }
}

/// Checks the expressions of a body's colliders over their shapes; whether all of them give a mass.
pub(super) fn check_densities(checker: &mut Checker<'_>, item: &Item<'_>, colliders: &[ResolvedCollider]) -> bool {
    let mut all_give = true;
    for collider in colliders.iter().filter(|collider| !collider.is_sensor && volume(&collider.shape) > 0.0) {
        let (Density::Expression(expression), Some(region)) = (&collider.material.density, collider.shape.region())
        else {
            continue;
        };
        if let Some(number) = expression.constant() {
            // Told where it stands.
            all_give &= limits::DENSITY.contain(number.exact());
            continue;
        }
        if checker.density_work > limits::MAX_DENSITY_WORK {
            refuse_more_work(checker, item);
            return false;
        }
        let before = expression.work();
        let moments = expression.moments(&region);
        checker.density_work = checker.density_work.saturating_add(expression.work().saturating_sub(before));
        let problem = match moments {
            Ok(moments) => out_of_range(&moments, region.unit_of_density()),
            Err(DensityError::Syntax(_)) => None, // told where it stands
            Err(DensityError::Quadrature(error)) => Some(explain(error)),
        };
        if let Some((title, expected, hint)) = problem {
            let place = place_of(checker, expression);
            let name = place.as_ref().map_or_else(String::new, |(name, _)| format!(" of material {}", quoted(name)));
            let path = place.map_or_else(|| item.path.clone(), |(_, path)| path);
            let title = format!("`density`{name} {title} in {}", item.words());
            checker.add(Problem::new(path, title).expected(expected).hint(hint));
            all_give = false;
        }
        all_give &= expression.check().is_ok();
    }
    all_give
}

/// Says once that the densities of the scene are too much work.
fn refuse_more_work(checker: &mut Checker<'_>, item: &Item<'_>) {
    if checker.density_work == u64::MAX {
        return;
    }
    checker.density_work = u64::MAX;
    let title = format!("the densities of this scene take too long to be added up, up to {}", item.words());
    checker.add(
        Problem::new(item.path.clone(), title)
            .expected(format!("at most {} operations of formulas, over all different shapes", limits::MAX_DENSITY_WORK))
            .hint("shorten the formulas, give bodies that are alike the same shape, or write densities as numbers"),
    );
}

/// The material with this expression, and where it stands.
fn place_of(checker: &Checker<'_>, expression: &Expression) -> Option<(String, Path)> {
    let has_it = |density: &Density| matches!(density, Density::Expression(other) if other == expression);
    let (name, _) = checker.scene().materials.iter().find(|(_, material)| has_it(&material.density))?;
    Some((name.clone(), Path::root().key("materials").name(name).key("density")))
}

/// What is wrong with the mean of a density, if anything: title, what was expected, what to do.
fn out_of_range(moments: &Moments, unit: &str) -> Option<(String, String, String)> {
    let mean = moments.mass / moments.volume;
    let title = || format!("is {mean:.3e} {unit} on average, which is out of range,");
    let expected = || format!("expected {}", limits::DENSITY);
    (!limits::DENSITY.contain_about(mean)).then(|| (title(), expected(), String::new()))
}

/// What a failed quadrature means: title, what was expected, what to do.
fn explain(error: QuadratureError) -> (String, String, String) {
    match error {
        QuadratureError::Value { point: [x, y, z], value, unit } => {
            let is = if value.is_nan() { "is not a number".to_owned() } else { format!("is {value:.4} {unit}") };
            (
                format!("{is} at ({x:.4}, {y:.4}, {z:.4})"),
                "expected zero or more all over the shape".to_owned(),
                "the point is in the frame of the shape, in metres; angles are in radians".to_owned(),
            )
        }
        QuadratureError::Zero => ("is zero everywhere".to_owned(), "expected a mass".to_owned(), String::new()),
        QuadratureError::Overflow => {
            ("is too large to be added up".to_owned(), format!("expected {}", limits::DENSITY), String::new())
        }
        QuadratureError::Rough { error } => (
            format!("changes so abruptly that the mass is known to one part in {:.0} only,", 1.0 / error),
            "expected something smoother".to_owned(),
            "write several colliders, each with a density of its own".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::parse::parse;
    use crate::scene::path::Path;
    use crate::scene::resolve::resolve_body;
    use crate::scene::validate::checker::{Checker, Item};
    use crate::scene::validate::density::check_densities;
    use crate::scene::validate::limits::MAX_DENSITY_WORK;

    #[test]
    fn densities_of_a_scene_have_a_budget() {
        let scene = parse(
            "dense.ron",
            r#"(version: 1, name: "dense", materials: {"m": (density: "1000*(2 + x)")},
                bodies: [(name: "b", shape: Sphere(radius: 0.5), material: "m")])"#,
        )
        .expect("a scene");
        let colliders = resolve_body(&scene, &scene.bodies[0]).expect("a body").colliders;
        let item = Item::new(Path::root(), "body `b`");
        let mut checker = Checker::new(&scene);
        assert!(check_densities(&mut checker, &item, &colliders), "there is work left");
        checker.density_work = MAX_DENSITY_WORK + 1;
        assert!(!check_densities(&mut checker, &item, &colliders));
        assert!(!check_densities(&mut checker, &item, &colliders), "and it is said once");
        let titles: Vec<String> = checker.into_problems().into_iter().map(|problem| problem.title).collect();
        assert_eq!(titles, ["the densities of this scene take too long to be added up, up to body `b`"]);
    }
}
