//! A transaction of Pump while it is made: Pump's instructions, what they call, and their events.
//!
//! A trade's instruction calls, in this order: the fee program, the token program, the system program
//! once for each payment (a buyer of a SOL coin pays so; a seller is paid without a call), and last
//! Pump itself, with the event as data and the event authority as the only account. (Read off mainnet.)

use crate::call::{Account, Role};
use crate::coin::Coin;
use crate::expected::RawEventReason;
use crate::keys::{Key, Named, PUMP, PUMP_EVENT_AUTHORITY, PUMP_FEES, SYSTEM, TOKEN};
use crate::logs;
use crate::other_events::OtherEvent;
use crate::payload::Payload;
use crate::rng::Rng;
use crate::steps::{self, Holding};
use crate::trade_event::{EVENT_TAG, Layout, TRADE_EVENT, TradeEvent};
use crate::transaction::TransactionBuilder;
use crate::world::World;

/// What the truth will say about an event.
pub(crate) enum Emitted {
    Trade {
        event: Box<TradeEvent>,
        layout: Layout,
        unknown_trailing_bytes: u32,
    },
    Other(OtherEvent),
    Raw {
        discriminator: [u8; 8],
        payload: Vec<u8>,
        reason: RawEventReason,
    },
}

/// A trade to be placed.
pub(crate) struct Hop<'a> {
    pub(crate) coin: &'a Coin,
    pub(crate) event: TradeEvent,
    pub(crate) layout: Layout,
    /// Bytes after the payload that no decoder knows.
    pub(crate) tail: Vec<u8>,
}

