//! How vertices are joined to triangles.

use crate::scene::hull_file::{EXPORT_AGAIN, Wrong};

/// How a primitive joins its corners to triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topology {
    /// Three by three.
    Triangles,
    /// Each corner with the two before it, every other triangle turned over so that all have their front on one side.
    Strip,
    /// Each two neighbours with the first corner.
    Fan,
}

impl Topology {
    /// That of a `mode` of the format; `None` for points and lines.
    pub(super) fn of(mode: u32, name: &str) -> Result<Option<Self>, Wrong> {
        match mode {
            0..=3 => Ok(None),
            4 => Ok(Some(Self::Triangles)),
            5 => Ok(Some(Self::Strip)),
            6 => Ok(Some(Self::Fan)),
            _ => Err((format!("the `mode` of {name} is {mode}, and there are 0 to 6"), EXPORT_AGAIN)),
        }
    }

    /// How many triangles so many corners make.
    pub(super) fn triangles(self, corners: u64, name: &str) -> Result<u64, Wrong> {
        match self {
            Self::Triangles if !corners.is_multiple_of(3) => {
                Err((format!("{name} has {corners} corners, which are no triangles of three each"), EXPORT_AGAIN))
            }
            Self::Triangles => Ok(corners / 3),
            Self::Strip | Self::Fan => Ok(corners.saturating_sub(2)),
        }
    }

    /// The corners of a triangle.
    pub(super) const fn corners(self, triangle: u64) -> [u64; 3] {
        match self {
            Self::Triangles => [3 * triangle, 3 * triangle + 1, 3 * triangle + 2],
            Self::Strip => [triangle, triangle + 1 + triangle % 2, triangle + 2 - triangle % 2],
            Self::Fan => [triangle + 1, triangle + 2, 0],
        }
    }
}
