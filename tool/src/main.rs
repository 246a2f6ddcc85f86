//! `pumpfun`: the command line.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use pumpfun_tool::commands::{bundle, convert, extract, fetch, generate, run, shell, stats};
use pumpfun_tool::log::{self, Level, LogFormat};

/// Every Pump.fun trade out of raw Solana blocks, on local files.
///
/// Rows go to standard output, everything else to standard error. The exit status is 1 if anything could not be
/// read; every other row is printed all the same.
#[derive(Parser)]
#[command(name = "pumpfun", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// How messages on standard error are written.
    #[arg(long, global = true, default_value = "text", value_name = "FORMAT")]
    log_format: LogFormat,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Args),
    Extract(extract::Args),
    Generate(generate::Args),
    Bundle(bundle::Args),
    Stats(stats::Args),
    Fetch(fetch::Args),
    Convert(convert::Args),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    log::set_format(cli.log_format);
    let done = match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Extract(args) => extract::extract(&args),
        Command::Generate(args) => generate::generate(&args),
        Command::Bundle(args) => bundle::bundle(&args),
        Command::Stats(args) => stats::stats(&args),
        Command::Fetch(args) => fetch::fetch(&args),
        Command::Convert(args) => convert::convert(&args),
        Command::Completions(args) => shell::completions(&args, Cli::command()),
        Command::Man(args) => shell::man(&args, Cli::command()),
    };
    match done {
        Ok(status) => status,
        Err(error) => {
            let line = log::line(Level::Error, &format!("{error:#}"));
            let _ = writeln!(io::stderr(), "{line}");
            ExitCode::FAILURE
        }
    }
}
