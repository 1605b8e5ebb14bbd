//! What attacks with other processes share: a folder for their files, and logs held against the first run.

use std::path::{Path, PathBuf};

use physim::analysis::FirstDifference;
use physim::analysis::stress::name::first_section;
use physim::analysis::stress::{Parted, baseline::Baseline};
use physim::replay::Moment;
use physim::world::encode::Section;
use physim::world::state_hash::StateHash;

use crate::cli::failure::Failure;

/// A folder of its own that goes with all that is in it.
pub struct Folder(PathBuf);

impl Folder {
    /// A new folder among the temporary files of the system.
    pub fn new() -> Result<Self, Failure> {
        let root = std::env::temp_dir();
        let mut number = 0_u32;
        loop {
            let path = root.join(format!("physim-stress-{}-{number}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
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
        self.0.join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, Failure> {
        let path = self.path(name);
        std::fs::write(&path, text).map_err(|error| cannot_write(&path, &error))?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system, whose temporary folder it is.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Usage(format!("cannot write {}: {error}", path.display()))
}

/// The first end of a step whose hash is not that of the first run; and how many ends were compared.
pub fn held_against(baseline: &Baseline, moments: &[Moment], run: &str) -> (u64, Option<Parted>) {
    let mut compared = 0;
    for moment in moments.iter().filter(|moment| moment.stage.is_none()) {
        let Some(expected) = baseline.hashes.get(moment.step as usize) else { continue };
        if moment.hash.as_deref() != Some(expected.hex().as_str()) {
            let section = differing_section(expected, moment).map(|section| section.name().to_owned());
            let first = FirstDifference { section, ..FirstDifference::in_step(moment.step) };
            return (compared, Some(Parted { run: run.to_owned(), first, notes: Vec::new() }));
        }
        compared += 1;
    }
    (compared, None)
}

/// The first section whose digest is another, where the log tells of sections.
fn differing_section(expected: &StateHash, moment: &Moment) -> Option<Section> {
    let told: Option<Vec<[u8; 8]>> = Section::ALL
        .iter()
        .map(|section| {
            let digest = moment.sections.iter().find(|digest| digest.name == section.name())?;
            u64::from_str_radix(&digest.hash, 16).ok().map(u64::to_be_bytes)
        })
        .collect();
    first_section(&expected.sections, &told?)
}
