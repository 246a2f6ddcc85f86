//! Results in a `String` or a `Vec`. Needs `alloc`.

use crate::any_length::{decode_into, encode_into, max_encoded_len};
use crate::encode_fixed::{MAX_LEN_32, MAX_LEN_64, encode_32, encode_64};
use crate::error::DecodeError;
use alloc::{string::String, vec, vec::Vec};

/// Appends the Base58 text of `input` to `out`.
#[inline]
pub fn encode_to_string(input: &[u8], out: &mut String) {
    if let Ok(input) = <&[u8; 32]>::try_from(input) {
        let mut text = [0; MAX_LEN_32];
        let len = encode_32(input, &mut text);
        append(&text, len, out);
    } else if let Ok(input) = <&[u8; 64]>::try_from(input) {
        let mut text = [0; MAX_LEN_64];
        let len = encode_64(input, &mut text);
        append(&text, len, out);
    } else {
        encode_long_to_string(input, out);
    }
}

/// Appends the first `len` characters of a whole buffer: a copy of constant length, cut off after.
#[inline(always)]
fn append<const N: usize>(text: &[u8; N], len: usize, out: &mut String) {
    let end = out.len() + len;
    // SAFETY: `out` gets only what the encoder wrote into `text`, or the zeros that `text` was
    // made with: all of that is ASCII, so the string stays valid UTF-8.
    let bytes = unsafe { out.as_mut_vec() };
    bytes.extend_from_slice(text);
    bytes.truncate(end);
}

#[inline(never)]
fn encode_long_to_string(input: &[u8], out: &mut String) {
    let mut text = vec![0; max_encoded_len(input.len())];
    let len = encode_into(input, &mut text).unwrap_or(0);
    // The text is ASCII, so neither default is ever taken.
    out.push_str(core::str::from_utf8(text.get(..len).unwrap_or_default()).unwrap_or_default());
}

/// The Base58 text of `input`.
#[must_use]
pub fn encode(input: &[u8]) -> String {
    let mut out = String::with_capacity(max_encoded_len(input.len()));
    encode_to_string(input, &mut out);
    out
}

/// The bytes that `text` stands for.
///
/// # Errors
///
/// [`DecodeError::InvalidByte`] for a byte outside of the alphabet.
pub fn decode(text: impl AsRef<[u8]>) -> Result<Vec<u8>, DecodeError> {
    let text = text.as_ref();
    let mut out = vec![0; text.len()];
    let len = decode_into(text, &mut out)?;
    out.truncate(len);
    Ok(out)
}
