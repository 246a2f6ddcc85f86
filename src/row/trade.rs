//! TradeEvent → `Trade`: the list of a row's fields, once for both forms.

use super::Place;
use super::keys::KeyForm;
use super::writer::Texts;
use pumpfun_transactions::output::timestamp;

use crate::event::TradeEvent;
use crate::pb::v1::__buffa::view::raw_trades::TradeView;

impl<F: KeyForm> Texts<F> {
    /// Writes the trade's keys, and gives the row that borrows them.
    ///
    /// The row is one of `RawTrades`, whose keys are bytes, in both forms: the messages have the same fields, and on
    /// the wire a string is its bytes.
    pub(super) fn trade<'r>(
        &'r mut self,
        place: &Place<'_>,
        event: &'r TradeEvent,
    ) -> TradeView<'r> {
        let TradeEvent {
            v0,
            v1,
            v2,
            v3,
            v4,
            v5,
            v6,
            v6b,
            v8,
            v9,
            ..
        } = event;
        let quote = event.quote();
        F::write(Some(&v0.mint), &mut self.mint);
        F::write(Some(&v0.user), &mut self.user);
        F::write(
            v2.as_ref().map(|v2| &v2.fee_recipient),
            &mut self.fee_recipient,
        );
        F::write(v2.as_ref().map(|v2| &v2.creator), &mut self.creator);
        F::write(Some(&quote.mint), &mut self.quote_mint);

        TradeView {
            id: &self.id,
            slot: place.slot,
            block_time: timestamp(place.block_time),
            transaction_index: place.transaction_index,
            instruction_index: place.instruction_index,
            inner_instruction_index: place.inner_instruction_index,
            stack_height: place.stack_height,
            signature: &self.signature,
            fee_payer: &self.fee_payer,
            outer_program: &self.outer_program,
            failed: place.failed,

            mint: &self.mint,
            sol_amount: v0.sol_amount,
            token_amount: v0.token_amount,
            is_buy: v0.is_buy,
            user: &self.user,
            event_timestamp: v0.timestamp,
            virtual_sol_reserves: v0.virtual_sol_reserves,
            virtual_token_reserves: v0.virtual_token_reserves,

            real_sol_reserves: v1.as_ref().map(|v1| v1.real_sol_reserves),
            real_token_reserves: v1.as_ref().map(|v1| v1.real_token_reserves),

            fee_recipient: v2.as_ref().map(|_| &*self.fee_recipient),
            fee_basis_points: v2.as_ref().map(|v2| v2.fee_basis_points),
            fee: v2.as_ref().map(|v2| v2.fee),
            creator: v2.as_ref().map(|_| &*self.creator),
            creator_fee_basis_points: v2.as_ref().map(|v2| v2.creator_fee_basis_points),
            creator_fee: v2.as_ref().map(|v2| v2.creator_fee),

            track_volume: v3.as_ref().map(|v3| v3.track_volume),
            total_unclaimed_tokens: v3.as_ref().map(|v3| v3.total_unclaimed_tokens),
            total_claimed_tokens: v3.as_ref().map(|v3| v3.total_claimed_tokens),
            current_sol_volume: v3.as_ref().map(|v3| v3.current_sol_volume),
            last_update_timestamp: v3.as_ref().map(|v3| v3.last_update_timestamp),

            ix_name: v4.as_ref().map(|v4| v4.ix_name.as_str()),

            mayhem_mode: v5.as_ref().map(|v5| v5.mayhem_mode),

            cashback_fee_basis_points: v6.as_ref().map(|v6| v6.cashback_fee_basis_points),
            cashback: v6.as_ref().map(|v6| v6.cashback),

            buyback_fee_basis_points: v6b.as_ref().map(|v6b| v6b.buyback_fee_basis_points),
            buyback_fee: v6b.as_ref().map(|v6b| v6b.buyback_fee),

            quote_mint: &self.quote_mint,
            quote_amount: quote.amount,
            virtual_quote_reserves: quote.virtual_reserves,
            real_quote_reserves: quote.real_reserves,

            holder_rewards_bps: v8.as_ref().map(|v8| v8.holder_rewards_bps),
            holder_rewards: v8.as_ref().map(|v8| v8.holder_rewards),

            creator_fee_unclaimed: v9.as_ref().map(|v9| v9.creator_fee_unclaimed),

            layout: event.layout,
            unknown_trailing_bytes: event.unknown_trailing_bytes,
        }
    }
}
