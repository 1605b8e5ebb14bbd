//! A copy of the source below `target/`, patched and built; the source itself is never touched.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::record::Record;

/// What is copied: everything a build and a run need.
const COPIED: [&str; 9] =
    ["src", "benches", "examples", "tests", "scenes", "replays", "Cargo.toml", "Cargo.lock", "clippy.toml"];

/// The copy and what is built of it.
pub struct Source {
    /// The copy.
    pub folder: PathBuf,
    target: PathBuf,
    programs: PathBuf,
}

impl Source {
    /// Copies every file that git knows.
    pub fn copy() -> Result<Self, String> {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let zoo = package.join("target/zoo");
        let source =
            Self { folder: zoo.join("source"), target: zoo.join("build"), programs: zoo.join("programs") };
        let listed = done(Command::new("git").current_dir(package).args(["ls-files", "-z"]).args(COPIED))?;
        let mut known = Vec::new();
        for path in String::from_utf8_lossy(&listed.stdout).split('\0').filter(|path| !path.is_empty()) {
            source.refresh(path)?;
            known.push(source.folder.join(path));
        }
        remove_others(&source.folder.join("src"), &known)?;
        Ok(source)
    }

    /// Copies a file where it differs: what stays the same is not built again.
    fn refresh(&self, path: &str) -> Result<(), String> {
        let told = |error: std::io::Error| format!("{path}: {error}");
        let original = match std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            other => other.map_err(told)?,
        };
        let copy = self.folder.join(path);
        if std::fs::read(&copy).is_ok_and(|there| there == original) {
            return Ok(());
        }
        std::fs::create_dir_all(copy.parent().unwrap_or(&copy)).map_err(told)?;
        std::fs::write(&copy, original).map_err(told)
    }

    /// Builds the source with the bug of a record in it; the path of the program.
    pub fn build(&self, record: &Record) -> Result<PathBuf, String> {
        let touched = if record.is_clean() { Vec::new() } else { self.patch(record)? };
        let built = self.compile();
        touched.iter().try_for_each(|path| self.refresh(path))?;
        let program = self.program(&record.name);
        std::fs::create_dir_all(program.parent().unwrap_or(&program)).map_err(|error| error.to_string())?;
        built.map_err(|error| format!("{} does not build: {error}", record.name))?;
        std::fs::copy(self.target.join("debug/physim"), &program).map_err(|error| error.to_string())?;
        Ok(program)
    }

    /// Where the program of a bug is kept.
    pub fn program(&self, name: &str) -> PathBuf {
        self.programs.join(name).join("physim")
    }

    /// Writes the bug into the copy; the paths of the files it touches.
    fn patch(&self, record: &Record) -> Result<Vec<String>, String> {
        let patch = record.patch();
        let text = std::fs::read_to_string(&patch).map_err(|error| format!("{}: {error}", patch.display()))?;
        let touched: Vec<String> = text.lines().filter_map(|line| line.strip_prefix("+++ b/")).map(str::to_owned).collect();
        // Outside of any repository, as git would otherwise take the paths as those of the one around it.
        let mut apply = Command::new("git");
        apply.current_dir(&self.folder).env("GIT_CEILING_DIRECTORIES", self.folder.parent().unwrap_or(&self.folder));
        done(apply.args(["apply", "-C1"]).arg(&patch))
            .map_err(|error| format!("{} no longer applies: {error}", patch.display()))?;
        Ok(touched)
    }

    fn compile(&self) -> Result<(), String> {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(&self.folder).args(["build", "--quiet", "--bin", "physim", "--target-dir"]).arg(&self.target);
        for (variable, _) in std::env::vars().filter(|(name, _)| name.starts_with("CARGO_") || name.starts_with("RUST")) {
            if !["CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"].contains(&variable.as_str()) {
                cargo.env_remove(variable);
            }
        }
        for (key, value) in [
            ("CARGO_INCREMENTAL", "1"),
            ("CARGO_PROFILE_DEV_OPT_LEVEL", "1"),
            ("CARGO_PROFILE_DEV_DEBUG", "0"),
            ("CARGO_PROFILE_DEV_DEBUG_ASSERTIONS", "false"),
            ("CARGO_PROFILE_DEV_OVERFLOW_CHECKS", "false"),
        ] {
            cargo.env(key, value);
        }
        done(&mut cargo).map(|_| ())
    }
}

/// Removes files of the copy that the source has no longer.
fn remove_others(folder: &Path, known: &[PathBuf]) -> Result<(), String> {
    for entry in std::fs::read_dir(folder).map_err(|error| error.to_string())?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            remove_others(&path, known)?;
        } else if !known.contains(&path) {
            std::fs::remove_file(&path).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// Runs a command to its end; what it said, where it failed.
fn done(command: &mut Command) -> Result<Output, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() { Ok(output) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}
