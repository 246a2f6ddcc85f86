//! What the engine's tests share: chains of blocks, and the packed package.

#![allow(dead_code, reason = "each test file uses a part")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

pub mod tables;
pub mod views;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use pumpfun_engine::bundles::Bundles;
use pumpfun_engine::command::{Request, pack};
use pumpfun_engine::engine::Engine;
use pumpfun_engine::paths::repository;
use pumpfun_tool::bundle::BundleWriter;
use pumpfun_tool::input::BUNDLE_SLOTS;
use pumpfun_tool::schema::Module;
use pumpfun_trades::block::Block;
use tempfile::TempDir;

/// A chain of blocks, and the package to run on it.
pub struct Fixture {
    /// Where all of it lies, as long as it lives.
    folder: TempDir,
    pub bundles: Bundles,
    pub package: PathBuf,
}

/// Generated blocks; and real ones where they are.
pub fn fixtures() -> &'static [Fixture] {
    static FIXTURES: LazyLock<Vec<Fixture>> = LazyLock::new(|| {
        let mut fixtures = vec![Fixture::new(|folder| Bundles::generated(folder).unwrap())];
        let real: Vec<_> = (417_750_769..=417_750_773)
            .map(|slot| repository(&format!("../shared/blocks/{slot}.binpb.zst")))
            .collect();
        match real.iter().all(|path| path.exists()) {
            true => fixtures.push(Fixture::new(|folder| {
                Bundles::of(folder, &real, true).unwrap()
            })),
            false => eprintln!("skipped: ../shared is not there, so neither are real blocks"),
        }
        fixtures
    });
    &FIXTURES
}

impl Fixture {
    fn new(bundles: impl FnOnce(&Path) -> Bundles) -> Self {
        let folder = TempDir::new().unwrap();
        let package = folder.path().join("pumpfun-trades.spkg");
        pack(&repository("substreams.yaml"), &package).unwrap();
        Self {
            bundles: bundles(&folder.path().join("bundles")),
            package,
            folder,
        }
    }

    /// A request for all blocks, in development mode.
    pub fn request<'a>(&'a self, module: Module, engine: &'a Engine) -> Request<'a> {
        Request {
            package: &self.package,
            module: module.name(),
            endpoint: &engine.endpoint,
            start: self.bundles.first - self.bundles.first % BUNDLE_SLOTS,
            // Whole segments, so that all of them are cached.
            stop: self.bundles.stop.next_multiple_of(BUNDLE_SLOTS),
            production: false,
            params: None,
        }
    }

    /// Segments of that request.
    pub fn segments(&self) -> usize {
        let first = self.bundles.first / BUNDLE_SLOTS;
        let behind = self.bundles.stop.div_ceil(BUNDLE_SLOTS);
        (behind - first) as usize
    }
}

/// The package with a byte more in the binary that decodes events: a custom section, which changes nothing but the hash.
pub fn changed_package(fixture: &Fixture) -> PathBuf {
    let wasm = repository("target/wasm32-unknown-unknown/release/pumpfun_trades.wasm");
    let mut bytes = fs::read(wasm).unwrap();
    bytes.extend([0, 3, 1, b'x', 0]);
    let changed = fixture.folder.path().join("changed.wasm");
    fs::write(&changed, bytes).unwrap();
    // The manifest lies where it did, as its other paths count from there.
    let manifest = fs::read_to_string(repository("substreams.yaml")).unwrap();
    let path = "./target/wasm32-unknown-unknown/release/pumpfun_trades.wasm";
    assert!(manifest.contains(path));
    let manifest = manifest.replace(path, changed.to_str().unwrap()).replace(
        "./",
        &format!("{}/", repository("").canonicalize().unwrap().display()),
    );
    let file = fixture.folder.path().join("changed.yaml");
    fs::write(&file, manifest).unwrap();
    let package = fixture.folder.path().join("changed.spkg");
    pack(&file, &package).unwrap();
    package
}

/// The chain with a transaction damaged that names Pump, in one of the later blocks: folder, slot, and index.
pub fn damaged(fixture: &Fixture, folder: &Path) -> (PathBuf, u64, u32) {
    let bundles = folder.join("damaged");
    let mut writer = BundleWriter::new(&bundles).unwrap();
    let mut damaged = None;
    for block in &fixture.bundles.blocks {
        let mut block = block.clone();
        if damaged.is_none() && block.slot > fixture.bundles.first + BUNDLE_SLOTS {
            let found = {
                let decoded = Block::decode(&block.bytes).unwrap();
                let found = decoded.pump_transactions().last();
                found.map(|(index, bytes)| {
                    (index, bytes.as_ptr().addr() - block.bytes.as_ptr().addr())
                })
            };
            if let Some((index, at)) = found {
                // A tag of no wire type, in place of the first.
                block.bytes[at] = 0x07;
                damaged = Some((block.slot, index));
            }
        }
        writer.push(&block).unwrap();
    }
    writer.finish(4).unwrap();
    let (slot, index) = damaged.expect("a block with a transaction that names Pump");
    (bundles, slot, index)
}
