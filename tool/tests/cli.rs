//! The tool as one uses it: files in, rows out, and what happens when something is wrong.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use prost::Message;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs the tool in the repository, where the built wasm is.
fn pumpfun<const N: usize>(args: [&str; N]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pumpfun"));
    command
        .args(args)
        .current_dir(repository())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[track_caller]
fn succeeded(output: Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(lines: &str) -> Vec<Value> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The default blocks, written once by the tool.
static BLOCKS: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = TempDir::new().unwrap();
    succeeded(pumpfun(["generate", folder.path().to_str().unwrap()]));
    folder
});

fn blocks() -> &'static str {
    BLOCKS.path().to_str().unwrap()
}

/// Generated blocks as the files hold them, by slot.
fn decompressed() -> Vec<Vec<u8>> {
    let files: BTreeSet<_> = fs::read_dir(blocks())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files
        .iter()
        .map(|file| zstd::decode_all(fs::File::open(file).unwrap()).unwrap())
        .collect()
}

#[test]
fn the_default_blocks_have_the_committed_checksum() {
    let mut hash = Sha256::new();
    let blocks = decompressed();
    assert_eq!(blocks.len(), 16);
    for block in blocks {
        hash.update(block);
    }
    let hash: String = hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(hash, pumpfun_generate::DEFAULT_SHA256.trim());
}

#[test]
fn run_and_extract_print_the_same_bytes() {
    for format in ["jsonl", "csv"] {
        let run = succeeded(pumpfun(["run", "--format", format, blocks()]));
        let extract = succeeded(pumpfun(["extract", "--format", format, blocks()]));
        assert!(run.lines().count() > 200);
        assert_eq!(run, extract, "{format}");
    }
    let all = "trades,shareholders,raw_events";
    let run = succeeded(pumpfun([
        "run",
        "--rows",
        all,
        "--module",
        "map_raw_trades",
        blocks(),
    ]));
    let extract = succeeded(pumpfun(["extract", "--rows", all, "--raw", blocks()]));
    assert_eq!(run, extract);
}

#[test]
fn rows_come_in_block_order_whatever_the_number_of_threads() {
    let one = succeeded(pumpfun(["extract", "--failed", "--jobs", "1", blocks()]));
    let many = succeeded(pumpfun(["extract", "--failed", "--jobs", "7", blocks()]));
    assert_eq!(one, many);
    let places: Vec<_> = json(&one)
        .iter()
        .map(|row| {
            let slot: u64 = row["slot"].as_str().unwrap().parse().unwrap();
            (slot, row["transaction_index"].as_u64().unwrap())
        })
        .collect();
    assert!(places.is_sorted());
}

#[test]
fn json_is_protojson_with_the_schema_s_names() {
    let rows = json(&succeeded(pumpfun(["extract", "--failed", blocks()])));
    for row in &rows {
        assert!(row["sol_amount"].is_string() && row["transaction_index"].is_number());
        assert!(row["is_buy"].is_boolean() && row["failed"].is_boolean());
        assert!(row["block_time"].as_str().unwrap().ends_with('Z'));
        assert!(row.get("@type").is_none());
        // Absent is absent: never null, and a zero is there.
        assert!(
            row.as_object()
                .unwrap()
                .values()
                .all(|value| !value.is_null())
        );
        assert_eq!(row.get("fee").is_some(), row.get("creator").is_some());
        assert_eq!(
            row.get("real_sol_reserves").is_none(),
            row["layout"] == "V0"
        );
    }
    let only_successful = json(&succeeded(pumpfun(["extract", blocks()])));
    let successful: Vec<_> = rows
        .into_iter()
        .filter(|row| row["failed"] == false)
        .collect();
    assert_eq!(only_successful, successful);
}

#[test]
fn more_kinds_of_rows_name_their_type_first() {
    let rows = succeeded(pumpfun([
        "extract",
        "--rows",
        "trades,shareholders,raw_events",
        blocks(),
    ]));
    let types: BTreeSet<_> = rows
        .lines()
        .map(|line| line.split('"').nth(3).unwrap())
        .collect();
    let all = ["RawEvent", "Trade", "TradeShareholder"]
        .map(|name| format!("type.googleapis.com/pumpfun.v1.{name}"));
    assert_eq!(types, all.iter().map(String::as_str).collect());
    assert!(rows.lines().all(|line| line.starts_with("{\"@type\":\"")));
    let only = succeeded(pumpfun(["extract", "--rows", "raw_events", blocks()]));
    assert!(only.starts_with("{\"@type\":\"type.googleapis.com/pumpfun.v1.RawEvent\","));
}

