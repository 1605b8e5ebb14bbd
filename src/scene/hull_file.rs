//! Hulls whose points stand in a file: they are read where a scene's file is loaded, and stand in the scene from then on, so that
//! nothing behind it, a replay above all, depends on that file.
//!
//! An OBJ is read line by line here, since all that counts are its vertices, as the decimals that they are written in; libraries
//! read floats, and only vertices that faces use.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, ErrorKind, Read};
use std::path::{Component, Path as FilePath, PathBuf};

use crate::geometry::hull::{HullError, MAX_CORNERS};
use crate::scene::decimal::{Decimal, Exact};
use crate::scene::error::{Problem, quoted};
use crate::scene::hull::{HullPoints, LARGEST, LEAST_EXTENT, PointsError, corners_of};
use crate::scene::model::{Action, Collider, Scene, Shape, Vector};
use crate::scene::path::Path;

/// The most bytes of all files of a scene together; what is read for two shapes counts twice.
const MAX_BYTES: u64 = 256 << 20;
/// The most points of a file.
const MAX_POINTS: usize = 1 << 20;
/// What counts as zero in a file, as it needs too many digits.
const TOO_SMALL: f32 = 1e-12;
/// Bytes of a binary STL before its triangles, and of each of them.
const STL_HEAD: usize = 84;
const STL_TRIANGLE: usize = 50;

/// What a shape says of its file.
struct Asked<'a> {
    file: &'a str,
    scale: Decimal,
    most_corners: Option<u32>,
}

/// Replaces the files that shapes name by the points in them. What cannot be read is a problem, and its shape stays as it is.
pub(super) fn read_hull_files(scene: &mut Scene, folder: &FilePath) -> Vec<Problem> {
    let mut reader = Reader { folder, bytes_left: MAX_BYTES, known: BTreeMap::new(), problems: Vec::new() };
    let root = Path::root();
    for (name, shape) in &mut scene.shapes {
        reader.visit(shape, || root.key("shapes").name(name));
    }
    for (place, body) in scene.bodies.iter_mut().enumerate() {
        reader.visit_body((&mut body.shape, &mut body.colliders), || root.key("bodies").index(place));
    }
    for (place, group) in scene.groups.iter_mut().enumerate() {
        let body = &mut group.body;
        reader.visit_body((&mut body.shape, &mut body.colliders), || root.key("groups").index(place).key("body"));
    }
    for (place, input) in scene.inputs.iter_mut().enumerate() {
        if let Action::Spawn(body) = &mut input.action {
            let path = || root.key("inputs").index(place).key("action");
            reader.visit_body((&mut body.shape, &mut body.colliders), path);
        }
    }
    reader.problems
}

