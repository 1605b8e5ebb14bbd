//! Texts that nobody wrote by hand: refused with file and place, or taken, and never a panic or a stall.

use std::sync::Arc;

use physim::math::SplitMix64;
use physim::replay::hash_log::{EmptyLists, LogOptions, LogSource};
use physim::replay::{ForeignLines, LogError, read_hash_log_with, read_ladder};
use physim::scene::density::Expression;
use physim::scene::generate::body_count;
use physim::scene::input::{append_inputs, parse_input_line};
use physim::scene::overrides::apply_override;
use physim::scene::query::parse_query;
use physim::scene::{self, Scene, SceneError};
use physim::session::record::RunPlan;
use physim::world::fault::Fault;

use crate::attack::changes::{HOSTILE, changed_token};
use crate::attack::places::tokens;
use crate::attack::{SIDES_OF_A_BOX, attack, one_of, tries};
use crate::common::{example_scenes, package, parse};
use crate::support::folder::Folder;

const ALL_FEATURES: &str = include_str!("../../../src/scene/tests/all_features.ron");

/// A text with up to four changes: words, brackets, lines, depth, nonsense; half of them words and numbers alone, which are often
/// allowed.
pub fn mutated(random: &mut SplitMix64, text: &str) -> String {
    let mut text = text.to_owned();
    let kinds = 10 * random.below(2) + 1;
    for _ in 0..=random.below(4) {
        let start = place(random, &text);
        let end = (start + random.index(40)).min(text.len());
        let end = text.ceil_char_boundary(end);
        match random.below(kinds) {
            1 => text.replace_range(start..end, ""),
            7 => {
                let piece = text[start..end].to_owned();
                text.insert_str(start, &piece);
            }
            2 => text.insert_str(start, one_of::<&str>(random, &HOSTILE)),
            3 => text.insert(start, *one_of(random, &['(', ')', '[', ']', '{', '}', '"', ',', ':', '\\', '#', '\n'])),
            4 => text.truncate(start),
            5 => {
                let times = 1 << random.below(14);
                text.insert_str(
                    start,
                    &one_of(random, &["(", "[", "{\"\":", "-", "/*", "r#\"", "1", "(x:"]).repeat(times),
                );
            }
            6 => {
                let (from, to) = (random.index(text.len() + 1), place(random, &text));
                let from = text.floor_char_boundary(from);
                let piece = text[from.min(to)..from.max(to)].to_owned();
                text.insert_str(start, &piece);
            }
            _ => {
                let found = tokens(&text);
                if !found.is_empty() {
                    let (start, end) = *one_of(random, &found);
                    let token = changed_token(random, &text[start..end]);
                    text.replace_range(start..end, &token);
                }
            }
        }
        if text.len() > 1 << 20 {
            text.truncate(text.floor_char_boundary(1 << 20));
        }
    }
    text
}

/// A mutation of one of them.
fn mutated_one(random: &mut SplitMix64, texts: &[impl AsRef<str>]) -> String {
    let text = one_of(random, texts).as_ref();
    mutated(random, text)
}

fn place(random: &mut SplitMix64, text: &str) -> usize {
    text.floor_char_boundary(random.index(text.len() + 1))
}

/// Every problem has a place, in a text that is named.
fn assert_placed(error: &SceneError, name: &str, text: &str) {
    assert_eq!(error.source_name(), Some(name), "{error:.300}");
    let Some(problem) = error.problems().first() else { panic!("an error without a problem") };
    // Of what is no text the byte is told, and what has nothing in it has no places.
    let is_placed = error.line_and_column(problem).is_some() || problem.title.contains("byte ");
    assert!(is_placed || problem.title == "the scene is empty", "no place of {:?} in {text:.300}", problem.title);
    let shown = error.render(false);
    assert!(shown.contains(name), "{shown:.300}");
    assert!(shown.len() < 200_000, "an error of {} bytes", shown.len());
    let raw = shown.chars().find(|letter| *letter != '\n' && scene::printable::is_to_be_shown(*letter));
    assert_eq!(raw, None, "raw in {shown:?}");
}

