//! A list that is mostly of one length and then needs no memory of its own: a triangle's vectors stand in the triangle.

use std::ops::{Deref, DerefMut};

/// Items in a row: so many in place, any other number elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Few<T, const N: usize> {
    /// As many as there is room for here.
    Here([T; N]),
    /// More or fewer.
    Elsewhere(Box<[T]>),
}

impl<T, const N: usize> FromIterator<T> for Few<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let items: Vec<T> = items.into_iter().collect();
        items.try_into().map_or_else(|items: Vec<T>| Self::Elsewhere(items.into_boxed_slice()), Self::Here)
    }
}

impl<T, const N: usize> Deref for Few<T, N> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        match self {
            Self::Here(items) => items,
            Self::Elsewhere(items) => items,
        }
    }
}

impl<T, const N: usize> DerefMut for Few<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::Here(items) => items,
            Self::Elsewhere(items) => items,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Few;

    #[test]
    fn any_number_of_items_is_kept_in_order() {
        for count in 0..7 {
            let mut few: Few<u32, 3> = (0..count).collect();
            assert_eq!(matches!(few, Few::Here(_)), count == 3);
            assert_eq!(few.to_vec(), (0..count).collect::<Vec<u32>>());
            few.iter_mut().for_each(|item| *item += 1);
            assert_eq!(few.to_vec(), (1..=count).collect::<Vec<u32>>());
        }
    }
}
