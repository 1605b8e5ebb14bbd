//! parry, in f32 and in f64: two crates with one interface.

/// A module with the shapes of the parry of one number type.
macro_rules! parry_of {
    ($module:ident, $rapier:ident, $real:ty) => {
        #[allow(dead_code, reason = "agreement asks f64 for distances and rays, times ask f32 for the rest")]
        pub mod $module {
            use physim::collision::query::Ray as OurRay;
            use physim::geometry::Shape;
            use physim::math::{Quat, Vec3};
            use $rapier::math::{Pose, Rotation, Vector};
            use $rapier::parry::query::{
                self, ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher, Ray, ShapeCastOptions,
            };
            use $rapier::parry::shape::SharedShape;

            use crate::pair::Pair;

            /// Two shapes of parry.
            pub struct Theirs {
                shapes: [SharedShape; 2],
                poses: [Pose; 2],
                manifolds: Vec<ContactManifold<(), ()>>,
            }

            fn vector(of: Vec3<f64>) -> Vector {
                let [x, y, z] = of.to_array().map(|number| number as $real);
                Vector::new(x, y, z)
            }

            fn pose(position: Vec3<f64>, turn: Quat<f64>) -> Pose {
                let [w, x, y, z] = [turn.w, turn.x, turn.y, turn.z].map(|number| number as $real);
                Pose::from_parts(vector(position), Rotation::from_xyzw(x, y, z, w).normalize())
            }

            fn shape(of: &Shape<f64>) -> SharedShape {
                match *of {
                    Shape::Sphere { radius } => SharedShape::ball(radius as $real),
                    Shape::Cuboid { half_extents } => {
                        let [x, y, z] = half_extents.to_array().map(|number| number as $real);
                        SharedShape::cuboid(x, y, z)
                    }
                    Shape::Capsule { half_height, radius } => {
                        SharedShape::capsule_y(half_height as $real, radius as $real)
                    }
                    Shape::Hull(ref hull) => {
                        let corners: Vec<_> = hull.corners().iter().map(|&corner| vector(corner).into()).collect();
                        SharedShape::convex_hull(&corners).unwrap_or_else(|| SharedShape::ball(0.0))
                    }
                    Shape::Cylinder { half_height, radius } => {
                        SharedShape::cylinder(half_height as $real, radius as $real)
                    }
                    Shape::Cone { half_height, radius } => SharedShape::cone(half_height as $real, radius as $real),
                    Shape::HalfSpace { normal } => SharedShape::halfspace(vector(normal)),
                    Shape::Mesh(ref mesh) => {
                        let step = 2_f64.powi(mesh.exact().exponent());
                        let corner = |steps: &[i64; 3]| Vec3::from_array(steps.map(|steps| steps as f64 * step));
                        let corners = mesh.exact().corners().iter().map(|steps| vector(corner(steps)).into()).collect();
                        SharedShape::trimesh(corners, mesh.exact().triangles().to_vec())
                            .unwrap_or_else(|_| SharedShape::ball(0.0))
                    }
                    Shape::Facet(_) => SharedShape::ball(0.0), // no pair has one
                }
            }

            impl Theirs {
                pub fn of(pair: &Pair) -> Self {
                    let shapes = [shape(&pair.shapes[0]), shape(&pair.shapes[1])];
                    // Their cone stands about the middle of its height, ours about its centre of volume.
                    let middle = |side: usize| match pair.shapes[side] {
                        Shape::Cone { half_height, .. } => pair.turns[side].rotate(Vec3::Y * (half_height * 0.5)),
                        _ => Vec3::ZERO,
                    };
                    let poses = [pose(middle(0), pair.turns[0]), pose(pair.offset + middle(1), pair.turns[1])];
                    Self { shapes, poses, manifolds: Vec::new() }
                }

                /// The signed distance and the normal from the first shape to the second; `None` where parry has none.
                pub fn distance(&self, reach: f64) -> Option<(f64, Vec3<f64>)> {
                    // Its `contact_support_map_halfspace` takes the pose of the half-space for that of the other shape (0.31).
                    let is_half_space = self.shapes[1].as_halfspace().is_some();
                    let [first, second] = if is_half_space { [1, 0] } else { [0, 1] };
                    let [(one, of_one), (other, of_other)] =
                        [first, second].map(|side| (&self.shapes[side], &self.poses[side]));
                    let contact = query::contact(of_one, &**one, of_other, &**other, reach as $real);
                    contact.ok().flatten().map(|contact| {
                        let normal = [contact.normal1.x, contact.normal1.y, contact.normal1.z].map(f64::from);
                        let normal = Vec3::from_array(normal);
                        (f64::from(contact.dist), if is_half_space { -normal } else { normal })
                    })
                }

                /// How many contact points, found anew.
                pub fn manifold(&mut self, margin: f64) -> usize {
                    let Self { shapes: [a, b], poses, manifolds } = self;
                    let relative = poses[0].inv_mul(&poses[1]);
                    manifolds.clear();
                    let _ = DefaultQueryDispatcher.contact_manifolds(
                        &relative,
                        &**a,
                        &**b,
                        margin as $real,
                        manifolds,
                        &mut None,
                    );
                    manifolds.iter().map(|manifold| manifold.points.len()).sum()
                }

                /// Where a ray meets the second shape: distance and normal.
                pub fn ray(&self, ray: &OurRay<f64>) -> Option<(f64, [f64; 3])> {
                    let theirs = Ray::new(vector(ray.origin).into(), vector(ray.direction));
                    let hit =
                        self.shapes[1].cast_ray_and_get_normal(&self.poses[1], &theirs, ray.length as $real, true)?;
                    Some((f64::from(hit.time_of_impact), [hit.normal.x, hit.normal.y, hit.normal.z].map(f64::from)))
                }

                /// The part of a way of the second shape after which it meets the first.
                pub fn cast(&self, displacement: Vec3<f64>) -> Option<f64> {
                    let options = ShapeCastOptions::with_max_time_of_impact(1.0);
                    let [a, b] = &self.shapes;
                    let zero = vector(Vec3::ZERO);
                    let hit = query::cast_shapes(
                        &self.poses[0],
                        zero,
                        &**a,
                        &self.poses[1],
                        vector(displacement),
                        &**b,
                        options,
                    );
                    hit.ok().flatten().map(|hit| f64::from(hit.time_of_impact))
                }
            }
        }
    };
}

parry_of!(single, rapier3d, f32);
parry_of!(double, rapier3d_f64, f64);
