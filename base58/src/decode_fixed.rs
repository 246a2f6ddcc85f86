//! Decodes text of exactly 32 or 64 bytes: the sizes of Solana's public keys and signatures.
//!
//! The text is read from its end in pieces of sixteen characters (a shorter first piece is filled
//! up with `'1'`, the digit zero), which become groups of digits ([`crate::text`]). Every power of
//! the group base has a constant row of limbs, so the value is the sum of the rows, each times its
//! group; carrying the sums to limbs needs shifts only. Two ways, by what the target multiplies:
//!
//! - 64-bit targets: groups of eight digits (below 58⁸ < 2⁴⁷) and limbs of 64 bits. A product is
//!   below 2¹¹¹, and at most eleven of them are added.
//! - 32-bit targets (WebAssembly): groups of four digits (below 58⁴ < 2²⁴) and limbs of 32 bits.
//!   A product is below 2⁵⁶, and at most 22 of them are added.
//!
//! The rows are triangles, and all indexes are constants, so that the compiler leaves out the zeros.
//!
//! A leading `'1'` stands for a zero byte, so the text is right only if it has as many of them as
//! the value has zero bytes in front. This refuses what `bs58` refuses.

use crate::alphabet::{ALPHABET, DIGITS, NO_DIGIT};
use crate::error::DecodeError;
use crate::text::{Groups, parse};

/// Sixteen times the digit zero.
const ZEROS: u128 = u128::from_le_bytes([ALPHABET[0]; 16]);

/// Decodes the text of exactly 32 bytes: 32 to 44 characters.
///
/// # Errors
///
/// [`DecodeError::InvalidByte`] for a byte outside of the alphabet, [`DecodeError::TooShort`] or
/// [`DecodeError::TooLong`] if the text stands for another number of bytes.
#[inline]
pub fn decode_32(text: impl AsRef<[u8]>) -> Result<[u8; 32], DecodeError> {
    decode_32_bytes(text.as_ref())
}

/// Decodes the text of exactly 64 bytes: 64 to 88 characters.
///
/// # Errors
///
/// [`DecodeError::InvalidByte`] for a byte outside of the alphabet, [`DecodeError::TooShort`] or
/// [`DecodeError::TooLong`] if the text stands for another number of bytes.
#[inline]
pub fn decode_64(text: impl AsRef<[u8]>) -> Result<[u8; 64], DecodeError> {
    decode_64_bytes(text.as_ref())
}

fn decode_32_bytes(text: &[u8]) -> Result<[u8; 32], DecodeError> {
    match value_of_32_to_44(text) {
        Some(value) => finish(text, value),
        None => Err(refuse::<32>(text)),
    }
}

/// The value of 32 to 44 characters, or `Some(None)` if it needs 33 bytes. `None` if a character or
/// the length is wrong.
#[inline(always)]
fn value_of_32_to_44(text: &[u8]) -> Option<Option<[u8; 32]>> {
    let ([b, c], first) = pieces::<2>(text).filter(|_| text.len() <= 44)?;
    Some(value_32(parse([fill(first, text.len() - 32), b, c])?))
}

fn decode_64_bytes(text: &[u8]) -> Result<[u8; 64], DecodeError> {
    match value_of_64_to_88(text) {
        Some(value) => finish(text, value),
        None => Err(refuse::<64>(text)),
    }
}

/// The value of at most 88 characters; `None` if it needs 65 bytes or a character is wrong.
pub(crate) fn value_of_text(text: &[u8]) -> Option<[u8; 64]> {
    if text.len() >= 64 {
        return value_of_64_to_88(text)?;
    }
    let mut padded = [ALPHABET[0]; 64];
    let start = padded.len().checked_sub(text.len())?;
    padded.get_mut(start..)?.copy_from_slice(text);
    value_of_64_to_88(&padded)?
}

/// The value of 64 to 88 characters, or `Some(None)` if it needs 65 bytes. `None` if a character or
/// the length is wrong.
#[inline(never)]
fn value_of_64_to_88(text: &[u8]) -> Option<Option<[u8; 64]>> {
    let len = text.len();
    let ([c, d, e, f], first) = pieces::<4>(text).filter(|_| len <= 88)?;
    let (a, b) = match pieces::<5>(text) {
        Some(([b, ..], first)) => (fill(first, len - 80), b),
        None => (ZEROS.to_le_bytes(), fill(first, len - 64)),
    };
    Some(value_64(parse([a, b, c, d, e, f])?))
}

