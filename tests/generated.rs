//! Generated blocks against the truth that the generator knows of them: rows, shareholders, raw events.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use std::collections::{BTreeSet, HashSet};

use buffa::Message as _;
use common::{Row, assert_trades, native_rows, print, successful, utc, wasm};
use prost_reflect::DynamicMessage;
use pumpfun_generate::{
    EventPlace, ExpectedTrade, GeneratedBlock, RawEventReason, TradeEvent, blocks,
};
use pumpfun_tool::rows::Kind;
use pumpfun_tool::schema::Module;
use pumpfun_trades::block::Block;
use pumpfun_trades::row::{self, Base58, RawBytes};
use pumpfun_trades::transaction::Outcomes;
use serde_json::{Value, json};

fn base58(bytes: impl AsRef<[u8]>) -> String {
    bs58::encode(bytes).into_string()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn place(block: &GeneratedBlock, place: &EventPlace) -> Row {
    let mut row = Row::new();
    row.insert("slot".into(), json!(place.slot));
    row.insert("block_time".into(), json!(block.block_time));
    row.insert("transaction_index".into(), json!(place.transaction_index));
    row.insert("instruction_index".into(), json!(place.instruction_index));
    row.insert(
        "inner_instruction_index".into(),
        json!(place.inner_instruction_index),
    );
    if let Some(height) = place.stack_height {
        row.insert("stack_height".into(), json!(height));
    }
    row.insert("signature".into(), json!(base58(place.signature)));
    row.insert("fee_payer".into(), json!(base58(place.fee_payer)));
    row.insert("outer_program".into(), json!(base58(place.outer_program)));
    row.insert("failed".into(), json!(place.failed));
    row
}

fn id(place: &EventPlace) -> String {
    let EventPlace {
        slot,
        transaction_index,
        instruction_index,
        inner_instruction_index,
        ..
    } = place;
    format!("{slot}-{transaction_index}-{instruction_index}-{inner_instruction_index}")
}

/// A placed trade in the form of the expected rows of `../shared/blocks`.
fn expected(block: &GeneratedBlock, trade: &ExpectedTrade) -> Row {
    let mut row = place(block, &trade.place);
    row.insert("layout".into(), json!(trade.layout));
    row.insert(
        "unknown_trailing_bytes".into(),
        json!(trade.unknown_trailing_bytes),
    );
    macro_rules! add {
        ($($field:ident)*) => {
            // All fields are named, so that a new one of the generator cannot be forgotten here.
            let TradeEvent { $($field,)* mint, user, fee_recipient, creator, quote_mint, shareholders: _ } =
                &trade.event;
            $(if let Some(value) = Some(json!($field)).filter(|value| !value.is_null()) {
                row.insert(stringify!($field).into(), value);
            })*
            row.insert("mint".into(), json!(base58(mint)));
            row.insert("user".into(), json!(base58(user)));
            for (name, key) in [("fee_recipient", fee_recipient), ("creator", creator), ("quote_mint", quote_mint)] {
                if let Some(key) = key {
                    row.insert(name.into(), json!(base58(key)));
                }
            }
        };
    }
    add!(sol_amount token_amount is_buy timestamp virtual_sol_reserves virtual_token_reserves real_sol_reserves
        real_token_reserves fee_basis_points fee creator_fee_basis_points creator_fee track_volume
        total_unclaimed_tokens total_claimed_tokens current_sol_volume last_update_timestamp ix_name mayhem_mode
        cashback_fee_basis_points cashback buyback_fee_basis_points buyback_fee quote_amount
        virtual_quote_reserves real_quote_reserves holder_rewards_bps holder_rewards creator_fee_unclaimed);
    row
}

#[test]
fn every_placed_trade_is_a_row_and_nothing_else_is() {
    let mut layouts = BTreeSet::new();
    let (mut failed, mut tails) = (0, 0);
    for block in blocks(42, 16).chain(blocks(7, 8)) {
        let all: Vec<_> = block
            .trades
            .iter()
            .map(|trade| expected(&block, trade))
            .collect();
        let context = format!("generated slot {}", block.slot);
        assert_trades(
            &native_rows(&block.bytes, Outcomes::All, Kind::Trades).unwrap(),
            &all,
            &context,
        );
        assert_trades(
            &native_rows(&block.bytes, Outcomes::Successful, Kind::Trades).unwrap(),
            &successful(&all),
            &context,
        );
        layouts.extend(block.trades.iter().map(|trade| trade.layout));
        failed += block
            .trades
            .iter()
            .filter(|trade| trade.place.failed)
            .count();
        tails += block
            .trades
            .iter()
            .filter(|trade| trade.unknown_trailing_bytes > 0)
            .count();
    }
    assert!(
        layouts.len() == 11 && failed > 0 && tails > 0,
        "the set holds what is to be tested"
    );
}

#[test]
fn every_shareholder_is_a_row_of_its_own() {
    let mut seen = 0;
    for block in blocks(42, 16) {
        let mut all = Vec::new();
        for trade in &block.trades {
            for (position, shareholder) in trade.event.shareholders.iter().flatten().enumerate() {
                all.push(json!({
                    "trade_id": id(&trade.place),
                    "position": position,
                    "address": base58(shareholder.address),
                    "share_bps": shareholder.share_bps,
                    "id": format!("{}-{position}", id(&trade.place)),
                    "slot": block.slot.to_string(),
                    "block_time": utc(block.block_time),
                }));
            }
        }
        let rows = native_rows(&block.bytes, Outcomes::All, Kind::Shareholders).unwrap();
        assert_eq!(
            rows.into_iter().map(Value::Object).collect::<Vec<_>>(),
            all,
            "slot {}",
            block.slot
        );
        seen += all.len();
    }
    assert!(seen > 0);
}

#[test]
fn every_unreadable_event_is_a_row_with_its_bytes_and_a_reason() {
    let mut reasons = HashSet::new();
    for block in blocks(42, 16) {
        let rows = native_rows(&block.bytes, Outcomes::All, Kind::RawEvents).unwrap();
        assert_eq!(rows.len(), block.raw_events.len(), "slot {}", block.slot);
        for (row, event) in rows.iter().zip(&block.raw_events) {
            assert_eq!(row["id"], json!(id(&event.place)));
            assert_eq!(row["signature"], json!(base58(event.place.signature)));
            assert_eq!(row["failed"], json!(event.place.failed));
            assert_eq!(row["discriminator"], json!(hex(&event.discriminator)));
            assert_eq!(row["data"], json!(hex(&event.payload)));
            let reason = match event.reason {
                RawEventReason::TooShort => {
                    format!(
                        "a TradeEvent of {} bytes is shorter than its first layout of 105",
                        event.payload.len()
                    )
                }
                RawEventReason::InvalidBool => {
                    "TradeEvent is broken: Invalid bool representation: 7".into()
                }
                RawEventReason::UnknownDiscriminator => "unknown event".into(),
            };
            assert_eq!(row["reason"], json!(reason));
            reasons.insert(event.reason as u8);
        }
    }
    assert_eq!(reasons.len(), 3);
}

#[test]
fn the_wasm_gives_what_the_library_gives_in_both_forms() {
    let wasm = wasm();
    for block in blocks(42, 8) {
        let decoded = Block::decode(&block.bytes).unwrap();
        let trades = row::encode::<Base58>(&decoded, Outcomes::Successful).unwrap();
        let raw_trades = row::encode::<RawBytes>(&decoded, Outcomes::Successful).unwrap();
        for (module, native) in [("map_trades", trades), ("map_raw_trades", raw_trades)] {
            let output = wasm.call(module, &block.bytes).unwrap();
            assert_eq!(
                output.bytes,
                (!native.is_empty()).then_some(native),
                "{module}, slot {}",
                block.slot
            );
        }
    }
}

#[test]
fn raw_rows_are_the_same_rows_with_keys_as_bytes() {
    for block in blocks(42, 4) {
        let decoded = Block::decode(&block.bytes).unwrap();
        let text = row::trades(&decoded, Outcomes::All).unwrap();
        let raw = row::raw_trades(&decoded, Outcomes::All).unwrap();
        let mut text_rows = print(Module::MapTrades, &text.encode_to_vec(), Kind::Trades);
        let raw_rows = print(Module::MapRawTrades, &raw.encode_to_vec(), Kind::Trades);
        for (row, trade) in text_rows.iter_mut().zip(&text.trades) {
            // Bytes are base64 in JSON: each key, decoded again, must be the one that the text form names.
            let raw = &raw.trades[raw
                .trades
                .iter()
                .position(|raw| raw.id == trade.id)
                .unwrap()];
            assert_eq!(base58(&raw.mint), trade.mint);
            assert_eq!(base58(&raw.user), trade.user);
            assert_eq!(base58(&raw.signature), trade.signature);
            assert_eq!(base58(&raw.fee_payer), trade.fee_payer);
            assert_eq!(base58(&raw.outer_program), trade.outer_program);
            assert_eq!(base58(&raw.quote_mint), trade.quote_mint);
            assert_eq!(raw.creator.as_ref().map(base58), trade.creator);
            assert_eq!(raw.fee_recipient.as_ref().map(base58), trade.fee_recipient);
            for key in [
                "mint",
                "user",
                "signature",
                "fee_payer",
                "outer_program",
                "quote_mint",
                "creator",
                "fee_recipient",
            ] {
                row.shift_remove(key);
            }
        }
        let without_keys = raw_rows.into_iter().map(|row| {
            let text = text_rows
                .iter()
                .find(|text| text["id"] == row["id"])
                .unwrap();
            row.into_iter()
                .filter(|(name, _)| text.contains_key(name))
                .collect::<Row>()
        });
        assert_eq!(without_keys.collect::<Vec<_>>(), text_rows);
    }
}

#[test]
fn encoded_rows_decode_again_in_both_forms_and_their_ids_are_unique() {
    let mut ids = HashSet::new();
    for block in blocks(42, 16) {
        let decoded = Block::decode(&block.bytes).unwrap();
        let trades = row::trades(&decoded, Outcomes::All).unwrap();
        let raw = row::raw_trades(&decoded, Outcomes::All).unwrap();
        // By another decoder, which knows the schema from its text: no field is unknown to it, none is left out.
        for (module, bytes, count) in [
            (
                Module::MapTrades,
                row::encode::<Base58>(&decoded, Outcomes::All).unwrap(),
                trades.trades.len(),
            ),
            (
                Module::MapRawTrades,
                row::encode::<RawBytes>(&decoded, Outcomes::All).unwrap(),
                raw.trades.len(),
            ),
        ] {
            let message =
                DynamicMessage::decode(module.output().unwrap(), bytes.as_slice()).unwrap();
            let rows = message.get_field_by_name("trades").unwrap().into_owned();
            let rows = rows.as_list().unwrap();
            assert_eq!(
                (rows.len(), count),
                (block.trades.len(), block.trades.len())
            );
            assert!(
                rows.iter()
                    .all(|row| row.as_message().unwrap().unknown_fields().count() == 0)
            );
        }
        let raw_events = trades.raw_events.iter().map(|event| &event.id);
        for id in trades
            .trades
            .iter()
            .map(|trade| &trade.id)
            .chain(raw_events)
        {
            assert!(ids.insert(id.clone()), "{id} twice");
        }
    }
}
