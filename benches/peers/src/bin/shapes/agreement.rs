//! Whether both say the same; and where not, which of them shows what it says.

use physim::collision::query::{Closest, Ray, cast_ray, closest};
use physim::math::{Fixed, Mat3, Scalar, SplitMix64, Vec3};

use crate::pair::{Kind, Pair, number, reach, rotation_in, unit, vector, vector_in};
use crate::theirs::double::Theirs;

/// Differences up to this part of the sizes are rounding.
const SAME: f64 = 1e-6;

/// What came of the pairs of one combination.
#[derive(Default)]
struct Tally {
    compared: u32,
    /// They have no answer.
    without: u32,
    worst: f64,
    beyond: u32,
    /// Of those beyond: theirs shown to be wrong.
    theirs_off: u32,
    /// Of those beyond: ours shown to be wrong.
    ours_off: u32,
    worst_f32: f64,
    worst_fixed: f64,
    /// The part of the way that parts by which it does not.
    worst_parting: f64,
}

/// Prints how the distances and depths of random pairs compare.
pub fn distances(pairs: u32, seed: u64, only: &str) {
    println!("Distances and depths of {pairs} random pairs each, as parts of both sizes together.\n");
    println!(
        "| pair | parry has none | largest difference | beyond 1e-6 | parry's is off | physim's is off | f32 | fixed | left after parting |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (place, &first) in Kind::ALL.iter().enumerate() {
        for &second in &Kind::ALL[place..] {
            let name = format!("{}, {}", first.name(), second.name());
            if (first, second) == (Kind::HalfSpace, Kind::HalfSpace) || !name.contains(only) {
                continue;
            }
            let mut random = SplitMix64::new(seed);
            let mut tally = Tally::default();
            for _ in 0..pairs {
                compare(&Pair::random([first, second], &mut random), &mut tally);
            }
            let Tally { without, worst, beyond, theirs_off, ours_off, worst_f32, worst_fixed, worst_parting, .. } =
                tally;
            println!(
                "| {name} | {without} | {worst:.1e} | {beyond} | {theirs_off} | {ours_off} | {worst_f32:.1e} | {worst_fixed:.1e} | {worst_parting:.1e} |"
            );
        }
    }
}

fn compare(pair: &Pair, tally: &mut Tally) {
    let [a, b] = pair.rotations();
    let Some(ours) = closest((&pair.shapes[0], &a), (&pair.shapes[1], &b), pair.offset) else {
        println!("no answer: {pair:?}");
        return;
    };
    if ours.distance < 0.0 {
        // Moved apart by the depth, nothing may be left of the overlap.
        let apart = pair.offset - ours.normal * ours.distance;
        let left = closest((&pair.shapes[0], &a), (&pair.shapes[1], &b), apart).map_or(0.0, |left| -left.distance);
        tally.worst_parting = tally.worst_parting.max(left / pair.size);
    }
    tally.worst_f32 = tally.worst_f32.max(in_scalar::<f32>(pair, ours.distance));
    tally.worst_fixed = tally.worst_fixed.max(in_scalar::<Fixed>(pair, ours.distance));
    let Some((theirs, normal)) = Theirs::of(pair).distance(1e4) else {
        tally.without += 1;
        return;
    };
    tally.compared += 1;
    let difference = (ours.distance - theirs).abs() / pair.size;
    tally.worst = tally.worst.max(difference);
    if difference > SAME {
        tally.beyond += 1;
        let their_gap = shown_along(pair, (&a, &b), normal);
        let is_ours_right = is_borne_out(pair, (&a, &b), &ours);
        let is_theirs_right = their_gap >= theirs - SAME * pair.size / 2.0;
        // What is borne out bounds the truth from below: along a direction the shapes part by that, and can be no nearer than that.
        tally.theirs_off += u32::from(is_ours_right && (theirs < ours.distance || !is_theirs_right));
        tally.ours_off += u32::from(is_theirs_right && theirs > ours.distance);
    }
}

