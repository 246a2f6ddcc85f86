//! Where a block's rows are gathered, as bytes.

use buffa::types::put_len_delimited_header;
use buffa::{SizeCache, ViewEncode};

use super::Place;
use super::encoder::RowEncoder;
use super::keys::KeyForm;
use crate::event::fields::{Fields, Value};
use crate::event::{self, TradeEvent, Unreadable};

/// Field numbers of `Trades`, `RawTrades` and `Events`, which begin alike.
const TRADES: u32 = 1;
const SHAREHOLDERS: u32 = 2;
const RAW_EVENTS: u32 = 3;

/// The rows of a block, encoded one after the other: the bytes of the block's output message.
///
/// What a row borrows while it is encoded (its id, its keys as text) lies in buffers that are used again for the
/// next row.
#[derive(Default)]
pub struct RowWriter<F: KeyForm> {
    pub(super) sink: RowSink,
    pub(super) texts: Texts<F>,
    /// Slot and index of the transaction whose signature and fee payer are in `texts`.
    transaction: Option<(u64, u32)>,
}

impl<F: KeyForm> RowWriter<F> {
    /// Adds a trade and the shareholders that it names.
    // Once in the wasm for each form.
    #[inline(never)]
    pub fn push_trade(&mut self, place: &Place<'_>, event: &TradeEvent) {
        self.write_place(place);
        self.sink.push(TRADES, &self.texts.trade(place, event));
        let shareholders = event.v7.iter().flat_map(|v7| &v7.shareholders);
        for (position, shareholder) in (0..).zip(shareholders) {
            F::write(Some(&shareholder.address), &mut self.texts.address);
            let mut row = RowEncoder::default();
            row.bytes(self.texts.id.as_bytes());
            row.number(position);
            row.bytes(&self.texts.address);
            row.number(shareholder.share_bps.into());
            row.bytes(format!("{}-{position}", self.texts.id).as_bytes());
            row.number(place.slot);
            row.time(place.block_time);
            self.sink.push_encoded(SHAREHOLDERS, &row);
        }
    }

    /// Adds an event as its bytes, discriminator and payload: one that cannot be read, with the reason, or one that
    /// has no rows of its own.
    pub fn push_raw_event(&mut self, place: &Place<'_>, data: &[u8], reason: Option<&Unreadable>) {
        let name = match reason {
            // Whose event it is, is not known.
            Some(Unreadable::UnknownProgram(_)) => None,
            _ => data.first_chunk().and_then(event::name),
        };
        let (discriminator, payload) = data.split_at_checked(8).unwrap_or((data, &[]));
        let reason = reason.map(Unreadable::to_string).unwrap_or_default();
        let mut row = self.begin_row(place);
        row.bytes(substreams::Hex::encode(discriminator).as_bytes());
        row.bytes(substreams::Hex::encode(payload).as_bytes());
        row.bytes(reason.as_bytes());
        row.bytes(name.unwrap_or_default().as_bytes());
        self.sink.push_encoded(RAW_EVENTS, &row);
    }

    /// The bytes of the output message.
    pub fn into_bytes(self) -> Vec<u8> {
        self.sink.bytes
    }

    /// The fields that every row begins with, of one that is no trade.
    pub(super) fn begin_row(&mut self, place: &Place<'_>) -> RowEncoder {
        self.write_place(place);
        let texts = &self.texts;
        let mut row = RowEncoder::default();
        row.bytes(texts.id.as_bytes());
        row.number(place.slot);
        row.time(place.block_time);
        row.number(place.transaction_index.into());
        row.number(place.instruction_index.into());
        row.number(place.inner_instruction_index.into());
        let height = place
            .stack_height
            .map(|height| Value::Unsigned(height.into()));
        row.optional("stack_height", height);
        row.bytes(&texts.signature);
        row.bytes(&texts.fee_payer);
        row.bytes(&texts.outer_program);
        row.required("failed", Value::Bool(place.failed));
        row
    }

    /// Writes the texts that every row begins with.
    pub(super) fn write_place(&mut self, place: &Place<'_>) {
        let texts = &mut self.texts;
        let transaction = Some((place.slot, place.transaction_index));
        if self.transaction != transaction {
            F::write(place.signature, &mut texts.signature);
            F::write(place.fee_payer, &mut texts.fee_payer);
            self.transaction = transaction;
        }
        F::write(place.outer_program, &mut texts.outer_program);
        place.write_id(&mut texts.id);
    }
}

/// The texts that the row in hand borrows.
#[derive(Default)]
pub(super) struct Texts<F: KeyForm> {
    pub(super) id: String,
    pub(super) signature: F::Written,
    pub(super) fee_payer: F::Written,
    pub(super) outer_program: F::Written,
    pub(super) mint: F::Written,
    pub(super) user: F::Written,
    pub(super) fee_recipient: F::Written,
    pub(super) creator: F::Written,
    pub(super) quote_mint: F::Written,
    pub(super) address: F::Written,
}

/// Bytes that are allocated with the first row: those of some twenty trades, so of most blocks.
const FIRST_BYTES: usize = 16 << 10;

/// Takes rows into bytes.
#[derive(Default)]
pub(super) struct RowSink {
    bytes: Vec<u8>,
    sizes: SizeCache,
}

impl RowSink {
    /// Appends a row, as a view, to the output message's repeated field of this number.
    pub(super) fn push<'r>(&mut self, field: u32, row: &impl ViewEncode<'r>) {
        self.sizes.clear();
        let size = row.compute_size(&mut self.sizes);
        self.begin(field, size.into());
        row.write_to(&mut self.sizes, &mut self.bytes);
    }

    /// Appends a row that is encoded already.
    pub(super) fn push_encoded(&mut self, field: u32, row: &[u8]) {
        self.begin(field, row.len() as u64);
        self.bytes.extend_from_slice(row);
    }

    fn begin(&mut self, field: u32, size: u64) {
        if self.bytes.capacity() == 0 {
            self.bytes.reserve(FIRST_BYTES);
        }
        put_len_delimited_header(field, size, &mut self.bytes);
    }
}
