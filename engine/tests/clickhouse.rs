//! The ClickHouse schema in chdb: rows of `pumpfun extract`, written twice, give the views that PostgreSQL has.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use std::fmt::Write;
use std::fs;

use common::{Fixture, fixtures, tables, views};
use pumpfun_engine::clickhouse::{self, statements};
use pumpfun_engine::paths::repository;
use pumpfun_engine::postgres::Postgres;
use pumpfun_tool::rows::{Format, Kind, RowPrinter};
use pumpfun_tool::schema::Module;
use pumpfun_tool::summary::Summary;
use pumpfun_trades::block::Block;
use pumpfun_trades::row;
use pumpfun_trades::transaction::Outcomes;
use serde_json::Value;

fn file(name: &str) -> Vec<String> {
    statements(&fs::read_to_string(repository("sql/clickhouse").join(name)).unwrap())
}

/// What inserts all rows, as the lines that `pumpfun extract` prints; twice, as after a replay.
fn inserts(fixture: &Fixture) -> Vec<String> {
    let mut inserts = Vec::new();
    for (table, kind) in [
        ("trades", Kind::Trades),
        ("shareholders", Kind::Shareholders),
        ("raw_events", Kind::RawEvents),
        ("creations", Kind::Creations),
        ("completions", Kind::Completions),
        ("post_completion_buys", Kind::PostCompletionBuys),
        ("migrations", Kind::Migrations),
        ("creator_changes", Kind::CreatorChanges),
        ("mayhem_updates", Kind::MayhemUpdates),
        ("fee_collections", Kind::FeeCollections),
        ("fee_sweeps", Kind::FeeSweeps),
    ] {
        let printer = RowPrinter::new(Module::MapEvents, &[kind], Format::Jsonl).unwrap();
        let mut lines = Vec::new();
        for block in &fixture.bundles.blocks {
            let block = Block::decode(&block.bytes).unwrap();
            let events = row::encode_events(&block, Outcomes::Successful).unwrap();
            printer
                .print(&events, &mut lines, &mut Summary::default())
                .unwrap();
        }
        let lines = String::from_utf8(lines).unwrap();
        if !lines.is_empty() {
            let mut insert = format!("INSERT INTO {table} SETTINGS ");
            write!(
                insert,
                "input_format_skip_unknown_fields = 1, date_time_input_format = 'best_effort' "
            )
            .unwrap();
            write!(insert, "FORMAT JSONEachRow {lines}").unwrap();
            inserts.push(insert.clone());
            inserts.push(insert);
        }
    }
    inserts
}

#[test]
fn the_views_say_what_postgres_says() {
    for fixture in fixtures() {
        let mut script = vec![
            "CREATE DATABASE pumpfun".to_owned(),
            "USE pumpfun".to_owned(),
            // No merge takes replays out before FINAL has to.
            "SYSTEM STOP MERGES".to_owned(),
        ];
        // Twice: every file may be run again.
        for _ in 0..2 {
            script.extend(file("tables.sql"));
            script.extend(file("views.sql"));
        }
        script.extend(inserts(fixture));
        script.extend(file("queries.sql"));
        let asked = script.len();
        let counted: Vec<_> = tables::names()
            .into_iter()
            .chain(["trades_by_user".to_owned()])
            .collect();
        script.extend(
            counted
                .iter()
                .map(|table| format!("SELECT count() AS n FROM {table} FINAL")),
        );
        script.push("SELECT count() AS n FROM trades".to_owned());
        script.extend(
            views::NAMES[1..]
                .iter()
                .filter(|view| **view != "candles")
                .map(|view| format!("SELECT * FROM {view}")),
        );
        let mut answers = clickhouse::run(&script)
            .unwrap()
            .split_off(asked)
            .into_iter();

        let expected = tables::expected(&fixture.bundles);
        for table in &counted {
            let rows = match table.as_str() {
                "trades_by_user" => expected["trades"].len(),
                table => expected[table].len(),
            };
            assert_eq!(count(&answers.next().unwrap()), rows, "{table}");
        }
        assert_eq!(
            count(&answers.next().unwrap()),
            2 * expected["trades"].len(),
            "replays are there"
        );

        let postgres = Postgres::start().unwrap();
        views::fill_postgres(&postgres, fixture);
        for view in views::NAMES[1..].iter().filter(|view| **view != "candles") {
            let columns = times_as_seconds(&postgres, view);
            let given = postgres
                .rows(&format!("SELECT {columns} FROM {view}"))
                .unwrap();
            assert!(!given.is_empty(), "{view}");
            let clickhouse = answers.next().unwrap().into_iter().map(seconds);
            views::assert_same(given, clickhouse.collect(), view);
        }
    }
}

fn count(rows: &[Value]) -> usize {
    let count = &rows[0]["n"];
    let text = count
        .as_str()
        .map_or_else(|| count.to_string(), str::to_owned);
    text.parse().unwrap()
}

/// A view's columns, with times as Unix seconds.
fn times_as_seconds(postgres: &Postgres, view: &str) -> String {
    let query = format!(
        "SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = '{view}'"
    );
    let columns = postgres.rows(&query).unwrap().into_iter().map(|column| {
        let (name, kind) = (
            column["name"].as_str().unwrap(),
            column["type"].as_str().unwrap(),
        );
        match kind == "date" || kind.starts_with("timestamp") {
            true => format!(r#"extract(epoch FROM "{name}")::bigint AS "{name}""#),
            false => format!(r#""{name}""#),
        }
    });
    columns.collect::<Vec<_>>().join(", ")
}

/// A row of ClickHouse's with its times, `YYYY-MM-DD hh:mm:ss` or `YYYY-MM-DD`, as Unix seconds.
fn seconds(mut row: Value) -> Value {
    for value in row.as_object_mut().unwrap().values_mut() {
        if let Some(seconds) = value.as_str().and_then(unix) {
            *value = seconds.into();
        }
    }
    row
}

fn unix(text: &str) -> Option<i64> {
    let (date, time) = match text.len() {
        10 => (text, "00:00:00"),
        19 => text.split_once(' ')?,
        _ => return None,
    };
    let number = |part: &str| part.parse::<i64>().ok();
    let [year, month, day] = <[&str; 3]>::try_from(date.split('-').collect::<Vec<_>>()).ok()?;
    let [hour, minute, second] = <[&str; 3]>::try_from(time.split(':').collect::<Vec<_>>()).ok()?;
    // Days by the civil calendar, counted from 1 March of year 0.
    let (year, month, day) = (number(year)?, number(month)?, number(day)?);
    let years = if month <= 2 { year - 1 } else { year };
    let days = 365 * years + years / 4 - years / 100
        + years / 400
        + (153 * ((month + 9) % 12) + 2) / 5
        + day
        - 1
        - 719_468;
    Some(days * 86_400 + number(hour)? * 3_600 + number(minute)? * 60 + number(second)?)
}
