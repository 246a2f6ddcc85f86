//! Which transactions name a key: one pass over their bytes, before anything is decoded.
//!
//! The transactions are slices of one block, in order, with only a tag and a length between them. So the search
//! runs over the block from the first transaction to the last as over one text, and a hit is mapped to the
//! transaction that it lies in. A hit that reaches across a border is none. Behind a hit the search goes on with
//! the next transaction: a second hit in the same one would tell nothing new.
//!
//! The search itself is memchr's natively, and in wasm a kernel of our own, [`pairs`].

#[cfg(any(test, target_arch = "wasm32"))]
mod pairs;

#[cfg(not(target_arch = "wasm32"))]
use memchr::memmem::Finder as KeyFinder;
#[cfg(target_arch = "wasm32")]
use pairs::KeyFinder;

use crate::program::Pubkey;

/// The transactions that name a key; see [`Block::transactions_naming`](crate::block::Block::transactions_naming).
pub struct Naming<'s, 'a> {
    finder: KeyFinder<'s>,
    /// The block up to the end of its last transaction.
    text: &'a [u8],
    transactions: &'s [&'a [u8]],
    /// Index of the first transaction not searched yet.
    next: usize,
}

/// `transactions` must be slices of `block` in ascending order, as a decoder that borrows gives them.
pub(crate) fn naming<'s, 'a>(
    key: &'s Pubkey,
    block: &'a [u8],
    transactions: &'s [&'a [u8]],
) -> Naming<'s, 'a> {
    let end = transactions
        .last()
        .map_or(0, |last| offset(block, last) + last.len());
    Naming {
        finder: KeyFinder::new(key),
        text: block.get(..end).unwrap_or(block),
        transactions,
        next: 0,
    }
}

/// Where `slice` begins in `block`, of which it is a part, in bytes.
fn offset(block: &[u8], slice: &[u8]) -> usize {
    slice.as_ptr().addr().saturating_sub(block.as_ptr().addr())
}

impl<'s, 'a> Iterator for Naming<'s, 'a> {
    type Item = (u32, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let mut from = offset(self.text, self.transactions.get(self.next)?);
        loop {
            let hit = from + self.finder.find(self.text.get(from..)?)?;
            // The last transaction that begins at or before the hit, among those not searched yet.
            let ahead = self.transactions.get(self.next..)?;
            let begun = ahead.partition_point(|transaction| offset(self.text, transaction) <= hit);
            let index = self.next + begun.checked_sub(1)?;
            let transaction = self.transactions.get(index)?;
            if hit + size_of::<Pubkey>() <= offset(self.text, transaction) + transaction.len() {
                self.next = index + 1;
                return Some((u32::try_from(index).ok()?, transaction));
            }
            // It lies across a border or between two transactions.
            self.next = index;
            from = hit + 1;
        }
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
        let found: Vec<_> = naming(key, block, transactions).collect();
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
