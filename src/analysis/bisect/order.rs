//! The same scene with its bodies, groups and joints in another order.

use crate::scene::Scene;

/// A scene whose bodies, groups and joints stand in an order that the seed decides, and never in the order that they had where
/// there are two or more.
#[must_use]
pub fn permuted(scene: &Scene, seed: u64) -> Scene {
    let mut scene = scene.clone();
    permute(&mut scene.bodies, seed, |body| &body.name);
    permute(&mut scene.groups, seed, |group| &group.name);
    permute(&mut scene.joints, seed, |joint| &joint.name);
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

#[cfg(test)]
mod tests {
    use super::permuted;
    use crate::scene;

    #[test]
    fn the_order_is_another_and_the_bodies_are_the_same() {
        let bodies: String =
            (0..9).map(|i| format!("(name: \"b{i}\", shape: Sphere(radius: 1), mass: Total(1)),")).collect();
        let text = format!("(version: 1, name: \"many\", bodies: [{bodies}])");
        let scene = scene::parse("test scene", &text).unwrap_or_else(|error| panic!("{error}"));
        let mut orders = Vec::new();
        for seed in 0..20 {
            let mut other = permuted(&scene, seed);
            assert_ne!(other.bodies, scene.bodies);
            orders.push(other.bodies.clone());
            other.bodies.sort_by(|a, b| a.name.cmp(&b.name));
            assert_eq!(other, scene);
        }
        orders.dedup();
        assert_eq!(orders.len(), 20, "each seed has an order of its own");
        let two = scene::parse(
            "test scene",
            "(version: 1, name: \"two\", bodies: [(name: \"a\", shape: Sphere(radius: 1)), (name: \"b\", shape: \
             Sphere(radius: 1))])",
        )
        .unwrap_or_else(|error| panic!("{error}"));
        assert!((0..20).all(|seed| permuted(&two, seed).bodies[0].name == "b"));
    }
}
