//! `pumpfun stats`: what a range of blocks holds, and whether anything drifts.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Context, Result};
use buffa::MessageView;
use pumpfun_trades::block::Block;
use pumpfun_trades::event;
use pumpfun_trades::pb::v1::EventsView;
use pumpfun_trades::row;
use pumpfun_trades::transaction::Outcomes;
use serde::Serialize;

use super::{InputArgs, Taken, print};
use crate::input::{Meter, Source, SourceBlock};
use crate::pipeline;

/// Count trades, volumes, layouts and everything that is not as it was, per range of slots.
///
/// What to look at to see that nothing drifts: bytes behind the known layouts, events that are unknown, and events that
/// cannot be read. The table is for people, --json for machines.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Print JSON: an object with `ranges` and `total`.
    #[arg(long)]
    json: bool,

    /// End with status 3 when there is an unknown tail, an unknown event or an unreadable one, also where something of the
    /// input could not be read.
    #[arg(long)]
    fail_on_drift: bool,

    /// Slots of a range.
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    range: u64,

    #[command(flatten)]
    input: InputArgs,
}

/// Exit status for drift.
const DRIFT: u8 = 3;

/// What blocks hold. Rows of failed transactions are not among it.
#[derive(Clone, Debug, Default, Serialize)]
struct Stats {
    /// Lowest and highest slot of the blocks; none without blocks.
    slots: Option<(u64, u64)>,
    blocks: u64,
    trades: u64,
    buys: u64,
    /// By quote mint.
    quotes: BTreeMap<String, Volume>,
    /// Rows by kind of event and layout, such as `trades` and `V9`.
    layouts: BTreeMap<&'static str, BTreeMap<String, u64>>,
    /// Rows with bytes behind the last known layout, by kind.
    unknown_tails: BTreeMap<&'static str, u64>,
    /// Events without rows of their own, by name.
    other_events: BTreeMap<String, u64>,
    /// Events of no known discriminator, by discriminator.
    unknown_events: BTreeMap<String, u64>,
    /// Events that cannot be read, by reason, whose numbers are left out.
    unreadable_events: BTreeMap<String, u64>,
}

/// What was traded against a quote.
#[derive(Clone, Debug, Default, Serialize)]
struct Volume {
    trades: u64,
    /// In the quote's smallest unit, without fees, as decimal text: sums outgrow 64 bits.
    #[serde(serialize_with = "as_text")]
    amount: u128,
}

/// A reason with `N` for each number, so that lengths do not part what is one kind.
fn without_numbers(reason: &str) -> String {
    let mut text = String::new();
    for c in reason.chars() {
        match c.is_ascii_digit() {
            true if text.ends_with('N') => {}
            true => text.push('N'),
            false => text.push(c),
        }
    }
    text
}

fn as_text<S: serde::Serializer>(amount: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(amount)
}

impl Stats {
    fn of_block(block: &SourceBlock) -> Result<Self> {
        let rows = row::encode_events(&Block::decode(&block.bytes)?, Outcomes::Successful)?;
        let events = EventsView::decode_view(&rows).with_context(|| block.to_string())?;
        let mut stats = Self {
            slots: Some((block.slot, block.slot)),
            blocks: 1,
            ..Self::default()
        };
        for trade in &events.trades {
            stats.trades += 1;
            stats.buys += u64::from(trade.is_buy);
            let volume = stats.quotes.entry(trade.quote_mint.to_owned()).or_default();
            volume.trades += 1;
            volume.amount += u128::from(trade.quote_amount);
        }
        macro_rules! layouts {
            ($($kind:ident)*) => {
                $(for row in &events.$kind {
                    stats.count_layout(stringify!($kind), row.layout, row.unknown_trailing_bytes);
                })*
            };
        }
        layouts!(trades creations completions post_completion_buys migrations creator_changes mayhem_updates
            fee_collections fee_sweeps);
        for event in &events.raw_events {
            let (counts, key) = match (event.event_name, event.reason) {
                ("", reason) if reason == event::Unreadable::Unknown.to_string() => {
                    (&mut stats.unknown_events, event.discriminator.to_owned())
                }
                (name, "") => (&mut stats.other_events, name.to_owned()),
                (_, reason) => (&mut stats.unreadable_events, without_numbers(reason)),
            };
            *counts.entry(key).or_default() += 1;
        }
        Ok(stats)
    }

    fn count_layout(&mut self, kind: &'static str, layout: &str, unknown_trailing_bytes: u32) {
        let layouts = self.layouts.entry(kind).or_default();
        *layouts.entry(layout.to_owned()).or_default() += 1;
        if unknown_trailing_bytes > 0 {
            *self.unknown_tails.entry(kind).or_default() += 1;
        }
    }

    fn add(&mut self, other: &Self) {
        self.slots = match (self.slots, other.slots) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (slots, None) | (None, slots) => slots,
        };
        self.blocks += other.blocks;
        self.trades += other.trades;
        self.buys += other.buys;
        for (quote, volume) in &other.quotes {
            let sum = self.quotes.entry(quote.clone()).or_default();
            sum.trades += volume.trades;
            sum.amount += volume.amount;
        }
        for (kind, layouts) in &other.layouts {
            add_counts(self.layouts.entry(kind).or_default(), layouts);
        }
        add_counts(&mut self.unknown_tails, &other.unknown_tails);
        add_counts(&mut self.other_events, &other.other_events);
        add_counts(&mut self.unknown_events, &other.unknown_events);
        add_counts(&mut self.unreadable_events, &other.unreadable_events);
    }

    fn drifts(&self) -> bool {
        [
            self.unknown_events.len(),
            self.unreadable_events.len(),
            self.unknown_tails.len(),
        ] != [0; 3]
    }
}

