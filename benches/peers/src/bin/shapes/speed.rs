//! What a call takes, in turn: ours in f32 and in fixed point, theirs in f32.

use std::hint::black_box;
use std::time::Instant;

use physim::collision::query::{Moving, Ray, cast_ray, closest, time_of_impact};
use physim::collision::{Bearing, ContactSearch, NarrowPhase, collide, collide_by};
use physim::geometry::Shape;
use physim::geometry::mesh::{Mesh, turned as turned_into};
use physim::math::{Fixed, Mat3, Pose, Quat, Scalar, SplitMix64, Vec3};

use crate::pair::{Kind, Pair, number, reach, rotation_in, vector_in};
use crate::theirs::single::Theirs;

/// Pairs of a timed round.
const PAIRS: usize = 2000;
/// Up to which gap there are contact points, metres.
const MARGIN: f64 = 0.02;

/// A pair in one scalar.
struct Ours<S: Scalar> {
    shapes: [Shape<S>; 2],
    rotations: [Mat3<S>; 2],
    turns: [Quat<S>; 2],
    offset: Vec3<S>,
    ray: Ray<S>,
    displacement: Vec3<S>,
}

impl<S: Scalar> Ours<S> {
    fn of(pair: &Pair, ray: &Ray<f64>, displacement: Vec3<f64>) -> Self {
        let (direction, _) = vector_in::<S>(ray.direction).normalise().unwrap_or((Vec3::X, S::ONE));
        let turns = pair
            .turns
            .map(|turn| Quat::new(number(turn.w), number(turn.x), number(turn.y), number(turn.z)).normalise());
        Self {
            shapes: pair.shapes_in(),
            rotations: pair.turns.map(rotation_in),
            turns,
            offset: vector_in(pair.offset),
            ray: Ray { origin: vector_in(ray.origin), direction, length: number(ray.length) },
            displacement: vector_in(displacement),
        }
    }

    fn call(&self, what: What) -> bool {
        let [a, b] = [0, 1].map(|side| (&self.shapes[side], &self.rotations[side]));
        match what {
            What::Contact => match a.0 {
                Shape::Mesh(mesh) => self.touches_facets(mesh),
                _ => !collide(a.0, a.1, b.0, b.1, self.offset, number(MARGIN)).is_empty(),
            },
            What::Distance => closest(a, b, self.offset).is_some(),
            What::Ray => {
                let seen = Ray { origin: self.ray.origin - self.offset, ..self.ray };
                cast_ray(b.0, b.1, &seen).is_some()
            }
            What::Cast => {
                let moving = |side: usize, displacement| Moving {
                    shape: &self.shapes[side],
                    local: Pose::IDENTITY,
                    orientation: self.turns[side],
                    displacement,
                    turn: Vec3::ZERO,
                };
                let near = S::ONE.scale_by_power_of_two(-12);
                time_of_impact(&moving(0, Vec3::ZERO), &moving(1, self.displacement), self.offset, near).is_some()
            }
        }
    }
}

impl<S: Scalar> Ours<S> {
    /// As in a step: each facet whose box is near, one by one, as a piece of its mesh.
    fn touches_facets(&self, mesh: &Mesh<S>) -> bool {
        let margin = number(MARGIN);
        let search = ContactSearch { method: NarrowPhase::Auto, own: margin, bearing: Bearing::NONE };
        let [rotation, turned] = &self.rotations;
        let Some(bounds) = self.shapes[1].aabb(turned, self.offset) else { return false };
        let mut near = Vec::new();
        mesh.near(&turned_into(&bounds, &rotation.transpose()).expanded(margin), &mut near);
        let touching = near.into_iter().filter(|&number| {
            let Shape::Facet(facet) = mesh.piece(number) else { return false };
            let offset = self.offset - *rotation * facet.origin();
            let (facet, other) = ((mesh.piece(number), rotation), (&self.shapes[1], turned));
            !collide_by(&search, facet, other, offset, margin).is_empty()
        });
        touching.count() > 0
    }
}

#[derive(Clone, Copy)]
enum What {
    Contact,
    Distance,
    Ray,
    Cast,
}

/// Prints medians of rounds, of those rows whose names hold a text.
pub fn print(rounds: u32, seed: u64, only: &str) {
    println!("\nNanoseconds a call, medians of {rounds} interleaved rounds; in parentheses over parry's.\n");
    println!("| call | pair | parry f32 | f32 | fixed |");
    println!("|---|---|---:|---:|---:|");
    let pairs = [
        [Kind::Cuboid, Kind::Cuboid],
        [Kind::Capsule, Kind::Cuboid],
        [Kind::Ball, Kind::Cuboid],
        [Kind::Hull(16), Kind::Hull(16)],
        [Kind::Hull(64), Kind::Hull(64)],
        [Kind::Cylinder, Kind::Cuboid],
        [Kind::Sheet, Kind::Cuboid],
        [Kind::Sheet, Kind::Ball],
    ];
    for (what, name) in [
        (What::Contact, "contact points"),
        (What::Distance, "distance"),
        (What::Ray, "ray"),
        (What::Cast, "cast of a shape"),
    ] {
        for kinds in pairs {
            let [a, b] = kinds.map(Kind::name);
            let row_name = format!("| {name} | {a}, {b} |");
            if row_name.contains(only) {
                row(what, &row_name, kinds, rounds, seed);
            }
        }
    }
}

fn row(what: What, name: &str, kinds: [Kind; 2], rounds: u32, seed: u64) {
    let mut random = SplitMix64::new(seed);
    let (mut single, mut fixed, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    while single.len() < PAIRS {
        let mut pair = Pair::random(kinds, &mut random);
        if matches!(what, What::Ray | What::Cast) {
            // From well apart to the other side.
            let (direction, _) = pair.offset.normalise().unwrap_or((Vec3::X, 0.0));
            pair.offset = direction * (pair.size * 2.0);
        }
        let displacement = -pair.offset * 2.0;
        let (direction, length) = pair.offset.normalise().unwrap_or((Vec3::X, 1.0));
        let ray = Ray { origin: Vec3::ZERO, direction, length: length + reach(&pair.shapes[1]) };
        single.push(Ours::<f32>::of(&pair, &ray, displacement));
        fixed.push(Ours::<Fixed>::of(&pair, &ray, displacement));
        theirs.push((Theirs::of(&pair), ray, displacement));
    }
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..rounds {
        times[0].push(timed(&mut theirs, |(pair, ray, displacement)| match what {
            What::Contact => pair.manifold(MARGIN) > 0,
            What::Distance => pair.distance(1e4).is_some(),
            What::Ray => pair.ray(ray).is_some(),
            What::Cast => pair.cast(*displacement).is_some(),
        }));
        times[1].push(timed(&mut single, |pair| pair.call(what)));
        times[2].push(timed(&mut fixed, |pair| pair.call(what)));
    }
    let [theirs, single, fixed] = times.map(median);
    println!("{name} {theirs:.0} | {single:.0} ({:.2}) | {fixed:.0} ({:.2}) |", single / theirs, fixed / theirs);
}

fn timed<T>(items: &mut [T], mut call: impl FnMut(&mut T) -> bool) -> f64 {
    let start = Instant::now();
    for item in items.iter_mut() {
        black_box(call(item));
    }
    start.elapsed().as_secs_f64() * 1e9 / items.len() as f64
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
