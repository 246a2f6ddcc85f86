//! Vote transactions: two thirds of a block's transactions, a fifth of its bytes.
//!
//! Each is about 540 bytes: one signature, three keys, one instruction `TowerSync` of 148 bytes with
//! a full tower of 31 lockouts. (Measured on mainnet blocks of 2025 and 2026.)

use substreams_solana::pb::sf::solana::r#type::v1::{
    CompiledInstruction, ConfirmedTransaction, Message, MessageHeader, Transaction,
    TransactionStatusMeta,
};

use crate::keys::VOTE;
use crate::logs;
use crate::payload::Payload;
use crate::rng::Rng;
use crate::world::World;

/// Lockouts of a full tower.
const LOCKOUTS: u8 = 31;
/// bincode variant of `VoteInstruction::TowerSync`.
const TOWER_SYNC: u32 = 14;

/// A vote for `slot`, seen at `block_time`.
pub(crate) fn transaction(
    rng: &mut Rng,
    world: &World,
    recent_blockhash: &[u8; 32],
    slot: u64,
    block_time: i64,
) -> ConfirmedTransaction {
    let validator = rng.pick(&world.validators);
    // About one validator in fifty lets another key than its identity pay.
    let separate_payer = rng.below(50) == 0;
    let mut account_keys = vec![validator.identity.to_vec()];
    if separate_payer {
        account_keys.push(rng.pick(&world.accounts).to_vec());
    }
    let signers = account_keys.len() as u8;
    account_keys.extend([validator.vote_account.to_vec(), VOTE.key.to_vec()]);
    let fee = 5_000 * u64::from(signers);
    let mut pre_balances = vec![rng.magnitude(12) + fee, 27_074_400, 1];
    if separate_payer {
        pre_balances.insert(1, 0);
    }
    let mut post_balances = pre_balances.clone();
    post_balances[0] -= fee;

    let message = Message {
        header: MessageHeader {
            num_required_signatures: u32::from(signers),
            num_readonly_signed_accounts: u32::from(signers - 1),
            num_readonly_unsigned_accounts: 1,
        }
        .into(),
        account_keys,
        recent_blockhash: recent_blockhash.to_vec(),
        instructions: vec![CompiledInstruction {
            program_id_index: u32::from(signers) + 1,
            accounts: vec![signers, signers - 1],
            data: tower_sync(rng, slot, block_time),
        }],
        ..Default::default()
    };
    ConfirmedTransaction {
        transaction: Transaction {
            signatures: (0..signers).map(|_| rng.bytes(64)).collect(),
            message: message.into(),
        }
        .into(),
        meta: TransactionStatusMeta {
            fee,
            pre_balances,
            post_balances,
            log_messages: vec![
                logs::invoke(&VOTE, 1),
                ["Program ", VOTE.text, " success"].concat(),
            ],
            compute_units_consumed: Some(2_100),
            cost_units: Some(3_428),
            ..Default::default()
        }
        .into(),
    }
}

fn tower_sync(rng: &mut Rng, slot: u64, block_time: i64) -> Vec<u8> {
    let mut data = Payload::with_capacity(148);
    data.u32(TOWER_SYNC)
        .u64(slot - 1 - u64::from(LOCKOUTS))
        .u8(LOCKOUTS);
    for confirmations in (1..=LOCKOUTS).rev() {
        data.u8(1).u8(confirmations);
    }
    data.bytes(&rng.array::<32>())
        .u8(1)
        .i64(block_time)
        .bytes(&rng.array::<32>());
    data.0
}
