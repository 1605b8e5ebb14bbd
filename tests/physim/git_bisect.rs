//! `git bisect run` with physim finds the commit that broke a golden.

use std::process::Command;

use physim::replay::{read_strict, rewrite};

use crate::support::folder::Folder;
use crate::support::program::{command, physim};
use crate::support::scenes::DROP;

/// A repository of its own, whatever git is told elsewhere on this machine.
struct Repository(Folder);

impl Repository {
    /// Nothing where there is no git to be found.
    #[expect(clippy::print_stderr, reason = "a test that cannot be made says so")]
    fn new() -> Option<Self> {
        if Command::new("git").arg("--version").output().is_err() {
            eprintln!("git is not installed: `git bisect run` is not tested");
            return None;
        }
        let repository = Self(Folder::new());
        repository.git(&["init", "--quiet"]);
        Some(repository)
    }

    fn git(&self, arguments: &[&str]) -> String {
        let Self(folder) = self;
        let settings = ["user.name=A Tester", "user.email=tester@example.org", "init.defaultBranch=main"];
        let mut command = Command::new("git");
        command.args(settings.iter().flat_map(|setting| ["-c", setting]));
        command.current_dir(folder.root()).args(arguments);
        // The script that git runs finds the program of this build by its variable, and writes no new results.
        command.env("PHYSIM", env!("CARGO_BIN_EXE_physim")).env_remove("CI");
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(variable);
        }
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        let output = command.output().expect("git starts");
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "git {arguments:?}: {text}");
        text
    }

    /// Writes a file and commits all there is.
    fn commit(&self, file: &str, content: impl AsRef<[u8]>, title: &str) {
        let Self(folder) = self;
        folder.write(file, content);
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", title]);
    }

    /// Lets git search between the first commit with that title, which is good, and the last one; returns the title of
    /// the commit it blames.
    fn bisect(&self, good: &str, run: &[&str]) -> String {
        let good = self.git(&["log", "--format=%H", &format!("--grep=^{good}$")]);
        self.git(&["bisect", "start", "HEAD", good.trim()]);
        let said = self.git(&[["bisect", "run"].as_slice(), run].concat());
        assert!(said.contains("is the first bad commit"), "{said}");
        let log = self.git(&["bisect", "log"]);
        assert!(log.contains("# skip: "), "the search met a commit that says nothing: {log}");
        self.git(&["show", "--no-patch", "--format=%s", "refs/bisect/bad"]).trim().to_owned()
    }
}

/// What a maintainer runs: does the level still play as it did? A level that is not a scene says nothing about that.
const CHECK: &str = "\
\"$PHYSIM\" run level.ron -o now.mcap || exit 125
\"$PHYSIM\" diff --bisect-exit golden.mcap now.mcap
";

#[test]
fn a_level_that_plays_differently_is_traced_to_the_commit_that_changed_it() {
    let Some(repository) = Repository::new() else { return };
    let Repository(folder) = &repository;
    let with = |from: &str, to: &str| {
        let now = String::from_utf8(folder.read("level.ron")).expect("a text");
        assert!(now.contains(from), "{from} is in {now}");
        now.replacen(from, to, 1)
    };
    folder.write("level.ron", DROP);
    physim(folder, &["run", "level.ron", "-o", "golden.mcap"]).exits(0);
    folder.write("check.sh", CHECK);
    repository.commit(".gitignore", "now.mcap*\n", "level and golden");
    repository.commit("README", "A game.\n", "readme");
    repository.commit("level.ron", with("(\n", "// The first level.\n(\n"), "a comment");
    repository.commit("level.ron", with("version: 1,", "version: 1, seed: 7,"), "a seed that nothing uses");
    repository.commit("sounds", "boing\n", "sounds");
    repository.commit("level.ron", with("bodies: [", "bodies: [["), "half an edit");
    repository.commit("level.ron", with("bodies: [[", "bodies: ["), "the edit, fixed");
    repository.commit("level.ron", with("Origin(0, 1.75, 0)", "Origin(0, 1.7500001, 0)"), "tidy the ball");
    repository.commit("sounds", "boing boing\n", "more sounds");
    repository.commit("level.ron", with("steps: 40", "steps: forty"), "a slip of the hand");
    repository.commit("level.ron", with("steps: forty", "steps: 40"), "a slip, fixed");
    repository.commit("README", "A good game.\n", "praise");
    let script = folder.path("check.sh").display().to_string();
    assert_eq!(repository.bisect("level and golden", &["sh", &script]), "tidy the ball");
}

