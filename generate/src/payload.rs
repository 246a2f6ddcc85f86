//! Little-endian Borsh writing, and base64 for the log of an event.
//!
//! Written here and not taken from the decoder's dependencies: the truth must not share code with
//! what it is held against.

use crate::keys::Key;

/// Bytes of a Borsh value under construction.
#[derive(Default)]
pub(crate) struct Payload(pub(crate) Vec<u8>);

impl Payload {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self(Vec::with_capacity(capacity))
    }

    pub(crate) fn bytes(&mut self, value: &[u8]) -> &mut Self {
        self.0.extend_from_slice(value);
        self
    }

    pub(crate) fn u8(&mut self, value: u8) -> &mut Self {
        self.bytes(&[value])
    }

    pub(crate) fn bool(&mut self, value: bool) -> &mut Self {
        self.u8(u8::from(value))
    }

    pub(crate) fn u16(&mut self, value: u16) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    pub(crate) fn u32(&mut self, value: u32) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    pub(crate) fn u64(&mut self, value: u64) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    pub(crate) fn u64s(&mut self, values: &[u64]) -> &mut Self {
        for value in values {
            self.u64(*value);
        }
        self
    }

    pub(crate) fn i64(&mut self, value: i64) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    pub(crate) fn keys(&mut self, values: &[&Key]) -> &mut Self {
        for value in values {
            self.bytes(*value);
        }
        self
    }

    /// A u32 length and that many bytes.
    pub(crate) fn string(&mut self, value: &str) -> &mut Self {
        self.u32(value.len() as u32).bytes(value.as_bytes())
    }
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends `bytes` as padded base64, the form of the runtime's `Program data:` log.
pub(crate) fn push_base64(text: &mut String, bytes: &[u8]) {
    text.reserve(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut group = [0u8; 3];
        group[..chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for position in 0..4usize {
            if position <= chunk.len() {
                let digit = (bits >> (18 - 6 * position)) & 63;
                text.push(char::from(BASE64[digit as usize]));
            } else {
                text.push('=');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::push_base64;

    #[test]
    fn base64_pads_as_the_runtime_does() {
        let cases: [(&[u8], &str); 4] = [
            (b"", ""),
            (b"\xaa\x00\x00\x00\x00\x00\x00\x00", "qgAAAAAAAAA="),
            (b"abc", "YWJj"),
            (b"a", "YQ=="),
        ];
        for (bytes, expected) in cases {
            let mut text = String::new();
            push_base64(&mut text, bytes);
            assert_eq!(text, expected);
        }
    }
}
