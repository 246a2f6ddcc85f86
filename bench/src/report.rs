//! docs/benchmarks.md: the tables of a run, and what they were made on.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::corpus::Corpus;
use crate::stats::ROUNDS;
use crate::table::Table;

/// Writes the report and the tables' CSV files into the folder of the papers.
///
/// # Errors
///
/// When a file cannot be written.
pub fn write(folder: &Path, corpus: &Corpus, tables: &[Table], charts: &[String]) -> Result<()> {
    let path = folder.join("benchmarks.md");
    let mut text = format!(
        "# Benchmarks\n\n\
         Made by `make bench` (all figures here are of that one run; do not edit). To repeat it on a range of your \
         own: `make bench BLOCKS=DIR`, with single blocks or merged bundles in DIR.\n\n\
         | | |\n|---|---|\n| input | {}, {:.1} MB, sha256 `{}` |\n{}\n\
         Medians of {ROUNDS} rounds after a warm-up, with minimum and maximum beside them; contenders take turns, \
         and each runs once unmeasured before it is measured, so that it finds caches and allocator as it leaves \
         them itself. Before any timing, guards hold every contender's rows to ours on every block, base58 to bs58 \
         on 2,000 inputs a length, and the input to its checksum; where one fails, no figure is shown.\n\n\
         Ratios say more than times: the machine is shared, and another one has other times. `one memmem pass` \
         only looks for the 32 bytes of Pump's program id in the block and is the floor of any reader that searches \
         first.\n\n\
         What bounds `pumpfun-trades`: natively, on a quiet block, that pass and the reading of where each transaction \
         begins (some 5 ns each); with every trade comes about 1 µs for its transaction, event, keys and row, see the \
         tables of growth. prost's time over that of one memmem pass is about a hundred, so no reader that searches \
         first can be faster than prost by more. Out of memory instead of a cache, and with mimalloc, the distances are \
         smaller, as the tables show: memory then bounds the search, and prost's many allocations cost it less.\n\n",
        corpus.origin,
        corpus.bytes() as f64 / 1e6,
        corpus.sha256,
        machine(),
    );
    for table in tables {
        text.push_str(&table.markdown());
        text.push('\n');
        let chart = table.name;
        if charts
            .iter()
            .any(|name| name.trim_end_matches(".svg") == chart)
        {
            text.push_str(&format!("![{}](charts/{chart}.svg)\n\n", table.title));
        }
    }
    fs::write(&path, text).with_context(|| path.display().to_string())
}

/// Rows of the table that says on what it was measured.
fn machine() -> String {
    let first_line = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        text.lines().next().map(str::to_owned)
    };
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map(|name| name.trim_matches([' ', '\t', ':']));
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let lock = include_str!("../../Cargo.lock");
    let versions: Vec<_> = [
        "prost",
        "buffa",
        "substreams",
        "wasmtime",
        "memchr",
        "borsh",
        "bs58",
        "five8",
        "fd_bs58",
        "base58-turbo",
        "serde_json",
        "sonic-rs",
        "simd-json",
    ]
    .iter()
    .filter_map(|name| {
        // The newest, where a lock file has several.
        let after = lock
            .rsplit_once(&format!("name = \"{name}\"\nversion = \""))?
            .1;
        Some(format!("{name} {}", after.split('"').next()?))
    })
    .collect();
    let rows = [
        (
            "machine",
            format!("{cores} cores, {}", model.unwrap_or("unknown processor")),
        ),
        ("system", first_line("uname", &["-srm"]).unwrap_or_default()),
        (
            "compiler",
            first_line("rustc", &["--version"]).unwrap_or_default(),
        ),
        (
            "date",
            first_line("date", &["-u", "+%Y-%m-%d"]).unwrap_or_default(),
        ),
        ("build", "release: fat LTO, one codegen unit, panic=abort, for all alike; the system's allocator where no other is named".to_owned()),
        ("versions", versions.join(", ")),
    ];
    rows.iter()
        .map(|(name, value)| format!("| {name} | {value} |\n"))
        .collect()
}
