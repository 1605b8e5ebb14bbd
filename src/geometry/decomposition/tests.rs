use crate::geometry::decomposition::{
    Corner, Decomposition, DecompositionError, DecompositionSettings, MAX_SOLID_TRIANGLES, decompose, decompose_within,
};
use crate::geometry::hull::{GridPoint, enclosed_volume};
use proptest::prelude::{Just, ProptestConfig, Strategy, prop_oneof, proptest};

/// Points and triangles.
type Surface = (Vec<GridPoint>, Vec<[u32; 3]>);

const SETTINGS: DecompositionSettings = DecompositionSettings { most_parts: 32, tolerance: 0.02 };

/// The surface of those cells of a rectangular grid that are filled. `ends` has the coordinates of the grid along each axis.
fn blocks(ends: [&[i64]; 3], is_filled: impl Fn([usize; 3]) -> bool) -> Surface {
    let counts = ends.map(<[i64]>::len);
    let number = |at: [usize; 3]| ((at[0] * counts[1] + at[1]) * counts[2] + at[2]) as u32;
    let filled = |at: [i64; 3]| {
        let inside = (0..3).all(|axis| (0..counts[axis] as i64 - 1).contains(&at[axis]));
        inside && is_filled(at.map(|place| place as usize))
    };
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for x in 0..counts[0] {
        for y in 0..counts[1] {
            for z in 0..counts[2] {
                points.push([ends[0][x], ends[1][y], ends[2][z]]);
                for axis in 0..3 {
                    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                    let step = |axes: &[usize]| {
                        let mut at = [x, y, z];
                        axes.iter().for_each(|&axis| at[axis] += 1);
                        at
                    };
                    if [u, v].iter().any(|&other| [x, y, z][other] + 1 >= counts[other]) {
                        continue;
                    }
                    let above = [x, y, z].map(|place| place as i64);
                    let mut below = above;
                    below[axis] -= 1;
                    let mut corners = [step(&[]), step(&[u]), step(&[u, v]), step(&[v])].map(number);
                    match (filled(below), filled(above)) {
                        (true, false) => {}
                        (false, true) => corners.reverse(),
                        _ => continue,
                    }
                    triangles.extend([[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]]);
                }
            }
        }
    }
    (points, triangles)
}

fn ell() -> Surface {
    blocks([&[0, 200, 1000], &[0, 200, 1000], &[0, 500]], |[x, y, _]| x == 0 || y == 0)
}

/// A board on four legs that stand in from its rim.
fn table() -> Surface {
    let across: &[i64] = &[-500, -450, -400, 400, 450, 500];
    blocks([across, &[0, 700, 750], across], |[x, y, z]| y == 1 || ([1, 3].contains(&x) && [1, 3].contains(&z)))
}

/// A box with an empty room in it.
fn hollow() -> Surface {
    blocks([&[0, 100, 900, 1000]; 3], |at| at != [1, 1, 1])
}

