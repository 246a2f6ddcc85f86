//! Reading an append-only Borsh payload, whatever its version.
//!
//! Pump's events carry no version. Fields were only ever added at the end, on chain often days before the
//! published IDL, and the payload's length is all that tells versions apart: a strict decoder of any one version
//! loses data when the next one comes. So a payload is read as groups of fields, one a version step, each a
//! Borsh-derived struct:
//!
//! ```text
//! payload: | V0 | V1 | V2 | … | rest of a layout that is newer than this code |
//!            ^ required   ^ each counts only when it fits whole; at the first that does not, reading stops
//! ```
//!
//! What was read before stays good, and the bytes left over are counted: they are the alarm that Pump has changed
//! its event.

use borsh::BorshDeserialize;
use borsh::io::{self, Read};

use super::Unreadable;

/// One version step of an event: the fields that it added, in order.
pub trait Group: BorshDeserialize {
    /// Name of the layout that ends with this group, such as `V2`.
    const LAYOUT: &'static str;

    /// Whether the group is read often enough to be worth code of its own for each field, and not one function for
    /// all: three times the code in the wasm, which every user loads.
    const FAST: bool;
}

/// The groups of a payload, read one after the other.
pub struct Groups<'a> {
    rest: &'a [u8],
    layout: &'static str,
    /// Set once a group did not fit: later ones are not tried, they would read its bytes as their own.
    ended: bool,
}

impl<'a> Groups<'a> {
    /// Begins with the group that every version has.
    ///
    /// # Errors
    ///
    /// When that group does not read: the payload is shorter than its `needed` bytes, or a value is invalid.
    pub fn begin<G: Group>(
        event: &'static str,
        needed: usize,
        payload: &'a [u8],
    ) -> Result<(G, Self), Unreadable> {
        let mut groups = Self {
            rest: payload,
            layout: "",
            ended: false,
        };
        match groups.read() {
            Ok(first) => Ok((first, groups)),
            Err(cause) => Err(unreadable(event, needed, payload, &cause)),
        }
    }

    /// The next group, if it fits whole and no earlier one failed to.
    pub fn next_group<G: Group>(&mut self) -> Option<G> {
        // Most events are of an older layout and end here: no error need be made for that.
        if self.ended || self.rest.is_empty() {
            return None;
        }
        let group = self.read().ok();
        self.ended = group.is_none();
        group
    }

    /// Reads a group, or leaves `rest` as it was.
    fn read<G: Group>(&mut self) -> io::Result<G> {
        let mut rest = self.rest;
        let group = if G::FAST {
            G::deserialize(&mut rest)?
        } else {
            let mut reader = SmallReader(rest);
            let group = G::deserialize_reader(&mut reader)?;
            rest = reader.0;
            group
        };
        self.rest = rest;
        self.layout = G::LAYOUT;
        Ok(group)
    }

    /// Name of the layout that the last group read belongs to.
    pub fn layout(&self) -> &'static str {
        self.layout
    }

    /// Bytes behind the last group read.
    pub fn unknown_trailing_bytes(&self) -> u32 {
        u32::try_from(self.rest.len()).unwrap_or(u32::MAX)
    }
}

/// Why a payload has no first group.
#[cold]
fn unreadable(event: &'static str, needed: usize, payload: &[u8], cause: &io::Error) -> Unreadable {
    match payload.len() < needed {
        true => Unreadable::TooShort {
            event,
            length: payload.len(),
            needed,
        },
        false => Unreadable::Invalid {
            event,
            cause: cause.to_string(),
        },
    }
}

/// Reads bytes by a function that is never inlined, and so is in the wasm once.
struct SmallReader<'a>(&'a [u8]);

impl Read for SmallReader<'_> {
    #[inline(never)]
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out)
    }

    #[inline(never)]
    fn read_exact(&mut self, out: &mut [u8]) -> io::Result<()> {
        self.0.read_exact(out)
    }
}

/// From an event's groups in their order: its type, its reading and the groups' names.
///
/// `layouts!(Event, DISCRIMINATOR, FAST, first: First, second: Second, …)`, with the discriminator as a big-endian
/// number, [`Group::FAST`], and groups that have `BorshDeserialize`; the first one needs a constant `LENGTH`, the least
/// bytes it takes.
macro_rules! layouts {
    (
        $(#[$doc:meta])*
        $Event:ident, $discriminator:literal, $fast:literal,
        $first:ident: $First:ident $(, $group:ident: $Group:ident)* $(,)?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each group's docs are on its type")]
        pub struct $Event {
            pub $first: $First,
            $(pub $group: Option<$Group>,)*
            /// Name of the last layout read whole, such as `V2`.
            pub layout: &'static str,
            /// Bytes behind it that no known layout explains.
            pub unknown_trailing_bytes: u32,
        }

        impl $Event {
            /// The IDL's name of the event.
            pub const NAME: &'static str = stringify!($Event);

            /// Its first 8 bytes.
            pub const DISCRIMINATOR: $crate::event::Discriminator = u64::to_be_bytes($discriminator);

            /// Names of its layouts, in their order.
            pub const LAYOUTS: &'static [&'static str] = &[stringify!($First), $(stringify!($Group)),*];

            /// Reads a payload, the bytes behind the discriminator.
            ///
            /// # Errors
            ///
            /// When the first layout does not read: too few bytes, or a value that its type does not allow.
            pub fn read(payload: &[u8]) -> Result<Self, $crate::event::Unreadable> {
                #[allow(unused_mut, reason = "an event of one layout reads no further group")]
                let ($first, mut groups) =
                    $crate::event::groups::Groups::begin(Self::NAME, $First::LENGTH, payload)?;
                // Fields are evaluated in the order in which they stand here.
                Ok(Self {
                    $first,
                    $($group: groups.next_group(),)*
                    layout: groups.layout(),
                    unknown_trailing_bytes: groups.unknown_trailing_bytes(),
                })
            }
        }

        impl $crate::event::groups::Group for $First {
            const LAYOUT: &'static str = stringify!($First);
            const FAST: bool = $fast;
        }
        $(impl $crate::event::groups::Group for $Group {
            const LAYOUT: &'static str = stringify!($Group);
            const FAST: bool = $fast;
        })*
    };
}

