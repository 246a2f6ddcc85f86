//! Slots, times and hashes of the chain of blocks, each computed from the block's index alone.
//!
//! Values follow from mainnet: block 417750770 of 5 May 2026 has height 395843127, and slots take
//! 0.4 seconds at least.

use crate::rng::{Purpose, Rng};

/// Slot of block 0; a multiple of 100, where a merged-blocks file begins.
pub const FIRST_SLOT: u64 = 430_000_000;
/// Unix time of block 0: 3 October 2026, 00:00 UTC, when V9 had just come.
pub const FIRST_BLOCK_TIME: i64 = 1_790_985_600;
/// Height of block 0.
pub const FIRST_BLOCK_HEIGHT: u64 = 408_092_357;

/// One slot in so many is skipped.
const SKIPPED_EVERY: u64 = 7;

/// Where the blocks lie in time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    /// Slots from block to block, where none is skipped.
    pub(crate) apart: u32,
}

impl Chain {
    /// Slot of the block `index`.
    pub(crate) fn slot(self, index: u32) -> u64 {
        let index = u64::from(index);
        FIRST_SLOT + (index + index / SKIPPED_EVERY) * u64::from(self.apart)
    }

    /// Slot of the block before the block `index`.
    pub(crate) fn parent_slot(self, index: u32) -> u64 {
        let before = index.checked_sub(1);
        before.map_or(FIRST_SLOT - 1, |index| self.slot(index))
    }

    /// Unix time of the block `index`, 0.4 seconds a slot.
    pub(crate) fn block_time(self, index: u32) -> i64 {
        FIRST_BLOCK_TIME + ((self.slot(index) - FIRST_SLOT) * 2 / 5) as i64
    }
}

/// Height of the block `index`: skipped slots do not count.
pub(crate) fn block_height(index: u32) -> u64 {
    FIRST_BLOCK_HEIGHT + u64::from(index)
}

/// Hash of the block before the block `index`.
pub(crate) fn previous_blockhash(seed: u64, index: u32) -> [u8; 32] {
    hash(seed, u64::from(index))
}

/// Hash of the block `index`.
pub(crate) fn blockhash(seed: u64, index: u32) -> [u8; 32] {
    hash(seed, u64::from(index) + 1)
}

fn hash(seed: u64, number: u64) -> [u8; 32] {
    Rng::new(seed, Purpose::Blockhash, number).array()
}
