//! The commands, one a file, and what those that print rows share.

pub mod bundle;
pub mod extract;
pub mod generate;
pub mod run;

use std::io::{self, BufWriter, ErrorKind, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Error, Result, ensure};
use roaring::RoaringTreemap;

use crate::input::{self, Meter, Source, SourceBlock};
use crate::pipeline;
use crate::rows::{Format, Kind, RowPrinter};
use crate::schema::Module;
use crate::summary::Summary;

/// Arguments of the commands that print rows.
#[derive(clap::Args, Debug)]
pub struct RowArgs {
    /// Files or folders: SLOT.binpb (one block), NUMBER.dbin (a merged bundle of Firehose, version 0 or 1), either
    /// also with .zst; or - for one on standard input. A folder's files are read by number.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Kinds of rows to print, or `all`. With anything but `trades` alone, each JSON line begins with its @type.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "trades",
        value_name = "KINDS"
    )]
    pub rows: Vec<Kind>,

    /// How rows are written.
    #[arg(long, default_value = "jsonl")]
    pub format: Format,

    /// Threads that handle blocks, 1 to 1024; as many as there are cores if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,

    /// Print no progress and no summary.
    #[arg(long)]
    pub quiet: bool,
}

/// The printed rows of a block.
struct Printed {
    slot: u64,
    rows: Vec<u8>,
    summary: Summary,
}

/// Prints what `call` gives for each block: the encoded output of `module`, or nothing.
fn print_rows(
    args: &RowArgs,
    module: Module,
    call: impl Fn(&[u8]) -> Result<Option<Vec<u8>>> + Sync,
) -> Result<ExitCode> {
    let printer = RowPrinter::new(module, &args.rows, args.format)?;
    let sources = input::sources(&args.paths);
    let stored = sources.iter().flatten().map(Source::stored_bytes).sum();
    let meter = Meter::new(stored, args.quiet);
    let cores = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let threads = args
        .jobs
        .and_then(|jobs| NonZero::new(usize::from(jobs)))
        .unwrap_or(cores);

    let print_block = |block: &SourceBlock| {
        let mut printed = Printed {
            slot: block.slot,
            rows: Vec::new(),
            summary: Summary::default(),
        };
        printed.summary.count_block(block);
        if let Some(output) = call(&block.bytes)? {
            printed.summary.output_bytes = output.len() as u64;
            printer
                .print(&output, &mut printed.rows, &mut printed.summary)
                .with_context(|| format!("slot {}", block.slot))?;
        }
        Ok(printed)
    };

    let began = Instant::now();
    let mut summary = Summary::default();
    let mut slots = RoaringTreemap::new();
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let taken = out
        .write_all(&printer.header()?)
        .map_err(Error::from)
        .and_then(|()| {
            pipeline::run(sources, threads, &meter, print_block, |printed| {
                match printed.and_then(|printed| {
                    // Each trade once: the same block in two files would double them all.
                    ensure!(
                        slots.insert(printed.slot),
                        "slot {}: there before; its rows are printed once",
                        printed.slot
                    );
                    Ok(printed)
                }) {
                    Ok(printed) => {
                        out.write_all(&printed.rows)?;
                        summary += printed.summary;
                        meter.show_blocks(summary.blocks);
                    }
                    Err(error) => {
                        summary.errors += 1;
                        meter.println(&format!("error: {error:#}"));
                    }
                }
                Ok(())
            })?;
            Ok(out.flush()?)
        });
    match taken {
        // Whoever read our rows has enough of them.
        Err(error) if is_broken_pipe(&error) => {}
        taken => {
            taken?;
            if !args.quiet {
                meter.println(&summary.with_time(began.elapsed()).to_string());
            }
        }
    }
    meter.finish();
    Ok(if summary.errors == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn is_broken_pipe(error: &Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
