//! The bug zoo: real bugs, each a patch, written into a copy of physim's own source, built, and shown to the commands.
//!
//!     cargo test --test zoo                      all of them; holds docs/determinism.md to what comes out
//!     cargo test --test zoo -- NAME...           some of them; prints the table only (also `--only NAME`)
//!     cargo test --test zoo -- --built NAME...   the same with the programs of the last time
//!     cargo test --test zoo -- --part=1/2        every second one from the first on; held to the page too
//!     PHYSIM_WRITE_DOCS=1 cargo test --test zoo  writes the table into docs/determinism.md
//!
//! A bug is `bugs/NAME.patch`; `bugs/NAME.ron` says what is true of it. Plain `cargo test` leaves this out.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a program that measures and prints"
)]

mod claim;
mod examine;
mod judge;
mod page;
mod record;
mod source;
mod tool;

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::examine::{Examiner, Row};
use crate::record::Record;
use crate::source::Source;

/// How many bugs are asked about at a time: most commands work on one thread.
const WORKERS: usize = 2;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("zoo: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let all = record::all()?;
    if let Some(unknown) = wanted.iter().find(|name| !all.iter().any(|record| record.name == **name)) {
        return Err(format!("there is no bug {unknown}"));
    }
    let is_wanted = |record: &Record| wanted.is_empty() || wanted.contains(&record.name);
    let (first, step) = part()?;
    let chosen: Vec<&Record> = all.iter().filter(|record| is_wanted(record)).skip(first - 1).step_by(step).collect();
    let started = Instant::now();
    let rows = examine_all(&chosen, &all)?;
    let table = page::table(&rows) + &page::legend(&rows);
    println!("{table}\n{} bugs in {:.0} s", rows.len(), started.elapsed().as_secs_f64());
    if !wanted.is_empty() {
        return Ok(());
    }
    let writes = step == 1 && std::env::var_os("PHYSIM_WRITE_DOCS").is_some_and(|value| value == "1");
    page::check(&rows, &table, writes)
}

/// Which of the bugs are asked about: from which one on, and one of how many.
fn part() -> Result<(usize, usize), String> {
    let Some(text) = std::env::args().find_map(|argument| argument.strip_prefix("--part=").map(str::to_owned)) else {
        return Ok((1, 1));
    };
    let numbers = text.split_once('/').and_then(|(first, of)| Some((first.parse().ok()?, of.parse().ok()?)));
    let is_part = |&(first, of): &(usize, usize)| (1..=of).contains(&first);
    numbers.filter(is_part).ok_or_else(|| format!("expected --part=1/2 or the like, not --part={text}"))
}

/// Builds all bugs at once, then asks about each.
fn examine_all(chosen: &[&Record], all: &[Record]) -> Result<Vec<Row>, String> {
    let clean = all.iter().find(|record| record.is_clean()).ok_or("no record stands for the build without a bug")?;
    let source = Source::new();
    if !std::env::args().any(|argument| argument == "--built") {
        let started = Instant::now();
        source.fill(all)?;
        source.build(all)?;
        eprintln!("{:>5.1} s  built", started.elapsed().as_secs_f64());
    }
    let clean = source.program(clean);
    let examiner = Examiner { folder: &source.folder, clean: &clean };
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut rows = Vec::new();
        while let Some((place, record)) = take(&next, chosen) {
            let mut row = examiner.examine(record, &source.program(record));
            if !row.is_right() {
                // A machine that was busy allows less in the same time: what is missed has to be missed twice.
                eprintln!("{:>5.1} s  {}  asked about once more: {:?}", row.seconds, row.name, row.marks.misses);
                row = examiner.examine(record, &source.program(record));
            }
            eprintln!("{:>5.1} s  {}  {:?}", row.seconds, row.name, row.marks);
            rows.push((place, row));
        }
        rows
    };
    let mut rows = std::thread::scope(|scope| {
        let workers = [(); WORKERS].map(|()| scope.spawn(worker));
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect::<Vec<_>>()
    });
    rows.sort_by_key(|(place, _)| *place);
    if rows.len() < chosen.len() {
        return Err("not every bug could be asked about".to_owned());
    }
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// The next bug that nobody has taken yet.
fn take<'a>(next: &AtomicUsize, chosen: &[&'a Record]) -> Option<(usize, &'a Record)> {
    let place = next.fetch_add(1, Ordering::Relaxed);
    Some((place, *chosen.get(place)?))
}
