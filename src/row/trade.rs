//! TradeEvent → `Trade` and `TradeShareholder` rows, in both forms from one list of fields.

use buffa::MessageField;

use super::{Place, Rows, keys};
use crate::event::{TradeEvent, Unreadable};
use crate::pb::v1::{self, RawTrades, Trades, raw_trades};

/// `$rows` is the block's message, `$messages` the module that holds its rows' messages, and `$key` writes a key
/// as a `$Key`.
macro_rules! rows_with_keys {
    ($rows:ty, $messages:ident, $key:path => $Key:ty) => {
        impl Rows for $rows {
            type Key = $Key;

            fn key(bytes: &[u8]) -> $Key {
                $key(bytes)
            }

            fn push_trade(&mut self, place: Place<'_, $Key>, event: TradeEvent) {
                let quote = event.quote();
                let TradeEvent {
                    v0,
                    v1,
                    v2,
                    v3,
                    v4,
                    v5,
                    v6,
                    v6b,
                    v7,
                    v8,
                    v9,
                    ..
                } = event;
                let (v1, v2, v3) = (v1.as_ref(), v2.as_ref(), v3.as_ref());
                let (v6, v6b, v8, v9) = (v6.as_ref(), v6b.as_ref(), v8.as_ref(), v9.as_ref());
                let id = place.id();
                for (position, shareholder) in
                    (0..).zip(v7.into_iter().flat_map(|v7| v7.shareholders))
                {
                    self.shareholders.push($messages::TradeShareholder {
                        trade_id: id.clone(),
                        position,
                        address: $key(&shareholder.address),
                        share_bps: shareholder.share_bps.into(),
                    });
                }
                self.trades.push($messages::Trade {
                    id,
                    slot: place.block.slot(),
                    block_time: MessageField::from(place.block.block_time().cloned()),
                    transaction_index: place.transaction_index,
                    instruction_index: place.site.instruction_index,
                    inner_instruction_index: place.site.inner_instruction_index,
                    stack_height: place.site.stack_height,
                    signature: place.keys.signature.clone(),
                    fee_payer: place.keys.fee_payer.clone(),
                    outer_program: place.outer_program,
                    failed: place.failed,

                    mint: $key(&v0.mint),
                    sol_amount: v0.sol_amount,
                    token_amount: v0.token_amount,
                    is_buy: v0.is_buy,
                    user: $key(&v0.user),
                    event_timestamp: v0.timestamp,
                    virtual_sol_reserves: v0.virtual_sol_reserves,
                    virtual_token_reserves: v0.virtual_token_reserves,

                    real_sol_reserves: v1.map(|v1| v1.real_sol_reserves),
                    real_token_reserves: v1.map(|v1| v1.real_token_reserves),

                    fee_recipient: v2.map(|v2| $key(&v2.fee_recipient)),
                    fee_basis_points: v2.map(|v2| v2.fee_basis_points),
                    fee: v2.map(|v2| v2.fee),
                    creator: v2.map(|v2| $key(&v2.creator)),
                    creator_fee_basis_points: v2.map(|v2| v2.creator_fee_basis_points),
                    creator_fee: v2.map(|v2| v2.creator_fee),

                    track_volume: v3.map(|v3| v3.track_volume),
                    total_unclaimed_tokens: v3.map(|v3| v3.total_unclaimed_tokens),
                    total_claimed_tokens: v3.map(|v3| v3.total_claimed_tokens),
                    current_sol_volume: v3.map(|v3| v3.current_sol_volume),
                    last_update_timestamp: v3.map(|v3| v3.last_update_timestamp),

                    ix_name: v4.map(|v4| v4.ix_name.0),

                    mayhem_mode: v5.map(|v5| v5.mayhem_mode),

                    cashback_fee_basis_points: v6.map(|v6| v6.cashback_fee_basis_points),
                    cashback: v6.map(|v6| v6.cashback),

                    buyback_fee_basis_points: v6b.map(|v6b| v6b.buyback_fee_basis_points),
                    buyback_fee: v6b.map(|v6b| v6b.buyback_fee),

                    quote_mint: $key(&quote.mint),
                    quote_amount: quote.amount,
                    virtual_quote_reserves: quote.virtual_reserves,
                    real_quote_reserves: quote.real_reserves,

                    holder_rewards_bps: v8.map(|v8| v8.holder_rewards_bps),
                    holder_rewards: v8.map(|v8| v8.holder_rewards),

                    creator_fee_unclaimed: v9.map(|v9| v9.creator_fee_unclaimed),

                    layout: event.layout.to_owned(),
                    unknown_trailing_bytes: event.unknown_trailing_bytes,
                });
            }

            fn push_raw_event(&mut self, place: Place<'_, $Key>, data: &[u8], reason: &Unreadable) {
                let (discriminator, data) = data.split_at_checked(8).unwrap_or((data, &[]));
                self.raw_events.push($messages::RawEvent {
                    id: place.id(),
                    slot: place.block.slot(),
                    block_time: MessageField::from(place.block.block_time().cloned()),
                    transaction_index: place.transaction_index,
                    instruction_index: place.site.instruction_index,
                    inner_instruction_index: place.site.inner_instruction_index,
                    stack_height: place.site.stack_height,
                    signature: place.keys.signature.clone(),
                    fee_payer: place.keys.fee_payer.clone(),
                    outer_program: place.outer_program,
                    failed: place.failed,
                    discriminator: keys::hex(discriminator),
                    data: keys::hex(data),
                    reason: reason.to_string(),
                });
            }

            fn is_empty(&self) -> bool {
                self.trades.is_empty() && self.raw_events.is_empty()
            }
        }
    };
}

rows_with_keys!(Trades, v1, keys::base58 => String);
rows_with_keys!(RawTrades, raw_trades, keys::raw => Vec<u8>);
