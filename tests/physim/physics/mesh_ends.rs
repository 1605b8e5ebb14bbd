//! Ends of open surfaces: what stands across one is held by it, whichever way its facets look.

use physim::math::Scalar;

use crate::physics::meshes::mesh;
use crate::physics::support::Run;

on_every_scalar!(what_lies_across_upright_panes_is_held, what_is_set_on_one_pane_is_held_at_its_edge);

/// A pane of 0.6 m square that stands on the ground at `x`, its facets to the right, to the left, or both.
fn pane(x: f64, fronts: &[[u8; 6]]) -> String {
    let points = [(0.0, -0.3), (0.0, 0.3), (0.6, 0.3), (0.6, -0.3)].map(|(y, z)| format!("({x}, {y}, {z})"));
    let triangles = fronts.iter().flatten().collect::<Vec<_>>();
    let triangles: Vec<_> =
        triangles.chunks(3).map(|corners| format!("({}, {}, {})", corners[0], corners[1], corners[2])).collect();
    mesh(&points, &triangles)
}

const LEFT: [u8; 6] = [0, 1, 2, 0, 2, 3];
const RIGHT: [u8; 6] = [0, 2, 1, 0, 3, 2];

/// Along the edge leads straight out of a facet's own plane, and nothing pushed there: lids fell through between panes that stood upright, and
/// lay on panes that leaned by a tenth of a degree.
fn what_lies_across_upright_panes_is_held<S: Scalar>() {
    let lids = [
        ("Cuboid(half_extents: (0.5, 0.05, 0.5))", 0.05, ""),
        ("Capsule(half_height: 0.4, radius: 0.05)", 0.05, "orientation: AxisDegrees(axis: (0, 0, 1), degrees: 90),"),
        ("Cylinder(half_height: 0.03, radius: 0.5)", 0.03, ""),
        ("Hull(points: [(-0.5, 0, -0.3), (0.5, 0, -0.3), (-0.5, 0, 0.3), (0.5, 0, 0.3), (0, 0.2, 0)])", 0.0, ""),
    ];
    for fronts in [&[LEFT, RIGHT][..], &[LEFT], &[RIGHT]] {
        for (lid, height, turn) in lids {
            let mut run = Run::<S>::of(&format!(
                "bodies: [
                    (name: \"left\", kind: Static, shape: {}), (name: \"right\", kind: Static, shape: {}),
                    (name: \"lid\", position: Origin(0, {}, 0), {turn} shape: {lid}, mass: Total(50))]",
                pane(-0.3, fronts),
                pane(0.3, fronts),
                0.6 + height
            ));
            let start = run.position("lid");
            run.steps(60);
            let moved = (run.position("lid") - start).length();
            assert!(moved < 2e-3, "{}: {lid} on {fronts:?} has moved by {moved} m", S::KIND);
        }
    }
}

/// A ball of 0.1 m that is let go above the edge of one pane: it stays there for a moment, and never sinks into it.
fn what_is_set_on_one_pane_is_held_at_its_edge<S: Scalar>() {
    let mut run = Run::<S>::of(&format!(
        "bodies: [
            (name: \"pane\", kind: Static, shape: {}),
            (name: \"ball\", position: Origin(0, 0.75, 0), shape: Sphere(radius: 0.1))]",
        pane(0.0, &[LEFT, RIGHT])
    ));
    for _ in 0..40 {
        run.step();
        let place = run.position("ball");
        let away = place.x.hypot((place.y - 0.6).max(0.0));
        assert!(away > 0.095, "{}: {away} m from the edge", S::KIND);
    }
}
