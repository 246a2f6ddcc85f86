//! `db_out` through the SQL sink into a real PostgreSQL: rows, kills, and the views.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use std::time::Duration;

use common::tables::{self, Columns};
use common::{Fixture, fixtures, views};
use pumpfun_engine::engine::Engine;
use pumpfun_engine::postgres::Postgres;
use pumpfun_engine::sink::Sink;
use tempfile::TempDir;

fn sink<'a>(fixture: &'a Fixture, engine: &'a Engine, postgres: &Postgres) -> Sink<'a> {
    Sink {
        package: &fixture.package,
        endpoint: &engine.endpoint,
        dsn: postgres.dsn(),
        start: fixture.bundles.first,
        stop: fixture.bundles.stop,
        limit: Duration::from_secs(120),
    }
}

/// All rows of a table, by id.
fn rows(postgres: &Postgres, table: &str) -> Vec<Columns> {
    let columns: Vec<_> = tables::columns(table)
        .into_iter()
        .map(|(name, is_time)| match is_time {
            true => format!(r#"extract(epoch FROM "{name}")::bigint::text AS "{name}""#),
            false => format!(r#""{name}"::text AS "{name}""#),
        })
        .collect();
    let query = format!("SELECT {} FROM {table} ORDER BY id", columns.join(", "));
    let rows = postgres.rows(&query).unwrap().into_iter().map(|row| {
        let present = row
            .as_object()
            .unwrap()
            .iter()
            .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
        present.collect()
    });
    let mut rows: Vec<Columns> = rows.collect();
    rows.sort();
    rows
}

#[track_caller]
fn assert_all_rows(postgres: &Postgres, fixture: &Fixture, context: &str) {
    let mut expected = tables::expected(&fixture.bundles);
    for table in tables::names() {
        let expected = expected.remove(&table).unwrap_or_default();
        assert_eq!(rows(postgres, &table), expected, "{context}: {table}");
    }
}

#[test]
fn every_row_arrives_and_a_second_run_changes_nothing() {
    for fixture in fixtures() {
        let folder = TempDir::new().unwrap();
        let engine = Engine::start(&fixture.bundles.folder, &folder.path().join("state")).unwrap();
        let postgres = Postgres::start().unwrap();
        let sink = sink(fixture, &engine, &postgres);
        sink.setup().unwrap();
        let (success, said) = sink.run().unwrap();
        assert!(success, "{said}");
        assert_all_rows(&postgres, fixture, "first run");
        // The sink takes a range that is done for an error; what counts is that nothing changes.
        sink.run().unwrap();
        assert_all_rows(&postgres, fixture, "second run");
        sink.setup().unwrap();
        assert_all_rows(&postgres, fixture, "second setup");
    }
}

#[test]
fn a_sink_that_is_killed_in_the_middle_loses_and_doubles_nothing() {
    let fixture = &fixtures()[0];
    let folder = TempDir::new().unwrap();
    let engine = Engine::start(&fixture.bundles.folder, &folder.path().join("state")).unwrap();
    let postgres = Postgres::start().unwrap();
    let sink = sink(fixture, &engine, &postgres);
    sink.setup().unwrap();
    let all = tables::expected(&fixture.bundles)["trades"].len();

    for (kill, block) in [4, 9].into_iter().enumerate() {
        // Held up in the middle of a block's transaction, behind its first row.
        let slot = fixture.bundles.blocks[block].slot;
        postgres
            .run(&format!(
                "CREATE OR REPLACE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS \
                 'BEGIN PERFORM pg_sleep(600); RETURN NEW; END';
                 DROP TRIGGER IF EXISTS hold ON trades;
                 CREATE TRIGGER hold AFTER INSERT ON trades FOR EACH ROW WHEN (NEW.slot = {slot}) EXECUTE FUNCTION hold()"
            ))
            .unwrap();
        let mut running = sink.start().unwrap();
        let held = "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
        running
            .wait_for_condition("is held up", Duration::from_secs(60), || {
                Ok(postgres.rows(held)?[0]["n"] == 1)
            })
            .unwrap();
        running.kill().unwrap();
        let there = rows(&postgres, "trades").len();
        assert!(there > 0 && there < all, "kill {kill}: {there} of {all}");
        // What the killed one left open ends with its connection.
        postgres
            .run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep';
                 DROP TRIGGER hold ON trades",
            )
            .unwrap();
    }
    let (success, said) = sink.run().unwrap();
    assert!(success, "{said}");
    assert_all_rows(&postgres, fixture, "resumed");
}

#[test]
fn the_views_say_what_the_rows_mean() {
    for fixture in fixtures() {
        let postgres = Postgres::start().unwrap();
        views::fill_postgres(&postgres, fixture);
        let trades = views::trades(fixture);
        // Rows of failed transactions and of a time beyond reason, as one who asked for them would have: they change
        // nothing of what is counted, and break nothing.
        postgres
            .run(
                "CREATE TEMP TABLE failed AS SELECT * FROM trades;
                 UPDATE failed SET id = id || '-failed', failed = TRUE, quote_amount = quote_amount * 7 + 1,
                     virtual_quote_reserves = 1, block_time = NULL, event_timestamp = 9223372036854775807;
                 INSERT INTO trades SELECT * FROM failed",
            )
            .unwrap();
        for (time, mint) in [("9223372036854775807", "a"), ("-9223372036854775808", "b")] {
            for table in ["creations", "completions", "migrations"] {
                postgres
                    .run(&format!(
                        "INSERT INTO {table} SELECT (r).* FROM (SELECT jsonb_populate_record(t, jsonb_build_object(
                             'id', t.id || '-{mint}', 'mint', '{mint}', 'block_time', NULL, 'event_timestamp', {time}))
                         AS r FROM {table} t LIMIT 1) s"
                    ))
                    .unwrap();
            }
        }
        for (seconds, view) in [(1, "candles_1s"), (60, "candles_1m"), (3600, "candles_1h")] {
            let expected = views::candles(&trades, seconds);
            assert!(!expected.is_empty());
            let query = "SELECT mint, quote_mint, extract(epoch FROM bucket)::bigint AS bucket, open, high, low, \
                         close, volume, volume_tokens, buys, sells, trades FROM";
            let given = postgres.rows(&format!("{query} {view}")).unwrap();
            views::assert_same(given, expected, view);
        }
        let volume = postgres
            .rows("SELECT mint, quote_mint, extract(epoch FROM day)::bigint AS day, buys, sells, trades, users, volume, volume_tokens FROM volume_by_mint_and_day")
            .unwrap();
        views::assert_same(volume, views::volumes(&trades), "volume_by_mint_and_day");
        let flows = postgres
            .rows(
                "SELECT \"user\", mint, quote_mint, tokens_bought, tokens_sold, quote_paid, quote_received, \
                 realised_flow, trades FROM holder_flows",
            )
            .unwrap();
        views::assert_same(flows, views::flows(fixture, &trades), "holder_flows");
        // Every view and every example query runs.
        for view in views::NAMES {
            postgres
                .run(&format!("SELECT count(*) FROM {view}"))
                .unwrap();
        }
        postgres
            .show(
                &pumpfun_engine::paths::repository("sql/postgres/queries.sql"),
                Duration::from_secs(60),
            )
            .unwrap();
    }
}
