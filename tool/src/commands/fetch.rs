//! `pumpfun fetch`: blocks from an RPC endpoint.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow};

use crate::input::{BlockHead, Meter, read_blocks, write_block};
use crate::rpc::{Client, Encoding, Endpoint, Fetched};
use crate::slots::SlotRange;

/// Fetch blocks from an RPC endpoint by getBlock, and write them as DIR/SLOT.binpb.zst.
///
/// What is there is not fetched again; a skipped slot leaves an empty file SLOT.skipped. Endpoints also call a slot skipped
/// whose block they have lost: where the next block names such a slot as its parent's, the mark is taken away again and
/// the slot has failed. Answers of 429 and 5xx, broken
/// ones and those that say `later` are asked for again, each time after a longer pause. The endpoint's address may hold
/// a key: only its scheme and host are ever printed.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The endpoint.
    #[arg(
        long,
        value_name = "URL",
        env = "PUMPFUN_RPC_URL",
        hide_env_values = true
    )]
    rpc: Address,

    /// The slots: A..B (without B), A..=B, or A.
    #[arg(long, value_name = "A..B")]
    slots: SlotRange,

    /// Folder to write into; made if it is not there.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// How transactions are asked for.
    #[arg(long, default_value = "base64")]
    encoding: Encoding,

    /// Questions that are asked at once.
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,

    /// How often a slot is asked for again.
    #[arg(long, default_value_t = 8, value_name = "N")]
    retries: u32,

    /// Seconds to wait for an answer.
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS", value_parser = seconds)]
    timeout: f64,

    /// Seconds to pause before the first of these; each further pause is twice as long, up to a minute.
    #[arg(long, default_value_t = 1.0, value_name = "SECONDS", value_parser = seconds)]
    pause: f64,

    /// Print no progress and no summary.
    #[arg(long)]
    quiet: bool,
}

/// The endpoint's address as it was given: read later, as clap would show what it refuses.
#[derive(Clone)]
struct Address(String);

impl From<String> for Address {
    fn from(url: String) -> Self {
        Self(url)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an address")
    }
}

fn seconds(text: &str) -> Result<f64> {
    let seconds: f64 = text.parse().context("no number")?;
    anyhow::ensure!(
        (0.001..=86_400.0).contains(&seconds),
        "not from 0.001 to 86400"
    );
    Ok(seconds)
}

/// Slots of which it is said why they could not be fetched.
const SHOWN: u64 = 20;

/// Slots that fail at the beginning, without one that does not, before the endpoint is given up.
const HOPELESS: u64 = 50;

/// How many slots came to which end.
#[derive(Default)]
struct Counts {
    fetched: u64,
    skipped: u64,
    there: u64,
    failed: u64,
    /// What makes going on useless.
    fatal: Option<Error>,
}

