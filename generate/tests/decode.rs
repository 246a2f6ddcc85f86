//! The bytes decode again, and hold exactly what the truth says: found by a plain walk over the owned
//! protobuf types, which shares nothing with the generator.

use std::collections::HashSet;

use buffa::Message as _;
use pumpfun_generate::{
    Case, DEFAULT_BLOCKS, DEFAULT_SEED, EVENT_TAG, EventPlace, GeneratedBlock,
    PUMP_EVENT_AUTHORITY, PUMP_PROGRAM, TRADE_EVENT, blocks,
};
use substreams_solana::pb::sf::solana::r#type::v1::{Block, ConfirmedTransaction};

/// Account table of a transaction.
fn table(transaction: &ConfirmedTransaction) -> Vec<&[u8]> {
    let message = &transaction.transaction.message;
    let keys = message.account_keys.iter();
    keys.chain(&transaction.meta.loaded_writable_addresses)
        .chain(&transaction.meta.loaded_readonly_addresses)
        .map(Vec::as_slice)
        .collect()
}

/// Every event of Pump by its place: discriminator and payload.
fn events(block: &Block) -> Vec<(EventPlace, Vec<u8>)> {
    let mut found = Vec::new();
    for (transaction, transaction_index) in block.transactions.iter().zip(0..) {
        let table = table(transaction);
        let message = &transaction.transaction.message;
        for group in &transaction.meta.inner_instructions {
            let outer = &message.instructions[group.index as usize];
            for (inner, inner_instruction_index) in group.instructions.iter().zip(0..) {
                let is_pump = table[inner.program_id_index as usize] == PUMP_PROGRAM;
                let Some(event) = inner.data.strip_prefix(&EVENT_TAG).filter(|_| is_pump) else {
                    continue;
                };
                let accounts: Vec<_> = inner.accounts.iter().map(|n| table[*n as usize]).collect();
                assert_eq!(accounts, [PUMP_EVENT_AUTHORITY]);
                let place = EventPlace {
                    slot: block.slot,
                    transaction_index,
                    instruction_index: group.index,
                    inner_instruction_index,
                    stack_height: inner.stack_height,
                    signature: transaction.transaction.signatures[0]
                        .as_slice()
                        .try_into()
                        .unwrap(),
                    fee_payer: table[0].try_into().unwrap(),
                    outer_program: table[outer.program_id_index as usize].try_into().unwrap(),
                    failed: transaction.meta.err.is_set(),
                };
                found.push((place, event.to_vec()));
            }
        }
    }
    found
}

/// Every event the truth knows, in block order; unknown trailing bytes are left out.
fn expected(block: &GeneratedBlock) -> Vec<(EventPlace, Vec<u8>, usize)> {
    let with = |discriminator: &[u8; 8], payload: &[u8]| [discriminator, payload].concat();
    let mut all: Vec<_> = Vec::new();
    for trade in &block.trades {
        let bytes = with(&TRADE_EVENT, &trade.event.payload());
        all.push((
            trade.place.clone(),
            bytes,
            trade.unknown_trailing_bytes as usize,
        ));
    }
    for event in &block.raw_events {
        all.push((
            event.place.clone(),
            with(&event.discriminator, &event.payload),
            0,
        ));
    }
    for event in &block.other_events {
        all.push((
            event.place.clone(),
            with(&event.discriminator, &event.payload),
            0,
        ));
    }
    all.sort_by_key(|(place, ..)| {
        (
            place.transaction_index,
            place.instruction_index,
            place.inner_instruction_index,
        )
    });
    all
}

#[test]
fn the_bytes_hold_the_truth_and_nothing_else() {
    for generated in blocks(DEFAULT_SEED, DEFAULT_BLOCKS) {
        let block = Block::decode_from_slice(&generated.bytes).unwrap();
        let found = events(&block);
        let expected = expected(&generated);
        assert_eq!(found.len(), expected.len(), "slot {}", generated.slot);
        for ((place, bytes), (expected_place, expected_bytes, tail)) in found.iter().zip(expected) {
            assert_eq!(*place, expected_place);
            assert_eq!(bytes[..bytes.len() - tail], expected_bytes);
        }
        assert_eq!(
            block.transactions.len(),
            generated.transaction_count as usize
        );
        assert_eq!(block.slot, generated.slot);
        assert_eq!(block.parent_slot, generated.parent_slot);
        assert_eq!(block.blockhash, generated.blockhash);
        assert_eq!(block.previous_blockhash, generated.previous_blockhash);
        assert_eq!(block.block_time.timestamp, generated.block_time);
        assert_eq!(block.block_height.block_height, generated.block_height);
    }
}

