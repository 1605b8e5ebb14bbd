//! Overrides of single keys, and inputs that come line by line.

use insta::assert_snapshot;

use crate::math::ScalarKind;
use crate::scene::decimal::Decimal;
use crate::scene::density::{Density, Expression};
use crate::scene::input::{append_inputs, parse_input_line};

use crate::scene::model::{Action, Clamping, CombineRule, Correction, NarrowPhase, Scene, Solver, Switch};
use crate::scene::overrides::apply_override;
use crate::scene::parse::parse;
use crate::scene::query::parse_query;

const ALL_FEATURES: &str = include_str!("all_features.ron");

fn all_features() -> Scene {
    parse("all_features.ron", ALL_FEATURES).unwrap_or_else(|error| panic!("{error}"))
}

/// The scene after an override, compared with the same change made in the model.
fn assert_override(assignment: &str, change: impl FnOnce(&mut Scene)) {
    let mut overridden = all_features();
    apply_override(&mut overridden, assignment).unwrap_or_else(|error| panic!("{error}"));
    let mut expected = all_features();
    change(&mut expected);
    assert_eq!(overridden, expected, "{assignment}");
}

fn decimal(text: &str) -> Decimal {
    Decimal::new(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn a_density_is_set_to_a_number_or_a_formula_with_or_without_quotes() {
    let formula = |text: &str| Density::Expression(Expression::new(text));
    for (assignment, expected) in [
        ("materials.ice.density=500", Density::Number(decimal("500"))),
        ("materials.ice.density = 1e3 // light", Density::Number(decimal("1e3"))),
        ("materials.ice.density=900*(1 + x^2)", formula("900*(1 + x^2)")),
        ("materials.ice.density=\"900 + x/2\"", formula("900 + x/2")),
        ("materials.ice.density=r", formula("r")),
    ] {
        assert_override(assignment, |scene| {
            scene.materials.get_mut("ice").expect("ice").density = expected.clone();
        });
        let mut scene = all_features();
        apply_override(&mut scene, "materials.ice.density=exp(-r)").unwrap_or_else(|error| panic!("{error}"));
        apply_override(&mut scene, assignment).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(scene.materials["ice"].density, expected, "from a formula: {assignment}");
        let text = scene.to_canonical_ron();
        assert_eq!(parse("canonical", &text).unwrap_or_else(|error| panic!("{error}")), scene);
        assert_eq!(parse("canonical", &text).map(|scene| scene.to_canonical_ron()), Ok(text));
    }
    let refusals = ["900*(1 + xx)", "\"900*(1 + xx)\"", "sin", ""].map(|value| {
        let assignment = format!("materials.ice.density={value}");
        apply_override(&mut all_features(), &assignment).expect_err(value).render(false)
    });
    assert_snapshot!(refusals.join("\n\n"));
}

#[test]
fn an_override_changes_one_key_and_no_other_number() {
    assert_override("scalar=Fixed", |scene| scene.scalar = ScalarKind::Fixed);
    assert_override(" steps = 7 // seven", |scene| scene.steps = 7);
    assert_override("dt=1/120", |scene| scene.dt = "1/120".parse().expect("a time step"));
    assert_override("dt=\"0.5\"", |scene| scene.dt = "1/2".parse().expect("a time step"));
    assert_override("name=new = name", |scene| scene.name = "new = name".to_owned());
    assert_override("gravity.1=-0.10", |scene| scene.gravity.1 = decimal("-0.10"));
    assert_override("bounds.position=30000", |scene| scene.bounds.position = decimal("30000"));
    assert_override("materials.ice.friction=1e-2", |scene| {
        scene.materials.get_mut("ice").expect("ice").friction = decimal("1e-2");
    });
    assert_override("solver.iterations=20", |scene| {
        let Solver::Impulse(solver) = &mut scene.solver;
        solver.iterations = 20;
    });
    assert_override("solver.clamping=Accumulated", |scene| {
        let Solver::Impulse(solver) = &mut scene.solver;
        solver.clamping = Clamping::Accumulated;
    });
    assert_override("narrow_phase=Gjk", |scene| scene.narrow_phase = NarrowPhase::Gjk);
    assert_override("continuous=On", |scene| scene.continuous = Switch::On);
    assert_override("materials.ice.restitution_combine=Multiply", |scene| {
        scene.materials.get_mut("ice").expect("ice").restitution_combine = CombineRule::Multiply;
    });
    assert_override("solver.correction.beta=0.25", |scene| {
        let Solver::Impulse(solver) = &mut scene.solver;
        solver.correction = Correction::Baumgarte { beta: decimal("0.25"), slop: decimal("0.01") };
    });
    assert_override("solver.correction=Projection(slop: 0.02)", |scene| {
        let Solver::Impulse(solver) = &mut scene.solver;
        solver.correction = Correction::Projection { beta: decimal("0.2"), slop: decimal("0.02") };
    });
    assert_override("bodies.ball.gravity_scale=2", |scene| {
        scene.bodies.iter_mut().filter(|body| body.name == "ball").for_each(|body| body.gravity_scale = decimal("2"));
    });
    assert_override("groups.stack.layout.count=9", |scene| {
        for group in scene.groups.iter_mut().filter(|group| group.name == "stack") {
            if let crate::scene::model::Layout::Stack { count, .. } = &mut group.layout {
                *count = 9;
            }
        }
    });
}

#[test]
fn the_default_material_can_be_set_where_the_scene_has_none() {
    let mut scene = Scene::new("plain");
    apply_override(&mut scene, "materials.default.restitution=0.5").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(scene.materials.get("default").map(|material| material.restitution.clone()), Some(decimal("0.5")));
}

/// What follows the substeps can be given, and left to follow them again.
#[test]
fn the_frequency_of_contacts_is_set_and_taken_back() {
    let mut scene = Scene::new("plain");
    let hertz = |scene: &Scene| {
        let Solver::Impulse(solver) = &scene.solver;
        match &solver.correction {
            Correction::Soft { hertz, .. } => hertz.clone(),
            Correction::Baumgarte { .. } | Correction::Projection { .. } => panic!("it is soft"),
        }
    };
    assert_eq!(hertz(&scene), None);
    for (assignment, expected) in
        [("solver.correction.hertz=45.50", Some("45.50")), ("solver.correction.hertz=None", None)]
    {
        apply_override(&mut scene, assignment).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(hertz(&scene), expected.map(decimal));
        assert_eq!(parse("canonical", &scene.to_canonical_ron()), Ok(scene.clone()));
    }
}

#[test]
fn an_override_that_cannot_be_made_says_why_and_changes_nothing() {
    let assignments = [
        "solver.iterations",
        "solver.iteration=20",
        "solvr.iterations=20",
        "=3",
        "steps.x=3",
        "gravity.y=3",
        "solver.iterations=",
        "solver.iterations=twenty",
        "solver.iterations=20, substeps: 3",
        "solver.iterations=2000",
        "solver.correction=Baumgarte(beta: 0.2, slopp: 0.01)",
        "solver.correction=Baumgarte(beta: 7)",
        "solver.correction=(",
        "dt=0",
        "scalar=f16",
        "bounds.position=10",
        "materials.lava.friction=1",
        "bodies.ball.shape=Named(\"brick\")",
        "version=2",
    ];
    let shown: Vec<String> = assignments
        .iter()
        .map(|assignment| {
            let mut scene = all_features();
            let error = apply_override(&mut scene, assignment).expect_err(assignment);
            assert_eq!(scene, all_features());
            error.render(false)
        })
        .collect();
    assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn an_input_written_as_a_line_reads_back() {
    for input in all_features().inputs {
        let line = input.to_ron_line();
        assert!(!line.contains('\n'));
        assert_eq!(parse_input_line("inputs", 1, &line), Ok(input));
    }
}

#[test]
fn a_query_written_as_a_line_reads_back() {
    let scene = all_features();
    for query in scene.queries.values() {
        let line = query.to_ron_line();
        assert!(!line.contains('\n'));
        assert_eq!(parse_query(&scene, "query", &line).as_ref(), Ok(query));
    }
}

#[test]
fn queries_that_cannot_be_asked_are_shown_in_their_own_text() {
    let shown: Vec<String> = [
        "Ray(from: (0, 1, 0), too: (0, 0, 0))",
        "Ray(from: (0, 1, 0), to: (0, 1e9, 0), filter: (sees: [\"wal\"]))",
        "Between(bodies: (\"ball\", \"bal\"))",
        "Ray(from: (0, 1, 0)",
    ]
    .iter()
    .map(|text| parse_query(&all_features(), "query 1", text).expect_err(text).render(false))
    .collect();
    assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn added_inputs_follow_those_of_the_scene() {
    let mut scene = all_features();
    let own = scene.inputs.len();
    let lines = "// a comment\n\n(step: 20, action: SetGravity(0, -1, 0))\r\n(step: 21, action: Remove(\"ball\"))";
    append_inputs(&mut scene, "inputs.ron", lines).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(scene.inputs.len(), own + 2);
    assert_eq!(scene.inputs.last().map(|input| input.action.clone()), Some(Action::Remove("ball".to_owned())));
}

#[test]
fn inputs_that_cannot_be_used_are_shown_by_line() {
    let shown: Vec<String> = [
        "(step: 1, action: SetGravity(0, 0, 0))\n(step: 2, actoin: SetGravity(0, 0, 0))",
        "\n\n(step: 1, action: Remove(\"ball\")",
        "(step: 1, action: Remove(\"ball\"))\n// gone\n(step: 2, action: Force(body: \"ball\", force: (1e12, 0, 0)))\n\
         (step: 3, action: Remove(\"nobody\"))",
    ]
    .iter()
    .map(|lines| {
        let mut scene = parse("s", "(version: 1, name: \"s\", bodies: [(name: \"ball\", shape: Sphere(radius: 1))])")
            .unwrap_or_else(|error| panic!("{error}"));
        let before = scene.clone();
        let error = append_inputs(&mut scene, "inputs.ron", lines).expect_err(lines);
        assert_eq!(scene, before);
        error.render(false)
    })
    .collect();
    assert_snapshot!(shown.join("\n\n"));
}
