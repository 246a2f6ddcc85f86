//! The keys that recur from block to block: validators, wallets, coins, pools, lookup tables.
//!
//! On mainnet the same few hundred accounts fill most of a block; a decoder that caches or compares
//! keys must meet the same here. All of it follows from the seed alone.

use crate::coin::Coin;
use crate::keys::{Key, Named};
use crate::rng::{Purpose, Rng};

/// Coins that are traded in the blocks of a seed.
const COINS: u32 = 48;

/// A validator that votes.
pub(crate) struct Validator {
    /// Pays and signs.
    pub(crate) identity: Key,
    pub(crate) vote_account: Key,
}

/// What all blocks of a seed have in common.
pub(crate) struct World {
    pub(crate) validators: Vec<Validator>,
    /// Owners of token accounts, fee payers.
    pub(crate) wallets: Vec<Named>,
    /// Mints of the other traffic, without Pump's.
    pub(crate) mints: Vec<Named>,
    /// Pools, vaults, oracles, token accounts of the other traffic.
    pub(crate) accounts: Vec<Key>,
    pub(crate) lookup_tables: Vec<Key>,
    /// Those to whom Pump's protocol fee goes.
    pub(crate) fee_recipients: Vec<Key>,
    /// Global accounts of Pump's instructions: global, fee config, volume accumulator, mint authority.
    pub(crate) pump_globals: [Key; 4],
    pub(crate) coins: Vec<Coin>,
}

impl World {
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed, Purpose::World, 0);
        let keys =
            |rng: &mut Rng, count: u32| -> Vec<Key> { (0..count).map(|_| rng.array()).collect() };
        let named = |rng: &mut Rng, count: u32| -> Vec<Named> {
            (0..count).map(|_| Named::new(rng.array())).collect()
        };
        Self {
            validators: (0..1_000)
                .map(|_| Validator {
                    identity: rng.array(),
                    vote_account: rng.array(),
                })
                .collect(),
            wallets: named(&mut rng, 256),
            mints: named(&mut rng, 96),
            accounts: keys(&mut rng, 1_500),
            lookup_tables: keys(&mut rng, 24),
            fee_recipients: keys(&mut rng, 8),
            pump_globals: rng.array_of_keys(),
            coins: (0..COINS)
                .map(|number| Coin::new(&mut rng, number))
                .collect(),
        }
    }
}

impl Rng {
    fn array_of_keys<const N: usize>(&mut self) -> [Key; N] {
        std::array::from_fn(|_| self.array())
    }
}
