//! The largest scenes of every kind that the limits let through, or just not: read and built in a time that grows with their text.
//!
//! The times of the largest as a table, and the scenes themselves as files for `physim check`:
//!
//! ```text
//! cargo test --release --test physim largest -- --ignored --nocapture
//! PHYSIM_LARGEST=/tmp/largest cargo test --test physim largest -- --ignored --nocapture
//! ```

use std::sync::Arc;
use std::time::{Duration, Instant};

use physim::math::SplitMix64;
use physim::scene::{self, Scene, parse::MAX_FILE_BYTES};
use physim::session::record::RunPlan;

use crate::support::busy_time::BusyTime;

/// Whether a scene of a kind is allowed.
#[derive(Clone, Copy, PartialEq)]
enum Allowed {
    Always,
    /// Up to some size.
    Small,
    Never,
}

/// A kind of scene: what is in it, whether it is allowed, and its keys in so many bytes.
struct Kind {
    what: &'static str,
    is: Allowed,
    keys: fn(usize) -> String,
}

const fn allowed(what: &'static str, keys: fn(usize) -> String) -> Kind {
    Kind { what, is: Allowed::Always, keys }
}

const fn allowed_if_small(what: &'static str, keys: fn(usize) -> String) -> Kind {
    Kind { what, is: Allowed::Small, keys }
}

const fn refused(what: &'static str, keys: fn(usize) -> String) -> Kind {
    Kind { what, is: Allowed::Never, keys }
}

/// Parts, as many as fit into so many bytes, but no more than `most`.
fn list(bytes: usize, most: usize, part: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0..most {
        let part = part(number);
        if text.len() + part.len() >= bytes {
            break;
        }
        text += &part;
        text.push(',');
    }
    text
}

const ALL: usize = usize::MAX;

fn ball(n: usize) -> String {
    format!("(name:\"b{n}\",shape:Sphere(radius:1))")
}

fn bodies(bytes: usize, most: usize) -> String {
    format!("bodies:[{}]", list(bytes, most, ball))
}

/// A group in which a layout of the full size has as many copies as the bytes of a text allow for.
fn group(layout: &str, bytes: usize, full: usize) -> String {
    let count = (full as u128 * bytes as u128 / u128::from(MAX_FILE_BYTES)).max(8) as usize;
    let side = (1..).take_while(|side: &usize| side.pow(3) <= count).last().unwrap_or(1);
    let layout = layout.replace("COUNT", &count.to_string()).replace("SIDE", &side.to_string());
    format!("bodies:[],bounds:(position:30000),groups:[(name:\"g\",layout:{layout},body:(shape:Sphere(radius:0.001)))]")
}

fn static_shape(shape: &str) -> String {
    format!("bodies:[(name:\"m\",kind:Static,shape:{shape})]")
}

/// Points within a ball or so, as many as fit.
fn points(bytes: usize) -> String {
    list(bytes, ALL, |n| {
        let mut random = SplitMix64::new(n as u64);
        let [x, y, z] = [(); 3].map(|()| random.below(2_000_000) as f64 / 1e6 - 1.0);
        format!("({x},{y},{z})")
    })
}

/// A surface of hills over a square, with so many triangles at most; closed below where it is to be a solid.
fn hills(triangles: usize, is_solid: bool) -> String {
    let side = (1..)
        .take_while(|side: &usize| (if is_solid { 4 * side * side + 8 * side } else { 2 * side * side }) <= triangles)
        .last()
        .unwrap_or(1);
    let mut points = String::new();
    let row = side + 1;
    let height = |x: usize, z: usize| {
        if is_solid { 1.0 + ((x * 7 + z * 13) % 5) as f64 / 10.0 } else { ((x * 7 + z * 13) % 5) as f64 / 10.0 }
    };
    for layer in 0..=usize::from(is_solid) {
        for (x, z) in (0..row).flat_map(|x| (0..row).map(move |z| (x, z))) {
            let height = if layer == 0 { height(x, z) } else { 0.0 };
            points += &format!("({x},{height},{z}),");
        }
    }
    let mut faces = String::new();
    let mut face = |a: usize, b: usize, c: usize| faces += &format!("({a},{b},{c}),");
    let at = |layer: usize, x: usize, z: usize| layer * row * row + x * row + z;
    for (x, z) in (0..side).flat_map(|x| (0..side).map(move |z| (x, z))) {
        face(at(0, x, z), at(0, x, z + 1), at(0, x + 1, z));
        face(at(0, x + 1, z), at(0, x, z + 1), at(0, x + 1, z + 1));
        if is_solid {
            face(at(1, x, z), at(1, x + 1, z), at(1, x, z + 1));
            face(at(1, x + 1, z), at(1, x + 1, z + 1), at(1, x, z + 1));
        }
    }
    for k in 0..if is_solid { side } else { 0 } {
        let mut wall = |a: (usize, usize), b: (usize, usize)| {
            face(at(0, a.0, a.1), at(0, b.0, b.1), at(1, a.0, a.1));
            face(at(1, a.0, a.1), at(0, b.0, b.1), at(1, b.0, b.1));
        };
        wall((k, 0), (k + 1, 0));
        wall((k + 1, side), (k, side));
        wall((0, k + 1), (0, k));
        wall((side, k), (side, k + 1));
    }
    format!("points:[{points}],triangles:[{faces}]")
}

