//! TradeEvent, the event this whole project is about: its layouts and its bytes.
//!
//! The layouts are append-only; n = bytes of `ix_name`, k = number of shareholders. All integers
//! are little endian, a key is 32 bytes, a bool one byte. (Source: the vendor's IDLs and payloads
//! recorded on mainnet.)
//!
//! | layout | adds | payload length |
//! |---|---|---|
//! | V0 | mint, sol_amount u64, token_amount u64, is_buy bool, user, timestamp i64, virtual_sol_reserves u64, virtual_token_reserves u64 | 105 |
//! | V1 | real_sol_reserves u64, real_token_reserves u64 | 121 |
//! | V2 | fee_recipient, fee_basis_points u64, fee u64, creator, creator_fee_basis_points u64, creator_fee u64 | 217 |
//! | V3 | track_volume bool, total_unclaimed_tokens u64, total_claimed_tokens u64, current_sol_volume u64, last_update_timestamp i64 | 250 |
//! | V4 | ix_name string | 254 + n |
//! | V5 | mayhem_mode bool | 255 + n |
//! | V6 | cashback_fee_basis_points u64, cashback u64 | 271 + n |
//! | V6b | buyback_fee_basis_points u64, buyback_fee u64 | 287 + n |
//! | V7 | shareholders vec of {address, share_bps u16}, quote_mint, quote_amount u64, virtual_quote_reserves u64, real_quote_reserves u64 | 347 + n + 34k |
//! | V8 | holder_rewards_bps u64, holder_rewards u64 | 363 + n + 34k |
//! | V9 | creator_fee_unclaimed u64 | 371 + n + 34k |

use crate::keys::Key;
use crate::payload::Payload;

/// Anchor's tag before every event that is emitted through a call (`emit_cpi!`).
pub const EVENT_TAG: [u8; 8] = [0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d];
/// Discriminator of TradeEvent.
pub const TRADE_EVENT: [u8; 8] = [0xbd, 0xdb, 0x7f, 0xd3, 0x4e, 0xe6, 0x61, 0xee];
/// Where the byte `is_buy` lies in the payload.
pub(crate) const IS_BUY_OFFSET: usize = 48;

/// A layout of TradeEvent, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layout {
    /// Since January 2024.
    V0,
    /// Since May or June 2024.
    V1,
    /// Since 12 May 2025.
    V2,
    /// Since August 2025.
    V3,
    /// Since 17 October 2025.
    V4,
    /// Since December 2025.
    V5,
    /// Since February 2026.
    V6,
    /// Since 28 April 2026.
    V6b,
    /// Since May to July 2026.
    V7,
    /// Since 15 September 2026.
    V8,
    /// Since about 2 October 2026.
    V9,
}

impl Layout {
    /// Every layout, oldest first.
    pub const ALL: [Self; 11] = [
        Self::V0,
        Self::V1,
        Self::V2,
        Self::V3,
        Self::V4,
        Self::V5,
        Self::V6,
        Self::V6b,
        Self::V7,
        Self::V8,
        Self::V9,
    ];

    /// The name as the decoder's rows have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V0 => "V0",
            Self::V1 => "V1",
            Self::V2 => "V2",
            Self::V3 => "V3",
            Self::V4 => "V4",
            Self::V5 => "V5",
            Self::V6 => "V6",
            Self::V6b => "V6b",
            Self::V7 => "V7",
            Self::V8 => "V8",
            Self::V9 => "V9",
        }
    }
}

/// One who shares the creator's fee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shareholder {
    /// Who gets the share.
    pub address: Key,
    /// Share in basis points; those of one coin add up to 10,000.
    pub share_bps: u16,
}

