//! Triangle meshes of the shapes, as plain as they can be: unit shapes where scaling does the rest.

use std::collections::BTreeMap;

use crate::export::appearance::{Part, turn};
use crate::geometry::hull::ContentHash;
use crate::geometry::{self, Hull, Shape};
use crate::math::{Pose, Quat, Scalar, Vec3};

/// Pieces around the axis of a sphere or capsule.
const SEGMENTS: u32 = 24;
/// Pieces from an equator to its pole.
const RINGS: u32 = 8;

/// Which mesh; capsules have one for each of their sizes, as no scale makes one from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MeshKey {
    /// A ball of radius 1.
    Sphere,
    /// A cube of half extent 1.
    Cube,
    /// A capsule of this half height and radius, as bits.
    Capsule(u64, u64),
    /// A cylinder of half height and radius 1.
    Cylinder,
    /// A cone of half height and radius 1 about its centre of volume.
    Cone,
    /// The square of half side 1 across y.
    Square,
    /// A hull or a surface of this content.
    Content(ContentHash),
}

/// Vertices and triangles.
#[derive(Clone, Debug, Default)]
pub(super) struct Mesh {
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) normals: Vec<[f32; 3]>,
    pub(super) indices: Vec<u32>,
}

/// How a part is drawn.
pub(super) struct Drawn {
    pub(super) mesh: MeshKey,
    /// Relative to the body.
    pub(super) pose: Pose<f64>,
    pub(super) scale: [f64; 3],
}

/// What a part is drawn as.
pub(super) fn drawn(part: &Part, ground_half_side: f64) -> Drawn {
    let pose = part.pose;
    match part.shape {
        Shape::Sphere { radius } => Drawn { mesh: MeshKey::Sphere, pose, scale: [radius; 3] },
        Shape::Cuboid { half_extents } => Drawn { mesh: MeshKey::Cube, pose, scale: half_extents.to_array() },
        Shape::Capsule { half_height, radius } => {
            let mesh = MeshKey::Capsule(half_height.to_bits(), radius.to_bits());
            Drawn { mesh, pose, scale: [1.0; 3] }
        }
        Shape::Cylinder { half_height, radius } => {
            Drawn { mesh: MeshKey::Cylinder, pose, scale: [radius, half_height, radius] }
        }
        Shape::Cone { half_height, radius } => {
            Drawn { mesh: MeshKey::Cone, pose, scale: [radius, half_height, radius] }
        }
        Shape::Hull(ref hull) => Drawn { mesh: MeshKey::Content(hull.exact().content()), pose, scale: [1.0; 3] },
        Shape::Mesh(ref mesh) => Drawn { mesh: MeshKey::Content(mesh.exact().content()), pose, scale: [1.0; 3] },
        Shape::Facet(_) => Drawn { mesh: MeshKey::Square, pose, scale: [0.0; 3] }, // no part is one
        Shape::HalfSpace { normal } => {
            let across: Quat<f64> = pose.orientation * turn(Vec3::Y, normal);
            let scale = [ground_half_side, 1.0, ground_half_side];
            Drawn { mesh: MeshKey::Square, pose: Pose::new(pose.position, across), scale }
        }
    }
}

/// The meshes in use, made once each.
#[derive(Default)]
pub(super) struct Meshes(BTreeMap<MeshKey, Mesh>);

impl Meshes {
    /// Makes the mesh of a shape where there is none yet.
    pub(super) fn need(&mut self, key: MeshKey, shape: &Shape<f64>) {
        self.0.entry(key).or_insert_with(|| match key {
            MeshKey::Sphere => round(0.0, 1.0),
            MeshKey::Capsule(half_height, radius) => round(f64::from_bits(half_height), f64::from_bits(radius)),
            MeshKey::Cube => cube(),
            MeshKey::Cylinder => turned(&[[0.0, 1.0], [1.0, 1.0], [1.0, -1.0], [0.0, -1.0]]),
            MeshKey::Cone => turned(&[[0.0, 1.5], [1.0, -0.5], [0.0, -0.5]]),
            MeshKey::Square => square(),
            MeshKey::Content(_) => match shape {
                Shape::Hull(hull) => polyhedron(hull),
                Shape::Mesh(mesh) => surface(mesh),
                _ => Mesh::default(),
            },
        });
    }

