//! The manifest on the real engine: every module in both modes, caches, the index, and errors.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use std::collections::{BTreeMap, BTreeSet};

use buffa::Message;
use common::{Fixture, fixtures};
use prost_reflect::DynamicMessage;
use pumpfun_engine::command::{Answer, Request, module_hashes};
use pumpfun_engine::engine::Engine;
use pumpfun_outputs::database;
use pumpfun_outputs::filter::{Filter, filtered_trades, index_keys};
use pumpfun_tool::input::BUNDLE_SLOTS;
use pumpfun_tool::schema::Module;
use pumpfun_trades::block::Block;
use pumpfun_trades::kept;
use pumpfun_trades::row::{self, Base58, RawBytes};
use pumpfun_trades::transaction::Outcomes::{Failed, Successful};
use tempfile::TempDir;

/// What the engine counts for a block beside what modules are given, at most: the block's number, hash and time.
const CLOCKS: usize = 200;

/// What a module should give for a block, by the native library.
fn expected(module: Module, params: &str, block: &[u8]) -> Vec<u8> {
    let block = Block::decode(block).unwrap();
    let events = || row::encode_events(&block, Successful).unwrap();
    match module {
        Module::MapTrades => row::encode::<Base58>(&block, Successful).unwrap(),
        Module::MapRawTrades => row::encode::<RawBytes>(&block, Successful).unwrap(),
        Module::PumpTransactions => kept::encode(&block),
        Module::MapEvents => events(),
        Module::MapFailedTrades => row::encode::<Base58>(&block, Failed).unwrap(),
        Module::IndexTrades => index_keys(&events()).unwrap(),
        Module::FilteredTrades => {
            filtered_trades(&Filter::parse(params).unwrap(), &events()).unwrap()
        }
        Module::DbOut => database::changes(&events()).unwrap(),
    }
}

/// Holds an answer to what the native library gives for all blocks; says how many of them give something.
#[track_caller]
fn check(answer: &Answer, module: Module, params: &str, fixture: &Fixture) -> usize {
    assert!(answer.success, "{module:?}: {}", answer.said);
    let mut outputs = answer.outputs.clone();
    let mut given = 0;
    for block in &fixture.bundles.blocks {
        let expected = expected(module, params, &block.bytes);
        if expected.is_empty() {
            continue;
        }
        let output = outputs
            .remove(&block.slot)
            .unwrap_or_else(|| panic!("{module:?}: nothing for slot {}", block.slot));
        assert_eq!(output["@module"], module.name());
        let descriptor = module.output().unwrap();
        let message = DynamicMessage::deserialize(descriptor.clone(), &output["@data"]).unwrap();
        let expected = DynamicMessage::decode(descriptor, expected.as_slice()).unwrap();
        assert!(
            message == expected,
            "{module:?}: slot {}:\n{message}\n{expected}",
            block.slot
        );
        given += 1;
    }
    assert!(
        outputs.is_empty(),
        "{module:?}: more than expected: {:?}",
        outputs.keys()
    );
    given
}

/// A filter of a mint and one of a user and a side, of trades that are there.
fn params(fixture: &Fixture) -> String {
    let trades = fixture.bundles.blocks.iter().flat_map(|block| {
        row::trades(&Block::decode(&block.bytes).unwrap(), Successful)
            .unwrap()
            .trades
    });
    let trades: Vec<_> = trades.collect();
    let (first, last) = (&trades[0], &trades[trades.len() - 1]);
    let side = if last.is_buy { "buy" } else { "sell" };
    format!("mint:{} || (user:{} && side:{side})", first.mint, last.user)
}