#[test]
fn csv_has_a_header_and_the_values_of_the_json() {
    let rows = json(&succeeded(pumpfun(["extract", blocks()])));
    let csv = succeeded(pumpfun(["extract", "--format", "csv", blocks()]));
    let mut csv = csv::Reader::from_reader(csv.as_bytes());
    let header = csv.headers().unwrap().clone();
    assert_eq!((header.get(0), header.len()), (Some("id"), 47));
    let records: Vec<_> = csv.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), rows.len());
    for (record, row) in records.iter().zip(&rows) {
        for (name, value) in header.iter().zip(record) {
            let expected = match &row[name] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            assert_eq!(value, expected, "{name}");
        }
    }
    let several = pumpfun([
        "extract",
        "--format",
        "csv",
        "--rows",
        "trades,raw_events",
        blocks(),
    ]);
    assert!(!several.status.success());
    assert!(
        text(&several.stderr).contains("CSV holds one kind of rows"),
        "{}",
        text(&several.stderr)
    );
}

#[test]
fn standard_input_is_a_block_compressed_or_not() {
    let block = decompressed().remove(0);
    let expected = {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("1.binpb");
        fs::write(&file, &block).unwrap();
        succeeded(pumpfun(["extract", file.to_str().unwrap()]))
    };
    assert!(!expected.is_empty());
    for input in [
        block.clone(),
        zstd::encode_all(block.as_slice(), 1).unwrap(),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pumpfun"))
            .args(["extract", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || stdin.write_all(&input).unwrap());
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!(text(&output.stdout), expected);
    }
}

/// `sf.bstream.v1.Block` as bundles of either version have it.
#[derive(Clone, PartialEq, Message)]
struct Envelope {
    #[prost(uint64, tag = "1")]
    number: u64,
    #[prost(bytes = "vec", tag = "8")]
    payload_buffer: Vec<u8>,
    #[prost(message, optional, tag = "11")]
    payload: Option<prost_types::Any>,
}

/// A bundle of dbin `version` with these blocks.
fn bundle(version: u8, blocks: &[Vec<u8>]) -> Vec<u8> {
    let numbered = blocks.iter().map(|block| {
        let slot = slot_of(block);
        (slot, block.clone())
    });
    numbered_bundle(version, &numbered.collect::<Vec<_>>())
}

/// The slot of a whole block, or 0.
fn slot_of(block: &[u8]) -> u64 {
    pumpfun_trades::block::Block::decode(block).map_or(0, |block| block.slot())
}

/// A bundle whose envelopes give these numbers.
fn numbered_bundle(version: u8, blocks: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let type_url = "type.googleapis.com/sf.solana.type.v1.Block".to_owned();
    let mut bundle = b"dbin".to_vec();
    bundle.push(version);
    if version == 0 {
        bundle.extend(b"SOL01");
    } else {
        bundle.extend(u16::try_from(type_url.len()).unwrap().to_be_bytes());
        bundle.extend(type_url.as_bytes());
    }
    for (number, block) in blocks {
        let mut envelope = Envelope {
            number: *number,
            ..Envelope::default()
        };
        if version == 0 {
            envelope.payload_buffer.clone_from(block);
        } else {
            envelope.payload = Some(prost_types::Any {
                type_url: type_url.clone(),
                value: block.clone(),
            });
        }
        let record = envelope.encode_to_vec();
        bundle.extend(u32::try_from(record.len()).unwrap().to_be_bytes());
        bundle.extend(record);
    }
    bundle
}

#[test]
fn bundles_of_both_versions_give_the_rows_of_their_blocks() {
    let expected = succeeded(pumpfun(["extract", blocks()]));
    let blocks = decompressed();
    for version in [0, 1] {
        for compressed in [false, true] {
            let folder = TempDir::new().unwrap();
            let mut file = folder.path().join("0430000000.dbin");
            let mut bytes = bundle(version, &blocks);
            if compressed {
                file.set_extension("dbin.zst");
                bytes = zstd::encode_all(bytes.as_slice(), 1).unwrap();
            }
            fs::write(&file, bytes).unwrap();
            let rows = succeeded(pumpfun(["extract", folder.path().to_str().unwrap()]));
            assert_eq!(
                rows, expected,
                "version {version}, compressed: {compressed}"
            );
        }
    }
}

#[test]
fn a_bundle_that_is_cut_gives_the_blocks_before_the_fault_and_says_so() {
    let blocks = decompressed();
    let whole = bundle(1, &blocks[..3]);
    let first_two = bundle(1, &blocks[..2]);
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("0430000000.dbin");
    let file = file.to_str().unwrap();
    fs::write(file, &first_two).unwrap();
    let expected = succeeded(pumpfun(["extract", file]));
    let promising = |length: u32| [first_two.as_slice(), &length.to_be_bytes()].concat();
    let ends = "record 2, with which the reading of this bundle ends";
    for (bytes, message) in [
        (
            whole[..whole.len() - 1000].to_vec(),
            format!("{ends}: cut: "),
        ),
        (
            whole[..first_two.len() + 2].to_vec(),
            format!("{ends}: its length is cut"),
        ),
        (
            promising(1000),
            format!("{ends}: cut: 0 of 1000 bytes are there"),
        ),
        (
            promising(u32::MAX),
            format!("{ends}: its length of 4294967295 bytes is more than any block's"),
        ),
    ] {
        fs::write(file, bytes).unwrap();
        let output = pumpfun(["extract", file]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(text(&output.stdout), expected, "{message}");
        let stderr = text(&output.stderr);
        assert!(
            stderr.contains(&format!("error: {file}: {message}")),
            "{stderr}"
        );
    }
    for (bytes, message) in [
        (b"dbin".to_vec(), "the bundle's header is cut"),
        (
            b"dbin\x07SOL01".to_vec(),
            "dbin version 7 is neither 0 nor 1",
        ),
        (
            b"dbin\x00ETH01".to_vec(),
            "the bundle holds \"ETH\", not SOL",
        ),
        (
            b"dbin\x01\x00\x03abc".to_vec(),
            "the bundle holds \"abc\", not sf.solana.type.v1.Block",
        ),
        (
            b"dbin\x01\xff\xffabc".to_vec(),
            "the bundle's header is cut",
        ),
    ] {
        fs::write(file, bytes).unwrap();
        let output = pumpfun(["extract", file]);
        assert_eq!(output.status.code(), Some(1));
        assert!(
            text(&output.stderr).contains(message),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn a_bad_record_of_a_bundle_costs_no_other_record() {
    let blocks = decompressed();
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("0430000000.dbin");
    let file = file.to_str().unwrap();
    fs::write(file, bundle(1, &[blocks[0].clone(), blocks[2].clone()])).unwrap();
    let expected = succeeded(pumpfun(["extract", file]));
    let second = slot_of(&blocks[1]);
    for (number, record, message) in [
        (
            second,
            vec![0xff],
            "record 1: block of unknown slot: before any whole transaction",
        ),
        (second, Vec::new(), "has no payload"),
        (
            7,
            blocks[1].clone(),
            "record 1: the bundle says slot 7, the block 430000001",
        ),
        (
            second,
            vec![0x22, 0x00],
            "record 1: no slot: cut behind 1 transactions",
        ),
    ] {
        let records = [
            (slot_of(&blocks[0]), blocks[0].clone()),
            (number, record),
            (slot_of(&blocks[2]), blocks[2].clone()),
        ];
        fs::write(file, numbered_bundle(1, &records)).unwrap();
        let output = pumpfun(["extract", file]);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert_eq!(text(&output.stdout), expected, "{message}");
        let stderr = text(&output.stderr);
        assert!(
            stderr.contains(&format!("error: {file}: ")) && stderr.contains(message),
            "{stderr}"
        );
    }
    // A record that is no envelope.
    let mut bytes = bundle(1, &blocks[..1]);
    bytes.extend([0, 0, 0, 2, 0xff, 0xff]);
    bytes.extend(
        &bundle(1, &blocks[2..3])[5 + 2 + "type.googleapis.com/sf.solana.type.v1.Block".len()..],
    );
    fs::write(file, bytes).unwrap();
    let output = pumpfun(["extract", file]);
    assert_eq!(text(&output.stdout), expected);
    assert!(
        text(&output.stderr).contains("record 1: not a sf.bstream.v1.Block"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_file_that_is_not_one_whole_block_is_refused() {
    let blocks = decompressed();
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("1.binpb");
    let file = file.to_str().unwrap();
    let slot_at = blocks[0].len() - 6; // tag of two bytes, varint of four or five
    assert!(
        slot_of(&blocks[0][..slot_at]) != slot_of(&blocks[0]),
        "the slot stands last"
    );
    let cut = blocks[0]
        .windows(2)
        .rposition(|tag| tag == [0xa0, 0x01])
        .unwrap();
    for (bytes, message) in [
        (
            [blocks[0].as_slice(), &blocks[1]].concat(),
            "two blocks in one: slot 430000000 and slot 430000001",
        ),
        (blocks[0][..cut].to_vec(), "no slot: cut behind "),
    ] {
        fs::write(file, &bytes).unwrap();
        for command in ["extract", "run"] {
            let output = pumpfun([command, file]);
            assert_eq!(
                (output.status.code(), text(&output.stdout)),
                (Some(1), ""),
                "{message}"
            );
            assert!(
                text(&output.stderr).contains(message),
                "{}",
                text(&output.stderr)
            );
        }
    }
}

#[test]
fn a_block_that_comes_twice_is_printed_once() {
    let expected = succeeded(pumpfun(["extract", blocks()]));
    let output = pumpfun(["extract", blocks(), blocks()]);
    assert_eq!(
        (output.status.code(), text(&output.stdout)),
        (Some(1), expected.as_str())
    );
    assert!(
        text(&output.stderr).contains("error: slot 430000000: there before"),
        "{}",
        text(&output.stderr)
    );
    let twice = pumpfun(["extract", "-", "-"]);
    assert!(text(&twice.stderr).contains("standard input can be read only once"));
}

#[test]
fn what_only_looks_like_a_block_file_is_named() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("430000000.binpb"), &decompressed()[0]).unwrap();
    fs::create_dir(folder.path().join("430000001.binpb")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", folder.path().join("430000002.binpb.zst")).unwrap();
    let output = pumpfun(["extract", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!output.stdout.is_empty());
    for name in ["430000001.binpb", "430000002.binpb.zst"] {
        assert!(
            text(&output.stderr).contains(name),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn generate_does_not_mix_sets() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().to_str().unwrap();
    succeeded(pumpfun(["generate", "--blocks", "2", path]));
    succeeded(pumpfun(["generate", "--blocks", "3", path]));
    let fewer = pumpfun(["generate", "--blocks", "1", path]);
    assert!(!fewer.status.success());
    assert!(
        text(&fewer.stderr).contains("name an empty folder"),
        "{}",
        text(&fewer.stderr)
    );
    assert_eq!(
        fs::read_dir(path).unwrap().count(),
        3,
        "nothing is left behind"
    );
}

#[test]
fn one_bad_file_is_named_and_every_other_row_is_there() {
    let folder = TempDir::new().unwrap();
    let good: Vec<_> = fs::read_dir(blocks())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    for file in &good {
        fs::copy(file, folder.path().join(file.file_name().unwrap())).unwrap();
    }
    let whole = fs::read(&good[0]).unwrap();
    fs::write(
        folder.path().join("430000004.bad.binpb.zst"),
        &whole[..whole.len() / 2],
    )
    .unwrap();
    fs::write(
        folder.path().join("430000005.bad.binpb"),
        b"no protobuf at all",
    )
    .unwrap();
    fs::write(folder.path().join("430000006.empty.binpb"), b"").unwrap();
    fs::write(folder.path().join("notes.txt"), b"not ours").unwrap();
    let missing = folder.path().join("missing.binpb");
    for command in ["extract", "run"] {
        let output = pumpfun([
            command,
            missing.to_str().unwrap(),
            folder.path().to_str().unwrap(),
        ]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(
            text(&output.stdout),
            succeeded(pumpfun([command, blocks()]))
        );
        let stderr = text(&output.stderr);
        for name in [
            "430000004.bad.binpb.zst",
            "430000005.bad.binpb",
            "430000006.empty.binpb: empty",
            "missing.binpb",
        ] {
            let line = stderr
                .lines()
                .find(|line| line.contains(name))
                .unwrap_or_else(|| panic!("{name}: {stderr}"));
            assert!(line.starts_with("error: "), "{line}");
        }
        assert!(stderr.contains("errors         4"), "{stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
}

#[test]
fn paths_without_blocks_are_errors() {
    let folder = TempDir::new().unwrap();
    let output = pumpfun(["extract", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no block files in this folder"));
    let output = pumpfun(["run", "--wasm", "no/such", blocks()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no/such/pumpfun_trades.wasm (`make wasm` builds it"));
    let output = pumpfun(["run", "--module", "map_nothing", blocks()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("map_raw_trades"),
        "the modules that there are"
    );
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pumpfun"))
        .args(["extract", "--rows", "trades", blocks()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn the_summary_counts_what_was_read() {
    let output = pumpfun(["extract", "--failed", blocks()]);
    let rows = json(text(&output.stdout));
    let failed = rows.iter().filter(|row| row["failed"] == true).count();
    let tails = rows
        .iter()
        .filter(|row| row["unknown_trailing_bytes"] != 0)
        .count();
    let stderr = text(&output.stderr);
    assert!(failed > 0 && tails > 0);
    for line in [
        "blocks         16 (".to_owned(),
        format!(
            "trades         {}, {failed} of them in failed transactions",
            rows.len()
        ),
        format!("unknown tails  {tails}"),
        "blocks/s".to_owned(),
    ] {
        assert!(stderr.contains(&line), "{line}: {stderr}");
    }
    let layouts = [
        "V0", "V1", "V2", "V3", "V4", "V5", "V6", "V6b", "V7", "V8", "V9",
    ];
    assert!(
        layouts
            .iter()
            .all(|layout| stderr.contains(&format!("{layout}: "))),
        "{stderr}"
    );
    let quiet = pumpfun(["extract", "--quiet", blocks()]);
    assert_eq!(text(&quiet.stderr), "");
}
