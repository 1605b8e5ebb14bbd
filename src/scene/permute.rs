//! The same scene with its bodies and groups in another order.

use crate::scene::Scene;

/// A scene whose bodies and groups stand in an order that the seed decides, and never in the order that they had where
/// there are two or more.
#[must_use]
pub fn permuted(scene: &Scene, seed: u64) -> Scene {
    let mut scene = scene.clone();
    permute(&mut scene.bodies, seed, |body| &body.name);
    permute(&mut scene.groups, seed, |group| &group.name);
    scene
}

fn permute<T: Clone + PartialEq>(items: &mut [T], seed: u64, name: impl Fn(&T) -> &String) {
    let written = items.to_vec();
    items.sort_by_cached_key(|item| {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&seed.to_le_bytes()).update(name(item).as_bytes());
        *hasher.finalize().as_bytes()
    });
    if items == written {
        items.reverse();
    }
}
