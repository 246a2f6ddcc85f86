//! The manifest, the wasm and the tool name the same modules, with the same outputs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use clap::ValueEnum;
use common::wasm;
use pumpfun_tool::schema::Module;

/// Each module of substreams.yaml: name to the lines of its entry.
fn manifest() -> BTreeMap<String, Vec<String>> {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("substreams.yaml")).unwrap();
    let (_, modules) = text.split_once("\nmodules:\n").unwrap();
    let entries = modules.split("  - name: ").skip(1).map(|entry| {
        let mut lines = entry.lines().map(|line| line.trim().to_owned());
        (lines.next().unwrap(), lines.collect())
    });
    entries.collect()
}

#[test]
fn manifest_wasm_and_tool_have_the_same_modules() {
    let manifest: Vec<_> = manifest().into_keys().collect();
    let mut tool: Vec<_> = Module::value_variants()
        .iter()
        .map(|module| module.name())
        .collect();
    tool.sort_unstable();
    assert_eq!(manifest, wasm().modules());
    assert_eq!(manifest, tool);
}

#[test]
fn every_module_of_the_manifest_is_described_as_it_is() {
    for (name, entry) in manifest() {
        let module = Module::from_str(&name, false).unwrap();
        let output = format!("type: proto:{}", module.output().unwrap().full_name());
        for line in [
            output.as_str(),
            "doc: |",
            "kind: map",
            "initialBlock: 241400000",
        ] {
            assert!(
                entry.iter().any(|have| have == line),
                "{name} without {line:?}"
            );
        }
    }
}
