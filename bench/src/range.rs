//! Whole ranges through the tool's pipeline, and how a block's time grows with its bytes and with its trades.

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use prost::Message;
use prost::bytes::Bytes;
use pumpfun_bench_contenders::ours::ours;
use pumpfun_bench_contenders::prost_vec::Block;
use pumpfun_tool::input::{self, Meter};
use pumpfun_tool::pipeline;

use crate::corpus::Corpus;
use crate::decode::trades_in;
use crate::stats::{measure, time};
use crate::table::{Table, digits};

/// Times of a whole range on disk, against the number of threads.
///
/// # Errors
///
/// When files cannot be written or read.
pub fn table(corpus: &Corpus, rounds: usize) -> Result<Table> {
    let mut table = Table::new(
        "range",
        "A whole range",
        "All blocks of the range as single files on disk, read and extracted by the tool's pipeline (rows encoded, not \
         printed). The files are in the page cache.",
        &[
            "files",
            "threads",
            "blocks",
            "megabytes",
            "median_ms",
            "blocks_per_second",
            "megabytes_per_second",
        ],
    );
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    for (kind, level) in [("plain", None), ("zstd", Some(3))] {
        let folder = tempfile::tempdir()?;
        for (number, block) in corpus.blocks.iter().enumerate() {
            let path = folder.path().join(format!("{number}.binpb"));
            let bytes = match level {
                Some(level) => zstd::encode_all(&block[..], level)?,
                None => block.to_vec(),
            };
            fs::write(&path, bytes).with_context(|| path.display().to_string())?;
        }
        let threads: Vec<_> = (1..=cores).collect();
        let spreads = measure(threads.len(), rounds, |which| {
            run(folder.path(), threads.get(which).copied())
        })?;
        for (threads, spread) in threads.iter().zip(&spreads) {
            table.push(vec![
                kind.to_owned(),
                threads.to_string(),
                corpus.blocks.len().to_string(),
                format!("{:.0}", corpus.bytes() as f64 / 1e6),
                digits(spread.median * 1e3),
                digits(corpus.blocks.len() as f64 / spread.median),
                digits(corpus.bytes() as f64 / 1e6 / spread.median),
            ])?;
        }
    }
    Ok(table)
}

fn run(folder: &Path, threads: Option<usize>) -> Result<std::time::Duration> {
    let threads = threads.and_then(NonZero::new).context("no threads")?;
    let sources = input::sources(&[folder.to_owned()]);
    let began = Instant::now();
    let handle = |block: &input::SourceBlock| {
        let block = pumpfun_trades::block::Block::decode(&block.bytes)?;
        Ok(pumpfun_trades::row::encode::<pumpfun_trades::row::Base58>(
            &block,
            pumpfun_trades::transaction::Outcomes::Successful,
        )?)
    };
    pipeline::run(sources, threads, &Meter::new(0, true), handle, |rows| {
        rows.map(drop)
    })?;
    Ok(began.elapsed())
}

/// How a block's time grows: with its bytes, its trades being the same, and with its trades, its bytes being about the
/// same.
///
/// # Errors
///
/// When a block cannot be read.
pub fn growth(corpus: &Corpus, rounds: usize) -> Result<Vec<Table>> {
    let mut with_bytes = Table::new(
        "growth_bytes",
        "Growth with bytes",
        "The block of the 50th percentile with all its transactions that hold trades and a growing share of the others.",
        &["megabytes", "trades", "median_us", "us_per_megabyte"],
    );
    let mut with_trades = Table::new(
        "growth_trades",
        "Growth with trades",
        "The same block without its trades, and with a growing number of transactions that each hold one or more.",
        &["trades", "megabytes", "median_us", "us_per_trade_over_none"],
    );
    let block = corpus.at_quantile(0.5).context("no blocks")?;
    let decoded = Block::decode(&block[..])?;
    let (trading, others): (Vec<_>, Vec<_>) =
        decoded
            .transactions
            .iter()
            .cloned()
            .partition(|transaction| {
                let alone = Block {
                    transactions: vec![transaction.clone()],
                    ..Block::default()
                };
                trades_in(&Bytes::from(alone.encode_to_vec())).is_ok_and(|trades| trades > 0)
            });
    let with = |trading_count: usize, others_quarters: usize| {
        let kept = others.iter().take(others.len() * others_quarters / 4);
        let transactions =
            trading
                .iter()
                .cycle()
                .take(if trading.is_empty() { 0 } else { trading_count });
        Bytes::from(
            Block {
                transactions: transactions.chain(kept).cloned().collect(),
                ..decoded.clone()
            }
            .encode_to_vec(),
        )
    };
    let sizes: Vec<_> = (1..=4)
        .map(|quarters| with(trading.len(), quarters))
        .collect();
    for (block, spread) in sizes.iter().zip(times(&sizes, rounds)?) {
        let megabytes = block.len() as f64 / 1e6;
        with_bytes.push(vec![
            digits(megabytes),
            trades_in(block)?.to_string(),
            digits(spread * 1e6),
            digits(spread * 1e6 / megabytes),
        ])?;
    }
    let counts: Vec<_> = [0, 10, 20, 40, 80, 160].map(|count| with(count, 4)).into();
    let times = times(&counts, rounds)?;
    let none = times.first().copied().unwrap_or_default();
    for (block, time) in counts.iter().zip(&times) {
        let trades = trades_in(block)?;
        let each = if trades == 0 {
            "-".to_owned()
        } else {
            digits((time - none) * 1e6 / trades as f64)
        };
        with_trades.push(vec![
            trades.to_string(),
            digits(block.len() as f64 / 1e6),
            digits(time * 1e6),
            each,
        ])?;
    }
    Ok(vec![with_bytes, with_trades])
}

/// Median seconds of each block.
fn times(blocks: &[Bytes], rounds: usize) -> Result<Vec<f64>> {
    let spreads = measure(blocks.len(), rounds, |which| {
        let block = blocks.get(which).context("no block")?;
        Ok::<_, anyhow::Error>(time(|| ours(block).is_ok()))
    })?;
    Ok(spreads.iter().map(|spread| spread.median).collect())
}
