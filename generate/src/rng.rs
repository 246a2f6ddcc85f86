//! Random numbers that are the same on every machine and in every build.
//!
//! A block must come out byte for byte the same everywhere and for years, so only the raw output of
//! ChaCha8 is used, through an explicit 32-byte seed (`seed_from_u64` and the distributions of the
//! rand family may change between versions) and through integer arithmetic. Every block draws from
//! a stream of its own, which is what makes any block obtainable without the ones before it.

use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

/// What a stream of random numbers is for; streams of different purposes never overlap.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    /// Keys that recur in all blocks of a seed.
    World = 1,
    /// The content of one block.
    Block = 2,
    /// The blockhash of one block, apart from its content so that the next block can name it.
    Blockhash = 3,
}

/// A stream of random numbers.
pub(crate) struct Rng(ChaCha8Rng);

impl Rng {
    /// The stream of `purpose` number `index` under `seed`.
    pub(crate) fn new(seed: u64, purpose: Purpose, index: u64) -> Self {
        let mut bytes = [0u8; 32];
        let words = [
            seed,
            index,
            purpose as u64,
            u64::from_le_bytes(*b"pumpfun!"),
        ];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(words) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        Self(ChaCha8Rng::from_seed(bytes))
    }

    /// 64 random bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`; 0 when `bound` is 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn range(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True in `percent` of one hundred cases.
    pub(crate) fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// A number with as many decimal digits, from 1 to `digits`, as chance has it: amounts and
    /// balances on chain spread over magnitudes, and so do the lengths of their varints.
    pub(crate) fn magnitude(&mut self, digits: u32) -> u64 {
        let exponent = self.range(1, u64::from(digits)) as u32;
        self.range(1, 10u64.saturating_pow(exponent))
    }

    /// One of `items`.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }

    /// `N` random bytes.
    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0u8; N];
        self.fill(&mut bytes);
        bytes
    }

    /// `length` random bytes.
    pub(crate) fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0u8; length];
        self.fill(&mut bytes);
        bytes
    }

    /// Puts `items` into a random order (Fisher-Yates).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let word = self.next().to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }
}
