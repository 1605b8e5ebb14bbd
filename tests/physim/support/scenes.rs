//! Small scenes whose numbers anyone can work out.

/// A ball and a spinning brick in free flight without gravity: every step adds the same to every position. Four substeps, for
/// a quarter of a 64th is exact.
pub const FLIGHT: &str = r#"(
    version: 1,
    name: "flight",
    steps: 12,
    dt: "1/64",
    gravity: (0, 0, 0),
    solver: Impulse(substeps: 4),
    keyframe_every: 4,
    bodies: [
        (name: "ball", shape: Sphere(radius: 0.5), mass: Total(2), linear_velocity: (64, 0, 0)),
        (name: "brick", position: Origin(0, 8, 0), shape: Cuboid(half_extents: (1, 0.5, 0.25)), mass: Total(1)),
    ],
)
"#;

/// A box that lies on a floor, and a ball that drops onto it.
pub const DROP: &str = r#"(
    version: 1,
    name: "drop",
    steps: 40,
    keyframe_every: 10,
    bodies: [
        (name: "floor", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
        (name: "box", position: Origin(0, 0.5, 0), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
        (name: "ball", position: Origin(0, 1.75, 0), shape: Sphere(radius: 0.5)),
    ],
)
"#;

/// A ball that leaves its bounds in step 9: after 8 steps it is at 8 m, the limit is 8.5 m.
pub const ESCAPE: &str = r#"(
    version: 1,
    name: "escape",
    steps: 12,
    dt: "1/64",
    gravity: (0, 0, 0),
    solver: Impulse(substeps: 4),
    bounds: (position: 8.5),
    bodies: [(name: "ball", shape: Sphere(radius: 0.5), mass: Total(2), linear_velocity: (64, 0, 0))],
)
"#;
