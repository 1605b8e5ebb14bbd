//! Writes solids out as the hulls that they are cut into, so that nothing behind a loaded scene knows of them: not its canonical text, no replay.

use std::collections::BTreeMap;

use crate::scene::decomposed::Parts;
use crate::scene::error::{Problem, quoted};
use crate::scene::hull::HullPoints;
use crate::scene::model::{Action, Collider, Orientation, Scene, Shape, Vector};
use crate::scene::path::Path;
use crate::scene::resolve::follow_names;
use crate::scene::resolve_decomposed::resolve_parts_of;
use crate::scene::validate::MAX_NAME_BYTES;

/// What became of a solid when its scene was loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct DecomposedSolid {
    /// Where it stands in the scene, such as `shapes.table` or `bodies.desk.shape`.
    pub place: String,
    /// Its parts.
    pub parts: Parts,
}

/// Replaces every solid of a scene in which nothing is wrong by its parts, and tells of each. A body's only shape becomes its colliders, a
/// collider becomes several at its place, and a name becomes several names: `table` becomes `table[0]` and so on.
///
/// # Errors
/// When the name of a part is taken, or too long.
pub(super) fn write_out_parts(scene: &mut Scene) -> Result<Vec<DecomposedSolid>, Vec<Problem>> {
    if !scene.has_solids() {
        return Ok(Vec::new());
    }
    let mut writer = Writer { named: BTreeMap::new(), solids: Vec::new(), problems: Vec::new() };
    writer.write_names(scene);
    let root = Path::root();
    for body in &mut scene.bodies {
        let surface = &mut Surface { material: &mut body.material, sensor: &mut body.sensor };
        writer.write_body((&mut body.shape, &mut body.colliders), surface, &root.key("bodies").name(&body.name));
    }
    for group in &mut scene.groups {
        let body = &mut group.body;
        let surface = &mut Surface { material: &mut body.material, sensor: &mut body.sensor };
        let path = root.key("groups").name(&group.name).key("body");
        writer.write_body((&mut body.shape, &mut body.colliders), surface, &path);
    }
    for (place, input) in scene.inputs.iter_mut().enumerate() {
        if let Action::Spawn(body) = &mut input.action {
            let surface = &mut Surface { material: &mut body.material, sensor: &mut body.sensor };
            let path = root.key("inputs").index(place).key("action");
            writer.write_body((&mut body.shape, &mut body.colliders), surface, &path);
        }
    }
    if writer.problems.is_empty() { Ok(writer.solids) } else { Err(writer.problems) }
}

impl Scene {
    /// Whether there is a solid in it that was not yet replaced by its parts.
    pub(super) fn has_solids(&self) -> bool {
        let is_solid = |shape: &Shape| matches!(shape, Shape::Decomposed { .. });
        let has = |shape: &Option<Shape>, colliders: &[Collider]| {
            shape.as_ref().is_some_and(is_solid) || colliders.iter().any(|collider| is_solid(&collider.shape))
        };
        let spawns = |action: &Action| matches!(action, Action::Spawn(body) if has(&body.shape, &body.colliders));
        self.shapes.values().any(is_solid)
            || self.bodies.iter().any(|body| has(&body.shape, &body.colliders))
            || self.groups.iter().any(|group| has(&group.body.shape, &group.body.colliders))
            || self.inputs.iter().any(|input| spawns(&input.action))
    }
}

/// What a body says of its only shape.
struct Surface<'a> {
    material: &'a mut Option<String>,
    sensor: &'a mut bool,
}

struct Writer {
    /// For each name of a solid of several parts the names of these.
    named: BTreeMap<String, Vec<String>>,
    solids: Vec<DecomposedSolid>,
    problems: Vec<Problem>,
}

