//! Makes the transaction of a case.
//!
//! A scene holds what the transactions of one block share: its random numbers, its market, and the
//! turn of the layouts, which are dealt out one after the other so that each is met equally often.

use crate::call::Role;
use crate::cases::Case;
use crate::keys::{Key, Program, ROUTERS};
use crate::market::{Market, Order, Wanted};
use crate::pump::{Draft, Hop};
use crate::rng::Rng;
use crate::steps;
use crate::tails;
use crate::trade_event::Layout;

/// What the trades of a case have to be like.
#[derive(Clone, Copy)]
pub(crate) struct Wish {
    /// Oldest layout that can show it.
    pub(crate) oldest: Layout,
    /// Newest layout that can show it.
    pub(crate) newest: Layout,
    pub(crate) wanted: Wanted,
    pub(crate) user: Option<Key>,
    pub(crate) is_buy: Option<bool>,
    pub(crate) v3: bool,
    pub(crate) multi_hop: bool,
    pub(crate) tail: bool,
}

impl Wish {
    pub(crate) const ANY: Self = Self {
        oldest: Layout::V0,
        newest: Layout::V9,
        wanted: Wanted::Any,
        user: None,
        is_buy: None,
        v3: false,
        multi_hop: false,
        tail: false,
    };

    pub(crate) const fn since(oldest: Layout) -> Self {
        Self {
            oldest,
            ..Self::ANY
        }
    }
}

/// What the transactions of a block share.
pub(crate) struct Scene<'w> {
    pub(crate) rng: Rng,
    pub(crate) market: Market<'w>,
    /// Number of the next trade, which decides its layout.
    pub(crate) turn: u32,
}

