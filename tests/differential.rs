//! The lazy path against the plain eager reference: real, generated and randomly damaged blocks.
//!
//! Wherever the reference reads a block, the lazy path reads it too and gives the same rows. The reverse need not
//! hold: damage in what no row needs, such as a transaction that does not name Pump, the lazy path never sees. What it
//! does refuse, it refuses by slot and transaction, and `map_events` with the same words.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use std::sync::LazyLock;

use common::{assert_trades, native_rows, real_blocks, reference, wasm};
use proptest::prelude::*;
use proptest::sample::Index;
use pumpfun_tool::rows::Kind;
use pumpfun_trades::block::{Block, decode_options};
use pumpfun_trades::error::BlockError;
use pumpfun_trades::event::{OTHER_EVENTS, READ_EVENTS};
use pumpfun_trades::kept::{self, KeptBlock};
use pumpfun_trades::pb::v1::Events;
use pumpfun_trades::program::PUMP_PROGRAM;
use pumpfun_trades::row::{self, Base58, RawBytes};
use pumpfun_trades::transaction::Outcomes;

/// Holds the lazy path to the reference on a block that the reference reads; says whether it does.
#[track_caller]
fn compare(block: &[u8], outcomes: Outcomes, context: &str) -> bool {
    let Ok(reference) = reference::read(block, outcomes == Outcomes::All) else {
        // Rows are right too: the damage may lie where no row comes from.
        if let Err(error) = check_events(block, outcomes, context) {
            check_refusal(block, &error);
        }
        return false;
    };
    if let Err(error) = check_events(block, outcomes, context) {
        panic!("{context}: refused what prost reads: {error}");
    }
    let trades = native_rows(block, outcomes, Kind::Trades);
    let trades =
        trades.unwrap_or_else(|error| panic!("{context}: refused what prost reads: {error}"));
    assert_trades(&trades, &reference.trades, context);
    let shareholders = native_rows(block, outcomes, Kind::Shareholders).unwrap();
    assert_eq!(shareholders, reference.shareholders, "{context}");
    let others: Vec<_> = native_rows(block, outcomes, Kind::RawEvents)
        .unwrap()
        .iter()
        .map(|row| {
            let data = format!(
                "{}{}",
                row["discriminator"].as_str().unwrap(),
                row["data"].as_str().unwrap()
            );
            (row["id"].as_str().unwrap().to_owned(), data)
        })
        .collect();
    let known = |data: &str| {
        READ_EVENTS
            .iter()
            .chain(&OTHER_EVENTS)
            .any(|(discriminator, _)| {
                let hex: String = discriminator
                    .iter()
                    .map(|byte| format!("{byte:02x}"))
                    .collect();
                data.starts_with(&hex)
            })
    };
    // Known other events are no rows. Unowned ones are, in transactions whose bytes hold Pump's id.
    for other in &others {
        let expected = reference.others.contains(other) || reference.unowned.contains(other);
        assert!(expected, "{context}: {other:?}");
    }
    for other in &reference.others {
        assert!(
            others.contains(other) || known(&other.1),
            "{context}: missing {other:?}"
        );
    }
    true
}

/// The trades of `map_events`, from the block and from what is kept of it, are those of `map_trades`, and it refuses what
/// that one refuses.
#[track_caller]
fn check_events(block: &[u8], outcomes: Outcomes, context: &str) -> Result<(), BlockError> {
    let block = Block::decode(block)?;
    let bytes = kept::encode(&block);
    let kept = KeptBlock::decode(&bytes).unwrap();
    let trades = row::trades(&block, outcomes);
    let events = row::encode_events(&block, outcomes);
    assert_eq!(row::encode_events(&kept, outcomes), events, "{context}");
    assert_eq!(trades.as_ref().err(), events.as_ref().err(), "{context}");
    let (trades, events) = (trades?, events?);
    let events: Events = decode_options().decode_from_slice(&events).unwrap();
    assert_eq!(events.trades, trades.trades, "{context}");
    assert_eq!(events.shareholders, trades.shareholders, "{context}");
    Ok(())
}

