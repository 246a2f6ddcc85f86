//! Blocks that are odd, or no blocks at all: each has a defined result, and none a panic.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use common::{Row, native_rows, wasm};
use prost_013::Message as _;
use pumpfun_tool::rows::Kind;
use pumpfun_trades::block::Block;
use pumpfun_trades::program::{EVENT_TAG, PUMP_PROGRAM};
use pumpfun_trades::row::{self, Base58};
use pumpfun_trades::transaction::Outcomes;
use serde_json::{Value, json};
use solana_prost::pb::sf::solana::r#type::v1::{
    Block as ProstBlock, CompiledInstruction, ConfirmedTransaction, InnerInstruction,
    InnerInstructions, Message, Transaction, TransactionError, TransactionStatusMeta,
    UnixTimestamp,
};

const SLOT: u64 = 400_000_000;
const FEE_PAYER: [u8; 32] = [5; 32];
const ROUTER: [u8; 32] = [9; 32];

/// Data of an inner instruction with a TradeEvent of layout V0.
fn trade_event() -> Vec<u8> {
    let mut data = EVENT_TAG.to_vec();
    data.extend([0xbd, 0xdb, 0x7f, 0xd3, 0x4e, 0xe6, 0x61, 0xee]);
    data.extend([1; 105]);
    data
}

fn event_instruction(data: Vec<u8>) -> InnerInstruction {
    InnerInstruction {
        program_id_index: 1,
        accounts: vec![3],
        data,
        stack_height: Some(3),
    }
}

/// A transaction in which a router calls Pump once, for a trade.
fn transaction() -> ConfirmedTransaction {
    ConfirmedTransaction {
        transaction: Some(Transaction {
            signatures: vec![vec![7; 64]],
            message: Some(Message {
                account_keys: vec![FEE_PAYER.to_vec(), PUMP_PROGRAM.to_vec(), ROUTER.to_vec()],
                instructions: vec![CompiledInstruction {
                    program_id_index: 2,
                    ..Default::default()
                }],
                ..Default::default()
            }),
        }),
        meta: Some(TransactionStatusMeta {
            inner_instructions: vec![InnerInstructions {
                index: 0,
                instructions: vec![event_instruction(trade_event())],
            }],
            ..Default::default()
        }),
    }
}

/// A block of one odd transaction behind two others.
fn block_of(odd: ConfirmedTransaction) -> ProstBlock {
    ProstBlock {
        slot: SLOT,
        parent_slot: SLOT - 1,
        block_time: Some(UnixTimestamp {
            timestamp: 1_760_000_000,
        }),
        transactions: vec![ConfirmedTransaction::default(), transaction(), odd],
        ..Default::default()
    }
}

/// The rows of the transaction that `change` makes odd; those of the ordinary one beside it must stand.
fn rows_of(kind: Kind, change: impl FnOnce(&mut ConfirmedTransaction)) -> Vec<Row> {
    let mut odd = transaction();
    change(&mut odd);
    let bytes = block_of(odd).encode_to_vec();
    let trades = native_rows(&bytes, Outcomes::All, Kind::Trades).unwrap();
    assert_eq!(
        trades[0]["id"], "400000000-1-0-0",
        "the ordinary transaction's trade"
    );
    let rows = native_rows(&bytes, Outcomes::All, kind).unwrap();
    rows.into_iter()
        .filter(|row| row["transaction_index"] == 2)
        .collect()
}

fn meta(transaction: &mut ConfirmedTransaction) -> &mut TransactionStatusMeta {
    transaction.meta.as_mut().unwrap()
}

fn message(transaction: &mut ConfirmedTransaction) -> &mut Message {
    transaction
        .transaction
        .as_mut()
        .unwrap()
        .message
        .as_mut()
        .unwrap()
}

fn column(rows: &[Row], name: &str) -> Vec<Value> {
    rows.iter().map(|row| row[name].clone()).collect()
}

