//! Decode and extract: from a block's bytes to the bytes of its rows, natively, by every contender.

use anyhow::{Result, anyhow, ensure};
use memchr::memmem;
use prost::Message;
use prost::bytes::Bytes;
use pumpfun_bench_contenders::prost_rows::Trades;
use pumpfun_bench_contenders::{CONTENDERS, Contender, ORDINARY, OURS};
use pumpfun_trades::program::PUMP_PROGRAM;

use crate::corpus::Corpus;
use crate::stats::{Samples, Spread, measure, time};
use crate::table::{Table, digits};

/// The blocks that are told of, by their place in the range's sizes.
pub const QUANTILES: [(&str, f64); 3] = [("p10", 0.1), ("p50", 0.5), ("p95", 0.95)];

/// What the floor is called in tables.
pub const FLOOR: &str = "one memmem pass";

/// Guard: every contender gives the rows of ours on every block of the range.
///
/// # Errors
///
/// When one does not; then no figure may be shown.
pub fn guard(corpus: &Corpus) -> Result<()> {
    for block in &corpus.blocks {
        check_same_rows(block, &CONTENDERS)?;
    }
    Ok(())
}

fn check_same_rows(block: &Bytes, contenders: &[(&str, Contender)]) -> Result<()> {
    let ours = contenders
        .iter()
        .find(|(name, _)| *name == OURS)
        .ok_or_else(|| anyhow!("no contender {OURS}"))?;
    let expected = ours.1(block).map_err(|error| anyhow!("{OURS}: {error}"))?;
    for (name, contender) in contenders {
        let rows = contender(block).map_err(|error| anyhow!("{name}: {error}"))?;
        // The ordinary module writes the same rows in another order of fields.
        let same = match *name == ORDINARY {
            true => Trades::decode(&rows[..])? == Trades::decode(&expected[..])?,
            false => rows == expected,
        };
        ensure!(same, "{name} gives other rows than {OURS}: no figures");
    }
    Ok(())
}

/// The table, of three blocks of the range.
///
/// # Errors
///
/// When a contender fails.
pub fn table(corpus: &Corpus, rounds: usize) -> Result<Table> {
    let mut table = Table::new(
        "decode",
        "Decode and extract, native",
        "From the bytes of a block to the bytes of its rows, the block at the 10th, 50th and 95th percentile of the \
         range's encoded sizes. All walks look for the event's tag first, compare keys as bytes, resolve only what a \
         row needs, and write rows by the same writer and base58, so that only reading differs; `prost, ordinary` \
         is what an ordinary prost module does, with owned rows and bs58.",
        &[
            "block",
            "megabytes",
            "trades",
            "way",
            "median_us",
            "min_us",
            "max_us",
            "gigabytes_per_s",
            "ratio_to_ours",
            "ratio_to_memmem",
        ],
    );
    for (name, quantile) in QUANTILES {
        let block = corpus
            .at_quantile(quantile)
            .ok_or_else(|| anyhow!("no blocks"))?;
        let spreads = measure(CONTENDERS.len() + 1, rounds, |contender| {
            match CONTENDERS.get(contender) {
                Some((name, contender)) => {
                    let mut failed = None;
                    let took = time(|| {
                        contender(block).inspect_err(|error| failed = Some(error.to_string()))
                    });
                    failed.map_or(Ok(took), |error| Err(anyhow!("{name}: {error}")))
                }
                None => Ok(time(|| memmem::find_iter(block, &PUMP_PROGRAM).count())),
            }
        })?;
        let median_of = |way: &str| {
            let names = CONTENDERS.iter().map(|(name, _)| *name).chain([FLOOR]);
            let found = names.zip(&spreads).find(|(name, _)| *name == way);
            found.map_or(f64::NAN, |(_, spread)| spread.median)
        };
        let (ours, floor) = (median_of(OURS), median_of(FLOOR));
        for (way, spread) in CONTENDERS
            .iter()
            .map(|(name, _)| *name)
            .chain([FLOOR])
            .zip(&spreads)
        {
            let Spread { median, min, max } = *spread;
            table.push(vec![
                name.to_owned(),
                format!("{:.1}", block.len() as f64 / 1e6),
                trades_in(block)?.to_string(),
                way.to_owned(),
                digits(median * 1e6),
                digits(min * 1e6),
                digits(max * 1e6),
                digits(block.len() as f64 / median / 1e9),
                digits(median / ours),
                digits(median / floor),
            ])?;
        }
    }
    Ok(table)
}

/// The table of cold blocks: every contender goes over the whole range, which no cache holds, once a round.
///
/// # Errors
///
/// When a contender fails.
pub fn cold_table(corpus: &Corpus, rounds: usize) -> Result<Table> {
    let mut table = Table::new(
        "decode_cold",
        "Decode and extract, native, blocks out of memory",
        "As above, but each contender reads all blocks of the range one after the other, so that each comes out of \
         memory and not out of a cache; median time over the number of blocks.",
        &[
            "way",
            "us_per_block",
            "min_us",
            "max_us",
            "ratio_to_ours",
            "ratio_to_memmem",
        ],
    );
    let mut samples = vec![Samples::default(); CONTENDERS.len() + 1];
    for round in 0..=rounds {
        for (way, samples) in samples.iter_mut().enumerate() {
            let took = time(|| {
                for block in &corpus.blocks {
                    match CONTENDERS.get(way) {
                        Some((_, contender)) => _ = std::hint::black_box(contender(block)),
                        None => {
                            _ = std::hint::black_box(
                                memmem::find_iter(block, &PUMP_PROGRAM).count(),
                            )
                        }
                    }
                }
            });
            // The first round is the warm-up.
            if round > 0 {
                samples.push(took);
            }
        }
    }
    let blocks = corpus.blocks.len() as f64;
    let spreads: Vec<_> = samples.iter().map(Samples::spread).collect();
    let ways: Vec<_> = CONTENDERS
        .iter()
        .map(|(name, _)| *name)
        .chain([FLOOR])
        .collect();
    let median_of = |wanted: &str| {
        let found = ways.iter().zip(&spreads).find(|(way, _)| **way == wanted);
        found.map_or(f64::NAN, |(_, spread)| spread.median)
    };
    for (way, spread) in ways.iter().zip(&spreads) {
        table.push(vec![
            (*way).to_owned(),
            digits(spread.median / blocks * 1e6),
            digits(spread.min / blocks * 1e6),
            digits(spread.max / blocks * 1e6),
            digits(spread.median / median_of(OURS)),
            digits(spread.median / median_of(FLOOR)),
        ])?;
    }
    Ok(table)
}

/// Trades in a block.
///
/// # Errors
///
/// When it cannot be read.
pub fn trades_in(block: &Bytes) -> Result<usize> {
    let rows = pumpfun_bench_contenders::ours::ours(block).map_err(|error| anyhow!("{error}"))?;
    Ok(Trades::decode(&rows[..])?.trades.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contender_with_other_rows_fails_the_guard() {
        let block = Bytes::from(pumpfun_generate::block(42, 0).bytes);
        check_same_rows(&block, &CONTENDERS).unwrap();
        let mut wrong = CONTENDERS;
        wrong[1].1 = |block| {
            let mut rows = pumpfun_bench_contenders::ours::ours(block)?;
            rows.pop();
            Ok(rows)
        };
        let error = check_same_rows(&block, &wrong).unwrap_err().to_string();
        assert!(error.contains("gives other rows"), "{error}");
        let mut failing = CONTENDERS;
        failing[2].1 = |_| Err("on purpose".into());
        assert!(check_same_rows(&block, &failing).is_err());
    }
}
