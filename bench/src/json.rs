//! Time to usable data: from what comes off the wire to a struct with four keys as text, raw against pre-parsed JSON.
//!
//! Raw is what a module gets: an inner instruction as protobuf, in it an event as Borsh, in it keys as bytes. JSON is
//! what an indexer's API would send of the same trade: every field, keys as base58 text already.

use anyhow::{Context, Result, anyhow, ensure};
use buffa::{Message, MessageView};
use pumpfun_bench_wasm_base58::Random;
use pumpfun_generate::Layout;
use pumpfun_trades::event::TradeEvent;
use pumpfun_trades::program::EVENT_TAG;
use serde::{Deserialize, Serialize};
use substreams_solana::pb::sf::solana::r#type::v1::{InnerInstruction, InnerInstructionView};

use crate::stats::{ROUNDS, measure, time};
use crate::table::{Table, digits};

/// Events of the full run.
const EVENTS: usize = 20_000;

/// A trade as one uses it. `Key` is text, or bytes where base58 is left out.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
struct Usable<Key> {
    mint: Key,
    user: Key,
    fee_recipient: Key,
    creator: Key,
    sol_amount: u64,
    token_amount: u64,
    is_buy: bool,
    timestamp: i64,
    virtual_sol_reserves: u64,
    virtual_token_reserves: u64,
    real_sol_reserves: u64,
    real_token_reserves: u64,
    fee_basis_points: u64,
    fee: u64,
    creator_fee_basis_points: u64,
    creator_fee: u64,
    track_volume: bool,
    total_unclaimed_tokens: u64,
    total_claimed_tokens: u64,
    current_sol_volume: u64,
    last_update_timestamp: i64,
    ix_name: String,
    mayhem_mode: bool,
    cashback_fee_basis_points: u64,
    cashback: u64,
    buyback_fee_basis_points: u64,
    buyback_fee: u64,
    quote_amount: u64,
    virtual_quote_reserves: u64,
    real_quote_reserves: u64,
    holder_rewards_bps: u64,
    holder_rewards: u64,
    creator_fee_unclaimed: u64,
}

/// From the bytes of an inner instruction; `key` makes a key of its bytes.
fn raw<Key>(instruction: &[u8], key: impl Fn(&[u8; 32]) -> Key) -> Result<Usable<Key>> {
    let instruction = InnerInstructionView::decode_view(instruction)?;
    let event = instruction
        .data
        .strip_prefix(&EVENT_TAG)
        .context("no event")?;
    let event = TradeEvent::read(event.get(8..).context("no discriminator")?)?;
    let TradeEvent {
        v0,
        v1,
        v2,
        v3,
        v4,
        v5,
        v6,
        v6b,
        v7,
        v8,
        v9,
        ..
    } = event;
    let (v1, v2, v3) = (v1.context("V1")?, v2.context("V2")?, v3.context("V3")?);
    let (v4, v5, v6) = (v4.context("V4")?, v5.context("V5")?, v6.context("V6")?);
    let (v6b, v7, v8, v9) = (
        v6b.context("V6b")?,
        v7.context("V7")?,
        v8.context("V8")?,
        v9.context("V9")?,
    );
    Ok(Usable {
        mint: key(&v0.mint),
        user: key(&v0.user),
        fee_recipient: key(&v2.fee_recipient),
        creator: key(&v2.creator),
        sol_amount: v0.sol_amount,
        token_amount: v0.token_amount,
        is_buy: v0.is_buy,
        timestamp: v0.timestamp,
        virtual_sol_reserves: v0.virtual_sol_reserves,
        virtual_token_reserves: v0.virtual_token_reserves,
        real_sol_reserves: v1.real_sol_reserves,
        real_token_reserves: v1.real_token_reserves,
        fee_basis_points: v2.fee_basis_points,
        fee: v2.fee,
        creator_fee_basis_points: v2.creator_fee_basis_points,
        creator_fee: v2.creator_fee,
        track_volume: v3.track_volume,
        total_unclaimed_tokens: v3.total_unclaimed_tokens,
        total_claimed_tokens: v3.total_claimed_tokens,
        current_sol_volume: v3.current_sol_volume,
        last_update_timestamp: v3.last_update_timestamp,
        ix_name: v4.ix_name.as_str().to_owned(),
        mayhem_mode: v5.mayhem_mode,
        cashback_fee_basis_points: v6.cashback_fee_basis_points,
        cashback: v6.cashback,
        buyback_fee_basis_points: v6b.buyback_fee_basis_points,
        buyback_fee: v6b.buyback_fee,
        quote_amount: v7.quote_amount,
        virtual_quote_reserves: v7.virtual_quote_reserves,
        real_quote_reserves: v7.real_quote_reserves,
        holder_rewards_bps: v8.holder_rewards_bps,
        holder_rewards: v8.holder_rewards,
        creator_fee_unclaimed: v9.creator_fee_unclaimed,
    })
}

