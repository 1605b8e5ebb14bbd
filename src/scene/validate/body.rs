//! Bodies, the bodies of generators, and where generators place them.

use crate::geometry::quadrature::area_of;
use crate::scene::decimal::{Decimal, Exact};
use crate::scene::density::Density;
use crate::scene::error::{Problem, quoted};
use crate::scene::generate::reach;
use crate::scene::model::{
    Body, BodyKind, DampingForm, Group, GroupBody, Layout, Mass, Orientation, Place, Shape, Vector,
};
use crate::scene::path::Path;
use crate::scene::resolve::{ResolvedCollider, ResolvedShape, resolve_colliders};
use crate::scene::validate::checker::{Checker, Item};
use crate::scene::validate::density::check_densities;
use crate::scene::validate::inertia::impossible_inertia;
use crate::scene::validate::limits::{self, Limits, MAX_COLLIDERS};

/// Checks the bodies and generators of the scene.
pub(super) fn check_bodies(checker: &mut Checker<'_>) {
    let scene = checker.scene();
    for (place, body) in scene.bodies.iter().enumerate() {
        if checker.is_full() {
            return;
        }
        check_body(checker, body, &Path::root().key("bodies").index(place));
    }
    for (place, group) in scene.groups.iter().enumerate() {
        if checker.is_full() {
            return;
        }
        let path = Path::root().key("groups").index(place);
        let owner = format!("group {}", quoted(&group.name));
        check_content(checker, &group.body, &path.key("body"), &owner);
        check_layout(checker, group, &Item::new(path.key("layout"), &owner));
    }
}

/// Checks one body, of the scene or spawned.
pub(super) fn check_body(checker: &mut Checker<'_>, body: &Body, path: &Path) {
    let owner = format!("body {}", quoted(&body.name));
    let item = Item::new(path.clone(), &owner).part("position");
    let (Place::Origin(position) | Place::CentreOfMass(position)) = &body.position;
    check_position(checker, &item, position, [Exact::ZERO; 3]);
    let content = GroupBody::of(body);
    check_content(checker, &content, path, &owner);
    let colliders = resolve_colliders(checker.scene(), &content, path).unwrap_or_default();
    if matches!(body.position, Place::CentreOfMass(_)) && has_half_space(&colliders) {
        checker.add(
            Problem::new(
                item.path.clone(),
                format!("{} is given for a centre of mass, but a half-space has none", item.words()),
            )
            .expected("expected `Origin(x, y, z)`, a point of the plane"),
        );
    }
}

fn check_content(checker: &mut Checker<'_>, body: &GroupBody, path: &Path, owner: &str) {
    let item = Item::new(path.clone(), owner);
    check_orientation(checker, &item.part("orientation"), &body.orientation);
    check_motion(checker, &item, body);
    if body.colliders.len() > MAX_COLLIDERS {
        let title = format!("{owner} has {} colliders", body.colliders.len());
        let problem = Problem::new(path.key("colliders"), title);
        checker.add(problem.expected(format!("a body may have at most {MAX_COLLIDERS} colliders")));
    }
    if let Some(shape) = &body.shape {
        check_shape(checker, shape, &path.key("shape"), owner);
    }
    for (place, collider) in body.colliders.iter().enumerate() {
        let path = path.key("colliders").index(place);
        check_shape(checker, &collider.shape, &path.key("shape"), owner);
        let item = Item::new(path, owner);
        checker.vector(&item.part("offset"), &collider.offset, &limits::OFFSET);
        check_orientation(checker, &item.part("orientation"), &collider.orientation);
    }
    match resolve_colliders(checker.scene(), body, path) {
        Ok(colliders) => {
            if colliders.len() > MAX_COLLIDERS && body.colliders.len() <= MAX_COLLIDERS {
                let title =
                    format!("{owner} has {} colliders, with those that its solids are cut into", colliders.len());
                let problem = Problem::new(path.key("colliders"), title);
                checker.add(problem.expected(format!("a body may have at most {MAX_COLLIDERS} colliders")));
            }
            check_mass(checker, &item, body, &colliders);
        }
        Err(problems) => problems.into_iter().for_each(|problem| checker.add(problem)),
    }
}

