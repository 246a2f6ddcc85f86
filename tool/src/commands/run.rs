//! `pumpfun run`: rows through the built wasm.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::{RowArgs, print_rows};
use crate::engine::Wasm;
use crate::schema::Module;

/// Run a module of the built wasm on local blocks, as a Substreams engine does, and print its rows.
///
/// Each block gets a new instance in wasmtime 41, the version that hosted engines use. Trades of failed
/// transactions are left out, as the modules do.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The module to run.
    #[arg(long, default_value = "map_trades")]
    module: Module,

    /// The wasm to run.
    #[arg(
        long,
        default_value = "target/wasm32-unknown-unknown/release/pumpfun_trades.wasm",
        value_name = "FILE"
    )]
    wasm: PathBuf,

    #[command(flatten)]
    rows: RowArgs,
}

/// Runs the command.
///
/// # Errors
///
/// When nothing can be run at all; what cannot be read of the input only shows in the exit status.
pub fn run(args: &Args) -> Result<ExitCode> {
    let wasm = Wasm::load(&args.wasm)?;
    print_rows(&args.rows, args.module, |block| {
        let output = wasm.call(args.module.name(), block)?;
        for line in output.logs {
            let _ = writeln!(io::stderr(), "log: {line}");
        }
        Ok(output.bytes)
    })
}
