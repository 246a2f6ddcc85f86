//! The examples, run for real: a consumer in JavaScript, and somebody else's module on top of the package.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use common::{Fixture, fixtures};
use pumpfun_engine::command::{Request, pack};
use pumpfun_engine::engine::Engine;
use pumpfun_engine::paths::repository;
use pumpfun_engine::process;
use pumpfun_tool::schema::Module;
use pumpfun_trades::block::Block;
use pumpfun_trades::pb::v1::Trade;
use pumpfun_trades::row;
use pumpfun_trades::transaction::Outcomes;
use serde_json::Value;
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(600);

/// A copy of an example under target/, so that nothing is installed or built among the sources.
fn copy(name: &str) -> PathBuf {
    let to = repository("target/engine/examples").join(name);
    copy_folder(&repository("examples").join(name), &to);
    to
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        if name == "node_modules" || name == "target" {
            continue;
        }
        match entry.file_type().unwrap().is_dir() {
            true => copy_folder(&entry.path(), &to.join(name)),
            false => drop(fs::copy(entry.path(), to.join(name)).unwrap()),
        }
    }
}

fn trades(fixture: &Fixture) -> BTreeMap<u64, Vec<Trade>> {
    let blocks = fixture.bundles.blocks.iter().map(|block| {
        let decoded = Block::decode(&block.bytes).unwrap();
        let trades = row::trades(&decoded, Outcomes::Successful).unwrap().trades;
        (block.slot, trades)
    });
    blocks.filter(|(_, trades)| !trades.is_empty()).collect()
}

fn line(what: &str, trades: &[Trade]) -> String {
    let buys = trades.iter().filter(|trade| trade.is_buy).count();
    format!(
        "{what}: {} trades, {buys} buys, {} sells",
        trades.len(),
        trades.len() - buys
    )
}

