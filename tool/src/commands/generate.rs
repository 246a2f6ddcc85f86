//! `pumpfun generate`: synthetic blocks to try everything on.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use pumpfun_generate::{DEFAULT_BLOCKS, DEFAULT_SEED, Generator};

use crate::input::{Meter, write_block};

/// Write synthetic Solana blocks as DIR/SLOT.binpb.zst, the same on every machine for the same seed.
///
/// They have the size and the traffic of mainnet's blocks, and Pump trades of every layout in all the ways in which
/// they come: direct and through routers, in failed transactions, with lookup tables, beside lookalikes.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What the blocks are made from.
    #[arg(long, default_value_t = DEFAULT_SEED, value_name = "N")]
    seed: u64,

    /// How many blocks.
    #[arg(long, default_value_t = DEFAULT_BLOCKS, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    blocks: u32,

    /// Slots from block to block, where none is skipped: with 30, sixteen blocks lie in six bundles.
    #[arg(long, default_value_t = 1, value_name = "SLOTS", value_parser = clap::value_parser!(u32).range(1..=1000))]
    apart: u32,

    /// Folder to write into; made if it is not there.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Print no progress and no summary.
    #[arg(long)]
    quiet: bool,
}

/// Runs the command.
///
/// # Errors
///
/// When the folder or a file cannot be written.
pub fn generate(args: &Args) -> Result<ExitCode> {
    fs::create_dir_all(&args.folder).with_context(|| args.folder.display().to_string())?;
    let generator = Generator::new(args.seed).apart(args.apart);
    refuse_other_files(args, &generator)?;
    let meter = Meter::of_items(u64::from(args.blocks), args.quiet);
    let (mut bytes, mut trades) = (0, 0);
    for block in (0..args.blocks).map(|index| generator.block(index)) {
        let path = args.folder.join(format!("{}.binpb.zst", block.slot));
        write_block(&path, &block.bytes)?;
        bytes += block.bytes.len();
        trades += block.trades.len();
        meter.add_item();
    }
    meter.info(&format!(
        "{}: {} blocks of seed {}, {:.1} MB, {trades} trades, failed ones among them",
        args.folder.display(),
        args.blocks,
        args.seed,
        bytes as f64 / 1e6
    ));
    meter.finish();
    Ok(ExitCode::SUCCESS)
}

/// Refuses a folder with files of other blocks than those to be written: they would be taken for one set.
fn refuse_other_files(args: &Args, generator: &Generator) -> Result<()> {
    let slots = generator.slot(0)..=generator.slot(args.blocks.saturating_sub(1));
    for entry in fs::read_dir(&args.folder).with_context(|| args.folder.display().to_string())? {
        let name = entry?.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_suffix(".binpb.zst")?.parse().ok());
        let ours = number.is_some_and(|number: u64| slots.contains(&number));
        ensure!(
            ours,
            "{}: holds {} already; name an empty folder",
            args.folder.display(),
            name.display()
        );
    }
    Ok(())
}
