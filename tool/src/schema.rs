//! The modules of the package, as the manifest has them, and the descriptors of what they give.

use std::sync::LazyLock;

use anyhow::{Context, Result, ensure};
use prost_reflect::{DescriptorPool, MessageDescriptor};
use pumpfun_outputs::filter::Filter;

/// A module of the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Module {
    /// Trades, keys as base58 strings.
    MapTrades,
    /// Trades, keys as bytes (base64 in JSON and CSV).
    MapRawTrades,
    /// The transactions that name Pump, whole.
    PumpTransactions,
    /// The rows of all Pump events.
    MapEvents,
    /// Trades of failed transactions only.
    MapFailedTrades,
    /// The keys of a block's trades.
    IndexTrades,
    /// The trades that a filter asks for.
    FilteredTrades,
    /// All rows, as changes of database tables.
    DbOut,
}

/// A wasm of the package; modules that change together share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// Blocks → transactions that name Pump.
    Transactions,
    /// Blocks or those transactions → rows.
    Trades,
    /// Rows → what is made of them.
    Outputs,
}

/// First slot of every module: blocks before it are not asked for.
pub const INITIAL_BLOCK: u64 = 241_400_000;

impl Binary {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Transactions, Self::Trades, Self::Outputs];

    /// Name of its file.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Transactions => "pumpfun_transactions.wasm",
            Self::Trades => "pumpfun_trades.wasm",
            Self::Outputs => "pumpfun_outputs.wasm",
        }
    }
}

impl Module {
    /// All of them, in the order of the manifest.
    pub const ALL: [Self; 8] = [
        Self::MapTrades,
        Self::MapRawTrades,
        Self::PumpTransactions,
        Self::MapEvents,
        Self::MapFailedTrades,
        Self::IndexTrades,
        Self::FilteredTrades,
        Self::DbOut,
    ];

    /// Its name in the manifest, and so that of the wasm's function.
    pub fn name(self) -> &'static str {
        match self {
            Self::MapTrades => "map_trades",
            Self::MapRawTrades => "map_raw_trades",
            Self::PumpTransactions => "pump_transactions",
            Self::MapEvents => "map_events",
            Self::MapFailedTrades => "map_failed_trades",
            Self::IndexTrades => "index_trades",
            Self::FilteredTrades => "filtered_trades",
            Self::DbOut => "db_out",
        }
    }

    /// The wasm that it is in.
    pub fn binary(self) -> Binary {
        match self {
            Self::MapTrades | Self::MapRawTrades | Self::MapEvents | Self::MapFailedTrades => {
                Binary::Trades
            }
            Self::PumpTransactions => Binary::Transactions,
            Self::IndexTrades | Self::FilteredTrades | Self::DbOut => Binary::Outputs,
        }
    }

    /// The module whose output it reads; `None` where it reads blocks.
    pub fn input(self) -> Option<Self> {
        match self {
            Self::MapTrades | Self::MapRawTrades | Self::PumpTransactions => None,
            Self::MapEvents | Self::MapFailedTrades => Some(Self::PumpTransactions),
            Self::IndexTrades | Self::FilteredTrades | Self::DbOut => Some(Self::MapEvents),
        }
    }

    /// The value of its parameter unless another is given; `None` where it has none.
    pub fn default_params(self) -> Option<&'static str> {
        match self {
            Self::FilteredTrades => Some("side:buy || side:sell"),
            _ => None,
        }
    }

    /// The value of its parameter: `given`, or the default; empty where it takes none. Each call of a module would say
    /// what is wrong with it, and an engine nothing: it looks for keys that no block has.
    ///
    /// # Errors
    ///
    /// When it takes no parameter, or none of this form: with the place of the fault.
    pub fn checked_params(self, given: Option<&str>) -> Result<&str> {
        let Some(default) = self.default_params() else {
            ensure!(given.is_none(), "{} takes no --params", self.name());
            return Ok("");
        };
        let params = given.unwrap_or(default);
        Filter::parse(params).context("--params")?;
        Ok(params)
    }

    /// Whether its output is rows, by kind.
    pub fn gives_rows(self) -> bool {
        !matches!(
            self,
            Self::PumpTransactions | Self::IndexTrades | Self::DbOut
        )
    }

    /// Whether its output holds the events that could not be read.
    pub fn gives_unread_events(self) -> bool {
        matches!(self, Self::MapTrades | Self::MapRawTrades | Self::MapEvents)
    }

    /// Full name of its output's message.
    pub fn output_name(self) -> &'static str {
        match self {
            Self::MapTrades | Self::MapFailedTrades | Self::FilteredTrades => "pumpfun.v1.Trades",
            Self::MapRawTrades => "pumpfun.v1.RawTrades",
            Self::PumpTransactions => "pumpfun.v1.PumpTransactions",
            Self::MapEvents => "pumpfun.v1.Events",
            Self::IndexTrades => "sf.substreams.index.v1.Keys",
            Self::DbOut => "sf.substreams.sink.database.v1.DatabaseChanges",
        }
    }

    /// Descriptor of its output.
    ///
    /// # Errors
    ///
    /// When the descriptors that were built into the tool do not hold it.
    pub fn output(self) -> Result<MessageDescriptor> {
        message(self.output_name())
    }
}

/// Descriptor of a message of the package or of Substreams.
///
/// # Errors
///
/// When the descriptors that were built into the tool do not hold it.
pub fn message(name: &str) -> Result<MessageDescriptor> {
    static POOL: LazyLock<Result<DescriptorPool, String>> = LazyLock::new(|| {
        let descriptors = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.binpb"));
        DescriptorPool::decode(descriptors.as_slice()).map_err(|error| error.to_string())
    });
    let pool = POOL
        .as_ref()
        .map_err(|error| anyhow::anyhow!("descriptors: {error}"))?;
    pool.get_message_by_name(name)
        .with_context(|| format!("descriptors without {name}"))
}
