//! Generates prost's types twice, with bytes fields as `Vec<u8>` and as `Bytes`, and those of our own output.

use std::env;
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=proto");
    println!("cargo::rerun-if-changed=../../proto");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let block = protox::compile(["block.proto"], ["proto"])?;
    for (folder, bytes) in [("vec", None), ("bytes", Some("."))] {
        let folder = out.join(folder);
        std::fs::create_dir_all(&folder)?;
        let mut config = prost_build::Config::new();
        config.out_dir(folder);
        if let Some(paths) = bytes {
            config.bytes([paths]);
        }
        config.compile_fds(block.clone())?;
    }
    let rows = protox::compile(["pumpfun/v1/trades.proto"], ["../../proto"])?;
    prost_build::Config::new().out_dir(out).compile_fds(rows)?;
    Ok(())
}
