//! The events by which a coin gets another creator, and the row that they have in common.
//!
//! Pump has five of them, one a file; a row has the fields of all, and those that its event does not have are
//! absent.

pub mod admin_cto;
pub mod admin_set;
pub mod metaplex;
pub mod migrate;
pub mod set;

pub use admin_cto::AdminCtoEvent;
pub use admin_set::AdminSetCreatorEvent;
pub use metaplex::SetMetaplexCreatorEvent;
pub use migrate::MigrateBondingCurveCreatorEvent;
pub use set::SetCreatorEvent;

use super::fields::{EventFields, FieldValue, Fields, Value};
use crate::program::Pubkey;

/// What an event tells of a change; keys that it does not name are absent.
struct CreatorChange<'a> {
    event_name: &'static str,
    event_timestamp: i64,
    mint: &'a Pubkey,
    bonding_curve: &'a Pubkey,
    new_creator: &'a Pubkey,
    old_creator: Option<&'a Pubkey>,
    authority: Option<&'a Pubkey>,
    metadata: Option<&'a Pubkey>,
    sharing_config: Option<&'a Pubkey>,
    takeover: Option<&'a admin_cto::V1>,
}

impl CreatorChange<'_> {
    const UNTOLD: CreatorChange<'static> = CreatorChange {
        event_name: "",
        event_timestamp: 0,
        mint: &[0; 32],
        bonding_curve: &[0; 32],
        new_creator: &[0; 32],
        old_creator: None,
        authority: None,
        metadata: None,
        sharing_config: None,
        takeover: None,
    };

    /// Gives the fields in the order of the row.
    fn fields(&self, fields: &mut dyn Fields) {
        fields.required("event_name", Value::Text(self.event_name));
        fields.required("event_timestamp", self.event_timestamp.value());
        fields.required("mint", self.mint.value());
        fields.required("bonding_curve", self.bonding_curve.value());
        fields.required("new_creator", self.new_creator.value());
        for (name, key) in [
            ("old_creator", self.old_creator),
            ("authority", self.authority),
            ("metadata", self.metadata),
            ("sharing_config", self.sharing_config),
        ] {
            fields.optional(name, key.map(FieldValue::value));
        }
        macro_rules! takeover {
            ($($field:ident)*) => {
                $(fields.optional(stringify!($field), self.takeover.map(|v1| v1.$field.value()));)*
            };
        }
        takeover!(is_holder_reward is_cashback_coin old_creator_fee_bps new_creator_fee_bps
            sharing_config_reset swept_to_holder_vault pool_updated);
    }
}

/// An event's [`EventFields`]: where it has what not all of them have, or not under one name.
macro_rules! creator_change {
    ($($Event:ident { $($field:ident: $($place:ident).+),* })*) => {
        $(impl EventFields for $Event {
            fn layout(&self) -> &'static str {
                self.layout
            }

            fn unknown_trailing_bytes(&self) -> u32 {
                self.unknown_trailing_bytes
            }

            fn fields(&self, fields: &mut dyn Fields) {
                let change = CreatorChange {
                    event_name: Self::NAME,
                    event_timestamp: self.v0.event_timestamp,
                    mint: &self.v0.mint,
                    bonding_curve: &self.v0.bonding_curve,
                    $($field: (&self.$($place).+).into(),)*
                    ..CreatorChange::UNTOLD
                };
                change.fields(fields);
            }
        })*
    };
}

creator_change! {
    SetCreatorEvent { new_creator: v0.creator }
    SetMetaplexCreatorEvent { new_creator: v0.creator, metadata: v0.metadata }
    AdminSetCreatorEvent {
        new_creator: v0.new_creator, old_creator: v0.old_creator, authority: v0.admin_set_creator_authority
    }
    MigrateBondingCurveCreatorEvent {
        new_creator: v0.new_creator, old_creator: v0.old_creator, sharing_config: v0.sharing_config
    }
    AdminCtoEvent {
        new_creator: v0.new_creator, old_creator: v0.old_creator, authority: v0.authority, takeover: v1
    }
}
