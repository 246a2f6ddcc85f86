//! Pump's other events: rows against a plain reading of the payloads, and against what the generator put in.
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
use common::{Row, package, print, real_blocks, utc};
use pumpfun_generate::{EventPlace, GeneratedBlock, blocks};
use pumpfun_tool::rows::Kind;
use pumpfun_tool::schema::Module;
use pumpfun_trades::block::Block;
use pumpfun_trades::event::{self, READ_EVENTS};
use pumpfun_trades::kept::{self, KeptBlock};
use pumpfun_trades::pb::v1::{Events, Trades};
use pumpfun_trades::row::{self, EventWriter, Place};
use pumpfun_trades::transaction::Outcomes;
use serde_json::{Value, json};

/// A field's type in a payload.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Type {
    Key,
    U64,
    I64,
    U8,
    Bool,
    Text,
}
use Type::{Bool, I64, Key, Text, U8, U64};

/// Fields of one layout, by the row's names.
type Layout = &'static [(&'static str, Type)];

const TIME: (&str, Type) = ("event_timestamp", I64);
const MINT: (&str, Type) = ("mint", Key);
const CURVE: (&str, Type) = ("bonding_curve", Key);
const QUOTE: (&str, Type) = ("quote_mint", Key);

/// Each event's kind of rows, and its layouts as the vendor's documents have them.
const EVENTS: [(&str, Kind, &[Layout]); 12] = [
    (
        "CreateEvent",
        Kind::Creations,
        &[
            &[
                ("name", Text),
                ("symbol", Text),
                ("uri", Text),
                MINT,
                CURVE,
                ("user", Key),
            ],
            &[("creator", Key)],
            &[TIME],
            &[
                ("virtual_token_reserves", U64),
                ("virtual_sol_reserves", U64),
                ("real_token_reserves", U64),
                ("token_total_supply", U64),
            ],
            &[("token_program", Key), ("is_mayhem_mode", Bool)],
            &[("is_cashback_enabled", Bool)],
            &[QUOTE, ("virtual_quote_reserves", U64)],
            &[("creator_fee_bps", U64), ("is_holder_reward", Bool)],
            &[("depth", U8)],
        ],
    ),
    (
        "CompleteEvent",
        Kind::Completions,
        &[&[("user", Key), MINT, CURVE, TIME], &[QUOTE]],
    ),
    (
        "CompletePumpAmmMigrationEvent",
        Kind::Migrations,
        &[
            &[
                ("user", Key),
                MINT,
                ("mint_amount", U64),
                ("sol_amount", U64),
                ("pool_migration_fee", U64),
                CURVE,
                TIME,
                ("pool", Key),
            ],
            &[QUOTE],
        ],
    ),
    (
        "PostCompleteBuyEvent",
        Kind::PostCompletionBuys,
        &[&[
            ("user", Key),
            MINT,
            CURVE,
            QUOTE,
            TIME,
            ("base_out", U64),
            ("quote_in", U64),
            ("fee_basis_points", U64),
            ("fee", U64),
            ("creator_fee_basis_points", U64),
            ("creator_fee", U64),
            ("buyback_fee", U64),
            ("pool_base_reserves_before", U64),
            ("pool_quote_reserves_before", U64),
            ("pool_base_reserves_after", U64),
            ("pool_quote_reserves_after", U64),
        ]],
    ),
    (
        "SweepBondingCurveFeeEvent",
        Kind::FeeSweeps,
        &[&[
            TIME,
            MINT,
            CURVE,
            QUOTE,
            ("recipient", Key),
            ("amount", U64),
            ("bucket", U8),
        ]],
    ),
    (
        "CollectCreatorFeeEvent",
        Kind::FeeCollections,
        &[&[TIME, ("creator", Key), ("creator_fee", U64)], &[QUOTE]],
    ),
    (
        "UpdateMayhemVirtualParamsEvent",
        Kind::MayhemUpdates,
        &[&[
            TIME,
            MINT,
            ("virtual_token_reserves", U64),
            ("virtual_sol_reserves", U64),
            ("new_virtual_token_reserves", U64),
            ("new_virtual_sol_reserves", U64),
            ("real_token_reserves", U64),
            ("real_sol_reserves", U64),
        ]],
    ),
    (
        "SetCreatorEvent",
        Kind::CreatorChanges,
        &[&[TIME, MINT, CURVE, ("new_creator", Key)]],
    ),
    (
        "AdminSetCreatorEvent",
        Kind::CreatorChanges,
        &[&[
            TIME,
            ("authority", Key),
            MINT,
            CURVE,
            ("old_creator", Key),
            ("new_creator", Key),
        ]],
    ),
    (
        "SetMetaplexCreatorEvent",
        Kind::CreatorChanges,
        &[&[TIME, MINT, CURVE, ("metadata", Key), ("new_creator", Key)]],
    ),
    (
        "MigrateBondingCurveCreatorEvent",
        Kind::CreatorChanges,
        &[&[
            TIME,
            MINT,
            CURVE,
            ("sharing_config", Key),
            ("old_creator", Key),
            ("new_creator", Key),
        ]],
    ),
    (
        "AdminCtoEvent",
        Kind::CreatorChanges,
        &[
            &[
                TIME,
                ("authority", Key),
                MINT,
                CURVE,
                ("old_creator", Key),
                ("new_creator", Key),
            ],
            &[
                ("is_holder_reward", Bool),
                ("is_cashback_coin", Bool),
                ("old_creator_fee_bps", U64),
                ("new_creator_fee_bps", U64),
                ("sharing_config_reset", Bool),
                ("swept_to_holder_vault", U64),
                ("pool_updated", Bool),
            ],
        ],
    ),
];

