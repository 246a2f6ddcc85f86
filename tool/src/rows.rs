//! Printing rows: a module's output, decoded by its descriptor, as lines of ProtoJSON or CSV.
//!
//! Rows are printed from the encoded output, whoever made it: so the wasm and the native library print the same
//! bytes where they give the same rows.

use std::collections::BTreeMap;
use std::io;

use anyhow::{Context, Result, bail, ensure};
use prost_reflect::{
    DynamicMessage, FieldDescriptor, MessageDescriptor, ReflectMessage, SerializeOptions, Value,
};
use serde_json::Value as Json;

use crate::schema::Module;
use crate::summary::Summary;

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// One ProtoJSON object a line: the schema's field names, 64-bit integers as strings.
    Jsonl,
    /// A header, then one row a line.
    Csv,
    /// Parquet files under --out, one a kind of rows and range of slots.
    Parquet,
}

/// A kind of rows: a repeated field of a module's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Kind {
    /// Trades.
    Trades,
    /// The shareholders that trades name.
    Shareholders,
    /// Pump events that cannot be read, are unknown, or have no rows of their own.
    RawEvents,
    /// Coins that come to life.
    Creations,
    /// Curves that have sold all of their tokens.
    Completions,
    /// What completing buys spent in the coin's new pool.
    PostCompletionBuys,
    /// Coins that move to the AMM.
    Migrations,
    /// Coins that get another creator.
    CreatorChanges,
    /// Prices moved without a trade.
    MayhemUpdates,
    /// Fees that creators take out.
    FeeCollections,
    /// Fees that are paid out of curves.
    FeeSweeps,
    /// All kinds that the module gives.
    All,
}

impl Kind {
    /// Name of the field of the module's output; `None` for all of them.
    pub fn field_name(self) -> Option<&'static str> {
        Some(match self {
            Self::Trades => "trades",
            Self::Shareholders => "shareholders",
            Self::RawEvents => "raw_events",
            Self::Creations => "creations",
            Self::Completions => "completions",
            Self::PostCompletionBuys => "post_completion_buys",
            Self::Migrations => "migrations",
            Self::CreatorChanges => "creator_changes",
            Self::MayhemUpdates => "mayhem_updates",
            Self::FeeCollections => "fee_collections",
            Self::FeeSweeps => "fee_sweeps",
            Self::All => return None,
        })
    }
}

/// Writes the rows of a module's outputs.
#[derive(Clone, Debug)]
pub struct RowPrinter {
    output: MessageDescriptor,
    /// The fields that are printed, in the order of the schema; none where the output is printed as it is.
    fields: Vec<FieldDescriptor>,
    format: Format,
    /// Whether each line names its type.
    typed: bool,
}

impl RowPrinter {
    /// A printer of these kinds of rows of a module, or of its outputs as they are, one a line, where they are no
    /// rows.
    ///
    /// # Errors
    ///
    /// When the module does not give them, or the format cannot hold several.
    pub fn new(module: Module, kinds: &[Kind], format: Format) -> Result<Self> {
        let output = module.output()?;
        ensure!(
            format != Format::Parquet,
            "parquet is not printed: `extract` writes it to the folder that --out names"
        );
        if !module.gives_rows() {
            ensure!(
                format == Format::Jsonl,
                "{} gives no rows: it can only be printed as jsonl",
                module.name()
            );
            return Ok(Self {
                output,
                fields: Vec::new(),
                format,
                typed: false,
            });
        }
        let fields = fields(&output, kinds)?;
        ensure!(
            format != Format::Csv || fields.len() == 1,
            "CSV holds one kind of rows: name one with --rows"
        );
        Ok(Self {
            output,
            fields,
            format,
            typed: kinds.iter().any(|kind| *kind != Kind::Trades),
        })
    }

    /// What comes before all rows: CSV's header.
    ///
    /// # Errors
    ///
    /// When a row's type has no fields.
    pub fn header(&self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        if self.format == Format::Csv {
            for field in &self.fields {
                let row = row_type(field)?;
                write_csv(
                    &mut out,
                    row.fields().map(|column| column.name().to_owned()),
                )?;
            }
        }
        Ok(out)
    }

