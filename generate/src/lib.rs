//! Deterministic synthetic Solana blocks with Pump.fun trades, and the truth about every one of them.
//!
//! A decoder needs blocks to be tested and measured on: of mainnet's size and mixture, with every
//! layout and every trap in them, free to be published, and the same on every machine. Real blocks
//! are none of that. These are made from a seed; any block can be made alone, so that many can be
//! made at once.
//!
//! ```
//! let block = pumpfun_generate::block(pumpfun_generate::DEFAULT_SEED, 0);
//! assert_eq!(block.slot, pumpfun_generate::FIRST_SLOT);
//! assert!(!block.trades.is_empty());
//! ```
//!
//! # The set
//! Block `i` of a seed has slot 430,000,000 + i + i/7 (one slot in eight is skipped), time
//! 2026-10-03 00:00 UTC + 0.4 seconds a slot, and names the hash of block i−1 as its parent.
//!
//! | blocks | what |
//! |---|---|
//! | all | 1,060 to 2,190 transactions, 57 to 73 % of them votes, 2.0 to 4.5 MB |
//! | i mod 8 = 5 | nothing of Pump |
//! | i mod 8 = 3 | inner instructions without stack heights, as in old blocks |
//! | all but i mod 8 = 5 | 9 to 39 transactions with Pump's id, 4 to 60 trades: ordinary ones, and eight or nine of the 34 special cases ([`Case::SPECIAL`]), each of which comes round every fourth block with Pump, so three times at least in sixteen blocks |
//!
//! The layouts of TradeEvent take turns from trade to trade, whatever the block's date. Reserves
//! follow the constant product within a block; from block to block a coin's price drifts on a slow
//! wave that no trade of an earlier block moves. Keys are random except those of programs.

mod block;
mod call;
mod cases;
mod chain;
mod coin;
mod exchange;
mod expected;
mod keys;
mod logs;
mod market;
mod mentions;
mod meta;
mod other_events;
mod other_scenes;
mod payload;
mod pump;
mod rng;
mod scene;
mod steps;
mod tails;
mod trade_event;
mod trade_scenes;
mod traffic;
mod transaction;
mod vote;
mod world;

pub use cases::Case;
pub use chain::{FIRST_BLOCK_HEIGHT, FIRST_BLOCK_TIME, FIRST_SLOT};
pub use expected::{
    EventPlace, ExpectedOtherEvent, ExpectedRawEvent, ExpectedTrade, GeneratedBlock, RawEventReason,
};
pub use keys::{Key, MAYHEM_AGENT, PUMP_EVENT_AUTHORITY, PUMP_PROGRAM, USDC_MINT, ZERO_KEY};
pub use trade_event::{EVENT_TAG, Layout, Shareholder, TRADE_EVENT, TradeEvent};

/// Seed of the set that the project ships and tests with.
pub const DEFAULT_SEED: u64 = 42;
/// Blocks of that set.
pub const DEFAULT_BLOCKS: u32 = 16;
/// SHA-256 of that set, 64 lower-case hex digits: over the bytes of all its blocks, in order.
pub const DEFAULT_SHA256: &str = include_str!("../default.sha256");

/// Makes the blocks of one seed; holds the keys that recur in all of them.
pub struct Generator {
    seed: u64,
    world: world::World,
    chain: chain::Chain,
}

impl Generator {
    /// Makes the recurring keys of `seed` (a few milliseconds).
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            world: world::World::new(seed),
            chain: chain::Chain { apart: 1 },
        }
    }

    /// The same with this many slots from block to block instead of one, so that few blocks make many bundles.
    #[must_use]
    pub fn apart(mut self, slots: u32) -> Self {
        self.chain.apart = slots;
        self
    }

    /// Slot of the block `index`.
    pub fn slot(&self, index: u32) -> u64 {
        self.chain.slot(index)
    }

    /// The block `index`, the same whichever blocks were made before.
    pub fn block(&self, index: u32) -> GeneratedBlock {
        block::generate(&self.world, self.seed, self.chain, index)
    }
}

/// The first `count` blocks of `seed`, in order.
pub fn blocks(seed: u64, count: u32) -> impl Iterator<Item = GeneratedBlock> {
    let generator = Generator::new(seed);
    (0..count).map(move |index| generator.block(index))
}

/// One block; [`Generator`] saves making the recurring keys anew for each.
pub fn block(seed: u64, index: u32) -> GeneratedBlock {
    Generator::new(seed).block(index)
}
