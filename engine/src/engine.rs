//! The engine: tier 1 and tier 2, in one process of their own.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use serde_json::Value;

use crate::paths::tool;
use crate::process::{Background, free_port};

/// A running engine; dropped, it ends.
pub struct Engine {
    process: Background,
    /// Address that it listens on, such as `127.0.0.1:10016`.
    pub endpoint: String,
    state: PathBuf,
    meter: PathBuf,
}

/// What an engine has read and run for requests: what hosted ones bill by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metered {
    /// Bytes of blocks, uncompressed, that were read from bundles.
    pub block_bytes: u64,
    /// Bytes that were given to modules.
    pub wasm_input_bytes: u64,
}

impl Engine {
    /// Starts one on a folder of bundles, with its caches in `state`, on a free port.
    ///
    /// # Errors
    ///
    /// When it is not built, or does not start.
    pub fn start(bundles: &Path, state: &Path) -> Result<Self> {
        Self::start_on(bundles, state, free_port()?)
    }

    /// The same on a port of 127.0.0.1.
    ///
    /// # Errors
    ///
    /// When it is not built, does not start, or the port is taken.
    pub fn start_on(bundles: &Path, state: &Path, port: u16) -> Result<Self> {
        let endpoint = format!("127.0.0.1:{port}");
        let meter = state.with_extension("meter");
        let mut command = Command::new(tool("engine")?);
        command
            .arg("--blocks")
            .arg(bundles)
            .arg("--state")
            .arg(state)
            .arg("--meter")
            .arg(&meter)
            .args(["--listen", &endpoint]);
        let mut process = Background::start_tied(&command, "TERM")?;
        process.wait_for("ready on", Duration::from_secs(60))?;
        Ok(Self {
            process,
            endpoint,
            state: state.to_owned(),
            meter,
        })
    }

    /// What it has read and run since the last call.
    ///
    /// # Errors
    ///
    /// When its counts cannot be read.
    pub fn metered(&self) -> Result<Metered> {
        // The last counts of a request come after its last block.
        std::thread::sleep(Duration::from_millis(300));
        let text = std::fs::read_to_string(&self.meter)?;
        std::fs::write(&self.meter, "")?;
        let mut metered = Metered::default();
        for line in text.lines() {
            let event: Value = serde_json::from_str(line)?;
            let count = |name: &str| {
                let metric = event.get("metrics").and_then(|metrics| metrics.get(name));
                metric.and_then(Value::as_f64).unwrap_or_default() as u64
            };
            metered.block_bytes += count("file_uncompressed_read_bytes");
            metered.wasm_input_bytes += count("wasm_input_bytes");
        }
        Ok(metered)
    }

    /// Names of the files of one kind (`outputs` or `index`) that it has cached for the module of this hash.
    pub fn cached(&self, hash: &str, kind: &str) -> Vec<String> {
        let folder = std::fs::read_dir(self.state.join(hash).join(kind));
        let mut names: Vec<_> = folder
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// What it has said: warnings and errors.
    pub fn said(&self) -> Vec<String> {
        self.process.said()
    }
}
