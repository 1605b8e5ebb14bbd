//! What a world takes memory for.

/// Pairs of colliders that any world may have.
const PAIRS_AT_LEAST: usize = 1 << 18;

/// Pairs of colliders that a world may have beyond those, for each of its colliders. In a heap of equal balls each has
/// fewer than ten.
const PAIRS_PER_COLLIDER: usize = 32;

/// The most pairs of colliders that may be near each other in one step: a pair may need some kilobytes, and many bodies
/// in one place make pairs by the square of their number.
#[must_use]
pub const fn pair_limit(colliders: usize) -> usize {
    PAIRS_AT_LEAST.saturating_add(colliders.saturating_mul(PAIRS_PER_COLLIDER))
}
