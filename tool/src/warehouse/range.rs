//! A range of slots and its files: what it is made of, whether it is done, and writing it whole or not at all.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::json;

use super::columns::{Batches, Table, Tables};
use crate::input::Source;
use crate::slots::SlotRange;

/// Rows of a row group: some ten megabytes in memory, and enough for dictionaries and statistics to pay.
const ROW_GROUP_ROWS: usize = 1 << 16;

/// Key of the metadata that says what a file was made of.
const MADE_OF: &str = "pumpfun.made_of";

/// Key of the metadata that counts blocks that could not be read.
const ERRORS: &str = "pumpfun.errors";

/// The ranges of a run, by their first slot, and the sources of each.
#[derive(Debug)]
pub struct RangePlan(pub BTreeMap<u64, Vec<Source>>);

impl RangePlan {
    /// Sorts sources into ranges of `slots` slots, by the numbers that their names begin with; those that cannot hold a
    /// slot of `wanted` are left out.
    ///
    /// # Errors
    ///
    /// When a name tells no slot, or a source reaches over the border of a range.
    pub fn new(sources: Vec<Source>, slots: u64, wanted: Option<&SlotRange>) -> Result<Self> {
        let mut ranges: BTreeMap<u64, Vec<Source>> = BTreeMap::new();
        for source in sources {
            let held = source.slots().with_context(|| {
                format!(
                    "{source}: its name does not begin with its slot (SLOT.binpb, NUMBER.dbin), by which it would be \
                     sorted into a file"
                )
            })?;
            if wanted.is_some_and(|wanted| !wanted.overlaps(&held)) {
                continue;
            }
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

/// The files of one range.
pub struct RangeFiles<'t> {
    folder: PathBuf,
    /// The range's slots.
    pub slots: Range<u64>,
    tables: &'t Tables,
    made_of: String,
}

impl<'t> RangeFiles<'t> {
    /// The files of `slots` in `folder`, made of `sources` as `selection` says.
    ///
    /// # Errors
    ///
    /// When a source is not there any more.
    pub fn new(
        folder: &Path,
        slots: Range<u64>,
        tables: &'t Tables,
        sources: &[Source],
        selection: &str,
    ) -> Result<Self> {
        let sources = sources.iter().map(|source| {
            let Source::File(path) = source else {
                return Ok(json!(["-", 0]));
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let size = fs::metadata(path)
                .with_context(|| path.display().to_string())?
                .len();
            Ok(json!([name, size]))
        });
        let made_of = json!({
            "selection": selection,
            "sources": sources.collect::<Result<Vec<_>>>()?,
        });
        Ok(Self {
            folder: folder.to_owned(),
            slots,
            tables,
            made_of: made_of.to_string(),
        })
    }

    fn path(&self, table: &Table) -> PathBuf {
        let name = format!("{:010}.parquet", self.slots.start);
        self.folder.join(&table.name).join(name)
    }

    /// Whether all files are there, made of the same, without an error.
    pub fn are_done(&self) -> bool {
        self.tables.iter().all(|table| {
            let read = || -> Result<bool> {
                let reader = SerializedFileReader::new(File::open(self.path(table))?)?;
                let metadata = reader.metadata().file_metadata();
                let value = |key: &str| {
                    let pairs = metadata.key_value_metadata()?;
                    pairs.iter().find(|pair| pair.key == key)?.value.clone()
                };
                Ok(value(MADE_OF).as_ref() == Some(&self.made_of)
                    && value(ERRORS).as_deref() == Some("0"))
            };
            // What cannot be read is not done.
            read().unwrap_or(false)
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
                    .set_created_by(format!("pumpfun {}", env!("CARGO_PKG_VERSION")))
                    .set_key_value_metadata(Some(vec![KeyValue::new(
                        MADE_OF.to_owned(),
                        self.made_of.clone(),
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