/// A scene that is allowed can be written out, read back to the same, built and stepped.
pub fn use_scene(scene: Scene) {
    let canonical = scene.to_canonical_ron();
    let again = scene::parse("canonical", &canonical).unwrap_or_else(|error| panic!("{error}\n{canonical}"));
    assert_eq!(again.to_canonical_ron(), canonical, "what is written out reads back as something else");
    if body_count(&scene).is_none_or(|bodies| bodies > 60) {
        return;
    }
    let mut plan = RunPlan::new(Arc::new(scene));
    plan.steps = plan.steps.min(2);
    if let Err(error) = physim::session::record::record::<Vec<u8>>(&plan, &mut |_, _, _| Ok(None), &mut |_| {}) {
        assert!(!error.to_string().is_empty());
    }
}

fn read_scene(text: &str) -> &'static str {
    match scene::parse("mutated.ron", text) {
        Ok(scene) => {
            use_scene(scene);
            "taken"
        }
        Err(error) => {
            assert_placed(&error, "mutated.ron", text);
            "refused"
        }
    }
}

/// Scenes that are small and different from each other.
fn seeds() -> Vec<String> {
    let of_files = example_scenes().into_iter().map(|path| std::fs::read_to_string(path).expect("a scene"));
    let small = of_files.filter(|text| text.len() < 6000 && !text.contains("file:"));
    small.chain([ALL_FEATURES.to_owned()]).collect()
}

#[test]
fn scenes() {
    let seeds = seeds();
    assert!(seeds.len() > 10);
    attack("mutated scenes", tries(150), |random| read_scene(&mutated_one(random, &seeds)));
}

#[test]
fn inputs_and_questions_and_settings() {
    let scene = parse(ALL_FEATURES);
    let inputs: Vec<String> = scene.inputs.iter().map(|input| input.to_ron_line()).collect();
    let queries = [
        "Ray(from: (0, 9, 0), to: (0, -1, 0))",
        "Near(point: (0, 1, 0), within: 2)",
        "Distance(a: \"ball\", b: \"lift\")",
    ];
    let settings = [
        "dt=1/120",
        "solver.iterations=20",
        "bodies.ball.mass=Total(3)",
        "materials.ice.density=1000(1+x)",
        "gravity.1=-3",
    ];
    let faults = ["ulp@9,object=ball,field=position.x,ulps=3", "nan@5,object=ball", "order@2,seed=3", "threads@7"];
    attack("mutated lines", tries(300), |random| {
        let result = match random.below(5) {
            0 => {
                let text = mutated_one(random, &inputs);
                parse_input_line("inputs.txt", 7, &text)
                    .map(drop)
                    .map_err(|error| assert_placed(&error, "inputs.txt", &text))
            }
            1 => {
                let text = mutated(random, &inputs.join("\n"));
                let mut own = scene.as_ref().clone();
                append_inputs(&mut own, "inputs.txt", &text)
                    .map(drop)
                    .map_err(|error| assert_placed(&error, "inputs.txt", &text))
            }
            2 => {
                let text = mutated_one(random, &queries);
                parse_query(&scene, "a query", &text).map(drop).map_err(|error| assert_placed(&error, "a query", &text))
            }
            3 => {
                let mut own = scene.as_ref().clone();
                let text = mutated_one(random, &settings);
                apply_override(&mut own, &text).map_err(|error| {
                    assert_eq!(&own, scene.as_ref(), "a setting that is refused changes nothing");
                    assert!(!error.render(false).is_empty());
                })
            }
            _ => mutated_one(random, &faults).parse::<Fault>().map(drop).map_err(drop),
        };
        if result.is_ok() { "taken" } else { "refused" }
    });
}

/// What a random formula consists of.
fn formula(random: &mut SplitMix64, depth: u64) -> String {
    if depth == 0 || random.below(5) == 0 {
        return (*one_of(random, &["x", "y", "z", "r", "1", "2.5", "1e-9", "1e9", "pi", "0", "-x", "x y", "3z", "t"]))
            .to_owned();
    }
    let (a, b) = (formula(random, depth - 1), formula(random, depth - 1));
    match random.below(9) {
        0 => format!("({a} + {b})"),
        1 => format!("{a}*{b}"),
        2 => format!("{a}/({b})"),
        3 => format!("({a})^{b}"),
        4 => format!("{a} - {b}"),
        5 => format!(
            "{}({a})",
            one_of(random, &["sin", "exp", "ln", "sqrt", "abs", "tan", "floor", "nothing", "max", "min"])
        ),
        6 => format!("max({a}, {b})"),
        7 => format!("|{a}|"),
        _ => format!("{a} {b}"),
    }
}

