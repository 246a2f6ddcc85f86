//! The Bitcoin alphabet and the tables made from it at compile time.
//!
//! The order of the 58 characters is that of Bitcoin's `base58.cpp`: the digits, then the
//! upper-case and lower-case letters, without `0`, `O`, `I` and `l`. Solana uses the same one.

/// The character of every digit, lowest digit first.
pub const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// What [`DIGITS`] holds for a byte that is no Base58 character.
pub(crate) const NO_DIGIT: u8 = 0xff;

/// The digit of every byte, or [`NO_DIGIT`].
pub(crate) static DIGITS: [u8; 256] = digits();

/// 58², the number of pairs of digits.
pub(crate) const PAIR: u64 = 58 * 58;

/// The two characters of every value below 58², the higher digit first.
///
/// The entries from 58² on are never read for a correct value: they round the length up to a
/// power of two, so that a masked index is in bounds for any value and needs no check.
pub(crate) static PAIRS: [[u8; 2]; 4096] = pairs();

/// The characters of `value`, which must be below 58² (a larger one gives a wrong pair, no panic).
#[inline(always)]
pub(crate) fn pair(value: u64) -> [u8; 2] {
    PAIRS[(value & 4095) as usize]
}

const fn digits() -> [u8; 256] {
    let mut table = [NO_DIGIT; 256];
    let mut digit = 0;
    while digit < 58 {
        table[ALPHABET[digit] as usize] = digit as u8;
        digit += 1;
    }
    table
}

const fn pairs() -> [[u8; 2]; 4096] {
    let mut table = [[0; 2]; 4096];
    let mut value = 0;
    while value < PAIR as usize {
        table[value] = [ALPHABET[value / 58], ALPHABET[value % 58]];
        value += 1;
    }
    table
}
