//! Any length: the fixed kernels for up to 64 bytes, the long conversions above.
//!
//! Base58 is not one number in base 58: every leading zero byte becomes one leading `'1'`, and
//! only the rest is converted. A rest of up to 64 bytes is filled up with zero bytes to 32 or 64,
//! which adds exactly one `'1'` each, and goes through the fixed kernel.

use crate::alphabet::ALPHABET;
use crate::decode_fixed::{invalid_byte, value_of_text};
use crate::encode_fixed::{MAX_LEN_32, MAX_LEN_64, encode_32, encode_64};
use crate::error::{BufferTooSmall, DecodeError};

/// The most characters that `len` bytes need; the exact number depends on the bytes.
///
/// A byte needs log 256 / log 58 = 1.36566 characters, rounded up to 11/8 here: 44 for 32 bytes
/// and 88 for 64. Stops at `usize::MAX`.
#[must_use]
pub const fn max_encoded_len(len: usize) -> usize {
    len.saturating_add(len / 8 * 3 + (len % 8 * 3).div_ceil(8))
}

/// Writes the Base58 text of `input` to the start of `out` and returns its length.
///
/// `out` may be exactly as long as the text; [`max_encoded_len`] bytes are always enough. On an
/// error, and behind the text, the content of `out` is unspecified.
///
/// # Errors
///
/// [`BufferTooSmall`] if the text does not fit.
pub fn encode_into(input: &[u8], out: &mut [u8]) -> Result<usize, BufferTooSmall> {
    if let Ok(input) = <&[u8; 32]>::try_from(input) {
        if let Some(out) = out.first_chunk_mut() {
            return Ok(encode_32(input, out));
        }
    } else if let Ok(input) = <&[u8; 64]>::try_from(input)
        && let Some(out) = out.first_chunk_mut()
    {
        return Ok(encode_64(input, out));
    }
    let zeros = input.iter().take_while(|&&byte| byte == 0).count();
    let (ones, out) = out.split_at_mut_checked(zeros).ok_or(BufferTooSmall)?;
    ones.fill(ALPHABET[0]);
    let rest = input.get(zeros..).unwrap_or_default();
    let len = match rest.len() {
        0 => 0,
        1..=32 => {
            let mut text = [0; MAX_LEN_32];
            let len = encode_32(&padded(rest), &mut text);
            copy(text.get(32 - rest.len()..len), out)?
        }
        33..=64 => {
            let mut text = [0; MAX_LEN_64];
            let len = encode_64(&padded(rest), &mut text);
            copy(text.get(64 - rest.len()..len), out)?
        }
        _ => encode_long(rest, out)?,
    };
    Ok(zeros + len)
}

/// Writes the bytes that `text` stands for to the start of `out` and returns their number.
///
/// `out` may be exactly as long as the bytes; the length of `text` is always enough. On an error,
/// and behind the bytes, the content of `out` is unspecified.
///
/// # Errors
///
/// [`DecodeError::InvalidByte`] for a byte outside of the alphabet, [`DecodeError::TooLong`] if
/// the bytes do not fit.
pub fn decode_into(text: impl AsRef<[u8]>, out: &mut [u8]) -> Result<usize, DecodeError> {
    decode_bytes(text.as_ref(), out)
}

fn decode_bytes(text: &[u8], out: &mut [u8]) -> Result<usize, DecodeError> {
    let too_long = DecodeError::TooLong {
        capacity: out.len(),
    };
    let wrong = || invalid_byte(text).unwrap_or(too_long);
    let ones = text.iter().take_while(|&&c| c == ALPHABET[0]).count();
    let Some((zeros, out)) = out.split_at_mut_checked(ones) else {
        return Err(wrong());
    };
    zeros.fill(0);
    let rest = text.get(ones..).unwrap_or_default();
    let len = match rest.len() {
        0 => 0,
        1..=MAX_LEN_64 => match value_of_text(rest) {
            Some(value) => {
                let zeros = value.iter().take_while(|&&byte| byte == 0).count();
                copy(value.get(zeros..), out).map_err(|_| wrong())?
            }
            // Wrong characters, or 65 bytes.
            None => decode_long(rest, out).ok_or_else(wrong)?,
        },
        _ => decode_long(rest, out).ok_or_else(wrong)?,
    };
    Ok(ones + len)
}

/// `bytes` (at most `N`) behind zero bytes.
fn padded<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut all = [0; N];
    for (all, &byte) in all.iter_mut().rev().zip(bytes.iter().rev()) {
        *all = byte;
    }
    all
}

fn copy(from: Option<&[u8]>, out: &mut [u8]) -> Result<usize, BufferTooSmall> {
    let from = from.unwrap_or_default();
    out.get_mut(..from.len())
        .ok_or(BufferTooSmall)?
        .copy_from_slice(from);
    Ok(from.len())
}

#[cfg(not(feature = "alloc"))]
use crate::in_place::{decode as decode_long, encode as encode_long};

#[cfg(feature = "alloc")]
use crate::radix::{decode as decode_long, encode as encode_long};
