//! From a scene to its bodies at step 0: generators expanded in exact arithmetic, references followed, sorted by name.

use std::sync::Arc;

use crate::scene::decimal::Exact;
use crate::scene::error::{Problem, SceneError, quoted};
use crate::scene::joints::joints_of_group;
use crate::scene::model::{Body, Group, Layout, Orientation, Place, Scene, Vector};
use crate::scene::path::Path;
use crate::scene::random::{DRAWN_DIGITS, RandomStream};
use crate::scene::resolve::{ResolvedBody, ResolvedCollider, resolve_body, resolve_colliders, with_colliders};

/// Most bodies that a scene may have at step 0.
pub const MAX_BODIES: u64 = 1_000_000;

/// All bodies that exist at step 0, sorted by name (by bytes), so that a body's place in the list is its id.
///
/// # Errors
/// When there are more than [`MAX_BODIES`] (before memory is taken for them), when a name cannot be followed, or when a
/// position needs more digits than are kept exactly.
pub fn expand(scene: &Scene) -> Result<Vec<ResolvedBody>, SceneError> {
    let count = count_bodies(scene).map_err(|problem| SceneError::without_text(vec![problem]))?;
    let mut bodies = Vec::with_capacity(count);
    for body in &scene.bodies {
        bodies.push(resolve_body(scene, body)?);
    }
    for (place, group) in scene.groups.iter().enumerate() {
        let path = Path::root().key("groups").index(place);
        expand_group(scene, group, &path, &mut bodies).map_err(SceneError::without_text)?;
    }
    bodies.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(bodies)
}

/// The number of bodies at step 0; `None` when there are more than [`MAX_BODIES`].
#[must_use]
pub fn body_count(scene: &Scene) -> Option<usize> {
    count_bodies(scene).ok()
}

pub(super) fn count_bodies(scene: &Scene) -> Result<usize, Problem> {
    let mut total = scene.bodies.len() as u64;
    let too_many = |path: Path, count: Option<u64>| {
        let count = count.map_or_else(|| "more than 10^18".to_owned(), |count| count.to_string());
        Problem::new(path, format!("the scene asks for {count} bodies"))
            .expected(format!("a scene may have at most {MAX_BODIES} bodies"))
            .hint("lower the counts of the generators")
    };
    if total > MAX_BODIES {
        return Err(too_many(Path::root().key("bodies"), Some(total)));
    }
    for (place, group) in scene.groups.iter().enumerate() {
        let sum = count_copies(&group.layout).and_then(|count| total.checked_add(count));
        total = sum.filter(|sum| *sum <= MAX_BODIES).ok_or_else(|| {
            let path = Path::root().key("groups").index(place).key("layout");
            too_many(path.key(size_key(&group.layout)), sum)
        })?;
    }
    usize::try_from(total).map_err(|_| too_many(Path::root(), Some(total)))
}

/// The key of a layout that makes it large.
const fn size_key(layout: &Layout) -> &'static str {
    match layout {
        Layout::Grid { .. }
        | Layout::Stack { .. }
        | Layout::Chain { .. }
        | Layout::Net { .. }
        | Layout::Scatter { .. } => "count",
        Layout::Wall { .. } | Layout::Pyramid { .. } => "base",
    }
}

/// How many copies a layout places; `None` when a `u64` does not hold it.
fn count_copies(layout: &Layout) -> Option<u64> {
    match *layout {
        Layout::Grid { count: (x, y, z), .. }
        | Layout::Net { count: (x, y, z), .. }
        | Layout::Scatter { count: (x, y, z), .. } => u64::from(x).checked_mul(u64::from(y))?.checked_mul(u64::from(z)),
        Layout::Stack { count, .. } | Layout::Chain { count, .. } => Some(u64::from(count)),
        Layout::Wall { base, rows, taper, .. } => {
            let (base, rows) = (u64::from(base), u64::from(rows));
            let missing = if taper { rows.checked_mul(rows.saturating_sub(1))? / 2 } else { 0 };
            base.checked_mul(rows)?.checked_sub(missing)
        }
        Layout::Pyramid { base, .. } => {
            let base = u128::from(base);
            u64::try_from(base * (base + 1) * (2 * base + 1) / 6).ok()
        }
    }
}

/// Whether `indices`, the numbers between the brackets of a name, are those of a copy.
pub(super) fn has_copy(layout: &Layout, indices: &[u32]) -> bool {
    match (layout, indices) {
        (Layout::Grid { count, .. } | Layout::Net { count, .. } | Layout::Scatter { count, .. }, [i, j, k]) => {
            *i < count.0 && *j < count.1 && *k < count.2
        }
        (Layout::Stack { count, .. } | Layout::Chain { count, .. }, [i]) => i < count,
        (Layout::Wall { base, rows, taper, .. }, [row, i]) => row < rows && *i < row_length(*base, *row, *taper),
        (Layout::Pyramid { base, .. }, [layer, i, k]) => {
            let side = base.saturating_sub(*layer);
            *i < side && *k < side
        }
        _ => false,
    }
}

