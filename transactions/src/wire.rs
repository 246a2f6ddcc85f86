//! The protobuf wire format, field by field over borrowed bytes: what the lazy walk through a transaction stands on.
//!
//! A transaction is read by asking each message for a few of its fields and passing over the rest by their lengths,
//! without a view of every field, and so without a list of them in memory. Fields that repeat are given each time
//! in the order of the bytes, which also is how protobuf merges a message that comes in several parts. The pieces
//! (tags, varints, skipping, errors) are buffa's.

use buffa::DecodeError;
use buffa::encoding::{Tag, WireType, skip_field};
use buffa::types::{borrow_bytes, decode_uint64};

/// The value of a field, undecoded.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// A number, as it stands on the wire.
    Varint(u64),
    /// A string, bytes or a message.
    Bytes(&'a [u8]),
    /// A fixed-width number or a group: no field that is read here.
    Other(WireType),
}

impl<'a> Value<'a> {
    /// A string, bytes or message.
    ///
    /// # Errors
    ///
    /// When `field` has another wire type.
    pub fn bytes(self, field: u32) -> Result<&'a [u8], DecodeError> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            other => Err(other.mismatch(field, WireType::LengthDelimited)),
        }
    }

    /// A `uint64`, or the bits of an `int64`, a `bool` or an enum.
    ///
    /// # Errors
    ///
    /// When `field` has another wire type.
    pub fn uint64(self, field: u32) -> Result<u64, DecodeError> {
        match self {
            Self::Varint(value) => Ok(value),
            other => Err(other.mismatch(field, WireType::Varint)),
        }
    }

    /// A `uint32`; of a larger varint the low 32 bits, as protobuf has it.
    ///
    /// # Errors
    ///
    /// When `field` has another wire type.
    pub fn uint32(self, field: u32) -> Result<u32, DecodeError> {
        match self {
            Self::Varint(value) => Ok(value as u32),
            other => Err(other.mismatch(field, WireType::Varint)),
        }
    }

    #[cold]
    fn mismatch(self, field_number: u32, expected: WireType) -> DecodeError {
        let actual = match self {
            Self::Varint(_) => WireType::Varint,
            Self::Bytes(_) => WireType::LengthDelimited,
            Self::Other(wire_type) => wire_type,
        };
        DecodeError::WireTypeMismatch {
            field_number,
            expected: expected as u8,
            actual: actual as u8,
        }
    }
}

/// Calls `visit` with each field of a message, number and value, in the order of the bytes.
///
/// # Errors
///
/// When the bytes are no message, after the fields before the fault; or the first error of `visit`.
#[inline(always)]
pub fn for_each_field<'a>(
    message: &'a [u8],
    mut visit: impl FnMut(u32, Value<'a>) -> Result<(), DecodeError>,
) -> Result<(), DecodeError> {
    let mut rest = message;
    while !rest.is_empty() {
        // Nearly every field is a string, bytes or a message, with a tag of one byte and a length of one or two.
        // Field number 0 is an error, told below.
        if let [tag @ 8..0x80, behind @ ..] = rest
            && tag & 7 == WireType::LengthDelimited as u8
            && let Some((bytes, behind)) = split_short(behind)
        {
            rest = behind;
            visit(u32::from(tag >> 3), Value::Bytes(bytes))?;
            continue;
        }
        let tag = Tag::decode(&mut rest)?;
        let value = match tag.wire_type() {
            WireType::LengthDelimited => Value::Bytes(borrow_bytes(&mut rest)?),
            WireType::Varint => Value::Varint(decode_uint64(&mut rest)?),
            other => {
                skip_field(tag, &mut rest)?;
                Value::Other(other)
            }
        };
        visit(tag.field_number(), value)?;
    }
    Ok(())
}

/// The last value of one field, the one that counts in protobuf; `None` where the message does not have it.
///
/// # Errors
///
/// When the bytes are no message.
// Once in the wasm: for messages of a field or two, where speed is no matter.
#[inline(never)]
pub fn field(message: &[u8], number: u32) -> Result<Option<Value<'_>>, DecodeError> {
    let mut last = None;
    for_each_field(message, |field, value| {
        if field == number {
            last = Some(value);
        }
        Ok(())
    })?;
    Ok(last)
}

/// Seconds of a `google.protobuf.Timestamp`.
///
/// # Errors
///
/// When the bytes are none.
pub fn timestamp_seconds(time: &[u8]) -> Result<i64, DecodeError> {
    match field(time, 1)? {
        // An int64 is its two's complement.
        Some(seconds) => Ok(seconds.uint64(1)? as i64),
        None => Ok(0),
    }
}

/// Splits off the bytes whose length comes first, if that is a varint of one or two bytes and they are all there.
#[inline(always)]
fn split_short(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    match rest {
        [length @ 0..0x80, behind @ ..] => behind.split_at_checked(usize::from(*length)),
        [low, high @ 0..0x80, behind @ ..] => {
            behind.split_at_checked(usize::from(low & 0x7f) | usize::from(*high) << 7)
        }
        _ => None,
    }
}
