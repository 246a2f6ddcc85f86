//! Backfills: Parquet files that are whole or not there, filters, slots, statistics.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::Value;
use tempfile::TempDir;

/// A row: column to text, what is absent left out.
type Row = BTreeMap<String, String>;

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pumpfun"));
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    command.args(args).current_dir(repository);
    command
}

fn pumpfun(args: &[&str]) -> Output {
    command(args).output().unwrap()
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

/// Sixteen blocks in six hundreds of slots.
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

const KINDS: [&str; 11] = [
    "trades",
    "shareholders",
    "raw_events",
    "creations",
    "completions",
    "post_completion_buys",
    "migrations",
    "creator_changes",
    "mayhem_updates",
    "fee_collections",
    "fee_sweeps",
];

/// `extract` into Parquet files of 100 slots.
fn extract(out: &Path, more: &[&str]) -> Output {
    let out = out.to_str().unwrap();
    let args = [
        "extract",
        "--format",
        "parquet",
        "--slots-per-file",
        "100",
        "--out",
        out,
    ];
    pumpfun(&[&args, more].concat())
}

/// All files of a folder but the lock, by path in it.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for kind in fs::read_dir(folder).unwrap() {
        let kind = kind.unwrap().path();
        if kind.is_dir() {
            for file in fs::read_dir(kind).unwrap() {
                let path = file.unwrap().path();
                let bytes = fs::read(&path).unwrap();
                files.insert(path.strip_prefix(folder).unwrap().to_owned(), bytes);
            }
        }
    }
    files
}

/// The rows of a kind, in the order of the files.
fn rows(folder: &Path, kind: &str) -> Vec<Row> {
    let mut paths: Vec<_> = fs::read_dir(folder.join(kind))
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    paths.sort();
    let mut rows = Vec::new();
    for path in paths {
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        for row in reader.get_row_iter(None).unwrap() {
            let row = row.unwrap();
            let columns = row.get_column_iter().filter_map(|(name, field)| {
                let text = match field {
                    Field::Null => return None,
                    Field::Str(text) => text.clone(),
                    Field::Bool(truth) => truth.to_string(),
                    Field::UInt(number) => number.to_string(),
                    Field::ULong(number) => number.to_string(),
                    Field::Long(number) => number.to_string(),
                    Field::TimestampMillis(time) => (time / 1_000).to_string(),
                    other => panic!("{name} is a {other:?}"),
                };
                Some((name.clone(), text))
            });
            rows.push(columns.collect());
        }
    }
    rows
}

/// The rows of a kind as `extract` prints them.
fn printed(kind: &str, more: &[&str]) -> Vec<Row> {
    let lines = succeeded(&[&["extract", "--rows", kind], more, &[blocks()]].concat());
    let rows = json(&lines).into_iter().map(|row| {
        let columns = row
            .as_object()
            .unwrap()
            .iter()
            .filter(|(name, _)| *name != "@type");
        let columns = columns.map(|(name, value)| {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            let text = match name.as_str() {
                "block_time" => seconds(&text),
                _ => text,
            };
            (name.clone(), text)
        });
        columns.collect()
    });
    rows.collect()
}

/// A time of the generated blocks, all of which lie in the first minutes of 3 October 2026, as Unix seconds.
fn seconds(time: &str) -> String {
    let (minutes, seconds) = time
        .strip_prefix("2026-10-03T00:")
        .unwrap()
        .strip_suffix('Z')
        .unwrap()
        .split_once(':')
        .unwrap();
    let (minutes, seconds): (u64, u64) = (minutes.parse().unwrap(), seconds.parse().unwrap());
    (1_790_985_600 + 60 * minutes + seconds).to_string()
}

