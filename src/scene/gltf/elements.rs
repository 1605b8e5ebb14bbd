//! The numbers in the bytes of a glTF: positions and indices.

use crate::scene::error::quoted;
use crate::scene::gltf::buffers::{Buffers, Bytes};
use crate::scene::gltf::document::{Accessor, BufferView, Document, Sparse, entry, shortened};
use crate::scene::hull_file::{EXPORT_AGAIN, Wrong};

/// What an accessor is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Position,
    Index,
}

impl Kind {
    /// How many numbers an element has, and how the format calls such.
    const fn components(self) -> (usize, &'static str) {
        match self {
            Self::Position => (3, "VEC3"),
            Self::Index => (1, "SCALAR"),
        }
    }

    fn takes(self, component: Component) -> bool {
        match self {
            Self::Position => component != Component::U32,
            Self::Index => matches!(component, Component::U8 | Component::U16 | Component::U32),
        }
    }
}

/// How a number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    const fn of(number: u32) -> Option<Self> {
        match number {
            5120 => Some(Self::I8),
            5121 => Some(Self::U8),
            5122 => Some(Self::I16),
            5123 => Some(Self::U16),
            5125 => Some(Self::U32),
            5126 => Some(Self::F32),
            _ => None,
        }
    }

    const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The number at the beginning of some bytes. A float counts as the shortest decimal that is read back as it, as in an STL.
    fn read(self, bytes: &[u8]) -> Option<f64> {
        Some(match self {
            Self::I8 => f64::from(i8::from_le_bytes(*bytes.first_chunk()?)),
            Self::U8 => f64::from(*bytes.first()?),
            Self::I16 => f64::from(i16::from_le_bytes(*bytes.first_chunk()?)),
            Self::U16 => f64::from(u16::from_le_bytes(*bytes.first_chunk()?)),
            Self::U32 => f64::from(u32::from_le_bytes(*bytes.first_chunk()?)),
            Self::F32 => f32::from_le_bytes(*bytes.first_chunk()?).to_string().parse().ok()?,
        })
    }

    /// What a number means that stands for one between -1 and 1. The least one of those with a sign has no counterpart, and is -1 as well.
    fn normalised(self, number: f64) -> f64 {
        let largest = match self {
            Self::I8 => 127.0,
            Self::U8 => 255.0,
            Self::I16 => 32_767.0,
            Self::U16 => 65_535.0,
            Self::U32 | Self::F32 => return number,
        };
        if number < -largest { -1.0 } else { number / largest }
    }
}

/// Elements of the same size, so many bytes from each to the next.
struct Block<'a> {
    bytes: Bytes<'a>,
    start: u64,
    stride: u64,
    size: usize,
}

impl Block<'_> {
    fn at(&self, number: u64) -> Option<&[u8]> {
        let start = usize::try_from(number.checked_mul(self.stride)?.checked_add(self.start)?).ok()?;
        self.bytes.get(start..start.checked_add(self.size)?)
    }
}

/// Elements that are others than the block has, by ascending numbers.
struct Replaced<'a> {
    count: u64,
    numbers: Block<'a>,
    component: Component,
    values: Block<'a>,
}

impl Replaced<'_> {
    /// Which element the one of a place is.
    fn number(&self, place: u64) -> Option<u64> {
        Some(self.component.read(self.numbers.at(place)?)? as u64)
    }

    /// The place of an element, if it is one of these.
    fn find(&self, number: u64) -> Option<u64> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.number(middle)?.cmp(&number) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

/// The elements of an accessor: known to lie within their bytes, and read one by one.
pub(super) struct Elements<'a> {
    name: String,
    count: u64,
    component: Component,
    is_normalised: bool,
    /// Without one all numbers are 0.
    block: Option<Block<'a>>,
    replaced: Option<Replaced<'a>>,
}

impl<'a> Elements<'a> {
    /// Opens an accessor that something names.
    pub(super) fn open(
        document: &'a Document<'a>,
        buffers: &mut Buffers<'a, '_>,
        number: u32,
        kind: Kind,
        by: impl Fn() -> String,
    ) -> Result<Self, Wrong> {
        let accessor = entry(&document.accessors, "accessors", number, by)?;
        let name = format!("accessors[{number}]");
        let component = component_of(accessor, kind, &name)?;
        let size = kind.components().0 * component.size();
        let mut opener = Opener { document, buffers, name: &name };
        let block = accessor
            .buffer_view
            .map(|view| opener.block(view, accessor.byte_offset, size, accessor.count))
            .transpose()?;
        let replaced =
            accessor.sparse.as_ref().map(|sparse| opener.replaced(sparse, size, accessor.count)).transpose()?;
        Ok(Self {
            name,
            count: accessor.count,
            component,
            is_normalised: accessor.normalized && kind == Kind::Position,
            block,
            replaced,
        })
    }

    /// How many there are.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// How many of them are others than the block has.
    pub(super) fn replaced(&self) -> u64 {
        self.replaced.as_ref().map_or(0, |replaced| replaced.count)
    }