#[test]
fn the_javascript_consumer_counts_every_trade_and_goes_on_where_it_stopped() {
    let folder = copy("javascript");
    let run = |command: &mut Command| {
        let output = process::run(command.current_dir(&folder), LIMIT).unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    run(Command::new("npm").args(["ci", "--silent", "--no-audit", "--no-fund"]));
    run(Command::new("npm").args(["test", "--silent"]));

    for fixture in fixtures() {
        let state = TempDir::new().unwrap();
        let engine = Engine::start(&fixture.bundles.folder, &state.path().join("state")).unwrap();
        let cursor = state.path().join("cursor.json");
        let consume = |stop: u64, more: &[&str]| {
            let mut node = Command::new("node");
            node.arg("consume.mjs")
                .arg("--package")
                .arg(&fixture.package);
            node.args(["--endpoint", &format!("http://{}", engine.endpoint)]);
            node.args([
                "--start",
                &fixture.bundles.first.to_string(),
                "--stop",
                &stop.to_string(),
            ]);
            run(node.args(more))
        };
        let trades = trades(fixture);
        let all: Vec<_> = trades.values().flatten().cloned().collect();
        let mut expected: Vec<_> = trades
            .iter()
            .map(|(slot, trades)| line(&format!("slot {slot}"), trades))
            .collect();
        expected.push(line("total", &all));
        for more in [&[][..], &["--production"]] {
            let lines: Vec<_> = consume(fixture.bundles.stop, more)
                .lines()
                .map(str::to_owned)
                .collect();
            assert_eq!(lines, expected, "{more:?}");
        }

        // In two parts: the second begins behind the first, and the total is that of both.
        let middle = fixture.bundles.blocks[fixture.bundles.blocks.len() / 2].slot;
        let cursor = ["--cursor", cursor.to_str().unwrap()];
        let first = consume(middle, &cursor);
        let second = consume(fixture.bundles.stop, &cursor);
        let parts: Vec<_> = [first, second]
            .iter()
            .flat_map(|part| part.lines())
            .filter(|line| line.starts_with("slot"))
            .map(str::to_owned)
            .collect();
        assert_eq!(parts, expected[..expected.len() - 1]);
        assert_eq!(
            consume(fixture.bundles.stop, &cursor).lines().last(),
            expected.last().map(String::as_str)
        );
    }
}

#[test]
fn a_module_on_top_of_the_package_counts_the_trades_of_users() {
    let fixture = &fixtures()[0];
    let source = repository("examples/user_trades");
    let target = repository("target/engine/user_trades");
    let mut cargo = Command::new("cargo");
    cargo.args([
        "build",
        "--locked",
        "--quiet",
        "--release",
        "--target",
        "wasm32-unknown-unknown",
    ]);
    cargo.current_dir(&source).env("CARGO_TARGET_DIR", &target);
    process::run(&mut cargo, LIMIT).unwrap();

    // As its README says for an engine whose blocks begin later, and with the paths of this test.
    let manifest = fs::read_to_string(source.join("substreams.yaml")).unwrap();
    let absolute = |path: PathBuf| path.canonicalize().unwrap().display().to_string();
    let manifest = manifest
        .replace(
            "initialBlock: 241400000",
            &format!("initialBlock: {}", fixture.bundles.first),
        )
        .replace(
            "../../pumpfun-trades.spkg",
            &absolute(fixture.package.clone()),
        )
        .replace("./target", &absolute(target))
        .replace("./proto", &absolute(source.join("proto")));
    let folder = TempDir::new().unwrap();
    let local = folder.path().join("local.yaml");
    fs::write(&local, manifest).unwrap();
    fs::write(folder.path().join("README.md"), "").unwrap();
    let package = folder.path().join("user-trades.spkg");
    pack(&local, &package).unwrap();

    let engine = Engine::start(&fixture.bundles.folder, &folder.path().join("state")).unwrap();
    let mut totals: BTreeMap<String, u64> = BTreeMap::new();
    let mut expected = Vec::new();
    for (slot, trades) in trades(fixture) {
        let mut users: BTreeMap<String, Vec<Trade>> = BTreeMap::new();
        for trade in trades {
            users.entry(trade.user.clone()).or_default().push(trade);
        }
        for (user, trades) in &users {
            *totals.entry(user.clone()).or_default() += trades.len() as u64;
        }
        let totals: Vec<_> = users
            .keys()
            .map(|user| (user.clone(), totals[user]))
            .collect();
        expected.push((slot, users, totals));
    }
    for production in [false, true] {
        let request = |module| Request {
            package: &package,
            module,
            production,
            ..fixture.request(Module::MapTrades, &engine)
        };
        let blocks = request("map_user_trades").send().unwrap();
        let sums = request("map_user_totals").send().unwrap();
        assert!(
            blocks.success && sums.success,
            "{}{}",
            blocks.said,
            sums.said
        );
        assert_eq!(blocks.outputs.len(), expected.len());
        for (slot, users, totals) in &expected {
            let rows = |output: &Value| output["@data"]["users"].as_array().unwrap().clone();
            let number = |row: &Value, name: &str| row[name].as_u64().unwrap_or_default() as usize;
            let given: Vec<_> = rows(&blocks.outputs[slot])
                .iter()
                .map(|row| {
                    let counts = ["trades", "buys", "sells", "mints"].map(|name| number(row, name));
                    (row["user"].as_str().unwrap().to_owned(), counts)
                })
                .collect();
            let counted: Vec<_> = users
                .iter()
                .map(|(user, trades)| {
                    let buys = trades.iter().filter(|trade| trade.is_buy).count();
                    let mints: BTreeSet<_> = trades.iter().map(|trade| &trade.mint).collect();
                    (
                        user.clone(),
                        [trades.len(), buys, trades.len() - buys, mints.len()],
                    )
                })
                .collect();
            assert_eq!(given, counted, "slot {slot}");
            let given: Vec<_> = rows(&sums.outputs[slot])
                .iter()
                .map(|row| {
                    // An int64 is a text in ProtoJSON.
                    let trades = row["trades"].as_str().unwrap().parse().unwrap();
                    (row["user"].as_str().unwrap().to_owned(), trades)
                })
                .collect();
            assert_eq!(&given, totals, "slot {slot}");
        }
    }
}
