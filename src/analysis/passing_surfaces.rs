//! Meshes that move and could come to each other: they do not meet.

use std::sync::Arc;

use crate::scene::Scene;
use crate::world::World;
use crate::world::queries::PassingPairs;

/// So many pairs of meshes are looked at: less than a tenth of a second.
const MOST_LOOKS: usize = 100_000;
/// So many pairs of meshes are named.
const MOST_NAMED: usize = 8;

/// What to say of a scene with meshes of which one of two is dynamic, and which only their being meshes keeps from pushing each other; `None` also
/// where the scene makes no world.
#[must_use]
pub fn passing_surfaces(scene: &Arc<Scene>) -> Option<String> {
    let world = World::<f64>::build(scene).ok()?;
    // Most scenes have none, and need no tree of boxes.
    if world.colliders().is_mesh.iter().filter(|is_mesh| **is_mesh).count() < 2 {
        return None;
    }
    let PassingPairs { named, count, are_all } = world.queries().surfaces_that_pass(MOST_LOOKS, MOST_NAMED);
    let pairs: Vec<String> = named.iter().map(|[a, b]| format!("{a} and {b}")).collect();
    let least = if are_all { "" } else { "at least " };
    let more = match count - pairs.len() {
        0 => String::new(),
        more => format!(", and {least}{more} more"),
    };
    let advice = "surfaces of triangles meet everything but each other; make one of them of hulls with `Decomposed`, or say that they are to \
                  pass with a filter or `excluded_pairs`";
    match pairs.as_slice() {
        [] => None,
        [pair] if count == 1 => Some(format!("{pair} are meshes and pass through each other: {advice}")),
        _ => Some(format!("pairs of meshes pass through each other ({}{more}): {advice}", pairs.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{MOST_LOOKS, MOST_NAMED, passing_surfaces};
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

    /// Of `n` meshes that all pass each other there are `n (n - 1) / 2` pairs, of which the first are named.
    #[test]
    fn all_pairs_are_told_up_to_a_number() {
        let sheets = |count: usize| {
            // The first of them, `a`, is there already.
            let more: String = (1..count).map(|number| format!("(name: \"b{number:03}\", {SHEET}),")).collect();
            told(&format!("{more}]")).expect("a note")
        };
        for count in [3, 4, 5, 20, 449] {
            let said = sheets(count);
            let pairs = count * (count - 1) / 2;
            let looked_at = pairs.min(MOST_LOOKS);
            let named = said.matches("#0 and ").count();
            assert_eq!(named, pairs.min(MOST_NAMED), "{said}");
            let least = if pairs > MOST_LOOKS { "at least " } else { "" };
            let more = format!("and {least}{} more): ", looked_at - named);
            assert_eq!(said.contains(&more), looked_at > named, "{said}");
            let start = "pairs of meshes pass through each other (a#0 and b001#0, a#0 and b002#0, ";
            assert!(said.starts_with(start), "{said}");
        }
    }
}
