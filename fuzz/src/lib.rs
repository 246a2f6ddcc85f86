//! What the targets share: what must hold for any bytes that are taken for a block.

// Of the tests: what the lazy path is held to, and writing odd blocks.
#[path = "../../tests/common/reference.rs"]
pub mod reference;
#[path = "../../tests/common/write.rs"]
pub mod write;

use std::collections::HashSet;

use buffa::Message;
use pumpfun_outputs::database;
use pumpfun_outputs::filter::{Filter, filtered_trades, index_keys};
use pumpfun_trades::block::{Block, decode_options};
use pumpfun_trades::error::BlockError;
use pumpfun_trades::kept::{self, KeptBlock};
use pumpfun_trades::pb::v1::{Events, RawTrades, Trade, Trades};
use pumpfun_trades::row::{self, Base58, RawBytes};
use pumpfun_trades::transaction::Outcomes;
use serde_json::{Map, Value, json};
use substreams_database_change::pb::sf::substreams::sink::database::v1::DatabaseChanges;

/// A row of the reference.
pub type Row = Map<String, Value>;

/// The reference writes times by this; none is compared as text.
pub(crate) fn utc(seconds: i64) -> String {
    seconds.to_string()
}

/// Columns that are compared with the reference as they are.
const COLUMNS: [&str; 15] = [
    "slot",
    "transaction_index",
    "instruction_index",
    "inner_instruction_index",
    "stack_height",
    "signature",
    "fee_payer",
    "outer_program",
    "mint",
    "user",
    "sol_amount",
    "token_amount",
    "virtual_token_reserves",
    "layout",
    "unknown_trailing_bytes",
];

fn columns(trade: &Trade) -> Value {
    json!([
        trade.slot,
        trade.transaction_index,
        trade.instruction_index,
        trade.inner_instruction_index,
        trade.stack_height,
        trade.signature,
        trade.fee_payer,
        trade.outer_program,
        trade.mint,
        trade.user,
        trade.sol_amount,
        trade.token_amount,
        trade.virtual_token_reserves,
        trade.layout,
        trade.unknown_trailing_bytes,
    ])
}

/// Decodes what one of our own encoders gave.
fn decoded<M: Message>(bytes: &[u8]) -> M {
    decode_options()
        .decode_from_slice(bytes)
        .expect("our own output decodes")
}

/// Holds what is made of a block, in every way there is, to the reference and to each other. Gives the rows, where the
/// block can be read.
pub fn check_block(bytes: &[u8]) -> Option<Events> {
    let reference = reference::read(bytes, true);
    let refused = |error: &BlockError| {
        assert!(
            reference.is_err(),
            "refused what the reference reads: {error}"
        );
    };
    let block = match Block::decode(bytes) {
        Ok(block) => block,
        Err(error) => {
            refused(&error);
            assert!(error.transaction_index().is_none());
            assert!(error.to_string().contains("slot"), "{error}");
            return None;
        }
    };
    let encoded = (
        row::encode::<Base58>(&block, Outcomes::All),
        row::encode::<RawBytes>(&block, Outcomes::All),
        row::encode_events(&block, Outcomes::All),
    );
    let (trades, raw_trades, events) = match encoded {
        (Ok(trades), Ok(raw_trades), Ok(events)) => (trades, raw_trades, events),
        (Err(error), Err(raw), Err(events)) => {
            refused(&error);
            assert_eq!(error.slot(), Some(block.slot()));
            assert!(error.transaction_index().is_some());
            assert_eq!((&error, &error), (&raw, &events));
            return None;
        }
        (trades, raw, events) => {
            panic!("one way reads what another refuses: {trades:?} {raw:?} {events:?}")
        }
    };
    let rows: Events = decoded(&events);
    check_forms(&decoded(&trades), &decoded(&raw_trades), &rows);
    check_kept(&block, &trades, &events);
    check_outputs(&rows, &events);
    check_outcomes(&block, &rows);
    if let Ok(reference) = reference {
        let expected: Vec<Value> = reference
            .trades
            .iter()
            .map(|row| {
                COLUMNS
                    .iter()
                    .map(|name| row.get(*name).cloned().unwrap_or_default())
                    .collect()
            })
            .collect();
        let found: Vec<_> = rows.trades.iter().map(columns).collect();
        assert_eq!(found, expected);
        assert_eq!(rows.shareholders.len(), reference.shareholders.len());
    }
    Some(rows)
}

/// Both forms of the trades have the same rows, and those of `map_events` too.
fn check_forms(trades: &Trades, raw: &RawTrades, events: &Events) {
    assert_eq!(trades.trades, events.trades);
    assert_eq!(trades.shareholders, events.shareholders);
    assert_eq!(trades.trades.len(), raw.trades.len());
    for (text, bytes) in trades.trades.iter().zip(&raw.trades) {
        assert_eq!(
            (&text.id, &text.mint),
            (&bytes.id, &base58::encode(&bytes.mint))
        );
        assert_eq!(text.signature, base58::encode(&bytes.signature));
        assert_eq!(text.user, base58::encode(&bytes.user));
    }
    // `Events` has more of them: known ones without rows of their own, and others that do not read.
    let ids: HashSet<_> = events.raw_events.iter().map(|row| &row.id).collect();
    assert!(trades.raw_events.iter().all(|row| ids.contains(&row.id)));
}

/// What is kept of a block gives what the block gives.
fn check_kept(block: &Block<'_>, trades: &[u8], events: &[u8]) {
    let bytes = kept::encode(block);
    let kept = KeptBlock::decode(&bytes).expect("what was kept decodes");
    let encoded = row::encode::<Base58>(&kept, Outcomes::All).expect("its trades read");
    assert_eq!(encoded, trades);
    let encoded = row::encode_events(&kept, Outcomes::All).expect("its events read");
    assert_eq!(encoded, events);
}

/// What the modules behind `map_events` make of its rows.
fn check_outputs(rows: &Events, events: &[u8]) {
    let changes: DatabaseChanges = decoded(&database::changes(events).expect("rows are changes"));
    let mut ids = HashSet::new();
    for change in &changes.table_changes {
        assert!(ids.insert(change.primary_key.clone().map(|key| format!("{key:?}"))));
    }
    assert_eq!(
        index_keys(events).expect("rows have keys").is_empty(),
        rows.trades.is_empty()
    );
    let every = Filter::parse("side:buy || side:sell").expect("an expression");
    let filtered: Trades = decoded(&filtered_trades(&every, events).expect("rows are filtered"));
    assert_eq!(filtered.trades, rows.trades);
    assert_eq!(filtered.shareholders, rows.shareholders);
}

/// A row is one of a failed transaction or of a successful one.
fn check_outcomes(block: &Block<'_>, rows: &Events) {
    let of = |outcomes| row::events(block, outcomes).expect("all outcomes could be read");
    let (failed, successful) = (of(Outcomes::Failed), of(Outcomes::Successful));
    assert_eq!(
        failed.trades.len() + successful.trades.len(),
        rows.trades.len()
    );
    assert!(failed.trades.iter().all(|row| row.failed));
    assert!(successful.trades.iter().all(|row| !row.failed));
}
