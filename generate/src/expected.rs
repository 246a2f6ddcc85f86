//! The truth about a generated block: what was placed where.
//!
//! It is noted while the block is made, from the values and not from the bytes, so that a decoder
//! can be held to it without trusting any decoder.

use crate::cases::Case;
use crate::keys::Key;
use crate::trade_event::TradeEvent;

/// Where an event stands, and what its transaction says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventPlace {
    /// The block's slot.
    pub slot: u64,
    /// Index in `Block.transactions`, votes and failures counted.
    pub transaction_index: u32,
    /// Index of the outer instruction.
    pub instruction_index: u32,
    /// Index among the inner instructions of that outer instruction, from 0.
    pub inner_instruction_index: u32,
    /// The event's own height (2 when Pump was called directly); `None` in blocks of the old style.
    pub stack_height: Option<u32>,
    /// The transaction's first signature.
    pub signature: [u8; 64],
    /// The transaction's first account key.
    pub fee_payer: Key,
    /// Program of the outer instruction.
    pub outer_program: Key,
    /// Whether `meta.err` is set.
    pub failed: bool,
}

/// A TradeEvent that a decoder must read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedTrade {
    /// Where it stands.
    pub place: EventPlace,
    /// "V0" to "V9", with "V6b" between "V6" and "V7".
    pub layout: &'static str,
    /// Bytes after the last group that can be read.
    pub unknown_trailing_bytes: u32,
    /// The event's values.
    pub event: TradeEvent,
}

/// Why an event cannot become a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawEventReason {
    /// A TradeEvent of fewer than 105 bytes.
    TooShort,
    /// A TradeEvent whose `is_buy` is neither 0 nor 1.
    InvalidBool,
    /// A discriminator that no published event has.
    UnknownDiscriminator,
}

/// An event of Pump that a decoder must report as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedRawEvent {
    /// Where it stands.
    pub place: EventPlace,
    /// The eight bytes after the event tag.
    pub discriminator: [u8; 8],
    /// What follows the discriminator.
    pub payload: Vec<u8>,
    /// Why it cannot become a row.
    pub reason: RawEventReason,
}

/// A published event of Pump other than TradeEvent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedOtherEvent {
    /// Where it stands.
    pub place: EventPlace,
    /// The IDL's name, such as "CreateEvent".
    pub name: &'static str,
    /// The eight bytes after the event tag.
    pub discriminator: [u8; 8],
    /// What follows the discriminator.
    pub payload: Vec<u8>,
}

/// A generated block and the truth about it.
#[derive(Clone, Debug)]
pub struct GeneratedBlock {
    /// The block's slot.
    pub slot: u64,
    /// Slot of the block before; smaller than `slot - 1` where slots were skipped.
    pub parent_slot: u64,
    /// Base58 text, as in the block.
    pub blockhash: String,
    /// Base58 text of the block before.
    pub previous_blockhash: String,
    /// Unix seconds.
    pub block_time: i64,
    /// Blocks before it in the chain, skipped slots not counted.
    pub block_height: u64,
    /// The encoded `sf.solana.type.v1.Block`.
    pub bytes: Vec<u8>,
    /// All transactions of the block.
    pub transaction_count: u32,
    /// Those of them that are votes.
    pub vote_count: u32,
    /// Every readable TradeEvent in block order, those of failed transactions included.
    pub trades: Vec<ExpectedTrade>,
    /// Every unreadable or unknown event of Pump, in block order, failed ones included.
    pub raw_events: Vec<ExpectedRawEvent>,
    /// Every other event of Pump, in block order, failed ones included.
    pub other_events: Vec<ExpectedOtherEvent>,
    /// The transactions made for Pump's sake, in block order: index and what each stands for.
    pub cases: Vec<(u32, Case)>,
}
