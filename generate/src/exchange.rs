//! A swap on one exchange, as part of the other traffic: its instruction, the two token transfers it
//! makes, and for PumpSwap the event with its copy in the log.

use crate::call::{Account, Role};
use crate::keys::{Named, PUMP_SWAP, Program, SYSTEM, TOKEN};
use crate::logs;
use crate::payload::Payload;
use crate::rng::Rng;
use crate::steps::{self, Holding};
use crate::trade_event::EVENT_TAG;
use crate::transaction::TransactionBuilder;
use crate::world::World;

/// Discriminator of PumpSwap's BuyEvent.
const PUMP_SWAP_BUY_EVENT: [u8; 8] = [0x67, 0xf4, 0x52, 0x1f, 0x2c, 0xf5, 0x77, 0x77];
/// Payload length of PumpSwap's BuyEvent in its newest layout, `ix_name` "buy" included.
const PUMP_SWAP_BUY_EVENT_BYTES: usize = 481;
/// One swap on one exchange.
pub(crate) struct Swap<'a> {
    pub(crate) height: u32,
    pub(crate) exchange: &'static Program,
    pub(crate) owner: &'a Named,
    pub(crate) source: Account,
    pub(crate) source_mint: &'a str,
    pub(crate) target: Account,
    pub(crate) mint: &'a Named,
}

impl Swap<'_> {
    /// Adds the swap's instruction, its transfers and its token balances.
    pub(crate) fn add(
        &self,
        builder: &mut TransactionBuilder,
        rng: &mut Rng,
        world: &World,
        loaded: bool,
    ) {
        let (writable, readonly) = if loaded {
            (Role::LoadedWritable, Role::LoadedReadonly)
        } else {
            (Role::Writable, Role::Readonly)
        };
        let owner = builder.account(&self.owner.key, Role::SignerWritable);
        let source_vault = builder.account(rng.pick(&world.accounts), writable);
        let target_vault = builder.account(rng.pick(&world.accounts), writable);
        let mint = builder.account(&self.mint.key, readonly);
        let authority = builder.account(rng.pick(&world.accounts), readonly);
        let mut accounts = vec![owner, self.source, self.target, source_vault, target_vault];
        accounts.extend([mint, authority]);
        for _ in 0..rng.range(2, 6) {
            accounts.push(builder.account(rng.pick(&world.accounts), writable));
        }
        accounts.push(builder.account(&TOKEN.key, Role::Readonly));
        accounts.push(builder.account(&SYSTEM.key, Role::Readonly));
        let data = rng.bytes(24);
        builder.call(
            self.height,
            self.exchange,
            accounts,
            data,
            "Instruction: Swap",
        );

        let paid = rng.magnitude(11);
        let received = rng.magnitude(13);
        let inner = self.height + 1;
        let payment = [self.source, mint, source_vault, owner];
        steps::token_transfer(builder, inner, &TOKEN, payment, paid, 9);
        let delivery = [target_vault, mint, self.target, authority];
        steps::token_transfer(builder, inner, &TOKEN, delivery, received, 6);
        if std::ptr::eq(self.exchange, &PUMP_SWAP) {
            self.add_event(builder, rng, inner, authority);
        }
        let pool = rng.pick(&world.wallets);
        balances(
            builder,
            rng,
            self.source,
            self.source_mint,
            self.owner,
            9,
            paid,
        );
        balances(builder, rng, source_vault, self.source_mint, pool, 9, paid);
        balances(
            builder,
            rng,
            target_vault,
            &self.mint.text,
            pool,
            6,
            received,
        );
        balances(
            builder,
            rng,
            self.target,
            &self.mint.text,
            self.owner,
            6,
            received,
        );
    }

    fn add_event(
        &self,
        builder: &mut TransactionBuilder,
        rng: &mut Rng,
        height: u32,
        authority: Account,
    ) {
        let payload = rng.bytes(PUMP_SWAP_BUY_EVENT_BYTES);
        let line = logs::program_data(&PUMP_SWAP_BUY_EVENT, &payload);
        let mut event = Payload::default();
        event
            .bytes(&EVENT_TAG)
            .bytes(&PUMP_SWAP_BUY_EVENT)
            .bytes(&payload);
        let call = builder.call(height, self.exchange, vec![authority], event.0, "");
        builder.calls[call].line_before = Some(line);
    }
}

/// Notes the token balances of `account`, once a transaction.
pub(crate) fn balances(
    builder: &mut TransactionBuilder,
    rng: &mut Rng,
    account: Account,
    mint: &str,
    owner: &Named,
    decimals: u32,
    amount: u64,
) {
    let known = builder.token_balances_before.iter();
    if known
        .into_iter()
        .any(|balance| balance.account_index == u32::from(account))
    {
        return;
    }
    let holding = Holding {
        mint,
        owner,
        program: &TOKEN,
        decimals,
    };
    let before = rng.magnitude(15);
    steps::token_balances(builder, account, &holding, before, before + amount);
}
