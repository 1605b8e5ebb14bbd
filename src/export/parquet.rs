//! A table as Apache Parquet: a row for each body and step, units in the metadata of the Arrow schema.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, Float64Array, RecordBatch, UInt32Array};
use arrow_schema::{ArrowError, DataType, Field as Column, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;

use crate::analysis::states::StateVisitor;
use crate::export::body_table::{FIELDS, NUMBERS, columns, numbers};
use crate::export::selection::Selection;
use crate::export::{ExportError, Exporter, stop_text};
use crate::math::Scalar;
use crate::replay::{Header, Replay};
use crate::world::World;

/// Rows that wait in memory.
const BATCH_ROWS: usize = 1 << 14;
/// Rows of a row group, which is encoded in memory before it is written.
const GROUP_ROWS: usize = 1 << 18;
/// The fastest level: what takes long is the run.
const COMPRESSION_LEVEL: i32 = 1;

/// Writes the bodies of each state as rows.
pub struct ParquetExporter<'a, W: Write + Send> {
    header: &'a Header,
    selection: &'a Selection,
    rows: Rows,
    schema: SchemaRef,
    writer: ArrowWriter<W>,
}

/// Rows that are not written yet, column by column.
#[derive(Default)]
struct Rows {
    step: Vec<u32>,
    time: Vec<f64>,
    body: StringDictionaryBuilder<Int32Type>,
    numbers: [Vec<f64>; NUMBERS],
}

impl<'a, W: Write + Send> ParquetExporter<'a, W> {
    /// Begins the file.
    ///
    /// # Errors
    /// When the stream cannot be written.
    pub fn new(replay: &'a Replay, selection: &'a Selection, sink: W) -> Result<Self, ExportError> {
        let schema = schema(&replay.header, stop_text(replay));
        let writer = ArrowWriter::try_new(sink, Arc::clone(&schema), Some(properties(&replay.header)?))?;
        Ok(Self { header: &replay.header, selection, rows: Rows::default(), schema, writer })
    }

    fn write_rows(&mut self) -> Result<(), ExportError> {
        let schema = Arc::clone(&self.schema);
        self.writer.write(&self.rows.take(schema)?)?;
        Ok(())
    }
}

impl<W: Write + Send> StateVisitor for ParquetExporter<'_, W> {
    type Error = ExportError;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), ExportError> {
        let (bodies, step) = (world.bodies(), world.step_number());
        let time = self.header.seconds(step);
        for index in self.selection.indices(bodies) {
            self.rows.push(step, time, &bodies.name[index], numbers(bodies, index).map(S::to_f64))?;
            if self.rows.step.len() >= BATCH_ROWS {
                self.write_rows()?;
            }
        }
        Ok(())
    }
}

impl<W: Write + Send> Exporter<W> for ParquetExporter<'_, W> {
    fn finish(mut self) -> Result<W, ExportError> {
        self.write_rows()?;
        // What the stream says at its very end comes as a text.
        self.writer.into_inner().map_err(|error| match ExportError::from(error) {
            ExportError::Format(what) => std::io::Error::other(what).into(),
            other => other,
        })
    }
}

impl Rows {
    fn push(&mut self, step: u32, time: f64, body: &str, numbers: [f64; NUMBERS]) -> Result<(), ExportError> {
        self.step.push(step);
        self.time.push(time);
        self.body.append(body)?;
        for (column, number) in self.numbers.iter_mut().zip(numbers) {
            column.push(number);
        }
        Ok(())
    }

    /// The rows as Arrow wants them; none are left here.
    fn take(&mut self, schema: SchemaRef) -> Result<RecordBatch, ExportError> {
        let mut arrays: Vec<ArrayRef> = vec![
            Arc::new(UInt32Array::from(std::mem::take(&mut self.step))),
            Arc::new(Float64Array::from(std::mem::take(&mut self.time))),
            Arc::new(self.body.finish_preserve_values()),
        ];
        for column in &mut self.numbers {
            arrays.push(Arc::new(Float64Array::from(std::mem::take(column))));
        }
        Ok(RecordBatch::try_new(schema, arrays)?)
    }
}

fn schema(header: &Header, stop: &str) -> SchemaRef {
    let described = |name: &str, kind: DataType, unit: &str, about: &str| {
        let metadata = [("unit", unit), ("about", about)].map(|(key, value)| (key.to_owned(), value.to_owned()));
        Column::new(name, kind, false).with_metadata(metadata)
    };
    let name_kind = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let mut fields = vec![
        described("step", DataType::UInt32, "1", "state 0 is before the first step"),
        described("time", DataType::Float64, "s", "simulated time"),
        described("body", name_kind, "", "the name of the body"),
    ];
    for field in &FIELDS {
        fields.extend(field.columns.iter().map(|name| described(name, DataType::Float64, field.unit, field.about)));
    }
    let about_the_run = [
        ("producer", header.producer.clone()),
        ("scene", header.scene_name.clone()),
        ("scalar", header.scalar.name().to_owned()),
        ("dt", header.dt.clone()),
        ("semantics", header.semantics.to_string()),
    ];
    let stop = (!stop.is_empty()).then(|| ("stopped", stop.to_owned()));
    let about_the_run = about_the_run.into_iter().chain(stop);
    let metadata: BTreeMap<String, String> =
        about_the_run.map(|(key, value)| (format!("physim.{key}"), value)).collect();
    Arc::new(Schema::new(fields).with_metadata(metadata))
}

/// Names repeat, so they and the steps are written as a dictionary; numbers do not, but their upper bytes do.
fn properties(header: &Header) -> Result<WriterProperties, ExportError> {
    // The Arrow schema is packed; this stands in the foot as it is, for those who tell files apart.
    let producer = KeyValue::new("physim.producer".to_owned(), header.producer.clone());
    let mut builder = WriterProperties::builder()
        .set_key_value_metadata(Some(vec![producer]))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(COMPRESSION_LEVEL)?))
        .set_max_row_group_row_count(Some(GROUP_ROWS));
    for column in columns() {
        let path = ColumnPath::from(column);
        builder = builder
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT);
    }
    Ok(builder.build())
}

impl From<ArrowError> for ExportError {
    fn from(error: ArrowError) -> Self {
        Self::Format(error.to_string())
    }
}

impl From<ParquetError> for ExportError {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(cause) => match cause.downcast::<std::io::Error>() {
                Ok(cause) => Self::Io(*cause),
                Err(other) => Self::Format(other.to_string()),
            },
            other => Self::Format(other.to_string()),
        }
    }
}
