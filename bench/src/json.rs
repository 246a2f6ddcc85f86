//! Time to usable data: from what comes off the wire to a struct with four keys as text, raw against pre-parsed JSON.
//!
//! Raw is what a module gets: an inner instruction as protobuf, in it an event as Borsh, in it keys as bytes. JSON is
//! what an indexer's API would send of the same trade, those four keys as base58 text already; the quote's mint and the
//! shareholders are in neither struct.

use std::fmt;
use std::ops::Range;

use anyhow::{Context, Result, anyhow, ensure};
use buffa::{Message, MessageView};
use pumpfun_bench_wasm_base58::Random;
use pumpfun_generate::Layout;
use pumpfun_trades::event::TradeEvent;
use pumpfun_trades::program::EVENT_TAG;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser};
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
    ix_name: Text<64>,
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

/// A short text in place: no way has to allocate for its texts, JSON's neither.
#[derive(Clone, Copy, Debug)]
struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Self {
            bytes: [0; N],
            length: 0,
        }
    }
}

impl<const N: usize> Text<N> {
    fn of(text: &str) -> Result<Self> {
        let mut new = Self {
            length: text.len(),
            ..Self::default()
        };
        new.bytes
            .get_mut(..text.len())
            .context("text too long")?
            .copy_from_slice(text.as_bytes());
        Ok(new)
    }

    fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

impl<const N: usize> PartialEq for Text<N> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<const N: usize> Serialize for Text<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(str::from_utf8(self.as_bytes()).map_err(ser::Error::custom)?)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Text<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor<const N: usize>;
        impl<const N: usize> Visitor<'_> for TextVisitor<N> {
            type Value = Text<N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a text of at most {N} bytes")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Text<N>, E> {
                Text::of(text).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

/// From the bytes of an inner instruction; `key` makes a key of its bytes, in place.
fn raw<Key>(
    instruction: &[u8],
    usable: &mut Usable<Key>,
    key: impl Fn(&[u8; 32], &mut Key),
) -> Result<()> {
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
    key(&v0.mint, &mut usable.mint);
    key(&v0.user, &mut usable.user);
    key(&v2.fee_recipient, &mut usable.fee_recipient);
    key(&v2.creator, &mut usable.creator);
    usable.sol_amount = v0.sol_amount;
    usable.token_amount = v0.token_amount;
    usable.is_buy = v0.is_buy;
    usable.timestamp = v0.timestamp;
    usable.virtual_sol_reserves = v0.virtual_sol_reserves;
    usable.virtual_token_reserves = v0.virtual_token_reserves;
    usable.real_sol_reserves = v1.real_sol_reserves;
    usable.real_token_reserves = v1.real_token_reserves;
    usable.fee_basis_points = v2.fee_basis_points;
    usable.fee = v2.fee;
    usable.creator_fee_basis_points = v2.creator_fee_basis_points;
    usable.creator_fee = v2.creator_fee;
    usable.track_volume = v3.track_volume;
    usable.total_unclaimed_tokens = v3.total_unclaimed_tokens;
    usable.total_claimed_tokens = v3.total_claimed_tokens;
    usable.current_sol_volume = v3.current_sol_volume;
    usable.last_update_timestamp = v3.last_update_timestamp;
    usable.ix_name = Text::of(v4.ix_name.as_str())?;
    usable.mayhem_mode = v5.mayhem_mode;
    usable.cashback_fee_basis_points = v6.cashback_fee_basis_points;
    usable.cashback = v6.cashback;
    usable.buyback_fee_basis_points = v6b.buyback_fee_basis_points;
    usable.buyback_fee = v6b.buyback_fee;
    usable.quote_amount = v7.quote_amount;
    usable.virtual_quote_reserves = v7.virtual_quote_reserves;
    usable.real_quote_reserves = v7.real_quote_reserves;
    usable.holder_rewards_bps = v8.holder_rewards_bps;
    usable.holder_rewards = v8.holder_rewards;
    usable.creator_fee_unclaimed = v9.creator_fee_unclaimed;
    Ok(())
}

/// The same trades in both forms, each form in one piece, as a block or an answer comes.
#[derive(Default)]
struct Inputs {
    instructions: Pieces,
    json: Pieces,
}

/// Messages one behind the other.
#[derive(Default)]
struct Pieces {
    bytes: Vec<u8>,
    ranges: Vec<Range<usize>>,
}

impl Pieces {
    fn push(&mut self, piece: &[u8]) {
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(piece);
        self.ranges.push(begin..self.bytes.len());
    }

