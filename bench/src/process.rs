//! Programs that the bench runs beside itself, where something holds for a whole program: its allocator, its build.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// What a program prints.
///
/// # Errors
///
/// When it cannot be run or fails, with its path and its last words.
pub fn output_of(
    program: &Path,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Result<String> {
    let name = || program.display().to_string();
    let output = Command::new(program)
        .args(arguments)
        .output()
        .with_context(name)?;
    ensure!(
        output.status.success(),
        "{}: {}",
        name(),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).with_context(name)
}
