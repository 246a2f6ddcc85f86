//! `pumpfun-bench`: guards, then tables, then the report and its charts.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;
use pumpfun_bench::corpus::Corpus;
use pumpfun_bench::stats::ROUNDS;
use pumpfun_bench::table::Table;
use pumpfun_bench::{base58, charts, decode, encode, json, memory, range, report, wasm};

/// How fast the package reads Pump.fun trades, against everything else that does.
#[derive(Parser)]
struct Args {
    /// Blocks to measure on, files or folders; generated ones if none are given.
    paths: Vec<PathBuf>,

    /// How many blocks to generate.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(16..))]
    generate: u32,

    /// Few rounds on few blocks: to see that everything runs, not how fast.
    #[arg(long)]
    quick: bool,

    /// Folder of the report; nothing is written without it.
    #[arg(long)]
    out: Option<PathBuf>,

    /// Folder of the built wasm modules.
    #[arg(long, default_value = "target/wasm32-unknown-unknown/release")]
    wasm: PathBuf,

    /// `base58-loops`, built for the features of this CPU.
    #[arg(long, default_value = "target/native-cpu/release/base58-loops")]
    native_cpu: PathBuf,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let rounds = if args.quick { 1 } else { ROUNDS };
    let generate = if args.quick { 16 } else { args.generate };
    let corpus = Corpus::load(&args.paths, generate)?;
    eprintln!(
        "== {}, {:.1} MB",
        corpus.origin,
        corpus.bytes() as f64 / 1e6
    );

    eprintln!("== guards");
    decode::guard(&corpus)?;
    base58::guard()?;

    let mut tables: Vec<Table> = Vec::new();
    // Shown at the end: a guard that fails anywhere leaves no figure behind.
    let mut show = |made: Vec<Table>| tables.extend(made);
    let module = |name: &str| args.wasm.join(format!("{name}.wasm"));
    eprintln!("== decode");
    show(vec![
        decode::table(&corpus, rounds)?,
        decode::cold_table(&corpus, rounds)?,
    ]);
    show(memory::with_mimalloc(
        rounds,
        generate,
        &corpus,
        &args.paths,
    )?);
    eprintln!("== decode in wasm");
    let (ours, contenders) = (
        module("pumpfun_trades"),
        module("pumpfun_bench_wasm_contenders"),
    );
    show(vec![wasm::table(&corpus, &ours, &contenders, rounds)?]);
    eprintln!("== memory");
    show(vec![memory::table(generate, &args.paths)?]);
    eprintln!("== encode, time to usable data");
    show(encode::tables(args.quick)?);
    show(json::tables(args.quick)?);
    eprintln!("== base58");
    show(base58::tables(args.quick)?);
    show(base58::native_cpu_tables(&args.native_cpu, args.quick)?);
    show(base58::wasm_tables(
        &module("pumpfun_bench_wasm_base58"),
        args.quick,
    )?);
    eprintln!("== ranges");
    show(vec![range::table(&corpus, rounds)?]);
    show(range::growth(&corpus, rounds)?);

    for table in &tables {
        println!("{}", table.markdown());
    }
    if let Some(folder) = args.out {
        let (csv, svg) = (folder.join("benchmarks"), folder.join("charts"));
        for folder in [&csv, &svg] {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        for table in &tables {
            table.write_csv(&csv)?;
        }
        let charts = charts::write(&csv, &svg)?;
        report::write(&folder, &corpus, &tables, &charts)?;
        eprintln!("== written to {}", folder.display());
    }
    Ok(())
}
