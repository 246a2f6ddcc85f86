//! Pump's other events: made-up values in the published layouts.
//!
//! Each grew at its end over time; [`OtherEvent::cut`] gives an older layout of the same event.
//!
//! | event | payload lengths, oldest first (s = bytes of the three strings) |
//! |---|---|
//! | CreateEvent | 108+s, 140+s, 148+s, 180+s, 213+s, 214+s, 254+s, 263+s, 264+s |
//! | CompleteEvent | 104, 136 |
//! | CompletePumpAmmMigrationEvent | 160, 192 |
//! | PostCompleteBuyEvent | 224 |
//! | SweepBondingCurveFeeEvent | 145 |
//! | CollectCreatorFeeEvent | 48, 80 |
//! | UpdateMayhemVirtualParamsEvent | 88 |
//! | ExtendAccountEvent | 88 |
//! | SetCreatorEvent | 104 |

use crate::coin::{Coin, Curve, INITIAL_REAL_TOKENS, INITIAL_VIRTUAL_TOKENS, fee_of};
use crate::keys::Key;
use crate::payload::Payload;
use crate::rng::Rng;
use crate::steps;

/// Tokens of a coin in all: 1,000,000,000 with 6 decimals.
const TOTAL_SUPPLY: u64 = 1_000_000_000_000_000;
/// What migrating to the AMM costs, in lamports.
const MIGRATION_FEE: u64 = 15_000_001;

/// An event with its payload.
#[derive(Clone, Debug)]
pub(crate) struct OtherEvent {
    pub(crate) name: &'static str,
    pub(crate) discriminator: [u8; 8],
    pub(crate) payload: Vec<u8>,
    /// Bytes by which older layouts are shorter than the newest.
    older: &'static [usize],
}

impl OtherEvent {
    fn new(
        name: &'static str,
        discriminator: u64,
        payload: Payload,
        older: &'static [usize],
    ) -> Self {
        Self {
            name,
            discriminator: discriminator.to_be_bytes(),
            payload: payload.0,
            older,
        }
    }

    /// In two of five cases an older layout, if there is one.
    pub(crate) fn cut(mut self, rng: &mut Rng) -> Self {
        if !self.older.is_empty() && rng.percent(40) {
            let shorter = *rng.pick(self.older);
            self.payload.truncate(self.payload.len() - shorter);
        }
        self
    }
}

pub(crate) fn create(rng: &mut Rng, coin: &Coin, user: &Key, time: i64) -> OtherEvent {
    let number = rng.below(1_000_000);
    let curve = coin.new_curve();
    let mut out = Payload::default();
    out.string(&format!("Coin number {number}"))
        .string(&format!("C{number}"))
        .string(&format!("https://ipfs.io/ipfs/bafkrei{number:052}"))
        .keys(&[&coin.mint.key, &coin.bonding_curve.key, user, &coin.creator])
        .i64(time)
        .u64s(&[
            INITIAL_VIRTUAL_TOKENS,
            curve.virtual_quote,
            INITIAL_REAL_TOKENS,
            TOTAL_SUPPLY,
        ])
        .keys(&[&steps::token_program(coin.token_2022).key])
        .bool(coin.mayhem)
        .bool(coin.cashback_bps > 0)
        .keys(&[&coin.quote_mint])
        .u64(curve.virtual_quote)
        .u64(coin.creator_fee_bps)
        .bool(coin.holder_rewards)
        .u8(0);
    let older = &[1, 10, 50, 51, 84, 116, 124, 156];
    OtherEvent::new("CreateEvent", 0x1b72_a94d_deeb_6376, out, older)
}

pub(crate) fn extend_account(coin: &Coin, user: &Key, time: i64) -> OtherEvent {
    let mut out = Payload::default();
    out.keys(&[&coin.bonding_curve.key, user])
        .u64s(&[83, 151])
        .i64(time);
    OtherEvent::new("ExtendAccountEvent", 0x6161_d790_5d92_167c, out, &[])
}

pub(crate) fn complete(coin: &Coin, user: &Key, time: i64) -> OtherEvent {
    let mut out = Payload::default();
    out.keys(&[user, &coin.mint.key, &coin.bonding_curve.key])
        .i64(time)
        .keys(&[&coin.quote_mint]);
    OtherEvent::new("CompleteEvent", 0x5f72_619c_d42e_9808, out, &[32])
}

