//! Transactions that look like Pump's and hold no event of Pump: what must not be counted.

use crate::call::Role;
use crate::keys::{CLOCK, LOOKALIKES, MEMO, PUMP, PUMP_EVENT_AUTHORITY};
use crate::payload::Payload;
use crate::pump::Draft;
use crate::scene::{Scene, Wish};
use crate::trade_event::{EVENT_TAG, TRADE_EVENT};

impl<'w> Scene<'w> {
    /// Another launchpad's trade, whose event begins with the same sixteen bytes.
    pub(crate) fn lookalike(&mut self) -> Draft<'w> {
        let (mut draft, _) = self.begin(false);
        self.add_lookalike(&mut draft);
        draft
    }

    pub(crate) fn lookalike_beside_trade(&mut self) -> Draft<'w> {
        let mut draft = self.direct(Wish::ANY);
        self.add_lookalike(&mut draft);
        draft
    }

    pub(crate) fn lookalike_beside_mention(&mut self) -> Draft<'w> {
        let mut draft = self.mention(Role::Readonly);
        // The event's one account is Pump's event authority, to mislead still more.
        draft.builder.account(&PUMP_EVENT_AUTHORITY, Role::Readonly);
        self.add_lookalike(&mut draft);
        draft
    }

    fn add_lookalike(&mut self, draft: &mut Draft) {
        let world = self.market.world;
        let program = self.rng.pick(&LOOKALIKES);
        let mut accounts = Vec::new();
        for _ in 0..self.rng.range(6, 12) {
            let key = self.rng.pick(&world.accounts);
            accounts.push(draft.builder.account(key, Role::Writable));
        }
        accounts.push(draft.builder.account(&PUMP_EVENT_AUTHORITY, Role::Readonly));
        let authority = accounts[accounts.len() - 1];
        let data = self.rng.bytes(24);
        draft
            .builder
            .call(1, program, accounts, data, "Instruction: BuyExactIn");
        let mut event = Payload::default();
        // The lengths of TradeEvent's layouts, so that length alone does not tell it either.
        let length = *self.rng.pick(&[105, 121, 217, 250, 290, 374]);
        let mut payload = self.rng.bytes(length);
        payload[48] = 1;
        event.bytes(&EVENT_TAG).bytes(&TRADE_EVENT).bytes(&payload);
        draft.builder.call(2, program, vec![authority], event.0, "");
    }

    /// Pump's id listed in the given role; some other program runs.
    pub(crate) fn mention(&mut self, role: Role) -> Draft<'w> {
        let (mut draft, payer) = self.begin(role == Role::LoadedReadonly);
        let pump = draft.builder.account(&PUMP.key, role);
        let owner = draft.builder.account(&payer, Role::SignerWritable);
        let clock = draft.builder.account(&CLOCK, Role::Readonly);
        self.route(&mut draft, payer, 2);
        let text = b"no trade here".to_vec();
        draft
            .builder
            .call(1, &MEMO, vec![owner, pump, clock], text, "Memo (len 13)");
        draft
    }

    /// Pump's id, an event tag and TradeEvent's discriminator in a memo's data.
    pub(crate) fn pump_in_data(&mut self) -> Draft<'w> {
        let (mut draft, payer) = self.begin(false);
        let owner = draft.builder.account(&payer, Role::SignerWritable);
        let mut data = Payload::default();
        data.bytes(&PUMP.key)
            .bytes(&EVENT_TAG)
            .bytes(&TRADE_EVENT)
            .bytes(&self.rng.array::<105>());
        draft
            .builder
            .call(1, &MEMO, vec![owner], data.0, "Memo (len 153)");
        draft
    }
}
