//! TradeEvent: one trade on a bonding curve.
//!
//! | layout | on mainnet since | adds | payload bytes so far |
//! |---|---|---|---|
//! | [`V0`] | 2024-01 | mint, sol_amount, token_amount, is_buy, user, timestamp, virtual reserves | 105 |
//! | [`V1`] | 2024-05/06 | real reserves | 121 |
//! | [`V2`] | 2025-05-12 | fee and creator fee | 217 |
//! | [`V3`] | 2025-08 | volume rewards | 250 |
//! | [`V4`] | 2025-10-17 | ix_name | 254 + n |
//! | [`V5`] | 2025-12 | mayhem_mode | 255 + n |
//! | [`V6`] | 2026-02 | cashback | 271 + n |
//! | [`V6b`] | 2026-04-28 | buy-back fee | 287 + n |
//! | [`V7`] | 2026-05 to 07 | shareholders, quote | 347 + n + 34 k |
//! | [`V8`] | 2026-09-15 | holder rewards | 363 + n + 34 k |
//! | [`V9`] | about 2026-10-02 | unclaimed creator fee | 371 + n + 34 k |
//!
//! n: bytes of `ix_name`; k: number of shareholders. Integers are little endian. Source: the vendor's published
//! IDLs, and payloads of every layout read off mainnet.
//!
//! # A new layout
//!
//! 1. Here: its struct, its name at the end of the list `layouts!`, its line in the table above.
//! 2. `proto/pumpfun/v1/trades.proto` and `raw_trades.proto`: its fields, under the next free numbers; `make protogen`.
//!    Its last step, which writes SQL and papers, wants step 3 first: run it again then.
//! 3. `row/trade.rs`: a line a field; the compiler names each that is missing.
//! 4. `tests/common/reference.rs`: its fields; a recorded payload in `tests/vectors`; the generator's
//!    `trade_event.rs`, if it is to be generated too.
//! 5. `make pack`: the hashes that change.

use borsh::BorshDeserialize;

use super::groups::layouts;
use super::text::ShortString;
use crate::program::{Pubkey, SOL_QUOTE_MINT};

layouts! {
    /// A trade, with the groups that its layout has.
    TradeEvent, 0xbddb_7fd3_4ee6_61ee, true,
    v0: V0, v1: V1, v2: V2, v3: V3, v4: V4, v5: V5, v6: V6, v6b: V6b, v7: V7, v8: V8, v9: V9,
}

impl TradeEvent {
    /// What the trade was paid in: the event's own quote since V7, SOL before.
    pub fn quote(&self) -> Quote {
        match &self.v7 {
            Some(v7) => Quote {
                mint: v7.quote_mint,
                amount: v7.quote_amount,
                virtual_reserves: v7.virtual_quote_reserves,
                real_reserves: Some(v7.real_quote_reserves),
            },
            None => Quote {
                mint: SOL_QUOTE_MINT,
                amount: self.v0.sol_amount,
                virtual_reserves: self.v0.virtual_sol_reserves,
                real_reserves: self.v1.as_ref().map(|v1| v1.real_sol_reserves),
            },
        }
    }
}

/// The side of a trade that is not the coin; amounts in the quote's smallest unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quote {
    /// Mint of the quote; the zero key means SOL.
    pub mint: Pubkey,
    /// What changed hands, without fees.
    pub amount: u64,
    /// Virtual reserves after the trade.
    pub virtual_reserves: u64,
    /// Real reserves after the trade; not told by V0.
    pub real_reserves: Option<u64>,
}

/// What every TradeEvent has.
#[derive(BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct V0 {
    /// Mint of the coin.
    pub mint: Pubkey,
    /// Lamports, without fees; 0 for a coin priced in something else than SOL.
    pub sol_amount: u64,
    /// 10^-6 tokens.
    pub token_amount: u64,
    /// Whether the user buys tokens.
    pub is_buy: bool,
    /// Who trades.
    pub user: Pubkey,
    /// Unix seconds; equals the block's time.
    pub timestamp: i64,
    /// Lamports, after the trade.
    pub virtual_sol_reserves: u64,
    /// 10^-6 tokens, after the trade.
    pub virtual_token_reserves: u64,
}

impl V0 {
    /// Bytes of the group.
    pub const LENGTH: usize = 105;
}

/// Since 2024-05/06: the real reserves.
#[derive(BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct V1 {
    /// Lamports, after the trade.
    pub real_sol_reserves: u64,
    /// 10^-6 tokens, after the trade.
    pub real_token_reserves: u64,
}

/// Since 2025-05-12: the fees. Before, the fee was 1 %.
#[derive(BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct V2 {
    /// Who gets the fee; the zero key for v3 trades.
    pub fee_recipient: Pubkey,
    /// 1/10000.
    pub fee_basis_points: u64,
    /// Smallest units of the quote: ceil(amount * rate / 10000).
    pub fee: u64,
    /// Creator of the coin.
    pub creator: Pubkey,
    /// 1/10000.
    pub creator_fee_basis_points: u64,
    /// Smallest units of the quote.
    pub creator_fee: u64,
}

/// Since 2025-08: the user's volume rewards.
#[derive(BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct V3 {
    /// Whether the trade counts for them.
    pub track_volume: bool,
    /// 10^-6 tokens.
    pub total_unclaimed_tokens: u64,
    /// 10^-6 tokens.
    pub total_claimed_tokens: u64,
    /// Lamports, of the current day.
    pub current_sol_volume: u64,
    /// Unix seconds.
    pub last_update_timestamp: i64,
}

/// Since 2025-10-17: the instruction's name.
#[derive(BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct V4 {
    /// Such as `buy` or `sell_v3`; the direction is in `is_buy`, never here.
    pub ix_name: ShortString<64>,
}

/// Since 2025-12: mayhem mode.
#[derive(BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct V5 {
    /// Whether the coin is in it; its fee rates are then 0.
    pub mayhem_mode: bool,
}

/// Since 2026-02: the cashback.
#[derive(BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct V6 {
    /// 1/10000.
    pub cashback_fee_basis_points: u64,
    /// Smallest units of the quote.
    pub cashback: u64,
}

/// Since 2026-04-28: the buy-back fee, a part of `fee`.
#[derive(BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct V6b {
    /// 1/10000 of the fee.
    pub buyback_fee_basis_points: u64,
    /// Smallest units of the quote: floor(fee * share / 10000).
    pub buyback_fee: u64,
}

/// Since 2026-05 to 07: who shares the creator's fee, and quotes other than SOL.
#[derive(BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct V7 {
    /// In the order of the event. A count that promises more than the payload holds fails at its end.
    pub shareholders: Vec<Shareholder>,
    /// The zero key means SOL.
    pub quote_mint: Pubkey,
    /// Smallest units of the quote, without fees.
    pub quote_amount: u64,
    /// Smallest units of the quote, after the trade.
    pub virtual_quote_reserves: u64,
    /// Smallest units of the quote, after the trade.
    pub real_quote_reserves: u64,
}

/// Who gets a share of the creator's fee.
#[derive(BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct Shareholder {
    /// Who.
    pub address: Pubkey,
    /// The share, 1/10000.
    pub share_bps: u16,
}

/// Since 2026-09-15: the holders' rewards.
#[derive(BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct V8 {
    /// 1/10000.
    pub holder_rewards_bps: u64,
    /// Smallest units of the quote; for holder-reward coins the same money as `creator_fee`.
    pub holder_rewards: u64,
}

/// Since about 2026-10-02: what waits on the curve for the creator.
#[derive(BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct V9 {
    /// Smallest units of the quote.
    pub creator_fee_unclaimed: u64,
}