/// The kinds of rows of these events.
const KINDS: [Kind; 8] = [
    Kind::Creations,
    Kind::Completions,
    Kind::PostCompletionBuys,
    Kind::Migrations,
    Kind::CreatorChanges,
    Kind::MayhemUpdates,
    Kind::FeeCollections,
    Kind::FeeSweeps,
];

fn base58(bytes: impl AsRef<[u8]>) -> String {
    bs58::encode(bytes).into_string()
}

/// Takes a value off a payload, as ProtoJSON; `None` where it does not fit or is none.
fn take(payload: &mut &[u8], kind: Type) -> Option<Value> {
    let mut bytes = |length: usize| payload.split_off(..length);
    Some(match kind {
        Key => json!(base58(bytes(32)?)),
        U64 => json!(u64::from_le_bytes(bytes(8)?.try_into().unwrap()).to_string()),
        I64 => json!(i64::from_le_bytes(bytes(8)?.try_into().unwrap()).to_string()),
        U8 => json!(bytes(1)?[0]),
        Bool => json!(match bytes(1)?[0] {
            0 => false,
            1 => true,
            _ => return None,
        }),
        Text => {
            let length = u32::from_le_bytes(bytes(4)?.try_into().unwrap());
            let text = String::from_utf8(bytes(length as usize)?.to_vec()).ok()?;
            json!(text.replace('\0', "\u{fffd}"))
        }
    })
}

/// The row of an event behind its place, layout and all; `None` where its first layout does not read.
fn plain_row(name: &str, layouts: &[Layout], mut payload: &[u8]) -> Option<Row> {
    let mut row = Row::new();
    if EVENTS
        .iter()
        .any(|(event, kind, _)| *event == name && *kind == Kind::CreatorChanges)
    {
        row.insert("event_name".into(), json!(name));
    }
    let mut layout = None;
    for (number, fields) in layouts.iter().enumerate() {
        let mut rest = payload;
        let mut group = Row::new();
        for (name, kind) in *fields {
            let Some(value) = take(&mut rest, *kind) else {
                layout?;
                return Some(finish(row, layout?, payload.len()));
            };
            group.insert((*name).into(), value);
        }
        row.extend(group);
        payload = rest;
        layout = Some(number);
    }
    Some(finish(row, layout?, payload.len()))
}

