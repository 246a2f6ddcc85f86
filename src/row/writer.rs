//! Where a block's rows are gathered, as bytes.

use buffa::types::put_len_delimited_header;
use buffa::{SizeCache, ViewEncode};

use super::Place;
use super::keys::KeyForm;

/// The rows of a block, encoded one after the other: the bytes of the block's output message.
///
/// What a row borrows while it is encoded (its id, its keys as text) lies in buffers that are used again for the
/// next row.
#[derive(Default)]
pub struct RowWriter<F: KeyForm> {
    bytes: Vec<u8>,
    sizes: SizeCache,
    /// Whether signature and fee payer are those of the current transaction.
    transaction_written: bool,
    pub(super) texts: Texts<F>,
}

/// The texts of the row in hand.
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
}

impl<F: KeyForm> RowWriter<F> {
    /// Says that the next row is of another transaction: what rows of one share is then written anew.
    pub fn begin_transaction(&mut self) {
        self.transaction_written = false;
    }

    /// The bytes of the output message.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes the texts that every row begins with.
    pub(super) fn write_place(&mut self, place: &Place<'_>) {
        let texts = &mut self.texts;
        if !self.transaction_written {
            F::write(place.signature, &mut texts.signature);
            F::write(place.fee_payer, &mut texts.fee_payer);
            self.transaction_written = true;
        }
        F::write(place.outer_program, &mut texts.outer_program);
        write_id(place, &mut texts.id);
    }

    /// Takes bytes and texts apart, so that a row can borrow the texts while it goes into the bytes.
    pub(super) fn parts(&mut self) -> (RowSink<'_>, &mut Texts<F>) {
        (
            RowSink {
                bytes: &mut self.bytes,
                sizes: &mut self.sizes,
            },
            &mut self.texts,
        )
    }
}

/// Takes rows into the bytes.
pub(super) struct RowSink<'w> {
    bytes: &'w mut Vec<u8>,
    sizes: &'w mut SizeCache,
}

impl RowSink<'_> {
    /// Appends a row to the repeated field of this number.
    pub(super) fn push<'r>(&mut self, field: u32, row: &impl ViewEncode<'r>) {
        self.sizes.clear();
        let size = row.compute_size(self.sizes);
        put_len_delimited_header(field, size.into(), self.bytes);
        row.write_to(self.sizes, self.bytes);
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
