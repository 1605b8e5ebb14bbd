//! Every method against brute force.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::collision::broad_phase::{BroadPhase, DynamicTree, FatAabb, TooManyPairs};
use crate::geometry::Aabb;
use crate::math::{Fixed, Scalar, SplitMix64, Vec3};
use crate::parallel::{Executor, Parallelism, Scheduling};

/// A limit that these tests do not reach.
const ENOUGH: usize = 1 << 20;

/// A vector of multiples of 1/16, so that boxes often just touch.
fn vector<S: Scalar>(random: &mut SplitMix64, limit: u64) -> Vec3<S> {
    let mut component = || S::from_ratio(random.below(16 * limit) as i64, 16);
    Vec3::new(component(), component(), component())
}

/// A box up to 2 m wide in a room of 10 m, or now and then a half-space.
fn fat_box<S: Scalar>(random: &mut SplitMix64) -> FatAabb<S> {
    if random.below(24) == 0 {
        let direction = vector(random, 2) - Vec3::splat(S::ONE);
        let normal = direction.direction().unwrap_or(Vec3::Y);
        return FatAabb::HalfSpace { normal, point: vector(random, 10) };
    }
    let min = vector(random, 10);
    FatAabb::Bounded(Aabb::new(min, min + vector(random, 2)))
}

/// Pairs as one thread finds them, as several do, and as they do with the work cut and dealt out in another way each time.
fn executors() -> [Executor; 3] {
    let scrambled = Scheduling::ScrambledInTurn { seed: 5 };
    let in_turn = Parallelism { scheduling: scrambled, ..Parallelism::plain(1) };
    [Executor::default(), Executor::new(Parallelism::plain(3)), Executor::new(in_turn)]
}

/// A filter that refuses some pairs.
fn accept(a: u32, b: u32) -> bool {
    !(a + b).is_multiple_of(7)
}

/// The pairs that `accept` takes.
fn pairs<S: Scalar>(broad_phase: &mut BroadPhase<S>, boxes: &[FatAabb<S>], executor: &mut Executor) -> Vec<(u32, u32)> {
    let mut found = vec![(9, 9)];
    broad_phase.pairs(boxes, accept, ENOUGH, executor, &mut found).expect("few pairs");
    found
}

/// Every method but brute force.
fn methods<S: Scalar>() -> [BroadPhase<S>; 3] {
    [BroadPhase::dynamic_tree(), BroadPhase::sweep_and_prune(), BroadPhase::uniform_grid()]
}

/// Asserts that a method and brute force agree and that the pairs are sorted and unique.
fn assert_same_pairs<S: Scalar>(method: &mut BroadPhase<S>, boxes: &[FatAabb<S>]) -> usize {
    let expected = pairs(&mut BroadPhase::BruteForce, boxes, &mut Executor::default());
    assert!(expected.is_sorted_by(|left, right| left < right));
    assert!(expected.iter().all(|&(a, b)| a < b && accept(a, b)));
    for mut executor in executors() {
        executor.begin_step(boxes.len() as u32);
        assert_eq!(pairs(&mut method.clone(), boxes, &mut executor), expected, "{executor:?}");
    }
    assert_eq!(pairs(method, boxes, &mut Executor::default()), expected, "and it goes on from these");
    expected.len()
}

/// The tree within a broad phase, checked.
fn assert_valid<S: Scalar>(broad_phase: &BroadPhase<S>, boxes: &[FatAabb<S>]) {
    if let BroadPhase::DynamicTree(tree) = broad_phase {
        tree.validate(boxes).expect("a sound tree");
    }
}

