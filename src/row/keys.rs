//! How keys leave the module: as base58 text or as bytes.

/// A key or signature as base58 text, of 32 to 44 or 64 to 88 characters; an absent one as empty text.
pub(super) fn base58(bytes: &[u8]) -> String {
    bs58::encode(bytes).into_string()
}

/// A key or signature as its bytes.
pub(super) fn raw(bytes: &[u8]) -> Vec<u8> {
    bytes.to_vec()
}

/// Bytes as lower-case hex text.
pub(super) fn hex(bytes: &[u8]) -> String {
    substreams::Hex::encode(bytes)
}
