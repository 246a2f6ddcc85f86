//! Makes the trades of a block: which coin, how much, at what fees, told in which layout.

use crate::coin::{Coin, Curve, fee_of};
use crate::keys::{Key, ZERO_KEY};
use crate::rng::Rng;
use crate::trade_event::{Layout, TradeEvent};
use crate::world::World;

/// Protocol fee rate, and the part of it that buys back. (Measured on mainnet, 2026.)
const FEE_BASIS_POINTS: u64 = 95;
const BUYBACK_BASIS_POINTS: u64 = 5_000;

/// What coin a trade is to be about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Any coin that could be traded under the layout.
    Any,
    QuotePriced,
    /// With one shareholder at least.
    Shared,
    Mayhem,
    HolderRewards,
}

/// The rest of what is fixed about a trade beforehand.
#[derive(Clone)]
pub(crate) struct Order {
    pub(crate) layout: Layout,
    /// `None` lets chance decide.
    pub(crate) is_buy: Option<bool>,
    pub(crate) user: Key,
    /// Told by one of the v3 instructions: own names, no fee recipient.
    pub(crate) v3: bool,
    /// One hop of `multi_hop_swap`.
    pub(crate) multi_hop: bool,
}

/// The curves of a block as its trades move them.
pub(crate) struct Market<'a> {
    pub(crate) world: &'a World,
    pub(crate) block_time: i64,
    curves: Vec<Curve>,
}

impl<'a> Market<'a> {
    pub(crate) fn new(world: &'a World, index: u32, block_time: i64) -> Self {
        Self {
            world,
            block_time,
            curves: world
                .coins
                .iter()
                .map(|coin| coin.curve_at(index))
                .collect(),
        }
    }

    /// The curves now, to roll a failed transaction back.
    pub(crate) fn snapshot(&self) -> Vec<Curve> {
        self.curves.clone()
    }

    pub(crate) fn restore(&mut self, curves: Vec<Curve>) {
        self.curves = curves;
    }

    /// Chooses a coin; the first of its kind from a random place on.
    pub(crate) fn choose(&self, rng: &mut Rng, layout: Layout, wanted: Wanted) -> usize {
        let count = self.world.coins.len();
        let start = rng.below(count as u64) as usize;
        let mut candidates = (0..count).map(|step| (start + step) % count);
        candidates
            .find(|number| suits(&self.world.coins[*number], layout, wanted))
            .unwrap_or(start)
    }

    /// Trades the coin `number`, and tells it as `order` wants.
    pub(crate) fn trade(&mut self, rng: &mut Rng, number: usize, order: &Order) -> TradeEvent {
        let coin = &self.world.coins[number];
        let mut curve = self.curves[number];
        let event = trade(rng, self.world, coin, &mut curve, order, self.block_time);
        self.curves[number] = curve;
        event
    }
}

fn suits(coin: &Coin, layout: Layout, wanted: Wanted) -> bool {
    let known_by_layout =
        (coin.is_sol() || layout >= Layout::V7) && (!coin.mayhem || layout >= Layout::V5);
    known_by_layout
        && match wanted {
            Wanted::Any => true,
            Wanted::QuotePriced => !coin.is_sol(),
            Wanted::Shared => !coin.shareholders.is_empty(),
            Wanted::Mayhem => coin.mayhem,
            Wanted::HolderRewards => coin.holder_rewards,
        }
}

/// One trade on `curve`.
pub(crate) fn trade(
    rng: &mut Rng,
    world: &World,
    coin: &Coin,
    curve: &mut Curve,
    order: &Order,
    block_time: i64,
) -> TradeEvent {
    let digits = if coin.is_sol() { 10 } else { 9 };
    let wished = rng.magnitude(digits).max(1_000);
    // Who would sell more than a quarter of the curve's quote buys instead.
    let is_buy = order.is_buy.unwrap_or_else(|| rng.percent(55)) || wished > curve.real_quote / 4;
    let (tokens, quote) = if is_buy {
        let tokens = curve.tokens_for(wished).min(curve.real_token / 3).max(1);
        let quote = curve.cost_of(tokens);
        curve.buy(tokens, quote);
        (tokens, quote)
    } else {
        let tokens = (u128::from(curve.virtual_token) * u128::from(wished)
            / u128::from(curve.virtual_quote)) as u64;
        let quote = curve.proceeds_of(tokens);
        curve.sell(tokens, quote);
        (tokens, quote)
    };
    tell(
        rng,
        world,
        coin,
        curve,
        order,
        block_time,
        (is_buy, tokens, quote),
    )
}