#[test]
fn transactions_are_well_formed() {
    let mut signatures = HashSet::new();
    for generated in blocks(DEFAULT_SEED, 4) {
        let block = Block::decode_from_slice(&generated.bytes).unwrap();
        for transaction in &block.transactions {
            let message = &transaction.transaction.message;
            let meta = &transaction.meta;
            let table = table(transaction);
            assert!(signatures.insert(transaction.transaction.signatures[0].clone()));
            assert_eq!(table.iter().collect::<HashSet<_>>().len(), table.len());
            assert_eq!(meta.pre_balances.len(), table.len());
            assert_eq!(meta.post_balances.len(), table.len());
            assert_eq!(message.versioned, !message.address_table_lookups.is_empty());
            let lookups = message.address_table_lookups.iter();
            let loaded: usize = lookups
                .map(|it| it.writable_indexes.len() + it.readonly_indexes.len())
                .sum();
            assert_eq!(message.account_keys.len() + loaded, table.len());
            for instruction in &message.instructions {
                // The runtime takes no program of an outer instruction from a lookup table.
                assert!((instruction.program_id_index as usize) < message.account_keys.len());
                assert!(
                    instruction
                        .accounts
                        .iter()
                        .all(|n| (*n as usize) < table.len())
                );
            }
            let inner = meta
                .inner_instructions
                .iter()
                .flat_map(|group| &group.instructions);
            for instruction in inner {
                assert!((instruction.program_id_index as usize) < table.len());
                assert!(
                    instruction
                        .accounts
                        .iter()
                        .all(|n| (*n as usize) < table.len())
                );
            }
            let balances = meta
                .pre_token_balances
                .iter()
                .chain(&meta.post_token_balances);
            for balance in balances {
                assert!((balance.account_index as usize) < table.len());
            }
        }
    }
}

#[test]
fn lookalikes_and_mentions_stand_where_the_cases_say() {
    for generated in blocks(DEFAULT_SEED, DEFAULT_BLOCKS) {
        let block = Block::decode_from_slice(&generated.bytes).unwrap();
        for (index, case) in &generated.cases {
            let transaction = &block.transactions[*index as usize];
            let meta = &transaction.meta;
            let table = table(transaction);
            let listed = table.contains(&PUMP_PROGRAM.as_slice());
            assert_eq!(listed, case.touches_pump(), "{case:?}");
            let static_key = transaction
                .transaction
                .message
                .account_keys
                .iter()
                .any(|key| *key == PUMP_PROGRAM);
            let has_lookalike = meta.inner_instructions.iter().any(|group| {
                group.instructions.iter().any(|inner| {
                    table[inner.program_id_index as usize] != PUMP_PROGRAM
                        && inner.data.starts_with(&[EVENT_TAG, TRADE_EVENT].concat())
                })
            });
            match case {
                Case::Lookalike | Case::LookalikeBesideTrade | Case::LookalikeBesideMention => {
                    assert!(has_lookalike);
                }
                Case::LookupReadonly | Case::PumpInLookup => {
                    assert!(!static_key);
                    assert!(
                        meta.loaded_readonly_addresses
                            .iter()
                            .any(|key| *key == PUMP_PROGRAM)
                    );
                }
                Case::LookupWritable => {
                    assert!(!static_key);
                    assert!(
                        meta.loaded_writable_addresses
                            .iter()
                            .any(|key| *key == PUMP_PROGRAM)
                    );
                }
                Case::TruncatedLog => {
                    assert_eq!(meta.log_messages.last().unwrap(), "Log truncated");
                    assert!(
                        !meta
                            .log_messages
                            .iter()
                            .any(|line| line.starts_with("Program data"))
                    );
                }
                Case::PumpInData => {
                    let data = &transaction
                        .transaction
                        .message
                        .instructions
                        .last()
                        .unwrap()
                        .data;
                    assert!(data.starts_with(&PUMP_PROGRAM));
                }
                _ => assert!(!has_lookalike),
            }
        }
    }
}
