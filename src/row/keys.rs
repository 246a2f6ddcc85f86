//! How keys leave the module: as base58 text or as bytes. The only place where base58 happens.

use std::ops::Deref;

/// A form that keys are written in.
pub trait KeyForm: Default {
    /// What holds a written key. One is used again and again, so that its memory is allocated once.
    type Written: Default + Deref;

    /// Writes a public key or a signature in place of what was written before; nothing where there is none.
    fn write<const N: usize>(key: Option<&[u8; N]>, written: &mut Self::Written);
}

/// Keys as base58 text: 32 to 44 characters for a public key, 64 to 88 for a signature.
#[derive(Default)]
pub struct Base58;

impl KeyForm for Base58 {
    type Written = String;

    #[inline]
    fn write<const N: usize>(key: Option<&[u8; N]>, written: &mut String) {
        written.clear();
        if let Some(key) = key {
            base58::encode_to_string(key, written);
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
