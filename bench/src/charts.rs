//! Charts as SVG, each made from a CSV file of the same run: what README shows is what the tables say.
//!
//! One kind of chart: horizontal bars with their figures beside them, ours in colour. Colours follow the reader's
//! light or dark theme.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// A chart: which rows of which CSV file, and how they read.
struct Chart {
    /// Name of the CSV file and of the chart, without the endings.
    name: &'static str,
    title: &'static str,
    subtitle: &'static str,
    /// Columns whose values together name a bar.
    labels: &'static [&'static str],
    /// Column of a bar's length.
    value: &'static str,
    unit: &'static str,
    /// Only rows that have this value in this column.
    only: Option<(&'static str, &'static str)>,
    log: bool,
}

const CHARTS: [Chart; 8] = [
    Chart {
        name: "decode",
        title: "Block to rows, native",
        subtitle: "median µs, block of the 50th percentile, logarithmic",
        labels: &["way"],
        value: "median_us",
        unit: "µs",
        only: Some(("block", "p50")),
        log: true,
    },
    Chart {
        name: "wasm",
        title: "Block to rows, in wasm",
        subtitle: "median µs a call in wasmtime 41, block of the 50th percentile, logarithmic",
        labels: &["way"],
        value: "median_us",
        unit: "µs",
        only: Some(("block", "p50")),
        log: true,
    },
    Chart {
        name: "memory",
        title: "Memory to read a block",
        subtitle: "KiB allocated at once beyond the block, logarithmic",
        labels: &["way"],
        value: "peak_kib",
        unit: "KiB",
        only: None,
        log: true,
    },
    Chart {
        name: "json",
        title: "Time to usable data",
        subtitle: "ns for a trade with four keys as text",
        labels: &["way"],
        value: "ns_per_event",
        unit: "ns",
        only: None,
        log: false,
    },
    Chart {
        name: "base58_native",
        title: "Base58, native",
        subtitle: "median ns an operation, logarithmic",
        labels: &["operation", "codec"],
        value: "median_ns",
        unit: "ns",
        only: None,
        log: true,
    },
    Chart {
        name: "base58_wasm",
        title: "Base58, in wasm",
        subtitle: "median ns an operation in wasmtime 41, logarithmic",
        labels: &["operation", "codec"],
        value: "median_ns",
        unit: "ns",
        only: None,
        log: true,
    },
    Chart {
        name: "growth_bytes",
        title: "Time grows with bytes",
        subtitle: "µs a block of so many megabytes, the trades being the same",
        labels: &["megabytes"],
        value: "median_us",
        unit: "µs",
        only: None,
        log: false,
    },
    Chart {
        name: "growth_trades",
        title: "Time grows with trades",
        subtitle: "µs a block of so many trades, the other transactions being the same",
        labels: &["trades"],
        value: "median_us",
        unit: "µs",
        only: None,
        log: false,
    },
];

/// Writes every chart whose CSV file is there, and gives their names.
///
/// # Errors
///
/// When a file cannot be read or written, or lacks a column.
pub fn write(csv_folder: &Path, charts_folder: &Path) -> Result<Vec<String>> {
    let mut written = Vec::new();
    for chart in &CHARTS {
        let csv = csv_folder.join(format!("{}.csv", chart.name));
        if !csv.exists() {
            continue;
        }
        let bars = chart
            .bars(&csv)
            .with_context(|| csv.display().to_string())?;
        let name = format!("{}.svg", chart.name);
        let path = charts_folder.join(&name);
        fs::write(&path, chart.svg(&bars)).with_context(|| path.display().to_string())?;
        written.push(name);
    }
    Ok(written)
}

/// How tables name what is ours.
const OURS: [&str; 3] = ["ours", "base58 (ours)", "pumpfun-trades"];

/// A bar: its label, its value, and whether it is ours.
struct Bar {
    label: String,
    value: f64,
    ours: bool,
}

const WIDTH: f64 = 760.0;
const LABEL_WIDTH: f64 = 265.0;
const BAR_HEIGHT: f64 = 18.0;
const STEP: f64 = 26.0;
const TOP: f64 = 58.0;

