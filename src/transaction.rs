//! Transaction that hits → event sites: opens a transaction and finds where Pump emitted an event in it.
//!
//! An event of Anchor's `emit_cpi!` is an **inner instruction** whose program is Pump and whose data begins with
//! [`EVENT_TAG`]. Neither logs are read (they repeat the events, and can be cut) nor the instructions that
//! emit them (ten are known, and new ones appear). The program is always checked: other programs use the same
//! tag and discriminators. That a caller forged the event cannot be: Pump runs such an instruction only when its
//! own event authority, an address that no other program can sign for, signs it, and fails the transaction else.
//!
//! What is read of `sf.solana.type.v1.ConfirmedTransaction`, by field numbers; all else is passed over:
//!
//! ```text
//! 1 transaction ── 1 signatures (the first)
//!                  2 message ── 2 account_keys, 4 instructions ── 1 program_id_index (of those that emit)
//! 2 meta ── 1 err (whether it is there), 12 and 13 loaded addresses
//!           5 inner_instructions ── 1 index
//!                                   2 instructions ── 1 program_id_index, 3 data, 4 stack_height
//! ```

use std::collections::BTreeMap;
use std::ops::Range;

use buffa::DecodeError;

use crate::program::{EVENT_TAG, PUMP_PROGRAM, Pubkey};
use crate::wire::for_each_field;

/// Which transactions are asked for, by their outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcomes {
    /// Those that succeeded: what happened.
    Successful,
    /// Those that failed; what their events tell was rolled back.
    Failed,
    /// Both.
    All,
}

impl Outcomes {
    /// Whether a transaction of this outcome is asked for.
    fn include(self, failed: bool) -> bool {
        match self {
            Self::Successful => !failed,
            Self::Failed => failed,
            Self::All => true,
        }
    }
}

/// An opened transaction: what the rows of its events have in common, and the way to its events.
///
/// One value is opened again for each transaction of a block, so that its lists are allocated once.
#[derive(Default)]
pub struct Transaction<'a> {
    failed: bool,
    /// As the block has it, of any length; empty where there is none.
    signature: &'a [u8],
    accounts: AccountTable<'a>,
    /// Outer instructions, undecoded.
    instructions: Vec<&'a [u8]>,
    /// Inner instructions of all groups, undecoded.
    inner_instructions: Vec<&'a [u8]>,
    groups: Vec<Group>,
    /// Inner instructions of each outer one, counted only where groups do not ascend.
    counts: Option<BTreeMap<u32, u32>>,
}

/// What one outer instruction called: a part of the transaction's inner instructions.
struct Group {
    /// The outer instruction.
    instruction_index: u32,
    /// Inner index of the first.
    first: u32,
    /// Where they lie in the transaction's list.
    inner_instructions: Range<usize>,
}

/// An event and its place in the transaction.
#[derive(Clone, Debug)]
pub struct EventSite<'a> {
    /// Index of the outer instruction, from 0.
    pub instruction_index: u32,
    /// Index among the inner instructions of that outer one, from 0.
    pub inner_instruction_index: u32,
    /// Call depth, 2 and more; absent in old blocks.
    pub stack_height: Option<u32>,
    /// Program of the outer instruction; `None` where the block does not hold it as a key of 32 bytes.
    pub outer_program: Option<&'a Pubkey>,
    /// The event: 8-byte discriminator and Borsh payload, without the tag.
    pub data: &'a [u8],
    /// Set where the instruction's program cannot be told, so neither whose event it is.
    pub unknown_program: Option<UnknownProgram>,
}

/// An instruction's program that is not in the transaction's account table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownProgram {
    /// The instruction's index into the table.
    pub index: u32,
    /// Accounts in the table.
    pub accounts: usize,
}

impl<'a> Transaction<'a> {
    /// Opens a transaction, `sf.solana.type.v1.ConfirmedTransaction`, in place of the one before. Says `false`, and
    /// reads no further, if its outcome is not asked for, or untold: one without meta says nothing about its
    /// outcome and has no inner instructions.
    ///
    /// # Errors
    ///
    /// When what is read of it is not valid protobuf.
    pub fn open(&mut self, bytes: &'a [u8], outcomes: Outcomes) -> Result<bool, DecodeError> {
        self.clear();
        let mut has_meta = false;
        for_each_field(bytes, |field, value| {
            if field == 2 {
                has_meta = true;
                self.add_meta(value.bytes(field)?)?;
            }
            Ok(())
        })?;
        if !has_meta || !outcomes.include(self.failed) {
            return Ok(false);
        }
        let mut has_message = false;
        for_each_field(bytes, |field, value| match field {
            1 => self.add_transaction(value.bytes(field)?, &mut has_message),
            _ => Ok(()),
        })?;
        if !has_message {
            // Nothing says where the loaded addresses begin: no index means an account.
            self.accounts.clear();
        }
        Ok(true)
    }

    fn clear(&mut self) {
        self.failed = false;
        self.signature = &[];
        self.accounts.clear();
        self.instructions.clear();
        self.inner_instructions.clear();
        self.groups.clear();
        self.counts = None;
    }