    /// All of them, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (MeshKey, &Mesh)> {
        self.0.iter().map(|(&key, mesh)| (key, mesh))
    }
}

/// A capsule along y; a sphere where it has no height.
fn round(half_height: f64, radius: f64) -> Mesh {
    let mut mesh = Mesh::default();
    // Angles from the upper pole, each with the offset of its half; the equator twice where a cylinder is between.
    let upper = (0..=RINGS).map(|ring| (ring, half_height));
    let lower = (RINGS..=2 * RINGS).map(|ring| (ring, -half_height)).skip(usize::from(half_height == 0.0));
    let rings: Vec<(u32, f64)> = upper.chain(lower).collect();
    for &(ring, offset) in &rings {
        let (out, up) = Scalar::sin_cos(f64::PI * 0.5 * f64::from(ring) / f64::from(RINGS));
        for segment in 0..=SEGMENTS {
            let (sine, cosine) = Scalar::sin_cos(f64::TWO * f64::PI * f64::from(segment) / f64::from(SEGMENTS));
            let normal = [out * cosine, up, out * sine];
            let [x, y, z] = normal.map(|part| radius * part);
            mesh.positions.push([x as f32, (y + offset) as f32, z as f32]);
            mesh.normals.push(normal.map(|part| part as f32));
        }
    }
    let row = SEGMENTS + 1;
    for strip in 0..rings.len() as u32 - 1 {
        for segment in 0..SEGMENTS {
            let (above, below) = (strip * row + segment, (strip + 1) * row + segment);
            // At a pole one of the two triangles has no area.
            if strip > 0 {
                mesh.indices.extend([above, above + 1, below + 1]);
            }
            if strip + 2 < rings.len() as u32 {
                mesh.indices.extend([above, below + 1, below]);
            }
        }
    }
    mesh
}

/// What an outline of points `[distance from the axis, height]`, told from above, makes when turned about y: each stretch with its own
/// normals, so that edges stay sharp.
fn turned(outline: &[[f64; 2]]) -> Mesh {
    let mut mesh = Mesh::default();
    for stretch in outline.windows(2) {
        let [[out_above, above], [out_below, below]] = [stretch[0], stretch[1]];
        let (out, up) = (above - below, out_below - out_above);
        let length = Scalar::sqrt(out * out + up * up);
        let (out, up) = (out / length, up / length);
        let first = mesh.positions.len() as u32;
        for segment in 0..=SEGMENTS {
            let (sine, cosine) = Scalar::sin_cos(f64::TWO * f64::PI * f64::from(segment) / f64::from(SEGMENTS));
            for [distance, height] in [[out_above, above], [out_below, below]] {
                mesh.positions.push([distance * cosine, height, distance * sine].map(|part| part as f32));
                mesh.normals.push([out * cosine, up, out * sine].map(|part| part as f32));
            }
        }
        for above in (0..SEGMENTS).map(|segment| first + 2 * segment) {
            // Where an end lies on the axis one of the two triangles has no area.
            if out_above > 0.0 {
                mesh.indices.extend([above, above + 2, above + 3]);
            }
            if out_below > 0.0 {
                mesh.indices.extend([above, above + 3, above + 1]);
            }
        }
    }
    mesh
}

fn cube() -> Mesh {
    let mut mesh = Mesh::default();
    for normal in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z] {
        add_face(&mut mesh, normal, normal);
    }
    mesh
}

