//! Hulls and meshes that stand in a file: they are read where a scene's file is loaded, and stand in the scene from then on, so that
//! nothing behind it, a replay above all, depends on that file.
//!
//! An OBJ is read line by line here, since all that counts are its vertices, as the decimals that they are written in; libraries
//! read floats, and only vertices that faces use.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path as FilePath;

use crate::geometry::hull::{HullError, MAX_CORNERS};
use crate::scene::cutting_effort::CuttingEffort;
use crate::scene::decimal::{Decimal, Exact};
use crate::scene::decomposed::SolidPoints;
use crate::scene::error::{Problem, quoted};
use crate::scene::gltf::{GltfForm, points_of_gltf};
use crate::scene::hull::{HullPoints, LARGEST, LEAST_EXTENT, PointsError, corners_of};
use crate::scene::mesh::{MeshPoints, Triangles, TrianglesError};
use crate::scene::mesh_file::surface_of;
use crate::scene::model::{Action, Collider, Scene, Shape, Vector};
use crate::scene::path::Path;
use crate::scene::resolve_decomposed::resolve_parts_of;
use crate::scene::scene_folder::{Beside, SceneFolder};
use crate::scene::stl::triangles_of_stl;

/// The most points of a file.
const MAX_POINTS: usize = 1 << 20;
/// The most points of all files together; what is read for two shapes counts twice.
const MAX_ALL_POINTS: usize = 1 << 21;
/// What counts as zero in a file, as it needs too many digits.
pub(super) const TOO_SMALL: f64 = 1e-12;
/// What to do with a binary file that cannot be read.
pub(super) const EXPORT_AGAIN: &str = "export it once more";

/// What a shape says of its file.
struct Asked<'a> {
    file: &'a str,
    scale: Decimal,
    most_corners: Option<u32>,
}

/// Replaces the files that shapes name by the points in them. What cannot be read is a problem, and its shape stays as it is.
pub(super) fn read_hull_files(scene: &mut Scene, folder: &FilePath) -> Vec<Problem> {
    let effort = match CuttingEffort::of(scene) {
        Ok(effort) => effort,
        Err(problem) => return vec![problem],
    };
    let mut reader = Reader {
        folder: SceneFolder::new(folder),
        points_left: MAX_ALL_POINTS,
        known: BTreeMap::new(),
        surfaces: BTreeMap::new(),
        solids: BTreeMap::new(),
        effort,
        problems: Vec::new(),
    };
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
    for (name, query) in &mut scene.queries {
        // Nobody can ask with another shape that may have a file, which is said of it as it is.
        if let Some(shape @ Shape::Hull { .. }) = query.shape_mut() {
            reader.visit(shape, || root.key("queries").name(name).key("shape"));
        }
    }
    reader.problems
}

/// Reads the files of one scene.
struct Reader {
    folder: SceneFolder,
    points_left: usize,
    known: BTreeMap<(String, String, Option<u32>), HullPoints>,
    surfaces: BTreeMap<(String, String), (MeshPoints, Triangles)>,
    /// By file, scale and how it is to be cut.
    solids: BTreeMap<(String, String, String), SolidPoints>,
    effort: CuttingEffort,
    problems: Vec<Problem>,
}

impl Reader {
    fn visit_body(&mut self, (shape, colliders): (&mut Option<Shape>, &mut [Collider]), path: impl Fn() -> Path) {
        if let Some(shape) = shape {
            self.visit(shape, || path().key("shape"));
        }
        for (place, collider) in colliders.iter_mut().enumerate() {
            self.visit(&mut collider.shape, || path().key("colliders").index(place).key("shape"));
        }
    }