/// Reads the files of one scene.
struct Reader<'a> {
    folder: &'a FilePath,
    bytes_left: u64,
    known: BTreeMap<(String, String, Option<u32>), HullPoints>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn visit_body(&mut self, (shape, colliders): (&mut Option<Shape>, &mut [Collider]), path: impl Fn() -> Path) {
        if let Some(shape) = shape {
            self.visit(shape, || path().key("shape"));
        }
        for (place, collider) in colliders.iter_mut().enumerate() {
            self.visit(&mut collider.shape, || path().key("colliders").index(place).key("shape"));
        }
    }

    fn visit(&mut self, shape: &mut Shape, path: impl Fn() -> Path) {
        let Shape::Hull { points, file: Some(file), scale, most_corners } = shape else { return };
        if !points.points().is_empty() {
            let problem = Problem::new(path().key("file"), "a hull has either `points` or a `file`, not both");
            self.problems.push(problem.hint("leave one of them out"));
            return;
        }
        let scale = scale.clone().unwrap_or_else(|| Exact::new(1, 0).to_decimal());
        match self.corners(&Asked { file, scale, most_corners: *most_corners }, &path) {
            Ok(points) => *shape = Shape::Hull { points, file: None, scale: None, most_corners: None },
            Err(problem) => self.problems.push(problem),
        }
    }

    /// The corners of the hull of a file.
    fn corners(&mut self, asked: &Asked<'_>, path: &impl Fn() -> Path) -> Result<HullPoints, Problem> {
        let Asked { file, scale, most_corners } = asked;
        let key = ((*file).to_owned(), scale.to_string(), *most_corners);
        if let Some(points) = self.known.get(&key) {
            return Ok(points.clone());
        }
        let least = Exact::new(1, 6);
        if scale.exact() < least || scale.exact() > Exact::new(1_000_000, 0) {
            let problem =
                Problem::new(path().key("scale"), format!("the scale of a hull is {scale}, which is out of range"));
            return Err(problem.expected(format!("expected a number from {least} to 1000000")));
        }
        if most_corners.is_some_and(|most| !(4..=MAX_CORNERS as u32).contains(&most)) {
            let problem = Problem::new(path().key("most_corners"), "`most_corners` of a hull is out of range");
            return Err(problem.expected(format!("expected a number from 4 to {MAX_CORNERS}")));
        }
        let cannot = |why: String| Problem::new(path().key("file"), format!("cannot read {}: {why}", quoted(file)));
        let bytes = self.read(file).map_err(|(why, hint)| cannot(why).hint(hint))?;
        let points = points_of(file, bytes).map_err(|(why, hint)| cannot(why).hint(hint))?;
        let scaled: Option<Vec<Vector>> = points.iter().map(|point| scaled(point, scale.exact())).collect();
        let scaled = scaled.ok_or_else(|| out_of_range(cannot, file))?;
        let corners = corners_of(&scaled, most_corners.map(|most| most as usize)).map_err(|error| match error {
            PointsError::OutOfRange { .. } => out_of_range(cannot, file),
            PointsError::TooSmall => cannot("its hull is too small".to_owned())
                .expected(format!("its {} points lie within less than {LEAST_EXTENT} m of each other", scaled.len()))
                .hint("is it in another unit? `scale: 1000` makes it a thousand times as large"),
            PointsError::Hull(HullError::TooManyCorners) => cannot("its hull has too many corners".to_owned())
                .expected(format!("more than {MAX_CORNERS} of its {} points are corners", scaled.len()))
                .hint("`most_corners: 64` keeps those that stand out furthest"),
            PointsError::Hull(error) => cannot("its points have no hull".to_owned()).expected(error.to_string()),
        })?;
        let corners = HullPoints::from(corners);
        self.known.insert(key, corners.clone());
        Ok(corners)
    }

    /// The bytes of a file that lies in the folder of the scene. What is wrong otherwise, and what to do.
    fn read(&mut self, file: &str) -> Result<Vec<u8>, (String, &'static str)> {
        let told = |error: std::io::Error| match error.kind() {
            ErrorKind::NotFound => {
                ("there is no such file".to_owned(), "the path starts at the folder that the scene's file lies in")
            }
            _ => (error.to_string(), ""),
        };
        let path = self.within_folder(file).ok_or_else(|| {
            (
                "it does not lie in the folder of the scene".to_owned(),
                "copy it beside the scene's file, or into a folder there",
            )
        });
        let path = path?.canonicalize().map_err(told)?;
        if !path.starts_with(self.folder.canonicalize().map_err(told)?) {
            return Err(("it leads out of the folder of the scene".to_owned(), "copy what the link leads to"));
        }
        let metadata = path.metadata().map_err(told)?;
        if !metadata.is_file() {
            return Err(("it is not a file".to_owned(), ""));
        }
        let too_large =
            || (format!("the files of a scene are larger than {} MiB", MAX_BYTES >> 20), "simplify the meshes");
        if metadata.len() > self.bytes_left {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        let opened = std::fs::File::open(&path).map_err(told)?;
        opened.take(self.bytes_left + 1).read_to_end(&mut bytes).map_err(told)?;
        self.bytes_left = self.bytes_left.checked_sub(bytes.len() as u64).ok_or_else(too_large)?;
        Ok(bytes)
    }

    /// Where a file lies, unless its path leads elsewhere.
    fn within_folder(&self, file: &str) -> Option<PathBuf> {
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        FilePath::new(file).components().all(is_plain).then(|| self.folder.join(file))
    }
}