/// A transaction under construction, with the events in it.
pub(crate) struct Draft<'a> {
    pub(crate) builder: TransactionBuilder,
    /// Number of the call, and the event it carries.
    pub(crate) emitted: Vec<(usize, Emitted)>,
    world: &'a World,
    /// Accounts of Pump's instructions come from lookup tables.
    pub(crate) loaded: bool,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(world: &'a World, fee_payer: Key, lookup_tables: &[Key]) -> Self {
        Self {
            builder: TransactionBuilder::new(fee_payer, lookup_tables),
            emitted: Vec::new(),
            world,
            loaded: !lookup_tables.is_empty(),
        }
    }

    /// Lists Pump's id in `role`, before anything calls it.
    pub(crate) fn pump_from(&mut self, role: Role) {
        self.builder.account(&PUMP.key, role);
    }

    /// Calls Pump at `height` for the trades `hops`, all in one instruction.
    pub(crate) fn trade(&mut self, rng: &mut Rng, height: u32, hops: Vec<Hop>) {
        let Some(first) = hops.first() else {
            return;
        };
        let accounts = self.trade_accounts(rng, first.coin, &first.event.user);
        let (discriminator, says) = instruction(&first.event, first.layout);
        let mut data = Payload::default();
        let limit = rng.magnitude(12);
        data.bytes(&discriminator)
            .u64s(&[first.event.token_amount, limit])
            .u8(1);
        let own_accounts = accounts.clone();
        self.builder.call(height, &PUMP, accounts, data.0, says);
        for hop in hops {
            self.settle(rng, height + 1, &hop, &own_accounts);
            let mut payload = hop.event.payload();
            payload.extend_from_slice(&hop.tail);
            let emitted = Emitted::Trade {
                event: Box::new(hop.event),
                layout: hop.layout,
                unknown_trailing_bytes: hop.tail.len() as u32,
            };
            self.emit(height + 1, TRADE_EVENT, &payload, emitted);
        }
    }

    /// Calls Pump at `height` with the instruction `says`, which emits `events` and moves lamports.
    pub(crate) fn instruct(&mut self, rng: &mut Rng, height: u32, coin: &Coin, says: &'static str) {
        let user = rng.pick(&self.world.wallets).key;
        let accounts = self.trade_accounts(rng, coin, &user);
        let (from, to) = (accounts[1], accounts[3]);
        let length = rng.range(8, 40) as usize;
        let data = rng.bytes(length);
        self.builder.call(height, &PUMP, accounts, data, says);
        steps::lamport_transfer(&mut self.builder, height + 1, from, to, rng.magnitude(8));
    }

    /// Emits one of the other events at `height`.
    pub(crate) fn emit_other(&mut self, height: u32, event: OtherEvent) {
        let payload = event.payload.clone();
        self.emit(height, event.discriminator, &payload, Emitted::Other(event));
    }

    /// Emits an event at `height` that cannot become a row.
    pub(crate) fn emit_raw(
        &mut self,
        height: u32,
        discriminator: [u8; 8],
        payload: Vec<u8>,
        reason: RawEventReason,
    ) {
        let emitted = Emitted::Raw {
            discriminator,
            payload: payload.clone(),
            reason,
        };
        self.emit(height, discriminator, &payload, emitted);
    }

    /// The call that is the event, and the log line with the same bytes before it.
    fn emit(&mut self, height: u32, discriminator: [u8; 8], payload: &[u8], emitted: Emitted) {
        let authority = self.builder.account(&PUMP_EVENT_AUTHORITY, self.readonly());
        let mut data = Payload::with_capacity(16 + payload.len());
        data.bytes(&EVENT_TAG).bytes(&discriminator).bytes(payload);
        let call = self
            .builder
            .call(height, &PUMP, vec![authority], data.0, "");
        self.builder.calls[call].line_before = Some(logs::program_data(&discriminator, payload));
        self.emitted.push((call, emitted));
    }

    fn readonly(&self) -> Role {
        if self.loaded {
            Role::LoadedReadonly
        } else {
            Role::Readonly
        }
    }

    /// In the IDL's order: global, fee recipient, mint, bonding curve, its token account, the user's
    /// token account, the user, then programs and accumulators.
    fn trade_accounts(&mut self, rng: &mut Rng, coin: &Coin, user: &Key) -> Vec<Account> {
        let readonly = self.readonly();
        let [global, fee_config, accumulator, _] = &self.world.pump_globals;
        let token_program = &steps::token_program(coin.token_2022).key;
        let recipient = rng.pick(&self.world.fee_recipients);
        let user_tokens = rng.array();
        let builder = &mut self.builder;
        let mut accounts = builder.accounts(&[global], readonly);
        accounts.extend(builder.accounts(&[recipient], Role::Writable));
        accounts.extend(builder.accounts(&[&coin.mint.key], readonly));
        accounts.extend(builder.accounts(
            &[
                &coin.bonding_curve.key,
                &coin.curve_tokens,
                &user_tokens,
                user,
            ],
            Role::Writable,
        ));
        accounts.extend(builder.accounts(&[&SYSTEM.key, token_program], Role::Readonly));
        accounts.extend(builder.accounts(&[&coin.creator_vault], Role::Writable));
        accounts.extend(builder.accounts(&[&PUMP_EVENT_AUTHORITY], readonly));
        accounts.extend(builder.accounts(&[&PUMP.key, &PUMP_FEES.key], Role::Readonly));
        accounts.extend(builder.accounts(&[accumulator, fee_config], readonly));
        accounts
    }

    /// What the instruction calls before it emits `hop`'s event.
    fn settle(&mut self, rng: &mut Rng, height: u32, hop: &Hop, accounts: &[Account]) {
        let event = &hop.event;
        let coin = hop.coin;
        let token_program = steps::token_program(coin.token_2022);
        let readonly = self.readonly();
        let builder = &mut self.builder;
        let mint = builder.account(&coin.mint.key, readonly);
        let curve = builder.account(&coin.bonding_curve.key, Role::Writable);
        let curve_tokens = builder.account(&coin.curve_tokens, Role::Writable);
        let vault = builder.account(&coin.creator_vault, Role::Writable);
        let (recipient, user_tokens, user) = (accounts[1], accounts[5], accounts[6]);
        if hop.layout >= Layout::V4 {
            let mut question = Payload::default();
            question
                .bytes(&[0xe7, 0x25, 0x7e, 0x55, 0xcf, 0x5b, 0x3f, 0x34, 1])
                .u64s(&[event.virtual_sol_reserves, 0, event.sol_amount]);
            let config = accounts[accounts.len() - 1];
            let pump = builder.account(&PUMP.key, Role::Readonly);
            let fees = builder.call(
                height,
                &PUMP_FEES,
                vec![config, pump],
                question.0,
                "Instruction: GetFees",
            );
            let mut answer = Payload::default();
            answer.u64s(&[0, event.fee_basis_points.unwrap_or_default(), 30]);
            builder.calls[fees].returns = Some(answer.0);
        }
        let amount = event.token_amount;
        let transfer = if event.is_buy {
            [curve_tokens, mint, user_tokens, curve]
        } else {
            [user_tokens, mint, curve_tokens, user]
        };
        steps::token_transfer(builder, height, token_program, transfer, amount, 6);
        let quote = event.quote_amount.unwrap_or(event.sol_amount);
        let payments = [
            (curve, quote),
            (vault, event.creator_fee.unwrap_or(0)),
            (recipient, event.fee.unwrap_or(quote / 100)),
        ];
        if !coin.is_sol() {
            let quote_mint = builder.account(&coin.quote_mint, readonly);
            for (to, amount) in payments {
                let transfer = if event.is_buy {
                    [user_tokens, quote_mint, to, user]
                } else {
                    [curve, quote_mint, to, curve]
                };
                steps::token_transfer(builder, height, &TOKEN, transfer, amount, 6);
            }
        } else if event.is_buy {
            for (to, lamports) in payments {
                steps::lamport_transfer(builder, height, user, to, lamports);
            }
        }
        let owner = rng.pick(&self.world.wallets);
        let left = event
            .real_token_reserves
            .unwrap_or(event.virtual_token_reserves);
        let held = rng.magnitude(13);
        let (curve_before, user_balances) = if event.is_buy {
            (left + amount, (held, held + amount))
        } else {
            (left - amount, (held + amount, held))
        };
        self.note_balances(
            curve_tokens,
            coin,
            &coin.bonding_curve,
            (curve_before, left),
        );
        self.note_balances(user_tokens, coin, owner, user_balances);
    }

    fn note_balances(
        &mut self,
        account: Account,
        coin: &Coin,
        owner: &Named,
        (before, after): (u64, u64),
    ) {
        let mut noted = self.builder.token_balances_before.iter();
        if noted.any(|balance| balance.account_index == u32::from(account)) {
            return;
        }
        let holding = Holding {
            mint: &coin.mint.text,
            owner,
            program: steps::token_program(coin.token_2022),
            decimals: 6,
        };
        steps::token_balances(&mut self.builder, account, &holding, before, after);
    }
}

