//! TradeEvent → `Trade` and `TradeShareholder` rows, in both forms from one list of fields.

use buffa::MessageFieldView;
use buffa_types::google::protobuf::__buffa::view::TimestampView;

use super::Place;
use super::keys::{Base58, KeyForm, RawBytes};
use super::writer::{RowWriter, Texts};
use crate::event::{TradeEvent, Unreadable};
use crate::pb::v1;

/// A form that rows are written in.
pub trait RowForm: KeyForm {
    /// Adds a trade and the shareholders that it names.
    fn push_trade(rows: &mut RowWriter<Self>, place: &Place<'_>, event: &TradeEvent);

    /// Adds an event, discriminator and payload, that cannot be read.
    fn push_raw_event(
        rows: &mut RowWriter<Self>,
        place: &Place<'_>,
        event: &[u8],
        reason: &Unreadable,
    );
}

impl<F: RowForm> RowWriter<F> {
    /// Adds a trade and the shareholders that it names.
    pub fn push_trade(&mut self, place: &Place<'_>, event: &TradeEvent) {
        F::push_trade(self, place, event);
    }

    /// Adds an event, discriminator and payload, that cannot be read.
    pub fn push_raw_event(&mut self, place: &Place<'_>, event: &[u8], reason: &Unreadable) {
        F::push_raw_event(self, place, event, reason);
    }
}

/// Field numbers of the output messages.
const TRADES: u32 = 1;
const SHAREHOLDERS: u32 = 2;
const RAW_EVENTS: u32 = 3;

fn timestamp(place: &Place<'_>) -> MessageFieldView<TimestampView<'static>> {
    match place.block_time {
        Some(seconds) => MessageFieldView::set(TimestampView {
            seconds,
            ..Default::default()
        }),
        None => MessageFieldView::unset(),
    }
}

/// `$form` is the form of keys, `$views` the module of the rows' views.
macro_rules! rows_with_keys {
    ($form:ty, $views:path) => {
        const _: () = {
            use $views as views;

            impl RowForm for $form {
                fn push_trade(rows: &mut RowWriter<Self>, place: &Place<'_>, event: &TradeEvent) {
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
                    let (v1, v2, v3, v4, v5) = (
                        v1.as_ref(),
                        v2.as_ref(),
                        v3.as_ref(),
                        v4.as_ref(),
                        v5.as_ref(),
                    );
                    let (v6, v6b, v8, v9) = (v6.as_ref(), v6b.as_ref(), v8.as_ref(), v9.as_ref());
                    let quote = event.quote();

                    rows.write_place(place);
                    let (mut sink, texts) = rows.parts();
                    Self::write(&v0.mint, &mut texts.mint);
                    Self::write(&v0.user, &mut texts.user);
                    if let Some(v2) = v2 {
                        Self::write(&v2.fee_recipient, &mut texts.fee_recipient);
                        Self::write(&v2.creator, &mut texts.creator);
                    }
                    Self::write(&quote.mint, &mut texts.quote_mint);
                    let Texts {
                        id,
                        signature,
                        fee_payer,
                        outer_program,
                        ..
                    } = &*texts;
                    let Texts {
                        mint,
                        user,
                        fee_recipient,
                        creator,
                        quote_mint,
                        ..
                    } = &*texts;

                    sink.push(
                        TRADES,
                        &views::TradeView {
                            id,
                            slot: place.slot,
                            block_time: timestamp(place),
                            transaction_index: place.transaction_index,
                            instruction_index: place.instruction_index,
                            inner_instruction_index: place.inner_instruction_index,
                            stack_height: place.stack_height,
                            signature,
                            fee_payer,
                            outer_program,
                            failed: place.failed,

                            mint,
                            sol_amount: v0.sol_amount,
                            token_amount: v0.token_amount,
                            is_buy: v0.is_buy,
                            user,
                            event_timestamp: v0.timestamp,
                            virtual_sol_reserves: v0.virtual_sol_reserves,
                            virtual_token_reserves: v0.virtual_token_reserves,

                            real_sol_reserves: v1.map(|v1| v1.real_sol_reserves),
                            real_token_reserves: v1.map(|v1| v1.real_token_reserves),

                            fee_recipient: v2.map(|_| &**fee_recipient),
                            fee_basis_points: v2.map(|v2| v2.fee_basis_points),
                            fee: v2.map(|v2| v2.fee),
                            creator: v2.map(|_| &**creator),
                            creator_fee_basis_points: v2.map(|v2| v2.creator_fee_basis_points),
                            creator_fee: v2.map(|v2| v2.creator_fee),

                            track_volume: v3.map(|v3| v3.track_volume),
                            total_unclaimed_tokens: v3.map(|v3| v3.total_unclaimed_tokens),
                            total_claimed_tokens: v3.map(|v3| v3.total_claimed_tokens),
                            current_sol_volume: v3.map(|v3| v3.current_sol_volume),
                            last_update_timestamp: v3.map(|v3| v3.last_update_timestamp),

                            ix_name: v4.map(|v4| v4.ix_name.as_str()),

                            mayhem_mode: v5.map(|v5| v5.mayhem_mode),

                            cashback_fee_basis_points: v6.map(|v6| v6.cashback_fee_basis_points),
                            cashback: v6.map(|v6| v6.cashback),

                            buyback_fee_basis_points: v6b.map(|v6b| v6b.buyback_fee_basis_points),
                            buyback_fee: v6b.map(|v6b| v6b.buyback_fee),

                            quote_mint,
                            quote_amount: quote.amount,
                            virtual_quote_reserves: quote.virtual_reserves,
                            real_quote_reserves: quote.real_reserves,

                            holder_rewards_bps: v8.map(|v8| v8.holder_rewards_bps),
                            holder_rewards: v8.map(|v8| v8.holder_rewards),

                            creator_fee_unclaimed: v9.map(|v9| v9.creator_fee_unclaimed),

                            layout: event.layout,
                            unknown_trailing_bytes: event.unknown_trailing_bytes,
                        },
                    );

                    let shareholders = v7.iter().flat_map(|v7| &v7.shareholders);
                    for (position, shareholder) in (0..).zip(shareholders) {
                        // The mint's text has been used.
                        Self::write(&shareholder.address, &mut texts.mint);
                        sink.push(
                            SHAREHOLDERS,
                            &views::TradeShareholderView {
                                trade_id: &texts.id,
                                position,
                                address: &texts.mint,
                                share_bps: shareholder.share_bps.into(),
                            },
                        );
                    }
                }

                fn push_raw_event(
                    rows: &mut RowWriter<Self>,
                    place: &Place<'_>,
                    event: &[u8],
                    reason: &Unreadable,
                ) {
                    rows.write_place(place);
                    let (mut sink, texts) = rows.parts();
                    let (discriminator, data) = event.split_at_checked(8).unwrap_or((event, &[]));
                    sink.push(
                        RAW_EVENTS,
                        &views::RawEventView {
                            id: &texts.id,
                            slot: place.slot,
                            block_time: timestamp(place),
                            transaction_index: place.transaction_index,
                            instruction_index: place.instruction_index,
                            inner_instruction_index: place.inner_instruction_index,
                            stack_height: place.stack_height,
                            signature: &texts.signature,
                            fee_payer: &texts.fee_payer,
                            outer_program: &texts.outer_program,
                            failed: place.failed,
                            discriminator: &substreams::Hex::encode(discriminator),
                            data: &substreams::Hex::encode(data),
                            reason: &reason.to_string(),
                        },
                    );
                }
            }
        };
    };
}

rows_with_keys!(Base58, v1::__buffa::view);
rows_with_keys!(RawBytes, v1::__buffa::view::raw_trades);
