//! A private PostgreSQL: a cluster in a folder of its own, on a port of its own, gone when it is dropped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::process::{self, Background, Scratch, free_port};

const LIMIT: Duration = Duration::from_secs(60);

/// A running PostgreSQL with an empty database `sink`; dropped, it ends and leaves nothing.
pub struct Postgres {
    // Ends before its folder is removed.
    server: Option<Background>,
    folder: Scratch,
    port: u16,
    programs: PathBuf,
}

impl Postgres {
    /// Starts one on a free port.
    ///
    /// # Errors
    ///
    /// When PostgreSQL is not installed, or does not start.
    pub fn start() -> Result<Self> {
        Self::start_on(free_port()?)
    }

    /// The same on a port of 127.0.0.1.
    ///
    /// # Errors
    ///
    /// When PostgreSQL is not installed, or does not start.
    pub fn start_on(port: u16) -> Result<Self> {
        let mut postgres = Self {
            server: None,
            folder: Scratch::new("postgres")?,
            port,
            programs: programs()?,
        };
        let folder = postgres.folder.path().to_owned();
        if is_root()? {
            // The server refuses root.
            let mut chown = Command::new("chown");
            process::run(chown.arg("postgres").arg(&folder), LIMIT)?;
        }
        let data = folder.join("data");
        let mut initdb = postgres.as_server_user("initdb")?;
        initdb.arg("-D").arg(&data).args([
            "-U",
            "postgres",
            "-A",
            "trust",
            "--no-sync",
            "-E",
            "UTF8",
        ]);
        process::run(&mut initdb, LIMIT)?;
        let mut server = postgres.as_server_user("postgres")?;
        server.arg("-D").arg(&data).arg("-k").arg(&folder);
        server.args(["-h", "127.0.0.1", "-p", &port.to_string()]);
        // Nobody's data: no need to wait for the disk.
        server.args([
            "-c",
            "fsync=off",
            "-c",
            "log_min_messages=warning",
            "-c",
            "timezone=UTC",
        ]);
        let mut server = Background::start_tied(&server, "QUIT")?;
        server.wait_for_condition("answers", LIMIT, || {
            let mut ready = Command::new(postgres.programs.join("pg_isready"));
            // By the socket in its own folder: on the port somebody else may answer.
            ready.arg("-q").arg("-h").arg(&folder);
            ready.args(["-p", &port.to_string()]);
            Ok(process::output(&mut ready, LIMIT)?.status.success())
        })?;
        postgres.server = Some(server);
        postgres.run_in("postgres", "CREATE DATABASE sink")?;
        Ok(postgres)
    }

    /// The database as the SQL sink names it.
    pub fn dsn(&self) -> String {
        format!(
            "psql://postgres@127.0.0.1:{}/sink?sslmode=disable",
            self.port
        )
    }

    /// How a person looks into it.
    pub fn psql(&self) -> String {
        format!("psql -h 127.0.0.1 -p {} -U postgres sink", self.port)
    }

    /// Runs statements.
    ///
    /// # Errors
    ///
    /// When one fails.
    pub fn run(&self, sql: &str) -> Result<String> {
        self.run_in("sink", sql)
    }

    /// A query's rows, each an object.
    ///
    /// # Errors
    ///
    /// When it fails.
    pub fn rows(&self, query: &str) -> Result<Vec<Value>> {
        let text = self.run(&format!("SELECT to_json(r) FROM ({query}) r"))?;
        let rows = text
            .lines()
            .map(|line| serde_json::from_str(line).context(line.to_owned()));
        rows.collect()
    }

    fn run_in(&self, database: &str, sql: &str) -> Result<String> {
        let output = process::run(self.client(database).args(["-At", "-c", sql]), LIMIT)?;
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Prints what queries of a file give, as a person would see it.
    ///
    /// # Errors
    ///
    /// When one fails, or all of them take longer than `limit`.
    pub fn show(&self, file: &Path, limit: Duration) -> Result<String> {
        let output = process::run(self.client("sink").arg("-f").arg(file), limit)?;
        Ok(String::from_utf8(output.stdout)?)
    }

    fn client(&self, database: &str) -> Command {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args([
            "-X",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-h",
            "127.0.0.1",
            "-U",
            "postgres",
        ]);
        psql.args(["-p", &self.port.to_string(), "-d", database]);
        psql
    }

    /// A program of PostgreSQL's, as a user that the server accepts.
    fn as_server_user(&self, program: &str) -> Result<Command> {
        let program = self.programs.join(program);
        if !is_root()? {
            return Ok(Command::new(program));
        }
        let mut command = Command::new("setpriv");
        command.args([
            "--reuid=postgres",
            "--regid=postgres",
            "--clear-groups",
            "--",
        ]);
        command.arg(program).current_dir("/");
        Ok(command)
    }
}

fn is_root() -> Result<bool> {
    let id = process::run(Command::new("id").arg("-u").stderr(Stdio::null()), LIMIT)?;
    Ok(id.stdout == b"0\n")
}

/// The folder of PostgreSQL's programs: Debian keeps the server's out of the path.
fn programs() -> Result<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<_> = std::env::split_paths(&paths).collect();
    if let Ok(versions) = fs::read_dir("/usr/lib/postgresql") {
        // The newest first, and before the path, where only some of the programs may be.
        let mut versions: Vec<_> = versions
            .flatten()
            .map(|version| version.path().join("bin"))
            .collect();
        let number = |path: &PathBuf| {
            let version = path.parent()?.file_name()?.to_str()?;
            version
                .parse::<f64>()
                .ok()
                .map(|version| (version * 100.0) as u64)
        };
        versions.sort_by_key(number);
        versions.reverse();
        versions.append(&mut folders);
        folders = versions;
    }
    let all = ["initdb", "postgres", "psql", "pg_isready"];
    let found = folders
        .into_iter()
        .find(|folder| all.iter().all(|program| folder.join(program).is_file()));
    ensure!(
        found.is_some(),
        "PostgreSQL is not installed: `make engine` installs Debian's where it may, or see https://www.postgresql.org/download"
    );
    found.context("PostgreSQL")
}