#[test]
fn random_moves_and_inserts_give_the_pairs_of_brute_force() {
    fn check<S: Scalar>() {
        for mut method in methods() {
            let mut random = SplitMix64::new(1);
            let mut boxes: Vec<FatAabb<S>> = Vec::new();
            let mut pairs = 0;
            for round in 0..400 {
                if random.below(3) == 0 || boxes.is_empty() {
                    boxes.push(fat_box(&mut random));
                    method.update(boxes.len() - 1, &boxes[boxes.len() - 1]);
                }
                let moved = random.index(boxes.len());
                boxes[moved] = fat_box(&mut random);
                method.update(moved, &boxes[moved]);
                assert_valid(&method, &boxes);
                if round % 8 == 0 {
                    pairs += assert_same_pairs(&mut method, &boxes);
                }
            }
            assert!(pairs > 1000, "{pairs}");
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

#[test]
fn many_changes_at_once_give_the_pairs_of_brute_force() {
    fn check<S: Scalar>() {
        for mut method in methods() {
            let mut random = SplitMix64::new(3);
            let mut boxes: Vec<FatAabb<S>> = (0..600).map(|_| fat_box(&mut random)).collect();
            method.rebuild(&boxes);
            let mut pairs = 0;
            for round in 0..40 {
                // A few are moved one by one, many by making the tree anew.
                let changed: Vec<u32> = (0..[7, 70, 200][round % 3]).map(|_| random.index(600) as u32).collect();
                for &index in &changed {
                    boxes[index as usize] = fat_box(&mut random);
                }
                method.update_all(&changed, &boxes);
                assert_valid(&method, &boxes);
                pairs += assert_same_pairs(&mut method, &boxes);
            }
            assert!(pairs > 1000, "{pairs}");
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// Steps as a run takes them: everything moves a little, some things appear and some are taken out.
#[test]
fn small_moves_with_spawns_and_removals_give_the_pairs_of_brute_force() {
    fn check<S: Scalar>() {
        for mut method in methods() {
            let mut random = SplitMix64::new(8);
            let mut boxes: Vec<FatAabb<S>> = (0..200).map(|_| fat_box(&mut random)).collect();
            method.rebuild(&boxes);
            let mut pairs = 0;
            for round in 0..120 {
                for one in &mut boxes {
                    if let FatAabb::Bounded(bounds) = one {
                        *bounds = bounds.translated((vector(&mut random, 1) - Vec3::splat(S::HALF)) * S::HALF);
                    }
                }
                let all: Vec<u32> = (0..boxes.len() as u32).collect();
                method.update_all(&all, &boxes);
                if round % 3 == 0 {
                    boxes.push(fat_box(&mut random));
                    method.update(boxes.len() - 1, &boxes[boxes.len() - 1]);
                }
                if round % 4 == 0 {
                    let first = random.index(boxes.len());
                    method.remove(first..first + 2);
                    boxes.drain(first..boxes.len().min(first + 2));
                }
                pairs += assert_same_pairs(&mut method, &boxes);
            }
            assert!(pairs > 1000, "{pairs}");
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// Boxes of a millimetre beside ones of kilometres, some without any size, as far from the origin as a scene may go.
#[test]
fn tiny_and_huge_boxes_far_out_give_the_pairs_of_brute_force() {
    fn check<S: Scalar>() {
        for mut method in methods() {
            let mut random = SplitMix64::new(9);
            let mut random_box = |far: i32| {
                let size = [S::ZERO, S::from_ratio(1, 1024), S::ONE, S::from_i32(2048)][random.index(4)];
                let lump = Vec3::splat(S::from_i32([-far, far][random.index(2)]));
                let min = lump + vector(&mut random, 2);
                FatAabb::Bounded(Aabb::new(min, min + Vec3::splat(size)))
            };
            for far in [1, 8, 29_000] {
                let boxes: Vec<FatAabb<S>> = (0..300).map(|_| random_box(far)).collect();
                method.rebuild(&boxes);
                let pairs = assert_same_pairs(&mut method, &boxes);
                assert!(pairs > 100, "{far}: {pairs}");
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// One more box is found among the others after a search, and where something has changed since.
#[test]
fn one_more_box_meets_what_it_meets_by_brute_force() {
    fn check<S: Scalar>() {
        for mut method in methods() {
            let mut random = SplitMix64::new(10);
            let mut boxes: Vec<FatAabb<S>> = (0..200).map(|_| fat_box(&mut random)).collect();
            method.rebuild(&boxes);
            let (mut found, mut expected, mut most) = (Vec::new(), Vec::new(), 0);
            for round in 0..200 {
                if round % 3 == 0 {
                    let moved = random.index(boxes.len());
                    boxes[moved] = fat_box(&mut random);
                    method.update(moved, &boxes[moved]);
                }
                if round % 6 < 4 {
                    pairs(&mut method, &boxes, &mut Executor::default());
                }
                let min = vector(&mut random, 10);
                let one = Aabb::new(min, min + vector(&mut random, 1 + round % 8));
                method.overlapping(&boxes, &one, &mut found);
                BroadPhase::BruteForce.overlapping(&boxes, &one, &mut expected);
                assert_eq!(found, expected, "round {round}");
                most = most.max(found.len());
            }
            assert!(most > 20, "{most}");
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

#[test]
fn only_what_has_changed_is_asked_for_again() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(4);
        let mut boxes: Vec<FatAabb<S>> = (0..200).map(|_| fat_box(&mut random)).collect();
        let mut tree = BroadPhase::dynamic_tree();
        tree.rebuild(&boxes);
        let asked = AtomicU32::new(0);
        let counting = |a: u32, b: u32| {
            asked.fetch_add(1, Ordering::Relaxed);
            accept(a, b)
        };
        let mut found = Vec::new();
        let mut search = |tree: &mut BroadPhase<S>, boxes: &[FatAabb<S>]| {
            tree.pairs(boxes, counting, ENOUGH, &mut Executor::default(), &mut found).expect("few pairs");
            (found.clone(), asked.swap(0, Ordering::Relaxed) as usize)
        };
        let (all, by_all) = search(&mut tree, &boxes);
        assert!(by_all > 200, "{by_all}");
        assert_eq!(search(&mut tree, &boxes), (all.clone(), 0));
        tree.forget_pairs();
        assert_eq!(search(&mut tree, &boxes), (all, by_all));
        for (moved, new) in
            [(17, fat_box(&mut random)), (17, FatAabb::HalfSpace { normal: Vec3::Y, point: Vec3::ZERO })]
        {
            boxes[moved] = new;
            tree.update_all(&[moved as u32], &boxes);
            let its_own = (0..200).filter(|&other| other != moved && new.overlaps(&boxes[other])).count();
            let expected = pairs(&mut BroadPhase::BruteForce, &boxes, &mut Executor::default());
            assert_eq!(search(&mut tree, &boxes), (expected, its_own));
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

#[test]
fn removals_leave_the_pairs_of_brute_force_and_nothing_to_ask_for() {
    fn check<S: Scalar>() {
        for mut method in methods() {
            let mut random = SplitMix64::new(6);
            let mut boxes: Vec<FatAabb<S>> = (0..300).map(|_| fat_box(&mut random)).collect();
            // What the filter goes by stays with a box when it moves up.
            let mut ids: Vec<u32> = (0..300).collect();
            method.rebuild(&boxes);
            let asked = AtomicU32::new(0);
            let (mut found, mut expected, mut most) = (Vec::new(), Vec::new(), 0);
            for round in 0..200 {
                let changes = round % 3 == 0;
                if changes {
                    let moved = random.index(boxes.len());
                    boxes[moved] = fat_box(&mut random);
                    method.update(moved, &boxes[moved]);
                    ids.push(1000 + round);
                    boxes.push(fat_box(&mut random));
                    method.update(boxes.len() - 1, &boxes[boxes.len() - 1]);
                }
                // Now and then none, the last one, or a range that goes beyond it.
                let first = if round % 5 == 0 { boxes.len() - 1 } else { random.index(boxes.len()) };
                let beyond = first + random.index(4);
                method.remove(first..beyond);
                let removed = first..beyond.min(boxes.len());
                boxes.drain(removed.clone());
                ids.drain(removed);
                assert_valid(&method, &boxes);
                let counting = |a: u32, b: u32| {
                    asked.fetch_add(1, Ordering::Relaxed);
                    accept(ids[a as usize], ids[b as usize])
                };
                let executor = &mut Executor::default();
                BroadPhase::BruteForce.pairs(&boxes, counting, ENOUGH, executor, &mut expected).expect("few pairs");
                asked.store(0, Ordering::Relaxed);
                method.pairs(&boxes, counting, ENOUGH, executor, &mut found).expect("few pairs");
                assert_eq!(found, expected, "round {round}");
                let asks_again = !matches!(method, BroadPhase::DynamicTree(_));
                assert!(
                    asks_again || changes || asked.load(Ordering::Relaxed) == 0,
                    "round {round}: what is left is known"
                );
                most = most.max(found.len());
            }
            assert!(most > 100 && boxes.len() < 250, "{most} pairs, {} boxes", boxes.len());
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

#[test]
fn the_order_of_changes_does_not_matter() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(2);
        let boxes: Vec<FatAabb<S>> = (0..200).map(|_| fat_box(&mut random)).collect();
        let mut rebuilt = BroadPhase::dynamic_tree();
        rebuilt.rebuild(&boxes);
        let mut shuffled = BroadPhase::dynamic_tree();
        shuffled.rebuild(&(0..200).map(|_| fat_box(&mut random)).collect::<Vec<_>>());
        for step in 0..200 {
            let index = step * 77 % 200; // 77 and 200 share no factor: every index once
            shuffled.update(index, &boxes[index]);
        }
        let [first, second] = [&mut rebuilt, &mut shuffled].map(|tree| pairs(tree, &boxes, &mut Executor::default()));
        assert_eq!(first, second);
        assert_same_pairs(&mut rebuilt, &boxes);
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

#[test]
fn a_sorted_row_and_equal_boxes_make_no_tall_tree() {
    fn check<S: Scalar>() {
        let unit = |place: i32| {
            let min = Vec3::new(S::from_i32(place), S::ZERO, S::ZERO);
            FatAabb::Bounded(Aabb::new(min, min + Vec3::splat(S::ONE)))
        };
        for boxes in [(0..1000).map(unit).collect::<Vec<_>>(), vec![unit(0); 1000]] {
            let mut tree = DynamicTree::new();
            tree.rebuild(&boxes);
            tree.validate(&boxes).expect("a sound tree");
            // 1.4405 log2(n + 2), the bound of Adelson-Velsky and Landis.
            assert!(tree.height() <= 14, "{}", tree.height());
        }
        let boxes: Vec<FatAabb<S>> = (0..4).map(unit).collect();
        let row = pairs(&mut BroadPhase::BruteForce, &boxes, &mut Executor::default());
        assert_eq!(row, [(0, 1), (1, 2), (2, 3)], "touching counts");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

#[test]
fn boxes_and_half_spaces_overlap_by_their_lowest_corner() {
    fn check<S: Scalar>() {
        let unit = FatAabb::Bounded(Aabb::new(Vec3::ZERO, Vec3::splat(S::ONE)));
        let below = |normal: Vec3<S>, point: Vec3<S>| FatAabb::HalfSpace { normal, point };
        assert!(unit.overlaps(&below(Vec3::Y, Vec3::ZERO)), "resting on it");
        assert!(!unit.overlaps(&below(Vec3::Y, -Vec3::Y)));
        assert!(!unit.overlaps(&below(-Vec3::Y, Vec3::Y * S::TWO)), "under a ceiling");
        assert!(below(-Vec3::Y, Vec3::Y * S::HALF).overlaps(&unit));
        assert!(!below(Vec3::Y, Vec3::ZERO).overlaps(&below(Vec3::Y, Vec3::ZERO)));
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

#[test]
fn an_index_beyond_the_end_is_ignored() {
    let mut tree = DynamicTree::<Fixed>::new();
    let unit = FatAabb::Bounded(Aabb::new(Vec3::ZERO, Vec3::splat(Fixed::ONE)));
    tree.update(5, &unit);
    tree.update(usize::MAX, &unit);
    assert!(tree.is_empty() && tree.height() == 0);
    tree.update(0, &unit);
    assert_eq!(tree.len(), 1);
    tree.update(0, &FatAabb::HalfSpace { normal: Vec3::Y, point: Vec3::ZERO });
    tree.validate(&[FatAabb::HalfSpace { normal: Vec3::Y, point: Vec3::ZERO }]).expect("a sound tree");
}

/// `n` boxes in one place make `n (n - 1) / 2` pairs. One more than the limit is an error that tells the count, up to 16 times
/// the limit; no more than the limit is ever stored; all methods say the same.
#[test]
fn boxes_in_one_place_stop_at_the_limit() {
    fn check<S: Scalar>() {
        let unit = FatAabb::Bounded(Aabb::new(Vec3::ZERO, Vec3::splat(S::ONE)));
        let boxes = vec![unit; 300];
        let on_threads = methods().into_iter().flat_map(|mut method| {
            method.rebuild(&boxes);
            executors().map(|executor| (method.clone(), executor))
        });
        for (mut broad_phase, mut executor) in on_threads.chain([(BroadPhase::BruteForce, Executor::default())]) {
            let mut found = Vec::new();
            assert_eq!(broad_phase.pairs(&boxes, |_, _| true, 44_850, &mut executor, &mut found), Ok(()));
            assert_eq!(found.len(), 44_850);
            for (limit, count, is_at_least) in [(44_849, 44_850, false), (3_000, 44_850, false), (2_000, 32_000, true)]
            {
                let mut found = Vec::new();
                let stopped = broad_phase.pairs(&boxes, |_, _| true, limit, &mut executor, &mut found);
                assert_eq!(stopped, Err(TooManyPairs { count, is_at_least }));
                assert!(found.is_empty() && found.capacity() < 2 * limit, "{}", found.capacity());
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}
