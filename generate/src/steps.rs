//! Steps that most transactions share: compute budget, token accounts, transfers, token balances.

use substreams_solana::pb::sf::solana::r#type::v1::{TokenBalance, UiTokenAmount};

use crate::call::{Account, Role};
use crate::keys::{
    ASSOCIATED_TOKEN, COMPUTE_BUDGET, Key, Named, Program, SYSTEM, TOKEN, TOKEN_2022,
};
use crate::logs::push_decimal;
use crate::payload::Payload;
use crate::rng::Rng;
use crate::transaction::TransactionBuilder;

/// Sets the compute unit price and limit.
pub(crate) fn compute_budget(builder: &mut TransactionBuilder, rng: &mut Rng) {
    let mut limit = Payload::default();
    limit.u8(2).u32(rng.range(60_000, 1_400_000) as u32);
    builder.call(1, &COMPUTE_BUDGET, Vec::new(), limit.0, "");
    let mut price = Payload::default();
    price.u8(3).u64(rng.magnitude(8));
    builder.call(1, &COMPUTE_BUDGET, Vec::new(), price.0, "");
}

/// The token program of a mint.
pub(crate) fn token_program(token_2022: bool) -> &'static Program {
    if token_2022 { &TOKEN_2022 } else { &TOKEN }
}

/// `CreateIdempotent` of the associated token program; half of them find the account there already.
pub(crate) fn create_token_account(
    builder: &mut TransactionBuilder,
    rng: &mut Rng,
    owner: &Key,
    mint: &Key,
    program: &'static Program,
) -> Account {
    let owner = builder.account(owner, Role::SignerWritable);
    let account = builder.account(&rng.array(), Role::Writable);
    let mint = builder.account(mint, Role::Readonly);
    let system = builder.account(&SYSTEM.key, Role::Readonly);
    let token = builder.account(&program.key, Role::Readonly);
    let accounts = vec![owner, account, owner, mint, system, token];
    builder.call(1, &ASSOCIATED_TOKEN, accounts, vec![1], "CreateIdempotent");
    if rng.percent(50) {
        return account;
    }
    let size = builder.call(
        2,
        program,
        vec![mint],
        vec![21, 7, 0],
        "Instruction: GetAccountDataSize",
    );
    builder.calls[size].returns = Some(vec![170, 0, 0, 0, 0, 0, 0, 0]);
    let mut create = Payload::default();
    create.u32(0).u64s(&[2_074_080, 170]).keys(&[&program.key]);
    builder.call(2, &SYSTEM, vec![owner, account], create.0, "");
    builder.call(
        2,
        program,
        vec![account],
        vec![22],
        "Instruction: InitializeImmutableOwner",
    );
    let mut initialize = Payload::default();
    initialize.u8(18).bytes(&rng.array::<32>());
    builder.call(
        2,
        program,
        vec![account, mint],
        initialize.0,
        "Instruction: InitializeAccount3",
    );
    account
}

/// `TransferChecked` of the token program.
pub(crate) fn token_transfer(
    builder: &mut TransactionBuilder,
    height: u32,
    program: &'static Program,
    accounts: [Account; 4],
    amount: u64,
    decimals: u8,
) {
    let mut data = Payload::default();
    data.u8(12).u64(amount).u8(decimals);
    let says = "Instruction: TransferChecked";
    builder.call(height, program, accounts.to_vec(), data.0, says);
}

/// `Transfer` of the system program.
pub(crate) fn lamport_transfer(
    builder: &mut TransactionBuilder,
    height: u32,
    from: Account,
    to: Account,
    lamports: u64,
) {
    let mut data = Payload::default();
    data.u32(2).u64(lamports);
    builder.call(height, &SYSTEM, vec![from, to], data.0, "");
}

/// What a token account is of.
pub(crate) struct Holding<'a> {
    pub(crate) mint: &'a str,
    pub(crate) owner: &'a Named,
    pub(crate) program: &'static Program,
    pub(crate) decimals: u32,
}

/// Notes a token balance before and after the transaction.
pub(crate) fn token_balances(
    builder: &mut TransactionBuilder,
    account: Account,
    holding: &Holding,
    before: u64,
    after: u64,
) {
    let balance = |amount| token_balance(account, holding, amount);
    builder.token_balances_before.push(balance(before));
    builder.token_balances_after.push(balance(after));
}

fn token_balance(account: Account, holding: &Holding, amount: u64) -> TokenBalance {
    let unit = 10u64.pow(holding.decimals);
    let mut amount_text = String::new();
    push_decimal(&mut amount_text, amount);
    TokenBalance {
        account_index: u32::from(account),
        mint: holding.mint.to_owned(),
        ui_token_amount: UiTokenAmount {
            // The one float of the crate, because the field is one: two exact conversions and one
            // division, which IEEE 754 rounds the same way everywhere.
            ui_amount: amount as f64 / unit as f64,
            decimals: holding.decimals,
            amount: amount_text,
            ui_amount_string: ui_text(amount, unit),
        }
        .into(),
        owner: holding.owner.text.clone(),
        program_id: holding.program.text.to_owned(),
    }
}

/// `amount` in whole tokens, without trailing zeros.
fn ui_text(amount: u64, unit: u64) -> String {
    let mut text = String::with_capacity(20);
    push_decimal(&mut text, amount / unit);
    let fraction = amount % unit;
    if fraction != 0 {
        // A leading 1 in the place of the point keeps the fraction's leading zeros.
        let mut digits = String::new();
        push_decimal(&mut digits, unit + fraction);
        text.push('.');
        text.push_str(digits[1..].trim_end_matches('0'));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::ui_text;

    #[test]
    fn amounts_read_as_the_node_writes_them() {
        assert_eq!(ui_text(314_052_418_245_498, 1_000_000), "314052418.245498");
        assert_eq!(ui_text(1_050_000, 1_000_000), "1.05");
        assert_eq!(ui_text(7, 1_000_000), "0.000007");
        assert_eq!(ui_text(0, 1_000_000), "0");
    }
}