const fn row_length(base: u32, row: u32, taper: bool) -> u32 {
    if taper { base.saturating_sub(row) } else { base }
}

/// A copy of a generator's body: the numbers in its name, and its place in units of half a spacing.
pub(super) struct Copy {
    pub(super) indices: Vec<u32>,
    pub(super) half_steps: [i64; 3],
}

impl Copy {
    fn whole(indices: Vec<u32>, steps: [u32; 3]) -> Self {
        Self { indices, half_steps: steps.map(|step| 2 * i64::from(step)) }
    }

    fn name(&self, group: &str) -> String {
        copy_name(group, &self.indices)
    }
}

/// The name of a copy: `wall[3,4]`.
pub(super) fn copy_name(group: &str, indices: &[u32]) -> String {
    let indices: Vec<String> = indices.iter().map(ToString::to_string).collect();
    format!("{group}[{}]", indices.join(","))
}

/// Every copy of a layout whose number of copies has been checked.
fn copies(layout: &Layout) -> Vec<Copy> {
    let mut copies = Vec::new();
    match *layout {
        Layout::Grid { count: (x, y, z), .. }
        | Layout::Net { count: (x, y, z), .. }
        | Layout::Scatter { count: (x, y, z), .. } => {
            for (i, j, k) in block(x, y, z) {
                copies.push(Copy::whole(vec![i, j, k], [i, j, k]));
            }
        }
        Layout::Stack { count, .. } | Layout::Chain { count, .. } => {
            copies.extend((0..count).map(|i| Copy::whole(vec![i], [i; 3])));
        }
        Layout::Wall { base, rows, taper, .. } => {
            for row in 0..rows {
                let shift = i64::from(if taper { row } else { row % 2 });
                copies.extend((0..row_length(base, row, taper)).map(|i| {
                    let along = 2 * i64::from(i) + shift;
                    Copy { indices: vec![row, i], half_steps: [along, 2 * i64::from(row), along] }
                }));
            }
        }
        Layout::Pyramid { base, .. } => {
            for layer in 0..base {
                let side = base - layer;
                let half_step = |i: u32| 2 * i64::from(i) + i64::from(layer);
                copies.extend(block(side, 1, side).map(|(i, _, k)| Copy {
                    indices: vec![layer, i, k],
                    half_steps: [half_step(i), 2 * i64::from(layer), half_step(k)],
                }));
            }
        }
    }
    copies
}

fn block(x: u32, y: u32, z: u32) -> impl Iterator<Item = (u32, u32, u32)> {
    (0..x).flat_map(move |i| (0..y).flat_map(move |j| (0..z).map(move |k| (i, j, k))))
}

/// Adds the copies of one generator, whose number has been checked.
fn expand_group(scene: &Scene, group: &Group, path: &Path, bodies: &mut Vec<ResolvedBody>) -> Result<(), Vec<Problem>> {
    let colliders: Arc<[ResolvedCollider]> = resolve_colliders(scene, &group.body, &path.key("body"))?.into();
    let copies = bodies_of_group(scene, group, path)?;
    bodies.extend(copies.into_iter().map(|body| with_colliders(body, Arc::clone(&colliders))));
    Ok(())
}

/// The copies of one generator, whose number has been checked.
fn bodies_of_group(scene: &Scene, group: &Group, path: &Path) -> Result<Vec<Body>, Vec<Problem>> {
    let body_of = |copy: Copy| {
        let mut random = random_stream(scene, &group.layout, &copy.indices);
        let position = position(&group.layout, &copy, &mut random).ok_or_else(|| too_many_digits(group, path))?;
        let mut body = group.body.clone().named(copy.name(&group.name), Place::Origin(position));
        if let Layout::Scatter { random_rotation: true, .. } = group.layout {
            let [w, x, y, z] = random.quaternion();
            body.orientation = Orientation::Quaternion(w, x, y, z);
        }
        Ok(body)
    };
    copies(&group.layout).into_iter().map(body_of).collect()
}

fn too_many_digits(group: &Group, path: &Path) -> Vec<Problem> {
    vec![
        Problem::new(path.key("layout"), format!("the places of {} need too many digits", quoted(&group.name)))
            .expected("positions are exact, with at most 38 digits")
            .hint("write `origin`, `spacing` and `jitter` with fewer digits"),
    ]
}

