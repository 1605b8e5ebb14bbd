//! The tables, as text or as Markdown.

use physim::analysis::benchmark::statistics::{Milliseconds, geometric_mean};

use crate::cell::three;
use crate::clock::Clock;
use crate::engine::{Measured, Variant};

/// The lock file: what was really built.
const LOCK: &str = include_str!("../Cargo.lock");

/// Everything that was measured.
pub struct Report {
    pub rounds: u32,
    pub warm_up: u32,
    pub threads: u32,
    pub clock: Clock,
    pub variants: Vec<Variant>,
    pub scenes: Vec<SceneRows>,
}

/// What was measured of one scene: the rounds of each variant.
pub struct SceneRows {
    pub name: String,
    pub bodies: usize,
    pub joints: usize,
    pub steps: u32,
    pub rounds: Vec<Vec<Measured>>,
}

impl Report {
    /// Both tables with what has to be known of them.
    pub fn render(&self, markdown: bool) -> String {
        let rapier = LOCK.lines().skip_while(|line| *line != "name = \"rapier3d\"").nth(1).unwrap_or_default();
        let rapier = rapier.trim_start_matches("version = ").trim_matches('"');
        let head = format!(
            "ms per step, {}, medians of {} interleaved rounds, threads: {}, steps not counted: {}, Rapier {rapier}, widest spread of the rounds of a cell: {:.0} %.\nIn parentheses: time over Rapier's of the same precision (fixed point: over f32).",
            self.clock.name(),
            self.rounds,
            self.threads,
            self.warm_up,
            100.0 * self.widest_spread()
        );
        format!("{head}\n\n{}\n{}", lay_out(&self.times(), markdown), lay_out(&self.qualities(), markdown))
    }

    fn heading(&self, front: &[&str]) -> Vec<String> {
        front.iter().copied().chain(self.variants.iter().map(|variant| variant.name())).map(str::to_owned).collect()
    }

    fn times(&self) -> Vec<Vec<String>> {
        let mut rows = vec![self.heading(&["scene", "bodies", "steps"])];
        let mut ratios: Vec<Vec<f64>> = self.variants.iter().map(|_| Vec::new()).collect();
        for scene in &self.scenes {
            let mut row = vec![scene.name.clone(), scene.bodies.to_string(), scene.steps.to_string()];
            for (place, variant) in self.variants.iter().enumerate() {
                let Some(median) = median(&scene.rounds[place]) else {
                    row.push("stopped".to_owned());
                    continue;
                };
                let base = self.variants.iter().position(|other| *other == variant.base());
                let base = base.filter(|base| *base != place).and_then(|base| self::median(&scene.rounds[base]));
                let ratio = base.map(|base| median / base);
                ratios[place].extend(ratio);
                row.push(three(median) + &ratio.map_or_else(String::new, |ratio| format!(" ({ratio:.2})")));
            }
            rows.push(row);
        }
        let mean = |ratios: &Vec<f64>| geometric_mean(ratios).map_or_else(String::new, |mean| format!("({mean:.2})"));
        let front = ["geometric mean", "", ""].map(str::to_owned).into_iter();
        rows.push(front.chain(ratios.iter().map(mean)).collect());
        rows
    }

    fn qualities(&self) -> Vec<Vec<String>> {
        let mut rows = vec![self.heading(&["at the end", "measure"])];
        for scene in &self.scenes {
            let measures: [(&str, fn(&Measured) -> f64); 6] = [
                ("largest overlap, mm", |one| 1000.0 * one.quality.largest_overlap),
                ("mean overlap, mm", |one| 1000.0 * one.quality.mean_overlap),
                ("largest gap of a joint, mm", |one| 1000.0 * one.quality.largest_gap),
                ("mean gap of a joint, mm", |one| 1000.0 * one.quality.mean_gap),
                ("mean kinetic energy, J", |one| one.quality.mean_kinetic_energy),
                ("drift, mm", |one| 1000.0 * one.quality.drift),
            ];
            // What is dropped is to move; what stands is not.
            let stands = scene.name.starts_with("wall") || scene.name.starts_with("columns");
            let is_meant =
                |label: &str| (stands || !label.starts_with("drift")) && (scene.joints > 0 || !label.contains("joint"));
            for (label, measure) in measures.into_iter().filter(|(label, _)| is_meant(label)) {
                let cells =
                    scene.rounds.iter().map(|rounds| rounds.first().map(measure).map_or_else(String::new, three));
                rows.push([scene.name.clone(), label.to_owned()].into_iter().chain(cells).collect());
            }
        }
        rows
    }

    /// The largest distance between two rounds of one cell, over its median.
    fn widest_spread(&self) -> f64 {
        let cells = self.scenes.iter().flat_map(|scene| &scene.rounds);
        cells.filter_map(|rounds| spread(rounds)).map(|of| (of.max - of.min) / of.median).fold(0.0, f64::max)
    }
}

fn spread(rounds: &[Measured]) -> Option<Milliseconds> {
    Milliseconds::of(rounds.iter().map(|round| round.milliseconds).collect())
}

/// Nothing where the engine did not come to the end.
fn median(rounds: &[Measured]) -> Option<f64> {
    spread(rounds).map(|of| of.median)
}

/// Rows below a heading, their cells below each other.
fn lay_out(rows: &[Vec<String>], markdown: bool) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let cell = |(place, (text, width)): (usize, (&String, &usize))| match place {
        0 => format!("{text:<width$}"),
        _ => format!("{text:>width$}"),
    };
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().zip(&widths).enumerate().map(cell).collect();
        if markdown {
            text.push_str(&format!("| {} |\n", cells.join(" | ")));
        } else {
            text.push_str(format!("{}\n", cells.join("  ")).trim_start_matches('\n'));
        }
        if markdown && number == 0 {
            let rules: Vec<&str> = (0..columns).map(|place| if place == 0 { "---" } else { "---:" }).collect();
            text.push_str(&format!("|{}|\n", rules.join("|")));
        }
    }
    text
}
