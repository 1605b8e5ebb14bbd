use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::majority::{Majority, Standing, compare_all};
use crate::analysis::outcome::Verdict;
use crate::analysis::run_source::RunSource;
use crate::math::SplitMix64;
use crate::replay::{Checkpoint, Digest, FieldRecord, LogSource, ObjectRecord};

/// Compares logs of a letter for the hash of each step.
fn compare(logs: &[&str]) -> Majority {
    let source = |hashes: &&str| {
        let checkpoints = (0..).zip(hashes.chars()).map(|(step, hash)| Checkpoint::of_hash(step, hash.to_string()));
        RunSource::Log(LogSource::of_checkpoints(hashes, checkpoints.collect()))
    };
    let names: Vec<String> = logs.iter().map(|name| (*name).to_owned()).collect();
    compare_all(&logs.iter().map(source).collect::<Vec<RunSource>>(), &names).expect("logs")
}

const HOLDS: Standing = Standing { diverges_at: None, ends_after: None };

#[test]
fn the_odd_ones_out_are_told_with_their_steps() {
    let found = compare(&["abcdef", "abcxyz", "abcdef", "abcdeg", "abcdef"]);
    let diverges = |step| Standing { diverges_at: Some(step), ..HOLDS };
    assert_eq!(found.standings, [HOLDS, diverges(3), HOLDS, diverges(5), HOLDS]);
    assert_eq!((found.verdict(), found.closest_look(), found.compared), (Verdict::Diverged, Some((0, 1)), 6));
    let same = compare(&["abc", "abc", "abc"]);
    assert_eq!((same.verdict(), same.closest_look()), (Verdict::Same, None));
}

/// One that tells only hashes agrees with two that differ in stages: in whatever order they stand, these differ.
#[test]
fn one_that_tells_little_does_not_make_others_agree() {
    let told = |stage: Option<&str>| {
        let staged =
            stage.map(|hash| Checkpoint { stage: Some("s".to_owned()), ..Checkpoint::of_hash(0, hash.to_owned()) });
        staged.into_iter().chain([Checkpoint::of_hash(0, "a")]).collect::<Vec<_>>()
    };
    let source = |stage| RunSource::Log(LogSource::of_checkpoints("log", told(stage)));
    let names = [0, 1, 2, 3].map(|number| number.to_string());
    for order in [[None, Some("1"), Some("2")], [Some("1"), None, Some("2")], [Some("1"), Some("2"), None]] {
        let found = compare_all(&order.map(source), &names).expect("logs");
        assert_eq!((found.verdict(), found.standings), (Verdict::Diverged, vec![HOLDS; 3]), "{order:?}");
        let split: Vec<usize> = (0..3).filter(|&place| order[place].is_some()).collect();
        assert_eq!(found.split, Some((0, vec![(split[0], 0), (split[1], 1)])), "{order:?}");
    }
    // Most of those that have a voice are right.
    let found = compare_all(&[None, Some("1"), Some("2"), Some("1")].map(source), &names).expect("logs");
    assert_eq!(found.standings.iter().map(|side| side.diverges_at).collect::<Vec<_>>(), [None, None, Some(0), None]);
}

#[test]
fn without_a_largest_group_no_one_is_to_blame() {
    let found = compare(&["abc", "abd", "abe"]);
    assert_eq!(found.standings, [HOLDS; 3]);
    assert_eq!(found.split, Some((2, vec![(0, 0), (1, 1), (2, 2)])));
    assert_eq!((found.verdict(), found.closest_look()), (Verdict::Diverged, Some((0, 1))));
    let found = compare(&["abc", "abd", "abc", "abd"]);
    assert_eq!(found.split, Some((2, vec![(0, 0), (1, 1), (2, 0), (3, 1)])));
    // One that diverged before has no voice any more.
    let found = compare(&["xbc", "abd", "abc", "abc"]);
    assert_eq!(found.standings.iter().map(|side| side.diverges_at).collect::<Vec<_>>(), [Some(0), Some(2), None, None]);
}

