//! Contenders that walk buffa's lazy views: what a lazy module does that opens every transaction.

use buffa::{DecodeError, LazyRepeatedView};
use prost::bytes::Bytes;
use pumpfun_trades::row::{Base58, Place, RowWriter};
use substreams_solana::pb::sf::solana::r#type::v1::{
    BlockLazyView, ConfirmedTransactionLazyView, InnerInstructionsLazyView, MessageLazyView,
    TransactionLazyView, TransactionStatusMetaLazyView,
};

use crate::{Error, eager, hit};

/// Opens the meta and the message of every transaction, then looks for events.
///
/// # Errors
///
/// When the block is not valid protobuf.
pub fn all_opened(block: &Bytes) -> Result<Vec<u8>, Error> {
    walk(block, true)
}

/// Opens the meta of every transaction, and its message only once an event is found in it: the least that can be opened
/// without searching undecoded bytes.
///
/// # Errors
///
/// When the block is not valid protobuf.
pub fn as_needed(block: &Bytes) -> Result<Vec<u8>, Error> {
    walk(block, false)
}

/// A transaction and its message, opened.
type Opened<'a> = (TransactionLazyView<'a>, MessageLazyView<'a>);

fn open<'a>(
    confirmed: &ConfirmedTransactionLazyView<'a>,
) -> Result<Option<Opened<'a>>, DecodeError> {
    let Some(transaction) = confirmed.transaction.get()? else {
        return Ok(None);
    };
    let message = transaction.message.get()?;
    Ok(message.map(|message| (transaction, message)))
}

#[inline(always)]
fn walk(block: &Bytes, open_all: bool) -> Result<Vec<u8>, Error> {
    let block: BlockLazyView<'_> = eager::options().decode_lazy_view(block)?;
    let block_time = block.block_time.get()?.map(|time| time.timestamp);
    let mut rows = RowWriter::<Base58>::default();
    for (index, confirmed) in (0_u32..).zip(block.transactions.iter()) {
        let confirmed = confirmed?;
        let mut opened = if open_all { open(&confirmed)? } else { None };
        let Some(meta) = confirmed.meta.get()? else {
            continue;
        };
        if !meta.err.fragments().is_empty() {
            continue;
        }
        let place = Place {
            slot: block.slot,
            block_time,
            transaction_index: index,
            instruction_index: 0,
            inner_instruction_index: 0,
            stack_height: None,
            signature: None,
            fee_payer: None,
            outer_program: None,
            failed: false,
        };
        visit(&confirmed, &mut opened, &meta, place, &mut rows)?;
    }
    Ok(rows.into_bytes())
}

/// Writes the rows of one transaction. `place` has what the block tells.
fn visit<'a>(
    confirmed: &ConfirmedTransactionLazyView<'a>,
    opened: &mut Option<Opened<'a>>,
    meta: &TransactionStatusMetaLazyView<'a>,
    place: Place<'_>,
    rows: &mut RowWriter<Base58>,
) -> Result<(), Error> {
    for (group_index, group) in meta.inner_instructions.iter().enumerate() {
        let group = group?;
        for (position, instruction) in (0_u32..).zip(group.instructions.iter()) {
            let instruction = instruction?;
            let Some(event) = hit::event_in(instruction.data) else {
                continue;
            };
            if opened.is_none() {
                *opened = open(confirmed)?;
            }
            let Some((transaction, message)) = &*opened else {
                continue;
            };
            let lists = [
                &message.account_keys[..],
                &meta.loaded_writable_addresses[..],
                &meta.loaded_readonly_addresses[..],
            ];
            let index = instruction.program_id_index;
            let accounts = lists.iter().map(|list| list.len()).sum();
            let Some(program) = hit::check_program(hit::account(index, lists), index, accounts)
            else {
                continue;
            };
            let outer = message.instructions.try_get(group.index as usize)?;
            let outer_program = outer.and_then(|o| hit::account(o.program_id_index, lists));
            let before = counted_before(&meta.inner_instructions, group_index, group.index)?;
            let place = Place {
                instruction_index: group.index,
                inner_instruction_index: u32::try_from(before)? + position,
                stack_height: instruction.stack_height,
                signature: transaction
                    .signatures
                    .first()
                    .and_then(|s| (*s).try_into().ok()),
                fee_payer: message
                    .account_keys
                    .first()
                    .and_then(|k| (*k).try_into().ok()),
                outer_program: outer_program.and_then(|k| k.try_into().ok()),
                ..place
            };
            hit::push(rows, &place, event, program);
        }
    }
    Ok(())
}

/// Inner instructions of earlier groups of the same outer instruction: those groups count on.
fn counted_before(
    groups: &LazyRepeatedView<'_, InnerInstructionsLazyView<'_>>,
    group_index: usize,
    outer: u32,
) -> Result<usize, DecodeError> {
    let mut before = 0;
    for earlier in groups.iter().take(group_index) {
        let earlier = earlier?;
        if earlier.index == outer {
            before += earlier.instructions.len();
        }
    }
    Ok(before)
}
