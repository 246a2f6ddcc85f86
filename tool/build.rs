//! Compiles the schemas into the descriptors by which outputs are printed.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    // Rows and kept transactions, and outputs that are Substreams' own.
    let schemas = [
        Path::new("../proto"),
        Path::new("../sql/proto"),
        Path::new("proto"),
    ];
    for schema in schemas {
        println!("cargo::rerun-if-changed={}", schema.display());
    }
    let files = [
        "pumpfun/v1/events.proto",
        "pumpfun/v1/raw_trades.proto",
        "pumpfun/v1/trades.proto",
        "pumpfun/v1/transactions.proto",
        "sf/substreams/index/v1/keys.proto",
        "sf/substreams/sink/database/v1/database.proto",
    ];
    let descriptors = protox::Compiler::new(schemas)?
        .include_source_info(true)
        .include_imports(true)
        .open_files(files)?
        .encode_file_descriptor_set();
    let out = PathBuf::from(env::var("OUT_DIR")?).join("descriptors.binpb");
    fs::write(out, descriptors)?;
    Ok(())
}
