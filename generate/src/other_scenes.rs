//! Transactions around Pump's other events, and around events that cannot become rows.

use crate::cases::Case;
use crate::coin::Coin;
use crate::expected::RawEventReason;
use crate::keys::Key;
use crate::market::{self, Order};
use crate::other_events::{self, OtherEvent};
use crate::pump::{Draft, Hop};
use crate::scene::{Scene, Wish};
use crate::trade_event::{IS_BUY_OFFSET, Layout, TRADE_EVENT};

/// Discriminators that no published event of Pump has.
const UNPUBLISHED: [[u8; 8]; 3] = [*b"unknown0", *b"unknown1", *b"unknown2"];

impl<'w> Scene<'w> {
    /// The transaction for a case about other events.
    pub(crate) fn stage_event(&mut self, case: Case) -> Draft<'w> {
        match case {
            Case::CreateAndBuy => self.create_and_buy(),
            Case::Complete => self.complete(false),
            Case::PostCompleteBuy => self.complete(true),
            Case::SweepFees => self.sweep_fees(),
            Case::ShortTradeEvent => self.raw_event(RawEventReason::TooShort, false),
            Case::ShortTradeEventFailed => self.raw_event(RawEventReason::TooShort, true),
            Case::InvalidSide => self.raw_event(RawEventReason::InvalidBool, false),
            Case::InvalidSideFailed => self.raw_event(RawEventReason::InvalidBool, true),
            Case::UnknownEvent => self.raw_event(RawEventReason::UnknownDiscriminator, false),
            Case::UnknownEventFailed => self.raw_event(RawEventReason::UnknownDiscriminator, true),
            other => self.single(other),
        }
    }

    /// One Pump instruction with one event.
    fn single(&mut self, case: Case) -> Draft<'w> {
        let (mut draft, payer) = self.begin(false);
        let time = self.market.block_time;
        let world = self.market.world;
        let rng = &mut self.rng;
        let chosen = rng.pick(&world.coins);
        let mayhem = world.coins.iter().find(|coin| coin.mayhem);
        let (coin, event, says) = match case {
            Case::Migrate => {
                let event = other_events::migrate(rng, chosen, &payer, time);
                (chosen, event, "Instruction: Migrate")
            }
            Case::CollectCreatorFee => {
                let event = other_events::collect_creator_fee(rng, chosen, time);
                (chosen, event, "Instruction: CollectCreatorFee")
            }
            Case::MayhemUpdate => {
                let coin = mayhem.unwrap_or(chosen);
                let curve = coin.new_curve();
                let event = other_events::mayhem_update(rng, coin, &curve, time);
                (coin, event, "Instruction: UpdateMayhemVirtualParams")
            }
            _ => {
                let event = other_events::set_creator(rng, chosen, time);
                (chosen, event, "Instruction: SetCreator")
            }
        };
        draft.instruct(rng, 1, coin, says);
        draft.emit_other(2, event.cut(rng));
        draft
    }

    /// A coin is created, its account grown, and bought by its creator.
    fn create_and_buy(&mut self) -> Draft<'w> {
        let (mut draft, payer) = self.begin(false);
        let time = self.market.block_time;
        let coin = self.fresh_coin();
        let rng = &mut self.rng;
        draft.instruct(rng, 1, &coin, "Instruction: CreateV2");
        let event = other_events::create(rng, &coin, &payer, time);
        draft.emit_other(2, event.cut(rng));
        draft.instruct(rng, 1, &coin, "Instruction: ExtendAccount");
        draft.emit_other(2, other_events::extend_account(&coin, &payer, time));
        let order = self.order(payer, Layout::V7, Some(true));
        let mut curve = coin.new_curve();
        let world = self.market.world;
        let event = market::trade(&mut self.rng, world, &coin, &mut curve, &order, time);
        draft.trade(&mut self.rng, 1, vec![hop(&coin, event, order.layout)]);
        draft
    }

    /// A curve's last tokens are bought; with `buys_on` the buyer's rest goes into the new pool.
    fn complete(&mut self, buys_on: bool) -> Draft<'w> {
        let (mut draft, payer) = self.begin(false);
        let time = self.market.block_time;
        let coin = self.fresh_coin();
        let oldest = if buys_on { Layout::V9 } else { Layout::V7 };
        let mut order = self.order(payer, oldest, Some(true));
        order.v3 |= buys_on;
        let mut curve = coin.curve_at(0);
        let world = self.market.world;
        let event = market::complete(&mut self.rng, world, &coin, &mut curve, &order, time);
        draft.trade(&mut self.rng, 1, vec![hop(&coin, event, order.layout)]);
        let rng = &mut self.rng;
        let completed = other_events::complete(&coin, &payer, time);
        let completed: OtherEvent = if buys_on {
            completed
        } else {
            completed.cut(rng)
        };
        draft.emit_other(2, completed);
        if buys_on {
            let event = other_events::post_complete_buy(rng, &coin, &curve, &payer, time);
            draft.emit_other(2, event);
        }
        draft
    }

    fn sweep_fees(&mut self) -> Draft<'w> {
        let (mut draft, _) = self.begin(false);
        let time = self.market.block_time;
        let rng = &mut self.rng;
        let coin = rng.pick(&self.market.world.coins);
        draft.instruct(rng, 1, coin, "Instruction: SweepBondingCurveFee");
        for bucket in [0, 1] {
            draft.emit_other(2, other_events::sweep_fees(rng, coin, bucket, time));
        }
        draft
    }

    /// An unreadable or unknown event, and after it a readable trade that must not suffer from it.
    fn raw_event(&mut self, reason: RawEventReason, failed: bool) -> Draft<'w> {
        let (mut draft, payer) = self.begin(false);
        let broken = self.hop(payer, Wish::ANY);
        let mut payload = broken.event.payload();
        let discriminator = match reason {
            RawEventReason::TooShort => {
                payload.truncate(self.rng.below(105) as usize);
                TRADE_EVENT
            }
            RawEventReason::InvalidBool => {
                payload[IS_BUY_OFFSET] = 7;
                TRADE_EVENT
            }
            RawEventReason::UnknownDiscriminator => {
                let length = self.rng.below(200) as usize;
                payload = self.rng.bytes(length);
                *self.rng.pick(&UNPUBLISHED)
            }
        };
        draft.instruct(&mut self.rng, 1, broken.coin, "Instruction: Buy");
        draft.emit_raw(2, discriminator, payload, reason);
        let hop = self.hop(payer, Wish::ANY);
        draft.trade(&mut self.rng, 1, vec![hop]);
        if failed {
            self.fail(&mut draft);
        }
        draft
    }

    /// A coin of this transaction alone, priced in SOL or USDC as chance has it.
    fn fresh_coin(&mut self) -> Coin {
        let number = self.rng.below(24) as u32;
        Coin::new(&mut self.rng, number)
    }

    fn order(&mut self, user: Key, oldest: Layout, is_buy: Option<bool>) -> Order {
        Order {
            layout: self.layout(oldest, Layout::V9),
            is_buy,
            user,
            v3: false,
            multi_hop: false,
        }
    }
}

fn hop(coin: &Coin, event: crate::trade_event::TradeEvent, layout: Layout) -> Hop<'_> {
    Hop {
        coin,
        event,
        layout,
        tail: Vec::new(),
    }
}
