//! The package's sizes and the hashes of its modules: kept in docs/package.txt, so that a change is seen in review.
//!
//! A module's hash names its caches: where it changes, every user backfills that module and those behind it anew.
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

use common::fixtures;
use pumpfun_engine::command::module_hashes;
use pumpfun_engine::paths::repository;
use pumpfun_tool::schema::{Binary, Module};

#[test]
fn sizes_and_hashes_are_those_that_are_kept() {
    let package = &fixtures()[0].package;
    let mut text = String::from(
        "# Written by `make pack`. A hash that changes costs every user a new backfill of that module.\n",
    );
    // Papers are in the package, and change its size: to the next 50 KB.
    let size = fs::metadata(package).unwrap().len().div_ceil(50_000) * 50;
    writeln!(text, "pumpfun-trades.spkg          at most {size} KB").unwrap();
    for binary in Binary::ALL {
        let path = repository("target/wasm32-unknown-unknown/release").join(binary.file_name());
        let bytes = fs::metadata(path).unwrap().len();
        writeln!(text, "{:28} {bytes} bytes", binary.file_name()).unwrap();
    }
    let hashes = module_hashes(package).unwrap();
    for module in Module::ALL {
        writeln!(text, "{:28} {}", module.name(), hashes[module.name()]).unwrap();
    }
    let path = repository("docs/package.txt");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == text,
        "docs/package.txt is not what the package is:\n{text}\nIf a hash may change, run `make pack` and commit"
    );
}
