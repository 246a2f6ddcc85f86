//! The default set is what it is documented to be: its bytes, its proportions, its special cases.

use std::sync::LazyLock;

use pumpfun_generate::{
    Case, DEFAULT_BLOCKS, DEFAULT_SEED, DEFAULT_SHA256, ExpectedTrade, GeneratedBlock, Generator,
    Layout, MAYHEM_AGENT, PUMP_PROGRAM, RawEventReason, USDC_MINT, ZERO_KEY, block, blocks,
};
use sha2::{Digest, Sha256};

static BLOCKS: LazyLock<Vec<GeneratedBlock>> =
    LazyLock::new(|| blocks(DEFAULT_SEED, DEFAULT_BLOCKS).collect());

fn trades() -> impl Iterator<Item = &'static ExpectedTrade> {
    BLOCKS.iter().flat_map(|block| &block.trades)
}

fn at_least(least: usize, what: &str, test: impl Fn(&ExpectedTrade) -> bool) {
    let count = trades().filter(|trade| test(trade)).count();
    println!("{what}: {count}");
    assert!(count >= least, "{what}: {count}, at least {least} wanted");
}

#[test]
fn bytes_are_the_published_ones() {
    let mut sha256 = Sha256::new();
    for block in BLOCKS.iter() {
        sha256.update(&block.bytes);
    }
    let hex: String = sha256
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(hex, DEFAULT_SHA256.trim());
}

#[test]
fn a_block_does_not_depend_on_the_others() {
    let generator = Generator::new(DEFAULT_SEED);
    for index in [11, 3, 0] {
        let alone = generator.block(index);
        let in_turn = &BLOCKS[index as usize];
        assert!(alone.bytes == in_turn.bytes);
        assert_eq!(alone.trades, in_turn.trades);
    }
    assert!(block(DEFAULT_SEED, 2).bytes == BLOCKS[2].bytes);
    assert!(block(DEFAULT_SEED + 1, 2).bytes != BLOCKS[2].bytes);
}

#[test]
fn blocks_form_a_chain() {
    for pair in BLOCKS.windows(2) {
        assert_eq!(pair[1].previous_blockhash, pair[0].blockhash);
        assert_eq!(pair[1].parent_slot, pair[0].slot);
        assert_eq!(pair[1].block_height, pair[0].block_height + 1);
        assert!(pair[1].slot > pair[0].slot);
        assert!(pair[1].block_time >= pair[0].block_time);
    }
    let skipped = BLOCKS
        .windows(2)
        .filter(|pair| pair[1].slot > pair[0].slot + 1);
    assert!(skipped.count() >= 2);
    assert_eq!(BLOCKS[0].slot % 100, 0);
}

/// Other seeds too: no set may leave mainnet's proportions.
#[test]
fn proportions_are_those_of_mainnet() {
    for block in BLOCKS.iter().cloned().chain(blocks(7, 16)) {
        let pump = block
            .cases
            .iter()
            .filter(|(_, case)| case.touches_pump())
            .count();
        println!(
            "slot {} bytes {} transactions {} votes {} pump {} trades {}",
            block.slot,
            block.bytes.len(),
            block.transaction_count,
            block.vote_count,
            pump,
            block.trades.len()
        );
        assert!((1_800_000..=4_500_000).contains(&block.bytes.len()));
        assert!((1_050..=2_200).contains(&block.transaction_count));
        let percent = block.vote_count * 100 / block.transaction_count;
        assert!((55..=75).contains(&percent), "{percent} % votes");
        if block.cases.is_empty() {
            assert!(block.trades.is_empty());
        } else {
            assert!((4..=39).contains(&pump));
            assert!((2..=69).contains(&block.trades.len()));
        }
    }
}

#[test]
fn every_layout_is_there_often() {
    for layout in Layout::ALL {
        at_least(8, layout.name(), |trade| trade.layout == layout.name());
    }
}

#[test]
fn every_case_is_there() {
    for case in Case::SPECIAL {
        let placed = BLOCKS.iter().flat_map(|block| &block.cases);
        let count = placed.filter(|(_, placed)| *placed == case).count();
        println!("{case:?}: {count}");
        assert!(count >= 2, "{case:?}: {count}");
    }
    assert_eq!(
        BLOCKS.iter().filter(|block| block.cases.is_empty()).count(),
        2
    );
}