/// A hull with its edges: every triangle has corners of its own, which look the way of its face.
fn polyhedron(hull: &Hull<f64>) -> Mesh {
    let mut mesh = Mesh::default();
    let topology = hull.exact().topology();
    for (face, plane) in hull.planes().iter().enumerate() {
        let first = mesh.positions.len() as u32;
        let corners = topology.face(face);
        for &corner in corners {
            mesh.positions.push(hull.corners()[usize::from(corner)].to_array().map(|part| part as f32));
            mesh.normals.push(plane.normal.to_array().map(|part| part as f32));
        }
        let last = corners.len() as u32 - 1;
        mesh.indices.extend((1..last).flat_map(|corner| [0, corner, corner + 1]).map(|corner| first + corner));
    }
    mesh
}

fn surface(surface: &geometry::Mesh<f64>) -> Mesh {
    let mut mesh = Mesh::default();
    for (number, corner) in surface.triangles().into_iter().enumerate() {
        mesh.indices.push(mesh.positions.len() as u32);
        mesh.positions.push(corner.to_array().map(|part| part as f32));
        mesh.normals.push(surface.normal_of_triangle(number / 3).to_array().map(|part| part as f32));
    }
    mesh
}

fn square() -> Mesh {
    let mut mesh = Mesh::default();
    add_face(&mut mesh, Vec3::Y, Vec3::ZERO);
    mesh
}

/// Adds a square of half side 1 that looks along a coordinate axis, counter-clockwise as seen from outside.
fn add_face(mesh: &mut Mesh, normal: Vec3<f64>, centre: Vec3<f64>) {
    let (right, up) = normal.tangents();
    let first = mesh.positions.len() as u32;
    for corner in [-right - up, right - up, right + up, up - right] {
        mesh.positions.push((centre + corner).to_array().map(|part| part as f32));
        mesh.normals.push(normal.to_array().map(|part| part as f32));
    }
    mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
}

#[cfg(test)]
mod tests {
    use super::{Mesh, cube, round, square, turned};

    /// Volume inside the triangles (divergence theorem) and whether all normals agree with how the triangles turn.
    fn volume(mesh: &Mesh) -> f64 {
        let mut volume = 0.0;
        for triangle in mesh.indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| mesh.positions[triangle[corner] as usize].map(f64::from));
            let cross = |u: [f64; 3], v: [f64; 3]| {
                [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
            };
            let dot = |u: [f64; 3], v: [f64; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
            let face = cross([0, 1, 2].map(|k| b[k] - a[k]), [0, 1, 2].map(|k| c[k] - a[k]));
            for corner in triangle {
                let normal = mesh.normals[*corner as usize].map(f64::from);
                assert!(dot(face, normal) > 0.0, "{triangle:?} looks inward");
                assert!((dot(normal, normal) - 1.0).abs() < 1e-6);
            }
            volume += dot(a, cross(b, c)) / 6.0;
        }
        volume
    }

    #[test]
    fn meshes_are_closed_and_look_outward() {
        assert!((volume(&cube()) - 8.0).abs() < 1e-12);
        assert_eq!(volume(&square()), 0.0);
        // Flat pieces lie inside the round shape: a little less volume, by about the square of their angle.
        let ball = 4.0 / 3.0 * std::f64::consts::PI;
        let sphere = volume(&round(0.0, 1.0));
        assert!(sphere < ball && sphere > 0.97 * ball, "{sphere}");
        let (half_height, radius) = (0.75, 0.5);
        let whole = ball * radius * radius * radius + std::f64::consts::PI * radius * radius * 2.0 * half_height;
        let capsule = volume(&round(half_height, radius));
        assert!(capsule < whole && capsule > 0.97 * whole, "{capsule}");
        let cylinder = volume(&turned(&[[0.0, 1.0], [1.0, 1.0], [1.0, -1.0], [0.0, -1.0]]));
        let whole = 2.0 * std::f64::consts::PI;
        assert!(cylinder < whole && cylinder > 0.97 * whole, "{cylinder}");
        let cone = volume(&turned(&[[0.0, 1.5], [1.0, -0.5], [0.0, -0.5]]));
        assert!(3.0 * cone < whole && 3.0 * cone > 0.97 * whole, "{cone}");
    }
}
