//! Where a node stands. Only sums, products and quotients, in a fixed order: the same bits on every machine.

use crate::scene::gltf::document::Node;
use crate::scene::hull_file::{EXPORT_AGAIN, Wrong};

/// How far the square of the length of a rotation may be from 1: it was rounded, but is not another number.
const UNIT: std::ops::RangeInclusive<f64> = 0.98..=1.02;

/// A linear map by its rows, and what is added to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Transform {
    rows: [[f64; 3]; 3],
    offset: [f64; 3],
}

impl Transform {
    /// What leaves everything where it is.
    pub(super) const IDENTITY: Self =
        Self { rows: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], offset: [0.0; 3] };

    /// What a node says of itself, relative to its parent.
    pub(super) fn of(node: &Node, name: impl Fn() -> String) -> Result<Self, Wrong> {
        if let Some(matrix) = &node.matrix {
            if node.translation.is_some() || node.rotation.is_some() || node.scale.is_some() {
                let why = format!("{} has a `matrix` and a translation, rotation or scale beside it", name());
                return Err((why, EXPORT_AGAIN));
            }
            return Self::of_columns(matrix).ok_or_else(|| {
                (format!("the last row of the `matrix` of {} is not (0, 0, 0, 1)", name()), EXPORT_AGAIN)
            });
        }
        let mut rows = Self::IDENTITY.rows;
        if let Some(rotation) = &node.rotation {
            rows = turned(rotation)
                .ok_or_else(|| (format!("the `rotation` of {} is no quaternion of length 1", name()), EXPORT_AGAIN))?;
        }
        if let Some(scale) = &node.scale {
            rows = rows.map(|row| [0, 1, 2].map(|column| row[column] * scale[column]));
        }
        Ok(Self { rows, offset: node.translation.as_deref().copied().unwrap_or([0.0; 3]) })
    }

    /// The matrix that is listed column by column; `None` where it does more than turn, stretch and move.
    fn of_columns(matrix: &[f64; 16]) -> Option<Self> {
        let row = |row: usize| [0, 1, 2].map(|column| matrix[4 * column + row]);
        let is_affine = row(3) == [0.0; 3] && matrix[15] == 1.0;
        is_affine.then(|| Self { rows: [row(0), row(1), row(2)], offset: [matrix[12], matrix[13], matrix[14]] })
    }

    /// What a child comes to whose parent stands here.
    pub(super) fn then(&self, child: &Self) -> Self {
        let column = |column: usize| child.rows.map(|row| row[column]);
        let rows = self.rows.map(|row| [0, 1, 2].map(|place| dot(row, column(place))));
        Self { rows, offset: self.apply(child.offset) }
    }

    /// Where a point comes to lie.
    pub(super) fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|axis| dot(self.rows[axis], point) + self.offset[axis])
    }

    /// Whether right becomes left.
    pub(super) fn is_mirrored(&self) -> bool {
        let [a, b, c] = self.rows;
        let across = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
        dot(a, across) < 0.0
    }

    /// Whether all comes to lie in one point: so files hide what is not there yet.
    pub(super) fn is_nothing(&self) -> bool {
        self.rows == [[0.0; 3]; 3]
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The rows of a rotation, from a quaternion with its scalar part last; `None` where its length is not 1.
///
/// Divided by the square of the length once more, so that a quarter turn, whose numbers were rounded, is exact: each entry is then 0 or 1.
fn turned(&[x, y, z, w]: &[f64; 4]) -> Option<[[f64; 3]; 3]> {
    let [xx, yy, zz, ww] = [x * x, y * y, z * z, w * w];
    let square = (xx + yy) + (zz + ww);
    if !UNIT.contains(&square) {
        return None;
    }
    let rows = [
        [(ww + xx) - (yy + zz), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), (ww + yy) - (xx + zz), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), (ww + zz) - (xx + yy)],
    ];
    Some(rows.map(|row| row.map(|entry| entry / square)))
}
