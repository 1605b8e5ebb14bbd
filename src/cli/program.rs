//! By which name this very program can be started again.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::report::program::PLAIN_NAME;
use crate::report::run::quoted;

/// What this program is called from the current folder, as a shell takes it.
pub fn name() -> String {
    let started = std::env::args_os().next().map(PathBuf::from);
    match std::env::current_exe() {
        Ok(own) => name_of_program(&own, started.as_deref(), std::env::var_os("PATH").as_deref()),
        // Where a program cannot tell where it lies, such as in WASI, no other name is better.
        Err(_) => PLAIN_NAME.to_owned(),
    }
}

/// The name of the program at `own`, which was started as `started`: a bare name where the search path leads to it, else
/// the path it was started by where that leads to it, else its own.
fn name_of_program(own: &Path, started: Option<&Path>, search_path: Option<&OsStr>) -> String {
    let is_own = |path: &Path| is_same_file(path, own);
    let is_found = |name: &Path| found_in(search_path, name).is_some_and(|found| is_own(&found));
    if is_found(Path::new(PLAIN_NAME)) {
        return PLAIN_NAME.to_owned();
    }
    let works = |path: &&Path| if is_bare(path) { is_found(path) } else { is_own(path) };
    // What is not text cannot be proposed as one.
    let name = started.filter(works).and_then(Path::to_str).or_else(|| own.to_str());
    name.map_or_else(|| PLAIN_NAME.to_owned(), quoted)
}

/// Whether a shell would look for this along its search path.
fn is_bare(path: &Path) -> bool {
    path.parent().is_some_and(|parent| parent.as_os_str().is_empty())
}

/// The file that a bare name stands for.
fn found_in(search_path: Option<&OsStr>, name: &Path) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(search_path?).collect();
    let file = format!("{}{}", name.display(), std::env::consts::EXE_SUFFIX);
    folders.iter().map(|folder| folder.join(&file)).find(|path| path.is_file())
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::name_of_program;
    use crate::cli::temporary_folder::TemporaryFolder;

    #[test]
    fn the_shortest_name_that_leads_to_this_very_program_is_taken() {
        let folder = TemporaryFolder::new("program").expect("a folder");
        let file = |name: &str| {
            let path = folder.path(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(&path, "").expect("a file");
            path
        };
        let (own, other) = (file("own/physim"), file("other/physim"));
        let search = |paths: &[&Path]| {
            let folders = paths.iter().map(|path| path.parent().expect("a folder"));
            std::env::join_paths(folders).expect("paths")
        };
        let name = |started: &Path, paths: &[&Path]| name_of_program(&own, Some(started), Some(&search(paths)));
        let shown = own.display().to_string();
        assert_eq!(name(Path::new("physim"), &[&own]), "physim");
        assert_eq!(name(&own, &[&own, &other]), "physim", "the first on the search path counts");
        assert_eq!(name(&own, &[&other, &own]), shown);
        assert_eq!(name(Path::new("physim"), &[&other]), shown, "a bare name that leads elsewhere is none");
        assert_eq!(name(Path::new("./elsewhere/physim"), &[]), shown);
        assert_eq!(name_of_program(&own, None, None), shown);
        let (link, spaced) = (folder.path("linked"), folder.path("my physim"));
        symlink(&own, &link).expect("a link");
        symlink(&own, &spaced).expect("a link");
        assert_eq!(name(&link, &[&other]), link.display().to_string(), "as it was started");
        assert_eq!(name(Path::new("linked"), &[&link]), "linked");
        assert_eq!(name(&spaced, &[]), format!("'{}'", spaced.display()));
    }
}