#[test]
fn what_cannot_be_compared_is_not_the_same() {
    let source = |checkpoints: Vec<Checkpoint>| RunSource::Log(LogSource::of_checkpoints("log", checkpoints));
    let hashes = || source(vec![Checkpoint::of_hash(0, "a"), Checkpoint::of_hash(1, "b")]);
    let objects = Checkpoint {
        step: 1,
        objects: Some(vec![ObjectRecord {
            name: "p".to_owned(),
            hash: Some("1".to_owned()),
            ..ObjectRecord::default()
        }]),
        ..Checkpoint::default()
    };
    let names = ["one", "two", "three"].map(str::to_owned);
    let other = source(vec![Checkpoint::of_hash(0, "a"), objects.clone()]);
    let found = compare_all(&[hashes(), hashes(), other], &names).expect("logs");
    assert_eq!((found.verdict(), &found.standings), (Verdict::Failed, &vec![HOLDS; 3]));
    let note = "1 checkpoint of three could not be compared with others, in step 1: one tells a hash, three objects; log the same in all";
    assert_eq!(found.notes, [note]);
    // One that tells both goes with each of them.
    let both = source(vec![Checkpoint::of_hash(0, "a"), Checkpoint { hash: Some("b".to_owned()), ..objects.clone() }]);
    let other = source(vec![Checkpoint::of_hash(0, "a"), objects.clone()]);
    let found = compare_all(&[hashes(), both, other], &names).expect("logs");
    let note = "only two tells the objects of step 1, one does not: compared is what both tell";
    assert_eq!((found.verdict(), found.notes), (Verdict::Same, vec![note.to_owned()]));
    let elsewhere = source(vec![Checkpoint::of_hash(7, "a")]);
    let found = compare_all(&[hashes(), hashes(), elsewhere], &names).expect("logs");
    assert_eq!((found.verdict(), &found.standings), (Verdict::Failed, &vec![HOLDS; 3]));
    let note = "no step of three is in another one, so that nothing of it was compared; log the same steps";
    assert_eq!(found.notes[0], note);
}

/// Several of which nothing but the name of an object was compared agree, and a note names it, whichever comes first.
#[test]
fn an_object_of_which_all_tell_the_name_alone_is_named() {
    let object = |hash: Option<&str>| ObjectRecord {
        name: "p".to_owned(),
        hash: hash.map(str::to_owned),
        ..ObjectRecord::default()
    };
    let source = |hash: Option<&str>, of_state: Option<&str>| {
        let objects = Some(vec![object(hash)]);
        let checkpoint = Checkpoint { step: 4, objects, hash: of_state.map(str::to_owned), ..Checkpoint::default() };
        RunSource::Log(LogSource::of_checkpoints("log", vec![checkpoint]))
    };
    let found = |sources: &[RunSource]| {
        let found = compare_all(sources, &["one", "two", "three"].map(str::to_owned)).expect("logs");
        (found.verdict(), found.notes)
    };
    let note = "of object p of step 4 those that agree tell the name alone, and no hash that covers it: no more of it was compared; log \
                its fields or its hash";
    let named = || source(None, None);
    assert_eq!(found(&[named(), named(), named()]), (Verdict::Same, vec![note.to_owned()]));
    for hashes in [(Some("1"), None), (None, Some("1"))] {
        let told = || source(hashes.0, hashes.1);
        assert_eq!(found(&[told(), told(), told()]), (Verdict::Same, vec![]), "it is told, or covered");
    }
    let elsewhere = |hash: &str| source(Some(hash), None);
    assert!(!found(&[elsewhere("1"), elsewhere("1"), elsewhere("2")]).1.contains(&note.to_owned()));
}

