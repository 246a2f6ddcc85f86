//! `pumpfun extract`: rows through the native library.

use std::process::ExitCode;

use anyhow::Result;
use pumpfun_trades::block::Block;
use pumpfun_trades::row::{self, RawBytes};
use pumpfun_trades::transaction::Outcomes;

use super::{RowArgs, print_rows};
use crate::schema::Module;

/// Read local blocks with the native library, on all cores, and print their rows: those of all Pump events.
///
/// They are the rows that the module map_events gives, or with --raw those of map_raw_trades.
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
            let block = Block::decode(bytes)?;
            Ok(Some(row::encode::<RawBytes>(&block, outcomes)?))
        })
    } else {
        print_rows(&args.rows, Module::MapEvents, |bytes| {
            Ok(Some(row::encode_events(&Block::decode(bytes)?, outcomes)?))
        })
    }
}
