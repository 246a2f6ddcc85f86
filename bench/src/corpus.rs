//! The blocks that are timed: a real range, or generated ones that anyone can make again.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use prost::bytes::Bytes;
use pumpfun_generate::{DEFAULT_BLOCKS, DEFAULT_SEED, DEFAULT_SHA256};
use pumpfun_tool::input::{self, Meter};
use sha2::{Digest, Sha256};

/// Blocks of a range, and what names them.
pub struct Corpus {
    /// Where they come from, in words.
    pub origin: String,
    /// Encoded blocks, in order.
    pub blocks: Vec<Bytes>,
    /// SHA-256 over all their bytes, in order, hex.
    pub sha256: String,
}

impl Corpus {
    /// The blocks of files or folders, or generated ones.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or generated blocks are not those that they must be.
    pub fn load(paths: &[PathBuf], generated: u32) -> Result<Self> {
        let (origin, blocks) = match paths {
            [] => (
                format!("{generated} generated blocks of seed {DEFAULT_SEED}"),
                generate(generated)?,
            ),
            paths => (
                format!("{} blocks of a real range", read(paths)?.len()),
                read(paths)?,
            ),
        };
        ensure!(!blocks.is_empty(), "no blocks");
        let sha256 = sha256(&blocks);
        Ok(Self {
            origin,
            blocks,
            sha256,
        })
    }

    /// The block at a quantile of the encoded size, 0 to 1.
    pub fn at_quantile(&self, quantile: f64) -> Option<&Bytes> {
        let mut blocks: Vec<_> = self.blocks.iter().collect();
        blocks.sort_by_key(|block| block.len());
        let index = (quantile * (blocks.len() - 1) as f64).round();
        blocks.get(index as usize).copied()
    }

    /// Bytes of all blocks.
    pub fn bytes(&self) -> usize {
        self.blocks.iter().map(Bytes::len).sum()
    }
}

fn read(paths: &[PathBuf]) -> Result<Vec<Bytes>> {
    let mut blocks = Vec::new();
    for source in input::sources(paths) {
        let mut read = Vec::new();
        source?.blocks(&Meter::new(0, true), |block| {
            read.push(block);
            true
        });
        for block in read {
            blocks.push(Bytes::from(block?.bytes));
        }
    }
    Ok(blocks)
}

/// Generated blocks, which must be those of the committed checksum and come out the same twice.
fn generate(count: u32) -> Result<Vec<Bytes>> {
    let make =
        || pumpfun_generate::blocks(DEFAULT_SEED, count).map(|block| Bytes::from(block.bytes));
    let blocks: Vec<_> = make().collect();
    check_generated(&blocks, DEFAULT_BLOCKS as usize, DEFAULT_SHA256)?;
    ensure!(
        make().eq(blocks.iter().cloned()),
        "generated blocks differ when generated again"
    );
    Ok(blocks)
}

/// Guard: the first `count` blocks have the committed checksum.
fn check_generated(blocks: &[Bytes], count: usize, expected: &str) -> Result<()> {
    let first = blocks.get(..count).unwrap_or_default();
    ensure!(
        !first.is_empty(),
        "too few blocks to compare with the committed checksum: {}",
        blocks.len()
    );
    let real = sha256(first);
    ensure!(
        real == expected.trim(),
        "generated blocks have the checksum {real}, not the committed {expected}"
    );
    Ok(())
}

fn sha256(blocks: &[Bytes]) -> String {
    let mut hash = Sha256::new();
    for block in blocks {
        hash.update(block);
    }
    hash.finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_blocks_than_the_committed_ones_are_refused() {
        let mut blocks: Vec<_> = pumpfun_generate::blocks(DEFAULT_SEED, DEFAULT_BLOCKS)
            .map(|block| Bytes::from(block.bytes))
            .collect();
        check_generated(&blocks, 16, DEFAULT_SHA256).unwrap();
        blocks.swap(0, 1);
        assert!(check_generated(&blocks, 16, DEFAULT_SHA256).is_err());
        assert!(check_generated(&blocks[..3], 16, DEFAULT_SHA256).is_err());
    }

    #[test]
    fn quantiles_are_by_size() {
        let blocks: Vec<_> = [30, 10, 20]
            .map(|length| Bytes::from(vec![0; length]))
            .into();
        let corpus = Corpus {
            origin: String::new(),
            blocks,
            sha256: String::new(),
        };
        let length = |quantile| corpus.at_quantile(quantile).unwrap().len();
        assert_eq!((length(0.0), length(0.5), length(1.0)), (10, 20, 30));
    }
}
