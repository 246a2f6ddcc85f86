//! Long numbers from one base to the other in less than quadratic time. Needs `alloc`.
//!
//! Divide and conquer: cut the number at a power of the input's base, convert both parts, multiply
//! the high one by that power and add the low one. Parts of 64 bytes or 87 characters go through the fixed kernels.
//! Both directions need multiplications only,
//! because they calculate in the base of the *result* (a base 58^10 is as good as a base 2^64 for
//! that). The powers are squares of each other and are built once. Long products are cut in
//! halves by Karatsuba's three multiplications, so a conversion of n limbs takes about n^1.6 steps.

use crate::alphabet::{ALPHABET, PAIR, pair};
use crate::error::BufferTooSmall;
use crate::limbs::*;
use alloc::{borrow::Cow, vec, vec::Vec};

/// Writes the digits of `bytes` (the first not zero) to the start of `out`.
pub(crate) fn encode(bytes: &[u8], out: &mut [u8]) -> Result<usize, BufferTooSmall> {
    let limbs = convert::<Digits>(bytes).unwrap_or_default();
    let Some((&top, rest)) = limbs.split_last() else {
        return Ok(0);
    };
    let top_digits = core::iter::successors(Some(top), |top| Some(top / 58));
    let head = top_digits.take_while(|&top| top != 0).count();
    let len = head + rest.len() * LIMB_DIGITS;
    let out = out.get_mut(..len).ok_or(BufferTooSmall)?;
    for (out, &limb) in out.rchunks_mut(LIMB_DIGITS).zip(&limbs) {
        match out.as_mut_array::<LIMB_DIGITS>() {
            Some(out) => write_limb(limb, out),
            None => write_limb(limb, out),
        }
    }
    Ok(len)
}

/// Writes the lowest digits of `limb`, as many as `out` has room for.
#[inline(always)]
#[allow(clippy::unnecessary_cast, reason = "a limb is an u64 or an u32")]
fn write_limb(mut limb: Limb, out: &mut [u8]) {
    let (first, pairs) = out.as_rchunks_mut::<2>();
    for out in pairs.iter_mut().rev() {
        let rest = limb / PAIR as Limb;
        *out = pair((limb - rest * PAIR as Limb) as u64);
        limb = rest;
    }
    for out in first {
        *out = ALPHABET[(limb % 58) as usize];
    }
}

/// Writes the bytes of `text` (the first character not `'1'`) to the start of `out`; `None` if
/// they do not fit or a character is not in the alphabet.
pub(crate) fn decode(text: &[u8], out: &mut [u8]) -> Option<usize> {
    let limbs = convert::<Binary>(text)?;
    let top_bits = limbs
        .last()
        .map_or(0, |top| Limb::BITS - top.leading_zeros());
    let len = limbs
        .len()
        .saturating_sub(1)
        .checked_mul(LIMB_BITS as usize)?;
    let len = len.checked_add(top_bits as usize)?.div_ceil(8);
    let (first, words) = out.get_mut(..len)?.as_rchunks_mut::<8>();
    let mut words = words.iter_mut().rev();
    let (mut bits, mut held) = (0u128, 0);
    for limb in limbs {
        bits |= u128::from(limb) << held;
        held += LIMB_BITS;
        if held >= 64
            && let Some(word) = words.next()
        {
            *word = (bits as u64).to_be_bytes();
            bits >>= 64;
            held -= 64;
        }
    }
    // At most 123 bits are left.
    if let Some(word) = words.next() {
        *word = (bits as u64).to_be_bytes();
        bits >>= 64;
    }
    for out in first.iter_mut().rev() {
        *out = bits as u8;
        bits >>= 8;
    }
    Some(len)
}

/// The limbs in base `B` of a number given in the other base, as text or big-endian bytes; lowest
/// first, the highest not zero. `None` for text with a wrong character.
fn convert<B: Base>(input: &[u8]) -> Option<Vec<Limb>> {
    let mut powers: Vec<Cow<[Limb]>> = B::POWERS.map(|power| Cow::Borrowed(trim(power))).into();
    while B::LEAF << powers.len() < input.len() {
        let Some(root) = powers.last() else { break };
        powers.push(Cow::Owned(trimmed(product::<B>(root, root))));
    }
    divide_and_conquer::<B>(input, &powers)
}

/// `powers[i]` is the value of a one behind `B::LEAF << i` bytes of the input; there are enough of
/// them that `input` has at most `B::LEAF << powers.len()` bytes.
fn divide_and_conquer<B: Base>(input: &[u8], powers: &[Cow<[Limb]>]) -> Option<Vec<Limb>> {
    let Some((power, smaller)) = powers.split_last() else {
        return Some(trimmed(B::leaf(input)?.to_vec()));
    };
    let Some((high, low)) = (input.len().checked_sub(B::LEAF << smaller.len()))
        .filter(|&at| at > 0)
        .and_then(|at| input.split_at_checked(at))
    else {
        return divide_and_conquer::<B>(input, smaller);
    };
    let high = divide_and_conquer::<B>(high, smaller)?;
    let mut result = product::<B>(&high, power);
    add_to::<B>(&mut result, &divide_and_conquer::<B>(low, smaller)?);
    Some(trimmed(result))
}

/// `limbs` without the zeros at its end.
fn trim(mut limbs: &[Limb]) -> &[Limb] {
    while let [rest @ .., 0] = limbs {
        limbs = rest;
    }
    limbs
}

fn trimmed(mut limbs: Vec<Limb>) -> Vec<Limb> {
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
    limbs
}

fn product<B: Base>(a: &[Limb], b: &[Limb]) -> Vec<Limb> {
    let mut out = vec![0; a.len() + b.len()];
    multiply::<B>(&mut out, a, b);
    out
}

/// `out = a · b`; `out` is zero and as long as both together.
fn multiply<B: Base>(out: &mut [Limb], a: &[Limb], b: &[Limb]) {
    let (a, b) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let half = a.len().div_ceil(2);
    if a.len() <= SCHOOLBOOK {
        schoolbook::<B>(out, a, b);
    } else if b.len() <= half {
        // Very different lengths: multiply the longer one by pieces.
        let mut rest = out;
        let len = b.len().max(SCHOOLBOOK);
        for piece in a.chunks(len) {
            add_to::<B>(rest, &product::<B>(piece, b));
            rest = rest.get_mut(len..).unwrap_or_default();
        }
    } else {
        // (a1·x + a0)·(b1·x + b0) = z2·x² + ((a0+a1)·(b0+b1) - z0 - z2)·x + z0
        let (Some((a0, a1)), Some((b0, b1))) = (a.split_at_checked(half), b.split_at_checked(half))
        else {
            return;
        };
        let mut middle = product::<B>(&sum::<B>(a0, a1), &sum::<B>(b0, b1));
        let Some((z0, z2)) = out.split_at_mut_checked(2 * half) else {
            return;
        };
        multiply::<B>(z0, a0, b0);
        multiply::<B>(z2, a1, b1);
        sub_from::<B>(&mut middle, z0);
        sub_from::<B>(&mut middle, z2);
        let middle = trimmed(middle);
        add_to::<B>(out.get_mut(half..).unwrap_or_default(), &middle);
    }
}

/// `a + b`, with one limb more than the longer one.
fn sum<B: Base>(a: &[Limb], b: &[Limb]) -> Vec<Limb> {
    let mut out = Vec::with_capacity(a.len().max(b.len()) + 1);
    out.extend_from_slice(a);
    out.resize(a.len().max(b.len()) + 1, 0);
    add_to::<B>(&mut out, b);
    out
}
