//! `Events` → `DatabaseChanges`: rows as the SQL sink takes them.
//!
//! Each repeated field of `Events` is a table of that name, each field of its rows a column. The rows are read off the
//! wire by the lists in [`tables`], which are generated from the schema: so no column can be forgotten or named
//! otherwise, and one function serves all tables.
//!
//! Every change creates a row. The sink's other operations (upsert, add, min, max) are dropped in silence by versions
//! of it that are in use, and an update of an absent row does nothing.

mod tables;

use buffa::types::put_len_delimited_header;
use buffa::{DecodeError, SizeCache, ViewEncode};
use pb::__buffa::view::oneof::table_change::PrimaryKey;
use pb::__buffa::view::{FieldView, TableChangeView};
use pb::table_change::Operation;
use substreams_database_change::pb::sf::substreams::sink::database::v1 as pb;
pub use tables::TABLES;

use crate::error::BlockError;
use crate::wire::{Value, for_each_field, timestamp_seconds};

/// A table: a repeated field of `Events`.
#[derive(Debug)]
pub struct Table {
    /// Number of the field.
    pub number: u32,
    /// Name of the field, and so of the table.
    pub name: &'static str,
    /// Fields of its rows, by number.
    pub columns: &'static [Column],
}

/// A column: a field of a row.
#[derive(Debug)]
pub struct Column {
    /// Number of the field.
    pub number: u32,
    /// Name of the field, and so of the column.
    pub name: &'static str,
    /// How its values are written.
    pub kind: Kind,
    /// Whether it is NULL where the row does not have it, and not its type's default.
    pub nullable: bool,
}

/// How the values of a column are written: the sink takes text for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A string, as it is.
    Text,
    /// `uint32` and `uint64`, decimal.
    Unsigned,
    /// `int64`, decimal.
    Signed,
    /// `true` or `false`.
    Bool,
    /// `google.protobuf.Timestamp`, as Unix seconds.
    Time,
}

/// Field number of `table_changes` in `DatabaseChanges`.
const TABLE_CHANGES: u32 = 1;

/// The changes that create all rows of an encoded `pumpfun.v1.Events`, an encoded
/// `sf.substreams.sink.database.v1.DatabaseChanges`.
///
/// # Errors
///
/// When the input is not valid protobuf.
pub fn changes(events: &[u8]) -> Result<Vec<u8>, BlockError> {
    let mut changes = Vec::with_capacity(4 * events.len());
    let mut sizes = SizeCache::default();
    let mut ordinal = 0;
    for_each_field(events, |number, rows| {
        let Some(table) = TABLES.iter().find(|table| table.number == number) else {
            return Ok(());
        };
        let values = values(table, rows.bytes(number)?)?;
        ordinal += 1;
        let change = TableChangeView {
            table: table.name,
            ordinal,
            operation: Operation::OPERATION_CREATE.into(),
            fields: fields(table, &values).collect(),
            primary_key: Some(PrimaryKey::Pk(primary_key(table, &values))),
        };
        sizes.clear();
        let size = change.compute_size(&mut sizes);
        put_len_delimited_header(TABLE_CHANGES, size.into(), &mut changes);
        change.write_to(&mut sizes, &mut changes);
        Ok(())
    })
    .map_err(BlockError::of_events)?;
    Ok(changes)
}

/// A row's values as text, one a column; `None` is NULL.
fn values(table: &Table, row: &[u8]) -> Result<Vec<Option<String>>, DecodeError> {
    let default = |column: &Column| match column.kind {
        _ if column.nullable => None,
        Kind::Text => Some(String::new()),
        Kind::Unsigned | Kind::Signed | Kind::Time => Some("0".to_owned()),
        Kind::Bool => Some("false".to_owned()),
    };
    let mut values: Vec<_> = table.columns.iter().map(default).collect();
    for_each_field(row, |number, value| {
        // Columns are those of the schema, numbered from 1 without a gap.
        let Some(at) = table
            .columns
            .iter()
            .position(|column| column.number == number)
        else {
            return Ok(());
        };
        if let (Some(column), Some(slot)) = (table.columns.get(at), values.get_mut(at)) {
            *slot = Some(text(column.kind, number, value)?);
        }
        Ok(())
    })?;
    Ok(values)
}

/// A value as the sink takes it.
fn text(kind: Kind, number: u32, value: Value<'_>) -> Result<String, DecodeError> {
    Ok(match kind {
        Kind::Text => str::from_utf8(value.bytes(number)?)
            .map_err(|_| DecodeError::InvalidUtf8)?
            .to_owned(),
        Kind::Unsigned => value.uint64(number)?.to_string(),
        Kind::Signed => (value.uint64(number)? as i64).to_string(),
        Kind::Bool => (value.uint64(number)? != 0).to_string(),
        Kind::Time => timestamp_seconds(value.bytes(number)?)?.to_string(),
    })
}

fn fields<'a>(table: &Table, values: &'a [Option<String>]) -> impl Iterator<Item = FieldView<'a>> {
    let present = table.columns.iter().zip(values);
    present.filter_map(|(column, value)| {
        Some(FieldView {
            name: column.name,
            value: value.as_deref()?,
            ..Default::default()
        })
    })
}

/// Every table's key is its column `id`.
fn primary_key<'a>(table: &Table, values: &'a [Option<String>]) -> &'a str {
    let id = table
        .columns
        .iter()
        .zip(values)
        .find(|(column, _)| column.name == "id");
    id.and_then(|(_, value)| value.as_deref())
        .unwrap_or_default()
}
