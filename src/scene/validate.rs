//! What values a scene may have.

use crate::scene::error::{Problem, SceneError};
use crate::scene::generate::count_bodies;
use crate::scene::model::Scene;

/// Checks a scene.
///
/// # Errors
/// Everything that is wrong with it.
pub fn validate(scene: &Scene) -> Result<(), SceneError> {
    let problems = problems(scene);
    if problems.is_empty() { Ok(()) } else { Err(SceneError::without_text(problems)) }
}

/// Everything that is wrong with a scene.
pub(super) fn problems(scene: &Scene) -> Vec<Problem> {
    count_bodies(scene).err().into_iter().collect()
}
