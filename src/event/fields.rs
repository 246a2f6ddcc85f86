//! An event's fields as its row has them: told by the event, taken by whoever writes rows.
//!
//! An event knows its fields, in the order of its row and under the row's names, and nothing of how a row is
//! written; what takes them knows nothing of events. So that both agree with the schema, the names are part of it,
//! and a test compares them with the descriptors.

use super::text::Text;
use crate::program::Pubkey;

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Text.
    Text(&'a str),
    /// A public key.
    Key(&'a Pubkey),
    /// An unsigned number.
    Unsigned(u64),
    /// A signed number.
    Signed(i64),
    /// A truth value.
    Bool(bool),
}

/// Takes an event's fields, in the order of its row.
pub trait Fields {
    /// A field that every layout has.
    fn required(&mut self, name: &'static str, value: Value<'_>);

    /// A field that a later layout brought; `None` where the event is of an older one.
    fn optional(&mut self, name: &'static str, value: Option<Value<'_>>);
}

/// Types of an event's fields.
pub trait FieldValue {
    /// The value.
    fn value(&self) -> Value<'_>;
}

/// Reads as the value's variant of this name.
macro_rules! field_value {
    ($($type:ty: $field:ident => $value:expr;)*) => {
        $(impl FieldValue for $type {
            fn value(&self) -> Value<'_> {
                let $field = self;
                $value
            }
        })*
    };
}

field_value! {
    Pubkey: key => Value::Key(key);
    Text: text => Value::Text(text.as_str());
    bool: truth => Value::Bool(*truth);
    i64: number => Value::Signed(*number);
    u8: number => Value::Unsigned((*number).into());
    u64: number => Value::Unsigned(*number);
}

/// An event that tells its fields.
pub trait EventFields {
    /// Name of the last layout read whole, such as `V2`.
    fn layout(&self) -> &'static str;

    /// Bytes behind it that no known layout explains.
    fn unknown_trailing_bytes(&self) -> u32;

    /// Gives the fields, in the order of the row.
    fn fields(&self, fields: &mut dyn Fields);
}
