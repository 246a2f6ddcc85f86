//! The transactions that name Pump.fun's program, out of raw Solana blocks: a Substreams module, and the first half
//! of every other one.
//!
//! ```text
//! bytes ─ block.rs ─▶ lazy block ─ scan.rs ─▶ transactions that name Pump ─ kept.rs ─▶ PumpTransactions
//! ```
//!
//! The module `pump_transactions` copies what the scan finds, with its place, and decodes none of it. It is a binary
//! of its own, and a small one, because an engine caches a module's output under a hash of its binary: whatever
//! is learnt about events later, the modules behind this one run on the few per cent of a block's bytes that are
//! cached here, and not on all blocks anew. **So every change to this crate, were it a comment that moves a line,
//! can cost each user a pass over all blocks**: what does not have to be here is not here.
//!
//! Under all of it lie `wire.rs` (protobuf, field by field), `program.rs` (Pump's addresses) and `error.rs`.

pub mod block;
pub mod error;
pub mod kept;
pub mod output;
pub mod pb;
pub mod program;
mod scan;
pub mod wire;

/// The module of the manifest, as the engine calls it. Called natively it gives nothing: use [`kept::encode`].
#[cfg(feature = "handlers")]
#[allow(
    missing_docs,
    clippy::not_unsafe_ptr_arg_deref,
    reason = "the handler macro writes the exported function, without docs"
)]
pub mod handlers {
    use buffa_types::google::protobuf::Empty;

    use crate::block::BlockInput;
    use crate::error::BlockError;
    use crate::kept;
    use crate::output::hand_over;

    /// The transactions of a block that name Pump, failed ones too. A block without one gives no output.
    #[substreams::handlers::map]
    pub fn pump_transactions(block: &BlockInput<'_>) -> Result<Option<Empty>, BlockError> {
        hand_over(kept::encode(block.get()?))
    }
}