#[test]
fn densities() {
    const SHAPES: [&str; 4] = [
        "Sphere(radius: 0.5)",
        "Cuboid(half_extents: (0.5, 1, 0.25))",
        "Capsule(half_height: 0.5, radius: 0.25)",
        "Hull(points: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])",
    ];
    attack("densities as formulas", tries(60), |random| {
        let depth = random.below(5);
        let mut text = format!("1000*(2 + {})", formula(random, depth));
        if random.below(3) == 0 {
            text = mutated(random, &text);
        }
        let density = Expression::new(&text);
        let escaped = format!("{text:?}");
        let shape = one_of(random, &SHAPES);
        let scene = format!(
            "(version: 1, name: \"d\", materials: {{\"m\": (density: {escaped})}}, bodies: [(name: \"b\", shape: {shape}, material: \"m\")])"
        );
        let outcome = read_scene(&scene);
        assert!(outcome == "refused" || density.check().is_ok(), "{text:?} is no formula, and its scene is taken");
        outcome
    });
}

/// Points that have next to nothing to do with each other, lie on one plane or line, or are the same.
fn points(random: &mut SplitMix64, count: u64) -> Vec<[String; 3]> {
    let (kind, size) = (random.below(6), *one_of(random, &["", "00", "0.00", "0000", "e-3"]));
    let mut coordinate = move || {
        let number = random.below(21) as i64 - 10;
        match kind {
            0 | 1 => format!("{number}"),
            2 => format!("{}.{}{size}", number, random.below(100_000)),
            3 => "0".to_owned(),
            4 => format!("{}", number.signum()),
            _ => format!("{}.{:03}", number / 4, random.below(4) * 250),
        }
    };
    (0..count).map(|_| [coordinate(), coordinate(), coordinate()]).collect()
}

fn listed(points: &[[String; 3]]) -> String {
    points.iter().map(|[x, y, z]| format!("({x}, {y}, {z})")).collect::<Vec<_>>().join(", ")
}

/// The triangles of a closed box of eight points, or any.
fn triangles(random: &mut SplitMix64, points: usize) -> String {
    let mut found: Vec<[usize; 3]> = if random.below(2) == 0 {
        SIDES_OF_A_BOX.map(|corners| corners.map(usize::from)).to_vec()
    } else {
        (0..random.below(30)).map(|_| [(); 3].map(|()| random.index(points + 1))).collect()
    };
    for _ in 0..random.below(3) {
        if !found.is_empty() {
            let place = random.index(found.len());
            match random.below(3) {
                0 => drop(found.remove(place)),
                1 => found[place].swap(0, 1),
                _ => found[place][random.index(3)] = random.index(points + 2),
            }
        }
    }
    found.iter().map(|[a, b, c]| format!("({a}, {b}, {c})")).collect::<Vec<_>>().join(", ")
}

/// A box whose corners are moved a little, or points that are none.
fn corners(random: &mut SplitMix64) -> Vec<[String; 3]> {
    if random.below(2) == 0 {
        let count = random.below(16);
        return points(random, count);
    }
    (0..8_u64).map(|corner| [0, 1, 2].map(|axis| format!("{}.{:02}", corner >> axis & 1, random.below(100)))).collect()
}

#[test]
fn hulls_meshes_fields_and_solids() {
    attack("shapes of points", tries(120), |random| {
        let (points, kind) = (corners(random), random.below(5));
        let shape = match kind {
            0 => format!("Hull(points: [{}])", listed(&points)),
            1 => {
                let rows = random.below(5);
                let rows: Vec<String> = (0..rows)
                    .map(|_| points.iter().map(|point| point[0].as_str()).collect::<Vec<_>>().join(", "))
                    .collect();
                format!(
                    "HeightField(heights: [{}], spacing: ({}, 1))",
                    rows.iter().map(|row| format!("[{row}]")).collect::<Vec<_>>().join(", "),
                    one_of(random, &["1", "0.0001", "0", "10000"])
                )
            }
            2 => format!("Mesh(points: [{}], triangles: [{}])", listed(&points), triangles(random, points.len())),
            _ => format!("Decomposed(points: [{}], triangles: [{}])", listed(&points), triangles(random, points.len())),
        };
        let fixed = if (1..3).contains(&kind) { "Static" } else { "Dynamic" };
        let ball = "(name: \"ball\", position: Origin(0.5, 1, 0.5), shape: Sphere(radius: 0.5))";
        read_scene(&format!(
            "(version: 1, name: \"p\", bodies: [(name: \"b\", kind: {fixed}, shape: {shape}), {ball}])"
        ))
    });
}

