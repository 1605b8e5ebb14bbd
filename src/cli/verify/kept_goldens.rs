//! All goldens of a run, as they were before the first of its programs: none of them may write into the golden of another.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::analysis::verify::Verification;
use crate::cli::new_golden::{NewPlace, with_extension};
use crate::cli::output::real_path;
use crate::cli::verify::kept_golden::{BEFORE, KeptGolden, MOST_KEPT};
use crate::cli::verify::subjects::Subject;

/// The goldens of a run in which there is a program.
pub struct KeptGoldens {
    by_path: BTreeMap<PathBuf, KeptGolden>,
    /// Where the names lead that they were given: a program may make another file, or a link, of any of them.
    real_paths: BTreeMap<PathBuf, PathBuf>,
    /// Whether programs run at the same time, so that any of them may have done what is found.
    at_once: bool,
}

impl KeptGoldens {
    /// Takes them down.
    pub fn of(subjects: &[Subject], place: &NewPlace, at_once: bool) -> Self {
        if !subjects.iter().any(|subject| matches!(subject, Subject::Program(_))) {
            return Self { by_path: BTreeMap::new(), real_paths: BTreeMap::new(), at_once };
        }
        let now = time_of_files();
        let mut by_path: BTreeMap<PathBuf, KeptGolden> = BTreeMap::new();
        let mut real_paths = BTreeMap::new();
        let mut room = MOST_KEPT;
        for subject in subjects {
            let path = real_path(subject.golden());
            real_paths.insert(subject.golden().to_owned(), path.clone());
            if by_path.contains_key(&path) {
                continue;
            }
            let kept = KeptGolden::of(subject.golden(), before_path(subject, place), room, now);
            room -= kept.copied_bytes();
            by_path.insert(path, kept);
        }
        Self { by_path, real_paths, at_once }
    }

    /// One of them.
    pub fn get(&self, golden: &Path) -> Option<&KeptGolden> {
        self.by_path.get(self.real_paths.get(golden)?)
    }

    /// What is known of a golden that an earlier program of this run changed: nothing.
    pub fn changed(&self, golden: &Path) -> Option<Verification> {
        let kept = self.get(golden).filter(|kept| kept.is_changed())?;
        kept.tell();
        let deed = kept.deed("the golden", "since this run began, by another of its programs or by somebody else");
        let mut found = Verification::failed(format!("{deed}: it is not compared with that"));
        found.notes.extend(kept.save());
        Some(found)
    }

    /// What is known of a program whose golden was changed while it ran: nothing. Where others run at the same time, it is looked at
    /// once more.
    pub fn rewritten(&self, golden: &Path, is_known: bool) -> Option<Verification> {
        let kept = self.get(golden)?;
        if !(is_known || self.at_once && kept.is_changed()) {
            return None;
        }
        kept.tell();
        let deed = kept.deed("its golden", self.when());
        let mut found = Verification::failed(format!(
            "{deed}: it is not compared with that, for a program that writes its own golden would hold whatever it does; let it print \
             its log to standard output, or write it elsewhere; if it was somebody else, verify again"
        ));
        found.notes.extend(kept.save());
        Some(found)
    }

    /// What is found of a program that has ended, with what it did to the goldens of others.
    pub fn deeds(&self, own: &Path, found: Verification) -> Verification {
        let own = self.real_paths.get(own);
        let others = self.by_path.iter().filter(|(path, _)| Some(*path) != own).map(|(_, kept)| kept);
        let changed: Vec<&KeptGolden> = others.filter(|kept| kept.is_newly_changed()).collect();
        if changed.is_empty() {
            return found;
        }
        let deeds: Vec<String> = changed.iter().map(|kept| kept.deed("the golden of another", self.when())).collect();
        let mut failed = Verification::failed(deeds.join("; "));
        failed.notes.extend(changed.iter().filter_map(|kept| kept.save()));
        failed.notes.extend(found.notes);
        failed
    }

    /// When what is found was done, and who may have done it: an editor or a `git pull` may come in between.
    const fn when(&self) -> &'static str {
        if self.at_once {
            "while the program ran, by it, by one that ran at the same time, or by somebody else"
        } else {
            "while the program ran, by it or by somebody else"
        }
    }
}

/// The time of the file system of temporary files, by one that is made now.
fn time_of_files() -> Option<SystemTime> {
    tempfile::tempfile().ok()?.metadata().ok()?.modified().ok()
}

/// Where a golden is left that was written into.
pub fn before_path(subject: &Subject, place: &NewPlace) -> PathBuf {
    let golden = subject.golden();
    let path = match subject {
        Subject::Replay(_) => place.path_of_another(golden, None, BEFORE),
        Subject::Program(program) => place.path_of_program(program, BEFORE),
    };
    path.unwrap_or_else(|| with_extension(golden, BEFORE))
}