#[test]
fn trades_show_what_was_promised() {
    at_least(2, "failed", |trade| trade.place.failed);
    for height in [2, 3, 4] {
        let name = format!("stack height {height}");
        at_least(2, &name, |trade| trade.place.stack_height == Some(height));
    }
    at_least(2, "no stack height", |trade| {
        trade.place.stack_height.is_none()
    });
    at_least(2, "routed", |trade| {
        trade.place.outer_program != PUMP_PROGRAM
    });
    at_least(2, "user does not pay", |trade| {
        trade.place.fee_payer != trade.event.user
    });
    at_least(2, "unknown tail", |trade| trade.unknown_trailing_bytes > 0);
    at_least(2, "unknown tail of V9", |trade| {
        trade.layout == "V9" && trade.unknown_trailing_bytes > 0
    });
    at_least(2, "USDC", |trade| {
        trade.event.quote_mint == Some(USDC_MINT)
            && trade.event.sol_amount == 0
            && trade.event.quote_amount > Some(0)
    });
    for count in 0..=3 {
        at_least(2, &format!("{count} shareholders"), |trade| {
            let shareholders = trade.event.shareholders.as_ref();
            shareholders.is_some_and(|list| list.len() == count)
        });
    }
    at_least(2, "Mayhem", |trade| {
        trade.event.user == MAYHEM_AGENT
            && trade.event.mayhem_mode == Some(true)
            && trade.event.fee == Some(0)
    });
    at_least(2, "holder rewards", |trade| {
        trade.event.holder_rewards > Some(0)
    });
    at_least(2, "v3", |trade| {
        trade
            .event
            .ix_name
            .is_some_and(|name| name.ends_with("_v3"))
            && trade.event.fee_recipient == Some(ZERO_KEY)
    });
    at_least(4, "multi-hop", |trade| {
        trade.event.ix_name == Some("multi_hop_swap")
    });
    at_least(2, "buys", |trade| trade.event.is_buy);
    at_least(2, "sells", |trade| !trade.event.is_buy);
}

#[test]
fn events_share_transactions_and_instructions() {
    let mut same_transaction = 0;
    let mut same_instruction = 0;
    let mut identical = 0;
    for block in BLOCKS.iter() {
        for pair in block.trades.windows(2) {
            let (first, second) = (&pair[0].place, &pair[1].place);
            if first.transaction_index == second.transaction_index {
                same_transaction += 1;
                identical += u32::from(pair[0].event == pair[1].event);
                let same = first.instruction_index == second.instruction_index;
                same_instruction += u32::from(same);
            }
        }
    }
    println!(
        "{same_transaction} in one transaction, {same_instruction} in one instruction, {identical} identical"
    );
    assert!(same_transaction >= 8 && same_instruction >= 4 && identical >= 2);
}

#[test]
fn raw_and_other_events_are_there() {
    let raw: Vec<_> = BLOCKS.iter().flat_map(|block| &block.raw_events).collect();
    for reason in [
        RawEventReason::TooShort,
        RawEventReason::InvalidBool,
        RawEventReason::UnknownDiscriminator,
    ] {
        for failed in [false, true] {
            let fitting = raw.iter().filter(|event| event.reason == reason);
            let count = fitting.filter(|event| event.place.failed == failed).count();
            println!("{reason:?}, failed {failed}: {count}");
            assert!(count >= 2, "{reason:?}, failed {failed}: {count}");
        }
    }
    let other: Vec<_> = BLOCKS
        .iter()
        .flat_map(|block| &block.other_events)
        .collect();
    for name in [
        "CreateEvent",
        "ExtendAccountEvent",
        "CompleteEvent",
        "CompletePumpAmmMigrationEvent",
        "PostCompleteBuyEvent",
        "SweepBondingCurveFeeEvent",
        "CollectCreatorFeeEvent",
        "UpdateMayhemVirtualParamsEvent",
        "SetCreatorEvent",
    ] {
        let count = other.iter().filter(|event| event.name == name).count();
        println!("{name}: {count}");
        assert!(count >= 2, "{name}: {count}");
    }
}

#[test]
fn numbers_are_consistent() {
    for trade in trades() {
        let event = &trade.event;
        let quote = event.quote_amount.unwrap_or(event.sol_amount);
        let ceil = |bps: Option<u64>| bps.map(|bps| (quote * bps).div_ceil(10_000));
        assert!(quote > 0 && event.token_amount > 0);
        assert_eq!(event.fee, ceil(event.fee_basis_points));
        assert_eq!(event.creator_fee, ceil(event.creator_fee_basis_points));
        assert_eq!(event.cashback, ceil(event.cashback_fee_basis_points));
        if let (Some(fee), Some(bps)) = (event.fee, event.buyback_fee_basis_points) {
            assert_eq!(event.buyback_fee, Some(fee * bps / 10_000));
        }
        if event.quote_mint == Some(ZERO_KEY) {
            assert_eq!(event.quote_amount, Some(event.sol_amount));
            assert_eq!(
                event.virtual_quote_reserves,
                Some(event.virtual_sol_reserves)
            );
            assert_eq!(event.real_quote_reserves, event.real_sol_reserves);
        }
        // The product only ever grows by rounding.
        let virtual_quote = event
            .virtual_quote_reserves
            .unwrap_or(event.virtual_sol_reserves);
        let product = u128::from(virtual_quote) * u128::from(event.virtual_token_reserves);
        let initial = if event.quote_mint == Some(USDC_MINT) {
            4_500_000_000
        } else {
            30_000_000_000
        };
        let start = initial * 1_073_000_000_000_000_u128;
        assert!(
            product >= start && product < start + start / 10_000,
            "{product} {start}"
        );
    }
}
