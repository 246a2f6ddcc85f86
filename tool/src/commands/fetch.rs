//! `pumpfun fetch`: blocks from an RPC endpoint.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Error, Result};

use crate::input::{Meter, write_block};
use crate::rpc::{Client, Encoding, Endpoint, Fetched};
use crate::slots::SlotRange;

/// Fetch blocks from an RPC endpoint by getBlock, and write them as DIR/SLOT.binpb.zst.
///
/// What is there is not fetched again; a skipped slot leaves an empty file SLOT.skipped. Answers of 429 and 5xx, broken
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
const SHOWN: usize = 20;

/// How many slots came to which end.
#[derive(Default)]
struct Counts {
    fetched: u64,
    skipped: u64,
    there: u64,
    failed: Vec<Error>,
}

/// Runs the command.
///
/// # Errors
///
/// When the address is none or the folder cannot be made; slots that cannot be fetched only show in the exit status.
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
                loop {
                    let slot = next.fetch_add(1, Ordering::Relaxed);
                    if slot > last {
                        break;
                    }
                    let done = fetch_one(&client, slot, &args.folder);
                    let Ok(mut counts) = counts.lock() else {
                        break;
                    };
                    match done {
                        Ok(Some(Fetched::Block(_))) => counts.fetched += 1,
                        Ok(Some(Fetched::Skipped)) => counts.skipped += 1,
                        Ok(None) => counts.there += 1,
                        Err(error) => counts.failed.push(error),
                    }
                    meter.add_item();
                }
            });
        }
    });
    meter.finish();
    let counts = counts.into_inner().unwrap_or_default();
    for error in counts.failed.iter().take(SHOWN) {
        meter.error(error);
    }
    let failed = counts.failed.len();
    if failed > SHOWN {
        meter.error(&anyhow::anyhow!("and {} slots more", failed - SHOWN));
    }
    meter.info(&format!(
        "{}: {} blocks fetched, {} slots skipped, {} were there, {failed} failed",
        args.folder.display(),
        counts.fetched,
        counts.skipped,
        counts.there
    ));
    Ok(match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// Fetches a slot's block into its file; `None` if it is there already.
fn fetch_one(client: &Client, slot: u64, folder: &Path) -> Result<Option<Fetched>> {
    let file = folder.join(format!("{slot}.binpb.zst"));
    let skipped = folder.join(format!("{slot}.skipped"));
    if file.exists() || skipped.exists() {
        return Ok(None);
    }
    let fetched = client.fetch(slot)?;
    match &fetched {
        Fetched::Block(bytes) => write_block(&file, bytes)?,
        Fetched::Skipped => {
            fs::write(&skipped, "").with_context(|| skipped.display().to_string())?
        }
    }
    Ok(Some(fetched))
}
