//! Whether two bodies of a scene can push each other, as far as their filters and the excluded pairs say.

use std::collections::BTreeSet;

use crate::scene::Scene;
use crate::scene::resolve::ResolvedBody;
use crate::world::build::body::filter;

/// The excluded pairs of a scene, to be asked for bodies.
#[derive(Clone, Debug)]
pub struct Meeting<'a> {
    /// Each pair in both orders.
    excluded: BTreeSet<(&'a str, &'a str)>,
}

impl<'a> Meeting<'a> {
    /// That of a scene.
    #[must_use]
    pub fn of(scene: &'a Scene) -> Self {
        let pairs = scene.excluded_pairs.iter().map(|(a, b)| (a.as_str(), b.as_str()));
        Self { excluded: pairs.flat_map(|(a, b)| [(a, b), (b, a)]).collect() }
    }

    /// Whether some shape of one pushes some shape of the other when they touch.
    #[must_use]
    pub fn may_push(&self, a: &ResolvedBody, b: &ResolvedBody) -> bool {
        let mut pairs = a.pushing().flat_map(|one| b.pushing().map(move |other| (one, other)));
        a.name != b.name
            && !self.excluded.contains(&(a.name.as_str(), b.name.as_str()))
            && pairs.any(|(one, other)| {
                // Two surfaces do not meet.
                !(one.shape.is_mesh() && other.shape.is_mesh()) && filter(one.filter).meets(filter(other.filter))
            })
    }
}
