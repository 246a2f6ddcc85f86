//! Real mainnet blocks against what an independent decoder reads in them, field by field.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use std::collections::HashSet;

use common::{
    assert_trades, native_rows, print, read_blocks, real_blocks, shared, successful, wasm,
};
use pumpfun_tool::rows::Kind;
use pumpfun_tool::schema::Module;
use pumpfun_trades::block::Block;
use pumpfun_trades::row::{self, RawBytes};
use pumpfun_trades::transaction::Outcomes;

#[test]
fn every_block_gives_the_expected_trades_natively() {
    for block in real_blocks() {
        let all = native_rows(&block.bytes, Outcomes::All, Kind::Trades).unwrap();
        assert_trades(&all, &block.expected, &format!("slot {}, all", block.slot));
        let real = native_rows(&block.bytes, Outcomes::Successful, Kind::Trades).unwrap();
        assert_trades(
            &real,
            &successful(&block.expected),
            &format!("slot {}, successful", block.slot),
        );
    }
}

#[test]
fn every_block_gives_the_expected_trades_through_the_wasm() {
    let wasm = wasm();
    for block in real_blocks() {
        let output = wasm.call("map_trades", &block.bytes).unwrap();
        let expected = successful(&block.expected);
        assert_eq!(
            output.bytes.is_none(),
            expected.is_empty(),
            "slot {}: output only with rows",
            block.slot
        );
        let real = print(
            Module::MapTrades,
            &output.bytes.unwrap_or_default(),
            Kind::Trades,
        );
        assert_trades(&real, &expected, &format!("slot {} in wasm", block.slot));
        let raw = wasm.call("map_raw_trades", &block.bytes).unwrap();
        let decoded = Block::decode(&block.bytes).unwrap();
        let native = row::encode::<RawBytes>(&decoded, Outcomes::Successful).unwrap();
        assert_eq!(raw.bytes.unwrap_or_default(), native, "slot {}", block.slot);
    }
}

#[test]
fn blocks_from_before_pump_give_no_trade() {
    let Some(bundle) = shared("merged-blocks/0055065000.dbin.zst") else {
        return;
    };
    let blocks = read_blocks(&bundle);
    assert_eq!(blocks.len(), 88);
    let wasm = wasm();
    for block in &blocks {
        for kind in [Kind::Trades, Kind::RawEvents] {
            assert_eq!(native_rows(block, Outcomes::All, kind).unwrap(), []);
        }
    }
    for block in blocks.iter().step_by(20) {
        assert_eq!(wasm.call("map_trades", block).unwrap().bytes, None);
        assert_eq!(wasm.call("map_raw_trades", block).unwrap().bytes, None);
    }
}

#[test]
fn no_real_block_has_an_event_that_cannot_be_read() {
    for block in real_blocks() {
        let raw = native_rows(&block.bytes, Outcomes::All, Kind::RawEvents).unwrap();
        assert_eq!(raw, [], "slot {}", block.slot);
    }
}

#[test]
fn ids_are_unique_over_all_blocks() {
    let mut ids = HashSet::new();
    for block in real_blocks() {
        for row in native_rows(&block.bytes, Outcomes::All, Kind::Trades).unwrap() {
            assert!(ids.insert(row["id"].clone()), "{} twice", row["id"]);
        }
    }
}
