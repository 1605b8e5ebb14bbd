//! Arrays for numpy, one for each field, in one file: `numpy.load("run.npz")["position"]` has the shape (steps, bodies, 3).
//!
//! A zip archive of arrays in numpy's own format, version 1.0 or 2.0, nothing compressed. An archive holds its arrays one
//! after another while a run gives a little of each at a time, so each waits in a scratch file of its own.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, Write};

use zip::result::ZipError;
use zip::write::{SimpleFileOptions, StreamWriter, ZipWriter};
use zip::{CompressionMethod, DateTime};

use crate::analysis::roster::roster;
use crate::analysis::states::StateVisitor;
use crate::export::body_table::{FIELDS, NUMBERS, numbers};
use crate::export::selection::Selection;
use crate::export::{ExportError, Exporter, OpenScratch, stop_text};
use crate::math::Scalar;
use crate::replay::{Header, Replay};
use crate::world::World;

/// What the head of an array is filled up to a multiple of, so that its data can be mapped into memory.
const ALIGNMENT: usize = 64;

/// Gathers the states, and writes the archive at the end.
pub struct NpzExporter<'a, W> {
    header: &'a Header,
    /// Why the run stopped before its end; empty where it did not.
    stop: &'a str,
    selection: &'a Selection,
    sink: W,
    /// The column of each body.
    columns: BTreeMap<String, usize>,
    states: u64,
    step: Scratch,
    time: Scratch,
    fields: [Scratch; FIELDS.len()],
    /// The numbers of one state, body by body; bodies that are not there are no numbers.
    present: Vec<[f64; NUMBERS]>,
}

/// Bytes that are read again at the end.
struct Scratch(BufWriter<File>);

impl<'a, W: Write> NpzExporter<'a, W> {
    /// Opens the scratch files.
    ///
    /// # Errors
    /// When they cannot be, or the scene inside the replay cannot be read.
    pub fn new(
        replay: &'a Replay,
        selection: &'a Selection,
        sink: W,
        scratch: OpenScratch<'_>,
    ) -> Result<Self, ExportError> {
        let names = roster(replay)?.into_iter().filter(|name| selection.takes(name));
        let mut open = || scratch().map(|file| Scratch(BufWriter::new(file)));
        Ok(Self {
            header: &replay.header,
            stop: stop_text(replay),
            selection,
            sink,
            columns: names.zip(0..).collect(),
            states: 0,
            step: open()?,
            time: open()?,
            fields: [open()?, open()?, open()?, open()?],
            present: Vec::new(),
        })
    }
}

impl<W: Write> StateVisitor for NpzExporter<'_, W> {
    type Error = ExportError;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), ExportError> {
        let (bodies, step) = (world.bodies(), world.step_number());
        self.present.clear();
        self.present.resize(self.columns.len(), [f64::NAN; NUMBERS]);
        for index in self.selection.indices(bodies) {
            if let Some(&column) = self.columns.get(&*bodies.name[index]) {
                self.present[column] = numbers(bodies, index).map(S::to_f64);
            }
        }
        self.states += 1;
        self.step.0.write_all(&step.to_le_bytes())?;
        self.time.0.write_all(&self.header.seconds(step).to_le_bytes())?;
        let mut first = 0;
        for (field, scratch) in FIELDS.iter().zip(&mut self.fields) {
            let width = field.columns.len();
            for body in &self.present {
                for number in &body[first..first + width] {
                    scratch.0.write_all(&number.to_le_bytes())?;
                }
            }
            first += width;
        }
        Ok(())
    }
}

impl<W: Write> Exporter<W> for NpzExporter<'_, W> {
    fn finish(self) -> Result<W, ExportError> {
        let Self { stop, sink, columns, states, step, time, fields, .. } = self;
        let mut names: Vec<(&String, &usize)> = columns.iter().collect();
        names.sort_by_key(|(_, column)| **column);
        let names: Vec<&str> = names.into_iter().map(|(name, _)| name.as_str()).collect();
        let mut archive = ZipWriter::new_stream(sink);
        write_texts(&mut archive, "body", &[names.len() as u64], &names)?;
        step.append_to(&mut archive, "step", &head("<u4", &[states]))?;
        time.append_to(&mut archive, "time", &head("<f8", &[states]))?;
        for (field, scratch) in FIELDS.iter().zip(fields) {
            let shape = [states, names.len() as u64, field.columns.len() as u64];
            scratch.append_to(&mut archive, field.name, &head("<f8", &shape))?;
        }
        write_texts(&mut archive, "stopped", &[], &[stop])?;
        Ok(archive.finish()?.into_inner())
    }
}

/// The archive as it is written.
type Archive<W> = ZipWriter<StreamWriter<W>>;

impl Scratch {
    /// Copies what was gathered into the archive, as one array.
    fn append_to<W: Write>(self, archive: &mut Archive<W>, name: &str, head: &[u8]) -> Result<(), ExportError> {
        let mut file = self.0.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        file.rewind()?;
        start_array(archive, name, head)?;
        let mut chunk = vec![0; 1 << 16];
        loop {
            let count = file.read(&mut chunk)?;
            if count == 0 {
                return Ok(());
            }
            archive.write_all(&chunk[..count])?;
        }
    }
}

/// An array of texts of one width, in UTF-32 as numpy has them. Without any size it is a single text.
fn write_texts<W: Write>(
    archive: &mut Archive<W>,
    name: &str,
    shape: &[u64],
    texts: &[&str],
) -> Result<(), ExportError> {
    let width = texts.iter().map(|text| text.chars().count()).fold(1, Ord::max);
    start_array(archive, name, &head(&format!("<U{width}"), shape))?;
    for text in texts {
        let padded = text.chars().map(u32::from).chain(std::iter::repeat(0)).take(width);
        for letter in padded {
            archive.write_all(&letter.to_le_bytes())?;
        }
    }
    Ok(())
}

fn start_array<W: Write>(archive: &mut Archive<W>, name: &str, head: &[u8]) -> Result<(), ExportError> {
    // No time of the clock, so that the same run gives the same bytes.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .large_file(true);
    archive.start_file(format!("{name}.npy"), options)?;
    Ok(archive.write_all(head)?)
}

/// The head of an array in numpy's format: magic, version 1.0, its length, and a Python literal.
fn head(kind: &str, shape: &[u64]) -> Vec<u8> {
    let sizes: String = shape.iter().map(|size| format!("{size}, ")).collect();
    let text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({sizes}), }}");
    let before = 10;
    let length = (before + text.len() + 1).next_multiple_of(ALIGNMENT) - before;
    let mut head = b"\x93NUMPY\x01\x00".to_vec();
    // Three sizes of 20 digits are far from the 65,535 bytes that version 1.0 takes.
    head.extend_from_slice(&(length as u16).to_le_bytes());
    head.extend_from_slice(text.as_bytes());
    head.resize(before + length - 1, b' ');
    head.push(b'\n');
    head
}

impl From<ZipError> for ExportError {
    fn from(error: ZipError) -> Self {
        match error {
            ZipError::Io(cause) => Self::Io(cause),
            other => Self::Format(other.to_string()),
        }
    }
}