/// What a closed polygon in the plane of x and y makes, turned about y.
fn turned(profile: &[[f64; 2]], count: usize, is_ring: bool) -> Surface {
    let mut points = Vec::new();
    for step in 0..count {
        let angle = std::f64::consts::TAU * step as f64 / count as f64;
        for [radius, height] in profile {
            points.push([radius * libm::cos(angle), *height, -radius * libm::sin(angle)].map(|x| x.round() as i64));
        }
    }
    let length = profile.len();
    let mut triangles = Vec::new();
    let sides = if is_ring { length } else { length - 1 };
    for step in 0..count {
        for side in 0..sides {
            let at = |step: usize, place: usize| ((step % count) * length + place % length) as u32;
            let [a, b, c, d] = [at(step, side), at(step + 1, side), at(step + 1, side + 1), at(step, side + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (points, triangles)
}

/// 400 triangles.
fn torus() -> Surface {
    let ring: Vec<[f64; 2]> = (0..10)
        .map(|place| {
            let angle = std::f64::consts::TAU * f64::from(place) / 10.0;
            [1e6 + 3e5 * libm::cos(angle), 3e5 * libm::sin(angle)]
        })
        .collect();
    turned(&ring, 20, true)
}

/// Half a ball's shell, a tenth of the radius thick.
fn bowl() -> Surface {
    let arc = |radius: f64, place: i32| {
        let angle = std::f64::consts::FRAC_PI_2 * f64::from(place) / 6.0;
        [radius * libm::sin(angle), -radius * libm::cos(angle)]
    };
    let outer = (0..=6).map(|place| arc(1e6, place));
    let profile: Vec<[f64; 2]> = outer.chain((0..=6).rev().map(|place| arc(9e5, place))).collect();
    turned(&profile, 16, false)
}

fn parts_of((points, triangles): &Surface, settings: DecompositionSettings) -> Decomposition {
    decompose(points, triangles, settings).unwrap_or_else(|error| panic!("{error}"))
}

fn places(surface: &Surface, part: &[Corner]) -> Vec<[f64; 3]> {
    let place = |corner: &Corner| match corner {
        Corner::Point(number) => surface.0[*number as usize].map(|x| x as f64),
        Corner::Cut(place) => *place,
    };
    part.iter().map(place).collect()
}

/// Points of a part on a finer grid: so many steps in one.
fn finer(surface: &Surface, part: &[Corner], times: f64) -> Vec<GridPoint> {
    places(surface, part).iter().map(|place| place.map(|x| (x * times).round() as i64)).collect()
}

/// What the hulls of all parts enclose, over what the solid does.
fn filled(surface: &Surface, parts: &Decomposition, times: f64) -> f64 {
    let volumes = parts.parts.iter().map(|part| enclosed_volume(&finer(surface, part, times), usize::MAX));
    volumes.sum::<f64>() / (times * times * times) / parts.volume
}

#[test]
fn what_is_convex_stays_whole() {
    for surface in [
        blocks([&[0, 7]; 3], |_| true),
        blocks([&[-5, 0, 3, 8], &[0, 10], &[1, 2]], |_| true),
        turned(&[[0.0, -5e5], [5e5, 0.0], [0.0, 5e5]], 9, false),
    ] {
        let parts = parts_of(&surface, SETTINGS);
        assert_eq!(parts.parts.len(), 1);
        assert!(parts.parts[0].iter().all(|corner| matches!(corner, Corner::Point(_))));
    }
}

#[test]
fn blocks_are_cut_where_they_were_put_together() {
    for (surface, count, volume) in [
        (ell(), 2, 0.5 * (1.0 - 0.64)),
        (table(), 5, 0.05 + 4.0 * 0.05 * 0.05 * 0.7),
        (hollow(), 6, 1.0 - 0.512),
        // Two blocks that only stand side by side.
        (blocks([&[0, 100, 200, 300], &[0, 50], &[0, 50]], |[x, _, _]| x != 1), 2, 0.0005),
    ] {
        let parts = parts_of(&surface, SETTINGS);
        assert_eq!(parts.parts.len(), count);
        assert!((parts.volume / 1e9 - volume).abs() < 1e-12, "{}", parts.volume);
        assert!((filled(&surface, &parts, 64.0) - 1.0).abs() < 1e-9);
    }
}

/// By how much their hulls are larger than the solid: measured, and stated in docs/scene-format.md.
#[test]
fn round_solids_are_filled_to_their_tolerance_or_as_far_as_parts_go() {
    for (surface, most_parts, tolerance, counts, most_excess) in [
        (torus(), 32, 0.02, 32..=32, 0.025),
        (torus(), 128, 0.05, 10..=20, 0.05),
        (bowl(), 32, 0.02, 32..=32, 0.45),
        (bowl(), 128, 0.1, 60..=80, 0.1),
    ] {
        let parts = parts_of(&surface, DecompositionSettings { most_parts, tolerance });
        let excess = filled(&surface, &parts, 0.5) - 1.0;
        assert!(counts.contains(&parts.parts.len()), "{}", parts.parts.len());
        assert!((0.0..=most_excess).contains(&excess), "{excess}");
    }
}

/// Planes around some points, through three of them each: normals, and how far the points reach along them.
fn planes(hull: &[[f64; 3]]) -> Vec<([f64; 3], f64)> {
    let minus = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let mut planes = Vec::new();
    for (i, &a) in hull.iter().enumerate() {
        for (j, &b) in hull.iter().enumerate() {
            for &c in &hull[i.max(j) + 1..] {
                let (u, v) = (minus(b, a), minus(c, a));
                let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
                let reach = dot(normal, a);
                let slack = dot(normal, normal).sqrt() * 1e-3;
                if slack > 1e-3 && hull.iter().all(|&corner| dot(normal, corner) <= reach + slack) {
                    planes.push((normal, reach));
                }
            }
        }
    }
    planes
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[test]
fn every_point_of_the_solid_lies_in_a_part_and_no_two_parts_share_a_room() {
    // The table's own solid, in thousandths of its width.
    let is_solid = |[x, y, z]: [f64; 3]| {
        let is_leg = |at: f64| (400.0..450.0).contains(&at.abs());
        let is_in = x.abs() < 500.0 && z.abs() < 500.0 && (0.0..750.0).contains(&y);
        is_in && (y >= 700.0 || (is_leg(x) && is_leg(z)))
    };
    let surface = table();
    let parts = parts_of(&surface, SETTINGS);
    let parts: Vec<_> = parts.parts.iter().map(|part| planes(&places(&surface, part))).collect();
    assert!(parts.iter().all(|planes| planes.len() >= 6));
    let mut random = 7_u64;
    let mut draw = |least: f64, most: f64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        least + (random >> 11) as f64 / (1_u64 << 53) as f64 * (most - least)
    };
    let mut solid = 0;
    for turn in 0..400 {
        // Half of them where the legs are.
        let reach = if turn % 2 == 0 { (400.0, 450.0) } else { (-510.0, 510.0) };
        let place = [draw(reach.0, reach.1), draw(-10.0, 760.0), draw(reach.0, reach.1)];
        let holding = parts.iter().filter(|part| part.iter().all(|&(normal, reach)| dot(normal, place) <= reach));
        let holding = holding.count();
        assert_eq!(holding, usize::from(is_solid(place)), "{place:?}");
        solid += holding;
    }
    assert!(solid > 150, "{solid}");
}

#[test]
fn every_point_of_a_ring_lies_in_a_part() {
    let surface = torus();
    let parts = parts_of(&surface, DecompositionSettings { most_parts: 64, tolerance: 0.1 });
    let parts: Vec<_> = parts.parts.iter().map(|part| planes(&places(&surface, part))).collect();
    assert!(parts.len() >= 6, "{}", parts.len());
    for place in 0..400 {
        // Along the chords between two of its twenty circles, on a disc that the decagon there holds.
        let [step, share] = [f64::from(place / 20), f64::from(place % 20) / 20.0];
        let [from, to] = [step, step + 1.0].map(|step| std::f64::consts::TAU * step / 20.0);
        let [x, z] = [
            libm::cos(from) + (libm::cos(to) - libm::cos(from)) * share,
            libm::sin(from) + (libm::sin(to) - libm::sin(from)) * share,
        ];
        let (turn, arm) = (f64::from(place) * 2.4, 2.8e5 * f64::from(place % 7) / 6.0);
        let out = 1e6 + arm * libm::cos(turn);
        let point = [out * x, arm * libm::sin(turn), -out * z];
        // Corners of cuts are not whole numbers: a plane through three of them may leave out a hair.
        let is_in = |part: &&Vec<([f64; 3], f64)>| {
            part.iter().all(|&(normal, reach)| dot(normal, point) - reach <= dot(normal, normal).sqrt() * 1e-3)
        };
        assert!(parts.iter().any(|part| is_in(&part)), "{point:?}");
    }
}

#[test]
fn neither_the_order_of_triangles_nor_that_of_points_matters() {
    for surface in [table(), torus()] {
        let settings = DecompositionSettings { most_parts: 12, tolerance: 0.02 };
        let known = |surface: &Surface| {
            let parts = parts_of(surface, settings).parts;
            parts.iter().map(|part| places(surface, part)).collect::<Vec<_>>()
        };
        let count = surface.0.len() as u32;
        let points = surface.0.iter().rev().copied().collect();
        let turned = |&[a, b, c]: &[u32; 3]| [b, c, a].map(|corner| count - 1 - corner);
        let shuffled: Surface = (points, surface.1.iter().rev().map(turned).collect());
        assert_eq!(known(&surface), known(&shuffled));
        // Inside out it is the same solid, too.
        let inverted = (surface.0.clone(), surface.1.iter().map(|&[a, b, c]| [a, c, b]).collect());
        assert_eq!(known(&surface), known(&inverted));
    }
}

#[test]
fn what_is_not_closed_says_where() {
    let error = |surface: &Surface| decompose(&surface.0, &surface.1, SETTINGS).expect_err("an error");
    let whole = ell();
    let mut open = whole.clone();
    let missing = open.1.remove(5);
    let DecompositionError::Open { triangle, between, sides: 3 } = error(&open) else { panic!("{:?}", error(&open)) };
    assert!(between.iter().all(|point| missing.contains(point)));
    assert!(between.iter().all(|point| open.1[triangle].contains(point)));
    let mut flipped = whole.clone();
    flipped.1[7].swap(0, 1);
    let apart = error(&flipped);
    let DecompositionError::FacesApart { triangles, .. } = apart else { panic!("{apart:?}") };
    assert!(triangles.contains(&7), "{apart}");
    // A double-sided sheet is closed, and holds nothing.
    let sheet = (vec![[0, 0, 0], [9, 0, 0], [0, 9, 0]], vec![[0, 1, 2], [0, 2, 1]]);
    assert_eq!(error(&sheet), DecompositionError::NoVolume);
    assert_eq!(error(&(Vec::new(), Vec::new())), DecompositionError::NoVolume);
    let rows = blocks([&[0, 1, 2, 3, 4, 5, 6, 7], &[0, 1], &[0, 1]], |[x, _, _]| x % 2 == 0);
    let few = DecompositionSettings { most_parts: 3, tolerance: 0.02 };
    assert_eq!(decompose(&rows.0, &rows.1, few), Err(DecompositionError::TooManyPieces(4)));
    let many = (whole.0, vec![[0, 1, 2]; MAX_SOLID_TRIANGLES + 1]);
    assert_eq!(error(&many), DecompositionError::TooManyTriangles(MAX_SOLID_TRIANGLES + 1));
}

#[test]
fn there_are_never_more_parts_than_were_asked_for() {
    for most_parts in 1..8 {
        let parts = parts_of(&table(), DecompositionSettings { most_parts, tolerance: 0.0 });
        assert!((1..=most_parts).contains(&parts.parts.len()), "{}", parts.parts.len());
    }
}

#[test]
fn cutting_ends_where_it_takes_more_than_was_foreseen() {
    let (points, triangles) = hollow();
    let parts = |work: u64| {
        let found = decompose_within(&points, &triangles, SETTINGS, work).expect("a solid");
        found.parts.len()
    };
    let count = triangles.len() as u64;
    let [none, one_cut, foreseen, any] = [0, 40 * count, 1_000_000, u64::MAX].map(parts);
    assert_eq!((none, foreseen), (1, any));
    assert!((2..any).contains(&one_cut), "{one_cut} of {any}");
}

#[test]
fn repeated_and_flat_triangles_change_nothing() {
    let plain = ell();
    let mut doubled = plain.clone();
    doubled.1.extend(plain.1.iter().map(|&[a, b, c]| [b, c, a]));
    doubled.1.extend([[0, 0, 1], [2, 2, 2]]);
    assert_eq!(parts_of(&plain, SETTINGS), parts_of(&doubled, SETTINGS));
}

/// Some points, near each other, in a plane or far apart, and triangles of any of them.
fn junk() -> impl Strategy<Value = Surface> {
    let reach = prop_oneof![Just(2_i64), Just(20), Just(1 << 29)];
    (reach, 1..14_usize).prop_flat_map(|(reach, count)| {
        let points = proptest::collection::vec((-reach..=reach, -reach..=reach, -reach..=reach), count);
        let corner = 0..count as u32;
        let triangles = proptest::collection::vec((corner.clone(), corner.clone(), corner), 0..40);
        (points, triangles).prop_map(|(points, triangles)| {
            let points = points.into_iter().map(|(x, y, z)| [x, y, z]).collect();
            (points, triangles.into_iter().map(|(a, b, c)| [a, b, c]).collect())
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn junk_has_a_result_or_an_error(surface in junk()) {
        let _ = decompose(&surface.0, &surface.1, SETTINGS);
    }

    /// Tetrahedra on any four corners each are closed, whatever they do to each other.
    #[test]
    fn tetrahedra_in_each_other_s_way_have_a_result(surface in junk()) {
        let count = surface.0.len() as u32;
        let closed: Vec<[u32; 3]> = surface.1.iter().flat_map(|&[a, b, c]| {
            let d = (a + b + c) % count;
            [[a, b, c], [a, c, d], [a, d, b], [b, d, c]]
        }).collect();
        let settings = DecompositionSettings { most_parts: 40, tolerance: 0.02 };
        match decompose(&surface.0, &closed, settings) {
            Ok(parts) => assert!((1..=40).contains(&parts.parts.len()) && parts.volume > 0.0),
            Err(error) => assert!(!matches!(error, DecompositionError::TooManyTriangles(_))),
        }
    }
}
