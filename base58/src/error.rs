//! What can go wrong: a buffer that is too small, and text that is not the wanted Base58.

use core::fmt;

/// The caller's buffer does not hold the whole Base58 text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferTooSmall;

impl fmt::Display for BufferTooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the buffer is too small for the Base58 text")
    }
}

impl core::error::Error for BufferTooSmall {}

/// Why a text was not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// The byte at `position` (counted in bytes from 0) is no character of the alphabet. It is
    /// the first such byte. This error goes before the ones about lengths.
    InvalidByte {
        /// Where the byte is, in bytes from the start of the text.
        position: usize,
        /// The byte itself; part of a longer character if it is above 127.
        byte: u8,
    },
    /// The text stands for fewer bytes than the fixed length.
    TooShort {
        /// The fixed length: 32 or 64.
        expected: usize,
    },
    /// The text stands for more bytes than the fixed length, or than the caller's buffer holds.
    TooLong {
        /// The fixed length, or the length of the caller's buffer.
        capacity: usize,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidByte { position, byte } => {
                write!(f, "byte {byte:#04x} at position {position} is not Base58")
            }
            Self::TooShort { expected } => {
                write!(f, "the Base58 text stands for fewer than {expected} bytes")
            }
            Self::TooLong { capacity } => {
                write!(f, "the Base58 text stands for more than {capacity} bytes")
            }
        }
    }
}

impl core::error::Error for DecodeError {}