    fn add_meta(&mut self, meta: &'a [u8]) -> Result<(), DecodeError> {
        for_each_field(meta, |field, value| {
            match field {
                1 => {
                    value.bytes(field)?;
                    self.failed = true;
                }
                5 => self.add_inner_instructions(value.bytes(field)?)?,
                12 => self.accounts.loaded_writable.push(value.bytes(field)?),
                13 => self.accounts.loaded_readonly.push(value.bytes(field)?),
                _ => {}
            }
            Ok(())
        })
    }

    fn add_inner_instructions(&mut self, group: &'a [u8]) -> Result<(), DecodeError> {
        let begin = self.inner_instructions.len();
        let mut instruction_index = 0;
        for_each_field(group, |field, value| {
            match field {
                1 => instruction_index = value.uint32(field)?,
                2 => self.inner_instructions.push(value.bytes(field)?),
                _ => {}
            }
            Ok(())
        })?;
        let inner_instructions = begin..self.inner_instructions.len();
        if inner_instructions.is_empty() {
            // Two bytes of a block; kept, they would be ten times as many.
            return Ok(());
        }
        let first = self.count_on(instruction_index, inner_instructions.len());
        self.groups.push(Group {
            instruction_index,
            first,
            inner_instructions,
        });
        Ok(())
    }

    /// Inner index of the first of `added` instructions that the outer instruction `outer` called.
    ///
    /// Groups ascend on chain, one for each outer instruction, so it is 0. Should a second group come for one, it
    /// counts on, so that no two events have one place.
    fn count_on(&mut self, outer: u32, added: usize) -> u32 {
        let ascends = self
            .groups
            .last()
            .is_none_or(|last| last.instruction_index < outer);
        if ascends && self.counts.is_none() {
            return 0;
        }
        let count = |added| u32::try_from(added).unwrap_or(u32::MAX);
        let counts = self.counts.get_or_insert_with(|| {
            // One by one: to collect a map sorts first, which would be the only sorting in the wasm.
            let mut counts = BTreeMap::new();
            for group in &self.groups {
                counts.insert(
                    group.instruction_index,
                    count(group.inner_instructions.len()),
                );
            }
            counts
        });
        let counted = counts.entry(outer).or_default();
        let first = *counted;
        *counted = counted.saturating_add(count(added));
        first
    }

    fn add_transaction(
        &mut self,
        transaction: &'a [u8],
        has_message: &mut bool,
    ) -> Result<(), DecodeError> {
        let mut has_signature = !self.signature.is_empty();
        for_each_field(transaction, |field, value| match field {
            1 => {
                let signature = value.bytes(field)?;
                if !has_signature {
                    has_signature = true;
                    self.signature = signature;
                }
                Ok(())
            }
            2 => {
                *has_message = true;
                self.add_message(value.bytes(field)?)
            }
            _ => Ok(()),
        })
    }

    fn add_message(&mut self, message: &'a [u8]) -> Result<(), DecodeError> {
        for_each_field(message, |field, value| {
            match field {
                2 => self.accounts.keys.push(value.bytes(field)?),
                4 => self.instructions.push(value.bytes(field)?),
                _ => {}
            }
            Ok(())
        })
    }

    /// Whether it failed.
    pub fn failed(&self) -> bool {
        self.failed
    }

    /// First signature; `None` where there is none, or one that is not 64 bytes long.
    pub fn signature(&self) -> Option<&'a [u8; 64]> {
        self.signature.try_into().ok()
    }

    /// First account key, who paid the fee; `None` where there is none, or one that is not 32 bytes long.
    pub fn fee_payer(&self) -> Option<&'a Pubkey> {
        self.accounts
            .keys
            .first()
            .and_then(|key| (*key).try_into().ok())
    }

    /// Calls `visit` with each event site, in the order of the chain.
    ///
    /// # Errors
    ///
    /// When an instruction is not valid protobuf; `visit` has then seen the events before it.
    pub fn visit_events(&self, mut visit: impl FnMut(&EventSite<'a>)) -> Result<(), DecodeError> {
        for group in &self.groups {
            let instructions = self
                .inner_instructions
                .get(group.inner_instructions.clone());
            let mut outer_program = None;
            for (bytes, offset) in instructions.unwrap_or_default().iter().zip(0_u32..) {
                let instruction = InnerInstruction::read(bytes)?;
                let Some((data, unknown_program)) = self.event_of(&instruction) else {
                    continue;
                };
                let outer_program = match outer_program {
                    Some(program) => program,
                    None => *outer_program.insert(self.outer_program(group.instruction_index)?),
                };
                visit(&EventSite {
                    instruction_index: group.instruction_index,
                    inner_instruction_index: group.first.saturating_add(offset),
                    stack_height: instruction.stack_height,
                    outer_program,
                    data,
                    unknown_program,
                });
            }
        }
        Ok(())
    }

    /// The event that an inner instruction carries: its bytes, and why it cannot be read if its program is not
    /// in the account table. `None` if it carries none, or another program's.
    fn event_of(
        &self,
        instruction: &InnerInstruction<'a>,
    ) -> Option<(&'a [u8], Option<UnknownProgram>)> {
        let data = instruction.data.strip_prefix(&EVENT_TAG)?;
        match self.accounts.get(instruction.program_id_index) {
            Some(program) => (program == PUMP_PROGRAM).then_some((data, None)),
            None => Some((
                data,
                Some(UnknownProgram {
                    index: instruction.program_id_index,
                    accounts: self.accounts.len(),
                }),
            )),
        }
    }

    /// Program of the outer instruction `index`; `None` where there is no such instruction or account.
    fn outer_program(&self, index: u32) -> Result<Option<&'a Pubkey>, DecodeError> {
        let Some(instruction) = usize::try_from(index)
            .ok()
            .and_then(|i| self.instructions.get(i))
        else {
            return Ok(None);
        };
        let mut program_id_index = 0;
        for_each_field(instruction, |field, value| {
            if field == 1 {
                program_id_index = value.uint32(field)?;
            }
            Ok(())
        })?;
        Ok(self
            .accounts
            .get(program_id_index)
            .and_then(|key| key.try_into().ok()))
    }
}

