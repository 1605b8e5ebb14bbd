//! Some edges of a polyhedron, by their numbers.

use crate::geometry::hull::MAX_CORNERS;

/// The most edges of a polyhedron of [`MAX_CORNERS`] corners, all of whose faces are triangles.
const MOST_EDGES: usize = 3 * MAX_CORNERS - 6;

/// Some edges; a bit each.
#[derive(Clone, Copy, Default)]
pub(super) struct EdgeSet {
    words: [u64; MOST_EDGES.div_ceil(64)],
}

impl EdgeSet {
    /// The first `count` edges.
    pub(super) fn first(count: usize) -> Self {
        let mut edges = Self::default();
        (0_u16..).zip(0..count).for_each(|(edge, _)| edges.insert(&[edge]));
        edges
    }

    /// Adds these.
    #[inline]
    pub(super) fn insert(&mut self, edges: &[u16]) {
        for &edge in edges {
            if let Some(word) = self.words.get_mut(usize::from(edge / 64)) {
                *word |= 1 << (edge % 64);
            }
        }
    }

    /// All of them, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = u16> {
        (0_u16..).step_by(64).zip(self.words).flat_map(|(start, mut word)| {
            std::iter::from_fn(move || {
                let place = word.trailing_zeros() as u16;
                (word != 0).then(|| {
                    word &= word - 1;
                    start + place
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{EdgeSet, MOST_EDGES};

    #[test]
    fn edges_come_out_once_and_in_order() {
        let mut edges = EdgeSet::default();
        edges.insert(&[700, 3, 64]);
        edges.insert(&[63, 3]);
        assert_eq!(edges.iter().collect::<Vec<_>>(), [3, 63, 64, 700]);
        assert_eq!(EdgeSet::first(MOST_EDGES).iter().count(), MOST_EDGES);
        assert_eq!(EdgeSet::default().iter().next(), None);
    }
}
