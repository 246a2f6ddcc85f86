//! What an ordinary prost module does: prost in, owned rows with bs58 texts, prost out.
//!
//! Its rows are the same field by field; their bytes are not, as prost writes all trades before all shareholders.

use prost::Message;
use prost::bytes::Bytes;
use pumpfun_trades::event::{self, TradeEvent};
use pumpfun_trades::row::Place;

use crate::prost_rows::{RawEvent, Trade, TradeShareholder, Trades};
use crate::{Error, hit, prost_vec};

/// See the module.
///
/// # Errors
///
/// When the block is not valid protobuf.
pub fn prost_and_bs58(block: &Bytes) -> Result<Vec<u8>, Error> {
    let block = prost_vec::Block::decode(&block[..])?;
    let mut rows = Trades::default();
    crate::eager::for_each_event!(block, as_ref, |place, event, program| {
        match program.and_then(|()| event::read_trade(event)) {
            Ok(Some(trade)) => push_trade(&mut rows, &place, &trade),
            Ok(None) => {}
            Err(reason) => rows
                .raw_events
                .push(raw_event(&place, event, reason.to_string())),
        }
    });
    Ok(rows.encode_to_vec())
}

fn text(key: &[u8]) -> String {
    bs58::encode(key).into_string()
}

fn id(place: &Place<'_>) -> String {
    format!(
        "{}-{}-{}-{}",
        place.slot, place.transaction_index, place.instruction_index, place.inner_instruction_index
    )
}

fn time(place: &Place<'_>) -> Option<prost_types::Timestamp> {
    place
        .block_time
        .map(|seconds| prost_types::Timestamp { seconds, nanos: 0 })
}

fn push_trade(rows: &mut Trades, place: &Place<'_>, event: &TradeEvent) {
    let trade = trade(place, event);
    let shareholders = event.v7.iter().flat_map(|v7| &v7.shareholders);
    rows.shareholders
        .extend(
            (0..)
                .zip(shareholders)
                .map(|(position, shareholder)| TradeShareholder {
                    trade_id: trade.id.clone(),
                    position,
                    address: text(&shareholder.address),
                    share_bps: shareholder.share_bps.into(),
                    id: format!("{}-{position}", trade.id),
                    slot: place.slot,
                    block_time: time(place),
                }),
        );
    rows.trades.push(trade);
}

/// A row of its own, owned in every field.
pub fn trade(place: &Place<'_>, event: &TradeEvent) -> Trade {
    let (v0, v1, v2) = (&event.v0, event.v1.as_ref(), event.v2.as_ref());
    let (v3, v6, v6b) = (event.v3.as_ref(), event.v6.as_ref(), event.v6b.as_ref());
    let (v8, v9) = (event.v8.as_ref(), event.v9.as_ref());
    let quote = event.quote();
    Trade {
        id: id(place),
        slot: place.slot,
        block_time: time(place),
        transaction_index: place.transaction_index,
        instruction_index: place.instruction_index,
        inner_instruction_index: place.inner_instruction_index,
        stack_height: place.stack_height,
        signature: place.signature.map_or_else(String::new, |s| text(s)),
        fee_payer: place.fee_payer.map_or_else(String::new, |k| text(k)),
        outer_program: place.outer_program.map_or_else(String::new, |k| text(k)),
        failed: place.failed,
        mint: text(&v0.mint),
        user: text(&v0.user),
        is_buy: v0.is_buy,
        sol_amount: v0.sol_amount,
        token_amount: v0.token_amount,
        event_timestamp: v0.timestamp,
        virtual_sol_reserves: v0.virtual_sol_reserves,
        virtual_token_reserves: v0.virtual_token_reserves,
        real_sol_reserves: v1.map(|v1| v1.real_sol_reserves),
        real_token_reserves: v1.map(|v1| v1.real_token_reserves),
        fee_recipient: v2.map(|v2| text(&v2.fee_recipient)),
        fee_basis_points: v2.map(|v2| v2.fee_basis_points),
        fee: v2.map(|v2| v2.fee),
        creator: v2.map(|v2| text(&v2.creator)),
        creator_fee_basis_points: v2.map(|v2| v2.creator_fee_basis_points),
        creator_fee: v2.map(|v2| v2.creator_fee),
        track_volume: v3.map(|v3| v3.track_volume),
        total_unclaimed_tokens: v3.map(|v3| v3.total_unclaimed_tokens),
        total_claimed_tokens: v3.map(|v3| v3.total_claimed_tokens),
        current_sol_volume: v3.map(|v3| v3.current_sol_volume),
        last_update_timestamp: v3.map(|v3| v3.last_update_timestamp),
        ix_name: event.v4.as_ref().map(|v4| v4.ix_name.as_str().to_owned()),
        mayhem_mode: event.v5.as_ref().map(|v5| v5.mayhem_mode),
        cashback_fee_basis_points: v6.map(|v6| v6.cashback_fee_basis_points),
        cashback: v6.map(|v6| v6.cashback),
        buyback_fee_basis_points: v6b.map(|v6b| v6b.buyback_fee_basis_points),
        buyback_fee: v6b.map(|v6b| v6b.buyback_fee),
        quote_mint: text(&quote.mint),
        quote_amount: quote.amount,
        virtual_quote_reserves: quote.virtual_reserves,
        real_quote_reserves: quote.real_reserves,
        holder_rewards_bps: v8.map(|v8| v8.holder_rewards_bps),
        holder_rewards: v8.map(|v8| v8.holder_rewards),
        creator_fee_unclaimed: v9.map(|v9| v9.creator_fee_unclaimed),
        layout: event.layout.to_owned(),
        unknown_trailing_bytes: event.unknown_trailing_bytes,
    }
}

fn raw_event(place: &Place<'_>, data: &[u8], reason: String) -> RawEvent {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let (discriminator, payload) = data.split_at_checked(8).unwrap_or((data, &[]));
    RawEvent {
        id: id(place),
        slot: place.slot,
        block_time: time(place),
        transaction_index: place.transaction_index,
        instruction_index: place.instruction_index,
        inner_instruction_index: place.inner_instruction_index,
        stack_height: place.stack_height,
        signature: place.signature.map_or_else(String::new, |s| text(s)),
        fee_payer: place.fee_payer.map_or_else(String::new, |k| text(k)),
        outer_program: place.outer_program.map_or_else(String::new, |k| text(k)),
        failed: place.failed,
        discriminator: hex(discriminator),
        data: hex(payload),
        reason,
        event_name: data
            .first_chunk()
            .and_then(event::name)
            .unwrap_or_default()
            .to_owned(),
    }
}
