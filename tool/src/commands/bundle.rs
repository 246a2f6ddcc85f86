//! `pumpfun bundle`: single blocks into merged bundles.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use crate::bundle::BundleWriter;
use crate::input::{self, Meter, Source};

/// Write blocks as Firehose merged bundles, OUT/NUMBER.dbin.zst of 100 slots each, for a Substreams engine to read.
///
/// Blocks come in ascending order and are linked one to the next, as the engine wants it; missing bundles between
/// them, and some behind them, are made up with a block without transactions each.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files or folders of blocks, as `run` takes them.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Folder to write into; made if it is not there.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Bundles to make up behind the last block: the engine waits for one behind the bundle that a request stops in.
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=1000))]
    behind: u64,

    /// Print no progress and no summary.
    #[arg(long)]
    quiet: bool,
}

/// Runs the command.
///
/// # Errors
///
/// When a block cannot be read, or a bundle not be written: a chain with a hole is of no use.
pub fn bundle(args: &Args) -> Result<ExitCode> {
    let sources = input::sources(&args.paths)
        .into_iter()
        .collect::<Result<Vec<_>>>()?;
    let meter = Meter::new(sources.iter().map(Source::stored_bytes).sum(), args.quiet);
    let mut writer = BundleWriter::new(&args.out)?;
    let mut result = Ok(());
    for source in &sources {
        source.blocks(&meter, |block| {
            result = block.and_then(|block| writer.push(&block));
            result.is_ok()
        });
        if result.is_err() {
            break;
        }
    }
    meter.finish();
    result?;
    let written = writer.finish(args.behind)?;
    meter.info(&format!(
        "{}: {} bundles with {} blocks, {} of which do not follow the block before; {} empty blocks made up",
        args.out.display(),
        written.bundles,
        written.blocks,
        written.unlinked,
        written.fillers
    ));
    Ok(ExitCode::SUCCESS)
}