fn finish(mut row: Row, layout: usize, rest: usize) -> Row {
    row.insert("layout".into(), json!(format!("V{layout}")));
    row.insert("unknown_trailing_bytes".into(), json!(rest));
    row
}

fn place_row(block: &GeneratedBlock, place: &EventPlace) -> Row {
    let mut row = Row::new();
    row.insert("id".into(), json!(id(place)));
    row.insert("slot".into(), json!(place.slot.to_string()));
    row.insert("block_time".into(), json!(utc(block.block_time)));
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

/// The rows of a kind, without order of their fields.
fn rows(events: &[u8], kind: Kind) -> Vec<BTreeMap<String, Value>> {
    let rows = print(Module::MapEvents, events, kind);
    rows.into_iter()
        .map(|row| row.into_iter().collect())
        .collect()
}

#[test]
fn every_other_event_of_the_generator_is_a_row_of_its_kind() {
    let (mut seen, mut layouts) = (BTreeSet::new(), BTreeSet::new());
    for block in blocks(42, 16).chain(blocks(7, 24)) {
        let encoded =
            row::encode_events(&Block::decode(&block.bytes).unwrap(), Outcomes::All).unwrap();
        let mut expected: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
        let mut rowless = Vec::new();
        for event in &block.other_events {
            seen.insert(event.name);
            let Some((name, kind, fields)) = EVENTS.iter().find(|(name, ..)| *name == event.name)
            else {
                rowless.push((id(&event.place), event.name.to_owned()));
                continue;
            };
            let mut row = place_row(&block, &event.place);
            row.extend(plain_row(name, fields, &event.payload).unwrap());
            layouts.insert((event.name, row["layout"].to_string()));
            if *kind == Kind::PostCompletionBuys {
                // The generator's completing buys stand in the same instruction, as on chain.
                let trade = block.trades.iter().rfind(|trade| {
                    let (trade, buy) = (&trade.place, &event.place);
                    trade.transaction_index == buy.transaction_index
                        && trade.instruction_index == buy.instruction_index
                        && trade.inner_instruction_index < buy.inner_instruction_index
                });
                row.insert("trade_id".into(), json!(id(&trade.unwrap().place)));
            }
            expected.entry(field(*kind)).or_default().push(row);
        }
        for kind in KINDS {
            let expected: Vec<BTreeMap<String, Value>> = expected
                .remove(field(kind))
                .unwrap_or_default()
                .into_iter()
                .map(|row| row.into_iter().collect())
                .collect();
            assert_eq!(
                rows(&encoded, kind),
                expected,
                "slot {}: {kind:?}",
                block.slot
            );
        }
        let raw: Vec<_> = rows(&encoded, Kind::RawEvents)
            .into_iter()
            .filter(|row| row["reason"] == json!(""))
            .map(|row| (text(&row["id"]), text(&row["event_name"])))
            .collect();
        assert_eq!(raw, rowless, "slot {}", block.slot);
    }
    assert!(seen.len() >= 9, "{seen:?}");
    assert!(layouts.len() >= 15, "{layouts:?}");
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn field(kind: Kind) -> &'static str {
    kind.field_name().unwrap()
}

/// A payload of zeros and ones that reads as the whole newest layout.
fn payload(layouts: &[Layout]) -> Vec<u8> {
    let mut payload = Vec::new();
    for (number, (_, kind)) in layouts.iter().copied().flatten().enumerate() {
        let number = number as u8 + 1;
        match kind {
            Key => payload.extend([number; 32]),
            U64 | I64 => payload.extend(
                u64::from(number)
                    .wrapping_mul(0x0101_0101_0101_0101)
                    .to_le_bytes(),
            ),
            U8 => payload.push(number),
            Bool => payload.push(number % 2),
            Text => payload.extend(b"\x05\0\0\0na\0me"),
        }
    }
    payload
}

const PLACE: Place<'_> = Place {
    slot: 7,
    block_time: None,
    transaction_index: 1,
    instruction_index: 2,
    inner_instruction_index: 3,
    stack_height: None,
    signature: None,
    fee_payer: None,
    outer_program: None,
    failed: false,
};