#[test]
fn parquet_holds_every_row_of_every_kind() {
    let out = TempDir::new().unwrap();
    let output = extract(out.path(), &["--rows", "all", blocks()]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("6 ranges of 100 slots written, 0 that were done"),
        "{}",
        stderr(&output)
    );
    for kind in KINDS {
        let expected = printed(kind, &[]);
        assert!(!expected.is_empty(), "{kind}");
        assert_eq!(rows(out.path(), kind), expected, "{kind}");
    }
    // Unsigned numbers stay so, and each column says what it is.
    let file = File::open(out.path().join("trades/0430000000.parquet")).unwrap();
    let reader =
        parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let field = reader
        .schema()
        .field_with_name("sol_amount")
        .unwrap()
        .clone();
    assert_eq!(field.data_type(), &arrow_schema::DataType::UInt64);
    assert!(
        field.metadata()["comment"].starts_with("V0, since 2024-01. SOL that changed hands"),
        "{field:?}"
    );
    assert!(!field.is_nullable());
    assert!(
        reader
            .schema()
            .field_with_name("creator_fee")
            .unwrap()
            .is_nullable()
    );
}

#[test]
fn what_is_done_is_passed_over_until_its_sources_or_the_question_change() {
    let folder = TempDir::new().unwrap();
    let (out, copy) = (folder.path().join("out"), folder.path().join("blocks"));
    fs::create_dir(&copy).unwrap();
    for file in fs::read_dir(BLOCKS.path()).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), copy.join(file.file_name())).unwrap();
    }
    let copied = copy.to_str().unwrap();
    let run = |more: &[&str], says: &str| {
        let output = extract(&out, &[more, &[copied]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(
            stderr(&output).contains(says),
            "{says}: {}",
            stderr(&output)
        );
    };
    run(&[], "6 ranges of 100 slots written, 0 that were done");
    let whole = files(&out);
    run(&[], "0 ranges of 100 slots written, 6 that were done");
    assert_eq!(files(&out), whole);
    // A block more: its range is made anew.
    let one_less = |out: &Path| {
        let moved = folder.path().join("430000030.binpb.zst");
        fs::rename(copy.join("430000030.binpb.zst"), &moved).unwrap();
        let output = extract(out, &[copied]);
        fs::rename(&moved, copy.join("430000030.binpb.zst")).unwrap();
        output
    };
    fs::remove_dir_all(&out).unwrap();
    assert!(one_less(&out).status.success());
    assert_ne!(files(&out), whole);
    run(&[], "1 ranges of 100 slots written, 5 that were done");
    assert_eq!(files(&out), whole);
    // A block less, another question, fewer slots: rows that are there would be gone. So nothing is done.
    let refused = |output: Output, says: &str| {
        assert_eq!(output.status.code(), Some(1));
        let said = stderr(&output);
        assert!(
            said.contains(says) && said.contains("--overwrite"),
            "{said}"
        );
        assert_eq!(files(&out), whole);
    };
    refused(
        one_less(&out),
        "0430000000.parquet: is made of 430000030.binpb.zst too, which is not among the files given",
    );
    refused(
        extract(&out, &["--failed", copied]),
        r#"is made of other rows, {"failed":false,"raw":false,"filter":null} and not {"failed":true"#,
    );
    refused(
        extract(&out, &["--slots", "430000000..430000090", copied]),
        "is made of the slots 430000000..430000100, of which only 430000000..430000090 are asked for",
    );
    let output = extract(&out, &[copied, "no/such/path"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("nothing is written: no/such/path"),
        "{}",
        stderr(&output)
    );
    assert_eq!(files(&out), whole);
    // The same slots, said otherwise, are the same; and what is said to be overwritten, is.
    run(
        &["--slots", "430000000..430000600"],
        "0 ranges of 100 slots written, 6 that were done",
    );
    run(
        &["--failed", "--overwrite"],
        "6 ranges of 100 slots written, 0 that were done",
    );
    assert_eq!(rows(&out, "trades"), printed("trades", &["--failed"]));
    // More slots than before: what was cut at the end is made anew.
    fs::remove_dir_all(&out).unwrap();
    run(
        &["--slots", "430000000..430000250"],
        "3 ranges of 100 slots written",
    );
    run(&[], "4 ranges of 100 slots written, 2 that were done");
    assert_eq!(files(&out), whole);
    run(
        &["--failed", "--overwrite"],
        "6 ranges of 100 slots written",
    );
    // A file that is broken is no file.
    fs::write(out.join("trades/0430000100.parquet"), "PAR1").unwrap();
    run(
        &["--failed"],
        "1 ranges of 100 slots written, 5 that were done",
    );
}

#[test]
fn a_run_that_is_killed_at_any_moment_is_taken_up_and_ends_with_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    let whole = folder.path().join("whole");
    assert!(
        extract(&whole, &["--rows", "all", blocks()])
            .status
            .success()
    );
    let whole = files(&whole);
    let (mut killed, mut between) = (0, 0);
    for delay in (0..40).step_by(2).chain((40..120).step_by(8)) {
        let out = folder.path().join(format!("killed-{delay}"));
        let args = [
            "extract",
            "--format",
            "parquet",
            "--slots-per-file",
            "100",
            "--rows",
            "all",
            "--jobs",
            "1",
        ];
        let mut child = command(&[&args[..], &["--out", out.to_str().unwrap(), blocks()]].concat())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        killed += u32::from(!child.wait().unwrap().success());
        if out.exists() {
            // Whatever has its name is whole.
            let there = files(&out);
            let named = there
                .iter()
                .filter(|(path, _)| path.extension().unwrap() == "parquet");
            let mut ranges = 0;
            for (path, bytes) in named {
                assert_eq!(Some(bytes), whole.get(path), "{}", path.display());
                ranges += 1;
            }
            between += u32::from(ranges > 0 && ranges < whole.len());
        }
        assert!(extract(&out, &["--rows", "all", blocks()]).status.success());
        assert_eq!(files(&out), whole, "killed after {delay} ms");
    }
    assert!(killed > 0, "no run was killed before its end");
    println!("{killed} runs killed, {between} of them between their first file and their last");
}

#[test]
fn an_unreadable_block_costs_no_other_rows_and_its_range_is_not_done() {
    let folder = TempDir::new().unwrap();
    let (out, copy) = (folder.path().join("out"), folder.path().join("blocks"));
    fs::create_dir(&copy).unwrap();
    for file in fs::read_dir(BLOCKS.path()).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), copy.join(file.file_name())).unwrap();
    }
    let broken = copy.join("430000060.binpb.zst");
    let bytes = fs::read(&broken).unwrap();
    fs::write(&broken, &bytes[..bytes.len() / 2]).unwrap();
    for _ in 0..2 {
        let output = extract(&out, &[copy.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1));
        assert!(
            stderr(&output).contains("430000060.binpb.zst"),
            "{}",
            stderr(&output)
        );
        let expected: Vec<_> = printed("trades", &[])
            .into_iter()
            .filter(|row| row["slot"] != "430000060")
            .collect();
        assert_eq!(rows(&out, "trades"), expected);
    }
    fs::write(&broken, bytes).unwrap();
    let output = extract(&out, &[copy.to_str().unwrap()]);
    assert!(
        stderr(&output).contains("1 ranges of 100 slots written, 5 that were done"),
        "{}",
        stderr(&output)
    );
    assert_eq!(rows(&out, "trades"), printed("trades", &[]));

    // A block that could be read once, and cannot be any more, takes nothing away.
    let whole = files(&out);
    fs::write(copy.join("430000090.binpb.zst"), "no block").unwrap();
    let output = extract(&out, &[copy.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output)
            .contains("0 ranges of 100 slots written, 5 that were done passed over, 1 left"),
        "{}",
        stderr(&output)
    );
    assert_eq!(files(&out), whole);
}

