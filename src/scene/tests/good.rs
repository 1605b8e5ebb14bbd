use crate::math::{Fixed, Scalar};
use crate::scene::decimal::Decimal;
use crate::scene::generate::expand;
use crate::scene::model::{Action, Place, Scene, Vector};
use crate::scene::parse::parse;

const ALL_FEATURES: &str = include_str!("all_features.ron");

fn all_features() -> Scene {
    parse("all_features.ron", ALL_FEATURES).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_canonical_text_parses_back_to_an_equal_scene() {
    let scene = all_features();
    let text = scene.to_canonical_ron();
    let again = parse("canonical", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(scene, again);
    assert_eq!(text, again.to_canonical_ron());
    println!("{text}");
}
#[test]
fn expands() {
    for b in expand(&all_features()).unwrap() {
        println!("{} {:?} {:?}", b.name, b.position, b.orientation);
    }
    for i in &all_features().inputs {
        println!("{}", i.to_ron_line());
    }
}
