//! Strings of events, as Borsh has them: a length of four bytes, and UTF-8.

use core::fmt;

use borsh::BorshDeserialize;
use borsh::io::{self, ErrorKind, Read};

/// Bytes of a string that are read at once: more are only made room for when these were there.
const TEXT_STEP: usize = 1 << 10;

/// A Borsh string of any length, without NUL characters: no SQL text can hold one, so U+FFFD stands for each.
///
/// Borsh's own `String` takes a megabyte of memory for a length that promises one, before a byte of it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(String);

impl Text {
    /// The string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl BorshDeserialize for Text {
    fn deserialize_reader<R: Read>(reader: &mut R) -> io::Result<Self> {
        let length = u32::deserialize_reader(reader)?;
        let mut missing = usize::try_from(length).unwrap_or(usize::MAX);
        let mut bytes = Vec::new();
        while missing > 0 {
            let mut step = [0; TEXT_STEP];
            let step = step.get_mut(..missing.min(TEXT_STEP)).unwrap_or_default();
            reader.read_exact(step)?;
            bytes.extend_from_slice(step);
            missing -= step.len();
        }
        let text = String::from_utf8(bytes)
            .map_err(|_| io::Error::new(ErrorKind::InvalidData, "string that is not UTF-8"))?;
        Ok(Self(match text.contains('\0') {
            true => text.replace('\0', "\u{fffd}"),
            false => text,
        }))
    }
}

/// A Borsh string of at most `MAX` bytes, held in place: a longer one is taken for something that is no string, and so
/// is one with a NUL character, which no SQL text can hold: names of instructions have none.
#[derive(Clone, PartialEq, Eq)]
pub struct ShortString<const MAX: usize> {
    bytes: [u8; MAX],
    length: usize,
}

impl<const MAX: usize> ShortString<MAX> {
    /// The string.
    pub fn as_str(&self) -> &str {
        let text = self
            .bytes
            .get(..self.length)
            .and_then(|text| str::from_utf8(text).ok());
        // It was UTF-8 when it was read.
        text.unwrap_or_default()
    }
}

impl<const MAX: usize> fmt::Debug for ShortString<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl<const MAX: usize> BorshDeserialize for ShortString<MAX> {
    fn deserialize_reader<R: Read>(reader: &mut R) -> io::Result<Self> {
        let invalid = |what| io::Error::new(ErrorKind::InvalidData, what);
        let length = u32::deserialize_reader(reader)?;
        let mut bytes = [0; MAX];
        let length =
            usize::try_from(length).map_err(|_| invalid("string longer than its limit"))?;
        let text = bytes
            .get_mut(..length)
            .ok_or_else(|| invalid("string longer than its limit"))?;
        reader.read_exact(text)?;
        str::from_utf8(text).map_err(|_| invalid("string that is not UTF-8"))?;
        if text.contains(&0) {
            return Err(invalid("string with a NUL character"));
        }
        Ok(Self { bytes, length })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_string_has_a_limit_and_is_utf8() {
        let read = |bytes: &[u8]| {
            ShortString::<3>::try_from_slice(bytes)
                .map(|s| s.as_str().to_owned())
                .ok()
        };
        assert_eq!(read(b"\x03\0\0\0buy").as_deref(), Some("buy"));
        assert_eq!(read(b"\0\0\0\0").as_deref(), Some(""));
        assert_eq!(read(b"\x04\0\0\0sell"), None);
        assert_eq!(read(b"\x03\0\0\0bu"), None);
        assert_eq!(read(b"\x02\0\0\0\xff\xfe"), None);
        assert_eq!(read(b"\xff\xff\xff\xff"), None);
        assert_eq!(read(b"\x03\0\0\0b\0y"), None);
    }
}
