//! The triangles in an OBJ, STL or glTF file.

use std::collections::BTreeMap;

use crate::geometry::mesh::MAX_TRIANGLES;
use crate::scene::decimal::Decimal;
use crate::scene::gltf::surface_of_gltf;
use crate::scene::hull_file::{FileFormat, Wrong, decimal_in, format_of, lines_of_obj, vector_of_bits};
use crate::scene::model::Vector;
use crate::scene::scene_folder::Beside;
use crate::scene::stl::triangles_of_stl;

/// Points, and triangles by their numbers.
pub(super) type Surface = (Vec<Vector>, Vec<(u32, u32, u32)>);

/// The surface in a file, by what its name ends with.
pub(super) fn surface_of(file: &str, bytes: &[u8], beside: Beside<'_>) -> Result<Surface, Wrong> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let (points, triangles) = match format_of(file)? {
        FileFormat::Obj => surface_of_obj(bytes),
        FileFormat::Stl => surface_of_stl(bytes),
        FileFormat::Gltf(form) => surface_of_gltf(bytes, form, beside),
    }?;
    if triangles.is_empty() {
        return Err((
            "there is no triangle in it".to_owned(),
            "a mesh needs faces; is it what its name says, an OBJ, STL or glTF file?",
        ));
    }
    Ok((points, triangles))
}

/// The faces of an OBJ, each as a fan about its first corner.
fn surface_of_obj(bytes: &[u8]) -> Result<Surface, Wrong> {
    let mut vertices: Vec<[Decimal; 3]> = Vec::new();
    let mut faces: Vec<(usize, Vec<u32>)> = Vec::new();
    let mut count = 0;
    for (number, line) in lines_of_obj(bytes) {
        let word = line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty());
        let is_vertex = word == Some(b"v");
        if !is_vertex && word != Some(b"f") {
            continue;
        }
        let wrong = || match is_vertex {
            true => {
                (format!("line {number} is not a vertex"), "a vertex is a line of finite numbers such as `v 1 0.5 -2`")
            }
            false => (
                format!("line {number} is not a face"),
                "a face is a line of the numbers of three vertices or more, such as `f 1 2 3` or `f 1/1/1 2/2/1 3/3/1`",
            ),
        };
        let line = std::str::from_utf8(&line).map_err(|_| wrong())?;
        let mut words = line.split_ascii_whitespace().skip(1);
        if is_vertex {
            let mut next = || words.next().and_then(decimal_in).ok_or_else(wrong);
            vertices.push([next()?, next()?, next()?]);
        } else {
            let known = vertices.len();
            let corners: Option<Vec<u32>> = words.map(|word| vertex_of(word, known)).collect();
            let corners = corners.filter(|corners| corners.len() >= 3).ok_or_else(wrong)?;
            count += corners.len() - 2;
            check_count(count)?;
            faces.push((number, corners));
        }
    }
    let mut triangles = Vec::with_capacity(count);
    for (number, corners) in faces {
        if corners.iter().any(|&corner| corner as usize >= vertices.len()) {
            return Err((
                format!("the face in line {number} names a vertex that is not there"),
                "vertices are counted from 1, or backwards from -1",
            ));
        }
        triangles.extend(corners[1..].windows(2).map(|pair| (corners[0], pair[0], pair[1])));
    }
    Ok((vertices.into_iter().map(|[x, y, z]| Vector(x, y, z)).collect(), triangles))
}

/// Stands for a vertex that no file has: there are fewer.
const NO_VERTEX: u32 = u32::MAX;

/// The number of a vertex, from 0, as a corner of a face names it: counted from 1, or backwards from the last one so far. `None` of what is no
/// number; [`NO_VERTEX`] of one that counts to no vertex.
fn vertex_of(word: &str, known: usize) -> Option<u32> {
    let word = word.split('/').next()?;
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let place = word.parse().ok().and_then(|number: i64| match number {
        0 => None,
        1.. => u32::try_from(number - 1).ok(),
        _ => u32::try_from(i64::try_from(known).ok()?.checked_add(number)?).ok(),
    });
    Some(place.unwrap_or(NO_VERTEX))
}

/// The triangles of an STL: corners with the same coordinates are one point.
fn surface_of_stl(bytes: &[u8]) -> Result<Surface, Wrong> {
    let mut numbers: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    triangles_of_stl(bytes, |corners| {
        check_count(triangles.len() + 1)?;
        let mut triangle = [0; 3];
        for (place, bits) in triangle.iter_mut().zip(corners) {
            let next = points.len() as u32;
            *place = *numbers.entry(bits).or_insert(next);
            if *place == next {
                points.push(vector_of_bits(bits)?);
            }
        }
        triangles.push((triangle[0], triangle[1], triangle[2]));
        Ok(())
    })?;
    Ok((points, triangles))
}

/// Refuses more triangles than a mesh may have.
pub(super) fn check_count(count: usize) -> Result<(), Wrong> {
    if count <= MAX_TRIANGLES {
        Ok(())
    } else {
        Err((format!("it has more than {MAX_TRIANGLES} triangles"), "simplify the mesh"))
    }
}
