//! The tables of decoding once more with mimalloc as everybody's allocator, which helps most those who allocate most. A
//! program of its own, as an allocator is chosen for a whole program.
//!
//! Takes the number of rounds, the number of blocks to generate and the paths; prints the rows of both tables, a blank
//! line between them.

use std::path::PathBuf;

use anyhow::{Context, Result};
use pumpfun_bench::corpus::Corpus;
use pumpfun_bench::decode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let mut number = || {
        arguments
            .next()
            .and_then(|number| number.to_str()?.parse::<u32>().ok())
            .context("two numbers first")
    };
    let (rounds, generate) = (number()? as usize, number()?);
    let paths: Vec<_> = arguments.map(PathBuf::from).collect();
    let corpus = Corpus::load(&paths, generate)?;
    decode::guard(&corpus)?;
    println!("{}", decode::table(&corpus, rounds)?.tab_separated());
    print!("{}", decode::cold_table(&corpus, rounds)?.tab_separated());
    Ok(())
}
