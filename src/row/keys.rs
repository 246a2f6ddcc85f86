//! How keys leave the module: as base58 text or as bytes. The only place where base58 happens.

use std::ops::Deref;

/// A form that keys are written in.
pub trait KeyForm: Default {
    /// What holds a written key, as the bytes that stand in a row: on the wire, text is its bytes. One is used again
    /// and again, so that its memory is allocated once.
    type Written: Default + Deref<Target = [u8]>;

    /// Writes a public key or a signature in place of what was written before; nothing where there is none.
    fn write<const N: usize>(key: Option<&[u8; N]>, written: &mut Self::Written);
}

/// Keys as base58 text: 32 to 44 characters for a public key, 64 to 88 for a signature.
#[derive(Default)]
pub struct Base58;

/// A key as text, and the key that it is the text of.
///
/// A column's keys repeat from row to row (the router, the fee's recipient, the quote's mint, the coin itself), and
/// comparing 32 bytes costs a tenth of writing them anew.
#[derive(Default)]
pub struct Base58Text {
    key: Vec<u8>,
    text: String,
}

impl Deref for Base58Text {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

impl KeyForm for Base58 {
    type Written = Base58Text;

    #[inline]
    fn write<const N: usize>(key: Option<&[u8; N]>, written: &mut Base58Text) {
        let Some(key) = key else {
            written.key.clear();
            return written.text.clear();
        };
        if *written.key != *key {
            written.text.clear();
            base58::encode_to_string(key, &mut written.text);
            written.key.clear();
            written.key.extend_from_slice(key);
        }
    }
}

/// Keys as their bytes.
#[derive(Default)]
pub struct RawBytes;

impl KeyForm for RawBytes {
    type Written = Vec<u8>;

    #[inline]
    fn write<const N: usize>(key: Option<&[u8; N]>, written: &mut Vec<u8>) {
        written.clear();
        written.extend_from_slice(key.map_or(&[], |key| key));
    }
}
