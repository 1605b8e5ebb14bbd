//! Bad shapes, each with the message that a person gets.

use insta::assert_snapshot;

use crate::scene::parse::parse;
use crate::scene::tests::bad::{body, messages, refusal, scene};

#[test]
fn hulls() {
    let shape = |shape: &str| body(&format!("name: \"a\", shape: {shape}"));
    let flat = "Hull(points: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0.5, 0.5, 0.0000001)])";
    // Along a spiral on a ball every point is a corner.
    let corners: Vec<_> = (0..300)
        .map(|number| {
            let (sine, cosine) = (f64::from(number) * 2.4).sin_cos();
            let height = 1.0 - (f64::from(number) + 0.5) / 150.0;
            let radius = (1.0 - height * height).sqrt();
            format!("({:.4}, {height:.4}, {:.4})", radius * cosine, radius * sine)
        })
        .collect();
    let scenes = [
        shape("Hull(points: [(0, 0, 0), (1, 0, 0), (0, 1, 0)])"),
        shape("Hull(points: [(0, 0, 0), (1, 1, 1), (2, 2, 2), (4, 4, 4)])"),
        shape(flat),
        shape("Hull(points: [(0, 0, 0), (0.00005, 0, 0), (0, 0.00005, 0), (0, 0, 0.00005)])"),
        shape("Hull(points: [(0, 0, 0), (1, 0, 0), (0, -10001, 0), (0, 0, 1)])"),
        shape("Hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])"),
        shape("Hull(points: [])"),
        shape(&format!("Hull(points: [{}])", corners.join(", "))),
        scene(
            "    shapes: {\"flat\": Hull(points: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)])},\n    bodies: [(name: \"a\", shape: Named(\"flat\"))],",
        ),
        shape("ConvexHull(points: [])"),
    ];
    assert_snapshot!(messages(scenes.iter().map(String::as_str)));
}

#[test]
fn surfaces() {
    let shape = |shape: &str| body(&format!("name: \"a\", kind: Static, shape: {shape}"));
    let square = "points: [(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 1)]";
    let scenes = [
        shape("Mesh()"),
        shape(&format!("Mesh({square}, triangles: [(0, 1, 2), (2, 1, 4)])")),
        shape(&format!("Mesh({square}, triangles: [(0, 1, 1), (0, 0, 0)])")),
        shape(&format!("Mesh({square}, triangles: [(0, 1, 2)], scale: 2)")),
        shape("Mesh(points: [(0, 0, 0), (0, 0, 10001), (1, 0, 0)], triangles: [(0, 1, 2)])"),
        shape("Mesh(points: [(0, 0, 0), (0, 0, 0.00001), (0.00001, 0, 0)], triangles: [(0, 1, 2)])"),
        shape("HeightField(heights: [[0, 1]], spacing: (1, 1))"),
        shape("HeightField(heights: [[0, 1], [0, 1, 2]], spacing: (1, 1))"),
        shape("HeightField(heights: [[0, 1], [0, 20000]], spacing: (1, 1))"),
        shape("HeightField(heights: [[0, 1], [0, 1]], spacing: (1, 0))"),
        shape("TriMesh(points: [])"),
        scene(
            "    materials: {\"m\": (density: \"x\")},\n    bodies: [(name: \"a\", shape: HeightField(heights: [[0, 0], [0, 1]], spacing: (1, 1)), material: \"m\")],",
        ),
        scene(
            "    bodies: [],\n    queries: {\"q\": Overlap(shape: HeightField(heights: [[0, 0], [0, 1]], spacing: (1, 1)), at: (0, 0, 0))},",
        ),
    ];
    assert_snapshot!(messages(scenes.iter().map(String::as_str)));
}

/// One fault is told once, and a count of one is one.
#[test]
fn heights_and_their_spacing() {
    let field = |heights: &str, spacing: &str| {
        body(&format!("name: \"hill\", kind: Static, shape: HeightField(heights: {heights}, spacing: {spacing})"))
    };
    for (spacing, said) in [("(0, 1)", "is 0"), ("(1, -2)", "is -2")] {
        let told = refusal(&field("[[1, 1], [1, 1]]", spacing));
        assert_eq!(told.matches("error:").count(), 1, "{told}");
        assert!(told.contains(&format!("the `spacing` of a field of heights {said}")), "{told}");
    }
    assert!(refusal(&field("[[1, 1], [1]]", "(1, 1)")).contains("row 1 has 1 height\n"));
    assert!(refusal(&field("[[1, 1], [1, 1, 1]]", "(1, 1)")).contains("row 1 has 3 heights\n"));
}

/// A capsule without a length is a ball, and is to be written as one; a row of heights alone is no surface.
#[test]
fn what_has_no_length_and_a_single_row_are_refused() {
    for shape in ["Capsule", "Cylinder", "Cone"] {
        for (half_height, radius, key) in [("0", "0.5", "half_height"), ("0.5", "0", "radius")] {
            let told =
                refusal(&body(&format!("name: \"a\", shape: {shape}(half_height: {half_height}, radius: {radius})")));
            assert!(
                told.contains(&format!("`{key}`")) && told.contains("expected a number from 0.0001 to 10000 m"),
                "{told}"
            );
        }
    }
    for heights in ["[[0, 1, 2]]", "[[0], [1], [2]]", "[[]]", "[]"] {
        let field = format!("name: \"a\", kind: Static, shape: HeightField(heights: {heights}, spacing: (1, 1))");
        let told = refusal(&body(&field));
        assert!(
            told.contains("these heights span no surface")
                && told.contains("expected two rows at least, each of two heights"),
            "{told}"
        );
    }
}

#[test]
fn brackets_that_are_not_closed_are_counted() {
    let told = refusal("((((");
    assert!(told.contains("bad.ron:1:4") && told.contains("this bracket is not closed, nor are 3 before it"), "{told}");
    let told = refusal("(version: 1, name: \"a )\", // )\n bodies: [(name: \"b\")],");
    assert!(
        told.contains("bad.ron:1:1") && told.contains("this bracket is not closed") && !told.contains("nor are"),
        "{told}"
    );
    let told = refusal("(version: 1, name: \"a");
    assert!(!told.contains("this bracket"), "{told}");
    let told = refusal(&"(".repeat(200));
    assert!(told.contains("bad.ron:1:97") && told.contains("level 97 of brackets, where 96 are allowed"), "{told}");
}

#[test]
fn a_density_in_quotes_that_is_a_number_is_taken_exactly() {
    let of = |density: &str| {
        let ball = "bodies: [(name: \"ball\", shape: Sphere(radius: 0.5), material: \"m\")]";
        format!("(version: 1, name: \"exact\", materials: {{\"m\": (density: {density})}}, {ball})")
    };
    for right in ["\"1e6\"", "\"1000000\"", "\"10^6\"", "\"0.001\"", "\" 2*500000 \"", "\"pi*1000\""] {
        parse("good.ron", &of(right)).unwrap_or_else(|error| panic!("{right}: {}", error.render(false)));
    }
    for (wrong, said) in
        [("\"1000000.0000001\"", "1000000.0000001"), ("\"0\"", "0"), ("\"-5\"", "-5"), ("\"2e6 + 1\"", "2000001")]
    {
        let told = refusal(&of(wrong));
        assert_eq!(told.matches("error:").count(), 1, "{told}");
        assert!(told.contains(&format!("`density` of material `m` is {said}, which is out of range")), "{told}");
    }
}
