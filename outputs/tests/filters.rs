//! Filters: the grammar, its errors, and what an index and a filter do with a block's trades.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use buffa::Message;
use proptest::prelude::*;
use pumpfun_generate::blocks;
use pumpfun_outputs::filter::{Column, Filter, FilterError, filtered_trades, index_keys};
use pumpfun_trades::block::Block;
use pumpfun_trades::pb::v1::{Events, Trade, Trades};
use pumpfun_trades::row;
use pumpfun_trades::transaction::Outcomes;
use substreams::pb::sf::substreams::index::v1::Keys;

const A: &str = "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P";
const B: &str = "So11111111111111111111111111111111111111112";

fn parse(expression: &str) -> Filter {
    Filter::parse(expression).unwrap_or_else(|error| panic!("{error}"))
}

fn is(column: Column, value: &str) -> Filter {
    Filter::Is(column, value.to_owned())
}

#[test]
fn expressions_mean_what_they_mean_to_the_engine() {
    let (a, b) = (is(Column::Mint, A), is(Column::User, B));
    let buy = is(Column::Side, "buy");
    let and = |parts: &[&Filter]| Filter::And(parts.iter().copied().cloned().collect());
    let or = |parts: &[&Filter]| Filter::Or(parts.iter().copied().cloned().collect());
    for (expression, meaning) in [
        (format!("mint:{A}"), a.clone()),
        (format!("  ( ((mint:{A}) )) "), a.clone()),
        (format!("\"mint:{A}\""), a.clone()),
        (format!("'mint:{A}'"), a.clone()),
        (format!("mint:{A} && user:{B}"), and(&[&a, &b])),
        (format!("mint:{A} user:{B}"), and(&[&a, &b])),
        (format!("mint:{A}\n\tuser:{B}"), and(&[&a, &b])),
        (format!("mint:{A} || user:{B}"), or(&[&a, &b])),
        // `&&` binds closer, whichever comes first.
        (
            format!("mint:{A} || user:{B} && side:buy"),
            or(&[&a, &and(&[&b, &buy])]),
        ),
        (
            format!("mint:{A} user:{B} || side:buy"),
            or(&[&and(&[&a, &b]), &buy]),
        ),
        (
            format!("(mint:{A} || user:{B}) && side:buy"),
            and(&[&or(&[&a, &b]), &buy]),
        ),
        (format!("mint:{A} ||user:{B}"), or(&[&a, &b])),
        (format!("(mint:{A})||(user:{B})"), or(&[&a, &b])),
        (
            format!("mint:{A} || user:{B} || side:buy"),
            or(&[&a, &b, &buy]),
        ),
    ] {
        assert_eq!(parse(&expression), meaning, "{expression}");
        assert_eq!(parse(&meaning.to_string()), meaning, "{meaning}");
    }
    for column in Column::ALL {
        let value = if column == Column::Side { "sell" } else { A };
        assert_eq!(
            parse(&format!("{}:{value}", column.name())),
            is(column, value)
        );
    }
}

