//! Events → rows: the last step, and the way through all of them for one block.
//!
//! A row is a message of `pumpfun.v1`, in one of two forms with the same fields: [`Trades`] has keys as base58
//! strings, [`RawTrades`] as bytes. Rows are encoded as they are found, from views that borrow the event and the
//! text of its keys: what leaves the module is bytes, and no row is ever held as a message of its own.

mod form;
mod keys;
mod trade;
mod writer;

use buffa::Message;
pub use form::RowForm;
pub use keys::{Base58, KeyForm, RawBytes};
pub use writer::{RowSink, RowWriter, Texts};

use crate::block::{Block, decode_options};
use crate::error::BlockError;
use crate::event::{self, Event};
use crate::pb::v1::{RawTrades, Trades};
use crate::program::Pubkey;
use crate::transaction::{Outcomes, Transaction};

/// Where an event stands: what every row begins with.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Slot of the block.
    pub slot: u64,
    /// Time of the block, Unix seconds.
    pub block_time: Option<i64>,
    /// Index of the transaction in the block, votes and failed ones counted.
    pub transaction_index: u32,
    /// Index of the outer instruction.
    pub instruction_index: u32,
    /// Index among the inner instructions of that outer one.
    pub inner_instruction_index: u32,
    /// Call depth, where the chain tells it.
    pub stack_height: Option<u32>,
    /// First signature of the transaction.
    pub signature: Option<&'a [u8; 64]>,
    /// First account of the transaction.
    pub fee_payer: Option<&'a Pubkey>,
    /// Program of the outer instruction.
    pub outer_program: Option<&'a Pubkey>,
    /// Whether the transaction failed.
    pub failed: bool,
}

/// All rows of a block in block order, keys as base58 strings.
///
/// # Errors
///
/// Those of [`encode`].
pub fn trades(block: &Block<'_>, outcomes: Outcomes) -> Result<Trades, BlockError> {
    decoded(block, &encode::<Base58>(block, outcomes)?)
}

/// All rows of a block in block order, keys as bytes.
///
/// # Errors
///
/// Those of [`encode`].
pub fn raw_trades(block: &Block<'_>, outcomes: Outcomes) -> Result<RawTrades, BlockError> {
    decoded(block, &encode::<RawBytes>(block, outcomes)?)
}

/// Rows as messages, for those who want them so. That they decode again is a promise of [`encode`].
fn decoded<M: Message>(block: &Block<'_>, rows: &[u8]) -> Result<M, BlockError> {
    decode_options()
        .decode_from_slice(rows)
        .map_err(|cause| BlockError::of_rows(block.slot(), cause))
}

/// All rows of a block in block order, encoded: [`Trades`] for [`Base58`], [`RawTrades`] for [`RawBytes`]; no bytes
/// for no row.
///
/// # Errors
///
/// When a transaction that names Pump is not valid protobuf.
pub fn encode<F: RowForm>(block: &Block<'_>, outcomes: Outcomes) -> Result<Vec<u8>, BlockError> {
    let mut rows = RowWriter::<F>::default();
    let mut transaction = Transaction::default();
    for (index, bytes) in block.pump_transactions() {
        let in_transaction = |cause| BlockError::of_transaction(block.slot(), index, cause);
        if !transaction.open(bytes, outcomes).map_err(in_transaction)? {
            continue;
        }
        rows.begin_transaction();
        transaction
            .visit_events(|site| {
                let place = Place {
                    slot: block.slot(),
                    block_time: block.block_time(),
                    transaction_index: index,
                    instruction_index: site.instruction_index,
                    inner_instruction_index: site.inner_instruction_index,
                    stack_height: site.stack_height,
                    signature: transaction.signature(),
                    fee_payer: transaction.fee_payer(),
                    outer_program: site.outer_program,
                    failed: transaction.failed(),
                };
                match event::read_at(site) {
                    Ok(Event::Trade(event)) => rows.push_trade(&place, &event),
                    Ok(Event::Other(_)) => {}
                    Err(reason) => rows.push_raw_event(&place, site.data, &reason),
                }
            })
            .map_err(in_transaction)?;
    }
    Ok(rows.into_bytes())
}
