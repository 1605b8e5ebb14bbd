//! The goldens in `replays/`: there is one for each scene and scalar, it is small, it holds the scene of today, and the
//! run it records does what the scene's comment claims. A golden that exercises nothing guards nothing.
//!
//! Whether a golden still comes out the same is for `physim verify replays/`; what the scenes do in physics is checked in
//! `scenes.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use physim::math::ScalarKind;
use physim::replay::{Outcome, Replay, read_strict};
use physim::scene::{Scene, load, parse};

/// Most steps of a golden.
const MAX_STEPS: u32 = 600;
/// Most bytes of a golden.
const MAX_BYTES: u64 = 128 * 1024;

/// What a scene's comment claims, in the names of the run's counters.
struct Claim {
    scene: &'static str,
    /// Counters that must be above zero.
    exercises: &'static [&'static str],
    /// Counters, or beginnings of their names, that must be zero.
    never: &'static [&'static str],
}

const CLAIMS: [Claim; 24] = [
    Claim {
        scene: "billiards",
        exercises: &[
            "contacts sphere - sphere",
            "contacts sphere - cuboid",
            "restitution",
            "friction sticks",
            "friction slips",
            "warm starts",
            "inputs",
        ],
        never: &["spawns", "removals"],
    },
    Claim {
        scene: "broad_phase_race",
        exercises: &[
            "contacts sphere - cuboid",
            "contacts cuboid - cuboid",
            "contacts cuboid - capsule",
            "contacts capsule - half-space",
            "friction sticks",
            "friction slips",
            "warm starts",
            "spawns",
            "removals",
        ],
        never: &["passed through"],
    },
    Claim {
        scene: "capsules_and_compounds",
        exercises: &[
            "contacts sphere - sphere",
            "contacts sphere - cuboid",
            "contacts sphere - capsule",
            "contacts sphere - half-space",
            "contacts cuboid - cuboid",
            "contacts cuboid - capsule",
            "contacts cuboid - half-space",
            "contacts capsule - capsule",
            "contacts capsule - half-space",
            "restitution",
            "friction sticks",
            "friction slips",
            "warm starts",
            "inputs",
        ],
        never: &[],
    },
    Claim { scene: "chain", exercises: &["joints"], never: &["contacts", "inputs"] },
    Claim {
        scene: "couple",
        exercises: &["contacts sphere - half-space", "friction sticks", "friction slips", "inputs"],
        never: &["contacts cuboid", "restitution"],
    },
    Claim {
        scene: "cylinders_and_cones",
        exercises: &[
            "contacts sphere - cone",
            "contacts cuboid - cylinder",
            "contacts cylinder - cone",
            "contacts capsule - cone",
            "contacts hull - cone",
            "contacts cylinder - cylinder",
            "contacts cylinder - half-space",
            "contacts cone - half-space",
            "friction sticks",
            "friction slips",
            "warm starts",
        ],
        never: &["inputs", "passed through"],
    },
    Claim { scene: "damping", exercises: &[], never: &["contacts", "pairs", "inputs"] },
    Claim {
        scene: "dice",
        exercises: &[
            "contacts sphere - hull",
            "contacts cuboid - hull",
            "contacts capsule - hull",
            "contacts hull - hull",
            "contacts hull - half-space",
            "contacts recycled",
            "restitution",
            "friction sticks",
            "friction slips",
            "warm starts",
        ],
        never: &["inputs", "passed through"],
    },
    Claim { scene: "free_spin", exercises: &[], never: &["contacts", "pairs", "inputs"] },
    Claim {
        scene: "hull_heap",
        exercises: &[
            "contacts hull - hull",
            "contacts hull - half-space",
            "contacts recycled",
            "restitution",
            "friction sticks",
            "friction slips",
            "warm starts",
        ],
        never: &["inputs", "passed through", "contacts sphere", "contacts cuboid"],
    },
    Claim {
        scene: "kinematic_platform",
        exercises: &[
            "contacts cuboid - cuboid",
            "contacts cuboid - half-space",
            "contacts sphere - cuboid",
            "friction sticks",
            "friction slips",
            "warm starts",
            "inputs",
            "removals",
        ],
        never: &["restitution", "spawns"],
    },
    Claim {
        scene: "loaded_die",
        exercises: &[
            "contacts sphere - half-space",
            "contacts cuboid - half-space",
            "contacts capsule - half-space",
            "restitution",
            "friction sticks",
            "friction slips",
            "warm starts",
        ],
        never: &["inputs", "passed through"],
    },
    Claim {
        scene: "mesh_slide",
        exercises: &[
            "contacts sphere - mesh",
            "contacts cuboid - mesh",
            "contacts capsule - mesh",
            "contacts sphere - cuboid",
            "contacts cuboid - cuboid",
            "contacts cuboid - capsule",
            "contacts sphere - half-space",
            "friction sticks",
            "friction slips",
            "warm starts",
        ],
        never: &["inputs", "passed through"],
    },
    Claim {
        scene: "narrow_phase_race",
        exercises: &[
            "contacts sphere - cuboid",
            "contacts sphere - capsule",
            "contacts sphere - hull",
            "contacts cuboid - cuboid",
            "contacts cuboid - capsule",
            "contacts cuboid - hull",
            "contacts capsule - hull",
            "contacts hull - hull",
            "contacts recycled",
            "friction sticks",
            "friction slips",
            "warm starts",
        ],
        never: &["inputs", "passed through"],
    },
    Claim {
        scene: "net",
        exercises: &[
            "joints",
            "contacts sphere - sphere",
            "contacts sphere - cuboid",
            "friction sticks",
            "friction slips",
            "warm starts",
        ],
        never: &["restitution", "inputs"],
    },
    Claim {
        scene: "projectile",
        exercises: &[
            "contacts sphere - half-space",
            "contacts capsule - half-space",
            "friction slips",
            "friction sticks",
        ],
        never: &["restitution", "inputs"],
    },
    Claim {
        scene: "rolling_wall",
        exercises: &[
            "contacts sphere - cuboid",
            "contacts sphere - half-space",
            "friction sticks",
            "friction slips",
            "warm starts",
        ],
        never: &["restitution", "inputs"],
    },
    Claim {
        scene: "shelf_crates",
        exercises: &[
            "contacts cuboid - cuboid",
            "contacts cuboid - half-space",
            "friction sticks",
            "friction slips",
            "warm starts",
            "inputs",
        ],
        never: &["restitution", "contacts sphere", "contacts capsule"],
    },
    Claim {
        scene: "sensors",
        exercises: &["sensor begins", "sensor ends", "contacts sphere - cuboid", "restitution", "warm starts"],
        never: &["contacts cuboid - cuboid", "contacts sphere - half-space", "contacts sphere - sphere", "inputs"],
    },
    Claim {
        scene: "shells",
        exercises: &[
            "contacts sphere - mesh",
            "contacts cuboid - mesh",
            "contacts half-space - mesh",
            "contacts sphere - half-space",
            "contacts sphere - sphere",
            "contacts recycled",
            "restitution",
            "friction sticks",
            "friction slips",
            "warm starts",
        ],
        never: &["inputs", "passed through", "contacts mesh - mesh"],
    },
    Claim {
        scene: "stack_20",
        exercises: &["contacts cuboid - cuboid", "contacts cuboid - half-space", "friction sticks", "warm starts"],
        never: &["friction slips", "restitution", "inputs"],
    },
    Claim {
        scene: "tables",
        exercises: &[
            "contacts hull - hull",
            "contacts hull - half-space",
            "contacts sphere - hull",
            "contacts sphere - sphere",
            "restitution",
            "friction sticks",
            "friction slips",
            "warm starts",
        ],
        // Not the box under the desk, which just fits.
        never: &["inputs", "passed through", "contacts cuboid - hull"],
    },
    Claim {
        scene: "terrain",
        exercises: &[
            "contacts sphere - mesh",
            "contacts capsule - mesh",
            "contacts hull - mesh",
            "contacts sphere - hull",
            "contacts capsule - hull",
            "contacts sphere - sphere",
            "contacts recycled",
            "restitution",
            "friction sticks",
            "friction slips",
            "warm starts",
        ],
        never: &["inputs", "passed through"],
    },
    Claim {
        scene: "twenty_balls",
        exercises: &[
            "contacts sphere - sphere",
            "contacts sphere - half-space",
            "restitution",
            "friction sticks",
            "friction slips",
            "spawns",
            "inputs",
        ],
        never: &["removals"],
    },
];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn golden(scene: &str, scalar: ScalarKind) -> PathBuf {
    folder("replays").join(format!("{scene}.{scalar}.mcap"))
}

