//! Events → rows: the last step, and the way through all of them for one block.
//!
//! A row is a message of `pumpfun.v1`, in one of two forms with the same fields: [`Trades`] has keys as base58
//! strings, [`RawTrades`] as bytes. [`Rows`] is what the two have in common; `trade.rs` fills both from one list.

mod keys;
mod trade;

use crate::block::Block;
use crate::error::BlockError;
use crate::event::{Event, TradeEvent, Unreadable};
use crate::pb::v1::{RawTrades, Trades};
use crate::program::PUMP_PROGRAM;
use crate::transaction::{EventSite, Outcomes, Transaction};

/// The rows of one block, in one of their forms.
pub trait Rows: Default {
    /// A key in this form.
    type Key: Clone;

    /// Writes a key or signature; the only place where base58 may happen.
    fn key(bytes: &[u8]) -> Self::Key;

    /// Adds a trade and the shareholders that it names.
    fn push_trade(&mut self, place: Place<'_, Self::Key>, event: TradeEvent);

    /// Adds an event that cannot be read.
    fn push_raw_event(&mut self, place: Place<'_, Self::Key>, data: &[u8], reason: &Unreadable);

    /// Whether there is no row at all.
    fn is_empty(&self) -> bool;
}

/// Where an event stands: what every row begins with.
pub struct Place<'r, Key> {
    block: &'r Block<'r>,
    transaction_index: u32,
    failed: bool,
    keys: &'r TransactionKeys<Key>,
    outer_program: Key,
    site: &'r EventSite<'r>,
}

impl<Key> Place<'_, Key> {
    /// The primary key: slot, transaction, outer and inner instruction, all decimal.
    fn id(&self) -> String {
        format!(
            "{}-{}-{}-{}",
            self.block.slot(),
            self.transaction_index,
            self.site.instruction_index,
            self.site.inner_instruction_index
        )
    }
}

/// The keys that all rows of a transaction share, written once.
struct TransactionKeys<Key> {
    signature: Key,
    fee_payer: Key,
}

/// All rows of a block in block order, keys as base58 strings.
///
/// # Errors
///
/// When a transaction that names Pump is not valid protobuf.
pub fn trades(block: &Block<'_>, outcomes: Outcomes) -> Result<Trades, BlockError> {
    rows(block, outcomes)
}

/// All rows of a block in block order, keys as bytes.
///
/// # Errors
///
/// When a transaction that names Pump is not valid protobuf.
pub fn raw_trades(block: &Block<'_>, outcomes: Outcomes) -> Result<RawTrades, BlockError> {
    rows(block, outcomes)
}

/// All rows of a block, in the form `R`.
///
/// # Errors
///
/// When a transaction that names Pump is not valid protobuf.
pub fn rows<R: Rows>(block: &Block<'_>, outcomes: Outcomes) -> Result<R, BlockError> {
    let mut rows = R::default();
    for (index, bytes) in block.transactions_naming(&PUMP_PROGRAM) {
        let in_transaction = |cause| BlockError::of_transaction(block.slot(), index, cause);
        let Some(transaction) = Transaction::open(bytes, outcomes).map_err(in_transaction)? else {
            continue;
        };
        let mut keys = None;
        transaction
            .visit_events(|site| {
                let event = match site.read() {
                    Ok(Event::Trade(event)) => Ok(event),
                    Ok(Event::Other(_)) => return,
                    Err(reason) => Err(reason),
                };
                let keys = keys.get_or_insert_with(|| TransactionKeys {
                    signature: R::key(transaction.signature),
                    fee_payer: R::key(transaction.fee_payer()),
                });
                let place = Place {
                    block,
                    transaction_index: index,
                    failed: transaction.failed,
                    keys,
                    outer_program: R::key(site.outer_program),
                    site,
                };
                match event {
                    Ok(event) => rows.push_trade(place, *event),
                    Err(reason) => rows.push_raw_event(place, site.data, &reason),
                }
            })
            .map_err(in_transaction)?;
    }
    Ok(rows)
}