    fn visit(&mut self, shape: &mut Shape, path: impl Fn() -> Path) {
        if let Shape::Mesh { points, triangles, file: Some(file), scale } = shape {
            if !points.points().is_empty() || !triangles.listed().is_empty() {
                let problem =
                    Problem::new(path().key("file"), "a mesh has either `points` and `triangles` or a `file`");
                self.problems.push(problem.hint("leave one of them out"));
                return;
            }
            match self.surface(file, scale.as_ref(), &path) {
                Ok((points, triangles)) => *shape = Shape::Mesh { points, triangles, file: None, scale: None },
                Err(problem) => self.problems.push(problem),
            }
            return;
        }
        if let Shape::Decomposed {
            points,
            triangles,
            file: file @ Some(_),
            scale,
            most_parts,
            tolerance,
            most_corners,
        } = shape
        {
            let settings = format!("{most_parts:?} {tolerance:?} {most_corners:?}");
            match self.solid((points, triangles), (file.as_deref().unwrap_or(""), scale.as_ref()), settings, &path) {
                Ok(solid) => {
                    (*points, *triangles) = solid;
                    (*file, *scale) = (None, None);
                    let too_much = self.effort.add(shape, &path).err();
                    let wrong = too_much.or_else(|| resolve_parts_of(shape, &path(), false).and_then(Result::err));
                    self.problems.extend(wrong.map(|problem| in_file(problem, &path())));
                }
                Err(problem) => self.problems.push(problem),
            }
            return;
        }
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

    /// The surface in a file.
    fn surface(
        &mut self,
        file: &str,
        scale: Option<&Decimal>,
        path: &impl Fn() -> Path,
    ) -> Result<(MeshPoints, Triangles), Problem> {
        let scale = scale.cloned().unwrap_or_else(|| Exact::new(1, 0).to_decimal());
        let key = (file.to_owned(), scale.to_string());
        if let Some(known) = self.surfaces.get(&key) {
            return Ok(known.clone());
        }
        check_scale(&scale, "mesh", path)?;
        let cannot = |why: String| Problem::new(path().key("file"), format!("cannot read {}: {why}", quoted(file)));
        let bytes = self.folder.read(file).map_err(|(why, hint)| cannot(why).hint(hint))?;
        let (points, triangles) =
            surface_of(file, &bytes, self.folder.beside(file)).map_err(|(why, hint)| cannot(why).hint(hint))?;
        self.take_points(points.len(), cannot)?;
        let scaled: Option<Vec<Vector>> = points.iter().map(|point| scaled(point, scale.exact())).collect();
        let points = scaled.ok_or_else(|| out_of_range(cannot, file))?;
        let surface = (MeshPoints::from(points), Triangles::from(triangles));
        let wrong = surface.0.mesh(&surface.1).err().map(|error| match error {
            TrianglesError::OutOfRange { .. } => out_of_range(cannot, file),
            TrianglesError::Mesh(error) => cannot("it has no surface".to_owned()).expected(error.to_string()),
            TrianglesError::TooSmall | TrianglesError::Ragged(_) => cannot("it is too small".to_owned())
                .expected(format!("its points lie within less than {LEAST_EXTENT} m of each other"))
                .hint("is it in another unit? `scale: 1000` makes it a thousand times as large"),
        });
        if let Some(problem) = wrong {
            return Err(problem);
        }
        self.surfaces.insert(key, surface.clone());
        Ok(surface)
    }

    /// The solid in a file, the same for all that are to be cut alike.
    fn solid(
        &mut self,
        written: (&SolidPoints, &Triangles),
        (file, scale): (&str, Option<&Decimal>),
        settings: String,
        path: &impl Fn() -> Path,
    ) -> Result<(SolidPoints, Triangles), Problem> {
        if !written.0.points().is_empty() || !written.1.listed().is_empty() {
            let problem = Problem::new(path().key("file"), "a solid has either `points` and `triangles` or a `file`");
            return Err(problem.hint("leave one of them out"));
        }
        let (points, triangles) = self.surface(file, scale, path)?;
        let key = (file.to_owned(), scale.map_or_else(String::new, Decimal::to_string), settings);
        let solid = self.solids.entry(key).or_insert_with(|| SolidPoints::from(points.points().to_vec()));
        Ok((solid.clone(), triangles))
    }

    /// Takes so many points from what the files of a scene may have.
    fn take_points(&mut self, count: usize, cannot: impl Fn(String) -> Problem) -> Result<(), Problem> {
        self.points_left = self.points_left.checked_sub(count).ok_or_else(|| {
            cannot(format!("the files of a scene have more than {MAX_ALL_POINTS} points"))
                .hint("simplify the meshes; a file counts again for each `scale` and `most_corners`")
        })?;
        Ok(())
    }

    /// The corners of the hull of a file.
    fn corners(&mut self, asked: &Asked<'_>, path: &impl Fn() -> Path) -> Result<HullPoints, Problem> {
        let Asked { file, scale, most_corners } = asked;
        let key = ((*file).to_owned(), scale.to_string(), *most_corners);
        if let Some(points) = self.known.get(&key) {
            return Ok(points.clone());
        }
        check_scale(scale, "hull", path)?;
        if most_corners.is_some_and(|most| !(4..=MAX_CORNERS as u32).contains(&most)) {
            let problem = Problem::new(path().key("most_corners"), "`most_corners` of a hull is out of range");
            return Err(problem.expected(format!("expected a number from 4 to {MAX_CORNERS}")));
        }
        let cannot = |why: String| Problem::new(path().key("file"), format!("cannot read {}: {why}", quoted(file)));
        let bytes = self.folder.read(file).map_err(|(why, hint)| cannot(why).hint(hint))?;
        let points = points_of(file, &bytes, self.folder.beside(file)).map_err(|(why, hint)| cannot(why).hint(hint))?;
        self.take_points(points.len(), cannot)?;
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
}

/// What is wrong with points or triangles that came from a file stands at the name of the file.
fn in_file(mut problem: Problem, path: &Path) -> Problem {
    let place = problem.path.to_string();
    if ["points", "triangles"].iter().any(|key| place.starts_with(&path.key(key).to_string())) {
        problem.path = path.key("file");
    }
    problem
}

/// Refuses a scale that is out of range.
fn check_scale(scale: &Decimal, shape: &str, path: &impl Fn() -> Path) -> Result<(), Problem> {
    let least = Exact::new(1, 6);
    if scale.exact() < least || scale.exact() > Exact::new(1_000_000, 0) {
        let problem =
            Problem::new(path().key("scale"), format!("the scale of a {shape} is {scale}, which is out of range"));
        return Err(problem.expected(format!("expected a number from {least} to 1000000")));
    }
    Ok(())
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

/// What is wrong with a file, and what to do.
pub(super) type Wrong = (String, &'static str);

/// A kind of file that shapes are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileFormat {
    Obj,
    Stl,
    Gltf(GltfForm),
}

/// The points of a file by what its name ends with.
fn points_of(file: &str, bytes: &[u8], beside: Beside<'_>) -> Result<Vec<Vector>, Wrong> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let points = match format_of(file)? {
        FileFormat::Obj => points_of_obj(bytes),
        FileFormat::Stl => points_of_stl(bytes),
        FileFormat::Gltf(form) => points_of_gltf(bytes, form, beside),
    }?;
    if points.is_empty() {
        return Err(("there is no vertex in it".to_owned(), "is it what its name says, an OBJ, STL or glTF file?"));
    }
    Ok(points)
}

/// What kind of file it is by what its name ends with.
pub(super) fn format_of(file: &str) -> Result<FileFormat, Wrong> {
    let ending = FilePath::new(file).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("obj") => Ok(FileFormat::Obj),
        Some("stl") => Ok(FileFormat::Stl),
        Some("gltf") => Ok(FileFormat::Gltf(GltfForm::Json)),
        Some("glb") => Ok(FileFormat::Gltf(GltfForm::Binary)),
        _ => Err((
            "its name does not end with `.obj`, `.stl`, `.glb` or `.gltf`".to_owned(),
            "other formats can be converted to these",
        )),
    }
}

/// The lines of an OBJ, each with the number of its first one: what ends with a backslash goes on in the next line, unless it is a comment.
pub(super) fn lines_of_obj(bytes: &[u8]) -> impl Iterator<Item = (usize, Cow<'_, [u8]>)> {
    let mut lines = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    let begun = |line: &[u8]| line.trim_ascii_end().strip_suffix(b"\\").map(<[u8]>::len);
    std::iter::from_fn(move || {
        let (number, line) = lines.next()?;
        let is_comment = line.trim_ascii_start().starts_with(b"#");
        let mut whole = Cow::Borrowed(line);
        while let Some(end) = begun(&whole).filter(|_| !is_comment) {
            let (_, next) = lines.next().unwrap_or_default();
            let whole = whole.to_mut();
            whole.truncate(end);
            whole.push(b' ');
            whole.extend_from_slice(next);
        }
        Some((number, whole))
    })
}

/// The vertices of an OBJ, used by a face or not.
fn points_of_obj(bytes: &[u8]) -> Result<Vec<Vector>, Wrong> {
    let mut points = Vec::new();
    for (number, line) in lines_of_obj(bytes) {
        let Some(b"v") = line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty()) else { continue };
        let wrong =
            || (format!("line {number} is not a vertex"), "a vertex is a line of finite numbers such as `v 1 0.5 -2`");
        let line = std::str::from_utf8(&line).map_err(|_| wrong())?;
        check_count(points.len())?;
        let mut words = line.split_ascii_whitespace().skip(1).take(3).map(decimal_in);
        let mut next = || words.next().flatten().ok_or_else(wrong);
        points.push(Vector(next()?, next()?, next()?));
    }
    Ok(points)
}