/// Names of the files of a folder that end so, without the end, sorted; nothing where there is no folder.
fn stems(name: &str, end: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder(name)).into_iter().flatten();
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter_map(|name| name.strip_suffix(end).map(str::to_owned)).collect()
}

/// Every claim with each of its goldens.
fn each_golden(check: impl Fn(&Claim, ScalarKind, &Replay)) {
    for claim in &CLAIMS {
        for scalar in ScalarKind::ALL {
            let path = golden(claim.scene, scalar);
            let replay = read_strict(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            check(claim, scalar, &replay);
        }
    }
}

fn scene_file(name: &str) -> Scene {
    load(&folder("scenes").join(format!("{name}.ron"))).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

#[test]
fn every_scene_has_a_claim() {
    let claimed: BTreeSet<String> = CLAIMS.iter().map(|claim| claim.scene.to_owned()).collect();
    assert_eq!(stems("scenes", ".ron"), claimed);
    for name in claimed {
        assert_eq!(scene_file(&name).name, name, "a scene is called as its file");
    }
}

#[test]
fn no_golden_is_missing_or_orphaned() {
    let expected: BTreeSet<String> =
        CLAIMS.iter().flat_map(|claim| ScalarKind::ALL.map(|scalar| format!("{}.{scalar}", claim.scene))).collect();
    assert_eq!(stems("replays", ".mcap"), expected, "record with `physim run SCENE -o`, or delete what has no scene");
    assert_eq!(stems("replays", ".partial"), BTreeSet::new(), "unfinished recordings");
}

#[test]
fn goldens_are_small_whole_and_of_their_scalar() {
    each_golden(|claim, scalar, replay| {
        let path = golden(claim.scene, scalar);
        let bytes = fs::metadata(&path).expect("a file").len();
        assert!(bytes <= MAX_BYTES, "{} has {bytes} bytes", path.display());
        assert_eq!(replay.header.scalar, scalar, "{}", path.display());
        assert!(replay.header.steps <= MAX_STEPS, "{} has {} steps", path.display(), replay.header.steps);
        let ending = replay.ending.as_ref().expect("strict reading asks for an ending");
        assert_eq!((&ending.outcome, ending.steps), (&Outcome::Completed, replay.header.steps), "{}", path.display());
        assert!(replay.perturbations.is_empty(), "{} has planted faults", path.display());
    });
}

#[test]
fn goldens_hold_the_scenes_of_today() {
    each_golden(|claim, scalar, replay| {
        let inside = parse("the scene of the golden", &replay.scene).unwrap_or_else(|e| panic!("{}", e.render(false)));
        let mut today = scene_file(claim.scene);
        assert_eq!(today.steps, replay.header.steps, "{} {scalar}: all steps, no more", claim.scene);
        today.scalar = inside.scalar; // the one thing in which the three goldens of a scene may differ
        assert_eq!(inside, today, "{} {scalar}: record it anew", claim.scene);
    });
}

#[test]
fn goldens_exercise_what_their_scenes_claim() {
    each_golden(|claim, scalar, replay| {
        let counters = &replay.ending.as_ref().expect("strict reading asks for an ending").counters;
        for name in claim.exercises {
            let count = counters.get(*name).copied().unwrap_or(0);
            assert!(count > 0, "{} {scalar}: `{name}` never came up; counted: {counters:?}", claim.scene);
        }
        for beginning in claim.never {
            let found: Vec<_> =
                counters.iter().filter(|(name, count)| name.starts_with(beginning) && **count > 0).collect();
            assert!(found.is_empty(), "{} {scalar}: came up though it must not: {found:?}", claim.scene);
        }
    });
}

#[test]
fn the_goldens_together_exercise_every_pair_of_shapes() {
    let exercised: BTreeSet<&str> = CLAIMS.iter().flat_map(|claim| claim.exercises.iter().copied()).collect();
    let kinds = ["sphere", "cuboid", "capsule", "half-space"];
    for (place, a) in kinds.iter().enumerate() {
        // Two half-spaces never meet: both are static.
        for b in kinds[place..].iter().filter(|b| (*a, **b) != ("half-space", "half-space")) {
            let pair = format!("contacts {a} - {b}");
            assert!(exercised.contains(pair.as_str()), "no scene claims `{pair}`");
        }
    }
    for name in
        ["joints", "restitution", "friction sticks", "friction slips", "warm starts", "spawns", "removals", "inputs"]
    {
        assert!(exercised.contains(name), "no scene claims `{name}`");
    }
}

#[test]
fn the_scene_format_page_shows_scenes_that_parse() {
    let page = fs::read_to_string(folder("docs/scene-format.md")).expect("the page");
    let blocks: Vec<&str> = page
        .split("```ron\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .filter(|text| text.contains("version:"))
        .collect();
    assert!(blocks.len() >= 3, "{} whole scenes", blocks.len());
    for text in blocks {
        parse("docs/scene-format.md", text).unwrap_or_else(|error| panic!("{}", error.render(false)));
    }
}
