//! `pumpfun extract`: rows through the native library.

use std::process::ExitCode;

use anyhow::Result;
use pumpfun_trades::block::Block;
use pumpfun_trades::row::{self, Base58, RawBytes, RowForm};
use pumpfun_trades::transaction::Outcomes;

use super::{RowArgs, print_rows};
use crate::schema::Module;

/// Read local blocks with the native library, on all cores, and print the same rows as `run`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Also print what failed transactions would have done; such rows have `failed` set.
    #[arg(long)]
    failed: bool,

    /// Print keys as bytes (base64 in JSON and CSV), as the module map_raw_trades does.
    #[arg(long)]
    raw: bool,

    #[command(flatten)]
    rows: RowArgs,
}

/// Runs the command.
///
/// # Errors
///
/// When nothing can be printed at all; what cannot be read of the input only shows in the exit status.
pub fn extract(args: &Args) -> Result<ExitCode> {
    let outcomes = if args.failed {
        Outcomes::All
    } else {
        Outcomes::Successful
    };
    if args.raw {
        print_rows(&args.rows, Module::MapRawTrades, |bytes| {
            encode::<RawBytes>(bytes, outcomes)
        })
    } else {
        print_rows(&args.rows, Module::MapTrades, |bytes| {
            encode::<Base58>(bytes, outcomes)
        })
    }
}

fn encode<F: RowForm>(bytes: &[u8], outcomes: Outcomes) -> Result<Option<Vec<u8>>> {
    Ok(Some(row::encode::<F>(&Block::decode(bytes)?, outcomes)?))
}
