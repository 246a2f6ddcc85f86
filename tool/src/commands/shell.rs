//! `pumpfun completions` and `pumpfun man`: the tool's own description, for shells and for `man`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Command;
use clap_complete::Shell;

use super::print;

/// Print what a shell needs to complete the tool's commands, options and values.
///
/// bash: pumpfun completions bash > ~/.local/share/bash-completion/completions/pumpfun; zsh: into a folder of $fpath as
/// _pumpfun; fish: ~/.config/fish/completions/pumpfun.fish.
#[derive(clap::Args, Debug)]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Print the tool's manual page, or write those of the tool and of all its commands into a folder.
#[derive(clap::Args, Debug)]
pub struct ManArgs {
    /// Folder for pumpfun.1, pumpfun-run.1 and so on; made if it is not there.
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Runs `completions`.
///
/// # Errors
///
/// When it cannot be printed.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "pumpfun", &mut script);
    print(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs `man`.
///
/// # Errors
///
/// When a file cannot be written, or the page not printed.
pub fn man(args: &ManArgs, command: Command) -> Result<ExitCode> {
    match &args.folder {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            print(&page)?;
        }
        Some(folder) => {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            clap_mangen::generate_to(command, folder)
                .with_context(|| folder.display().to_string())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
