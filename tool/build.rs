//! Compiles the schema into the descriptors by which rows are printed.

use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

use prost::Message;

fn main() -> Result<(), Box<dyn Error>> {
    let schema = PathBuf::from("../proto");
    println!("cargo::rerun-if-changed={}", schema.display());
    let descriptors = protox::compile(
        ["pumpfun/v1/trades.proto", "pumpfun/v1/raw_trades.proto"],
        [schema],
    )?;
    let out = PathBuf::from(env::var("OUT_DIR")?).join("descriptors.binpb");
    fs::write(out, descriptors.encode_to_vec())?;
    Ok(())
}
