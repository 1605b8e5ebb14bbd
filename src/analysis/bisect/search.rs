//! The smallest set of changes after which a run diverges from the baseline.

use crate::analysis::bisect::{BisectError, Change};

/// Most combinations that are tried.
pub const MAX_COMBINATIONS: u64 = 4096;

/// An axis by the names of its values; the first is that of the baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
}

/// A value of each axis, by number.
pub type Choice = Vec<usize>;

/// Every choice, the baseline first, then by growing number of changes: the earlier axis and the earlier value first.
///
/// # Errors
/// When there is nothing but a baseline, or more than can be tried.
pub fn choices(axes: &[Axis]) -> Result<Vec<Choice>, BisectError> {
    let combinations = axes.iter().fold(1_u128, |product, axis| product.saturating_mul(axis.values.len() as u128));
    if combinations > u128::from(MAX_COMBINATIONS) {
        return Err(BisectError::TooManyCombinations { combinations, limit: MAX_COMBINATIONS });
    }
    if combinations < 2 {
        return Err(BisectError::OneCondition);
    }
    let mut choices: Vec<Choice> = vec![Vec::new()];
    for axis in axes {
        let longer = |choice: &Choice| {
            (0..axis.values.len()).map(|value| [choice.as_slice(), &[value]].concat()).collect::<Vec<Choice>>()
        };
        choices = choices.iter().flat_map(longer).collect();
    }
    choices.sort_by_cached_key(|choice| {
        let changed = changed(choice);
        (changed.len(), changed, choice.clone())
    });
    Ok(choices)
}

/// The axes in which a choice is not the baseline.
fn changed(choice: &Choice) -> Vec<usize> {
    (0..choice.len()).filter(|axis| choice[*axis] > 0).collect()
}

/// What a choice changes of the baseline.
#[must_use]
pub fn changes(axes: &[Axis], choice: &Choice) -> Vec<Change> {
    changes_between(axes, &vec![0; choice.len()], choice)
}

/// What leads from one choice to another.
#[must_use]
pub fn changes_between(axes: &[Axis], from: &Choice, to: &Choice) -> Vec<Change> {
    let values = axes.iter().zip(from.iter().zip(to)).filter(|(_, (from, to))| from != to);
    let change = |(axis, (from, to)): (&Axis, (&usize, &usize))| Change {
        axis: axis.name.clone(),
        from: axis.values[*from].clone(),
        to: axis.values[*to].clone(),
    };
    values.map(change).collect()
}

/// The axis whose values change nothing: the same run once more.
pub const REPEAT: &str = "repeat";

/// Whether a choice is the baseline once more, with nothing changed.
#[must_use]
pub fn is_repetition(axes: &[Axis], choice: &Choice) -> bool {
    changed(choice).into_iter().all(|number| axes[number].name == REPEAT)
}

/// A choice by the values of all its axes.
#[must_use]
pub fn label(axes: &[Axis], choice: &Choice) -> String {
    let parts = axes.iter().zip(choice).map(|(axis, value)| format!("{}={}", axis.name, axis.values[*value]));
    parts.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{Axis, changes, choices, label};
    use crate::analysis::bisect::BisectError;

    fn axis(name: &str, count: usize) -> Axis {
        Axis { name: name.to_owned(), values: (0..count).map(|value| format!("v{value}")).collect() }
    }

    #[test]
    fn fewer_changes_come_first_and_then_the_earlier_axis() {
        let axes = [axis("a", 3), axis("b", 2), axis("c", 2)];
        let all = choices(&axes).expect("few enough");
        let expected: Vec<Vec<usize>> = vec![
            vec![0, 0, 0],
            vec![1, 0, 0],
            vec![2, 0, 0],
            vec![0, 1, 0],
            vec![0, 0, 1],
            vec![1, 1, 0],
            vec![2, 1, 0],
            vec![1, 0, 1],
            vec![2, 0, 1],
            vec![0, 1, 1],
            vec![1, 1, 1],
            vec![2, 1, 1],
        ];
        assert_eq!(all, expected);
        assert_eq!(label(&axes, &all[6]), "a=v2 b=v1 c=v0");
        let changes: Vec<String> = changes(&axes, &all[6]).into_iter().map(|change| change.axis + &change.to).collect();
        assert_eq!(changes, ["av2", "bv1"]);
    }

    #[test]
    fn too_few_and_too_many_are_refused() {
        assert_eq!(choices(&[]), Err(BisectError::OneCondition));
        assert_eq!(choices(&[axis("a", 1)]), Err(BisectError::OneCondition));
        let many: Vec<Axis> = (0..40).map(|_| axis("a", 1000)).collect();
        assert!(matches!(choices(&many), Err(BisectError::TooManyCombinations { .. })));
        assert_eq!(choices(&[axis("a", 64), axis("b", 64)]).map(|all| all.len()), Ok(4096));
        assert!(choices(&[axis("a", 64), axis("b", 65)]).is_err());
    }
}
