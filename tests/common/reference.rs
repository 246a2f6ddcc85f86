//! The plain reference: decodes a whole block eagerly with prost, walks every instruction of every transaction, and
//! reads payloads by hand. Slow, and as simple as can be; shares no code with the package.

use prost_013::Message as _;
use serde_json::{Value, json};
use solana_prost::pb::sf::solana::r#type::v1::{Block, ConfirmedTransaction};

use super::Row;

const PUMP: &str = "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P";
const EVENT_TAG: [u8; 8] = 0x1d9a_cb51_2ea5_45e4_u64.to_le_bytes();
const TRADE_EVENT: [u8; 8] = 0xee61_e64e_d37f_dbbd_u64.to_le_bytes();

/// What the reference reads in a block.
#[derive(Debug, Default)]
pub struct Reference {
    /// Trades in the form of the expected rows of `../shared/blocks`.
    pub trades: Vec<Row>,
    /// The shareholders that these trades name, as rows.
    pub shareholders: Vec<Row>,
    /// Events of Pump that are no readable trade, known others included: id and bytes as hex.
    pub others: Vec<(String, String)>,
    /// Events whose program is not in the account table, so that nobody can tell whose they are.
    pub unowned: Vec<(String, String)>,
}

/// Reads a block; `failed` asks for failed transactions too.
pub fn read(block: &[u8], failed: bool) -> Result<Reference, prost_013::DecodeError> {
    let block = Block::decode(block)?;
    let mut reference = Reference::default();
    for (index, transaction) in block.transactions.iter().enumerate() {
        read_transaction(&block, index, transaction, failed, &mut reference);
    }
    Ok(reference)
}

fn read_transaction(
    block: &Block,
    index: usize,
    confirmed: &ConfirmedTransaction,
    with_failed: bool,
    reference: &mut Reference,
) {
    let Some(meta) = &confirmed.meta else { return };
    let failed = meta.err.is_some();
    if failed && !with_failed {
        return;
    }
    let transaction = confirmed.transaction.clone().unwrap_or_default();
    let message = transaction.message.clone().unwrap_or_default();
    let mut accounts = message.account_keys.clone();
    if transaction.message.is_some() {
        accounts.extend(meta.loaded_writable_addresses.iter().cloned());
        accounts.extend(meta.loaded_readonly_addresses.iter().cloned());
    }
    let account = |index: u32| accounts.get(index as usize);
    // A key or signature of another length is none.
    let text = |key: Option<&Vec<u8>>, length: usize| match key {
        Some(key) if key.len() == length => bs58::encode(key).into_string(),
        _ => String::new(),
    };
    let mut counted = std::collections::HashMap::<u32, u32>::new();
    for group in &meta.inner_instructions {
        for instruction in &group.instructions {
            let inner = counted.entry(group.index).or_default();
            let inner_index = *inner;
            *inner += 1;
            let Some(event) = instruction.data.strip_prefix(&EVENT_TAG) else {
                continue;
            };
            let outer = message.instructions.get(group.index as usize);
            let outer_program = outer.and_then(|outer| account(outer.program_id_index));
            let program = account(instruction.program_id_index);
            if program.is_some_and(|program| bs58::encode(program).into_string() != PUMP) {
                continue;
            }
            let trade = match (&program, event.strip_prefix(&TRADE_EVENT)) {
                (Some(_), Some(payload)) => trade(payload),
                _ => None,
            };
            let id = format!("{}-{index}-{}-{inner_index}", block.slot, group.index);
            let Some(trade) = trade else {
                let events = match program {
                    Some(_) => &mut reference.others,
                    None => &mut reference.unowned,
                };
                events.push((id, hex(event)));
                continue;
            };
            let shareholders = trade.get("shareholders").and_then(Value::as_array);
            for (position, shareholder) in shareholders.into_iter().flatten().enumerate() {
                let mut row = Row::new();
                row.insert("trade_id".into(), json!(id));
                row.insert("position".into(), json!(position));
                row.insert("address".into(), shareholder[0].clone());
                row.insert("share_bps".into(), shareholder[1].clone());
                row.insert("id".into(), json!(format!("{id}-{position}")));
                row.insert("slot".into(), json!(block.slot.to_string()));
                if let Some(seconds) = row_time(block) {
                    row.insert("block_time".into(), json!(super::utc(seconds)));
                }
                reference.shareholders.push(row);
            }
            let mut row = Row::new();
            row.insert("slot".into(), json!(block.slot));
            if let Some(seconds) = row_time(block) {
                row.insert("block_time".into(), json!(seconds));
            }
            row.insert("transaction_index".into(), json!(index));
            row.insert("instruction_index".into(), json!(group.index));
            row.insert("inner_instruction_index".into(), json!(inner_index));
            if let Some(height) = instruction.stack_height {
                row.insert("stack_height".into(), json!(height));
            }
            let signature = text(transaction.signatures.first(), 64);
            row.insert("signature".into(), json!(signature));
            row.insert(
                "fee_payer".into(),
                json!(text(message.account_keys.first(), 32)),
            );
            row.insert("outer_program".into(), json!(text(outer_program, 32)));
            row.insert("failed".into(), json!(failed));
            row.extend(trade);
            reference.trades.push(row);
        }
    }
}

