//! What the pages show at the terminal is what the program prints.
//!
//! Each block of a page that begins with `$ physim` is typed in a folder of the page's own, one after the other. A sample may leave
//! lines out, but those that it shows have to be printed, in this order, up to times on the clock. With `PHYSIM_WRITE_DOCS=1` the
//! numbers and hashes of the samples are written anew.

use std::fmt::Write as _;

use crate::common::{package, renew_page};
use crate::support::folder::Folder;
use crate::support::program::physim;
use crate::support::redact::form;
use crate::support::scenes::FLIGHT;

/// What cannot be typed here: it needs files or programs of its own, somebody who answers, a browser, or is about times.
const NOT_TYPED: [&str; 6] = [
    "physim bench ",
    "physim verify flight.mcap replays/",
    "physim accept ",
    "physim stress scenes/twenty_balls.ron --exe",
    "--open",
    "--merge",
];

#[test]
fn the_readme_shows_what_is_printed() {
    check("README.md", 2, &|folder| bring(folder, "scenes/billiards.ron", "scenes/billiards.ron"));
}

#[test]
fn the_page_of_commands_shows_what_is_printed() {
    check("docs/cli.md", 9, &|folder| {
        folder.write("flight.ron", FLIGHT);
        folder.write("game.log", game_log("be8775d1", "-0.26457074"));
        folder.write("now.log", game_log("be8775d0", "-0.2645707"));
        // The first run is another one than all that follow.
        folder.write("race.sh", "if [ -e ran ]; then cat game.log; else touch ran; cat now.log; fi\n");
        for (name, like) in [("mine.log", "game.log"), ("theirs.log", "now.log"), ("server.log", "game.log")] {
            folder.write(name, folder.read(like));
        }
        folder.write("commands.txt", "spawn ball\nwait 10\njump\nwait 30\nspawn crate\njump\n");
        bring(folder, "scenes/stack_20.ron", "stack_20.ron");
        for scene in
            ["scenes/twenty_balls.ron", "scenes/shelf_crates.ron", "scenes/dice.ron", "scenes/narrow_phase_race.ron"]
        {
            bring(folder, scene, scene);
        }
    });
}

#[test]
fn the_page_of_a_desync_shows_what_is_printed() {
    check("docs/desync.md", 10, &|folder| bring(folder, "scenes/shelf_crates.ron", "shelf_crates.ron"));
}

#[test]
fn the_page_of_sweeps_shows_what_is_printed() {
    check("docs/sweep.md", 1, &|folder| bring(folder, "scenes/stack_20.ron", "scenes/stack_20.ron"));
}

