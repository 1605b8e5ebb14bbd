//! The name that was probably meant: one of another engine for the same thing, or one that differs by a few letters.

use crate::scene::error::quoted;

/// What other engines, and newcomers, call a thing, and what it is called here. Letters count without case and `_`.
const SYNONYMS: &[(&str, &str)] = &[
    // Shapes.
    ("box", "Cuboid"),
    ("cube", "Cuboid"),
    ("brick", "Cuboid"),
    ("plane", "HalfSpace"),
    ("ground", "HalfSpace"),
    ("floor", "HalfSpace"),
    ("ball", "Sphere"),
    ("circle", "Sphere"),
    ("pill", "Capsule"),
    ("can", "Cylinder"),
    ("disc", "Cylinder"),
    ("disk", "Cylinder"),
    ("tube", "Cylinder"),
    ("convexhull", "Hull"),
    ("convex", "Hull"),
    ("polyhedron", "Hull"),
    ("decomposition", "Decomposed"),
    ("convexdecomposition", "Decomposed"),
    ("concave", "Decomposed"),
    ("solid", "Decomposed"),
    ("trimesh", "Mesh"),
    ("trianglemesh", "Mesh"),
    ("polygonmesh", "Mesh"),
    ("terrain", "HeightField"),
    ("heightmap", "HeightField"),
    // Kinds of bodies.
    ("fixed", "Static"),
    ("immovable", "Static"),
    ("kinematicvelocitybased", "Kinematic"),
    ("animated", "Kinematic"),
    ("rigid", "Dynamic"),
    ("movable", "Dynamic"),
    // Scalars.
    ("float", "F32"),
    ("single", "F32"),
    ("double", "F64"),
    ("fixedpoint", "Fixed"),
    // Keys of bodies and shapes.
    ("velocity", "linear_velocity"),
    ("vel", "linear_velocity"),
    ("linvel", "linear_velocity"),
    ("angvel", "angular_velocity"),
    ("spin", "angular_velocity"),
    ("omega", "angular_velocity"),
    ("pos", "position"),
    ("translation", "position"),
    ("location", "position"),
    ("origin", "Origin"),
    ("com", "CentreOfMass"),
    ("centerofmass", "CentreOfMass"),
    ("rotation", "orientation"),
    ("rot", "orientation"),
    ("quat", "Quaternion"),
    ("axisangle", "AxisDegrees"),
    ("type", "kind"),
    ("bodytype", "kind"),
    ("halfsize", "half_extents"),
    ("halfwidths", "half_extents"),
    ("size", "half_extents"),
    ("extents", "half_extents"),
    ("halflength", "half_height"),
    ("r", "radius"),
    ("diameter", "radius"),
    ("geometry", "shape"),
    ("collider", "colliders"),
    ("lineardamp", "linear_damping"),
    ("angulardamp", "angular_damping"),
    ("drag", "linear_damping"),
    ("gravityfactor", "gravity_scale"),
    ("trigger", "sensor"),
    ("istrigger", "sensor"),
    ("issensor", "sensor"),
    ("layer", "category"),
    ("layers", "category"),
    ("categorybits", "category"),
    ("memberships", "category"),
    ("maskbits", "mask"),
    ("collideswith", "mask"),
    ("groupindex", "group"),
    ("collisiongroups", "filter"),
    ("collisionfilter", "filter"),
    ("category", "filter"),
    ("mask", "filter"),
    ("group", "filter"),
    ("layer", "filter"),
    ("collideswith", "filter"),
    ("weight", "mass"),
    // Materials.
    ("bounce", "restitution"),
    ("bounciness", "restitution"),
    ("elasticity", "restitution"),
    ("mu", "friction"),
    ("frictioncoefficient", "friction"),
    ("rollingresistance", "rolling_friction"),
    ("torsionalfriction", "spinning_friction"),
    ("frictionmode", "friction_combine"),
    ("restitutionmode", "restitution_combine"),
    // The scene and its solver.
    ("timestep", "dt"),
    ("deltatime", "dt"),
    ("stepsize", "dt"),
    ("g", "gravity"),
    ("duration", "steps"),
    ("objects", "bodies"),
    ("iters", "iterations"),
    ("velocityiterations", "iterations"),
    ("solveriterations", "iterations"),
    ("substepcount", "substeps"),
    ("warmstart", "warm_starting"),
    ("ccd", "continuous"),
    ("bvh", "DynamicTree"),
    ("tree", "DynamicTree"),
    ("sap", "SweepAndPrune"),
    ("sweep", "SweepAndPrune"),
    ("grid", "UniformGrid"),
    ("layers", "categories"),
    ("frequency", "hertz"),
    ("erp", "beta"),
];