/// A refusal names the slot and the transaction; where the block's own fields are broken, what can be told of both.
#[track_caller]
fn check_refusal(bytes: &[u8], error: &BlockError) {
    let words = error.to_string();
    match Block::decode(bytes) {
        Ok(block) => {
            let slot = block.slot();
            let index = error.transaction_index().unwrap();
            let begin = format!("block at slot {slot}: transaction {index}: not valid protobuf: ");
            assert!(words.starts_with(&begin), "{words}");
            assert!(block.pump_transactions().any(|(named, _)| named == index));
        }
        Err(_) => {
            assert_eq!(error.transaction_index(), None);
            let slots = ["block at slot ", "block of unknown slot"];
            assert!(slots.iter().any(|slot| words.starts_with(slot)), "{words}");
            let places = [
                ": block_time: ",
                " any whole transaction: ",
                " whole transactions: ",
            ];
            assert!(places.iter().any(|place| words.contains(place)), "{words}");
        }
    }
}

#[test]
fn real_blocks_agree() {
    for block in real_blocks() {
        for outcomes in [Outcomes::Successful, Outcomes::All] {
            assert!(compare(
                &block.bytes,
                outcomes,
                &format!("slot {}", block.slot)
            ));
        }
    }
}

#[test]
fn generated_blocks_agree() {
    for block in pumpfun_generate::blocks(42, 16) {
        for outcomes in [Outcomes::Successful, Outcomes::All] {
            assert!(compare(
                &block.bytes,
                outcomes,
                &format!("generated slot {}", block.slot)
            ));
        }
    }
}

/// A small block made of what matters most, and where in it Pump's id stands: a few transactions of a generated or real
/// block that name Pump, and another one, so that random damage hits something.
struct Dense {
    bytes: Vec<u8>,
    hits: Vec<usize>,
}

/// Transactions of a small block that name Pump, at most.
const NAMING: usize = 3;

/// The small blocks that a block's transactions make.
fn dense(block: &[u8]) -> Vec<Dense> {
    use prost_013::Message;
    use solana_prost::pb::sf::solana::r#type::v1::Block;
    let names = |bytes: &[u8]| bytes.windows(32).any(|window| window == PUMP_PROGRAM);
    let mut block = Block::decode(block).unwrap();
    let transactions = std::mem::take(&mut block.transactions);
    let (naming, others): (Vec<_>, Vec<_>) = transactions
        .into_iter()
        .partition(|transaction| names(&transaction.encode_to_vec()));
    let others = others.iter().cycle();
    let chunks = naming.chunks(NAMING).zip(others.step_by(7));
    let small = chunks.map(|(naming, other)| {
        block.transactions = naming.to_vec();
        block.transactions.insert(1, other.clone());
        let bytes = block.encode_to_vec();
        let windows = bytes.windows(32).enumerate();
        let hits = windows.filter(|(_, window)| *window == PUMP_PROGRAM);
        Dense {
            hits: hits.map(|(at, _)| at).collect(),
            bytes,
        }
    });
    small.collect()
}

static DENSE: LazyLock<Vec<Dense>> = LazyLock::new(|| {
    let real = real_blocks();
    let generated = pumpfun_generate::blocks(42, 4).map(|block| block.bytes);
    let blocks = real.into_iter().map(|block| block.bytes).chain(generated);
    blocks.flat_map(|block| dense(&block)).collect()
});

