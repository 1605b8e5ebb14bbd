//! Joints: whom they join, and where.

use std::collections::{BTreeMap, BTreeSet};

use crate::scene::error::{Problem, quoted};
use crate::scene::joints::{count_joints, joint_count};
use crate::scene::model::{BodyKind, Joint, Layout, Scene};
use crate::scene::path::Path;
use crate::scene::validate::checker::{Checker, Item};
use crate::scene::validate::inputs::{Lives, split_indices};
use crate::scene::validate::limits;
use crate::scene::validate::names::check_name;

/// Checks the joints of the scene and those of its generators.
pub(super) fn check_joints(checker: &mut Checker<'_>) {
    let scene = checker.scene();
    if let Err(problem) = count_joints(scene) {
        checker.add(problem);
    }
    check_groups(checker);
    if scene.joints.is_empty() {
        return;
    }
    let (lives, kinds) = (Lives::of(scene), Kinds::of(scene));
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    let joining: BTreeSet<&str> = groups_that_join(scene).collect();
    for (place, joint) in scene.joints.iter().enumerate() {
        if checker.is_full() {
            return;
        }
        let path = Path::root().key("joints").index(place);
        check_joint_name(checker, &joining, joint, &path.key("name"));
        if let Some(before) = first.insert(&joint.name, place) {
            checker.add(
                Problem::new(path.key("name"), format!("two joint names are the same: {}", quoted(&joint.name)))
                    .expected(format!("this name was given before, at `joints[{before}].name`")),
            );
        }
        check_bodies(checker, joint, &path, (&lives, &kinds));
        check_anchors(checker, joint, &path);
    }
}

/// What cannot be moved cannot be joined: a chain or a net is of dynamic bodies.
fn check_groups(checker: &mut Checker<'_>) {
    for (place, group) in checker.scene().groups.iter().enumerate() {
        if joint_count(&group.layout) > 0 && group.body.kind != BodyKind::Dynamic {
            let path = Path::root().key("groups").index(place).key("body").key("kind");
            let title = format!("the group {} joins bodies that nothing can move", quoted(&group.name));
            checker.add(
                Problem::new(path, title)
                    .expected("a chain or a net is of dynamic bodies")
                    .hint("hold it by `joints` of its first or last bodies; without joints, write `Stack` or `Grid`"),
            );
        }
    }
}

/// The names of the generators that join what they make.
fn groups_that_join(scene: &Scene) -> impl Iterator<Item = &str> {
    let joins = |layout: &Layout| matches!(layout, Layout::Chain { .. } | Layout::Net { .. });
    scene.groups.iter().filter(move |group| joins(&group.layout)).map(|group| group.name.as_str())
}

fn check_joint_name(checker: &mut Checker<'_>, joining: &BTreeSet<&str>, joint: &Joint, path: &Path) {
    check_name(checker, "a joint", &joint.name, path);
    let Some((base, _)) = joint.name.split_once('[') else { return };
    if joining.contains(base) {
        checker.add(
            Problem::new(path.clone(), format!("{} is not a valid name for a joint", quoted(&joint.name)))
                .expected(format!("names that begin so are for the joints within the group {}", quoted(base)))
                .hint("write `_` or `-` instead of the brackets"),
        );
    }
}

fn check_bodies(checker: &mut Checker<'_>, joint: &Joint, path: &Path, (lives, kinds): (&Lives<'_>, &Kinds<'_>)) {
    let before = checker.problem_count();
    let ends = [("a", Some(joint.a.as_str())), ("b", joint.b.as_deref())];
    for (key, name) in ends {
        let Some(name) = name else { continue };
        let path = path.key(key);
        match lives.birth(name, &path) {
            Ok(None) => {}
            Ok(Some((step, _))) => checker.add(
                Problem::new(path, format!("the body {} does not exist yet when the run starts", quoted(name)))
                    .expected(format!("it is spawned at step {step}; joints are of bodies of step 0")),
            ),
            Err(problem) => checker.add(problem),
        }
    }
    if checker.problem_count() > before {
        return;
    }
    let owner = format!("the joint {}", quoted(&joint.name));
    if joint.b.as_ref() == Some(&joint.a) {
        checker.add(
            Problem::new(path.key("b"), format!("{owner} joins {} to itself", quoted(&joint.a)))
                .expected("expected another body")
                .hint("leave `b` out to join a body to the world"),
        );
    } else if [Some(joint.a.as_str()), joint.b.as_deref()].into_iter().flatten().all(|name| !kinds.moves(name)) {
        checker.add(
            Problem::new(path.key("a"), format!("{owner} joins what nothing can move"))
                .expected("at least one of the bodies of a joint must be dynamic"),
        );
    }
}

fn check_anchors(checker: &mut Checker<'_>, joint: &Joint, path: &Path) {
    let owner = format!("the joint {}", quoted(&joint.name));
    let item = Item::new(path.clone(), &owner);
    let Joint { anchor_a, anchor_b, at, .. } = joint;
    if let Some(anchor) = anchor_a {
        checker.vector(&item.part("anchor_a"), anchor, &limits::OFFSET);
    }
    if let Some(anchor) = anchor_b {
        let limits = if joint.b.is_some() { limits::OFFSET } else { limits::POINT };
        checker.vector(&item.part("anchor_b"), anchor, &limits);
    }
    if let Some(at) = at {
        checker.vector(&item.part("at"), at, &limits::POINT);
    }
    if at.is_some() && (anchor_a.is_some() || anchor_b.is_some()) {
        checker.add(
            Problem::new(path.key("at"), format!("{owner} has both `at` and an anchor"))
                .expected("`at` says where both anchors are when the run starts")
                .hint("leave `at` out, or leave out `anchor_a` and `anchor_b`"),
        );
    } else if at.is_none() && anchor_a.is_none() && anchor_b.is_none() {
        checker.add(
            Problem::new(path.clone(), format!("{owner} does not say where it is"))
                .expected("expected `at: (x, y, z)`, `anchor_a` or `anchor_b` in here")
                .hint("`at` is a point in the world when the run starts, an anchor one of its body"),
        );
    }
}

/// Which bodies of step 0 are dynamic.
struct Kinds<'a> {
    bodies: BTreeMap<&'a str, BodyKind>,
    groups: BTreeMap<&'a str, BodyKind>,
}

impl<'a> Kinds<'a> {
    fn of(scene: &'a Scene) -> Self {
        Self {
            bodies: scene.bodies.iter().map(|body| (body.name.as_str(), body.kind)).collect(),
            groups: scene.groups.iter().map(|group| (group.name.as_str(), group.body.kind)).collect(),
        }
    }

    fn moves(&self, name: &str) -> bool {
        let of_group = || self.groups.get(split_indices(name)?.0);
        self.bodies.get(name).or_else(of_group).is_some_and(|kind| *kind == BodyKind::Dynamic)
    }
}
