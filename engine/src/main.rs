//! `pumpfun-engine`: the real engine, and the SQL sink, to look at.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::{Parser, Subcommand};
use pumpfun_engine::bundles::Bundles;
use pumpfun_engine::command::pack;
use pumpfun_engine::engine::Engine;
use pumpfun_engine::paths::{repository, tool};
use pumpfun_engine::postgres::Postgres;
use pumpfun_engine::process::{self, Scratch};
use pumpfun_engine::sink::Sink;
use pumpfun_tool::schema::{INITIAL_BLOCK, Module};

/// Run the package on the real Substreams engine, on local blocks.
///
/// Bundles, caches and databases are made anew and are gone at the end. On a terminal all of it stays up until Enter
/// is pressed, to be looked at.
#[derive(Parser)]
#[command(name = "pumpfun-engine", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Stream a module's output in development mode.
    Stream {
        /// The module.
        #[arg(long, default_value = "map_events")]
        module: Module,

        /// The parameter of filtered_trades.
        #[arg(long, value_name = "FILTER")]
        params: Option<String>,

        #[command(flatten)]
        chain: Chain,
    },
    /// Sink all rows into a private PostgreSQL, and print what some queries say.
    Sink {
        /// Port of 127.0.0.1 that PostgreSQL listens on.
        #[arg(long, default_value_t = 10432, value_name = "PORT")]
        postgres_port: u16,

        #[command(flatten)]
        chain: Chain,
    },
}

#[derive(clap::Args)]
struct Chain {
    /// Files or folders of blocks; generated ones if not given.
    #[arg(value_name = "BLOCKS")]
    blocks: Vec<PathBuf>,

    /// Port of 127.0.0.1 that the engine listens on.
    #[arg(long, default_value_t = 10016, value_name = "PORT")]
    port: u16,
}

fn main() -> ExitCode {
    if let Err(error) = process::catch_interrupts() {
        say(&format!(
            "what is left behind after Ctrl-C cannot be removed: {error}"
        ));
    }
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            process::give_way_to_interrupt();
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// A running engine with its chain and the package.
struct Stage {
    engine: Engine,
    bundles: Bundles,
    package: PathBuf,
    // Gone last.
    _folder: Scratch,
}

fn say(line: &str) {
    let _ = writeln!(io::stderr(), "== {line}");
}

impl Stage {
    fn new(chain: &Chain) -> Result<Self> {
        process::ensure_free(chain.port, "the engine", "--port (make: PORT=)")?;
        let folder = Scratch::new("stage")?;
        let package = repository("target/engine/pumpfun-trades.spkg");
        pack(&repository("substreams.yaml"), &package)?;
        say(match chain.blocks.is_empty() {
            true => "bundles of generated blocks",
            false => "bundles of your blocks",
        });
        let bundles = match chain.blocks.as_slice() {
            [] => Bundles::generated(&folder.path().join("bundles"))?,
            paths => Bundles::of(&folder.path().join("bundles"), paths, false)?,
        };
        say(&format!(
            "{} blocks, slots {} to {}",
            bundles.count,
            bundles.first,
            bundles.stop - 1
        ));
        ensure!(
            bundles.first >= INITIAL_BLOCK,
            "slot {}: the modules begin at slot {INITIAL_BLOCK}, and so does what they stream (pumpfun extract and run \
             read any block)",
            bundles.first
        );
        let engine = Engine::start_on(&bundles.folder, &folder.path().join("state"), chain.port)?;
        say(&format!(
            "engine, tier 1 and tier 2, on {}",
            engine.endpoint
        ));
        Ok(Self {
            engine,
            bundles,
            package,
            _folder: folder,
        })
    }

    /// Keeps everything up until Enter is pressed, if there is somebody to press it.
    fn stay(&self, hints: &[String]) -> Result<()> {
        if !io::stdin().is_terminal() {
            return Ok(());
        }
        for hint in hints {
            say(hint);
        }
        say("Enter ends all of it");
        io::stdin().read_line(&mut String::new())?;
        Ok(())
    }

    /// How a person streams a module from here.
    fn hint(&self, command: &str, module: Module, params: Option<&str>) -> String {
        let module = module.name();
        let params = params
            .map(|params| format!(" -p '{module}={params}'"))
            .unwrap_or_default();
        format!(
            "target/engine/substreams {command} target/engine/pumpfun-trades.spkg {module} -e {} --plaintext -s {} -t {}{params}",
            self.engine.endpoint, self.bundles.first, self.bundles.stop
        )
    }
}

fn run(task: Task) -> Result<()> {
    match task {
        Task::Stream {
            module,
            params,
            chain,
        } => stream(module, params.as_deref(), &chain),
        Task::Sink {
            postgres_port,
            chain,
        } => sink(postgres_port, &chain),
    }
}

fn stream(module: Module, params: Option<&str>, chain: &Chain) -> Result<()> {
    module.checked_params(params)?;
    let stage = Stage::new(chain)?;
    let name = module.name();
    say(&format!("substreams run {name}"));
    let mut command = Command::new(tool("substreams")?);
    command
        .arg("run")
        .arg(&stage.package)
        .args([name, "-e", &stage.engine.endpoint, "--plaintext"])
        .args(["-s", &stage.bundles.first.to_string()])
        .args(["-t", &stage.bundles.stop.to_string()])
        .args(["-o", "jsonl"])
        .stdin(Stdio::null());
    if let Some(params) = params {
        command.arg("-p").arg(format!("{name}={params}"));
    }
    let status = command.status()?;
    ensure!(status.success(), "substreams run ended with {status}");
    stage.stay(&["gui", "run"].map(|command| stage.hint(command, module, params)))
}

fn sink(postgres_port: u16, chain: &Chain) -> Result<()> {
    process::ensure_free(
        postgres_port,
        "PostgreSQL",
        "--postgres-port (make: POSTGRES_PORT=)",
    )?;
    let stage = Stage::new(chain)?;
    let postgres = Postgres::start_on(postgres_port)?;
    say("PostgreSQL");
    let sink = Sink {
        package: &stage.package,
        endpoint: &stage.engine.endpoint,
        dsn: postgres.dsn(),
        start: stage.bundles.first,
        stop: stage.bundles.stop,
        // A person sees that it works, and can end it.
        limit: Duration::MAX,
    };
    sink.setup()?;
    say("substreams-sink-sql run");
    let began = Instant::now();
    sink.run_to_end()?;
    say(&format!(
        "all rows are there after {:.1} s; what queries.sql says:",
        began.elapsed().as_secs_f64()
    ));
    let shown = postgres.show(&repository("sql/postgres/queries.sql"), Duration::MAX)?;
    // Whoever reads it may have enough of it.
    let _ = writeln!(io::stdout(), "{shown}");
    stage.stay(&[postgres.psql(), stage.hint("gui", Module::MapEvents, None)])
}