    /// Appends the rows of an encoded output to `out`, and counts them all, printed or not, in `summary`.
    ///
    /// # Errors
    ///
    /// When the bytes are no message of the output's type.
    pub fn print(&self, encoded: &[u8], out: &mut Vec<u8>, summary: &mut Summary) -> Result<()> {
        let output = DynamicMessage::decode(self.output.clone(), encoded)
            .with_context(|| format!("output is no {}", self.output.full_name()))?;
        summary.count_rows(&output);
        if self.fields.is_empty() {
            return self.print_row(&output, out);
        }
        for field in &self.fields {
            let rows = output.get_field(field);
            for row in rows.as_list().unwrap_or_default() {
                if let Value::Message(row) = row {
                    self.print_row(row, out)?;
                }
            }
        }
        Ok(())
    }

    fn print_row(&self, row: &DynamicMessage, out: &mut Vec<u8>) -> Result<()> {
        // Absent optional fields are left out; fields without presence are always there, zero or not.
        let options = SerializeOptions::new()
            .use_proto_field_name(true)
            .skip_default_fields(false);
        match self.format {
            Format::Jsonl => {
                if self.typed {
                    out.extend_from_slice(b"{\"@type\":\"type.googleapis.com/");
                    out.extend_from_slice(row.descriptor().full_name().as_bytes());
                    out.extend_from_slice(b"\",");
                    let mut object = Vec::new();
                    row.serialize_with_options(
                        &mut serde_json::Serializer::new(&mut object),
                        &options,
                    )?;
                    out.extend_from_slice(object.strip_prefix(b"{").unwrap_or(&object));
                } else {
                    row.serialize_with_options(
                        &mut serde_json::Serializer::new(&mut *out),
                        &options,
                    )?;
                }
                out.push(b'\n');
            }
            // Refused when the printer was made.
            Format::Parquet => {}
            Format::Csv => {
                let object = row.serialize_with_options(serde_json::value::Serializer, &options)?;
                let columns = row
                    .descriptor()
                    .fields()
                    .map(|column| column.name().to_owned())
                    .collect::<Vec<_>>();
                write_csv(
                    out,
                    columns.iter().map(|column| csv_text(object.get(column))),
                )?;
            }
        }
        Ok(())
    }
}

/// The fields of an output that hold these kinds of rows, in the order of the schema.
///
/// # Errors
///
/// When the output does not have one.
pub fn fields(output: &MessageDescriptor, kinds: &[Kind]) -> Result<Vec<FieldDescriptor>> {
    let mut fields = Vec::new();
    for kind in kinds {
        match kind.field_name() {
            Some(name) => fields.push(output.get_field_by_name(name).with_context(|| {
                let names = names(output);
                format!("{} has no {name}: it has {names}", output.full_name())
            })?),
            None => fields.extend(output.fields()),
        }
    }
    fields.sort_by_key(FieldDescriptor::number);
    fields.dedup();
    Ok(fields)
}

/// A row's columns as text, as the SQL sink takes them: numbers decimal, times as Unix seconds, and what is absent left
/// out.
///
/// # Errors
///
/// When a field is of a type that no row has.
pub fn columns(row: &DynamicMessage) -> Result<BTreeMap<String, String>> {
    let mut columns = BTreeMap::new();
    for field in row.descriptor().fields() {
        if field.supports_presence() && !row.has_field(&field) {
            continue;
        }
        let text = match &*row.get_field(&field) {
            Value::String(text) => text.clone(),
            Value::U32(number) => number.to_string(),
            Value::U64(number) => number.to_string(),
            Value::I64(number) => number.to_string(),
            Value::Bool(truth) => truth.to_string(),
            Value::Message(time) => match time.get_field_by_name("seconds").as_deref() {
                Some(Value::I64(seconds)) => seconds.to_string(),
                _ => bail!("{} is no time", field.full_name()),
            },
            other => bail!("{} holds {other:?}", field.full_name()),
        };
        columns.insert(field.name().to_owned(), text);
    }
    Ok(columns)
}

/// The kinds of rows of an output.
fn names(output: &MessageDescriptor) -> String {
    let names: Vec<_> = output
        .fields()
        .map(|field| field.name().to_owned())
        .collect();
    names.join(", ")
}

fn row_type(field: &FieldDescriptor) -> Result<MessageDescriptor> {
    let kind = field.kind();
    let row = kind
        .as_message()
        .with_context(|| format!("{} holds no rows", field.full_name()))?;
    Ok(row.clone())
}

/// A JSON value as CSV text; nothing where it is absent.
fn csv_text(value: Option<&Json>) -> String {
    match value {
        None | Some(Json::Null) => String::new(),
        Some(Json::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

fn write_csv(out: &mut Vec<u8>, record: impl Iterator<Item = String>) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(record.collect::<Vec<_>>())?;
    writer.flush()
}