/// The only row of one event: its kind, and what stands behind its place.
fn only_row(data: &[u8]) -> (&'static str, BTreeMap<String, Value>) {
    let mut writer = EventWriter::default();
    match event::read(data) {
        Ok(event) => writer.push(&PLACE, &event, data),
        Err(reason) => writer.push_unreadable(&PLACE, data, &reason),
    }
    let encoded = writer.into_bytes();
    let mut found = Vec::new();
    for kind in KINDS.into_iter().chain([Kind::RawEvents, Kind::Trades]) {
        let rows = rows(&encoded, kind);
        found.extend(rows.into_iter().map(|row| (field(kind), row)));
    }
    assert_eq!(found.len(), 1, "{found:?}");
    let (kind, mut row) = found.remove(0);
    row.retain(|name, _| !PLACE_FIELDS.contains(&name.as_str()));
    (kind, row)
}

const PLACE_FIELDS: [&str; 11] = [
    "id",
    "slot",
    "block_time",
    "transaction_index",
    "instruction_index",
    "inner_instruction_index",
    "stack_height",
    "signature",
    "fee_payer",
    "outer_program",
    "failed",
];

#[test]
fn an_event_cut_anywhere_or_longer_keeps_every_layout_that_is_whole() {
    for (name, kind, layouts) in EVENTS {
        let (discriminator, _) = READ_EVENTS
            .iter()
            .find(|(_, event)| *event == name)
            .unwrap();
        let mut payload = payload(layouts);
        payload.extend([0xee; 3]);
        let mut reached = BTreeSet::new();
        for length in 0..=payload.len() {
            let payload = &payload[..length];
            let (found, row) = only_row(&[discriminator, payload].concat());
            match plain_row(name, layouts, payload) {
                Some(expected) => {
                    reached.insert(expected["layout"].to_string());
                    let expected: BTreeMap<String, Value> = expected.into_iter().collect();
                    assert_eq!(
                        (found, row),
                        (field(kind), expected),
                        "{name} of {length} bytes"
                    );
                }
                None => {
                    assert_eq!(found, "raw_events", "{name} of {length} bytes");
                    assert_eq!(row["event_name"], json!(name));
                    let reason = text(&row["reason"]);
                    assert!(reason.contains(name), "{reason}");
                }
            }
        }
        assert_eq!(reached.len(), layouts.len(), "{name}");
    }
}

#[test]
fn a_value_that_is_none_ends_the_layout_and_loses_nothing_before_it() {
    let (_, _, layouts) = EVENTS[0];
    let discriminator = READ_EVENTS[1].0;
    let valid = payload(layouts);
    // A bool of 7 in the last but one layout.
    let mut odd = valid.clone();
    let at = odd.len() - 2;
    odd[at] = 7;
    let (kind, row) = only_row(&[&discriminator[..], &odd].concat());
    assert_eq!(
        (kind, &row["layout"], &row["unknown_trailing_bytes"]),
        ("creations", &json!("V6"), &json!(10))
    );
    // A name that is no UTF-8: nothing of the event can be trusted.
    let mut odd = valid.clone();
    odd[4] = 0xff;
    let (kind, row) = only_row(&[&discriminator[..], &odd].concat());
    assert_eq!(kind, "raw_events");
    assert_eq!(
        row["reason"],
        json!("CreateEvent is broken: string that is not UTF-8")
    );
    // A length that promises 4 GiB.
    let mut odd = valid;
    odd[..4].fill(0xff);
    let (kind, row) = only_row(&[&discriminator[..], &odd].concat());
    assert_eq!(
        (kind, &row["event_name"]),
        ("raw_events", &json!("CreateEvent"))
    );
}

