//! Tables that need a program of their own, for an allocator of their own: memory, and decoding with mimalloc.

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::corpus::Corpus;
use crate::decode;
use crate::process::output_of;
use crate::table::{Table, digits};

/// What a program that lies beside this one prints.
fn ask(program: &str, numbers: &[String], paths: &[PathBuf]) -> Result<String> {
    let program = env::current_exe()?.with_file_name(program);
    output_of(
        &program,
        numbers
            .iter()
            .map(OsStr::new)
            .chain(paths.iter().map(|path| path.as_os_str())),
    )
}

/// Allocations and memory, from the program `memory`.
///
/// # Errors
///
/// When it is not there or fails.
pub fn table(generate: u32, paths: &[PathBuf]) -> Result<Table> {
    let mut table = Table::new(
        "memory",
        "Allocations and memory a block, native",
        "Of the block of the 50th percentile; the peak is what is allocated at once, beyond the block itself.",
        &["way", "allocations", "peak_kib"],
    );
    for line in ask("memory", &[generate.to_string()], paths)?.lines() {
        let [way, allocations, peak] = line.split('\t').collect::<Vec<_>>()[..] else {
            bail!("memory: unexpected line {line:?}");
        };
        table.push(vec![
            way.to_owned(),
            allocations.to_owned(),
            digits(peak.parse::<f64>()? / 1024.0),
        ])?;
    }
    Ok(table)
}

/// The tables of decoding with mimalloc, from the program `decode-mimalloc`.
///
/// # Errors
///
/// When it is not there or fails.
pub fn with_mimalloc(
    rounds: usize,
    generate: u32,
    corpus: &Corpus,
    paths: &[PathBuf],
) -> Result<Vec<Table>> {
    let rows = ask(
        "decode-mimalloc",
        &[rounds.to_string(), generate.to_string()],
        paths,
    )?;
    let (hot, cold) = rows
        .split_once("\n\n")
        .context("decode-mimalloc: no second table")?;
    let few = Corpus {
        origin: String::new(),
        blocks: corpus.blocks.iter().take(1).cloned().collect(),
        sha256: String::new(),
    };
    // Made once for their columns.
    let mut hot = decode::table(&few, 0)?.with_rows(hot)?;
    let mut cold = decode::cold_table(&few, 0)?.with_rows(cold)?;
    (hot.name, cold.name) = ("decode_mimalloc", "decode_cold_mimalloc");
    hot.title.push_str(", with mimalloc");
    cold.title.push_str(", with mimalloc");
    hot.text =
        "As the first table, with mimalloc for all in place of the system's allocator.".to_owned();
    cold.text =
        "As the second table, with mimalloc for all in place of the system's allocator.".to_owned();
    Ok(vec![hot, cold])
}
