//! Writes the seeds of the fuzz targets, made of generated blocks: `pumpfun-fuzz-seeds FOLDER`.
//!
//! A generated block has megabytes, of which Pump's transactions are one in fifty. A fuzzer wants small inputs, so
//! blocks of one such transaction and of a few are written, with and without what no row needs.

#[path = "../../../tests/common/write.rs"]
#[allow(dead_code, reason = "a part is used here")]
mod write;

#[path = "../../../tool/tests/common/answer.rs"]
mod answer;

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use buffa::Message;
use pumpfun_trades::block;
use pumpfun_trades::kept;
use pumpfun_trades::row;
use pumpfun_trades::transaction::{Outcomes, Transaction};
use substreams_solana::pb::sf::solana::r#type::v1::{Block, ConfirmedTransaction};

/// Blocks that are looked through: each special case of the generator comes in them.
const BLOCKS: u32 = 16;

/// Seeds of a target beyond which each tells a fuzzer little and costs it time.
const MOST: usize = 400;

/// Bytes of the largest seed.
const LARGEST: usize = 12 << 10;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let folder = env::args_os()
        .nth(1)
        .ok_or("usage: pumpfun-fuzz-seeds FOLDER")?;
    let folder = PathBuf::from(folder);
    let mut seeds = Seeds::default();
    for block in pumpfun_generate::blocks(pumpfun_generate::DEFAULT_SEED, BLOCKS) {
        seeds.add_block(&block.bytes)?;
    }
    let Seeds {
        events,
        blocks,
        texts,
        rows,
    } = seeds;
    let bundles = blocks
        .iter()
        .zip(blocks.iter().skip(1))
        .step_by(8)
        .flat_map(|(first, second)| {
            let blocks = [first.as_slice(), second.as_slice()];
            [bundle_0(&blocks), bundle_1(&blocks), first.clone()]
        });
    write_all(&folder, "dbin", bundles)?;
    write_all(&folder, "outputs", rows)?;
    write_all(&folder, "filter", expressions(&texts))?;
    // Its input says how a block is built: whatever it is, it is built.
    write_all(
        &folder,
        "transaction",
        blocks
            .iter()
            .map(|block| block.iter().take(600).copied().collect()),
    )?;
    write_all(&folder, "rpc", answers(&blocks)?)?;
    write_all(&folder, "block", blocks)?;
    write_all(&folder, "events", events)?;
    write_all(&folder, "base58", texts)
}

#[derive(Default)]
struct Seeds {
    blocks: BTreeSet<Vec<u8>>,
    events: BTreeSet<Vec<u8>>,
    /// Keys and signatures, as text.
    texts: BTreeSet<Vec<u8>>,
    /// Encoded `Events` and `PumpTransactions`.
    rows: BTreeSet<Vec<u8>>,
}

impl Seeds {
    fn add_block(&mut self, bytes: &[u8]) -> Result<()> {
        let block = block::Block::decode(bytes)?;
        let mut group = Vec::new();
        for (_, transaction) in block.pump_transactions() {
            self.add_events(transaction)?;
            let bare = bare(transaction)?;
            for transaction in [transaction, bare.as_slice()] {
                self.add_seed(write::block([transaction]))?;
            }
            // Blocks of three, of which the last is cut short where the next one begins.
            write::bytes(4, &bare, &mut group);
            if group.len() > LARGEST / 3 {
                write::number(20, block.slot(), &mut group);
                self.add_seed(std::mem::take(&mut group))?;
            }
        }
        Ok(())
    }

    fn add_seed(&mut self, seed: Vec<u8>) -> Result<()> {
        let block = block::Block::decode(&seed)?;
        self.rows.insert(row::encode_events(&block, Outcomes::All)?);
        self.rows.insert(kept::encode(&block));
        self.blocks.insert(seed);
        Ok(())
    }

    fn add_events(&mut self, bytes: &[u8]) -> Result<()> {
        let mut transaction = Transaction::default();
        if transaction.open(bytes, Outcomes::All)? {
            transaction.visit_events(|event| {
                self.events.insert(event.data.to_vec());
            })?;
        }
        let keys = transaction.fee_payer().map(|key| base58::encode(key));
        let signature = transaction.signature().map(|key| base58::encode(key));
        self.texts
            .extend(keys.into_iter().chain(signature).map(String::into_bytes));
        Ok(())
    }
}

