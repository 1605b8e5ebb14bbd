//! One scene in several number types, compared in metres and radians.

use std::path::Path;

use crate::analysis::bisect::axis::AxisText;
use crate::analysis::bisect::scalars::{SCALAR, ScalarSearch, bisect_scalars};
use crate::math::ScalarKind;

use crate::cli::bisect::{Answer, BisectArguments};
use crate::cli::failure::Failure;
use crate::cli::options::parse_scalar;
use crate::report::progress::Progress;

/// Whether an axis asks for number types.
pub fn is_scalar(axis: &AxisText) -> bool {
    axis.name == SCALAR
}

/// Runs a scene in each of the number types.
pub fn bisect(arguments: &BisectArguments, path: &Path) -> Result<Answer, Failure> {
    let [axis] = arguments.axis.as_slice() else {
        let other = arguments.axis.iter().find(|axis| !is_scalar(axis));
        let other = other.map(|axis| axis.name.clone()).unwrap_or_default();
        return Err(Failure::Usage(format!(
            "--axis {SCALAR} is compared in metres, --axis {other} by bits: try each by itself"
        )));
    };
    if arguments.options.scalar.is_some() {
        return Err(Failure::Usage(format!(
            "--scalar is what --axis {SCALAR} varies: its first value is the baseline; leave --scalar out"
        )));
    }
    let scalars = read_scalars(axis)?;
    let Some(tolerance) = arguments.tolerance else {
        return Err(axis
            .wrong(
                "the bits of two number types never agree; give --tolerance METRES[,RADIANS], such as --tolerance 0.001, to \
                 find where bodies get further apart than that",
            )
            .into());
    };
    let plan = arguments.options.plan(path)?;
    let progress = Progress::new(u64::from(plan.steps), "steps");
    let search = ScalarSearch { plan, scalars, tolerance, bodies: arguments.max as usize };
    let found = bisect_scalars(&search, &mut |name, step| {
        progress.reached(u64::from(step));
        progress.say(|| name.to_owned());
    });
    progress.finish();
    Ok(Answer { found: found?, next: None })
}

fn read_scalars(axis: &AxisText) -> Result<Vec<ScalarKind>, Failure> {
    let mut scalars = Vec::new();
    for value in &axis.values {
        let scalar = parse_scalar(&value.to_lowercase()).map_err(|what| axis.wrong(format!("`{value}`: {what}")))?;
        if scalars.contains(&scalar) {
            return Err(axis.wrong(format!("`{value}` stands twice")).into());
        }
        scalars.push(scalar);
    }
    if scalars.len() < 2 {
        return Err(axis.wrong(format!("it needs two values at least, such as {SCALAR}=fixed,f64")).into());
    }
    Ok(scalars)
}
