//! A folder among the temporary files of the system, for what other programs are to read.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::cli::failure::Failure;

/// How the names of all these folders begin; the purpose follows, the number of the process that made it, and a count.
const PREFIX: &str = "physim-";
/// Most folders of one process and purpose.
const MOST: u32 = 1000;
/// A file in each of them that is locked as long as the process lives that made it. It holds the names of what physim itself put
/// there, each with [`END_OF_NAME`] behind it.
const LOCK: &str = "lock";
/// What no name has in it.
const END_OF_NAME: char = '\0';
/// What is added to the name of a file while it is written.
const PARTIAL: &str = ".partial";
/// Most that is read of a list of names.
const MOST_BYTES_OF_NAMES: u64 = 1 << 16;

/// A folder of its own that goes with all that is in it.
#[derive(Debug)]
pub struct TemporaryFolder {
    path: PathBuf,
    /// Kept open for its lock; nothing where the file system has no locks.
    lock: Option<File>,
    /// The names that are in it.
    names: Mutex<BTreeSet<String>>,
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
                Ok(lock) => return Ok(Self { path, lock, names: Mutex::default() }),
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

    /// The path of a file in it, whose name is taken down: should this process not come to remove it, another one may.
    pub fn path(&self, name: &str) -> PathBuf {
        let is_new = self.names.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
        if let Some(mut lock) = self.lock.as_ref().filter(|_| is_new) {
            // Without its name the file is left to the system.
            let _ = lock.write_all(format!("{name}{END_OF_NAME}").as_bytes());
        }
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

/// Removes the folders of processes that are gone: those whose lock can be taken, and that hold nothing else than such a process put
/// there.
fn remove_abandoned(root: &Path) {
    let Ok(entries) = std::fs::read_dir(root) else { return };
    for entry in entries.flatten() {
        // A link is not followed: only a folder of ours is removed.
        let is_ours = entry.file_name().to_str().is_some_and(is_our_name);
        if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        if let Ok(lock) = File::open(entry.path().join(LOCK))
            && lock.try_lock().is_ok()
        {
            remove_own(&entry.path(), &lock);
        }
    }
}

/// Removes a folder in which there is nothing but the files whose names its lock holds: what else lies there is not ours.
fn remove_own(folder: &Path, lock: &File) {
    let mut names = Vec::new();
    let Ok(_) = lock.take(MOST_BYTES_OF_NAMES).read_to_end(&mut names) else { return };
    let names = String::from_utf8_lossy(&names);
    let is_own = |name: &str| {
        let name = name.strip_suffix(PARTIAL).unwrap_or(name);
        name == LOCK || names.split_terminator(END_OF_NAME).any(|own| own == name)
    };
    let Ok(entries) = std::fs::read_dir(folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>) else { return };
    let are_own = entries.iter().all(|entry| {
        entry.file_name().to_str().is_some_and(is_own) && entry.file_type().is_ok_and(|kind| kind.is_file())
    });
    if !are_own {
        return;
    }
    // The lock goes last: without it nobody would come back for the rest.
    let (locks, others): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| entry.file_name() == LOCK);
    let _ = others.into_iter().chain(locks).try_for_each(|entry| std::fs::remove_file(entry.path()));
    let _ = std::fs::remove_dir(folder);
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
    use std::sync::Mutex;

    use super::{LOCK, TemporaryFolder, is_our_name, locked, make_locked, remove_abandoned};

    #[test]
    fn folders_of_processes_that_are_gone_are_removed_and_no_others() {
        let root = TemporaryFolder::new("gone").expect("a folder");
        let make = |name: &str| {
            std::fs::create_dir(root.path(name)).expect("a folder");
            root.write(&format!("{name}/{LOCK}"), "scene.ron\0run.mcap\0").expect("a file");
            root.write(&format!("{name}/scene.ron"), "").expect("a file");
            root.write(&format!("{name}/run.mcap.partial"), "").expect("a file");
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
    fn what_is_not_ours_is_left_in_a_folder_of_ours() {
        let root = TemporaryFolder::new("left").expect("a folder");
        for (number, foreign) in ["notes.txt", "scene.ron.bak", "run.mcap.partial.partial", "deeper"].iter().enumerate()
        {
            let name = format!("physim-stress-7-{number}");
            std::fs::create_dir(root.path(&name)).expect("a folder");
            root.write(&format!("{name}/{LOCK}"), "scene.ron\0run.mcap\0").expect("a file");
            root.write(&format!("{name}/scene.ron"), "").expect("a file");
            match *foreign {
                "deeper" => std::fs::create_dir(root.path(&format!("{name}/deeper"))).expect("a folder"),
                file => drop(root.write(&format!("{name}/{file}"), "mine").expect("a file")),
            }
            remove_abandoned(&root.path);
            let left = |file: &str| root.path(&format!("{name}/{file}")).exists();
            assert!(left(foreign) && left("scene.ron"), "{foreign}: all of it is left");
        }
    }

    #[test]
    fn a_folder_that_was_not_dropped_is_removed_by_the_names_in_its_lock() {
        let root = TemporaryFolder::new("names").expect("a folder");
        let there = root.path("physim-stress-7-0");
        let lock = make_locked(&there).expect("a folder");
        let mut abandoned = TemporaryFolder { path: there.clone(), lock, names: Mutex::default() };
        abandoned.write("my scene.ron", "").expect("a file");
        abandoned.path("run.mcap");
        abandoned.path("run.mcap");
        let lock = std::fs::read(abandoned.path.join(LOCK)).expect("a file");
        assert_eq!(lock, b"my scene.ron\0run.mcap\0");
        remove_abandoned(&root.path);
        assert!(there.exists(), "its process lives");
        abandoned.lock = None;
        remove_abandoned(&root.path);
        assert!(!there.exists(), "its process is gone");
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
