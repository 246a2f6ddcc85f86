//! Every Pump.fun trade, once and right, out of raw Solana blocks: a Substreams module.
//!
//! A trade's way, one file a step:
//!
//! ```text
//! bytes ─ block.rs ─▶ lazy block ─ scan.rs ─▶ transactions that name Pump ─ transaction.rs ─▶ event sites
//!       ─ event/trade.rs ─▶ TradeEvent ─ row/trade.rs ─▶ rows ─ row/writer.rs ─▶ protobuf of pb/
//! ```
//!
//! Under all of it lie `wire.rs` (protobuf, field by field), `program.rs` (Pump's addresses) and `error.rs`. The
//! modules below are all that leaves the wasm, which is built with the feature `handlers`; natively, and in a wasm of
//! your own, the same way is open as [`block::Block::decode`] and [`row::trades`]:
//!
//! ```
//! use pumpfun_trades::{block::Block, row, transaction::Outcomes};
//!
//! let bytes = [0xa0, 0x01, 42]; // sf.solana.type.v1.Block { slot: 42 }
//! let block = Block::decode(&bytes)?;
//! let trades = row::trades(&block, Outcomes::Successful)?;
//! assert_eq!((block.slot(), trades.trades.len()), (42, 0));
//! # Ok::<(), pumpfun_trades::error::BlockError>(())
//! ```

pub use pumpfun_transactions::{block, error, kept, program, wire};

pub mod event;
pub mod pb;
pub mod row;
pub mod transaction;

/// The modules of the manifest, as the engine calls them. Called natively they give nothing: use [`row`].
#[cfg(feature = "handlers")]
#[allow(
    missing_docs,
    clippy::not_unsafe_ptr_arg_deref,
    reason = "the handler macro writes the exported functions, without docs"
)]
pub mod handlers {
    use buffa_types::google::protobuf::Empty;
    use pumpfun_transactions::output::hand_over;

    use crate::block::BlockInput;
    use crate::error::BlockError;
    use crate::kept::PumpTransactionsInput;
    use crate::row::{self, Base58, RawBytes};
    use crate::transaction::Outcomes::{Failed, Successful};

    /// The trades of a block's successful transactions, keys as base58 strings.
    #[substreams::handlers::map]
    pub fn map_trades(block: &BlockInput<'_>) -> Result<Option<Empty>, BlockError> {
        hand_over(row::encode::<Base58>(block.get()?, Successful)?)
    }

    /// The same with keys as bytes.
    #[substreams::handlers::map]
    pub fn map_raw_trades(block: &BlockInput<'_>) -> Result<Option<Empty>, BlockError> {
        hand_over(row::encode::<RawBytes>(block.get()?, Successful)?)
    }

    /// The rows of all events of a block's successful transactions.
    #[substreams::handlers::map]
    pub fn map_events(kept: &PumpTransactionsInput<'_>) -> Result<Option<Empty>, BlockError> {
        hand_over(row::encode_events(kept.get()?, Successful)?)
    }

    /// The trades of a block's failed transactions.
    #[substreams::handlers::map]
    pub fn map_failed_trades(
        kept: &PumpTransactionsInput<'_>,
    ) -> Result<Option<Empty>, BlockError> {
        hand_over(row::encode::<Base58>(kept.get()?, Failed)?)
    }
}