#[test]
fn an_ordinary_transaction_gives_a_trade() {
    let rows = rows_of(Kind::Trades, |_| {});
    assert_eq!(column(&rows, "id"), ["400000000-2-0-0"]);
    assert_eq!(rows[0]["block_time"], "2025-10-09T08:53:20Z");
    assert_eq!(
        rows[0]["outer_program"],
        json!(bs58::encode(ROUTER).into_string())
    );
    assert_eq!(
        rows[0]["fee_payer"],
        json!(bs58::encode(FEE_PAYER).into_string())
    );
    assert_eq!(rows[0]["stack_height"], 3);
}

#[test]
fn a_transaction_without_meta_gives_nothing() {
    for kind in [Kind::Trades, Kind::RawEvents] {
        assert_eq!(rows_of(kind, |odd| odd.meta = None), []);
    }
}

#[test]
fn a_failed_transaction_is_left_out_unless_asked_for() {
    let mut failed = transaction();
    meta(&mut failed).err = Some(TransactionError { err: Vec::new() });
    let bytes = block_of(failed).encode_to_vec();
    let ids = |outcomes| column(&native_rows(&bytes, outcomes, Kind::Trades).unwrap(), "id");
    assert_eq!(ids(Outcomes::Successful), ["400000000-1-0-0"]);
    assert_eq!(ids(Outcomes::All), ["400000000-1-0-0", "400000000-2-0-0"]);
}

#[test]
fn without_a_message_no_program_is_known_and_the_event_is_a_raw_one() {
    let without = |odd: &mut ConfirmedTransaction| {
        odd.transaction.as_mut().unwrap().message = None;
        // What names Pump is then a loaded address; where in the table it stands, nobody can tell.
        meta(odd).loaded_readonly_addresses = vec![[1; 32].to_vec(), PUMP_PROGRAM.to_vec()];
    };
    assert_eq!(rows_of(Kind::Trades, without), []);
    let raw = rows_of(Kind::RawEvents, without);
    assert_eq!(
        column(&raw, "reason"),
        ["its program has index 1 in an account table of 0"]
    );
    assert_eq!(column(&raw, "fee_payer"), [""]);

    let raw = rows_of(Kind::RawEvents, |odd| {
        odd.transaction = None;
        meta(odd).loaded_readonly_addresses = vec![PUMP_PROGRAM.to_vec()];
    });
    assert_eq!(column(&raw, "signature"), [""]);
}

#[test]
fn a_program_index_outside_the_account_table_makes_a_raw_event() {
    for index in [3, 255, 256, u32::MAX] {
        let outside = |odd: &mut ConfirmedTransaction| {
            meta(odd).inner_instructions[0].instructions[0].program_id_index = index;
        };
        assert_eq!(rows_of(Kind::Trades, outside), []);
        let raw = rows_of(Kind::RawEvents, outside);
        assert_eq!(
            raw[0]["reason"],
            json!(format!(
                "its program has index {index} in an account table of 3"
            ))
        );
        assert_eq!(raw[0]["discriminator"], "bddb7fd34ee661ee");
        assert_eq!(raw[0]["data"], json!("01".repeat(105)));
    }
}

#[test]
fn an_outer_program_outside_the_account_table_is_empty_and_the_trade_stands() {
    let rows = rows_of(Kind::Trades, |odd| {
        message(odd).instructions[0].program_id_index = 77
    });
    assert_eq!(column(&rows, "outer_program"), [""]);
}

#[test]
fn a_group_that_names_no_outer_instruction_keeps_its_trade() {
    for index in [1, 300, u32::MAX] {
        let rows = rows_of(Kind::Trades, |odd| {
            meta(odd).inner_instructions[0].index = index
        });
        assert_eq!(rows[0]["id"], json!(format!("400000000-2-{index}-0")));
        assert_eq!(rows[0]["outer_program"], "");
    }
}

#[test]
fn two_groups_for_one_outer_instruction_count_on() {
    let rows = rows_of(Kind::Trades, |odd| {
        let group = meta(odd).inner_instructions[0].clone();
        let other = InnerInstructions {
            index: 4,
            ..group.clone()
        };
        meta(odd).inner_instructions = vec![group.clone(), other, group];
    });
    assert_eq!(
        column(&rows, "id"),
        ["400000000-2-0-0", "400000000-2-4-0", "400000000-2-0-1"]
    );
}

