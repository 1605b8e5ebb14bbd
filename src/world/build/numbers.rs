//! Decimals of a scene as numbers of the run's scalar.

use crate::math::{Quat, Scalar, Scaled, Vec3};
use crate::scene::decimal::Decimal;
use crate::scene::model::{Orientation, Vector};
use crate::world::error::BuildError;

/// The number nearest to a decimal; `owner` and `quantity` name it in an error.
///
/// # Errors
/// When the scalar cannot hold it.
pub fn to_scalar<S: Scalar>(owner: &str, quantity: &'static str, decimal: &Decimal) -> Result<S, BuildError> {
    decimal.to_scalar().ok_or_else(|| range::<S>(owner, quantity, decimal))
}

/// The vector nearest to three decimals.
///
/// # Errors
/// When the scalar cannot hold a component.
pub fn to_vec3<S: Scalar>(owner: &str, quantity: &'static str, vector: &Vector) -> Result<Vec3<S>, BuildError> {
    let Vector(x, y, z) = vector;
    Ok(Vec3::new(to_scalar(owner, quantity, x)?, to_scalar(owner, quantity, y)?, to_scalar(owner, quantity, z)?))
}

/// The number nearest to a decimal, with the scalar's full precision whatever its size.
///
/// # Errors
/// When the text is not a number.
pub fn to_scaled<S: Scalar>(owner: &str, quantity: &'static str, decimal: &Decimal) -> Result<Scaled<S>, BuildError> {
    Scaled::from_decimal(decimal.as_str()).ok_or_else(|| range::<S>(owner, quantity, decimal))
}

/// The unit quaternion of an orientation.
///
/// # Errors
/// When the scalar cannot hold a number of it.
pub fn to_quat<S: Scalar>(owner: &str, orientation: &Orientation) -> Result<Quat<S>, BuildError> {
    let number = |decimal| to_scalar(owner, "orientation", decimal);
    match orientation {
        Orientation::Quaternion(w, x, y, z) => {
            Ok(Quat::new(number(w)?, number(x)?, number(y)?, number(z)?).normalise())
        }
        Orientation::AxisDegrees { axis, degrees } => {
            let radians: S = number(degrees)? * S::PI / S::from_i32(180);
            Ok(Quat::from_axis_angle(to_vec3(owner, "orientation", axis)?, radians))
        }
        Orientation::AxisRadians { axis, radians } => {
            Ok(Quat::from_axis_angle(to_vec3(owner, "orientation", axis)?, number(radians)?))
        }
    }
}

fn range<S: Scalar>(owner: &str, quantity: &'static str, decimal: &Decimal) -> BuildError {
    BuildError::Range { owner: owner.to_owned(), quantity, text: decimal.as_str().to_owned(), scalar: S::KIND.name() }
}
