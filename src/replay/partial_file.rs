//! The file a replay is written into before it has its name.

use std::fs::{File, TryLockError};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::replay::error::ReplayError;

/// A file that is called `NAME.partial` until it is complete.
#[derive(Debug)]
pub struct PartialFile {
    path: PathBuf,
    partial_path: PathBuf,
    file: BufWriter<File>,
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
        Ok(Self { path: path.to_owned(), partial_path, file: BufWriter::new(file) })
    }

    /// Makes the file durable and gives it its name, which is returned.
    ///
    /// # Errors
    /// If the file cannot be written or renamed. The `.partial` then stays.
    pub fn complete(self) -> Result<PathBuf, ReplayError> {
        let Self { path, partial_path, file } = self;
        let file = file
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error)
            .and_then(|file| file.sync_all().map(|()| file))
            .map_err(|cause| ReplayError::io(&partial_path, "write it", cause))?;
        std::fs::rename(&partial_path, &path).map_err(|cause| ReplayError::io(&path, "give it its name", cause))?;
        drop(file); // and with it the lock: until here no other run may take the `.partial`
        Ok(path)
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
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}
