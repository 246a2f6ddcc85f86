//! The limbs of long numbers, in the two bases, for [`crate::radix`]. Needs `alloc`.
//!
//! On 64-bit targets a limb is below 58^10 or 2^60, on 32-bit targets (whose widest product has 64
//! bits) below 58^5 or 2^28. That is less than a word holds, so a column of 40 products and a carry
//! can be added up without looking at overflow: 40·58^20 + 2^64 < 2^64·58^10 < 2^123, and
//! 40·58^10 + 2^36 < 2^64. Numbers are stored lowest limb first.

use crate::alphabet::PAIR;
use crate::{decode_fixed::value_of_text, encode_fixed::groups_64};

#[cfg(all(target_pointer_width = "64", not(base58_narrow)))]
mod size {
    pub(crate) type Limb = u64;
    pub(crate) type Wide = u128;
    /// The digits of a limb.
    pub(crate) const LIMB_DIGITS: usize = 10;
    /// The bits of a limb.
    pub(crate) const LIMB_BITS: u32 = 60;

    /// About `sum / 58^10` for a sum below 2^64·58^10: right or up to 3 too low.
    ///
    /// A `u128` division is a library call, and the next column waits for this. The bits below
    /// 2^59 are cut off (an error below 2^59 / 58^10 < 1.4), what is left is below 2^64, and the
    /// reciprocal is rounded down (an error below 2^64 / 2^63 = 2, with 1.34 the factor that is
    /// rounded); the result is rounded down (less than 1): together below 4, 3 as an integer.
    #[inline(always)]
    pub(super) fn quotient(sum: Wide) -> Limb {
        const RECIPROCAL: u128 = (1 << 122) / super::DIGITS_BASE as u128;
        ((((sum >> 59) as u64 as u128) * RECIPROCAL) >> 63) as Limb
    }
}

#[cfg(not(all(target_pointer_width = "64", not(base58_narrow))))]
mod size {
    pub(crate) type Limb = u32;
    pub(crate) type Wide = u64;
    /// The digits of a limb.
    pub(crate) const LIMB_DIGITS: usize = 5;
    /// The bits of a limb.
    pub(crate) const LIMB_BITS: u32 = 28;

    /// `sum / 58^5`.
    #[inline(always)]
    pub(super) fn quotient(sum: Wide) -> Wide {
        sum / Wide::from(super::DIGITS_BASE)
    }
}

pub(crate) use size::{LIMB_BITS, LIMB_DIGITS, Limb, Wide};

const DIGITS_BASE: Limb = (58 as Limb).pow(LIMB_DIGITS as u32);

/// The limbs of 64 bytes (88 digits or 512 bits).
const LEAF_LIMBS: usize = (512 / LIMB_BITS + 1) as usize;
const _: () = assert!(LEAF_LIMBS * LIMB_DIGITS >= 88);

/// The limbs of `factor` to the power of `exponent`.
const fn power<const N: usize>(factor: Wide, exponent: usize, base: Limb) -> [Limb; N] {
    let mut limbs = [0; N];
    limbs[0] = 1;
    let mut i = 0;
    while i < exponent {
        let mut carry = 0;
        let mut j = 0;
        while j < N {
            let product = limbs[j] as Wide * factor + carry;
            limbs[j] = (product % base as Wide) as Limb;
            carry = product / base as Wide;
            j += 1;
        }
        assert!(carry == 0);
        i += 1;
    }
    limbs
}

/// A base to calculate in. The input is in the other base.
pub(crate) trait Base {
    /// What a limb is below of. Four times that still fits into a limb.
    const BASE: Limb;

    /// The longest part of the input, in bytes, that a fixed kernel converts whole.
    const LEAF: usize;

    /// The values of a one behind 1, 2, 4 and 8 leaves, which are enough for 1 KB.
    const POWERS: [&[Limb]; 4];

    /// The limbs of at most [`Base::LEAF`] bytes of the input; `None` if a byte is no digit.
    fn leaf(input: &[u8]) -> Option<[Limb; LEAF_LIMBS]>;

    /// `sum / BASE` for the sum of a column (see the top), right or up to 3 too low.
    fn quotient(sum: Wide) -> Wide;
}

/// Base 2^60 or 2^28; the input is text.
pub(crate) struct Binary;

impl Base for Binary {
    const BASE: Limb = 1 << LIMB_BITS;

    /// 58^87 < 2^512 < 58^88.
    const LEAF: usize = 87;

    const POWERS: [&[Limb]; 4] = [
        &const { power::<LEAF_LIMBS>(58, 87, Self::BASE) },
        &const { power::<{ 2 * LEAF_LIMBS }>(58, 2 * 87, Self::BASE) },
        &const { power::<{ 4 * LEAF_LIMBS }>(58, 4 * 87, Self::BASE) },
        &const { power::<{ 8 * LEAF_LIMBS }>(58, 8 * 87, Self::BASE) },
    ];

    fn leaf(input: &[u8]) -> Option<[Limb; LEAF_LIMBS]> {
        let value = value_of_text(input)?;
        let mut limbs = [0; LEAF_LIMBS];
        let mut words = value.as_chunks::<8>().0.iter().rev();
        // At most 59 bits are left over when a word comes in.
        let (mut bits, mut held) = (0u128, 0);
        for limb in &mut limbs {
            if held < LIMB_BITS
                && let Some(word) = words.next()
            {
                bits |= u128::from(u64::from_be_bytes(*word)) << held;
                held += 64;
            }
            *limb = bits as Limb & (Self::BASE - 1);
            bits >>= LIMB_BITS;
            held = held.saturating_sub(LIMB_BITS);
        }
        Some(limbs)
    }

    #[inline(always)]
    fn quotient(sum: Wide) -> Wide {
        sum >> LIMB_BITS
    }
}