#[test]
fn a_golden_that_does_not_hold_is_traced_to_the_commit_that_brought_it() {
    let Some(repository) = Repository::new() else { return };
    let Repository(folder) = &repository;
    folder.write("drop.ron", DROP);
    std::fs::create_dir(folder.path("replays")).expect("a folder");
    let record = |reason: &str| {
        physim(folder, &["run", "drop.ron", "-o", "replays/drop.mcap", "--reason", reason]).exits(0);
    };
    record("the first");
    repository.commit("README", "Goldens.\n", "golden");
    for reason in ["dust", "more dust"] {
        record(reason);
        repository.commit("README", reason, reason);
    }
    repository.commit("README", "Goldens!\n", "emphasis");
    repository.commit("notes", "\n", "a file for notes");
    let whole = folder.read("replays/drop.mcap");
    repository.commit("replays/drop.mcap", &whole[..whole.len() / 2], "an upload that broke off");
    repository.commit("replays/drop.mcap", &whole, "the upload again");
    // A build with a fault of its own recorded this one (of step 20 there is a keyframe, which would tell).
    let mut replay = read_strict(&folder.path("replays/drop.mcap")).expect("a whole replay");
    replay.steps.change(|steps| steps[19].root[0] ^= 1);
    rewrite(&replay, &folder.path("replays/drop.mcap")).expect("written anew");
    repository.commit("README", "Goldens, refreshed.\n", "refresh the golden");
    repository.commit("notes", "a\n", "notes");
    repository.git(&["rm", "--quiet", "--cached", "replays/drop.mcap"]);
    std::fs::rename(folder.path("replays/drop.mcap"), folder.path("away")).expect("moved");
    repository.commit(".gitignore", "away\n", "the golden is lost");
    std::fs::create_dir_all(folder.path("replays")).expect("a folder");
    std::fs::rename(folder.path("away"), folder.path("replays/drop.mcap")).expect("moved back");
    repository.commit("notes", "b\n", "the golden is found");
    repository.commit("notes", "c\n", "last");
    let physim = env!("CARGO_BIN_EXE_physim");
    let blamed = repository.bisect("golden", &[physim, "verify", "--bisect-exit", "replays/drop.mcap"]);
    assert_eq!(blamed, "refresh the golden");
    assert!(!folder.path("replays/drop.mcap.new").exists(), "a search leaves nothing behind");
}

#[test]
fn only_a_difference_makes_a_commit_bad() {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    physim(&folder, &["run", "drop.ron", "-o", "a.mcap"]).exits(0);
    physim(&folder, &["run", "drop.ron", "-o", "b.mcap", "--fault", "ulp@9,object=ball,field=position.x"]).exits(0);
    let mut other = read_strict(&folder.path("a.mcap")).expect("a whole replay");
    other.header.semantics += 1;
    rewrite(&other, &folder.path("other.mcap")).expect("written anew");
    other.header.semantics -= 1;
    other.steps.change(|steps| steps[9].root[0] ^= 1);
    rewrite(&other, &folder.path("parted.mcap")).expect("written anew");
    folder.write("damaged.mcap", &folder.read("a.mcap")[..200]);
    for (arguments, status) in [
        (["verify", "a.mcap"].as_slice(), 0),
        (&["verify", "parted.mcap"], 1),
        (&["verify", "parted.mcap", "a.mcap"], 1),
        (&["verify", "other.mcap"], 125),
        (&["verify", "damaged.mcap"], 125),
        (&["verify", "missing.mcap"], 125),
        (&["verify", "parted.mcap", "damaged.mcap"], 125),
        (&["verify", "drop.ron"], 125),
        (&["verify", "a.mcap", "--frobnicate"], 125),
        (&["verify"], 125),
        (&["diff", "a.mcap", "a.mcap"], 0),
        (&["diff", "a.mcap", "b.mcap"], 1),
        (&["diff", "a.mcap", "other.mcap"], 125),
        (&["diff", "a.mcap", "damaged.mcap"], 125),
        (&["diff", "a.mcap", "missing.mcap"], 125),
        (&["diff", "a.mcap"], 125),
    ] {
        let output = command(&folder, &[arguments, &["--bisect-exit"]].concat()).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {output:?}");
    }
}