/// A way to damage bytes.
#[derive(Clone, Debug)]
enum Damage {
    Set(Index, u8),
    /// A byte near an occurrence of Pump's id, where keys, instructions and events are.
    SetNear(Index, i16, u8),
    Remove(Index, u8),
    Insert(Index, Vec<u8>),
    Duplicate(Index, u16),
    Cut(Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        3 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        6 => (any::<Index>(), -600_i16..3000, any::<u8>()).prop_map(|(hit, by, byte)| Damage::SetNear(hit, by, byte)),
        1 => (any::<Index>(), 1_u8..40).prop_map(|(at, count)| Damage::Remove(at, count)),
        1 => (any::<Index>(), prop::collection::vec(any::<u8>(), 1..20)).prop_map(|(at, new)| Damage::Insert(at, new)),
        1 => (any::<Index>(), 1_u16..2000).prop_map(|(at, count)| Damage::Duplicate(at, count)),
        1 => any::<Index>().prop_map(Damage::Cut),
    ]
}

impl Damage {
    fn apply(&self, dense: &Dense, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        match self {
            Self::Set(at, byte) => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            Self::SetNear(hit, by, byte) => {
                let at =
                    dense.hits[hit.index(dense.hits.len())].saturating_add_signed((*by).into());
                if let Some(target) = bytes.get_mut(at) {
                    *target = *byte;
                }
            }
            Self::Remove(at, count) => {
                let at = at.index(bytes.len());
                bytes.drain(at..bytes.len().min(at + usize::from(*count)));
            }
            Self::Insert(at, new) => {
                let at = at.index(bytes.len());
                bytes.splice(at..at, new.iter().copied());
            }
            Self::Duplicate(at, count) => {
                let at = at.index(bytes.len());
                let copy = bytes[at..bytes.len().min(at + usize::from(*count))].to_vec();
                bytes.splice(at..at, copy);
            }
            Self::Cut(at) => bytes.truncate(at.index(bytes.len())),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_blocks_agree(which in any::<Index>(), damages in prop::collection::vec(damage(), 1..4)) {
        let dense = &DENSE[which.index(DENSE.len())];
        let mut bytes = dense.bytes.clone();
        for damage in &damages {
            damage.apply(dense, &mut bytes);
        }
        compare(&bytes, Outcomes::All, "damaged");
    }
}

/// The wasm searches by a kernel of its own: what damaged blocks give in it is what they give natively, errors and
/// all, in both forms.
#[test]
fn damaged_blocks_give_the_same_in_wasm() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let wasm = wasm();
    let mut runner = TestRunner::deterministic();
    for i in 0..300 {
        let dense = &DENSE[i % DENSE.len()];
        let mut bytes = dense.bytes.clone();
        damage()
            .new_tree(&mut runner)
            .unwrap()
            .current()
            .apply(dense, &mut bytes);
        let block = Block::decode(&bytes);
        let text = block
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|b| row::encode::<Base58>(b, Outcomes::Successful));
        let raw = block
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|b| row::encode::<RawBytes>(b, Outcomes::Successful));
        for (module, native) in [("map_trades", text), ("map_raw_trades", raw)] {
            match (native, wasm.call(module, &bytes)) {
                (Ok(native), Ok(output)) => assert_eq!(output.bytes.unwrap_or_default(), native),
                (Err(native), Err(error)) => {
                    let error = format!("{error:#}");
                    assert!(error.contains(&native.to_string()), "{error}: {native}");
                }
                (native, _) => panic!("{module} differs from {native:?}"),
            }
        }
    }
}

/// Damage that keeps a block readable must be the common case, or the property above would test little.
#[test]
fn much_of_the_damage_keeps_blocks_readable() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let readable = (0..300)
        .filter(|i| {
            let dense = &DENSE[i % DENSE.len()];
            let mut bytes = dense.bytes.clone();
            damage()
                .new_tree(&mut runner)
                .unwrap()
                .current()
                .apply(dense, &mut bytes);
            compare(&bytes, Outcomes::All, "damaged")
        })
        .count();
    assert!(readable > 100, "{readable} of 300 are readable");
}

#[test]
fn a_block_without_anything_agrees() {
    assert!(compare(&[], Outcomes::All, "empty"));
    assert_eq!(native_rows(&[], Outcomes::All, Kind::Trades).unwrap(), []);
}