fn check_motion(checker: &mut Checker<'_>, item: &Item<'_>, body: &GroupBody) {
    let scene = checker.scene();
    let speed = Limits::around_zero(scene.bounds.speed.exact(), "m/s", "`bounds.speed` says how fast a body may be");
    let spin_hint = "`bounds.angular_speed` says how fast a body may turn";
    let angular_speed = Limits::around_zero(scene.bounds.angular_speed.exact(), "rad/s", spin_hint);
    checker.vector(&item.part("linear_velocity"), &body.linear_velocity, &speed);
    checker.vector(&item.part("angular_velocity"), &body.angular_velocity, &angular_speed);
    let damping = match scene.damping {
        DampingForm::Power => limits::POWER_DAMPING,
        DampingForm::Implicit | DampingForm::Exponential => limits::DAMPING,
    };
    checker.number(&item.part("linear_damping"), &body.linear_damping, &damping);
    checker.number(&item.part("angular_damping"), &body.angular_damping, &damping);
    checker.number(&item.part("gravity_scale"), &body.gravity_scale, &limits::GRAVITY_SCALE);
    for (key, velocity) in [("linear_velocity", &body.linear_velocity), ("angular_velocity", &body.angular_velocity)] {
        if body.kind == BodyKind::Static && *velocity != Vector::default() && !is_zero(velocity) {
            let part = item.part(key);
            checker.add(
                Problem::new(part.path.clone(), format!("{} is not zero, but the body is static", part.words()))
                    .expected("a static body never moves")
                    .hint("write `kind: Kinematic` for a body that moves whatever it meets"),
            );
        }
    }
}

fn is_zero(vector: &Vector) -> bool {
    [&vector.0, &vector.1, &vector.2].iter().all(|component| component.exact().is_zero())
}

pub(super) fn check_orientation(checker: &mut Checker<'_>, item: &Item<'_>, orientation: &Orientation) {
    match orientation {
        Orientation::Quaternion(w, x, y, z) => checker.direction(item, &[w, x, y, z], &limits::QUATERNION),
        Orientation::AxisDegrees { axis, degrees } => {
            check_direction(checker, &item.part("axis"), axis);
            checker.number(&item.part("degrees"), degrees, &limits::DEGREES);
        }
        Orientation::AxisRadians { axis, radians } => {
            check_direction(checker, &item.part("axis"), axis);
            checker.number(&item.part("radians"), radians, &limits::RADIANS);
        }
    }
}

fn check_direction(checker: &mut Checker<'_>, item: &Item<'_>, direction: &Vector) {
    checker.direction(item, &[&direction.0, &direction.1, &direction.2], &limits::DIRECTION);
}

/// Checks the sizes of a shape; a named shape is checked where it is given its name.
pub(super) fn check_shape(checker: &mut Checker<'_>, shape: &Shape, path: &Path, owner: &str) {
    let item = Item::new(path.clone(), owner);
    match shape {
        Shape::Sphere { radius } => checker.number(&item.part("radius"), radius, &limits::SIZE),
        Shape::Cuboid { half_extents } => checker.vector(&item.part("half_extents"), half_extents, &limits::SIZE),
        Shape::Capsule { half_height, radius }
        | Shape::Cylinder { half_height, radius }
        | Shape::Cone { half_height, radius } => {
            checker.number(&item.part("half_height"), half_height, &limits::SIZE);
            checker.number(&item.part("radius"), radius, &limits::SIZE);
        }
        Shape::HalfSpace { normal } => check_direction(checker, &item.part("normal"), normal),
        Shape::HeightField { spacing: (x, z), .. } => {
            // One of 0 is told where the shape is resolved.
            for (index, step) in [x, z].into_iter().enumerate().filter(|(_, step)| step.exact() > Exact::ZERO) {
                checker.number(&item.part("spacing").place(index, "spacing"), step, &limits::SIZE);
            }
        }
        Shape::Hull { .. } | Shape::Mesh { .. } | Shape::Decomposed { .. } | Shape::Named(_) => {} // these are looked at where they are resolved
    }
}