pub(crate) fn migrate(rng: &mut Rng, coin: &Coin, user: &Key, time: i64) -> OtherEvent {
    let mut curve = coin.new_curve();
    let tokens = curve.real_token;
    let quote = curve.cost_of(tokens);
    curve.buy(tokens, quote);
    let mut out = Payload::default();
    out.keys(&[user, &coin.mint.key])
        .u64s(&[
            TOTAL_SUPPLY - INITIAL_REAL_TOKENS,
            curve.real_quote - MIGRATION_FEE,
            MIGRATION_FEE,
        ])
        .keys(&[&coin.bonding_curve.key])
        .i64(time)
        .keys(&[&rng.array(), &coin.quote_mint]);
    OtherEvent::new(
        "CompletePumpAmmMigrationEvent",
        0xbde9_5db9_5c94_ea94,
        out,
        &[32],
    )
}

/// The rest of a completing buy, spent in the new pool whose reserves come from `curve`.
pub(crate) fn post_complete_buy(
    rng: &mut Rng,
    coin: &Coin,
    curve: &Curve,
    user: &Key,
    time: i64,
) -> OtherEvent {
    let base_before = TOTAL_SUPPLY - INITIAL_REAL_TOKENS;
    let quote_before = curve.real_quote - MIGRATION_FEE;
    let quote_in = rng.range(1_000_000, 2_000_000_000);
    let base_out = (u128::from(base_before) * u128::from(quote_in)
        / u128::from(quote_before + quote_in)) as u64;
    let fee = fee_of(quote_in, 95);
    let mut out = Payload::default();
    out.keys(&[
        user,
        &coin.mint.key,
        &coin.bonding_curve.key,
        &coin.quote_mint,
    ])
    .i64(time)
    .u64s(&[
        base_out,
        quote_in,
        95,
        fee,
        coin.creator_fee_bps,
        fee_of(quote_in, coin.creator_fee_bps),
        fee / 2,
        base_before,
        quote_before,
        base_before - base_out,
        quote_before + quote_in,
    ]);
    OtherEvent::new("PostCompleteBuyEvent", 0x6fb0_6d8b_316c_d5fb, out, &[])
}

/// `bucket` is 0 for the protocol's fees and 1 for the creator's.
pub(crate) fn sweep_fees(rng: &mut Rng, coin: &Coin, bucket: u8, time: i64) -> OtherEvent {
    let recipient: Key = rng.array();
    let mut out = Payload::default();
    out.i64(time)
        .keys(&[
            &coin.mint.key,
            &coin.bonding_curve.key,
            &coin.quote_mint,
            &recipient,
        ])
        .u64(rng.magnitude(10))
        .u8(bucket);
    OtherEvent::new("SweepBondingCurveFeeEvent", 0x742b_4dbd_117a_482b, out, &[])
}

pub(crate) fn collect_creator_fee(rng: &mut Rng, coin: &Coin, time: i64) -> OtherEvent {
    let mut out = Payload::default();
    out.i64(time)
        .keys(&[&coin.creator])
        .u64(rng.magnitude(10))
        .keys(&[&coin.quote_mint]);
    OtherEvent::new("CollectCreatorFeeEvent", 0x7a02_7f01_0ebf_0caf, out, &[32])
}

pub(crate) fn mayhem_update(rng: &mut Rng, coin: &Coin, curve: &Curve, time: i64) -> OtherEvent {
    let lowered = curve.virtual_quote / rng.range(2, 9);
    let mut out = Payload::default();
    out.i64(time).keys(&[&coin.mint.key]).u64s(&[
        curve.virtual_token,
        curve.virtual_quote,
        curve.virtual_token,
        curve.virtual_quote - lowered,
        curve.real_token,
        curve.real_quote,
    ]);
    OtherEvent::new(
        "UpdateMayhemVirtualParamsEvent",
        0x757b_e4b6_a1a8_dcd6,
        out,
        &[],
    )
}

pub(crate) fn set_creator(rng: &mut Rng, coin: &Coin, time: i64) -> OtherEvent {
    let creator: Key = rng.array();
    let mut out = Payload::default();
    out.i64(time)
        .keys(&[&coin.mint.key, &coin.bonding_curve.key, &creator]);
    OtherEvent::new("SetCreatorEvent", 0xed34_7b25_f5fb_48d2, out, &[])
}