/// An event from its layouts alone: the groups' types, and all that [`layouts`] gives.
///
/// ```text
/// event_groups! {
///     /// What it tells.
///     Event, DISCRIMINATOR,
///     first: First (LENGTH) { field: Type, … }
///     second: Second { field: Type, … }
/// }
/// ```
macro_rules! event_groups {
    (
        $(#[$doc:meta])*
        $Event:ident, $discriminator:literal,
        $(#[$first_doc:meta])*
        $first:ident: $First:ident ($length:literal) { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }
        $(
            $(#[$group_doc:meta])*
            $group:ident: $Group:ident { $($(#[$more_doc:meta])* $more:ident: $more_type:ty,)* }
        )*
    ) => {
        $crate::event::groups::layouts! {
            $(#[$doc])*
            $Event, $discriminator, false, $first: $First $(, $group: $Group)*
        }

        $(#[$first_doc])*
        #[derive(borsh::BorshDeserialize, Clone, Debug, PartialEq, Eq)]
        pub struct $First { $($(#[$field_doc])* pub $field: $type,)* }

        impl $First {
            /// The least bytes of the group.
            pub const LENGTH: usize = $length;
        }

        $(
            $(#[$group_doc])*
            #[derive(borsh::BorshDeserialize, Clone, Debug, PartialEq, Eq)]
            pub struct $Group { $($(#[$more_doc])* pub $more: $more_type,)* }
        )*
    };
}

/// An event whose row has its fields in the order of its layouts: as [`event_groups`], with
/// [`EventFields`](super::fields::EventFields).
macro_rules! event {
    (
        $(#[$doc:meta])*
        $Event:ident, $discriminator:literal,
        $(#[$first_doc:meta])*
        $first:ident: $First:ident ($length:literal) { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }
        $(
            $(#[$group_doc:meta])*
            $group:ident: $Group:ident { $($(#[$more_doc:meta])* $more:ident: $more_type:ty,)* }
        )*
    ) => {
        $crate::event::groups::event_groups! {
            $(#[$doc])*
            $Event, $discriminator,
            $(#[$first_doc])*
            $first: $First ($length) { $($(#[$field_doc])* $field: $type,)* }
            $(
                $(#[$group_doc])*
                $group: $Group { $($(#[$more_doc])* $more: $more_type,)* }
            )*
        }

        impl $crate::event::fields::EventFields for $Event {
            fn layout(&self) -> &'static str {
                self.layout
            }

            fn unknown_trailing_bytes(&self) -> u32 {
                self.unknown_trailing_bytes
            }

            fn fields(&self, fields: &mut dyn $crate::event::fields::Fields) {
                use $crate::event::fields::FieldValue;
                $(fields.required(stringify!($field), self.$first.$field.value());)*
                $($(fields.optional(
                    stringify!($more),
                    self.$group.as_ref().map(|group| group.$more.value()),
                );)*)*
            }
        }
    };
}

pub(crate) use {event, event_groups, layouts};

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(BorshDeserialize, Debug, PartialEq)]
    struct First(u8);
    impl Group for First {
        const LAYOUT: &'static str = "first";
        const FAST: bool = true;
    }

    #[derive(BorshDeserialize, Debug, PartialEq)]
    struct Second(bool, u16);
    impl Group for Second {
        const LAYOUT: &'static str = "second";
        const FAST: bool = true;
    }

    #[derive(BorshDeserialize, Debug, PartialEq)]
    struct Third(u8);
    impl Group for Third {
        const LAYOUT: &'static str = "third";
        const FAST: bool = true;
    }

    #[test]
    fn a_group_that_fails_ends_the_reading_and_gives_its_bytes_back() {
        // 7 is no bool, so Second fails; Third would fit the same bytes, and must not get them.
        let (first, mut groups) = Groups::begin::<First>("Event", 1, &[1, 7, 0, 0]).unwrap();
        assert_eq!(first, First(1));
        assert_eq!(groups.next_group::<Second>(), None);
        assert_eq!(groups.next_group::<Third>(), None);
        assert_eq!(
            (groups.layout(), groups.unknown_trailing_bytes()),
            ("first", 3)
        );
    }

    #[test]
    fn groups_that_fit_are_read_and_the_rest_is_counted() {
        let (_, mut groups) = Groups::begin::<First>("Event", 1, &[1, 1, 2, 0, 9, 8, 8]).unwrap();
        assert_eq!(groups.next_group::<Second>(), Some(Second(true, 2)));
        assert_eq!(groups.next_group::<Third>(), Some(Third(9)));
        assert_eq!(
            (groups.layout(), groups.unknown_trailing_bytes()),
            ("third", 2)
        );
    }

    #[test]
    fn a_payload_without_its_first_group_says_why() {
        let too_short = Groups::begin::<First>("Event", 1, &[]).err().unwrap();
        assert_eq!(
            too_short,
            Unreadable::TooShort {
                event: "Event",
                length: 0,
                needed: 1
            }
        );
        let invalid = Groups::begin::<Second>("Event", 3, &[7, 0, 0])
            .err()
            .unwrap();
        assert!(
            matches!(invalid, Unreadable::Invalid { event: "Event", .. }),
            "{invalid}"
        );
    }
}
