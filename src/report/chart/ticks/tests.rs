use crate::report::chart::scale::Scale;
use crate::report::chart::svg::text_width;
use crate::report::chart::ticks::Ticks;
use crate::report::chart::{Axis, AxisKind, TEXT_SIZE};

fn ticks(low: f64, high: f64, axis: &Axis, length: f64) -> Ticks {
    let scale = Scale { low, high, is_log: axis.is_log };
    Ticks::new(&scale, axis, length, |label| text_width(label, TEXT_SIZE) + 20.0)
}

fn labels(ticks: &Ticks) -> Vec<&str> {
    ticks.marks.iter().map(|tick| tick.label.as_str()).collect()
}

#[test]
fn ticks_stand_at_round_numbers() {
    let energy = Axis::real("energy", "J");
    assert_eq!(labels(&ticks(0.0, 10.3, &energy, 300.0)), ["0", "2", "4", "6", "8", "10"]);
    assert_eq!(labels(&ticks(-0.1, 0.35, &energy, 300.0)), ["−0.1", "0.0", "0.1", "0.2", "0.3"]);
    let large = ticks(0.0, 3.2e6, &energy, 300.0);
    assert_eq!(
        (labels(&large), large.title.as_str()),
        (vec!["0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0"], "energy (MJ)")
    );
    assert_eq!(
        labels(&ticks(0.0, 36_000.0, &Axis::whole("step"), 300.0)),
        ["0", "10\u{202f}000", "20\u{202f}000", "30\u{202f}000"]
    );
}

#[test]
fn whole_numbers_have_no_tick_between_them() {
    assert_eq!(labels(&ticks(0.0, 2.0, &Axis::whole("contacts"), 600.0)), ["0", "1", "2"]);
}

#[test]
fn what_all_labels_share_goes_to_the_name_of_the_axis() {
    let near = ticks(1_234_567.000_1, 1_234_567.000_5, &Axis::real("total", "J"), 200.0);
    assert!(near.title.starts_with("total − 1\u{202f}234\u{202f}567.000"), "{}", near.title);
    assert!(near.title.ends_with("(µJ)"), "{}", near.title);
    assert!(labels(&near).iter().all(|label| label.len() <= 5), "{near:?}");
}

#[test]
fn decades_are_labelled_as_powers_and_short_ranges_as_numbers() {
    let overlap = Axis::real("overlap", "m").logarithmic(true);
    assert_eq!(labels(&ticks(0.0009, 20.0, &overlap, 600.0)), ["10^{−3}", "10^{−2}", "10^{−1}", "1", "10"]);
    assert!(ticks(0.0009, 20.0, &overlap, 600.0).minor.len() > 20);
    assert!(labels(&ticks(2.0, 9.0, &overlap, 600.0)).contains(&"4"));
    assert!(labels(&ticks(1e-300, 1e300, &overlap, 300.0)).len() > 2);
}

#[test]
fn names_that_do_not_fit_are_left_out_in_turn() {
    let names: Vec<String> = (0..30).map(|number| format!("setting {number}")).collect();
    let axis = Axis { kind: AxisKind::Names(names), ..Axis::real("a", "") };
    let shown = ticks(-0.5, 29.5, &axis, 400.0);
    assert_eq!(shown.marks.len(), 30);
    assert!((2..10).contains(&labels(&shown).iter().filter(|label| !label.is_empty()).count()));
}

/// Whatever the ends are: some ticks, all on the axis, and no two labels the same or on each other.
#[test]
fn labels_never_overlap() {
    let axis = Axis::real("a", "kg m/s");
    for exponent in -30_i32..30 {
        for (low, high) in [(0.0, 1.0), (-1.0, 1.7), (0.3, 0.31), (-7.0, -6.9999), (5.0, 5.000_000_1)] {
            let size = libm::pow(10.0, f64::from(exponent));
            let scale = Scale { low: low * size, high: high * size, is_log: false };
            let room = |label: &str| text_width(label, TEXT_SIZE) + 20.0;
            let ticks = Ticks::new(&scale, &axis, 500.0, room);
            assert!(ticks.marks.len() > 1, "{scale:?} {ticks:?}");
            for pair in ticks.marks.windows(2) {
                assert_ne!(pair[0].label, pair[1].label, "{scale:?} {ticks:?}");
                let between = (scale.place(pair[1].at) - scale.place(pair[0].at)) * 500.0;
                assert!(between >= (room(&pair[0].label) + room(&pair[1].label)) / 2.0, "{ticks:?}");
            }
            assert!(ticks.marks.iter().all(|tick| (-1e-6..=1.0 + 1e-6).contains(&scale.place(tick.at))));
        }
    }
}
