//! Meshes that move and could come to each other: they do not meet.

use std::sync::Arc;

use crate::scene::Scene;
use crate::world::World;

/// So many pairs of meshes are looked at: less than a tenth of a second.
const MOST_LOOKS: usize = 100_000;

/// What to say of a scene with two meshes of which one is dynamic, and which only their being meshes keeps from pushing each other; `None` also
/// where the scene makes no world.
#[must_use]
pub fn passing_surfaces(scene: &Arc<Scene>) -> Option<String> {
    let world = World::<f64>::build(scene).ok()?;
    // Most scenes have none, and need no tree of boxes.
    if world.colliders().is_mesh.iter().filter(|is_mesh| **is_mesh).count() < 2 {
        return None;
    }
    let [a, b] = world.queries().surfaces_that_pass(MOST_LOOKS)?;
    Some(format!(
        "{a} and {b} are meshes and pass through each other: surfaces of triangles meet everything but each other; make one of them of \
         hulls with `Decomposed`, or say that they are to pass with a filter or `excluded_pairs`"
    ))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::passing_surfaces;
    use crate::scene::parse;

    const SHEET: &str = "shape: HeightField(heights: [[0, 0], [0, 0]], spacing: (1, 1))";

    fn told(more: &str) -> Option<String> {
        let text = format!(
            "(version: 1, name: \"sheets\", categories: [\"sheet\"], bodies: [
                (name: \"a\", {SHEET}), (name: \"ball\", shape: Sphere(radius: 0.5)), {more})"
        );
        passing_surfaces(&Arc::new(parse("sheets.ron", &text).unwrap_or_else(|error| panic!("{error}"))))
    }

    #[test]
    fn two_meshes_that_could_meet_are_told() {
        assert_eq!(told("]"), None, "one alone");
        let begins = |text: Option<String>| {
            assert!(text.as_deref().is_some_and(|text| text.starts_with("a#0 and b#0 are meshes")), "{text:?}");
        };
        begins(told(&format!("(name: \"b\", {SHEET})]")));
        begins(told(&format!("(name: \"b\", kind: Static, {SHEET})]")));
        assert_eq!(
            told(&format!("(name: \"b\", kind: Static, sensor: true, {SHEET})]")),
            None,
            "a sensor pushes nothing"
        );
        assert_eq!(told(&format!("(name: \"b\", {SHEET})], excluded_pairs: [(\"a\", \"b\")]")), None, "it is said");
        let filter = "filter: (category: [\"sheet\"], mask: [\"sheet\"])";
        assert_eq!(told(&format!("(name: \"b\", {SHEET}, {filter})]")), None, "it is said");
    }
}
