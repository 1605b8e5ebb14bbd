//! The file a replay is written into before it has its name.

use std::fs::{File, TryLockError};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::replay::error::ReplayError;

/// A file that is called `NAME.partial` until it is complete. What comes of one that never is stays, if anything does: nobody could
/// make use of an empty one.
#[derive(Debug)]
pub struct PartialFile {
    path: PathBuf,
    partial_path: PathBuf,
    /// Nothing once it is complete or given up.
    file: Option<BufWriter<File>>,
}

impl PartialFile {
    /// Creates the `.partial` of `path`, replacing one that is there.
    ///
    /// # Errors
    /// If the path is a folder or names no file, its folder is missing, or the file cannot be written.
    pub fn create(path: &Path) -> Result<Self, ReplayError> {
        let not_a_file = || ReplayError::NotAFile { name: path.display().to_string() };
        let ends_in_separator = path.to_string_lossy().ends_with(std::path::is_separator);
        if path.is_dir() || ends_in_separator {
            return Err(not_a_file());
        }
        let mut partial_name = path.file_name().ok_or_else(not_a_file)?.to_owned();
        partial_name.push(".partial");
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            let folder = folder.display().to_string();
            return Err(ReplayError::MissingFolder { name: path.display().to_string(), folder });
        }
        let partial_path = path.with_file_name(partial_name);
        let file = open_alone(&partial_path)?;
        Ok(Self { path: path.to_owned(), partial_path, file: Some(BufWriter::new(file)) })
    }

    /// Makes the file durable and gives it its name, which is returned.
    ///
    /// # Errors
    /// If the file cannot be written or renamed. The `.partial` then stays, if there is anything in it.
    pub fn complete(mut self) -> Result<PathBuf, ReplayError> {
        let written = self.flush().and_then(|()| self.file.as_ref().map_or(Ok(()), |file| file.get_ref().sync_all()));
        written.map_err(|cause| ReplayError::io(&self.partial_path, "write it", cause))?;
        let renamed = std::fs::rename(&self.partial_path, &self.path);
        renamed.map_err(|cause| ReplayError::io(&self.path, "give it its name", cause))?;
        self.file = None; // and with it goes the lock: until here no other run may take the `.partial`
        Ok(std::mem::take(&mut self.path))
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        // Of a run that failed, as much is kept as can be.
        let _ = self.flush();
        let Some(file) = self.file.take() else { return };
        if file.get_ref().metadata().is_ok_and(|metadata| metadata.len() == 0) {
            let _ = std::fs::remove_file(&self.partial_path);
        }
    }
}

/// Opens a `.partial` for this run alone: two runs that write one file would mix their bytes.
fn open_alone(partial_path: &Path) -> Result<File, ReplayError> {
    let cannot = |cause| ReplayError::io(partial_path, "create it", cause);
    let in_use = || ReplayError::InUse { name: partial_path.display().to_string() };
    let file = File::options().write(true).create(true).truncate(false).open(partial_path).map_err(cannot)?;
    // Where files cannot be locked, nothing is lost but this guard.
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return Err(in_use());
    }
    // The run that had the lock may have given the file its name in between: then it is a replay, and not ours.
    if !partial_path.exists() {
        return Err(in_use());
    }
    file.set_len(0).map_err(cannot)?;
    Ok(file)
}

impl Write for PartialFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.as_mut().map_or(Ok(()), BufWriter::flush)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::PartialFile;

    #[test]
    fn of_a_file_that_is_never_complete_nothing_is_left_unless_something_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, partial] = ["a.mcap", "a.mcap.partial"].map(|name| folder.path().join(name));
        drop(PartialFile::create(&path).expect("a file"));
        assert!(!partial.exists(), "nobody could make use of it");
        let mut file = PartialFile::create(&path).expect("a file");
        file.write_all(b"some").expect("room");
        drop(file);
        assert_eq!(std::fs::read(&partial).expect("it stays"), b"some");
        drop(PartialFile::create(&path).expect("a file"));
        assert!(!partial.exists(), "what was there is replaced");
        PartialFile::create(&path).and_then(PartialFile::complete).expect("a file");
        assert!(path.exists() && !partial.exists());
    }
}