/// Runs the command.
///
/// # Errors
///
/// When the address is none, a file cannot be written, or the endpoint gives nothing from the beginning; single slots
/// that cannot be fetched only show in the exit status.
pub fn fetch(args: &Args) -> Result<ExitCode> {
    let endpoint = Endpoint::new(&args.rpc.0)?;
    fs::create_dir_all(&args.folder).with_context(|| args.folder.display().to_string())?;
    let client = Client::new(
        endpoint,
        args.encoding,
        Duration::from_secs_f64(args.timeout),
        args.retries,
        Duration::from_secs_f64(args.pause),
    );
    let (first, last) = args.slots.ends();
    let meter = Meter::of_items(last - first + 1, args.quiet);
    let next = AtomicU64::new(first);
    let counts = Mutex::new(Counts::default());
    thread::scope(|scope| {
        for _ in 0..args.jobs {
            scope.spawn(|| {
                let follow = |slot: u64| (slot <= last).then(|| slot.saturating_add(1));
                while let Ok(slot) = next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, follow)
                {
                    let done = fetch_one(&client, slot, &args.folder);
                    let Ok(mut counts) = counts.lock() else {
                        break;
                    };
                    match done {
                        Ok(Done::Fetched) => counts.fetched += 1,
                        Ok(Done::Skipped) => counts.skipped += 1,
                        Ok(Done::There) => counts.there += 1,
                        Ok(Done::Failed(error)) => {
                            counts.failed += 1;
                            if counts.failed <= SHOWN {
                                meter.error(&error);
                            }
                            if counts.failed == HOPELESS && counts.fetched + counts.skipped == 0 {
                                counts.fatal = Some(anyhow!(
                                    "{HOPELESS} slots have failed, and none has not: given up"
                                ));
                            }
                        }
                        Err(error) => counts.fatal = Some(error),
                    }
                    if counts.fatal.is_some() {
                        break;
                    }
                    meter.add_item();
                }
            });
        }
    });
    meter.finish();
    let mut counts = counts.into_inner().unwrap_or_default();
    for (slot, child) in take_back_wrong_marks(&args.folder, &args.slots)? {
        counts.skipped = counts.skipped.saturating_sub(1);
        counts.failed += 1;
        meter.error(&anyhow!(
            "slot {slot}: was said to be skipped, but is the parent of slot {child}: the endpoint has lost its block, \
             ask another one"
        ));
    }
    let failed = counts.failed;
    if failed > SHOWN {
        meter.error(&anyhow!("and {} slots more", failed - SHOWN));
    }
    meter.info(&format!(
        "{}: {} blocks fetched, {} slots skipped, {} were there, {failed} failed",
        args.folder.display(),
        counts.fetched,
        counts.skipped,
        counts.there
    ));
    if let Some(fatal) = counts.fatal {
        return Err(fatal);
    }
    Ok(match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// What became of a slot.
enum Done {
    Fetched,
    Skipped,
    /// It was there.
    There,
    Failed(Error),
}

/// Fetches a slot's block into its file.
///
/// # Errors
///
/// When the file cannot be written: nor will the next one.
fn fetch_one(client: &Client, slot: u64, folder: &Path) -> Result<Done> {
    let file = folder.join(format!("{slot}.binpb.zst"));
    let skipped = folder.join(format!("{slot}.skipped"));
    if file.exists() || skipped.exists() {
        return Ok(Done::There);
    }
    match client.fetch(slot) {
        Ok(Fetched::Block(bytes)) => {
            write_block(&file, &bytes)?;
            Ok(Done::Fetched)
        }
        Ok(Fetched::Skipped) => {
            fs::write(&skipped, "").with_context(|| skipped.display().to_string())?;
            Ok(Done::Skipped)
        }
        Err(error) => Ok(Done::Failed(error)),
    }
}

/// Removes the marks of slots that were said to be skipped, but are a block's parent: gives each with that block's slot.
/// Marks that stand alone are left, as nothing tells of them.
fn take_back_wrong_marks(folder: &Path, slots: &SlotRange) -> Result<Vec<(u64, u64)>> {
    let (mut marks, mut blocks) = (BTreeSet::new(), Vec::new());
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let name = entry?.file_name();
        let Some((number, ending)) = name.to_str().and_then(|name| name.split_once('.')) else {
            continue;
        };
        match (number.parse(), ending) {
            (Ok(slot), "skipped") if slots.contains(slot) => drop(marks.insert(slot)),
            (Ok(slot), "binpb.zst") => blocks.push(slot),
            _ => {}
        }
    }
    let mut wrong = Vec::new();
    for slot in blocks {
        // The others have a block, or nothing, where their parent would be marked.
        if !slot
            .checked_sub(1)
            .is_some_and(|before| marks.contains(&before))
        {
            continue;
        }
        let file = folder.join(format!("{slot}.binpb.zst"));
        let mut parent = None;
        let stored = File::open(&file).map(BufReader::new);
        // What cannot be read tells nothing; those who read it for its rows will say why.
        if let Ok(stored) = stored {
            let _ = read_blocks(stored, Some(slot), &mut |block| {
                let head = block.and_then(|block| BlockHead::of(&block.bytes));
                parent = head.ok().map(|head| head.parent_slot);
                false
            });
        }
        if let Some(parent) = parent.filter(|parent| marks.contains(parent)) {
            let mark = folder.join(format!("{parent}.skipped"));
            fs::remove_file(&mark).with_context(|| mark.display().to_string())?;
            wrong.push((parent, slot));
        }
    }
    wrong.sort_unstable();
    Ok(wrong)
}
