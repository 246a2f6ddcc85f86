//! Transactions whose trades are out of the ordinary: failed, several, equal, many hops, Mayhem.

use crate::call::{Failure, Role};
use crate::keys::{MAYHEM, MAYHEM_AGENT, PUMP_SWAP, ROUTERS};
use crate::market::Wanted;
use crate::pump::{Draft, Hop};
use crate::scene::{Scene, Wish};
use crate::trade_event::Layout;

impl<'w> Scene<'w> {
    /// Pump listed as writable through a lookup table: legal, though nobody would do it.
    pub(crate) fn lookup_writable(&mut self) -> Draft<'w> {
        let (mut draft, payer) = self.begin(true);
        draft.pump_from(Role::LoadedWritable);
        self.route(&mut draft, payer, 2);
        let hop = self.hop(payer, Wish::ANY);
        draft.trade(&mut self.rng, 2, vec![hop]);
        draft
    }

    /// Trades that a router undid, in turn with trades that a later instruction undid.
    pub(crate) fn failed(&mut self) -> Draft<'w> {
        let mut draft = if self.rng.percent(50) {
            self.routed(2, false, Wish::ANY)
        } else {
            self.direct(Wish::ANY)
        };
        self.fail(&mut draft);
        draft
    }

    /// Lets the transaction fail after all its events: in its router, or in a check at its end.
    pub(crate) fn fail(&mut self, draft: &mut Draft) {
        let outer = draft.builder.calls.iter().rfind(|call| call.height == 1);
        let in_router = outer.is_some_and(|call| {
            ROUTERS
                .iter()
                .any(|router| std::ptr::eq(router, call.program))
        });
        if !in_router {
            let router = self.rng.pick(&ROUTERS);
            let data = self.rng.bytes(16);
            draft
                .builder
                .call(1, router, vec![0], data, "Instruction: CheckProfit");
        }
        draft.builder.failure = Some(Failure {
            code: 0x1772,
            line: "AnchorError occurred. Error Code: TooLittleReceived. Error Number: 6002. Error Message: Too little received.",
        });
    }

    pub(crate) fn several_instructions(&mut self) -> Draft<'w> {
        let (mut draft, payer) = self.begin(false);
        for _ in 0..self.rng.range(1, 4) {
            let hop = self.hop(payer, Wish::ANY);
            draft.trade(&mut self.rng, 1, vec![hop]);
        }
        self.route(&mut draft, payer, 2);
        for _ in 0..self.rng.range(1, 3) {
            let hop = self.hop(payer, Wish::ANY);
            draft.trade(&mut self.rng, 2, vec![hop]);
        }
        draft
    }

    /// `multi_hop_curve_swap`, which only PumpSwap calls: one coin is sold and others are bought.
    pub(crate) fn multi_hop(&mut self) -> Draft<'w> {
        let (mut draft, payer) = self.begin(false);
        self.enter(&mut draft, payer, 1, &PUMP_SWAP);
        let count = self.rng.range(2, 4);
        let hops = (0..count).map(|position| {
            self.hop(
                payer,
                Wish {
                    is_buy: Some(position > 0),
                    v3: true,
                    multi_hop: true,
                    ..Wish::since(Layout::V9)
                },
            )
        });
        let hops = hops.collect();
        draft.trade(&mut self.rng, 2, hops);
        draft
    }

    /// Nothing in the chain's rules keeps two events from being equal; only their place tells them
    /// apart. Here the same buy happens twice on paper.
    pub(crate) fn identical_events(&mut self) -> Draft<'w> {
        let (mut draft, payer) = self.begin(false);
        let hop = self.hop(payer, Wish::ANY);
        let twin = Hop {
            coin: hop.coin,
            event: hop.event.clone(),
            layout: hop.layout,
            tail: Vec::new(),
        };
        draft.trade(&mut self.rng, 1, vec![hop]);
        draft.trade(&mut self.rng, 1, vec![twin]);
        draft
    }

    pub(crate) fn mayhem(&mut self) -> Draft<'w> {
        let (mut draft, payer) = self.begin(false);
        self.enter(&mut draft, payer, 1, &MAYHEM);
        let hop = self.hop(
            payer,
            Wish {
                wanted: Wanted::Mayhem,
                user: Some(MAYHEM_AGENT),
                ..Wish::since(Layout::V5)
            },
        );
        draft.trade(&mut self.rng, 2, vec![hop]);
        draft
    }
}