/// A transaction without what no row needs: logs, balances, rewards, data of foreign instructions.
fn bare(transaction: &[u8]) -> Result<Vec<u8>> {
    let mut transaction = ConfirmedTransaction::decode_from_slice(transaction)?;
    if let Some(meta) = transaction.meta.as_option_mut() {
        meta.log_messages.clear();
        meta.pre_balances.clear();
        meta.post_balances.clear();
        meta.pre_token_balances.clear();
        meta.post_token_balances.clear();
        meta.rewards.clear();
    }
    Ok(transaction.encode_to_vec())
}

/// Answers of an RPC with some of the blocks, in both encodings by turns.
fn answers(blocks: &BTreeSet<Vec<u8>>) -> Result<Vec<Vec<u8>>> {
    let encodings = ["json", "base64"].into_iter().cycle();
    let some = blocks.iter().step_by(4).zip(encodings);
    some.map(|(block, encoding)| {
        let block = Block::decode_from_slice(block)?;
        Ok(answer::answer(&block, encoding).to_string().into_bytes())
    })
    .collect()
}

/// Filters over some of the keys, in every form that the grammar has.
fn expressions(texts: &BTreeSet<Vec<u8>>) -> Vec<Vec<u8>> {
    let keys: Vec<_> = texts
        .iter()
        .filter_map(|text| std::str::from_utf8(text).ok())
        .filter(|text| text.len() <= 44)
        .take(24)
        .collect();
    let columns = ["mint", "user", "creator", "router", "quote"];
    let mut expressions: Vec<String> = [
        "side:buy",
        "side:sell",
        "'side:buy'",
        "side:buy ||",
        "-side:buy",
        ")",
        "",
        "(",
    ]
    .map(str::to_owned)
    .to_vec();
    for (keys, column) in keys.chunks_exact(2).zip(columns.iter().cycle()) {
        let [a, b] = [keys[0], keys[1]];
        expressions.extend([
            format!("{column}:{a}"),
            format!("{column}:{a} || user:{b}"),
            format!("(mint:{a} && side:sell) || ({column}:{b} side:buy)"),
            format!("'{column}:{a}' \"user:{b}\"\t&& ((side:buy))"),
        ]);
    }
    expressions.into_iter().map(String::into_bytes).collect()
}

/// A bundle of version 0.
fn bundle_0(blocks: &[&[u8]]) -> Vec<u8> {
    let mut bundle = b"dbin\0SOL01".to_vec();
    for block in blocks {
        let mut envelope = Vec::new();
        write::number(1, 400_000_000, &mut envelope);
        write::bytes(8, block, &mut envelope);
        bundle.extend((envelope.len() as u32).to_be_bytes());
        bundle.extend(envelope);
    }
    bundle
}

/// A bundle of version 1.
fn bundle_1(blocks: &[&[u8]]) -> Vec<u8> {
    const TYPE_URL: &[u8] = b"type.googleapis.com/sf.solana.type.v1.Block";
    let mut bundle = b"dbin\x01\0".to_vec();
    bundle.push(TYPE_URL.len() as u8);
    bundle.extend(TYPE_URL);
    for block in blocks {
        let (mut any, mut envelope) = (Vec::new(), Vec::new());
        write::bytes(1, TYPE_URL, &mut any);
        write::bytes(2, block, &mut any);
        write::number(1, 400_000_000, &mut envelope);
        write::bytes(2, b"id", &mut envelope);
        write::bytes(11, &any, &mut envelope);
        bundle.extend((envelope.len() as u32).to_be_bytes());
        bundle.extend(envelope);
    }
    bundle
}

fn write_all(folder: &Path, target: &str, seeds: impl IntoIterator<Item = Vec<u8>>) -> Result<()> {
    let folder = folder.join(target);
    fs::create_dir_all(&folder)?;
    let mut seeds: Vec<_> = seeds
        .into_iter()
        .filter(|seed| seed.len() <= LARGEST)
        .collect();
    // Every so many of them, and not the first.
    let step = seeds.len().div_ceil(MOST).max(1);
    seeds = seeds.into_iter().step_by(step).collect();
    for (number, seed) in seeds.iter().enumerate() {
        fs::write(folder.join(format!("seed-{number:03}")), seed)?;
    }
    println!("{target}: {} seeds", seeds.len());
    Ok(())
}
