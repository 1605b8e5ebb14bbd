//! The code stays tidy: layers, files, names and paths in the documentation.

use std::path::{Path, PathBuf};

use crate::common::package;

/// The layers of the library from the bottom up.
const LAYERS: [&str; 15] = [
    "math",
    "parallel",
    "geometry",
    "collision",
    "state",
    "dynamics",
    "scene",
    "world",
    "replay",
    "session",
    "analysis",
    "export",
    "view",
    "report",
    "cli",
];

/// Layers that must not know each other although one stands above the other. Scenes know four things of geometry: whether points have a
/// hull, whether triangles make a mesh, what hulls fill what they enclose, and what a density comes to over a shape. All are decided without any scalar and have to be said at the place in the text.
const STRANGERS: [(&str, &str); 4] =
    [("scene", "dynamics"), ("scene", "collision"), ("scene", "geometry"), ("replay", "world")];

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            // What a package beside ours has built is not ours.
            if !path.ends_with("target") {
                files.extend(rust_files(&path));
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_file_imports_only_from_its_own_layer_or_below() {
    for (height, layer) in LAYERS.iter().enumerate() {
        for file in rust_files(&package().join("src").join(layer)) {
            let text = read(&file);
            let known =
                ["hull", "mesh", "decomposition", "quadrature"].map(|part| format!("crate::geometry::{part}::"));
            let text = if *layer == "scene" {
                known.iter().fold(text, |text, path| text.replace(path.as_str(), ""))
            } else {
                text
            };
            for (above, other) in LAYERS.iter().enumerate() {
                let imports = text.contains(&format!("crate::{other}::")) || text.contains(&format!("crate::{other};"));
                let allowed = above <= height && !STRANGERS.contains(&(layer, other));
                assert!(!imports || allowed, "{} imports from {other}", file.display());
            }
        }
    }
}

#[test]
fn only_the_report_prints() {
    for file in rust_files(&package().join("src")) {
        if file.starts_with(package().join("src/report")) {
            continue;
        }
        for (number, line) in (1..).zip(read(&file).lines()) {
            let prints = ["println!", "print!(", "eprintln!", "eprint!("].iter().any(|word| line.contains(word));
            assert!(!prints, "{}:{number} prints", file.display());
        }
    }
}

/// Folders whose code may be `unsafe`, each block with its reason.
const UNSAFE_FOLDERS: [&str; 3] = ["src/parallel/shared", VECTORS[0], VECTORS[1]];
/// Folders of nothing but instructions of a machine: one reason, said once in each file, serves all of them.
const VECTORS: [&str; 2] = ["src/math/lanes/x86", "src/math/lanes/neon"];

#[test]
fn unsafe_code_stays_in_its_place() {
    let mut found = false;
    for file in rust_files(&package().join("src")) {
        let is_in = |folders: &[&str]| folders.iter().any(|folder| file.starts_with(package().join(folder)));
        let is_allowed = is_in(&UNSAFE_FOLDERS);
        let text = read(&file);
        let words = ["unsafe {", "unsafe fn", "unsafe impl", "unsafe trait", "allow(unsafe_code", "expect(unsafe_code"];
        let is_unsafe = words.iter().any(|word| text.contains(word));
        assert!(!is_unsafe || is_allowed, "{} has unsafe code", file.display());
        found |= is_unsafe;
        // Each block says why it is sound.
        let blocks = text.matches("unsafe {").count() + text.matches("unsafe impl").count();
        let blocks = if is_in(&VECTORS) { blocks.min(1) } else { blocks };
        assert!(text.matches("// SAFETY:").count() >= blocks, "{} does not say why", file.display());
    }
    assert!(found, "nothing to look at");
}

/// The threads of a run have a stack of a stated size; those that only read what another program prints need none.
#[test]
fn threads_are_started_with_a_stated_stack() {
    let allowed = ["src/parallel/stack.rs", "src/cli/process.rs"].map(|file| package().join(file));
    for file in rust_files(&package().join("src")) {
        let text = read(&file);
        let starts =
            ["thread::spawn(", "scope.spawn(", "thread::Builder", "{Builder, "].iter().any(|word| text.contains(word));
        assert!(!starts || allowed.contains(&file), "{} starts threads of its own: use thread_builder", file.display());
    }
    assert!(allowed.iter().all(|file| file.is_file()), "a file that starts threads is gone");
}

#[test]
fn no_file_outgrows_its_room() {
    for folder in ["src", "tests", "benches"] {
        for file in rust_files(&package().join(folder)) {
            let lines = read(&file).lines().count();
            assert!(lines <= 500, "{} has {lines} lines: two rooms would serve better", file.display());
        }
    }
}

#[test]
fn no_glob_imports() {
    for file in rust_files(&package().join("src")) {
        for (number, line) in (1..).zip(read(&file).lines()) {
            assert!(!(line.trim_start().starts_with("use ") && line.contains("::*")), "{}:{number}", file.display());
        }
    }
}

#[test]
fn paths_in_the_documentation_exist() {
    let mut pages: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|page| package().join(page)).into();
    for entry in std::fs::read_dir(package().join("docs")).expect("docs/") {
        pages.push(entry.expect("an entry").path());
    }
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    for page in pages {
        let text = read(&page);
        // Fenced blocks are captures and examples: they may name what a reader would make.
        let prose: String = text.split("```").step_by(2).collect();
        for quoted in prose.split('`').skip(1).step_by(2) {
            let is_path = ["src/", "tests/", "scenes/", "replays/", "docs/", "benches/", ".ci/"]
                .iter()
                .any(|start| quoted.starts_with(start));
            let is_plain = quoted.chars().all(|letter| letter.is_ascii_alphanumeric() || "/._-".contains(letter));
            if is_path && is_plain {
                assert!(package().join(quoted).exists(), "{} names {quoted}, which is not there", page.display());
            }
        }
    }
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let copy = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy_folder(&path, &copy);
        } else {
            std::fs::copy(&path, &copy).expect("a copy");
        }
    }
}

/// CI tries the zoo in one run of four only, and would say too late that a bug is written into code that is no longer there.
#[test]
fn the_bugs_of_the_zoo_can_be_written_into_the_source_of_today() {
    let folder = tempfile::tempdir().expect("a folder");
    copy_folder(&package().join("src"), &folder.path().join("src"));
    let listed = std::fs::read_dir(package().join("tests/zoo/bugs")).expect("the bugs");
    let mut patches: Vec<PathBuf> = listed.map(|entry| entry.expect("an entry").path()).collect();
    patches.retain(|path| path.extension().is_some_and(|extension| extension == "patch"));
    patches.sort();
    assert!(!patches.is_empty());
    for patch in patches {
        // Outside of any repository, as git would otherwise take the paths as those of the one around it.
        let mut apply = std::process::Command::new("git");
        apply.current_dir(folder.path()).env("GIT_CEILING_DIRECTORIES", folder.path().parent().expect("a parent"));
        let told = apply.args(["apply", "-C1"]).arg(&patch).output().expect("git");
        let why = String::from_utf8_lossy(&told.stderr);
        assert!(told.status.success(), "{}: {why}", patch.display());
    }
}
