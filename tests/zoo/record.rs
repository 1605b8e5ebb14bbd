//! What is true of a bug, as its record beside the patch says. No command of physim ever sees it.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// What a difference comes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Cause {
    /// The same run again is another.
    Repeat,
    /// More than one thread.
    Threads,
    /// Other vectors.
    Lanes,
    /// A restore.
    Restore,
    /// Something that is not in the state.
    Hidden,
    /// A state that cannot be read back.
    Refused,
    /// The order of the bodies in the file.
    Order,
    /// The build: it is the same in every run of one program.
    Build,
}

/// How the first step that differs is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Step {
    /// By brute force: the first step whose hash the clean and the buggy build do not share.
    Build,
    /// It is the first step after the restore.
    AfterRestore,
    /// It is some step after the restore.
    SinceRestore,
    /// It depends on chance or circumstance, but it cannot be before this one.
    From(u32),
}

/// Whether a command has to notice something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Expect {
    /// It has to.
    Must,
    /// It may: the bug need not strike there.
    May,
    /// It must not: there is nothing.
    MustNot,
}

/// What `physim minimize` is asked.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub enum Question {
    /// Two replays of the scene, made with these options.
    Runs(Vec<String>, Vec<String>),
    /// `physim bisect` on the scene, with the arguments of the record.
    Bisect,
}

/// What is true of a bug, and what is asked about it.
#[derive(Clone, Debug, Deserialize)]
pub struct Record {
    /// The name of the files.
    #[serde(skip)]
    pub name: String,
    /// Which kind of bug.
    pub kind: String,
    /// What is wrong, in a sentence.
    pub wrong: String,
    /// Whether it strikes by chance: then commands may need several tries.
    #[serde(default)]
    pub chance: bool,
    /// The stages after which the states, with all that is derived from them, may first differ.
    pub stages: Vec<String>,
    /// Parts of the names of the sections and objects that may first differ.
    pub places: Vec<String>,
    /// What a command may say that the difference comes with; anything else is wrong.
    pub causes: Vec<Cause>,
    /// The first step that differs.
    pub step: Step,
    /// The scene on which it is shown.
    pub scene: String,
    /// Options of the scene's run.
    #[serde(default)]
    pub options: Vec<String>,
    /// Whether `physim verify replays/` has to notice.
    pub verify: Expect,
    /// The rows of `physim stress` of which at least one has to part; none: the command need not notice.
    pub rows: Vec<String>,
    /// Other rows that may part.
    #[serde(default)]
    pub also: Vec<String>,
    /// Further arguments of `physim stress`.
    #[serde(default)]
    pub stress: Vec<String>,
    /// The arguments of `physim bisect`; `{clean}` and `{buggy}` are the two builds.
    pub bisect: Vec<String>,
    /// Whether `bisect` has to notice.
    #[serde(default = "must")]
    pub bisects: Expect,
    /// What `physim minimize` is asked; nothing if it has no question that it could answer.
    #[serde(default)]
    pub minimize: Option<Question>,
}

const fn must() -> Expect {
    Expect::Must
}

impl Record {
    /// Where its patch is.
    pub fn patch(&self) -> PathBuf {
        folder().join(format!("{}.patch", self.name))
    }

    /// Whether there is no bug at all: the build that shows that nothing is found where there is nothing.
    pub fn is_clean(&self) -> bool {
        self.causes.is_empty()
    }

    /// How often a command is asked before it counts as having noticed nothing.
    pub const fn tries(&self) -> usize {
        if self.chance { 4 } else { 1 }
    }
}

/// Where the bugs are.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/zoo/bugs")
}

/// All records by name.
pub fn all() -> Result<Vec<Record>, String> {
    let entries = std::fs::read_dir(folder()).map_err(|error| error.to_string())?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "ron"))
        .map(|path| read(path))
        .collect()
}

fn read(path: &Path) -> Result<Record, String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| told(&error))?;
    let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    let mut record: Record = options.from_str(&text).map_err(|error| told(&error))?;
    record.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if !record.is_clean() && !record.patch().exists() {
        return Err(told(&"has no patch beside it"));
    }
    Ok(record)
}
