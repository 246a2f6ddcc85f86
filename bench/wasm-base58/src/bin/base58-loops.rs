//! The loops as a program of its own, which the benches build for the features of the CPU at hand and run beside their
//! own default build.
//!
//! `base58-loops run OPERATION CODEC PASSES` prints nanoseconds, `base58-loops differences CODEC` the number of results
//! that differ from those of bs58; operation and codec by their places in the lists.

use std::process::ExitCode;
use std::time::Instant;

use pumpfun_bench_wasm_base58::{base58_differences, base58_run};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let numbers: Vec<u32> = arguments
        .iter()
        .skip(1)
        .filter_map(|text| text.parse().ok())
        .collect();
    match (arguments.first().map(String::as_str), numbers.as_slice()) {
        (Some("run"), [operation, codec, passes]) => {
            // The first pass makes the inputs.
            base58_run(*operation, *codec, 1);
            let began = Instant::now();
            base58_run(*operation, *codec, *passes);
            println!("{}", began.elapsed().as_nanos());
        }
        (Some("differences"), [codec]) => println!("{}", base58_differences(*codec)),
        _ => {
            eprintln!("usage: base58-loops run OPERATION CODEC PASSES | differences CODEC");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
