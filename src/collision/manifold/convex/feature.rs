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

/// What touches what, and the numbers of these parts of the first shape and of the second, of a point whose name says so for certain: a
/// corner at a face, a face at a corner, two edges.
pub(super) fn parts(name: u32) -> Option<(Touch, [usize; 2])> {
    let numbers = [(name >> 12) & 0xfff, name & 0xfff].map(|number| number as usize);
    let known = [Touch::CornerFace, Touch::FaceCorner, Touch::Edges];
    known.into_iter().find(|touch| *touch as u32 == name >> 24).map(|touch| (touch, numbers))
}

#[cfg(test)]
mod tests {
    use super::{Touch, name, parts};

    /// Whichever shape carries the contact, its own part comes first in what it says.
    #[test]
    fn a_name_tells_its_parts() {
        for touch in [Touch::CornerFace, Touch::FaceCorner, Touch::Edges] {
            assert_eq!(parts(name(touch, [700, 4095], false)), Some((touch, [700, 4095])));
        }
        assert_eq!(parts(name(Touch::FaceCorner, [700, 4095], true)), Some((Touch::CornerFace, [4095, 700])));
        assert_eq!(parts(name(Touch::Edges, [700, 4095], true)), Some((Touch::Edges, [4095, 700])));
        assert_eq!(parts(name(Touch::Corners, [1, 2], false)), None);
        assert_eq!(parts(name(Touch::Sides, [1, 2], true)), None);
    }
}