/// The same trades in both forms.
struct Inputs {
    instructions: Vec<Vec<u8>>,
    json: Vec<Vec<u8>>,
}

/// V9 trades of the generator, each with keys of its own.
fn inputs(count: usize) -> Result<Inputs> {
    let blocks = pumpfun_generate::blocks(pumpfun_generate::DEFAULT_SEED, 8);
    let trades: Vec<_> = blocks
        .flat_map(|block| block.trades)
        .filter(|trade| trade.layout == Layout::ALL[10].name() && trade.unknown_trailing_bytes == 0)
        .map(|trade| trade.event)
        .collect();
    ensure!(!trades.is_empty(), "the generator has made no V9 trade");
    let mut random = Random::new(20_000);
    let mut key = || std::array::from_fn(|_| random.byte());
    let mut inputs = Inputs {
        instructions: Vec::new(),
        json: Vec::new(),
    };
    for trade in trades.iter().cycle().take(count) {
        let mut trade = trade.clone();
        (trade.mint, trade.user) = (key(), key());
        (trade.fee_recipient, trade.creator) = (Some(key()), Some(key()));
        let data = [
            &EVENT_TAG[..],
            &pumpfun_generate::TRADE_EVENT,
            &trade.payload(),
        ]
        .concat();
        let instruction = InnerInstruction {
            program_id_index: 9,
            accounts: vec![7],
            data,
            stack_height: Some(3),
        };
        let instruction = instruction.encode_to_vec();
        inputs
            .json
            .push(serde_json::to_vec(&raw(&instruction, bs58_text)?)?);
        inputs.instructions.push(instruction);
    }
    Ok(inputs)
}

fn bs58_text(key: &[u8; 32]) -> String {
    bs58::encode(key).into_string()
}

fn our_text(key: &[u8; 32]) -> String {
    base58::encode(key)
}

/// A way to a usable trade.
type Way = fn(&Inputs, usize) -> Result<Usable<String>>;

fn instruction(inputs: &Inputs, index: usize) -> Result<&[u8]> {
    inputs
        .instructions
        .get(index)
        .map(Vec::as_slice)
        .context("no such event")
}

fn json(inputs: &Inputs, index: usize) -> Result<&[u8]> {
    inputs
        .json
        .get(index)
        .map(Vec::as_slice)
        .context("no such event")
}

const OURS: &str = "ours";
const WITHOUT_BASE58: &str = "raw, keys left as bytes";

/// Ways that give the same struct.
const WAYS: [(&str, Way); 5] = [
    (OURS, |inputs, index| {
        raw(instruction(inputs, index)?, our_text)
    }),
    ("raw with bs58", |inputs, index| {
        raw(instruction(inputs, index)?, bs58_text)
    }),
    ("JSON by serde_json", |inputs, index| {
        Ok(serde_json::from_slice(json(inputs, index)?)?)
    }),
    ("JSON by sonic-rs", |inputs, index| {
        Ok(sonic_rs::from_slice(json(inputs, index)?)?)
    }),
    ("JSON by simd-json", |inputs, index| {
        // It parses in place, so it needs a copy of its own; a reader of a socket has one.
        Ok(simd_json::serde::from_slice(
            &mut json(inputs, index)?.to_vec(),
        )?)
    }),
];

