//! What the views should say, computed plainly from the rows; and the comparison of what databases give.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use pumpfun_engine::engine::Engine;
use pumpfun_engine::postgres::Postgres;
use pumpfun_engine::sink::Sink;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::Fixture;
use super::tables::{self, Columns};

/// All views.
pub const NAMES: [&str; 10] = [
    "quote_units",
    "trade_prices",
    "candles",
    "candles_1s",
    "candles_1m",
    "candles_1h",
    "volume_by_mint_and_day",
    "holder_flows",
    "creators",
    "coins",
];

/// Sinks a chain's rows.
pub fn fill_postgres(postgres: &Postgres, fixture: &Fixture) {
    let folder = TempDir::new().unwrap();
    let engine = Engine::start(&fixture.bundles.folder, &folder.path().join("state")).unwrap();
    let sink = Sink {
        package: &fixture.package,
        endpoint: &engine.endpoint,
        dsn: postgres.dsn(),
        start: fixture.bundles.first,
        stop: fixture.bundles.stop,
        limit: Duration::from_secs(120),
    };
    sink.setup().unwrap();
    let (success, said) = sink.run().unwrap();
    assert!(success, "{said}");
}

/// The rows of trades in the order of the chain.
pub fn trades(fixture: &Fixture) -> Vec<Columns> {
    let mut trades = tables::expected(&fixture.bundles).remove("trades").unwrap();
    let place = |row: &Columns| {
        [
            "slot",
            "transaction_index",
            "instruction_index",
            "inner_instruction_index",
        ]
        .map(|part| number(row, part) as u64)
    };
    trades.sort_by_key(place);
    trades
}

/// Whole numbers up to 2^53 are exact, and the comparison has a tolerance anyway.
fn number(row: &Columns, column: &str) -> f64 {
    row[column].parse().unwrap()
}

/// Decimals of the quote mints that the schema knows; of others nothing can be said.
fn decimals(mint: &str) -> Option<i32> {
    match mint {
        "11111111111111111111111111111111" | "So11111111111111111111111111111111111111112" => {
            Some(9)
        }
        "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
        | "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"
        | "USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzUEmuB" => Some(6),
        _ => None,
    }
}

/// Candles of a width in seconds, by the definition: prices after trades, in the order of the chain.
pub fn candles(trades: &[Columns], seconds: i64) -> Vec<Value> {
    let mut candles: BTreeMap<(String, String, i64), Vec<&Columns>> = BTreeMap::new();
    for trade in trades {
        let time: i64 = trade["block_time"].parse().unwrap();
        let bucket = time - time.rem_euclid(seconds);
        let key = (trade["mint"].clone(), trade["quote_mint"].clone(), bucket);
        candles.entry(key).or_default().push(trade);
    }
    let candles = candles.into_iter().map(|((mint, quote, bucket), trades)| {
        let decimals = decimals(&quote);
        let prices: Vec<f64> = trades
            .iter()
            .filter(|trade| number(trade, "virtual_token_reserves") > 0.0)
            .filter_map(|trade| {
                let ratio = number(trade, "virtual_quote_reserves") / number(trade, "virtual_token_reserves");
                Some(ratio * 10_f64.powi(6 - decimals?))
            })
            .collect();
        let sum = |column: &str| trades.iter().map(|trade| number(trade, column)).sum::<f64>();
        let buys = trades.iter().filter(|trade| trade["is_buy"] == "true").count();
        json!({
            "mint": mint, "quote_mint": quote, "bucket": bucket,
            "open": prices.first(), "close": prices.last(),
            "high": prices.iter().copied().reduce(f64::max), "low": prices.iter().copied().reduce(f64::min),
            "volume": decimals.map(|decimals| sum("quote_amount") / 10_f64.powi(decimals)),
            "volume_tokens": sum("token_amount") / 1e6,
            "buys": buys, "sells": trades.len() - buys, "trades": trades.len(),
        })
    });
    candles.collect()
}

/// Volumes by mint and day. All blocks of a test lie in one year, whose days are counted here.
pub fn volumes(trades: &[Columns]) -> Vec<Value> {
    let mut days: BTreeMap<(String, String, i64), Vec<&Columns>> = BTreeMap::new();
    for trade in trades {
        let day = trade["block_time"]
            .parse::<i64>()
            .unwrap()
            .div_euclid(86_400);
        let key = (trade["mint"].clone(), trade["quote_mint"].clone(), day);
        days.entry(key).or_default().push(trade);
    }
    let volumes = days.into_iter().map(|((mint, quote, day), trades)| {
        let sum = |column: &str| trades.iter().map(|trade| number(trade, column)).sum::<f64>();
        let buys = trades.iter().filter(|trade| trade["is_buy"] == "true").count();
        let users: BTreeSet<_> = trades.iter().map(|trade| &trade["user"]).collect();
        json!({
            "mint": mint, "quote_mint": quote, "day": day * 86_400,
            "buys": buys, "sells": trades.len() - buys, "trades": trades.len(), "users": users.len(),
            "volume": decimals(&quote).map(|decimals| sum("quote_amount") / 10_f64.powi(decimals)),
            "volume_tokens": sum("token_amount") / 1e6,
        })
    });
    volumes.collect()
}

