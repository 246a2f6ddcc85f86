//! The rows that tables should hold, as text, by the native library.

use std::collections::BTreeMap;

use prost_reflect::{DynamicMessage, Kind, ReflectMessage};
use pumpfun_engine::bundles::Bundles;
use pumpfun_tool::rows;
use pumpfun_tool::schema::Module;
use pumpfun_trades::block::Block;
use pumpfun_trades::row;
use pumpfun_trades::transaction::Outcomes;

/// A row: column to text; NULL is left out.
pub type Columns = BTreeMap<String, String>;

/// Names of all tables.
pub fn names() -> Vec<String> {
    let events = Module::MapEvents.output().unwrap();
    events
        .fields()
        .map(|table| table.name().to_owned())
        .collect()
}

/// Names of a table's columns, and whether they are times.
pub fn columns(table: &str) -> Vec<(String, bool)> {
    let events = Module::MapEvents.output().unwrap();
    let Kind::Message(row) = events.get_field_by_name(table).unwrap().kind() else {
        panic!("{table} has no rows")
    };
    let columns = row.fields().map(|column| {
        let is_time = column.kind().as_message().is_some();
        (column.name().to_owned(), is_time)
    });
    columns.collect()
}

/// All rows of all tables, as `pumpfun extract` reads them in the blocks, in order.
pub fn expected(bundles: &Bundles) -> BTreeMap<String, Vec<Columns>> {
    let mut tables: BTreeMap<String, Vec<Columns>> = BTreeMap::new();
    for block in &bundles.blocks {
        let block = Block::decode(&block.bytes).unwrap();
        let events = row::encode_events(&block, Outcomes::Successful).unwrap();
        let events =
            DynamicMessage::decode(Module::MapEvents.output().unwrap(), &events[..]).unwrap();
        for table in events.descriptor().fields() {
            let list = events.get_field(&table);
            let table = tables.entry(table.name().to_owned()).or_default();
            for row in list.as_list().unwrap() {
                table.push(rows::columns(row.as_message().unwrap()).unwrap());
            }
        }
    }
    for rows in tables.values_mut() {
        rows.sort();
    }
    tables
}
