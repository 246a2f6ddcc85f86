//! Builds one confirmed transaction out of accounts and calls.
//!
//! The runtime sorts a transaction's accounts by what they may do and refers to them by index; a
//! scenario should not have to think of that. It names keys and calls in the order they run, and
//! here they become the account table, the outer and inner instructions, the balances and the log.

use substreams_solana::pb::sf::solana::r#type::v1::{
    CompiledInstruction, ConfirmedTransaction, InnerInstruction, InnerInstructions, Message,
    MessageHeader, ReturnData, TokenBalance, Transaction, TransactionError, TransactionStatusMeta,
};

use crate::call::{Account, BlockContext, Call, Failure, Role};
use crate::keys::{Key, Program};
use crate::logs;
use crate::meta;
use crate::rng::Rng;

/// A transaction under construction.
pub(crate) struct TransactionBuilder {
    accounts: Vec<(Key, Role)>,
    pub(crate) calls: Vec<Call>,
    /// `account_index` holds the builder's number until the transaction is built.
    pub(crate) token_balances_before: Vec<TokenBalance>,
    pub(crate) token_balances_after: Vec<TokenBalance>,
    pub(crate) failure: Option<Failure>,
    /// Bytes after which the runtime cuts the log (10,000 on mainnet).
    pub(crate) log_limit: usize,
    pub(crate) return_data: Option<ReturnData>,
    lookup_tables: Vec<Key>,
}

/// A built transaction and what its events' places need.
pub(crate) struct Built {
    pub(crate) transaction: ConfirmedTransaction,
    pub(crate) signature: [u8; 64],
    pub(crate) fee_payer: Key,
    /// The place of each call.
    pub(crate) places: Vec<CallPlace>,
}

/// Where a call stands in the built transaction.
#[derive(Clone, Copy)]
pub(crate) struct CallPlace {
    pub(crate) instruction_index: u32,
    /// `None` for an outer instruction.
    pub(crate) inner_instruction_index: Option<u32>,
    pub(crate) outer_program: Key,
}

impl TransactionBuilder {
    /// A transaction that `fee_payer` signs and pays; loaded accounts will come from `lookup_tables`.
    pub(crate) fn new(fee_payer: Key, lookup_tables: &[Key]) -> Self {
        Self {
            accounts: vec![(fee_payer, Role::SignerWritable)],
            calls: Vec::new(),
            token_balances_before: Vec::new(),
            token_balances_after: Vec::new(),
            failure: None,
            log_limit: 10_000,
            return_data: None,
            lookup_tables: lookup_tables.to_vec(),
        }
    }

    /// Lists `key`; a key already listed keeps the role it has.
    pub(crate) fn account(&mut self, key: &Key, role: Role) -> Account {
        let known = self.accounts.iter().position(|(other, _)| other == key);
        known.unwrap_or_else(|| {
            self.accounts.push((*key, role));
            self.accounts.len() - 1
        }) as Account
    }

    /// Lists several keys in one role.
    pub(crate) fn accounts(&mut self, keys: &[&Key], role: Role) -> Vec<Account> {
        keys.iter().map(|key| self.account(key, role)).collect()
    }

    /// Appends a call and returns its number.
    pub(crate) fn call(
        &mut self,
        height: u32,
        program: &'static Program,
        accounts: Vec<Account>,
        data: Vec<u8>,
        says: &'static str,
    ) -> usize {
        let program_account = self.account(&program.key, Role::Readonly);
        self.calls.push(Call {
            program,
            program_account,
            accounts,
            data,
            height,
            says,
            line_before: None,
            returns: None,
        });
        self.calls.len() - 1
    }

