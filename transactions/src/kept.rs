//! Transactions that name Pump ⇄ `PumpTransactions`: what is kept of a block, and reading it again.

use buffa::{DecodeError, ViewEncode};
use substreams::lazy::LazyDecode;

use crate::block::Block;
use crate::error::BlockError;
use crate::output::timestamp;
use crate::pb::v1::__buffa::view::{PumpTransactionView, PumpTransactionsView};
use crate::wire::{field, for_each_field, timestamp_seconds};

/// What is kept of a block, an encoded `pumpfun.v1.PumpTransactions`; no bytes where no transaction names Pump.
///
/// Transactions are copied as they are: what is wrong inside of them shows where they are opened.
pub fn encode(block: &Block<'_>) -> Vec<u8> {
    let transactions: Vec<_> = block
        .pump_transactions()
        .map(|(index, transaction)| PumpTransactionView { index, transaction })
        .collect();
    if transactions.is_empty() {
        return Vec::new();
    }
    let kept = PumpTransactionsView {
        slot: block.slot(),
        blockhash: block.blockhash(),
        block_time: timestamp(block.block_time()),
        transactions: transactions.into(),
    };
    kept.encode_to_vec()
}

/// What was kept of a block, read again; transactions stay slices of the input.
#[derive(Debug, Default)]
pub struct KeptBlock<'a> {
    slot: u64,
    block_time: Option<i64>,
    transactions: Vec<(u32, &'a [u8])>,
}

impl<'a> KeptBlock<'a> {
    /// Reads an encoded `pumpfun.v1.PumpTransactions`.
    ///
    /// # Errors
    ///
    /// When it is not valid protobuf.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, BlockError> {
        let mut kept = Self::default();
        let read = for_each_field(bytes, |number, value| {
            match number {
                1 => kept.slot = value.uint64(number)?,
                3 => kept.block_time = Some(timestamp_seconds(value.bytes(number)?)?),
                4 => kept.transactions.push(transaction(value.bytes(number)?)?),
                _ => {}
            }
            Ok(())
        });
        read.map_err(|cause| BlockError::of_output(Some(kept.slot), "PumpTransactions", cause))?;
        Ok(kept)
    }

    /// The block's slot.
    pub fn slot(&self) -> u64 {
        self.slot
    }

    /// When the block was made, in Unix seconds; see [`Block::block_time`].
    pub fn block_time(&self) -> Option<i64> {
        self.block_time
    }

    /// The transactions, each with its index in the block, undecoded.
    pub fn pump_transactions(&self) -> impl Iterator<Item = (u32, &'a [u8])> {
        self.transactions.iter().copied()
    }
}

/// Reads a `PumpTransaction`.
fn transaction(kept: &[u8]) -> Result<(u32, &[u8]), DecodeError> {
    let index = field(kept, 1)?.map_or(Ok(0), |index| index.uint32(1))?;
    let transaction = field(kept, 2)?.map_or(Ok(&[][..]), |bytes| bytes.bytes(2))?;
    Ok((index, transaction))
}

/// An argument of type `PumpTransactions`: what was kept of a block, or why it does not decode. As
/// [`BlockInput`](crate::block::BlockInput), it keeps the error for the handler to return.
pub struct PumpTransactionsInput<'a>(Result<KeptBlock<'a>, BlockError>);

impl<'a> PumpTransactionsInput<'a> {
    /// What was kept of the block.
    ///
    /// # Errors
    ///
    /// Those of [`KeptBlock::decode`].
    pub fn get(&self) -> Result<&KeptBlock<'a>, BlockError> {
        self.0.as_ref().map_err(Clone::clone)
    }
}

impl<'a> LazyDecode<'a> for PumpTransactionsInput<'a> {
    fn decode_lazy_slice(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        Ok(Self(KeptBlock::decode(bytes)))
    }
}
