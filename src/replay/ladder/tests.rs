use proptest::prelude::{any, prop, proptest};

use crate::math::ScalarKind;
use crate::replay::ladder::{
    Ladder, LadderError, LadderSettings, Rung, compare_ladders, line_of_a_ladder, looks_like_a_ladder, read_ladder,
};
use crate::replay::step_hashes::StepHashes;
use crate::replay::tests::sample;

/// The scene "two balls", though with one.
const SCENE: &str =
    r#"(version: 1, name: "two balls", steps: 600, bodies: [(name: "ball", shape: Sphere(radius: 1))])"#;

/// A run of the scene "two balls".
fn run(steps: u32) -> StepHashes {
    (0..=steps).map(|step| sample::hash(step, 3)).collect()
}

fn whole(steps: u32) -> Ladder {
    Ladder::of(&sample::header(steps, 60), SCENE, &run(steps), 0, steps).expect("a ladder")
}

fn steps(ladder: &Ladder) -> Vec<u32> {
    ladder.rungs.iter().map(|rung| rung.step).collect()
}

fn part(from: u32, to: u32) -> Vec<u32> {
    steps(&Ladder::of(&sample::header(600, 60), SCENE, &run(600), from, to).expect("a ladder"))
}

#[test]
fn a_whole_run_has_doubling_steps_and_its_last() {
    for (last, expected) in [
        (0, &[0][..]),
        (1, &[0, 1]),
        (2, &[0, 1, 2]),
        (3, &[0, 1, 2, 3]),
        (600, &[0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600]),
    ] {
        assert_eq!(steps(&whole(last)), expected);
    }
}

#[test]
fn a_part_has_even_steps_with_both_ends() {
    assert_eq!(part(7, 7), [7]);
    assert_eq!(part(7, 10), [7, 8, 9, 10]);
    assert_eq!(part(577, 600), (577..=600).collect::<Vec<_>>());
    let wide = part(100, 560);
    assert_eq!((wide.len(), wide[0], wide[1], wide[23]), (24, 100, 120, 560));
    assert!(part(0, 599).windows(2).all(|pair| (26..=27).contains(&(pair[1] - pair[0]))));
}

#[test]
fn steps_that_the_run_does_not_have_are_refused() {
    for (from, to) in [(5, 4), (0, 601), (601, 601), (u32::MAX, 0)] {
        let error =
            Ladder::of(&sample::header(600, 60), SCENE, &run(600), from, to).expect_err("no such steps").to_string();
        assert!(error.contains("the run has the steps 0 to 600; choose two of them"), "{error}");
    }
    assert!(matches!(
        Ladder::of(&sample::header(600, 60), SCENE, &StepHashes::default(), 0, 0),
        Err(LadderError::NoSteps)
    ));
}

#[test]
fn the_text_is_short_and_plain() {
    let ladder = whole(600);
    let root = blake_free_hex(&sample::hash(4, 3).root[..16]);
    let text = ladder.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "physim ladder 1");
    assert_eq!(lines[1], "scene \"two balls\"");
    let (settings, digest) = lines[2].rsplit_once(' ').expect("words");
    assert_eq!(settings, "scalar fixed, semantics 3, steps 600, dt \"1/60\", text");
    assert!(digest.len() == 16 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()), "{digest}");
    assert_eq!(lines[6], format!("4 {root}"));
    assert!(lines[15].starts_with("check ") && lines[15].len() == 14 && lines.len() == 16);
    let widest = Ladder::of(&sample::header(600, 60), SCENE, &run(600), 100, 560).expect("a ladder").to_string();
    assert!(text.len() < 600 && widest.len() < 1100 && widest.len() > 900, "{} and {}", text.len(), widest.len());
}

fn blake_free_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn what_pasting_does_is_forgiven() {
    let ladder = whole(600);
    let text = ladder.to_string();
    let quoted: String = text.lines().map(|line| format!("> > {line}\n")).collect();
    for pasted in [
        format!("\n\n  {text}\n\n"),
        text.replace('\n', "\r\n"),
        quoted,
        format!("```text\n{text}```\n"),
        format!("> ```\n> {}```", text.replace('\n', "\n> ")),
        format!("\u{feff}{}", text.replace('\n', "  \n\n\t")),
        text.trim_end().to_owned(),
        text.replace("\n8 ", "\n8\u{a0} \t"),
    ] {
        assert_eq!(read_ladder("a", &pasted).expect("a ladder"), ladder, "{pasted}");
        assert!(looks_like_a_ladder(&pasted));
    }
}