/// A number as it is written, or with more digits than are kept that of the nearest float.
pub(super) fn decimal_in(word: &str) -> Option<Decimal> {
    Decimal::new(word).ok().or_else(|| decimal_of(word.parse().ok()?))
}

/// The corners of the triangles of an STL: one stands there once for each triangle that has it.
fn points_of_stl(bytes: &[u8]) -> Result<Vec<Vector>, Wrong> {
    let mut corners = BTreeSet::new();
    triangles_of_stl(bytes, |triangle| {
        corners.extend(triangle);
        check_count(corners.len())
    })?;
    corners.into_iter().map(vector_of_bits).collect()
}

/// A point of an STL, whose coordinates are given as the bits of floats.
pub(super) fn vector_of_bits(bits: [u32; 3]) -> Result<Vector, Wrong> {
    let number = |bits| {
        let number = f32::from_bits(bits);
        if f64::from(number.abs()) < TOO_SMALL { decimal_of(0.0) } else { Decimal::new(&number.to_string()).ok() }
    };
    let wrong = || ("a coordinate is no number of at most 38 digits".to_owned(), EXPORT_AGAIN);
    let [x, y, z] = bits.map(number);
    Ok(Vector(x.ok_or_else(wrong)?, y.ok_or_else(wrong)?, z.ok_or_else(wrong)?))
}

/// Refuses one point more than there may be.
pub(super) fn check_count(count: usize) -> Result<(), Wrong> {
    if count < MAX_POINTS {
        Ok(())
    } else {
        Err((format!("it has more than {MAX_POINTS} points"), "simplify the mesh"))
    }
}

/// The shortest decimal that is read back as this float; `None` where it is not finite or has too many digits.
pub(super) fn decimal_of(number: f64) -> Option<Decimal> {
    let number = if number.abs() < TOO_SMALL { 0.0 } else { number };
    Decimal::new(&number.to_string()).ok()
}
