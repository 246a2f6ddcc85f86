//! Long numbers from one base to the other inside of the caller's buffer, without a heap.
//!
//! Limb by limb, so the time is quadratic in the number of limbs; with `alloc`, [`crate::radix`]
//! does this work. The limbs are stored in the buffer itself, lowest first: a limb of five digits
//! takes four bytes there, so a text of 16 digits or more has room for its own limbs.

use crate::alphabet::{ALPHABET, DIGITS, NO_DIGIT};
use crate::error::BufferTooSmall;

/// The bytes of a limb of the number in binary, and of its place in the buffer.
const BYTES: usize = 4;
/// The digits of a limb of the number in base 58.
const LIMB_DIGITS: usize = 5;
const LIMB_BASE: u64 = 58u64.pow(LIMB_DIGITS as u32);

/// One step of evaluating a polynomial for all stored limbs, given as the limb that stays and the
/// carry of one limb and the carry into it; the carry out of them.
#[inline(always)]
fn step(slots: &mut [[u8; BYTES]], mut carry: u32, one: impl Fn(u32, u32) -> (u32, u32)) -> u32 {
    for slot in slots {
        let limb;
        (limb, carry) = one(u32::from_le_bytes(*slot), carry);
        *slot = limb.to_le_bytes();
    }
    carry
}

/// `limb · 2^32 + carry` in base 58^5.
#[inline(always)]
fn to_digits(limb: u32, carry: u32) -> (u32, u32) {
    let value = (u64::from(limb) << 32) | u64::from(carry);
    ((value % LIMB_BASE) as u32, (value / LIMB_BASE) as u32)
}

/// `limb · 58^5 + carry` in base 2^32.
#[inline(always)]
fn to_binary(limb: u32, carry: u32) -> (u32, u32) {
    let value = u64::from(limb) * LIMB_BASE + u64::from(carry);
    (value as u32, (value >> 32) as u32)
}

/// The digit of every limb of the text, highest first; `None` for a character that is no digit.
fn limb_of_text(text: &[u8]) -> Option<u32> {
    text.iter().try_fold(0, |limb, &byte| {
        let digit = DIGITS[usize::from(byte)];
        (digit != NO_DIGIT).then_some(limb * 58 + u32::from(digit))
    })
}

/// Writes the digits of `bytes` (more than 64, the first not zero) to the start of `out`.
pub(crate) fn encode(bytes: &[u8], out: &mut [u8]) -> Result<usize, BufferTooSmall> {
    let slots = out.as_chunks_mut::<BYTES>().0;
    let mut count = 0;
    let (first, rest) = bytes.as_rchunks::<BYTES>();
    let first = first
        .iter()
        .fold(0, |limb, &byte| (limb << 8) | u32::from(byte));
    let rest = rest.iter().map(|bytes| u32::from_be_bytes(*bytes));
    for limb in core::iter::once(first).chain(rest) {
        let mut carry = step(slots.get_mut(..count).unwrap_or_default(), limb, to_digits);
        while carry != 0 {
            let slot = slots.get_mut(count).ok_or(BufferTooSmall)?;
            let limb;
            (limb, carry) = to_digits(0, carry);
            *slot = limb.to_le_bytes();
            count += 1;
        }
    }
    let slots = slots.get_mut(..count).unwrap_or_default();
    slots.reverse();
    let Some(first) = slots.first() else {
        return Ok(0);
    };
    let digits = core::iter::successors(Some(u32::from_le_bytes(*first)), |limb| Some(limb / 58));
    let head = digits.take_while(|&limb| limb != 0).count();
    let len = head + (count - 1) * LIMB_DIGITS;

    // Highest limb first, at the end of the text: then writing the text from its start never
    // reaches a limb that is still to be read.
    let out = out.get_mut(..len).ok_or(BufferTooSmall)?;
    let stored = count * BYTES;
    let mut read = len.checked_sub(stored).ok_or(BufferTooSmall)?;
    out.copy_within(..stored, read);
    let mut write = 0;
    let mut digits = head;
    while let Some(slot) = out.get(read..).and_then(<[u8]>::first_chunk) {
        let mut limb = u32::from_le_bytes(*slot);
        for out in out
            .get_mut(write..write + digits)
            .unwrap_or_default()
            .iter_mut()
            .rev()
        {
            *out = ALPHABET[(limb % 58) as usize];
            limb /= 58;
        }
        read += BYTES;
        write += digits;
        digits = LIMB_DIGITS;
    }
    Ok(len)
}

/// Writes the bytes of `text` (the first character not `'1'`) to the start of `out`; `None` if
/// they do not fit or a character is not in the alphabet.
pub(crate) fn decode(text: &[u8], out: &mut [u8]) -> Option<usize> {
    let slots = out.as_chunks_mut::<BYTES>().0;
    let mut count = 0;
    // The highest limb, where the buffer has no room for all its bytes.
    let mut top: u32 = 0;
    let (first, rest) = text.as_rchunks::<LIMB_DIGITS>();
    for limb in core::iter::once(first).chain(rest.iter().map(|text| &text[..])) {
        let carry = step(
            slots.get_mut(..count).unwrap_or_default(),
            limb_of_text(limb)?,
            to_binary,
        );
        if let Some(slot) = slots.get_mut(count) {
            *slot = carry.to_le_bytes();
            count += usize::from(carry != 0);
        } else {
            let over;
            (top, over) = to_binary(top, carry);
            if over != 0 {
                return None;
            }
        }
    }
    let low = count * BYTES;
    let (low_bytes, rest) = out.split_at_mut_checked(low)?;
    let len = if top != 0 {
        let bytes = BYTES - top.leading_zeros() as usize / 8;
        let rest = rest.get_mut(..bytes)?;
        for (out, byte) in rest.iter_mut().zip(top.to_le_bytes()) {
            *out = byte;
        }
        low + bytes
    } else {
        low - low_bytes
            .iter()
            .rev()
            .take_while(|&&byte| byte == 0)
            .count()
    };
    out.get_mut(..len).unwrap_or_default().reverse();
    Some(len)
}

#[cfg(test)]
mod tests {
    use crate::common;
    use std::vec;

    #[test]
    fn same_as_the_oracle_in_a_buffer_of_every_length() {
        let lens: &[usize] = if cfg!(miri) {
            &[65]
        } else {
            &[65, 66, 71, 72, 73, 100, 128, 300]
        };
        for &len in lens {
            for input in common::inputs(len, if cfg!(miri) { 3 } else { 300 }) {
                if input[0] == 0 {
                    continue;
                }
                let text = common::encode(&input);
                for spare in (0..12).step_by(if cfg!(miri) { 5 } else { 1 }) {
                    let mut out = vec![0; text.len() + spare];
                    assert_eq!(super::encode(&input, &mut out), Ok(text.len()));
                    assert_eq!(&out[..text.len()], text.as_bytes());
                    let mut out = vec![0; len + spare];
                    assert_eq!(super::decode(text.as_bytes(), &mut out), Some(len));
                    assert_eq!(out[..len], input);
                }
                for less in (0..text.len()).step_by(if cfg!(miri) { 40 } else { 7 }) {
                    assert!(super::encode(&input, &mut vec![0; less]).is_err());
                }
                for less in (0..len).step_by(if cfg!(miri) { 40 } else { 5 }) {
                    assert!(super::decode(text.as_bytes(), &mut vec![0; less]).is_none());
                }
            }
        }
    }
}