#[test]
fn what_is_malformed_is_refused_with_the_place_and_an_example() {
    for (expression, place, says) in [
        ("", 1, "an empty expression"),
        (" \n ", 1, "an empty expression"),
        (
            "(side:buy)(side:sell)",
            11,
            "put a space or `&&` before this",
        ),
        ("side:buy(side:sell)", 9, "put a space or `&&` before this"),
        (
            "\"side:buy\"'side:sell'",
            11,
            "put a space or `&&` before this",
        ),
        (
            "side:buy\r\n|| side:sell",
            9,
            "`\\r` is part of a key to some engines",
        ),
        (
            "\u{c}side:buy",
            1,
            "`\\u{c}` is part of a key to some engines",
        ),
        ("side:buy&&side:sell||side:buy", 9, "put spaces around `&&`"),
        ("' \n '", 2, "` \\n ` has no column"),
        ("mint", 1, "`mint` has no column"),
        (A, 1, "has no column"),
        (
            "mind:x",
            1,
            "`mind` is no column; there are mint, user, creator, router, quote and side",
        ),
        ("Mint:x", 1, "`Mint` is no column"),
        ("mint:x", 6, "`x` is no address"),
        ("mint:", 6, "`` is no address"),
        (
            "mint:6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6",
            6,
            "is no address",
        ),
        ("mint:0OIl", 6, "is no address"),
        ("side:hold", 6, "`hold` is no side"),
        ("side:buy ||", 12, "a key such as"),
        ("side:buy &&", 12, "a key such as"),
        ("|| side:buy", 1, "a key such as"),
        ("side:buy || || side:sell", 13, "a key such as"),
        ("side:buy && || side:sell", 13, "a key such as"),
        ("()", 2, "a key such as"),
        ("side:buy (", 11, "a key such as"),
        ("(side:buy", 1, "this `(` is never closed"),
        (
            "side:buy || (side:sell && (side:buy)",
            13,
            "this `(` is never closed",
        ),
        ("side:buy)", 9, "this `)` closes nothing"),
        ("\"side:buy", 1, "this `\"` is never closed"),
        ("'side:buy\"", 1, "this `'` is never closed"),
        ("side:buy||side:sell", 9, "put spaces around `||`"),
        ("side:buy&& side:sell", 9, "put spaces around `&&`"),
        ("-side:buy", 1, "no negation"),
        ("side:buy && -side:sell", 13, "no negation"),
        // No space to the engine either: it is part of the key.
        ("side:buy\u{a0}", 6, "is no side"),
        ("ключ:1 || side:buy", 1, "`ключ` is no column"),
        ("side:buy || ключ", 13, "has no column"),
    ] {
        let error = Filter::parse(expression).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("filter: character {place}: ")),
            "{expression:?}: {error}"
        );
        assert!(error.contains(says), "{expression:?}: {error}");
        assert!(error.contains("an example: mint:So1"), "{error}");
    }
    let error = Filter::parse("side:buy || mind:x").unwrap_err();
    let lines: Vec<_> = error.to_string().lines().map(str::to_owned).collect();
    assert_eq!(lines[1..3], ["    side:buy || mind:x", "                ^"]);
    assert_eq!(
        format!("{error:?}"),
        error.to_string(),
        "the engine shows Debug"
    );
}

