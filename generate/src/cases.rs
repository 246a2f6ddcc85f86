//! The cases: what each of Pump's transactions in a block is there to show, and which block has which.
//!
//! Ordinary trades fill a block by chance; the special cases are dealt out in turn, so that sixteen
//! blocks hold each of them three times at least, whatever the seed.

use crate::rng::Rng;

/// What a transaction was placed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Case {
    /// A trade by a direct call of Pump, its id in the static keys.
    Direct,
    /// A trade through one router: the event at stack height 3.
    Routed,
    /// A trade through a router that another program called: the event at stack height 4.
    RoutedTwice,
    /// Pump's id comes from a lookup table, read-only, as on mainnet.
    LookupReadonly,
    /// Pump's id comes from a lookup table, listed as writable.
    LookupWritable,
    /// Trades in a transaction that failed.
    Failed,
    /// Several Pump instructions, direct and routed, in one transaction.
    SeveralInstructions,
    /// Several TradeEvents out of one Pump instruction.
    MultiHop,
    /// Two events equal in every byte in one transaction.
    IdenticalEvents,
    /// Bytes after the last group that can be read, layouts V0 to V8.
    UnknownTail,
    /// 1 to 40 bytes after V9.
    UnknownTailNewest,
    /// A coin priced in USDC: the sol fields are 0.
    QuotePriced,
    /// A coin whose creator's fee has shareholders.
    Shareholders,
    /// A trade of the Mayhem agent: no fees.
    Mayhem,
    /// A coin whose creator's fee goes to its holders.
    HolderRewards,
    /// A v3 instruction's name, fee recipient the zero key.
    V3Name,
    /// The log is cut before the event's copy in it.
    TruncatedLog,
    /// Another program's event with TradeEvent's discriminator; Pump's id nowhere.
    Lookalike,
    /// The same, after a true trade in the same transaction.
    LookalikeBesideTrade,
    /// The same, with Pump among the accounts but never called.
    LookalikeBesideMention,
    /// Pump's id among the static keys, never called.
    PumpInAccounts,
    /// Pump's id loaded from a lookup table, never called.
    PumpInLookup,
    /// Pump's id in an instruction's data only.
    PumpInData,
    /// CreateEvent, ExtendAccountEvent and the creator's first buy.
    CreateAndBuy,
    /// The buy that completes a curve, with CompleteEvent.
    Complete,
    /// CompletePumpAmmMigrationEvent.
    Migrate,
    /// A completing v3 buy that buys on: TradeEvent, CompleteEvent, PostCompleteBuyEvent.
    PostCompleteBuy,
    /// CollectCreatorFeeEvent.
    CollectCreatorFee,
    /// SweepBondingCurveFeeEvent, for both buckets.
    SweepFees,
    /// UpdateMayhemVirtualParamsEvent.
    MayhemUpdate,
    /// SetCreatorEvent: published, yet no layout of it is promised.
    SetCreator,
    /// A TradeEvent cut below 105 bytes.
    ShortTradeEvent,
    /// The same in a transaction that failed.
    ShortTradeEventFailed,
    /// A TradeEvent with `is_buy` = 7.
    InvalidSide,
    /// The same in a transaction that failed.
    InvalidSideFailed,
    /// An event of Pump whose discriminator nobody published.
    UnknownEvent,
    /// The same in a transaction that failed.
    UnknownEventFailed,
}

impl Case {
    /// The cases that are dealt out in turn.
    pub const SPECIAL: [Self; 34] = [
        Self::RoutedTwice,
        Self::LookupReadonly,
        Self::LookupWritable,
        Self::Failed,
        Self::SeveralInstructions,
        Self::MultiHop,
        Self::IdenticalEvents,
        Self::UnknownTail,
        Self::UnknownTailNewest,
        Self::QuotePriced,
        Self::Shareholders,
        Self::Mayhem,
        Self::HolderRewards,
        Self::V3Name,
        Self::TruncatedLog,
        Self::Lookalike,
        Self::LookalikeBesideTrade,
        Self::LookalikeBesideMention,
        Self::PumpInAccounts,
        Self::PumpInLookup,
        Self::PumpInData,
        Self::CreateAndBuy,
        Self::Complete,
        Self::Migrate,
        Self::PostCompleteBuy,
        Self::CollectCreatorFee,
        Self::SweepFees,
        Self::MayhemUpdate,
        Self::ShortTradeEvent,
        Self::ShortTradeEventFailed,
        Self::InvalidSide,
        Self::InvalidSideFailed,
        Self::UnknownEvent,
        Self::UnknownEventFailed,
    ];

    /// Whether Pump's id stands in the transaction's accounts.
    pub fn touches_pump(self) -> bool {
        !matches!(self, Self::Lookalike | Self::PumpInData)
    }
}

/// Of eight blocks one has nothing of Pump.
pub(crate) const fn is_without_pump(index: u32) -> bool {
    index % 8 == 5
}

/// Of eight blocks one leaves out the stack heights, as blocks before 2023 did.
pub(crate) const fn has_stack_heights(index: u32) -> bool {
    index % 8 != 3
}

/// A special case comes round every so many blocks with Pump.
const TURN: u64 = 4;

/// The cases of the block `index`, in no order.
pub(crate) fn plan(rng: &mut Rng, index: u32) -> Vec<Case> {
    if is_without_pump(index) {
        return Vec::new();
    }
    // Numbers the blocks with Pump without gaps.
    let number = u64::from(index) - (u64::from(index) + 2) / 8;
    let mut cases: Vec<Case> = Case::SPECIAL
        .iter()
        .zip(0u64..)
        .filter(|(_, turn)| turn % TURN == number % TURN)
        .map(|(case, _)| *case)
        .collect();
    if number % TURN == 1 {
        cases.push(Case::SetCreator);
    }
    for _ in 0..rng.range(0, 26) {
        cases.push(match rng.below(20) {
            0..8 => Case::Direct,
            8..14 => Case::Routed,
            14..16 => Case::LookupReadonly,
            16 => Case::RoutedTwice,
            17 => Case::SeveralInstructions,
            18 => Case::Failed,
            _ => Case::PumpInAccounts,
        });
    }
    cases.extend([Case::Direct, Case::Routed]);
    cases
}
