//! The tool on all modules of the package, all kinds of rows, and bundles.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use serde_json::Value;
use tempfile::TempDir;

/// Runs the tool in the repository, where the built wasm is.
fn pumpfun(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pumpfun"));
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    command.args(args).current_dir(repository).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[track_caller]
fn succeeded(args: &[&str]) -> String {
    let output = pumpfun(args);
    assert!(output.status.success(), "{}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Sixteen blocks in six bundles' worth of slots.
static BLOCKS: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = TempDir::new().unwrap();
    succeeded(&["generate", "--apart", "30", folder.path().to_str().unwrap()]);
    folder
});

fn blocks() -> &'static str {
    BLOCKS.path().to_str().unwrap()
}

fn json(lines: &str) -> Vec<Value> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn every_module_runs_with_all_that_it_depends_on() {
    let rows = succeeded(&["extract", "--rows", "all", blocks()]);
    assert_eq!(
        succeeded(&["run", "--module", "map_events", "--rows", "all", blocks()]),
        rows
    );
    let failed = json(&succeeded(&["extract", "--failed", blocks()]))
        .into_iter()
        .filter(|row| row["failed"] == true)
        .collect::<Vec<_>>();
    assert_eq!(
        json(&succeeded(&[
            "run",
            "--module",
            "map_failed_trades",
            blocks()
        ])),
        failed
    );
    assert!(!failed.is_empty());

    // What is no rows is an object a block.
    let kept = json(&succeeded(&[
        "run",
        "--module",
        "pump_transactions",
        blocks(),
    ]));
    assert!(
        kept.iter()
            .all(|block| block["transactions"][0]["index"].is_number())
    );
    let keys = json(&succeeded(&["run", "--module", "index_trades", blocks()]));
    assert!(keys.iter().any(|block| {
        block["keys"]
            .as_array()
            .unwrap()
            .contains(&"side:buy".into())
    }));
    let changes = json(&succeeded(&["run", "--module", "db_out", blocks()]));
    let changes: usize = changes
        .iter()
        .map(|block| block["table_changes"].as_array().unwrap().len())
        .sum();
    assert_eq!(changes, rows.lines().count());
    let output = pumpfun(&["run", "--module", "db_out", "--format", "csv", blocks()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("db_out gives no rows: it can only be printed as jsonl"));
}

#[test]
fn a_filter_is_a_parameter_and_only_of_its_module() {
    let trades = json(&succeeded(&["extract", blocks()]));
    let mint = trades[0]["mint"].as_str().unwrap();
    let filter = format!(
        "mint:{mint} && (side:buy || user:{})",
        trades[1]["user"].as_str().unwrap()
    );
    let expected: Vec<_> = trades
        .iter()
        .filter(|row| {
            row["mint"] == mint && (row["is_buy"] == true || row["user"] == trades[1]["user"])
        })
        .cloned()
        .collect();
    let run = ["run", "--module", "filtered_trades"];
    let given = succeeded(&[&run[..], &["--params", &filter, blocks()]].concat());
    assert_eq!(json(&given), expected);

    // Without one, that of the manifest: all trades.
    let given = succeeded(&[&run[..], &[blocks()]].concat());
    assert_eq!(json(&given), trades);
    let output = pumpfun(&["run", "--params", "side:buy", blocks()]);
    assert!(
        stderr(&output).contains("map_trades takes no --params"),
        "{}",
        stderr(&output)
    );
    let output = pumpfun(&[&run[..], &["--params", "side:buy||side:sell", blocks()]].concat());
    assert_eq!(output.status.code(), Some(1));
    // Once, and not for each block.
    assert!(
        stderr(&output).starts_with("error: --params: filter: character 9: put spaces around `||`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn kinds_that_a_module_does_not_give_are_named() {
    let output = pumpfun(&["extract", "--raw", "--rows", "creations", blocks()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains(
            "pumpfun.v1.RawTrades has no creations: it has trades, shareholders, raw_events"
        ),
        "{}",
        stderr(&output)
    );
    let creations = succeeded(&[
        "extract",
        "--rows",
        "creations",
        "--format",
        "csv",
        blocks(),
    ]);
    assert!(creations.starts_with("id,slot,block_time,"), "{creations}");
    assert!(creations.lines().count() > 1);
}

/// The files of a folder, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

#[test]
fn bundles_hold_the_blocks_in_a_chain_without_gaps() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("bundles");
    let output = pumpfun(&[
        "bundle",
        blocks(),
        "--out",
        out.to_str().unwrap(),
        "--behind",
        "2",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains(
            "8 bundles with 16 blocks, 0 of which do not follow the block before; 2 empty"
        ),
        "{}",
        stderr(&output)
    );
    let names: Vec<_> = files(&out)
        .iter()
        .map(|file| file.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    let expected: Vec<_> = (0..8)
        .map(|n| format!("{:010}.dbin.zst", 430_000_000 + 100 * n))
        .collect();
    assert_eq!(names, expected);
    let bundles = out.to_str().unwrap();
    assert_eq!(
        succeeded(&["extract", "--rows", "all", bundles]),
        succeeded(&["extract", "--rows", "all", blocks()])
    );

    // Only whole blocks in ascending order make a chain, and no bundle is written over.
    let output = pumpfun(&["bundle", blocks(), "--out", bundles]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("holds 0430000"),
        "{}",
        stderr(&output)
    );
    let single = files(BLOCKS.path());
    let (first, second) = (single[0].to_str().unwrap(), single[1].to_str().unwrap());
    let other = folder.path().join("other");
    let output = pumpfun(&["bundle", second, first, "--out", other.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains(
            "slot 430000000: comes behind slot 430000030: give the blocks in ascending order"
        ),
        "{}",
        stderr(&output)
    );
    // Blocks that do not follow one another are linked all the same, and said to be.
    let third = folder.path().join("third");
    let output = pumpfun(&[
        "bundle",
        first,
        single[2].to_str().unwrap(),
        "--out",
        third.to_str().unwrap(),
    ]);
    assert!(
        stderr(&output).contains("2 blocks, 1 of which do not follow"),
        "{}",
        stderr(&output)
    );

    // The last second and the last height that there are: blocks behind have the same.
    let last = folder.path().join("last");
    fs::create_dir(&last).unwrap();
    let block = [
        &b"\x12\x01a"[..],
        b"\x32\x0a\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"\x3a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        &[0xa0, 0x01, 0x01],
    ];
    fs::write(last.join("1.binpb"), block.concat()).unwrap();
    let out = folder.path().join("last-out");
    succeeded(&[
        "bundle",
        last.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--behind",
        "3",
    ]);
    assert_eq!(files(&out).len(), 4);

    // Blocks that are ages apart would need thousands of files.
    let far = folder.path().join("far");
    fs::create_dir(&far).unwrap();
    // sf.solana.type.v1.Block { blockhash: "a", slot }
    for (slot, name) in [
        (&[0xa0, 0x01, 0x01][..], "1"),
        (&[0xa0, 0x01, 0xff, 0xff, 0xff, 0xff, 0x0f], "2"),
    ] {
        let block = [&b"\x12\x01a"[..], slot].concat();
        fs::write(far.join(format!("{name}.binpb")), block).unwrap();
    }
    let out = folder.path().join("far-out");
    let output = pumpfun(&[
        "bundle",
        far.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains(
            "slot 4294967295: lies 4294967294 slots behind the block before it, slot 1: an engine wants every bundle \
             in between, and 42949671 would have to be made up; give the blocks of one range at a time"
        ),
        "{}",
        stderr(&output)
    );
}
