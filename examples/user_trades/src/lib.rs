//! What every user traded on Pump.fun, from the rows of `pumpfun:map_trades`.

use std::collections::{BTreeMap, BTreeSet};

use buffa::DecodeError;
use pumpfun_trades::pb::v1::TradesLazyView;

pub mod pb;

use pb::v1::{UserTrade, UserTrades};

/// Counts a block's trades by user.
///
/// Of a lazy view only what is asked for is decoded, so that the shareholders' rows cost nothing. And the map is
/// sorted, because a module must give the same bytes for the same block every time; a `HashMap` has no such order.
///
/// # Errors
///
/// If a trade is not well formed.
pub fn count_by_user(block: &TradesLazyView<'_>) -> Result<UserTrades, DecodeError> {
    let mut users: BTreeMap<&str, (UserTrade, BTreeSet<&str>)> = BTreeMap::new();
    for trade in &block.trades {
        let trade = trade?;
        let (counts, mints) = users.entry(trade.user).or_default();
        counts.trades += 1;
        if trade.is_buy {
            counts.buys += 1;
        } else {
            counts.sells += 1;
        }
        mints.insert(trade.mint);
    }
    let rows = users.into_iter().map(|(user, (counts, mints))| UserTrade {
        user: user.to_owned(),
        mints: mints.len() as u32,
        ..counts
    });
    Ok(UserTrades {
        users: rows.collect(),
    })
}

/// The modules of the manifest, as the engine calls them.
#[allow(
    missing_docs,
    clippy::not_unsafe_ptr_arg_deref,
    reason = "the handler macros write the exported functions"
)]
pub mod handlers {
    use buffa::DecodeError;
    use pumpfun_trades::pb::v1::TradesLazyView;
    use substreams::store::{StoreAdd, StoreAddInt64, StoreGet, StoreGetInt64, StoreNew};

    use crate::pb::v1::{UserTotal, UserTotals, UserTrades};

    /// An empty message is no output, so a block without trades gives none.
    #[substreams::handlers::map]
    pub fn map_user_trades(block: &TradesLazyView<'_>) -> Result<UserTrades, DecodeError> {
        crate::count_by_user(block)
    }

    /// A sum does not depend on the order of its parts: every ordinal is 0.
    #[substreams::handlers::store]
    pub fn store_user_trades(block: UserTrades, store: StoreAddInt64) {
        for user in &block.users {
            store.add(0, &user.user, i64::from(user.trades));
        }
    }

    /// A store is no output by itself: a map reads it, here for those who trade in the block.
    #[substreams::handlers::map]
    pub fn map_user_totals(block: UserTrades, totals: StoreGetInt64) -> UserTotals {
        let rows = block.users.into_iter().map(|user| UserTotal {
            trades: totals.get_last(&user.user).unwrap_or_default(),
            user: user.user,
        });
        UserTotals {
            users: rows.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use buffa::{LazyMessageView, Message};
    use pumpfun_trades::pb::v1::{Trade, Trades};

    use super::*;

    fn trade(user: &str, mint: &str, is_buy: bool) -> Trade {
        Trade {
            user: user.to_owned(),
            mint: mint.to_owned(),
            is_buy,
            ..Trade::default()
        }
    }

    fn count(trades: Vec<Trade>) -> UserTrades {
        let bytes = Trades {
            trades,
            ..Trades::default()
        }
        .encode_to_vec();
        count_by_user(&TradesLazyView::decode_lazy(&bytes).unwrap()).unwrap()
    }

    #[test]
    fn users_are_counted_and_sorted() {
        let counted = count(vec![
            trade("b", "coin", true),
            trade("a", "coin", false),
            trade("b", "coin", false),
            trade("b", "other", true),
        ]);
        let row = |user: &str, trades, buys, sells, mints| UserTrade {
            user: user.to_owned(),
            trades,
            buys,
            sells,
            mints,
        };
        assert_eq!(counted.users, [row("a", 1, 0, 1, 1), row("b", 3, 2, 1, 2)]);
    }

    #[test]
    fn no_trades_are_no_output() {
        assert!(count(Vec::new()).encode_to_vec().is_empty());
    }
}
