//! Input that is made to hurt: each has a defined result, the same natively and through the wasm of every module, and
//! costs no more memory and no more operations than its size allows.
//!
//! `cargo test --test hostile -- --nocapture` prints what each costs. No time is measured: the wasm's operations are
//! counted, which are the same on every machine.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::HashSet;
use std::sync::LazyLock;

use common::wasm_folder;
use common::write::{
    FEE_PAYER, ROUTER, SLOT, block, bytes, called, emitted, groups, message, number, signed, tag,
    transaction, varint,
};
use pumpfun_outputs::database;
use pumpfun_outputs::filter::{Filter, filtered_trades, index_keys};
use pumpfun_tool::package::Package;
use pumpfun_tool::schema::Module;
use pumpfun_trades::block::{Block, decode_options};
use pumpfun_trades::event::{CreateEvent, PostCompleteBuyEvent, TradeEvent};
use pumpfun_trades::kept::{self, KeptBlock};
use pumpfun_trades::pb::v1::{Events, Trade};
use pumpfun_trades::program::{EVENT_TAG, PUMP_PROGRAM};
use pumpfun_trades::row::{self, Base58, RawBytes};
use pumpfun_trades::transaction::Outcomes::{Failed, Successful};

/// Counts what a thread has allocated. What is made larger counts twice while it may be copied.
struct Counting;

