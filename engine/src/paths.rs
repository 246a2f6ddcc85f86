//! Where things are in the repository.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

/// A path of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// A command that `make engine` builds: `engine`, `substreams` or `substreams-sink-sql`.
///
/// # Errors
///
/// When it is not built.
pub fn tool(name: &str) -> Result<PathBuf> {
    let path = repository("target/engine").join(name);
    ensure!(
        path.is_file(),
        "target/engine/{name} is not there: run `make engine` first"
    );
    Ok(path)
}
