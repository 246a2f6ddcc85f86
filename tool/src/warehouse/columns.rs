//! Encoded rows → Arrow columns, by the schema's descriptors, straight from the bytes.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, BooleanBuilder, Int64Builder, StringBuilder,
    TimestampMillisecondBuilder, UInt32Builder, UInt64Builder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use pumpfun_trades::wire::{Value, for_each_field, timestamp_seconds};

/// The kinds of rows that are written, each a table.
#[derive(Debug)]
pub struct Tables(Vec<Table>);

/// A kind of rows.
#[derive(Debug)]
pub struct Table {
    /// Number of its field in the output message.
    number: u32,
    /// Name of that field, and so of the table.
    pub name: String,
    /// Its columns, with the schema's comments.
    pub schema: SchemaRef,
    columns: Vec<Column>,
}

/// A column: how a field's values become an array.
#[derive(Clone, Copy, Debug)]
struct Column {
    /// Number of the row's field.
    number: u32,
    kind: ColumnKind,
    /// NULL where the row does not have it, and not its type's default.
    nullable: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColumnKind {
    Text,
    Bytes,
    Unsigned32,
    Unsigned64,
    Signed64,
    Bool,
    Time,
}

/// The rows of one block, a batch for each table, in the order of the tables.
#[derive(Debug)]
pub struct Batches(pub Vec<RecordBatch>);

impl Tables {
    /// Tables of these repeated fields of an output message.
    ///
    /// # Errors
    ///
    /// When a field has no rows, or a row a field that no column is.
    pub fn new(fields: &[FieldDescriptor]) -> Result<Self> {
        fields
            .iter()
            .map(Table::new)
            .collect::<Result<_>>()
            .map(Self)
    }

    /// Each table.
    pub fn iter(&self) -> impl Iterator<Item = &Table> {
        self.0.iter()
    }