#[test]
fn one_that_ends_elsewhere_is_told() {
    let ends = |step| Standing { ends_after: Some(step), ..HOLDS };
    assert_eq!(compare(&["abc", "ab", "abc"]).standings, [HOLDS, ends(1), HOLDS]);
    assert_eq!(compare(&["abc", "abcd", "abc"]).standings, [HOLDS, ends(3), HOLDS]);
    assert_eq!(compare(&["a", "ab", "abc"]).standings, [ends(0), ends(1), ends(2)]);
}

/// Whoever tells of two kinds of things makes those one that tell of one each, wherever it stands.
#[test]
fn the_order_of_the_logs_decides_nothing() {
    let hash = |hash: &str| Checkpoint::of_hash(0, hash);
    let objects = |hash: Option<&str>| Checkpoint {
        hash: hash.map(str::to_owned),
        objects: Some(vec![ObjectRecord {
            name: "p".to_owned(),
            hash: Some("1".to_owned()),
            ..ObjectRecord::default()
        }]),
        ..Checkpoint::default()
    };
    let standings = |told: [&Checkpoint; 3]| {
        let names = ["one", "two", "three"].map(str::to_owned);
        let source = |told: &Checkpoint| RunSource::Log(LogSource::of_checkpoints("log", vec![told.clone()]));
        let found = compare_all(&told.map(source), &names).expect("logs");
        (found.verdict(), found.closest_look(), found.standings)
    };
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let told = [hash("a"), objects(Some("a")), objects(None)];
    for order in orders {
        let (verdict, closest, standings) = standings(order.map(|place: usize| &told[place]));
        assert_eq!((verdict, closest, standings), (Verdict::Same, None, vec![HOLDS; 3]), "{order:?}");
    }
    // The first can be compared with the third alone, and differs from it.
    let told = [hash("b"), objects(None), objects(Some("a"))];
    for order in orders {
        let (verdict, closest, standings) = standings(order.map(|place| &told[place]));
        let at = |wanted: usize| order.iter().position(|place| *place == wanted).expect("one of three");
        assert_eq!((verdict, closest), (Verdict::Diverged, Some((at(2), at(0)))), "{order:?}");
        let diverges = |place: usize| standings[at(place)].diverges_at;
        assert_eq!([0, 1, 2].map(diverges), [Some(0), None, None], "{order:?}");
    }
}

#[test]
fn one_that_tells_of_few_steps_is_told() {
    let log = |steps: &[u32]| {
        let told = steps.iter().map(|&step| Checkpoint::of_hash(step, "a")).collect();
        RunSource::Log(LogSource::of_checkpoints("log", told))
    };
    let names = ["one", "two", "three"].map(str::to_owned);
    let found = compare_all(&[log(&[0, 1, 2]), log(&[2]), log(&[0, 1, 2])], &names).expect("logs");
    let note = "two tells of one step, another one of 3: in the others nothing is known of it";
    assert_eq!((found.verdict(), found.notes), (Verdict::Same, vec![note.to_owned()]));
}

/// A checkpoint of a run that tells some of what there is, or another result.
fn some_checkpoint(step: u32, random: &mut SplitMix64) -> Checkpoint {
    let mut one_of = |choices: &[&str]| -> Option<String> {
        let drawn = random.below(choices.len() as u64 + 1);
        choices.get(usize::try_from(drawn).expect("few choices")).map(|text| (*text).to_owned())
    };
    let hash = one_of(&["1", "1", "2"]);
    let sections = one_of(&["1", "2"]).map(|hash| vec![Digest { name: "s".to_owned(), hash }]);
    let stage = one_of(&["s", "t"]);
    let field = |value: String| FieldRecord { path: "x".into(), value: value.into(), bits: None, kind: None };
    let object = ObjectRecord {
        name: "p".to_owned(),
        hash: one_of(&["1", "2"]),
        fields: one_of(&["1", "2"]).map(|value| vec![field(value)]),
        ..ObjectRecord::default()
    };
    let is_bare = hash.is_none() && sections.is_none();
    let objects = (is_bare || one_of(&["told"]).is_some()).then(|| vec![object]);
    Checkpoint { step, stage, hash, sections, objects, ..Checkpoint::default() }
}