#[test]
fn every_module_gives_in_both_modes_what_the_library_gives() {
    for fixture in fixtures() {
        let state = TempDir::new().unwrap();
        let engine = Engine::start(&fixture.bundles.folder, &state.path().join("state")).unwrap();
        let filter = params(fixture);
        for production in [false, true] {
            for module in Module::ALL {
                let request = Request {
                    production,
                    params: module.default_params().map(|_| filter.as_str()),
                    ..fixture.request(module, &engine)
                };
                let answer = request.send().unwrap();
                if production && module == Module::IndexTrades {
                    // An index is not streamed in production; that it is written, is held below.
                    assert!(
                        answer.success && answer.outputs.is_empty(),
                        "{}",
                        answer.said
                    );
                    continue;
                }
                let given = check(&answer, module, &filter, fixture);
                assert!(given > 0, "{module:?}");
            }
        }
        // Each segment was run by tier 2 and cached, in parallel or not: that is what makes several.
        let hashes = module_hashes(&fixture.package).unwrap();
        let segments = fixture.segments();
        for module in Module::ALL {
            let kind = match module {
                Module::IndexTrades => "index",
                // Its hash is another with another parameter.
                Module::FilteredTrades => continue,
                _ => "outputs",
            };
            let cached = engine.cached(&hashes[module.name()], kind);
            assert_eq!(cached.len(), segments, "{module:?}: {cached:?}");
        }
    }
}

#[test]
fn what_is_cached_is_not_run_again_and_a_new_decoder_reads_no_blocks() {
    let fixture = &fixtures()[0];
    assert!(fixture.segments() >= 4);
    let state = TempDir::new().unwrap();
    let engine = Engine::start(&fixture.bundles.folder, &state.path().join("state")).unwrap();
    let request = Request {
        production: true,
        ..fixture.request(Module::MapEvents, &engine)
    };
    let blocks: usize = fixture
        .bundles
        .blocks
        .iter()
        .map(|block| block.bytes.len())
        .sum();

    check(&request.send().unwrap(), Module::MapEvents, "", fixture);
    let first = engine.metered().unwrap();
    assert!(first.block_bytes >= blocks as u64, "{first:?}");

    // Again: neither blocks are read nor modules run.
    check(&request.send().unwrap(), Module::MapEvents, "", fixture);
    assert_eq!(engine.metered().unwrap(), Default::default());

    // With another decoder, were it one byte: the cached transactions are read, and no block.
    let changed = common::changed_package(fixture);
    let (before, after) = (
        module_hashes(&fixture.package).unwrap(),
        module_hashes(&changed).unwrap(),
    );
    assert_eq!(before["pump_transactions"], after["pump_transactions"]);
    assert_ne!(before["map_events"], after["map_events"]);
    let request = Request {
        package: &changed,
        ..request
    };
    check(&request.send().unwrap(), Module::MapEvents, "", fixture);
    let second = engine.metered().unwrap();
    assert_eq!(second.block_bytes, 0, "{second:?}");
    assert!(second.wasm_input_bytes > 0, "it was run");
    let kept: usize = fixture
        .bundles
        .blocks
        .iter()
        .map(|block| expected(Module::PumpTransactions, "", &block.bytes).len())
        .sum();
    assert!(
        (kept..kept + CLOCKS * fixture.bundles.blocks.len())
            .contains(&(second.wasm_input_bytes as usize)),
        "on what pump_transactions kept: {second:?}, {kept}"
    );
    println!(
        "a new decoder reads {kept} bytes of {blocks}: {:.1} %",
        100.0 * kept as f64 / blocks as f64
    );
}

