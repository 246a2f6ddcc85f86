//! CollectCreatorFeeEvent: a creator takes out fees, which trades have counted already.
//!
//! | layout | adds | payload bytes so far |
//! |---|---|---|
//! | [`V0`] | timestamp, creator, creator_fee | 48 |
//! | [`V1`] | quote_mint | 80 |
//!
//! Source: the vendor's published IDLs.

use super::groups::event;
use crate::program::Pubkey;

event! {
    /// Fees that a creator takes out.
    CollectCreatorFeeEvent, 0x7a02_7f01_0ebf_0caf,
    /// What every CollectCreatorFeeEvent has.
    v0: V0 (48) {
        /// Unix seconds; the IDL's `timestamp`.
        event_timestamp: i64,
        /// Who takes them.
        creator: Pubkey,
        /// Smallest units of the quote.
        creator_fee: u64,
    }
    /// Quotes other than SOL.
    v1: V1 {
        /// The zero key means SOL.
        quote_mint: Pubkey,
    }
}