thread_local! {
    /// Bytes now, and the most at once.
    static ALLOCATED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

fn allocated(bytes: usize) {
    let (now, peak) = ALLOCATED.get();
    let now = now.saturating_add(bytes);
    ALLOCATED.set((now, peak.max(now)));
}

fn freed(bytes: usize) {
    let (now, peak) = ALLOCATED.get();
    ALLOCATED.set((now.saturating_sub(bytes), peak));
}

// SAFETY: the system's allocator does it all.
#[allow(unsafe_code, reason = "an allocator is")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        allocated(layout.size());
        // SAFETY: what the caller promises is what the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        freed(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        allocated(size);
        freed(layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What `work` gives, and the most that it had allocated at once.
fn with_peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let (before, _) = ALLOCATED.get();
    ALLOCATED.set((before, before));
    let result = work();
    (result, ALLOCATED.get().1 - before)
}

/// The filter that all trades pass.
const EVERY_TRADE: &str = "side:buy || side:sell";

/// What a module gives, natively.
fn native(module: Module, input: &[u8]) -> Result<Vec<u8>, String> {
    let given = match module {
        Module::MapTrades => {
            Block::decode(input).and_then(|block| row::encode::<Base58>(&block, Successful))
        }
        Module::MapRawTrades => {
            Block::decode(input).and_then(|block| row::encode::<RawBytes>(&block, Successful))
        }
        Module::PumpTransactions => Block::decode(input).map(|block| kept::encode(&block)),
        Module::MapEvents => {
            KeptBlock::decode(input).and_then(|kept| row::encode_events(&kept, Successful))
        }
        Module::MapFailedTrades => {
            KeptBlock::decode(input).and_then(|kept| row::encode::<Base58>(&kept, Failed))
        }
        Module::IndexTrades => index_keys(input),
        Module::FilteredTrades => filtered_trades(&Filter::parse(EVERY_TRADE).unwrap(), input),
        Module::DbOut => database::changes(input),
    };
    given.map_err(|error| error.to_string())
}

static PACKAGE: LazyLock<Package> =
    LazyLock::new(|| Package::load_counting(&wasm_folder(), Module::DbOut).unwrap());

/// What a call may cost: so much for each byte of input and of output, and so much for none.
struct Bound {
    input: usize,
    output: usize,
    base: usize,
}

impl Bound {
    #[track_caller]
    fn check(&self, what: &str, cost: usize, input: usize, output: usize) {
        let most = self.input * input + self.output * output + self.base;
        assert!(cost <= most, "{what}: {cost} are more than {most}");
    }
}

/// Bytes allocated at once, natively, beyond the input. An element takes 16 bytes for two of input at worst, and a list
/// that grows is there twice, once half as large.
const NATIVE_PEAK: Bound = Bound {
    input: 32,
    output: 4,
    base: 1 << 20,
};

/// Bytes that the wasm's memory grows by. What is freed is not given back, but used again.
const WASM_GROWTH: Bound = Bound {
    input: 24,
    output: 4,
    base: 1 << 20,
};

/// Operations of the wasm. What costs most for its bytes is an empty transaction: 240 for two.
const OPERATIONS: Bound = Bound {
    input: 160,
    output: 64,
    base: 1 << 20,
};

/// Runs every module on a block, natively and in wasm, and holds what each costs to the bounds. Gives the rows of
/// `map_events`, or the error of the first module that refuses; and the operations of all.
#[track_caller]
fn run(case: &str, block: &[u8]) -> (Result<Events, String>, u64) {
    let mut given: Vec<(Module, Result<Vec<u8>, String>)> = Vec::new();
    let mut operations = 0;
    // Those that others read come first.
    let order = [
        Module::MapTrades,
        Module::MapRawTrades,
        Module::PumpTransactions,
        Module::MapEvents,
        Module::MapFailedTrades,
        Module::IndexTrades,
        Module::FilteredTrades,
        Module::DbOut,
    ];
    for module in order {
        let before = module.input().map(|input| {
            let before = given.iter().find(|(module, _)| *module == input);
            before.map(|(_, output)| output.clone()).unwrap()
        });
        let input = match &before {
            None => block,
            // An engine does not call a module for nothing.
            Some(Ok(input)) if input.is_empty() => {
                given.push((module, Ok(Vec::new())));
                continue;
            }
            Some(Ok(input)) => input,
            Some(Err(error)) => {
                given.push((module, Err(error.clone())));
                continue;
            }
        };
        let (output, peak) = with_peak(|| native(module, input));
        let in_wasm = PACKAGE.call_one(module, EVERY_TRADE, input);
        match (&output, in_wasm) {
            (Ok(output), Ok(in_wasm)) => {
                let cost = in_wasm.operations.unwrap();
                operations += cost;
                assert_eq!(in_wasm.bytes.unwrap_or_default(), *output, "{case}");
                let name = module.name();
                let growth = in_wasm.memory_growth as usize;
                let (from, to) = (input.len(), output.len());
                println!(
                    "{case:<44} {name:<17} {from:>9} in {to:>9} out {peak:>9} native {growth:>9} wasm {cost:>11} operations"
                );
                let what = format!("{case}, {name}");
                NATIVE_PEAK.check(&format!("{what}, native"), peak, from, to);
                WASM_GROWTH.check(&format!("{what}, wasm"), growth, from, to);
                OPERATIONS.check(&format!("{what}, operations"), cost as usize, from, to);
            }
            (Err(error), Err(in_wasm)) => {
                let in_wasm = format!("{in_wasm:#}");
                let begin = format!("module {}: {error} (", module.name());
                assert!(in_wasm.starts_with(&begin), "{in_wasm} is not {begin}");
                let what = format!("{case}, {}, refused", module.name());
                NATIVE_PEAK.check(&what, peak, input.len(), 0);
            }
            (output, in_wasm) => {
                panic!("{case}: {} gives {output:?} and {in_wasm:?}", module.name())
            }
        }
        given.push((module, output));
    }
    let of = |asked: Module| {
        given
            .iter()
            .find(|(module, _)| *module == asked)
            .unwrap()
            .1
            .clone()
    };
    // All ways read and refuse alike.
    assert_eq!(
        of(Module::MapTrades).err(),
        of(Module::MapEvents).err(),
        "{case}"
    );
    assert_eq!(
        of(Module::MapTrades).err(),
        of(Module::MapRawTrades).err(),
        "{case}"
    );
    let events = of(Module::MapEvents).map(|events| decoded(&events));
    (events, operations)
}

fn decoded(events: &[u8]) -> Events {
    decode_options().decode_from_slice(events).unwrap()
}

#[track_caller]
fn rows(case: &str, block: &[u8]) -> Events {
    run(case, block).0.unwrap()
}

#[track_caller]
fn refusal(case: &str, block: &[u8]) -> String {
    run(case, block).0.unwrap_err()
}

/// Twice the input costs twice the operations, give or take what lists and sorted sets cost.
#[track_caller]
fn assert_linear(case: &str, count: usize, block_of: impl Fn(usize) -> Vec<u8>) {
    let (_, once) = run(case, &block_of(count));
    let (_, twice) = run(case, &block_of(2 * count));
    assert!(
        twice < once * 9 / 4,
        "{case}: {once} operations, and {twice} for twice as much"
    );
}

/// A TradeEvent of layout V0: 105 bytes of 1.
fn trade() -> Vec<u8> {
    trade_of(&[1; 32])
}

fn trade_of(mint: &[u8; 32]) -> Vec<u8> {
    [&TradeEvent::DISCRIMINATOR[..], mint, &[1; 73]].concat()
}

/// A block of one transaction with one group of these instructions.
fn block_of(instructions: &[Vec<u8>]) -> Vec<u8> {
    block([transaction([called(0, instructions)])])
}

fn ids(trades: &[Trade]) -> Vec<&str> {
    trades.iter().map(|trade| trade.id.as_str()).collect()
}

/// A key that no other number has.
fn key(number: usize) -> [u8; 32] {
    let mut key = [3; 32];
    key[..8].copy_from_slice(&(number as u64).to_le_bytes());
    key
}

#[test]
fn an_ordinary_block_costs_little() {
    let rows = rows("ordinary", &block_of(&[emitted(1, &trade(), 2)]));
    assert_eq!(ids(&rows.trades), ["400000000-0-0-0"]);
}

/// Lengths of four gigabytes and more: what is promised is not there, so the bytes end too soon.
const LENGTHS: [u64; 6] = [
    0x7fff_ffff,
    u32::MAX as u64,
    1 << 32,
    (1 << 32) + 10,
    1 << 63,
    u64::MAX,
];

#[test]
fn a_length_of_four_gigabytes_ends_the_block_or_its_transaction() {
    for length in LENGTHS {
        for field in [1, 4, 6, 99] {
            let mut bytes = block([message(&[])]);
            tag(field, 2, &mut bytes);
            varint(length, 0, &mut bytes);
            assert_eq!(
                refusal("length of 4 GB", &bytes),
                "block at slot 400000000: behind 1 whole transactions: not valid protobuf: unexpected end of buffer"
            );
        }
        // Of the transaction's meta; of its message; of a field that nobody knows.
        for field in [1, 2, 99] {
            let mut long = transaction([called(0, [emitted(1, &trade(), 2)])]);
            tag(field, 2, &mut long);
            varint(length, 0, &mut long);
            assert_eq!(
                refusal(
                    "length of 4 GB in a transaction",
                    &block([message(&[]), long])
                ),
                "block at slot 400000000: transaction 1: not valid protobuf: unexpected end of buffer"
            );
        }
        // Of an instruction's data.
        let mut long = emitted(1, &trade(), 2);
        tag(3, 2, &mut long);
        varint(length, 0, &mut long);
        assert_eq!(
            refusal("length of 4 GB in an instruction", &block_of(&[long])),
            "block at slot 400000000: transaction 0: not valid protobuf: unexpected end of buffer"
        );
    }
}

#[test]
fn a_length_of_four_gigabytes_in_an_event_ends_its_layout() {
    let long = u32::MAX.to_le_bytes();
    // Payload bytes of the layouts before the length, and the layout that is left.
    for (before, layout) in [(250, "V3"), (254 + 33, "V6b")] {
        let mut event = TradeEvent::DISCRIMINATOR.to_vec();
        event.resize(8 + before, 1);
        if before > 250 {
            event[8 + 250..8 + 254].fill(0); // An empty ix_name.
        }
        event.extend(long);
        event.extend([1; 100]);
        let rows = rows("4 GB in a trade", &block_of(&[emitted(1, &event, 2)]));
        assert_eq!(ids(&rows.trades), ["400000000-0-0-0"]);
        assert_eq!(rows.trades[0].layout, layout);
        assert_eq!(rows.trades[0].unknown_trailing_bytes, 104);
        assert_eq!(rows.shareholders, []);
    }
    let mut event = CreateEvent::DISCRIMINATOR.to_vec();
    event.extend(long);
    event.extend([1; 300]);
    let rows = rows("4 GB in a CreateEvent", &block_of(&[emitted(1, &event, 2)]));
    assert_eq!(rows.creations, []);
    assert_eq!(
        rows.raw_events[0].reason,
        "CreateEvent is broken: failed to fill whole buffer"
    );
}

#[test]
fn a_million_empty_transactions_give_nothing() {
    // One more than a list's room, which then is made twice as large.
    let count = (1 << 20) + 1;
    let empty = block(vec![[]; count]);
    assert_eq!(Block::decode(&empty).unwrap().transaction_count(), count);
    assert_eq!(
        rows("a million empty transactions", &empty),
        Events::default()
    );

    // The one behind them has its place among them.
    let mut transactions = vec![Vec::new(); count];
    transactions.push(transaction([called(0, [emitted(1, &trade(), 2)])]));
    let rows = rows("a million empty transactions and one", &block(transactions));
    assert_eq!(ids(&rows.trades), ["400000000-1048577-0-0"]);
}

#[test]
fn a_million_parts_of_nothing_give_nothing() {
    let count = (1 << 20) + 1;
    let ordinary = [emitted(1, &trade(), 2)];
    // Account keys, signatures, outer instructions, inner ones, groups, loaded addresses: empty, two bytes each.
    let body = [(2, &PUMP_PROGRAM[..])];
    for (case, field) in [("keys", 2), ("instructions", 4), ("lookups", 6)] {
        let mut body = message(&body);
        body.extend(message(&vec![(field, &[][..]); count]));
        let meta = message(&[(5, &called(0, &ordinary))]);
        let whole = message(&[(1, &message(&[(2, &body)])), (2, &meta)]);
        let rows = rows(&format!("a million empty {case}"), &block([whole]));
        // Index 1 is none of Pump's: a key of no bytes, or no account.
        assert_eq!(
            (rows.trades.len(), rows.raw_events.len()),
            (0, usize::from(field != 2))
        );
    }
    for (case, field) in [
        ("groups", 5),
        ("loaded addresses", 12),
        ("loaded readonly", 13),
        ("rewards", 10),
    ] {
        let mut meta = message(&[(5, &called(0, &ordinary))]);
        meta.extend(message(&vec![(field, &[][..]); count]));
        let whole = message(&[(1, &signed()), (2, &meta)]);
        let rows = rows(&format!("a million empty {case}"), &block([whole]));
        assert_eq!(ids(&rows.trades), ["400000000-0-0-0"]);
    }
    let mut group = called(0, &ordinary);
    group.extend(message(&vec![(2, &[][..]); count]));
    let rows = rows(
        "a million empty inner instructions",
        &block([transaction([group])]),
    );
    assert_eq!(ids(&rows.trades), ["400000000-0-0-0"]);
}

#[test]
fn ten_thousand_events_in_one_transaction_are_ten_thousand_rows() {
    const COUNT: usize = 10_000;
    let events = vec![emitted(1, &trade(), 2); COUNT];
    // In one group; in a group each, ascending, descending, and all of one outer instruction.
    let group = |outer: usize| called(outer as u64, [&events[0]]);
    let blocks = [
        ("one group", block_of(&events)),
        ("a group each", block([transaction((0..COUNT).map(group))])),
        (
            "descending groups",
            block([transaction((0..COUNT).rev().map(group))]),
        ),
        (
            "groups of one instruction",
            block([transaction(vec![group(0); COUNT])]),
        ),
    ];
    for (case, block) in blocks {
        let rows = rows(&format!("10,000 events, {case}"), &block);
        let unique: HashSet<_> = ids(&rows.trades).into_iter().collect();
        assert_eq!((rows.trades.len(), unique.len()), (COUNT, COUNT), "{case}");
    }
    for outer in [|_| 0, |n: usize| n, |n: usize| 100_000 - n] {
        assert_linear("events in groups", 5000, |count| {
            let groups = (0..count).map(|n| called(outer(n) as u64, [&events[0]]));
            block([transaction(groups)])
        });
    }
}

/// What makes the most rows out of the fewest bytes: an event of no bytes, each with the transaction's signature, fee
/// payer and router beside it.
#[test]
fn the_smallest_events_make_rows_in_proportion() {
    let smallest = message(&[(3, &EVENT_TAG)]);
    let body = message(&[(2, &PUMP_PROGRAM), (4, &[0x08, 0x00])]);
    let signed = message(&[(1, &[7; 64]), (2, &body)]);
    let block_of = |count: usize| {
        let meta = message(&[(5, &called(0, vec![&smallest; count]))]);
        block([message(&[(1, &signed), (2, &meta)])])
    };
    let rows = rows("the smallest events", &block_of(10_000));
    assert_eq!(rows.raw_events.len(), 10_000);
    assert_eq!(
        rows.raw_events[9_999].reason,
        "an event of 0 bytes has no discriminator"
    );
    assert_linear("the smallest events", 50_000, block_of);
}

/// A post-completion buy names its trade, for which the trades of its instruction are searched.
#[test]
fn many_trades_and_post_completion_buys_in_one_instruction_are_no_square() {
    let buy = |n: usize| {
        let mut event = PostCompleteBuyEvent::DISCRIMINATOR.to_vec();
        event.resize(8 + 224, 1);
        let at = 8 + 32; // Behind the user.
        event[at..at + 32].copy_from_slice(&key(n));
        event
    };
    let block_of = |count: usize| {
        let trades = (0..count).map(|n| emitted(1, &trade_of(&key(n)), 2));
        let buys = (0..count).map(|n| emitted(1, &buy(n), 2));
        block([transaction([called(0, trades.chain(buys))])])
    };
    // No transaction runs more instructions than 64, and no further back is searched.
    let rows = rows("trades and post-completion buys", &block_of(64));
    let named: Vec<_> = rows
        .post_completion_buys
        .iter()
        .map(|row| row.trade_id.as_deref())
        .collect();
    let expected: Vec<_> = ids(&rows.trades).into_iter().map(Some).collect();
    assert_eq!(named, expected);
    assert_linear("trades and post-completion buys", 2000, block_of);
}

#[test]
fn two_hundred_levels_of_routers_are_passed_through() {
    // A chain of calls, deeper by one each; at each level a trade.
    let deep = (2..202).map(|height| emitted(1, &trade(), height));
    let rows = rows("200 levels", &block_of(&deep.collect::<Vec<_>>()));
    let heights: Vec<_> = rows.trades.iter().map(|trade| trade.stack_height).collect();
    assert_eq!(heights, (2..202).map(Some).collect::<Vec<_>>());
    assert!(
        rows.trades
            .iter()
            .all(|trade| trade.outer_program == bs58::encode(ROUTER).into_string())
    );
}

/// The rows of a block with an unknown field in each of its messages.
fn with_noise(noise: &[u8]) -> Vec<u8> {
    let noisy = |bytes: Vec<u8>| [noise, &bytes, noise].concat();
    let body = noisy(message(&[
        (2, &FEE_PAYER),
        (2, &PUMP_PROGRAM),
        (2, &ROUTER),
        (4, &noisy(vec![0x08, 0x02])),
    ]));
    let signed = noisy(message(&[(1, &[7; 64]), (2, &body)]));
    let group = noisy(called(0, [noisy(emitted(1, &trade(), 2))]));
    let meta = noisy(message(&[(5, &group)]));
    noisy(block([noisy(message(&[(1, &signed), (2, &meta)]))]))
}

#[test]
fn unknown_fields_of_every_type_change_nothing() {
    let expected = rows("without unknown fields", &with_noise(&[]));
    assert_eq!(ids(&expected.trades), ["400000000-0-0-0"]);
    let mut noise = Vec::new();
    number(500, u64::MAX, &mut noise);
    bytes(501, &[0xff; 300], &mut noise);
    tag(502, 1, &mut noise);
    noise.extend([0xff; 8]);
    tag(503, 5, &mut noise);
    noise.extend([0xff; 4]);
    groups(504, 100, &mut noise);
    tag((1 << 29) - 1, 0, &mut noise);
    // A number of ten bytes where one would do.
    varint(1, 9, &mut noise);
    assert_eq!(rows("unknown fields", &with_noise(&noise)), expected);
}

/// Decoders of protobuf pass through a hundred groups inside of each other, and no more: each costs stack.
#[test]
fn more_than_a_hundred_groups_inside_of_each_other_are_refused() {
    for depth in [101, 1000, 1_000_000] {
        let mut noise = Vec::new();
        groups(504, depth, &mut noise);
        let mut odd = block([transaction([called(0, [emitted(1, &trade(), 2)])])]);
        odd.extend(&noise);
        assert_eq!(
            refusal("groups in a block", &odd),
            "block at slot 400000000: behind 1 whole transactions: not valid protobuf: recursion limit exceeded"
        );
        let mut odd = transaction([called(0, [emitted(1, &trade(), 2)])]);
        odd.extend(&noise);
        assert_eq!(
            refusal("groups in a transaction", &block([odd])),
            "block at slot 400000000: transaction 0: not valid protobuf: recursion limit exceeded"
        );
        let mut odd = emitted(1, &trade(), 2);
        odd.extend(&noise);
        assert_eq!(
            refusal("groups in an instruction", &block_of(&[odd])),
            "block at slot 400000000: transaction 0: not valid protobuf: recursion limit exceeded"
        );
    }
}

#[test]
fn groups_that_do_not_match_are_refused() {
    for odd in [[0x0b, 0x14].as_slice(), &[0x0b], &[0x0c]] {
        let odd = [&transaction([called(0, [emitted(1, &trade(), 2)])]), odd].concat();
        let error = refusal("groups that do not match", &block([odd]));
        assert!(
            error.starts_with("block at slot 400000000: transaction 0: not valid protobuf: "),
            "{error}"
        );
    }
}

/// Fields may come in any order, and a message in parts: lists go on, and of single values the last one counts.
#[test]
fn fields_in_parts_and_out_of_order_read_as_in_order() {
    let expected = rows(
        "in order",
        &block_of(&[emitted(1, &trade(), 2), emitted(1, &trade(), 3)]),
    );
    assert_eq!(
        ids(&expected.trades),
        ["400000000-0-0-0", "400000000-0-0-1"]
    );

    // The instruction's fields backwards, behind values that do not count.
    let backwards = |height: u64| {
        let mut odd = Vec::new();
        for (program, data, height) in [(77, &[][..], 9), (1, &trade(), height)] {
            number(4, height, &mut odd);
            bytes(3, &[&EVENT_TAG, data].concat(), &mut odd);
            number(1, program, &mut odd);
        }
        odd
    };
    // The group's number behind its instructions, and a wrong one before.
    let mut group = Vec::new();
    number(1, 5, &mut group);
    bytes(2, &backwards(2), &mut group);
    bytes(2, &backwards(3), &mut group);
    number(1, 0, &mut group);
    // Meta first, then the message in three parts, the signature behind it.
    let parts = [
        message(&[(4, &[0x08, 0x02])]),
        message(&[(2, &FEE_PAYER), (2, &PUMP_PROGRAM)]),
        message(&[(2, &ROUTER)]),
    ];
    let mut odd = message(&[(2, &message(&[(5, &group)]))]);
    for part in &parts {
        bytes(1, &message(&[(2, part)]), &mut odd);
    }
    bytes(1, &message(&[(1, &[7; 64])]), &mut odd);
    bytes(1, &message(&[(1, &[8; 64])]), &mut odd);
    bytes(2, &[], &mut odd);
    // The slot and the time in front of the transactions, and twice.
    let mut block = Vec::new();
    number(20, 7, &mut block);
    bytes(6, &[0x08, 0x01], &mut block);
    let mut time = Vec::new();
    number(1, 1_760_000_000, &mut time);
    bytes(6, &time, &mut block);
    number(20, SLOT, &mut block);
    bytes(4, &odd, &mut block);
    assert_eq!(rows("out of order", &block), expected);
}

#[test]
fn lists_of_numbers_may_be_packed_or_not_and_single_numbers_not() {
    let group = called(0, [emitted(1, &trade(), 2)]);
    let mut unpacked = message(&[(5, &group)]);
    let mut packed = unpacked.clone();
    let mut balances = Vec::new();
    for balance in [0, 1, u64::MAX] {
        varint(balance, 0, &mut balances);
        number(3, balance, &mut unpacked);
        number(4, balance, &mut unpacked);
    }
    bytes(3, &balances, &mut packed);
    bytes(4, &balances, &mut packed);
    let of = |meta: &[u8]| block([message(&[(1, &signed()), (2, meta)])]);
    let expected = rows("unpacked", &of(&unpacked));
    assert_eq!(ids(&expected.trades), ["400000000-0-0-0"]);
    assert_eq!(rows("packed", &of(&packed)), expected);

    let mut instruction = emitted(1, &trade(), 2);
    bytes(1, &[1], &mut instruction);
    assert_eq!(
        refusal("a packed index", &block_of(&[instruction])),
        "block at slot 400000000: transaction 0: not valid protobuf: wire type mismatch on field 1: expected 0, got 2"
    );
}

#[test]
fn text_that_is_not_utf_8_is_passed_over_or_refused_with_its_place() {
    let wrong = [0xff, 0xfe];
    // Logs, names of errors, return data: no row needs them.
    let mut meta = message(&[(5, &called(0, [emitted(1, &trade(), 2)])), (6, &wrong)]);
    bytes(10, &message(&[(1, &wrong)]), &mut meta);
    let odd = message(&[(1, &signed()), (2, &meta)]);
    assert_eq!(
        ids(&rows("logs that are no text", &block([odd])).trades),
        ["400000000-0-0-0"]
    );

    // The block's hash, which its module gives.
    let mut odd = block_of(&[emitted(1, &trade(), 2)]);
    bytes(2, &wrong, &mut odd);
    assert_eq!(
        refusal("a hash that is no text", &odd),
        "block at slot 400000000: behind 1 whole transactions: not valid protobuf: invalid UTF-8 in string field"
    );

    // An event's strings.
    let mut event = TradeEvent::DISCRIMINATOR.to_vec();
    event.resize(8 + 250, 1);
    event.extend([2, 0, 0, 0, 0xff, 0xfe, 1]);
    let rows = rows(
        "a name that is no text",
        &block_of(&[emitted(1, &event, 2)]),
    );
    assert_eq!(
        (
            rows.trades[0].layout.as_str(),
            rows.trades[0].unknown_trailing_bytes
        ),
        ("V3", 7)
    );
    let mut event = CreateEvent::DISCRIMINATOR.to_vec();
    event.extend([2, 0, 0, 0, 0xff, 0xfe]);
    event.resize(8 + 300, 1);
    let rows = self::rows(
        "a coin whose name is no text",
        &block_of(&[emitted(1, &event, 2)]),
    );
    assert_eq!(
        rows.raw_events[0].reason,
        "CreateEvent is broken: string that is not UTF-8"
    );
}

/// A table of as many accounts as two bytes number: its own keys, and loaded ones.
#[test]
fn a_table_of_65_536_accounts_is_indexed_to_its_end() {
    const COUNT: usize = 65_536;
    for own in [1, 40_000, COUNT - 1] {
        let mut keys: Vec<_> = (0..COUNT).map(key).collect();
        keys[COUNT - 1] = PUMP_PROGRAM;
        let (own_keys, loaded) = keys.split_at(own);
        let mut body = Vec::new();
        own_keys.iter().for_each(|key| bytes(2, key, &mut body));
        let mut outer = Vec::new();
        number(1, 65_534, &mut outer);
        bytes(4, &outer, &mut body);
        let events = [65_535, 65_534, 65_536, u64::from(u32::MAX)]
            .map(|program| emitted(program, &trade(), 2));
        let mut meta = message(&[(5, &called(0, events))]);
        for (n, key) in loaded.iter().enumerate() {
            bytes(if n < loaded.len() / 2 { 12 } else { 13 }, key, &mut meta);
        }
        let odd = message(&[(1, &message(&[(2, &body)])), (2, &meta)]);
        let rows = rows("65,536 accounts", &block([odd]));
        assert_eq!(ids(&rows.trades), ["400000000-0-0-0"]);
        assert_eq!(
            rows.trades[0].outer_program,
            bs58::encode(key(65_534)).into_string()
        );
        let reasons: Vec<_> = rows
            .raw_events
            .iter()
            .map(|row| row.reason.as_str())
            .collect();
        assert_eq!(
            reasons,
            [
                "its program has index 65536 in an account table of 65536",
                "its program has index 4294967295 in an account table of 65536"
            ]
        );
    }
}

/// Bytes that look like Pump's id at every place that is searched.
#[test]
fn the_id_a_hundred_thousand_times_is_searched_in_proportion() {
    let of = |count: usize| {
        let ids = PUMP_PROGRAM.repeat(count);
        let nearly: Vec<u8> = [&PUMP_PROGRAM[..31], &[0]].concat().repeat(count);
        let pairs = PUMP_PROGRAM[..2].repeat(16 * count);
        block([
            message(&[(99, &ids)]),
            message(&[(99, &nearly)]),
            message(&[(99, &pairs)]),
            transaction([called(0, [emitted(1, &trade(), 2)])]),
        ])
    };
    assert_eq!(
        ids(&rows("the id 100,000 times", &of(100_000)).trades),
        ["400000000-3-0-0"]
    );
    assert_linear("the id again and again", 50_000, of);
    // And each in a transaction of its own.
    let each = |count: usize| block(vec![message(&[(99, &PUMP_PROGRAM)]); count]);
    assert_eq!(
        rows("100,000 transactions that name Pump", &each(100_000)),
        Events::default()
    );
    assert_linear("transactions that name Pump", 50_000, each);
}