#[test]
fn blocks_without_a_key_are_skipped() {
    let fixture = &fixtures()[0];
    let state = TempDir::new().unwrap();
    let engine = Engine::start(&fixture.bundles.folder, &state.path().join("state")).unwrap();
    let send = |module: Module, params: Option<&str>| {
        let request = Request {
            production: true,
            params,
            ..fixture.request(module, &engine)
        };
        request.send().unwrap()
    };
    // The index and all before it.
    send(Module::IndexTrades, None);
    engine.metered().unwrap();

    // A mint that no trade has: nothing is read, and no module is called.
    let absent = "mint:6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P";
    let answer = send(Module::FilteredTrades, Some(absent));
    assert_eq!(check(&answer, Module::FilteredTrades, absent, fixture), 0);
    assert_eq!(engine.metered().unwrap(), Default::default());

    // A mint that is traded in few segments: the others cost nothing. In a segment that holds it, the engine runs the
    // modules before the filter on all blocks, and the filter on those that the index names.
    let mut segments_by_mint: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    let mut bytes_by_segment: BTreeMap<u64, usize> = BTreeMap::new();
    for block in &fixture.bundles.blocks {
        let segment = block.slot / BUNDLE_SLOTS;
        let kept = expected(Module::PumpTransactions, "", &block.bytes);
        let events = expected(Module::MapEvents, "", &block.bytes);
        *bytes_by_segment.entry(segment).or_default() += kept.len() + events.len() + absent.len();
        let events = pumpfun_trades::pb::v1::Events::decode_from_slice(&events).unwrap();
        for trade in events.trades {
            segments_by_mint
                .entry(trade.mint)
                .or_default()
                .insert(segment);
        }
    }
    let (mint, segments) = segments_by_mint
        .iter()
        .min_by_key(|(_, segments)| segments.len())
        .unwrap();
    let filter = format!("mint:{mint}");
    let answer = send(Module::FilteredTrades, Some(&filter));
    assert!(check(&answer, Module::FilteredTrades, &filter, fixture) > 0);
    let metered = engine.metered().unwrap();
    let bound: usize = segments
        .iter()
        .map(|segment| bytes_by_segment[segment])
        .sum();
    let bound = bound + CLOCKS * fixture.bundles.blocks.len();
    let all: usize = bytes_by_segment.values().sum();
    assert_eq!(metered.block_bytes, 0, "{metered:?}");
    assert!(bound < all / 2, "{bound} of {all}");
    assert!(
        metered.wasm_input_bytes <= bound as u64,
        "{metered:?}: {bound} of {all} bytes"
    );
}

#[test]
fn a_block_that_does_not_decode_ends_the_stream_with_our_words() {
    let fixture = &fixtures()[0];
    let folder = TempDir::new().unwrap();
    let (damaged, slot, index) = common::damaged(fixture, folder.path());
    let engine = Engine::start(&damaged, &folder.path().join("state")).unwrap();
    for (module, production) in [
        (Module::MapTrades, false),
        (Module::MapTrades, true),
        (Module::MapEvents, false),
    ] {
        let request = Request {
            production,
            ..fixture.request(module, &engine)
        };
        let answer = request.send().unwrap();
        assert!(!answer.success, "{module:?}");
        let words = format!("block at slot {slot}: transaction {index}: not valid protobuf");
        assert!(answer.said.contains(&words), "{module:?}: {}", answer.said);
        if !production {
            // What was good before it was streamed.
            let before = fixture
                .bundles
                .blocks
                .iter()
                .filter(|block| block.slot < slot);
            let before = before.filter(|block| !expected(module, "", &block.bytes).is_empty());
            assert_eq!(answer.outputs.len(), before.count());
        }
    }
}

#[test]
fn a_filter_that_is_none_ends_the_stream_with_the_place() {
    let fixture = &fixtures()[0];
    let state = TempDir::new().unwrap();
    let engine = Engine::start(&fixture.bundles.folder, &state.path().join("state")).unwrap();
    // The engine's own reading of the expression must let the block through for the module to be asked.
    let params = "side:buy || mind:A";
    let request = Request {
        params: Some(params),
        ..fixture.request(Module::FilteredTrades, &engine)
    };
    let answer = request.send().unwrap();
    assert!(!answer.success);
    assert!(
        answer
            .said
            .contains("filter: character 13: `mind` is no column"),
        "{}",
        answer.said
    );
}
