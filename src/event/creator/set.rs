//! SetCreatorEvent: a creator is set, from metadata or by order.
//!
//! | layout | adds | payload bytes so far |
//! |---|---|---|
//! | [`V0`] | timestamp, mint, bonding_curve, creator | 104 |
//!
//! Source: the vendor's published IDLs.

use crate::event::groups::event_groups;
use crate::program::Pubkey;

event_groups! {
    /// a creator is set, from metadata or by order.
    SetCreatorEvent, 0xed34_7b25_f5fb_48d2,
    /// What every SetCreatorEvent has.
    v0: V0 (104) {
        /// Unix seconds; the IDL's `timestamp`.
        event_timestamp: i64,
        /// Mint of the coin.
        mint: Pubkey,
        /// Account of its curve.
        bonding_curve: Pubkey,
        /// Who is the creator from now on.
        creator: Pubkey,
    }
}
