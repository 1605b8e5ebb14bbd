//! What a box may meet on a straight way.

use crate::collision::broad_phase::dynamic_tree::traverse::Stack;
use crate::collision::broad_phase::dynamic_tree::{DynamicTree, Kind, Node, ROOT};
use crate::collision::query::Ray;
use crate::geometry::Aabb;
use crate::math::{Scalar, Vec3};

impl<S: Scalar> DynamicTree<S> {
    /// Shows each box that one of these half extents may meet on its way, and every half-space; of two parts of the tree the one that lies
    /// less far along the way first. `found` says how long the way still is.
    ///
    /// The way leads the middle of the box, seen from the origin of the world.
    pub fn visit_on_way(&self, way: &Ray<S>, half_extents: Vec3<S>, mut found: impl FnMut(u32) -> S) {
        let mut left = *way;
        for plane in &self.planes {
            left.length = left.length.min(found(plane.index));
        }
        let along = |node: &Node<S>| way.direction.dot(node.bounds.min + node.bounds.max);
        let mut stack = Stack::new(ROOT);
        while let Some(number) = stack.pop() {
            let meets = |node: &&Node<S>| may_meet(&left, half_extents, &node.bounds);
            let Some(node) = self.node(number).filter(meets) else { continue };
            match node.kind {
                Kind::Leaf(index) => left.length = left.length.min(found(index)),
                Kind::Inner(first) => {
                    let [near, far] = match (self.node(first), self.node(first + 1)) {
                        (Some(one), Some(other)) if along(other) < along(one) => [first + 1, first],
                        _ => [first, first + 1],
                    };
                    stack.push(far);
                    stack.push(near);
                }
                Kind::Free(_) => {}
            }
        }
    }
}

/// Whether a box of these half extents may meet another on its way: by the axes of the boxes and those across them and the way.
///
/// S. Gottschalk, "Collision Queries using Oriented Bounding Boxes", 2000: a segment is a box without breadth.
fn may_meet<S: Scalar>(way: &Ray<S>, half_extents: Vec3<S>, bounds: &Aabb<S>) -> bool {
    let half_way = way.length * S::HALF;
    let half = (bounds.max - bounds.min) * S::HALF + half_extents;
    let middle = way.point(half_way) - (bounds.max + bounds.min) * S::HALF;
    // What rounds is never taken for a miss.
    let slack = (middle.taxicab_length() + half.taxicab_length() + half_way) * (S::EPSILON * S::from_i32(8));
    let reach = half + Vec3::splat(slack);
    let direction = way.direction.abs();
    let (gap, room) = (middle.abs(), reach + direction * half_way);
    if gap.x > room.x || gap.y > room.y || gap.z > room.z {
        return false;
    }
    let across = middle.cross(way.direction).abs();
    across.x <= reach.y * direction.z + reach.z * direction.y + slack
        && across.y <= reach.z * direction.x + reach.x * direction.z + slack
        && across.z <= reach.x * direction.y + reach.y * direction.x + slack
}
