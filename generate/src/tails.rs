//! Bytes after a TradeEvent that no published layout explains.
//!
//! A tail must not read as the next group, or the truth about the layout would be another: it is
//! either too short for that group, or it breaks one of the group's guards (a bool that is neither 0
//! nor 1, a string longer than 64 bytes or than what remains).

use crate::rng::Rng;
use crate::trade_event::Layout;

/// Longest tail that is generated.
const LONGEST: u64 = 40;

/// A tail for an event of `layout`, at least one byte long.
pub(crate) fn unknown(rng: &mut Rng, layout: Layout) -> Vec<u8> {
    let longest = match layout {
        // The next group has 16 bytes and no guard.
        Layout::V0 | Layout::V5 | Layout::V6 | Layout::V7 => 15,
        // The next group has 8 bytes.
        Layout::V8 => 7,
        // The next group has 96 bytes (V2) or 60 at least (V7), is guarded, or does not exist.
        Layout::V1 | Layout::V2 | Layout::V3 | Layout::V4 | Layout::V6b | Layout::V9 => LONGEST,
    };
    let length = rng.range(1, longest) as usize;
    let mut tail = rng.bytes(length);
    let guard = match layout {
        Layout::V2 | Layout::V4 => 0,
        // The highest byte of the string's length.
        Layout::V3 => 3,
        _ => return tail,
    };
    if let Some(byte) = tail.get_mut(guard) {
        *byte = 0xa5;
    }
    tail
}
