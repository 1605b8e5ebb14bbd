//! Whether programs leave a golden alone while they run: one that writes the very file it is held to would hold whatever it does.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// What is added to the name of a golden for what it was before a program wrote into it.
pub const BEFORE: &str = "before";
/// How much of the goldens of a run is kept at most, among the temporary files: more would be copied for nothing in nearly every run.
pub const MOST_KEPT: u64 = 64 << 20;
/// How much is read at once.
const BUFFER_BYTES: usize = 1 << 16;
/// A file that was written less than this before may be written again without another time: file systems count in ticks.
const SETTLED: Duration = Duration::from_secs(2);

/// A golden as it was before the first program ran.
pub struct KeptGolden {
    path: PathBuf,
    /// Whether there was such a file.
    was_there: bool,
    /// The hash of its bytes; nothing where there was no such file, or none that could be read.
    digest: Option<blake3::Hash>,
    /// Its bytes in a nameless file, where there was room for them: no program can remove that, and it goes with this process.
    copy: Option<Copied>,
    /// Its length and time; nothing where these do not tell whether it is another one.
    stamp: Option<Stamp>,
    /// Where it is to be left, should a program write into it.
    before: PathBuf,
    /// What became of it, once that was said.
    saved: Mutex<Option<Option<String>>>,
    /// Whether it was said that it is another one.
    is_told: AtomicBool,
}

/// A copy of a golden.
struct Copied {
    file: Arc<Mutex<File>>,
    /// Its length in bytes.
    length: u64,
}

/// The length of a file and when it was written last; nothing where there is none.
type Stamp = Option<(u64, SystemTime)>;

impl KeptGolden {
    /// Takes down what there is of a golden, in one reading of it, with a copy where that takes no more than so many bytes. With `now`, a
    /// time of the file system, its own time tells later whether it was written again.
    pub fn of(path: &Path, before: PathBuf, room: u64, now: Option<SystemTime>) -> Self {
        let mut file = tempfile::tempfile().ok();
        let stamp = now.and_then(|now| settled_stamp(path, now));
        let mut length = 0;
        let digest = digest_of(path, &mut |part| {
            length += part.len() as u64;
            let is_kept = length <= room && file.as_mut().is_some_and(|file| file.write_all(part).is_ok());
            file = file.take().filter(|_| is_kept);
        });
        let copy = file.filter(|_| digest.is_some()).map(|file| Copied { file: Arc::new(Mutex::new(file)), length });
        Self {
            path: path.to_owned(),
            was_there: is_there(path),
            digest,
            copy,
            stamp,
            before,
            saved: Mutex::new(None),
            is_told: AtomicBool::new(false),
        }
    }

    /// Whether there was such a file.
    pub const fn was_there(&self) -> bool {
        self.was_there
    }

    /// Its copy, where there is one: what to read to have it as it was.
    pub fn copy(&self) -> Option<Arc<Mutex<File>>> {
        self.copy.as_ref().map(|copy| Arc::clone(&copy.file))
    }

    /// How many bytes its copy takes.
    pub fn copied_bytes(&self) -> u64 {
        self.copy.as_ref().map_or(0, |copy| copy.length)
    }

    /// Whether it is another one now.
    pub fn is_changed(&self) -> bool {
        is_there(&self.path) != self.was_there || digest_of(&self.path, &mut |_| {}) != self.digest
    }

    /// The same, without a reading of it where its length and its time are what they were.
    fn is_changed_by_stamp(&self) -> bool {
        self.stamp.is_none_or(|stamp| stamp != stamp_of(&self.path)) && self.is_changed()
    }

    /// Whether it is another one now, if that was not said yet.
    pub fn is_newly_changed(&self) -> bool {
        !self.is_told.load(Ordering::Relaxed) && self.is_changed_by_stamp() && self.tell()
    }

    /// Takes down that it is said to be another one; whether that is the first time.
    pub fn tell(&self) -> bool {
        !self.is_told.swap(true, Ordering::Relaxed)
    }

    /// What was done to it, when, and by whom perhaps: nobody knows who wrote a file.
    pub fn deed(&self, whose: &str, when: &str) -> String {
        let shown = self.path.display();
        match (self.was_there, is_there(&self.path)) {
            (false, _) => format!("{shown}, where {whose} is to be, was written {when}"),
            (true, true) => format!("{whose} {shown} was written {when}"),
            (true, false) => format!("{whose} {shown} was removed {when}"),
        }
    }

    /// Puts what it was beside it or where it is to be left, where there was something, and says what became of it; once.
    pub fn save(&self) -> Option<String> {
        let mut saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
        saved.get_or_insert_with(|| self.save_now()).clone()
    }

    fn save_now(&self) -> Option<String> {
        self.digest?;
        let shown = self.before.display();
        let Some(copy) = &self.copy else {
            return Some(format!(
                "what the golden was is not kept, for of the goldens of a run no more than {} MiB are: take it from its source again",
                MOST_KEPT >> 20
            ));
        };
        let folder = self.before.parent().filter(|folder| !folder.as_os_str().is_empty());
        let written = folder.map_or(Ok(()), std::fs::create_dir_all).and_then(|()| {
            let mut copy = copy.file.lock().unwrap_or_else(PoisonError::into_inner);
            copy.rewind()?;
            // What lies there may be what the golden was before an earlier run.
            let mut file = OpenOptions::new().write(true).create_new(true).open(&self.before)?;
            // A part of it would be in the place of the whole the next time.
            std::io::copy(&mut *copy, &mut file).inspect_err(|_| std::fs::remove_file(&self.before).unwrap_or_default())
        });
        Some(match written {
            Ok(_) => format!("what the golden was is in {shown}: put it back, if that was not meant"),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => format!(
                "what the golden was is not kept, as {shown} is there already, perhaps with what it was before an earlier run: look there, or \
                 take it from its source again"
            ),
            Err(error) => format!("what the golden was is not kept as {shown}: {error}; take it from its source again"),
        })
    }
}

/// Whether there is something at a path; where that cannot be known, whoever reads it will say why.
pub fn is_there(path: &Path) -> bool {
    path.try_exists().unwrap_or(true)
}

/// The length and time of a file.
fn stamp_of(path: &Path) -> Stamp {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

/// The same, where it is old enough that the next writing shows in it.
fn settled_stamp(path: &Path, now: SystemTime) -> Option<Stamp> {
    let stamp = stamp_of(path);
    let is_old = |written: SystemTime| now.duration_since(written).is_ok_and(|age| age > SETTLED);
    stamp.is_none_or(|(_, written)| is_old(written)).then_some(stamp)
}

/// The hash of the bytes of a file, each part of which is heard; nothing where there is none, or none that can be read. A program may
/// have put a pipe there, or a device without an end.
fn digest_of(path: &Path, hear: &mut dyn FnMut(&[u8])) -> Option<blake3::Hash> {
    let mut file = path.is_file().then(|| File::open(path).ok()).flatten()?;
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
