//! Filters over the rows of `Events`: the keys of a block's trades, and the trades that are asked for.

use std::collections::BTreeSet;

use buffa::Message;
use buffa::types::put_len_delimited_header;
use substreams::pb::sf::substreams::index::v1::Keys;

use super::{Filter, TradeKeys};
use crate::error::BlockError;
use crate::wire::{self, for_each_field};

/// Field numbers of `Events` and of `Trades`, which are the same.
const TRADES: u32 = 1;
const SHAREHOLDERS: u32 = 2;

/// The keys of all trades of an encoded `pumpfun.v1.Events`, each once: an encoded `sf.substreams.index.v1.Keys`.
///
/// # Errors
///
/// When the input is not valid protobuf.
pub fn index_keys(events: &[u8]) -> Result<Vec<u8>, BlockError> {
    let mut keys = BTreeSet::new();
    for_each_field(events, |field, row| {
        if field == TRADES {
            keys.extend(TradeKeys::of_row(row.bytes(field)?)?.index_keys());
        }
        Ok(())
    })
    .map_err(BlockError::of_events)?;
    let keys = Keys {
        keys: keys.into_iter().collect(),
    };
    Ok(keys.encode_to_vec())
}

/// The trades of an encoded `pumpfun.v1.Events` that `filter` matches, and their shareholders: an encoded
/// `pumpfun.v1.Trades`. Rows are copied as they are.
///
/// # Errors
///
/// When the input is not valid protobuf.
pub fn filtered_trades(filter: &Filter, events: &[u8]) -> Result<Vec<u8>, BlockError> {
    let mut trades = Vec::new();
    let mut ids = BTreeSet::new();
    for_each_field(events, |field, value| {
        let row = match field {
            TRADES | SHAREHOLDERS => value.bytes(field)?,
            _ => return Ok(()),
        };
        // Of a trade its own, of a shareholder that of its trade, which stands before it.
        let id = wire::field(row, 1)?.map_or(Ok(&[][..]), |id| id.bytes(1))?;
        let asked_for = match field {
            TRADES => filter.matches(&TradeKeys::of_row(row)?) && ids.insert(id),
            _ => ids.contains(id),
        };
        if asked_for {
            put_len_delimited_header(field, row.len() as u64, &mut trades);
            trades.extend_from_slice(row);
        }
        Ok(())
    })
    .map_err(BlockError::of_events)?;
    Ok(trades)
}