/// The last `N` pieces of sixteen characters, and the first one (they may overlap).
#[inline(always)]
fn pieces<const N: usize>(text: &[u8]) -> Option<([[u8; 16]; N], u128)> {
    let (_, last) = text.as_rchunks::<16>();
    let first = u128::from_le_bytes(*text.first_chunk()?);
    Some((*last.last_chunk()?, first))
}

/// The first `keep` characters (16 at most) at the end of a piece, behind zeros.
#[inline(always)]
fn fill(first: u128, keep: usize) -> [u8; 16] {
    let bits = 8 * (16 - keep as u32);
    let kept = (first ^ ZEROS).checked_shl(bits).unwrap_or(0);
    (kept ^ ZEROS).to_le_bytes()
}

#[inline(always)]
fn finish<const BYTES: usize>(
    text: &[u8],
    value: Option<[u8; BYTES]>,
) -> Result<[u8; BYTES], DecodeError> {
    let Some(value) = value else {
        return Err(DecodeError::TooLong { capacity: BYTES });
    };
    if text.first() != Some(&ALPHABET[0]) && value[0] != 0 {
        return Ok(value);
    }
    check_zeros(text, value)
}

#[cold]
fn check_zeros<const BYTES: usize>(
    text: &[u8],
    value: [u8; BYTES],
) -> Result<[u8; BYTES], DecodeError> {
    let wanted = text.iter().take_while(|&&c| c == ALPHABET[0]).count();
    let zeros = value.iter().take_while(|&&byte| byte == 0).count();
    match wanted.cmp(&zeros) {
        core::cmp::Ordering::Less => Err(DecodeError::TooShort { expected: BYTES }),
        core::cmp::Ordering::Equal => Ok(value),
        core::cmp::Ordering::Greater => Err(DecodeError::TooLong { capacity: BYTES }),
    }
}

/// The error for a text with a wrong byte or a length that no text of `BYTES` bytes has.
#[cold]
fn refuse<const BYTES: usize>(text: &[u8]) -> DecodeError {
    match invalid_byte(text) {
        Some(error) => error,
        None if text.len() < BYTES => DecodeError::TooShort { expected: BYTES },
        None => DecodeError::TooLong { capacity: BYTES },
    }
}

/// The first byte that is not in the alphabet.
pub(crate) fn invalid_byte(text: &[u8]) -> Option<DecodeError> {
    let is_bad = |&byte: &u8| DIGITS[usize::from(byte)] == NO_DIGIT;
    let position = text.iter().position(is_bad)?;
    let byte = *text.get(position)?;
    Some(DecodeError::InvalidByte { position, byte })
}

/// Adds up `$rows[i][j] * $groups[i]` for the given ranges of `j`, all indexes constant.
macro_rules! sum_rows {
    ($sums:ident, $groups:ident, $rows:ident, $add:expr; $($i:literal: $end:literal),*) => {
        $(for j in 0..$end { $sums[j] = $add($sums[j], $groups[$i], $rows[$i][j]); })*
    };
}

#[cfg(all(target_pointer_width = "64", not(base58_narrow)))]
use wide::{value_32, value_64};

#[cfg(all(target_pointer_width = "64", not(base58_narrow)))]
mod wide {
    use super::Groups;

    const ROWS_32: [[u64; 4]; 6] = rows();
    const ROWS_64: [[u64; 8]; 11] = rows();

    /// Row `i` is 58^(8·(GROUPS-1-i)), lowest limb first.
    const fn rows<const LIMBS: usize, const GROUPS: usize>() -> [[u64; LIMBS]; GROUPS] {
        let mut table = [[0; LIMBS]; GROUPS];
        let mut row = [0u64; LIMBS];
        row[0] = 1;
        let mut i = GROUPS;
        while i > 0 {
            i -= 1;
            table[i] = row;
            let mut carry = 0;
            let mut j = 0;
            while j < LIMBS {
                let product = row[j] as u128 * 58u128.pow(8) + carry;
                row[j] = product as u64;
                carry = product >> 64;
                j += 1;
            }
        }
        table
    }

    #[inline(always)]
    fn add(sum: u128, group: u64, factor: u64) -> u128 {
        sum + u128::from(group) * u128::from(factor)
    }

