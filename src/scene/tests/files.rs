//! Hulls and meshes from OBJ and STL files.

use std::path::{Path, PathBuf};

use insta::assert_snapshot;

use crate::scene::model::{Shape, Vector};
use crate::scene::resolve::{ResolvedShape, resolve_query_shape};
use crate::scene::{Scene, load, parse};

/// A folder with files in it, gone at the end.
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    pub(super) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("physim-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
        Self(folder)
    }

    pub(super) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), bytes).expect("a file can be written");
    }

    /// Loads a scene with one body of this shape.
    fn load(&self, shape: &str) -> Result<Scene, String> {
        self.write("scene.ron", scene(shape));
        load(&self.0.join("scene.ron"))
            .map_err(|error| error.render(false).replace(&self.0.display().to_string(), "FOLDER"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn scene(shape: &str) -> String {
    let kind = if shape.starts_with("Mesh") { "kind: Static, " } else { "" };
    format!("(version: 1, name: \"file\", bodies: [(name: \"a\", {kind}shape: {shape})])")
}

/// A pyramid with a point inside, in millimetres.
const PYRAMID: [[f32; 3]; 6] = [
    [-500.0, 0.0, -500.0],
    [500.0, 0.0, -500.0],
    [500.0, 0.0, 500.0],
    [-500.0, 0.0, 500.0],
    [0.0, 750.5, 0.0],
    [0.0, 9.0, 0.0],
];
const TRIANGLES: [[usize; 3]; 7] = [[0, 1, 2], [0, 2, 3], [0, 4, 1], [1, 4, 2], [2, 4, 3], [3, 4, 0], [5, 0, 1]];

fn obj() -> String {
    let vertices = PYRAMID.map(|[x, y, z]| format!("v {x} {y} {z} 1.0\r\n"));
    format!("# a pyramid\nmtllib none.mtl\no pyramid\n{}vn 0 1 0\nvt 0 0\nf 1 2 3\n", vertices.concat())
}

fn stl_as_text() -> String {
    let facet = |corners: [usize; 3]| {
        let vertices = corners.map(|corner| PYRAMID[corner]).map(|[x, y, z]| format!("vertex {x:e} {y} {z}\n"));
        format!("facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n", vertices.concat())
    };
    format!("solid pyramid\n{}endsolid pyramid\n", TRIANGLES.map(facet).concat())
}

fn stl_as_bytes() -> Vec<u8> {
    let mut bytes = b"solid is how some programs begin a binary file too\n".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((TRIANGLES.len() as u32).to_le_bytes());
    for corners in TRIANGLES {
        bytes.extend([0; 12]);
        bytes.extend(
            corners.map(|corner| PYRAMID[corner]).as_flattened().iter().flat_map(|number| number.to_le_bytes()),
        );
        bytes.extend([0; 2]);
    }
    bytes
}

#[test]
fn a_hull_from_a_file_is_that_of_the_points_in_it() {
    let folder = Folder::new("hull-files");
    folder.write("pyramid.obj", obj());
    std::fs::create_dir_all(folder.0.join("parts")).expect("a folder can be made");
    folder.write("parts/text.stl", stl_as_text());
    folder.write("parts/binary.STL", stl_as_bytes());
    // As files come: with a mark of the byte order, in capitals, in several solids, with digits that nobody keeps.
    let text = obj();
    let vertices = text.lines().filter(|line| line.starts_with("v ")).collect::<Vec<_>>().join("\n");
    folder.write("marked.obj", format!("\u{feff}{vertices}\nv 1e-42 9 1e-55\n"));
    let small = stl_as_text().replace("500", "5").replace("750.5", "5");
    folder.write(
        "two.stl",
        format!("\n{}{}", small, stl_as_text().to_uppercase().replace("NORMAL 0 0 0", "normal nan 0 0")),
    );
    let points = "Hull(points: [(-0.5, 0, -0.5), (-0.5, 0, 0.5), (0, 0.7505, 0), (0.5, 0, -0.5), (0.5, 0, 0.5)])";
    let written = parse("points", &scene(points)).expect("a scene");
    for file in ["pyramid.obj", "parts/../marked.obj", "./parts/text.stl", "parts/binary.STL", "two.stl"] {
        let loaded = folder.load(&format!("Hull(file: \"{file}\", scale: 0.001)")).expect(file);
        assert_eq!(loaded, written, "{file}");
        assert_eq!(loaded.to_canonical_ron(), written.to_canonical_ron(), "{file}");
    }
}

/// Wherever a shape may stand: by name, in a collider, in a group, in a body that is yet to come.
#[test]
fn a_file_may_be_named_wherever_a_shape_is() {
    let folder = Folder::new("hull-files-everywhere");
    folder.write("pyramid.obj", obj());
    let hull = "Hull(file: \"pyramid.obj\", scale: 0.001)";
    let text = format!(
        "(version: 1, name: \"all\", shapes: {{\"pyramid\": {hull}}},
        bodies: [(name: \"a\", colliders: [(shape: {hull}), (shape: Named(\"pyramid\"), offset: (1, 0, 0))])],
        groups: [(name: \"g\", body: (shape: {hull}), layout: Grid(origin: (0, 5, 0), count: (2, 1, 1), spacing: (2, 0, 0)))],
        inputs: [(step: 5, action: Spawn(name: \"late\", position: Origin(0, 9, 0), shape: {hull}))])"
    );
    folder.write("all.ron", text);
    let loaded = load(&folder.0.join("all.ron")).expect("a scene");
    let canonical = loaded.to_canonical_ron();
    assert!(!canonical.contains("pyramid.obj"), "{canonical}");
    assert_eq!(canonical.matches("0.7505").count(), 4, "{canonical}");
    assert_eq!(parse("canonical", &canonical).expect("a scene without files"), loaded);
}

fn points_of(scene: &Scene) -> Vec<[f64; 3]> {
    let Some(Shape::Hull { points, .. }) = &scene.bodies[0].shape else { panic!("a hull") };
    points.points().iter().map(|Vector(x, y, z)| [x, y, z].map(|number| number.to_f64())).collect()
}

/// Points on a unit ball. Caps of angular radius `r` have the area `2 pi (1 - cos r)`; so many that cover the ball have some `2.4 / count` for
/// `1 - cos r` at best, as they overlap. Who always adds the point furthest from all others covers it with at most twice the radius,
/// which is four times that (T. Gonzalez, 1985, Clustering to minimize the maximum intercluster distance).
#[test]
fn of_a_ball_the_corners_that_are_kept_lie_all_around() {
    let folder = Folder::new("hull-files-ball");
    let points: Vec<[f64; 3]> = (0..5000)
        .map(|number| {
            let height = 1.0 - (f64::from(number) + 0.5) / 2500.0;
            let (sine, cosine) = (f64::from(number) * 2.399_963).sin_cos();
            let radius = (1.0 - height * height).sqrt();
            [radius * cosine, height, radius * sine]
        })
        .collect();
    folder.write("ball.obj", points.iter().map(|[x, y, z]| format!("v {x:.6} {y:.6} {z:.6}\n")).collect::<String>());
    // Two ends, the point furthest from their line and that from their plane: 2 * 1 / 2 * 1 / 3; a regular tetrahedron has 0.51.
    let four = points_of(&folder.load("Hull(file: \"ball.obj\", most_corners: 4)").expect("a scene"));
    let [a, b, c, d] = [0, 1, 2, 3].map(|corner| four[corner]);
    let from_d = |point: [f64; 3]| [0, 1, 2].map(|axis| point[axis] - d[axis]);
    let [u, v, w] = [a, b, c].map(from_d);
    let volume =
        (u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]))
            .abs()
            / 6.0;
    assert!(volume > 0.3, "four corners enclose {volume} m^3");
    for count in [16, 64, 255] {
        let kept =
            points_of(&folder.load(&format!("Hull(file: \"ball.obj\", most_corners: {count})")).expect("a scene"));
        assert_eq!(kept.len(), count);
        let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let left_out = |point: &[f64; 3]| 1.0 - kept.iter().map(|kept| dot(point, kept)).fold(-1.0, f64::max);
        let most = points.iter().map(left_out).fold(0.0, f64::max);
        assert!(most < 4.0 * 2.4 / count as f64, "{count} corners leave out {most}");
    }
}

#[test]
fn of_a_box_full_of_points_eight_corners_are_left_whether_asked_or_not() {
    let folder = Folder::new("hull-files-box");
    let along = || (0..=6).map(|step| f64::from(step) / 4.0);
    let points = along().flat_map(|x| along().flat_map(move |y| along().map(move |z| format!("v {x} {y} {z}\n"))));
    folder.write("box.obj", points.collect::<String>());
    for key in ["", ", most_corners: 8"] {
        let kept = points_of(&folder.load(&format!("Hull(file: \"box.obj\"{key})")).expect("a scene"));
        assert_eq!(kept.len(), 8);
        assert!(kept.as_flattened().iter().all(|number| [0.0, 1.5].contains(number)), "{kept:?}");
    }
}

/// A square of 2 m with a polygon, backward numbers and texture coordinates, and the same two triangles as an STL text.
#[test]
fn the_triangles_of_a_mesh_may_stand_in_a_file() {
    let folder = Folder::new("mesh-files");
    let vertices = "v -1 0 -1\nv -1 0 1\nv 1 0 1\nv 1 0 -1\n";
    folder.write("polygon.obj", format!("{vertices}vn 0 1 0\nf 1//1 2//1 3//1 4//1\n"));
    folder.write("backward.obj", format!("{vertices}f -4/1 -3/2 -2/3\nf -4 -2 -1\n"));
    // A backslash continues a line, but for a comment's.
    let continued = vertices.replace("v -1 0 1", "v -1 \\\r\n 0\\\n1").replace("v 1 0 -1", "# none \\\nv 1 0 -1");
    folder.write("continued.obj", format!("{continued}f 1 2 \\\n3 4 \\"));
    let facet = |corners: [&str; 3]| {
        let [a, b, c] = corners;
        format!("facet normal 0 1 0\nouter loop\nvertex {a}\nvertex {b}\nvertex {c}\nendloop\nendfacet\n")
    };
    let facets = [facet(["-1 0 -1", "-1 0 1", "1 0 1"]), facet(["-1 0 -1", "1 0 1", "1 0 -1"])].concat();
    folder.write("square.stl", format!("solid s\n{facets}endsolid s\n"));
    let listed = "Mesh(points: [(-1, 0, -1), (-1, 0, 1), (1, 0, 1), (1, 0, -1)], triangles: [(0, 1, 2), (0, 2, 3)])";
    let mesh_of = |shape: &str| {
        let scene = folder.load(shape).unwrap_or_else(|error| panic!("{error}"));
        let resolved = resolve_query_shape(&scene, scene.bodies[0].shape.as_ref().expect("a shape"));
        match resolved.unwrap_or_else(|error| panic!("{error}")) {
            ResolvedShape::Mesh(placed) => placed.mesh,
            other => panic!("{other:?}"),
        }
    };
    for file in ["polygon.obj", "backward.obj", "continued.obj", "square.stl"] {
        assert_eq!(mesh_of(&format!("Mesh(file: \"{file}\")")), mesh_of(listed), "{file}");
    }
    let twice = listed.replace('1', "2").replace("(0, 2, 2), (0, 2, 3)", "(0, 1, 2), (0, 2, 3)");
    assert_eq!(mesh_of("Mesh(file: \"square.stl\", scale: 2)"), mesh_of(&twice));
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let folder = Folder::new("hull-files-bad");
    folder.write("pyramid.obj", obj());
    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n");
    folder.write("nothing.obj", "# no vertex\n");
    folder.write("broken.obj", "v 0 0 0\nv 1 0 zero\n");
    let mut short = stl_as_bytes();
    short[..5].fill(b' ');
    folder.write("short.stl", &short[..200]);
    let text = stl_as_text();
    folder.write("number.stl", text.replacen("0 0 0", "0 0 nothing", 1).replacen("750.5", "1e39", 1));
    folder.write("square.stl", text.replacen("endloop", "vertex 0 0 0\nendloop", 1));
    folder.write("cut.stl", &text[..text.len() / 2]);
    folder.write("ended.stl", text.trim_end().strip_suffix("endfacet\nendsolid pyramid").expect("its last lines"));
    folder.write("loose.stl", text.replacen("endfacet\n", "", 1));
    folder.write("word.stl", text.replacen("endfacet\n", "endfacet\nvertex 0 0 0\n", 1));
    let mut infinite = stl_as_bytes();
    infinite[84 + 50 + 12..][..4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    folder.write("infinite.stl", infinite);
    folder.write("pyramid.fbx", "");
    folder.write("large.obj", "v 0 0 0\nv 1e30 0 0\nv 0 1 0\nv 0 0 1\n");
    folder.write("small.obj", "v 0 0 0\nv 1e-9 0 0\nv 0 1e-9 0\nv 0 0 1e-9\n");
    std::fs::create_dir_all(folder.0.join("folder.obj")).expect("a folder can be made");
    let ball: String = (0..300_u32)
        .map(|number| {
            let height = 1.0 - (f64::from(number) + 0.5) / 150.0;
            let (sine, cosine) = (f64::from(number) * 2.4).sin_cos();
            let radius = (1.0 - height * height).sqrt();
            format!("v {:.6} {height:.6} {:.6}\n", radius * cosine, radius * sine)
        })
        .collect();
    folder.write("ball.obj", ball);
    folder.write("wide\u{1b}[31m.obj", obj());
    folder.write("points.obj", "v 0 0 0\nv 0 0 1\nv 1 0 0\n");
    folder.write("faces.obj", "v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 4\n");
    folder.write("edges.obj", "v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2\n");
    folder.write("lines.obj", "v 0 0 0\nv 0 0 1\nv 0 0 2\nf 1 2 3\n");
    let shapes = [
        "Hull(file: \"missing.obj\")",
        "Hull(file: \"../pyramid.obj\")",
        "Hull(file: \"/etc/passwd\")",
        "Hull(file: \"folder.obj\")",
        "Hull(file: \"pyramid.fbx\")",
        "Hull(file: \"nothing.obj\")",
        "Hull(file: \"flat.obj\")",
        "Hull(file: \"broken.obj\")",
        "Hull(file: \"short.stl\")",
        "Hull(file: \"number.stl\")",
        "Mesh(file: \"square.stl\")",
        "Mesh(file: \"cut.stl\")",
        "Mesh(file: \"ended.stl\")",
        "Mesh(file: \"loose.stl\")",
        "Hull(file: \"word.stl\")",
        "Mesh(file: \"infinite.stl\")",
        "Hull(file: \"large.obj\")",
        "Hull(file: \"small.obj\")",
        "Hull(file: \"ball.obj\")",
        "Hull(file: \"wide\\u{1b}[31m.obj\", scale: 1e6)",
        "Hull(file: \"pyramid.obj\", scale: 0)",
        "Hull(file: \"pyramid.obj\", most_corners: 3)",
        "Hull(file: \"pyramid.obj\", points: [(0, 0, 0)])",
        "Hull(points: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], scale: 2)",
        "Hull()",
        "Mesh(file: \"points.obj\")",
        "Mesh(file: \"faces.obj\")",
        "Mesh(file: \"edges.obj\")",
        "Mesh(file: \"lines.obj\")",
        "Mesh(file: \"pyramid.obj\", scale: 0)",
        "Mesh(file: \"missing.obj\", points: [(0, 0, 0)])",
    ];
    let shown: Vec<String> = shapes.iter().map(|shape| folder.load(shape).expect_err(shape)).collect();
    let in_a_text = parse("text", &scene("Hull(file: \"pyramid.obj\")")).expect_err("no folder").render(false);
    assert_snapshot!(shown.join("\n\n") + "\n\n" + &in_a_text);
}

/// Whether a face counts to a vertex that is not there, to none, or beyond any number, the line is that of a face.
#[test]
fn a_face_that_names_no_vertex_is_told_from_what_is_no_face() {
    let folder = Folder::new("mesh-files-vertices");
    for (corner, is_face) in [
        ("4", true),
        ("-4", true),
        ("0", true),
        ("99999999999999999999", true),
        ("x", false),
        ("-", false),
        ("", false),
    ] {
        folder.write("face.obj", format!("v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 {corner}\n"));
        let error = folder.load("Mesh(file: \"face.obj\")").expect_err(corner);
        assert_eq!(error.contains("the face in line 4 names a vertex that is not there"), is_face, "{corner}: {error}");
        assert_eq!(error.contains("line 4 is not a face"), !is_face, "{corner}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_does_not_lead_out_of_the_folder() {
    let folder = Folder::new("hull-files-link");
    let elsewhere = Folder::new("hull-files-elsewhere");
    elsewhere.write("pyramid.obj", obj());
    let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, folder.0.join(name)).expect("a link can be made");
    link(&elsewhere.0.join("pyramid.obj"), "out.obj");
    link(&elsewhere.0, "out");
    folder.write("pyramid.obj", obj());
    link(&folder.0.join("pyramid.obj"), "in.obj");
    for file in ["out.obj", "out/pyramid.obj"] {
        let error = folder.load(&format!("Hull(file: \"{file}\")")).expect_err(file);
        assert!(error.contains("it leads out of the folder of the scene"), "{error}");
    }
    assert!(folder.load("Hull(file: \"in.obj\", scale: 0.001)").is_ok());
}
