//! Questions that come beside a scene: RON of the same form as in the scene's `queries`.

use ron::ser::PrettyConfig;

use crate::scene::error::{SceneError, SourceText};
use crate::scene::model::{Query, Scene};
use crate::scene::parse::{parse_value, report, ron_options};
use crate::scene::validate::problems_of_query;

/// Reads a question and checks it against the scene that it is put to. `source_name` is what errors call the text.
///
/// # Errors
/// When the text is no [`Query`]; when a number is out of its range, or a body, shape or category is named that the scene does not have.
pub fn parse_query(scene: &Scene, source_name: &str, text: &str) -> Result<Query, SceneError> {
    let source = SourceText::new(source_name, text);
    let query = parse_value(&source, |_| Ok(()))?;
    report(&source, problems_of_query(scene, &query))?;
    Ok(query)
}

impl Query {
    /// The question as RON on one line, as `physim query` reads it, without the keys that have their defaults.
    #[must_use]
    pub fn to_ron_line(&self) -> String {
        let line = PrettyConfig::new().compact_structs(true).compact_arrays(true).separate_tuple_members(false);
        ron_options().to_string_pretty(self, line).unwrap_or_default()
    }
}
