//! CompletePumpAmmMigrationEvent: a completed coin moves to a pool of the AMM.
//!
//! | layout | adds | payload bytes so far |
//! |---|---|---|
//! | [`V0`] | user, mint, amounts, bonding_curve, timestamp, pool | 160 |
//! | [`V1`] | quote_mint | 192 |
//!
//! Source: the vendor's published IDLs.

use super::groups::event;
use crate::program::Pubkey;

event! {
    /// A migrated coin.
    CompletePumpAmmMigrationEvent, 0xbde9_5db9_5c94_ea94,
    /// What every CompletePumpAmmMigrationEvent has.
    v0: V0 (160) {
        /// Who called for it.
        user: Pubkey,
        /// Mint of the coin.
        mint: Pubkey,
        /// 10^-6 tokens that go into the pool.
        mint_amount: u64,
        /// What goes into the pool beside them: smallest units of the quote, whatever that is.
        sol_amount: u64,
        /// Smallest units of the quote.
        pool_migration_fee: u64,
        /// Account of the curve.
        bonding_curve: Pubkey,
        /// Unix seconds; the IDL's `timestamp`.
        event_timestamp: i64,
        /// The new pool.
        pool: Pubkey,
    }
    /// Quotes other than SOL.
    v1: V1 {
        /// The zero key means SOL.
        quote_mint: Pubkey,
    }
}
