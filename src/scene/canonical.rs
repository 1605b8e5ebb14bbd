//! The text of a scene that a replay keeps: every key written, every number as it was written.

use ron::extensions::Extensions;
use ron::ser::PrettyConfig;

use crate::scene::model::{Input, Scene};
use crate::scene::parse::ron_options;
use crate::scene::write_out_parts::write_out_parts;

impl Scene {
    /// The scene as RON with all its keys in the order of the model. It parses back to an equal scene, and equal scenes
    /// give equal texts. Solids are written as the hulls that they are cut into, wherever the scene came from.
    #[must_use]
    pub fn to_canonical_ron(&self) -> String {
        if self.has_solids() {
            let mut written = self.clone();
            // What is wrong with a solid is said where the scene is checked.
            if write_out_parts(&mut written).is_ok() && !written.has_solids() {
                return written.to_canonical_ron();
            }
        }
        let config = PrettyConfig::new()
            .new_line("\n")
            .indentor("    ")
            .depth_limit(5)
            .extensions(Extensions::empty())
            .separate_tuple_members(false);
        // Writing to a string fails only where a type cannot be written as RON at all, and the model's types can.
        let mut text = ron_options().to_string_pretty(self, config).unwrap_or_default();
        text.push('\n');
        text
    }
}

impl Input {
    /// The input as RON on one line, as `--inputs` reads it.
    #[must_use]
    pub fn to_ron_line(&self) -> String {
        ron_options().to_string(self).unwrap_or_default()
    }
}
