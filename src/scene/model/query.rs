//! Questions to a scene as it stands at some step.

use serde::{Deserialize, Serialize};

use crate::scene::decimal::Decimal;
use crate::scene::model::{Orientation, Shape, Vector, defaults};

/// Whether a key has its default and need not be written: questions are shown as people write them.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A question. Places in metres, world frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Query {
    /// What a ray meets.
    Ray {
        /// Where it starts.
        from: Vector,
        /// Where it ends.
        to: Vector,
        /// Whether all is told that it meets, or the first only. Default `false`.
        #[serde(default, skip_serializing_if = "is_default")]
        all: bool,
        /// What it sees.
        #[serde(default, skip_serializing_if = "is_default")]
        filter: QueryFilter,
    },
    /// What a shape meets first that goes straight and does not turn.
    Cast {
        /// The shape.
        shape: Shape,
        /// Where its origin starts.
        from: Vector,
        /// Where its origin ends.
        to: Vector,
        /// How it is turned.
        #[serde(default, skip_serializing_if = "is_default")]
        orientation: Orientation,
        /// What it meets.
        #[serde(default, skip_serializing_if = "is_default")]
        filter: QueryFilter,
    },
    /// What a shape overlaps; touching counts.
    Overlap {
        /// The shape.
        shape: Shape,
        /// Where its origin is.
        at: Vector,
        /// How it is turned.
        #[serde(default, skip_serializing_if = "is_default")]
        orientation: Orientation,
        /// What it meets.
        #[serde(default, skip_serializing_if = "is_default")]
        filter: QueryFilter,
    },
    /// What is near to a point, or to a shape there, the nearest first.
    Nearest {
        /// Where.
        at: Vector,
        /// How near, metres. Default 1.
        #[serde(default = "defaults::query_reach")]
        within: Decimal,
        /// The shape; a point without one.
        #[serde(default, skip_serializing_if = "is_default")]
        shape: Option<Shape>,
        /// How it is turned.
        #[serde(default, skip_serializing_if = "is_default")]
        orientation: Orientation,
        /// What is seen.
        #[serde(default, skip_serializing_if = "is_default")]
        filter: QueryFilter,
    },
    /// What holds a point.
    Contains {
        /// The point.
        point: Vector,
        /// What is seen.
        #[serde(default, skip_serializing_if = "is_default")]
        filter: QueryFilter,
    },
    /// Where two bodies are nearest to each other.
    Between {
        /// Their names.
        bodies: (String, String),
    },
    /// When two bodies meet if they go on as they do now.
    Meet {
        /// Their names.
        bodies: (String, String),
        /// For how many seconds they do. Default 1.
        #[serde(default = "defaults::query_seconds")]
        seconds: Decimal,
    },
}

impl Query {
    /// The shape that it is asked with, if it is.
    pub const fn shape_mut(&mut self) -> Option<&mut Shape> {
        match self {
            Self::Cast { shape, .. } | Self::Overlap { shape, .. } => Some(shape),
            Self::Nearest { shape, .. } => shape.as_mut(),
            Self::Ray { .. } | Self::Contains { .. } | Self::Between { .. } | Self::Meet { .. } => None,
        }
    }

    /// The places of the world that it is about.
    pub fn places_mut(&mut self) -> Vec<&mut Vector> {
        match self {
            Self::Ray { from, to, .. } | Self::Cast { from, to, .. } => vec![from, to],
            Self::Overlap { at, .. } | Self::Nearest { at, .. } => vec![at],
            Self::Contains { point, .. } => vec![point],
            Self::Between { .. } | Self::Meet { .. } => Vec::new(),
        }
    }
}

/// What a question sees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct QueryFilter {
    /// The categories that are seen, of the scene's `categories`. Default all.
    #[serde(skip_serializing_if = "is_default")]
    pub sees: Option<Vec<String>>,
    /// Names of bodies that are not seen. Default none.
    #[serde(skip_serializing_if = "is_default")]
    pub except: Vec<String>,
    /// Whether sensors are seen too. Default `false`.
    #[serde(skip_serializing_if = "is_default")]
    pub sensors: bool,
}
