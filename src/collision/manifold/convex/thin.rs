//! Contacts that no face carries: where edges cross or run side by side, and at single points.

use crate::collision::manifold::Manifold;
use crate::collision::manifold::convex::Scene;
use crate::collision::manifold::convex::feature::{self, Touch};
use crate::collision::manifold::convex::gjk::Nearest;
use crate::collision::manifold::convex::polytope::{Core, Line};
use crate::math::{Scalar, Vec3};

impl<S: Scalar> Scene<'_, S> {
    /// The manifold of shapes that are apart, at their nearest points: both ends of a stretch where edges run side by side there.
    pub(super) fn thin_manifold(&self, normal: Vec3<S>, nearest: &Nearest<S>) -> Manifold<S> {
        if let Some(manifold) = self.stretch_manifold(normal, nearest) {
            return manifold;
        }
        let separation = normal.dot(nearest.between) - self.pair.radius;
        let middle = nearest.point + normal * (separation * S::HALF);
        self.single_point(normal, middle, separation, self.name_of(nearest))
    }

    fn single_point(&self, normal: Vec3<S>, middle: Vec3<S>, separation: S, feature: u32) -> Manifold<S> {
        let mut manifold = Manifold::with_normal(*self.rotation_a * normal);
        if separation <= self.margin {
            manifold.push(*self.rotation_a * middle, separation, feature);
        }
        manifold
    }

    /// What touches at the nearest points.
    fn name_of(&self, nearest: &Nearest<S>) -> u32 {
        let corners = nearest.simplex.vertices().iter().map(|vertex| vertex.corners);
        let of = |side: usize| {
            let (mut least, mut most) = (u16::MAX, 0);
            corners.clone().for_each(|corners| (least, most) = (least.min(corners[side]), most.max(corners[side])));
            (least, most)
        };
        let edge = |side: usize| {
            let (from, to) = of(side);
            match self.pair.b {
                _ if side == 0 => self.pair.a.topology.edge_between(from, to),
                Core::Polytope(b) => b.topology.edge_between(from, to),
                Core::Segment { .. } | Core::Point => (from != to).then_some(0),
            }
        };
        let (a, b) = (u32::from(of(0).0), u32::from(of(1).0));
        let (touch, numbers) = match (edge(0), edge(1)) {
            (Some(a), Some(b)) => (Touch::Edges, [a as u32, b as u32]),
            (Some(a), None) => (Touch::EdgeCorner, [a as u32, b]),
            (None, Some(b)) => (Touch::CornerEdge, [a, b as u32]),
            (None, None) => (Touch::Corners, [a, b]),
        };
        feature::name(touch, numbers, false)
    }

    /// The ends of the stretch along which two edges run side by side, both level: at the nearest points, and to within 1/64.
    fn stretch_manifold(&self, normal: Vec3<S>, nearest: &Nearest<S>) -> Option<Manifold<S>> {
        let known = nearest.simplex.vertices().first()?.corners;
        let slope = S::ONE.scale_by_power_of_two(-6);
        let is_level = |line: &Line<S>| normal.dot(line.direction).abs() <= slope;
        let meets = |corners: [u16; 2], corner: u16| corners.contains(&corner);
        let of_a = self.pair.a.topology.edges().iter().enumerate().filter(|(_, edge)| meets(edge.corners, known[0]));
        let of_b = || match self.pair.b {
            Core::Polytope(b) => {
                let edges = b.topology.edges().iter().enumerate();
                edges.filter(|(_, edge)| meets(edge.corners, known[1])).map(|(number, _)| number).collect()
            }
            Core::Segment { .. } => vec![0],
            Core::Point => Vec::new(),
        };
        for (number_a, line_a) in of_a.map(|(number, _)| (number, self.pair.a.line(number))) {
            if !is_level(&line_a) {
                continue;
            }
            for number_b in of_b() {
                let line_b = self.pair.line_of_b(number_b);
                if is_level(&line_b) && line_a.direction.cross(line_b.direction).length() <= slope {
                    let manifold = self.side_by_side(normal, [(number_a, line_a), (number_b, line_b)]);
                    if manifold.points().len() == 2 {
                        return Some(manifold);
                    }
                }
            }
        }
        None
    }

    /// Both ends of the stretch that two nearly parallel edges share.
    fn side_by_side(&self, normal: Vec3<S>, [(number_a, a), (number_b, b)]: [(usize, Line<S>); 2]) -> Manifold<S> {
        let mut manifold = Manifold::with_normal(*self.rotation_a * normal);
        for (on_a, on_b, touch) in stretch(&a, &b) {
            let separation = normal.dot(on_b - on_a) - self.pair.radius;
            if separation <= self.margin {
                let middle = on_a + normal * (separation * S::HALF);
                let name = feature::name(touch, [number_a as u32, number_b as u32], false);
                manifold.push(*self.rotation_a * middle, separation, name);
            }
        }
        manifold
    }

    /// The one point where two edges cross in depth, held on both.
    pub(super) fn crossing_manifold(&self, normal: Vec3<S>, [number_a, number_b]: [usize; 2], gap: S) -> Manifold<S> {
        let (on_a, on_b) = crossing(&self.pair.a.line(number_a), &self.pair.line_of_b(number_b));
        // The surface of B is its radius away from its edge.
        let middle = (on_a + on_b - normal * self.pair.radius) * S::HALF;
        self.single_point(normal, middle, gap, feature::name(Touch::Edges, [number_a as u32, number_b as u32], false))
    }

    /// The one point of the corner of B that lies deepest, where the faces miss each other.
    pub(super) fn deepest_manifold(&self, normal: Vec3<S>, gap: S) -> Manifold<S> {
        let corner = self.pair.farthest_of_b(-normal);
        let surface = self.pair.corner_of_b(corner) - normal * self.pair.radius;
        let (face, _) = self.pair.a.facing(normal);
        let name = feature::name(Touch::FaceCorner, [face as u32, u32::from(corner)], false);
        self.single_point(normal, surface - normal * (gap * S::HALF), gap, name)
    }
}

