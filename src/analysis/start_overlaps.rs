//! Bodies that lie in each other where a scene begins: its first steps push them apart, or they lock.

use std::sync::Arc;

use crate::scene::Scene;
use crate::world::World;

/// The depth, metres, from which an overlap is spoken of: what rests lies in its floor by less than a tenth of that.
const TOLD_FROM: f64 = 0.005;
/// Of a scene with more bodies nothing is said: that would take longer than all else that is checked.
const MOST_BODIES: usize = 2000;
/// So many pairs of boxes that overlap are looked at: a fraction of a second.
const MOST_LOOKS: usize = 100_000;

/// What to say of a scene with bodies that overlap by more than 5 mm in step 0 and push each other; `None` also where the scene makes no world, or has
/// more than 2,000 bodies.
#[must_use]
pub fn bodies_in_each_other(scene: &Arc<Scene>) -> Option<String> {
    let world = World::<f64>::build(scene).ok().filter(|world| world.bodies().id.len() <= MOST_BODIES)?;
    let overlaps = world.queries().overlaps(TOLD_FROM, MOST_LOOKS);
    let deepest = overlaps.iter().reduce(|deepest, next| if next.depth > deepest.depth { next } else { deepest })?;
    let [a, b] = &deepest.colliders;
    let others = match overlaps.len() - 1 {
        0 => String::new(),
        1 => ", and another pair overlaps".to_owned(),
        others => format!(", and {others} other pairs overlap"),
    };
    Some(format!(
        "{a} and {b} overlap by {:.3} m at step 0{others}: solids that start in each other are pushed apart, or lock; move them apart, or \
         let them pass through each other with a filter or `excluded_pairs`",
        deepest.depth
    ))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::bodies_in_each_other;
    use crate::scene::parse;

    fn told(more: &str) -> Option<String> {
        let text = format!(
            "(version: 1, name: \"overlaps\", bodies: [
                (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                (name: \"a\", position: Origin(0, 0.5, 0), shape: Sphere(radius: 0.5)), {more}])"
        );
        let scene = parse("overlaps.ron", &text).unwrap_or_else(|error| panic!("{error}"));
        bodies_in_each_other(&Arc::new(scene))
    }

    #[test]
    fn the_deepest_pair_is_told_with_how_many_others_there_are() {
        let ball = |name: &str, x: f64, y: f64, more: &str| {
            format!("(name: \"{name}\", position: Origin({x}, {y}, 0), shape: Sphere(radius: 0.5){more}),")
        };
        assert_eq!(told(""), None, "it touches the floor");
        assert_eq!(told(&ball("b", 0.996, 0.5, "")), None, "by 4 mm");
        let begins = |text: Option<String>, start: &str| {
            assert!(text.as_deref().is_some_and(|text| text.starts_with(start)), "{text:?}");
        };
        begins(told(&ball("b", 0.9, 0.5, "")), "a#0 and b#0 overlap by 0.100 m at step 0: solids");
        let three = [ball("b", 0.9, 0.5, ""), ball("c", 9.0, 0.25, "")].concat();
        begins(told(&three), "c#0 and floor#0 overlap by 0.250 m at step 0, and another pair overlaps: solids");
        assert_eq!(told(&ball("b", 0.9, 0.5, ", kind: Kinematic, sensor: true")), None, "a sensor pushes nothing");
        assert_eq!(
            told(&[ball("s", 9.0, 9.0, ", kind: Static"), ball("t", 9.1, 9.0, ", kind: Static")].concat()),
            None
        );
    }
}
