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
    /// The blocks, in order.
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
        Self::write(folder, blocks)
    }

    /// The blocks of files or folders.
    ///
    /// # Errors
    ///
    /// When one cannot be read, they do not ascend, or bundles cannot be written.
    pub fn of(folder: &Path, paths: &[PathBuf]) -> Result<Self> {
        let mut blocks = Vec::new();
        for source in input::sources(paths) {
            source?.blocks(&Meter::new(0, true), |block| {
                blocks.push(block);
                true
            });
        }
        Self::write(folder, blocks.into_iter())
    }

    fn write(folder: &Path, blocks: impl Iterator<Item = Result<SourceBlock>>) -> Result<Self> {
        let blocks = blocks.collect::<Result<Vec<_>>>()?;
        let mut writer = BundleWriter::new(folder)?;
        for block in &blocks {
            writer.push(block)?;
        }
        // The engine waits for the bundle behind the one that a request stops in.
        writer.finish(4)?;
        Ok(Self {
            folder: folder.to_owned(),
            first: blocks.first().context("no block")?.slot,
            stop: blocks.last().context("no block")?.slot + 1,
            blocks,
        })
    }
}
