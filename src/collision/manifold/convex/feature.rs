//! Names of contact points by what touches there: corners, edges and faces of the two shapes, whichever of them carries the contact.

/// What touches what, of the first shape and of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    CornerFace = 0,
    FaceCorner = 1,
    Edges = 2,
    Corners = 3,
    CornerEdge = 4,
    EdgeCorner = 5,
    /// The end of a stretch along which two edges run side by side where the one edge begins.
    StretchStart = 6,
    /// The other end of it.
    StretchEnd = 7,
    /// Two sides of one face whose common corner rounding has cut off.
    Sides = 8,
}

/// The name of a point where parts of these numbers touch, first that of the shape which carries the contact; that may be the
/// second shape.
pub(super) fn name(touch: Touch, [of_carrier, of_other]: [u32; 2], is_second: bool) -> u32 {
    let (touch, first, second) = match (is_second, touch) {
        (false, _) => (touch, of_carrier, of_other),
        (true, Touch::CornerFace) => (Touch::FaceCorner, of_other, of_carrier),
        (true, Touch::FaceCorner) => (Touch::CornerFace, of_other, of_carrier),
        (true, Touch::Sides) => return (9 << 24) | (of_carrier << 12) | of_other,
        (true, _) => (touch, of_other, of_carrier),
    };
    ((touch as u32) << 24) | (first << 12) | second
}
