//! The triangles in an STL file, as text or binary.
//!
//! Both forms are a few lines to read, and so a message can name the line or the triangle that is wrong. Normals are passed over: the
//! order of a triangle's corners says the same. What is made of the triangles, hulls or meshes, is not known here.

use crate::scene::hull_file::{EXPORT_AGAIN, Wrong};

/// The bits of the coordinates of the corners of a triangle.
pub(super) type Corners = [[u32; 3]; 3];

/// Bytes of a binary STL before its triangles.
const HEAD: usize = 84;
/// Bytes of a triangle: its normal, its corners, and two that programs use as they like.
const TRIANGLE: usize = 50;
const NORMAL: usize = 12;
const CORNER: usize = 12;

/// Tells the triangles of an STL one by one.
pub(super) fn triangles_of_stl(bytes: &[u8], tell: impl FnMut(Corners) -> Result<(), Wrong>) -> Result<(), Wrong> {
    // A length that fits tells a binary file, which may begin like a text.
    if let Some(triangles) = binary_triangles(bytes) {
        read_binary(triangles, tell)
    } else if first_word(bytes).is_some_and(|word| word.eq_ignore_ascii_case(b"solid")) {
        read_text(bytes, tell)
    } else {
        let why = "it is neither a text STL nor as long as a binary one says that it is";
        Err((why.to_owned(), EXPORT_AGAIN))
    }
}

/// The bytes of the triangles of a binary STL; `None` where the file is not as long as their count asks for.
fn binary_triangles(bytes: &[u8]) -> Option<&[u8]> {
    let (head, triangles) = bytes.split_at_checked(HEAD)?;
    let count = u32::from_le_bytes(head[HEAD - 4..].try_into().ok()?);
    (triangles.len() as u64 == u64::from(count) * TRIANGLE as u64).then_some(triangles)
}

fn read_binary(triangles: &[u8], mut tell: impl FnMut(Corners) -> Result<(), Wrong>) -> Result<(), Wrong> {
    for (number, triangle) in (1..).zip(triangles.chunks_exact(TRIANGLE)) {
        let mut corners = [[0; 3]; 3];
        let places = triangle[NORMAL..NORMAL + 3 * CORNER].chunks_exact(4);
        for (bits, place) in corners.as_flattened_mut().iter_mut().zip(places) {
            *bits = place.iter().rev().fold(0, |bits, &byte| bits << 8 | u32::from(byte));
        }
        if !corners.as_flattened().iter().all(|&bits| f32::from_bits(bits).is_finite()) {
            return Err((format!("triangle {number} has a coordinate that is no finite number"), EXPORT_AGAIN));
        }
        tell(corners)?;
    }
    Ok(())
}

fn read_text(text: &[u8], mut tell: impl FnMut(Corners) -> Result<(), Wrong>) -> Result<(), Wrong> {
    let mut facet: Option<(usize, Vec<[u32; 3]>)> = None;
    for (number, line) in (1..).zip(text.split(|byte| *byte == b'\n')) {
        let Some(word) = first_word(line) else { continue };
        match (word.to_ascii_lowercase().as_slice(), &mut facet) {
            (b"solid" | b"endsolid", None) | (b"outer" | b"endloop", Some(_)) => {}
            (b"facet", None) => facet = Some((number, Vec::with_capacity(3))),
            (b"vertex", Some((_, corners))) => corners.push(vertex_in(line).ok_or_else(|| no_vertex(number))?),
            (b"endfacet", Some((start, corners))) => {
                let corners =
                    <Corners>::try_from(corners.as_slice()).map_err(|_| no_triangle(*start, corners.len()))?;
                tell(corners)?;
                facet = None;
            }
            (_, None) => return Err(out_of_place(number, "`facet`, `solid` or `endsolid`")),
            (_, Some(_)) => return Err(out_of_place(number, "`outer loop`, `vertex`, `endloop` or `endfacet`")),
        }
    }
    match facet {
        Some((start, _)) => {
            Err((format!("it ends within the facet of line {start}"), "is it whole? export it once more"))
        }
        None => Ok(()),
    }
}

fn first_word(line: &[u8]) -> Option<&[u8]> {
    line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty())
}

/// The bits of the three finite numbers behind the first word of a line.
fn vertex_in(line: &[u8]) -> Option<[u32; 3]> {
    let mut words = std::str::from_utf8(line).ok()?.split_ascii_whitespace().skip(1);
    let mut next = || words.next()?.parse().ok().filter(|number: &f32| number.is_finite()).map(f32::to_bits);
    let vertex = [next()?, next()?, next()?];
    words.next().is_none().then_some(vertex)
}

fn no_vertex(line: usize) -> Wrong {
    (format!("line {line} is not a vertex"), "a vertex is a line of three finite numbers such as `vertex 1 0.5 -2`")
}

fn no_triangle(line: usize, corners: usize) -> Wrong {
    let vertices = if corners == 1 { "1 vertex".to_owned() } else { format!("{corners} vertices") };
    (format!("the facet of line {line} has {vertices}"), "a facet of an STL has three; export it as triangles")
}

fn out_of_place(line: usize, expected: &str) -> Wrong {
    (format!("line {line} does not begin with {expected}"), "is it whole? export it once more")
}
