//! How keys leave the module: as base58 text or as bytes. The only place where base58 happens.

use std::ops::Deref;

/// A form that keys are written in.
pub trait KeyForm: Default {
    /// A written key: `str` or bytes.
    type Key: ?Sized;
    /// What holds a written key. One is used again and again, so that its memory is allocated once.
    type Written: Default + Deref<Target = Self::Key>;

    /// Writes a key or signature of any length in place of what was written before.
    fn write(key: &[u8], written: &mut Self::Written);
}

/// Keys as base58 text: 32 to 44 characters for 32 bytes, 64 to 88 for 64 bytes, nothing for nothing.
#[derive(Default)]
pub struct Base58;

impl KeyForm for Base58 {
    type Key = str;
    type Written = String;

    #[inline]
    fn write(key: &[u8], written: &mut String) {
        written.clear();
        base58::encode_to_string(key, written);
    }
}

/// Keys as their bytes.
#[derive(Default)]
pub struct RawBytes;

impl KeyForm for RawBytes {
    type Key = [u8];
    type Written = Vec<u8>;

    #[inline]
    fn write(key: &[u8], written: &mut Vec<u8>) {
        written.clear();
        written.extend_from_slice(key);
    }
}