#[test]
fn everything_else_is_refused_and_says_what_to_do() {
    let text = whole(600).to_string();
    let line = |number: usize| format!("{}\n", text.lines().nth(number).expect("a line"));
    for (mangled, part) in [
        (String::new(), "a is not a ladder: it does not begin with `physim ladder 1`"),
        ("hello".to_owned(), "a is not a ladder"),
        (format!("see\n{text}"), "a is not a ladder"),
        (text.replacen("ladder 1", "ladder 2", 1), "a ladder of version \"2\"; this build reads version 1"),
        (text.replace(&line(4), ""), "line 15: the checksum does not fit"),
        (text.replace(&line(15), ""), "line 15: expected the last line, `check`"),
        (text.replace(&line(2), ""), "line 3: expected `scalar"),
        (format!("{text}{text}"), "expected a step and 32 hexadecimal digits"),
        (text.replacen(&line(6), &format!("{}{}", line(7), line(6)), 1), "expected rising steps"),
        (text.replacen("\n8 ", "\n08 ", 1), "line 8: expected `8 "),
        (text.replacen("two balls", "two  balls", 1), "the checksum does not fit"),
        ("physim ladder 1\nscene \"a\"\n".to_owned(), "line 2: the ladder ends early"),
        ("x".repeat(70_000), "longer than a ladder may be"),
    ] {
        let error = read_ladder("a", &mangled).expect_err("a mangled ladder").to_string();
        assert!(error.contains(part), "{mangled}\n{error}");
    }
}