/// The instruction that emits such an event, and the name it logs.
fn instruction(event: &TradeEvent, layout: Layout) -> ([u8; 8], &'static str) {
    let name = event
        .ix_name
        .unwrap_or(if event.is_buy { "buy" } else { "sell" });
    let (discriminator, says): (u64, _) = match name {
        "multi_hop_swap" => (0xe19a_7516_d756_f667, "Instruction: MultiHopCurveSwap"),
        "buy_v3" => (0x0705_1dc4_f517_6550, "Instruction: BuyV3"),
        "sell_v3" => (0x1c92_de77_26c4_69d5, "Instruction: SellV3"),
        "buy_exact_quote_in_v3" => (0xe1f7_501e_d5b3_8488, "Instruction: BuyExactQuoteInV3"),
        "buy_exact_quote_in" => (0xc2ab_1c46_684d_5b2f, "Instruction: BuyExactQuoteInV2"),
        "buy_exact_sol_in" => (0x38fc_7408_9edf_cd5f, "Instruction: BuyExactSolIn"),
        "buy" if layout >= Layout::V8 => (0xb817_ee61_67c5_d33d, "Instruction: BuyV2"),
        "sell" if layout >= Layout::V8 => (0x5df6_823c_e7e9_40b2, "Instruction: SellV2"),
        "buy" => (0x6606_3d12_01da_ebea, "Instruction: Buy"),
        _ => (0x33e6_85a4_017f_83ad, "Instruction: Sell"),
    };
    (discriminator.to_be_bytes(), says)
}