impl Writer {
    /// Gives names to the parts of named solids, in place of the names that lead to them.
    fn write_names(&mut self, scene: &mut Scene) {
        let leads_to = |scene: &Scene, name: &str| {
            let (shape, _) = follow_names(scene, scene.shapes.get(name)?, &Path::root()).ok()?;
            scene.shapes.iter().find(|(_, other)| std::ptr::eq(*other, shape)).map(|(name, _)| name.clone())
        };
        let aliases: Vec<(String, String)> =
            scene.shapes.keys().filter_map(|name| Some((name.clone(), leads_to(scene, name)?))).collect();
        for name in scene.shapes.keys().cloned().collect::<Vec<_>>() {
            let path = Path::root().key("shapes").name(&name);
            let Some(hulls) = scene.shapes.get(&name).and_then(|shape| self.parts(shape, &path)) else { continue };
            if let [hull] = hulls.as_slice() {
                scene.shapes.insert(name, hull.clone());
                continue;
            }
            let names: Vec<String> = (0..hulls.len()).map(|number| format!("{name}[{number}]")).collect();
            for part in &names {
                if part.len() > MAX_NAME_BYTES || scene.shapes.contains_key(part) {
                    let title = format!("{} cannot be the name of a part", quoted(part));
                    let why = "the parts of a solid with a name are called so: it is too long, or another shape's";
                    self.problems.push(Problem::new(path.clone(), title).expected(why).hint("give it another name"));
                    return;
                }
            }
            scene.shapes.remove(&name);
            scene.shapes.extend(names.iter().cloned().zip(hulls));
            for (alias, _) in aliases.iter().filter(|(_, of)| *of == name) {
                scene.shapes.remove(alias);
                self.named.insert(alias.clone(), names.clone());
            }
        }
    }

    /// The parts of a shape that stands there, if it is a solid.
    fn parts(&mut self, shape: &Shape, path: &Path) -> Option<Vec<Shape>> {
        match resolve_parts_of(shape, path, false)? {
            Ok(parts) => {
                let hull = |points: &HullPoints| Shape::Hull {
                    points: points.clone(),
                    file: None,
                    scale: None,
                    most_corners: None,
                };
                let hulls = parts.hulls.iter().map(hull).collect();
                self.solids.push(DecomposedSolid { place: path.to_string(), parts });
                Some(hulls)
            }
            Err(problem) => {
                self.problems.push(problem);
                None
            }
        }
    }

    /// The shapes that take the place of one; `None` where it stays.
    fn replacements(&mut self, shape: &Shape, path: &Path) -> Option<Vec<Shape>> {
        match shape {
            Shape::Named(name) => Some(self.named.get(name)?.iter().map(|part| Shape::Named(part.clone())).collect()),
            shape => self.parts(shape, path),
        }
    }

    fn write_body(
        &mut self,
        (shape, colliders): (&mut Option<Shape>, &mut Vec<Collider>),
        surface: &mut Surface<'_>,
        path: &Path,
    ) {
        if let Some(own) = shape.as_ref()
            && let Some(parts) = self.replacements(own, &path.key("shape"))
        {
            if let [one] = parts.as_slice() {
                *shape = Some(one.clone());
                return;
            }
            *shape = None;
            let (material, sensor) = (surface.material.take(), std::mem::take(surface.sensor));
            *colliders = parts
                .into_iter()
                .map(|shape| Collider {
                    shape,
                    offset: Vector::default(),
                    orientation: Orientation::default(),
                    material: material.clone(),
                    sensor,
                    filter: None,
                })
                .collect();
            return;
        }
        let mut written = Vec::with_capacity(colliders.len());
        for (place, collider) in std::mem::take(colliders).into_iter().enumerate() {
            let path = path.key("colliders").index(place).key("shape");
            match self.replacements(&collider.shape, &path) {
                Some(parts) => {
                    written.extend(parts.into_iter().map(|shape| Collider { shape, ..collider.clone() }));
                }
                None => written.push(collider),
            }
        }
        *colliders = written;
    }
}