fn add_counts<K: Clone + Ord>(sum: &mut BTreeMap<K, u64>, counts: &BTreeMap<K, u64>) {
    for (key, count) in counts {
        *sum.entry(key.clone()).or_default() += count;
    }
}

/// All that is printed.
#[derive(Debug, Default, Serialize)]
struct Report {
    ranges: Vec<Range>,
    total: Stats,
}

#[derive(Debug, Serialize)]
struct Range {
    /// First slot of the range, whether a block has it or not.
    first_slot: u64,
    #[serde(flatten)]
    stats: Stats,
}

/// Runs the command.
///
/// # Errors
///
/// When nothing can be counted at all; what cannot be read of the input only shows in the exit status.
pub fn stats(args: &Args) -> Result<ExitCode> {
    let sources = args.input.sources();
    let stored = sources.iter().flatten().map(Source::stored_bytes).sum();
    let meter = Meter::new(stored, args.input.quiet);
    let mut ranges: BTreeMap<u64, Stats> = BTreeMap::new();
    let mut taken = Taken::default();
    let mut blocks = 0;
    let handle = |block: &SourceBlock| {
        let stats = args.input.wants(block.slot).then(|| Stats::of_block(block));
        Ok((block.slot, stats.transpose()?))
    };
    pipeline::run(sources, args.input.threads(), &meter, handle, |counted| {
        if let Some((slot, Some(stats))) = taken.take(counted, &meter) {
            ranges
                .entry(slot - slot % args.range)
                .or_default()
                .add(&stats);
            blocks += 1;
            meter.show_blocks(blocks);
        }
        Ok(())
    })?;
    meter.finish();

    let mut report = Report::default();
    for (first_slot, stats) in ranges {
        report.total.add(&stats);
        report.ranges.push(Range { first_slot, stats });
    }
    let text = match args.json {
        true => serde_json::to_string_pretty(&report)? + "\n",
        false => table(&report),
    };
    print(text.as_bytes())?;
    // Drift comes first: a file that cannot be read must not hide it.
    Ok(match taken.errors {
        _ if args.fail_on_drift && report.total.drifts() => ExitCode::from(DRIFT),
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// The report for people.
fn table(report: &Report) -> String {
    let mut rows = vec![
        [
            "slots",
            "blocks",
            "trades",
            "buys",
            "unknown tails",
            "unknown events",
            "unreadable",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    let totals = [("total".to_owned(), &report.total)];
    let ranges = report.ranges.iter().map(|range| {
        let slots = range
            .stats
            .slots
            .map_or_else(String::new, |(first, last)| format!("{first}..={last}"));
        (slots, &range.stats)
    });
    for (name, stats) in ranges.chain(totals) {
        let sum = |counts: u64| counts.to_string();
        rows.push(vec![
            name,
            sum(stats.blocks),
            sum(stats.trades),
            sum(stats.buys),
            sum(stats.unknown_tails.values().sum()),
            sum(stats.unknown_events.values().sum()),
            sum(stats.unreadable_events.values().sum()),
        ]);
    }
    let mut text = aligned(&rows);

    let Stats {
        quotes,
        layouts,
        unknown_tails,
        other_events,
        unknown_events,
        unreadable_events,
        ..
    } = &report.total;
    let mut section = |title: &str, lines: String| {
        if !lines.is_empty() {
            text.push_str(&format!("\n{title}\n{lines}"));
        }
    };
    let volumes: Vec<_> = quotes
        .iter()
        .map(|(mint, volume)| {
            vec![
                name_of(mint),
                volume.trades.to_string(),
                volume.amount.to_string(),
            ]
        })
        .collect();
    section(
        "volume by quote mint: trades, and amount in its smallest unit, without fees",
        aligned(&volumes),
    );
    let by_layout = layouts.iter().map(|(kind, layouts)| {
        let counts: Vec<_> = layouts
            .iter()
            .map(|(layout, rows)| format!("{layout}: {rows}"))
            .collect();
        format!("{kind:20}  {}\n", counts.join(", "))
    });
    section("layouts", by_layout.collect());
    section("other events", counts(other_events));
    section(
        "unknown tails: Pump has added fields",
        counts(unknown_tails),
    );
    section("unknown events, by discriminator", counts(unknown_events));
    section("unreadable events", counts(unreadable_events));
    text
}

/// Counts by key, a line each.
fn counts<K: ToString>(counts: &BTreeMap<K, u64>) -> String {
    let rows: Vec<_> = counts
        .iter()
        .map(|(key, count)| vec![key.to_string(), count.to_string()])
        .collect();
    aligned(&rows)
}

/// A quote mint with the name that people know it by.
fn name_of(mint: &str) -> String {
    match mint {
        "11111111111111111111111111111111" => format!("{mint} (SOL)"),
        "So11111111111111111111111111111111111111112" => format!("{mint} (wrapped SOL)"),
        "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" => format!("{mint} (USDC)"),
        _ => mint.to_owned(),
    }
}

/// Rows in columns: the first to the left, the others to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(String::len)
            .max()
    };
    let widths: Vec<_> = (0..columns)
        .map(|column| width(column).unwrap_or_default())
        .collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<_> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, width))| match column {
                0 => format!("{cell:width$}"),
                _ => format!("{cell:>width$}"),
            })
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}
