//! What is made of Pump.fun's rows: Substreams modules that read the output of `map_events`.
//!
//! ```text
//! Events ─ filter ─▶ keys of an index, or the trades that an expression asks for
//!        ─ database ─▶ DatabaseChanges, which a SQL sink takes
//! ```
//!
//! They are a binary of their own, so that a change here leaves the hashes, and so the caches, of the modules that
//! decode events as they are; and the other way round, as long as the rows stay the same.

use pumpfun_transactions::{error, wire};

pub mod database;
pub mod filter;
pub mod input;

/// The modules of the manifest, as the engine calls them. Called natively they give nothing.
#[cfg(feature = "handlers")]
#[allow(
    missing_docs,
    clippy::not_unsafe_ptr_arg_deref,
    reason = "the handler macro writes the exported functions, without docs"
)]
pub mod handlers {
    use buffa_types::google::protobuf::Empty;
    use pumpfun_transactions::output::hand_over;

    use crate::error::BlockError;
    use crate::filter::{Filter, FilteringError};
    use crate::input::EventsInput;
    use crate::{database, filter};

    /// The keys by which blocks are found that hold certain trades.
    #[substreams::handlers::map]
    pub fn index_trades(events: &EventsInput<'_>) -> Result<Option<Empty>, BlockError> {
        hand_over(filter::index_keys(events)?)
    }

    /// The trades that an expression asks for.
    #[substreams::handlers::map]
    pub fn filtered_trades(
        params: String,
        events: &EventsInput<'_>,
    ) -> Result<Option<Empty>, FilteringError> {
        hand_over(filter::filtered_trades(&Filter::parse(&params)?, events)?)
    }

    /// The rows of all events as the SQL sink takes them.
    #[substreams::handlers::map]
    pub fn db_out(events: &EventsInput<'_>) -> Result<Option<Empty>, BlockError> {
        hand_over(database::changes(events)?)
    }
}