#[test]
fn no_single_change_gives_another_ladder() {
    let mut ladder = whole(40);
    ladder.settings.scene_name = "two \"b\\alls\"\u{7}, ö \u{1f600}".to_owned();
    let text = ladder.to_string();
    assert!(text.is_ascii() && read_ladder("a", &text).expect("a ladder") == ladder);
    let mut harmless = 0;
    for place in 0..text.len() {
        let (before, after) = (&text[..place], &text[place + 1..]);
        let changed =
            (0..128).map(char::from).chain(['\u{a0}', '“', '０']).map(|letter| format!("{before}{letter}{after}"));
        let inserted = (0..128).map(char::from).map(|letter| format!("{before}{letter}{}", &text[place..]));
        for other in changed.chain(inserted).chain([format!("{before}{after}")]).filter(|other| *other != text) {
            match read_ladder("a", &other) {
                Ok(read) => {
                    harmless += 1;
                    assert_eq!(read, ladder, "{other}");
                    let bare = |text: &str| text.replace(|c: char| c.is_whitespace() || c == '>', "");
                    assert_eq!(bare(&other), bare(&text));
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
    assert!(harmless > 100);
}

#[test]
fn two_ladders_narrow_the_gap_to_a_step() {
    let header = sample::header(600, 60);
    let (left, mut right) = (run(600), run(600));
    right.change(|hashes| hashes[77..].iter_mut().for_each(|hash| hash.root[0] ^= 1));
    let (mut from, mut to, mut rounds) = (0, 600, 0);
    loop {
        let ladders = [&left, &right].map(|hashes| Ladder::of(&header, SCENE, hashes, from, to).expect("a ladder"));
        let found = compare_ladders(&ladders[0], &ladders[1]);
        rounds += 1;
        match found.narrowed() {
            Some(gap) => (from, to) = gap,
            None => {
                assert_eq!((found.last_same, found.first_differing, rounds), (Some(76), Some(77), 3));
                break;
            }
        }
    }
}

#[test]
fn only_common_steps_count() {
    let ladder = |hashes: &[(u32, &str)]| Ladder {
        settings: whole(1).settings,
        rungs: hashes.iter().map(|&(step, hash)| Rung { step, hash: hash.to_owned() }).collect(),
    };
    let compare = |a: &[(u32, &str)], b: &[(u32, &str)]| {
        let found = compare_ladders(&ladder(a), &ladder(b));
        (found.common, found.last_same, found.first_differing, found.narrowed())
    };
    assert_eq!(compare(&[(0, "a"), (1, "b")], &[(2, "a"), (3, "b")]), (0, None, None, None));
    assert_eq!(compare(&[(0, "a"), (5, "b"), (9, "c")], &[(0, "a"), (7, "x"), (9, "c")]), (2, Some(9), None, None));
    assert_eq!(compare(&[(0, "a")], &[(0, "b")]), (1, None, Some(0), None));
    assert_eq!(compare(&[(8, "a")], &[(8, "b")]), (1, None, Some(8), Some((0, 8))));
    let (a, b) = ([(0, "a"), (1, "b"), (2, "c")], [(0, "a"), (1, "x"), (2, "y")]);
    assert_eq!(compare(&a, &b), (3, Some(0), Some(1), None));
    // A run that heals has parted all the same.
    let (a, b) = ([(0, "a"), (2, "b"), (4, "c")], [(0, "a"), (2, "x"), (4, "c")]);
    assert_eq!(compare(&a, &b), (3, Some(0), Some(2), Some((0, 2))));
    let mut other = whole(1);
    other.settings = LadderSettings { scalar: ScalarKind::F64, steps: 9, ..other.settings };
    let settings = compare_ladders(&whole(1), &other).settings;
    let rows: Vec<_> = settings.iter().map(|row| (row.key, row.a.as_str(), row.b.as_str())).collect();
    assert_eq!(rows, [("scalar", "fixed", "f64"), ("steps", "1", "9")]);
}

#[test]
fn scenes_are_compared_by_content_and_not_by_name_alone() {
    let of_scene = |scene: &str| Ladder::of(&sample::header(600, 60), scene, &run(600), 0, 600).expect("a ladder");
    let keys = |a: &Ladder, b: &Ladder| -> Vec<&'static str> {
        compare_ladders(a, b).settings.into_iter().map(|setting| setting.key).collect()
    };
    let ladder = of_scene(SCENE);
    let heavier = of_scene(&SCENE.replace("radius: 1", "radius: 2"));
    assert_eq!(keys(&ladder, &heavier), ["scene text"]);
    let reread = read_ladder("a", &heavier.to_string()).expect("a ladder");
    assert_eq!(keys(&ladder, &reread), ["scene text"]);
    let more_keyframes = of_scene(&SCENE.replace("steps", "keyframe_every: 7, steps"));
    assert_eq!(keys(&ladder, &more_keyframes), [""; 0], "keyframes are no part of the run");
    // An early ladder does not tell, nor does one of a scene that this build cannot read.
    let mut early = ladder.clone();
    early.settings.scene_digest = None;
    let text = early.to_string();
    assert!(text.contains("dt \"1/60\"\n"), "{text}");
    assert_eq!(read_ladder("a", &text).expect("an early ladder"), early);
    assert_eq!(keys(&early, &heavier), [""; 0]);
    assert_eq!(of_scene("(version: 99)").settings.scene_digest, None);
}

#[test]
fn a_ladder_under_other_words_is_found() {
    let text = whole(600).to_string();
    assert_eq!(line_of_a_ladder(&text), None, "nothing stands before it");
    assert_eq!(line_of_a_ladder(&format!("hi Ann,\nhere is mine:\n\n> {text}")), Some(4));
    assert_eq!(line_of_a_ladder("hi Ann,\nno ladder today"), None);
}

proptest! {
    #[test]
    fn a_ladder_comes_back_as_it_was_printed(
        scene_name in any::<String>(),
        dt in any::<String>(),
        numbers in any::<(u32, u32)>(),
        scene_digest in prop::option::of("[0-9a-f]{16}"),
        rungs in prop::collection::btree_map(any::<u32>(), "[0-9a-f]{32}", 1..30),
    ) {
        let (semantics, steps) = numbers;
        let settings = LadderSettings { scene_name, scalar: ScalarKind::F32, dt, semantics, steps, scene_digest };
        let ladder = Ladder { settings, rungs: rungs.into_iter().map(|(step, hash)| Rung { step, hash }).collect() };
        assert_eq!(read_ladder("a", &ladder.to_string()).expect("a ladder"), ladder);
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = read_ladder("a", &text);
        let _ = read_ladder("a", &format!("physim ladder 1\nscene {text}\n{text}\n{text}\ncheck 0"));
    }
}
