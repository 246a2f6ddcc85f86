//! AdminCtoEvent: a community takes a coin over from its creator.
//!
//! | layout | adds | payload bytes so far |
//! |---|---|---|
//! | [`V0`] | timestamp, authority, mint, bonding_curve, old_creator, new_creator | 168 |
//! | [`V1`] | what becomes of fees and rewards | 196 |
//!
//! Source: the vendor's published IDLs.

use crate::event::groups::event_groups;
use crate::program::Pubkey;

event_groups! {
    /// a community takes a coin over from its creator.
    AdminCtoEvent, 0x6e7c_e262_aaff_1178,
    /// What every AdminCtoEvent has.
    v0: V0 (168) {
        /// Unix seconds; the IDL's `timestamp`.
        event_timestamp: i64,
        /// Who ordered it.
        authority: Pubkey,
        /// Mint of the coin.
        mint: Pubkey,
        /// Account of its curve.
        bonding_curve: Pubkey,
        /// Who was the creator.
        old_creator: Pubkey,
        /// Who is it from now on.
        new_creator: Pubkey,
    }
    /// What becomes of fees and rewards.
    v1: V1 {
        /// Whether the fee of the creator goes to the holders.
        is_holder_reward: bool,
        /// Whether buyers get cashback.
        is_cashback_coin: bool,
        /// 1/10000.
        old_creator_fee_bps: u64,
        /// 1/10000.
        new_creator_fee_bps: u64,
        /// Whether the shareholders were reset.
        sharing_config_reset: bool,
        /// Smallest units of the quote, paid out to the vault of the holders.
        swept_to_holder_vault: u64,
        /// Whether the pool of the coin was changed too.
        pool_updated: bool,
    }
}
