//! UpdateMayhemVirtualParamsEvent: the price of a coin in mayhem mode is moved without a trade.
//!
//! | layout | adds | payload bytes so far |
//! |---|---|---|
//! | [`V0`] | all | 88 |
//!
//! Source: the vendor's published IDLs.

use super::groups::event;
use crate::program::Pubkey;

event! {
    /// Virtual reserves before and after, and the real ones.
    UpdateMayhemVirtualParamsEvent, 0x757b_e4b6_a1a8_dcd6,
    /// What every UpdateMayhemVirtualParamsEvent has.
    v0: V0 (88) {
        /// Unix seconds; the IDL's `timestamp`.
        event_timestamp: i64,
        /// Mint of the coin.
        mint: Pubkey,
        /// 10^-6 tokens, before.
        virtual_token_reserves: u64,
        /// Lamports, before.
        virtual_sol_reserves: u64,
        /// 10^-6 tokens, after.
        new_virtual_token_reserves: u64,
        /// Lamports, after.
        new_virtual_sol_reserves: u64,
        /// 10^-6 tokens.
        real_token_reserves: u64,
        /// Lamports.
        real_sol_reserves: u64,
    }
}
