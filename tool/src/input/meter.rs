//! How much of the input has been read: for the progress bar.

use std::io::{self, IsTerminal, Read, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Counts stored bytes and blocks, and shows them as a bar while standard error is a terminal and standard output
/// is none (rows on the terminal are progress enough, and would be torn by a bar).
#[derive(Clone)]
pub struct Meter(ProgressBar);

impl Meter {
    /// A meter for this many stored bytes; 0 if that is not known.
    pub fn new(total: u64, quiet: bool) -> Self {
        if quiet || !io::stderr().is_terminal() || io::stdout().is_terminal() {
            return Self(ProgressBar::hidden());
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
        Self(bar)
    }

    /// A reader that tells the meter what it reads.
    pub fn reader<R: Read>(&self, inner: R) -> impl Read + use<R> {
        self.0.wrap_read(inner)
    }

    /// Shows how many blocks are done.
    pub fn show_blocks(&self, blocks: u64) {
        self.0.set_message(format!("{blocks} blocks"));
    }

    /// Prints a line on standard error, above the bar. Where standard error takes none, there is nobody to tell.
    pub fn println(&self, line: &str) {
        self.0.suspend(|| drop(writeln!(io::stderr(), "{line}")));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
