//! The questions of a scene: where they look, with what, and whom they name.

use crate::scene::error::{Problem, quoted};
use crate::scene::filter::category_bits;
use crate::scene::model::{Orientation, Query, QueryFilter, Scene, Shape, Vector};
use crate::scene::path::Path;
use crate::scene::resolve::resolve_shape;
use crate::scene::validate::body::{check_orientation, check_shape};
use crate::scene::validate::checker::{Checker, Item};
use crate::scene::validate::inputs::Lives;
use crate::scene::validate::limits;
use crate::scene::validate::names::check_name;

/// Checks all questions of the scene.
pub(super) fn check_queries(checker: &mut Checker<'_>) {
    let scene = checker.scene();
    if scene.queries.is_empty() {
        return;
    }
    let lives = Lives::of(scene);
    for (name, query) in &scene.queries {
        let path = Path::root().key("queries").name(name);
        check_name(checker, "a query", name, &path);
        let owner = format!("query {}", quoted(name));
        Question { lives: &lives, item: Item::new(path, &owner) }.check(checker, query);
    }
}

/// Everything that is wrong with one more question to a scene.
pub(in crate::scene) fn problems_of_query(scene: &Scene, query: &Query) -> Vec<Problem> {
    let mut checker = Checker::new(scene);
    Question { lives: &Lives::of(scene), item: Item::new(Path::root(), "the query") }.check(&mut checker, query);
    checker.into_problems()
}

/// A question that is checked.
struct Question<'a> {
    lives: &'a Lives<'a>,
    item: Item<'a>,
}

impl Question<'_> {
    fn check(&self, checker: &mut Checker<'_>, query: &Query) {
        match query {
            Query::Ray { from, to, all: _, filter } => {
                self.check_way(checker, from, to);
                if from == to {
                    let problem = Problem::new(self.item.path.key("to"), "this ray has no length");
                    checker.add(
                        problem
                            .expected("expected another place than `from`")
                            .hint("`Contains` asks what holds a point"),
                    );
                }
                self.check_filter(checker, filter);
            }
            Query::Cast { shape, from, to, orientation, filter } => {
                self.check_way(checker, from, to);
                self.check_shape(checker, shape, orientation);
                self.check_filter(checker, filter);
            }
            Query::Overlap { shape, at, orientation, filter } => {
                self.check_place(checker, "at", at);
                self.check_shape(checker, shape, orientation);
                self.check_filter(checker, filter);
            }
            Query::Nearest { at, within, shape, orientation, filter } => {
                self.check_place(checker, "at", at);
                checker.number(&self.item.part("within"), within, &limits::QUERY_REACH);
                if let Some(shape) = shape {
                    self.check_shape(checker, shape, orientation);
                }
                self.check_filter(checker, filter);
            }
            Query::Contains { point, filter } => {
                self.check_place(checker, "point", point);
                self.check_filter(checker, filter);
            }
            Query::Between { bodies } => self.check_bodies(checker, bodies),
            Query::Meet { bodies, seconds } => {
                self.check_bodies(checker, bodies);
                checker.number(&self.item.part("seconds"), seconds, &limits::QUERY_SECONDS);
            }
        }
    }

    fn check_place(&self, checker: &mut Checker<'_>, key: &'static str, place: &Vector) {
        checker.vector(&self.item.part(key), place, &limits::POINT);
    }

    fn check_way(&self, checker: &mut Checker<'_>, from: &Vector, to: &Vector) {
        self.check_place(checker, "from", from);
        self.check_place(checker, "to", to);
    }

    /// A half-space has no ends: what is asked with it is whether things lie below it, which needs no query.
    fn check_shape(&self, checker: &mut Checker<'_>, shape: &Shape, orientation: &Orientation) {
        let path = self.item.path.key("shape");
        check_orientation(checker, &self.item.part("orientation"), orientation);
        match resolve_shape(checker.scene(), shape, &path) {
            Ok(resolved) if resolved.is_half_space() => {
                let problem = Problem::new(path, "a half-space cannot be asked with");
                checker
                    .add(problem.expected("expected a shape with an end to every side").hint("a flat Cuboid will do"));
            }
            Ok(resolved) if resolved.is_mesh() => {
                let problem = Problem::new(path, "a mesh cannot be asked with");
                checker.add(problem.expected("expected a shape with an inside").hint("ask with a hull of its points"));
            }
            Ok(_) => check_shape(checker, shape, &path, &self.item.words()),
            Err(problem) => checker.add(problem),
        }
    }

    fn check_filter(&self, checker: &mut Checker<'_>, filter: &QueryFilter) {
        let path = self.item.path.key("filter");
        if let Some(sees) = &filter.sees
            && let Err(problem) = category_bits(checker.scene(), sees, &path.key("sees"))
        {
            checker.add(problem);
        }
        for (place, name) in filter.except.iter().enumerate() {
            self.check_body(checker, name, &path.key("except").index(place));
        }
    }

    fn check_bodies(&self, checker: &mut Checker<'_>, (first, second): &(String, String)) {
        let path = self.item.path.key("bodies");
        self.check_body(checker, first, &path.index(0));
        self.check_body(checker, second, &path.index(1));
        if first == second {
            let problem = Problem::new(path.index(1), format!("this is twice the body {}", quoted(first)));
            checker.add(problem.expected("expected two bodies"));
        }
    }

    fn check_body(&self, checker: &mut Checker<'_>, name: &str, path: &Path) {
        if let Err(problem) = self.lives.birth(name, path) {
            checker.add(problem);
        }
    }
}
