//! Which transactions name a key: one pass over their bytes, before anything is decoded.
//!
//! The transactions are slices of one block, in order, with only a tag and a length between them. So the search
//! runs over the block as over one text, and then each hit is mapped to the transaction that it lies in. A hit that
//! reaches across a border is none.
//!
//! It comes before the block is decoded at all, though decoding needs no search: to find where each transaction begins
//! is a chain of jumps, each waiting for a length that must first come from memory, while the search streams and
//! brings all of it into the cache. On blocks that are not in the cache yet, both together take two thirds of the
//! time in this order.
//!
//! The search itself is memchr's natively, and in wasm a kernel of our own, [`pairs`].

#[cfg(any(test, target_arch = "wasm32"))]
mod pairs;

#[cfg(not(target_arch = "wasm32"))]
use memchr::memmem::Finder as KeyFinder;
#[cfg(target_arch = "wasm32")]
use pairs::KeyFinder;

use crate::program::Pubkey;

/// Every place where `key` stands in `text`, ascending.
pub(crate) fn hits(key: &Pubkey, text: &[u8]) -> Vec<usize> {
    let finder = KeyFinder::new(key);
    let mut hits = Vec::new();
    let mut from = 0;
    while let Some(hit) = text.get(from..).and_then(|rest| finder.find(rest)) {
        hits.push(from + hit);
        from += hit + 1;
    }
    hits
}

/// The transactions that hold hits; see [`Block::pump_transactions`](crate::block::Block::pump_transactions).
pub struct Naming<'s, 'a> {
    block: &'a [u8],
    transactions: &'s [&'a [u8]],
    /// Hits that are not mapped yet.
    hits: &'s [usize],
    /// Index of the first transaction that was not given yet.
    next: usize,
}

/// `transactions` must be slices of `block` in ascending order, as a decoder that borrows gives them, and `hits` places
/// in it, ascending.
pub(crate) fn naming<'s, 'a>(
    hits: &'s [usize],
    block: &'a [u8],
    transactions: &'s [&'a [u8]],
) -> Naming<'s, 'a> {
    Naming {
        block,
        transactions,
        hits,
        next: 0,
    }
}

impl<'a> Iterator for Naming<'_, 'a> {
    type Item = (u32, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (hit, rest) = self.hits.split_first()?;
            self.hits = rest;
            // The last transaction that begins at or before the hit, among those not given yet.
            let ahead = self.transactions.get(self.next..)?;
            let begun = ahead.partition_point(|transaction| self.offset(transaction) <= *hit);
            let Some(before) = begun.checked_sub(1) else {
                // It lies in front of them, or in one that was given.
                continue;
            };
            let index = self.next + before;
            let transaction = self.transactions.get(index)?;
            if hit + size_of::<Pubkey>() <= self.offset(transaction) + transaction.len() {
                self.next = index + 1;
                return Some((u32::try_from(index).ok()?, transaction));
            }
            // It lies across a border, or between two transactions.
            self.next = index;
        }
    }
}

impl Naming<'_, '_> {
    /// Where `transaction` begins in the block, in bytes.
    fn offset(&self, transaction: &[u8]) -> usize {
        transaction
            .as_ptr()
            .addr()
            .saturating_sub(self.block.as_ptr().addr())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The naive oracle of the kernels: every place.
    fn first(key: &Pubkey, text: &[u8]) -> Option<usize> {
        text.windows(32).position(|window| window == key)
    }

    /// The naive oracle of the whole: every transaction, every place.
    fn oracle(key: &Pubkey, transactions: &[&[u8]]) -> Vec<u32> {
        let named = |transaction: &[u8]| transaction.windows(32).any(|window| window == key);
        (0..)
            .zip(transactions)
            .filter(|(_, transaction)| named(transaction))
            .map(|(i, _)| i)
            .collect()
    }

    /// Lays transactions of these lengths into `block`, `gap` bytes apart, the first at `start`.
    fn slices<'a>(block: &'a [u8], start: usize, gap: usize, lengths: &[usize]) -> Vec<&'a [u8]> {
        let mut at = start;
        let mut slices = Vec::new();
        for length in lengths {
            let Some(slice) = block.get(at..at + length) else {
                break;
            };
            slices.push(slice);
            at += length + gap;
        }
        slices
    }

    #[track_caller]
    fn check(key: &Pubkey, block: &[u8], transactions: &[&[u8]]) {
        let hits = hits(key, block);
        let found: Vec<_> = naming(&hits, block, transactions).collect();
        let expected: Vec<_> = oracle(key, transactions)
            .into_iter()
            .map(|i| (i, transactions[i as usize]))
            .collect();
        assert_eq!(found, expected);
        // Both kernels, whichever of them was at work above.
        assert_eq!(KeyFinder::new(key).find(block), first(key, block));
        assert_eq!(pairs::KeyFinder::new(key).find(block), first(key, block));
    }

    /// A key whose copies can overlap: one byte throughout.
    const OVERLAPPING: Pubkey = [7; 32];

    #[test]
    fn a_hit_at_every_place_of_every_alignment_is_found() {
        let key: Pubkey = std::array::from_fn(|i| i as u8 + 1);
        for start in 0..17 {
            for place in 0..200 {
                let mut block = vec![0; 260];
                block[place..place + 32].copy_from_slice(&key);
                // Borders at 100 - gap and 100 from the start: some places lie across them.
                for gap in [0, 1, 3] {
                    check(&key, &block, &slices(&block, start, gap, &[100, 40, 0, 60]));
                }
            }
        }
    }

    #[test]
    fn no_hit_many_hits_and_none_to_search_are_found() {
        let block = vec![7; 40_000];
        check(&OVERLAPPING, &block, &[]);
        check(&OVERLAPPING, &block, &slices(&block, 0, 2, &[31; 1000]));
        check(&OVERLAPPING, &block, &slices(&block, 0, 2, &[32; 1000]));
        check(
            &OVERLAPPING,
            &block,
            &slices(&block, 5, 0, &[0, 31, 33, 0, 1, 64]),
        );
        check(&OVERLAPPING, &[0; 1000], &slices(&[0; 1000], 0, 0, &[1000]));
        check(&OVERLAPPING, &[], &[&[], &[]]);
    }

    proptest! {
        #[test]
        fn whatever_the_oracle_finds_is_found(
            // Few different bytes and a key of few: hits, near hits, overlaps and borders all come.
            block in prop::collection::vec(prop_oneof![30 => Just(7_u8), 1 => Just(8)], 0..2000),
            odd in 0_usize..40,
            start in 0_usize..70,
            gap in 0_usize..4,
            lengths in prop::collection::vec(0_usize..200, 0..40),
        ) {
            let mut key = OVERLAPPING;
            if let Some(byte) = key.get_mut(odd) {
                *byte = 8;
            }
            check(&key, &block, &slices(&block, start, gap, &lengths));
        }
    }
}
