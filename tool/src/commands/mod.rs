//! The commands, one a file, and what those that print rows share.

pub mod bundle;
pub mod convert;
pub mod extract;
pub mod fetch;
pub mod generate;
pub mod run;
pub mod shell;
pub mod stats;

use std::io::{self, BufWriter, ErrorKind, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Error, Result, ensure};
use roaring::RoaringTreemap;

use crate::input::{self, Meter, Source, SourceBlock};
use crate::log::{self, Level};
use crate::pipeline;
use crate::rows::{Format, Kind, RowPrinter};
use crate::schema::Module;
use crate::slots::SlotRange;
use crate::summary::Summary;

/// Arguments of the commands that read blocks.
#[derive(clap::Args, Debug)]
pub struct InputArgs {
    /// Files or folders: SLOT.binpb (one block), NUMBER.dbin (a merged bundle of Firehose, version 0 or 1), SLOT.json (an
    /// answer of getBlock), each also with .zst; or - for one on standard input. A folder's files are read by number.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Only blocks of these slots: A..B (without B), A..=B, or A. Files whose names say that they hold none are not
    /// read.
    #[arg(long, value_name = "A..B")]
    pub slots: Option<SlotRange>,

    /// Threads that handle blocks, 1 to 1024; as many as there are cores if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,

    /// Print no progress and no summary.
    #[arg(long)]
    pub quiet: bool,
}

impl InputArgs {
    /// The sources that can hold a slot that is asked for; those that are not there as their error.
    fn sources(&self) -> Vec<Result<Source>> {
        let mut sources = input::sources(&self.paths);
        sources.retain(|source| match (source, &self.slots) {
            (Ok(source), Some(wanted)) => source.slots().is_none_or(|held| wanted.overlaps(&held)),
            _ => true,
        });
        sources
    }

    /// Whether a slot is asked for.
    fn wants(&self, slot: u64) -> bool {
        self.slots.as_ref().is_none_or(|slots| slots.contains(slot))
    }

    fn threads(&self) -> NonZero<usize> {
        let cores = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        let jobs = self.jobs.and_then(|jobs| NonZero::new(usize::from(jobs)));
        jobs.unwrap_or(cores)
    }
}

/// Arguments of the commands that give rows.
#[derive(clap::Args, Debug)]
pub struct RowArgs {
    /// The blocks.
    #[command(flatten)]
    pub input: InputArgs,

    /// Kinds of rows, or `all`. With anything but `trades` alone, each JSON line begins with its @type.
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
}

/// The printed rows of a block.
#[derive(Default)]
struct Printed {
    rows: Vec<u8>,
    summary: Summary,
}

/// Prints what `call` gives for each block: the encoded output of `module`, or nothing. What the output does not tell,
/// it counts itself.
fn print_rows(
    args: &RowArgs,
    module: Module,
    call: impl Fn(&[u8], &Meter, &mut Summary) -> Result<Option<Vec<u8>>> + Sync,
) -> Result<ExitCode> {
    let printer = RowPrinter::new(module, &args.rows, args.format)?;
    let sources = args.input.sources();
    let stored = sources.iter().flatten().map(Source::stored_bytes).sum();
    let meter = Meter::new(stored, args.input.quiet);

    let print_block = |block: &SourceBlock| {
        let mut printed = Printed::default();
        if !args.input.wants(block.slot) {
            return Ok((block.slot, printed));
        }
        printed.summary = Summary::of_block(block, module);
        if let Some(output) = call(&block.bytes, &meter, &mut printed.summary)? {
            printed.summary.output_bytes = output.len() as u64;
            printer
                .print(&output, &mut printed.rows, &mut printed.summary)
                .with_context(|| format!("slot {}", block.slot))?;
        }
        Ok((block.slot, printed))
    };

    let began = Instant::now();
    let mut taken = Taken::default();
    let mut summary = Summary::default();
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let ended = out
        .write_all(&printer.header()?)
        .map_err(Error::from)
        .and_then(|()| {
            pipeline::run(
                sources,
                args.input.threads(),
                &meter,
                print_block,
                |printed| {
                    if let Some((_, printed)) = taken.take(printed, &meter) {
                        out.write_all(&printed.rows)?;
                        summary += printed.summary;
                        meter.show_blocks(summary.blocks);
                    }
                    Ok(())
                },
            )?;
            Ok(out.flush()?)
        });
    summary.errors = taken.errors;
    match ended {
        // Whoever read our rows has enough of them.
        Err(error) if is_broken_pipe(&error) => {}
        ended => {
            ended?;
            tell_summary(&meter, args.input.quiet, &summary, began);
        }
    }
    meter.finish();
    Ok(status(&summary))
}

/// What a run has taken of its blocks so far.
#[derive(Default)]
struct Taken {
    slots: RoaringTreemap,
    /// Blocks and files that could not be.
    errors: u64,
}

impl Taken {
    /// What was made of a block of a slot, once: the same block in two files would double its trades. What failed is
    /// told and counted instead.
    fn take<T>(&mut self, made: Result<(u64, T)>, meter: &Meter) -> Option<(u64, T)> {
        let once = made.and_then(|(slot, made)| {
            ensure!(
                self.slots.insert(slot),
                "slot {slot}: there before; its rows are given once"
            );
            Ok((slot, made))
        });
        match once {
            Ok(made) => Some(made),
            Err(error) => {
                self.errors += 1;
                meter.error(&error);
                None
            }
        }
    }
}

/// Writes a text to standard output, of which whoever reads it may have enough.
///
/// # Errors
///
/// When it cannot be written, but for that reason.
fn print(text: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("standard output"),
    }
}

fn tell_summary(meter: &Meter, quiet: bool, summary: &Summary, began: Instant) {
    if !quiet {
        let time = began.elapsed();
        let text = summary.with_time(time).to_string();
        let message = match log::format() {
            log::LogFormat::Text => text.as_str(),
            log::LogFormat::Json => "done",
        };
        meter.println(&log::with_figures(
            Level::Info,
            message,
            summary.figures(time),
        ));
    }
}

fn status(summary: &Summary) -> ExitCode {
    match summary.errors {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn is_broken_pipe(error: &Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
