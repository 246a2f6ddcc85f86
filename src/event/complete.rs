//! CompleteEvent: a curve has sold all of its tokens.
//!
//! | layout | adds | payload bytes so far |
//! |---|---|---|
//! | [`V0`] | user, mint, bonding_curve, timestamp | 104 |
//! | [`V1`] | quote_mint | 136 |
//!
//! Source: the vendor's published IDLs.

use super::groups::event;
use crate::program::Pubkey;

event! {
    /// A completed curve.
    CompleteEvent, 0x5f72_619c_d42e_9808,
    /// What every CompleteEvent has.
    v0: V0 (104) {
        /// Who bought the last tokens.
        user: Pubkey,
        /// Mint of the coin.
        mint: Pubkey,
        /// Account of its curve.
        bonding_curve: Pubkey,
        /// Unix seconds; the IDL's `timestamp`.
        event_timestamp: i64,
    }
    /// Quotes other than SOL.
    v1: V1 {
        /// The zero key means SOL.
        quote_mint: Pubkey,
    }
}
