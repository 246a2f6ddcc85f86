//! The five codecs behind one trait, so that all of them run in the same loop.
//!
//! Each writes into whatever it writes into and hands a slice of that on: nothing is copied for the trait's sake. What
//! it refuses comes out as nothing, which the comparison with bs58 counts as a difference.

/// A base58 codec for 32 and 64 bytes.
pub(crate) trait Codec {
    /// Encodes a public key.
    fn encode_32(key: &[u8; 32], text: impl FnOnce(&[u8]));
    /// Encodes a signature.
    fn encode_64(signature: &[u8; 64], text: impl FnOnce(&[u8]));
    /// Decodes a public key.
    fn decode_32(text: &str, key: impl FnOnce(&[u8]));
    /// Decodes a signature.
    fn decode_64(text: &str, signature: impl FnOnce(&[u8]));
}

/// The first `length` bytes, or nothing.
#[inline(always)]
fn first(bytes: &[u8], length: usize) -> &[u8] {
    bytes.get(..length).unwrap_or_default()
}

/// Our own crate.
pub(crate) enum Ours {}

impl Codec for Ours {
    #[inline(always)]
    fn encode_32(key: &[u8; 32], text: impl FnOnce(&[u8])) {
        let mut out = [0; base58::MAX_LEN_32];
        let length = base58::encode_32(key, &mut out);
        text(first(&out, length));
    }

    #[inline(always)]
    fn encode_64(signature: &[u8; 64], text: impl FnOnce(&[u8])) {
        let mut out = [0; base58::MAX_LEN_64];
        let length = base58::encode_64(signature, &mut out);
        text(first(&out, length));
    }

    #[inline(always)]
    fn decode_32(text: &str, key: impl FnOnce(&[u8])) {
        let bytes = base58::decode_32(text);
        key(bytes.as_ref().map_or(&[], |bytes| &bytes[..]));
    }

    #[inline(always)]
    fn decode_64(text: &str, signature: impl FnOnce(&[u8])) {
        let bytes = base58::decode_64(text);
        signature(bytes.as_ref().map_or(&[], |bytes| &bytes[..]));
    }
}

/// What everybody uses.
pub(crate) enum Bs58 {}

impl Codec for Bs58 {
    #[inline(always)]
    fn encode_32(key: &[u8; 32], text: impl FnOnce(&[u8])) {
        let mut out = [0; 44];
        let length = bs58::encode(key).onto(&mut out[..]).unwrap_or_default();
        text(first(&out, length));
    }

    #[inline(always)]
    fn encode_64(signature: &[u8; 64], text: impl FnOnce(&[u8])) {
        let mut out = [0; 88];
        let length = bs58::encode(signature)
            .onto(&mut out[..])
            .unwrap_or_default();
        text(first(&out, length));
    }

    #[inline(always)]
    fn decode_32(text: &str, key: impl FnOnce(&[u8])) {
        let mut out = [0; 32];
        let length = bs58::decode(text).onto(&mut out).unwrap_or_default();
        key(first(&out, length));
    }

    #[inline(always)]
    fn decode_64(text: &str, signature: impl FnOnce(&[u8])) {
        let mut out = [0; 64];
        let length = bs58::decode(text).onto(&mut out).unwrap_or_default();
        signature(first(&out, length));
    }
}

/// Firedancer's method, ported.
pub(crate) enum Five8 {}

impl Codec for Five8 {
    #[inline(always)]
    fn encode_32(key: &[u8; 32], text: impl FnOnce(&[u8])) {
        let mut out = [0; 44];
        let length = five8::encode_32(key, &mut out);
        text(first(&out, length.into()));
    }

    #[inline(always)]
    fn encode_64(signature: &[u8; 64], text: impl FnOnce(&[u8])) {
        let mut out = [0; 88];
        let length = five8::encode_64(signature, &mut out);
        text(first(&out, length.into()));
    }

    #[inline(always)]
    fn decode_32(text: &str, key: impl FnOnce(&[u8])) {
        let mut out = [0; 32];
        let done = five8::decode_32(text, &mut out);
        key(if done.is_ok() { &out } else { &[] });
    }

    #[inline(always)]
    fn decode_64(text: &str, signature: impl FnOnce(&[u8])) {
        let mut out = [0; 64];
        let done = five8::decode_64(text, &mut out);
        signature(if done.is_ok() { &out } else { &[] });
    }
}

/// base58-turbo, whose buffers have to be somewhat larger than the result.
pub(crate) enum Turbo {}

impl Codec for Turbo {
    #[inline(always)]
    fn encode_32(key: &[u8; 32], text: impl FnOnce(&[u8])) {
        let mut out = [0; 48];
        let length = base58_turbo::BITCOIN
            .encode_into(key, &mut out)
            .unwrap_or_default();
        text(first(&out, length));
    }

    #[inline(always)]
    fn encode_64(signature: &[u8; 64], text: impl FnOnce(&[u8])) {
        let mut out = [0; 96];
        let length = base58_turbo::BITCOIN
            .encode_into(signature, &mut out)
            .unwrap_or_default();
        text(first(&out, length));
    }

    #[inline(always)]
    fn decode_32(text: &str, key: impl FnOnce(&[u8])) {
        let mut out = [0; 64];
        let length = base58_turbo::BITCOIN
            .decode_into(text, &mut out)
            .unwrap_or_default();
        key(first(&out, length));
    }

    #[inline(always)]
    fn decode_64(text: &str, signature: impl FnOnce(&[u8])) {
        let mut out = [0; 96];
        let length = base58_turbo::BITCOIN
            .decode_into(text, &mut out)
            .unwrap_or_default();
        signature(first(&out, length));
    }
}

/// Firedancer's method, another port; its texts are `String`s.
pub(crate) enum FdBs58 {}

impl Codec for FdBs58 {
    #[inline(always)]
    fn encode_32(key: &[u8; 32], text: impl FnOnce(&[u8])) {
        text(fd_bs58::encode_32(key).as_bytes());
    }

    #[inline(always)]
    fn encode_64(signature: &[u8; 64], text: impl FnOnce(&[u8])) {
        text(fd_bs58::encode_64(signature).as_bytes());
    }

    #[inline(always)]
    fn decode_32(text: &str, key: impl FnOnce(&[u8])) {
        let bytes = fd_bs58::decode_32(text);
        key(bytes.as_ref().map_or(&[], |bytes| &bytes[..]));
    }

    #[inline(always)]
    fn decode_64(text: &str, signature: impl FnOnce(&[u8])) {
        let bytes = fd_bs58::decode_64(text);
        signature(bytes.as_ref().map_or(&[], |bytes| &bytes[..]));
    }
}
