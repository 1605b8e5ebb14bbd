//! Whether a program leaves its golden alone while it runs: one that writes the very file it is held to would hold whatever it does.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

/// What is added to the name of a golden for what it was before its program wrote into it.
pub const BEFORE: &str = "before";
/// How much of a golden is kept at most, among the temporary files: more would be copied for nothing in nearly every run.
const MOST_KEPT: u64 = 64 << 20;
/// How much is read at once.
const BUFFER_BYTES: usize = 1 << 16;

/// A golden as it was before its program ran.
pub struct KeptGolden {
    path: PathBuf,
    /// The hash of its bytes; nothing where there was no such file.
    digest: Option<blake3::Hash>,
    /// Its bytes in a file without a name, where they are not too many.
    copy: Option<File>,
}

impl KeptGolden {
    /// Takes down what there is of a golden, in one reading of it.
    pub fn of(path: &Path) -> Self {
        let mut copy = tempfile::tempfile().ok();
        let mut length = 0;
        let digest = digest_of(path, &mut |part| {
            length += part.len() as u64;
            let is_kept = length <= MOST_KEPT && copy.as_mut().is_some_and(|copy| copy.write_all(part).is_ok());
            copy = copy.take().filter(|_| is_kept);
        });
        Self { path: path.to_owned(), digest, copy }
    }

    /// Whether it is another one now.
    pub fn is_changed(&self) -> bool {
        digest_of(&self.path, &mut |_| {}) != self.digest
    }

    /// What the program did to it, and what to do.
    pub fn complaint(&self) -> String {
        let shown = self.path.display();
        let done = match (self.digest, self.path.exists()) {
            (None, _) => format!("the program itself wrote {shown}, where its golden is to be"),
            (Some(_), true) => format!("the program itself wrote into its golden {shown}"),
            (Some(_), false) => format!("the program itself removed its golden {shown}"),
        };
        format!(
            "{done}: compared with what it writes there, it would hold whatever it does; let it print its log to standard output, or \
             write it elsewhere"
        )
    }

    /// Puts what it was into a file of this name, where there was something, and says what became of it.
    pub fn save(mut self, before: &Path) -> Option<String> {
        self.digest?;
        let shown = before.display();
        let Some(copy) = &mut self.copy else {
            return Some(format!(
                "what the golden was is not kept, for it was larger than {} MiB: take it from its source again",
                MOST_KEPT >> 20
            ));
        };
        let folder = before.parent().filter(|folder| !folder.as_os_str().is_empty());
        let written = folder.map_or(Ok(()), std::fs::create_dir_all).and_then(|()| {
            // What lies there may be what the golden was before an earlier run.
            let mut file = OpenOptions::new().write(true).create_new(true).open(before)?;
            copy.rewind()?;
            std::io::copy(copy, &mut file)
        });
        Some(match written {
            Ok(_) => format!("what the golden was is in {shown}: put it back"),
            Err(error) => format!("what the golden was is not kept as {shown}: {error}; take it from its source again"),
        })
    }
}

/// The hash of the bytes of a file, each part of which is heard; nothing where there is none, or none that can be read.
fn digest_of(path: &Path, hear: &mut dyn FnMut(&[u8])) -> Option<blake3::Hash> {
    let mut file = File::open(path).ok()?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Some(hasher.finalize()),
            Ok(length) => {
                let part = buffer.get(..length)?;
                hasher.update(part);
                hear(part);
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}
