//! Event bytes → event: which event it is, and reading it.
//!
//! An event is an 8-byte discriminator (the first bytes of SHA-256 of `event:NAME`, as Anchor gives it) and a Borsh payload that
//! only ever grew at its end; [`groups`] reads such payloads. Each event that is read has a file of its own with
//! its layout; the others are known by name in [`OTHER_EVENTS`], so that a new one shows as [`Unreadable`].

pub mod groups;
pub mod trade;

use core::fmt;

pub use trade::TradeEvent;

use crate::transaction::{EventSite, UnknownProgram};

/// First 8 bytes of an event: which event it is.
pub type Discriminator = [u8; 8];

/// An event of Pump.
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "nearly every event is a trade, and lives for one row"
)]
pub enum Event {
    /// A trade.
    Trade(TradeEvent),
    /// One that is known by its name and not read.
    Other(&'static str),
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

/// Reads the event of a site.
///
/// # Errors
///
/// Those of [`read`], and where nobody can tell whose event it is.
pub fn read_at(site: &EventSite<'_>) -> Result<Event, Unreadable> {
    match site.unknown_program {
        Some(unknown) => Err(Unreadable::UnknownProgram(unknown)),
        None => read(site.data),
    }
}

/// Reads an event: discriminator and payload.
///
/// # Errors
///
/// When it is too short, unknown, or its first layout does not read. Bytes behind the known layouts are no error.
pub fn read(data: &[u8]) -> Result<Event, Unreadable> {
    let Some((discriminator, payload)) = data.split_first_chunk() else {
        return Err(Unreadable::NoDiscriminator { length: data.len() });
    };
    if *discriminator == trade::DISCRIMINATOR {
        return TradeEvent::read(payload).map(Event::Trade);
    }
    match OTHER_EVENTS
        .iter()
        .find(|(known, _)| known == discriminator)
    {
        Some((_, name)) => Ok(Event::Other(name)),
        None => Err(Unreadable::Unknown),
    }
}

/// Pump's events beside TradeEvent, from its published IDLs up to October 2026.
pub const OTHER_EVENTS: [(Discriminator, &str); 29] = [
    (
        [0x1b, 0x72, 0xa9, 0x4d, 0xde, 0xeb, 0x63, 0x76],
        "CreateEvent",
    ),
    (
        [0x5f, 0x72, 0x61, 0x9c, 0xd4, 0x2e, 0x98, 0x08],
        "CompleteEvent",
    ),
    (
        [0xbd, 0xe9, 0x5d, 0xb9, 0x5c, 0x94, 0xea, 0x94],
        "CompletePumpAmmMigrationEvent",
    ),
    (
        [0x6f, 0xb0, 0x6d, 0x8b, 0x31, 0x6c, 0xd5, 0xfb],
        "PostCompleteBuyEvent",
    ),
    (
        [0x74, 0x2b, 0x4d, 0xbd, 0x11, 0x7a, 0x48, 0x2b],
        "SweepBondingCurveFeeEvent",
    ),
    (
        [0x7a, 0x02, 0x7f, 0x01, 0x0e, 0xbf, 0x0c, 0xaf],
        "CollectCreatorFeeEvent",
    ),
    (
        [0x75, 0x7b, 0xe4, 0xb6, 0xa1, 0xa8, 0xdc, 0xd6],
        "UpdateMayhemVirtualParamsEvent",
    ),
    (
        [0xdf, 0xc3, 0x9f, 0xf6, 0x3e, 0x30, 0x8f, 0x83],
        "SetParamsEvent",
    ),
    (
        [0xed, 0x34, 0x7b, 0x25, 0xf5, 0xfb, 0x48, 0xd2],
        "SetCreatorEvent",
    ),
    (
        [0x40, 0x45, 0xc0, 0x68, 0x1d, 0x1e, 0x19, 0x6b],
        "AdminSetCreatorEvent",
    ),
    (
        [0x6e, 0x7c, 0xe2, 0x62, 0xaa, 0xff, 0x11, 0x78],
        "AdminCtoEvent",
    ),
    (
        [0x8e, 0xcb, 0x06, 0x20, 0x7f, 0x69, 0xbf, 0xa2],
        "SetMetaplexCreatorEvent",
    ),
    (
        [0x9b, 0xa7, 0x68, 0xdc, 0xd5, 0x6c, 0xf3, 0x03],
        "MigrateBondingCurveCreatorEvent",
    ),
    (
        [0x61, 0x61, 0xd7, 0x90, 0x5d, 0x92, 0x16, 0x7c],
        "ExtendAccountEvent",
    ),
    (
        [0xa5, 0x37, 0x81, 0x70, 0x04, 0xb3, 0xca, 0x28],
        "DistributeCreatorFeesEvent",
    ),
    (
        [0x86, 0x24, 0x0d, 0x48, 0xe8, 0x65, 0x82, 0xd8],
        "InitUserVolumeAccumulatorEvent",
    ),
    (
        [0x92, 0x9f, 0xbd, 0xac, 0x92, 0x58, 0x38, 0xf4],
        "CloseUserVolumeAccumulatorEvent",
    ),
    (
        [0xc5, 0x7a, 0xa7, 0x7c, 0x74, 0x51, 0x5b, 0xff],
        "SyncUserVolumeAccumulatorEvent",
    ),
    (
        [0x4f, 0xac, 0xf6, 0x31, 0xcd, 0x5b, 0xce, 0xe8],
        "ClaimTokenIncentivesEvent",
    ),
    (
        [0xe2, 0xd6, 0xf6, 0x21, 0x07, 0xf2, 0x93, 0xe5],
        "ClaimCashbackEvent",
    ),
    (
        [0xa8, 0xd8, 0x84, 0xef, 0xeb, 0xb6, 0x31, 0x34],
        "MinimumDistributableFeeEvent",
    ),
    (
        [0x2b, 0xbc, 0xfa, 0x12, 0xdd, 0x4b, 0xbb, 0x5f],
        "ReservedFeeRecipientsEvent",
    ),
    (
        [0xb6, 0xc3, 0x89, 0x2a, 0x23, 0xce, 0xcf, 0xf7],
        "UpdateGlobalAuthorityEvent",
    ),
    (
        [0x93, 0xfa, 0x6c, 0x78, 0xf7, 0x1d, 0x43, 0xde],
        "AdminUpdateTokenIncentivesEvent",
    ),
    (
        [0xf5, 0x3b, 0x46, 0x22, 0x4b, 0xb9, 0x6d, 0x5c],
        "AdminSetIdlAuthorityEvent",
    ),
    (
        [0xe3, 0xbe, 0xd7, 0xce, 0xb0, 0xb4, 0xa5, 0x84],
        "DistributeFeeToHoldersEvent",
    ),
    (
        [0x98, 0xc6, 0x7c, 0x7c, 0x6a, 0xf6, 0x7f, 0xbf],
        "UpdateCreatorFeeConfigEvent",
    ),
    (
        [0xa4, 0xaf, 0x57, 0x4a, 0x58, 0x2d, 0x21, 0x3e],
        "AddQuoteControlMintEvent",
    ),
    (
        [0x2e, 0x21, 0x56, 0x86, 0x00, 0xd5, 0xd1, 0x30],
        "RemoveQuoteControlMintEvent",
    ),
];
