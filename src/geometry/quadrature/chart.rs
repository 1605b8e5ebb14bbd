//! Natural coordinates: a part of a solid as a box of three coordinates.

use std::f64::consts::PI;

use crate::math::Scalar;

/// A point, and by how much a volume grows there from coordinates to space.
pub(super) struct Place {
    /// From the origin of the region, metres.
    pub(super) point: [f64; 3],
    /// Cubic metres per unit of the three coordinates, on a surface square metres per unit of the first two.
    pub(super) scale: f64,
}

/// Coordinates of a part of a solid.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    map: Map,
    /// The least and the largest value of each coordinate.
    pub(super) bounds: [[f64; 2]; 3],
    /// Into how many cells each coordinate is cut at first. Axes and planes through the origin, where densities like `abs(x)` or
    /// `phi` have their kinks, are faces of cells.
    pub(super) cuts: [usize; 3],
    /// The orders of the two rules that are compared.
    pub(super) orders: [usize; 2],
    /// Whether it is a piece of a surface, whose third coordinate means nothing.
    pub(super) is_flat: bool,
}

#[derive(Clone, Debug)]
enum Map {
    /// Cartesian.
    Cartesian,
    /// Radius, angle from +z, angle about z from +x towards +y.
    Spherical,
    /// Distance from the y axis, angle about it, height along it.
    Cylindrical,
    /// A fraction of the radius, angle about the y axis, height along it: the radius is `slope` times what is left to `top`.
    Conical { top: f64, slope: f64 },
    /// Radius, angle from the y axis (`side` is 1 for +y, -1 for -y), angle about it; the centre is at `height` on that side.
    Cap { height: f64, side: f64 },
    /// Three fractions: from the origin to the side, from its first corner to the edge across, along that edge.
    Tetrahedron { corners: [[f64; 3]; 3], determinant: f64 },
    /// Two fractions: from the first corner to the edge across, along that edge.
    Triangle { corners: [[f64; 3]; 3], twice_area: f64 },
}

/// The orders for coordinates of which few cells are needed.
const FINE: [usize; 2] = [8, 12];
/// The orders for tetrahedra, of which a hull has many.
const COARSE: [usize; 2] = [5, 8];

impl Chart {
    pub(super) const fn ball(radius: f64) -> Self {
        let bounds = [[0.0, radius], [0.0, PI], [-PI, PI]];
        Self { map: Map::Spherical, bounds, cuts: [1, 4, 8], orders: FINE, is_flat: false }
    }

    pub(super) fn cuboid(half_extents: [f64; 3]) -> Self {
        let bounds = half_extents.map(|extent| [-extent, extent]);
        Self { map: Map::Cartesian, bounds, cuts: [2; 3], orders: FINE, is_flat: false }
    }

    pub(super) const fn cylinder(radius: f64, half_height: f64) -> Self {
        let bounds = [[0.0, radius], [-PI, PI], [-half_height, half_height]];
        Self { map: Map::Cylindrical, bounds, cuts: [1, 8, 2], orders: FINE, is_flat: false }
    }

    /// A cone about its centre of volume, of which the origin is one of the cuts.
    pub(super) fn cone(radius: f64, half_height: f64) -> Self {
        let (base, top) = (-0.5 * half_height, 1.5 * half_height);
        let map = Map::Conical { top, slope: radius / (top - base) };
        Self { map, bounds: [[0.0, 1.0], [-PI, PI], [base, top]], cuts: [1, 8, 4], orders: FINE, is_flat: false }
    }

    pub(super) const fn cap(radius: f64, height: f64, side: f64) -> Self {
        let bounds = [[0.0, radius], [0.0, PI / 2.0], [-PI, PI]];
        Self { map: Map::Cap { height, side }, bounds, cuts: [1, 2, 8], orders: FINE, is_flat: false }
    }

    /// From the origin to a triangle.
    pub(super) fn tetrahedron(corners: [[f64; 3]; 3]) -> Self {
        let [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = corners;
        let determinant = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
        let map = Map::Tetrahedron { corners, determinant };
        Self { map, bounds: [[0.0, 1.0]; 3], cuts: [1; 3], orders: COARSE, is_flat: false }
    }

    /// A triangle of a surface that has so many of them: of many each needs few places.
    pub(super) fn triangle(corners: [[f64; 3]; 3], number: usize) -> Self {
        let [a, b, c] = corners;
        let side = |to: [f64; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
        let ([x, y, z], [u, v, w]) = (side(b), side(c));
        let normal = [y * w - z * v, z * u - x * w, x * v - y * u];
        let [p, q, r] = normal;
        let twice_area = Scalar::sqrt(p * p + q * q + r * r);
        let orders = match number {
            ..=1024 => COARSE,
            1025..=16384 => [3, 5],
            _ => [2, 3],
        };
        let bounds = [[0.0, 1.0], [0.0, 1.0], [-1.0, 1.0]];
        Self { map: Map::Triangle { corners, twice_area }, bounds, cuts: [1; 3], orders, is_flat: true }
    }

    /// The point of some coordinates.
    pub(super) fn place(&self, [u, v, w]: [f64; 3]) -> Place {
        match &self.map {
            Map::Cartesian => Place { point: [u, v, w], scale: 1.0 },
            Map::Spherical => {
                let (across, along) = (u * libm::sin(v), u * libm::cos(v));
                Place { point: [across * libm::cos(w), across * libm::sin(w), along], scale: u * across }
            }
            Map::Cylindrical => Place { point: [u * libm::sin(v), w, u * libm::cos(v)], scale: u },
            Map::Conical { top, slope } => {
                let radius = slope * (top - w);
                Place { point: [u * radius * libm::sin(v), w, u * radius * libm::cos(v)], scale: u * radius * radius }
            }
            Map::Cap { height, side } => {
                let (across, along) = (u * libm::sin(v), u * libm::cos(v));
                let point = [across * libm::sin(w), side * (height + along), across * libm::cos(w)];
                Place { point, scale: u * across }
            }
            Map::Tetrahedron { corners: [a, b, c], determinant } => {
                let along = |axis: usize| u * (a[axis] + v * ((b[axis] - a[axis]) + w * (c[axis] - b[axis])));
                Place { point: [along(0), along(1), along(2)], scale: u * u * v * determinant }
            }
            Map::Triangle { corners: [a, b, c], twice_area } => {
                let along = |axis: usize| a[axis] + u * ((b[axis] - a[axis]) + v * (c[axis] - b[axis]));
                Place { point: [along(0), along(1), along(2)], scale: u * twice_area }
            }
        }
    }
}
