//! The files in the folder of a scene, and how much of them is read.

use std::io::ErrorKind;
use std::io::Read;
use std::path::{Component, Path as FilePath, PathBuf};

use crate::scene::hull_file::Wrong;

/// The most bytes of all files of a scene together; what is read for two shapes counts twice.
const MAX_BYTES: u64 = 256 << 20;

/// The most vertices, indices and primitives of all glTF files of a scene, again for each node that has them, for a few bytes can stand for any
/// number of them. A closed surface of as many points as a file may have has six times as many corners, and fits.
const MAX_ELEMENTS: u64 = 1 << 23;

/// The folder that the file of a scene lies in.
pub(super) struct SceneFolder {
    folder: PathBuf,
    bytes_left: u64,
    elements_left: u64,
}

/// What lies beside a file there.
pub(super) struct Beside<'a> {
    folder: &'a mut SceneFolder,
    file: &'a str,
}

impl Beside<'_> {
    /// The bytes of a file by its path from the folder of this one.
    pub(super) fn read(&mut self, name: &str) -> Result<Vec<u8>, Wrong> {
        let folder = FilePath::new(self.file).parent().unwrap_or(FilePath::new(""));
        let if_missing = "copy it as well, or export a `.glb`, which has everything in one file";
        self.folder.read_path(&folder.join(name), if_missing)
    }

    /// Takes so many vertices, indices or primitives from what there may be.
    pub(super) fn take_elements(&mut self, count: u64) -> Result<(), Wrong> {
        self.folder.elements_left = self.folder.elements_left.checked_sub(count).ok_or_else(|| {
            let why = format!("the nodes in the files of a scene have more than {MAX_ELEMENTS} vertices and indices");
            (why, "simplify the meshes")
        })?;
        Ok(())
    }
}

impl SceneFolder {
    /// A folder of which nothing was read.
    pub(super) fn new(folder: &FilePath) -> Self {
        Self { folder: folder.to_owned(), bytes_left: MAX_BYTES, elements_left: MAX_ELEMENTS }
    }

    /// What lies beside a file.
    pub(super) const fn beside<'a>(&'a mut self, file: &'a str) -> Beside<'a> {
        Beside { folder: self, file }
    }

    /// The bytes of a file that lies in the folder of the scene. What is wrong otherwise, and what to do.
    pub(super) fn read(&mut self, file: &str) -> Result<Vec<u8>, Wrong> {
        self.read_path(FilePath::new(file), "the path starts at the folder that the scene's file lies in")
    }

    /// The bytes of a file, or what is wrong; if there is none, also what to do.
    fn read_path(&mut self, path: &FilePath, if_missing: &'static str) -> Result<Vec<u8>, Wrong> {
        let told = |error: std::io::Error| match error.kind() {
            ErrorKind::NotFound => ("there is no such file".to_owned(), if_missing),
            _ => (error.to_string(), ""),
        };
        let path = self.within_folder(path).ok_or_else(|| {
            (
                "it does not lie in the folder of the scene".to_owned(),
                "copy it beside the scene's file, or into a folder there",
            )
        });
        let path = path?.canonicalize().map_err(told)?;
        if !path.starts_with(self.folder.canonicalize().map_err(told)?) {
            return Err(("it leads out of the folder of the scene".to_owned(), "copy what the link leads to"));
        }
        let metadata = path.metadata().map_err(told)?;
        if !metadata.is_file() {
            return Err(("it is not a file".to_owned(), ""));
        }
        let too_large =
            || (format!("the files of a scene are larger than {} MiB", MAX_BYTES >> 20), "simplify the meshes");
        if metadata.len() > self.bytes_left {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        let opened = std::fs::File::open(&path).map_err(told)?;
        opened.take(self.bytes_left + 1).read_to_end(&mut bytes).map_err(told)?;
        self.bytes_left = self.bytes_left.checked_sub(bytes.len() as u64).ok_or_else(too_large)?;
        Ok(bytes)
    }

    /// Where a file lies, unless its path leads out of the folder: `..` takes back no more than what stands before it.
    fn within_folder(&self, path: &FilePath) -> Option<PathBuf> {
        let mut within = PathBuf::new();
        for part in path.components() {
            match part {
                Component::Normal(name) => within.push(name),
                Component::CurDir => {}
                Component::ParentDir => within.pop().then_some(())?,
                Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        Some(self.folder.join(within))
    }
}
