//! Parts of solids that lie in each other: what they have in common is weighed twice.

use std::sync::Arc;

use crate::collision::query::closest;
use crate::geometry::Shape;
use crate::geometry::hull::Hull;
use crate::math::{Mat3, Scalar, Vec3};
use crate::scene::decomposed::Parts;
use crate::scene::write_out_parts::DecomposedSolid;

/// How deep parts may lie in each other, as a share of the radius of the ball that fits into the thinner one: the hulls of pieces on two sides of a cut have its rounding in
/// common.
const ALLOWED: f64 = 0.01;

/// What to say of a solid of which parts overlap: its surface crosses itself, or one piece lies within the hull of another. `None` where none do.
#[must_use]
pub fn parts_in_each_other(solid: &DecomposedSolid) -> Option<String> {
    let number = overlapping_pairs(&solid.parts);
    if number == 0 {
        return None;
    }
    let pairs = if number == 1 { "two parts overlap".to_owned() } else { format!("{number} pairs of parts overlap") };
    Some(format!(
        "{}: {pairs}, and what they have in common is weighed twice: surfaces cross, or pieces lie within each other; make one surface of them, or \
         give `mass` and `inertia`",
        solid.place
    ))
}

fn inner_radius(shape: &Shape<f64>) -> f64 {
    let Shape::Hull(hull) = shape else { return 0.0 };
    hull.inner_radius()
}

fn overlapping_pairs(parts: &Parts) -> usize {
    let placed: Vec<(Shape<f64>, Vec3<f64>)> = parts
        .hulls
        .iter()
        .filter_map(|points| points.hull().ok())
        .map(|placed| {
            let hull = Hull::new(Arc::clone(&placed.hull));
            (Shape::Hull(Arc::new(hull)), Vec3::from_array(placed.origin_in_metres()))
        })
        .collect();
    let overlap = |(a, at_a): &(Shape<f64>, Vec3<f64>), (b, at_b): &(Shape<f64>, Vec3<f64>)| {
        let boxes = [(a, at_a), (b, at_b)].map(|(shape, at)| shape.aabb(&Mat3::IDENTITY, *at));
        let [Some(first), Some(second)] = boxes else { return false };
        if !first.overlaps(&second) {
            return false;
        }
        let near = closest((a, &Mat3::IDENTITY), (b, &Mat3::IDENTITY), *at_b - *at_a);
        let thickness = Scalar::min(inner_radius(a), inner_radius(b));
        near.is_some_and(|near| -near.distance > ALLOWED * thickness)
    };
    let pairs = placed.iter().enumerate().flat_map(|(place, a)| placed[place + 1..].iter().map(move |b| (a, b)));
    pairs.filter(|(a, b)| overlap(a, b)).count()
}