    /// The rows of an encoded output.
    ///
    /// # Errors
    ///
    /// When the bytes are no message of the output's type.
    pub fn batches(&self, output: &[u8]) -> Result<Batches> {
        let mut builders: Vec<_> = self.0.iter().map(Table::builders).collect();
        let mut failed = None;
        for_each_field(output, |number, value| {
            let table = self.0.iter().zip(&mut builders);
            if let Some((table, builders)) =
                table.into_iter().find(|(table, _)| table.number == number)
                && let Err(error) = table.append(value.bytes(number)?, builders)
            {
                failed.get_or_insert(error);
            }
            Ok(())
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        let batches = self.0.iter().zip(builders).map(|(table, builders)| {
            let arrays: Vec<ArrayRef> = builders.into_iter().map(ColumnBuilder::finish).collect();
            RecordBatch::try_new(Arc::clone(&table.schema), arrays).context(table.name.clone())
        });
        Ok(Batches(batches.collect::<Result<_>>()?))
    }
}

impl Table {
    fn new(field: &FieldDescriptor) -> Result<Self> {
        let kind = field.kind();
        let row = kind
            .as_message()
            .with_context(|| format!("{} has no rows", field.full_name()))?;
        let columns = row
            .fields()
            .map(|field| Column::new(&field))
            .collect::<Result<Vec<_>>>()?;
        let fields: Vec<_> = row
            .fields()
            .zip(&columns)
            .map(|(field, column)| {
                let comment = [("comment".to_owned(), comment(row, &field))];
                Field::new(field.name(), column.kind.data_type(), column.nullable)
                    .with_metadata(comment.into_iter().collect())
            })
            .collect();
        Ok(Self {
            number: field.number(),
            name: field.name().to_owned(),
            schema: Arc::new(Schema::new(fields)),
            columns,
        })
    }

    fn builders(&self) -> Vec<ColumnBuilder> {
        self.columns
            .iter()
            .map(|column| column.kind.builder())
            .collect()
    }

    fn append(&self, row: &[u8], builders: &mut [ColumnBuilder]) -> Result<()> {
        let mut values: Vec<Option<Value<'_>>> = vec![None; self.columns.len()];
        for_each_field(row, |number, value| {
            let at = self
                .columns
                .iter()
                .position(|column| column.number == number);
            if let Some(slot) = at.and_then(|at| values.get_mut(at)) {
                *slot = Some(value);
            }
            Ok(())
        })?;
        for ((column, value), builder) in self.columns.iter().zip(values).zip(builders) {
            builder.append(column, value)?;
        }
        Ok(())
    }
}

impl Column {
    fn new(field: &FieldDescriptor) -> Result<Self> {
        let kind = match field.kind() {
            Kind::String => ColumnKind::Text,
            Kind::Bytes => ColumnKind::Bytes,
            Kind::Uint32 => ColumnKind::Unsigned32,
            Kind::Uint64 => ColumnKind::Unsigned64,
            Kind::Int64 => ColumnKind::Signed64,
            Kind::Bool => ColumnKind::Bool,
            Kind::Message(message) if message.full_name() == "google.protobuf.Timestamp" => {
                ColumnKind::Time
            }
            kind => bail!("{}: no column is a {kind:?}", field.full_name()),
        };
        Ok(Self {
            number: field.number(),
            kind,
            nullable: field.supports_presence(),
        })
    }
}

/// The schema's comment on a field, on one line.
fn comment(row: &MessageDescriptor, field: &FieldDescriptor) -> String {
    let path = field.path();
    let file = row.parent_file();
    let info = file.file_descriptor_proto().source_code_info.as_ref();
    let location =
        info.and_then(|info| info.location.iter().find(|location| location.path == path));
    let comment = location
        .map(|location| location.leading_comments())
        .unwrap_or_default();
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl ColumnKind {
    fn data_type(self) -> DataType {
        match self {
            Self::Text => DataType::Utf8,
            Self::Bytes => DataType::Binary,
            Self::Unsigned32 => DataType::UInt32,
            Self::Unsigned64 => DataType::UInt64,
            Self::Signed64 => DataType::Int64,
            Self::Bool => DataType::Boolean,
            // Parquet has none in seconds.
            Self::Time => DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())),
        }
    }

    fn builder(self) -> ColumnBuilder {
        match self {
            Self::Text => ColumnBuilder::Text(StringBuilder::new()),
            Self::Bytes => ColumnBuilder::Bytes(BinaryBuilder::new()),
            Self::Unsigned32 => ColumnBuilder::Unsigned32(UInt32Builder::new()),
            Self::Unsigned64 => ColumnBuilder::Unsigned64(UInt64Builder::new()),
            Self::Signed64 => ColumnBuilder::Signed64(Int64Builder::new()),
            Self::Bool => ColumnBuilder::Bool(BooleanBuilder::new()),
            Self::Time => {
                ColumnBuilder::Time(TimestampMillisecondBuilder::new().with_timezone("UTC"))
            }
        }
    }
}

enum ColumnBuilder {
    Text(StringBuilder),
    Bytes(BinaryBuilder),
    Unsigned32(UInt32Builder),
    Unsigned64(UInt64Builder),
    Signed64(Int64Builder),
    Bool(BooleanBuilder),
    Time(TimestampMillisecondBuilder),
}

impl ColumnBuilder {
    /// Appends a row's value: NULL, or the type's default, where the row does not have it.
    fn append(&mut self, column: &Column, value: Option<Value<'_>>) -> Result<()> {
        let number = column.number;
        if value.is_none() && column.nullable {
            self.append_null();
            return Ok(());
        }
        let bytes = || value.map_or(Ok(&[][..]), |value| value.bytes(number));
        let varint = || value.map_or(Ok(0), |value| value.uint64(number));
        match self {
            Self::Text(builder) => {
                builder.append_value(str::from_utf8(bytes()?).context("a text that is none")?);
            }
            Self::Bytes(builder) => builder.append_value(bytes()?),
            Self::Unsigned32(builder) => {
                builder.append_value(u32::try_from(varint()?).context("a number beyond 32 bits")?);
            }
            Self::Unsigned64(builder) => builder.append_value(varint()?),
            Self::Signed64(builder) => builder.append_value(varint()?.cast_signed()),
            Self::Bool(builder) => builder.append_value(varint()? != 0),
            Self::Time(builder) => {
                // Years 1 to 9999: no overflow.
                builder.append_value(timestamp_seconds(bytes()?)?.saturating_mul(1_000));
            }
        }
        Ok(())
    }

    fn append_null(&mut self) {
        match self {
            Self::Text(builder) => builder.append_null(),
            Self::Bytes(builder) => builder.append_null(),
            Self::Unsigned32(builder) => builder.append_null(),
            Self::Unsigned64(builder) => builder.append_null(),
            Self::Signed64(builder) => builder.append_null(),
            Self::Bool(builder) => builder.append_null(),
            Self::Time(builder) => builder.append_null(),
        }
    }

    fn finish(self) -> ArrayRef {
        let mut builder: Box<dyn ArrayBuilder> = match self {
            Self::Text(builder) => Box::new(builder),
            Self::Bytes(builder) => Box::new(builder),
            Self::Unsigned32(builder) => Box::new(builder),
            Self::Unsigned64(builder) => Box::new(builder),
            Self::Signed64(builder) => Box::new(builder),
            Self::Bool(builder) => Box::new(builder),
            Self::Time(builder) => Box::new(builder),
        };
        builder.finish()
    }
}
