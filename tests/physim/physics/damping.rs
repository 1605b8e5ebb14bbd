//! Damping in its three forms: each follows its formula, and none does anything but slow.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{Run, assert_near_vector, rounding};

on_every_scalar!(damping_follows_its_formula, damping_only_slows);

const LINEAR: Vec3<f64> = Vec3::new(3.0, -1.5, 0.25);
const ANGULAR: Vec3<f64> = Vec3::new(0.5, 4.0, -2.0);

fn damped<S: Scalar>(form: &str, linear: f64, angular: f64) -> Run<S> {
    Run::of(&format!(
        "gravity: (0, 0, 0), damping: {form},
        bodies: [(name: \"ball\", shape: Sphere(radius: 0.5), linear_velocity: (3, -1.5, 0.25),
            angular_velocity: (0.5, 4, -2), linear_damping: {linear}, angular_damping: {angular})]"
    ))
}

/// `1 / (1 + c h)^n`, `exp(-c t)` and `(1 - d)^t` after n substeps of length h, `t = n h`.
///
/// The factor of a substep is off by at most 4 roundings (`c h`, the sum, the quotient; or the logarithm, the product, the
/// exponential and its last place), and each substep rounds the product: 5 roundings a substep, which only shrink after.
fn damping_follows_its_formula<S: Scalar>() {
    let h = 1.0 / 600.0;
    let implicit = |c: f64, n: f64| libm::pow(1.0 + c * h, -n);
    let exponential = |c: f64, n: f64| libm::exp(-c * n * h);
    let power = |d: f64, n: f64| libm::pow(1.0 - d, n * h);
    type Formula<'a> = &'a dyn Fn(f64, f64) -> f64;
    let forms: [(&str, Formula<'_>, f64, f64); 3] =
        [("Implicit", &implicit, 0.5, 2.0), ("Exponential", &exponential, 0.5, 2.0), ("Power", &power, 0.25, 0.875)];
    for (form, formula, linear, angular) in forms {
        let mut run = damped::<S>(form, linear, angular);
        for step in 1..=120_u32 {
            run.step();
            let n = f64::from(10 * step);
            let bound = n * 5.0 * rounding::<S>(4.0).max(4.0 * rounding::<S>(1.0));
            assert_near_vector(form, run.velocity("ball"), LINEAR * formula(linear, n), bound);
            assert_near_vector(form, run.spin("ball"), ANGULAR * formula(angular, n), bound);
        }
    }
}

/// However strong the damping, every component only comes nearer to zero and never changes its sign.
fn damping_only_slows<S: Scalar>() {
    let cases = [
        ("Implicit", [0.0, 1e-3, 1.0, 10_000.0]),
        ("Exponential", [0.0, 1e-3, 1.0, 10_000.0]),
        ("Power", [0.0, 1e-3, 0.5, 1.0]),
    ];
    for (form, strengths) in cases {
        for strength in strengths {
            let mut run = damped::<S>(form, strength, strength);
            let mut before = [run.velocity("ball"), run.spin("ball")];
            for _ in 0..60 {
                run.step();
                let now = [run.velocity("ball"), run.spin("ball")];
                for (before, now) in before.into_iter().zip(now) {
                    for (before, now) in before.to_array().into_iter().zip(now.to_array()) {
                        assert!(now.abs() <= before.abs(), "{form} {strength} sped up from {before} to {now}");
                        assert!(now * before >= 0.0, "{form} {strength} turned {before} round to {now}");
                        assert!(strength > 0.0 || now == before, "no damping changed {before} to {now}");
                    }
                }
                before = now;
            }
        }
    }
    let mut run = damped::<S>("Power", 1.0, 1.0);
    run.step();
    assert_eq!([run.velocity("ball"), run.spin("ball")], [Vec3::ZERO; 2], "all is lost at once");
}
