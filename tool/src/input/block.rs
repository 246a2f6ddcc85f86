//! A block as a source holds it: one block, whole.
//!
//! Protobuf would read two blocks in one file as one block with the second's slot, and a block that is cut between
//! two transactions as one without a slot: rows with wrong keys. So a block is held to have a slot, and only one.

use std::fmt;

use anyhow::{Context, Result, bail};
use pumpfun_trades::wire::{Value, for_each_field};

/// A block's bytes, and where they come from.
#[derive(Clone, Debug)]
pub struct SourceBlock {
    /// The encoded `sf.solana.type.v1.Block`.
    pub bytes: Vec<u8>,
    /// Its slot.
    pub slot: u64,
    /// Its place in a merged bundle, from 0; `None` for a single block.
    pub record: Option<u64>,
}

/// Where in its source the block stands, to begin an error with.
impl fmt::Display for SourceBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(record) = self.record {
            write!(f, "record {record}: ")?;
        }
        write!(f, "slot {}", self.slot)
    }
}

impl SourceBlock {
    /// A block that stands at `record` of a merged bundle, or alone.
    ///
    /// # Errors
    ///
    /// When its own fields are not valid protobuf, or not those of one whole block.
    pub(super) fn new(bytes: Vec<u8>, record: Option<u64>) -> Result<Self> {
        Self::checked(bytes, record).with_context(|| match record {
            Some(record) => format!("record {record}"),
            None => "block".to_owned(),
        })
    }

    fn checked(bytes: Vec<u8>, record: Option<u64>) -> Result<Self> {
        let (mut slots, mut transactions) = (Vec::new(), 0_u64);
        let fields = for_each_field(&bytes, |field, value| {
            match (field, value) {
                (4, _) => transactions += 1,
                (20, Value::Varint(slot)) => slots.push(slot),
                _ => {}
            }
            Ok(())
        });
        match (fields, slots.as_slice()) {
            // The library says best what is wrong.
            (Err(error), _) => match pumpfun_trades::block::Block::decode(&bytes) {
                Err(error) => Err(error.into()),
                Ok(_) => Err(error.into()),
            },
            (Ok(()), [slot]) => Ok(Self {
                slot: *slot,
                bytes,
                record,
            }),
            (Ok(()), []) => {
                bail!("no slot: cut behind {transactions} transactions, or no block at all")
            }
            (Ok(()), [first, second, ..]) => {
                bail!(
                    "two blocks in one: slot {first} and slot {second}; a file holds one block or a merged bundle"
                )
            }
        }
    }
}