fn check_mass(checker: &mut Checker<'_>, item: &Item<'_>, body: &GroupBody, colliders: &[ResolvedCollider]) {
    let has_half_space = has_half_space(colliders);
    if has_half_space && body.kind != BodyKind::Static {
        let key = if body.shape.is_some() { "shape" } else { "colliders" };
        checker.add(
            Problem::new(item.path.key(key), format!("{} is a half-space, but not static", item.words()))
                .expected("a half-space has no end and cannot move")
                .hint("write `kind: Static`"),
        );
    }
    let is_dynamic = body.kind == BodyKind::Dynamic;
    let only_senses = !colliders.is_empty() && colliders.iter().all(|collider| collider.is_sensor);
    match &body.mass {
        Mass::FromDensity | Mass::Total(_) if is_dynamic && only_senses => checker.add(only_sensors(item)),
        Mass::FromDensity if colliders.is_empty() => checker.add(without_shape(item, body.kind)),
        Mass::FromDensity if is_dynamic && !has_half_space => {
            if check_densities(checker, item, colliders) {
                check_mass_of_density(checker, item, colliders);
            }
        }
        Mass::FromDensity => {}
        Mass::Total(mass) => {
            checker.number(&item.part("mass").component(0), mass, &limits::MASS);
            if is_dynamic && !has_half_space {
                check_densities(checker, item, colliders);
            }
            if colliders.is_empty() {
                checker.add(without_shape(item, body.kind));
            }
        }
        Mass::Given { mass, centre, inertia } => {
            let given = item.part("mass");
            checker.number(&given.part("mass"), mass, &limits::MASS);
            checker.vector(&given.part("centre"), centre, &limits::OFFSET);
            check_inertia(checker, &given.part("inertia"), inertia);
            if colliders.is_empty() && !is_dynamic {
                checker.add(without_shape(item, body.kind));
            }
        }
    }
}

fn has_half_space(colliders: &[ResolvedCollider]) -> bool {
    colliders.iter().any(|collider| matches!(collider.shape, ResolvedShape::HalfSpace { .. }))
}

fn without_shape(item: &Item<'_>, kind: BodyKind) -> Problem {
    let hint = match kind {
        BodyKind::Dynamic => "add `shape: Sphere(radius: 0.5)`, or for a body that touches nothing `mass: Given(...)`",
        BodyKind::Static | BodyKind::Kinematic => "add `shape: Cuboid(half_extents: (1, 1, 1))`",
    };
    Problem::new(item.path.clone(), format!("{} has no shape", item.words()))
        .expected("expected `shape` or `colliders` in here")
        .hint(hint)
}

fn only_sensors(item: &Item<'_>) -> Problem {
    Problem::new(item.path.clone(), format!("{} has no mass: all its shapes are sensors", item.words()))
        .expected("a sensor weighs nothing, and forces move only what has mass")
        .hint("write `kind: Static` or `kind: Kinematic`, or give `mass: Given(...)`")
}

/// Checks that the mass that follows from densities is one that could have been given; overlapping parts count twice.
fn check_mass_of_density(checker: &mut Checker<'_>, item: &Item<'_>, colliders: &[ResolvedCollider]) {
    let solid = || colliders.iter().filter(|collider| !collider.is_sensor);
    let mass: f64 = solid().map(mass_of).sum();
    let is_size_reported = solid().any(|collider| volume(&collider.shape) <= 0.0);
    // What only rounding takes out of the range counts as within.
    let range = 1e-6 * (1.0 - 1e-12)..=1e9 * (1.0 + 1e-12);
    if !range.contains(&mass) && mass.is_finite() && !is_size_reported {
        let rounded = format!("{mass:.3e}");
        // All digits of what would be within the range with fewer.
        let seems_right = rounded.parse().is_ok_and(|rounded: f64| range.contains(&rounded));
        let told = if seems_right { format!("{mass:e}") } else { rounded };
        let title = format!("{} would have a mass of about {told} kg", item.words());
        checker.add(
            Problem::new(item.path.clone(), title)
                .expected(format!("expected {}", limits::MASS))
                .hint("change the sizes or the material's density, or give `mass: Total(...)`"),
        );
    }
}

fn mass_of(collider: &ResolvedCollider) -> f64 {
    match &collider.material.density {
        Density::Number(density) => volume(&collider.shape) * density.to_f64(),
        Density::Expression(density) => {
            if let Some(number) = density.constant() {
                return volume(&collider.shape) * number.to_f64();
            }
            let moments = collider.shape.region().and_then(|region| density.moments(&region).ok());
            moments.map_or(0.0, |moments| moments.mass)
        }
    }
}

