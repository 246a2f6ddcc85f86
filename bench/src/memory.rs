//! The table of allocations and memory, from the program that counts them.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::table::{Table, digits};

/// Runs `memory`, which lies beside this program, on the same input.
///
/// # Errors
///
/// When it is not there or fails.
pub fn table(paths: &[PathBuf]) -> Result<Table> {
    let mut table = Table::new(
        "memory",
        "Allocations and memory a block, native",
        "Of the block of the 50th percentile; the peak is what is allocated at once, beyond the block itself.",
        &["way", "allocations", "peak_kib"],
    );
    let program = env::current_exe()?.with_file_name("memory");
    let output = Command::new(&program)
        .args(paths)
        .output()
        .with_context(|| program.display().to_string())?;
    ensure!(
        output.status.success(),
        "{}: {}",
        program.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    for line in String::from_utf8(output.stdout)?.lines() {
        let [way, allocations, peak] = line.split('\t').collect::<Vec<_>>()[..] else {
            bail!("{}: unexpected line {line:?}", program.display());
        };
        table.push(vec![
            way.to_owned(),
            allocations.to_owned(),
            digits(peak.parse::<f64>()? / 1024.0),
        ])?;
    }
    Ok(table)
}
