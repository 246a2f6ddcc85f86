//! A range of slots and its files: what it is made of, whether it is done, and writing it whole or not at all.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use parquet::arrow::{ArrowWriter, parquet_to_arrow_schema};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::columns::{Batches, Table, Tables};
use crate::input::Source;
use crate::slots::SlotRange;

/// Rows of a row group: some ten megabytes in memory, and enough for dictionaries and statistics to pay.
const ROW_GROUP_ROWS: usize = 1 << 16;

/// Key of the metadata that says what a file was made of.
const MADE_OF: &str = "pumpfun.made_of";

/// Key of the metadata that counts blocks that could not be read.
const ERRORS: &str = "pumpfun.errors";

/// What to do where a file holds more than this run would put into it.
const HOW_ON: &str =
    "ask for that too, name another folder with --out, or make it anew with --overwrite";

/// The ranges of a run, by their first slot, and the sources of each.
#[derive(Debug)]
pub struct RangePlan(pub BTreeMap<u64, Vec<Source>>);

impl RangePlan {
    /// Sorts sources into ranges of `slots` slots, by the numbers that their names begin with.
    ///
    /// # Errors
    ///
    /// When a name tells no slot, or a source reaches over the border of a range.
    pub fn new(sources: Vec<Source>, slots: u64) -> Result<Self> {
        let mut ranges: BTreeMap<u64, Vec<Source>> = BTreeMap::new();
        for source in sources {
            let held = source.slots().with_context(|| {
                format!(
                    "{source}: its name does not begin with its slot (SLOT.binpb, NUMBER.dbin), by which it would be \
                     sorted into a file"
                )
            })?;
            let base = held.start - held.start % slots;
            ensure!(
                held.end <= base.saturating_add(slots),
                "{source} reaches over slot {}: files of {slots} slots cannot be made of it",
                base.saturating_add(slots)
            );
            ranges.entry(base).or_default().push(source);
        }
        for sources in ranges.values_mut() {
            sources.sort_by_key(|source| source.slots().map(|slots| slots.start));
        }
        Ok(Self(ranges))
    }
}

/// What a range's files are made of. It stands in their metadata, so that a later run sees whether it would make the
/// same, or less.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct MadeOf {
    /// What was asked for of each block.
    selection: Value,
    /// The slots of this range that were asked for: the first, and the one behind the last.
    slots: (u64, u64),
    /// Names and sizes of the sources.
    sources: Vec<(String, u64)>,
}

impl MadeOf {
    /// What of this another run would leave out; `None` if nothing.
    fn more_than(&self, other: &Self) -> Option<String> {
        if self.selection != other.selection {
            return Some(format!(
                "is made of other rows, {} and not {}",
                self.selection, other.selection
            ));
        }
        if self.slots.0 < other.slots.0 || self.slots.1 > other.slots.1 {
            return Some(format!(
                "is made of the slots {}..{}, of which only {}..{} are asked for",
                self.slots.0, self.slots.1, other.slots.0, other.slots.1
            ));
        }
        let names: HashSet<_> = other.sources.iter().map(|(name, _)| name).collect();
        let mut gone = self
            .sources
            .iter()
            .map(|(name, _)| name)
            .filter(|name| !names.contains(name));
        let first = gone.next()?;
        Some(match gone.count() {
            0 => format!("is made of {first} too, which is not among the files given"),
            more => {
                format!("is made of {first} and {more} more, which are not among the files given")
            }
        })
    }
}

/// The files of one range.
pub struct RangeFiles<'t> {
    folder: PathBuf,
    /// The range's slots.
    pub slots: Range<u64>,
    tables: &'t Tables,
    made_of: MadeOf,
}

/// What is there of a range's files before a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// All of them, as this run would make them.
    Done,
    /// All of them, with every block that they were made of; of less than this run has, or by another version.
    Whole,
    /// Not all, or without some blocks that could not be read.
    Nothing,
}

/// What wrote a file: another version may write other rows of the same blocks.
const CREATED_BY: &str = concat!("pumpfun ", env!("CARGO_PKG_VERSION"));

/// The range, to begin an error with.
impl fmt::Display for RangeFiles<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slots {}..{}", self.slots.start, self.slots.end)
    }
}