/// Cubic metres, of a mesh square metres; what the number of a density is multiplied by.
pub(super) fn volume(shape: &ResolvedShape) -> f64 {
    const PI: f64 = std::f64::consts::PI;
    match shape {
        ResolvedShape::Sphere { radius } => {
            let r = radius.to_f64();
            4.0 / 3.0 * PI * r * r * r
        }
        ResolvedShape::Cuboid { half_extents: Vector(x, y, z) } => 8.0 * x.to_f64() * y.to_f64() * z.to_f64(),
        ResolvedShape::Capsule { half_height, radius } => {
            let r = radius.to_f64();
            PI * r * r * (4.0 / 3.0 * r + 2.0 * half_height.to_f64())
        }
        ResolvedShape::Cylinder { half_height, radius } => {
            let r = radius.to_f64();
            2.0 * PI * r * r * half_height.to_f64()
        }
        ResolvedShape::Cone { half_height, radius } => {
            let r = radius.to_f64();
            2.0 / 3.0 * PI * r * r * half_height.to_f64()
        }
        ResolvedShape::Hull(placed) => {
            libm::scalbn(placed.hull.moments().volume as f64 / 6.0, 3 * placed.hull.exponent())
        }
        ResolvedShape::Mesh(placed) => area_of(&placed.mesh),
        ResolvedShape::HalfSpace { .. } => 0.0,
    }
}

type Tensor = (Decimal, Decimal, Decimal, Decimal, Decimal, Decimal);

fn check_inertia(checker: &mut Checker<'_>, item: &Item<'_>, inertia: &Tensor) {
    let (xx, yy, zz, xy, xz, yz) = inertia;
    let before = checker.problem_count();
    for (index, (what, moment)) in [("xx", xx), ("yy", yy), ("zz", zz)].into_iter().enumerate() {
        checker.number(&item.place(index, what), moment, &limits::MOMENT);
    }
    for (index, (what, product)) in [("xy", xy), ("xz", xz), ("yz", yz)].into_iter().enumerate() {
        checker.number(&item.place(3 + index, what), product, &limits::PRODUCT_OF_INERTIA);
    }
    if checker.problem_count() > before {
        return;
    }
    if let Some(why) = impossible_inertia([xx, yy, zz, xy, xz, yz].map(Decimal::to_f64)) {
        checker.add(
            Problem::new(item.path.clone(), format!("no body can have the {} given", item.words())).expected(why).hint(
                "the order is `(xx, yy, zz, xy, xz, yz)`; off the diagonal stands minus the integral of `rho x y`",
            ),
        );
    }
}

fn check_layout(checker: &mut Checker<'_>, group: &Group, item: &Item<'_>) {
    match &group.layout {
        Layout::Grid { count: (x, y, z), .. }
        | Layout::Net { count: (x, y, z), .. }
        | Layout::Scatter { count: (x, y, z), .. } => {
            for (index, count) in [x, y, z].into_iter().enumerate() {
                checker.count(&item.part("count").place(index, "count"), *count, 1..=u32::MAX);
            }
        }
        Layout::Stack { count, .. } | Layout::Chain { count, .. } => {
            checker.count(&item.part("count"), *count, 1..=u32::MAX);
        }
        Layout::Wall { base, rows, taper, .. } => {
            checker.count(&item.part("base"), *base, 1..=u32::MAX);
            checker.count(&item.part("rows"), *rows, 1..=if *taper { (*base).max(1) } else { u32::MAX });
        }
        Layout::Pyramid { base, .. } => checker.count(&item.part("base"), *base, 1..=u32::MAX),
    }
    if let Layout::Scatter { jitter, .. } = &group.layout {
        checker.vector(&item.part("jitter"), jitter, &limits::POINT);
    }
    match reach(&group.layout) {
        Some((origin, reach)) => check_position(checker, &item.part("origin"), origin, reach),
        None => checker.add(
            Problem::new(item.path.key("spacing"), format!("the places of {} need too many digits", item.words()))
                .expected("positions are exact, with at most 38 digits")
                .hint("write `origin`, `spacing` and `jitter` with fewer digits"),
        ),
    }
}

/// Checks that a position, and the one that is `reach` further, are within the scene's bounds.
fn check_position(checker: &mut Checker<'_>, item: &Item<'_>, position: &Vector, reach: [Exact; 3]) {
    let bound = checker.scene().bounds.position.exact();
    let hint = "`bounds: (position: ...)` says how far from the origin a body may be";
    let limits = Limits::around_zero(bound, "m", hint);
    let components = [&position.0, &position.1, &position.2];
    for (index, (component, reach)) in components.into_iter().zip(reach).enumerate() {
        let axis = ["x", "y", "z"].get(index).copied().unwrap_or_default();
        if !limits.contain(component.exact()) {
            checker.number(&item.component(index), component, &limits);
        } else if !component.exact().checked_add(reach).is_some_and(|far| limits.contain(far)) {
            let title = format!("{} would reach beyond the bounds of the world along {axis}", item.words());
            let problem = Problem::new(item.path.index(index), title).expected(format!("expected {limits}"));
            checker.add(problem.hint(hint));
        }
    }
}
