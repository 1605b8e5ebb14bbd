//! Sanity checks of the physics, each against a formula that does not come from the engine, on all three scalars.
//!
//! A bound is never a guess: it counts roundings ([`support::rounding`]), or says what the method itself leaves open
//! (the length of a step, the softness of a contact). A test that needs a wider bound than its comment derives is red.

/// Makes three tests of each generic one: `name::fixed`, `name::f32` and `name::f64`.
macro_rules! on_every_scalar {
    ($($test:ident),+ $(,)?) => {
        $(
            mod $test {
                #[test]
                fn fixed() {
                    super::$test::<physim::math::Fixed>();
                }
                #[test]
                fn f32() {
                    super::$test::<f32>();
                }
                #[test]
                fn f64() {
                    super::$test::<f64>();
                }
            }
        )+
    };
}

mod blows;
mod carried;
mod classic;
mod collisions;
mod corrections;
mod damping;
mod density;
mod elastic;
mod energy;
mod extremes;
mod fast;
mod filters;
mod free_motion;
mod free_spin;
mod friction;
mod friction_rows;
mod ghosts;
mod heavy_blows;
mod hulls;
mod identity;
mod impacts;
mod joined_blows;
mod joint_spins;
mod joints;
mod mesh_ends;
mod mesh_ledges;
mod mesh_patches;
mod mesh_ridges;
mod mesh_seams;
mod meshes;
mod narrow_phases;
mod once_a_step;
mod passages;
mod piles;
mod planar;
mod pushes;
mod recycling;
mod rocking;
mod rolling;
mod rolling_friction;
mod rolling_turns;
mod rounds;
mod sensors;
mod shell_mass;
mod shells;
mod sliding_blows;
mod solids;
mod stacking;
mod stiffness;
mod support;
mod translation;
mod turning_contacts;
