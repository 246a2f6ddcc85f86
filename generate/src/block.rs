//! Puts a block together: how many transactions of which kind, in what order, and the truth on them.

use substreams_solana::pb::sf::solana::r#type::v1::{
    Block, BlockHeight, ConfirmedTransaction, Reward, RewardType, UnixTimestamp,
};

use buffa::Message as _;

use crate::call::BlockContext;
use crate::cases::{self, Case};
use crate::chain::{self, Chain};
use crate::expected::{
    EventPlace, ExpectedOtherEvent, ExpectedRawEvent, ExpectedTrade, GeneratedBlock,
};
use crate::market::Market;
use crate::pump::{Draft, Emitted};
use crate::rng::{Purpose, Rng};
use crate::scene::Scene;
use crate::traffic;
use crate::vote;
use crate::world::World;

/// Fewest and most transactions of a block.
const TRANSACTIONS: (u64, u64) = (1_060, 2_190);
/// Fewest and most transactions that are no votes.
const OTHERS: (u64, u64) = (350, 660);

/// What stands at one place of the block.
#[derive(Clone, Copy)]
enum Entry {
    Vote,
    Traffic,
    Pump(Case),
}

/// The block `index` of `seed`.
pub(crate) fn generate(world: &World, seed: u64, chain: Chain, index: u32) -> GeneratedBlock {
    let mut rng = Rng::new(seed, Purpose::Block, u64::from(index));
    let slot = chain.slot(index);
    let block_time = chain.block_time(index);
    let context = BlockContext {
        recent_blockhash: chain::previous_blockhash(seed, index),
        stack_heights: cases::has_stack_heights(index),
    };
    let entries = entries(&mut rng, index);
    let mut block = GeneratedBlock {
        slot,
        parent_slot: chain.parent_slot(index),
        blockhash: bs58::encode(chain::blockhash(seed, index)).into_string(),
        previous_blockhash: bs58::encode(context.recent_blockhash).into_string(),
        block_time,
        block_height: chain::block_height(index),
        bytes: Vec::new(),
        transaction_count: entries.len() as u32,
        vote_count: entries
            .iter()
            .filter(|entry| matches!(entry, Entry::Vote))
            .count() as u32,
        trades: Vec::new(),
        raw_events: Vec::new(),
        other_events: Vec::new(),
        cases: Vec::new(),
    };
    let mut scene = Scene {
        market: Market::new(world, index, block_time),
        // Each block begins elsewhere among the layouts.
        turn: index * 4,
        rng,
    };
    let mut transactions = Vec::with_capacity(entries.len());
    for (entry, transaction_index) in entries.into_iter().zip(0..) {
        let rng = &mut scene.rng;
        transactions.push(match entry {
            Entry::Vote => {
                vote::transaction(rng, world, &context.recent_blockhash, slot, block_time)
            }
            Entry::Traffic => traffic::transaction(rng, world, &context),
            Entry::Pump(case) => {
                block.cases.push((transaction_index, case));
                perform(&mut scene, case, &context, &mut block, transaction_index)
            }
        });
    }
    block.bytes = encode(&mut scene.rng, world, &block, transactions);
    block
}

/// Kinds of the block's transactions, in order.
fn entries(rng: &mut Rng, index: u32) -> Vec<Entry> {
    let pump = cases::plan(rng, index);
    let others = rng.range(OTHERS.0, OTHERS.1);
    // Votes are 57 to 73 % of the block, within the bounds for all transactions.
    let fewest = (others * 57 / 43 + 1).max(TRANSACTIONS.0 - others);
    let most = (others * 73 / 27).min(TRANSACTIONS.1 - others);
    let votes = rng.range(fewest, most);
    let traffic = (others as usize).saturating_sub(pump.len());
    let mut entries = vec![Entry::Vote; votes as usize];
    entries.extend(std::iter::repeat_n(Entry::Traffic, traffic));
    entries.extend(pump.into_iter().map(Entry::Pump));
    rng.shuffle(&mut entries);
    entries
}

/// Makes the transaction of `case` and notes the truth about its events.
fn perform(
    scene: &mut Scene,
    case: Case,
    context: &BlockContext,
    block: &mut GeneratedBlock,
    transaction_index: u32,
) -> ConfirmedTransaction {
    let before = scene.market.snapshot();
    let Draft {
        builder, emitted, ..
    } = scene.stage(case);
    let failed = builder.failure.is_some();
    if failed {
        scene.market.restore(before);
    }
    let heights: Vec<u32> = builder.calls.iter().map(|call| call.height).collect();
    let built = builder.build(&mut scene.rng, context);
    for (call, event) in emitted {
        let called = built.places[call];
        let place = EventPlace {
            slot: block.slot,
            transaction_index,
            instruction_index: called.instruction_index,
            // Events are always inner instructions here.
            inner_instruction_index: called.inner_instruction_index.unwrap_or_default(),
            stack_height: context.stack_heights.then_some(heights[call]),
            signature: built.signature,
            fee_payer: built.fee_payer,
            outer_program: called.outer_program,
            failed,
        };
        note(block, place, event);
    }
    built.transaction
}

fn note(block: &mut GeneratedBlock, place: EventPlace, event: Emitted) {
    match event {
        Emitted::Trade {
            event,
            layout,
            unknown_trailing_bytes,
        } => block.trades.push(ExpectedTrade {
            place,
            layout: layout.name(),
            unknown_trailing_bytes,
            event: *event,
        }),
        Emitted::Other(event) => block.other_events.push(ExpectedOtherEvent {
            place,
            name: event.name,
            discriminator: event.discriminator,
            payload: event.payload,
        }),
        Emitted::Raw {
            discriminator,
            payload,
            reason,
        } => block.raw_events.push(ExpectedRawEvent {
            place,
            discriminator,
            payload,
            reason,
        }),
    }
}

fn encode(
    rng: &mut Rng,
    world: &World,
    block: &GeneratedBlock,
    transactions: Vec<ConfirmedTransaction>,
) -> Vec<u8> {
    let leader = &rng.pick(&world.validators).identity;
    let reward = Reward {
        pubkey: bs58::encode(leader).into_string(),
        lamports: rng.range(7_000_000, 40_000_000) as i64,
        post_balance: rng.magnitude(13),
        reward_type: RewardType::Fee.into(),
        ..Default::default()
    };
    Block {
        previous_blockhash: block.previous_blockhash.clone(),
        blockhash: block.blockhash.clone(),
        parent_slot: block.parent_slot,
        transactions,
        rewards: vec![reward],
        block_time: UnixTimestamp {
            timestamp: block.block_time,
        }
        .into(),
        block_height: BlockHeight {
            block_height: block.block_height,
        }
        .into(),
        slot: block.slot,
    }
    .encode_to_vec()
}
