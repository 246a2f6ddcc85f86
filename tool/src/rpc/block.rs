//! A block in JSON → `sf.solana.type.v1.Block`, with all that the JSON has.

use anyhow::{Context, Result, anyhow, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use buffa::Message as _;
use serde_json::Value;
use solana_transaction_error::TransactionError as SolanaError;
use substreams_solana::pb::sf::solana::r#type::v1 as pb;

use super::answer::{
    UiBlock, UiInnerInstructions, UiInstruction, UiMessage, UiMeta, UiReturnData, UiReward,
    UiTokenBalance, UiTransaction, UiTransactionWithMeta,
};
use super::transaction;

/// Encodes a block of JSON.
///
/// # Errors
///
/// When a key, a hash or bytes in it are none: with the transaction's index.
pub(super) fn encode(block: UiBlock, slot: u64) -> Result<Vec<u8>> {
    let transactions = block
        .transactions
        .context("the block has no transactions: ask with transactionDetails full")?;
    let transactions = transactions
        .into_iter()
        .enumerate()
        .map(|(index, transaction)| {
            confirmed(transaction).with_context(|| format!("slot {slot}: transaction {index}"))
        });
    let block = pb::Block {
        previous_blockhash: block.previous_blockhash,
        blockhash: block.blockhash,
        parent_slot: block.parent_slot,
        transactions: transactions.collect::<Result<_>>()?,
        rewards: rewards(block.rewards),
        block_time: block
            .block_time
            .map(|timestamp| pb::UnixTimestamp { timestamp })
            .into(),
        block_height: block
            .block_height
            .map(|block_height| pb::BlockHeight { block_height })
            .into(),
        slot,
    };
    Ok(block.encode_to_vec())
}

fn confirmed(transaction: UiTransactionWithMeta) -> Result<pb::ConfirmedTransaction> {
    let version = transaction.version.as_u64().map(|version| version as u32);
    let decoded = match transaction.transaction {
        UiTransaction::Encoded(text, encoding) => transaction::decode(&encoded(&text, &encoding)?)?,
        UiTransaction::Json(raw) => pb::Transaction {
            signatures: raw
                .signatures
                .iter()
                .map(|text| {
                    let signature = base58::decode_64(text);
                    signature
                        .map(Vec::from)
                        .map_err(|error| anyhow!("{text:.100?}: {error}"))
                })
                .collect::<Result<_>>()
                .context("signatures")?,
            message: message(raw.message, version).context("message")?.into(),
        },
    };
    Ok(pb::ConfirmedTransaction {
        transaction: decoded.into(),
        meta: transaction
            .meta
            .map(meta)
            .transpose()
            .context("meta")?
            .into(),
    })
}

fn message(message: UiMessage, version: Option<u32>) -> Result<pb::Message> {
    let instructions = message.instructions.into_iter().map(|instruction| {
        Ok(pb::CompiledInstruction {
            program_id_index: instruction.program_id_index,
            data: base58(&instruction.data)?,
            accounts: instruction.accounts,
        })
    });
    let lookups = message.address_table_lookups.unwrap_or_default();
    let lookups = lookups.into_iter().map(|lookup| {
        Ok(pb::MessageAddressTableLookup {
            account_key: base58(&lookup.account_key)?,
            writable_indexes: lookup.writable_indexes,
            readonly_indexes: lookup.readonly_indexes,
        })
    });
    Ok(pb::Message {
        header: pb::MessageHeader {
            num_required_signatures: message.header.num_required_signatures,
            num_readonly_signed_accounts: message.header.num_readonly_signed_accounts,
            num_readonly_unsigned_accounts: message.header.num_readonly_unsigned_accounts,
        }
        .into(),
        account_keys: keys(&message.account_keys)?,
        recent_blockhash: base58(&message.recent_blockhash)?,
        instructions: instructions.collect::<Result<_>>()?,
        versioned: version.is_some(),
        version,
        address_table_lookups: lookups.collect::<Result<_>>()?,
        ..Default::default()
    })
}

fn meta(meta: UiMeta) -> Result<pb::TransactionStatusMeta> {
    let loaded = meta.loaded_addresses;
    let (writable, readonly) = loaded.map_or_else(Default::default, |loaded| {
        (loaded.writable, loaded.readonly)
    });
    let inner = meta.inner_instructions.unwrap_or_default();
    Ok(pb::TransactionStatusMeta {
        err: failure(&meta.err)?.into(),
        fee: meta.fee,
        pre_balances: meta.pre_balances,
        post_balances: meta.post_balances,
        inner_instructions: inner
            .into_iter()
            .map(inner_instructions)
            .collect::<Result<_>>()?,
        log_messages: meta.log_messages.unwrap_or_default(),
        pre_token_balances: token_balances(meta.pre_token_balances),
        post_token_balances: token_balances(meta.post_token_balances),
        rewards: rewards(meta.rewards),
        loaded_writable_addresses: keys(&writable)?,
        loaded_readonly_addresses: keys(&readonly)?,
        return_data: meta.return_data.map(return_data).transpose()?.into(),
        compute_units_consumed: meta.compute_units_consumed,
        cost_units: meta.cost_units,
    })
}

/// Why a transaction failed; `None` if it did not. The bytes are bincode of Solana's TransactionError, as in the block
/// of a node; of an error that this version does not know, they are its JSON.
fn failure(error: &Value) -> Result<Option<pb::TransactionError>> {
    if error.is_null() {
        return Ok(None);
    }
    let known = serde_json::from_value::<SolanaError>(error.clone()).ok();
    let err = match known {
        Some(known) => bincode::serialize(&known)?,
        None => error.to_string().into_bytes(),
    };
    Ok(Some(pb::TransactionError { err }))
}

fn inner_instructions(inner: UiInnerInstructions) -> Result<pb::InnerInstructions> {
    let instructions = inner
        .instructions
        .into_iter()
        .map(|instruction: UiInstruction| {
            Ok(pb::InnerInstruction {
                program_id_index: instruction.program_id_index,
                data: base58(&instruction.data)?,
                accounts: instruction.accounts,
                stack_height: instruction.stack_height,
            })
        });
    Ok(pb::InnerInstructions {
        index: inner.index,
        instructions: instructions.collect::<Result<_>>()?,
    })
}

fn token_balances(balances: Option<Vec<UiTokenBalance>>) -> Vec<pb::TokenBalance> {
    let balances = balances
        .unwrap_or_default()
        .into_iter()
        .map(|balance| pb::TokenBalance {
            account_index: balance.account_index,
            mint: balance.mint,
            ui_token_amount: pb::UiTokenAmount {
                ui_amount: balance.ui_token_amount.ui_amount.unwrap_or_default(),
                decimals: balance.ui_token_amount.decimals,
                amount: balance.ui_token_amount.amount,
                ui_amount_string: balance.ui_token_amount.ui_amount_string,
            }
            .into(),
            owner: balance.owner.unwrap_or_default(),
            program_id: balance.program_id.unwrap_or_default(),
        });
    balances.collect()
}

fn rewards(rewards: Option<Vec<UiReward>>) -> Vec<pb::Reward> {
    let rewards = rewards
        .unwrap_or_default()
        .into_iter()
        .map(|reward| pb::Reward {
            pubkey: reward.pubkey,
            lamports: reward.lamports,
            post_balance: reward.post_balance,
            reward_type: match reward.reward_type.as_deref() {
                Some("Fee") => pb::RewardType::Fee,
                Some("Rent") => pb::RewardType::Rent,
                Some("Staking") => pb::RewardType::Staking,
                Some("Voting") => pb::RewardType::Voting,
                _ => pb::RewardType::Unspecified,
            }
            .into(),
            commission: reward
                .commission
                .map(|commission| commission.to_string())
                .unwrap_or_default(),
        });
    rewards.collect()
}

fn return_data(data: UiReturnData) -> Result<pb::ReturnData> {
    Ok(pb::ReturnData {
        program_id: base58(&data.program_id)?,
        data: encoded(&data.data.0, &data.data.1)?,
    })
}

fn keys(texts: &[String]) -> Result<Vec<Vec<u8>>> {
    let key = |text: &String| {
        let key = base58::decode_32(text);
        key.map(Vec::from)
            .map_err(|error| anyhow!("{text:.100?}: {error}"))
    };
    texts.iter().map(key).collect()
}

fn base58(text: &str) -> Result<Vec<u8>> {
    base58::decode(text).map_err(|error| anyhow!("{text:.100?}: {error}"))
}

fn encoded(text: &str, encoding: &str) -> Result<Vec<u8>> {
    match encoding {
        "base64" => STANDARD.decode(text).context("no base64"),
        "base58" => base58(text),
        other => bail!("bytes in the encoding {other:.20?}: ask for base64 or json"),
    }
}