#[test]
fn a_long_name_is_whole_and_a_nul_in_it_is_replaced() {
    let name = format!("{}\0{}", "é".repeat(2_000), "x".repeat(100_000));
    let mut data = READ_EVENTS[1].0.to_vec();
    data.extend((name.len() as u32).to_le_bytes());
    data.extend(name.as_bytes());
    data.extend([0; 8 + 96]);
    let (kind, row) = only_row(&data);
    assert_eq!(kind, "creations");
    assert_eq!(text(&row["name"]), name.replace('\0', "\u{fffd}"));
    assert_eq!((&row["symbol"], &row["layout"]), (&json!(""), &json!("V0")));
}

#[test]
fn a_post_completion_buy_names_the_last_trade_of_its_mint_in_the_same_instruction() {
    let trade = |mint: u8| {
        let mut data = READ_EVENTS[0].0.to_vec();
        data.extend([mint; 32]);
        data.extend([0; 105 - 32]);
        data
    };
    let buy = |mint: u8| {
        let mut data = READ_EVENTS
            .iter()
            .find(|(_, name)| *name == "PostCompleteBuyEvent")
            .unwrap()
            .0
            .to_vec();
        data.extend([0; 32]);
        data.extend([mint; 32]);
        data.extend([0; 224 - 64]);
        data
    };
    let at = |transaction_index, instruction_index, inner_instruction_index| Place {
        transaction_index,
        instruction_index,
        inner_instruction_index,
        ..PLACE
    };
    let mut writer = EventWriter::default();
    for (place, data) in [
        (at(1, 0, 0), buy(1)), // before any trade
        (at(1, 0, 1), trade(1)),
        (at(1, 0, 2), trade(2)),
        (at(1, 0, 3), trade(1)),
        (at(1, 0, 4), buy(2)),
        (at(1, 0, 5), buy(1)),
        (at(1, 0, 6), buy(3)), // of no traded mint
        (at(1, 1, 0), buy(1)), // in the next instruction
        (at(2, 0, 9), buy(1)), // in the next transaction
        (at(2, 0, 10), trade(1)),
        (at(3, 0, 11), buy(1)), // the same instruction of another transaction
    ] {
        writer.push(&place, &event::read(&data).unwrap(), &data);
    }
    let buys = rows(&writer.into_bytes(), Kind::PostCompletionBuys);
    let trades: Vec<_> = buys
        .iter()
        .map(|buy| buy.get("trade_id").map(text))
        .collect();
    let expected = [
        None,
        Some("7-1-0-2"),
        Some("7-1-0-3"),
        None,
        None,
        None,
        None,
    ];
    assert_eq!(trades, expected.map(|id| id.map(str::to_owned)));
}

/// All blocks that tests have: generated ones, and real ones where they are.
fn all_blocks() -> Vec<(u64, Vec<u8>)> {
    let generated = blocks(42, 16).map(|block| (block.slot, block.bytes));
    let real = real_blocks()
        .into_iter()
        .map(|block| (block.slot, block.bytes));
    generated.chain(real).collect()
}

#[test]
fn trades_of_events_are_those_of_map_trades_and_failed_ones_are_the_rest() {
    let (mut successful, mut failed) = (0, 0);
    for (slot, bytes) in all_blocks() {
        let block = Block::decode(&bytes).unwrap();
        let events = row::events(&block, Outcomes::Successful).unwrap();
        let trades = row::trades(&block, Outcomes::Successful).unwrap();
        assert_eq!(events.trades, trades.trades, "slot {slot}");
        assert_eq!(events.shareholders, trades.shareholders, "slot {slot}");
        let unreadable = events.raw_events.into_iter().filter(|event| {
            // Of events that map_trades does not read.
            !event.reason.is_empty() && ["", "TradeEvent"].contains(&event.event_name.as_str())
        });
        assert_eq!(
            unreadable.collect::<Vec<_>>(),
            trades.raw_events,
            "slot {slot}"
        );

        let all = row::trades(&block, Outcomes::All).unwrap();
        let mut both: Vec<_> = row::trades(&block, Outcomes::Failed).unwrap().trades;
        assert!(both.iter().all(|trade| trade.failed));
        failed += both.len();
        successful += trades.trades.len();
        both.extend(trades.trades);
        let place =
            |id: &str| -> Vec<u64> { id.split('-').map(|part| part.parse().unwrap()).collect() };
        both.sort_by_key(|trade| place(&trade.id));
        assert_eq!(both, all.trades, "slot {slot}");
    }
    assert!(successful > 0 && failed > 0);
}