/// How many names are compared letter by letter at most: a scene may have hundreds of thousands, and as many that are unknown.
const MOST_COMPARED: usize = 1024;

/// The known name that was probably meant, if there is one.
#[must_use]
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(written, &known.into_iter().collect::<Vec<_>>())
}

fn nearest_of<'a>(written: &str, known: &[&'a str]) -> Option<&'a str> {
    let few = known.get(..MOST_COMPARED).unwrap_or(known);
    synonym(written, few).or_else(|| {
        let limit = 1 + written.chars().count() / 3;
        let nearest = candidates(written, known, limit).map(|name| (edit_distance(written, name), name)).min();
        nearest.filter(|(distance, _)| *distance <= limit).map(|(_, name)| name)
    })
}

/// The known names that may be near: all of them where they are few, else some that begin alike and some of about that length.
fn candidates<'a>(written: &str, known: &[&'a str], limit: usize) -> impl Iterator<Item = &'a str> {
    // A letter has up to four bytes.
    let is_as_long = move |name: &&str| name.len().abs_diff(written.len()) <= 4 * limit;
    let half: String = written.chars().take(written.chars().count().div_ceil(2)).collect();
    let alike = known.iter().copied().filter(is_as_long).filter(move |name| name.starts_with(&half));
    let others = known.iter().copied().filter(is_as_long);
    alike.take(MOST_COMPARED).chain(others.take(MOST_COMPARED))
}

/// `did you mean ...?` when a known name was probably meant, else nothing.
#[must_use]
pub fn nearest_hint<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(written, known).map_or_else(String::new, |name| format!("did you mean {}?", quoted(name)))
}

/// The known name that means the same elsewhere.
fn synonym<'a>(written: &str, known: &[&'a str]) -> Option<&'a str> {
    let plain = |text: &str| text.chars().filter(|letter| *letter != '_').flat_map(char::to_lowercase).collect();
    let written: String = plain(written);
    let same = known.iter().find(|name| plain(name) == written);
    let meant = || SYNONYMS.iter().filter(|(other, _)| *other == written).find_map(|(_, ours)| find(known, ours));
    same.copied().or_else(meant)
}

fn find<'a>(known: &[&'a str], name: &str) -> Option<&'a str> {
    known.iter().copied().find(|known| *known == name)
}

/// How many letters must be put in, taken out or replaced, ignoring case (Levenshtein, 1966).
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (place, letter) in a.chars().flat_map(char::to_lowercase).take(64).enumerate() {
        let mut diagonal = place;
        let mut left = place + 1;
        for (cell, other) in row.iter_mut().skip(1).zip(&b) {
            let best = (diagonal + usize::from(letter != *other)).min(left + 1).min(*cell + 1);
            diagonal = *cell;
            *cell = best;
            left = best;
        }
        if let Some(first) = row.first_mut() {
            *first = place + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{SYNONYMS, nearest};

    #[test]
    fn names_of_other_engines_are_known() {
        let shapes = ["Sphere", "Cuboid", "Capsule", "Hull", "HalfSpace", "Named"];
        let keys = ["name", "kind", "position", "orientation", "linear_velocity", "angular_velocity", "mass"];
        assert_eq!(
            ["Box", "Plane", "Ball", "Cube"].map(|name| nearest(name, shapes)),
            ["Cuboid", "HalfSpace", "Sphere", "Cuboid"].map(Some)
        );
        assert_eq!(nearest("velocity", keys), Some("linear_velocity"));
        assert_eq!(nearest("pos", keys), Some("position"));
        assert_eq!(nearest("Fixed", ["Dynamic", "Static", "Kinematic"]), Some("Static"));
        assert_eq!(nearest("fixed_point", ["Fixed", "F32", "F64"]), Some("Fixed"));
    }

    #[test]
    fn a_few_letters_off_is_near_and_more_is_not() {
        assert_eq!(nearest("cueball", ["ball[1]", "cue_ball"]), Some("cue_ball"));
        assert_eq!(nearest("gravty", ["gravity", "groups"]), Some("gravity"));
        assert_eq!(nearest("frobnicate", ["gravity", "groups"]), None);
        assert_eq!(nearest("x", []), None);
    }

    /// A synonym for what no scene has would never be proposed.
    #[test]
    fn every_synonym_leads_to_a_word_of_the_language() {
        let language = include_str!("../../docs/scene-format.md");
        for (other, ours) in SYNONYMS {
            assert!(language.contains(ours), "{other} -> {ours}");
            assert!(!other.contains('_') && other.to_lowercase() == *other, "{other}");
        }
    }
}
