//! Planes and points in the `f64` of a decomposition: in `+ - * /` and `sqrt`, so that every machine finds the same parts.

/// A place, in steps of the grid on which hulls are found, from the middle of the solid.
pub type Place = [f64; 3];

/// What lies nearer to a plane than this lies in it, in steps: a millionth of the size of the solid.
pub(super) const IN_PLANE: f64 = 1.0;

/// The half-space of all points with `normal . x <= offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HalfSpace {
    /// The unit normal out of it.
    pub(super) normal: Place,
    pub(super) offset: f64,
}

impl HalfSpace {
    /// The one below the plane of a triangle, counter-clockwise as seen from above; `None` where it has no area.
    pub(super) fn below([a, b, c]: [Place; 3]) -> Option<Self> {
        let normal = cross(minus(b, a), minus(c, a));
        let length = dot(normal, normal).sqrt();
        if length < IN_PLANE {
            return None;
        }
        let normal = normal.map(|component| component / length);
        Some(Self { normal, offset: dot(normal, a) })
    }

    /// The one with all points up to a coordinate along an axis.
    pub(super) fn up_to(axis: usize, offset: f64) -> Self {
        let mut normal = [0.0; 3];
        normal[axis] = 1.0;
        Self { normal, offset }
    }

    /// The other side of its plane.
    pub(super) fn turned(&self) -> Self {
        Self { normal: self.normal.map(|component| -component), offset: -self.offset }
    }

    /// How far a point lies outside.
    pub(super) fn height(&self, point: Place) -> f64 {
        dot(self.normal, point) - self.offset
    }

    /// Whether a point lies in its plane.
    pub(super) fn holds(&self, point: Place) -> bool {
        self.height(point).abs() <= IN_PLANE
    }
}

/// Where three planes meet; `None` where two of them are nearly parallel.
pub(super) fn meeting_point(planes: [&HalfSpace; 3]) -> Option<Place> {
    let [p, q, r] = planes.map(|plane| plane.normal);
    let determinant = dot(p, cross(q, r));
    if determinant.abs() < 1e-6 {
        return None;
    }
    let parts = [(cross(q, r), planes[0]), (cross(r, p), planes[1]), (cross(p, q), planes[2])];
    Some([0, 1, 2].map(|axis| {
        let sum: f64 = parts.iter().map(|(direction, plane)| direction[axis] * plane.offset).sum();
        sum / determinant
    }))
}

pub(super) fn minus(a: Place, b: Place) -> Place {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn dot(a: Place, b: Place) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Place, b: Place) -> Place {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// From `a` that share of the way to `b`.
pub(super) fn between(a: Place, b: Place, share: f64) -> Place {
    [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * share)
}

/// The nearest whole number, halves away from zero.
pub(super) fn nearest(number: f64) -> i64 {
    (if number < 0.0 { number - 0.5 } else { number + 0.5 }) as i64
}