impl<'w> Scene<'w> {
    /// The transaction for `case`.
    pub(crate) fn stage(&mut self, case: Case) -> Draft<'w> {
        match case {
            Case::Direct => self.direct(Wish::ANY),
            Case::Routed => self.routed(2, false, Wish::ANY),
            Case::RoutedTwice => self.routed(3, false, Wish::ANY),
            Case::LookupReadonly => self.routed(2, true, Wish::ANY),
            Case::LookupWritable => self.lookup_writable(),
            Case::Failed => self.failed(),
            Case::SeveralInstructions => self.several_instructions(),
            Case::MultiHop => self.multi_hop(),
            Case::IdenticalEvents => self.identical_events(),
            Case::UnknownTail => self.direct(Wish {
                newest: Layout::V8,
                tail: true,
                ..Wish::ANY
            }),
            Case::UnknownTailNewest => self.direct(Wish {
                tail: true,
                ..Wish::since(Layout::V9)
            }),
            Case::QuotePriced => self.direct(Wish {
                wanted: Wanted::QuotePriced,
                ..Wish::since(Layout::V7)
            }),
            Case::Shareholders => self.direct(Wish {
                wanted: Wanted::Shared,
                ..Wish::since(Layout::V7)
            }),
            Case::Mayhem => self.mayhem(),
            Case::HolderRewards => self.direct(Wish {
                wanted: Wanted::HolderRewards,
                ..Wish::since(Layout::V8)
            }),
            Case::V3Name => self.direct(Wish {
                v3: true,
                ..Wish::since(Layout::V9)
            }),
            Case::TruncatedLog => {
                let mut draft = self.routed(2, false, Wish::ANY);
                draft.builder.log_limit = 900;
                draft
            }
            Case::Lookalike => self.lookalike(),
            Case::LookalikeBesideTrade => self.lookalike_beside_trade(),
            Case::LookalikeBesideMention => self.lookalike_beside_mention(),
            Case::PumpInAccounts => self.mention(Role::Readonly),
            Case::PumpInLookup => self.mention(Role::LoadedReadonly),
            Case::PumpInData => self.pump_in_data(),
            other => self.stage_event(other),
        }
    }

    /// An empty transaction of a random wallet, its compute budget set.
    pub(crate) fn begin(&mut self, loaded: bool) -> (Draft<'w>, Key) {
        let world = self.market.world;
        let payer = self.rng.pick(&world.wallets).key;
        let mut tables = Vec::new();
        if loaded {
            for _ in 0..self.rng.range(1, 3) {
                tables.push(*self.rng.pick(&world.lookup_tables));
            }
        }
        let mut draft = Draft::new(world, payer, &tables);
        steps::compute_budget(&mut draft.builder, &mut self.rng);
        (draft, payer)
    }

    /// The next layout in turn, or one by chance where the turn's is out of bounds.
    pub(crate) fn layout(&mut self, oldest: Layout, newest: Layout) -> Layout {
        let in_turn = Layout::ALL[self.turn as usize % Layout::ALL.len()];
        self.turn += 1;
        if (oldest..=newest).contains(&in_turn) {
            return in_turn;
        }
        let fitting = Layout::ALL
            .iter()
            .filter(|layout| (oldest..=newest).contains(*layout));
        let fitting: Vec<Layout> = fitting.copied().collect();
        *self.rng.pick(&fitting)
    }

    /// A trade of `user` as `wish` has it.
    pub(crate) fn hop(&mut self, user: Key, wish: Wish) -> Hop<'w> {
        let layout = self.layout(wish.oldest, wish.newest);
        let order = Order {
            layout,
            is_buy: wish.is_buy,
            user: wish.user.unwrap_or(user),
            // Half of the trades in the newest layout come from the v3 instructions.
            v3: wish.v3 || (layout == Layout::V9 && self.rng.percent(50)),
            multi_hop: wish.multi_hop,
        };
        let number = self.market.choose(&mut self.rng, layout, wish.wanted);
        let event = self.market.trade(&mut self.rng, number, &order);
        let tail = if wish.tail {
            tails::unknown(&mut self.rng, layout)
        } else {
            Vec::new()
        };
        Hop {
            coin: &self.market.world.coins[number],
            event,
            layout,
            tail,
        }
    }

    /// A trade by a direct call of Pump.
    pub(crate) fn direct(&mut self, wish: Wish) -> Draft<'w> {
        let (mut draft, payer) = self.begin(false);
        let hop = self.hop(payer, wish);
        if hop.event.is_buy {
            let program = steps::token_program(hop.coin.token_2022);
            let mint = &hop.coin.mint.key;
            steps::create_token_account(&mut draft.builder, &mut self.rng, &payer, mint, program);
        }
        draft.trade(&mut self.rng, 1, vec![hop]);
        self.tip(&mut draft, payer);
        draft
    }

    /// A trade through a router, Pump called at `height`. A program id of an outer instruction must
    /// be a static key, so only behind a router can Pump come from a lookup table (`loaded`).
    pub(crate) fn routed(&mut self, height: u32, loaded: bool, wish: Wish) -> Draft<'w> {
        let (mut draft, payer) = self.begin(loaded);
        if loaded {
            draft.pump_from(Role::LoadedReadonly);
        }
        self.route(&mut draft, payer, height);
        let user = self.router_user(payer);
        let hop = self.hop(user, wish);
        draft.trade(&mut self.rng, height, vec![hop]);
        self.router_fee(&mut draft, payer);
        draft
    }

    /// The router's outer instruction, and what it does before Pump is called at `height`.
    pub(crate) fn route(&mut self, draft: &mut Draft, payer: Key, height: u32) {
        let router = self.rng.pick(&ROUTERS);
        self.enter(draft, payer, 1, router);
        if height > 2 {
            let inner = self.rng.pick(&ROUTERS);
            self.enter(draft, payer, 2, inner);
        }
    }

    pub(crate) fn enter(
        &mut self,
        draft: &mut Draft,
        payer: Key,
        height: u32,
        router: &'static Program,
    ) {
        let world = self.market.world;
        let mut accounts = vec![draft.builder.account(&payer, Role::SignerWritable)];
        for _ in 0..self.rng.range(6, 14) {
            let key = self.rng.pick(&world.accounts);
            accounts.push(draft.builder.account(key, Role::Writable));
        }
        let (from, to) = (accounts[0], accounts[1]);
        let length = self.rng.range(17, 48) as usize;
        let data = self.rng.bytes(length);
        draft
            .builder
            .call(height, router, accounts, data, "Instruction: Swap");
        let lamports = self.rng.magnitude(7);
        steps::lamport_transfer(&mut draft.builder, height + 1, from, to, lamports);
    }

    /// Who trades behind a router: in a third of the cases an account of the router's, which signs
    /// nothing and pays no fee.
    fn router_user(&mut self, payer: Key) -> Key {
        if self.rng.percent(33) {
            *self.rng.pick(&self.market.world.accounts)
        } else {
            payer
        }
    }

    fn router_fee(&mut self, draft: &mut Draft, payer: Key) {
        let from = draft.builder.account(&payer, Role::SignerWritable);
        let collector = self.rng.pick(&self.market.world.fee_recipients);
        let to = draft.builder.account(collector, Role::Writable);
        steps::lamport_transfer(&mut draft.builder, 2, from, to, self.rng.magnitude(7));
    }

    fn tip(&mut self, draft: &mut Draft, payer: Key) {
        if self.rng.percent(50) {
            let from = draft.builder.account(&payer, Role::SignerWritable);
            let account = self.rng.pick(&self.market.world.accounts);
            let to = draft.builder.account(account, Role::Writable);
            steps::lamport_transfer(&mut draft.builder, 1, from, to, self.rng.magnitude(7));
        }
    }
}