/// The buy of all tokens that `curve` still has, which completes it.
pub(crate) fn complete(
    rng: &mut Rng,
    world: &World,
    coin: &Coin,
    curve: &mut Curve,
    order: &Order,
    block_time: i64,
) -> TradeEvent {
    let tokens = curve.real_token;
    let quote = curve.cost_of(tokens);
    curve.buy(tokens, quote);
    tell(
        rng,
        world,
        coin,
        curve,
        order,
        block_time,
        (true, tokens, quote),
    )
}

fn tell(
    rng: &mut Rng,
    world: &World,
    coin: &Coin,
    curve: &Curve,
    order: &Order,
    block_time: i64,
    (is_buy, tokens, quote): (bool, u64, u64),
) -> TradeEvent {
    let sol = |value| if coin.is_sol() { value } else { 0 };
    let fee_bps = if coin.mayhem { 0 } else { FEE_BASIS_POINTS };
    let buyback_bps = if coin.mayhem { 0 } else { BUYBACK_BASIS_POINTS };
    let fee = fee_of(quote, fee_bps);
    let creator_fee = fee_of(quote, coin.creator_fee_bps);
    let holder_rewards = coin.holder_rewards;
    let track_volume = rng.percent(20);
    let volume = |rng: &mut Rng, digits| {
        if track_volume {
            rng.magnitude(digits)
        } else {
            0
        }
    };
    let recipient = if order.v3 {
        ZERO_KEY
    } else {
        *rng.pick(&world.fee_recipients)
    };
    let mut event = TradeEvent {
        mint: coin.mint.key,
        sol_amount: sol(quote),
        token_amount: tokens,
        is_buy,
        user: order.user,
        timestamp: block_time,
        virtual_sol_reserves: sol(curve.virtual_quote),
        virtual_token_reserves: curve.virtual_token,
        real_sol_reserves: Some(sol(curve.real_quote)),
        real_token_reserves: Some(curve.real_token),
        fee_recipient: Some(recipient),
        fee_basis_points: Some(fee_bps),
        fee: Some(fee),
        creator: Some(coin.creator),
        creator_fee_basis_points: Some(coin.creator_fee_bps),
        creator_fee: Some(creator_fee),
        track_volume: Some(track_volume),
        total_unclaimed_tokens: Some(volume(rng, 12)),
        total_claimed_tokens: Some(volume(rng, 12)),
        current_sol_volume: Some(volume(rng, 11)),
        last_update_timestamp: Some(if track_volume { block_time } else { 0 }),
        ix_name: Some(ix_name(rng, order, is_buy)),
        mayhem_mode: Some(coin.mayhem),
        cashback_fee_basis_points: Some(coin.cashback_bps),
        cashback: Some(fee_of(quote, coin.cashback_bps)),
        buyback_fee_basis_points: Some(buyback_bps),
        buyback_fee: Some(fee * buyback_bps / 10_000),
        shareholders: Some(coin.shareholders.clone()),
        quote_mint: Some(coin.quote_mint),
        quote_amount: Some(quote),
        virtual_quote_reserves: Some(curve.virtual_quote),
        real_quote_reserves: Some(curve.real_quote),
        holder_rewards_bps: Some(if holder_rewards {
            coin.creator_fee_bps
        } else {
            0
        }),
        holder_rewards: Some(if holder_rewards { creator_fee } else { 0 }),
        creator_fee_unclaimed: Some(if order.v3 {
            creator_fee + rng.magnitude(9)
        } else {
            0
        }),
    };
    event.cut_to(order.layout);
    event
}

fn ix_name(rng: &mut Rng, order: &Order, is_buy: bool) -> &'static str {
    let exact = rng.percent(35);
    match (order.multi_hop, order.v3, is_buy) {
        (true, _, _) => "multi_hop_swap",
        (_, true, true) if exact => "buy_exact_quote_in_v3",
        (_, true, true) => "buy_v3",
        (_, true, false) => "sell_v3",
        (_, false, true) if exact && order.layout >= Layout::V7 => "buy_exact_quote_in",
        (_, false, true) if exact => "buy_exact_sol_in",
        (_, false, true) => "buy",
        (_, false, false) => "sell",
    }
}