#[test]
fn a_transaction_without_signature_or_keys_has_empty_ones() {
    let rows = rows_of(Kind::Trades, |odd| {
        odd.transaction.as_mut().unwrap().signatures.clear()
    });
    assert_eq!(column(&rows, "signature"), [""]);
    let rows = rows_of(Kind::Trades, |odd| {
        message(odd).account_keys.clear();
        meta(odd).loaded_writable_addresses = vec![ROUTER.to_vec()];
        meta(odd).loaded_readonly_addresses = vec![PUMP_PROGRAM.to_vec(), ROUTER.to_vec()];
    });
    assert_eq!(
        column(&rows, "fee_payer"),
        [""],
        "a loaded address never pays"
    );
    assert_eq!(
        column(&rows, "outer_program"),
        [json!(bs58::encode(ROUTER).into_string())]
    );
}

#[test]
fn keys_and_signatures_of_odd_lengths_are_none() {
    for length in [0, 1, 31, 33, 63, 65, 500] {
        let rows = rows_of(Kind::Trades, |odd| {
            message(odd).account_keys[0] = vec![3; length];
            message(odd).account_keys[2] = vec![4; length];
            odd.transaction.as_mut().unwrap().signatures[0] = vec![5; length];
        });
        for column_name in ["fee_payer", "outer_program", "signature"] {
            assert_eq!(
                column(&rows, column_name),
                [""],
                "{column_name} of {length} bytes"
            );
        }
    }
}

/// What is in a block once must not be written a thousand times: a key of half a megabyte and many events.
#[test]
fn rows_grow_with_the_input_and_no_faster() {
    let mut odd = transaction();
    message(&mut odd).account_keys[0] = vec![3; 500_000];
    odd.transaction.as_mut().unwrap().signatures[0] = vec![5; 500_000];
    meta(&mut odd).inner_instructions[0].instructions =
        vec![event_instruction(trade_event()); 4000];
    let bytes = block_of(odd).encode_to_vec();
    let block = Block::decode(&bytes).unwrap();
    let rows = row::encode::<Base58>(&block, Outcomes::All).unwrap();
    assert!(
        rows.len() < 2 * bytes.len(),
        "{} bytes of rows for {}",
        rows.len(),
        bytes.len()
    );
}

#[test]
fn only_inner_instructions_of_pump_with_the_event_tag_are_events() {
    let none = |change: &dyn Fn(&mut ConfirmedTransaction)| {
        for kind in [Kind::Trades, Kind::RawEvents] {
            assert_eq!(rows_of(kind, change), []);
        }
    };
    // Another program's, same bytes.
    none(&|odd| meta(odd).inner_instructions[0].instructions[0].program_id_index = 2);
    // The tag cut or changed.
    none(&|odd| {
        meta(odd).inner_instructions[0].instructions[0]
            .data
            .truncate(7)
    });
    none(&|odd| meta(odd).inner_instructions[0].instructions[0].data[0] ^= 1);
    // An outer instruction.
    none(&|odd| {
        meta(odd).inner_instructions.clear();
        message(odd).instructions = vec![CompiledInstruction {
            program_id_index: 1,
            accounts: vec![],
            data: trade_event(),
        }];
    });
}

#[test]
fn an_event_cut_behind_its_tag_is_a_raw_event() {
    for length in 8..16 + 105 {
        let cut = |odd: &mut ConfirmedTransaction| {
            meta(odd).inner_instructions[0].instructions[0]
                .data
                .truncate(length);
        };
        assert_eq!(rows_of(Kind::Trades, cut), []);
        let raw = rows_of(Kind::RawEvents, cut);
        let reason = match length - 8 {
            short @ 0..8 => format!("an event of {short} bytes has no discriminator"),
            event => format!(
                "a TradeEvent of {} bytes is shorter than its first layout of 105",
                event - 8
            ),
        };
        assert_eq!(column(&raw, "reason"), [reason]);
    }
}

