//! PostCompleteBuyEvent: what was left of a buy that completed its curve, spent in the coin's new pool.
//!
//! | layout | adds | payload bytes so far |
//! |---|---|---|
//! | [`V0`] | all | 224 |
//!
//! Since 2026-10-08, in addition to the TradeEvent of the buy itself. Source: the vendor's published IDLs.

use super::groups::event;
use crate::program::Pubkey;

event! {
    /// A buy that goes on in the pool.
    PostCompleteBuyEvent, 0x6fb0_6d8b_316c_d5fb,
    /// What every PostCompleteBuyEvent has.
    v0: V0 (224) {
        /// Who buys.
        user: Pubkey,
        /// Mint of the coin.
        mint: Pubkey,
        /// Account of its curve.
        bonding_curve: Pubkey,
        /// The zero key means SOL.
        quote_mint: Pubkey,
        /// Unix seconds; the IDL's `timestamp`.
        event_timestamp: i64,
        /// 10^-6 tokens.
        base_out: u64,
        /// Smallest units of the quote.
        quote_in: u64,
        /// 1/10000.
        fee_basis_points: u64,
        /// Smallest units of the quote.
        fee: u64,
        /// 1/10000.
        creator_fee_basis_points: u64,
        /// Smallest units of the quote.
        creator_fee: u64,
        /// Smallest units of the quote; a part of `fee`.
        buyback_fee: u64,
        /// 10^-6 tokens.
        pool_base_reserves_before: u64,
        /// Smallest units of the quote.
        pool_quote_reserves_before: u64,
        /// 10^-6 tokens.
        pool_base_reserves_after: u64,
        /// Smallest units of the quote.
        pool_quote_reserves_after: u64,
    }
}
