//! `pumpfun convert`: blocks from one kind of files into another.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use crate::input::{self, Meter, Source, SourceBlock, write_block};

/// Write blocks of any files as single blocks, OUT/SLOT.binpb.zst: merged bundles taken apart, and answers of the RPC
/// method getBlock (SLOT.json) turned into blocks.
///
/// For bundles out of any of these see `pumpfun bundle`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files or folders of blocks, as `run` takes them.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Folder to write into; made if it is not there.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Replace files that hold another block.
    #[arg(long)]
    overwrite: bool,

    /// Print no progress and no summary.
    #[arg(long)]
    quiet: bool,
}

/// Runs the command.
///
/// # Errors
///
/// When the folder cannot be made; what cannot be read or written only shows in the exit status.
pub fn convert(args: &Args) -> Result<ExitCode> {
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let sources = input::sources(&args.paths);
    let stored = sources.iter().flatten().map(Source::stored_bytes).sum();
    let meter = Meter::new(stored, args.quiet);
    let (mut written, mut there, mut errors) = (0_u64, 0_u64, 0_u64);
    let mut take = |block: Result<SourceBlock>| {
        match block.and_then(|block| write(args, &block)) {
            Ok(true) => written += 1,
            Ok(false) => there += 1,
            Err(error) => {
                errors += 1;
                meter.error(&error);
            }
        }
        true
    };
    for source in sources {
        match source {
            Ok(source) => source.blocks(&meter, &mut take),
            Err(error) => drop(take(Err(error))),
        }
    }
    meter.finish();
    meter.info(&format!(
        "{}: {written} blocks written, {there} were there",
        args.out.display()
    ));
    Ok(match errors {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// Writes a block, unless its file holds it already.
fn write(args: &Args, block: &SourceBlock) -> Result<bool> {
    let path = args.out.join(format!("{}.binpb.zst", block.slot));
    if path.exists() {
        let held = zstd::decode_all(fs::File::open(&path)?).ok();
        if held.as_ref() == Some(&block.bytes) {
            return Ok(false);
        }
        ensure!(
            args.overwrite,
            "{}: holds another block of this slot; --overwrite replaces it",
            path.display()
        );
    }
    write_block(&path, &block.bytes)?;
    Ok(true)
}
