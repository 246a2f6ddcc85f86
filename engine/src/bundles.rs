//! Blocks as bundles that an engine can run on.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use pumpfun_generate::{DEFAULT_BLOCKS, DEFAULT_SEED, Generator};
use pumpfun_tool::bundle::BundleWriter;
use pumpfun_tool::input::{self, Meter, SourceBlock};

/// Slots from block to block of the generated chain: sixteen blocks lie in six bundles, and so in six segments.
pub const APART: u32 = 30;

/// A folder of merged bundles, and the slots in it.
#[derive(Clone, Debug)]
pub struct Bundles {
    /// The folder.
    pub folder: PathBuf,
    /// Slot of the first block.
    pub first: u64,
    /// Slot behind the last block: where a request stops.
    pub stop: u64,
    /// How many blocks.
    pub count: u64,
    /// The blocks, in order, where they were to be kept.
    pub blocks: Vec<SourceBlock>,
}

impl Bundles {
    /// Generated blocks, few slots of which hold one: some bundles' worth.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn generated(folder: &Path) -> Result<Self> {
        let generator = Generator::new(DEFAULT_SEED).apart(APART);
        let blocks = (0..DEFAULT_BLOCKS).map(|index| {
            let block = generator.block(index);
            Ok(SourceBlock {
                bytes: block.bytes,
                slot: block.slot,
                record: None,
            })
        });
        let mut bundles = Writing::new(folder, true)?;
        blocks.into_iter().for_each(|block| bundles.push(block));
        bundles.finish()
    }

    /// The blocks of files or folders; kept in memory too if `keep`.
    ///
    /// # Errors
    ///
    /// When one cannot be read, they do not ascend, or bundles cannot be written.
    pub fn of(folder: &Path, paths: &[PathBuf], keep: bool) -> Result<Self> {
        let mut bundles = Writing::new(folder, keep)?;
        for source in input::sources(paths) {
            source?.blocks(&Meter::new(0, true), |block| {
                bundles.push(block);
                bundles.result.is_ok()
            });
        }
        bundles.finish()
    }
}

/// Bundles while they are written.
struct Writing {
    writer: BundleWriter,
    folder: PathBuf,
    keep: bool,
    slots: Option<(u64, u64)>,
    count: u64,
    blocks: Vec<SourceBlock>,
    result: Result<()>,
}

impl Writing {
    fn new(folder: &Path, keep: bool) -> Result<Self> {
        Ok(Self {
            writer: BundleWriter::new(folder)?,
            folder: folder.to_owned(),
            keep,
            slots: None,
            count: 0,
            blocks: Vec::new(),
            result: Ok(()),
        })
    }

    /// Adds a block; nothing more after the first error.
    fn push(&mut self, block: Result<SourceBlock>) {
        if self.result.is_err() {
            return;
        }
        self.result = block.and_then(|block| {
            self.writer.push(&block)?;
            let first = self.slots.map_or(block.slot, |(first, _)| first);
            self.slots = Some((first, block.slot));
            self.count += 1;
            if self.keep {
                self.blocks.push(block);
            }
            Ok(())
        });
    }

    fn finish(self) -> Result<Bundles> {
        self.result?;
        // The engine waits for the bundle behind the one that a request stops in.
        self.writer.finish(4)?;
        let (first, last) = self.slots.context("no block")?;
        Ok(Bundles {
            folder: self.folder,
            first,
            stop: last.saturating_add(1),
            count: self.count,
            blocks: self.blocks,
        })
    }
}
