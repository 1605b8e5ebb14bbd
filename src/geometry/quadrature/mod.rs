//! Mass, centre of mass and inertia of a solid whose density differs from place to place, by quadrature.
//!
//! A solid is cut into cells in its natural coordinates (`chart`); in each cell Gauss-Legendre rules of two orders (`gauss`) are
//! compared, and the cell where they differ most is halved, until what they differ by in all is below [`WANTED_ERROR`]. All is done in
//! `f64` with `+ - * / sqrt` and the pinned `libm`, in an order that only the solid and its density decide: the same bits on every
//! machine. What a density is made of is none of its business.

mod cells;
mod chart;
mod gauss;
mod region;
mod shell;
#[cfg(test)]
mod tests;

pub use region::Region;
pub use shell::{area_of, even_shell};

use crate::geometry::quadrature::cells::{Cells, SUMS};

/// Where to stop: what the two rules may differ by in all, relative to each integral's natural size. `1e-12`.
pub const WANTED_ERROR: f64 = 1e-12;
/// The largest such difference with which moments are still given: a part in ten thousand.
pub const LARGEST_ERROR: f64 = 1e-4;
/// How often a density is asked for at most, beyond the first cells.
const MOST_SAMPLES: usize = 1 << 20;

/// How the mass of a solid lies; SI units, in the axes of its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// Kilograms; positive.
    pub mass: f64,
    /// Cubic metres, by the same rule; of a surface its area in square metres.
    pub volume: f64,
    /// The centre of mass from the origin of the region, metres.
    pub centre: [f64; 3],
    /// The inertia about the centre of mass divided by the mass, m^2: `[xx, yy, zz, xy, xz, yz]`, off the diagonal minus the mean of the
    /// products.
    pub inertia: [f64; 6],
    /// The estimate of the error: of the mass relative to itself, of the centre and the inertia relative to the half extents.
    pub error: f64,
}

/// Why a density gives no moments.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum QuadratureError {
    /// A density is negative or not finite.
    #[error("the density is {value} {unit} at ({}, {}, {})", .point[0], .point[1], .point[2])]
    Value {
        /// Where, in the frame of the density, metres.
        point: [f64; 3],
        /// What it is there.
        value: f64,
        /// In which unit: kg/m^3, on a surface kg/m^2.
        unit: &'static str,
    },
    /// The density is zero wherever it was looked at, or so small that nothing is left of it.
    #[error("the density is zero everywhere")]
    Zero,
    /// The mass or a moment is not finite although the density is.
    #[error("the density is too large to be added up")]
    Overflow,
    /// The integrals are not known well enough after all samples that are taken.
    #[error("the density changes too abruptly to be added up: the mass is known to one part in {:.0} only", 1.0 / .error)]
    Rough {
        /// The estimate of the error, above [`LARGEST_ERROR`].
        error: f64,
    },
}

/// The moments of a solid of this density in kg/m^3, or of a surface of this one in kg/m^2, at points of the region's frame (metres).
///
/// # Errors
/// At the first sample that is negative or not finite; when there is no mass, or too little is known of it.
pub fn moments_of(region: &Region, density: &dyn Fn([f64; 3]) -> f64) -> Result<Moments, QuadratureError> {
    let mut cells = Cells::new(region, density)?;
    while cells.error() > WANTED_ERROR && cells.samples() < region.most_samples(MOST_SAMPLES) {
        cells.refine()?;
    }
    let error = cells.error();
    let moments = about_centre(cells.sums(), region.half_extents(), error)?;
    if error > LARGEST_ERROR { Err(QuadratureError::Rough { error }) } else { Ok(moments) }
}

/// The moments from integrals about the origin: of the density times `1, x, y, z, x^2, y^2, z^2, x y, x z, y z`, and the volume.
fn about_centre(sums: [f64; SUMS], sizes: [f64; 3], error: f64) -> Result<Moments, QuadratureError> {
    let [mass, firsts @ .., xx, yy, zz, xy, xz, yz, volume] = sums;
    if sums.iter().any(|sum| !sum.is_finite()) {
        return Err(QuadratureError::Overflow);
    }
    if mass < f64::MIN_POSITIVE {
        return Err(QuadratureError::Zero);
    }
    let centre = firsts.map(|first| first / mass);
    let [x, y, z] = centre;
    let [width, height, depth] = sizes;
    let (xx, yy, zz) = (xx / mass - x * x, yy / mass - y * y, zz / mass - z * z);
    let (xx, yy, zz) = (rounded(xx, width * width), rounded(yy, height * height), rounded(zz, depth * depth));
    let xy = rounded(x * y - xy / mass, width * height);
    let xz = rounded(x * z - xz / mass, width * depth);
    let yz = rounded(y * z - yz / mass, height * depth);
    let centre = [rounded(x, width), rounded(y, height), rounded(z, depth)];
    Ok(Moments { mass, volume, centre, inertia: [yy + zz, zz + xx, xx + yy, xy, xz, yz], error })
}

/// A result rounded to about 2^-45 of its natural size: sums of thousands of numbers are not better than that, and what is zero or
/// equal by symmetry comes out so.
fn rounded(value: f64, size: f64) -> f64 {
    let (_, exponent) = libm::frexp(size);
    libm::scalbn(libm::rint(libm::scalbn(value, 45 - exponent)), exponent - 45)
}
