//! The search in wasm: is a key in a text, and where?
//!
//! A key is 32 bytes, so it holds 31 pairs of neighbouring bytes, and wherever it stands, one of any 31 successive
//! places of the text lies on one of these pairs. It is enough, then, to look at every 31st place:
//!
//! ```text
//! text   ..........................KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK..........................
//! looks  PP                             PP                             PP
//!                                       ╰ a pair of the key: is the key around it?
//! ```
//!
//! A look is a load of two bytes and a bit of a table of all 65,536 pairs, 8 KiB, in which the key's pairs are set.
//! Looks do not wait for each other, and eight of them share a branch. In a block's bytes one look in a thousand or
//! so finds a set bit, and the key is compared. A SIMD search that compares two bytes at every place takes twice the
//! instructions and, with wasm's vectors of 16 bytes, longer; natively, with vectors of 32 bytes, it is the faster one.

use crate::program::Pubkey;

/// Places from one look to the next.
const STRIDE: usize = size_of::<Pubkey>() - 1;

/// Looks that share a branch.
const LOOKS: usize = 8;

/// Finds a key in a text.
pub(crate) struct KeyFinder<'k> {
    key: &'k Pubkey,
    /// A bit for each pair of bytes, set for those of the key.
    pairs: [u32; 1 << 11],
}

impl<'k> KeyFinder<'k> {
    pub(crate) fn new(key: &'k Pubkey) -> Self {
        let mut pairs = [0; 1 << 11];
        for pair in key.array_windows() {
            let (word, bit) = Self::place_of(*pair);
            if let Some(word) = pairs.get_mut(word) {
                *word |= 1 << bit;
            }
        }
        Self { key, pairs }
    }

    /// Word and bit of a pair in the table.
    #[inline(always)]
    fn place_of(pair: [u8; 2]) -> (usize, u32) {
        let pair = u16::from_le_bytes(pair);
        (usize::from(pair >> 5), u32::from(pair & 31))
    }

    /// In the lowest bit, whether the key holds the pair.
    #[inline(always)]
    fn holds(&self, pair: [u8; 2]) -> u32 {
        let (word, bit) = Self::place_of(pair);
        self.pairs.get(word).map_or(0, |word| word >> bit)
    }

    /// Where the key first stands in `text`.
    pub(crate) fn find(&self, text: &[u8]) -> Option<usize> {
        let (chunks, _) = text.as_chunks::<{ STRIDE * LOOKS }>();
        let mut at = 0;
        for chunk in chunks {
            let mut held = 0;
            for look in 0..LOOKS {
                let place = look * STRIDE;
                if let Some([a, b]) = chunk.get(place..).and_then(<[u8]>::first_chunk) {
                    held |= self.holds([*a, *b]);
                }
            }
            if held & 1 == 1
                && let Some(hit) = self.find_around(text, at, at + chunk.len())
            {
                return Some(hit);
            }
            at += chunk.len();
        }
        self.find_around(text, at, text.len())
    }

    /// Where the key first stands, on one of the looks from `at` to before `end`.
    #[cold]
    #[inline(never)]
    fn find_around(&self, text: &[u8], at: usize, end: usize) -> Option<usize> {
        for place in (at..end).step_by(STRIDE) {
            let pair = text.get(place..).and_then(<[u8]>::first_chunk)?;
            if self.holds(*pair) & 1 == 0 {
                continue;
            }
            // From the pair's last place in the key: that is the key's first place in the text.
            for (offset, _) in self
                .key
                .array_windows()
                .enumerate()
                .rev()
                .filter(|(_, window)| *window == pair)
            {
                if let Some(start) = place.checked_sub(offset)
                    && text.get(start..).and_then(<[u8]>::first_chunk) == Some(self.key)
                {
                    return Some(start);
                }
            }
        }
        None
    }
}