#[test]
fn files_of_meshes() {
    let folder = Folder::new();
    let read = |name: &str| std::fs::read(package().join("scenes/meshes").join(name)).expect("a file");
    let texts: Vec<String> = ["lane.obj", "kicker.obj", "table.obj", "chair.obj"]
        .map(|name| String::from_utf8(read(name)).expect("a text"))
        .to_vec();
    let ascii = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n".repeat(3);
    let mut binary = vec![0_u8; 84 + 50 * 4];
    binary[80] = 4;
    attack("OBJ and STL", tries(80), |random| {
        let (name, content) = match random.below(4) {
            0 | 1 => ("a.obj", mutated_one(random, &texts).into_bytes()),
            2 => ("a.stl", mutated(random, &ascii).into_bytes()),
            _ => {
                let mut bytes = binary.clone();
                for _ in 0..random.below(40) {
                    let place = random.index(bytes.len());
                    bytes[place] = random.below(256) as u8;
                }
                bytes.truncate(random.index(bytes.len() * 4).max(1));
                ("a.stl", bytes)
            }
        };
        folder.write(name, content);
        let (kind, shape) = *one_of(random, &[("Dynamic", "Hull"), ("Static", "Mesh"), ("Dynamic", "Decomposed")]);
        let text =
            format!("(version: 1, name: \"f\", bodies: [(name: \"b\", kind: {kind}, shape: {shape}(file: {name:?}))])");
        folder.write("f.ron", &text);
        match scene::load(&folder.path("f.ron")) {
            Ok(scene) => {
                use_scene(scene);
                "taken"
            }
            Err(error) => {
                let shown = error.render(false);
                assert!(shown.contains("f.ron") && shown.contains(name), "{shown:.500}");
                let raw = shown.chars().find(|letter| *letter != '\n' && scene::printable::is_to_be_shown(*letter));
                assert_eq!(raw, None, "raw in {shown:?}");
                "refused"
            }
        }
    });
}

const LOG: &str = r#"# an engine
{"step":0,"hash":"9af3"}
{"step":1,"stage":"forces","hash":"01","sections":{"bodies":"77"}}
{"step":1,"stage":"solve","hash":"02","objects":[{"name":"unit 7","fields":{"x":{"value":1.5,"bits":"3fc00000","type":"f32"},"v":[1.5,2.5],"n":3}}]}
hello from the engine
{"step":2,"hash":"c0ffee","objects":[{"name":"unit 7","fields":{"x":{"value":1e300,"bits":"3ff0000000000000","type":"f64"}}}]}
{"step":2,"hash":"c0ffef"}
{"step":3,"hash":"00"}
"#;

#[test]
fn hash_logs_and_ladders() {
    let folder = Folder::new();
    let named = |error: &LogError| {
        let told = error.to_string();
        let has_place = told.contains(", line ") || matches!(error, LogError::Empty { .. });
        assert!(told.contains("mutated.log") && has_place, "{told:.300}");
        assert!(told.len() < 100_000, "{} bytes", told.len());
    };
    attack("hash logs", tries(400), |random| {
        let text = mutated(random, LOG);
        if random.below(8) == 0 {
            let _ =
                read_ladder("mutated.log", &text).map_err(|error| assert!(error.to_string().contains("mutated.log")));
        }
        let foreign = *one_of(random, &[ForeignLines::Refuse, ForeignLines::Skip, ForeignLines::SkipAll]);
        let (resimulated, by_file) = (random.below(2) == 0, random.below(4) == 0);
        let empty_lists = *one_of(random, &[EmptyLists::OfAllSteps, EmptyLists::OfSteps(1, 1)]);
        if by_file {
            folder.write("mutated.log", &text);
            let source = LogSource::of_file(
                "mutated.log",
                folder.path("mutated.log"),
                LogOptions { foreign, resimulated, empty_lists },
            );
            return match source.check() {
                Ok(_) => "taken",
                Err(error) => {
                    named(&error);
                    "refused"
                }
            };
        }
        match read_hash_log_with("mutated.log", text.as_bytes(), foreign) {
            Ok(log) => {
                assert!(!log.checkpoints.is_empty());
                "taken"
            }
            Err(error) => {
                named(&error);
                "refused"
            }
        }
    });
}
