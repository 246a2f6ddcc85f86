//! A block as the RPC method getBlock answers it, in both encodings.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use substreams_solana::pb::sf::solana::r#type::v1::{
    Block, ConfirmedTransaction, InnerInstruction, Message, Transaction, TransactionStatusMeta,
};

/// The answer with its block, in the encoding `json` or `base64`. Balances, logs and rewards are left out.
pub fn answer(block: &Block, encoding: &str) -> Value {
    let transactions: Vec<_> = block
        .transactions
        .iter()
        .map(|transaction| with_meta(transaction, encoding))
        .collect();
    json!({"jsonrpc": "2.0", "id": block.slot, "result": {
        "blockhash": block.blockhash,
        "previousBlockhash": block.previous_blockhash,
        "parentSlot": block.parent_slot,
        "blockTime": block.block_time.as_option().map(|time| time.timestamp),
        "blockHeight": block.block_height.as_option().map(|height| height.block_height),
        "rewards": [],
        "transactions": transactions,
    }})
}

fn with_meta(confirmed: &ConfirmedTransaction, encoding: &str) -> Value {
    let transaction = confirmed
        .transaction
        .as_option()
        .cloned()
        .unwrap_or_default();
    let message = transaction.message.as_option().cloned().unwrap_or_default();
    let written = match encoding {
        "json" => json!({
            "signatures": texts(&transaction.signatures),
            "message": message_json(&message),
        }),
        "base64" => json!([STANDARD.encode(wire(&transaction, &message)), "base64"]),
        other => unreachable!("{other} is no encoding"),
    };
    let version = match message.versioned {
        true => json!(0),
        false => json!("legacy"),
    };
    let meta = confirmed.meta.as_option().map(meta_json);
    json!({"transaction": written, "version": version, "meta": meta})
}

fn message_json(message: &Message) -> Value {
    let header = message.header.as_option().cloned().unwrap_or_default();
    let instructions: Vec<_> = message
        .instructions
        .iter()
        .map(|outer| {
            json!({
                "programIdIndex": outer.program_id_index,
                "accounts": outer.accounts,
                "data": base58::encode(&outer.data),
                "stackHeight": null,
            })
        })
        .collect();
    let lookups: Vec<_> = message
        .address_table_lookups
        .iter()
        .map(|lookup| {
            json!({
                "accountKey": base58::encode(&lookup.account_key),
                "writableIndexes": lookup.writable_indexes,
                "readonlyIndexes": lookup.readonly_indexes,
            })
        })
        .collect();
    json!({
        "header": {
            "numRequiredSignatures": header.num_required_signatures,
            "numReadonlySignedAccounts": header.num_readonly_signed_accounts,
            "numReadonlyUnsignedAccounts": header.num_readonly_unsigned_accounts,
        },
        "accountKeys": texts(&message.account_keys),
        "recentBlockhash": base58::encode(&message.recent_blockhash),
        "instructions": instructions,
        "addressTableLookups": lookups,
    })
}

fn meta_json(meta: &TransactionStatusMeta) -> Value {
    let inner = |instruction: &InnerInstruction| {
        json!({
            "programIdIndex": instruction.program_id_index,
            "accounts": instruction.accounts,
            "data": base58::encode(&instruction.data),
            "stackHeight": instruction.stack_height,
        })
    };
    let groups: Vec<_> = meta
        .inner_instructions
        .iter()
        .map(|group| {
            let instructions: Vec<_> = group.instructions.iter().map(inner).collect();
            json!({"index": group.index, "instructions": instructions})
        })
        .collect();
    let failure = match meta.err.as_option() {
        Some(_) => json!({"InstructionError": [0, {"Custom": 6002}]}),
        None => Value::Null,
    };
    json!({
        "err": failure,
        "fee": meta.fee,
        "preBalances": [],
        "postBalances": [],
        "innerInstructions": groups,
        "logMessages": [],
        "loadedAddresses": {
            "writable": texts(&meta.loaded_writable_addresses),
            "readonly": texts(&meta.loaded_readonly_addresses),
        },
        "computeUnitsConsumed": meta.compute_units_consumed,
    })
}

fn texts(keys: &[Vec<u8>]) -> Vec<String> {
    keys.iter().map(|key| base58::encode(key)).collect()
}

/// Solana's wire format: see `tool/src/rpc/transaction.rs`.
fn wire(transaction: &Transaction, message: &Message) -> Vec<u8> {
    let header = message.header.as_option().cloned().unwrap_or_default();
    let mut out = Vec::new();
    array(&transaction.signatures, &mut out, |signature, out| {
        out.extend(signature);
    });
    if message.versioned {
        out.push(0x80);
    }
    out.extend([
        header.num_required_signatures as u8,
        header.num_readonly_signed_accounts as u8,
        header.num_readonly_unsigned_accounts as u8,
    ]);
    array(&message.account_keys, &mut out, |key, out| out.extend(key));
    out.extend(&message.recent_blockhash);
    array(&message.instructions, &mut out, |outer, out| {
        out.push(outer.program_id_index as u8);
        compact(&outer.accounts, out);
        compact(&outer.data, out);
    });
    if message.versioned {
        array(&message.address_table_lookups, &mut out, |lookup, out| {
            out.extend(&lookup.account_key);
            compact(&lookup.writable_indexes, out);
            compact(&lookup.readonly_indexes, out);
        });
    }
    out
}

fn array<T>(items: &[T], out: &mut Vec<u8>, write: impl Fn(&T, &mut Vec<u8>)) {
    count(items.len(), out);
    items.iter().for_each(|item| write(item, out));
}

fn compact(bytes: &[u8], out: &mut Vec<u8>) {
    count(bytes.len(), out);
    out.extend(bytes);
}

fn count(mut count: usize, out: &mut Vec<u8>) {
    while count > 0x7f {
        out.push(count as u8 & 0x7f | 0x80);
        count >>= 7;
    }
    out.push(count as u8);
}
