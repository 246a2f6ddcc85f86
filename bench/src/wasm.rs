//! Decode and extract in wasm: the package's module against the contenders', built with the same flags, each call in a
//! new instance inside wasmtime 41 as engines do it. Only the call counts, not the making of the instance.

use std::path::Path;

use anyhow::{Result, anyhow, ensure};
use prost::Message;
use pumpfun_bench_contenders::prost_rows::Trades;
use pumpfun_bench_contenders::{CONTENDERS, ORDINARY, OURS};
use pumpfun_tool::wasm::Wasm;

use crate::corpus::Corpus;
use crate::decode::{QUANTILES, trades_in};
use crate::stats::measure;
use crate::table::{Table, digits};

/// The table, of three blocks of the range.
///
/// # Errors
///
/// When a wasm cannot be loaded, a call fails, or rows differ: then no figure may be shown.
pub fn table(corpus: &Corpus, ours: &Path, contenders: &Path, rounds: usize) -> Result<Table> {
    let mut table = Table::new(
        "wasm",
        "Decode and extract, in wasm",
        "The same in wasmtime 41, a new instance for each call; all modules are built with the same profile and \
         `+simd128,+bulk-memory`. Growth is what the memory grew by in the call, beyond the block in it.",
        &[
            "block",
            "megabytes",
            "trades",
            "way",
            "median_us",
            "min_us",
            "max_us",
            "ratio_to_ours",
            "growth_kib",
        ],
    );
    let (ours, contenders) = (Wasm::load(ours)?, Wasm::load(contenders)?);
    // A way, the wasm that has it, and its name there.
    let ways = CONTENDERS.map(|(way, _)| match way {
        OURS => (way, &ours, "map_trades".to_owned()),
        way => (way, &contenders, module_name(way)),
    });
    for (name, quantile) in QUANTILES {
        let block = corpus
            .at_quantile(quantile)
            .ok_or_else(|| anyhow!("no blocks"))?;
        // What the native library gives, which the native contenders are held to as well.
        let expected =
            pumpfun_bench_contenders::ours::ours(block).map_err(|error| anyhow!("{error}"))?;
        let mut growth = vec![0; ways.len()];
        let spreads = measure(ways.len(), rounds, |way| {
            let (way_name, wasm, module) = ways.get(way).ok_or_else(|| anyhow!("no way {way}"))?;
            let output = wasm.call(module, block)?;
            let rows = output.bytes.unwrap_or_default();
            ensure!(
                same_rows(*way_name == ORDINARY, &rows, &expected)?,
                "{way_name} gives other rows in wasm: no figures"
            );
            if let Some(growth) = growth.get_mut(way) {
                *growth = output.memory_growth;
            }
            Ok(output.duration)
        })?;
        let ours_median = ways
            .iter()
            .zip(&spreads)
            .find(|((way, ..), _)| *way == OURS)
            .map_or(f64::NAN, |(_, s)| s.median);
        for (((way, ..), spread), growth) in ways.iter().zip(&spreads).zip(&growth) {
            table.push(vec![
                name.to_owned(),
                format!("{:.1}", block.len() as f64 / 1e6),
                trades_in(block)?.to_string(),
                (*way).to_owned(),
                digits(spread.median * 1e6),
                digits(spread.min * 1e6),
                digits(spread.max * 1e6),
                digits(spread.median / ours_median),
                (growth / 1024).to_string(),
            ])?;
        }
    }
    Ok(table)
}

/// Whether rows are the expected ones: to the byte, or as messages where a way orders its fields otherwise.
fn same_rows(as_messages: bool, rows: &[u8], expected: &[u8]) -> Result<bool> {
    Ok(match as_messages {
        true => Trades::decode(rows)? == Trades::decode(expected)?,
        false => rows == expected,
    })
}

/// A contender's name as that of a wasm's function.
fn module_name(way: &str) -> String {
    way.replace(", ", "_").replace(' ', "_").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_rows_are_no_same_rows() {
        let block = pumpfun_generate::block(42, 0).bytes.into();
        let rows = pumpfun_bench_contenders::ours::ours(&block).unwrap();
        for as_messages in [false, true] {
            assert!(same_rows(as_messages, &rows, &rows).unwrap());
            assert!(!same_rows(as_messages, &[], &rows).unwrap());
        }
    }
}
