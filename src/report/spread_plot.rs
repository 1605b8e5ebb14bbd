//! How a difference spreads, as a picture: the number of objects that differ, step by step.

use crate::analysis::diff::Diff;

use crate::report::chart::palette::Style;
use crate::report::chart::{Axis, Chart, Line, Panel, draw};

/// Width and height of the picture, in pixels.
const SIZE: (u32, u32) = (720, 360);

/// The spread of a difference as the text of an SVG file.
pub fn spread_svg(diff: &Diff, title: &str) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
    let points = diff.spread.iter().map(|spread| (f64::from(spread.step), spread.objects as f64)).collect();
    let line = Line { name: String::new(), style: Style::of(1, 0), has_dots: true, is_joined: true, points };
    let chart = Chart {
        title: Some(title.to_owned()),
        about: format!("objects that differ between {title}"),
        size: SIZE,
        x: Axis::whole("step"),
        panels: vec![Panel { y: Axis::whole("objects that differ"), lines: vec![line] }],
        notes: Vec::new(),
    };
    draw(&chart).svg
}
