//! Ranges of slots, as one writes them on a command line.

use std::ops::Range;
use std::str::FromStr;

use anyhow::{Context, Error, Result, ensure};

/// Slots from one up to another: `A..B` without B, `A..=B` with it, or the one slot `A`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotRange(Range<u64>);

impl SlotRange {
    /// Whether a slot lies in the range.
    pub fn contains(&self, slot: u64) -> bool {
        self.0.contains(&slot)
    }

    /// Whether any of these slots lies in it.
    pub fn overlaps(&self, slots: &Range<u64>) -> bool {
        self.0.start < slots.end && slots.start < self.0.end
    }

    /// Those of these slots that lie in it.
    pub fn within(&self, slots: &Range<u64>) -> Range<u64> {
        self.0.start.max(slots.start)..self.0.end.min(slots.end)
    }

    /// The first and the last slot.
    pub fn ends(&self) -> (u64, u64) {
        (self.0.start, self.0.end.saturating_sub(1))
    }
}

impl FromStr for SlotRange {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let number = |part: &str| {
            part.parse::<u64>().with_context(|| {
                format!("{part:?} is no slot: write A..B (B is not in it), A..=B or A")
            })
        };
        let range = match text.split_once("..") {
            None => number(text)?..number(text)?.saturating_add(1),
            Some((first, behind)) => match behind.strip_prefix('=') {
                Some(last) => number(first)?..number(last)?.saturating_add(1),
                None => number(first)?..number(behind)?,
            },
        };
        ensure!(!range.is_empty(), "{text}: no slot lies in this range");
        Ok(Self(range))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_they_are_written() {
        let slots = |text: &str| text.parse::<SlotRange>().map(|range| range.0).ok();
        assert_eq!(slots("5..8"), Some(5..8));
        assert_eq!(slots("5..=8"), Some(5..9));
        assert_eq!(slots("5"), Some(5..6));
        for bad in [
            "", "..", "5..", "..5", "5..5", "8..5", "a..b", "5...8", "-1..5", "5..=4",
        ] {
            assert_eq!(slots(bad), None, "{bad:?}");
        }
        let error = "5..x".parse::<SlotRange>().unwrap_err();
        assert!(
            format!("{error:#}").contains("\"x\" is no slot"),
            "{error:#}"
        );
    }

    #[test]
    fn a_range_knows_what_it_holds() {
        let range: SlotRange = "5..8".parse().unwrap();
        assert!(range.contains(5) && range.contains(7) && !range.contains(8));
        assert!(range.overlaps(&(7..10)) && range.overlaps(&(0..6)) && range.overlaps(&(6..7)));
        assert!(!range.overlaps(&(8..10)) && !range.overlaps(&(0..5)));
        assert_eq!(range.ends(), (5, 7));
        assert_eq!(range.within(&(0..6)), 5..6);
        assert_eq!(range.within(&(6..90)), 6..8);
    }
}
