//! Where a block's rows are gathered, as bytes.

use buffa::types::put_len_delimited_header;
use buffa::{MessageFieldView, SizeCache, ViewEncode};
use buffa_types::google::protobuf::__buffa::view::TimestampView;

use super::keys::KeyForm;
use super::{Place, RowForm};
use crate::event::{TradeEvent, Unreadable};

/// The rows of a block, encoded one after the other: the bytes of the block's output message.
///
/// What a row borrows while it is encoded (its id, its keys as text) lies in buffers that are used again for the
/// next row.
#[derive(Default)]
pub struct RowWriter<F: KeyForm> {
    sink: RowSink,
    texts: Texts<F>,
    /// Whether signature and fee payer in `texts` are those of the transaction in hand.
    transaction_written: bool,
}

impl<F: RowForm> RowWriter<F> {
    /// Says that the next row is of another transaction: what rows of one share is then written anew.
    pub fn begin_transaction(&mut self) {
        self.transaction_written = false;
    }

    /// Adds a trade and the shareholders that it names.
    pub fn push_trade(&mut self, place: &Place<'_>, event: &TradeEvent) {
        self.write_place(place);
        F::push_trade(&mut self.sink, &mut self.texts, place, event);
    }

    /// Adds an event, discriminator and payload, that cannot be read.
    pub fn push_raw_event(&mut self, place: &Place<'_>, event: &[u8], reason: &Unreadable) {
        self.write_place(place);
        F::push_raw_event(&mut self.sink, &mut self.texts, place, event, reason);
    }

    /// The bytes of the output message.
    pub fn into_bytes(self) -> Vec<u8> {
        self.sink.bytes
    }

    /// Writes the texts that every row begins with.
    fn write_place(&mut self, place: &Place<'_>) {
        let texts = &mut self.texts;
        if !self.transaction_written {
            F::write(place.signature, &mut texts.signature);
            F::write(place.fee_payer, &mut texts.fee_payer);
            self.transaction_written = true;
        }
        F::write(place.outer_program, &mut texts.outer_program);
        write_id(place, &mut texts.id);
    }
}

/// The texts that the row in hand borrows.
#[derive(Default)]
pub struct Texts<F: KeyForm> {
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

/// Takes rows, as views, into bytes.
#[derive(Default)]
pub struct RowSink {
    bytes: Vec<u8>,
    sizes: SizeCache,
}

impl RowSink {
    /// Appends a row to the output message's repeated field of this number.
    pub(super) fn push<'r>(&mut self, field: u32, row: &impl ViewEncode<'r>) {
        if self.bytes.capacity() == 0 {
            self.bytes.reserve(FIRST_BYTES);
        }
        self.sizes.clear();
        let size = row.compute_size(&mut self.sizes);
        put_len_delimited_header(field, size.into(), &mut self.bytes);
        row.write_to(&mut self.sizes, &mut self.bytes);
    }
}

/// The primary key: slot, transaction, outer and inner instruction, all decimal.
fn write_id(place: &Place<'_>, id: &mut String) {
    let mut digits = itoa::Buffer::new();
    id.clear();
    id.push_str(digits.format(place.slot));
    for index in [
        place.transaction_index,
        place.instruction_index,
        place.inner_instruction_index,
    ] {
        id.push('-');
        id.push_str(digits.format(index));
    }
}

/// The block's time as rows have it.
pub(super) fn timestamp(place: &Place<'_>) -> MessageFieldView<TimestampView<'static>> {
    match place.block_time {
        Some(seconds) => MessageFieldView::set(TimestampView {
            seconds,
            ..Default::default()
        }),
        None => MessageFieldView::unset(),
    }
}
