//! How a difference spreads, as a picture: the number of objects that differ, step by step.

use physim::analysis::diff::Diff;
use plotters::backend::SVGBackend;
use plotters::chart::ChartBuilder;
use plotters::drawing::IntoDrawingArea;
use plotters::element::Circle;
use plotters::series::LineSeries;
use plotters::style::{Color, RED, WHITE};

/// Width and height of the picture, in pixels.
const SIZE: (u32, u32) = (800, 400);

/// The spread of a difference as the text of an SVG file; or why it cannot be drawn.
pub fn spread_svg(diff: &Diff, title: &str) -> Result<String, String> {
    let mut svg = String::new();
    draw(&mut svg, diff, title).map_err(|error| format!("cannot draw the plot: {error}"))?;
    Ok(svg)
}

fn draw(svg: &mut String, diff: &Diff, title: &str) -> Result<(), Box<dyn std::error::Error>> {
    let points: Vec<(u32, u32)> =
        diff.spread.iter().map(|spread| (spread.step, u32::try_from(spread.objects).unwrap_or(u32::MAX))).collect();
    let first = points.first().map_or(0, |(step, _)| *step);
    let last = points.last().map_or(1, |(step, _)| (*step).max(first + 1));
    let most = points.iter().map(|(_, objects)| *objects).max().unwrap_or(1).max(1);
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(first..last, 0..most + most.div_ceil(10))?;
    chart.configure_mesh().x_desc("step").y_desc("objects that differ").draw()?;
    chart.draw_series(LineSeries::new(points.iter().copied(), RED.stroke_width(2)))?;
    chart.draw_series(points.iter().map(|point| Circle::new(*point, 3, RED.filled())))?;
    area.present()?;
    drop(chart);
    drop(area);
    Ok(())
}
