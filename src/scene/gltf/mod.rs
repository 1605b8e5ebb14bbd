//! The triangles and points in a glTF 2.0 file, as JSON (`.gltf`) or binary (`.glb`).
//!
//! [`container`] takes a binary file apart, [`document`] reads what of the JSON counts here, [`nodes`] finds which meshes stand where
//! ([`transform`]), [`buffers`] has the bytes, [`elements`] the numbers in them, and here points and triangles are made of these.
//! Nothing that the file says of itself is believed: whatever it names is looked up, and it is checked what fits before anything is taken.
//!
//! The format: <https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html>.

mod buffers;
mod container;
mod document;
mod elements;
mod nodes;
mod topology;
mod transform;

use std::collections::{BTreeMap, BTreeSet};

use crate::scene::decimal::Decimal;
use crate::scene::gltf::buffers::Buffers;
use crate::scene::gltf::document::{Document, Primitive, entry, read_document};
use crate::scene::gltf::elements::{Elements, Kind};
use crate::scene::gltf::nodes::{Instance, instances};
use crate::scene::gltf::topology::Topology;
use crate::scene::hull_file::{EXPORT_AGAIN, TOO_SMALL, Wrong, check_count, decimal_of};
use crate::scene::mesh_file::{self, Surface};
use crate::scene::model::Vector;
use crate::scene::scene_folder::Beside;

/// What no coordinate comes to, in any unit: what is nearer has few enough digits.
const FARTHEST: f64 = 1e20;

/// How a glTF file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GltfForm {
    /// All of it is JSON, with the bytes in there or in files beside it.
    Json,
    /// JSON and bytes in one file.
    Binary,
}

/// The triangles in a file, each where its node stands. Vertices in the same place are one point.
pub(super) fn surface_of_gltf(bytes: &[u8], form: GltfForm, beside: Beside<'_>) -> Result<Surface, Wrong> {
    let mut gathered = Gathered::default();
    for_each_primitive(bytes, form, beside, |reader, part| gathered.add(reader, part))?;
    let points = gathered.points.into_iter().map(vector).collect::<Result<_, _>>()?;
    Ok((points, gathered.triangles))
}

/// The vertices that the primitives of a file use, of whatever kind they are; each place once.
pub(super) fn points_of_gltf(bytes: &[u8], form: GltfForm, beside: Beside<'_>) -> Result<Vec<Vector>, Wrong> {
    let mut found = BTreeSet::new();
    for_each_primitive(bytes, form, beside, |reader, part| {
        Topology::of(part.primitive.mode, &part.name)?;
        let Some(vertices) = reader.vertices(part)? else { return Ok(()) };
        let mut tell = |vertex: u64| {
            found.insert(vertices.place(part, vertex)?.map(f64::to_bits));
            check_count(found.len() - 1)
        };
        match &vertices.indices {
            None => (0..vertices.count()).try_for_each(tell),
            Some(_) => {
                let mut used = (0..vertices.count())
                    .map(|corner| vertices.vertex(part, corner))
                    .collect::<Result<Vec<u32>, _>>()?;
                used.sort_unstable();
                used.dedup();
                used.into_iter().try_for_each(|vertex| tell(u64::from(vertex)))
            }
        }
    })?;
    found.into_iter().map(|bits| vector(bits.map(f64::from_bits))).collect()
}

/// A primitive at one of the places where its mesh stands.
struct Part<'a> {
    primitive: &'a Primitive,
    instance: &'a Instance,
    /// How messages call it.
    name: String,
}

/// Leads over the primitives of all meshes, node by node.
fn for_each_primitive(
    bytes: &[u8],
    form: GltfForm,
    beside: Beside<'_>,
    mut visit: impl FnMut(&mut Reader<'_, '_>, &Part<'_>) -> Result<(), Wrong>,
) -> Result<(), Wrong> {
    let (json, binary) = match form {
        GltfForm::Json if container::is_binary(bytes) => {
            return Err(("it is a binary glTF".to_owned(), "call it `.glb`"));
        }
        GltfForm::Json => (bytes, None),
        GltfForm::Binary => container::chunks(bytes)?,
    };
    let document = read_document(json)?;
    let mut reader = Reader { document: &document, buffers: Buffers::new(&document.buffers, binary, beside) };
    for instance in &instances(&document)? {
        let mesh = entry(&document.meshes, "meshes", instance.mesh, || instance.name())?;
        for (place, primitive) in mesh.primitives.iter().enumerate() {
            // One without any vertex takes time as well.
            reader.buffers.take_elements(1)?;
            let name = format!("meshes[{}].primitives[{place}]", instance.mesh);
            visit(&mut reader, &Part { primitive, instance, name })?;
        }
    }
    Ok(())
}

/// Reads what a document names.
struct Reader<'a, 'r> {
    document: &'a Document<'a>,
    buffers: Buffers<'a, 'r>,
}

impl<'a> Reader<'a, '_> {
    /// The vertices of a primitive; `None` where it has none.
    fn vertices(&mut self, part: &Part<'_>) -> Result<Option<Vertices<'a>>, Wrong> {
        let Some(positions) = part.primitive.attributes.position else { return Ok(None) };
        let name = || part.name.clone();
        let positions = Elements::open(self.document, &mut self.buffers, positions, Kind::Position, name)?;
        let indices = part
            .primitive
            .indices
            .map(|indices| Elements::open(self.document, &mut self.buffers, indices, Kind::Index, name))
            .transpose()?;
        let vertices = Vertices { positions, indices };
        let replaced = vertices.indices.as_ref().map_or(0, Elements::replaced) + vertices.positions.replaced();
        self.buffers.take_elements(vertices.count())?;
        self.buffers.take_elements(replaced)?;
        vertices.positions.check_replaced()?;
        vertices.indices.as_ref().map_or(Ok(()), Elements::check_replaced)?;
        Ok(Some(vertices))
    }
}

/// The vertices of a primitive, and the order that it names them in if it is another one.
struct Vertices<'a> {
    positions: Elements<'a>,
    indices: Option<Elements<'a>>,
}