fn out_of_range(cannot: impl Fn(String) -> Problem, file: &str) -> Problem {
    cannot("a coordinate is out of range".to_owned())
        .expected(format!("expected numbers from -{LARGEST} to {LARGEST} m in {}", quoted(file)))
        .hint("is it in another unit? `scale: 0.001` makes it a thousandth as large")
}

fn scaled(point: &Vector, scale: Exact) -> Option<Vector> {
    let times = |coordinate: &Decimal| Some(coordinate.exact().checked_mul(scale)?.to_decimal());
    Some(Vector(times(&point.0)?, times(&point.1)?, times(&point.2)?))
}

/// The points of a file by what its name ends with.
fn points_of(file: &str, bytes: Vec<u8>) -> Result<Vec<Vector>, (String, &'static str)> {
    let ending = FilePath::new(file).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("obj") => points_of_obj(&bytes).map_err(|why| (why, "a vertex is a line such as `v 1 0.5 -2`")),
        Some("stl") => points_of_stl(bytes).map_err(|why| (why, "export it once more, as a binary STL")),
        _ => Err((
            "its name ends neither with `.obj` nor with `.stl`".to_owned(),
            "other formats can be converted to these",
        )),
    }
}

/// The vertices of an OBJ, used by a face or not.
fn points_of_obj(bytes: &[u8]) -> Result<Vec<Vector>, String> {
    let mut points = Vec::new();
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        let Some(b"v") = line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty()) else { continue };
        let wrong = || format!("line {number} is not a vertex");
        let line = std::str::from_utf8(line).map_err(|_| wrong())?;
        check_count(points.len())?;
        let mut words = line.split_ascii_whitespace().skip(1).take(3).map(Decimal::new);
        let mut next = || words.next().and_then(Result::ok).ok_or_else(wrong);
        points.push(Vector(next()?, next()?, next()?));
    }
    Ok(points)
}

/// The corners of the triangles of an STL, in either of its forms.
fn points_of_stl(mut bytes: Vec<u8>) -> Result<Vec<Vector>, String> {
    // Binary ones may begin like a text; their length says what they are.
    let count = bytes.get(STL_HEAD - 4..STL_HEAD).and_then(|count| count.try_into().ok()).map(u32::from_le_bytes);
    if count.is_some_and(|count| bytes.len() as u64 == STL_HEAD as u64 + u64::from(count) * STL_TRIANGLE as u64) {
        bytes[0] = b' ';
    }
    let mut cursor = Cursor::new(bytes);
    let told = |error: std::io::Error| match error.kind() {
        ErrorKind::UnexpectedEof => "it ends in the middle".to_owned(),
        _ => error.to_string(),
    };
    let triangles = stl_io::create_stl_reader(&mut cursor).map_err(told)?;
    // A corner stands there once for each triangle that has it.
    let mut corners = BTreeSet::new();
    for triangle in triangles {
        let triangle = triangle.map_err(told)?;
        corners.extend(triangle.vertices.map(|vertex| <[f32; 3]>::from(vertex).map(f32::to_bits)));
        check_count(corners.len())?;
    }
    let point = |bits: [u32; 3]| {
        let [x, y, z] = bits.map(|bits| decimal_of(f32::from_bits(bits)));
        Some(Vector(x?, y?, z?))
    };
    let points: Option<Vec<Vector>> = corners.into_iter().map(point).collect();
    points.ok_or_else(|| "a coordinate is no finite number of at most 38 digits".to_owned())
}

/// Refuses one point more than there may be.
fn check_count(count: usize) -> Result<(), String> {
    if count < MAX_POINTS { Ok(()) } else { Err(format!("it has more than {MAX_POINTS} points")) }
}

/// The shortest decimal that is read back as this float.
fn decimal_of(number: f32) -> Option<Decimal> {
    let number = if number.abs() < TOO_SMALL { 0.0 } else { number };
    Decimal::new(&number.to_string()).ok()
}
