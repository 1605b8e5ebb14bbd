//! A folder among the temporary files of the system, for what other programs are to read.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::cli::failure::Failure;

/// How the names of all these folders begin; the purpose follows, the number of the process that made it, and a count.
const PREFIX: &str = "physim-";
/// Most folders of one process and purpose.
const MOST: u32 = 1000;
/// A file in each of them that is locked as long as the process lives that made it.
const LOCK: &str = "lock";

/// A folder of its own that goes with all that is in it.
#[derive(Debug)]
pub struct TemporaryFolder {
    path: PathBuf,
    /// Kept open for its lock; nothing where the file system has no locks.
    _lock: Option<File>,
}

impl TemporaryFolder {
    /// A new folder for this purpose, a lower-case word. Those that processes left behind which were ended before they
    /// could remove them are removed first.
    pub fn new(purpose: &str) -> Result<Self, Failure> {
        let root = std::env::temp_dir();
        remove_abandoned(&root);
        let mut number = 0;
        loop {
            let path = root.join(format!("{PREFIX}{purpose}-{}-{number}", std::process::id()));
            match make_locked(&path) {
                Ok(lock) => return Ok(Self { path, _lock: lock }),
                Err(error) if is_taken(&error) && number < MOST => number += 1,
                Err(error) => {
                    let name = path.display();
                    return Err(Failure::Usage(format!(
                        "cannot make the folder {name} for other programs: {error}; set TMPDIR to a folder that can be \
                         written"
                    )));
                }
            }
        }
    }

    /// The path of something in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, Failure> {
        let path = self.path(name);
        let written = std::fs::write(&path, text);
        written.map_err(|error| Failure::Usage(format!("cannot write {}: {error}", path.display())))?;
        Ok(path)
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system, whose temporary folder it is.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Makes a folder that is locked from the moment it has its name: no other process may take it for an abandoned one.
fn make_locked(path: &Path) -> std::io::Result<Option<File>> {
    if path.exists() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    let mut nameless = path.as_os_str().to_owned();
    nameless.push(".new");
    let nameless = PathBuf::from(nameless);
    std::fs::create_dir(&nameless)?;
    let lock = locked(&nameless.join(LOCK));
    std::fs::rename(&nameless, path).inspect_err(|_| {
        // Another thread of this process was faster.
        let _ = std::fs::remove_dir_all(&nameless);
    })?;
    Ok(lock)
}

fn is_taken(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty)
}

/// A new file that is locked until this process ends.
fn locked(path: &Path) -> Option<File> {
    let file = File::create_new(path).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Removes the folders of processes that are gone: those whose lock can be taken.
fn remove_abandoned(root: &Path) {
    let Ok(entries) = std::fs::read_dir(root) else { return };
    for entry in entries.flatten() {
        // A link is not followed: only a folder of ours is removed.
        let is_ours = entry.file_name().to_str().is_some_and(is_our_name);
        if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        if File::open(entry.path().join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether a folder of ours could have this name: `physim-PURPOSE-PROCESS-NUMBER`.
fn is_our_name(name: &str) -> bool {
    let parts: Option<Vec<&str>> = name.strip_prefix(PREFIX).map(|rest| rest.split('-').collect());
    let is_number = |part: &str| part.parse::<u32>().is_ok();
    matches!(parts.as_deref(), Some([purpose, process, number])
        if !purpose.is_empty() && is_number(process) && is_number(number))
}

#[cfg(test)]
mod tests {
    use super::{LOCK, TemporaryFolder, is_our_name, locked, remove_abandoned};

    #[test]
    fn folders_of_processes_that_are_gone_are_removed_and_no_others() {
        let root = TemporaryFolder::new("test").expect("a folder");
        let make = |name: &str| {
            std::fs::create_dir(root.path(name)).expect("a folder");
            root.write(&format!("{name}/{LOCK}"), "").expect("a file");
            root.write(&format!("{name}/scene.ron"), "").expect("a file");
        };
        let names = ["physim-stress-7-0", "physim-minimize-7-2", "physim-notes", "other-stress-7-0"];
        names.into_iter().for_each(make);
        std::fs::create_dir(root.path("physim-stress-7-1")).expect("a folder");
        let kept = locked(&root.path("physim-stress-7-1").join(LOCK)).expect("a lock");
        std::fs::create_dir(root.path("physim-stress-7-2")).expect("a folder");
        remove_abandoned(&root.path);
        let is_left = |name: &str| root.path(name).exists();
        assert_eq!(names.map(is_left), [false, false, true, true]);
        assert!(is_left("physim-stress-7-1"), "its process lives");
        assert!(is_left("physim-stress-7-2"), "one that has no lock yet may be new");
        drop(kept);
        remove_abandoned(&root.path);
        assert!(!is_left("physim-stress-7-1"), "its process is gone");
    }

    #[test]
    fn a_folder_goes_when_it_is_dropped() {
        let folder = TemporaryFolder::new("test").expect("a folder");
        let other = TemporaryFolder::new("test").expect("another folder");
        assert_ne!(folder.path, other.path);
        assert!(folder.path.exists(), "it is in use, although another one was made");
        assert!(folder.path.file_name().and_then(|name| name.to_str()).is_some_and(is_our_name));
        let path = folder.path.clone();
        drop(folder);
        assert!(!path.exists());
        assert!(!["physim--1-0", "physim-a-1", "physim-a-x-0", "physim-a-1-x", "a-1-0"].into_iter().any(is_our_name));
    }
}
