//! What a run has seen, in a few lines.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;
use std::time::Duration;

use prost_reflect::{DynamicMessage, ReflectMessage, Value};
use serde_json::{Map, Value as Json, json};

use crate::input::SourceBlock;
use crate::schema::Module;

/// Counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Blocks that were read.
    pub blocks: u64,
    /// Their bytes, decompressed.
    pub bytes: u64,
    /// The lowest and the highest slot among them.
    pub slots: Option<(u64, u64)>,
    /// Blocks and files that could not be read.
    pub errors: u64,
    /// Bytes that the module or the library gave for them.
    pub output_bytes: u64,
    /// Trades.
    pub trades: u64,
    /// Trades of failed transactions among them.
    pub failed_trades: u64,
    /// Trades by layout.
    pub layouts: BTreeMap<String, u64>,
    /// Rows of events with bytes behind the known layouts.
    pub unknown_tails: u64,
    /// Pump events that could not be read or were unknown; `None` where what was asked for does not tell of them.
    pub unread_events: Option<u64>,
}

impl Summary {
    /// Counts of a block, of which `module` gives the rows.
    pub fn of_block(block: &SourceBlock, module: Module) -> Self {
        Self {
            blocks: 1,
            bytes: block.bytes.len() as u64,
            slots: Some((block.slot, block.slot)),
            unread_events: module.gives_unread_events().then_some(0),
            ..Self::default()
        }
    }

    fn add_slots(&mut self, other: Option<(u64, u64)>) {
        self.slots = match (self.slots, other) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (slots, None) | (None, slots) => slots,
        };
    }

    /// Counts the rows of an output message.
    pub fn count_rows(&mut self, output: &DynamicMessage) {
        for trade in rows(output, "trades") {
            self.trades += 1;
            self.failed_trades += u64::from(value(trade, "failed").as_bool() == Some(true));
            let layout = value(trade, "layout");
            *self
                .layouts
                .entry(layout.as_str().unwrap_or_default().to_owned())
                .or_default() += 1;
        }
        for kind in output.descriptor().fields() {
            let unknown = rows(output, kind.name()).filter(|row| {
                let unknown = row.get_field_by_name("unknown_trailing_bytes");
                unknown.is_some_and(|bytes| bytes.as_u32() != Some(0))
            });
            self.unknown_tails += unknown.count() as u64;
        }
        // Those without a reason are known, and have no rows of their own.
        let unread = |event: &&DynamicMessage| value(event, "reason").as_str() != Some("");
        let unread = rows(output, "raw_events").filter(unread).count() as u64;
        if let Some(unread_events) = &mut self.unread_events {
            *unread_events += unread;
        }
    }

    /// The summary as figures of a log.
    pub fn figures(&self, time: Duration) -> Map<String, Json> {
        let Self {
            blocks,
            bytes,
            slots,
            errors,
            output_bytes,
            trades,
            failed_trades,
            layouts,
            unknown_tails,
            unread_events,
        } = self;
        let figures = json!({
            "blocks": blocks, "bytes": bytes, "first_slot": slots.map(|slots| slots.0),
            "last_slot": slots.map(|slots| slots.1), "errors": errors, "output_bytes": output_bytes,
            "trades": trades, "failed_trades": failed_trades, "layouts": layouts,
            "unknown_tails": unknown_tails, "unread_events": unread_events, "seconds": time.as_secs_f64(),
            "peak_memory_bytes": peak_memory(),
        });
        match figures {
            Json::Object(figures) => figures,
            _ => Map::new(),
        }
    }

    /// The summary with what the blocks took.
    pub fn with_time(&self, time: Duration) -> impl fmt::Display + '_ {
        TimedSummary {
            summary: self,
            time,
        }
    }
}

fn rows<'a>(
    output: &'a DynamicMessage,
    field: &str,
) -> impl Iterator<Item = &'a DynamicMessage> + use<'a> {
    let list = match output.get_field_by_name(field) {
        Some(std::borrow::Cow::Borrowed(list)) => list.as_list(),
        // An owned value is the default of an absent list: empty.
        Some(std::borrow::Cow::Owned(_)) | None => None,
    };
    list.unwrap_or_default()
        .iter()
        .filter_map(Value::as_message)
}

fn value(row: &DynamicMessage, field: &str) -> Value {
    row.get_field_by_name(field)
        .map_or(Value::Bool(false), |value| value.into_owned())
}

impl AddAssign for Summary {
    fn add_assign(&mut self, other: Self) {
        self.blocks += other.blocks;
        self.bytes += other.bytes;
        self.add_slots(other.slots);
        self.errors += other.errors;
        self.output_bytes += other.output_bytes;
        self.trades += other.trades;
        self.failed_trades += other.failed_trades;
        for (layout, trades) in other.layouts {
            *self.layouts.entry(layout).or_default() += trades;
        }
        self.unknown_tails += other.unknown_tails;
        self.unread_events = match (self.unread_events, other.unread_events) {
            (Some(a), Some(b)) => Some(a + b),
            (unread, None) | (None, unread) => unread,
        };
    }
}

struct TimedSummary<'a> {
    summary: &'a Summary,
    time: Duration,
}

impl fmt::Display for TimedSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary {
            blocks,
            bytes,
            slots,
            errors,
            output_bytes,
            trades,
            failed_trades,
            layouts,
            unknown_tails,
            unread_events,
        } = self.summary;
        let seconds = self.time.as_secs_f64();
        let megabytes = *bytes as f64 / 1e6;
        write!(f, "blocks         {blocks} ({megabytes:.1} MB)")?;
        match slots {
            Some((first, last)) => writeln!(f, ", slots {first} to {last}")?,
            None => writeln!(f)?,
        }
        writeln!(
            f,
            "output         {:.1} MB, {:.1} % of the blocks",
            *output_bytes as f64 / 1e6,
            100.0 * *output_bytes as f64 / (*bytes).max(1) as f64
        )?;
        writeln!(
            f,
            "trades         {trades}, {failed_trades} of them in failed transactions"
        )?;
        let layouts: Vec<_> = layouts
            .iter()
            .map(|(layout, trades)| format!("{layout}: {trades}"))
            .collect();
        writeln!(
            f,
            "layouts        {}",
            if layouts.is_empty() {
                "none".into()
            } else {
                layouts.join(", ")
            }
        )?;
        writeln!(f, "unknown tails  {unknown_tails}")?;
        if let Some(unread_events) = unread_events {
            writeln!(f, "unread events  {unread_events}")?;
        }
        if *errors > 0 {
            writeln!(f, "errors         {errors}")?;
        }
        write!(
            f,
            "time           {seconds:.2} s, {:.1} blocks/s, {:.1} MB/s",
            *blocks as f64 / seconds.max(1e-9),
            megabytes / seconds.max(1e-9)
        )?;
        match peak_memory() {
            Some(bytes) => write!(f, "\nmemory         {:.0} MB at most", bytes as f64 / 1e6),
            None => Ok(()),
        }
    }
}

/// The most memory that this process had at once, bytes of resident pages; `None` where the system does not say.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes = line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?;
    kilobytes.checked_mul(1024)
}
