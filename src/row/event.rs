//! The other events → rows of `Events`, field by field as the event tells them.
//!
//! [`Fields`] says how.

use super::Place;
use super::encoder::RowEncoder;
use super::keys::Base58;
use super::writer::RowWriter;
use crate::event::fields::{EventFields, Fields, Value};
use crate::event::{Event, PostCompleteBuyEvent, Unreadable};
use crate::program::Pubkey;

/// Field numbers of `Events`, behind those that it shares with `Trades`.
mod kind {
    pub(super) const CREATIONS: u32 = 4;
    pub(super) const COMPLETIONS: u32 = 5;
    pub(super) const POST_COMPLETION_BUYS: u32 = 6;
    pub(super) const MIGRATIONS: u32 = 7;
    pub(super) const CREATOR_CHANGES: u32 = 8;
    pub(super) const MAYHEM_UPDATES: u32 = 9;
    pub(super) const FEE_COLLECTIONS: u32 = 10;
    pub(super) const FEE_SWEEPS: u32 = 11;
}

/// The rows of `Events` of a block.
#[derive(Default)]
pub struct EventWriter {
    rows: RowWriter<Base58>,
    trades: TradesOfInstruction,
}

impl EventWriter {
    /// Adds an event, whose bytes are `data`.
    pub fn push(&mut self, place: &Place<'_>, event: &Event, data: &[u8]) {
        match event {
            Event::Trade(event) => {
                self.trades.insert(place, &event.v0.mint);
                self.rows.push_trade(place, event);
            }
            Event::PostCompleteBuy(event) => self.push_post_completion_buy(place, event),
            Event::Create(event) => self.push_row(kind::CREATIONS, place, event),
            Event::Complete(event) => self.push_row(kind::COMPLETIONS, place, event),
            Event::CompletePumpAmmMigration(event) => self.push_row(kind::MIGRATIONS, place, event),
            Event::SetCreator(event) => self.push_row(kind::CREATOR_CHANGES, place, event),
            Event::AdminSetCreator(event) => self.push_row(kind::CREATOR_CHANGES, place, event),
            Event::AdminCto(event) => self.push_row(kind::CREATOR_CHANGES, place, event),
            Event::SetMetaplexCreator(event) => self.push_row(kind::CREATOR_CHANGES, place, event),
            Event::MigrateBondingCurveCreator(event) => {
                self.push_row(kind::CREATOR_CHANGES, place, event)
            }
            Event::UpdateMayhemVirtualParams(event) => {
                self.push_row(kind::MAYHEM_UPDATES, place, event)
            }
            Event::CollectCreatorFee(event) => self.push_row(kind::FEE_COLLECTIONS, place, event),
            Event::SweepBondingCurveFee(event) => self.push_row(kind::FEE_SWEEPS, place, event),
            Event::Other(_) => self.rows.push_raw_event(place, data, None),
        }
    }

    /// Adds an event that cannot be read.
    pub fn push_unreadable(&mut self, place: &Place<'_>, data: &[u8], reason: &Unreadable) {
        self.rows.push_raw_event(place, data, Some(reason));
    }

    /// The bytes of the output message.
    pub fn into_bytes(self) -> Vec<u8> {
        self.rows.into_bytes()
    }

    fn push_row(&mut self, kind: u32, place: &Place<'_>, event: &dyn EventFields) {
        let mut row = self.begin_row(place, event);
        event.fields(&mut row);
        self.rows.sink.push_encoded(kind, &row);
    }

    /// The fields that every row begins with.
    fn begin_row(&mut self, place: &Place<'_>, event: &dyn EventFields) -> RowEncoder {
        let mut row = self.rows.begin_row(place);
        row.required("layout", Value::Text(event.layout()));
        let unknown = event.unknown_trailing_bytes();
        row.required("unknown_trailing_bytes", Value::Unsigned(unknown.into()));
        row
    }

    /// Its row begins with the trade that it goes on from.
    fn push_post_completion_buy(&mut self, place: &Place<'_>, event: &PostCompleteBuyEvent) {
        let trade_id = self.trades.last(place, &event.v0.mint).map(|trade| {
            let mut id = String::new();
            trade.write_id(&mut id);
            id
        });
        let mut row = self.begin_row(place, event);
        row.optional("trade_id", trade_id.as_deref().map(Value::Text));
        event.fields(&mut row);
        self.rows
            .sink
            .push_encoded(kind::POST_COMPLETION_BUYS, &row);
    }
}

/// Instructions that a transaction can run, inner ones included (Solana's limit on its trace): no trade further back
/// is looked at, so that no block takes time by the square of what it can hold.
const MOST_INSTRUCTIONS: usize = 64;

/// The trades of the outer instruction in hand.
#[derive(Default)]
struct TradesOfInstruction {
    /// Indexes of the transaction and of its outer instruction.
    instruction: Option<(u32, u32)>,
    /// Mint and inner index of each.
    trades: Vec<(Pubkey, u32)>,
}

impl TradesOfInstruction {
    fn insert(&mut self, place: &Place<'_>, mint: &Pubkey) {
        let instruction = Some((place.transaction_index, place.instruction_index));
        if self.instruction != instruction {
            self.instruction = instruction;
            self.trades.clear();
        }
        self.trades.push((*mint, place.inner_instruction_index));
    }

    /// The place of the last trade of `mint`, if there is one in the outer instruction of `place`.
    fn last<'a>(&self, place: &Place<'a>, mint: &Pubkey) -> Option<Place<'a>> {
        if self.instruction != Some((place.transaction_index, place.instruction_index)) {
            return None;
        }
        let mut latest = self.trades.iter().rev().take(MOST_INSTRUCTIONS);
        let last = latest.find(|(traded, _)| traded == mint);
        last.map(|(_, inner_instruction_index)| Place {
            inner_instruction_index: *inner_instruction_index,
            ..*place
        })
    }
}