/// A formula of so many bytes that is costly to add up.
fn formula(bytes: usize, number: usize) -> String {
    let mut text = format!("2000+{number}");
    while text.len() + 24 < bytes {
        text += "+sin(9x)*cos(8y)*z^3";
    }
    text
}

fn formulas(bytes: usize, each: usize) -> String {
    // Each has a body of its own.
    let materials = list(bytes / (each + 120) * (each + 20) + each, ALL, |n| {
        format!("\"m{n}\":(density:\"{}\")", formula(each, n))
    });
    let count = materials.matches("density").count();
    let bodies = list(ALL, count, |n| format!("(name:\"b{n}\",shape:Cuboid(half_extents:(1,1,1)),material:\"m{n}\")"));
    format!("materials:{{{materials}}},bodies:[{bodies}]")
}

const KINDS: &[Kind] = &[
    allowed("bodies, each written", |bytes| bodies(bytes, ALL)),
    allowed("bodies with the longest names", |bytes| {
        format!("bodies:[{}]", list(bytes, ALL, |n| ball(n).replacen('b', &"x".repeat(240), 1)))
    }),
    allowed("bodies of one grid", |bytes| {
        group("Grid(origin:(0,0,0),count:(SIDE,SIDE,SIDE),spacing:(1,1,1))", bytes, 1_000_000)
    }),
    allowed("bodies scattered and turned", |bytes| {
        group(
            "Scatter(origin:(0,0,0),count:(SIDE,SIDE,SIDE),spacing:(3,3,3),jitter:(1,1,1),random_rotation:true,seed:7)",
            bytes,
            1_000_000,
        )
    }),
    allowed("groups of one body", |bytes| {
        format!(
            "bodies:[],groups:[{}]",
            list(bytes, ALL, |n| format!(
                "(name:\"g{n}\",layout:Stack(origin:(0,0,0),count:1,spacing:(0,1,0)),body:(shape:Sphere(radius:1)))"
            ))
        )
    }),
    allowed("colliders", |bytes| {
        format!(
            "bodies:[{}]",
            list(bytes, ALL, |n| format!(
                "(name:\"b{n}\",colliders:[{}])",
                list(30_000, 1024, |_| "(shape:Sphere(radius:1))".to_owned())
            ))
        )
    }),
    allowed("joints of one net", |bytes| {
        group("Net(origin:(0,0,0),count:(SIDE,SIDE,SIDE),spacing:(1,1,1))", bytes, 330_000)
    }),
    allowed("joints, each written", |bytes| {
        format!(
            "{},joints:[{}]",
            bodies(200, ALL),
            list(bytes - 400, ALL, |n| format!("(name:\"j{n}\",kind:Spherical,a:\"b{}\",at:(0,0,0))", n % 3))
        )
    }),
    allowed("named shapes that name each other", |bytes| {
        let names = list(bytes / 2, ALL, |n| {
            if n % 16 == 0 { format!("\"s{n}\":Sphere(radius:1)") } else { format!("\"s{n}\":Named(\"s{}\")", n - 1) }
        });
        let count = names.matches(':').count() - names.matches("radius:").count();
        format!(
            "shapes:{{{names}}},bodies:[{}]",
            list(bytes / 2, ALL, |n| format!(
                "(name:\"b{n}\",shape:Named(\"s{}\"))",
                (16 * n + 15) % (count / 16 * 16).max(16)
            ))
        )
    }),
    refused("named shapes in a circle", |bytes| {
        format!(
            "shapes:{{{}\"z\":Named(\"s0\")}},bodies:[]",
            list(bytes, ALL, |n| format!("\"s{n}\":Named(\"s{}\")", n + 1))
        )
    }),
    allowed("materials", |bytes| {
        let materials = list(bytes / 2, ALL, |n| format!("\"m{n}\":(friction:1)"));
        let count = materials.matches("friction").count();
        format!(
            "materials:{{{materials}}},bodies:[{}]",
            list(bytes / 2, ALL, |n| format!("(name:\"b{n}\",shape:Sphere(radius:1),material:\"m{}\")", n % count))
        )
    }),
    allowed("excluded pairs", |bytes| {
        let pair = |n: usize| format!("(\"b{}\",\"b{}\")", n % 100, 100 + n / 100 % 200);
        format!("{},excluded_pairs:[{}]", bodies(15_000, 300), list(bytes - 15_100, ALL, pair))
    }),
    allowed("inputs", |bytes| {
        format!(
            "{},inputs:[{}]",
            bodies(200, ALL),
            list(bytes - 400, ALL, |n| format!("(step:{},action:Impulse(body:\"b1\",impulse:(1,0,0)))", 1 + n % 600))
        )
    }),
    allowed("bodies spawned", |bytes| {
        format!(
            "bodies:[],inputs:[{}]",
            list(bytes, ALL, |n| format!("(step:2,action:Spawn(name:\"s{n}\",shape:Sphere(radius:1)))"))
        )
    }),
    allowed("questions", |bytes| {
        format!(
            "{},queries:{{{}}}",
            bodies(200, ALL),
            list(bytes - 400, ALL, |n| format!("\"q{n}\":Ray(from:(0,9,0),to:(0,-1,0))"))
        )
    }),
    refused("unknown bodies in inputs", |bytes| {
        format!(
            "{},inputs:[{}]",
            bodies(bytes / 2, ALL),
            list(bytes / 2, ALL, |n| format!("(step:1,action:Remove(\"c{n}\"))"))
        )
    }),
    refused("unknown materials", |bytes| {
        format!(
            "materials:{{{}}},bodies:[{}]",
            list(bytes / 2, ALL, |n| format!("\"m{n}\":(friction:1)")),
            list(bytes / 2, ALL, |n| format!("(name:\"b{n}\",shape:Sphere(radius:1),material:\"n{n}\")"))
        )
    }),
    refused("bodies of one name", |bytes| format!("bodies:[{}]", list(bytes, ALL, |_| ball(1)))),
    refused("radii that are none", |bytes| {
        format!("bodies:[{}]", list(bytes, ALL, |n| ball(n).replace(":1)", ":-1)")))
    }),
    refused("unknown keys", |bytes| format!("bodies:[{}]", list(bytes, ALL, |n| ball(n).replace("shape:", "sharp:")))),
    allowed("points of one hull", |bytes| {
        format!(
            "bodies:[(name:\"h\",shape:Hull(points:[(-11,-11,-11),(11,-11,-11),(0,11,-11),(0,0,31),{}]))]",
            points(bytes - 300)
        )
    }),
    allowed("hulls of eight points", |bytes| {
        format!(
            "bodies:[{}]",
            list(bytes, ALL, |n| format!(
                "(name:\"b{n}\",shape:Hull(points:[(0,0,0),(1,0,0),(0,1,0),(0,0,1),(1,1,0),(1,0,1),(0,1,1),(1,1,1.{n})]))"
            ))
        )
    }),
    allowed("triangles of a mesh", |bytes| static_shape(&format!("Mesh({})", hills((bytes / 60).min(1 << 17), false)))),
    allowed("points of a height field", |bytes| {
        let side =
            (1..).take_while(|side: &usize| side * side * 5 < bytes && 2 * side * side < 1 << 17).last().unwrap_or(2);
        let row = format!("[{}],", (0..side).map(|z| format!("{}.5", z % 7)).collect::<Vec<_>>().join(","));
        static_shape(&format!("HeightField(heights:[{}],spacing:(1,1))", row.repeat(side)))
    }),
    allowed("triangles of a solid in parts", |bytes| {
        format!("bodies:[(name:\"d\",shape:Decomposed({},most_parts:256))]", hills((bytes / 120).min(1 << 16), true))
    }),
    allowed("solids in parts, as many as may be", |bytes| {
        format!(
            "bodies:[{}]",
            list(bytes, 102, |n| format!(
                "(name:\"d{n}\",shape:Decomposed({}))",
                hills(500, true).replace("1.4", &format!("1.4{n}"))
            ))
        )
    }),
    allowed_if_small("solids in parts", |bytes| {
        format!(
            "bodies:[{}]",
            list(bytes, ALL, |n| format!(
                "(name:\"d{n}\",shape:Decomposed({}))",
                hills(500, true).replace("1.4", &format!("1.4{n}"))
            ))
        )
    }),
    allowed("a density as long a formula as may be", |_| formulas(4200, 4090)),
    allowed_if_small("densities as long formulas", |bytes| formulas(bytes, 4090)),
    allowed_if_small("densities as short formulas", |bytes| formulas(bytes, 40)),
    refused("brackets", |bytes| format!("bodies:{}", "[".repeat(bytes))),
    allowed("a comment", |bytes| format!("/*{}*/bodies:[]", "x ".repeat(bytes / 2 - 10))),
    refused("a number", |bytes| format!("seed:{},bodies:[]", "9".repeat(bytes - 100))),
    refused("a name", |bytes| {
        format!("bodies:[(name:\"{}\",shape:Sphere(radius:1))]", "\\u{65e5}".repeat(bytes / 8 - 20))
    }),
    refused("a line", |bytes| format!("{}oops", " ".repeat(bytes - 100))),
];