#[test]
fn a_block_without_time_has_rows_without_time() {
    let mut block = block_of(transaction());
    block.block_time = None;
    let rows = native_rows(&block.encode_to_vec(), Outcomes::All, Kind::Trades).unwrap();
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| !row.contains_key("block_time")));
}

/// The error for a block, the same natively and in wasm.
#[track_caller]
fn error_of(bytes: &[u8]) -> String {
    let native = native_rows(bytes, Outcomes::Successful, Kind::Trades)
        .unwrap_err()
        .to_string();
    let in_wasm = format!("{:#}", wasm().call("map_trades", bytes).unwrap_err());
    assert!(
        in_wasm.starts_with(&format!("module map_trades: {native} (")),
        "{in_wasm}"
    );
    native
}

#[test]
fn a_broken_transaction_is_an_error_with_slot_and_index() {
    let encoded = block_of(transaction()).encode_to_vec();
    // Break the length of the last transaction's meta: the last key of the account table, ROUTER, is followed by
    // the instructions and then by the meta.
    let router = encoded
        .windows(32)
        .rposition(|window| window == ROUTER)
        .unwrap();
    let meta_tag = router
        + encoded[router..]
            .iter()
            .position(|byte| *byte == 0x12)
            .unwrap();
    let mut broken = encoded;
    broken[meta_tag + 1] = 0x7f;
    broken[meta_tag + 2] = 0x7f;
    let error = error_of(&broken);
    assert!(
        error.starts_with("block at slot 400000000: transaction 2: not valid protobuf: "),
        "{error}"
    );
}

#[test]
fn a_cut_block_is_an_error_with_what_can_be_read_of_the_slot() {
    let bytes = block_of(transaction()).encode_to_vec();
    let error = error_of(&bytes[..bytes.len() - 40]);
    assert_eq!(
        error,
        "block of unknown slot, whose parent is at slot 399999999: behind 2 whole transactions: \
         not valid protobuf: unexpected end of buffer"
    );
    assert_eq!(
        error_of(&[0x0a]),
        "block of unknown slot: before any whole transaction: not valid protobuf: unexpected end of buffer"
    );
    let error = error_of(&[0xa0, 0x01, 0x2a, 0x22, 0x7f]);
    assert!(
        error.starts_with("block at slot 42: before any whole transaction: "),
        "{error}"
    );
}

#[test]
fn a_block_time_that_no_timestamp_holds_is_none() {
    for timestamp in [i64::MIN, -62_135_596_801, 253_402_300_800, i64::MAX] {
        let mut block = block_of(transaction());
        block.block_time = Some(UnixTimestamp { timestamp });
        let rows = native_rows(&block.encode_to_vec(), Outcomes::All, Kind::Trades).unwrap();
        assert_eq!(rows.len(), 2);
        assert!(rows.iter().all(|row| !row.contains_key("block_time")));
    }
}

#[test]
fn a_slot_of_the_wrong_type_is_no_slot() {
    let error = error_of(&[0xa2, 0x01, 0x03, 0x01, 0x02, 0x03]);
    assert!(
        error.starts_with("block of unknown slot: before any whole transaction: "),
        "{error}"
    );
    let error = error_of(&[0x20, 0x01]);
    assert!(
        error.starts_with("block of unknown slot: before any whole transaction: "),
        "{error}"
    );
}

#[test]
fn a_broken_block_time_is_an_error_with_the_slot() {
    let mut block = block_of(transaction());
    block.block_time = None;
    let mut bytes = block.encode_to_vec();
    bytes.extend([0x32, 0x02, 0x08, 0x80]); // block_time { timestamp: a varint without an end }
    assert_eq!(
        error_of(&bytes),
        "block at slot 400000000: block_time: not valid protobuf: unexpected end of buffer"
    );
}

#[test]
fn damage_in_what_no_row_needs_is_not_seen() {
    let mut bytes = block_of(transaction()).encode_to_vec();
    bytes.extend([0x22, 0x03, 0x0a, 0x7f, 0x7f]); // a transaction whose message is cut, without Pump's id
    assert_eq!(
        native_rows(&bytes, Outcomes::All, Kind::Trades)
            .unwrap()
            .len(),
        2
    );
}
