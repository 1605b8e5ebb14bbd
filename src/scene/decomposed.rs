//! A solid given by its triangles, cut into convex parts once for all bodies that have it.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::geometry::decomposition::{Corner, Decomposition, DecompositionError, DecompositionSettings, decompose};
use crate::geometry::hull::{ExactHull, Hull, MAX_CORNERS, enclosed_volume};
use crate::geometry::mesh::MeshError;
use crate::math::{Fixed, Scalar};
use crate::scene::decimal::{Decimal, Exact};
use crate::scene::hull::{HullPoints, PlacedHull, corners_of, largest_extent};
use crate::scene::mesh::{Triangles, TrianglesError, to_grid};
use crate::scene::model::Vector;

/// How many parts a solid is cut into at most, where the scene does not say.
pub const DEFAULT_MOST_PARTS: u32 = 32;
/// How many corners a part has at most, where the scene does not say.
pub const DEFAULT_MOST_CORNERS: u32 = 64;
/// By how much all parts together may be larger than the solid, as a share of its volume, where the scene does not say.
pub const DEFAULT_TOLERANCE: Exact = Exact::new(2, 2);
/// Places at which a solid is cut are written so finely: as shares of its extent.
const FINENESS: f64 = 1.0 / 4_194_304.0;

/// The points of a solid as a scene lists them. Copies share them and the parts once they were asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<Vector>", into = "Vec<Vector>")]
pub struct SolidPoints(Arc<Listed>);

#[derive(Debug)]
struct Listed {
    points: Vec<Vector>,
    /// What the parts were made with, and the parts.
    parts: OnceLock<(Triangles, PartSettings, Result<Parts, SolidError>)>,
}

/// What is said of the parts of a solid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartSettings {
    /// How many there may be.
    pub most_parts: u32,
    /// By how much all of them together may be larger than the solid, as a share of its volume.
    pub tolerance: Decimal,
    /// How many corners each may have.
    pub most_corners: u32,
}

/// A solid as convex parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// The parts, never none.
    pub hulls: Arc<[HullPoints]>,
    /// What the solid encloses, m^3.
    pub solid_volume: f64,
    /// What the parts enclose together, m^3.
    pub parts_volume: f64,
    /// How many corners they have together.
    pub corners: usize,
}

/// Why a solid has no parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolidError {
    /// What is wrong with its points and triangles, whatever they enclose.
    Triangles(TrianglesError),
    /// What is wrong with what they enclose.
    Solid(DecompositionError),
}

impl SolidPoints {
    /// The points, in the order of the scene.
    #[must_use]
    pub fn points(&self) -> &[Vector] {
        &self.0.points
    }

    /// Where they are in memory: the same for copies, which share their parts, and for nothing else.
    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// The parts of what these triangles of them enclose.
    ///
    /// # Errors
    /// When a coordinate is out of range, a triangle names a point that is not there, or the triangles enclose nothing.
    pub fn parts(&self, triangles: &Triangles, settings: &PartSettings) -> Result<Parts, SolidError> {
        let make = || parts_of(&self.0.points, triangles.listed(), settings);
        let (of, with, parts) = self.0.parts.get_or_init(|| (triangles.clone(), settings.clone(), make()));
        if of == triangles && with == settings { parts.clone() } else { make() }
    }
}

impl From<Vec<Vector>> for SolidPoints {
    fn from(points: Vec<Vector>) -> Self {
        Self(Arc::new(Listed { points, parts: OnceLock::new() }))
    }
}

impl From<SolidPoints> for Vec<Vector> {
    fn from(points: SolidPoints) -> Self {
        points.0.points.clone()
    }
}

