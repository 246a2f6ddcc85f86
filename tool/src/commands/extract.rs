//! `pumpfun extract`: rows through the native library, printed or written to a warehouse.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Error, Result, bail, ensure};
use prost_reflect::DynamicMessage;
use pumpfun_trades::transaction::Outcomes;
use roaring::RoaringTreemap;

use super::{RowArgs, once, print_rows, status, tell_summary};
use crate::input::{BUNDLE_SLOTS, Meter, Source, SourceBlock};
use crate::pipeline;
use crate::rows::{self, Format};
use crate::selection::{FilterArgs, Selection};
use crate::summary::Summary;
use crate::warehouse::{Batches, RangeFiles, RangePlan, RangeWriter, Tables};

/// Read local blocks with the native library, on all cores: the rows of all Pump events.
///
/// They are the rows that the module map_events gives, or with --raw those of map_raw_trades, or with a filter those of
/// filtered_trades. They are printed; or, with --format parquet, written to files under --out, one a kind of rows and
/// range of slots. Such files are whole or not there, and a second run passes over the ranges that are done.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Also give what failed transactions would have done; such rows have `failed` set.
    #[arg(long)]
    failed: bool,

    /// Give keys as bytes (base64 in JSON and CSV), as the module map_raw_trades does.
    #[arg(long)]
    raw: bool,

    /// Folder for Parquet files; made if it is not there.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Slots of a Parquet file, a multiple of 100. A second run with another number makes other files.
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = slots_of_a_file)]
    slots_per_file: u64,

    #[command(flatten)]
    filter: FilterArgs,

    #[command(flatten)]
    rows: RowArgs,
}

fn slots_of_a_file(text: &str) -> Result<u64> {
    let slots: u64 = text.parse()?;
    ensure!(
        slots > 0 && slots.is_multiple_of(BUNDLE_SLOTS),
        "no multiple of {BUNDLE_SLOTS}, the slots of a bundle"
    );
    Ok(slots)
}

/// Runs the command.
///
/// # Errors
///
/// When nothing can be given at all; what cannot be read of the input only shows in the exit status.
pub fn extract(args: &Args) -> Result<ExitCode> {
    let outcomes = match args.failed {
        true => Outcomes::All,
        false => Outcomes::Successful,
    };
    let selection = Selection::new(outcomes, args.raw, args.filter.filter()?)?;
    match (&args.out, args.rows.format) {
        (Some(folder), Format::Parquet) => write_parquet(args, &selection, folder),
        (None, Format::Parquet) => {
            bail!("parquet is written to files: name a folder for them with --out")
        }
        (Some(_), _) => bail!("--out is for --format parquet: jsonl and csv go to standard output"),
        (None, _) => print_rows(&args.rows, selection.module(), |block| {
            Ok(Some(selection.rows(block)?))
        }),
    }
}

/// The rows of a block, as columns.
struct Extracted {
    slot: u64,
    batches: Option<Batches>,
    summary: Summary,
}

fn write_parquet(args: &Args, selection: &Selection, folder: &Path) -> Result<ExitCode> {
    let output = selection.module().output()?;
    let tables = Tables::new(&rows::fields(&output, &args.rows.rows)?)?;
    let _lock = lock(folder)?;
    let mut summary = Summary::default();
    let mut sources = Vec::new();
    let mut missing: Vec<Error> = Vec::new();
    for source in args.rows.input.sources() {
        match source {
            Ok(source) => sources.push(source),
            Err(error) => missing.push(error),
        }
    }
    let plan = RangePlan::new(sources, args.slots_per_file, args.rows.input.slots.as_ref())?;

    // What a file's rows depend on, beside its sources: where that changes, it is made anew.
    let asked_for = format!("{selection:?} {:?}", args.rows.input.slots);
    let mut ranges = Vec::new();
    let mut done = 0_u64;
    for (base, sources) in plan.0 {
        let slots = base..base.saturating_add(args.slots_per_file);
        let files = RangeFiles::new(folder, slots, &tables, &sources, &asked_for)?;
        match files.are_done() {
            true => done += 1,
            false => ranges.push((files, sources)),
        }
    }
    let stored = ranges
        .iter()
        .flat_map(|(_, sources)| sources)
        .map(Source::stored_bytes)
        .sum();
    let meter = Meter::new(stored, args.rows.input.quiet);
    for error in missing {
        summary.errors += 1;
        meter.error(&error);
    }
    let began = Instant::now();
    let written = ranges.len();
    for (files, sources) in ranges {
        let before = summary.errors;
        let mut writer = files.create()?;
        write_range(
            args,
            selection,
            &tables,
            &files,
            sources,
            &meter,
            &mut writer,
            &mut summary,
        )?;
        writer.finish(summary.errors - before)?;
    }
    meter.info(&format!(
        "{}: {written} ranges of {} slots written, {done} that were done passed over",
        folder.display(),
        args.slots_per_file
    ));
    if written > 0 {
        tell_summary(&meter, args.rows.input.quiet, &summary, began);
    }
    meter.finish();
    Ok(status(&summary))
}

#[allow(
    clippy::too_many_arguments,
    reason = "one call, whose parts are told apart by their types"
)]
fn write_range(
    args: &Args,
    selection: &Selection,
    tables: &Tables,
    files: &RangeFiles<'_>,
    sources: Vec<Source>,
    meter: &Meter,
    writer: &mut RangeWriter,
    summary: &mut Summary,
) -> Result<()> {
    let output = selection.module().output()?;
    let handle = |block: &SourceBlock| {
        let mut extracted = Extracted {
            slot: block.slot,
            batches: None,
            summary: Summary::default(),
        };
        if !args.rows.input.wants(block.slot) {
            return Ok(extracted);
        }
        ensure!(
            files.slots.contains(&block.slot),
            "{block}: the file's name says that it holds other slots"
        );
        extracted.summary.count_block(block);
        let rows = selection.rows(&block.bytes)?;
        extracted.summary.output_bytes = rows.len() as u64;
        let message = DynamicMessage::decode(output.clone(), rows.as_slice())
            .with_context(|| block.to_string())?;
        extracted.summary.count_rows(&message);
        extracted.batches = Some(tables.batches(&rows).with_context(|| block.to_string())?);
        Ok(extracted)
    };
    let mut slots = RoaringTreemap::new();
    let sources = sources.into_iter().map(Ok).collect();
    pipeline::run(
        sources,
        args.rows.input.threads(),
        meter,
        handle,
        |extracted| {
            match extracted.and_then(|extracted| {
                once(&mut slots, extracted.slot)?;
                Ok(extracted)
            }) {
                Ok(extracted) => {
                    if let Some(batches) = &extracted.batches {
                        writer.write(batches)?;
                    }
                    *summary += extracted.summary;
                    meter.show_blocks(summary.blocks);
                }
                Err(error) => {
                    summary.errors += 1;
                    meter.error(&error);
                }
            }
            Ok(())
        },
    )
}

/// Holds the folder against a second run, as long as the value lives.
fn lock(folder: &Path) -> Result<File> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let path = folder.join(".lock");
    let file = File::create(&path).with_context(|| path.display().to_string())?;
    file.try_lock()
        .with_context(|| format!("{}: another run writes into it", folder.display()))?;
    Ok(file)
}
