//! Where blocks come from: files, folders and standard input, as single blocks or merged bundles, plain or zstd.
//!
//! What a file is, its first bytes tell; its name only matters when a folder is searched.

mod dbin;
mod meter;

use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

pub use meter::Meter;

/// Endings of the files that a folder is searched for.
const ENDINGS: [&str; 4] = [".binpb", ".binpb.zst", ".dbin", ".dbin.zst"];

/// First bytes of a zstd frame.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Bytes of the largest block that is read, protobuf's own limit of 2 GiB.
const MAX_BLOCK_BYTES: u64 = 1 << 31;

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

/// The sources that the paths of a command line name, in their order; a folder's files by slot.
///
/// A path that is not there is given as its error, so that the others can still be read.
pub fn sources(paths: &[PathBuf]) -> Vec<Result<Source>> {
    let mut sources = Vec::new();
    for path in paths {
        if path == Path::new("-") {
            sources.push(Ok(Source::Stdin));
        } else if path.is_dir() {
            match files_in(path) {
                Ok(files) => sources.extend(files.into_iter().map(|file| Ok(Source::File(file)))),
                Err(error) => sources.push(Err(error)),
            }
        } else if let Err(error) = fs::metadata(path) {
            sources.push(Err(
                anyhow::Error::new(error).context(path.display().to_string())
            ));
        } else {
            sources.push(Ok(Source::File(path.clone())));
        }
    }
    sources
}

/// The block files of a folder by the number that their names begin with, then by name.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry.with_context(|| folder.display().to_string())?.path();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        if ENDINGS.iter().any(|ending| name.ends_with(ending)) && path.is_file() {
            let number = name
                .split('.')
                .next()
                .and_then(|number| number.parse::<u64>().ok());
            files.push((number.unwrap_or(u64::MAX), path));
        }
    }
    ensure!(
        !files.is_empty(),
        "{}: no block files in this folder (SLOT.binpb, SLOT.binpb.zst, NUMBER.dbin, NUMBER.dbin.zst)",
        folder.display()
    );
    files.sort();
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

impl Source {
    /// Bytes of the file as it is stored; 0 for standard input.
    pub fn stored_bytes(&self) -> u64 {
        match self {
            Self::File(path) => fs::metadata(path).map_or(0, |metadata| metadata.len()),
            Self::Stdin => 0,
        }
    }

    /// Calls `visit` with each block, undecoded, in the order of the source; `meter` learns of each stored byte.
    /// Stops when `visit` gives `false`.
    ///
    /// # Errors
    ///
    /// When the source cannot be read, or is no file of blocks; the blocks before were visited.
    pub fn blocks(&self, meter: &Meter, visit: impl FnMut(Vec<u8>) -> bool) -> Result<()> {
        let stored: Box<dyn Read> = match self {
            Self::File(path) => {
                Box::new(meter.reader(File::open(path).with_context(|| self.to_string())?))
            }
            Self::Stdin => Box::new(io::stdin().lock()),
        };
        let (head, stored) =
            peek(BufReader::with_capacity(1 << 16, stored)).with_context(|| self.to_string())?;
        let contents = if head == ZSTD_MAGIC {
            let decoder = zstd::Decoder::with_buffer(stored).with_context(|| self.to_string())?;
            read_contents(BufReader::with_capacity(1 << 16, decoder), visit)
        } else {
            read_contents(stored, visit)
        };
        contents.with_context(|| self.to_string())
    }
}

/// Blocks of what is a bundle or a single block.
fn read_contents(contents: impl BufRead, mut visit: impl FnMut(Vec<u8>) -> bool) -> Result<()> {
    let (head, contents) = peek(contents)?;
    if head == dbin::MAGIC {
        return dbin::blocks(contents, visit);
    }
    let mut block = Vec::new();
    contents.take(MAX_BLOCK_BYTES + 1).read_to_end(&mut block)?;
    ensure!(!block.is_empty(), "empty");
    ensure!(
        block.len() as u64 <= MAX_BLOCK_BYTES,
        "larger than a block can be (2 GiB)"
    );
    visit(block);
    Ok(())
}

/// The first four bytes, or as many as there are, and a reader that begins with them.
fn peek(mut reader: impl BufRead) -> io::Result<(Vec<u8>, impl BufRead)> {
    let mut head = Vec::new();
    reader.by_ref().take(4).read_to_end(&mut head)?;
    Ok((head.clone(), io::Cursor::new(head).chain(reader)))
}
