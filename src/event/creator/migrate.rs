//! MigrateBondingCurveCreatorEvent: the fees of a creator go to shareholders.
//!
//! | layout | adds | payload bytes so far |
//! |---|---|---|
//! | [`V0`] | timestamp, mint, bonding_curve, sharing_config, old_creator, new_creator | 168 |
//!
//! Source: the vendor's published IDLs.

use crate::event::groups::event_groups;
use crate::program::Pubkey;

event_groups! {
    /// the fees of a creator go to shareholders.
    MigrateBondingCurveCreatorEvent, 0x9ba7_68dc_d56c_f303,
    /// What every MigrateBondingCurveCreatorEvent has.
    v0: V0 (168) {
        /// Unix seconds; the IDL's `timestamp`.
        event_timestamp: i64,
        /// Mint of the coin.
        mint: Pubkey,
        /// Account of its curve.
        bonding_curve: Pubkey,
        /// Account of the shareholders.
        sharing_config: Pubkey,
        /// Who was the creator.
        old_creator: Pubkey,
        /// Who is it from now on.
        new_creator: Pubkey,
    }
}
