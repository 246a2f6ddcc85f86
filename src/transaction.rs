//! Transaction that hits → event sites: opens a transaction and finds where Pump emitted an event in it.
//!
//! An event of Anchor's `emit_cpi!` is an **inner instruction** whose program is Pump and whose data begins with
//! [`EVENT_TAG`]. Neither logs are read (they repeat the events, and can be cut) nor the instructions that
//! emit them (ten are known, and new ones appear). The program is always checked: other programs use the same
//! tag and discriminators. That a caller forged the event cannot be: Pump runs such an instruction only when its
//! own event authority, an address that no other program can sign for, signs it, and fails the transaction else.

use std::collections::BTreeMap;
use std::mem::take;

use buffa::{DecodeError, RepeatedView};

use crate::block::decode_options;
use crate::event::{self, Event, Unreadable};
use crate::pb::input::{
    CompiledInstructionLazyView, ConfirmedTransactionLazyView, InnerInstructionLazyView,
    TransactionStatusMetaLazyView,
};
use crate::program::{EVENT_TAG, PUMP_PROGRAM};

/// Which transactions are asked for, by their outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcomes {
    /// Those that succeeded: what happened.
    Successful,
    /// Failed ones too; what their events tell was rolled back.
    All,
}

/// An opened transaction: what the rows of its events have in common, and the way to its events.
pub struct Transaction<'a> {
    /// Whether it failed.
    pub failed: bool,
    /// First signature, 64 bytes; empty where there is none.
    pub signature: &'a [u8],
    accounts: AccountTable<'a>,
    instructions: buffa::LazyRepeatedView<'a, CompiledInstructionLazyView<'a>>,
    meta: TransactionStatusMetaLazyView<'a>,
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
    /// Program of the outer instruction, 32 bytes; empty where the block does not hold it.
    pub outer_program: &'a [u8],
    /// The event: 8-byte discriminator and Borsh payload, without the tag.
    pub data: &'a [u8],
    /// Set where the instruction's program cannot be told, so neither whose event it is.
    unknown_program: Option<Unreadable>,
}

impl EventSite<'_> {
    /// Reads the event.
    ///
    /// # Errors
    ///
    /// When it is unknown, cut or broken, or its program cannot be told.
    pub fn read(&self) -> Result<Event, Unreadable> {
        match &self.unknown_program {
            Some(reason) => Err(reason.clone()),
            None => event::read(self.data),
        }
    }
}

impl<'a> Transaction<'a> {
    /// Opens a transaction, `sf.solana.type.v1.ConfirmedTransaction`; `None` if its outcome is not asked for, or
    /// untold: one without meta says nothing about its outcome and has no inner instructions.
    ///
    /// # Errors
    ///
    /// When what is read of it is not valid protobuf.
    pub fn open(bytes: &'a [u8], outcomes: Outcomes) -> Result<Option<Self>, DecodeError> {
        let confirmed: ConfirmedTransactionLazyView<'a> =
            decode_options().decode_lazy_view(bytes)?;
        let Some(mut meta) = confirmed.meta.get()? else {
            return Ok(None);
        };
        let failed = meta.err.is_set();
        if failed && outcomes == Outcomes::Successful {
            return Ok(None);
        }
        let transaction = confirmed.transaction.get_or_default()?;
        let (accounts, instructions) = match transaction.message.get()? {
            Some(message) => {
                let accounts = AccountTable {
                    keys: message.account_keys,
                    loaded_writable: take(&mut meta.loaded_writable_addresses),
                    loaded_readonly: take(&mut meta.loaded_readonly_addresses),
                };
                (accounts, message.instructions)
            }
            // Without a message nothing says where the loaded addresses begin: the table is empty.
            None => Default::default(),
        };
        let signature = transaction.signatures.first().copied().unwrap_or_default();
        Ok(Some(Self {
            failed,
            signature,
            accounts,
            instructions,
            meta,
        }))
    }

    /// First account key, who paid the fee: 32 bytes, or empty where there is none.
    pub fn fee_payer(&self) -> &'a [u8] {
        self.accounts.keys.first().copied().unwrap_or_default()
    }

    /// Calls `visit` with each event site, in the order of the chain.
    ///
    /// # Errors
    ///
    /// When an instruction is not valid protobuf; `visit` has then seen the events before it.
    pub fn visit_events(&self, mut visit: impl FnMut(&EventSite<'a>)) -> Result<(), DecodeError> {
        // Two groups for one outer instruction are not seen on chain; should they come, they count on, so that
        // no two events have one place.
        let mut counted: BTreeMap<u32, u32> = BTreeMap::new();
        for group in self.meta.inner_instructions.iter() {
            let group = group?;
            let mut outer_program = None;
            let next_index = counted.entry(group.index).or_default();
            for instruction in group.instructions.iter() {
                let instruction = instruction?;
                let inner_instruction_index = *next_index;
                *next_index = next_index.saturating_add(1);
                let Some((data, unknown_program)) = self.event_of(&instruction) else {
                    continue;
                };
                let outer_program = match outer_program {
                    Some(program) => program,
                    None => *outer_program.insert(self.outer_program(group.index)?),
                };
                visit(&EventSite {
                    instruction_index: group.index,
                    inner_instruction_index,
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
        instruction: &InnerInstructionLazyView<'a>,
    ) -> Option<(&'a [u8], Option<Unreadable>)> {
        let data = instruction.data.strip_prefix(&EVENT_TAG)?;
        match self.accounts.get(instruction.program_id_index) {
            Some(program) => (program == PUMP_PROGRAM).then_some((data, None)),
            None => Some((
                data,
                Some(Unreadable::UnknownProgram {
                    index: instruction.program_id_index,
                    accounts: self.accounts.len(),
                }),
            )),
        }
    }

    /// Program of the outer instruction `index`; empty where there is no such instruction or account.
    fn outer_program(&self, index: u32) -> Result<&'a [u8], DecodeError> {
        let outer = match usize::try_from(index) {
            Ok(index) => self.instructions.try_get(index)?,
            Err(_) => None,
        };
        Ok(outer
            .and_then(|outer| self.accounts.get(outer.program_id_index))
            .unwrap_or_default())
    }
}

/// The account table of a transaction: its own keys, then the loaded writable, then the loaded readonly ones.
#[derive(Default)]
struct AccountTable<'a> {
    keys: RepeatedView<'a, &'a [u8]>,
    loaded_writable: RepeatedView<'a, &'a [u8]>,
    loaded_readonly: RepeatedView<'a, &'a [u8]>,
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
}
