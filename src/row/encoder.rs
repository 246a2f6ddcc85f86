//! A row, encoded field by field.
//!
//! Trades are encoded by generated code, which is fastest. All other rows are a handful a block, and for them generated
//! code would take a third of the wasm.

use std::mem;
use std::ops::Deref;

use buffa::encoding::{Tag, WireType, encode_varint};
use buffa::types::put_len_delimited_header;

use super::keys::{Base58, KeyForm};
use crate::event::fields::{Fields, Value};

/// Encodes a row whose fields come in the order of their numbers, from 1, without a gap.
pub(super) struct RowEncoder {
    bytes: Vec<u8>,
    /// Number of the next field.
    next: u32,
    /// The key in hand, as text.
    key: <Base58 as KeyForm>::Written,
}

impl Default for RowEncoder {
    fn default() -> Self {
        Self {
            bytes: Vec::with_capacity(1 << 10),
            next: 1,
            key: Default::default(),
        }
    }
}

/// The row's bytes.
impl Deref for RowEncoder {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl RowEncoder {
    /// The next field, text or bytes without presence: left out where there are none.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.write_bytes(bytes);
        }
        self.next += 1;
    }

    /// The next field, a number without presence: left out where it is 0.
    pub(super) fn number(&mut self, number: u64) {
        self.required("", Value::Unsigned(number));
    }

    /// The next field, a `google.protobuf.Timestamp`: left out where there is none.
    pub(super) fn time(&mut self, seconds: Option<i64>) {
        if let Some(seconds) = seconds {
            let mut time = Vec::new();
            if seconds != 0 {
                Tag::new(1, WireType::Varint).encode(&mut time);
                encode_varint(seconds as u64, &mut time);
            }
            self.write_bytes(&time);
        }
        self.next += 1;
    }

    fn write(&mut self, value: Value<'_>) {
        match value {
            Value::Text(text) => self.write_bytes(text.as_bytes()),
            Value::Key(key) => {
                let mut text = mem::take(&mut self.key);
                Base58::write(Some(key), &mut text);
                self.write_bytes(&text);
                self.key = text;
            }
            Value::Unsigned(number) => self.write_varint(number),
            // Two's complement, as protobuf's int64 is.
            Value::Signed(number) => self.write_varint(number as u64),
            Value::Bool(truth) => self.write_varint(truth.into()),
        }
    }

    fn write_bytes(&mut self, bytes: &[u8]) {
        put_len_delimited_header(self.next, bytes.len() as u64, &mut self.bytes);
        self.bytes.extend_from_slice(bytes);
    }

    fn write_varint(&mut self, number: u64) {
        Tag::new(self.next, WireType::Varint).encode(&mut self.bytes);
        encode_varint(number, &mut self.bytes);
    }
}

impl Fields for RowEncoder {
    /// Without presence, so that the type's default is not written.
    fn required(&mut self, _name: &'static str, value: Value<'_>) {
        match value {
            Value::Text("") | Value::Unsigned(0) | Value::Signed(0) | Value::Bool(false) => {}
            value => self.write(value),
        }
        self.next += 1;
    }

    fn optional(&mut self, _name: &'static str, value: Option<Value<'_>>) {
        if let Some(value) = value {
            self.write(value);
        }
        self.next += 1;
    }
}