#[test]
fn what_cannot_be_sorted_into_files_is_refused() {
    let folder = TempDir::new().unwrap();
    let other = folder.path().join("block.binpb.zst");
    fs::copy(BLOCKS.path().join("430000000.binpb.zst"), &other).unwrap();
    for (args, says) in [
        (
            vec![other.to_str().unwrap()],
            "its name does not begin with its slot",
        ),
        (
            vec!["--slots-per-file", "150", blocks()],
            "no multiple of 100",
        ),
        (
            vec!["--raw", "--side", "buy", blocks()],
            "--raw and filters do not go together",
        ),
    ] {
        let output = pumpfun(
            &[
                &[
                    "extract",
                    "--format",
                    "parquet",
                    "--out",
                    folder.path().join("out").to_str().unwrap(),
                ],
                &args[..],
            ]
            .concat(),
        );
        assert!(
            !output.status.success() && stderr(&output).contains(says),
            "{}",
            stderr(&output)
        );
    }
    for (args, says) in [
        (
            ["--format", "parquet"].as_slice(),
            "name a folder for them with --out",
        ),
        (&["--out", "x"], "--out is for --format parquet"),
    ] {
        let output = pumpfun(&[&["extract"], args, &[blocks()]].concat());
        assert!(
            !output.status.success() && stderr(&output).contains(says),
            "{}",
            stderr(&output)
        );
    }
    // A name that lies about its slot.
    let lying = folder.path().join("430000001.binpb.zst");
    fs::rename(&other, &lying).unwrap();
    let out = folder.path().join("lying");
    fs::copy(BLOCKS.path().join("430000300.binpb.zst"), &lying).unwrap();
    let output = extract(&out, &[lying.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("the file's name says that it holds other slots"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn flags_filter_as_the_expression_that_they_make() {
    let trades = json(&succeeded(&["extract", blocks()]));
    let text = |row: usize, name: &str| trades[row][name].as_str().unwrap().to_owned();
    let (mint, other, user) = (text(0, "mint"), text(5, "mint"), text(9, "user"));
    let filtered = |expression: &str| {
        succeeded(&[
            "run",
            "--module",
            "filtered_trades",
            "--params",
            expression,
            blocks(),
        ])
    };
    for (flags, expression) in [
        (vec!["--mint", &mint], format!("mint:{mint}")),
        (
            vec!["--mint", &mint, "--mint", &other],
            format!("mint:{mint} || mint:{other}"),
        ),
        (
            vec!["--user", &user, "--side", "buy"],
            format!("user:{user} && side:buy"),
        ),
        (
            vec!["--filter", "side:sell", "--mint", &mint],
            format!("mint:{mint} && side:sell"),
        ),
        (
            vec!["--router", "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P"],
            "router:6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P".to_owned(),
        ),
        (
            vec!["--quote", "11111111111111111111111111111111"],
            "quote:11111111111111111111111111111111".to_owned(),
        ),
    ] {
        let given = succeeded(&[&["extract"], &flags[..], &[blocks()]].concat());
        assert_eq!(given, filtered(&expression), "{flags:?}");
        // Two conditions may leave nothing; one never does, as its value is a trade's.
        assert!(!given.is_empty() || flags.len() > 2, "{flags:?}");
    }
    // What cannot be read is counted, whether or not a filter would have asked for it.
    let unread = |args: &[&str]| {
        let said = stderr(&pumpfun(args));
        let line = said.lines().find(|line| line.starts_with("unread events"));
        line.map(str::to_owned)
    };
    let all = unread(&["run", blocks()]).unwrap();
    assert_eq!(unread(&["extract", "--side", "buy", blocks()]), Some(all));
    assert_eq!(
        unread(&["run", "--module", "filtered_trades", blocks()]),
        None
    );
    let output = pumpfun(&["extract", "--side", "hold", blocks()]);
    assert!(
        stderr(&output).contains("filter: character 6: `hold` is no side"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn only_slots_that_are_asked_for_are_read() {
    let all = json(&succeeded(&["extract", blocks()]));
    let slots = |range: &str| json(&succeeded(&["extract", "--slots", range, blocks()]));
    let between = |first: u64, behind: u64| -> Vec<Value> {
        let lies = |row: &&Value| {
            let slot: u64 = row["slot"].as_str().unwrap().parse().unwrap();
            (first..behind).contains(&slot)
        };
        all.iter().filter(lies).cloned().collect()
    };
    assert_eq!(
        slots("430000030..430000090"),
        between(430_000_030, 430_000_090)
    );
    assert_eq!(
        slots("430000030..=430000090"),
        between(430_000_030, 430_000_091)
    );
    assert_eq!(slots("430000030"), between(430_000_030, 430_000_031));
    let output = pumpfun(&["extract", "--slots", "5..3", blocks()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("no slot lies in this range"),
        "{}",
        stderr(&output)
    );
    let out = TempDir::new().unwrap();
    let output = extract(out.path(), &["--slots", "430000100..430000200", blocks()]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(files(out.path()).len(), 1);
}

#[test]
fn statistics_count_what_extract_gives_and_say_what_drifts() {
    let report: Value =
        serde_json::from_str(&succeeded(&["stats", "--json", "--range", "100", blocks()])).unwrap();
    let trades = json(&succeeded(&["extract", blocks()]));
    assert_eq!(report["total"]["trades"], trades.len());
    assert_eq!(report["ranges"].as_array().unwrap().len(), 6);
    let sum: u64 = report["ranges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|range| range["trades"].as_u64().unwrap())
        .sum();
    assert_eq!(sum as usize, trades.len());
    let mut quotes: BTreeMap<&str, u128> = BTreeMap::new();
    for trade in &trades {
        *quotes
            .entry(trade["quote_mint"].as_str().unwrap())
            .or_default() += trade["quote_amount"]
            .as_str()
            .unwrap()
            .parse::<u128>()
            .unwrap();
    }
    for (mint, amount) in &quotes {
        assert_eq!(
            report["total"]["quotes"][mint]["amount"],
            amount.to_string()
        );
    }
    let tails = trades
        .iter()
        .filter(|trade| trade["unknown_trailing_bytes"] != 0)
        .count();
    assert_eq!(report["total"]["unknown_tails"]["trades"], tails);
    let raw = json(&succeeded(&["extract", "--rows", "raw_events", blocks()]));
    let kind = |name: &str| -> u64 {
        let counts = report["total"][name].as_object().unwrap();
        counts.values().map(|count| count.as_u64().unwrap()).sum()
    };
    assert_eq!(
        kind("other_events") + kind("unknown_events") + kind("unreadable_events"),
        raw.len() as u64
    );
    assert!(kind("unknown_events") > 0 && kind("unreadable_events") > 0);

    let table = succeeded(&["stats", "--range", "100", blocks()]);
    assert!(
        table.contains("430000000..=430000090") && table.contains("(SOL)"),
        "{table}"
    );
    let drift = pumpfun(&["stats", "--fail-on-drift", blocks()]);
    assert_eq!(drift.status.code(), Some(3));
    // A block without anything odd does not drift, nor does a file that cannot be read hide that another does.
    let blocks_alone = succeeded(&["stats", "--json", "--range", "30", blocks()]);
    let blocks_alone: Value = serde_json::from_str(&blocks_alone).unwrap();
    let calm = blocks_alone["ranges"]
        .as_array()
        .unwrap()
        .iter()
        .find_map(|range| {
            let odd = ["unknown_tails", "unknown_events", "unreadable_events"];
            let calm = odd
                .iter()
                .all(|kind| range[kind].as_object().unwrap().is_empty());
            calm.then(|| range["slots"][0].as_u64().unwrap())
        });
    let calm = calm.unwrap_or_else(|| panic!("no calm block: {blocks_alone}"));
    let slots = format!("{calm}..{}", calm + 1);
    succeeded(&["stats", "--fail-on-drift", "--slots", &slots, blocks()]);
    let folder = TempDir::new().unwrap();
    let broken = folder.path().join("430000001.binpb");
    fs::write(&broken, "no block").unwrap();
    let broken = broken.to_str().unwrap();
    let status = |args: &[&str]| pumpfun(&[&["stats"], args].concat()).status.code();
    assert_eq!(status(&["--fail-on-drift", broken, blocks()]), Some(3));
    assert_eq!(status(&[broken, blocks()]), Some(1));
    assert_eq!(status(&["--fail-on-drift", broken]), Some(1));
}

/// What cannot be written is an error, also where no row would be lost by it.
#[test]
fn a_report_that_nobody_gets_is_no_success() {
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else {
        return;
    };
    for args in [&["stats", blocks()][..], &["man"], &["completions", "bash"]] {
        let output = command(args)
            .stdout(full.try_clone().unwrap())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(
            stderr(&output).contains("standard output"),
            "{}",
            stderr(&output)
        );
    }
}

/// Memory holds some blocks a thread, and not what is behind them: single files, a bundle, lines and Parquet alike.
#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_follow_the_size_of_the_input() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (single, bundles, warehouse) = (path("single"), path("bundles"), path("warehouse"));
    succeeded(&["generate", "--blocks", "90", &single]);
    succeeded(&["bundle", "--out", &bundles, &single]);
    let parquet = ["--format", "parquet", "--out", &warehouse];
    for (input, more) in [
        (&single, &[][..]),
        (&bundles, &[][..]),
        (&single, &parquet[..]),
    ] {
        let output = pumpfun(
            &[
                &["extract", "--jobs", "1", "--rows", "all", "--log-format"],
                &["json", input][..],
                more,
            ]
            .concat(),
        );
        assert!(output.status.success(), "{}", stderr(&output));
        let said = stderr(&output);
        let figures = json(said.lines().last().unwrap()).remove(0);
        let figure = |name: &str| figures[name].as_u64().unwrap();
        // 290 MB of blocks; a block has up to 5, and a thread some dozen of them.
        assert!(figure("bytes") > 250_000_000, "{figures}");
        assert!(figure("peak_memory_bytes") < 140_000_000, "{figures}");
    }
}

#[test]
fn messages_can_be_json_and_shells_and_man_know_the_tool() {
    let output = pumpfun(&["extract", "--log-format", "json", "no/such/path", blocks()]);
    assert_eq!(output.status.code(), Some(1));
    let lines = json(&stderr(&output));
    assert!(lines.iter().any(|line| line["level"] == "error"
        && line["message"].as_str().unwrap().contains("no/such/path")));
    assert_eq!(lines.last().unwrap()["blocks"], 16);
    let folder = TempDir::new().unwrap();
    let made = folder.path().join("made");
    let output = pumpfun(&[
        "--log-format",
        "json",
        "generate",
        "--blocks",
        "1",
        made.to_str().unwrap(),
    ]);
    assert!(
        json(&stderr(&output))[0]["message"]
            .as_str()
            .unwrap()
            .contains("1 blocks of seed")
    );
    let output = pumpfun(&[
        "--log-format",
        "json",
        "extract",
        "--format",
        "parquet",
        blocks(),
    ]);
    assert_eq!(json(&stderr(&output))[0]["level"], "error");

    for shell in ["bash", "zsh", "fish"] {
        assert!(
            succeeded(&["completions", shell]).contains("fail-on-drift"),
            "{shell}"
        );
    }
    assert!(succeeded(&["man"]).contains(".TH pumpfun 1"));
    let folder = TempDir::new().unwrap();
    succeeded(&["man", folder.path().to_str().unwrap()]);
    assert!(
        fs::read_to_string(folder.path().join("pumpfun-extract.1"))
            .unwrap()
            .contains("slots\\-per\\-file")
    );
}
