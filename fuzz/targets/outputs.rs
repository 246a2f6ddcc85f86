//! Any bytes, taken for `Events`, `PumpTransactions` and what the modules behind them read.
#![no_main]

use buffa::Message;
use pumpfun_outputs::database;
use pumpfun_outputs::filter::{Filter, filtered_trades, index_keys};
use pumpfun_trades::kept::KeptBlock;
use pumpfun_trades::pb::v1::Events;
use pumpfun_trades::row;
use pumpfun_trades::transaction::Outcomes;
use substreams::pb::sf::substreams::index::v1::Keys;
use substreams_database_change::pb::sf::substreams::sink::database::v1::DatabaseChanges;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let events = Events::decode_from_slice(input);
    let changes = database::changes(input);
    let keys = index_keys(input);
    let every = Filter::parse("side:buy || side:sell").expect("an expression");
    let trades = filtered_trades(&every, input);

    // Rows that decode make changes, one each.
    if let Ok(events) = &events {
        let rows = [
            events.trades.len(),
            events.shareholders.len(),
            events.raw_events.len(),
            events.creations.len(),
            events.completions.len(),
            events.post_completion_buys.len(),
            events.migrations.len(),
            events.creator_changes.len(),
            events.mayhem_updates.len(),
            events.fee_collections.len(),
            events.fee_sweeps.len(),
        ];
        let changes = changes.as_ref().expect("rows that decode make changes");
        let changes = DatabaseChanges::decode_from_slice(changes).expect("our own output decodes");
        assert_eq!(changes.table_changes.len(), rows.iter().sum::<usize>());
        assert!(keys.is_ok() && trades.is_ok());
    }
    if let Ok(keys) = &keys {
        let keys = Keys::decode_from_slice(keys)
            .expect("our own output decodes")
            .keys;
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "{keys:?}");
    }
    // Rows are copied as they are.
    if let Ok(trades) = &trades {
        assert!(trades.len() <= 2 * input.len());
        assert_eq!(filtered_trades(&every, trades).as_ref(), Ok(trades));
    }

    if let Ok(kept) = KeptBlock::decode(input) {
        let trades = row::trades(&kept, Outcomes::All);
        let events = row::events(&kept, Outcomes::All);
        match (trades, events) {
            (Ok(trades), Ok(events)) => assert_eq!(trades.trades, events.trades),
            (Err(trades), Err(events)) => assert_eq!(trades, events),
            (trades, events) => panic!("{trades:?} {events:?}"),
        }
    }
});