/// What is found, with the numbers of the logs in place of their places in this order.
fn found_in_order(logs: &[Vec<Checkpoint>], order: &[usize]) -> impl PartialEq + std::fmt::Debug + use<> {
    let source = |&number: &usize| RunSource::Log(LogSource::of_checkpoints("log", logs[number].clone()));
    let names: Vec<String> = order.iter().map(ToString::to_string).collect();
    let found = compare_all(&order.iter().map(source).collect::<Vec<RunSource>>(), &names).expect("logs");
    let standings: BTreeMap<usize, (Option<u32>, Option<u32>)> = order
        .iter()
        .zip(&found.standings)
        .map(|(number, standing)| (*number, (standing.diverges_at, standing.ends_after)))
        .collect();
    let split = found.split.as_ref().map(|(step, members)| {
        let mut groups: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (place, group) in members {
            groups.entry(*group).or_default().insert(order[*place]);
        }
        (*step, groups.into_values().collect::<BTreeSet<_>>())
    });
    let unshared: BTreeSet<usize> = found.unshared.iter().map(|place| order[*place]).collect();
    let closest = found.closest_look().map(|(one, other)| [order[one], order[other]]);
    let uncompared: BTreeSet<usize> = found.uncompared.keys().map(|place| order[*place]).collect();
    (found.verdict(), standings, split, unshared, uncompared, found.ends_are_split, closest, found.notes)
}

/// Logs that tell other things of a step, begin and end elsewhere: in each of the 24 orders of four the same is found.
#[test]
fn in_all_orders_the_same_is_found() {
    let orders = (0..256_usize).map(|code| [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6]);
    let orders: Vec<[usize; 4]> = orders.filter(|order| BTreeSet::from(*order).len() == 4).collect();
    assert_eq!(orders.len(), 24);
    for seed in 0..200 {
        let mut random = SplitMix64::new(seed);
        let logs: Vec<Vec<Checkpoint>> = (0..4)
            .map(|_| {
                let first = u32::try_from(random.below(2)).expect("0 or 1");
                let count = 1 + u32::try_from(random.below(2)).expect("0 or 1");
                (first..first + count).map(|step| some_checkpoint(step, &mut random)).collect()
            })
            .collect();
        let found = found_in_order(&logs, &orders[0]);
        for order in &orders[1..] {
            assert_eq!(found_in_order(&logs, order), found, "seed {seed}, order {order:?}: {logs:#?}");
        }
    }
}

/// Recordings that each tell other things could make exponentially many groups.
#[test]
fn too_many_groups_are_each_for_itself() {
    let field = |number: usize, value: &str| FieldRecord {
        path: "x".into(),
        value: format!("{number}{value}").into(),
        bits: None,
        kind: None,
    };
    // Of each pair one tells the stage in one way and the other in another; pairs tell nothing of each other's.
    let told = |number: usize, value: &str| Checkpoint {
        stage: Some(format!("stage {number}")),
        objects: Some(vec![ObjectRecord {
            name: "p".to_owned(),
            fields: Some(vec![field(number, value)]),
            ..ObjectRecord::default()
        }]),
        ..Checkpoint::default()
    };
    let pair = |number: usize| {
        ["a", "b"].map(|value| RunSource::Log(LogSource::of_checkpoints("log", vec![told(number, value)])))
    };
    let sources: Vec<RunSource> = (0..40).flat_map(pair).collect();
    let names: Vec<String> = (0..80).map(|number| number.to_string()).collect();
    let found = compare_all(&sources, &names).expect("logs");
    let (step, members) = found.split.expect("no majority");
    let groups: BTreeSet<usize> = members.iter().map(|(_, group)| *group).collect();
    assert_eq!((step, members.len(), groups.len()), (0, 80, 80));
}