/// The ends of the stretch that two nearly parallel lines share, each as a point of the first and one of the second; none where they share none.
pub(super) fn stretch<S: Scalar>(a: &Line<S>, b: &Line<S>) -> impl Iterator<Item = (Vec3<S>, Vec3<S>, Touch)> {
    let (a, b) = (*a, *b);
    let ends = [b.start, b.start + b.direction * b.length].map(|end| a.direction.dot(end - a.start));
    let (low, high) = (ends[0].min(ends[1]).max(S::ZERO), ends[0].max(ends[1]).min(a.length));
    let cosine = a.direction.dot(b.direction);
    let shared = [(low, Touch::StretchStart), (high, Touch::StretchEnd)].into_iter().filter(move |_| low < high);
    shared.map(move |(along, touch)| {
        let on_a = a.start + a.direction * along;
        let on_b = b.start + b.direction * ((along - ends[0]) / cosine);
        (on_a, on_b, touch)
    })
}

/// The nearest points of two lines with unit directions, each held between the ends of its own.
pub(super) fn crossing<S: Scalar>(a: &Line<S>, b: &Line<S>) -> (Vec3<S>, Vec3<S>) {
    let between = b.start - a.start;
    let cosine = a.direction.dot(b.direction);
    let sine_squared = S::ONE - cosine * cosine;
    let (along_a, along_b) = (a.direction.dot(between), b.direction.dot(between));
    let crossing = if sine_squared > S::ZERO { (along_a - cosine * along_b) / sine_squared } else { S::ZERO };
    let place_a = crossing.clamp(S::ZERO, a.length);
    let place_b = (cosine * place_a - along_b).clamp(S::ZERO, b.length);
    let place_a = (along_a + cosine * place_b).clamp(S::ZERO, a.length);
    (a.start + a.direction * place_a, b.start + b.direction * place_b)
}
