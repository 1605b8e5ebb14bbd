//! What is shown to people with an engine of their own: the printers of `examples/hash-log`, and the commands of `docs/your-engine.md`.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::package;
use crate::support::folder::Folder;
use crate::support::program::{Ran, physim, search_path};

/// A language, and how its printer is made and run: `{file}` is the source and `{out}` a file for the program.
struct Language {
    file: &'static str,
    /// The programs without which it cannot be tried.
    needs: &'static str,
    build: &'static str,
    run: &'static str,
    /// What makes the first place infinite, where it stands in the source.
    infinite: [&'static str; 2],
}

const LANGUAGES: [Language; 8] = [
    Language {
        file: "hash_log.c",
        needs: "cc",
        build: "cc -O2 -ffp-contract=off {file} -o {out}",
        run: "{out}",
        infinite: ["{ { 1.0, 0.0 },", "{ { 1e999, 0.0 },"],
    },
    Language {
        file: "hash_log.cpp",
        needs: "c++",
        build: "c++ -std=c++17 -O2 -ffp-contract=off {file} -o {out}",
        run: "{out}",
        infinite: ["{{{1.0, 0.0},", "{{{1e999, 0.0},"],
    },
    Language {
        file: "HashLog.cs",
        needs: "dotnet",
        build: "dotnet new console -o {out}.d && cp {file} {out}.d/Program.cs && dotnet build {out}.d",
        run: "dotnet run --no-build --project {out}.d --",
        infinite: ["{ X = 1 }", "{ X = double.PositiveInfinity }"],
    },
    Language {
        file: "HashLog.cs",
        needs: "mcs",
        build: "mcs {file} -out:{out}.exe",
        run: "mono {out}.exe",
        infinite: ["{ X = 1 }", "{ X = double.PositiveInfinity }"],
    },
    Language {
        file: "hash_log.rs",
        needs: "rustc",
        build: "rustc -O {file} -o {out}",
        run: "{out}",
        infinite: ["x: f64::from(x),", "x: f64::from(x) / f64::from(x - 1),"],
    },
    Language {
        file: "hash_log.js",
        needs: "node",
        build: "true",
        run: "node {file}",
        infinite: ["[1, 2, 3, 4]", "[Infinity, 2, 3, 4]"],
    },
    Language {
        file: "hash_log.py",
        needs: "python3",
        build: "true",
        run: "python3 {file}",
        infinite: ["(1, 2, 3, 4)", "(\"inf\", 2, 3, 4)"],
    },
    Language {
        file: "hash_log.gd",
        needs: "godot",
        build: "true",
        run: "godot --headless --script {file} --",
        infinite: ["[1.0, 2.0,", "[INF, 2.0,"],
    },
];

fn examples() -> PathBuf {
    package().join("examples/hash-log")
}

fn shell(folder: &Path, line: &str) -> std::process::Output {
    Command::new("sh").args(["-c", line]).current_dir(folder).output().expect("a shell")
}

impl Language {
    /// The command that runs the printer of this folder of sources, once it is built; nothing where its tools are missing, which is said.
    #[expect(clippy::print_stderr, reason = "what is not tried has to be said")]
    fn command(&self, folder: &Folder, source: &Path) -> Option<String> {
        if !shell(folder.root(), &format!("command -v {}", self.needs)).status.success() {
            eprintln!("examples/hash-log/{} is not tried: there is no {} here", self.file, self.needs);
            return None;
        }
        let (file, out) = (source.join(self.file), folder.path(&format!("printer_{}", self.file.replace('.', "_"))));
        let placed = |text: &str| {
            text.replace("{file}", &file.display().to_string()).replace("{out}", &out.display().to_string())
        };
        let built = shell(folder.root(), &placed(self.build));
        assert!(built.status.success(), "{}: {}", self.file, String::from_utf8_lossy(&built.stderr));
        Some(placed(self.run))
    }
}

#[test]
fn the_printers_of_every_language_print_one_log() {
    let folder = Folder::new();
    let commands: Vec<(&str, String)> = LANGUAGES
        .iter()
        .filter_map(|language| Some((language.file, language.command(&folder, &examples())?)))
        .collect();
    assert!(commands.len() >= 2, "without two tool chains nothing is compared");
    let mut names = Vec::new();
    for (file, command) in &commands {
        let name = format!("{}.{file}.log", names.len());
        let printed = shell(folder.root(), &format!("{command} 40 41"));
        assert!(printed.status.success(), "{file}: {}", String::from_utf8_lossy(&printed.stderr));
        folder.write(&name, &printed.stdout);
        names.push(name);
    }
    let words: Vec<&str> = ["diff", "--lenient"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let ran = physim(&folder, &words).exits(0);
    assert!(ran.stdout().contains("same: "), "{}", ran.stdout());
    for name in &names {
        let text = String::from_utf8(folder.read(name)).expect("a text");
        let detailed: Vec<&str> = text.lines().filter(|line| line.contains("\"objects\"")).collect();
        assert_eq!((text.lines().filter(|line| line.contains("\"step\"")).count(), detailed.len()), (101, 2), "{name}");
        assert_eq!(detailed[0].matches("\"f64\"").count(), 8, "{name}");
    }
    // One that is changed is found, in its unit and field, with the distance.
    let text = String::from_utf8(folder.read(&names[0])).expect("a text");
    let bits = text.split("\"bits\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect("bits");
    let other = format!("{:016x}", u64::from_str_radix(bits, 16).expect("bits") + 3);
    folder.write("other.log", text.replacen(bits, &other, 1));
    let json = physim(&folder, &["diff", &names[1], "other.log", "--lenient", "--format", "json"]).exits(1).json();
    let first = &json["first"];
    assert_eq!(
        (&first["step"], &first["object"], &first["field"]),
        (&40.into(), &"unit 0".into(), &"x".into()),
        "{json}"
    );
    assert_eq!(first["ulps"], 3, "{json}");
    // And physim asks for a window by itself.
    let (_, first) = &commands[0];
    let (_, second) = &commands[1];
    let broken = format!(
        "{second} {{from}} {{to}} | sed '/\"step\": *40,/s/c008544d02a14600/c008544d02a14602/;/\"step\": *40,/s/1fb2c431e53102e7/1/'"
    );
    let ran = physim(
        &folder,
        &["bisect", "--exec", &format!("{first} {{from}} {{to}}"), "--exec", &broken, "--format", "json"],
    );
    let json = ran.exits(1).json();
    let first = &json["first"];
    assert_eq!((&first["step"], &first["field"], &first["ulps"]), (&40.into(), &"x".into(), &2.into()), "{json}");
}

/// A first place that is infinite leaves an infinite velocity and a place that is no number.
#[test]
fn the_printers_write_what_is_no_json_number_as_texts() {
    let folder = Folder::new();
    let mut tried = 0;
    for language in &LANGUAGES {
        let source = std::fs::read_to_string(examples().join(language.file)).expect("a source");
        let [from, to] = language.infinite;
        assert_eq!(source.matches(from).count(), 1, "{}: {from}", language.file);
        folder.write(&format!("source/{}", language.file), source.replace(from, to));
        let Some(command) = language.command(&folder, &folder.path("source")) else { continue };
        let printed = shell(folder.root(), &format!("{command} 1 1"));
        let text = String::from_utf8_lossy(&printed.stdout).into_owned();
        folder.write("odd.log", &text);
        physim(&folder, &["diff", "--lenient", "odd.log", "odd.log"]).exits(0);
        let detailed: String = text.lines().filter(|line| line.contains("objects")).collect();
        let values: Vec<&str> = detailed
            .split("\"value\":")
            .skip(1)
            .map(|rest| rest.split(',').next().unwrap_or_default().trim())
            .collect();
        assert_eq!(
            (values.len(), &values[..2]),
            (8, &["\"NaN\"", "\"-Infinity\""][..]),
            "{}: {detailed}",
            language.file
        );
        tried += 1;
    }
    assert!(tried >= 2, "without two tool chains little is tried");
}

/// The code blocks of a page in a language, each as its lines.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let start = format!("```{language}\n");
    page.split(start.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).map(str::to_owned).collect()
}

/// The commands of a workflow, in order: what stands behind `run: ` or, of a script, behind `- `.
fn commands_of(workflow: &str) -> Vec<String> {
    let mut in_script = false;
    let mut commands = Vec::new();
    for line in workflow.lines() {
        let text = line.trim();
        if let Some((_, command)) = text.split_once("run: ") {
            commands.push(command.to_owned());
        } else if text.ends_with("script:") {
            in_script = true;
        } else if let Some(command) = text.strip_prefix("- ").filter(|_| in_script) {
            commands.push(command.to_owned());
        } else {
            in_script = false;
        }
    }
    commands
}

/// A project as the page has it: the printer in C as its engine, built by `make`.
fn project() -> Folder {
    let folder = Folder::new();
    folder.write("engine.c", std::fs::read(examples().join("hash_log.c")).expect("the printer in C"));
    folder.write("Makefile", "engine: engine.c\n\tcc -O2 -ffp-contract=off engine.c -o engine\n");
    folder
}

/// Runs a line as the page has it, with a local build of physim in place of the download.
fn run_line(folder: &Folder, line: &str, ci: bool) -> Ran {
    let mut shell = Command::new("sh");
    shell.args(["-ec", line]).current_dir(folder.root()).env("PATH", search_path());
    if ci {
        shell.env("CI", "true");
    } else {
        shell.env_remove("CI");
    }
    shell.output().expect("a shell").into()
}

#[test]
fn the_workflows_of_the_page_work_line_by_line() {
    let page = std::fs::read_to_string(package().join("docs/your-engine.md")).expect("the page");
    let workflows = blocks(&page, "yaml");
    assert_eq!(workflows.len(), 2, "one for GitHub, one for GitLab");
    for workflow in &workflows {
        assert!(workflow.contains("artifact") && workflow.contains("new"), "{workflow}");
        let commands = commands_of(workflow);
        for (change, status) in [(None, 0), (Some(("0.125", "0.126")), 1)] {
            let folder = project();
            set_up(&folder, &page);
            if let Some((from, to)) = change {
                let engine = String::from_utf8(folder.read("engine.c")).expect("a text");
                folder.write("engine.c", engine.replace(from, to));
            }
            let mut seen = 0;
            for line in &commands {
                // The download of physim: a local build is on the search path.
                if line.contains("cargo install") {
                    continue;
                }
                let is_verify = line.contains("physim verify");
                let ran = run_line(&folder, line, true).exits(if is_verify { status } else { 0 });
                if is_verify {
                    seen += 1;
                    assert!(
                        ran.stdout().contains(if status == 0 { "1 passed" } else { "step  1" }),
                        "{}",
                        ran.stdout()
                    );
                }
            }
            assert_eq!(seen, 1, "{workflow}");
            assert_eq!(folder.path("new/goldens/level1.log.new").is_file(), status == 1);
            assert!(folder.path("report.xml").is_file() && !folder.path("goldens/level1.log.new").exists());
        }
    }
}

/// The new golden of a program that takes a window has hashes alone: the page says how a full one comes back.
#[test]
fn a_full_golden_is_printed_as_the_page_says() {
    let page = std::fs::read_to_string(package().join("docs/your-engine.md")).expect("the page");
    let line = page.lines().map(str::trim).find(|line| line.starts_with("./engine 1 ")).expect("how to print it");
    let folder = project();
    set_up(&folder, &page);
    assert!(!String::from_utf8_lossy(&folder.read("goldens/level1.log")).contains("objects"));
    run_line(&folder, line, false).exits(0);
    let full = String::from_utf8(folder.read("goldens/level1.log")).expect("a text");
    assert!(full.lines().skip(1).all(|line| line.contains("objects")) && full.lines().count() > 2, "{full}");
    run_line(&folder, "physim verify physim.ron", false).exits(0);
    let engine = String::from_utf8(folder.read("engine.c")).expect("a text");
    folder.write("engine.c", engine.replace("0.125", "0.126"));
    let ran = run_line(&folder, "make engine && physim verify physim.ron", false).exits(1).stdout();
    assert!(ran.contains("step    1\n") && ran.contains("field   "), "{ran}");
}

/// Does what the page says to do once, before the workflow.
fn set_up(folder: &Folder, page: &str) {
    let lists = blocks(page, "ron");
    folder.write("physim.ron", &lists[0]);
    let first = blocks(page, "sh").into_iter().find(|block| block.contains("physim accept")).expect("the first steps");
    // All of it at once, in a shell that ends where a command fails, as those of CI services do.
    let ran = run_line(folder, &first, false).exits(0);
    assert!(ran.stdout().contains("no golden ") && ran.stdout().contains("accepted"), "{}", ran.stdout());
}
