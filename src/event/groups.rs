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

use core::fmt;

use borsh::BorshDeserialize;
use borsh::io::{self, ErrorKind, Read};

use super::Unreadable;

/// One version step of an event: the fields that it added, in order.
pub trait Group: BorshDeserialize {
    /// Name of the layout that ends with this group, such as `V2`.
    const LAYOUT: &'static str;
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
            Err(_) if payload.len() < needed => Err(Unreadable::TooShort {
                event,
                length: payload.len(),
                needed,
            }),
            Err(cause) => Err(Unreadable::Invalid {
                event,
                cause: cause.to_string(),
            }),
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
        let group = G::deserialize(&mut rest)?;
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

/// A Borsh string of at most `MAX` bytes, held in place: a longer one is taken for something that is no string.
#[derive(Clone, PartialEq, Eq)]
pub struct ShortString<const MAX: usize> {
    bytes: [u8; MAX],
    length: usize,
}

impl<const MAX: usize> ShortString<MAX> {
    /// The string.
    pub fn as_str(&self) -> &str {
        let text = self
            .bytes
            .get(..self.length)
            .and_then(|text| str::from_utf8(text).ok());
        // It was UTF-8 when it was read.
        text.unwrap_or_default()
    }
}

impl<const MAX: usize> fmt::Debug for ShortString<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl<const MAX: usize> BorshDeserialize for ShortString<MAX> {
    fn deserialize_reader<R: Read>(reader: &mut R) -> io::Result<Self> {
        let invalid = |what| io::Error::new(ErrorKind::InvalidData, what);
        let length = u32::deserialize_reader(reader)?;
        let mut bytes = [0; MAX];
        let length =
            usize::try_from(length).map_err(|_| invalid("string longer than its limit"))?;
        let text = bytes
            .get_mut(..length)
            .ok_or_else(|| invalid("string longer than its limit"))?;
        reader.read_exact(text)?;
        str::from_utf8(text).map_err(|_| invalid("string that is not UTF-8"))?;
        Ok(Self { bytes, length })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(BorshDeserialize, Debug, PartialEq)]
    struct First(u8);
    impl Group for First {
        const LAYOUT: &'static str = "first";
    }

    #[derive(BorshDeserialize, Debug, PartialEq)]
    struct Second(bool, u16);
    impl Group for Second {
        const LAYOUT: &'static str = "second";
    }

    #[derive(BorshDeserialize, Debug, PartialEq)]
    struct Third(u8);
    impl Group for Third {
        const LAYOUT: &'static str = "third";
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

    #[test]
    fn a_short_string_has_a_limit_and_is_utf8() {
        let read = |bytes: &[u8]| {
            ShortString::<3>::try_from_slice(bytes)
                .map(|s| s.as_str().to_owned())
                .ok()
        };
        assert_eq!(read(b"\x03\0\0\0buy").as_deref(), Some("buy"));
        assert_eq!(read(b"\0\0\0\0").as_deref(), Some(""));
        assert_eq!(read(b"\x04\0\0\0sell"), None);
        assert_eq!(read(b"\x03\0\0\0bu"), None);
        assert_eq!(read(b"\x02\0\0\0\xff\xfe"), None);
        assert_eq!(read(b"\xff\xff\xff\xff"), None);
    }
}