/// What a game printed, up to the step in which a unit has this velocity.
fn game_log(bits: &str, value: &str) -> String {
    let objects =
        format!(r#"[{{"name":"unit 7","fields":{{"velocity.x":{{"value":{value},"bits":"{bits}","type":"f32"}}}}}}]"#);
    format!("{{\"step\":0,\"hash\":\"1\"}}\n{{\"step\":1,\"hash\":\"{bits}\",\"objects\":{objects}}}\n")
}

/// Copies a file of the package.
fn bring(folder: &Folder, from: &str, to: &str) {
    folder.write(to, std::fs::read(package().join(from)).expect("a file of the package"));
}

/// Types what a page shows. At least so many of its samples have to show something.
fn check(page: &str, least: usize, prepare: &dyn Fn(&Folder)) {
    let text = std::fs::read_to_string(package().join(page)).expect("the page can be read");
    let folder = Folder::new();
    prepare(&folder);
    let mut typed = Typed { folder, printed: Vec::new(), shown: 0, stale: String::new() };
    let mut block = None;
    let mut anew = String::new();
    for line in text.lines() {
        let fence = line.starts_with("```");
        match block {
            None if fence => block = Some(false),
            Some(_) if fence => block = None,
            Some(_) if line.starts_with("$ ") => block = Some(typed.enter(&line[2..])),
            Some(true) => {
                writeln!(anew, "{}", typed.shows(line)).expect("a text grows");
                continue;
            }
            _ => {}
        }
        writeln!(anew, "{line}").expect("a text grows");
    }
    assert!(typed.shown >= least, "{page}: {} samples show what is printed", typed.shown);
    if !typed.stale.is_empty() {
        renew_page(page, &anew, &typed.stale);
    }
}

/// What was typed so far.
struct Typed {
    folder: Folder,
    /// Lines that the last command printed and the page has not shown yet, the next one last.
    printed: Vec<String>,
    /// Commands of which the page shows something.
    shown: usize,
    /// Lines that differ.
    stale: String,
}

impl Typed {
    /// Runs a command; whether its output is known.
    fn enter(&mut self, command: &str) -> bool {
        let (command, file) = command.split_once(" > ").map_or((command, None), |(left, right)| (left, Some(right)));
        let words = words(command);
        let arguments: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        let output = match words[0].as_str() {
            "physim" if NOT_TYPED.iter().any(|not| format!("{command} ").contains(not)) => return false,
            "physim" => physim(&self.folder, &arguments).stdout(),
            "cat" => String::from_utf8_lossy(&self.folder.read(arguments[0])).into_owned(),
            _ => return false,
        };
        self.shown += 1;
        match file {
            Some(file) => self.folder.write(file, output),
            None => self.printed = output.lines().rev().map(str::to_owned).collect(),
        }
        true
    }

    /// What a line of the page should be.
    fn shows(&mut self, line: &str) -> String {
        let left_out = line == "...";
        if left_out {
            return line.to_owned();
        }
        if let Some(place) = self.printed.iter().rposition(|printed| timeless(printed) == timeless(line)) {
            self.printed.truncate(place);
            return line.to_owned();
        }
        writeln!(self.stale, "{line}").expect("a text grows");
        let like = self.printed.iter().rposition(|printed| numberless(printed) == numberless(line));
        let place = like.unwrap_or_else(|| panic!("nothing like this is printed:\n{line}\nbut:\n{}", self.rest()));
        let now = self.printed.remove(place);
        self.printed.truncate(place);
        now
    }

    fn rest(&self) -> String {
        self.printed.iter().rev().map(|line| format!("{line}\n")).collect()
    }
}

/// The words of a command as a shell takes them.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('\'').enumerate();
    let mut words = vec![String::new()];
    for (number, part) in parts {
        if number % 2 == 1 {
            words.last_mut().expect("a word").push_str(part);
            continue;
        }
        for (place, word) in part.split(' ').enumerate() {
            if place > 0 {
                words.push(String::new());
            }
            words.last_mut().expect("a word").push_str(word);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A line without times on the clock: of a run, of a search, and of the last column of a sweep.
fn timeless(line: &str) -> String {
    let trimmed = line.trim();
    if trimmed.starts_with("time  ") {
        return "time".to_owned();
    }
    if trimmed.starts_with('{') {
        let is_time = |key: &&str| key.contains("\"seconds\":") || key.contains("\"steps_per_second\":");
        return trimmed.split(',').filter(|key| !is_time(key)).collect::<Vec<_>>().join(",");
    }
    let (start, last) = trimmed.rsplit_once(' ').unwrap_or(("", trimmed));
    if trimmed.starts_with("tests  ") && last == "s" {
        return start.rsplit_once(" in ").map_or(trimmed, |(tests, _)| tests).to_owned();
    }
    let is_row_of_sweep =
        trimmed.split_whitespace().count() == 10 && trimmed.starts_with(|digit: char| digit.is_ascii_digit());
    if is_row_of_sweep { start.trim_end().to_owned() } else { trimmed.to_owned() }
}

/// A line without its numbers and hashes.
fn numberless(line: &str) -> String {
    let is_digits = |word: &str| word.len() >= 6 && word.chars().all(|digit| digit.is_ascii_hexdigit());
    let words = form(line);
    let words = words.split([' ', ',', '"', ':']).filter(|word| !word.is_empty());
    words
        .map(|word| if is_digits(word) || word.parse::<f64>().is_ok() { "#" } else { word })
        .collect::<Vec<_>>()
        .join(" ")
}
