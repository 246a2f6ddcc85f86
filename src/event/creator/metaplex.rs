//! SetMetaplexCreatorEvent: the creator becomes the one that the metadata names.
//!
//! | layout | adds | payload bytes so far |
//! |---|---|---|
//! | [`V0`] | timestamp, mint, bonding_curve, metadata, creator | 136 |
//!
//! Source: the vendor's published IDLs.

use crate::event::groups::event_groups;
use crate::program::Pubkey;

event_groups! {
    /// the creator becomes the one that the metadata names.
    SetMetaplexCreatorEvent, 0x8ecb_0620_7f69_bfa2,
    /// What every SetMetaplexCreatorEvent has.
    v0: V0 (136) {
        /// Unix seconds; the IDL's `timestamp`.
        event_timestamp: i64,
        /// Mint of the coin.
        mint: Pubkey,
        /// Account of its curve.
        bonding_curve: Pubkey,
        /// The metadata's account.
        metadata: Pubkey,
        /// Who is the creator from now on.
        creator: Pubkey,
    }
}
