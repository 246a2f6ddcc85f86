//! Pump's events that are known by name and not read: they say nothing about coins, or are not append-only.

use super::Discriminator;

/// Pump's events without rows of their own, from its published IDLs up to October 2026.
pub const OTHER_EVENTS: [(Discriminator, &str); 17] = [
    (u64::to_be_bytes(0xdfc3_9ff6_3e30_8f83), "SetParamsEvent"),
    (
        u64::to_be_bytes(0x6161_d790_5d92_167c),
        "ExtendAccountEvent",
    ),
    (
        u64::to_be_bytes(0xa537_8170_04b3_ca28),
        "DistributeCreatorFeesEvent",
    ),
    (
        u64::to_be_bytes(0x8624_0d48_e865_82d8),
        "InitUserVolumeAccumulatorEvent",
    ),
    (
        u64::to_be_bytes(0x929f_bdac_9258_38f4),
        "CloseUserVolumeAccumulatorEvent",
    ),
    (
        u64::to_be_bytes(0xc57a_a77c_7451_5bff),
        "SyncUserVolumeAccumulatorEvent",
    ),
    (
        u64::to_be_bytes(0x4fac_f631_cd5b_cee8),
        "ClaimTokenIncentivesEvent",
    ),
    (
        u64::to_be_bytes(0xe2d6_f621_07f2_93e5),
        "ClaimCashbackEvent",
    ),
    (
        u64::to_be_bytes(0xa8d8_84ef_ebb6_3134),
        "MinimumDistributableFeeEvent",
    ),
    (
        u64::to_be_bytes(0x2bbc_fa12_dd4b_bb5f),
        "ReservedFeeRecipientsEvent",
    ),
    (
        u64::to_be_bytes(0xb6c3_892a_23ce_cff7),
        "UpdateGlobalAuthorityEvent",
    ),
    (
        u64::to_be_bytes(0x93fa_6c78_f71d_43de),
        "AdminUpdateTokenIncentivesEvent",
    ),
    (
        u64::to_be_bytes(0xf53b_4622_4bb9_6d5c),
        "AdminSetIdlAuthorityEvent",
    ),
    (
        u64::to_be_bytes(0xe3be_d7ce_b0b4_a584),
        "DistributeFeeToHoldersEvent",
    ),
    (
        u64::to_be_bytes(0x98c6_7c7c_6af6_7fbf),
        "UpdateCreatorFeeConfigEvent",
    ),
    (
        u64::to_be_bytes(0xa4af_574a_582d_213e),
        "AddQuoteControlMintEvent",
    ),
    (
        u64::to_be_bytes(0x2e21_5686_00d5_d130),
        "RemoveQuoteControlMintEvent",
    ),
];

/// The name of the event with this discriminator, if it is one of these.
pub(super) fn name(discriminator: &Discriminator) -> Option<&'static str> {
    OTHER_EVENTS
        .iter()
        .find(|(known, _)| known == discriminator)
        .map(|(_, name)| *name)
}
