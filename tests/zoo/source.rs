//! A copy of the source below `target/` with every bug in it, built once; the source itself is never touched.
//!
//! Each bug stands behind `if zoo!("NAME")`, and is on in the program that lies in a folder of that name. So one build
//! serves all, a bug is on in every process that its program starts again, and two builds are two paths.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::record::{Record, folder};

/// What is copied: everything a build and a run need.
const COPIED: [&str; 10] =
    ["src", "assets", "benches", "examples", "tests", "scenes", "replays", "Cargo.toml", "Cargo.lock", "clippy.toml"];

/// The scenes whose goldens stay behind: each golden is verified under every bug, and these four are more than half of that time.
const LEFT_OUT: [&str; 4] = ["hull_heap", "loaded_die", "tables", "terrain"];

/// The copy and what is built of it.
pub struct Source {
    /// The copy.
    pub folder: PathBuf,
    target: PathBuf,
    programs: PathBuf,
}

impl Source {
    /// Where everything is, or will be.
    pub fn new() -> Self {
        let zoo = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/zoo");
        Self { folder: zoo.join("source"), target: zoo.join("build"), programs: zoo.join("programs") }
    }

    /// Copies every file that git knows, but for the goldens that are left out, and writes the bugs into the copy.
    pub fn fill(&self, records: &[Record]) -> Result<(), String> {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        for folder in ["src", "replays"] {
            let _ = std::fs::remove_dir_all(self.folder.join(folder));
        }
        let listed = done(Command::new("git").current_dir(package).args(["ls-files", "-z"]).args(COPIED))?;
        for path in
            String::from_utf8_lossy(&listed.stdout).split('\0').filter(|path| !path.is_empty() && !is_left_out(path))
        {
            self.copy(package, path)?;
        }
        records.iter().filter(|record| !record.is_clean()).try_for_each(|record| self.patch(record))?;
        self.add_switch()
    }

    fn copy(&self, package: &Path, path: &str) -> Result<(), String> {
        let told = |error: std::io::Error| format!("{path}: {error}");
        let (original, copy) = (package.join(path), self.folder.join(path));
        if !original.exists() {
            return Ok(()); // deleted, and git does not know yet
        }
        std::fs::create_dir_all(copy.parent().unwrap_or(&copy)).map_err(told)?;
        std::fs::copy(&original, &copy).map(|_| ()).map_err(told)
    }

    /// Writes a bug into the copy.
    fn patch(&self, record: &Record) -> Result<(), String> {
        let patch = record.patch();
        let text = std::fs::read_to_string(&patch).map_err(|error| format!("{}: {error}", patch.display()))?;
        if !text.contains(&format!("zoo!(\"{}\")", record.name)) {
            return Err(format!("{} does not ask for zoo!(\"{}\")", patch.display(), record.name));
        }
        // Outside of any repository, as git would otherwise take the paths as those of the one around it.
        let mut apply = Command::new("git");
        apply.current_dir(&self.folder).env("GIT_CEILING_DIRECTORIES", self.folder.parent().unwrap_or(&self.folder));
        done(apply.args(["apply", "-C1"]).arg(&patch))
            .map_err(|error| format!("{} no longer applies: {error}", patch.display()))?;
        Ok(())
    }

    /// Gives the library the macro that tells which bug is on.
    fn add_switch(&self) -> Result<(), String> {
        let told = |error: std::io::Error| error.to_string();
        let path = self.folder.join("src/lib.rs");
        let library = std::fs::read_to_string(&path).map_err(told)?;
        let switch = folder().with_file_name("switch.rs");
        let switch = std::fs::read_to_string(switch).map_err(told)?;
        let place = library.find("\npub mod").ok_or("src/lib.rs has no modules")? + 1;
        std::fs::write(path, [&library[..place], &switch, &library[place..]].concat()).map_err(told)
    }

    /// Builds the copy, and lays the program into a folder for each bug.
    pub fn build(&self, records: &[Record]) -> Result<(), String> {
        let mut cargo = Command::new(env!("CARGO"));
        // Optimising changes no bit; a little of it builds in less time than the runs of a few bugs then take longer.
        let little = ["--config", "profile.release.package.physim.opt-level=1"];
        let arguments = ["build", "--release", "--quiet", "--bin", "physim", little[0], little[1], "--target-dir"];
        cargo.current_dir(&self.folder).args(arguments).arg(&self.target);
        done(&mut cargo).map_err(|error| format!("the bugs do not build: {error}"))?;
        let built = self.target.join("release/physim");
        for record in records {
            let program = self.program(record);
            let told = |error: std::io::Error| format!("{}: {error}", program.display());
            std::fs::create_dir_all(program.parent().unwrap_or(&program)).map_err(told)?;
            let _ = std::fs::remove_file(&program);
            std::fs::hard_link(&built, &program)
                .or_else(|_| std::fs::copy(&built, &program).map(|_| ()))
                .map_err(told)?;
        }
        Ok(())
    }

    /// The program in which a bug is on.
    pub fn program(&self, record: &Record) -> PathBuf {
        self.programs.join(&record.name).join("physim")
    }
}

/// Whether a file is a golden that is not verified under every bug.
fn is_left_out(path: &str) -> bool {
    let golden = path.strip_prefix("replays/").and_then(|name| name.split('.').next());
    golden.is_some_and(|scene| LEFT_OUT.contains(&scene))
}

/// Runs a command to its end; what it said, where it failed.
fn done(command: &mut Command) -> Result<Output, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() { Ok(output) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}
