//! Encodes exactly 32 or 64 bytes: the sizes of Solana's public keys and signatures.
//!
//! The input is read as limbs of 32 bits, and the output is made of groups of four digits, one
//! number below 58⁴ each. Every power 2^(32·i) has a constant row of groups, so the input in base
//! 58⁴ is the sum of the rows, each times its limb:
//!
//! 1. Add up the columns. A product is below 2³²·58⁴ < 2^55.5 and a column adds at most 16 of
//!    them, so it stays below 2^59.5 and plain 64-bit arithmetic is enough (WebAssembly has no
//!    wider product). The rows are a triangle: a row starts at its first group that is not zero.
//! 2. Carry from the lowest column to the highest: what is above 58⁴ goes to the next column. The
//!    divisor is a constant, so the division is a multiplication. As every step waits for the one
//!    before it, the two halves of the columns are carried independently, and then the carry out
//!    of the lower one is added to the higher one. That carry is below 2^36.1, so it is below 2^12.7
//!    after one group, at most one after two, and almost always ends there.
//! 3. Split each group into two pairs of digits and look their characters up.
//!
//! 32 bytes have at most 44 digits = 11 groups, 64 bytes at most 88 = 22 groups: 58^44 > 2^256
//! and 58^88 > 2^512. A random value has all its digits or one less (43 in 6 % of 32 bytes, 87 in
//! 20 % of 64), which is too even for a branch, so the text is moved by a variable offset instead.
//! Values with more leading zero digits take a detour.

use crate::alphabet::{ALPHABET, PAIR, pair};
use crate::lanes::Four;

/// Four digits: the base of the groups.
const GROUP: u64 = 58 * 58 * 58 * 58;

/// The most characters that 32 bytes need.
pub const MAX_LEN_32: usize = 44;
/// The most characters that 64 bytes need.
pub const MAX_LEN_64: usize = 88;

const ROWS_32: [[[u32; 4]; 3]; 8] = rows();
const ROWS_64: [[[u32; 4]; 6]; 16] = rows();

/// Row `i` is 2^(32·(LIMBS-1-i)) in base 58⁴; both rows and limbs are highest first. One or two
/// groups in front fill up the lanes of four, and are always zero.
const fn rows<const LIMBS: usize, const LANES: usize>() -> [[[u32; 4]; LANES]; LIMBS] {
    let mut table = [[[0; 4]; LANES]; LIMBS];
    let mut row = [[0u32; 4]; LANES];
    row[LANES - 1][3] = 1;
    let mut i = LIMBS;
    while i > 0 {
        i -= 1;
        table[i] = row;
        let mut carry = 0;
        let mut j = LANES * 4;
        while j > 0 {
            j -= 1;
            let product = ((row[j / 4][j % 4] as u64) << 32) + carry;
            row[j / 4][j % 4] = (product % GROUP) as u32;
            carry = product / GROUP;
        }
    }
    table
}

/// Step 1. All indexes are constants, so that the compiler can leave out the zeros of the table;
/// `$first` is the first lane of each row that is not zero.
macro_rules! columns {
    ($input:ident, $rows:ident, $($i:literal: $first:literal),*) => {{
        const LANES: usize = $rows[0].len();
        let limbs = $input.as_chunks::<4>().0;
        let mut columns = [Four::zero(); LANES];
        $({
            let limb = u32::from_be_bytes(limbs[$i]);
            let mut j = $first;
            while j < LANES {
                columns[j] = columns[j].mul_add(limb, const { $rows[$i] }[j]);
                j += 1;
            }
        })*
        columns.map(Four::sums)
    }};
}

/// Writes the Base58 text of `input` to the start of `out` and returns its length: 32 characters
/// (all zero) to 44. What is behind the text in `out` is left in an unspecified state.
#[inline(never)]
pub fn encode_32(input: &[u8; 32], out: &mut [u8; MAX_LEN_32]) -> usize {
    write_32(input, &groups_32(input), out)
}

/// Writes the Base58 text of `input` to the start of `out` and returns its length: 64 characters
/// (all zero) to 88. What is behind the text in `out` is left in an unspecified state.
#[inline(never)]
pub fn encode_64(input: &[u8; 64], out: &mut [u8; MAX_LEN_64]) -> usize {
    write_64(input, &groups_64(input), out)
}

/// Steps 1 and 2 for 32 bytes.
#[inline(always)]
fn groups_32(input: &[u8; 32]) -> [u64; 11] {
    let columns = columns!(input, ROWS_32, 0: 0, 1: 0, 2: 1, 3: 1, 4: 1, 5: 2, 6: 2, 7: 2);
    let [[_, a, b, c], [d, e, f, g], [h, i, j, k]] = columns;
    let (mut high, mut low) = ([a, b, c, d, e], [f, g, h, i, j, k]);
    let carry = chain(&mut low);
    chain(&mut high);
    fold(&mut high, carry);
    let ([a, b, c, d, e], [f, g, h, i, j, k]) = (high, low);
    [a, b, c, d, e, f, g, h, i, j, k]
}

