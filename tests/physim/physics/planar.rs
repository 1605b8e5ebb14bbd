//! What lies and moves in a coordinate plane stays in it, to the last bit: nothing there pushes across.

use physim::math::{Scalar, Vec3};

use crate::physics::support::Run;

on_every_scalar!(what_moves_in_a_plane_stays_in_it, twenty_lying_capsules_stand_on_each_other);

/// A plane of two coordinate axes, of which the second points up, and the axis across it.
struct Plane {
    axes: [usize; 2],
    across: usize,
}

impl Plane {
    /// A vector of this plane as the scene writes it.
    fn vector(&self, [along, up]: [f64; 2]) -> String {
        let mut parts = [0.0; 3];
        (parts[self.axes[0]], parts[self.axes[1]]) = (along, up);
        let [x, y, z] = parts;
        format!("({x}, {y}, {z})")
    }

    /// The vector across this plane of such a length, as the scene writes it.
    fn across(&self, length: f64) -> String {
        let mut parts = [0.0; 3];
        parts[self.across] = length;
        let [x, y, z] = parts;
        format!("({x}, {y}, {z})")
    }
}

/// Balls, and capsules that point every way in the plane, fall on a heap between two walls, with friction and restitution. Every force
/// lies in the plane, and every moment across it: so does what they change, and zero times anything is zero.
fn what_moves_in_a_plane_stays_in_it<S: Scalar>() {
    for plane in
        [Plane { axes: [0, 1], across: 2 }, Plane { axes: [2, 1], across: 0 }, Plane { axes: [0, 2], across: 1 }]
    {
        let walls: String = [([0.0, 1.0], 0.0), ([1.0, 0.0], -2.0), ([-1.0, 0.0], 2.0)]
            .into_iter()
            .enumerate()
            .map(|(number, (normal, at))| {
                let (normal, at) = (plane.vector(normal), plane.vector([at, 0.0]));
                format!(
                    "(name: \"wall {number}\", kind: Static, position: Origin{at}, shape: HalfSpace(normal: {normal})),"
                )
            })
            .collect();
        let names: Vec<String> = (0..20).map(|number| format!("body {number}")).collect();
        let bodies: String = names
            .iter()
            .enumerate()
            .map(|(number, name)| {
                let (column, row) = (f64::from(number as u32 % 4), f64::from(number as u32 / 4));
                let (at, spin) = (plane.vector([column - 1.47 + 0.01 * row, 0.6 + row]), plane.across(row - 2.0));
                // A capsule lies along y in its own axes, which a turn about y does not move: in a plane without y there are balls alone.
                let is_ball = number % 3 == 0 || plane.across == 1;
                let shape = if is_ball { "Sphere(radius: 0.3)" } else { "Capsule(half_height: 0.2, radius: 0.15)" };
                let (axis, degrees) = (plane.across(1.0), 25 * number);
                format!(
                    "(name: \"{name}\", position: Origin{at}, angular_velocity: {spin},
                        orientation: AxisDegrees(axis: {axis}, degrees: {degrees}), shape: {shape}),"
                )
            })
            .collect();
        let gravity = plane.vector([0.0, -9.81]);
        let mut run = Run::<S>::of(&format!(
            "gravity: {gravity}, materials: {{\"default\": (friction: 0.5, restitution: 0.3)}}, bodies: [{walls} {bodies}]"
        ));
        let start: Vec<f64> = names.iter().map(|name| run.position(name).to_array()[plane.axes[0]]).collect();
        for step in 1..=180 {
            run.step();
            for name in &names {
                let [place, velocity] = [run.position(name), run.velocity(name)].map(Vec3::to_array);
                let spin = run.spin(name).to_array();
                let across = [place[plane.across], velocity[plane.across], spin[plane.axes[0]], spin[plane.axes[1]]];
                assert!(across.iter().all(|part| *part == 0.0), "{name} in step {step}: {across:?}");
            }
        }
        let aside = |name: &String| run.position(name).to_array()[plane.axes[0]];
        let moved = names.iter().zip(&start).filter(|(name, start)| (aside(name) - **start).abs() > 1e-3).count();
        assert!(moved * 10 >= names.len() * 9, "nearly all were pushed aside by others, not {moved}");
    }
}

/// Twenty capsules, each lying along the one below: the least push across would roll the upper ones off, and there is none.
fn twenty_lying_capsules_stand_on_each_other<S: Scalar>() {
    let mut run = Run::<S>::of(
        "bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0)))],
        groups: [(name: \"capsule\", body: (shape: Capsule(half_height: 0.5, radius: 0.25),
            orientation: AxisDegrees(axis: (0, 0, 1), degrees: 90)),
            layout: Stack(origin: (0, 0.25, 0), count: 20, spacing: (0, 0.5, 0)))]",
    );
    run.steps(600);
    for level in 0..20 {
        let name = format!("capsule[{level}]");
        let (place, spin) = (run.position(&name), run.spin(&name));
        assert!(place.z == 0.0 && spin.x == 0.0 && spin.y == 0.0, "{name} at {place:?}, {spin:?}");
        // Nothing pushes along them either, but that their ends round off unequally.
        assert!(place.x.abs() < 0.01, "{name} at {place:?}");
    }
}
