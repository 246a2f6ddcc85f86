//! Events → rows: the last step, and the way through all of them for one block.
//!
//! A row is a message of `pumpfun.v1`. Trades come in two forms with the same fields: [`Trades`] has keys as base58
//! strings, [`RawTrades`] as bytes. [`Events`] has the rows of all other events too. Rows are encoded as they are
//! found: what leaves the module is bytes, and no row is ever held as a message of its own.

mod encoder;
mod event;
mod keys;
mod place;
mod trade;
mod writer;

use buffa::Message;
pub use event::EventWriter;
pub use keys::{Base58, KeyForm, RawBytes};
pub use place::Place;
pub use writer::RowWriter;

use crate::block::{Block, decode_options};
use crate::error::BlockError;
use crate::event::{data, read, read_trade};
use crate::kept::KeptBlock;
use crate::pb::v1::{Events, RawTrades, Trades};
use crate::transaction::{EventSite, Outcomes, Transaction};

/// Where the transactions of a block come from: the block, or what `pump_transactions` kept of it.
pub trait Source<'a> {
    /// Slot of the block.
    fn slot(&self) -> u64;

    /// Time of the block, Unix seconds.
    fn block_time(&self) -> Option<i64>;

    /// The transactions that name Pump, each with its index in the block, undecoded.
    fn pump_transactions(&self) -> impl Iterator<Item = (u32, &'a [u8])>;
}

impl<'a> Source<'a> for Block<'a> {
    fn slot(&self) -> u64 {
        self.slot()
    }

    fn block_time(&self) -> Option<i64> {
        self.block_time()
    }

    fn pump_transactions(&self) -> impl Iterator<Item = (u32, &'a [u8])> {
        self.pump_transactions()
    }
}

impl<'a> Source<'a> for KeptBlock<'a> {
    fn slot(&self) -> u64 {
        self.slot()
    }

    fn block_time(&self) -> Option<i64> {
        self.block_time()
    }

    fn pump_transactions(&self) -> impl Iterator<Item = (u32, &'a [u8])> {
        self.pump_transactions()
    }
}

/// All trades of a block in block order, keys as base58 strings.
///
/// # Errors
///
/// Those of [`encode`].
pub fn trades<'a>(block: &impl Source<'a>, outcomes: Outcomes) -> Result<Trades, BlockError> {
    decoded(block, &encode::<Base58>(block, outcomes)?, "Trades")
}

/// All trades of a block in block order, keys as bytes.
///
/// # Errors
///
/// Those of [`encode`].
pub fn raw_trades<'a>(
    block: &impl Source<'a>,
    outcomes: Outcomes,
) -> Result<RawTrades, BlockError> {
    decoded(block, &encode::<RawBytes>(block, outcomes)?, "RawTrades")
}

/// The rows of all events of a block, each kind in block order.
///
/// # Errors
///
/// Those of [`encode_events`].
pub fn events<'a>(block: &impl Source<'a>, outcomes: Outcomes) -> Result<Events, BlockError> {
    decoded(block, &encode_events(block, outcomes)?, "Events")
}

/// Rows as messages, for those who want them so. That they decode again is a promise of those who encode them.
fn decoded<'a, M: Message>(
    block: &impl Source<'a>,
    rows: &[u8],
    name: &'static str,
) -> Result<M, BlockError> {
    decode_options()
        .decode_from_slice(rows)
        .map_err(|cause| BlockError::of_output(Some(block.slot()), name, cause))
}

/// All trades of a block in block order, encoded: [`Trades`] for [`Base58`], [`RawTrades`] for [`RawBytes`]; no
/// bytes for no row.
///
/// # Errors
///
/// When a transaction that names Pump is not valid protobuf.
pub fn encode<'a, F: KeyForm>(
    block: &impl Source<'a>,
    outcomes: Outcomes,
) -> Result<Vec<u8>, BlockError> {
    Opened::of(block, outcomes).trades::<F>()
}
/// The rows of all events of a block, each kind in block order, encoded as [`Events`]; no bytes for no row.
///
/// # Errors
///
/// When a transaction that names Pump is not valid protobuf.
pub fn encode_events<'a>(
    block: &impl Source<'a>,
    outcomes: Outcomes,
) -> Result<Vec<u8>, BlockError> {
    let mut rows = EventWriter::default();
    Opened::of(block, outcomes).for_each_event(|place, site| match data(site).and_then(read) {
        Ok(event) => rows.push(place, &event, site.data),
        Err(reason) => rows.push_unreadable(place, site.data, &reason),
    })?;
    Ok(rows.into_bytes())
}

/// The transactions of a block that are to be opened, wherever they come from.
struct Opened<'a> {
    slot: u64,
    block_time: Option<i64>,
    transactions: Vec<(u32, &'a [u8])>,
    outcomes: Outcomes,
}

impl<'a> Opened<'a> {
    /// The encoded trades. Once in the wasm for each form, and not for each kind of source too.
    #[inline(never)]
    fn trades<F: KeyForm>(&self) -> Result<Vec<u8>, BlockError> {
        let mut rows = RowWriter::<F>::default();
        self.for_each_event(|place, site| match data(site).and_then(read_trade) {
            Ok(Some(event)) => rows.push_trade(place, &event),
            Ok(None) => {}
            Err(reason) => rows.push_raw_event(place, site.data, Some(&reason)),
        })?;
        Ok(rows.into_bytes())
    }

    fn of(block: &impl Source<'a>, outcomes: Outcomes) -> Self {
        Self {
            slot: block.slot(),
            block_time: block.block_time(),
            transactions: block.pump_transactions().collect(),
            outcomes,
        }
    }

    /// Gives each event site with its place.
    fn for_each_event(
        &self,
        mut visit: impl FnMut(&Place<'_>, &EventSite<'_>),
    ) -> Result<(), BlockError> {
        let mut transaction = Transaction::default();
        for &(transaction_index, bytes) in &self.transactions {
            let in_transaction =
                |cause| BlockError::of_transaction(self.slot, transaction_index, cause);
            let asked_for = transaction.open(bytes, self.outcomes);
            if !asked_for.map_err(in_transaction)? {
                continue;
            }
            let visited = transaction.visit_events(|site| {
                let place = Place {
                    slot: self.slot,
                    block_time: self.block_time,
                    transaction_index,
                    instruction_index: site.instruction_index,
                    inner_instruction_index: site.inner_instruction_index,
                    stack_height: site.stack_height,
                    signature: transaction.signature(),
                    fee_payer: transaction.fee_payer(),
                    outer_program: site.outer_program,
                    failed: transaction.failed(),
                };
                visit(&place, site);
            });
            visited.map_err(in_transaction)?;
        }
        Ok(())
    }
}
