//! Parts of a transaction that follow from its account table alone: lamport balances, the lookups
//! that load accounts, the encoded error.

use substreams_solana::pb::sf::solana::r#type::v1::MessageAddressTableLookup;

use crate::call::Role;
use crate::keys::Key;
use crate::rng::Rng;

/// Lamports before and after: rent-exempt minimums of token accounts (2,039,280 and 2,074,080),
/// programs' 1 and 1,141,440, wallets of any size; only the fee is sure to move.
pub(crate) fn balances(rng: &mut Rng, roles: &[Role], fee: u64) -> (Vec<u64>, Vec<u64>) {
    let mut before = Vec::with_capacity(roles.len());
    let mut after = Vec::with_capacity(roles.len());
    for (index, role) in roles.iter().enumerate() {
        let lamports = match role {
            Role::SignerWritable | Role::SignerReadonly => 10_000_000 + rng.magnitude(12),
            Role::Writable | Role::LoadedWritable => match rng.below(4) {
                0 | 1 => 2_039_280,
                2 => 2_074_080,
                _ => rng.magnitude(13),
            },
            Role::Readonly | Role::LoadedReadonly => match rng.below(3) {
                0 => 1,
                1 => 1_141_440,
                _ => rng.magnitude(10),
            },
        };
        before.push(lamports);
        after.push(if index == 0 { lamports - fee } else { lamports });
    }
    (before, after)
}

/// The lookups that load so many accounts, spread over the tables.
pub(crate) fn lookups(
    rng: &mut Rng,
    tables: &[Key],
    writable: usize,
    readonly: usize,
) -> Vec<MessageAddressTableLookup> {
    if writable + readonly == 0 || tables.is_empty() {
        return Vec::new();
    }
    let share = |total: usize, position: usize| {
        total * (position + 1) / tables.len() - total * position / tables.len()
    };
    tables
        .iter()
        .enumerate()
        .map(|(position, table)| MessageAddressTableLookup {
            account_key: table.to_vec(),
            writable_indexes: rng.bytes(share(writable, position)),
            readonly_indexes: rng.bytes(share(readonly, position)),
        })
        .filter(|lookup| {
            !(lookup.writable_indexes.is_empty() && lookup.readonly_indexes.is_empty())
        })
        .collect()
}

/// bincode of `TransactionError::InstructionError(instruction, InstructionError::Custom(code))`.
pub(crate) fn encode_error(instruction: u8, code: u32) -> Vec<u8> {
    let mut bytes = vec![8, 0, 0, 0, instruction, 25, 0, 0, 0];
    bytes.extend_from_slice(&code.to_le_bytes());
    bytes
}
