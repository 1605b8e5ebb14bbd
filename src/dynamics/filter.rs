//! Which colliders meet, as their filters say.

/// What a collider is, and what it meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The categories that it belongs to, a bit each.
    pub category: u32,
    /// The categories that it meets, a bit each.
    pub mask: u32,
    /// Where two are of one group other than 0, that decides: they always meet if it is positive, never if it is negative.
    pub group: i32,
}

impl Filter {
    /// Meets everything whose own filter does not refuse.
    pub const PLAIN: Self = Self { category: 1, mask: u32::MAX, group: 0 };

    /// Whether two colliders meet, as far as their filters go: each must meet a category of the other.
    #[inline(always)]
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        if self.group == other.group && self.group != 0 {
            return self.group > 0;
        }
        self.category & other.mask != 0 && other.category & self.mask != 0
    }
}

#[cfg(test)]
mod tests {
    use crate::dynamics::filter::Filter;

    const WALL: u32 = 2;
    const GHOST: u32 = 4;

    const fn filter(category: u32, mask: u32, group: i32) -> Filter {
        Filter { category, mask, group }
    }

    /// Whichever comes first.
    fn meet(a: Filter, b: Filter) -> bool {
        assert_eq!(a.meets(b), b.meets(a), "{a:?} and {b:?}");
        a.meets(b)
    }

    #[test]
    fn both_must_meet_a_category_of_the_other() {
        let (wall, ghost) = (filter(WALL, u32::MAX, 0), filter(GHOST, !WALL, 0));
        assert!(meet(Filter::PLAIN, Filter::PLAIN) && meet(Filter::PLAIN, wall) && meet(Filter::PLAIN, ghost));
        assert!(!meet(wall, ghost), "one that refuses is enough");
        assert!(meet(ghost, ghost));
        assert!(
            meet(filter(WALL | GHOST, u32::MAX, 0), ghost) == (GHOST & ghost.mask != 0),
            "of several one is enough"
        );
        assert!(!meet(filter(0, u32::MAX, 0), Filter::PLAIN), "what belongs to nothing meets nothing");
    }

    #[test]
    fn a_group_goes_before_categories() {
        let (wall, ghost) = (filter(WALL, u32::MAX, 0), filter(GHOST, !WALL, 0));
        let of_group = |one: Filter, group| Filter { group, ..one };
        assert!(meet(of_group(wall, 3), of_group(ghost, 3)), "a positive one joins what categories part");
        assert!(!meet(of_group(wall, -3), of_group(wall, -3)), "a negative one parts what categories join");
        assert!(meet(of_group(wall, -3), of_group(wall, -4)) && meet(of_group(wall, -3), wall), "others do not count");
        assert!(!meet(of_group(wall, 3), of_group(ghost, -3)));
    }
}