    fn get(&self, index: usize) -> Result<&[u8]> {
        let range = self.ranges.get(index).context("no such event")?;
        self.bytes.get(range.clone()).context("no such event")
    }
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
    let mut usable = Usable::<KeyText>::default();
    let mut inputs = Inputs::default();
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
        raw(&instruction, &mut usable, bs58_text)?;
        inputs.json.push(&serde_json::to_vec(&usable)?);
        inputs.instructions.push(&instruction);
    }
    Ok(inputs)
}

/// A key as text.
type KeyText = Text<{ base58::MAX_LEN_32 }>;

fn bs58_text(key: &[u8; 32], text: &mut KeyText) {
    // 44 characters are enough for any key.
    text.length = bs58::encode(key)
        .onto(&mut text.bytes[..])
        .unwrap_or_default();
}

fn our_text(key: &[u8; 32], text: &mut KeyText) {
    text.length = base58::encode_32(key, &mut text.bytes);
}

/// A trade of its own from the bytes of an inner instruction.
fn fresh<Key: Default>(
    instruction: &[u8],
    key: impl Fn(&[u8; 32], &mut Key),
) -> Result<Usable<Key>> {
    let mut usable = Usable::default();
    raw(instruction, &mut usable, key)?;
    Ok(usable)
}

/// A way to a usable trade.
///
/// Every way makes a new struct and moves it to its place, as parsers of JSON do.
type Way = fn(&Inputs, usize, &mut Usable<KeyText>) -> Result<()>;

const OURS: &str = "ours";
const WITHOUT_BASE58: &str = "raw, keys left as bytes";

/// Ways that give the same struct.
const WAYS: [(&str, Way); 5] = [
    (OURS, |inputs, index, usable| {
        *usable = fresh(inputs.instructions.get(index)?, our_text)?;
        Ok(())
    }),
    ("raw with bs58", |inputs, index, usable| {
        *usable = fresh(inputs.instructions.get(index)?, bs58_text)?;
        Ok(())
    }),
    ("JSON by serde_json", |inputs, index, usable| {
        *usable = serde_json::from_slice(inputs.json.get(index)?)?;
        Ok(())
    }),
    ("JSON by sonic-rs", |inputs, index, usable| {
        *usable = sonic_rs::from_slice(inputs.json.get(index)?)?;
        Ok(())
    }),
    ("JSON by simd-json", |inputs, index, usable| {
        // It parses in place, so it needs a copy of its own; a reader of a socket has one.
        *usable = simd_json::serde::from_slice(&mut inputs.json.get(index)?.to_vec())?;
        Ok(())
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
        let (mut text, mut bytes) = (Usable::<KeyText>::default(), Usable::<[u8; 32]>::default());
        let took = time(|| {
            for index in 0..events {
                let done = match WAYS.get(way) {
                    Some((_, way)) => way(&inputs, index, &mut text),
                    None => inputs.instructions.get(index).and_then(|instruction| {
                        fresh(instruction, |key, kept| *kept = *key).map(|usable| bytes = usable)
                    }),
                };
                std::hint::black_box((&mut text, &mut bytes));
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
        "Of the medians above. The aim for the first is 0.3 at most.",
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
    for index in 0..inputs.instructions.ranges.len() {
        let mut first = None;
        for (name, way) in ways {
            let mut usable = Usable::default();
            way(inputs, index, &mut usable).with_context(|| (*name).to_owned())?;
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
        wrong[3].1 = |inputs, index, usable| {
            raw(inputs.instructions.get(index)?, usable, our_text)?;
            usable.fee += 1;
            Ok(())
        };
        assert!(
            guard(&inputs, &wrong)
                .unwrap_err()
                .to_string()
                .contains("another trade")
        );
    }
}
