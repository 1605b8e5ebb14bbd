//! From a scene to its joints at step 0: those of generators written out, sorted by name.

use crate::scene::error::{Problem, SceneError, quoted};
use crate::scene::generate::{Copy, copy_name, position_of};
use crate::scene::model::{Group, Joint, JointKind, Layout, Scene};
use crate::scene::path::Path;

/// Most joints that a scene may have.
pub const MAX_JOINTS: u64 = 1_000_000;

/// All joints, sorted by name (by bytes), so that a joint's place in the list is its id.
///
/// # Errors
/// When there are more than [`MAX_JOINTS`] (before memory is taken for them), or a place needs more digits than are kept exactly.
pub fn expand_joints(scene: &Scene) -> Result<Vec<Joint>, SceneError> {
    let count = count_joints(scene).map_err(|problem| SceneError::without_text(vec![problem]))?;
    let mut joints = Vec::with_capacity(count);
    joints.extend(scene.joints.iter().cloned());
    for (place, group) in scene.groups.iter().enumerate() {
        let written = joints_of_group(group).ok_or_else(|| too_many_digits(group, place));
        joints.extend(written.map_err(|problem| SceneError::without_text(vec![problem]))?);
    }
    joints.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(joints)
}

/// The number of joints of a scene, those of generators included.
pub(super) fn count_joints(scene: &Scene) -> Result<usize, Problem> {
    let too_many = |path: Path, count: u64| {
        Problem::new(path, format!("the scene asks for {count} joints"))
            .expected(format!("a scene may have at most {MAX_JOINTS} joints"))
    };
    let mut total = scene.joints.len() as u64;
    if total > MAX_JOINTS {
        return Err(too_many(Path::root().key("joints"), total));
    }
    for (place, group) in scene.groups.iter().enumerate() {
        // The copies of a group have been counted: no product here is large.
        total = total.saturating_add(joint_count(&group.layout));
        if total > MAX_JOINTS {
            return Err(too_many(Path::root().key("groups").index(place).key("layout").key("count"), total));
        }
    }
    usize::try_from(total).map_err(|_| too_many(Path::root(), total))
}

/// How many joints a layout has.
pub(super) fn joint_count(layout: &Layout) -> u64 {
    match *layout {
        Layout::Chain { count, .. } => u64::from(count.saturating_sub(1)),
        Layout::Net { count: (x, y, z), .. } => {
            let [x, y, z] = [x, y, z].map(u64::from);
            let along = |count: u64, other: u64, third: u64| {
                count.saturating_sub(1).saturating_mul(other).saturating_mul(third)
            };
            along(x, y, z).saturating_add(along(y, x, z)).saturating_add(along(z, x, y))
        }
        Layout::Grid { .. }
        | Layout::Stack { .. }
        | Layout::Wall { .. }
        | Layout::Pyramid { .. }
        | Layout::Scatter { .. } => 0,
    }
}

/// The joints of a generator whose copies have been counted; `None` when a place needs too many digits.
pub(super) fn joints_of_group(group: &Group) -> Option<Vec<Joint>> {
    let mut joints = Vec::new();
    match group.layout {
        Layout::Chain { count, .. } => {
            for i in 1..count {
                let middle = 2 * i64::from(i) - 1;
                joints.push(joint_between(group, [&[i - 1], &[i]], [middle; 3])?);
            }
        }
        Layout::Net { count: (x, y, z), .. } => {
            for (i, j, k) in (0..x).flat_map(|i| (0..y).flat_map(move |j| (0..z).map(move |k| (i, j, k)))) {
                let here = [i, j, k];
                for (axis, count) in [x, y, z].into_iter().enumerate() {
                    let mut next = here;
                    next[axis] += 1;
                    if next[axis] < count {
                        let mut middle = here.map(|step| 2 * i64::from(step));
                        middle[axis] += 1;
                        joints.push(joint_between(group, [&here, &next], middle)?);
                    }
                }
            }
        }
        Layout::Grid { .. }
        | Layout::Stack { .. }
        | Layout::Wall { .. }
        | Layout::Pyramid { .. }
        | Layout::Scatter { .. } => {}
    }
    Some(joints)
}

/// The joint between two copies, `middle` half spacings from the origin.
fn joint_between(group: &Group, indices: [&[u32]; 2], middle: [i64; 3]) -> Option<Joint> {
    let [a, b] = indices.map(|indices| copy_name(&group.name, indices));
    Some(Joint {
        name: format!("{a}+{b}"),
        kind: JointKind::Spherical,
        a,
        b: Some(b),
        anchor_a: None,
        anchor_b: None,
        at: Some(position_of(&group.layout, &Copy { indices: Vec::new(), half_steps: middle })?),
        collide: false,
    })
}

fn too_many_digits(group: &Group, place: usize) -> Problem {
    let path = Path::root().key("groups").index(place).key("layout");
    Problem::new(path, format!("the joints of {} need too many digits", quoted(&group.name)))
        .hint("write `origin` and `spacing` with fewer digits")
}