/// Whether the shapes bear our answer out. Apart: its two points lie on them, so they are no farther from each other, and a plane across the
/// normal parts them by the distance, so they are no nearer. Overlapping: moved along the normal by the depth they are apart.
fn is_borne_out(pair: &Pair, rotations: (&Mat3<f64>, &Mat3<f64>), ours: &Closest<f64>) -> bool {
    let slack = SAME * pair.size / 2.0;
    let is_parted = shown_along(pair, rotations, ours.normal) >= ours.distance - slack;
    let way = ours.points[1] - ours.points[0];
    is_parted && (ours.distance <= 0.0 || way.length() <= ours.distance + slack)
}

/// The gap that a direction from A to B shows, told by the farthest points.
fn shown_along(pair: &Pair, (a, b): (&Mat3<f64>, &Mat3<f64>), normal: Vec3<f64>) -> f64 {
    physim::collision::gap_along((&pair.shapes[0], a), (&pair.shapes[1], b), pair.offset, normal)
}

/// How far another scalar is from the distance, as a part of the sizes.
fn in_scalar<S: Scalar>(pair: &Pair, distance: f64) -> f64 {
    let [first, second] = pair.shapes_in::<S>();
    let [a, b] = pair.turns.map(rotation_in::<S>);
    let found = closest((&first, &a), (&second, &b), vector_in(pair.offset));
    found.map_or(f64::INFINITY, |found| (found.distance.to_f64() - distance).abs() / pair.size)
}

/// Prints how rays compare.
pub fn rays(pairs: u32, seed: u64) {
    println!("\n{pairs} random rays each: distances as parts of the size.\n");
    println!("| shape | hits | one hits only | largest difference | f32 | fixed |");
    println!("|---|---:|---:|---:|---:|---:|");
    for kind in Kind::ALL {
        let mut random = SplitMix64::new(seed);
        let (mut hits, mut lone, mut worst, mut in_f32, mut in_fixed) = (0_u32, 0_u32, 0.0_f64, 0.0_f64, 0.0_f64);
        for _ in 0..pairs {
            let pair = Pair { offset: Vec3::ZERO, ..Pair::random([Kind::Ball, kind], &mut random) };
            let ray = random_ray(&pair, &mut random);
            let [_, rotation] = pair.rotations();
            let (ours, theirs) = (cast_ray(&pair.shapes[1], &rotation, &ray), Theirs::of(&pair).ray(&ray));
            match (ours, theirs) {
                (Some(ours), Some((theirs, _))) => {
                    hits += 1;
                    let size = reach(&pair.shapes[1]);
                    worst = worst.max((ours.distance - theirs).abs() / size);
                    in_f32 = in_f32.max(ray_in::<f32>(&pair, &ray, ours.distance) / size);
                    in_fixed = in_fixed.max(ray_in::<Fixed>(&pair, &ray, ours.distance) / size);
                }
                (None, None) => {}
                _ => lone += 1,
            }
        }
        println!("| {} | {hits} | {lone} | {worst:.1e} | {in_f32:.1e} | {in_fixed:.1e} |", kind.name());
    }
}

/// A ray from outside towards the shape, or past it.
fn random_ray(pair: &Pair, random: &mut SplitMix64) -> Ray<f64> {
    let size = reach(&pair.shapes[1]);
    let start = vector(random).normalise().map_or(Vec3::X, |(unit, _)| unit) * (size * (1.5 + 3.0 * unit(random)));
    let target = vector(random) * (size * 2.0);
    let (direction, length) = (target - start).normalise().unwrap_or((Vec3::X, 1.0));
    Ray { origin: start, direction, length: length * 2.0 }
}

/// How far another scalar is from the distance, metres; a ray that just misses there counts as none.
fn ray_in<S: Scalar>(pair: &Pair, ray: &Ray<f64>, distance: f64) -> f64 {
    let [_, shape] = pair.shapes_in::<S>();
    let (direction, _) = vector_in::<S>(ray.direction).normalise().unwrap_or((Vec3::X, S::ONE));
    let ray = Ray { origin: vector_in(ray.origin), direction, length: number(ray.length) };
    let hit = cast_ray(&shape, &rotation_in(pair.turns[1]), &ray);
    hit.map_or(0.0, |hit| (hit.distance.to_f64() - distance).abs())
}
