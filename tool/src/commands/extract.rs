//! `pumpfun extract`: rows through the native library, printed or written to a warehouse.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail, ensure};
use prost_reflect::DynamicMessage;
use pumpfun_trades::transaction::Outcomes;

use super::{RowArgs, Taken, print_rows, status, tell_summary};
use crate::input::{BUNDLE_SLOTS, Meter, Source, SourceBlock};
use crate::pipeline;
use crate::rows::{self, Format};
use crate::selection::{FilterArgs, Selection};
use crate::summary::Summary;
use crate::warehouse::{Batches, Found, RangeFiles, RangePlan, RangeWriter, Tables};

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

    /// Make ranges anew though their files hold more than this run would put into them: rows of blocks that are not
    /// given, of other slots, or of another filter.
    #[arg(long, requires = "out")]
    overwrite: bool,

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
    let selection = Selection::new(outcomes, args.raw, args.filter.expression()?)?;
    match (&args.out, args.rows.format) {
        (Some(folder), Format::Parquet) => write_parquet(args, &selection, folder),
        (None, Format::Parquet) => {
            bail!("parquet is written to files: name a folder for them with --out")
        }
        (Some(_), _) => bail!("--out is for --format parquet: jsonl and csv go to standard output"),
        (None, _) => print_rows(&args.rows, selection.module(), |block, _, summary| {
            let selected = selection.select(block)?;
            summary.unread_events = summary.unread_events.or(selected.left_out_unread);
            Ok(Some(selected.rows))
        }),
    }
}

/// The rows of a block, as columns.
#[derive(Default)]
struct Extracted {
    batches: Option<Batches>,
    summary: Summary,
}

fn write_parquet(args: &Args, selection: &Selection, folder: &Path) -> Result<ExitCode> {
    let output = selection.module().output()?;
    let tables = Tables::new(&rows::fields(&output, &args.rows.rows)?)?;
    let _lock = lock(folder)?;
    // Where one is not there, a range would be made without its blocks.
    let sources: Result<Vec<_>> = args.rows.input.sources().into_iter().collect();
    let sources = sources.context("nothing is written")?;
    let plan = RangePlan::new(sources, args.slots_per_file)?;

    let mut ranges = Vec::new();
    let mut done = 0_u64;
    for (base, sources) in plan.0 {
        let files = RangeFiles::new(
            folder,
            base..base.saturating_add(args.slots_per_file),
            &tables,
            &sources,
            selection.description(),
            args.rows.input.slots.as_ref(),
        )?;
        let found = match args.overwrite {
            true => Found::Nothing,
            false => files.found()?,
        };
        match found {
            Found::Done => done += 1,
            found => ranges.push((files, sources, found)),
        }
    }
    let stored = ranges
        .iter()
        .flat_map(|(_, sources, _)| sources)
        .map(Source::stored_bytes)
        .sum();
    let meter = Meter::new(stored, args.rows.input.quiet);
    let began = Instant::now();
    let (mut written, mut kept) = (0_u64, 0_u64);
    let mut summary = Summary::default();
    let run = RangeRun {
        args,
        selection,
        tables: &tables,
        meter: &meter,
    };
    for (files, sources, found) in ranges {
        let (part, writer) = run.write(&files, sources, summary.blocks)?;
        if part.errors > 0 && found == Found::Whole {
            kept += 1;
            meter.error(&anyhow!(
                "{}: not all blocks could be read this time; its files are left as they are, from a run that could",
                files
            ));
        } else {
            writer.finish(part.errors)?;
            written += 1;
        }
        summary += part;
    }
    meter.info(&format!(
        "{}: {written} ranges of {} slots written, {done} that were done passed over{}",
        folder.display(),
        args.slots_per_file,
        match kept {
            0 => String::new(),
            kept => format!(", {kept} left as they were"),
        }
    ));
    if written + kept > 0 {
        tell_summary(&meter, args.rows.input.quiet, &summary, began);
    }
    meter.finish();
    Ok(status(&summary))
}

/// What the ranges of a run are written with.
struct RangeRun<'a> {
    args: &'a Args,
    selection: &'a Selection,
    tables: &'a Tables,
    meter: &'a Meter,
}

impl RangeRun<'_> {
    /// Writes the files of a range, but for their ends, and counts what is in them; `before` blocks are done already.
    fn write(
        &self,
        files: &RangeFiles<'_>,
        sources: Vec<Source>,
        before: u64,
    ) -> Result<(Summary, RangeWriter)> {
        let input = &self.args.rows.input;
        let module = self.selection.module();
        let output = module.output()?;
        let handle = |block: &SourceBlock| {
            let mut extracted = Extracted::default();
            if !input.wants(block.slot) {
                return Ok((block.slot, extracted));
            }
            ensure!(
                files.slots.contains(&block.slot),
                "{block}: the file's name says that it holds other slots"
            );
            extracted.summary = Summary::of_block(block, module);
            let selected = self.selection.select(&block.bytes)?;
            let rows = selected.rows;
            extracted.summary.output_bytes = rows.len() as u64;
            let message = DynamicMessage::decode(output.clone(), rows.as_slice())
                .with_context(|| block.to_string())?;
            extracted.summary.count_rows(&message);
            let unread = &mut extracted.summary.unread_events;
            *unread = unread.or(selected.left_out_unread);
            let batches = self.tables.batches(&rows);
            extracted.batches = Some(batches.with_context(|| block.to_string())?);
            Ok((block.slot, extracted))
        };
        let mut taken = Taken::default();
        let mut summary = Summary::default();
        let mut writer = files.create()?;
        pipeline::run(
            sources.into_iter().map(Ok).collect(),
            input.threads(),
            self.meter,
            handle,
            |extracted| {
                if let Some((_, extracted)) = taken.take(extracted, self.meter) {
                    if let Some(batches) = &extracted.batches {
                        writer.write(batches)?;
                    }
                    summary += extracted.summary;
                    self.meter.show_blocks(before + summary.blocks);
                }
                Ok(())
            },
        )?;
        summary.errors = taken.errors;
        Ok((summary, writer))
    }
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