#[test]
fn transactions_are_kept_as_they_are_and_give_the_same_rows() {
    for (slot, bytes) in all_blocks() {
        let block = Block::decode(&bytes).unwrap();
        let encoded = kept::encode(&block);
        let kept = KeptBlock::decode(&encoded).unwrap();
        let originals: Vec<_> = block.pump_transactions().collect();
        assert_eq!(
            kept.pump_transactions().collect::<Vec<_>>(),
            originals,
            "slot {slot}"
        );
        if originals.is_empty() {
            assert!(encoded.is_empty(), "slot {slot}: no output");
            continue;
        }
        assert_eq!((kept.slot(), kept.block_time()), (slot, block.block_time()));
        for outcomes in [Outcomes::Successful, Outcomes::Failed, Outcomes::All] {
            assert_eq!(
                row::encode_events(&kept, outcomes).unwrap(),
                row::encode_events(&block, outcomes).unwrap(),
                "slot {slot}: {outcomes:?}"
            );
        }
        let message =
            pumpfun_transactions::pb::v1::PumpTransactions::decode_from_slice(&encoded).unwrap();
        assert_eq!(message.blockhash, block.blockhash());
    }
}

#[test]
fn the_wasm_modules_give_what_the_library_gives() {
    let package = package();
    for (slot, bytes) in all_blocks() {
        let block = Block::decode(&bytes).unwrap();
        let call = |module| {
            package
                .call(module, "", &bytes)
                .unwrap()
                .bytes
                .unwrap_or_default()
        };
        assert_eq!(
            call(Module::PumpTransactions),
            kept::encode(&block),
            "slot {slot}"
        );
        let events = row::encode_events(&block, Outcomes::Successful).unwrap();
        assert_eq!(call(Module::MapEvents), events, "slot {slot}");
        let failed = row::trades(&block, Outcomes::Failed).unwrap();
        let given = Trades::decode_from_slice(&call(Module::MapFailedTrades)).unwrap();
        assert_eq!(given, failed, "slot {slot}");
        Events::decode_from_slice(&events).unwrap();
    }
}

#[test]
fn what_does_not_decode_ends_the_stream_with_the_place() {
    let package = package();
    let (slot, bytes) = all_blocks().swap_remove(0);
    let cut = &bytes[..bytes.len() / 2];
    let error = package.call(Module::PumpTransactions, "", cut).unwrap_err();
    let error = format!("{error:#}");
    assert!(
        error.contains(&format!("parent is at slot {}", slot - 1)),
        "{error}"
    );
    // A kept transaction that is damaged is named by the module that opens it.
    let mut broken = vec![8, 42, 34, 6, 8, 9, 18, 2];
    broken.extend([0x12, 0xff]);
    let error = package
        .call_one(Module::MapEvents, "", &broken)
        .unwrap_err();
    let error = format!("{error:#}");
    assert!(
        error.contains("block at slot 42: transaction 9: not valid protobuf"),
        "{error}"
    );
    let error = package
        .call_one(Module::MapEvents, "", &[0x22, 0xff])
        .unwrap_err();
    assert!(format!("{error:#}").contains("its PumpTransactions: not valid protobuf"));
}
