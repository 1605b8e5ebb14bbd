//! Which corners make the faces and edges of a convex polyhedron.

use std::borrow::Cow;

/// An edge: its ends, and the faces on either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// From the first corner to the second it bounds the first face counter-clockwise, as seen from outside.
    pub corners: [u16; 2],
    /// The faces.
    pub faces: [u16; 2],
}

/// The faces and edges of a convex polyhedron by the numbers of its corners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    /// Where the loop of each face begins, and where the last one ends.
    starts: Cow<'static, [u16]>,
    /// The corners of each face in turn, counter-clockwise as seen from outside.
    loops: Cow<'static, [u16]>,
    /// The edge that begins at each corner of a loop.
    sides: Cow<'static, [u16]>,
    edges: Cow<'static, [Edge]>,
    /// Where the faces at each corner begin, and where the last ones end.
    corner_starts: Cow<'static, [u16]>,
    /// The faces at each corner, ascending.
    corner_faces: Cow<'static, [u16]>,
}

impl Topology {
    /// That of these faces, put in order: each loop begins at its smallest corner, and the loops ascend.
    #[must_use]
    pub fn new(mut faces: Vec<Vec<u16>>) -> Self {
        for corners in &mut faces {
            let smallest = (0..corners.len()).min_by_key(|&place| corners[place]).unwrap_or(0);
            corners.rotate_left(smallest);
        }
        faces.sort_unstable();
        let mut starts = vec![0];
        for corners in &faces {
            starts.push(starts.last().copied().unwrap_or(0) + corners.len() as u16);
        }
        let (edges, sides) = edges_of(&faces);
        let (corner_starts, corner_faces) = faces_at_corners(&faces);
        Self {
            starts: starts.into(),
            loops: faces.concat().into(),
            sides: sides.into(),
            edges: edges.into(),
            corner_starts: corner_starts.into(),
            corner_faces: corner_faces.into(),
        }
    }

    /// How many faces there are.
    #[must_use]
    pub fn face_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The corners of a face, counter-clockwise as seen from outside.
    #[inline]
    #[must_use]
    pub fn face(&self, face: usize) -> &[u16] {
        &self.loops[usize::from(self.starts[face])..usize::from(self.starts[face + 1])]
    }

    /// The edges of a face: each begins at the corner of the same place.
    #[inline]
    #[must_use]
    pub fn sides(&self, face: usize) -> &[u16] {
        &self.sides[usize::from(self.starts[face])..usize::from(self.starts[face + 1])]
    }

    /// The faces that a corner is one of, ascending.
    #[inline]
    #[must_use]
    pub fn faces_at(&self, corner: u16) -> &[u16] {
        let corner = usize::from(corner);
        &self.corner_faces[usize::from(self.corner_starts[corner])..usize::from(self.corner_starts[corner + 1])]
    }

    /// All edges.
    #[inline]
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The edge between two corners, whichever comes first.
    #[must_use]
    pub fn edge_between(&self, a: u16, b: u16) -> Option<usize> {
        self.edges.iter().position(|edge| edge.corners == [a, b] || edge.corners == [b, a])
    }
}

/// That of a cuboid. Bit i of the number of a corner is set on the positive side of axis i; face `2 i` looks along axis i and
/// face `2 i + 1` against it.
pub static CUBOID: Topology = Topology {
    starts: Cow::Borrowed(&[0, 4, 8, 12, 16, 20, 24]),
    loops: Cow::Borrowed(&[1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3, 0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1]),
    sides: Cow::Borrowed(&[0, 1, 2, 3, 4, 5, 6, 7, 6, 8, 1, 9, 10, 3, 11, 4, 11, 2, 8, 5, 7, 9, 0, 10]),
    edges: Cow::Borrowed(&[
        edge([1, 3], [0, 5]),
        edge([3, 7], [0, 2]),
        edge([7, 5], [0, 4]),
        edge([5, 1], [0, 3]),
        edge([0, 4], [1, 3]),
        edge([4, 6], [1, 4]),
        edge([6, 2], [1, 2]),
        edge([2, 0], [1, 5]),
        edge([6, 7], [2, 4]),
        edge([3, 2], [2, 5]),
        edge([0, 1], [3, 5]),
        edge([5, 4], [3, 4]),
    ]),
    corner_starts: Cow::Borrowed(&[0, 3, 6, 9, 12, 15, 18, 21, 24]),
    corner_faces: Cow::Borrowed(&[1, 3, 5, 0, 3, 5, 1, 2, 5, 0, 2, 5, 1, 3, 4, 0, 3, 4, 1, 2, 4, 0, 2, 4]),
};