#[test]
fn no_expression_is_too_deep_for_the_stack_or_too_long() {
    let deep = |depth| format!("{}side:buy{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(parse(&deep(100)), is(Column::Side, "buy"));
    for depth in [101, 100_000] {
        let error = Filter::parse(&deep(depth)).unwrap_err().to_string();
        assert!(
            error.contains("character 101: more than 100 parentheses"),
            "{error}"
        );
        assert!(error.len() < 1_000, "the expression is not repeated whole");
    }
    // As many alternatives as engines bear, and more in groups.
    let chain = |terms| vec!["side:buy"; terms].join(" || ");
    assert!(matches!(parse(&chain(2_501)), Filter::Or(any) if any.len() == 2_501));
    let error = Filter::parse(&chain(2_502)).unwrap_err().to_string();
    assert!(error.contains("more than 2500 times `||`"), "{error}");
    let groups = vec![format!("({})", chain(2_400)); 10].join(" || ");
    assert!(matches!(parse(&groups), Filter::Or(any) if any.len() == 10));
    let all = |terms| vec!["side:buy"; terms].join(" && ");
    assert!(matches!(parse(&all(65_535)), Filter::And(all) if all.len() == 65_535));
    assert!(Filter::parse(&all(65_536)).is_err());
    let long = Filter::parse(&format!("mint:{}", "1".repeat(1 << 20)))
        .unwrap_err()
        .to_string();
    assert!(long.len() < 1_000, "{} characters", long.len());
}

/// The generated blocks' events, encoded and decoded.
static EVENTS: LazyLock<Vec<(Vec<u8>, Events)>> = LazyLock::new(|| {
    let blocks = blocks(42, 16);
    let events = blocks.map(|block| {
        let encoded =
            row::encode_events(&Block::decode(&block.bytes).unwrap(), Outcomes::Successful)
                .unwrap();
        let decoded = Events::decode_from_slice(&encoded).unwrap();
        (encoded, decoded)
    });
    events.collect()
});

/// What a trade holds in a column, off the decoded row.
fn value(trade: &Trade, column: Column) -> Option<&str> {
    Some(match column {
        Column::Mint => &trade.mint,
        Column::User => &trade.user,
        Column::Creator => trade.creator.as_deref()?,
        Column::Router => &trade.outer_program,
        Column::Quote => &trade.quote_mint,
        Column::Side => match trade.is_buy {
            true => "buy",
            false => "sell",
        },
    })
}

/// The naive oracle.
fn matches(filter: &Filter, trade: &Trade) -> bool {
    match filter {
        Filter::Is(column, wanted) => value(trade, *column) == Some(wanted),
        Filter::And(all) => all.iter().all(|one| matches(one, trade)),
        Filter::Or(any) => any.iter().any(|one| matches(one, trade)),
    }
}

fn keys(events: &[u8]) -> Vec<String> {
    Keys::decode_from_slice(&index_keys(events).unwrap())
        .unwrap()
        .keys
}

#[test]
fn an_index_holds_the_keys_of_all_trades_once() {
    for (encoded, events) in EVENTS.iter() {
        let mut expected = BTreeSet::new();
        for trade in &events.trades {
            for column in Column::ALL {
                expected
                    .extend(value(trade, column).map(|value| format!("{}:{value}", column.name())));
            }
        }
        assert_eq!(keys(encoded), expected.into_iter().collect::<Vec<_>>());
    }
    assert!(
        EVENTS
            .iter()
            .any(|(encoded, _)| keys(encoded).iter().any(|key| key.starts_with("creator:")))
    );
    assert!(index_keys(&[]).unwrap().is_empty());
    assert!(index_keys(&[0x0a, 0xff]).is_err());
}

/// A filter over values that there are, and some that there are not.
fn filter() -> impl Strategy<Value = Filter> {
    let trades: Vec<&Trade> = EVENTS
        .iter()
        .flat_map(|(_, events)| &events.trades)
        .collect();
    let leaf = (
        0..trades.len(),
        0..Column::ALL.len(),
        prop::bool::weighted(0.1),
    )
        .prop_map(move |(trade, column, absent)| {
            let column = Column::ALL[column];
            let value = value(trades[trade], column).unwrap_or(A);
            let absent = absent && column != Column::Side;
            is(column, if absent { A } else { value })
        });
    leaf.prop_recursive(4, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Filter::And),
            prop::collection::vec(inner, 2..4).prop_map(Filter::Or),
        ]
    })
}

/// Whether the keys of a block fulfil an expression: what the engine decides by its index.
fn block_matches(filter: &Filter, keys: &HashSet<String>) -> bool {
    match filter {
        Filter::Is(column, value) => keys.contains(&format!("{}:{value}", column.name())),
        Filter::And(all) => all.iter().all(|one| block_matches(one, keys)),
        Filter::Or(any) => any.iter().any(|one| block_matches(one, keys)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn filters_give_the_trades_that_they_ask_for(filter in filter()) {
        prop_assert_eq!(&Filter::parse(&filter.to_string()).unwrap().to_string(), &filter.to_string());
        for (encoded, events) in EVENTS.iter() {
            let trades: Vec<Trade> =
                events.trades.iter().filter(|trade| matches(&filter, trade)).cloned().collect();
            let ids: HashSet<&String> = trades.iter().map(|trade| &trade.id).collect();
            let shareholders: Vec<_> =
                events.shareholders.iter().filter(|row| ids.contains(&row.trade_id)).cloned().collect();
            let given = Trades::decode_from_slice(&filtered_trades(&filter, encoded).unwrap()).unwrap();
            prop_assert_eq!(&given.trades, &trades);
            prop_assert_eq!(&given.shareholders, &shareholders);
            prop_assert!(given.raw_events.is_empty());
            // No block is left out that holds such a trade.
            if !trades.is_empty() {
                let keys: HashSet<String> = keys(encoded).into_iter().collect();
                prop_assert!(block_matches(&filter, &keys));
            }
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[mintuserside:buy&|()'\"\\- \t\u{a0}é1-9]{0,60}") {
        if let Err(error) = Filter::parse(&text) {
            let error: FilterError = error;
            prop_assert!(error.to_string().contains("an example"));
        }
    }
}
