//! Joints whose two points lie apart where a scene begins: its first steps pull them together.

use std::sync::Arc;

use crate::scene::Scene;
use crate::world::World;

/// The gap, in metres, from which a joint is spoken of: what is less closes within a step or two.
const TOLD_FROM: f64 = 0.01;

/// What to say of a scene with joints whose points are more than a centimetre apart in step 0; `None` also where the scene
/// makes no world.
#[must_use]
pub fn joints_apart(scene: &Arc<Scene>) -> Option<String> {
    if scene.joints.is_empty() {
        return None; // those of groups are made where their bodies are
    }
    let world = World::<f64>::build(scene).ok()?;
    let gaps = world.joints().iter().filter_map(|joint| {
        let [a, b] = world.joint_points(joint);
        let gap = (b - a).length();
        (gap > TOLD_FROM).then_some((gap, &joint.name))
    });
    let (number, widest) = gaps.fold((0_usize, None), |(number, widest), gap| {
        let is_wider = widest.is_none_or(|(widest, _)| gap.0 > widest);
        (number + 1, if is_wider { Some(gap) } else { widest })
    });
    let (gap, name) = widest?;
    let others = match number - 1 {
        0 => String::new(),
        1 => ", and so are those of another joint".to_owned(),
        others => format!(", and so are those of {others} other joints"),
    };
    Some(format!(
        "the two points of joint {name:?} are {gap:.3} m apart at step 0{others}: the first steps pull them together; if that is \
         not meant, give one of `anchor_a`, `anchor_b` and `at`, and the other follows"
    ))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::joints_apart;
    use crate::scene::parse;

    fn told(joints: &str) -> Option<String> {
        let text = format!(
            "(version: 1, name: \"gaps\", bodies: [
                (name: \"a\", shape: Sphere(radius: 0.1)),
                (name: \"b\", position: Origin(1, 0, 0), shape: Sphere(radius: 0.1))], joints: [{joints}])"
        );
        let scene = parse("gaps.ron", &text).unwrap_or_else(|error| panic!("{error}"));
        joints_apart(&Arc::new(scene))
    }

    #[test]
    fn the_widest_gap_is_told_with_how_many_others_there_are() {
        let joint = |name: &str, anchor_b: &str| {
            format!(
                "(name: \"{name}\", kind: Spherical, a: \"a\", b: \"b\", anchor_a: (0.5, 0, 0), anchor_b: {anchor_b}),"
            )
        };
        assert_eq!(told(""), None);
        assert_eq!(told(&joint("met", "(-0.5, 0, 0)")), None);
        assert_eq!(told(&joint("near", "(-0.5, 0.01, 0)")), None, "not above a centimetre");
        let wide = joint("wide", "(-0.5, 0.25, 0)");
        let begins = |text: Option<String>, start: &str| {
            assert!(text.as_deref().is_some_and(|text| text.starts_with(start)), "{text:?}");
        };
        begins(told(&wide), "the two points of joint \"wide\" are 0.250 m apart at step 0: the first");
        let three = [wide, joint("wider", "(-0.5, 0, 0.5)"), joint("less", "(-0.5, 0.02, 0)")].concat();
        begins(
            told(&three),
            "the two points of joint \"wider\" are 0.500 m apart at step 0, and so are those of 2 other joints",
        );
    }
}
