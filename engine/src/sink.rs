//! The SQL sink: from the engine into a database.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::Value;

use crate::paths::tool;
use crate::process::{self, Background};

const LIMIT: Duration = Duration::from_secs(120);

/// A range of blocks to be sunk.
#[derive(Clone, Debug)]
pub struct Sink<'a> {
    /// The package.
    pub package: &'a Path,
    /// The engine's address.
    pub endpoint: &'a str,
    /// The database.
    pub dsn: String,
    /// First slot.
    pub start: u64,
    /// Slot behind the last.
    pub stop: u64,
    /// How long it may take.
    pub limit: Duration,
}

impl Sink<'_> {
    /// Makes the tables, views and what the sink needs.
    ///
    /// # Errors
    ///
    /// When the sink is not built, or the schema fails.
    pub fn setup(&self) -> Result<()> {
        let mut command = Command::new(tool("substreams-sink-sql")?);
        command.args(["setup", &self.dsn]).arg(self.package);
        process::run(&mut command, LIMIT)?;
        Ok(())
    }

    /// Sinks the range, or what is left of it, to its end; gives what the sink said, and whether it ended well.
    ///
    /// # Errors
    ///
    /// When the sink is not built or does not end.
    pub fn run(&self) -> Result<(bool, String)> {
        let output = process::output(&mut self.command()?, self.limit)?;
        let said = [output.stdout, output.stderr].concat();
        Ok((
            output.status.success(),
            String::from_utf8_lossy(&said).into_owned(),
        ))
    }

    /// Sinks the range, as [`Sink::run`] does.
    ///
    /// # Errors
    ///
    /// The errors among the lines of its log, or all that it said where there are none.
    pub fn run_to_end(&self) -> Result<()> {
        let (success, said) = self.run()?;
        ensure!(success, "the sink has failed:\n{}", errors_of(&said));
        Ok(())
    }

    /// Sinks in the background, in a process of its own: whoever kills it kills the sink and no shell before it.
    ///
    /// # Errors
    ///
    /// When the sink is not built.
    pub fn start(&self) -> Result<Background> {
        Background::start(&mut self.command()?)
    }

    fn command(&self) -> Result<Command> {
        let mut command = Command::new(tool("substreams-sink-sql")?);
        command
            .args(["run", &self.dsn])
            .arg(self.package)
            .arg(format!("{}:{}", self.start, self.stop))
            .args(["-e", self.endpoint, "--plaintext"])
            // It writes at blocks divisible by this, and never at the stop block.
            .args(["--flush-interval", "1"]);
        Ok(command)
    }
}

/// What the sink's log, an object a line, says of severity ERROR; the whole of it where that is nothing.
fn errors_of(said: &str) -> String {
    let errors: Vec<String> = said
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|entry| entry.get("severity").and_then(Value::as_str) == Some("ERROR"))
        .filter_map(|entry| Some(entry.get("message")?.as_str()?.to_owned()))
        .collect();
    if errors.is_empty() {
        said.to_owned()
    } else {
        errors.join("\n")
    }
}
