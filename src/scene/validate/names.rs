//! Names: what they may be made of, and that no two bodies of a run share one.

use std::collections::BTreeSet;

use crate::scene::error::{Problem, quoted};
use crate::scene::model::Action;
use crate::scene::path::Path;
use crate::scene::validate::checker::Checker;
use crate::scene::validate::inputs::split_indices;
use crate::scene::validate::limits::MAX_NAME_BYTES;

/// Checks the letters of a name.
pub(super) fn check_name(checker: &mut Checker<'_>, owner: &str, name: &str, path: &Path) {
    let expected = if name.is_empty() {
        "a name has at least one letter".to_owned()
    } else if name.len() > MAX_NAME_BYTES {
        format!("a name has at most {MAX_NAME_BYTES} bytes")
    } else if name.chars().any(char::is_control) {
        "a name has no control characters, such as line breaks".to_owned()
    } else {
        return;
    };
    let shown: String = name.chars().take(40).collect();
    checker.add(
        Problem::new(path.clone(), format!("{} is not a valid name for {owner}", quoted(&shown))).expected(expected),
    );
}

/// Checks that every body, group and spawned body has a proper name of its own.
pub(super) fn check_names(checker: &mut Checker<'_>) {
    let scene = checker.scene();
    let mut bodies: Vec<(&str, usize, Path)> = Vec::new();
    let mut groups: Vec<(&str, usize, Path)> = Vec::new();
    let group_names: BTreeSet<&str> = scene.groups.iter().map(|group| group.name.as_str()).collect();
    for (place, body) in scene.bodies.iter().enumerate() {
        let path = Path::root().key("bodies").index(place).key("name");
        check_body_name(checker, &group_names, ("a body", &body.name), &path);
        bodies.push((&body.name, bodies.len(), path));
    }
    for (place, input) in scene.inputs.iter().enumerate() {
        if let Action::Spawn(body) = &input.action {
            let path = Path::root().key("inputs").index(place).key("action").key("name");
            check_body_name(checker, &group_names, ("a body", &body.name), &path);
            bodies.push((&body.name, bodies.len(), path));
        }
    }
    for (place, group) in scene.groups.iter().enumerate() {
        let path = Path::root().key("groups").index(place).key("name");
        check_body_name(checker, &group_names, ("a group", &group.name), &path);
        groups.push((&group.name, place, path));
    }
    check_unique(checker, "body", bodies);
    check_unique(checker, "group", groups);
}

/// Checks the name of a body or group; what has it comes before it.
fn check_body_name(checker: &mut Checker<'_>, groups: &BTreeSet<&str>, (owner, name): (&str, &str), path: &Path) {
    check_name(checker, owner, name, path);
    if name.contains(['[', ']']) && (owner == "a group" || !is_of_no_generator(groups, name)) {
        checker.add(
            Problem::new(path.clone(), format!("{} is not a valid name for {owner}", quoted(name)))
                .expected("square brackets are for the names that generators make, such as `wall[3,4]`")
                .hint("write `_` or `-` instead"),
        );
    }
}

/// Whether a name is as generators make them, but of none that the scene has: a body that was taken out of its group
/// keeps its name.
fn is_of_no_generator(groups: &BTreeSet<&str>, name: &str) -> bool {
    split_indices(name).is_some_and(|(base, indices)| !base.is_empty() && !indices.is_empty() && !groups.contains(base))
}

fn check_unique(checker: &mut Checker<'_>, kind: &str, mut names: Vec<(&str, usize, Path)>) {
    names.sort_by_key(|(name, order, _)| (*name, *order));
    for pair in names.windows(2) {
        if let [(first, _, first_path), (second, _, path)] = pair
            && first == second
        {
            checker.add(
                Problem::new(path.clone(), format!("two {kind} names are the same: {}", quoted(second)))
                    .expected(format!("this name was given before, at `{first_path}`"))
                    .hint("names are unique over the whole run, also those of bodies that inputs spawn"),
            );
        }
    }
}