    #[inline(always)]
    pub(super) fn value_32(groups: [Groups; 3]) -> Option<[u8; 32]> {
        let groups = groups.map(Groups::eights);
        let groups = groups.as_flattened();
        let mut sums = [0u128; 4];
        sum_rows!(sums, groups, ROWS_32, add; 0: 4, 1: 4, 2: 3, 3: 3, 4: 2, 5: 1);
        carry(sums)
    }

    #[inline(always)]
    pub(super) fn value_64(groups: [Groups; 6]) -> Option<[u8; 64]> {
        let groups = groups.map(Groups::eights);
        // The first eight of the 96 characters are always zeros.
        let [_, groups @ ..] = groups.as_flattened() else {
            return None;
        };
        let mut sums = [0u128; 8];
        sum_rows!(sums, groups, ROWS_64, add;
            0: 8, 1: 7, 2: 6, 3: 6, 4: 5, 5: 4, 6: 4, 7: 3, 8: 2, 9: 2, 10: 1);
        carry(sums)
    }

    /// The value as bytes, unless it is too large.
    #[inline(always)]
    fn carry<const LIMBS: usize, const BYTES: usize>(sums: [u128; LIMBS]) -> Option<[u8; BYTES]> {
        let mut value = [0; BYTES];
        let mut carry = 0;
        for (bytes, sum) in value.as_rchunks_mut::<8>().1.iter_mut().rev().zip(sums) {
            let sum = sum + carry;
            *bytes = (sum as u64).to_be_bytes();
            carry = sum >> 64;
        }
        (carry == 0).then_some(value)
    }
}

#[cfg(not(all(target_pointer_width = "64", not(base58_narrow))))]
use narrow::{value_32, value_64};

#[cfg(not(all(target_pointer_width = "64", not(base58_narrow))))]
mod narrow {
    use super::Groups;
    use crate::lanes::Four;

    const ROWS_32: [[[u32; 4]; 2]; 11] = rows();
    const ROWS_64: [[[u32; 4]; 4]; 22] = rows();

    /// Row `i` is 58^(4·(GROUPS-1-i)), lowest limb first.
    const fn rows<const LANES: usize, const GROUPS: usize>() -> [[[u32; 4]; LANES]; GROUPS] {
        let mut table = [[[0; 4]; LANES]; GROUPS];
        let mut row = [[0u32; 4]; LANES];
        row[0][0] = 1;
        let mut i = GROUPS;
        while i > 0 {
            i -= 1;
            table[i] = row;
            let mut carry = 0;
            let mut j = 0;
            while j < LANES * 4 {
                let product = row[j / 4][j % 4] as u64 * 58u64.pow(4) + carry;
                row[j / 4][j % 4] = product as u32;
                carry = product >> 32;
                j += 1;
            }
        }
        table
    }

    #[inline(always)]
    pub(super) fn value_32(groups: [Groups; 3]) -> Option<[u8; 32]> {
        let groups = groups.map(Groups::fours);
        // The first four of the 48 characters are always zeros.
        let [_, groups @ ..] = groups.as_flattened() else {
            return None;
        };
        let mut sums = [Four::zero(); 2];
        sum_rows!(sums, groups, ROWS_32, Four::mul_add;
            0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1);
        carry(sums.map(Four::sums).as_flattened())
    }

    #[inline(always)]
    pub(super) fn value_64(groups: [Groups; 6]) -> Option<[u8; 64]> {
        let groups = groups.map(Groups::fours);
        // The first eight of the 96 characters are always zeros.
        let [_, _, groups @ ..] = groups.as_flattened() else {
            return None;
        };
        let mut sums = [Four::zero(); 4];
        sum_rows!(sums, groups, ROWS_64, Four::mul_add;
            0: 4, 1: 4, 2: 4, 3: 4, 4: 4, 5: 3, 6: 3, 7: 3, 8: 3, 9: 3, 10: 3,
            11: 2, 12: 2, 13: 2, 14: 2, 15: 2, 16: 1, 17: 1, 18: 1, 19: 1, 20: 1, 21: 1);
        carry(sums.map(Four::sums).as_flattened())
    }

    /// The value as bytes, unless it is too large.
    #[inline(always)]
    fn carry<const BYTES: usize>(sums: &[u64]) -> Option<[u8; BYTES]> {
        let mut value = [0; BYTES];
        let mut carry = 0;
        for (bytes, sum) in value.as_rchunks_mut::<4>().1.iter_mut().rev().zip(sums) {
            let sum = sum + carry;
            *bytes = (sum as u32).to_be_bytes();
            carry = sum >> 32;
        }
        (carry == 0).then_some(value)
    }
}
