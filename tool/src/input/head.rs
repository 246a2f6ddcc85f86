//! A block's own fields but its transactions and rewards: what links it to the others.

use std::str;

use anyhow::{Context, Result};
use prost::Message;
use pumpfun_trades::wire::{field, for_each_field};

/// What links a block of `sf.solana.type.v1` to the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockHead {
    /// Its slot.
    pub slot: u64,
    /// Its hash, base58.
    pub blockhash: String,
    /// Hash of the block before.
    pub previous_blockhash: String,
    /// Slot of the block before.
    pub parent_slot: u64,
    /// Unix seconds.
    pub block_time: Option<i64>,
    /// Blocks before it, skipped slots not counted.
    pub block_height: Option<u64>,
}

impl BlockHead {
    /// Reads a block's.
    ///
    /// # Errors
    ///
    /// When the block's own fields are not valid protobuf.
    pub fn of(block: &[u8]) -> Result<Self> {
        let mut head = Self::default();
        let (mut blockhash, mut previous) = (&[][..], &[][..]);
        for_each_field(block, |number, value| {
            match number {
                1 => previous = value.bytes(number)?,
                2 => blockhash = value.bytes(number)?,
                3 => head.parent_slot = value.uint64(number)?,
                6 => {
                    let time = field(value.bytes(number)?, 1)?;
                    let seconds = time.map_or(Ok(0), |seconds| seconds.uint64(1))?;
                    head.block_time = Some(seconds.cast_signed());
                }
                7 => {
                    let height = field(value.bytes(number)?, 1)?;
                    head.block_height = Some(height.map_or(Ok(0), |height| height.uint64(1))?);
                }
                20 => head.slot = value.uint64(number)?,
                _ => {}
            }
            Ok(())
        })?;
        let text = |bytes| {
            str::from_utf8(bytes)
                .map(str::to_owned)
                .context("a hash that is no text")
        };
        head.blockhash = text(blockhash)?;
        head.previous_blockhash = text(previous)?;
        Ok(head)
    }

    /// The block of these fields alone, without transactions.
    pub fn encode(&self) -> Vec<u8> {
        let block = Block {
            previous_blockhash: self.previous_blockhash.clone(),
            blockhash: self.blockhash.clone(),
            parent_slot: self.parent_slot,
            block_time: self.block_time.map(|timestamp| UnixTimestamp { timestamp }),
            block_height: self
                .block_height
                .map(|block_height| BlockHeight { block_height }),
            slot: self.slot,
        };
        block.encode_to_vec()
    }
}

/// `sf.solana.type.v1.Block` without transactions and rewards.
#[derive(Clone, PartialEq, Message)]
struct Block {
    #[prost(string, tag = "1")]
    previous_blockhash: String,
    #[prost(string, tag = "2")]
    blockhash: String,
    #[prost(uint64, tag = "3")]
    parent_slot: u64,
    #[prost(message, optional, tag = "6")]
    block_time: Option<UnixTimestamp>,
    #[prost(message, optional, tag = "7")]
    block_height: Option<BlockHeight>,
    #[prost(uint64, tag = "20")]
    slot: u64,
}

#[derive(Clone, Copy, PartialEq, Message)]
struct UnixTimestamp {
    #[prost(int64, tag = "1")]
    timestamp: i64,
}

#[derive(Clone, Copy, PartialEq, Message)]
struct BlockHeight {
    #[prost(uint64, tag = "1")]
    block_height: u64,
}