/// What became of a scene.
struct Read {
    bytes: usize,
    result: Result<Scene, scene::SceneError>,
    took: Duration,
}

fn text_of(kind: &Kind, bytes: usize) -> String {
    format!("(version:1,name:\"l\",{})", (kind.keys)(bytes - 60))
}

fn read(kind: &Kind, bytes: usize) -> Read {
    let text = text_of(kind, bytes);
    assert!(text.len() as u64 <= MAX_FILE_BYTES, "{}: {} bytes", kind.what, text.len());
    let start = BusyTime::start();
    let result = scene::parse("largest.ron", &text);
    let took = start.elapsed();
    match &result {
        Ok(_) => assert!(kind.is != Allowed::Never, "{} is allowed", kind.what),
        Err(error) => assert!(kind.is != Allowed::Always, "{}: {:.500}", kind.what, error.to_string()),
    }
    Read { bytes: text.len(), result, took }
}

#[test]
fn scenes_of_every_kind_are_read_in_time() {
    for kind in KINDS {
        let Read { bytes, took, .. } = read(kind, 20_000);
        assert!(took < Duration::from_secs(30), "{}: {bytes} bytes took {took:?}", kind.what);
    }
}

/// Ignored because it takes minutes and holds nothing to a bound: it makes the table of docs/performance.md, or writes the scenes. What it
/// reads is read in smaller sizes by the test above.
#[test]
#[ignore = "takes minutes; prints a table of times"]
#[expect(clippy::print_stdout, reason = "the table is what it is for")]
fn times_of_the_largest_scenes() {
    if let Some(folder) = std::env::var_os("PHYSIM_LARGEST").map(std::path::PathBuf::from) {
        for kind in KINDS {
            let name = kind.what.replace([',', ' '], "_") + ".ron";
            std::fs::write(folder.join(name), text_of(kind, MAX_FILE_BYTES as usize)).expect("a folder that is there");
        }
        return;
    }
    println!("| scene | MiB | bodies | read, s | step 0, s |\n|---|---:|---:|---:|---:|");
    for kind in KINDS {
        let Read { bytes, result, took } = read(kind, MAX_FILE_BYTES as usize);
        let mut built = String::new();
        let bodies =
            result.as_ref().ok().and_then(scene::generate::body_count).map_or(String::new(), |count| count.to_string());
        if let Ok(scene) = result {
            let plan = RunPlan { steps: 0, ..RunPlan::new(Arc::new(scene)) };
            let start = Instant::now();
            let world = plan.session::<f32>().map(drop);
            built = world.map_or_else(
                |error| format!("{:.60}", error.to_string()),
                |()| format!("{:.2}", start.elapsed().as_secs_f64()),
            );
        }
        println!(
            "| {} | {:.2} | {bodies} | {:.2} | {built} |",
            kind.what,
            bytes as f64 / 1_048_576.0,
            took.as_secs_f64()
        );
    }
}
