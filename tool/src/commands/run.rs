//! `pumpfun run`: a module's output through the built wasm.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::{RowArgs, print_rows};
use crate::log::{self, Level};
use crate::package::Package;
use crate::schema::Module;

/// Run a module of the built wasm on local blocks, as a Substreams engine does, and print its rows.
///
/// Each block and module gets a new instance in wasmtime 41, the version that hosted engines use; the modules that it
/// depends on run before it. Trades of failed transactions are left out, as the modules do. What is no rows
/// (pump_transactions, index_trades, db_out) is printed as one JSON object a block.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The module to run.
    #[arg(long, default_value = "map_trades")]
    module: Module,

    /// The parameter of filtered_trades: which trades are asked for, such as `side:buy && (mint:A || user:B)`; all of
    /// them if not given, as in the manifest.
    #[arg(long, value_name = "FILTER")]
    params: Option<String>,

    /// Folder of the wasm files.
    #[arg(
        long,
        default_value = "target/wasm32-unknown-unknown/release",
        value_name = "DIR"
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
    let params = args.module.checked_params(args.params.as_deref())?;
    let package = Package::load(&args.wasm, args.module)?;
    print_rows(&args.rows, args.module, |block, meter, _| {
        let output = package.call(args.module, params, block)?;
        for line in output.logs {
            meter.println(&log::line(Level::Info, &format!("log: {line}")));
        }
        Ok(output.bytes)
    })
}
