//! `pumpfun`: the command line.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use pumpfun_tool::commands::{bundle, extract, generate, run};

/// Every Pump.fun trade out of raw Solana blocks, on local files.
///
/// Rows go to standard output, everything else to standard error. The exit status is 1 if anything could not be
/// read; every other row is printed all the same.
#[derive(Parser)]
#[command(name = "pumpfun", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Args),
    Extract(extract::Args),
    Generate(generate::Args),
    Bundle(bundle::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Extract(args) => extract::extract(&args),
        Command::Generate(args) => generate::generate(&args),
        Command::Bundle(args) => bundle::bundle(&args),
    };
    match done {
        Ok(status) => status,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
