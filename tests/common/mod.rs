//! What the tests share: real blocks, rows as JSON, and the comparison with what is expected.

#![allow(dead_code, reason = "each test file uses a part")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

pub mod reference;
pub mod write;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use buffa::Message;
use pumpfun_tool::input::{Meter, Source};
use pumpfun_tool::package::Package;
use pumpfun_tool::rows::{Format, Kind, RowPrinter};
use pumpfun_tool::schema::{Binary, Module};
use pumpfun_tool::summary::Summary;
use pumpfun_tool::wasm::Wasm;
use pumpfun_trades::block::Block;
use pumpfun_trades::error::BlockError;
use pumpfun_trades::row;
use pumpfun_trades::transaction::Outcomes;
use serde_json::{Map, Value, json};

/// A row, expected or real: field name to value.
pub type Row = Map<String, Value>;

/// A real block and its expected rows, failed transactions included.
pub struct RealBlock {
    pub slot: u64,
    pub bytes: Vec<u8>,
    pub expected: Vec<Row>,
}

/// A file or folder of the real data beside the repository; says so where it is missing.
pub fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared")
        .join(path);
    if !path.exists() {
        eprintln!("skipped: ../shared is not there, so neither are real blocks");
        return None;
    }
    Some(path)
}

/// The real single blocks, by slot; none where they are missing.
pub fn real_blocks() -> Vec<RealBlock> {
    let Some(folder) = shared("blocks") else {
        return Vec::new();
    };
    let mut blocks = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(slot) = name.strip_suffix(".binpb.zst") else {
            continue;
        };
        let expected =
            fs::read_to_string(path.with_file_name(format!("{slot}.expected.jsonl"))).unwrap();
        blocks.push(RealBlock {
            slot: slot.parse().unwrap(),
            bytes: read_blocks(&path).pop().unwrap(),
            expected: expected
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect(),
        });
    }
    blocks.sort_by_key(|block| block.slot);
    assert!(!blocks.is_empty());
    blocks
}

/// The built wasm of the modules that give rows.
pub fn wasm() -> Wasm {
    Wasm::load(&wasm_folder().join(Binary::Trades.file_name())).unwrap()
}

/// All modules of the built package.
pub fn package() -> Package {
    // The last of them depends on all the others.
    Package::load(&wasm_folder(), Module::DbOut).unwrap()
}

/// Where the wasm files are built.
pub fn wasm_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/wasm32-unknown-unknown/release")
}

/// All blocks of a file.
pub fn read_blocks(path: &Path) -> Vec<Vec<u8>> {
    let mut blocks = Vec::new();
    Source::File(path.to_owned()).blocks(&Meter::new(0, true), |block| {
        blocks.push(block.unwrap().bytes);
        true
    });
    blocks
}

/// The rows of a block by the library, as the tool prints them.
pub fn native_rows(block: &[u8], outcomes: Outcomes, kind: Kind) -> Result<Vec<Row>, BlockError> {
    let trades = row::trades(&Block::decode(block)?, outcomes)?;
    Ok(print(Module::MapTrades, &trades.encode_to_vec(), kind))
}

/// The rows of an encoded output of a module, as the tool prints them, without `@type`.
pub fn print(module: Module, output: &[u8], kind: Kind) -> Vec<Row> {
    let printer = RowPrinter::new(module, &[kind], Format::Jsonl).unwrap();
    let mut lines = Vec::new();
    printer
        .print(output, &mut lines, &mut Summary::default())
        .unwrap();
    let lines = String::from_utf8(lines).unwrap();
    let mut rows: Vec<Row> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for row in &mut rows {
        row.shift_remove("@type");
    }
    rows
}

/// Holds printed trades to expected ones, field by field, both ways: nothing missing and nothing more.
///
/// Expected rows are as in `../shared/blocks`: numbers as JSON numbers, bools as 0 or 1, absent fields left out,
/// the row's `event_timestamp` as `timestamp`, `block_time` in Unix seconds; they have neither `id` nor, before V7,
/// the quote, which are made here from what they mean.
#[track_caller]
pub fn assert_trades(real: &[Row], expected: &[Row], context: &str) {
    let expected: Vec<_> = expected.iter().map(as_printed).collect();
    for (real, expected) in real.iter().zip(&expected) {
        let real: BTreeMap<_, _> = real.iter().collect();
        let expected: BTreeMap<_, _> = expected.iter().collect();
        assert_eq!(real, expected, "{context}");
    }
    assert_eq!(real.len(), expected.len(), "{context}: number of trades");
}

const SOL: &str = "11111111111111111111111111111111";
const BOOLS: [&str; 4] = ["is_buy", "failed", "track_volume", "mayhem_mode"];
const SMALL_INTEGERS: [&str; 5] = [
    "transaction_index",
    "instruction_index",
    "inner_instruction_index",
    "stack_height",
    "unknown_trailing_bytes",
];

/// An expected row as the tool should print it.
fn as_printed(expected: &Row) -> Row {
    let mut row = Row::new();
    for (name, value) in expected {
        match name.as_str() {
            "timestamp" => drop(row.insert("event_timestamp".into(), json!(value.to_string()))),
            "block_time" => drop(row.insert(name.clone(), json!(utc(value.as_i64().unwrap())))),
            // Rows of their own.
            "shareholders" => {}
            bool if BOOLS.contains(&bool) => {
                let set = value.as_bool().unwrap_or_else(|| value.as_u64() == Some(1));
                row.insert(name.clone(), json!(set));
            }
            small if SMALL_INTEGERS.contains(&small) => {
                drop(row.insert(name.clone(), value.clone()))
            }
            _ if value.is_number() => drop(row.insert(name.clone(), json!(value.to_string()))),
            _ => drop(row.insert(name.clone(), value.clone())),
        }
    }
    let id = [
        "slot",
        "transaction_index",
        "instruction_index",
        "inner_instruction_index",
    ];
    let id = id.map(|part| expected[part].to_string()).join("-");
    row.insert("id".into(), json!(id));
    if !expected.contains_key("quote_mint") {
        row.insert("quote_mint".into(), json!(SOL));
        row.insert("quote_amount".into(), row["sol_amount"].clone());
        row.insert(
            "virtual_quote_reserves".into(),
            row["virtual_sol_reserves"].clone(),
        );
        if let Some(real) = row.get("real_sol_reserves").cloned() {
            row.insert("real_quote_reserves".into(), real);
        }
    }
    row
}

/// Unix seconds as the text that ProtoJSON has for a Timestamp.
pub fn utc(seconds: i64) -> String {
    let time = prost_types::Timestamp { seconds, nanos: 0 };
    time.to_string()
}

/// The expected rows of transactions that did not fail.
pub fn successful(expected: &[Row]) -> Vec<Row> {
    expected
        .iter()
        .filter(|row| row["failed"] != json!(true))
        .cloned()
        .collect()
}