/// The tables.
///
/// # Errors
///
/// When ways differ in what they give: then no figure may be shown.
pub fn tables(quick: bool) -> Result<Vec<Table>> {
    let (events, rounds) = if quick { (500, 1) } else { (EVENTS, ROUNDS) };
    let inputs = inputs(events)?;
    guard(&inputs, &WAYS)?;
    let spreads = measure(WAYS.len() + 1, rounds, |way| {
        let mut failed = None;
        let took = time(|| {
            for index in 0..events {
                let done = match WAYS.get(way) {
                    Some((_, way)) => {
                        way(&inputs, index).map(|usable| drop(std::hint::black_box(usable)))
                    }
                    None => instruction(&inputs, index)
                        .and_then(|bytes| raw(bytes, |key| *key))
                        .map(|usable| drop(std::hint::black_box(usable))),
                };
                failed = failed.take().or(done.err());
            }
        });
        failed.map_or(Ok(took), Err)
    })?;
    let mut table = Table::new(
        "json",
        "Time to usable data",
        &format!(
            "{events} trades of layout V9 with four keys of their own each, from an inner instruction's protobuf over \
             Borsh to a struct with keys as text; against the same struct out of JSON that somebody else has already \
             made of it."
        ),
        &["way", "ns_per_event", "min_ns", "max_ns", "ratio_to_ours"],
    );
    let names = WAYS.iter().map(|(name, _)| *name).chain([WITHOUT_BASE58]);
    let each = |seconds: f64| seconds / events as f64 * 1e9;
    let median = |wanted: &str| {
        let found = names
            .clone()
            .zip(&spreads)
            .find(|(name, _)| *name == wanted);
        found
            .map(|(_, spread)| spread.median)
            .ok_or_else(|| anyhow!("no way {wanted}"))
    };
    let ours = median(OURS)?;
    for (name, spread) in names.clone().zip(&spreads) {
        table.push(vec![
            name.to_owned(),
            digits(each(spread.median)),
            digits(each(spread.min)),
            digits(each(spread.max)),
            digits(spread.median / ours),
        ])?;
    }
    let fastest = WAYS
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| name.starts_with("JSON"));
    let fastest = fastest
        .map(median)
        .collect::<Result<Vec<_>>>()?
        .into_iter()
        .fold(f64::INFINITY, f64::min);
    let mut shares = Table::new(
        "json_shares",
        "Time to usable data: shares",
        "Of the medians above.",
        &["what", "value"],
    );
    for (what, value) in [
        ("ours against the fastest JSON", ours / fastest),
        (
            "the same with bs58 against the fastest JSON",
            median("raw with bs58")? / fastest,
        ),
        (
            "share of base58 in ours",
            1.0 - median(WITHOUT_BASE58)? / ours,
        ),
    ] {
        shares.push(vec![what.to_owned(), digits(value)])?;
    }
    Ok(vec![table, shares])
}

/// Guard: all ways give the same trades.
fn guard(inputs: &Inputs, ways: &[(&str, Way)]) -> Result<()> {
    for index in 0..inputs.instructions.len() {
        let mut first = None;
        for (name, way) in ways {
            let usable = way(inputs, index).with_context(|| (*name).to_owned())?;
            let expected = first.get_or_insert_with(|| usable.clone());
            ensure!(
                usable == *expected,
                "{name} gives another trade: no figures"
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_that_gives_another_trade_fails_the_guard() {
        let inputs = inputs(20).unwrap();
        guard(&inputs, &WAYS).unwrap();
        let mut wrong = WAYS;
        wrong[3].1 = |inputs, index| {
            let mut usable = raw(instruction(inputs, index)?, our_text)?;
            usable.fee += 1;
            Ok(usable)
        };
        assert!(
            guard(&inputs, &wrong)
                .unwrap_err()
                .to_string()
                .contains("another trade")
        );
    }
}
