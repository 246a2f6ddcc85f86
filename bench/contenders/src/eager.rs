//! Contenders that decode the whole block before they look at it: prost, prost with `Bytes`, buffa's owned messages
//! and its views. Their types have the same fields under the same names, so one walk serves all four.

use buffa::DecodeOptions;
use prost::Message;
use prost::bytes::Bytes;
use pumpfun_trades::row::{Base58, Place, RowWriter};
use substreams_solana::pb::sf::solana::r#type::v1 as buffa_types;

use crate::{Error, hit, prost_bytes, prost_vec};

/// Walks a decoded block and gives its rows, encoded. `$option` is how the library turns an optional message into an
/// `Option` of a reference.
macro_rules! rows_of {
    ($block:expr, $option:ident) => {{
        let block = $block;
        let mut rows = RowWriter::<Base58>::default();
        crate::eager::for_each_event!(block, $option, |place, event, program| {
            hit::push(&mut rows, &place, event, program);
        });
        rows.into_bytes()
    }};
}

/// Runs the body for each event of Pump in a decoded block's successful transactions.
macro_rules! for_each_event {
    ($block:ident, $option:ident, |$place:ident, $event:ident, $program:ident| $body:block) => {
        let block_time = $block.block_time.$option().map(|time| time.timestamp);
        for (transaction_index, confirmed) in (0_u32..).zip($block.transactions.iter()) {
            let Some(meta) = confirmed.meta.$option() else {
                continue;
            };
            if meta.err.$option().is_some() {
                continue;
            }
            for (group_index, group) in meta.inner_instructions.iter().enumerate() {
                for (position, instruction) in (0_u32..).zip(group.instructions.iter()) {
                    let Some($event) = hit::event_in(&instruction.data[..]) else {
                        continue;
                    };
                    // Only now, with an event in hand, is anything else of the transaction looked at.
                    let transaction = confirmed.transaction.$option();
                    let Some(message) = transaction.and_then(|t| t.message.$option()) else {
                        continue;
                    };
                    let lists = [
                        &message.account_keys[..],
                        &meta.loaded_writable_addresses[..],
                        &meta.loaded_readonly_addresses[..],
                    ];
                    let index = instruction.program_id_index;
                    let accounts = lists.iter().map(|list| list.len()).sum();
                    let owner = hit::account(index, lists);
                    let Some($program) = hit::check_program(owner, index, accounts) else {
                        continue;
                    };
                    let outer_program = usize::try_from(group.index)
                        .ok()
                        .and_then(|outer| message.instructions.get(outer))
                        .and_then(|outer| hit::account(outer.program_id_index, lists));
                    // Where several groups belong to one outer instruction, they count on.
                    let before = meta.inner_instructions.iter().take(group_index);
                    let before = before.filter(|earlier| earlier.index == group.index);
                    let before: usize = before.map(|earlier| earlier.instructions.len()).sum();
                    let signature = transaction.and_then(|t| t.signatures.first());
                    let $place = Place {
                        slot: $block.slot,
                        block_time,
                        transaction_index,
                        instruction_index: group.index,
                        inner_instruction_index: u32::try_from(before)? + position,
                        stack_height: instruction.stack_height,
                        signature: signature.and_then(|s| s[..].try_into().ok()),
                        fee_payer: message.account_keys.first().and_then(|k| k[..].try_into().ok()),
                        outer_program: outer_program.and_then(|k| k.try_into().ok()),
                        failed: false,
                    };
                    $body
                    #[allow(unused_assignments, reason = "not every walk asks for it")]
                    {
                    }
                }
            }
        }
    };
}
pub(crate) use for_each_event;

/// prost 0.14, bytes fields as `Vec<u8>`: what prost gives without further settings.
///
/// # Errors
///
/// When the block is not valid protobuf.
pub fn prost(block: &Bytes) -> Result<Vec<u8>, Error> {
    Ok(rows_of!(prost_vec::Block::decode(&block[..])?, as_ref))
}

/// prost 0.14, bytes fields as `Bytes`, decoded from `Bytes`: they share the block's memory.
///
/// # Errors
///
/// When the block is not valid protobuf.
pub fn prost_with_bytes(block: &Bytes) -> Result<Vec<u8>, Error> {
    Ok(rows_of!(prost_bytes::Block::decode(block.clone())?, as_ref))
}

/// buffa's owned messages.
///
/// # Errors
///
/// When the block is not valid protobuf.
pub fn buffa_owned(block: &Bytes) -> Result<Vec<u8>, Error> {
    let block: buffa_types::Block = options().decode_from_slice(block)?;
    Ok(rows_of!(block, as_option))
}

/// buffa's eager views, which borrow texts and bytes from the block.
///
/// # Errors
///
/// When the block is not valid protobuf.
pub fn buffa_view(block: &Bytes) -> Result<Vec<u8>, Error> {
    let block: buffa_types::BlockView<'_> = options().decode_view(block)?;
    Ok(rows_of!(block, as_option))
}

/// Without buffa's limit on the memory of elements, which a large block reaches; prost has none.
pub(crate) fn options() -> DecodeOptions {
    DecodeOptions::new().with_element_memory_limit(usize::MAX)
}
