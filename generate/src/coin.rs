//! Coins on Pump's bonding curve, and the arithmetic of a trade on it.
//!
//! The curve is a constant product of virtual reserves. A coin begins with 1,073,000,000 virtual
//! and 793,100,000 real tokens (6 decimals) against 30 virtual SOL. (Source: CreateEvents and
//! TradeEvents of mainnet.) All amounts are integers in smallest units.

use crate::keys::{Key, Named, USDC_MINT, ZERO_KEY};
use crate::rng::Rng;
use crate::trade_event::Shareholder;

/// Virtual tokens of a new curve.
pub(crate) const INITIAL_VIRTUAL_TOKENS: u64 = 1_073_000_000_000_000;
/// Tokens a new curve can sell.
pub(crate) const INITIAL_REAL_TOKENS: u64 = 793_100_000_000_000;
/// Virtual lamports of a new SOL curve.
const INITIAL_VIRTUAL_SOL: u64 = 30_000_000_000;
/// Virtual USDC (6 decimals) of a new USDC curve.
const INITIAL_VIRTUAL_USDC: u64 = 4_500_000_000;

/// Blocks after which a coin's price wave begins anew.
const WAVE_BLOCKS: u64 = 512;

/// A coin and the rules it was created with.
pub(crate) struct Coin {
    pub(crate) mint: Named,
    pub(crate) bonding_curve: Named,
    /// The curve's token account.
    pub(crate) curve_tokens: Key,
    pub(crate) creator: Key,
    pub(crate) creator_vault: Key,
    /// Zero key for SOL.
    pub(crate) quote_mint: Key,
    /// None of the agent's trades pays a fee.
    pub(crate) mayhem: bool,
    /// The creator's fee goes to the holders.
    pub(crate) holder_rewards: bool,
    pub(crate) creator_fee_bps: u64,
    pub(crate) cashback_bps: u64,
    pub(crate) shareholders: Vec<Shareholder>,
    pub(crate) token_2022: bool,
    /// Quote amount that the curve holds at the wave's middle.
    typical_quote: u64,
    /// Where in its wave the coin stands at block 0.
    phase: u64,
}

impl Coin {
    /// The coin `number`; every sixth is priced in USDC, every eighth is a Mayhem coin, and so on,
    /// so that every kind is there whatever the seed.
    pub(crate) fn new(rng: &mut Rng, number: u32) -> Self {
        let usdc = number % 6 == 5;
        let mayhem = number % 8 == 3;
        let cashback = number % 3 == 1;
        let shareholders = (number / 2 % 4) as usize;
        let holder_rewards = !mayhem && !cashback && number % 4 == 2;
        let creator_fee_bps = match (mayhem || cashback, number % 3) {
            (true, _) => 0,
            (false, 0) => 30,
            (false, _) => 100,
        };
        Self {
            mint: Named::new(rng.array()),
            bonding_curve: Named::new(rng.array()),
            curve_tokens: rng.array(),
            creator: rng.array(),
            creator_vault: rng.array(),
            quote_mint: if usdc { USDC_MINT } else { ZERO_KEY },
            mayhem,
            holder_rewards,
            creator_fee_bps,
            cashback_bps: if cashback && !mayhem { 30 } else { 0 },
            shareholders: (0..shareholders)
                .map(|position| Shareholder {
                    address: rng.array(),
                    share_bps: share(position, shareholders),
                })
                .collect(),
            token_2022: !number.is_multiple_of(4),
            typical_quote: if usdc {
                rng.range(400_000_000, 4_000_000_000)
            } else {
                rng.range(2_000_000_000, 40_000_000_000)
            },
            phase: rng.below(WAVE_BLOCKS),
        }
    }

    pub(crate) fn is_sol(&self) -> bool {
        self.quote_mint == ZERO_KEY
    }

    fn initial_virtual_quote(&self) -> u64 {
        if self.is_sol() {
            INITIAL_VIRTUAL_SOL
        } else {
            INITIAL_VIRTUAL_USDC
        }
    }

    /// The curve before the first trade.
    pub(crate) fn new_curve(&self) -> Curve {
        Curve {
            virtual_quote: self.initial_virtual_quote(),
            virtual_token: INITIAL_VIRTUAL_TOKENS,
            real_quote: 0,
            real_token: INITIAL_REAL_TOKENS,
        }
    }

    /// The curve as the block `index` finds it: on a slow triangular wave around the coin's typical
    /// state, so that prices of neighbouring blocks are alike though no block knows another.
    pub(crate) fn curve_at(&self, index: u32) -> Curve {
        let step = (u64::from(index) + self.phase) % WAVE_BLOCKS;
        let height = step.min(WAVE_BLOCKS - step);
        let real_quote = self.typical_quote / 2 + self.typical_quote * height / WAVE_BLOCKS;
        let mut curve = self.new_curve();
        let tokens = curve.tokens_for(real_quote);
        curve.buy(tokens, real_quote);
        curve
    }
}

/// Share of the shareholder at `position` of `count`: equal parts, the rest to the last.
fn share(position: usize, count: usize) -> u16 {
    let equal = 10_000 / count as u16;
    if position + 1 == count {
        10_000 - equal * (count as u16 - 1)
    } else {
        equal
    }
}

/// Reserves of a bonding curve, quote in its smallest unit.
#[derive(Clone, Copy)]
pub(crate) struct Curve {
    pub(crate) virtual_quote: u64,
    pub(crate) virtual_token: u64,
    pub(crate) real_quote: u64,
    pub(crate) real_token: u64,
}

impl Curve {
    /// Tokens that a buy of `quote` yields, at most what is left.
    pub(crate) fn tokens_for(&self, quote: u64) -> u64 {
        let tokens = ratio(self.virtual_token, quote, self.virtual_quote + quote);
        tokens.min(self.real_token)
    }

    /// What buying `tokens` costs, rounded up.
    pub(crate) fn cost_of(&self, tokens: u64) -> u64 {
        ratio(self.virtual_quote, tokens, self.virtual_token - tokens) + 1
    }

    /// What selling `tokens` brings, rounded down.
    pub(crate) fn proceeds_of(&self, tokens: u64) -> u64 {
        ratio(self.virtual_quote, tokens, self.virtual_token + tokens).min(self.real_quote)
    }

    pub(crate) fn buy(&mut self, tokens: u64, quote: u64) {
        self.virtual_quote += quote;
        self.real_quote += quote;
        self.virtual_token -= tokens;
        self.real_token -= tokens;
    }

    pub(crate) fn sell(&mut self, tokens: u64, quote: u64) {
        self.virtual_quote -= quote;
        self.real_quote -= quote;
        self.virtual_token += tokens;
        self.real_token += tokens;
    }
}

/// `factor * amount / divisor`, rounded down.
fn ratio(factor: u64, amount: u64, divisor: u64) -> u64 {
    (u128::from(factor) * u128::from(amount) / u128::from(divisor.max(1))) as u64
}

/// `ceil(amount * bps / 10000)`: how the program rounds its fees.
pub(crate) fn fee_of(amount: u64, bps: u64) -> u64 {
    (u128::from(amount) * u128::from(bps)).div_ceil(10_000) as u64
}
