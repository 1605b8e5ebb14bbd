//! How much it takes to cut the solids of a scene into parts, and the limit of it: found from their sizes, before any of them is cut.

use std::collections::BTreeSet;

use crate::geometry::decomposition::{MAX_PARTS, MAX_SOLID_TRIANGLES, TRIANGLES_OF_A_CUT, cutting_effort};
use crate::scene::decomposed::DEFAULT_MOST_PARTS;
use crate::scene::error::Problem;
use crate::scene::model::{Action, Collider, Scene, Shape};
use crate::scene::path::Path;

/// The most that the solids of a scene may take: as much as the largest that is allowed, in the most parts. Some 30 seconds.
const MAX_EFFORT: u64 = cutting_effort(MAX_SOLID_TRIANGLES as u64, MAX_PARTS as u64);

/// What cutting takes, solid by solid.
#[derive(Debug, Default)]
pub(super) struct CuttingEffort {
    effort: u64,
    solids: u64,
    /// Those that were counted of which there may be copies, which are cut once, by where their points are in memory.
    counted: BTreeSet<usize>,
}

impl CuttingEffort {
    /// That of the solids whose points a scene has, or the problem that it is more than may be. Solids in files that were not read yet
    /// are none.
    pub(super) fn of(scene: &Scene) -> Result<Self, Problem> {
        let mut effort = Self::default();
        let root = Path::root();
        for (name, shape) in &scene.shapes {
            effort.add(shape, || root.key("shapes").name(name))?;
        }
        for (place, body) in scene.bodies.iter().enumerate() {
            effort.add_body((&body.shape, &body.colliders), || root.key("bodies").index(place))?;
        }
        for (place, group) in scene.groups.iter().enumerate() {
            let body = &group.body;
            let path = || root.key("groups").index(place).key("body");
            effort.add_body((&body.shape, &body.colliders), path)?;
        }
        for (place, input) in scene.inputs.iter().enumerate() {
            if let Action::Spawn(body) = &input.action {
                let path = || root.key("inputs").index(place).key("action");
                effort.add_body((&body.shape, &body.colliders), path)?;
            }
        }
        Ok(effort)
    }

    fn add_body(
        &mut self,
        (shape, colliders): (&Option<Shape>, &[Collider]),
        path: impl Fn() -> Path,
    ) -> Result<(), Problem> {
        if let Some(shape) = shape {
            self.add(shape, || path().key("shape"))?;
        }
        for (place, collider) in colliders.iter().enumerate() {
            self.add(&collider.shape, || path().key("colliders").index(place).key("shape"))?;
        }
        Ok(())
    }

    /// Takes a shape into account, which stands at this path.
    pub(super) fn add(&mut self, shape: &Shape, path: impl Fn() -> Path) -> Result<(), Problem> {
        let Shape::Decomposed { points, triangles, most_parts, .. } = shape else { return Ok(()) };
        if points.points().is_empty() || !self.counted.insert(points.address()) {
            return Ok(());
        }
        // What is out of range is refused for that, and not cut.
        let triangles = triangles.listed().len().min(MAX_SOLID_TRIANGLES) as u64;
        let parts = u64::from(most_parts.unwrap_or(DEFAULT_MOST_PARTS)).min(MAX_PARTS as u64);
        self.effort += cutting_effort(triangles, parts);
        self.solids += 1;
        if self.effort <= MAX_EFFORT {
            return Ok(());
        }
        let path = path();
        let title = format!("the solids of this scene are too much to cut: `{path}` is number {} of them", self.solids);
        Err(Problem::new(path, title)
            .expected(format!(
                "expected {MAX_EFFORT} at most, the sum over all solids of `most_parts` times {TRIANGLES_OF_A_CUT} more than its triangles; \
                 with this one, of {parts} times {triangles} and {TRIANGLES_OF_A_CUT}, it is {}",
                self.effort
            ))
            .hint(
                "give each a smaller `most_parts` (of a bracket 4 will do), and bodies that have the same solid one name in `shapes`, \
                 for a name is cut once; or write hulls",
            ))
    }
}
