//! Bad shapes, each with the message that a person gets.

use insta::assert_snapshot;

use crate::scene::tests::bad::{body, messages, scene};

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
        body("name: \"a\", shape: HeightField(heights: [[0, 0], [0, 1]], spacing: (1, 1))"),
        scene(
            "    bodies: [],\n    queries: {\"q\": Overlap(shape: HeightField(heights: [[0, 0], [0, 1]], spacing: (1, 1)), at: (0, 0, 0))},",
        ),
    ];
    assert_snapshot!(messages(scenes.iter().map(String::as_str)));
}