impl Chart {
    /// The chart's bars, in the order of the file.
    fn bars(&self, csv: &Path) -> Result<Vec<Bar>> {
        let mut reader = csv::Reader::from_path(csv)?;
        let header = reader.headers()?.clone();
        let column = |name: &str| {
            let found = header.iter().position(|have| have == name);
            found.with_context(|| format!("no column {name:?}"))
        };
        let labels = self
            .labels
            .iter()
            .map(|name| column(name))
            .collect::<Result<Vec<_>>>()?;
        let value = column(self.value)?;
        let only = self
            .only
            .map(|(name, wanted)| Ok::<_, anyhow::Error>((column(name)?, wanted)))
            .transpose()?;
        let mut bars = Vec::new();
        for record in reader.records() {
            let record = record?;
            let cell = |index: usize| record.get(index).unwrap_or_default();
            if only.is_some_and(|(index, wanted)| cell(index) != wanted) {
                continue;
            }
            // A figure that was not measured says so in words.
            let Ok(value) = cell(value).parse::<f64>() else {
                continue;
            };
            let parts: Vec<_> = labels.iter().map(|index| cell(*index)).collect();
            bars.push(Bar {
                ours: parts.iter().any(|part| OURS.contains(part)),
                label: parts.join(" · "),
                value,
            });
        }
        ensure!(!bars.is_empty(), "no rows for the chart");
        Ok(bars)
    }

    fn svg(&self, bars: &[Bar]) -> String {
        let height = TOP + STEP * bars.len() as f64 + 10.0;
        let largest = bars
            .iter()
            .map(|bar| bar.value)
            .fold(f64::MIN_POSITIVE, f64::max);
        let smallest = bars
            .iter()
            .map(|bar| bar.value)
            .fold(largest, f64::min)
            .max(f64::MIN_POSITIVE);
        let room = WIDTH - LABEL_WIDTH - 110.0;
        let length = |value: f64| match self.log {
            // The smallest bar gets an eighth of the room.
            true if largest > smallest => {
                room * (0.125 + 0.875 * (value / smallest).ln() / (largest / smallest).ln())
            }
            _ => room * value / largest,
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
             role=\"img\">\n<title>{title}: {subtitle}</title>\n<style>\n\
             text {{ font: 13px system-ui, sans-serif; fill: #1f2328; }}\n\
             .title {{ font-size: 17px; font-weight: 600; }} .dim {{ fill: #59636e; }}\n\
             .bar {{ fill: #b6bec8; }} .ours {{ fill: #7c3aed; }} .strong {{ font-weight: 600; }}\n\
             @media (prefers-color-scheme: dark) {{ text {{ fill: #f0f6fc; }} .dim {{ fill: #9198a1; }} \
             .bar {{ fill: #4b535d; }} .ours {{ fill: #a78bfa; }} }}\n</style>\n\
             <text x=\"0\" y=\"18\" class=\"title\">{title}</text>\n<text x=\"0\" y=\"39\" class=\"dim\">{subtitle}</text>\n",
            title = escaped(self.title),
            subtitle = escaped(self.subtitle),
        );
        for (index, bar) in bars.iter().enumerate() {
            let y = TOP + STEP * index as f64;
            let text_y = y + BAR_HEIGHT * 0.75;
            let (bar_class, text_class) = if bar.ours {
                ("ours", "strong")
            } else {
                ("bar", "plain")
            };
            let end = LABEL_WIDTH + length(bar.value).max(1.0);
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{text_y}\" text-anchor=\"end\" class=\"{text_class}\">{label}</text>\
                 <rect x=\"{LABEL_WIDTH}\" y=\"{y}\" width=\"{width:.1}\" height=\"{BAR_HEIGHT}\" rx=\"3\" class=\"{bar_class}\"/>\
                 <text x=\"{text_x:.1}\" y=\"{text_y}\" class=\"{text_class}\">{value} {unit}</text>",
                x = LABEL_WIDTH - 8.0,
                label = escaped(&bar.label),
                width = end - LABEL_WIDTH,
                text_x = end + 6.0,
                value = bar.value,
                unit = self.unit,
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(csv: &str) -> Result<Vec<String>> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("memory.csv"), csv)?;
        let written = write(folder.path(), folder.path())?;
        written
            .iter()
            .map(|name| Ok(fs::read_to_string(folder.path().join(name))?))
            .collect()
    }

    #[test]
    fn a_chart_has_a_bar_for_each_row_and_its_figure() {
        let charts = chart("way,allocations,peak_kib\n\"a <b>, c\",7,6486\npumpfun-trades,8,44.4\nslow,1,skipped\n").unwrap();
        let [svg] = charts.as_slice() else {
            panic!("{charts:?}")
        };
        assert_eq!(svg.matches("<rect").count(), 2);
        assert!(
            svg.contains(">a &lt;b&gt;, c</text>") && svg.contains(">44.4 KiB</text>"),
            "{svg}"
        );
        assert_eq!(svg.matches("class=\"ours\"").count(), 1);
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
    }

    #[test]
    fn a_missing_column_is_named_and_a_missing_file_left_out() {
        let error = format!("{:#}", chart("way,allocations\nx,1\n").unwrap_err());
        assert!(
            error.contains("memory.csv: no column \"peak_kib\""),
            "{error}"
        );
        let folder = tempfile::tempdir().unwrap();
        assert!(write(folder.path(), folder.path()).unwrap().is_empty());
    }
}