/// Base 58^10 or 58^5; the input is big-endian bytes.
pub(crate) struct Digits;

impl Base for Digits {
    const BASE: Limb = DIGITS_BASE;

    const LEAF: usize = 64;

    const POWERS: [&[Limb]; 4] = [
        &const { power::<LEAF_LIMBS>(256, 64, Self::BASE) },
        &const { power::<{ 2 * LEAF_LIMBS }>(256, 2 * 64, Self::BASE) },
        &const { power::<{ 4 * LEAF_LIMBS }>(256, 4 * 64, Self::BASE) },
        &const { power::<{ 8 * LEAF_LIMBS }>(256, 8 * 64, Self::BASE) },
    ];

    fn leaf(input: &[u8]) -> Option<[Limb; LEAF_LIMBS]> {
        let mut padded = [0; 64];
        padded
            .get_mut(64usize.checked_sub(input.len())?..)?
            .copy_from_slice(input);
        let groups = groups_64(&padded);
        // Five groups of four digits are two times ten digits; the one in the middle is cut.
        let mut tens = [0u64; 10];
        let (first, rest) = groups.as_rchunks::<5>();
        let pairs = tens.as_chunks_mut::<2>().0;
        for ([low, high], &[a, b, c, d, e]) in pairs.iter_mut().zip(rest.iter().rev()) {
            let pair = PAIR;
            let cut = c / pair;
            *low = ((c - cut * pair) * pair * pair + d) * pair * pair + e;
            *high = (a * pair * pair + b) * pair + cut;
        }
        tens[8] = first
            .iter()
            .fold(0, |ten, group| ten * 58u64.pow(4) + group);
        const BASE: u64 = 58u64.pow(LIMB_DIGITS as u32);
        let mut limbs = [0; LEAF_LIMBS];
        for (limbs, mut ten) in limbs.chunks_mut(10 / LIMB_DIGITS).zip(tens) {
            for limb in limbs {
                *limb = (ten % BASE) as Limb;
                ten /= BASE;
            }
        }
        Some(limbs)
    }

    #[inline(always)]
    fn quotient(sum: Wide) -> Wide {
        Wide::from(size::quotient(sum))
    }
}

/// The longest factor of [`schoolbook`]: more products in a column could overflow.
pub(crate) const SCHOOLBOOK: usize = 40;

/// `out = a · b`, for up to [`SCHOOLBOOK`] limbs each; `out` has the length of both together.
///
/// First the columns, then one carry for each: there is a division for each limb of the result and
/// none for each product. Four limbs of `a` go along `b` at once, so a column in memory is touched
/// once for four products, and all inner loops have the same length. Going column by column was
/// measured 5 to 10 % slower for 1 KB.
pub(crate) fn schoolbook<B: Base>(out: &mut [Limb], a: &[Limb], b: &[Limb]) {
    let mut columns: [Wide; 2 * SCHOOLBOOK + 4] = [0; _];
    // Three zeros on both sides, for the ends of the four shifted copies.
    let mut padded: [Limb; SCHOOLBOOK + 6] = [0; _];
    for (padded, &b) in padded.iter_mut().skip(3).zip(b) {
        *padded = b;
    }
    let windows = padded
        .get(..b.len() + 6)
        .unwrap_or_default()
        .array_windows::<4>();
    let product = |a: Limb, b: Limb| Wide::from(a) * Wide::from(b);
    let mut rest = &mut columns[..];
    for four in a.chunks(4) {
        let mut a = [0; 4];
        for (a, &limb) in a.iter_mut().zip(four) {
            *a = limb;
        }
        for (column, b) in rest.iter_mut().zip(windows.clone()) {
            *column += product(a[0], b[3])
                + product(a[1], b[2])
                + product(a[2], b[1])
                + product(a[3], b[0]);
        }
        rest = rest.get_mut(4..).unwrap_or_default();
    }
    let mut carry: Wide = 0;
    let mut correction = 0;
    for (out, column) in out.iter_mut().zip(&columns) {
        let sum = column + carry;
        carry = B::quotient(sum);
        // Below 4 bases. The chain of corrections is a second one, so that the one of carries is
        // short.
        let rest = (sum as Limb).wrapping_sub((carry as Limb).wrapping_mul(B::BASE));
        let rest = rest.wrapping_add(correction);
        correction = rest / B::BASE;
        *out = rest % B::BASE;
    }
}

/// `out += b`; the sum must fit.
pub(crate) fn add_to<B: Base>(out: &mut [Limb], b: &[Limb]) {
    in_place(out, b, |a, b, carry| {
        let sum = a.wrapping_add(b).wrapping_add(carry);
        let over = sum >= B::BASE;
        (
            if over { sum.wrapping_sub(B::BASE) } else { sum },
            Limb::from(over),
        )
    });
}

/// `out -= b`; the difference must not be negative.
pub(crate) fn sub_from<B: Base>(out: &mut [Limb], b: &[Limb]) {
    in_place(out, b, |a, b, borrow| {
        let (rest, under) = a.overflowing_sub(b.wrapping_add(borrow));
        (
            if under {
                rest.wrapping_add(B::BASE)
            } else {
                rest
            },
            Limb::from(under),
        )
    });
}

#[inline(always)]
fn in_place(out: &mut [Limb], b: &[Limb], op: impl Fn(Limb, Limb, Limb) -> (Limb, Limb)) {
    let (head, tail) = out.split_at_mut(b.len().min(out.len()));
    let mut carry = 0;
    for (out, &b) in head.iter_mut().zip(b) {
        (*out, carry) = op(*out, b, carry);
    }
    for out in tail {
        if carry == 0 {
            break;
        }
        (*out, carry) = op(*out, 0, carry);
    }
}
