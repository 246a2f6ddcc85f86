//! A table of figures: once made, it is printed, written as CSV and set as Markdown, always with the same figures.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// A table of the report.
#[derive(Clone, Debug)]
pub struct Table {
    /// Name of its CSV file, without the ending; also what charts ask for.
    pub name: &'static str,
    /// Its heading.
    pub title: String,
    /// What it shows and how it was made, Markdown.
    pub text: String,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table.
    pub fn new(name: &'static str, title: &str, text: &str, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|column| (*column).to_owned()).collect();
        Self {
            name,
            title: title.to_owned(),
            text: text.to_owned(),
            columns,
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// When it has not as many cells as there are columns.
    pub fn push(&mut self, row: Vec<String>) -> Result<()> {
        ensure!(
            row.len() == self.columns.len(),
            "{}: {} cells for {} columns",
            self.name,
            row.len(),
            self.columns.len()
        );
        self.rows.push(row);
        Ok(())
    }

    /// The rows as lines of cells with tabs between them.
    pub fn tab_separated(&self) -> String {
        self.rows.iter().map(|row| row.join("\t") + "\n").collect()
    }

    /// Takes the rows of such lines in place of its own.
    ///
    /// # Errors
    ///
    /// When a line has not as many cells as there are columns.
    pub fn with_rows(mut self, lines: &str) -> Result<Self> {
        self.rows.clear();
        for line in lines.lines() {
            self.push(line.split('\t').map(str::to_owned).collect())?;
        }
        Ok(self)
    }

    /// The table as Markdown, with heading and text.
    pub fn markdown(&self) -> String {
        let mut out = format!("## {}\n\n{}\n\n", self.title, self.text);
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        out.push_str(&line(&self.columns));
        let _ = writeln!(out, "|{}", "---|".repeat(self.columns.len()));
        for row in &self.rows {
            out.push_str(&line(row));
        }
        out
    }

    /// Writes the table as `NAME.csv` into a folder.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn write_csv(&self, folder: &Path) -> Result<()> {
        let path = folder.join(format!("{}.csv", self.name));
        let quoted = |cells: &[String]| {
            let cells = cells.iter().map(|cell| match cell.contains([',', '"']) {
                true => format!("\"{}\"", cell.replace('"', "\"\"")),
                false => cell.clone(),
            });
            cells.collect::<Vec<_>>().join(",")
        };
        let lines = std::iter::once(&self.columns)
            .chain(&self.rows)
            .map(|cells| quoted(cells) + "\n");
        fs::write(&path, lines.collect::<String>()).with_context(|| path.display().to_string())
    }
}

/// A time in the unit that reads best: `812 ns`, `4.31 µs`, `2.10 ms`, `1.52 s`.
pub fn seconds(seconds: f64) -> String {
    for (unit, scale) in [("s", 1.0), ("ms", 1e3), ("µs", 1e6)] {
        if seconds * scale >= 1.0 {
            return format!("{} {unit}", digits(seconds * scale));
        }
    }
    format!("{} ns", digits(seconds * 1e9))
}

/// A ratio: `63×`, `1.62×`.
pub fn ratio(ratio: f64) -> String {
    format!("{}×", digits(ratio))
}

/// Three significant digits, or all before the point.
pub fn digits(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits_and_a_unit() {
        assert_eq!(seconds(8.12e-7), "812 ns");
        assert_eq!(seconds(4.314e-6), "4.31 µs");
        assert_eq!(seconds(0.0123), "12.3 ms");
        assert_eq!(seconds(61.0), "61.0 s");
        assert_eq!(ratio(63.4), "63.4×");
    }

    #[test]
    fn a_row_of_the_wrong_width_is_refused() {
        let mut table = Table::new("t", "T", "", &["a", "b"]);
        assert!(table.push(vec!["1".into()]).is_err());
        table.push(vec!["1".into(), "2".into()]).unwrap();
        assert!(table.markdown().contains("| 1 | 2 |"));
    }
}
