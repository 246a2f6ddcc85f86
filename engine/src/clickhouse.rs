//! ClickHouse in a process, by the Python package chdb: statements in, rows out.

use std::fs::File;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::paths::repository;
use crate::process;

/// Runs statements one after the other in a database that is gone behind them; gives the rows of each.
///
/// # Errors
///
/// When chdb is not installed, or a statement fails.
pub fn run(statements: &[String]) -> Result<Vec<Vec<Value>>> {
    let python = repository("target/tools/python/bin/python");
    ensure!(
        python.is_file(),
        "target/tools/python is not there: run `make engine` first"
    );
    // Statements hold whole tables: by a file, so that nothing waits for a pipe.
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("statements.json");
    serde_json::to_writer(File::create(&input)?, statements)?;
    let mut command = Command::new("sh");
    command
        .args(["-c", r#"exec "$1" "$2" < "$3""#, "sh"])
        .arg(python)
        .arg(repository("engine/clickhouse.py"))
        .arg(&input)
        .stderr(Stdio::piped());
    let output = process::run(&mut command, Duration::from_secs(300))?;
    serde_json::from_slice(&output.stdout).context("chdb gave no JSON")
}

/// The statements of a file of SQL, which are parted by semicolons; there are none inside of texts.
pub fn statements(sql: &str) -> Vec<String> {
    let code: Vec<_> = sql
        .lines()
        .filter(|line| !line.trim_start().starts_with("--"))
        .collect();
    let code = code.join("\n");
    let statements = code.split(';').map(str::trim);
    statements
        .filter(|statement| !statement.is_empty())
        .map(str::to_owned)
        .collect()
}
