//! Categories, and pairs of bodies that pass through each other. What a filter refers to is looked up where it is resolved.

use std::collections::BTreeMap;

use crate::scene::error::{Problem, quoted};
use crate::scene::filter::{DEFAULT_CATEGORY, MAX_CATEGORIES};
use crate::scene::path::Path;
use crate::scene::validate::checker::Checker;
use crate::scene::validate::inputs::Lives;
use crate::scene::validate::names::check_name;

/// Checks the categories and the excluded pairs of the scene.
pub(super) fn check_filters(checker: &mut Checker<'_>) {
    check_categories(checker);
    check_excluded_pairs(checker);
}

fn check_categories(checker: &mut Checker<'_>) {
    let categories = &checker.scene().categories;
    let path = Path::root().key("categories");
    if categories.len() > MAX_CATEGORIES {
        let title = format!("the scene has {} categories", categories.len());
        checker.add(Problem::new(path.clone(), title).expected(format!("a scene may have at most {MAX_CATEGORIES}")));
    }
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, name) in categories.iter().enumerate() {
        let path = path.index(place);
        check_name(checker, "a category", name, &path);
        if name == DEFAULT_CATEGORY {
            let title = format!("the category {} is there already", quoted(DEFAULT_CATEGORY));
            checker.add(
                Problem::new(path.clone(), title)
                    .expected("it is that of every shape whose filter names none")
                    .hint("leave it out here; masks may name it"),
            );
        }
        if let Some(before) = first.insert(name, place) {
            checker.add(
                Problem::new(path, format!("two categories are the same: {}", quoted(name)))
                    .expected(format!("this name was given before, at `categories[{before}]`")),
            );
        }
    }
}

/// Both bodies must be in the run at some time.
fn check_excluded_pairs(checker: &mut Checker<'_>) {
    let scene = checker.scene();
    if scene.excluded_pairs.is_empty() {
        return;
    }
    let lives = Lives::of(scene);
    for (place, (a, b)) in scene.excluded_pairs.iter().enumerate() {
        if checker.is_full() {
            return;
        }
        let path = Path::root().key("excluded_pairs").index(place);
        for (index, name) in [a, b].into_iter().enumerate() {
            if let Err(problem) = lives.birth(name, &path.index(index)) {
                checker.add(problem);
            }
        }
        if a == b {
            checker.add(
                Problem::new(path.index(1), format!("this pair is twice the body {}", quoted(a)))
                    .expected("expected two bodies; one never meets itself"),
            );
        }
    }
}
