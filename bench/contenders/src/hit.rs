//! From an inner instruction that carries an event to its row: the part that all walks share.

use pumpfun_trades::event::{self, Unreadable};
use pumpfun_trades::program::{EVENT_TAG, PUMP_PROGRAM};
use pumpfun_trades::row::{Base58, Place, RowWriter};
use pumpfun_trades::transaction::UnknownProgram;

/// The event in an inner instruction's data, if it carries one. Whose event it is, the program tells.
#[inline]
pub fn event_in(data: &[u8]) -> Option<&[u8]> {
    data.strip_prefix(&EVENT_TAG)
}

/// Whose event it is: `None` if another program's, else whether its program is known to be Pump.
///
/// `program` is the instruction's program from the account table, `index` its index there, `accounts` the
/// table's length.
pub fn check_program(
    program: Option<&[u8]>,
    index: u32,
    accounts: usize,
) -> Option<Result<(), Unreadable>> {
    match program {
        Some(program) => (program == PUMP_PROGRAM).then_some(Ok(())),
        None => Some(Err(Unreadable::UnknownProgram(UnknownProgram {
            index,
            accounts,
        }))),
    }
}

/// Writes the row of an event.
pub fn push(
    rows: &mut RowWriter<Base58>,
    place: &Place<'_>,
    event: &[u8],
    program: Result<(), Unreadable>,
) {
    match program.and_then(|()| event::read_trade(event)) {
        Ok(Some(trade)) => rows.push_trade(place, &trade),
        Ok(None) => {}
        Err(reason) => rows.push_raw_event(place, event, Some(&reason)),
    }
}

/// The account of an index: a transaction's own keys, then the loaded writable, then the loaded readonly ones.
/// Nothing is put together; the three lists are looked into in turn.
#[inline]
pub fn account<K: AsRef<[u8]>>(index: u32, lists: [&[K]; 3]) -> Option<&[u8]> {
    let mut index = usize::try_from(index).ok()?;
    for list in lists {
        match list.get(index) {
            Some(key) => return Some(key.as_ref()),
            None => index -= list.len(),
        }
    }
    None
}
