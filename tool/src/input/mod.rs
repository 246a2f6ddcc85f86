//! Where blocks come from: files, folders and standard input, as single blocks, merged bundles or answers of the RPC
//! method getBlock, plain or zstd.
//!
//! What a file is, its first bytes tell; its name only matters when a folder is searched.

mod block;
pub(crate) mod dbin;
mod head;
mod meter;

use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, bail, ensure};

pub use block::SourceBlock;

pub use head::BlockHead;
pub use meter::Meter;

use crate::rpc::{self, Answer};

/// Endings of the files that a folder is searched for.
const ENDINGS: [&str; 6] = [
    ".binpb",
    ".binpb.zst",
    ".dbin",
    ".dbin.zst",
    ".json",
    ".json.zst",
];

/// First bytes of a zstd frame.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Slots of a merged bundle.
pub const BUNDLE_SLOTS: u64 = 100;

/// Bytes of the largest block that is read, 256 MiB: fifty times those of a large block of mainnet.
const MAX_BLOCK_BYTES: u64 = 1 << 28;

/// A file of blocks, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Stdin => f.write_str("standard input"),
        }
    }
}

/// The sources that the paths of a command line name, in their order; a folder's files by number.
///
/// A path that is not there is given as its error, so that the others can still be read.
pub fn sources(paths: &[PathBuf]) -> Vec<Result<Source>> {
    let mut sources: Vec<Result<Source>> = Vec::new();
    for path in paths {
        if path == Path::new("-") {
            let again = sources
                .iter()
                .flatten()
                .any(|source| *source == Source::Stdin);
            sources.push(match again {
                true => Err(Error::msg("-: standard input can be read only once")),
                false => Ok(Source::Stdin),
            });
        } else if path.is_dir() {
            match files_in(path) {
                Ok(files) => sources.extend(files.into_iter().map(|file| Ok(Source::File(file)))),
                Err(error) => sources.push(Err(error)),
            }
        } else {
            let found = fs::metadata(path).with_context(|| path.display().to_string());
            sources.push(found.map(|_| Source::File(path.clone())));
        }
    }
    sources
}

/// The block files of a folder by the number that their names begin with, then by name. What only looks like one
/// (a folder, a link to nowhere) is among them, for its error to show.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry.with_context(|| folder.display().to_string())?.path();
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        if ENDINGS
            .iter()
            .any(|ending| name.ends_with(ending.as_bytes()))
        {
            let number = path
                .file_name()
                .and_then(OsStr::to_str)
                .and_then(|name| name.split('.').next());
            let number = number.and_then(|number| number.parse::<u64>().ok());
            files.push((number.unwrap_or(u64::MAX), path));
        }
    }
    ensure!(
        !files.is_empty(),
        "{}: no block files in this folder (SLOT.binpb, NUMBER.dbin, SLOT.json, each also with .zst)",
        folder.display()
    );
    files.sort();
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

impl Source {
    /// The slots that its name says it holds: one for `SLOT.binpb`, a hundred for `NUMBER.dbin`; `None` where the name
    /// does not begin with a number.
    pub fn slots(&self) -> Option<Range<u64>> {
        let Self::File(path) = self else {
            return None;
        };
        let (number, ending) = path.file_name()?.to_str()?.split_once('.')?;
        let first: u64 = number.parse().ok()?;
        let count = match ending.starts_with("dbin") {
            true => BUNDLE_SLOTS,
            false => 1,
        };
        Some(first..first.saturating_add(count))
    }

    /// Bytes of the file as it is stored; 0 for standard input.
    pub fn stored_bytes(&self) -> u64 {
        match self {
            Self::File(path) => fs::metadata(path).map_or(0, |metadata| metadata.len()),
            Self::Stdin => 0,
        }
    }

    /// Calls `visit` with each block, undecoded, in the order of the source; `meter` learns of each stored byte.
    /// What cannot be read is given as its error, which names source and record; what comes behind it still is
    /// given, if it can be told where it begins. Stops when `visit` gives `false`.
    pub fn blocks(&self, meter: &Meter, mut visit: impl FnMut(Result<SourceBlock>) -> bool) {
        let mut visit_in_source =
            |block: Result<SourceBlock>| visit(block.with_context(|| self.to_string()));
        if let Err(error) = self.read(meter, &mut visit_in_source) {
            visit_in_source(Err(error));
        }
    }

    fn read(
        &self,
        meter: &Meter,
        visit: &mut impl FnMut(Result<SourceBlock>) -> bool,
    ) -> Result<()> {
        let stored: Box<dyn Read> = match self {
            Self::File(path) => Box::new(meter.reader(File::open(path)?)),
            Self::Stdin => Box::new(meter.reader(io::stdin().lock())),
        };
        let slot = self.slots().map(|slots| slots.start);
        read_blocks(BufReader::with_capacity(1 << 16, stored), slot, visit)
    }
}

/// Calls `visit` with each block of what is stored (a merged bundle, a single block, or an answer of getBlock; plain or
/// zstd), until it gives `false`; with the error in place of a block that cannot be read. The way of
/// [`Source::blocks`], for bytes that lie in no file. An answer may not say its slot; it is then `slot`.
///
/// # Errors
///
/// When what comes behind the blocks that were given cannot be read at all.
pub fn read_blocks(
    stored: impl BufRead,
    slot: Option<u64>,
    visit: &mut impl FnMut(Result<SourceBlock>) -> bool,
) -> Result<()> {
    let (head, stored) = peek(stored)?;
    if head == ZSTD_MAGIC {
        let decoder = zstd::Decoder::with_buffer(stored)?;
        read_contents(BufReader::with_capacity(1 << 16, decoder), slot, visit)
    } else {
        read_contents(stored, slot, visit)
    }
}

fn read_contents(
    contents: impl BufRead,
    slot: Option<u64>,
    visit: &mut impl FnMut(Result<SourceBlock>) -> bool,
) -> Result<()> {
    let (head, contents) = peek(contents)?;
    if head == dbin::MAGIC {
        return dbin::blocks(contents, visit);
    }
    let mut bytes = Vec::new();
    contents.take(MAX_BLOCK_BYTES + 1).read_to_end(&mut bytes)?;
    ensure!(!bytes.is_empty(), "empty");
    ensure!(
        bytes.len() as u64 <= MAX_BLOCK_BYTES,
        "larger than any block (256 MiB)"
    );
    // A block never begins so: it would be a group, which no block has.
    if bytes.trim_ascii_start().first() == Some(&b'{') {
        match rpc::parse(&bytes, slot, None)? {
            Answer::Block(block) => bytes = block,
            Answer::Skipped => bail!("the answer says that the slot was skipped"),
            Answer::Later(why) | Answer::Refused(why) => {
                bail!("the answer holds no block: {why}")
            }
        }
    }
    visit(SourceBlock::new(bytes, None));
    Ok(())
}

/// Writes a block as a file, which has its name only when it is whole.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write_block(path: &Path, block: &[u8]) -> Result<()> {
    let partial = path.with_extension("partial");
    let write = || {
        fs::write(&partial, zstd::encode_all(block, 3)?)?;
        fs::rename(&partial, path)
    };
    write()
        .with_context(|| path.display().to_string())
        .inspect_err(|_| drop(fs::remove_file(&partial)))
}

/// The first four bytes, or as many as there are, and a reader that begins with them.
fn peek(mut reader: impl BufRead) -> io::Result<(Vec<u8>, impl BufRead)> {
    let mut head = Vec::new();
    reader.by_ref().take(4).read_to_end(&mut head)?;
    Ok((head.clone(), io::Cursor::new(head).chain(reader)))
}
