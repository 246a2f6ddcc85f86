//! AdminSetCreatorEvent: the vendor replaces a creator.
//!
//! | layout | adds | payload bytes so far |
//! |---|---|---|
//! | [`V0`] | timestamp, admin_set_creator_authority, mint, bonding_curve, old_creator, new_creator | 168 |
//!
//! Source: the vendor's published IDLs.

use crate::event::groups::event_groups;
use crate::program::Pubkey;

event_groups! {
    /// the vendor replaces a creator.
    AdminSetCreatorEvent, 0x4045_c068_1d1e_196b,
    /// What every AdminSetCreatorEvent has.
    v0: V0 (168) {
        /// Unix seconds; the IDL's `timestamp`.
        event_timestamp: i64,
        /// Who ordered it.
        admin_set_creator_authority: Pubkey,
        /// Mint of the coin.
        mint: Pubkey,
        /// Account of its curve.
        bonding_curve: Pubkey,
        /// Who was the creator.
        old_creator: Pubkey,
        /// Who is it from now on.
        new_creator: Pubkey,
    }
}
