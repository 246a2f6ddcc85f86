//! The `substreams` command: packing a package, and running its modules on an engine.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::paths::tool;
use crate::process;

/// How long a command may take before it counts as hung: the engine retries for ever what it takes for an outage.
const LIMIT: Duration = Duration::from_secs(120);

/// Packs a manifest.
///
/// # Errors
///
/// When the command is not built, or refuses the manifest.
pub fn pack(manifest: &Path, package: &Path) -> Result<()> {
    let mut command = Command::new(tool("substreams")?);
    command.arg("pack").arg(manifest).arg("-o").arg(package);
    process::run(&mut command, LIMIT)?;
    Ok(())
}

/// The hash of each module of a package.
///
/// # Errors
///
/// When the command is not built, or does not read the package.
pub fn module_hashes(package: &Path) -> Result<BTreeMap<String, String>> {
    let mut command = Command::new(tool("substreams")?);
    command.arg("info").arg(package).arg("--json");
    let output = process::run(&mut command, LIMIT)?;
    let info: Value = serde_json::from_slice(&output.stdout).context("substreams info")?;
    let modules = info
        .get("modules")
        .and_then(Value::as_array)
        .context("no modules")?;
    let hashes = modules.iter().filter_map(|module| {
        let text = |field: &str| module.get(field)?.as_str().map(str::to_owned);
        Some((text("name")?, text("hash")?))
    });
    Ok(hashes.collect())
}

/// A request to an engine.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The package.
    pub package: &'a Path,
    /// The module whose output is asked for.
    pub module: &'a str,
    /// The engine's address.
    pub endpoint: &'a str,
    /// First slot.
    pub start: u64,
    /// Slot behind the last.
    pub stop: u64,
    /// Whether segments are run in parallel and cached, on tier 2.
    pub production: bool,
    /// The module's parameter, if it takes one.
    pub params: Option<&'a str>,
}

/// What a request gave.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Each output by its slot: a `@type` and the message as ProtoJSON.
    pub outputs: BTreeMap<u64, Value>,
    /// All that the command said.
    pub said: String,
    /// Whether it ended well.
    pub success: bool,
}

impl Request<'_> {
    /// Sends the request, and takes all of its answer.
    ///
    /// # Errors
    ///
    /// When the command is not built, does not end, or says what is no JSON where it should; an error of the engine
    /// is none, but an answer.
    pub fn send(&self) -> Result<Answer> {
        let mut command = Command::new(tool("substreams")?);
        command
            .arg("run")
            .arg(self.package)
            .args([
                self.module,
                "-e",
                self.endpoint,
                "--plaintext",
                "-o",
                "jsonl",
            ])
            .args(["-s", &self.start.to_string(), "-t", &self.stop.to_string()]);
        if self.production {
            command.arg("--production-mode");
        }
        if let Some(params) = self.params {
            command.arg("-p").arg(format!("{}={params}", self.module));
        }
        let output = process::output(&mut command, LIMIT)?;
        let stdout = String::from_utf8_lossy(&output.stdout);
        let mut outputs = BTreeMap::new();
        for line in stdout.lines().filter(|line| line.starts_with('{')) {
            let line: Value = serde_json::from_str(line).with_context(|| line.to_owned())?;
            if let Some(block) = line.get("@block").and_then(Value::as_u64) {
                outputs.insert(block, line);
            }
        }
        Ok(Answer {
            outputs,
            said: format!("{stdout}{}", String::from_utf8_lossy(&output.stderr)),
            success: output.status.success(),
        })
    }
}