/// The same scene with one of its groups written out body by body and joint by joint: every run of it is the same.
///
/// # Errors
/// As [`expand`], and when there is no such group.
pub fn write_out_group(scene: &Scene, group: usize) -> Result<Scene, SceneError> {
    count_bodies(scene).map_err(|problem| SceneError::without_text(vec![problem]))?;
    let path = Path::root().key("groups").index(group);
    let Some(source) = scene.groups.get(group) else {
        return Err(SceneError::without_text(vec![Problem::new(path, "there is no such group")]));
    };
    let bodies = bodies_of_group(scene, source, &path).map_err(SceneError::without_text)?;
    let joints = joints_of_group(source);
    let joints = joints.ok_or_else(|| SceneError::without_text(too_many_digits(source, &path)))?;
    let mut written = scene.clone();
    written.groups.remove(group);
    written.bodies.extend(bodies);
    written.joints.extend(joints);
    Ok(written)
}

fn random_stream(scene: &Scene, layout: &Layout, indices: &[u32]) -> RandomStream {
    let seed = if let Layout::Scatter { seed, .. } = layout { *seed } else { 0 };
    let words: Vec<u64> = [scene.seed, seed].into_iter().chain(indices.iter().map(|index| u64::from(*index))).collect();
    RandomStream::new(&words)
}

/// The origin of a layout, and how far from it its last copies may be along each axis; `None` when a place needs too
/// many digits.
pub(super) fn reach(layout: &Layout) -> Option<(&Vector, [Exact; 3])> {
    let (origin, spacing, jitter) = frame(layout);
    let whole = |count: u32| 2 * i64::from(count.saturating_sub(1));
    let half_steps = match *layout {
        Layout::Grid { count: (x, y, z), .. }
        | Layout::Net { count: (x, y, z), .. }
        | Layout::Scatter { count: (x, y, z), .. } => [whole(x), whole(y), whole(z)],
        Layout::Stack { count, .. } | Layout::Chain { count, .. } => [whole(count); 3],
        Layout::Wall { base, rows, taper, .. } => {
            let along = whole(base) + i64::from(!taper && rows > 1);
            [along, whole(rows), along]
        }
        Layout::Pyramid { base, .. } => [whole(base); 3],
    };
    let far = |axis: fn(&Vector) -> Exact, half_steps: i64| {
        let far = axis(spacing).checked_mul(Exact::new(5 * i128::from(half_steps), 1))?;
        // Half a spacing and a drawn part of the jitter have more digits than what is written.
        let half_digits = axis(spacing).scale() + 1;
        let jitter_digits = jitter.map_or(0, |jitter| axis(jitter).scale() + DRAWN_DIGITS);
        axis(origin).checked_add(far)?.at_scale(axis(origin).scale().max(half_digits).max(jitter_digits))?;
        let jitter = jitter.map_or(Exact::ZERO, |jitter| axis(jitter).abs());
        if far < Exact::ZERO { far.checked_sub(jitter) } else { far.checked_add(jitter) }
    };
    let [x, y, z] = half_steps;
    Some((origin, [far(|v| v.0.exact(), x)?, far(|v| v.1.exact(), y)?, far(|v| v.2.exact(), z)?]))
}

/// Origin, spacing and jitter of a layout.
const fn frame(layout: &Layout) -> (&Vector, &Vector, Option<&Vector>) {
    match layout {
        Layout::Scatter { origin, spacing, jitter, .. } => (origin, spacing, Some(jitter)),
        Layout::Grid { origin, spacing, .. }
        | Layout::Stack { origin, spacing, .. }
        | Layout::Chain { origin, spacing, .. }
        | Layout::Net { origin, spacing, .. }
        | Layout::Wall { origin, spacing, .. }
        | Layout::Pyramid { origin, spacing, .. } => (origin, spacing, None),
    }
}

/// Where a copy is that nothing moves at random; `None` when that needs too many digits.
pub(super) fn position_of(layout: &Layout, copy: &Copy) -> Option<Vector> {
    position(layout, copy, &mut RandomStream::new(&[]))
}

fn position(layout: &Layout, copy: &Copy, random: &mut RandomStream) -> Option<Vector> {
    let (origin, spacing, jitter) = frame(layout);
    let mut component = |axis: fn(&Vector) -> Exact, half_steps: i64| {
        let step = axis(spacing).checked_mul(Exact::new(5 * i128::from(half_steps), 1))?;
        let placed = axis(origin).checked_add(step)?;
        let moved = match jitter {
            Some(jitter) => placed.checked_add(axis(jitter).checked_mul(random.signed_unit())?)?,
            None => placed,
        };
        Some(moved.to_decimal())
    };
    let [x, y, z] = copy.half_steps;
    Some(Vector(component(|v| v.0.exact(), x)?, component(|v| v.1.exact(), y)?, component(|v| v.2.exact(), z)?))
}