impl Vertices<'_> {
    /// How many corners there are to be joined.
    fn count(&self) -> u64 {
        self.indices.as_ref().map_or(self.positions.count(), Elements::count)
    }

    /// Which vertex a corner is.
    fn vertex(&self, part: &Part<'_>, corner: u64) -> Result<u32, Wrong> {
        let Some(indices) = &self.indices else { return Ok(corner as u32) };
        let vertex = indices.index(corner).ok_or_else(|| outside(&part.name))?;
        if u64::from(vertex) < self.positions.count() {
            return Ok(vertex);
        }
        let count = self.positions.count();
        Err((format!("index {corner} of {} is {vertex}, and there are {count} vertices", part.name), EXPORT_AGAIN))
    }

    /// Where a vertex stands in the scene. What is as good as zero is zero.
    fn place(&self, part: &Part<'_>, vertex: u64) -> Result<[f64; 3], Wrong> {
        let position = self.positions.position(vertex).ok_or_else(|| outside(&part.name))?;
        let place = part.instance.transform.apply(position);
        if place.iter().all(|number| number.abs() < FARTHEST) {
            return Ok(place.map(|number| if number.abs() < TOO_SMALL { 0.0 } else { number }));
        }
        let mut why = format!("vertex {vertex} of {} is at {position:?}", part.name);
        if position.iter().all(|number| number.is_finite()) && place != position {
            why = format!("{why}, and {} puts it at {place:?}", part.instance.name());
        }
        Err((why, "coordinates are finite numbers, and not as large; export it once more"))
    }
}

/// What never happens, as it was checked what the bytes have room for.
fn outside(name: &str) -> Wrong {
    (format!("{name} has fewer bytes than it names"), EXPORT_AGAIN)
}

/// A place as decimals: each number the shortest that is read back as the same float.
fn vector(place: [f64; 3]) -> Result<Vector, Wrong> {
    let number = |number: f64| -> Result<Decimal, Wrong> {
        decimal_of(number)
            .ok_or_else(|| ("a coordinate is no finite number of at most 38 digits".to_owned(), EXPORT_AGAIN))
    };
    let [x, y, z] = place;
    Ok(Vector(number(x)?, number(y)?, number(z)?))
}

/// The triangles so far.
#[derive(Default)]
struct Gathered {
    numbers: BTreeMap<[u64; 3], u32>,
    points: Vec<[f64; 3]>,
    triangles: Vec<(u32, u32, u32)>,
}

impl Gathered {
    /// Adds the triangles of a primitive, if it consists of any.
    fn add(&mut self, reader: &mut Reader<'_, '_>, part: &Part<'_>) -> Result<(), Wrong> {
        let Some(topology) = Topology::of(part.primitive.mode, &part.name)? else { return Ok(()) };
        let Some(vertices) = reader.vertices(part)? else { return Ok(()) };
        let count = topology.triangles(vertices.count(), &part.name)?;
        mesh_file::check_count((count as usize).saturating_add(self.triangles.len()))?;
        let mut known: BTreeMap<u32, u32> = BTreeMap::new();
        for triangle in 0..count {
            let mut corners = [0; 3];
            for (number, corner) in corners.iter_mut().zip(topology.corners(triangle)) {
                let vertex = vertices.vertex(part, corner)?;
                *number = match known.get(&vertex) {
                    Some(number) => *number,
                    None => *known.entry(vertex).or_insert(self.number(vertices.place(part, u64::from(vertex))?)),
                };
            }
            // A mirror turns right into left, and the front of a triangle to the back.
            let [a, b, c] = corners;
            self.triangles.push(if part.instance.transform.is_mirrored() { (a, c, b) } else { (a, b, c) });
        }
        Ok(())
    }

    /// The number of the point at a place.
    fn number(&mut self, place: [f64; 3]) -> u32 {
        let next = self.points.len() as u32;
        let number = *self.numbers.entry(place.map(f64::to_bits)).or_insert(next);
        if number == next {
            self.points.push(place);
        }
        number
    }
}