    /// Builds the transaction.
    pub(crate) fn build(self, rng: &mut Rng, block: &BlockContext) -> Built {
        let mut order: Vec<usize> = (0..self.accounts.len()).collect();
        order.sort_by_key(|number| self.accounts[*number].1);
        let mut index_of = vec![0u8; order.len()];
        for (index, number) in order.iter().enumerate() {
            index_of[*number] = index as u8;
        }
        let keys_of = |roles: &[Role]| -> Vec<Vec<u8>> {
            order
                .iter()
                .map(|number| &self.accounts[*number])
                .filter(|(_, role)| roles.contains(role))
                .map(|(key, _)| key.to_vec())
                .collect()
        };
        let count = |roles: &[Role]| {
            let listed = self
                .accounts
                .iter()
                .filter(|(_, role)| roles.contains(role));
            listed.count() as u32
        };
        let signatures = count(&[Role::SignerWritable, Role::SignerReadonly]);
        let loaded_writable_addresses = keys_of(&[Role::LoadedWritable]);
        let loaded_readonly_addresses = keys_of(&[Role::LoadedReadonly]);
        let lookups = meta::lookups(
            rng,
            &self.lookup_tables,
            loaded_writable_addresses.len(),
            loaded_readonly_addresses.len(),
        );

        let (instructions, inner_instructions, places) = self.instructions(&index_of, block);
        let signature: [u8; 64] = rng.array();
        let mut signature_list = vec![signature.to_vec()];
        signature_list.extend((1..signatures).map(|_| rng.bytes(64)));

        let log = logs::write(rng, &self.calls, self.failure.as_ref(), self.log_limit);
        let fee = 5_000 * u64::from(signatures) + rng.magnitude(6);
        let roles: Vec<Role> = order
            .iter()
            .map(|number| self.accounts[*number].1)
            .collect();
        let (pre_balances, post_balances) = meta::balances(rng, &roles, fee);
        let failed_instruction = instructions.len().saturating_sub(1) as u8;
        let err = self.failure.as_ref().map(|failure| TransactionError {
            err: meta::encode_error(failed_instruction, failure.code),
        });
        let token_balances = |mut balances: Vec<TokenBalance>| {
            for balance in &mut balances {
                balance.account_index = u32::from(index_of[balance.account_index as usize]);
            }
            balances
        };
        let message = Message {
            header: MessageHeader {
                num_required_signatures: signatures,
                num_readonly_signed_accounts: count(&[Role::SignerReadonly]),
                num_readonly_unsigned_accounts: count(&[Role::Readonly]),
            }
            .into(),
            account_keys: keys_of(&[
                Role::SignerWritable,
                Role::SignerReadonly,
                Role::Writable,
                Role::Readonly,
            ]),
            recent_blockhash: block.recent_blockhash.to_vec(),
            instructions,
            versioned: !lookups.is_empty(),
            address_table_lookups: lookups,
            ..Default::default()
        };
        let meta = TransactionStatusMeta {
            err: err.into(),
            fee,
            pre_balances,
            post_balances,
            inner_instructions,
            log_messages: log.lines,
            pre_token_balances: token_balances(self.token_balances_before),
            post_token_balances: token_balances(self.token_balances_after),
            loaded_writable_addresses,
            loaded_readonly_addresses,
            return_data: self.return_data.into(),
            compute_units_consumed: Some(log.consumed),
            cost_units: Some(log.consumed + rng.range(800, 8_000)),
            ..Default::default()
        };
        Built {
            transaction: ConfirmedTransaction {
                transaction: Transaction {
                    signatures: signature_list,
                    message: message.into(),
                }
                .into(),
                meta: meta.into(),
            },
            signature,
            fee_payer: self.accounts[0].0,
            places,
        }
    }

    /// Outer instructions, inner instructions, and the place of each call among them.
    fn instructions(
        &self,
        index_of: &[u8],
        block: &BlockContext,
    ) -> (
        Vec<CompiledInstruction>,
        Vec<InnerInstructions>,
        Vec<CallPlace>,
    ) {
        let mut outer: Vec<CompiledInstruction> = Vec::new();
        let mut inner: Vec<InnerInstructions> = Vec::new();
        let mut places: Vec<CallPlace> = Vec::with_capacity(self.calls.len());
        let mut outer_program = Key::default();
        for call in &self.calls {
            let program_id_index = u32::from(index_of[usize::from(call.program_account)]);
            let accounts = call
                .accounts
                .iter()
                .map(|number| index_of[usize::from(*number)]);
            if call.height == 1 {
                outer_program = call.program.key;
                places.push(CallPlace {
                    instruction_index: outer.len() as u32,
                    inner_instruction_index: None,
                    outer_program,
                });
                outer.push(CompiledInstruction {
                    program_id_index,
                    accounts: accounts.collect(),
                    data: call.data.clone(),
                });
                continue;
            }
            let index = (outer.len() as u32).saturating_sub(1);
            if inner.last().is_none_or(|group| group.index != index) {
                inner.push(InnerInstructions {
                    index,
                    ..Default::default()
                });
            }
            if let Some(group) = inner.last_mut() {
                let place = group.instructions.len() as u32;
                places.push(CallPlace {
                    instruction_index: index,
                    inner_instruction_index: Some(place),
                    outer_program,
                });
                group.instructions.push(InnerInstruction {
                    program_id_index,
                    accounts: accounts.collect(),
                    data: call.data.clone(),
                    stack_height: block.stack_heights.then_some(call.height),
                });
            }
        }
        (outer, inner, places)
    }
}
