//! Bytes → lazy block: the first step.
//!
//! A block of mainnet is 1.8 to 4.5 MB in 1,050 to 2,200 transactions, of which 4 to 39 touch Pump. Only its own
//! fields are decoded here, which takes some 9 µs: each transaction stays a slice of the input until
//! [`Block::pump_transactions`] finds the program's id in it.

use std::ops::RangeInclusive;

use buffa::DecodeOptions;
use substreams::lazy::LazyDecode;
use substreams_solana::pb::sf::solana::r#type::v1::BlockLazyView;

use crate::error::BlockError;
use crate::program::PUMP_PROGRAM;
use crate::scan::{Naming, hits, naming};

/// A raw block, `sf.solana.type.v1.Block`, of which only the own fields are decoded.
pub struct Block<'a> {
    bytes: &'a [u8],
    view: BlockLazyView<'a>,
    /// Where Pump's id stands in the bytes.
    hits: Vec<usize>,
    block_time: Option<i64>,
}

impl<'a> Block<'a> {
    /// Searches the block for Pump's id, and decodes the block's own fields.
    ///
    /// # Errors
    ///
    /// When they are not valid protobuf. A fault inside a transaction shows when that one is opened; one inside
    /// a transaction that is never opened shows nowhere.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, BlockError> {
        let hits = hits(&PUMP_PROGRAM, bytes);
        let view: BlockLazyView<'a> = decode_options()
            .decode_lazy_view(bytes)
            .map_err(|cause| BlockError::of_block(bytes, cause))?;
        let block_time = view
            .block_time
            .get()
            .map_err(|cause| BlockError::of_block_time(view.slot, cause))?
            .map(|time| time.timestamp)
            .filter(|seconds| TIMESTAMP_SECONDS.contains(seconds));
        Ok(Self {
            bytes,
            view,
            hits,
            block_time,
        })
    }

    /// The block's slot.
    pub fn slot(&self) -> u64 {
        self.view.slot
    }

    /// The block's hash, base58.
    pub fn blockhash(&self) -> &'a str {
        self.view.blockhash
    }

    /// When the block was made, in Unix seconds; absent in some old blocks, and where it lies outside of the years 1
    /// to 9999, which `google.protobuf.Timestamp` cannot hold.
    pub fn block_time(&self) -> Option<i64> {
        self.block_time
    }

    /// How many transactions the block holds, votes and failed ones counted.
    pub fn transaction_count(&self) -> usize {
        self.view.transactions.len()
    }

    /// The transactions whose bytes hold the id of the Pump program, each with its index in the block, undecoded.
    ///
    /// A program can only run in a transaction that names it, so no transaction that runs Pump is left out; one that
    /// holds these 32 bytes by chance or as mere data is in.
    pub fn pump_transactions(&self) -> Naming<'_, 'a> {
        naming(
            &self.hits,
            self.bytes,
            self.view.transactions.raw_elements(),
        )
    }
}

/// Unix seconds of the years 1 to 9999.
const TIMESTAMP_SECONDS: RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// How every message is decoded: buffa's limit on what elements may take in memory (32 MiB) is lifted, as prost
/// has none, and no block that an eager decoder reads may be refused here. An element costs 16 bytes at most for
/// two bytes of input, so memory stays bounded by the input.
pub fn decode_options() -> DecodeOptions {
    DecodeOptions::new().with_element_memory_limit(usize::MAX)
}

/// A handler's argument: the block, or why it does not decode.
///
/// The handler macro decodes its argument before the handler runs, and would panic with a text of its own,
/// without a slot; this type keeps the error for the handler to return.
pub struct BlockInput<'a>(Result<Block<'a>, BlockError>);

impl<'a> BlockInput<'a> {
    /// The block.
    ///
    /// # Errors
    ///
    /// Those of [`Block::decode`].
    pub fn get(&self) -> Result<&Block<'a>, BlockError> {
        self.0.as_ref().map_err(Clone::clone)
    }
}

impl<'a> LazyDecode<'a> for BlockInput<'a> {
    /// Never fails: a failure is kept inside.
    fn decode_lazy_slice(bytes: &'a [u8]) -> Result<Self, buffa::DecodeError> {
        Ok(Self(Block::decode(bytes)))
    }
}
