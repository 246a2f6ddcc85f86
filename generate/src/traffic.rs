//! The other programs' transactions: what a decoder has to get past.
//!
//! Four kinds, in shares that give mainnet's spread of sizes (a tenth below 700 bytes, the middle at
//! 4 to 5 kB, a tenth above 10 kB, 5 kB on average; measured on blocks of April 2025 to May 2026):
//! price feeds and market makers, plain transfers, swaps on one exchange, and swaps through an
//! aggregator with lookup tables and several hops.

use substreams_solana::pb::sf::solana::r#type::v1::{ConfirmedTransaction, ReturnData};

use crate::call::{BlockContext, Failure, Role};
use crate::exchange::{self, Swap};
use crate::keys::{
    CLOCK, EXCHANGES, FEEDS, JUPITER, Key, MEMO, PUMP_SWAP, TOKEN, WRAPPED_SOL, WRAPPED_SOL_TEXT,
};
use crate::payload::Payload;
use crate::rng::Rng;
use crate::steps;
use crate::trade_event::EVENT_TAG;
use crate::transaction::TransactionBuilder;
use crate::world::World;

/// Discriminator of Jupiter's SwapEvent.
const JUPITER_SWAP_EVENT: [u8; 8] = [0x40, 0xc6, 0xcd, 0xe8, 0x26, 0x08, 0x71, 0xe2];

/// A transaction without Pump.
pub(crate) fn transaction(
    rng: &mut Rng,
    world: &World,
    block: &BlockContext,
) -> ConfirmedTransaction {
    let builder = match rng.below(100) {
        0..35 => feed(rng, world),
        35..48 => transfer(rng, world),
        48..73 => swap(rng, world),
        _ => aggregated_swap(rng, world),
    };
    builder.build(rng, block).transaction
}

fn feed(rng: &mut Rng, world: &World) -> TransactionBuilder {
    let payer = rng.pick(&world.wallets).key;
    let mut builder = TransactionBuilder::new(payer, &[]);
    steps::compute_budget(&mut builder, rng);
    let program = rng.pick(&FEEDS);
    for _ in 0..rng.range(1, 3) {
        let mut accounts = vec![builder.account(&payer, Role::SignerWritable)];
        for _ in 0..rng.range(1, 4) {
            accounts.push(builder.account(rng.pick(&world.accounts), Role::Writable));
        }
        accounts.push(builder.account(&CLOCK, Role::Readonly));
        let length = rng.range(9, 120) as usize;
        let data = rng.bytes(length);
        builder.call(1, program, accounts, data, "");
    }
    if rng.percent(40) {
        builder.failure = Some(Failure {
            code: 0xdead,
            line: "stale",
        });
    }
    builder
}

fn transfer(rng: &mut Rng, world: &World) -> TransactionBuilder {
    let owner = rng.pick(&world.wallets);
    let mut builder = TransactionBuilder::new(owner.key, &[]);
    steps::compute_budget(&mut builder, rng);
    let from = builder.account(&owner.key, Role::SignerWritable);
    if rng.percent(60) {
        let to = builder.account(&rng.pick(&world.wallets).key, Role::Writable);
        steps::lamport_transfer(&mut builder, 1, from, to, rng.magnitude(11));
    } else {
        let mint = rng.pick(&world.mints);
        let source = builder.account(rng.pick(&world.accounts), Role::Writable);
        let target = builder.account(rng.pick(&world.accounts), Role::Writable);
        let mint_account = builder.account(&mint.key, Role::Readonly);
        let accounts = [source, mint_account, target, from];
        let amount = rng.magnitude(12);
        steps::token_transfer(&mut builder, 1, &TOKEN, accounts, amount, 6);
        exchange::balances(&mut builder, rng, source, &mint.text, owner, 6, amount);
        let other = rng.pick(&world.wallets);
        exchange::balances(&mut builder, rng, target, &mint.text, other, 6, amount);
    }
    if rng.percent(20) {
        let text = b"payment received, thank you".to_vec();
        builder.call(1, &MEMO, vec![from], text, "Memo (len 27)");
    }
    builder
}