const fn edge(corners: [u16; 2], faces: [u16; 2]) -> Edge {
    Edge { corners, faces }
}

/// The edges in the order in which the faces come to them, and for each side of each face its edge.
fn edges_of(faces: &[Vec<u16>]) -> (Vec<Edge>, Vec<u16>) {
    let mut edges: Vec<Edge> = Vec::new();
    let mut sides = Vec::new();
    let mut known = std::collections::BTreeMap::new();
    for (face, corners) in (0_u16..).zip(faces) {
        for (place, &from) in corners.iter().enumerate() {
            let to = corners[(place + 1) % corners.len()];
            if let Some(&number) = known.get(&[to, from]) {
                let edge: &mut Edge = &mut edges[usize::from(number)];
                edge.faces[1] = face;
                sides.push(number);
            } else {
                let number = edges.len() as u16;
                known.insert([from, to], number);
                edges.push(Edge { corners: [from, to], faces: [face; 2] });
                sides.push(number);
            }
        }
    }
    (edges, sides)
}

/// Where the faces at each corner begin, and these.
fn faces_at_corners(faces: &[Vec<u16>]) -> (Vec<u16>, Vec<u16>) {
    let mut at: Vec<Vec<u16>> = Vec::new();
    for (face, corners) in (0_u16..).zip(faces) {
        for &corner in corners {
            at.resize(at.len().max(usize::from(corner) + 1), Vec::new());
            at[usize::from(corner)].push(face);
        }
    }
    let mut starts = vec![0];
    starts.extend(at.iter().scan(0, |end, faces| {
        *end += faces.len() as u16;
        Some(*end)
    }));
    (starts, at.concat())
}

#[cfg(test)]
mod tests {
    use super::{CUBOID, Topology};

    /// The loops of a cuboid, in their own order, give the edges and sides that stand in its constant.
    #[test]
    fn the_cuboid_is_what_its_faces_make_it() {
        let cuboid = &CUBOID;
        let faces: Vec<_> = (0..cuboid.face_count()).map(|face| cuboid.face(face).to_vec()).collect();
        let (edges, sides) = super::edges_of(&faces);
        assert_eq!((edges.as_slice(), sides.as_slice()), (cuboid.edges(), &*cuboid.sides));
        assert_faces_stand_at_their_corners(cuboid);
        assert_faces_stand_at_their_corners(&Topology::new(faces.clone()));
        for (face, corners) in faces.iter().enumerate() {
            let (bit, is_set) = (1 << (face / 2), face % 2 == 0);
            assert!(corners.iter().all(|corner| (corner & bit != 0) == is_set), "face {face}: {corners:?}");
            // Seen from outside they turn counter-clockwise.
            let at = |corner: u16| [0, 1, 2].map(|axis| if corner & (1 << axis) == 0 { -1 } else { 1 });
            let [a, b, c] = [0, 1, 2].map(|place| at(corners[place]));
            let (u, v) = ([0, 1, 2].map(|axis| b[axis] - a[axis]), [0, 1, 2].map(|axis| c[axis] - b[axis]));
            let axis = face / 2;
            let turn: i32 = u[(axis + 1) % 3] * v[(axis + 2) % 3] - u[(axis + 2) % 3] * v[(axis + 1) % 3];
            assert_eq!(turn > 0, is_set, "face {face}");
        }
    }

    fn assert_faces_stand_at_their_corners(topology: &Topology) {
        let corners = topology.corner_starts.len() as u16 - 1;
        for corner in 0..corners {
            let at = (0_u16..).zip(0..topology.face_count()).filter(|&(_, face)| topology.face(face).contains(&corner));
            assert_eq!(topology.faces_at(corner), at.map(|(face, _)| face).collect::<Vec<_>>(), "{corner}");
        }
    }
}