/// What is read of an inner instruction.
#[derive(Debug, Default, PartialEq)]
struct InnerInstruction<'a> {
    program_id_index: u32,
    data: &'a [u8],
    stack_height: Option<u32>,
}

impl<'a> InnerInstruction<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        match Self::read_usual(bytes) {
            Some(instruction) => Ok(instruction),
            None => Self::read_any(bytes),
        }
    }

    /// Reads whatever protobuf allows.
    fn read_any(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut instruction = Self::default();
        for_each_field(bytes, |field, value| {
            match field {
                1 => instruction.program_id_index = value.uint32(field)?,
                3 => instruction.data = value.bytes(field)?,
                4 => instruction.stack_height = Some(value.uint32(field)?),
                _ => {}
            }
            Ok(())
        })?;
        Ok(instruction)
    }

    /// Reads an instruction of the shape that nearly all have, and only that: each field once, in order, small.
    ///
    /// A transaction that names Pump has some fifty inner instructions, of which one or two are events: reading the
    /// others field by field took half of the time of the whole transaction.
    fn read_usual(bytes: &'a [u8]) -> Option<Self> {
        let ([0x08, program_id_index @ 0..0x80, 0x12, accounts @ 0..0x80], rest) =
            bytes.split_first_chunk()?
        else {
            return None;
        };
        let ([0x1a, length @ 0..0x80], rest) =
            rest.get(usize::from(*accounts)..)?.split_first_chunk()?
        else {
            return None;
        };
        let (data, rest) = rest.split_at_checked(usize::from(*length))?;
        let stack_height = match rest {
            [] => None,
            [0x20, height @ 0..0x80] => Some(u32::from(*height)),
            _ => return None,
        };
        Some(Self {
            program_id_index: u32::from(*program_id_index),
            data,
            stack_height,
        })
    }
}

/// The account table of a transaction: its own keys, then the loaded writable, then the loaded readonly ones.
#[derive(Default)]
struct AccountTable<'a> {
    keys: Vec<&'a [u8]>,
    loaded_writable: Vec<&'a [u8]>,
    loaded_readonly: Vec<&'a [u8]>,
}

impl<'a> AccountTable<'a> {
    fn get(&self, index: u32) -> Option<&'a [u8]> {
        let mut index = usize::try_from(index).ok()?;
        for part in [&self.keys, &self.loaded_writable, &self.loaded_readonly] {
            match part.get(index) {
                Some(key) => return Some(key),
                None => index = index.checked_sub(part.len())?,
            }
        }
        None
    }

    fn len(&self) -> usize {
        self.keys.len() + self.loaded_writable.len() + self.loaded_readonly.len()
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.loaded_writable.clear();
        self.loaded_readonly.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// What is read the short way is what is read the long way; and the short way is taken at all.
        #[test]
        fn the_usual_shape_is_read_as_any_shape(
            index in 0_u8..0x80,
            accounts in prop::collection::vec(any::<u8>(), 0..0x80),
            data in prop::collection::vec(any::<u8>(), 0..0x80),
            height in prop::option::of(0_u8..0x80),
            damage in prop::option::of((any::<prop::sample::Index>(), any::<u8>())),
        ) {
            let mut bytes = vec![0x08, index, 0x12, accounts.len() as u8];
            bytes.extend(accounts);
            bytes.extend([0x1a, data.len() as u8]);
            bytes.extend(data);
            bytes.extend(height.into_iter().flat_map(|height| [0x20, height]));
            let damaged = damage.is_some();
            if let Some((at, byte)) = damage {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            let usual = InnerInstruction::read_usual(&bytes);
            prop_assert!(usual.is_some() || damaged);
            if let Some(usual) = usual {
                prop_assert_eq!(Ok(usual), InnerInstruction::read_any(&bytes));
            }
        }
    }
}