/// The block's time, if it lies in the years 1 to 9999, which are all that a row's time can hold.
fn row_time(block: &Block) -> Option<i64> {
    let seconds = block.block_time.as_ref()?.timestamp;
    (-62_135_596_800..=253_402_300_799)
        .contains(&seconds)
        .then_some(seconds)
}

/// A value of a payload.
#[derive(Clone, Copy)]
enum Kind {
    Key,
    U64,
    I64,
    Bool,
    Name,
    Shareholders,
}
use Kind::{Bool, I64, Key, Name, Shareholders, U64};

/// Name of a layout and the fields that it added.
type Layout = (&'static str, &'static [(&'static str, Kind)]);

const LAYOUTS: [Layout; 11] = [
    (
        "V0",
        &[
            ("mint", Key),
            ("sol_amount", U64),
            ("token_amount", U64),
            ("is_buy", Bool),
            ("user", Key),
            ("timestamp", I64),
            ("virtual_sol_reserves", U64),
            ("virtual_token_reserves", U64),
        ],
    ),
    (
        "V1",
        &[("real_sol_reserves", U64), ("real_token_reserves", U64)],
    ),
    (
        "V2",
        &[
            ("fee_recipient", Key),
            ("fee_basis_points", U64),
            ("fee", U64),
            ("creator", Key),
            ("creator_fee_basis_points", U64),
            ("creator_fee", U64),
        ],
    ),
    (
        "V3",
        &[
            ("track_volume", Bool),
            ("total_unclaimed_tokens", U64),
            ("total_claimed_tokens", U64),
            ("current_sol_volume", U64),
            ("last_update_timestamp", I64),
        ],
    ),
    ("V4", &[("ix_name", Name)]),
    ("V5", &[("mayhem_mode", Bool)]),
    (
        "V6",
        &[("cashback_fee_basis_points", U64), ("cashback", U64)],
    ),
    (
        "V6b",
        &[("buyback_fee_basis_points", U64), ("buyback_fee", U64)],
    ),
    (
        "V7",
        &[
            ("shareholders", Shareholders),
            ("quote_mint", Key),
            ("quote_amount", U64),
            ("virtual_quote_reserves", U64),
            ("real_quote_reserves", U64),
        ],
    ),
    (
        "V8",
        &[("holder_rewards_bps", U64), ("holder_rewards", U64)],
    ),
    ("V9", &[("creator_fee_unclaimed", U64)]),
];

/// A TradeEvent's payload; `None` where not even V0 reads.
pub fn trade(payload: &[u8]) -> Option<Row> {
    let mut row = Row::new();
    let mut reached = None;
    let mut rest = payload;
    for (layout, fields) in LAYOUTS {
        let mut ahead = rest;
        let values: Option<Vec<_>> = fields
            .iter()
            .map(|(name, kind)| Some(((*name).to_owned(), value(*kind, &mut ahead)?)))
            .collect();
        let Some(values) = values else { break };
        row.extend(values);
        rest = ahead;
        reached = Some(layout);
    }
    row.insert("layout".into(), json!(reached?));
    row.insert("unknown_trailing_bytes".into(), json!(rest.len()));
    Some(row)
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, behind) = rest.split_at_checked(length)?;
    *rest = behind;
    Some(taken)
}

fn value(kind: Kind, rest: &mut &[u8]) -> Option<Value> {
    Some(match kind {
        Key => json!(bs58::encode(take(rest, 32)?).into_string()),
        U64 => json!(u64::from_le_bytes(take(rest, 8)?.try_into().ok()?)),
        I64 => json!(i64::from_le_bytes(take(rest, 8)?.try_into().ok()?)),
        Bool => match take(rest, 1)? {
            [0] => json!(0),
            [1] => json!(1),
            _ => return None,
        },
        Name => {
            let length = u32::from_le_bytes(take(rest, 4)?.try_into().ok()?) as usize;
            if length > 64 {
                return None;
            }
            let name = String::from_utf8(take(rest, length)?.to_vec()).ok()?;
            if name.contains('\0') {
                return None;
            }
            json!(name)
        }
        Shareholders => {
            let count = u32::from_le_bytes(take(rest, 4)?.try_into().ok()?) as usize;
            if count.checked_mul(34)? > rest.len() {
                return None;
            }
            let mut shareholders = Vec::new();
            for _ in 0..count {
                let address = value(Key, rest)?;
                let share = u16::from_le_bytes(take(rest, 2)?.try_into().ok()?);
                shareholders.push(json!([address, share]));
            }
            Value::Array(shareholders)
        }
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
