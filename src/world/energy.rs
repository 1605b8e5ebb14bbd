//! Energy and momentum of a world, in `f64`, for reports only.

use crate::dynamics::body::BodyKind;
use crate::math::{Scalar, Vec3};
use crate::world::World;

/// Sums over all dynamic bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// What the bodies weigh together, kg.
    pub mass: f64,
    /// Of motion and rotation, joules.
    pub kinetic: f64,
    /// In the present gravity, zero at the world's origin, joules.
    pub potential: f64,
    /// Linear momentum, kg m/s.
    pub linear_momentum: [f64; 3],
    /// Angular momentum about the world's origin, kg m^2/s.
    pub angular_momentum: [f64; 3],
}

impl Energy {
    /// Kinetic and potential energy together, joules.
    #[must_use]
    pub const fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

impl<S: Scalar> World<S> {
    /// The energies and momenta of the bodies as they are now.
    #[must_use]
    pub fn energy(&self) -> Energy {
        let gravity = self.gravity.to_f64();
        let mut sum = Energy::default();
        for index in (0..self.bodies.len()).filter(|&index| self.bodies.kind[index] == BodyKind::Dynamic) {
            let mass = self.bodies.inverse_mass[index].recip().to_f64();
            let position = self.bodies.position[index].to_f64();
            let velocity = self.bodies.linear_velocity[index].to_f64();
            let spin = self.spin(index).map(|component| component * mass);
            let omega = self.bodies.angular_velocity[index].to_f64();
            sum.mass += mass;
            sum.kinetic += 0.5 * (mass * dot(velocity, velocity) + dot(omega, spin));
            sum.potential -= mass * dot(gravity, position) * self.bodies.gravity_scale[index].to_f64();
            let orbit = cross(position, velocity);
            for axis in 0..3 {
                sum.linear_momentum[axis] += mass * velocity[axis];
                sum.angular_momentum[axis] += mass * orbit[axis] + spin[axis];
            }
        }
        sum
    }

    /// Angular momentum per mass about the centre of mass, m^2/s, world frame.
    fn spin(&self, index: usize) -> [f64; 3] {
        let inertia = &self.bodies.inertia[index];
        let rotation = self.bodies.orientation[index].to_matrix();
        let omega: Vec3<S> = rotation.transpose_mul(self.bodies.angular_velocity[index]);
        let rows = inertia.tensor.rows().map(Vec3::to_f64);
        let scale = libm::scalbn(1.0, 2 * inertia.length_exponent);
        let body_frame = rows.map(|row| dot(row, omega.to_f64()) * scale);
        rotation.rows.map(|row| dot(row.to_f64(), body_frame))
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
