//! Scenes that are right: what they expand to, that their text is kept, and that their numbers stay exact.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use proptest::prelude::{Strategy, any, prop_assert_eq, proptest};

use crate::math::{Fixed, Scalar};
use crate::scene::decimal::{Decimal, Exact};
use crate::scene::generate::{MAX_BODIES, expand, write_out_group};
use crate::scene::joints::expand_joints;
use crate::scene::model::{Body, Group, GroupBody, Layout, Material, Orientation, Place, Scene, Shape, Vector};
use crate::scene::parse::parse;
use crate::scene::resolve::{ResolvedBody, ResolvedShape};
use crate::scene::validate::validate;

const ALL_FEATURES: &str = include_str!("all_features.ron");

fn parsed(text: &str) -> Scene {
    parse("good.ron", text).unwrap_or_else(|error| panic!("{error}"))
}

fn decimal(text: &str) -> Decimal {
    Decimal::new(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn vector(x: &str, y: &str, z: &str) -> Vector {
    Vector(decimal(x), decimal(y), decimal(z))
}

/// The bodies that one group makes.
fn copies(layout: Layout) -> Vec<ResolvedBody> {
    let mut scene = Scene::new("one group");
    let body = GroupBody { shape: Some(Shape::Sphere { radius: decimal("0.5") }), ..GroupBody::default() };
    scene.groups.push(Group { name: "g".to_owned(), body, layout });
    validate(&scene).unwrap_or_else(|error| panic!("{error}"));
    expand(&scene).unwrap_or_else(|error| panic!("{error}"))
}

fn origin(body: &ResolvedBody) -> &Vector {
    match &body.position {
        Place::Origin(origin) | Place::CentreOfMass(origin) => origin,
    }
}

fn places(bodies: &[ResolvedBody]) -> Vec<String> {
    bodies.iter().map(|body| format!("{} {:?}", body.name, origin(body))).collect()
}

#[test]
fn the_canonical_text_parses_back_to_an_equal_scene() {
    let scene = parsed(ALL_FEATURES);
    let text = scene.to_canonical_ron();
    assert_eq!(parsed(&text), scene);
    assert_eq!(parsed(&text).to_canonical_ron(), text);
    for kept in ["gravity: (0.0, -1.62e0, +0)", "radius: .5", "impulse: (0, 0, 1e-3)", "dt: \"1/100\""] {
        assert!(text.contains(kept), "{kept} is not in\n{text}");
    }
}

#[test]
fn keys_that_are_not_written_have_their_defaults() {
    let scene = parsed("(version: 1, name: \"empty\", bodies: [(name: \"a\", shape: Sphere(radius: 1))])");
    let mut expected = Scene::new("empty");
    expected.bodies.push(Body { shape: Some(Shape::Sphere { radius: decimal("1") }), ..Body::new("a") });
    assert_eq!(scene, expected);
    assert_eq!(parsed(&scene.to_canonical_ron()), scene);
    assert_eq!((scene.dt.numerator(), scene.dt.denominator()), (1, 60));
    assert_eq!(format!("{:?}", scene.gravity), "Vector(0, -9.81, 0)");
}

#[test]
fn attributes_comments_and_some_are_read_as_ron_has_them() {
    let scene = parsed(
        "#![enable(implicit_some)]\n/* a /* nested */ comment */ Scene(version: 1, name: r#\"raw \"name\"\"#, bodies: [
            (name: \"a\\u{62}c\", shape: Some(Sphere(radius: /* here */ 1.5 // there\n)), material: None)])",
    );
    assert_eq!(scene.name, "raw \"name\"");
    assert_eq!(scene.bodies.first().map(|body| body.name.as_str()), Some("abc"));
    assert_eq!(
        scene.bodies.first().and_then(|body| body.shape.clone()),
        Some(Shape::Sphere { radius: decimal("1.5") })
    );
}

#[test]
fn bodies_come_sorted_by_name_with_references_followed() {
    let bodies = expand(&parsed(ALL_FEATURES)).unwrap_or_else(|error| panic!("{error}"));
    // 6 written, 2*1*3, 3, 3, 2*1*2, 3+3, 3+2+1, 9+4+1, 2*2*1.
    assert_eq!(bodies.len(), 6 + 6 + 3 + 3 + 4 + 6 + 6 + 14 + 4);
    assert!(bodies.windows(2).all(|pair| matches!(pair, [a, b] if a.name < b.name)));
    let lift = bodies.iter().find(|body| body.name == "lift").expect("the scene has a lift");
    let expected = ResolvedShape::Cuboid { half_extents: vector("0.5", "0.25", "0.125") };
    assert_eq!(lift.colliders.first().map(|collider| &collider.shape), Some(&expected));
    assert_eq!(lift.colliders.first().map(|collider| collider.material.friction.to_string()), Some("0.4".to_owned()));
}

#[test]
fn the_order_of_bodies_in_the_file_does_not_matter() {
    let mut scene = parsed(ALL_FEATURES);
    let expanded = expand(&scene).unwrap_or_else(|error| panic!("{error}"));
    scene.bodies.reverse();
    scene.groups.reverse();
    assert_eq!(expand(&scene).unwrap_or_else(|error| panic!("{error}")), expanded);
}

#[test]
fn layouts_place_their_copies_by_exact_sums() {
    let spacing = || vector("1.1", "0.3", "-0.7");
    let start = || vector("0.1", "0", "10");
    let grid = copies(Layout::Grid { origin: start(), count: (2, 1, 2), spacing: spacing() });
    let expected = [
        "g[0,0,0] Vector(0.1, 0, 10)",
        "g[0,0,1] Vector(0.1, 0, 9.3)",
        "g[1,0,0] Vector(1.2, 0, 10)",
        "g[1,0,1] Vector(1.2, 0, 9.3)",
    ];
    assert_eq!(places(&grid), expected);
    let stack = copies(Layout::Stack { origin: start(), count: 3, spacing: spacing() });
    assert_eq!(places(&stack), ["g[0] Vector(0.1, 0, 10)", "g[1] Vector(1.2, 0.3, 9.3)", "g[2] Vector(2.3, 0.6, 8.6)"]);
    let wall = copies(Layout::Wall { origin: start(), base: 2, rows: 3, spacing: spacing(), taper: false });
    let expected = [
        "g[0,0] Vector(0.1, 0, 10)",
        "g[0,1] Vector(1.2, 0, 9.3)",
        "g[1,0] Vector(0.65, 0.3, 9.65)",
        "g[1,1] Vector(1.75, 0.3, 8.95)",
        "g[2,0] Vector(0.1, 0.6, 10)",
        "g[2,1] Vector(1.2, 0.6, 9.3)",
    ];
    assert_eq!(places(&wall), expected);
    let taper = copies(Layout::Wall { origin: start(), base: 2, rows: 2, spacing: spacing(), taper: true });
    assert_eq!(places(&taper), expected[..3]);
    let pyramid = copies(Layout::Pyramid { origin: start(), base: 2, spacing: spacing() });
    let expected = [
        "g[0,0,0] Vector(0.1, 0, 10)",
        "g[0,0,1] Vector(0.1, 0, 9.3)",
        "g[0,1,0] Vector(1.2, 0, 10)",
        "g[0,1,1] Vector(1.2, 0, 9.3)",
        "g[1,0,0] Vector(0.65, 0.3, 9.65)",
    ];
    assert_eq!(places(&pyramid), expected);
}

fn scatter(origin: Vector, count: u32, seed: u64) -> Vec<ResolvedBody> {
    let (spacing, jitter) = (vector("2", "2", "2"), vector("0.5", "0", "0.25"));
    copies(Layout::Scatter { origin, count: (count, count, count), spacing, jitter, random_rotation: true, seed })
}

#[test]
fn scattered_copies_keep_their_jitter_and_move_exactly_with_the_origin() {
    let near = scatter(vector("0", "0", "0"), 5, 1);
    let far = scatter(vector("100.03", "0", "0"), 5, 1);
    for (near, far) in near.iter().zip(&far) {
        assert_eq!(near.orientation, far.orientation);
        let moved = origin(near).0.exact().checked_add(decimal("100.03").exact());
        assert_eq!(Some(origin(far).0.exact()), moved);
    }
    for body in &near {
        let off_grid = |component: &Decimal| {
            let nearest = Exact::from((component.to_f64() / 2.0).round() as i64 * 2);
            component.exact().checked_sub(nearest).map(Exact::abs).unwrap_or(Exact::from(9))
        };
        assert!(off_grid(&origin(body).0) <= decimal("0.5").exact());
        assert!(off_grid(&origin(body).1).is_zero());
        assert!(off_grid(&origin(body).2) <= decimal("0.25").exact());
    }
    let distinct: BTreeSet<String> = near.iter().map(|body| format!("{:?}", body.orientation)).collect();
    assert_eq!(distinct.len(), 125);
    assert_ne!(scatter(vector("0", "0", "0"), 5, 2), near);
}

#[test]
fn random_rotations_are_spread_evenly() {
    // For a uniform unit quaternion a component has mean 0 and variance 1/4, a squared component mean 1/4 and variance
    // 1/16 (a Beta(1/2, 3/2) variable), and a product of two components mean 0 and variance 1/24. Over n copies each mean
    // lies within five standard deviations but for one seed in a million.
    let bodies = scatter(vector("0", "0", "0"), 15, 3);
    let count = bodies.len() as f64;
    let (mut means, mut products) = ([0.0; 4], [[0.0; 4]; 4]);
    for body in &bodies {
        let Orientation::Quaternion(w, x, y, z) = &body.orientation else { panic!("{} is not turned", body.name) };
        let q = [w, x, y, z].map(Decimal::to_f64);
        let length_squared: f64 = q.iter().map(|component| component * component).sum();
        assert!((0.25..=1.0).contains(&length_squared));
        for (i, a) in q.into_iter().enumerate() {
            means[i] += a / length_squared.sqrt() / count;
            for (j, b) in q.into_iter().enumerate() {
                products[i][j] += a * b / length_squared / count;
            }
        }
    }
    let near = |mean: f64, expected: f64, variance: f64| (mean - expected).abs() < 5.0 * (variance / count).sqrt();
    for i in 0..4 {
        assert!(near(means[i], 0.0, 0.25), "{means:?}");
        for j in 0..4 {
            let (expected, variance) = if i == j { (0.25, 1.0 / 16.0) } else { (0.0, 1.0 / 24.0) };
            assert!(near(products[i][j], expected, variance), "{products:?}");
        }
    }
}

#[test]
fn as_many_bodies_as_are_allowed_are_counted_and_one_more_is_refused() {
    let mut scene = Scene::new("most");
    let layout = |count| Layout::Stack { origin: Vector::default(), count, spacing: Vector::default() };
    let body = GroupBody { shape: Some(Shape::Sphere { radius: decimal("0.5") }), ..GroupBody::default() };
    let most = u32::try_from(MAX_BODIES).expect("the limit fits");
    scene.groups.push(Group { name: "g".to_owned(), body, layout: layout(most) });
    assert_eq!(validate(&scene), Ok(()));
    scene.bodies.push(Body { shape: Some(Shape::Sphere { radius: decimal("1") }), ..Body::new("one more") });
    assert!(validate(&scene).is_err());
    assert!(expand(&scene).is_err());
}

/// `numerator / denominator` rounded to the nearest integer, ties to even, for a positive denominator.
fn round_half_even(numerator: &BigInt, denominator: &BigInt) -> BigInt {
    let two = BigInt::from(2);
    let floor = (numerator - (((numerator % denominator) + denominator) % denominator)) / denominator;
    let twice_rest = (numerator - &floor * denominator) * &two;
    let is_odd = &floor % &two != BigInt::from(0);
    if twice_rest > *denominator || (twice_rest == *denominator && is_odd) { floor + 1 } else { floor }
}

#[test]
fn a_tenth_reaches_fixed_point_as_the_nearest_number() {
    let scene = parsed("(version: 1, name: \"tenth\", bodies: [(name: \"a\", shape: Sphere(radius: 0.1))])");
    let bodies = expand(&scene).unwrap_or_else(|error| panic!("{error}"));
    let radius = bodies.iter().flat_map(|body| body.colliders.iter()).find_map(|collider| match &collider.shape {
        ResolvedShape::Sphere { radius } => radius.to_scalar::<Fixed>(),
        _ => None,
    });
    let expected = round_half_even(&(BigInt::from(1) << 32), &BigInt::from(10));
    assert_eq!(radius.map(|radius| BigInt::from(radius.to_bits())), Some(expected));
}

#[test]
fn the_ends_of_ranges_are_allowed() {
    parsed(
        r#"(version: 1, name: "ends", steps: 1000000000, keyframe_every: 1, dt: "1", damping: Power,
            bounds: (position: 30000, speed: 30000, angular_speed: 30000.0),
            solver: Impulse(substeps: 64, iterations: 1000, relax_iterations: 100, relax_limit: 0, correction: Projection(beta: 1, slop: 0),
                restitution_threshold: 0, speculative_distance: 0),
            materials: {"a": (friction: 0, restitution: 1, density: 0.001), "b": (friction: 1000, restitution: 0, rolling_friction: 1000, spinning_friction: 0)},
            bodies: [
                (name: "large", kind: Static, shape: Cuboid(half_extents: (1e4, 1E+4, 10000.000)), position: Origin(-30000, 0, 3e4)),
                (name: "small", shape: Sphere(radius: 1e-4), mass: Total(1e-6), linear_damping: 1, angular_damping: 0),
                (name: "fast", shape: Sphere(radius: 1), linear_velocity: (30000, 0, 0), angular_velocity: (0, -3e4, 0)),
                (name: "static zero", kind: Static, shape: Sphere(radius: 1), linear_velocity: (0.0, -0, 0)),
                (name: "same place", shape: Sphere(radius: 1)),
                (name: "same place too", shape: Sphere(radius: 1)),
            ])"#,
    );
}

proptest! {
    /// Sums, products, order and text of exact decimals agree with big integers.
    #[test]
    fn exact_arithmetic_agrees_with_big_integers(a in any::<i64>(), b in any::<i64>(), p in 0_u32..9, q in 0_u32..9) {
        let ten = BigInt::from(10);
        let (x, y) = (Exact::new(i128::from(a), p), Exact::new(i128::from(b), q));
        // Both over 10^(p + q).
        let (wide_x, wide_y) = (BigInt::from(a) * ten.pow(q), BigInt::from(b) * ten.pow(p));
        prop_assert_eq!(x.cmp(&y), wide_x.cmp(&wide_y));
        let over = |value: Option<Exact>| value.and_then(|value| value.at_scale(p + q)).map(BigInt::from);
        prop_assert_eq!(over(x.checked_add(y)), Some(&wide_x + &wide_y));
        prop_assert_eq!(over(x.checked_sub(y)), Some(&wide_x - &wide_y));
        prop_assert_eq!(over(x.checked_mul(y)), Some(BigInt::from(a) * BigInt::from(b)));
        prop_assert_eq!(x.to_decimal().exact(), x);
        prop_assert_eq!(Decimal::new(&format!("{a}e-{p}")).map(|decimal| decimal.exact()), Ok(x));
    }

    /// Names of any letters and numbers of any form come back from the canonical text as they were.
    #[test]
    fn names_and_numbers_survive_the_canonical_text(
        name in "[^\\p{C}\\[\\]]{1,40}",
        material in "[^\\p{C}]{1,40}",
        digits in any::<i32>(),
        scale in 6_u32..30,
        seed in any::<u64>(),
    ) {
        let mut scene = Scene::new(&material);
        scene.seed = seed;
        scene.gravity.0 = decimal(&format!("{digits}e-{scale}"));
        scene.gravity.2 = decimal(&Exact::new(i128::from(digits), scale).to_decimal().to_string());
        scene.materials.insert(material.clone(), Material::default());
        let shape = Some(Shape::Sphere { radius: decimal("1.0") });
        scene.bodies.push(Body { shape, material: Some(material), ..Body::new(&name) });
        let text = scene.to_canonical_ron();
        prop_assert_eq!(parse("canonical", &text), Ok(scene));
    }

    /// Whatever is done to the text of a scene, reading it ends with a scene or a message.
    #[test]
    fn a_damaged_text_never_panics(cuts in proptest::collection::vec((any::<proptest::sample::Index>(), insertion()), 1..6)) {
        let mut text: Vec<char> = ALL_FEATURES.chars().collect();
        for (place, insertion) in cuts {
            let place = place.index(text.len());
            text.splice(place..text.len().min(place + 1), insertion.chars());
        }
        let text: String = text.into_iter().collect();
        if let Err(error) = parse("damaged.ron", &text) {
            assert!(!error.render(false).is_empty());
        }
    }
}

/// Texts that mean something in RON, to be put where they do not belong.
fn insertion() -> impl Strategy<Value = String> {
    let tokens = [
        "",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "\"",
        "'",
        "r#\"",
        "/*",
        "*/",
        "//",
        "-",
        "nan",
        "1e9",
        "\\",
        "é",
        "\u{0}",
        "Some(",
        "Named(\"box\")",
    ];
    (0..tokens.len()).prop_map(move |place| tokens.get(place).copied().unwrap_or("").to_owned())
}

#[test]
fn chains_and_nets_join_neighbours_midway() {
    let joined = |layout: Layout| {
        let mut scene = Scene::new("one group");
        let body = GroupBody { shape: Some(Shape::Sphere { radius: decimal("0.5") }), ..GroupBody::default() };
        scene.groups.push(Group { name: "g".to_owned(), body, layout });
        validate(&scene).unwrap_or_else(|error| panic!("{error}"));
        let joints = expand_joints(&scene).unwrap_or_else(|error| panic!("{error}"));
        let lines: Vec<String> =
            joints.iter().map(|joint| format!("{} at {:?}", joint.name, joint.at.as_ref().expect("a place"))).collect();
        // Written out, it is the same scene, body by body and joint by joint.
        let written = write_out_group(&scene, 0).unwrap_or_else(|error| panic!("{error}"));
        validate(&written).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(expand_joints(&written).unwrap_or_else(|error| panic!("{error}")), joints);
        lines
    };
    let (origin, spacing) = (|| vector("0.1", "0", "10"), || vector("1.1", "0.3", "-0.7"));
    let chain = joined(Layout::Chain { origin: origin(), count: 3, spacing: spacing() });
    assert_eq!(chain, ["g[0]+g[1] at Vector(0.65, 0.15, 9.65)", "g[1]+g[2] at Vector(1.75, 0.45, 8.95)"]);
    let net = joined(Layout::Net { origin: origin(), count: (2, 1, 2), spacing: spacing() });
    let expected = [
        "g[0,0,0]+g[0,0,1] at Vector(0.1, 0, 9.65)",
        "g[0,0,0]+g[1,0,0] at Vector(0.65, 0, 10)",
        "g[0,0,1]+g[1,0,1] at Vector(0.65, 0, 9.3)",
        "g[1,0,0]+g[1,0,1] at Vector(1.2, 0, 9.65)",
    ];
    assert_eq!(net, expected);
    assert!(joined(Layout::Chain { origin: origin(), count: 1, spacing: spacing() }).is_empty());
    let block = joined(Layout::Net { origin: origin(), count: (2, 3, 4), spacing: spacing() });
    assert_eq!(block.len(), 3 * 4 + 2 * 2 * 4 + 2 * 3 * 3);
}

#[test]
fn joints_come_sorted_by_name_whatever_their_order_in_the_file() {
    let mut scene = parsed(ALL_FEATURES);
    let joints = expand_joints(&scene).unwrap_or_else(|error| panic!("{error}"));
    // 3 written, 2 of the chain, 4 of the net.
    assert_eq!(joints.len(), 3 + 2 + 4);
    assert!(joints.windows(2).all(|pair| matches!(pair, [a, b] if a.name < b.name)));
    scene.joints.reverse();
    scene.groups.reverse();
    assert_eq!(expand_joints(&scene).unwrap_or_else(|error| panic!("{error}")), joints);
}