/// The fields of a TradeEvent under the IDL's names; `None` where the layout has no such field.
///
/// SOL amounts are in lamports, token amounts in millionths of a token (6 decimals), quote amounts
/// in the quote mint's smallest unit, timestamps in Unix seconds, rates in basis points. Amounts
/// exclude fees; reserves are those after the trade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TradeEvent {
    /// The coin.
    pub mint: Key,
    /// Lamports, fees excluded; 0 for a coin that is not priced in SOL.
    pub sol_amount: u64,
    /// Millionths of a token.
    pub token_amount: u64,
    /// Whether the user got tokens.
    pub is_buy: bool,
    /// Who traded; often not the fee payer.
    pub user: Key,
    /// Unix seconds, equal to the block's time.
    pub timestamp: i64,
    /// Lamports after the trade; 0 for a coin that is not priced in SOL.
    pub virtual_sol_reserves: u64,
    /// Millionths of a token, after the trade.
    pub virtual_token_reserves: u64,
    /// V1: lamports after the trade.
    pub real_sol_reserves: Option<u64>,
    /// V1: millionths of a token still to be sold.
    pub real_token_reserves: Option<u64>,
    /// V2: the zero key for v3 trades, whose fee stays on the curve.
    pub fee_recipient: Option<Key>,
    /// V2: the protocol's rate; 0 in Mayhem trades.
    pub fee_basis_points: Option<u64>,
    /// V2: `ceil(amount * rate / 10000)`.
    pub fee: Option<u64>,
    /// V2: the coin's creator.
    pub creator: Option<Key>,
    /// V2: the creator's rate.
    pub creator_fee_basis_points: Option<u64>,
    /// V2: `ceil(amount * rate / 10000)`.
    pub creator_fee: Option<u64>,
    /// V3: whether the user's volume is counted.
    pub track_volume: Option<bool>,
    /// V3.
    pub total_unclaimed_tokens: Option<u64>,
    /// V3.
    pub total_claimed_tokens: Option<u64>,
    /// V3: lamports.
    pub current_sol_volume: Option<u64>,
    /// V3: Unix seconds, or 0.
    pub last_update_timestamp: Option<i64>,
    /// V4: the instruction that traded, 64 bytes at most.
    pub ix_name: Option<&'static str>,
    /// V5: whether it is a Mayhem coin.
    pub mayhem_mode: Option<bool>,
    /// V6: the cashback rate.
    pub cashback_fee_basis_points: Option<u64>,
    /// V6: `ceil(amount * rate / 10000)`.
    pub cashback: Option<u64>,
    /// V6b: the part of `fee` that buys back.
    pub buyback_fee_basis_points: Option<u64>,
    /// V6b: `floor(fee * rate / 10000)`, part of `fee`.
    pub buyback_fee: Option<u64>,
    /// V7: those who share the creator's fee.
    pub shareholders: Option<Vec<Shareholder>>,
    /// V7: what the coin is priced in; the zero key is SOL.
    pub quote_mint: Option<Key>,
    /// V7: equal to `sol_amount` where the quote is SOL.
    pub quote_amount: Option<u64>,
    /// V7: after the trade.
    pub virtual_quote_reserves: Option<u64>,
    /// V7: after the trade.
    pub real_quote_reserves: Option<u64>,
    /// V8: equal to the creator's rate for holder-reward coins, else 0.
    pub holder_rewards_bps: Option<u64>,
    /// V8: equal to `creator_fee` for holder-reward coins, else 0.
    pub holder_rewards: Option<u64>,
    /// V9: creator fees that still lie on the curve.
    pub creator_fee_unclaimed: Option<u64>,
}

impl TradeEvent {
    /// Takes away the fields that `layout` does not have yet.
    pub(crate) fn cut_to(&mut self, layout: Layout) {
        macro_rules! from_layout {
            ($first:ident: $($field:ident),+) => {
                if layout < Layout::$first {
                    $(self.$field = None;)+
                }
            };
        }
        from_layout!(V1: real_sol_reserves, real_token_reserves);
        from_layout!(V2: fee_recipient, fee_basis_points, fee, creator, creator_fee_basis_points, creator_fee);
        from_layout!(V3: track_volume, total_unclaimed_tokens, total_claimed_tokens, current_sol_volume, last_update_timestamp);
        from_layout!(V4: ix_name);
        from_layout!(V5: mayhem_mode);
        from_layout!(V6: cashback_fee_basis_points, cashback);
        from_layout!(V6b: buyback_fee_basis_points, buyback_fee);
        from_layout!(V7: shareholders, quote_mint, quote_amount, virtual_quote_reserves, real_quote_reserves);
        from_layout!(V8: holder_rewards_bps, holder_rewards);
        from_layout!(V9: creator_fee_unclaimed);
    }

    /// The payload: what follows the event tag and the discriminator.
    pub fn payload(&self) -> Vec<u8> {
        let mut out = Payload::with_capacity(512);
        out.keys(&[&self.mint])
            .u64s(&[self.sol_amount, self.token_amount])
            .bool(self.is_buy)
            .keys(&[&self.user])
            .i64(self.timestamp)
            .u64s(&[self.virtual_sol_reserves, self.virtual_token_reserves]);
        put_u64s(
            &mut out,
            &[self.real_sol_reserves, self.real_token_reserves],
        );
        out.keys(&Vec::from_iter(&self.fee_recipient));
        put_u64s(&mut out, &[self.fee_basis_points, self.fee]);
        out.keys(&Vec::from_iter(&self.creator));
        put_u64s(&mut out, &[self.creator_fee_basis_points, self.creator_fee]);
        if let Some(track_volume) = self.track_volume {
            out.bool(track_volume);
        }
        put_u64s(
            &mut out,
            &[
                self.total_unclaimed_tokens,
                self.total_claimed_tokens,
                self.current_sol_volume,
            ],
        );
        if let Some(timestamp) = self.last_update_timestamp {
            out.i64(timestamp);
        }
        if let Some(name) = self.ix_name {
            out.string(name);
        }
        if let Some(mayhem_mode) = self.mayhem_mode {
            out.bool(mayhem_mode);
        }
        put_u64s(&mut out, &[self.cashback_fee_basis_points, self.cashback]);
        put_u64s(&mut out, &[self.buyback_fee_basis_points, self.buyback_fee]);
        self.put_quote_group(&mut out);
        put_u64s(&mut out, &[self.holder_rewards_bps, self.holder_rewards]);
        put_u64s(&mut out, &[self.creator_fee_unclaimed]);
        out.0
    }

    fn put_quote_group(&self, out: &mut Payload) {
        if let Some(shareholders) = &self.shareholders {
            out.u32(shareholders.len() as u32);
            for shareholder in shareholders {
                out.keys(&[&shareholder.address]).u16(shareholder.share_bps);
            }
        }
        out.keys(&Vec::from_iter(&self.quote_mint));
        put_u64s(
            out,
            &[
                self.quote_amount,
                self.virtual_quote_reserves,
                self.real_quote_reserves,
            ],
        );
    }
}

fn put_u64s(out: &mut Payload, values: &[Option<u64>]) {
    for value in values.iter().flatten() {
        out.u64(*value);
    }
}
