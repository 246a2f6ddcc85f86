//! Event bytes → event: which event it is, and reading it.
//!
//! An event is an 8-byte discriminator (the first bytes of SHA-256 of `event:NAME`, as Anchor gives it) and a Borsh payload that
//! only ever grew at its end; [`groups`] reads such payloads. Each event that is read has a file of its own with
//! its layouts, and a line in `events!` below; the others are known by name in [`OTHER_EVENTS`], so that a new one shows
//! as [`Unreadable`].

pub mod collect_creator_fee;
pub mod complete;
pub mod create;
pub mod creator;
pub mod fields;
pub mod groups;
pub mod mayhem_update;
pub mod migration;
mod other;
pub mod post_complete_buy;
pub mod sweep_fee;
pub mod text;
pub mod trade;

use core::fmt;

pub use collect_creator_fee::CollectCreatorFeeEvent;
pub use complete::CompleteEvent;
pub use create::CreateEvent;
pub use creator::{
    AdminCtoEvent, AdminSetCreatorEvent, MigrateBondingCurveCreatorEvent, SetCreatorEvent,
    SetMetaplexCreatorEvent,
};
pub use mayhem_update::UpdateMayhemVirtualParamsEvent;
pub use migration::CompletePumpAmmMigrationEvent;
pub use other::OTHER_EVENTS;
pub use post_complete_buy::PostCompleteBuyEvent;
pub use sweep_fee::SweepBondingCurveFeeEvent;
pub use trade::TradeEvent;

use crate::transaction::{EventSite, UnknownProgram};

/// First 8 bytes of an event: which event it is.
pub type Discriminator = [u8; 8];

/// From a line an event: the type of all events, the reading of any, and the names of those that are read.
macro_rules! events {
    ($($(#[$doc:meta])* $Variant:ident($Event:ident),)*) => {
        /// An event of Pump.
        #[derive(Clone, Debug)]
        #[allow(clippy::large_enum_variant, reason = "nearly every event is a trade, and lives for one row")]
        pub enum Event {
            $($(#[$doc])* $Variant($Event),)*
            /// One that is known by its name and not read.
            Other(&'static str),
        }

        /// Reads an event: discriminator and payload.
        ///
        /// # Errors
        ///
        /// When it is too short, unknown, or its first layout does not read. Bytes behind the known layouts are no
        /// error.
        pub fn read(data: &[u8]) -> Result<Event, Unreadable> {
            let (discriminator, payload) = split(data)?;
            match *discriminator {
                $($Event::DISCRIMINATOR => $Event::read(payload).map(Event::$Variant),)*
                _ => other::name(discriminator).map(Event::Other).ok_or(Unreadable::Unknown),
            }
        }

        /// Discriminators and names of the events that are read.
        pub const READ_EVENTS: &[(Discriminator, &str)] = &[$(($Event::DISCRIMINATOR, $Event::NAME)),*];

        /// The IDL's name of the event with this discriminator, if it is known.
        pub fn name(discriminator: &Discriminator) -> Option<&'static str> {
            match *discriminator {
                $($Event::DISCRIMINATOR => Some($Event::NAME),)*
                _ => other::name(discriminator),
            }
        }
    };
}

events! {
    /// A trade.
    Trade(TradeEvent),
    /// A coin comes to life.
    Create(CreateEvent),
    /// A curve has sold all of its tokens.
    Complete(CompleteEvent),
    /// What a completing buy spends in the coin's new pool.
    PostCompleteBuy(PostCompleteBuyEvent),
    /// A coin moves to the AMM.
    CompletePumpAmmMigration(CompletePumpAmmMigrationEvent),
    /// A coin gets another creator: set.
    SetCreator(SetCreatorEvent),
    /// A coin gets another creator: set by the vendor.
    AdminSetCreator(AdminSetCreatorEvent),
    /// A coin gets another creator: taken over by its community.
    AdminCto(AdminCtoEvent),
    /// A coin gets another creator: that of its metadata.
    SetMetaplexCreator(SetMetaplexCreatorEvent),
    /// A coin gets another creator: its shareholders.
    MigrateBondingCurveCreator(MigrateBondingCurveCreatorEvent),
    /// A price is moved without a trade.
    UpdateMayhemVirtualParams(UpdateMayhemVirtualParamsEvent),
    /// A creator takes out fees.
    CollectCreatorFee(CollectCreatorFeeEvent),
    /// Fees are paid out of a curve.
    SweepBondingCurveFee(SweepBondingCurveFeeEvent),
}

/// Why a Pump event cannot be read. The stream goes on: such an event becomes a `RawEvent` row with this reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It has fewer than the 8 bytes of a discriminator.
    NoDiscriminator {
        /// Bytes that it has.
        length: usize,
    },
    /// Its discriminator is none that this package knows.
    Unknown,
    /// Its payload is shorter than the event's first layout.
    TooShort {
        /// The event's name.
        event: &'static str,
        /// Bytes of the payload.
        length: usize,
        /// Bytes of the first layout.
        needed: usize,
    },
    /// A value of its first layout is none that its type allows.
    Invalid {
        /// The event's name.
        event: &'static str,
        /// What Borsh says of it.
        cause: String,
    },
    /// The program of its instruction cannot be told.
    UnknownProgram(UnknownProgram),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDiscriminator { length } => {
                write!(f, "an event of {length} bytes has no discriminator")
            }
            Self::Unknown => f.write_str("unknown event"),
            Self::TooShort {
                event,
                length,
                needed,
            } => {
                write!(
                    f,
                    "a {event} of {length} bytes is shorter than its first layout of {needed}"
                )
            }
            Self::Invalid { event, cause } => write!(f, "{event} is broken: {cause}"),
            Self::UnknownProgram(UnknownProgram { index, accounts }) => {
                write!(
                    f,
                    "its program has index {index} in an account table of {accounts}"
                )
            }
        }
    }
}

impl core::error::Error for Unreadable {}

/// Splits an event into discriminator and payload.
fn split(data: &[u8]) -> Result<(&Discriminator, &[u8]), Unreadable> {
    data.split_first_chunk()
        .ok_or(Unreadable::NoDiscriminator { length: data.len() })
}

/// Reads an event if it is a trade; `None` for another that is known, whatever its payload.
///
/// # Errors
///
/// Those of [`read`], but for payloads of other events.
pub fn read_trade(data: &[u8]) -> Result<Option<TradeEvent>, Unreadable> {
    let (discriminator, payload) = split(data)?;
    match *discriminator {
        TradeEvent::DISCRIMINATOR => TradeEvent::read(payload).map(Some),
        _ => name(discriminator).map(|_| None).ok_or(Unreadable::Unknown),
    }
}

/// The bytes of a site's event.
///
/// # Errors
///
/// Where nobody can tell whose event it is.
pub fn data<'a>(site: &EventSite<'a>) -> Result<&'a [u8], Unreadable> {
    match site.unknown_program {
        Some(unknown) => Err(Unreadable::UnknownProgram(unknown)),
        None => Ok(site.data),
    }
}
