//! The manifest, the wasm files and the tool name the same modules, with the same inputs and outputs.
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

use common::wasm_folder;
use pumpfun_tool::schema::{Binary, INITIAL_BLOCK, Module};
use pumpfun_tool::wasm::Wasm;

fn manifest() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("substreams.yaml")).unwrap()
}

/// Each module of substreams.yaml: name to the lines of its entry.
fn modules() -> BTreeMap<String, Vec<String>> {
    let text = manifest();
    let (_, modules) = text.split_once("\nmodules:\n").unwrap();
    let (modules, _) = modules.split_once("\nparams:\n").unwrap();
    let entries = modules.split("  - name: ").skip(1).map(|entry| {
        let mut lines = entry.lines().map(|line| line.trim().to_owned());
        (lines.next().unwrap(), lines.collect())
    });
    entries.collect()
}

#[test]
fn manifest_wasm_and_tool_have_the_same_modules() {
    let mut tool: Vec<_> = Module::ALL.map(Module::name).to_vec();
    tool.sort_unstable();
    assert_eq!(modules().into_keys().collect::<Vec<_>>(), tool);
    for binary in Binary::ALL {
        let wasm = Wasm::load(&wasm_folder().join(binary.file_name())).unwrap();
        let mut expected: Vec<_> = Module::ALL
            .into_iter()
            .filter(|module| module.binary() == binary)
            .map(Module::name)
            .collect();
        expected.sort_unstable();
        assert_eq!(wasm.modules(), expected, "{}", binary.file_name());
        assert!(manifest().contains(&format!("/release/{}\n", binary.file_name())));
    }
}

#[test]
fn every_module_of_the_manifest_is_described_as_it_is() {
    let modules = modules();
    for module in Module::ALL {
        let entry = &modules[module.name()];
        let has = |line: &str| entry.iter().any(|have| have == line);
        let mut lines = vec![
            format!("type: proto:{}", module.output_name()),
            "doc: |".to_owned(),
            format!("initialBlock: {INITIAL_BLOCK}"),
            match module {
                Module::IndexTrades => "kind: blockIndex".to_owned(),
                _ => "kind: map".to_owned(),
            },
            match module.input() {
                Some(input) => format!("- map: {}", input.name()),
                None => "- source: sf.solana.type.v1.Block".to_owned(),
            },
        ];
        match module.binary() {
            Binary::Trades => assert!(!entry.iter().any(|line| line.starts_with("binary:"))),
            Binary::Transactions => lines.push("binary: transactions".to_owned()),
            Binary::Outputs => lines.push("binary: outputs".to_owned()),
        }
        for line in lines {
            assert!(has(&line), "{} without {line:?}", module.name());
        }
        assert_eq!(has("- params: string"), module.default_params().is_some());
        if let Some(params) = module.default_params() {
            let line = format!("  {}: \"{params}\"", module.name());
            assert!(manifest().lines().any(|have| have == line), "{line}");
        }
        module.output().unwrap();
    }
}