/// Steps 1 and 2 for 64 bytes.
#[inline(always)]
pub(crate) fn groups_64(input: &[u8; 64]) -> [u64; 22] {
    let mut columns = columns!(
        input, ROWS_64, 0: 0, 1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 1, 7: 2, 8: 2, 9: 2, 10: 3, 11: 3,
        12: 3, 13: 4, 14: 4, 15: 5
    );
    let flat = columns.as_flattened_mut();
    let carry = chain(&mut flat[13..]);
    chain(&mut flat[2..13]);
    fold(&mut flat[2..13], carry);
    core::array::from_fn(|i| flat[i + 2])
}

/// Step 2 for a part of the columns: carries from its end to its start; the carry out of it.
#[inline(always)]
fn chain(columns: &mut [u64]) -> u64 {
    let mut carry = 0;
    for column in columns.iter_mut().rev() {
        carry = step(column, carry);
    }
    carry
}

#[inline(always)]
fn step(column: &mut u64, carry: u64) -> u64 {
    let sum = *column + carry;
    let carry = sum / GROUP;
    *column = sum - carry * GROUP;
    carry
}

/// Adds the carry out of the part behind to a part that is carried already; the carry out of it.
#[inline(always)]
fn fold(columns: &mut [u64], carry: u64) -> u64 {
    let [rest @ .., b, a] = columns else { return 0 };
    let carry = step(a, carry);
    let carry = step(b, carry);
    if carry == 0 { 0 } else { ripple(rest, carry) }
}

#[cold]
#[inline(never)]
fn ripple(columns: &mut [u64], mut carry: u64) -> u64 {
    for column in columns.iter_mut().rev() {
        carry = step(column, carry);
    }
    carry
}

/// Step 3 for 32 bytes.
#[inline(always)]
fn write_32(input: &[u8; 32], groups: &[u64; 11], out: &mut [u8; 44]) -> usize {
    write_pairs(groups, out.as_chunks_mut().0);
    if groups[0] >= 58 * PAIR {
        44
    } else {
        shorten(input, out)
    }
}

/// Step 3 for 64 bytes.
#[inline(always)]
fn write_64(input: &[u8; 64], groups: &[u64; 22], out: &mut [u8; 88]) -> usize {
    let [top, groups @ ..] = groups;
    let first = high_pair(*top);
    if first == 0 || input[0] == 0 {
        write_pairs(&[*top], out.as_chunks_mut().0);
        write_pairs(groups, out[4..].as_chunks_mut().0);
        return shorten(input, out);
    }
    // With one digit less, all is one place further in front. The first place is written last.
    let skip = usize::from(first < 58);
    let pairs = &mut out[2 - skip..][..86];
    let (low, rest) = pairs.split_at_mut(2);
    low.copy_from_slice(&pair(top - first * PAIR));
    write_pairs(groups, rest.as_chunks_mut().0);
    let [a, b] = pair(first);
    out[1 - skip] = b;
    out[0] = if skip == 0 { a } else { b };
    88 - skip
}

#[inline(always)]
fn write_pairs(groups: &[u64], out: &mut [[u8; 4]]) {
    for (out, &group) in out.iter_mut().zip(groups) {
        let high = high_pair(group);
        let (first, second) = out.split_at_mut(2);
        first.copy_from_slice(&pair(high));
        second.copy_from_slice(&pair(group - high * PAIR));
    }
}

/// `group / 58²` for a group below 58⁴. The compiler's own constant for this is for all 32-bit
/// numbers and takes one step more. The rounded up reciprocal is right as long as its error times
/// the group is below 2³⁶.
#[inline(always)]
fn high_pair(group: u64) -> u64 {
    const RECIPROCAL: u64 = (1u64 << 36).div_ceil(PAIR);
    const _: () = assert!((RECIPROCAL * PAIR - (1 << 36)) * GROUP < 1 << 36);
    (group * RECIPROCAL) >> 36
}

/// Takes off the leading zero digits that do not stand for a zero byte.
#[cold]
#[inline(never)]
fn shorten(input: &[u8], out: &mut [u8]) -> usize {
    let zero_bytes = input.iter().take_while(|&&byte| byte == 0).count();
    let zero_digits = out.iter().take_while(|&&c| c == ALPHABET[0]).count();
    // There are more digits than bytes, so this is not negative.
    let skip = zero_digits.saturating_sub(zero_bytes);
    if skip <= out.len() {
        out.copy_within(skip.., 0);
    }
    out.len().saturating_sub(skip)
}
