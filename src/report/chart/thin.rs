//! Fewer points where there are more than pixels: of each column of pixels the first, the lowest, the highest and the last.

/// How many columns there are in a pixel.
const COLUMNS_IN_PIXEL: f64 = 1.0;
/// Columns with at most so many points stay as they are.
const MOST_IN_COLUMN: usize = 4;

/// The points, in their order, of which a line looks the same; `points` are pixels, their x never falls.
pub fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let column = |point: &(f64, f64)| libm::floor(point.0 * COLUMNS_IN_PIXEL);
    let mut left = Vec::new();
    for group in points.chunk_by(|a, b| column(a) == column(b)) {
        if group.len() <= MOST_IN_COLUMN {
            left.extend_from_slice(group);
            continue;
        }
        let last = group.len() - 1;
        let (mut lowest, mut highest) = (0, 0);
        for (place, point) in group.iter().enumerate() {
            lowest = if point.1 < group[lowest].1 { place } else { lowest };
            highest = if point.1 > group[highest].1 { place } else { highest };
        }
        let mut kept = vec![0, lowest, highest, last];
        kept.sort_unstable();
        kept.dedup();
        left.extend(kept.into_iter().map(|place| group[place]));
    }
    left
}

#[cfg(test)]
mod tests {
    use super::thinned;

    #[test]
    fn peaks_stay_however_many_points_there_are() {
        let mut points: Vec<(f64, f64)> = (0..100_000).map(|place| (f64::from(place) / 1000.0, 50.0)).collect();
        points[54_321].1 = 7.0;
        points[54_400].1 = 93.0;
        let left = thinned(&points);
        assert!(left.len() <= 400, "{}", left.len());
        assert!(left.contains(&points[54_321]) && left.contains(&points[54_400]));
        assert_eq!((left.first(), left.last()), (points.first(), points.last()));
        assert!(left.is_sorted_by(|a, b| a.0 <= b.0));
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let points = [(0.0, 1.0), (0.1, 2.0), (5.0, 3.0)];
        assert_eq!(thinned(&points), points);
        assert!(thinned(&[]).is_empty());
    }
}
