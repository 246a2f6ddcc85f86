//! `db_out`: the changes hold every row of `Events`, column by column.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use std::collections::BTreeMap;

use prost_reflect::{DynamicMessage, ReflectMessage};
use pumpfun_generate::blocks;
use pumpfun_outputs::database;
use pumpfun_tool::rows::columns;
use pumpfun_tool::schema::Module;
use pumpfun_trades::block::Block;
use pumpfun_trades::row;
use pumpfun_trades::transaction::Outcomes;

/// A row as the sink gets it: column to text.
type Columns = BTreeMap<String, String>;

fn decode(module: Module, bytes: &[u8]) -> DynamicMessage {
    DynamicMessage::decode(module.output().unwrap(), bytes).unwrap()
}

fn list<'a>(message: &'a DynamicMessage, field: &str) -> Vec<&'a DynamicMessage> {
    match message.get_field_by_name(field) {
        Some(std::borrow::Cow::Borrowed(value)) => value
            .as_list()
            .unwrap()
            .iter()
            .map(|row| row.as_message().unwrap())
            .collect(),
        _ => Vec::new(),
    }
}

fn text(message: &DynamicMessage, field: &str) -> String {
    message
        .get_field_by_name(field)
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn every_row_of_every_kind_is_a_change_that_creates_it() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for block in blocks(42, 16) {
        let events =
            row::encode_events(&Block::decode(&block.bytes).unwrap(), Outcomes::All).unwrap();
        let changes = decode(Module::DbOut, &database::changes(&events).unwrap());
        let mut given: BTreeMap<String, Vec<Columns>> = BTreeMap::new();
        for (ordinal, change) in (1..).zip(list(&changes, "table_changes")) {
            assert_eq!(
                change.get_field_by_name("ordinal").unwrap().as_u64(),
                Some(ordinal)
            );
            assert_eq!(
                change
                    .get_field_by_name("operation")
                    .unwrap()
                    .as_enum_number(),
                Some(1)
            );
            let columns: Columns = list(change, "fields")
                .into_iter()
                .map(|field| (text(field, "name"), text(field, "value")))
                .collect();
            assert_eq!(text(change, "pk"), columns["id"]);
            given
                .entry(text(change, "table"))
                .or_default()
                .push(columns);
        }
        let events = decode(Module::MapEvents, &events);
        for table in events.descriptor().fields() {
            let rows: Vec<_> = list(&events, table.name())
                .into_iter()
                .map(|row| columns(row).unwrap())
                .collect();
            *seen.entry(table.name().to_owned()).or_default() += rows.len();
            assert_eq!(
                given.remove(table.name()).unwrap_or_default(),
                rows,
                "{}",
                table.name()
            );
        }
        assert!(given.is_empty(), "{given:?}");
    }
    assert!(
        seen.len() == 11 && seen.values().all(|rows| *rows > 0),
        "{seen:?}"
    );
}

#[test]
fn no_event_is_no_change_and_what_does_not_decode_says_so() {
    assert!(database::changes(&[]).unwrap().is_empty());
    // Fields of a newer schema are passed over.
    assert!(
        database::changes(&[0xa2, 0x06, 0x01, 0x00])
            .unwrap()
            .is_empty()
    );
    for broken in [&[0x0a, 0xff][..], &[0x08, 0x01], &[0x0a, 0x02, 0x10, 0x80]] {
        let error = database::changes(broken).unwrap_err().to_string();
        assert!(error.contains("its Events: not valid protobuf"), "{error}");
    }
}
