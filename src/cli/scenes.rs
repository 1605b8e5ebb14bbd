//! Which scenes the paths of a command line mean.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::cli::failure::Failure;
use crate::cli::manifest::is_manifest;
use crate::cli::replays::{check_one_reader, find_files};
use crate::cli::source::is_scene;

/// The file name extension of scenes.
const EXTENSION: &str = "ron";

/// The scenes that these paths mean: files as they are, and all scenes in folders and the folders in those, by name. What is left alone in
/// folders and might have been meant is told.
pub fn find_scenes(paths: &[PathBuf], tell: &mut dyn FnMut(&str)) -> Result<Vec<PathBuf>, Failure> {
    check_one_reader(paths.iter().map(PathBuf::as_path))?;
    let mut scenes = Vec::new();
    for path in paths {
        if !path.is_dir() {
            scenes.push(path.clone());
            continue;
        }
        let mut found = find_files(path, &|file: &Path| file.extension() == Some(EXTENSION.as_ref()), tell)?;
        // What cannot be read may be one: whoever reads it will say so. A list of programs is none.
        found.retain(|file| (is_scene(file) && !is_manifest(file)) || File::open(file).is_err());
        if found.is_empty() {
            let shown = path.display();
            return Err(Failure::Usage(format!("{shown}: there is no scene (*.{EXTENSION}) in this folder")));
        }
        scenes.extend(found);
    }
    Ok(scenes)
}
