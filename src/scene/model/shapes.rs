//! All shapes that stand in a scene.

use crate::scene::model::{Action, Collider, Scene, Shape};

impl Scene {
    /// Every shape of the scene that may be changed, in one order: those with names, then those of bodies, groups and spawned bodies.
    pub fn shapes_mut(&mut self) -> Vec<&mut Shape> {
        fn of_body<'a>(
            shape: &'a mut Option<Shape>,
            colliders: &'a mut [Collider],
        ) -> impl Iterator<Item = &'a mut Shape> {
            shape.iter_mut().chain(colliders.iter_mut().map(|collider| &mut collider.shape))
        }
        let named = self.shapes.values_mut();
        let of_bodies = self.bodies.iter_mut().flat_map(|body| of_body(&mut body.shape, &mut body.colliders));
        let of_groups =
            self.groups.iter_mut().flat_map(|group| of_body(&mut group.body.shape, &mut group.body.colliders));
        let spawned = self.inputs.iter_mut().filter_map(|input| match &mut input.action {
            Action::Spawn(body) => Some(of_body(&mut body.shape, &mut body.colliders)),
            _ => None,
        });
        named.chain(of_bodies).chain(of_groups).chain(spawned.flatten()).collect()
    }
}