/// What each user paid and got for each coin: trades with their fees, and post-completion buys with theirs.
pub fn flows(fixture: &Fixture, trades: &[Columns]) -> Vec<Value> {
    let number =
        |row: &Columns, column: &str| row.get(column).map_or(0.0, |text| text.parse().unwrap());
    // Tokens and quote, in and out, and how many.
    let mut flows: BTreeMap<[String; 3], [f64; 5]> = BTreeMap::new();
    let mut add = |row: &Columns, is_buy: bool, tokens: f64, amount: f64, fees: f64| {
        let key = ["user", "mint", "quote_mint"].map(|column| row[column].clone());
        let flow = flows.entry(key).or_default();
        match is_buy {
            true => {
                flow[0] += tokens;
                flow[2] += amount + fees;
            }
            false => {
                flow[1] += tokens;
                flow[3] += amount - fees;
            }
        }
        flow[4] += 1.0;
    };
    for trade in trades {
        let fees = number(trade, "fee") + number(trade, "creator_fee") + number(trade, "cashback");
        let (tokens, amount) = (number(trade, "token_amount"), number(trade, "quote_amount"));
        add(trade, trade["is_buy"] == "true", tokens, amount, fees);
    }
    let tables = tables::expected(&fixture.bundles);
    for buy in tables.get("post_completion_buys").into_iter().flatten() {
        let fees = number(buy, "fee") + number(buy, "creator_fee");
        add(
            buy,
            true,
            number(buy, "base_out"),
            number(buy, "quote_in"),
            fees,
        );
    }
    let flows = flows.into_iter().map(|([user, mint, quote], [bought, sold, paid, received, trades])| {
        let unit = decimals(&quote).map(|decimals| 10_f64.powi(-decimals));
        json!({
            "user": user, "mint": mint, "quote_mint": quote, "trades": trades,
            "tokens_bought": bought / 1e6, "tokens_sold": sold / 1e6,
            "quote_paid": unit.map(|unit| paid * unit), "quote_received": unit.map(|unit| received * unit),
            "realised_flow": unit.map(|unit| (received - paid) * unit),
        })
    });
    flows.collect()
}

/// Holds two sets of rows to each other, in whatever order: numbers to nine digits, however they are written.
#[track_caller]
pub fn assert_same(given: Vec<Value>, expected: Vec<Value>, context: &str) {
    let sorted = |rows: Vec<Value>| {
        let mut rows: Vec<_> = rows.into_iter().map(normal).collect();
        // Texts first, as they are exact and nearly always tell rows apart.
        rows.sort_by_cached_key(|row| {
            let texts: Vec<_> = row.iter().filter(|(_, value)| value.is_string()).collect();
            let numbers = row
                .iter()
                .filter_map(|(name, value)| Some(format!("{name}{:.4e}", value.as_f64()?)));
            format!("{texts:?}{:?}", numbers.collect::<Vec<_>>())
        });
        rows
    };
    let (given, expected) = (sorted(given), sorted(expected));
    assert_eq!(given.len(), expected.len(), "{context}: rows");
    for (given, expected) in given.iter().zip(&expected) {
        assert!(
            given.keys().eq(expected.keys()),
            "{context}: {given:?} {expected:?}"
        );
        for (name, value) in given {
            let other = &expected[name];
            let same = match (value.as_f64(), other.as_f64()) {
                (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()),
                _ => value == other,
            };
            assert!(
                same,
                "{context}: {name}: {value} is not {other}:\n{given:?}\n{expected:?}"
            );
        }
    }
}

/// A row with numbers as numbers and truths as numbers, whether a database writes them so or as text.
fn normal(row: Value) -> BTreeMap<String, Value> {
    let columns = row.as_object().unwrap().iter().map(|(name, value)| {
        let value = match value {
            Value::Bool(truth) => json!(f64::from(u8::from(*truth))),
            Value::String(text) => match text.parse::<f64>() {
                // A key of digits alone would be one too; none is that short.
                Ok(number) if text.len() < 30 || text.contains('.') => json!(number),
                _ => value.clone(),
            },
            _ => value.as_f64().map_or(value.clone(), |number| json!(number)),
        };
        (name.clone(), value)
    });
    columns.collect()
}
