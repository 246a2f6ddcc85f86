//! Decode and extract in wasm: the package's module against the contenders', built with the same flags, each call in a
//! new instance inside wasmtime 41 as engines do it. Only the call counts, not the making of the instance.

use std::path::Path;

use anyhow::{Result, anyhow, ensure};
use pumpfun_bench_contenders::{CONTENDERS, ORDINARY, OURS};
use pumpfun_tool::engine::Wasm;

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
        let expected = ours.call("map_trades", block)?.bytes.unwrap_or_default();
        let mut growth = vec![0; ways.len()];
        let spreads = measure(ways.len(), rounds, |way| {
            let (way_name, wasm, module) = ways.get(way).ok_or_else(|| anyhow!("no way {way}"))?;
            let output = wasm.call(module, block)?;
            let rows = output.bytes.unwrap_or_default();
            ensure!(
                *way_name == ORDINARY || rows == expected,
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

/// A contender's name as that of a wasm's function.
fn module_name(way: &str) -> String {
    way.replace(", ", "_").replace(' ', "_").to_lowercase()
}
