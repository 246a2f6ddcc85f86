//! Where an event stands: what every row begins with.

use crate::program::Pubkey;

/// Where an event stands.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Slot of the block.
    pub slot: u64,
    /// Time of the block, Unix seconds.
    pub block_time: Option<i64>,
    /// Index of the transaction in the block, votes and failed ones counted.
    pub transaction_index: u32,
    /// Index of the outer instruction.
    pub instruction_index: u32,
    /// Index among the inner instructions of that outer one.
    pub inner_instruction_index: u32,
    /// Call depth, where the chain tells it.
    pub stack_height: Option<u32>,
    /// First signature of the transaction.
    pub signature: Option<&'a [u8; 64]>,
    /// First account of the transaction.
    pub fee_payer: Option<&'a Pubkey>,
    /// Program of the outer instruction.
    pub outer_program: Option<&'a Pubkey>,
    /// Whether the transaction failed.
    pub failed: bool,
}

impl Place<'_> {
    /// Writes the primary key in place of what `id` held: slot, transaction, outer and inner instruction, all decimal.
    pub(super) fn write_id(&self, id: &mut String) {
        let mut digits = itoa::Buffer::new();
        id.clear();
        id.push_str(digits.format(self.slot));
        for index in [
            self.transaction_index,
            self.instruction_index,
            self.inner_instruction_index,
        ] {
            id.push('-');
            id.push_str(digits.format(index));
        }
    }
}