impl Default for SolidPoints {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl PartialEq for SolidPoints {
    fn eq(&self, other: &Self) -> bool {
        self.0.points == other.0.points
    }
}

impl Eq for SolidPoints {}

fn parts_of(points: &[Vector], triangles: &[(u32, u32, u32)], settings: &PartSettings) -> Result<Parts, SolidError> {
    let exact: Vec<[Exact; 3]> = points.iter().map(|Vector(x, y, z)| [x, y, z].map(Decimal::exact)).collect();
    let (on_grid, places) = to_grid(&exact).map_err(SolidError::Triangles)?;
    let triangles: Vec<[u32; 3]> = triangles.iter().map(|&(a, b, c)| [a, b, c]).collect();
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&corner) = corners.iter().find(|&&corner| corner as usize >= points.len()) {
            let error = MeshError::NoSuchCorner { triangle, corner, corners: points.len() };
            return Err(SolidError::Triangles(TrianglesError::Mesh(error)));
        }
    }
    let settings_in_numbers =
        DecompositionSettings { most_parts: settings.most_parts as usize, tolerance: settings.tolerance.to_f64() };
    let Decomposition { parts, volume } =
        decompose(&on_grid, &triangles, settings_in_numbers).map_err(SolidError::Solid)?;
    let step = libm::scalbn(1.0, -(places as i32));
    let digits = digits_for(largest_extent(&exact).to_decimal().to_f64());
    let vector = |corner: &Corner| match corner {
        Corner::Point(number) => points[*number as usize].clone(),
        Corner::Cut([x, y, z]) => {
            let [x, y, z] = [x, y, z].map(|steps| written(steps * step, digits));
            Vector(x, y, z)
        }
    };
    let mut hulls: Vec<(HullPoints, PlacedHull)> = Vec::with_capacity(parts.len());
    for part in &parts {
        let corners: Vec<Vector> = part.iter().map(vector).collect();
        // What is too thin or too small for a hull weighs next to nothing, and is left out.
        let Ok(corners) = corners_of(&corners, Some(settings.most_corners as usize)) else { continue };
        let points = HullPoints::from(corners);
        if let Ok(placed) = points.hull().cloned()
            && has_thickness(&placed.hull)
        {
            hulls.push((points, placed));
        }
    }
    if hulls.is_empty() {
        return Err(SolidError::Triangles(TrianglesError::TooSmall));
    }
    let volume_of = |(_, placed): &(HullPoints, PlacedHull)| {
        let step = libm::scalbn(1.0, placed.hull.exponent());
        enclosed_volume(placed.hull.corners(), 4 * MAX_CORNERS) * (step * step * step)
    };
    Ok(Parts {
        solid_volume: volume * (step * step * step),
        parts_volume: hulls.iter().map(volume_of).sum(),
        corners: hulls.iter().map(|(_, placed)| placed.hull.corners().len()).sum(),
        hulls: hulls.into_iter().map(|(points, _)| points).collect(),
    })
}

/// Whether a hull has a thickness in the numbers of every run: none may refuse a part, which nobody can make thicker.
fn has_thickness(hull: &Arc<ExactHull>) -> bool {
    fn in_scalar<S: Scalar>(hull: &Arc<ExactHull>) -> bool {
        Hull::<S>::new(Arc::clone(hull)).inner_radius() > S::ZERO
    }
    in_scalar::<Fixed>(hull) && in_scalar::<f32>(hull) && in_scalar::<f64>(hull)
}

/// How many digits behind the point tell places of a solid of this extent apart, metres.
fn digits_for(extent: f64) -> u32 {
    let mut digits = 0;
    let mut step = 1.0;
    while step > extent * FINENESS && digits < 12 {
        step /= 10.0;
        digits += 1;
    }
    digits
}

/// A coordinate with so many digits behind the point.
fn written(metres: f64, digits: u32) -> Decimal {
    let scaled = (0..digits).fold(metres, |scaled, _| scaled * 10.0);
    let nearest = if scaled < 0.0 { scaled - 0.5 } else { scaled + 0.5 } as i64;
    Exact::new(i128::from(nearest), digits).to_decimal()
}
