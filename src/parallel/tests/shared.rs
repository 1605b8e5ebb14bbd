//! Memory that threads share: each part once.

use crate::parallel::shared::columns::Parts;

#[test]
fn a_part_is_handed_out_once() {
    let mut numbers = [0; 10];
    let parts = Parts::in_order(&mut numbers[..], 4);
    let mut handed_out: Vec<_> = std::iter::from_fn(|| parts.next()).collect();
    assert!(parts.next().is_none() && parts.take(0).is_none());
    handed_out.iter_mut().for_each(|(first, part)| part.fill(*first + 1));
    assert_eq!(numbers, [1, 1, 1, 1, 5, 5, 5, 5, 9, 9]);
    let parts = Parts::by_number(&mut numbers[..], 4);
    assert!(parts.next().is_none());
    let taken = [2, 0, 2, 1, 3, 0].map(|number| parts.take(number).map(|(first, part)| (first, part.len())));
    assert_eq!(taken, [Some((8, 2)), Some((0, 4)), None, Some((4, 4)), None, None]);
}
