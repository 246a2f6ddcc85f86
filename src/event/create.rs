//! CreateEvent: a coin comes to life on its bonding curve.
//!
//! | layout | adds | payload bytes so far |
//! |---|---|---|
//! | [`V0`] | name, symbol, uri, mint, bonding_curve, user | 108 + s |
//! | [`V1`] | creator | 140 + s |
//! | [`V2`] | timestamp | 148 + s |
//! | [`V3`] | reserves of the new curve, supply | 180 + s |
//! | [`V4`] | token_program, is_mayhem_mode | 213 + s |
//! | [`V5`] | is_cashback_enabled | 214 + s |
//! | [`V6`] | quote_mint, virtual_quote_reserves | 254 + s |
//! | [`V7`] | creator_fee_bps, is_holder_reward | 263 + s |
//! | [`V8`] | depth | 264 + s |
//!
//! s: bytes of the three strings. Source: the vendor's published IDLs, payloads read off mainnet.

use super::groups::event;
use super::text::Text;
use crate::program::Pubkey;

event! {
    /// A new coin.
    CreateEvent, 0x1b72_a94d_deeb_6376,
    /// What every CreateEvent has.
    v0: V0 (108) {
        /// As the coin's maker typed it.
        name: Text,
        /// As the coin's maker typed it; not unique.
        symbol: Text,
        /// Where the metadata lies.
        uri: Text,
        /// Mint of the coin.
        mint: Pubkey,
        /// Account of its curve.
        bonding_curve: Pubkey,
        /// Who called Pump.
        user: Pubkey,
    }
    /// The creator may be someone else than who called.
    v1: V1 {
        /// Who gets the creator's fees.
        creator: Pubkey,
    }
    /// When.
    v2: V2 {
        /// Unix seconds; the IDL's `timestamp`.
        event_timestamp: i64,
    }
    /// The new curve.
    v3: V3 {
        /// 10^-6 tokens.
        virtual_token_reserves: u64,
        /// Lamports.
        virtual_sol_reserves: u64,
        /// 10^-6 tokens.
        real_token_reserves: u64,
        /// 10^-6 tokens.
        token_total_supply: u64,
    }
    /// Token-2022 and mayhem mode.
    v4: V4 {
        /// Program of the mint.
        token_program: Pubkey,
        /// Whether the coin is in mayhem mode.
        is_mayhem_mode: bool,
    }
    /// Cashback.
    v5: V5 {
        /// Whether buyers get it.
        is_cashback_enabled: bool,
    }
    /// Quotes other than SOL.
    v6: V6 {
        /// The zero key means SOL.
        quote_mint: Pubkey,
        /// Smallest units of the quote.
        virtual_quote_reserves: u64,
    }
    /// Rewards of holders.
    v7: V7 {
        /// 1/10000.
        creator_fee_bps: u64,
        /// Whether the creator's fee goes to the holders.
        is_holder_reward: bool,
    }
    /// The IDL's depth.
    v8: V8 {
        /// As it stands there.
        depth: u8,
    }
}
