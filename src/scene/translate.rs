//! The same scene somewhere else: every place in it moved by the same exact amount.

use crate::scene::decimal::{Decimal, Exact};
use crate::scene::model::{Action, Body, Input, Layout, Place, Point, Scene, Vector};

/// The largest bound of a position, metres.
const MOST: Exact = Exact::new(30_000, 0);

/// A scene that cannot be moved that far, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TooFar(pub String);

/// A scene moved by an offset in metres, with bounds so much wider that nothing that was within them is outside.
///
/// # Errors
/// When the bounds would be wider than a scene may have, or a number would need too many digits.
pub fn translated_scene(scene: &Scene, by: &Vector) -> Result<Scene, TooFar> {
    let mut moved = scene.clone();
    moved.bounds.position = widened(&scene.bounds.position, by)?;
    for body in &mut moved.bodies {
        move_body(body, by)?;
    }
    for group in &mut moved.groups {
        let (Layout::Grid { origin, .. }
        | Layout::Stack { origin, .. }
        | Layout::Chain { origin, .. }
        | Layout::Net { origin, .. }
        | Layout::Wall { origin, .. }
        | Layout::Pyramid { origin, .. }
        | Layout::Scatter { origin, .. }) = &mut group.layout;
        *origin = sum(origin, by)?;
    }
    for joint in &mut moved.joints {
        let in_world = if joint.b.is_none() { joint.anchor_b.as_mut() } else { None };
        for place in in_world.into_iter().chain(&mut joint.at) {
            *place = sum(place, by)?;
        }
    }
    for input in &mut moved.inputs {
        *input = translated_input(input, by)?;
    }
    for query in moved.queries.values_mut() {
        for place in query.places_mut() {
            *place = sum(place, by)?;
        }
    }
    Ok(moved)
}

/// An input moved by an offset in metres.
///
/// # Errors
/// When a number would need too many digits.
pub fn translated_input(input: &Input, by: &Vector) -> Result<Input, TooFar> {
    let mut moved = input.clone();
    match &mut moved.action {
        Action::Impulse { at: Some(Point::World(point)), .. } | Action::Force { at: Some(Point::World(point)), .. } => {
            *point = sum(point, by)?;
        }
        Action::Spawn(body) => move_body(body, by)?,
        Action::Impulse { .. }
        | Action::Force { .. }
        | Action::AngularImpulse { .. }
        | Action::Torque { .. }
        | Action::SetVelocity { .. }
        | Action::AddVelocity { .. }
        | Action::SetGravity(_)
        | Action::Remove(_) => {}
    }
    Ok(moved)
}

fn move_body(body: &mut Body, by: &Vector) -> Result<(), TooFar> {
    let (Place::Origin(place) | Place::CentreOfMass(place)) = &mut body.position;
    *place = sum(place, by)?;
    Ok(())
}

fn sum(Vector(x, y, z): &Vector, by: &Vector) -> Result<Vector, TooFar> {
    Ok(Vector(added(x, &by.0)?, added(y, &by.1)?, added(z, &by.2)?))
}

fn added(number: &Decimal, by: &Decimal) -> Result<Decimal, TooFar> {
    let sum = number.exact().checked_add(by.exact());
    sum.map(Exact::to_decimal).ok_or_else(|| TooFar(format!("{number} moved by {by} needs too many digits")))
}

/// A bound that is wider by the longest part of an offset.
///
/// # Errors
/// When it would be wider than a scene may have.
pub fn widened(bound: &Decimal, Vector(x, y, z): &Vector) -> Result<Decimal, TooFar> {
    let far = [x, y, z].map(|number| number.exact().abs()).into_iter().max().unwrap_or(Exact::ZERO);
    let wide = bound.exact().checked_add(far).filter(|wide| *wide <= MOST);
    wide.map(Exact::to_decimal)
        .ok_or_else(|| TooFar(format!("bounds of {bound} m widened by {far} m are wider than the 30000 m that can be")))
}

#[cfg(test)]
mod tests {
    use super::translated_scene;
    use crate::scene;
    use crate::scene::decimal::Decimal;
    use crate::scene::model::Vector;

    fn scene(text: &str) -> scene::Scene {
        scene::parse("test scene", text).unwrap_or_else(|error| panic!("{error}"))
    }

    fn vector(x: &str, y: &str, z: &str) -> Vector {
        let number = |text| Decimal::new(text).unwrap_or_else(|error| panic!("{error}"));
        Vector(number(x), number(y), number(z))
    }

    const SCENE: &str = "(version: 1, name: \"all\", bodies: [
        (name: \"a\", position: Origin(0.1, 0, 0), shape: Sphere(radius: 1)),
        (name: \"b\", position: CentreOfMass(0, 9, 0), shape: Sphere(radius: 1))],
        groups: [(name: \"g\", body: (shape: Sphere(radius: 1)),
            layout: Stack(origin: (0, 20, 0), count: 2, spacing: (0, 2, 0)))],
        joints: [(name: \"j\", kind: Spherical, a: \"a\", b: \"b\", at: (0.25, 4, 0)),
            (name: \"k\", kind: Spherical, a: \"a\", b: \"b\", anchor_a: (0.75, 0, 0), anchor_b: (0, 0.75, 0)),
            (name: \"l\", kind: Spherical, a: \"b\", anchor_a: (0, 0, 0.75), anchor_b: (3, 9, 0))],
        inputs: [(step: 1, action: Force(body: \"a\", force: (1, 0, 0), at: World(0.5, 0, 0))),
            (step: 1, action: Impulse(body: \"a\", impulse: (1, 0, 0), at: Local(0.5, 0, 0))),
            (step: 2, action: Spawn(name: \"c\", shape: Sphere(radius: 1), position: Origin(5, 5, 5)))])";

    #[test]
    fn every_place_moves_and_nothing_else() {
        let there = scene(SCENE);
        let moved = translated_scene(&there, &vector("64", "-32.5", "16")).unwrap_or_else(|error| panic!("{error}"));
        let text = moved.to_canonical_ron();
        let moved_places =
            ["(64.1, -32.5, 16)", "(64, -23.5, 16)", "(64, -12.5, 16)", "(64.5, -32.5, 16)", "(69, -27.5, 21)"];
        let of_joints = ["at: (64.25, -28.5, 16)", "anchor_b: (67, -23.5, 16)"];
        let kept = ["anchor_a: (0.75, 0, 0)", "anchor_b: (0, 0.75, 0)", "anchor_a: (0, 0, 0.75)"];
        for place in moved_places.into_iter().chain(of_joints).chain(kept) {
            assert!(text.contains(place), "{place} in {text}");
        }
        assert!(text.contains("Local(0.5, 0, 0)") && text.contains("position: 1064"), "{text}");
        let back = translated_scene(&moved, &vector("-64", "32.5", "-16")).unwrap_or_else(|error| panic!("{error}"));
        let mut widened = there;
        widened.bounds.position = Decimal::new("1128").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(back, widened);
    }

    #[test]
    fn what_cannot_be_moved_says_why() {
        let far = translated_scene(&scene(SCENE), &vector("29001", "0", "0"));
        assert!(far.is_err_and(|error| error.to_string().contains("30000")));
    }
}