fn swap(rng: &mut Rng, world: &World) -> TransactionBuilder {
    let owner = rng.pick(&world.wallets);
    let tables: &[Key] = if rng.percent(40) {
        std::slice::from_ref(rng.pick(&world.lookup_tables))
    } else {
        &[]
    };
    let mut builder = TransactionBuilder::new(owner.key, tables);
    steps::compute_budget(&mut builder, rng);
    let mint = rng.pick(&world.mints);
    let source = steps::create_token_account(&mut builder, rng, &owner.key, &WRAPPED_SOL, &TOKEN);
    let target = steps::create_token_account(&mut builder, rng, &owner.key, &mint.key, &TOKEN);
    let payer = builder.account(&owner.key, Role::SignerWritable);
    let lamports = rng.magnitude(11);
    steps::lamport_transfer(&mut builder, 1, payer, source, lamports);
    builder.call(1, &TOKEN, vec![source], vec![17], "Instruction: SyncNative");
    let exchange = rng.pick(&EXCHANGES);
    let exchange = if rng.percent(40) {
        &PUMP_SWAP
    } else {
        exchange
    };
    let swap = Swap {
        height: 1,
        exchange,
        owner,
        source,
        source_mint: WRAPPED_SOL_TEXT,
        target,
        mint,
    };
    let loaded = !tables.is_empty();
    swap.add(&mut builder, rng, world, loaded);
    builder.call(
        1,
        &TOKEN,
        vec![source, payer, payer],
        vec![9],
        "Instruction: CloseAccount",
    );
    let tip = builder.account(rng.pick(&world.fee_recipients), Role::Writable);
    steps::lamport_transfer(&mut builder, 1, payer, tip, rng.magnitude(7));
    builder
}

fn aggregated_swap(rng: &mut Rng, world: &World) -> TransactionBuilder {
    let owner = rng.pick(&world.wallets);
    let tables: Vec<Key> = (0..rng.range(2, 4))
        .map(|_| *rng.pick(&world.lookup_tables))
        .collect();
    let mut builder = TransactionBuilder::new(owner.key, &tables);
    steps::compute_budget(&mut builder, rng);
    let mut source =
        steps::create_token_account(&mut builder, rng, &owner.key, &WRAPPED_SOL, &TOKEN);
    let payer = builder.account(&owner.key, Role::SignerWritable);
    let mut source_mint = WRAPPED_SOL_TEXT;
    let mut route = vec![payer];
    for _ in 0..rng.range(8, 20) {
        route.push(builder.account(rng.pick(&world.accounts), Role::LoadedWritable));
    }
    // Routes name the same accounts again and again.
    for _ in 0..rng.range(10, 24) {
        route.push(*rng.pick(&route));
    }
    let event_account = builder.account(&world.accounts[0], Role::LoadedReadonly);
    let mut data = Payload::default();
    data.bytes(&[0xe5, 0x17, 0xcb, 0x97, 0x7a, 0xe3, 0xad, 0x2a]);
    let plan = rng.range(25, 70) as usize;
    data.bytes(&rng.bytes(plan));
    builder.call(1, &JUPITER, route, data.0, "Instruction: Route");
    for _ in 0..rng.range(2, 4) {
        let mint = rng.pick(&world.mints);
        let target = builder.account(rng.pick(&world.accounts), Role::Writable);
        let swap = Swap {
            height: 2,
            exchange: rng.pick(&EXCHANGES),
            owner,
            source,
            source_mint,
            target,
            mint,
        };
        swap.add(&mut builder, rng, world, true);
        let mut event = Payload::default();
        event
            .bytes(&EVENT_TAG)
            .bytes(&JUPITER_SWAP_EVENT)
            .bytes(&rng.array::<112>());
        builder.call(2, &JUPITER, vec![event_account], event.0, "");
        source = target;
        source_mint = &mint.text;
    }
    if rng.percent(5) {
        builder.return_data = Some(ReturnData {
            program_id: JUPITER.key.to_vec(),
            data: rng.array::<8>().to_vec(),
        });
    }
    if rng.percent(20) {
        builder.failure = Some(Failure {
            code: 0x1771,
            line: "AnchorError occurred. Error Code: SlippageToleranceExceeded. Error Number: 6001. Error Message: Slippage tolerance exceeded.",
        });
    }
    builder
}