    /// Sees whether the numbers of those ascend, as they have to be found.
    pub(super) fn check_replaced(&self) -> Result<(), Wrong> {
        let Some(replaced) = &self.replaced else { return Ok(()) };
        let mut least = 0;
        for place in 0..replaced.count {
            match replaced.number(place) {
                Some(number) if (least..self.count).contains(&number) => least = number + 1,
                _ => {
                    let why =
                        format!("the sparse indices of {} are no ascending numbers below {}", self.name, self.count);
                    return Err((why, EXPORT_AGAIN));
                }
            }
        }
        Ok(())
    }

    /// A position.
    pub(super) fn position(&self, number: u64) -> Option<[f64; 3]> {
        Some([self.number(number, 0)?, self.number(number, 1)?, self.number(number, 2)?])
    }

    /// An index.
    pub(super) fn index(&self, number: u64) -> Option<u32> {
        Some(self.number(number, 0)? as u32)
    }

    fn number(&self, element: u64, place: usize) -> Option<f64> {
        let replaced = self.replaced.as_ref().and_then(|replaced| Some((replaced, replaced.find(element)?)));
        let bytes = match (replaced, &self.block) {
            (Some((replaced, place)), _) => replaced.values.at(place)?,
            (None, Some(block)) => block.at(element)?,
            (None, None) => return Some(0.0),
        };
        let number = self.component.read(bytes.get(place * self.component.size()..)?)?;
        Some(if self.is_normalised { self.component.normalised(number) } else { number })
    }
}

/// How the numbers of an accessor are stored, if it can be read as it should.
fn component_of(accessor: &Accessor<'_>, kind: Kind, name: &str) -> Result<Component, Wrong> {
    let (_, expected) = kind.components();
    if accessor.kind.0 != expected {
        let found = quoted(&shortened(&accessor.kind.0));
        let what = if kind == Kind::Position { "positions" } else { "indices" };
        return Err((format!("the `type` of {name} is {found}, and {what} are `{expected}`"), EXPORT_AGAIN));
    }
    Component::of(accessor.component_type).filter(|component| kind.takes(*component)).ok_or_else(|| {
        let expected = match kind {
            Kind::Position => "positions are floats (5126), or small whole numbers (5120 to 5123)",
            Kind::Index => "indices are whole numbers without a sign (5121, 5123 or 5125)",
        };
        (format!("the `componentType` of {name} is {}, and {expected}", accessor.component_type), EXPORT_AGAIN)
    })
}

/// Opens what an accessor consists of.
struct Opener<'o, 'a, 'r> {
    document: &'a Document<'a>,
    buffers: &'o mut Buffers<'a, 'r>,
    name: &'o str,
}

impl<'a> Opener<'_, 'a, '_> {
    /// So many elements of a view from a byte on, which lie within it.
    fn block(&mut self, view: u32, offset: u64, size: usize, count: u64) -> Result<Block<'a>, Wrong> {
        let name = self.name;
        let &BufferView { buffer, byte_offset, byte_length, byte_stride } =
            entry(&self.document.buffer_views, "bufferViews", view, || name.to_owned())?;
        let bytes = self.buffers.bytes(buffer, || format!("bufferViews[{view}]"))?;
        if byte_offset.checked_add(byte_length).is_none_or(|end| end > bytes.len() as u64) {
            let why = format!(
                "bufferViews[{view}] has {byte_length} bytes from byte {byte_offset} on, and buffers[{buffer}] has {} in all",
                bytes.len()
            );
            return Err((why, EXPORT_AGAIN));
        }
        let stride = byte_stride.unwrap_or(size as u64);
        if stride < size as u64 {
            let why = format!("bufferViews[{view}] has elements every {stride} bytes, and those of {name} take {size}");
            return Err((why, EXPORT_AGAIN));
        }
        let end = || (count.checked_sub(1)?).checked_mul(stride)?.checked_add(size as u64)?.checked_add(offset);
        if count > 0 && end().is_none_or(|end| end > byte_length) {
            let why = format!(
                "{name} has {count} elements of {size} bytes from byte {offset} on, and bufferViews[{view}] has {byte_length} bytes"
            );
            return Err((why, EXPORT_AGAIN));
        }
        // Both are within the bytes, or there are no elements.
        Ok(Block { bytes, start: byte_offset.saturating_add(offset), stride, size })
    }

    fn replaced(&mut self, sparse: &Sparse, size: usize, count: u64) -> Result<Replaced<'a>, Wrong> {
        let Sparse { count: replaced, indices, values } = sparse;
        let component = Component::of(indices.component_type).filter(|component| Kind::Index.takes(*component));
        let component = component.ok_or_else(|| {
            let (name, found) = (self.name, indices.component_type);
            let why = format!("the `componentType` of the sparse indices of {name} is {found}");
            (why, "it is 5121, 5123 or 5125; export it once more")
        })?;
        if *replaced > count {
            let why = format!("{} has {count} elements, and {replaced} of them are sparse", self.name);
            return Err((why, EXPORT_AGAIN));
        }
        let numbers = self.block(indices.buffer_view, indices.byte_offset, component.size(), *replaced)?;
        let values = self.block(values.buffer_view, values.byte_offset, size, *replaced)?;
        Ok(Replaced { count: *replaced, numbers, component, values })
    }
}
