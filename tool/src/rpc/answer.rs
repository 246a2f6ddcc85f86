//! The JSON of an answer to `getBlock`, in the encodings `json` and `base64`.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Value;

/// What an endpoint answers about a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Its block, an encoded `sf.solana.type.v1.Block`.
    Block(Vec<u8>),
    /// The slot was skipped, or its block is nowhere any more.
    Skipped,
    /// Not yet, or not now: ask again later.
    Later(String),
    /// The endpoint will never answer this question.
    Refused(String),
}

/// Codes of errors that say that there is no block: skipped, or skipped or missing from long-term storage.
const SKIPPED: [i64; 2] = [-32007, -32009];

/// Codes of errors that pass: not available yet, node behind or unhealthy, status not available yet, context slot not
/// reached, long-term storage out of reach, and the endpoint's own failures and limits.
const LATER: [i64; 8] = [-32004, -32005, -32014, -32016, -32019, -32603, -32429, 429];

#[derive(Deserialize)]
struct RpcError {
    code: i64,
    #[serde(default)]
    message: String,
}

/// A block in JSON.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UiBlock {
    pub(super) blockhash: String,
    pub(super) previous_blockhash: String,
    pub(super) parent_slot: u64,
    pub(super) block_time: Option<i64>,
    pub(super) block_height: Option<u64>,
    /// Some answers have it, though the method's description does not.
    pub(super) slot: Option<u64>,
    pub(super) transactions: Option<Vec<UiTransactionWithMeta>>,
    pub(super) rewards: Option<Vec<UiReward>>,
}

#[derive(Deserialize)]
pub(super) struct UiTransactionWithMeta {
    pub(super) transaction: UiTransaction,
    pub(super) meta: Option<UiMeta>,
    /// `legacy` or a number.
    #[serde(default)]
    pub(super) version: Value,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum UiTransaction {
    /// The bytes as text, and how that is to be read.
    Encoded(String, String),
    Json(UiRawTransaction),
}

#[derive(Deserialize)]
pub(super) struct UiRawTransaction {
    pub(super) signatures: Vec<String>,
    pub(super) message: UiMessage,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UiMessage {
    pub(super) header: UiHeader,
    pub(super) account_keys: Vec<String>,
    pub(super) recent_blockhash: String,
    pub(super) instructions: Vec<UiInstruction>,
    pub(super) address_table_lookups: Option<Vec<UiLookup>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UiHeader {
    pub(super) num_required_signatures: u32,
    pub(super) num_readonly_signed_accounts: u32,
    pub(super) num_readonly_unsigned_accounts: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UiInstruction {
    pub(super) program_id_index: u32,
    pub(super) accounts: Vec<u8>,
    pub(super) data: String,
    pub(super) stack_height: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UiLookup {
    pub(super) account_key: String,
    pub(super) writable_indexes: Vec<u8>,
    pub(super) readonly_indexes: Vec<u8>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UiMeta {
    /// Of many shapes; that it is there says that the transaction failed.
    #[serde(default)]
    pub(super) err: Value,
    pub(super) fee: u64,
    #[serde(default)]
    pub(super) pre_balances: Vec<u64>,
    #[serde(default)]
    pub(super) post_balances: Vec<u64>,
    pub(super) inner_instructions: Option<Vec<UiInnerInstructions>>,
    pub(super) log_messages: Option<Vec<String>>,
    pub(super) pre_token_balances: Option<Vec<UiTokenBalance>>,
    pub(super) post_token_balances: Option<Vec<UiTokenBalance>>,
    pub(super) rewards: Option<Vec<UiReward>>,
    pub(super) loaded_addresses: Option<UiLoadedAddresses>,
    pub(super) return_data: Option<UiReturnData>,
    pub(super) compute_units_consumed: Option<u64>,
    pub(super) cost_units: Option<u64>,
}

#[derive(Deserialize)]
pub(super) struct UiInnerInstructions {
    pub(super) index: u32,
    pub(super) instructions: Vec<UiInstruction>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UiTokenBalance {
    pub(super) account_index: u32,
    pub(super) mint: String,
    pub(super) ui_token_amount: UiTokenAmount,
    pub(super) owner: Option<String>,
    pub(super) program_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UiTokenAmount {
    pub(super) ui_amount: Option<f64>,
    pub(super) decimals: u32,
    pub(super) amount: String,
    #[serde(default)]
    pub(super) ui_amount_string: String,
}

#[derive(Deserialize)]
pub(super) struct UiLoadedAddresses {
    pub(super) writable: Vec<String>,
    pub(super) readonly: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UiReturnData {
    pub(super) program_id: String,
    /// The bytes as text, and how that is to be read.
    pub(super) data: (String, String),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UiReward {
    pub(super) pubkey: String,
    pub(super) lamports: i64,
    #[serde(default)]
    pub(super) post_balance: u64,
    pub(super) reward_type: Option<String>,
    pub(super) commission: Option<u8>,
}

/// Reads an answer, whole or its `result` alone, to the question for `slot`; without a slot the answer must have it. Of
/// who has asked, `id` is the question's.
///
/// # Errors
///
/// When it is no such answer, the block in it is broken or another's, or the endpoint refuses the question.
pub fn parse(json: &[u8], slot: Option<u64>, id: Option<u64>) -> Result<Answer> {
    let mut answer: Value = serde_json::from_slice(json)
        .context("no answer to getBlock, as it is not one JSON value")?;
    if let (Some(asked), Some(told)) = (id, answer.get("id"))
        && !told.is_null()
        && told.as_u64() != Some(asked)
    {
        bail!("the answer is to another question");
    }
    let error = answer.get_mut("error").map(Value::take);
    if let Some(error) = error.filter(|error| !error.is_null()) {
        let RpcError { code, message } =
            serde_json::from_value(error).context("no answer to getBlock")?;
        return match code {
            code if SKIPPED.contains(&code) => Ok(Answer::Skipped),
            code if LATER.contains(&code) => Ok(Answer::Later(format!("{message} ({code})"))),
            code => Ok(Answer::Refused(format!("{message} ({code})"))),
        };
    }
    // Files may hold the result alone.
    let result = match answer.get_mut("result") {
        // Not confirmed yet: to take it for skipped would leave a hole for ever.
        Some(Value::Null) => return Ok(Answer::Later("no block yet".to_owned())),
        Some(result) => result.take(),
        None => answer,
    };
    let block: UiBlock = serde_json::from_value(result).context("no answer to getBlock")?;
    let slot = match (block.slot, slot) {
        (Some(told), Some(asked)) if told != asked => {
            bail!("the block is that of slot {told}, not {asked}")
        }
        (Some(slot), _) | (None, Some(slot)) => slot,
        (None, None) => bail!(
            "the answer does not say its slot: let the file's name begin with it, as in 417750773.json"
        ),
    };
    if block.parent_slot >= slot {
        bail!(
            "the block's parent is at slot {}, so it is not that of slot {slot}",
            block.parent_slot
        );
    }
    Ok(Answer::Block(super::block::encode(block, slot)?))
}
