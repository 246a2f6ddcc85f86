//! The one error of the package: a block that is not valid protobuf, told with its place.
//!
//! It is deterministic: the same bytes give the same text on every machine, natively and in wasm, so a stream
//! that it ends, ends the same way on every retry. An event that cannot be read is no error, but a `RawEvent` row.

use core::fmt;

use buffa::DecodeError;

use crate::wire::{Value, for_each_field};

/// A block, or a transaction in it, that is not valid protobuf of `sf.solana.type.v1`.
#[derive(Clone, PartialEq, Eq)]
pub struct BlockError {
    slot: SlotHint,
    place: ErrorPlace,
    cause: DecodeError,
}

/// Where in the block the fault lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ErrorPlace {
    /// In the block's own fields, behind this many whole transactions.
    BehindTransactions(u32),
    /// In the block's time.
    BlockTime,
    /// In what an earlier module made of the block.
    Output(&'static str),
    /// In the transaction of this index.
    Transaction(u32),
}

/// What a block whose own fields do not decode still tells about its slot.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SlotHint {
    Slot(u64),
    /// The slot is written behind the transactions, the parent's before them: a block that is cut has only this.
    ParentSlot(u64),
    Unknown,
}

impl BlockError {
    fn new(slot: SlotHint, place: ErrorPlace, cause: DecodeError) -> Self {
        let cause = match cause {
            // A length of 4 GiB and more: where addresses have 32 bits it is refused as such, elsewhere as one of bytes
            // that are not there. They are nowhere.
            #[cfg(target_pointer_width = "32")]
            DecodeError::MessageTooLarge => DecodeError::UnexpectedEof,
            cause => cause,
        };
        Self { slot, place, cause }
    }

    /// The block's own fields do not decode: reads of `bytes` what comes before the fault, to name the place.
    pub(crate) fn of_block(bytes: &[u8], cause: DecodeError) -> Self {
        let (mut slot, mut parent_slot, mut transactions) = (None, None, 0_u32);
        // Ends at the fault, which is `cause`.
        let _ = for_each_field(bytes, |field, value| {
            match (field, value) {
                (3, Value::Varint(parent)) => parent_slot = Some(parent),
                (20, Value::Varint(number)) => slot = Some(number),
                (4, Value::Bytes(_)) => transactions = transactions.saturating_add(1),
                _ => {}
            }
            Ok(())
        });
        let slot = match (slot, parent_slot) {
            (Some(slot), _) => SlotHint::Slot(slot),
            (None, Some(parent)) => SlotHint::ParentSlot(parent),
            (None, None) => SlotHint::Unknown,
        };
        Self::new(slot, ErrorPlace::BehindTransactions(transactions), cause)
    }

    pub(crate) fn of_block_time(slot: u64, cause: DecodeError) -> Self {
        Self::new(SlotHint::Slot(slot), ErrorPlace::BlockTime, cause)
    }

    /// The transaction of this index does not decode.
    pub fn of_transaction(slot: u64, index: u32, cause: DecodeError) -> Self {
        Self::new(SlotHint::Slot(slot), ErrorPlace::Transaction(index), cause)
    }

    /// What an earlier module made of the block, `message`, does not decode: a fault of this package or of who
    /// changed its bytes. The slot is as far as it is known.
    pub fn of_output(slot: Option<u64>, message: &'static str, cause: DecodeError) -> Self {
        Self::new(
            slot.map_or(SlotHint::Unknown, SlotHint::Slot),
            ErrorPlace::Output(message),
            cause,
        )
    }

    /// The rows of a block, `Events`, do not decode.
    pub fn of_events(cause: DecodeError) -> Self {
        Self::of_output(None, "Events", cause)
    }

    /// Slot of the block, where it could be read.
    pub fn slot(&self) -> Option<u64> {
        match self.slot {
            SlotHint::Slot(slot) => Some(slot),
            SlotHint::ParentSlot(_) | SlotHint::Unknown => None,
        }
    }

    /// Index of the transaction that does not decode; `None` where the block's own fields do not.
    pub fn transaction_index(&self) -> Option<u32> {
        match self.place {
            ErrorPlace::Transaction(index) => Some(index),
            ErrorPlace::BehindTransactions(_) | ErrorPlace::BlockTime | ErrorPlace::Output(_) => {
                None
            }
        }
    }
}

impl fmt::Display for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.slot {
            SlotHint::Slot(slot) => write!(f, "block at slot {slot}")?,
            SlotHint::ParentSlot(parent) => {
                write!(f, "block of unknown slot, whose parent is at slot {parent}")?
            }
            SlotHint::Unknown => f.write_str("block of unknown slot")?,
        }
        match self.place {
            ErrorPlace::Transaction(index) => write!(f, ": transaction {index}")?,
            ErrorPlace::BlockTime => f.write_str(": block_time")?,
            ErrorPlace::Output(message) => write!(f, ": its {message}")?,
            ErrorPlace::BehindTransactions(0) => f.write_str(": before any whole transaction")?,
            ErrorPlace::BehindTransactions(count) => {
                write!(f, ": behind {count} whole transactions")?
            }
        }
        write!(f, ": not valid protobuf: {}", self.cause)
    }
}

/// As `Display`: the engine shows a handler's error by its `Debug`.
impl fmt::Debug for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for BlockError {}
