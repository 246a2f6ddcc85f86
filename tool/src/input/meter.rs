//! How much of the input has been read: for the progress bar.

use std::io::{self, IsTerminal, Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Error;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, json};

use crate::log::{self, Level, LogFormat};

/// Counts stored bytes and blocks, and shows them as a bar while standard error is a terminal and standard output
/// is none (rows on the terminal are progress enough, and would be torn by a bar). With logs as JSON there is no bar,
/// but a line of progress now and then.
#[derive(Clone)]
pub struct Meter {
    bar: ProgressBar,
    quiet: bool,
    began: Instant,
    /// When progress was logged last.
    logged: Arc<Mutex<Instant>>,
}

/// How often progress is logged.
const LOG_EVERY: Duration = Duration::from_secs(10);

impl Meter {
    /// A meter for this many stored bytes; 0 if that is not known.
    pub fn new(total: u64, quiet: bool) -> Self {
        let meter = |bar| Self {
            bar,
            quiet,
            began: Instant::now(),
            logged: Arc::new(Mutex::new(Instant::now())),
        };
        if quiet
            || log::format() == LogFormat::Json
            || !io::stderr().is_terminal()
            || io::stdout().is_terminal()
        {
            return meter(ProgressBar::hidden());
        }
        let bar = match total {
            0 => ProgressBar::new_spinner(),
            total => ProgressBar::new(total),
        };
        let style = ProgressStyle::with_template(
            "{spinner} {bar:30} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} {msg}, {eta} left",
        );
        if let Ok(style) = style
            && total > 0
        {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        meter(bar)
    }

    /// A meter for this many things that are got one by one.
    pub fn of_items(total: u64, quiet: bool) -> Self {
        let meter = Self::new(total, quiet);
        let style = "{spinner} {bar:30} {pos}/{len} {per_sec} {msg}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            meter.bar.set_style(style);
        }
        meter
    }

    /// Counts one of them.
    pub fn add_item(&self) {
        self.bar.inc(1);
        self.show_blocks(self.bar.position());
    }

    /// A reader that tells the meter what it reads.
    pub fn reader<R: Read>(&self, inner: R) -> impl Read + use<R> {
        self.bar.wrap_read(inner)
    }

    /// Shows how many blocks are done.
    pub fn show_blocks(&self, blocks: u64) {
        let rate = blocks as f64 / self.began.elapsed().as_secs_f64().max(1e-3);
        let message = format!("{blocks} blocks, {rate:.0}/s");
        if log::format() == LogFormat::Json && !self.quiet && self.is_time_to_log() {
            let mut figures = Map::new();
            figures.insert("blocks".to_owned(), json!(blocks));
            figures.insert("blocks_per_second".to_owned(), json!(rate.round()));
            self.println(&log::with_figures(Level::Info, "progress", figures));
        }
        self.bar.set_message(message);
    }

    fn is_time_to_log(&self) -> bool {
        let Ok(mut logged) = self.logged.lock() else {
            return false;
        };
        let is_time = logged.elapsed() >= LOG_EVERY;
        if is_time {
            *logged = Instant::now();
        }
        is_time
    }

    /// Tells what could not be done.
    pub fn error(&self, error: &Error) {
        self.println(&log::line(Level::Error, &format!("{error:#}")));
    }

    /// Tells something, unless all is to be quiet.
    pub fn info(&self, message: &str) {
        if !self.quiet {
            self.println(&log::line(Level::Info, message));
        }
    }

    /// Prints a line on standard error, above the bar. Where standard error takes none, there is nobody to tell.
    pub fn println(&self, line: &str) {
        self.bar.suspend(|| drop(writeln!(io::stderr(), "{line}")));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