impl<'t> RangeFiles<'t> {
    /// The files of `slots` in `folder`, made of `sources` as `selection` says, or of those of their slots that are
    /// `wanted`.
    ///
    /// # Errors
    ///
    /// When a source is not there any more.
    pub fn new(
        folder: &Path,
        slots: Range<u64>,
        tables: &'t Tables,
        sources: &[Source],
        selection: Value,
        wanted: Option<&SlotRange>,
    ) -> Result<Self> {
        let sources = sources.iter().map(|source| {
            let Source::File(path) = source else {
                return Ok(("-".to_owned(), 0));
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let size = fs::metadata(path)
                .with_context(|| path.display().to_string())?
                .len();
            Ok((name.into_owned(), size))
        });
        let asked_for = wanted.map_or(slots.clone(), |wanted| wanted.within(&slots));
        let made_of = MadeOf {
            selection,
            slots: (asked_for.start, asked_for.end),
            sources: sources.collect::<Result<_>>()?,
        };
        Ok(Self {
            folder: folder.to_owned(),
            slots,
            tables,
            made_of,
        })
    }

    fn path(&self, table: &Table) -> PathBuf {
        let name = format!("{:010}.parquet", self.slots.start);
        self.folder.join(&table.name).join(name)
    }

    /// What is there of the files already.
    ///
    /// # Errors
    ///
    /// When one is there that holds what this run would not put into it, or that is none of ours.
    pub fn found(&self) -> Result<Found> {
        let (mut whole, mut same) = (true, true);
        for table in self.tables.iter() {
            let path = self.path(table);
            // What is not there or not whole is not done, and holds nothing.
            let Some(metadata) = File::open(&path)
                .ok()
                .and_then(|file| SerializedFileReader::new(file).ok())
                .map(|reader| reader.metadata().file_metadata().clone())
            else {
                whole = false;
                continue;
            };
            let pairs = metadata.key_value_metadata();
            let value = |key: &str| pairs?.iter().find(|pair| pair.key == key)?.value.clone();
            let made_of: Option<MadeOf> =
                value(MADE_OF).and_then(|text| serde_json::from_str(&text).ok());
            let made_of = made_of.with_context(|| {
                format!(
                    "{}: does not say what it is made of; {HOW_ON}",
                    path.display()
                )
            })?;
            if let Some(more) = made_of.more_than(&self.made_of) {
                bail!("{}: {more}; {HOW_ON}", path.display());
            }
            let schema = parquet_to_arrow_schema(metadata.schema_descr(), pairs);
            whole &= value(ERRORS).as_deref() == Some("0");
            same &= made_of == self.made_of
                && metadata.created_by() == Some(CREATED_BY)
                && schema.is_ok_and(|schema| schema.fields() == table.schema.fields());
        }
        Ok(match (whole, same) {
            (true, true) => Found::Done,
            (true, false) => Found::Whole,
            (false, _) => Found::Nothing,
        })
    }

    /// Begins to write the files, under other names.
    ///
    /// # Errors
    ///
    /// When one cannot be made.
    pub fn create(&self) -> Result<RangeWriter> {
        let mut writer = RangeWriter { files: Vec::new() };
        for table in self.tables.iter() {
            let path = self.path(table);
            let partial = path.with_extension("parquet.partial");
            let create = || -> Result<ArrowWriter<File>> {
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder)?;
                }
                let properties = WriterProperties::builder()
                    .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
                    .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
                    .set_created_by(CREATED_BY.to_owned())
                    .set_key_value_metadata(Some(vec![KeyValue::new(
                        MADE_OF.to_owned(),
                        serde_json::to_string(&self.made_of)?,
                    )]))
                    .build();
                let file = File::create(&partial)?;
                Ok(ArrowWriter::try_new(
                    file,
                    table.schema.clone(),
                    Some(properties),
                )?)
            };
            let arrow = create().with_context(|| partial.display().to_string())?;
            writer.files.push(OpenFile {
                writer: Some(arrow),
                partial,
                path,
            });
        }
        Ok(writer)
    }
}

/// The files of a range while they are written; dropped before they are whole, they are removed.
pub struct RangeWriter {
    files: Vec<OpenFile>,
}

struct OpenFile {
    /// Gone once the file is whole.
    writer: Option<ArrowWriter<File>>,
    partial: PathBuf,
    path: PathBuf,
}

impl RangeWriter {
    /// Adds a block's rows.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    pub fn write(&mut self, batches: &Batches) -> Result<()> {
        for (file, batch) in self.files.iter_mut().zip(&batches.0) {
            if let Some(writer) = &mut file.writer {
                writer
                    .write(batch)
                    .with_context(|| file.path.display().to_string())?;
            }
        }
        Ok(())
    }

    /// Ends the files, and gives them their names once all of them are whole. `errors` blocks could not be read: the
    /// files then hold the others, and are not taken for done.
    ///
    /// # Errors
    ///
    /// When a file cannot be written or renamed.
    pub fn finish(mut self, errors: u64) -> Result<()> {
        for file in &mut self.files {
            let Some(mut writer) = file.writer.take() else {
                continue;
            };
            let finish = || -> Result<()> {
                writer.append_key_value_metadata(KeyValue::new(
                    ERRORS.to_owned(),
                    errors.to_string(),
                ));
                // A name must never stand for bytes that a power cut would take away.
                writer.into_inner()?.sync_all()?;
                Ok(())
            };
            finish().with_context(|| file.path.display().to_string())?;
        }
        for file in &self.files {
            fs::rename(&file.partial, &file.path)
                .with_context(|| file.path.display().to_string())?;
        }
        self.files.clear();
        Ok(())
    }
}

impl Drop for RangeWriter {
    fn drop(&mut self) {
        for file in &self.files {
            let _ = fs::remove_file(&file.partial);
        }
    }
}
